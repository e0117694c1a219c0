"""The words and signs for verdicts and edits, the same on screen, in exports and in reports."""

from __future__ import annotations

from collections.abc import Mapping

from core.contestation import Edit, EditKind
from core.judgement import Judgement, JudgementStatus, Verdict
from core.opinion import TOPIC, RelationKind

VERDICT_SIGN = {Verdict.TRUE: "✓", Verdict.FALSE: "✕", Verdict.UNCERTAIN: "?"}
VERDICT_WORD = {Verdict.TRUE: "True", Verdict.FALSE: "False", Verdict.UNCERTAIN: "Uncertain"}
STATUS_TEXT = {
    JudgementStatus.NOT_CONVERGED: "! Not converged",
    JudgementStatus.REFUSED: "! Refused",
    JudgementStatus.UNREADABLE: "! Unreadable",
    JudgementStatus.ERROR: "! Error",
}
RELATION_VERB = {RelationKind.SUPPORT: "supports", RelationKind.ATTACK: "attacks"}
RELATION_SIGN = {RelationKind.SUPPORT: "+", RelationKind.ATTACK: "−"}
NOT_RUN = "– Not run"
SAMPLE = "hand-written sample"
HALF = 0.5  # the published threshold
MOST_DECIMALS = 6


def chip(
    verdict: Verdict | None,
    score: float | None,
    status: JudgementStatus = JudgementStatus.OK,
    threshold: float = HALF,
) -> str:
    """Return a verdict as sign, word and score, such as ``✓ True 0.62``; never colour alone.

    Args:
        verdict: The decision; None where there is none.
        score: In [0, 1]; None where there is none.
        status: How the judging ended.
        threshold: From which score on the judge says True.
    """
    if status in STATUS_TEXT:
        return STATUS_TEXT[status]
    if verdict is None:
        return NOT_RUN if score is None else score_text(score, threshold)
    word = f"{VERDICT_SIGN[verdict]} {VERDICT_WORD[verdict]}"
    return word if score is None else f"{word} {score_text(score, threshold)}"


def score_text(score: float, threshold: float = HALF) -> str:
    """Return a score with two decimals, or as many more as it takes to stay on its side of the threshold.

    So a score of 0.4978 reads "False 0.498" and not "False 0.50", which the rule of 0.5 would call True; a
    threshold of 0.7 does the same for 0.6962, and one of 0.625 for 0.625 itself. One below the threshold by less than
    the most decimals show reads "just under 0.50".
    """
    digits = 2
    while digits < MOST_DECIMALS and _side(float(f"{score:.{digits}f}"), threshold) != _side(score, threshold):
        digits += 1
    text = f"{score:.{digits}f}"
    return f"just under {_exact(threshold)}" if float(text) >= threshold > score else text


def threshold_of(settings: Mapping[str, object]) -> float:
    """Return the threshold among a judge's settings; the published one where there is none."""
    found = settings.get("threshold")
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else HALF


def judgement_chip(judgement: Judgement | None) -> str:
    """Return the chip text of a judgement, or of none."""
    if judgement is None:
        return NOT_RUN
    return chip(judgement.verdict, judgement.score, judgement.status, threshold_of(judgement.settings))


def label_word(label: bool | None) -> str:
    """Return a gold label as a word."""
    return "Unknown" if label is None else ("True" if label else "False")


def several(count: int, what: str, many: str = "") -> str:
    """Return a number of things in words: ``1 record``, ``2,000 records``.

    Args:
        count: How many.
        what: One of them.
        many: Several of them, where that is not ``what`` with an s.
    """
    return f"{count:,} {what}" if count == 1 else f"{count:,} {many or what + 's'}"


def number(value: object, decimals: int = 2) -> str:
    """Return a score as text; a dash for a missing one."""
    return f"{value:.{decimals}f}" if isinstance(value, (int, float)) and not isinstance(value, bool) else "–"


def signed(value: float | None, decimals: int = 3) -> str:
    """Return a difference with its sign, ``±0.000`` where it rounds to nothing."""
    if value is None:
        return "–"
    text = f"{value:+.{decimals}f}".replace("-", "−")
    return text.replace("+", "±").replace("−", "±") if float(f"{value:.{decimals}f}") == 0 else text


def shortened(text: str, length: int) -> str:
    """Return the text on one line, cut at a word where it is longer than length."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    at_word = cut.rsplit(" ", 1)[0]
    return (at_word if len(at_word) > length // 2 else cut).rstrip(" ,;:.") + "…"


def edit_sentence(edit: Edit) -> str:
    """Return what an edit does, from what to what, as one line of plain text."""
    target = "the topic" if edit.target == TOPIC else edit.target
    match edit.kind:
        case EditKind.SET_BASE_SCORE:
            return f"{edit.argument}: base score {_exact(edit.before)} → {_exact(edit.after)}"
        case EditKind.ADD_ARGUMENT:
            verb = RELATION_VERB[edit.relation]
            return f"{edit.argument} added: {verb} {target}, base score {_exact(edit.after)}"
        case EditKind.REMOVE_ARGUMENT:
            return f"{edit.argument} removed"
        case EditKind.RESTORE_ARGUMENT:
            return f"{edit.argument} restored"
        case EditKind.FLIP_POLARITY:
            after = RelationKind(str(edit.before)).opposite if edit.before else None
            verbs = f"{edit.before} → {after}" if after else "polarity flipped"
            return f"{edit.argument}: {verbs} of {target}"
        case EditKind.RETARGET:
            aim = "the topic" if edit.after == TOPIC else edit.after
            return f"{edit.argument}: target {target} → {aim}"
        case EditKind.SHIFT_PROS:
            return f"all pros {signed(_size(edit), 2)}"
        case EditKind.SHIFT_CONS:
            return f"all cons {signed(_size(edit), 2)}"
        case EditKind.SET_TOPIC_BASE_SCORE:
            return f"topic base score {_exact(edit.before)} → {_exact(edit.after)}"


def _side(score: float, threshold: float) -> int:
    """Return 0 at the threshold, else on which side of it a score lies."""
    return (score > threshold) - (score < threshold)


def _exact(value: object) -> str:
    """Return a base score with two decimals, or with as many as it has."""
    if not isinstance(value, (int, float)) or round(value, 2) == value:
        return number(value)
    return f"{value:.6g}"


def _size(edit: Edit) -> float:
    return float(edit.after) if isinstance(edit.after, (int, float)) else 0.0
