from __future__ import annotations

import os

import pytest

from core.errors import InvalidSetting, UnreadableFile
from core.roles import Role
from storage.roles_file import role_mapping

ADA = {"sub": "1", "email": "ada@example.org", "email_verified": True}


@pytest.fixture
def roles(tmp_path, monkeypatch):
    """Return a function that writes the roles file."""
    path = tmp_path / "roles.yaml"
    monkeypatch.setenv("MOOT_ROLES", str(path))

    def write(content: str | bytes):
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_without_a_file_everybody_is_a_viewer(monkeypatch):
    monkeypatch.delenv("MOOT_ROLES", raising=False)
    assert role_mapping().role(ADA) is Role.VIEWER


def test_a_file_gives_roles_and_a_change_of_it_counts_at_once(roles):
    path = roles("emails:\n  ada@example.org: admin\n")
    assert role_mapping().role(ADA) is Role.ADMIN
    roles("emails:\n  ada@example.org: viewer\n")
    os.utime(path, ns=(1, 1))
    assert role_mapping().role(ADA) is Role.VIEWER


@pytest.mark.parametrize("content", ["", "# nobody\n", "emails:\ngroups:\n"])
def test_an_empty_file_leaves_everybody_a_viewer(roles, content):
    roles(content)
    assert role_mapping().role(ADA) is Role.VIEWER


def test_a_file_that_is_not_there_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("MOOT_ROLES", str(tmp_path / "absent.yaml"))
    with pytest.raises(UnreadableFile, match=r"'absent.yaml' cannot be read"):
        role_mapping()


@pytest.mark.parametrize(
    "content",
    [
        "emails: {ada@example.org: admin, ada@example.org: viewer}",
        "emails: {a: admin}\nemails: {a: viewer}",
        "emails: [",
        b"\xff\xfe\x00",
        "!!python/object/apply:os.system ['true']",
        "[" * 5000,
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_in_one_line(roles, content):
    roles(content)
    with pytest.raises(UnreadableFile, match=r"'roles.yaml' cannot be read") as error:
        role_mapping()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("content", ["- a", "text", "people: {}", "emails: {ada@example.org: root}"])
def test_a_file_that_is_not_understood_is_an_error_that_names_it(roles, content):
    roles(content)
    with pytest.raises(InvalidSetting, match=r"^roles.yaml: "):
        role_mapping()
