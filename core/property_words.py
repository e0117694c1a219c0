"""How results of property tests are said in a few words, the same on the page, in charts and on the command line."""

from __future__ import annotations

from collections.abc import Iterable

from core.properties.result import PropertyResult, Standing
from core.wording import several

SIGNS = {
    Standing.NOT_TESTED: "–",
    Standing.VIOLATED: "✕",
    Standing.INDISCRIMINATE: "!",
    Standing.SATISFIED: "○",
    Standing.PROVED: "✓",
}
LEGEND = (
    "✓ proved, and no violation found · ○ no violation found · ✕ violated · ! the judge does not tell debates apart · "
    "– not tested"
)
LONGEST_NOTE = 24  # characters of a reason that fit into a cell


def cell_lines(result: PropertyResult | None, stale: bool = False) -> tuple[str, ...]:
    """Return the lines of a grid's cell, the sign first; n is always among them."""
    if result is None:
        return ("– not tested",)
    if result.rate is None:
        short = result.note if len(result.note) <= LONGEST_NOTE else ""
        return ("– not tested", short) if short else ("– not tested",)
    failing = bool(result.caveat)
    lines = [f"{SIGNS[result.standing]} {result.satisfied:,}/{result.tested:,}"]
    if failing:
        lines += [f"{percent(result)} %", "does not discriminate"]
    elif result.standing is Standing.PROVED:
        lines.append("proved")
    else:
        lines.append(f"{percent(result)} %")
    if result.note:
        lines.append("incomplete")
    return (*lines, "stale") if stale else tuple(lines)


def percent(result: PropertyResult) -> str:
    """Return the share of debates that satisfy the property, never 100.0 or 0.0 where it is not."""
    if result.rate is None:
        return "–"
    text = f"{100 * result.rate.value:.1f}"
    if text == "100.0" and result.violations:
        return "> 99.9"
    return "< 0.1" if text == "0.0" and result.satisfied else text


def standing_sentence(result: PropertyResult) -> str:
    """Return what the result says, in sentences."""
    if result.rate is None:
        return f"Not tested: {result.note or 'no debate says anything about it'}."
    debates = several(result.tested, "debate")
    if result.violations:
        said = f"Violated on {result.violations:,} of {debates}."
    else:
        said = f"No violation on {debates}."
    if result.caveat:
        return f"{said} The judge does not tell debates apart ({result.discrimination.failing}), so this says little."
    if result.standing is Standing.PROVED:
        return f"Proved, and tested all the same. {said}"
    if result.contradicts_proof:
        return f"{said} It is said to be proved: either the proof or the program is wrong."
    return said


def note_lines(results: Iterable[PropertyResult]) -> list[str]:
    """Return why tests are incomplete, a line for each judge and reason with the properties that it is about."""
    told: dict[tuple[str, str], list[str]] = {}
    for one in results:
        if one.rate is not None and one.note:
            told.setdefault((one.judge, one.note), []).append(one.checked.label)
    return [f"{judge}, {', '.join(dict.fromkeys(labels))}: {note}" for (judge, note), labels in told.items()]


def left_out_words(result: PropertyResult) -> str:
    """Return why debates say nothing about the property, each reason with their number; empty where all do."""
    return "; ".join(f"{several(count, 'debate')}: {reason.value}" for reason, count in result.left_out.items())


def left_out_sentence(result: PropertyResult) -> str:
    """Return which debates say nothing about the property, by reason; empty where all do."""
    parts = [f"{count:,}: {reason.value}" for reason, count in result.left_out.items()]
    return f"Left out: {'; '.join(parts)}." if parts else ""


__all__ = [
    "LEGEND", "SIGNS", "cell_lines", "left_out_sentence", "left_out_words", "note_lines", "percent",
    "standing_sentence",
]  # fmt: skip
