"""The fewest arguments to remove.

Without an argument its strength counts as 0, so removing one whose paths to the topic all work the wrong way never
helps. Sets of the others are tried by size, all of one size before any of the next, so that the first that reaches the
goal is proved to be smallest. In a flat debate the strongest of the other side are the best to remove, and no sets need
be tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from core.contestation import Edit, EditKind
from core.least.goal import FloatArray, Mask
from core.least.one_score import free_names
from core.least.outcome import ChangeKind, Outcome, OutcomeStatus, Question
from core.least.scorer import MOST_COLUMNS, Scorer
from core.opinion import TOPIC

MOST_SETS = 60_000  # that are tried before the search goes on with one argument after the other

Rows = tuple[int, ...]

_NOTHING_HELPS = "Not even without all arguments that work against it is it reached."


def fewest_removals(question: Question) -> Outcome:
    """Return the fewest arguments whose removal reaches the goal; of equally many, those that move the score least."""
    kind = ChangeKind.REMOVAL
    settled = question.settled(kind)
    if settled is not None:
        return settled
    scorer = Scorer(question.judge, question.profile, question.stop)
    rows = _helpful(question, scorer)
    if not scorer.acyclic or np.isnan(scorer.score):
        possible = bool(rows)
    else:
        mask = np.zeros(len(scorer.names), dtype=bool)
        mask[rows] = True
        low, high = scorer.bounds(scorer.base[:, None], scorer.base[:, None], mask)
        possible = bool(question.goal.within(low, high)[0])
    if not possible:
        return question.none(kind, OutcomeStatus.IMPOSSIBLE, _NOTHING_HELPS)
    return _strongest(question, scorer, rows) if scorer.flat else _by_size(question, scorer, rows)


def _helpful(question: Question, scorer: Scorer) -> list[int]:
    """Return the rows of arguments whose removal may move the score towards the goal."""
    score, wanted = scorer.score, question.goal
    helps = -1 if score < wanted.low else 1  # a lower strength of what lowers the score raises it
    signs = {row: scorer.signs[scorer.names[row]] for row in _bearing(question, scorer)}
    return [row for row in signs if np.isnan(score) or helps in signs[row]]


def _bearing(question: Question, scorer: Scorer) -> list[int]:
    """Return the rows of arguments whose removal may move the score at all."""
    names = [name for name in free_names(question, scorer) if name != TOPIC]
    return [scorer.row[name] for name in names if scorer.signs[name]]


def _strongest(question: Question, scorer: Scorer, rows: list[int]) -> Outcome:
    order = sorted(rows, key=lambda row: (-scorer.base[row], scorer.names[row]))
    sets = [tuple(order[:count]) for count in range(1, len(order) + 1)]
    scores = _scores(scorer, sets)
    rising = scorer.score < question.goal.low
    past = scores >= question.goal.low if rising else scores <= question.goal.high
    if not past.any():
        return question.none(ChangeKind.REMOVAL, OutcomeStatus.IMPOSSIBLE, _NOTHING_HELPS)
    if not question.goal.reached(scores[int(np.argmax(past))]):
        return _by_size(question, scorer, rows)  # the strongest ones do too much
    return _answer(question, scorer, sets[int(np.argmax(past))], True, "Removing the strongest ones does most.")


def _by_size(question: Question, scorer: Scorer, rows: list[int]) -> Outcome:
    # Rows are what helps. Where a score may be too high and too low, one that pulls back may be needed beside them.
    one_sided = question.goal.low <= 0.0 or question.goal.high >= 1.0
    needed = rows if one_sided else _bearing(question, scorer)
    tried = 0
    for size in range(1, len(needed) + 1):
        found: list[tuple[float, Rows]] = []
        for sets in batches(combinations(needed, size)):
            tried += len(sets)
            stopped = question.stop()
            if stopped or tried > MOST_SETS:
                if found:
                    break
                return _greedy(question, scorer, rows, size - 1, stopped=stopped)
            scores = _scores(scorer, sets)
            if not scorer.acyclic and question.stop():  # then not all of them were judged
                return _greedy(question, scorer, rows, size - 1, stopped=True)
            reached = np.flatnonzero(question.goal.reached(scores)).tolist()
            found += [(abs(float(scores[place]) - scorer.score), sets[place]) for place in reached]
        if found:
            chosen = min(found, key=lambda entry: (np.nan_to_num(entry[0]), entry[1]))[1]
            return _answer(question, scorer, chosen, True, "All smaller sets were tried.")
    return question.none(ChangeKind.REMOVAL, OutcomeStatus.IMPOSSIBLE, "All sets of arguments were tried.")


def _greedy(question: Question, scorer: Scorer, rows: list[int], excluded: int, *, stopped: bool) -> Outcome:
    """Return what removing one after the other comes to, each time the one that helps most, then as few as will do."""
    proved = f"No set of {excluded} or fewer reaches it; larger ones were not all tried." if excluded else ""
    rising = not scorer.score > question.goal.high
    chosen: Rows = ()
    while len(chosen) < len(rows):
        sets = [(*chosen, row) for row in rows if row not in chosen]
        scores = np.nan_to_num(_scores(scorer, sets), nan=-1.0 if rising else 2.0)
        chosen = sets[int(np.argmax(scores) if rising else np.argmin(scores))]
        if question.goal.reached(_scores(scorer, [chosen]))[0]:
            for row in chosen:
                fewer = tuple(other for other in chosen if other != row)
                if question.goal.reached(_scores(scorer, [fewer]))[0]:
                    chosen = fewer
            # One more than what is excluded cannot be undercut.
            return _answer(question, scorer, chosen, len(chosen) == excluded + 1, proved, stopped)
    return question.none(ChangeKind.REMOVAL, OutcomeStatus.NOT_FOUND, proved or "Not all sets were tried.", stopped)


def _answer(question: Question, scorer: Scorer, rows: Rows, proved: bool, proof: str, stopped: bool = False) -> Outcome:
    edits = [Edit(EditKind.REMOVE_ARGUMENT, name) for name in sorted(scorer.names[row] for row in rows)]
    return question.answer(ChangeKind.REMOVAL, edits, float(len(edits)), proved=proved, proof=proof, stopped=stopped)


def _scores(scorer: Scorer, sets: list[Rows]) -> FloatArray:
    absent: Mask = np.zeros((len(scorer.names), len(sets)), dtype=bool)
    for place, rows in enumerate(sets):
        absent[list(rows), place] = True
    return scorer.scores(np.repeat(scorer.base[:, None], len(sets), axis=1), absent)


def batches(sets: Iterator[Rows]) -> Iterator[list[Rows]]:
    """Yield sets in batches that are judged at once."""
    while batch := list(islice(sets, MOST_COLUMNS)):
        yield batch


__all__ = ["batches", "fewest_removals"]
