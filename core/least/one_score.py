"""The least change of one base score, for every argument at once.

Every strength is monotone in the base score and in the strengths of the sources. So where all paths from an argument to
the topic have an even number of attacks, or all an odd one, the score is monotone in that argument's base score: its
extreme decides whether the goal can be reached, and dividing the way again and again finds the least change, to the
last step of a float. An argument with paths of both kinds needs the careful search, whose bounds prove what it says. In
a cyclic graph nothing can be proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.contestation import Edit, EditKind
from core.judgement import Verdict
from core.judges.framing import mean
from core.judges.semantics_judge import SemanticsJudge
from core.least.goal import FloatArray, Goal, Mask
from core.least.outcome import NO_LOCKS, ChangeKind, Locks, Outcome, OutcomeStatus, Question, Stop, never
from core.least.scorer import Scorer
from core.least.search import Lines, Nearest, crossing_of_many, nearest
from core.opinion import TOPIC, OpinionProfile

_MANY = 128  # arguments whose extremes or ways are judged at once
ROUNDING = 1e-12  # far more than scores are rounded by


@dataclass(frozen=True)
class ScoreFlip:
    """What it takes of one argument's base score, all others being as they are.

    Attributes:
        argument: Its id, or ``TOPIC``.
        base_score: The present one, in [0, 1]: what stands in for a missing one, and for topics of different base
            scores their mean.
        status: LEAST or BEST with a needed base score, IMPOSSIBLE or NOT_FOUND without one.
        needed: The nearest base score that reaches the goal.
        after, verdict: The judge's score and verdict then.
        edit: The edit that sets it.
    """

    argument: str
    base_score: float
    status: OutcomeStatus
    needed: float | None = None
    after: float | None = None
    verdict: Verdict | None = None
    edit: Edit | None = None

    @property
    def change(self) -> float | None:
        """Return the signed change of the base score."""
        return None if self.needed is None else self.needed - self.base_score


def one_score_flips(
    judge: SemanticsJudge, profile: OpinionProfile, goal: Goal, locks: Locks = NO_LOCKS, stop: Stop = never
) -> tuple[ScoreFlip, ...]:
    """Return for every argument that is judged and not locked the least change that reaches a goal.

    The topic is among them unless it is locked. Those that can do it come first, the smallest change before larger
    ones, then by id. Empty where the goal is reached already. Scores are the judge's, to the last bit.
    """
    question = Question(judge, profile, goal, locks, stop)
    scorer = Scorer(judge, profile, stop)
    if goal.reached(scorer.score):
        return ()
    return ordered(flips_of(question, scorer, free_names(question, scorer)))


def least_one_score(question: Question) -> Outcome:
    """Return the smallest change of one argument's base score that reaches the goal."""
    kind = ChangeKind.ONE_SCORE
    settled = question.settled(kind)
    if settled is not None:
        return settled
    scorer = Scorer(question.judge, question.profile, question.stop)
    names = [name for name in free_names(question, scorer) if name != TOPIC]
    flips = ordered(flips_of(question, scorer, names))
    return _best(question, kind, flips, "no single base score that may be changed")


def least_topic_score(question: Question) -> Outcome:
    """Return the smallest change of the topic's base score that reaches the goal; it counts for all agents."""
    kind = ChangeKind.TOPIC
    settled = question.settled(kind)
    if settled is not None:
        return settled
    scorer = Scorer(question.judge, question.profile, question.stop)
    return _best(question, kind, flips_of(question, scorer, [TOPIC]), "no base score of the topic")


def free_names(question: Question, scorer: Scorer) -> list[str]:
    """Return what is judged and not locked, in the scorer's order."""
    known, locks = question.profile.by_id, question.locks
    return [name for name in scorer.names if (not locks.topic if name == TOPIC else not locks.holds(known[name]))]


def ordered(flips: Iterable[ScoreFlip]) -> tuple[ScoreFlip, ...]:
    """Return flips with the smallest change first; those without one last, the impossible ones at the very end."""
    return tuple(
        sorted(
            flips,
            key=lambda flip: (
                (2 if flip.status is OutcomeStatus.IMPOSSIBLE else 1, 0.0, flip.argument)
                if flip.change is None
                else (0, abs(flip.change), flip.argument)
            ),
        )
    )


