"""Judge many debates at once: the same scores as one profile after the other, to the last bit, from arrays.

All debates together are one QBAF, a forest, so that a judgement costs a few microseconds. Debates in which arguments
bear on each other in a circle need a search of their own; they are left to be judged one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.judges.framing import NEUTRAL, Setting, StanceVariant, mean
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.levels import Relations
from core.opinion import OpinionProfile, Stance
from core.overview import Scored
from core.qbaf import QBAF, Structure

Places = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

NOBODY = -1  # the author of an argument that no agent of the profile put forward
TOPIC_PLACE = -1  # stands for the topic where an argument's place is expected

LocalJudge = SemanticsJudge | MajorityVote | MeanStance | WeightedVote


@dataclass(frozen=True, eq=False)
class ProfileArrays:
    """The profiles of D debates, with S stances, A arguments and R relations together, each debate's side by side.

    Attributes:
        debates: Ids, D of them.
        shared: Whether all agents of a debate hold one common framework, shape (D,).
        agents: Agent ids, S of them.
        stance_debates: The debate's place, rising, shape (S,).
        priors, posteriors: In [0, 1], NaN where missing, shape (S,).
        argument_debates: The debate's place, rising, shape (A,).
        authors: The place of the author's stance, or ``NOBODY``, shape (A,).
        base_scores: In [0, 1], NaN where missing, shape (A,).
        failures: Where the text is a provider's failure message, shape (A,).
        relation_debates: The debate's place, rising, shape (R,).
        sources, targets: The arguments' places, or ``TOPIC_PLACE``, shape (R,). Relations without an end are left out.
        supports: Whether the relation is a support rather than an attack, shape (R,).
    """

    debates: Sequence[str]
    shared: Mask
    agents: Sequence[str]
    stance_debates: Places
    priors: Floats
    posteriors: Floats
    argument_debates: Places
    authors: Places
    base_scores: Floats
    failures: Mask
    relation_debates: Places
    sources: Places
    targets: Places
    supports: Mask

    @cached_property
    def stance_starts(self) -> Places:
        """Return where each debate's stances start, with the end, shape (D + 1,)."""
        return _starts(self.stance_debates, len(self.debates))

    @cached_property
    def argument_starts(self) -> Places:
        """Return where each debate's arguments start, with the end, shape (D + 1,)."""
        return _starts(self.argument_debates, len(self.debates))

    @cached_property
    def relation_starts(self) -> Places:
        """Return where each debate's relations start, with the end, shape (D + 1,)."""
        return _starts(self.relation_debates, len(self.debates))

    @cached_property
    def cyclic(self) -> Mask:
        """Return which debates have arguments that bear on each other in a circle, shape (D,)."""
        found = np.zeros(len(self.debates), dtype=bool)
        found[self.relation_debates[self.sources == self.targets]] = True
        inner = (self.sources != TOPIC_PLACE) & (self.targets != TOPIC_PLACE)
        from_topic = np.isin(self.relation_debates, self.relation_debates[self.sources == TOPIC_PLACE])
        if not inner.any() and not from_topic.any():
            return found
        # The topics come after the arguments, so that each has a place of its own.
        size = len(self.base_scores) + len(self.debates)
        topics = len(self.base_scores) + self.relation_debates
        ends = [np.where(places == TOPIC_PLACE, topics, places) for places in (self.sources, self.targets)]
        graph = coo_array((np.ones(len(topics), np.int8), (ends[0], ends[1])), shape=(size, size))
        _, groups = connected_components(graph, directed=True, connection="strong")
        circular = np.bincount(groups)[groups] > 1
        found[self.argument_debates[circular[: len(self.base_scores)]]] = True
        return found

    @cached_property
    def opinions(self) -> tuple[OpinionProfile, ...]:
        """Return each debate's stances as a profile without arguments, for judges that read nothing else."""
        stances = [
            Stance(agent, *(None if np.isnan(value) else float(value) for value in (prior, posterior)))
            for agent, prior, posterior in zip(self.agents, self.priors, self.posteriors, strict=True)
        ]
        bounds = self.stance_starts.tolist()
        return tuple(OpinionProfile("", tuple(stances[begin:end])) for begin, end in pairwise(bounds))


def judge_many(judge: LocalJudge, arrays: ProfileArrays) -> list[Scored | None]:
    """Return what a judge says of every debate, in order; None for one that must be judged by itself.

    What comes back is equal to ``judge.judge(profile)`` to the last bit.
    """
    if not isinstance(judge, SemanticsJudge):
        return [Scored.of(judge.judge(held)) for held in arrays.opinions]
    scores = scores_many(judge, arrays)
    return [
        None if cyclic else _decided(score, judge.rule)
        for score, cyclic in zip(scores, arrays.cyclic.tolist(), strict=True)
    ]


def _decided(score: float, rule: DecisionRule) -> Scored:
    verdict = rule.verdict(score)
    status = JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK
    return Scored(score, verdict, status, rule.threshold)


@dataclass(frozen=True, eq=False)
class JudgedForest:
    """The QBAFs that a judge evaluates for all debates, P of them, as one, with N arguments besides their topics.

    Attributes:
        qbaf: The topics of all parts first, then the parts' arguments. Cyclic debates have no relations here.
        debates: The debate's place of every part, rising, shape (P,).
        parts: The part of every argument, shape (N,).
        arguments: The place of every argument among those of all debates, shape (N,); one that several agents hold
            comes once in each of their parts.
    """

    qbaf: QBAF
    debates: Places
    parts: Places
    arguments: Places


