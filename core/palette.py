"""Moot's colours, in one place: two hues, ink and greys, for a light and a dark background.

Support pushes a verdict towards True and attack towards False, so that one pair of colours serves both. No meaning
is carried by colour alone: signs, line styles and words repeat it. The tests recompute contrast and distance for
normal and colour-blind vision from these values.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields


@dataclass(frozen=True)
class Palette:
    """Colours for one background, each as ``#RRGGBB``.

    Attributes:
        background: What everything is drawn on.
        ink: Text, outlines, and what a person changed.
        support: Supports, pushes up, True.
        attack: Attacks, pushes down, False.
        neutral: Uncertain, agreement, axes, secondary text.
        semantics_judge, llm_judge: The two families of judges.
        surface: Cards and panels.
        border: Hairlines that carry no meaning.
    """

    background: str
    ink: str
    support: str
    attack: str
    neutral: str
    semantics_judge: str
    llm_judge: str
    surface: str
    border: str


LIGHT = Palette(
    background="#FFFFFF",
    ink="#111827",
    support="#0072B2",
    attack="#B84A00",
    neutral="#6B7280",
    semantics_judge="#111827",
    llm_judge="#5B1A6B",
    surface="#F7F8FA",
    border="#D7DBE0",
)

DARK = Palette(
    background="#0E1117",
    ink="#F9FAFB",
    support="#56B4E9",
    attack="#F08A4B",
    neutral="#9AA3AF",
    semantics_judge="#F9FAFB",
    llm_judge="#A855F7",
    surface="#171B23",
    border="#343B47",
)

NODE_TINT = 0.15  # share of the polarity's colour in a node's fill; the rest is background


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#RRGGBB``, each in 0..255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(colour: str, background: str, share: float) -> str:
    """Return the opaque colour that ``share`` (in [0, 1]) of colour over the background gives."""
    pairs = zip(channels(colour), channels(background), strict=True)
    return "#" + "".join(f"{round(top * share + below * (1 - share)):02X}" for top, below in pairs)


def css_variables(palette: Palette) -> str:
    """Return the palette as CSS declarations, ``--moot-support: #0072B2;`` and so on."""
    values = asdict(palette)
    return " ".join(f"--moot-{field.name.replace('_', '-')}: {values[field.name]};" for field in fields(palette))


def diverging(palette: Palette) -> tuple[str, ...]:
    """Return seven colours from attack over grey to support, for signed changes with zero in the middle."""
    middle = mix(palette.neutral, palette.background, 0.25)
    shares = (1.0, 2 / 3, 1 / 3)
    down = tuple(mix(palette.attack, middle, share) for share in shares)
    up = tuple(mix(palette.support, middle, share) for share in reversed(shares))
    return (*down, middle, *up)