def flips_of(question: Question, scorer: Scorer, names: list[str]) -> list[ScoreFlip]:
    """Return what it takes of each of some arguments, in their order; see ``one_score_flips``."""
    score, goal = scorer.score, question.goal
    found: dict[str, Nearest] = {}
    rising = score < goal.low
    simple: list[str] = []
    mixed: list[str] = []
    for name in names:
        signs = scorer.signs[name]
        if not signs or goal.empty:
            found[name] = Nearest(None, True)
        elif len(signs) == 1 and not np.isnan(score) and not (name == TOPIC and np.isnan(scorer.base[0])):
            simple.append(name)
        else:
            mixed.append(name)
    at_once = _MANY if scorer.acyclic else 1  # a search for fixed points takes long, and stop is to be asked between
    for begin in range(0, len(mixed), at_once):
        found |= _careful(question, scorer, mixed[begin : begin + at_once])
    found |= _monotone(question, scorer, simple, rising)
    return _judged(question, scorer, names, found)


def _monotone(question: Question, scorer: Scorer, names: list[str], rising: bool) -> dict[str, Nearest]:
    found: dict[str, Nearest] = {}
    for begin in range(0, len(names), _MANY):
        chunk = names[begin : begin + _MANY]
        if question.stop():
            found.update((name, Nearest(None, False, True)) for name in chunk)
            continue
        rows = np.array([scorer.row[name] for name in chunk])
        ends = np.array([float((scorer.signs[name] == {1}) == rising) for name in chunk])
        starts = _present(scorer)[rows]

        extremes = _varied(scorer, rows, ends[:, None])[:, 0]
        can = (extremes >= question.goal.low) if rising else (extremes <= question.goal.high)
        points = np.full(len(chunk), np.nan)
        way = rows[can]

        def margin(lines: Lines, points: FloatArray, way: Lines = way) -> FloatArray:
            scores = _varied(scorer, way[lines], points)
            return scores - question.goal.low if rising else question.goal.high - scores

        points[can] = crossing_of_many(starts[can], ends[can], margin)
        # A score that jumps over the goal can only be one that has steps, and then no base score gives a wanted one.
        kept = ~np.isnan(points)
        kept[kept] = question.goal.reached(_varied(scorer, rows[kept], points[kept][:, None])[:, 0])
        for name, point, there in zip(chunk, points.tolist(), kept.tolist(), strict=True):
            found[name] = Nearest(point if there else None, True)
    return found


def _careful(question: Question, scorer: Scorer, names: Sequence[str]) -> dict[str, Nearest]:
    rows = np.array([scorer.row[name] for name in names], dtype=np.int64)
    starts = _present(scorer)[rows].tolist()

    def look(lines: Lines, stretches: FloatArray) -> tuple[Mask, Mask | None]:
        far = stretches[:, 1]
        if not scorer.acyclic:
            return question.goal.reached(_varied(scorer, rows[lines], far[:, None])[:, 0]), None
        low, high = (_replaced(scorer, rows[lines], ends) for ends in (stretches.min(axis=1), stretches.max(axis=1)))
        below, above = scorer.bounds(low, high)
        possible = question.goal.within(below, above)
        # Bounds are made of the same roundings as scores, in another order: an end may lie outside by the last bits.
        hits = question.goal.within(below - ROUNDING, above + ROUNDING)
        hits[hits] = question.goal.reached(_varied(scorer, rows[lines][hits], far[hits, None])[:, 0])
        return hits, possible

    def margin(lines: Lines, points: FloatArray) -> FloatArray:
        scores = _varied(scorer, rows[lines], points)
        return np.minimum(scores - question.goal.low, question.goal.high - scores)

    ways = [(start, end) for start in starts for end in (0.0, 1.0)]
    rows = np.repeat(rows, 2)
    both = nearest(ways, look, scorer.acyclic, question.stop, margin if scorer.acyclic else None)
    found = {}
    for name, start, down, up in zip(names, starts, both[::2], both[1::2], strict=True):
        points = [way.point for way in (down, up) if way.point is not None]
        point = min(points, key=lambda value: (abs(value - start), value), default=None)
        # Where the agents' topics differ, giving all of them one base score is a change even at the mean.
        at_once = name == TOPIC and question.goal.reached(_varied(scorer, [0], np.array([[start]])))[0, 0]
        proved, stopped = down.proved and up.proved, down.stopped or up.stopped
        found[name] = Nearest(start, True) if at_once else Nearest(point, proved, stopped)
    return found


