"""A debate's map as files. They stand apart from other downloads, because what draws them loads slowly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from core.contestation import Contested
from core.export import file_name
from core.graph_map import standalone_html, svg_map
from core.opinion import OpinionProfile
from core.preferences import Preferences


def show(
    shown: OpinionProfile | Contested,
    strengths: Callable[[], Mapping[str, float]],
    title: str,
    name: str,
    key: str,
    preferences: Preferences,
    contributions: Mapping[str, float] | None = None,
) -> None:
    """Offer the map as HTML and as SVG.

    Args:
        shown: What to draw.
        strengths: Returns the strengths by argument id; called when a file is asked for.
        title: What the map is called.
        name: What the files are called, without their endings.
        key: Prefix of the widgets' keys.
        preferences: Whether names are left out, and the threshold.
        contributions: Makes lines wider.
    """
    with_threshold = partial(svg_map, threshold=preferences.rule.threshold)
    for kind, mime, make in (("html", "text/html", standalone_html), ("svg", "image/svg+xml", with_threshold)):
        st.download_button(
            f"Map as {kind.upper()}",
            data=partial(_drawn, make, shown, strengths, title, preferences.anonymise, contributions),
            file_name=file_name(name, kind),
            mime=mime,
            key=f"{key}.{kind}",
            on_click="ignore",
        )


def _drawn(
    make: Callable[..., str],
    shown: OpinionProfile | Contested,
    strengths: Callable[[], Mapping[str, float]],
    title: str,
    anonymised: bool,
    contributions: Mapping[str, float] | None,
) -> str:
    return make(shown, strengths(), title, anonymised=anonymised, contributions=contributions)
