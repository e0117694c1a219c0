"""The colours can be read and told apart, also by colour-blind people, on both backgrounds."""

from itertools import combinations

import numpy as np
import pytest

from core.palette import DARK, LIGHT, Palette, channels, css_variables, diverging, mix

BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
MEANINGS = ("support", "attack", "neutral", "semantics_judge", "llm_judge")

# Full-severity simulation matrices for linear RGB: Machado, Oliveira and Fernandes, 2009.
VISION = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(colour: str) -> np.ndarray:
    values = np.array(channels(colour)) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio, in 1..21."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    high, low = sorted((float(weights @ linear(one)), float(weights @ linear(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, vision: str) -> np.ndarray:
    seen = np.clip(VISION[vision] @ linear(colour), 0, 1)
    scaled = TO_XYZ @ seen / np.array([0.95047, 1.0, 1.08883])
    root = np.where(scaled > 216 / 24389, np.cbrt(scaled), (24389 / 27 * scaled + 16) / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def distance(one: str, other: str, vision: str) -> float:
    """CIE76 colour difference as seen with that vision."""
    return float(np.linalg.norm(lab(one, vision) - lab(other, vision)))


def colours(palette: Palette) -> dict[str, str]:
    return {name: getattr(palette, name) for name in MEANINGS}


@BOTH
def test_every_meaning_is_readable_as_text(palette):
    assert {name: contrast(colour, palette.background) >= 4.5 for name, colour in colours(palette).items()} == (
        dict.fromkeys(MEANINGS, True)
    )


@BOTH
def test_text_colours_are_readable_on_cards_too(palette):
    for colour in (palette.ink, palette.support, palette.attack, palette.neutral):
        assert contrast(colour, palette.surface) >= 4.5


@BOTH
def test_ink_is_readable_on_a_tinted_node(palette):
    for colour in (palette.support, palette.attack):
        tint = mix(colour, palette.background, 0.15)
        assert contrast(palette.ink, tint) >= 7
        assert contrast(colour, tint) >= 3  # the ring against the disc


def test_white_text_is_readable_on_the_light_fills():
    for colour in (LIGHT.support, LIGHT.attack, LIGHT.neutral, LIGHT.llm_judge):
        assert contrast("#FFFFFF", colour) >= 4.5


@pytest.mark.parametrize("vision", VISION)
@BOTH
def test_any_two_meanings_are_told_apart_with_every_kind_of_vision(palette, vision):
    nearest = min(
        (distance(one, other, vision), first, second)
        for (first, one), (second, other) in combinations(colours(palette).items(), 2)
    )
    assert nearest[0] >= 20, nearest


@pytest.mark.parametrize("vision", VISION)
@BOTH
def test_support_and_attack_are_far_apart(palette, vision):
    assert distance(palette.support, palette.attack, vision) >= 60


@pytest.mark.parametrize(
    ("palette", "published"),
    [(LIGHT, (5.2, 5.2, 4.8, 17.7, 11.6)), (DARK, (8.2, 7.6, 7.4, 18.1, 4.8))],
    ids=["light", "dark"],
)
def test_contrasts_are_those_of_the_design(palette, published):
    measured = tuple(round(contrast(colour, palette.background), 1) for colour in colours(palette).values())
    assert measured == pytest.approx(published, abs=0.11)


@BOTH
def test_the_diverging_scale_runs_from_attack_over_grey_to_support(palette):
    scale = diverging(palette)
    assert len(scale) == 7
    assert (scale[0], scale[-1]) == (palette.attack, palette.support)
    red, green, blue = channels(scale[3])
    assert max(red, green, blue) - min(red, green, blue) <= 24


def test_mixing_nothing_gives_the_background_and_everything_the_colour():
    assert mix("#0072B2", "#FFFFFF", 0) == "#FFFFFF"
    assert mix("#0072B2", "#FFFFFF", 1) == "#0072B2"


def test_css_variables_name_every_colour():
    assert css_variables(LIGHT).startswith("--moot-background: #FFFFFF; --moot-ink: #111827;")
    assert "--moot-llm-judge: #A855F7;" in css_variables(DARK)
