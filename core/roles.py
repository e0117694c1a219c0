"""Who acts, in which role, and what a role may do: one table, and one function that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.errors import InvalidSetting, NotAllowed

LONGEST_NAME = 200  # characters of a name or id that a token may bring


class Role(StrEnum):
    """What a person is here for, from the least to the most."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """Return 0 for the role that may least."""
        return list(Role).index(self)


class Permission(StrEnum):
    """What is guarded, in words that fit after "may"."""

    SAVE = "save contestations"
    COMMENT = "comment"
    IMPORT = "import debates and judgements"
    DERIVE = "turn statements into arguments"
    DEFINE = "define judges"
    RUN = "start and end runs"
    RULE = "rule on contestations"
    DELETE = "remove what is stored"
    CONFIGURE = "change settings for everybody"


_FROM: Mapping[Permission, Role] = {
    Permission.SAVE: Role.REVIEWER,
    Permission.COMMENT: Role.REVIEWER,
    Permission.IMPORT: Role.REVIEWER,
    Permission.DERIVE: Role.REVIEWER,
    Permission.DEFINE: Role.REVIEWER,
    Permission.RUN: Role.REVIEWER,
    Permission.RULE: Role.ADMIN,
    Permission.DELETE: Role.ADMIN,
    Permission.CONFIGURE: Role.ADMIN,
}


@dataclass(frozen=True)
class Person:
    """Who acts.

    Attributes:
        id: Which person, the same at every visit: drafts, comments and the audit log go by it.
        name: For people; not unique, and chosen freely by its owner where an identity provider allows it.
        role: What the person may do.
        signed_in: An identity provider vouches for the person; else it is whoever has the machine or the file.
        email: An address that can be trusted; empty for none.
    """

    id: str
    name: str
    role: Role
    signed_in: bool = False
    email: str = ""

    @property
    def shown(self) -> str:
        """Return the name, and for signed-in people what tells two of one name apart."""
        if not self.signed_in:
            return self.name
        mark = self.email or self.id
        return mark if self.name in ("", mark) else f"{self.name} <{mark}>"


LOCAL_USER = Person("local", "local user", Role.ADMIN)  # of the pages where no sign-in is configured
OPERATOR = Person("command line", "command line", Role.ADMIN)  # who has the file has everything
MOOT = Person("moot", "Moot itself", Role.ADMIN)  # what the program does by itself, such as migrations


def allowed(person: Person, permission: Permission) -> bool:
    """Return whether a person may do something. Everything that is guarded asks here."""
    return person.role.rank >= _FROM[permission].rank


def require(person: Person, permission: Permission) -> None:
    """Let a person do something.

    Raises:
        NotAllowed: If the role does not allow it.
    """
    if not allowed(person, permission):
        who = {Role.REVIEWER: "reviewers and admins", Role.ADMIN: "admins", Role.VIEWER: "everybody"}
        raise NotAllowed(
            f"{person.shown} is signed in as {person.role.value} and may not {permission.value}; "
            f"{who[_FROM[permission]]} may. Whoever runs Moot gives roles."
        )


@dataclass(frozen=True)
class RoleMapping:
    """Which signed-in people have which role.

    Attributes:
        emails: By e-mail address, which counts in upper and lower case alike and only when the provider has verified
            it.
        subjects: By the token's ``sub``, or by ``issuer|sub``.
        groups: By the name of a group that the token lists.
        groups_claim: Which claim of the token lists groups.
        default: Of everybody else.
        trust_unverified_emails: Take addresses as they come. Only for providers whose users cannot choose theirs.
    """

    emails: Mapping[str, Role] = field(default_factory=dict)
    subjects: Mapping[str, Role] = field(default_factory=dict)
    groups: Mapping[str, Role] = field(default_factory=dict)
    groups_claim: str = "groups"
    default: Role = Role.VIEWER
    trust_unverified_emails: bool = False

    def role(self, claims: Mapping[str, Any]) -> Role:
        """Return the highest role that anything in a token's claims gives; the default where nothing does."""
        found = [self.subjects.get(subject) for subject in _subjects(claims)]
        email = self.email(claims)
        found.append(self.emails.get(email.casefold()) if email else None)
        groups = claims.get(self.groups_claim)
        named = [groups] if isinstance(groups, str) else groups if isinstance(groups, (list, tuple)) else []
        found += [self.groups.get(group) for group in named if isinstance(group, str)]
        given = [role for role in found if role is not None]
        return max(given, key=lambda role: role.rank) if given else self.default

    def email(self, claims: Mapping[str, Any]) -> str | None:
        """Return the e-mail address of a token, if it can be trusted."""
        address = claims.get("email")
        if not isinstance(address, str) or not address.strip():
            return None
        verified = claims.get("email_verified") is True or self.trust_unverified_emails
        return address.strip() if verified else None

    def person(self, claims: Mapping[str, Any]) -> Person:
        """Return the person that a verified token speaks of.

        The id is ``issuer|sub``: an address can be given to somebody else one day, a subject never.

        Raises:
            NotAllowed: If the token names no subject.
        """
        subjects = _subjects(claims)
        if not subjects:
            raise NotAllowed("The identity provider's token names no subject, so nobody is signed in.")
        email = self.email(claims) or ""
        name = next((text for key in ("name", "preferred_username") if (text := _name(claims.get(key)))), email)
        return Person(subjects[-1], name, self.role(claims), signed_in=True, email=email)

    @classmethod
    def from_record(cls, record: object) -> RoleMapping:
        """Return the mapping that a roles file holds; everything in it must be understood.

        Raises:
            InvalidSetting: If there is an unknown key, an unknown role, or a name that is no text.
        """
        if not isinstance(record, Mapping):
            raise InvalidSetting("The roles file must hold keys such as emails, groups and default.")
        unknown = [str(key) for key in record if key not in _KEYS]
        if unknown:
            raise InvalidSetting(f"The roles file has an unknown key {unknown[0]!r}; there are {', '.join(_KEYS)}.")
        trust = record.get("trust_unverified_emails", False)
        claim = record.get("groups_claim", "groups")
        if not isinstance(trust, bool):
            raise InvalidSetting("trust_unverified_emails in the roles file must be true or false.")
        if not isinstance(claim, str) or not claim:
            raise InvalidSetting("groups_claim in the roles file must name a claim.")
        given = _roles(record, "emails")
        emails = {name.strip().casefold(): role for name, role in given.items()}
        if len(emails) < len(given):
            raise InvalidSetting("An address stands twice under emails in the roles file, in upper and in lower case.")
        return cls(
            emails=emails,
            subjects=_roles(record, "subjects"),
            groups=_roles(record, "groups"),
            groups_claim=claim,
            default=_role(record.get("default", Role.VIEWER.value), "default"),
            trust_unverified_emails=trust,
        )


