"""Read which signed-in people have which role: a small YAML file that the operator writes.

default: viewer
emails: {ada@example.org: admin}
groups: {moot-reviewers: reviewer}
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from core.errors import InvalidSetting, UnreadableFile
from core.roles import RoleMapping

VARIABLE = "MOOT_ROLES"
LARGEST = 1_000_000  # bytes


def roles_path() -> Path | None:
    """Return the roles file that MOOT_ROLES names; None where it names none."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named) if named else None


def role_mapping() -> RoleMapping:
    """Return who has which role, as the roles file says now; without a file everybody is a viewer.

    Raises:
        UnreadableFile: If the file cannot be read.
        InvalidSetting: If there is something in it that is not understood.
    """
    path = roles_path()
    if path is None:
        return RoleMapping()
    try:
        found = path.stat()
    except OSError as error:
        raise UnreadableFile(f"The roles file {path.name!r} cannot be read: {error.strerror}.") from error
    return _read(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int, size: int) -> RoleMapping:
    if size > LARGEST:
        raise UnreadableFile(f"The roles file {path.name!r} is larger than {LARGEST:,} bytes.")
    try:
        record = yaml.load(path.read_text("utf-8-sig"), _StrictLoader)  # noqa: S506 - a SafeLoader
    except OSError as error:
        raise UnreadableFile(f"The roles file {path.name!r} cannot be read: {error.strerror}.") from error
    except RecursionError as error:
        raise UnreadableFile(f"The roles file {path.name!r} cannot be read: it is nested too deeply.") from error
    except (ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise UnreadableFile(f"The roles file {path.name!r} cannot be read: {reason}") from error
    if record is None:
        return RoleMapping()
    try:
        return RoleMapping.from_record(record)
    except InvalidSetting as error:
        raise InvalidSetting(f"{path.name}: {error}") from error


class _StrictLoader(yaml.SafeLoader):
    """Refuses a key that stands twice: of two roles for one person, the wrong one might count."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = [key for place, key in enumerate(keys) if key in keys[:place]]
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"{twice[0]!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


__all__ = ["VARIABLE", "role_mapping", "roles_path"]
