"""The games whose Shapley values are wanted: who plays, and what the score is under any coalition."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.contributions.coalitions import coalition_strengths
from core.contributions.reach import Bearing, bearing_on
from core.judges.framing import JudgedPart
from core.judges.semantics_judge import ScoreAggregation, SemanticsJudge
from core.qbaf import QBAF
from core.semantics import GradualSemantics

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Graph:
    """One QBAF of a game: what bears on its topic, and which player each argument belongs to (by number)."""

    gradual: GradualSemantics
    qbaf: QBAF
    bearings: tuple[Bearing, ...]
    player_of: Mapping[int, int]

    @property
    def flat(self) -> bool:
        """Return whether everything bears on the topic directly and on nothing else."""
        return self.qbaf.acyclic and all(bearing.index == 0 or not bearing.sources for bearing in self.bearings)

    @cached_property
    def sides(self) -> tuple[dict[int | None, float], dict[int | None, float]]:
        """Return a flat graph's terms, those of supporters and of attackers, by player; None for who always stays."""
        aggregation = self.gradual.aggregation
        topic = next(bearing for bearing in self.bearings if bearing.index == 0)
        sides: list[dict[int | None, float]] = []
        for places in (topic.supporters, topic.attackers):
            terms: dict[int | None, float] = {}
            for place in places:
                player = self.player_of.get(place)
                term = aggregation.term(float(self.qbaf.base_scores[place]))
                terms[player] = aggregation.fold.numbers(terms.get(player, aggregation.fold.neutral), term)
            sides.append(terms)
        return sides[0], sides[1]

    def strengths(self, presence: Sequence[FloatArray]) -> FloatArray | None:
        """Return the topic's strength under each coalition, from each player's presence."""
        there = {place: presence[player] for place, player in self.player_of.items()}
        return coalition_strengths(self.gradual, self.qbaf, self.bearings, there)


@dataclass(frozen=True)
class Game:
    """A game whose Shapley values are wanted: the score of one QBAF, or of several that only count together."""

    judge: SemanticsJudge
    graphs: tuple[Graph, ...]
    players: tuple[str, ...]
    combined: bool

    @property
    def acyclic(self) -> bool:
        """Return whether no coalition needs a search for a fixed point."""
        return all(graph.qbaf.acyclic for graph in self.graphs)

    def value(self, strengths: Sequence[FloatArray]) -> FloatArray:
        """Return the scores under each coalition, from the topics' strengths."""
        if self.combined:
            return strengths[0]
        match self.judge.aggregation:
            case ScoreAggregation.MEAN:
                return strengths[0]
            case ScoreAggregation.MAJORITY:
                return _worth(self.judge, strengths[0])
            case ScoreAggregation.MIN:
                return np.asarray(np.min(np.broadcast_arrays(*strengths), axis=0))
            case ScoreAggregation.MAX:
                return np.asarray(np.max(np.broadcast_arrays(*strengths), axis=0))
            case ScoreAggregation.MEDIAN:
                return np.asarray(np.median(np.broadcast_arrays(*strengths), axis=0))

    def named(self, values: FloatArray) -> dict[str, float]:
        """Return values of shape (players,) by player."""
        return dict(zip(self.players, values.tolist(), strict=True))


@dataclass(frozen=True)
class Shares:
    """The Shapley values of a game.

    Attributes:
        amounts: By player.
        start: The value without players.
        method: How they were found, in words.
        variances: Of the amounts; empty where they are exact.
        orders: How many orders were sampled; 0 where they are exact.
    """

    amounts: Mapping[str, float]
    start: float
    method: str
    variances: Mapping[str, float]
    orders: int = 0


def games(judge: SemanticsJudge, parts: Sequence[JudgedPart], player_of: Mapping[str, str]) -> list[Game]:
    """Return the games whose mean is the score: one for each agent where the score is a mean over agents."""
    ordered = sorted(parts, key=lambda part: part.agent or "")
    combined = parts[0].agent is None
    if combined or judge.aggregation in {ScoreAggregation.MEAN, ScoreAggregation.MAJORITY}:
        return [_game(judge, [part.qbaf], player_of, combined) for part in ordered]
    return [_game(judge, [part.qbaf for part in ordered], player_of, combined)]


def _game(judge: SemanticsJudge, qbafs: Sequence[QBAF], player_of: Mapping[str, str], combined: bool) -> Game:
    bearings = [bearing_on(qbaf, 0) for qbaf in qbafs]
    numbers: dict[str, int] = {}
    places: list[dict[int, int]] = []
    for qbaf, those in zip(qbafs, bearings, strict=True):
        known: dict[int, int] = {}
        for place in _from_the_topic_down(those):
            player = player_of.get(qbaf.names[place])
            if player is not None:
                known[place] = numbers.setdefault(player, len(numbers))
        places.append(known)
    graphs = tuple(Graph(judge.gradual, *rest) for rest in zip(qbafs, bearings, places, strict=True))
    return Game(judge, graphs, tuple(numbers), combined)


def _from_the_topic_down(bearings: Sequence[Bearing]) -> Iterable[int]:
    """Return the arguments, each followed by what bears on it: so a branch's players have neighbouring axes."""
    sources = {bearing.index: bearing.sources for bearing in bearings}
    found: dict[int, None] = {}
    waiting = [0]
    while waiting:
        place = waiting.pop()
        if place not in found:
            found[place] = None
            waiting.extend(reversed(sources[place]))
    return [place for place in found if place]


def _worth(judge: SemanticsJudge, scores: FloatArray) -> FloatArray:
    """Return what each score is worth among verdicts: 0, 0.5 or 1. It never falls as the score rises."""
    ranked, places = np.unique(scores, return_inverse=True)
    half, full = (
        bisect_right(ranked, limit, key=lambda value: judge.final_score([float(value)])) for limit in (0.25, 0.75)
    )
    return ((places >= half) * 0.5 + (places >= full) * 0.5).reshape(scores.shape)