def judged_forest(judge: SemanticsJudge, arrays: ProfileArrays) -> JudgedForest:
    """Return the QBAFs that a judge evaluates for all debates, as one."""
    return _forest(judge, arrays, _parts(judge, arrays))


def scores_many(judge: SemanticsJudge, arrays: ProfileArrays) -> list[float]:
    """Return every debate's score, in order; those of cyclic debates mean nothing."""
    parts = judged_forest(judge, arrays)
    strengths: list[float] = judge.gradual.evaluate(parts.qbaf).strengths[: len(parts.debates)].tolist()
    if judge.setting is Setting.COMBINED:
        return strengths
    scores: list[float] = []
    bounds = _starts(parts.debates, len(arrays.debates)).tolist()
    for (begin, end), held in zip(pairwise(bounds), np.diff(arrays.stance_starts).tolist(), strict=True):
        scores.append(judge.final_score(strengths[begin:end]) if held else strengths[begin])
    return scores


@dataclass(frozen=True, eq=False)
class _Parts:
    """The QBAFs of all debates, P of them: the debate of each, whose it is (or NOBODY), the topic's base score."""

    debates: Places
    stances: Places
    topics: Floats


def _parts(judge: SemanticsJudge, arrays: ProfileArrays) -> _Parts:
    values = _stance_values(judge.variant, arrays)
    held = np.diff(arrays.stance_starts)
    if judge.setting is Setting.SEPARATE:
        silent = np.flatnonzero(held == 0)
        debates = np.concatenate([arrays.stance_debates, silent])
        stances = np.concatenate([np.arange(len(values)), np.full(len(silent), NOBODY)])
        topics = np.concatenate([values, np.full(len(silent), NEUTRAL)])
        order = np.argsort(debates, kind="stable")
        return _Parts(debates[order], stances[order], topics[order])
    count = len(arrays.debates)
    topics = np.full(count, NEUTRAL)
    if judge.variant is not StanceVariant.NONE:
        listed, bounds = values.tolist(), arrays.stance_starts.tolist()
        for place, (begin, end) in enumerate(pairwise(bounds)):
            if end > begin:
                topics[place] = mean(listed[begin:end])
    return _Parts(np.arange(count), np.full(count, NOBODY), topics)


def _stance_values(variant: StanceVariant, arrays: ProfileArrays) -> Floats:
    match variant:
        case StanceVariant.NONE:
            return np.full(len(arrays.priors), NEUTRAL)
        case StanceVariant.PRIOR:
            return np.where(np.isnan(arrays.priors), NEUTRAL, arrays.priors)
        case StanceVariant.POSTERIOR:
            return np.where(np.isnan(arrays.posteriors), NEUTRAL, arrays.posteriors)


def _forest(judge: SemanticsJudge, arrays: ProfileArrays, parts: _Parts) -> JudgedForest:
    missing = judge.missing_base_score
    scores = np.where(np.isnan(arrays.base_scores), np.nan if missing is None else missing, arrays.base_scores)
    usable = ~arrays.failures & ~np.isnan(scores)

    part, argument = _pairs(parts.debates, arrays.argument_starts)
    author, whose = arrays.authors[argument], parts.stances[part]
    own = (whose == NOBODY) | (author == whose) | (author == NOBODY) | arrays.shared[parts.debates[part]]
    kept = usable[argument] & own
    owners, held = part[kept], argument[kept]
    places = np.where(kept, len(parts.debates) + np.cumsum(kept) - 1, -1)
    size = len(parts.debates) + int(kept.sum())
    first = np.concatenate([[0], np.cumsum(np.diff(arrays.argument_starts)[parts.debates])[:-1]])

    part, relation = _pairs(parts.debates, arrays.relation_starts)
    shift = first[part] - arrays.argument_starts[parts.debates[part]]

    def node(ends: Places) -> Places:
        end = ends[relation]
        inside = np.where(end == TOPIC_PLACE, 0, end + shift)
        return np.where(end == TOPIC_PLACE, part, places[inside] if len(places) else -1)

    sources, targets = node(arrays.sources), node(arrays.targets)
    there = (sources >= 0) & (targets >= 0) & ~arrays.cyclic[parts.debates[part]]
    supports = arrays.supports[relation]
    for_it, against = (
        Relations.of(size, sources[chosen], targets[chosen]) for chosen in (there & supports, there & ~supports)
    )
    base_scores = np.concatenate([parts.topics, scores[held]])
    qbaf = QBAF(("",) * size, base_scores, Structure(for_it, against))
    return JudgedForest(qbaf, parts.debates, owners, held)


def _pairs(debates: Places, starts: Places) -> tuple[Places, Places]:
    """Return every part with every argument, or relation, of its debate: the parts' places and the others'."""
    begins, counts = starts[debates], np.diff(starts)[debates]
    ends = np.cumsum(counts)
    part = np.repeat(np.arange(len(debates)), counts)
    return part, np.arange(len(part)) - np.repeat(ends - counts, counts) + np.repeat(begins, counts)


def _starts(owners: Places, count: int) -> Places:
    return np.searchsorted(owners, np.arange(count + 1))


__all__ = [
    "NOBODY",
    "TOPIC_PLACE",
    "JudgedForest",
    "LocalJudge",
    "ProfileArrays",
    "judge_many",
    "judged_forest",
    "scores_many",
]