def _judged(question: Question, scorer: Scorer, names: list[str], found: dict[str, Nearest]) -> list[ScoreFlip]:
    flips = []
    present = _present(scorer)
    able = [name for name in names if found[name].point is not None]
    points = np.array([found[name].point for name in able], dtype=np.float64)
    scores = dict(
        zip(able, _varied(scorer, [scorer.row[n] for n in able], points[:, None])[:, 0].tolist(), strict=True)
    )
    for name in names:
        way, base = found[name], float(present[scorer.row[name]])
        if way.point is None:
            status = OutcomeStatus.IMPOSSIBLE if way.proved else OutcomeStatus.NOT_FOUND
            flips.append(ScoreFlip(name, base, status))
            continue
        status = OutcomeStatus.LEAST if way.proved else OutcomeStatus.BEST
        verdict = question.judge.rule.verdict(scores[name])
        edit = score_edit(question.profile, name, way.point)
        flips.append(ScoreFlip(name, base, status, way.point, scores[name], verdict, edit))
    return flips


def score_edit(profile: OpinionProfile, name: str, base_score: float) -> Edit:
    """Return the edit that sets an argument's base score, or the topic's."""
    if name == TOPIC:
        return Edit(EditKind.SET_TOPIC_BASE_SCORE, before=profile.topic_base_score, after=base_score)
    return Edit(EditKind.SET_BASE_SCORE, name, before=profile.by_id[name].base_score, after=base_score)


def _best(question: Question, kind: ChangeKind, flips: Iterable[ScoreFlip], what: str) -> Outcome:
    rows = list(flips)
    unsure = [flip for flip in rows if flip.status in (OutcomeStatus.BEST, OutcomeStatus.NOT_FOUND)]
    stopped = bool(unsure) and question.stop()
    doubt = f"For {len(unsure)} of them the search could not be brought to an end." if unsure else ""
    best = next((flip for flip in rows if flip.edit is not None), None)
    if best is None or best.edit is None or best.change is None:
        if unsure:
            return question.none(kind, OutcomeStatus.NOT_FOUND, f"None was found. {doubt}", stopped)
        return question.none(kind, OutcomeStatus.IMPOSSIBLE, f"In the whole of [0, 1], {what} reaches it.")
    proof = doubt or "No smaller change of one base score reaches it, to the last step of a float."
    return question.answer(kind, [best.edit], abs(best.change), proved=not unsure, proof=proof, stopped=stopped)


def _present(scorer: Scorer) -> FloatArray:
    base = scorer.base.copy()
    if np.isnan(base[0]):
        base[0] = mean(scorer.topics)
    return base


def _varied(scorer: Scorer, rows: Lines | list[int], points: FloatArray) -> FloatArray:
    """Return the scores with one base score changed: line i changes row ``rows[i]``; shape (lines, points)."""
    changed = np.repeat(np.asarray(rows, dtype=np.int64), points.shape[1])
    return scorer.scores(_replaced(scorer, changed, points.ravel())).reshape(points.shape)


def _replaced(scorer: Scorer, rows: Lines, values: FloatArray) -> FloatArray:
    """Return the base scores as columns, in each of which one row is replaced."""
    columns = np.repeat(scorer.base[:, None], len(values), axis=1)
    columns[rows, np.arange(len(values))] = values
    return columns


__all__ = [
    "ScoreFlip",
    "flips_of",
    "free_names",
    "least_one_score",
    "least_topic_score",
    "one_score_flips",
    "ordered",
    "score_edit",
]