_KEYS = ("emails", "subjects", "groups", "groups_claim", "default", "trust_unverified_emails")


def _roles(record: Mapping[str, Any], key: str) -> dict[str, Role]:
    given = record.get(key) or {}
    if not isinstance(given, Mapping):
        raise InvalidSetting(f"{key} in the roles file must be names with a role each, such as ada@example.org: admin.")
    for name in given:
        if not isinstance(name, str) or not name.strip():
            raise InvalidSetting(f"{name!r} under {key} in the roles file is no text; put it in quotes.")
    return {name: _role(role, f"{key}: {name}") for name, role in given.items()}


def _role(value: object, place: str) -> Role:
    try:
        return Role(value)  # type: ignore[arg-type]  # anything else is refused
    except ValueError:
        names = ", ".join(Role)
        raise InvalidSetting(f"{place} in the roles file is {value!r}; the roles are {names}.") from None


def _subjects(claims: Mapping[str, Any]) -> list[str]:
    """Return what names a token's subject, the form that is unique everywhere last."""
    subject, issuer = claims.get("sub"), claims.get("iss")
    if not isinstance(subject, str) or not subject:
        return []
    return [subject, f"{issuer}|{subject}"] if isinstance(issuer, str) and issuer else [subject]


def _name(value: object) -> str:
    """Return a name on one line, without signs that could make it look like an address behind a name."""
    if not isinstance(value, str):
        return ""
    shown = "".join(sign for sign in value if sign.isprintable() and sign not in "<>|")
    return " ".join(shown.split())[:LONGEST_NAME]


__all__ = ["LOCAL_USER", "MOOT", "OPERATOR", "Permission", "Person", "Role", "RoleMapping", "allowed", "require"]
