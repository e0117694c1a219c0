"""JSON schemas of debaters' replies, for endpoints that can hold a model to one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.debating.reading import NEW

_TEXT: Mapping[str, Any] = {"type": "string"}
# One of 101 whole numbers: a plain number may be printed without end.
_PERCENT: Mapping[str, Any] = {"type": "integer", "enum": list(range(101))}


def likelihood() -> str:
    """Return the schema of a likelihood in percent."""
    return _object({"likelihood": _PERCENT})


def argument() -> str:
    """Return the schema of one argument."""
    return _object({"argument": _TEXT})


def sides(most: int) -> str:
    """Return the schema of lists of pros and cons."""
    return _object({"pros": _list(_TEXT, most), "cons": _list(_TEXT, most)})


def revision(pros: Sequence[str], cons: Sequence[str], most: int) -> str:
    """Return the schema of a revised list; an entry's id is one of these, or that of new arguments."""
    return _object({"pros": _list(_entry(pros), most), "cons": _list(_entry(cons), most)})


def turn(most: int) -> str:
    """Return the schema of a turn. Ids are left free: whether an edit is allowed is not the endpoint's to decide."""
    edit = _inner({"id": _TEXT, "text": _TEXT, "likelihood": _PERCENT})
    return _object(
        {"edits": {"type": "array", "items": edit}, "new_pros": _list(_TEXT, most), "new_cons": _list(_TEXT, most)}
    )


def _entry(ids: Sequence[str]) -> Mapping[str, Any]:
    return _inner({"id": {"type": "string", "enum": [*ids, NEW]}, "text": _TEXT})


def _list(items: Mapping[str, Any], most: int) -> Mapping[str, Any]:
    return {"type": "array", "items": items, "maxItems": most}


def _inner(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _object(properties: Mapping[str, Any]) -> str:
    return json.dumps(_inner(properties))  # not sorted: models write the keys in the schema's order


__all__ = ["argument", "likelihood", "revision", "sides", "turn"]
