"""What tells judges' settings apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

HIDDEN = frozenset({"prompt_hash"})  # told by "prompts" for people


def setting_lines(settings: Sequence[Mapping[str, Any]], *, differing: bool) -> list[list[tuple[str, str]]]:
    """Return each judge's settings as pairs of name and value, for people, sorted by name.

    The order is that of the names, since the same settings come in another order from a recipe than from a page.

    Args:
        settings: Of each judge.
        differing: Leave out what all judges of the same kind have in common; of a judge that is alone of its kind, what
            is empty or no.
    """
    lines = []
    for one in settings:
        alike = [other for other in settings if other.get("kind") == one.get("kind")]
        kept = []
        for name, value in sorted(one.items()):
            if name in HIDDEN or name == "kind":
                continue
            common = all(other.get(name) == value for other in alike)
            if differing and (common if len(alike) > 1 else value in (None, False, "", {}, [])):
                continue
            kept.append((name.replace("_", " "), _text(value)))
        lines.append(kept)
    return lines


def _text(value: Any) -> str:
    if isinstance(value, Mapping) and "name" in value:
        return str(value["name"])
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "–"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


__all__ = ["setting_lines"]
