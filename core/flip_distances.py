"""How far many verdicts are from flipping: flat debates all at once, others one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.flip_distance import flip_distance
from core.judgement import Verdict
from core.judges.framing import Setting
from core.judges.many import NOBODY, TOPIC_PLACE, JudgedForest, ProfileArrays, judged_forest
from core.judges.semantics_judge import ScoreAggregation, SemanticsJudge
from core.least.goal import Goal, flip_goals
from core.least.outcome import OutcomeStatus, Stop, never
from core.levels import Relations
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import GradualSemantics

Places = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

HALVINGS = 53  # of the way to 0 or 1: what is left is smaller than the last step of a float near 1


def flip_distances(judge: SemanticsJudge, arrays: ProfileArrays, stop: Stop = never) -> Floats:
    """Return for every debate how far its verdict is from flipping, shape (debates,).

    Flat debates are worked out all at once, in closed form but for one bisection; the others one after the other, as
    by ``flip_distance``. Both agree but for rounding.

    Returns:
        Distances in [0, 1]; infinity where it is proved that no single base score flips the verdict; NaN where that is
        not known: the judge comes to no verdict, nothing was found, or the search was stopped before.
    """
    count = len(arrays.debates)
    found = np.full(count, np.nan)
    quick = np.zeros(count, dtype=bool)
    if judge.setting is Setting.COMBINED or judge.aggregation is ScoreAggregation.MEAN:
        forest = judged_forest(judge, arrays)
        quick = _flat(forest, arrays)
        found[quick] = _flat_distances(judge, forest, quick)[quick]
    for place in np.flatnonzero(~quick).tolist():
        if stop():
            break
        alone = flip_distance(judge, profile_of(arrays, place), stop=stop)
        if alone.distance is not None:
            found[place] = alone.distance
        elif alone.status is OutcomeStatus.IMPOSSIBLE:
            found[place] = np.inf
    return found


def profile_of(arrays: ProfileArrays, place: int) -> OpinionProfile:
    """Return one debate's profile, with numbers for the arguments' ids and without texts."""
    held = slice(*arrays.stance_starts[place : place + 2].tolist())
    agents = list(arrays.agents[held])
    first, last = arrays.argument_starts[place : place + 2].tolist()
    begin = held.start

    def name(at: int) -> str:
        return TOPIC if at == TOPIC_PLACE else str(at - first)

    relations = slice(*arrays.relation_starts[place : place + 2].tolist())
    return OpinionProfile(
        "",
        tuple(
            Stance(agent, _known(prior), _known(posterior))
            for agent, prior, posterior in zip(agents, arrays.priors[held], arrays.posteriors[held], strict=True)
        ),
        tuple(
            Argument(
                name(at),
                "",
                None if arrays.authors[at] == NOBODY else agents[int(arrays.authors[at]) - begin],
                _known(arrays.base_scores[at]),
                is_error_text=bool(arrays.failures[at]),
            )
            for at in range(first, last)
        ),
        tuple(
            Relation(name(source), name(target), RelationKind.SUPPORT if supports else RelationKind.ATTACK)
            for source, target, supports in zip(
                arrays.sources[relations].tolist(),
                arrays.targets[relations].tolist(),
                arrays.supports[relations].tolist(),
                strict=True,
            )
        ),
        bool(arrays.shared[place]),
    )


def _known(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _flat(forest: JudgedForest, arrays: ProfileArrays) -> Mask:
    """Return which debates have only arguments that bear on the topic, each on one side."""
    flat = ~arrays.cyclic
    topics = len(forest.debates)
    structure = forest.qbaf.structure
    for kind in (structure.supports, structure.attacks):
        deep = (kind.targets >= topics) | (kind.sources < topics)
        parts = forest.parts[np.maximum(kind.targets[deep], topics) - topics]
        flat[forest.debates[np.where(kind.targets[deep] < topics, kind.targets[deep], parts)]] = False
    both = np.intersect1d(structure.supports.sources, structure.attacks.sources)
    flat[forest.debates[forest.parts[both[both >= topics] - topics]]] = False
    return flat


def _flat_distances(judge: SemanticsJudge, forest: JudgedForest, quick: Mask) -> Floats:
    """Return the distances of flat debates, shape (debates,); those of others mean nothing."""
    debates, topics = len(quick), len(forest.debates)
    strengths = judge.gradual.evaluate(forest.qbaf).strengths
    parts = np.bincount(forest.debates, minlength=debates)
    scores = np.bincount(forest.debates, weights=strengths[:topics], minlength=debates) / parts
    ties = _ties(judge.gradual, forest, strengths)
    ties = ties.among(quick[forest.debates[ties.topics]])
    # One line for each argument, however many parts it is in.
    _, one, line = np.unique(forest.arguments[ties.sources - topics], return_index=True, return_inverse=True)
    owner = forest.debates[ties.topics[one]]
    lines = _Lines(judge.gradual, ties, line, scores[owner], parts[owner])
    start, sign = strengths[ties.sources[one]], ties.signs[one]
    best = np.full(debates, np.inf)
    for goal, meant in _goals(judge, scores):
        kept = np.flatnonzero(meant[owner])
        rising = scores[owner[kept]] < goal.low
        end = ((sign[kept] > 0) == rising).astype(np.float64)
        reached = _reached(goal, rising, lines.among(kept).scores(end))
        kept, rising, passing = kept[reached], rising[reached], end[reached]
        failing, able = start[kept], lines.among(kept)
        for _ in range(HALVINGS):
            middle = (failing + passing) / 2
            reached = _reached(goal, rising, able.scores(middle))
            failing, passing = np.where(reached, failing, middle), np.where(reached, middle, passing)
        np.minimum.at(best, owner[kept], np.abs(passing - start[kept]))
    return best


def _reached(goal: Goal, rising: Mask, scores: Floats) -> Mask:
    return np.where(rising, scores >= goal.low, scores <= goal.high)


def _goals(judge: SemanticsJudge, scores: Floats) -> list[tuple[Goal, Mask]]:
    """Return what flips a verdict, with the debates that it flips."""
    verdicts = np.array([judge.rule.verdict(score).value for score in scores.tolist()], dtype=object)
    return [
        (goal, np.asarray(verdicts == verdict))
        for verdict in sorted(set(verdicts.tolist()))
        for goal in flip_goals(judge.rule, Verdict(verdict))
    ]


@dataclass(frozen=True, eq=False)
class _Ties:
    """Arguments that bear on topics, T of them.

    Attributes:
        sources, topics: Their ends, shape (T,).
        signs: 1 for a support, -1 for an attack.
        others: What the other arguments of the same side fold to.
        opposite: What the other side folds to.
        base_scores, strengths: The topics'.
    """

    sources: Places
    topics: Places
    signs: Places
    others: Floats
    opposite: Floats
    base_scores: Floats
    strengths: Floats

    def among(self, kept: Mask | Places) -> _Ties:
        """Return some of them."""
        return _Ties(*(values[kept] for values in vars(self).values()))


@dataclass(frozen=True, eq=False)
class _Lines:
    """Arguments whose base scores are tried, L of them, with all their ties.

    Attributes:
        ties: How they bear on topics.
        line: The line of each tie.
        present: The debates' scores, shape (L,).
        parts: How many topics the debates have, shape (L,); their mean is the score.
    """

    gradual: GradualSemantics
    ties: _Ties
    line: Places
    present: Floats
    parts: Places

    def scores(self, values: Floats) -> Floats:
        """Return the debates' scores with each line's base score replaced, shape (L,)."""
        ties, aggregation = self.ties, self.gradual.aggregation
        own = aggregation.fold.arrays(ties.others, aggregation.term(values[self.line]))
        for_it = ties.signs > 0
        energy = aggregation.combine(np.where(for_it, own, ties.opposite), np.where(for_it, ties.opposite, own))
        moved = self.gradual.influence.move(ties.base_scores, energy) - ties.strengths
        return self.present + np.bincount(self.line, weights=moved, minlength=len(self.present)) / self.parts

    def among(self, kept: Places) -> _Lines:
        """Return some of the lines, given in rising order."""
        number = np.full(len(self.present), -1)
        number[kept] = np.arange(len(kept))
        line = number[self.line]
        left = line >= 0
        return _Lines(self.gradual, self.ties.among(left), line[left], self.present[kept], self.parts[kept])


def _ties(gradual: GradualSemantics, forest: JudgedForest, strengths: Floats) -> _Ties:
    structure, topics = forest.qbaf.structure, len(forest.debates)
    supports = _side(gradual, structure.supports, strengths, topics)
    attacks = _side(gradual, structure.attacks, strengths, topics)
    sources, targets, others = (np.concatenate(pair) for pair in zip(supports[:3], attacks[:3], strict=True))
    opposite = np.concatenate([attacks[3][supports[1]], supports[3][attacks[1]]])
    signs = np.repeat([1, -1], [len(supports[0]), len(attacks[0])])
    return _Ties(sources, targets, signs, others, opposite, forest.qbaf.base_scores[targets], strengths[targets])


def _side(
    gradual: GradualSemantics, relations: Relations, strengths: Floats, topics: int
) -> tuple[Places, Places, Floats, Floats]:
    """Return the sources and targets of relations upon topics, what the others of each fold to, and all of a topic's.

    Shapes (T,), (T,), (T,) and (topics,).
    """
    term, fold = gradual.aggregation.term, gradual.aggregation.fold
    totals = np.full(topics, fold.neutral)
    degrees = np.diff(relations.starts)[:topics]
    sources, targets, others = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for degree in np.unique(degrees[degrees > 0]).tolist():
        which = np.flatnonzero(degrees == degree)
        rows = relations.sources[relations.starts[which][:, None] + np.arange(degree)]
        terms = term(strengths[rows])
        neutral = np.full((len(which), 1), fold.neutral)
        before = np.hstack([neutral, fold.arrays.accumulate(terms, axis=1)])
        after = np.hstack([neutral, fold.arrays.accumulate(terms[:, ::-1], axis=1)[:, :-1]])[:, ::-1]
        totals[which] = before[:, -1]
        sources.append(rows.ravel())
        targets.append(np.repeat(which, degree))
        others.append(np.asarray(fold.arrays(before[:, :-1], after)).ravel())
    return np.concatenate(sources), np.concatenate(targets), np.concatenate(others), totals


__all__ = ["flip_distances", "profile_of"]
