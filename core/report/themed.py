"""One picture for both backgrounds: its colours become names that the page's style sheet gives values."""

from __future__ import annotations

import re
from collections.abc import Mapping

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}\b")
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'  # needed in a file; within a page it is known


def themed(light: str, dark: str, names: dict[str, str]) -> str:
    """Return an SVG for a page, with a style sheet's names in place of its colours.

    Args:
        light, dark: The picture for either background, the same but for colours.
        names: Gets the dark colour of every light one; a picture in which one colour would need two keeps its own.
    """
    found: dict[str, str] = {}
    pairs = list(zip(_COLOUR.findall(light), _COLOUR.findall(dark), strict=False))
    if _COLOUR.sub("", light) != _COLOUR.sub("", dark):
        return light.replace(_NAMESPACE, "", 1)
    for here, there in pairs:
        if found.setdefault(here, names.get(here, there)) != there:
            return light.replace(_NAMESPACE, "", 1)
    names.update(found)
    return _COLOUR.sub(lambda colour: f"var({name(colour.group())})", light).replace(_NAMESPACE, "", 1)


def name(colour: str) -> str:
    """Return what a style sheet calls a light colour."""
    return f"--c{colour[1:].lower()}"


def declarations(names: Mapping[str, str], *, dark: bool) -> str:
    """Return the colours as a style sheet's declarations, for one background."""
    return " ".join(f"{name(here)}: {there if dark else here};" for here, there in sorted(names.items()))


__all__ = ["declarations", "name", "themed"]
