"""Moot's charts as static SVG, drawn from the very figures that the screen shows, without a browser or a script."""

from __future__ import annotations

from core.chart_svg.draw import chart_svg

__all__ = ["chart_svg"]
