from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidSetting, NotAllowed
from core.roles import LOCAL_USER, MOOT, OPERATOR, Permission, Person, Role, RoleMapping, allowed, require

ISSUER = "https://id.example"
MAY = {
    Role.VIEWER: set(),
    Role.REVIEWER: {
        Permission.SAVE,
        Permission.COMMENT,
        Permission.IMPORT,
        Permission.DERIVE,
        Permission.DEFINE,
        Permission.RUN,
    },
    Role.ADMIN: set(Permission),
}
MAPPING = RoleMapping.from_record(
    {
        "emails": {"Ada@Example.org": "admin", "ria@example.org": "reviewer"},
        "subjects": {"007": "reviewer", f"{ISSUER}|42": "admin"},
        "groups": {"reviewers": "reviewer", "admins": "admin"},
    }
)
claim = st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.lists(st.text(max_size=5), max_size=3)


def token(**claims):
    return {"iss": ISSUER, "sub": "1", **claims}


def somebody(role: Role) -> Person:
    return Person("p", "P", role, signed_in=True)


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("permission", Permission)
def test_each_role_may_what_the_table_says_and_no_more(role, permission):
    assert allowed(somebody(role), permission) == (permission in MAY[role])


@pytest.mark.parametrize("permission", Permission)
def test_who_may_not_is_told_what_and_who_may(permission):
    with pytest.raises(NotAllowed, match=f"viewer and may not {permission.value}; .*admins may"):
        require(somebody(Role.VIEWER), permission)
    require(somebody(Role.ADMIN), permission)


@pytest.mark.parametrize("person", [LOCAL_USER, OPERATOR, MOOT])
def test_who_has_the_machine_may_do_everything(person):
    assert all(allowed(person, permission) for permission in Permission)
    assert not person.signed_in


@pytest.mark.parametrize(
    ("claims", "role"),
    [
        (token(), Role.VIEWER),
        (token(email="ada@example.org", email_verified=True), Role.ADMIN),
        (token(email="ADA@EXAMPLE.ORG ", email_verified=True), Role.ADMIN),
        (token(email="ada@example.org"), Role.VIEWER),
        (token(email="ada@example.org", email_verified=False), Role.VIEWER),
        (token(email="ada@example.org", email_verified="true"), Role.VIEWER),
        (token(email="ada@example.org.evil.example", email_verified=True), Role.VIEWER),
        (token(email=["ada@example.org"], email_verified=True), Role.VIEWER),
        (token(sub="007"), Role.REVIEWER),
        (token(sub="42"), Role.ADMIN),
        (token(sub="42", iss="https://other.example"), Role.VIEWER),
        (token(sub=42), Role.VIEWER),
        (token(groups=["x", "reviewers"]), Role.REVIEWER),
        (token(groups=["reviewers", "admins"]), Role.ADMIN),
        (token(groups="admins"), Role.ADMIN),
        (token(groups={"admins": True}), Role.VIEWER),
        (token(roles=["admins"]), Role.VIEWER),
        (token(role="admin"), Role.VIEWER),
        (token(email="ria@example.org", email_verified=True, groups=["admins"]), Role.ADMIN),
    ],
)
def test_a_token_gives_the_highest_role_that_the_mapping_knows(claims, role):
    assert MAPPING.role(claims) is role


@given(st.dictionaries(st.sampled_from(["sub", "iss", "email", "email_verified", "groups", "name"]), claim))
def test_no_token_but_a_mapped_one_gives_more_than_the_default(claims):
    mapped = {"007", "42", "ada@example.org", "ria@example.org", "reviewers", "admins"}
    groups = claims.get("groups")
    named = {
        str(value).strip().casefold() for value in (*claims.values(), *(groups if isinstance(groups, list) else ()))
    }
    if not named & mapped:
        assert MAPPING.role(claims) is Role.VIEWER


def test_the_default_is_the_files_word():
    assert RoleMapping.from_record({"default": "reviewer"}).role(token()) is Role.REVIEWER
    assert RoleMapping.from_record({}).role(token()) is Role.VIEWER


def test_groups_may_stand_in_another_claim():
    mapping = RoleMapping.from_record({"groups": {"admins": "admin"}, "groups_claim": "roles"})
    assert mapping.role(token(roles=["admins"])) is Role.ADMIN
    assert mapping.role(token(groups=["admins"])) is Role.VIEWER


def test_unverified_addresses_count_only_where_the_file_says_so():
    mapping = RoleMapping.from_record({"emails": {"ada@example.org": "admin"}, "trust_unverified_emails": True})
    assert mapping.role(token(email="ada@example.org")) is Role.ADMIN


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ([], "must hold keys"),
        ({"email": {}}, "unknown key 'email'"),
        ({"emails": ["ada@example.org"]}, "names with a role each"),
        ({"emails": {"ada@example.org": "emperor"}}, "'emperor'; the roles are viewer, reviewer, admin"),
        ({"emails": {"ada@example.org": None}}, "the roles are"),
        ({"emails": {"ada@example.org": ["admin"]}}, "the roles are"),
        ({"emails": {"Ada@example.org": "admin", "ada@example.org": "viewer"}}, "stands twice"),
        ({"subjects": {7: "admin"}}, "put it in quotes"),
        ({"groups": {" ": "admin"}}, "put it in quotes"),
        ({"groups_claim": ""}, "must name a claim"),
        ({"default": "Admin"}, "default in the roles file is 'Admin'"),
        ({"trust_unverified_emails": "yes"}, "must be true or false"),
    ],
)
def test_a_mapping_that_is_not_understood_is_refused(record, said):
    with pytest.raises(InvalidSetting, match=said):
        RoleMapping.from_record(record)


def test_a_person_is_known_by_issuer_and_subject_and_shown_by_name_and_address():
    person = MAPPING.person(token(sub="42", name="Ada", email="ada@example.org", email_verified=True))
    assert person == Person(f"{ISSUER}|42", "Ada", Role.ADMIN, signed_in=True, email="ada@example.org")
    assert person.shown == "Ada <ada@example.org>"
    assert MAPPING.person(token(sub="42", name="Ada", email="ada@example.org")).shown == f"Ada <{ISSUER}|42>"
    assert MAPPING.person(token()).shown == f"{ISSUER}|1"


def test_a_name_cannot_pass_itself_off_as_somebody_elses_address():
    person = MAPPING.person(token(name="Ada <ada@example.org>\n\u202e|x", email="eve@example.org", email_verified=True))
    assert person.shown == "Ada ada@example.orgx <eve@example.org>"


@pytest.mark.parametrize("claims", [{}, {"sub": ""}, {"sub": 7}, {"email": "ada@example.org", "email_verified": True}])
def test_a_token_without_a_subject_is_nobodys(claims):
    with pytest.raises(NotAllowed, match="names no subject"):
        MAPPING.person(claims)
