"""A judge's score of many variants of one profile at once: other base scores, arguments left out, bounds on both.

Scores are equal to ``judge.judge(profile).score`` to the last bit. Columns of a matrix are variants, rows base scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.judges.semantics_judge import JudgedPart, SemanticsJudge
from core.least.outcome import Stop
from core.opinion import TOPIC, OpinionProfile
from core.semantics import GradualSemantics

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

MOST_COLUMNS = 4096  # variants at once, so that a large debate's matrix fits in memory


@dataclass(frozen=True)
class _Node:
    """An argument of a part: its place in the part, its row, and the places of its sources."""

    place: int
    row: int
    supporters: tuple[int, ...]
    attackers: tuple[int, ...]


class Scorer:
    """A judge over one profile.

    Attributes:
        names: ``TOPIC`` and the ids of the judged arguments in alphabetical order, so that nothing depends on the
            profile's order.
        base: Their base scores, shape (names,); the topic's is NaN where the agents' topics have different ones.
            NaN in the topic's row always means that each topic keeps its own.
        acyclic: Whether no argument bears on itself. Only then do ``bounds`` say anything.
        stop: Asked before every search for a fixed point, which may take long; what is left then has no score.
    """

    def __init__(self, judge: SemanticsJudge, profile: OpinionProfile, stop: Stop = lambda: False) -> None:
        self.judge = judge
        self.stop = stop
        self.gradual = judge.gradual
        parts = judge.qbafs(profile)
        scores = {name: score for part in parts for name, score in _scores(part) if name != TOPIC}
        self.names: tuple[str, ...] = (TOPIC, *sorted(scores))
        self.row = {name: row for row, name in enumerate(self.names)}
        topics = {part.topic_base_score for part in parts}
        self.topics = tuple(part.topic_base_score for part in parts)
        self.base: FloatArray = np.array(
            [topics.pop() if len(topics) == 1 else np.nan, *(scores[name] for name in self.names[1:])]
        )
        self.separate = parts[0].agent is not None
        self._parts = [_Part(part, self.row, self.gradual) for part in parts]
        self.acyclic = all(part.acyclic for part in self._parts)

    @cached_property
    def score(self) -> float:
        """Return the score of the profile itself; NaN where there is none."""
        return float(self.scores(self.base[:, None])[0])

    @cached_property
    def signs(self) -> dict[str, frozenset[int]]:
        """Return in which directions a rising base score can move the score, by name.

        {1}: it never falls; {-1}: it never rises; both: neither is certain; empty: it stays. A path from an argument
        to the topic lowers the score where it has an odd number of attacks, and all strengths are monotone in what
        they are made of. In a cyclic graph nothing is certain for an argument that bears on the topic.
        """
        found: dict[str, set[int]] = {name: set() for name in self.names}
        for part in self._parts:
            for row, signs in part.signs.items():
                found[self.names[row]] |= signs
        return {name: frozenset(signs) for name, signs in found.items()}

    @property
    def flat(self) -> bool:
        """Return whether there is one topic on which every argument that counts bears directly, for or against it."""
        return not self.separate and self.acyclic and self._parts[0].flat

    @property
    def sides(self) -> tuple[list[int], list[int]]:
        """Return the rows of the topic's supporters and attackers, for a flat debate."""
        topic = self._parts[0].nodes[-1]
        rows = self._parts[0].rows
        return sorted(rows[place] for place in topic.supporters), sorted(rows[place] for place in topic.attackers)

    def scores(
        self, columns: FloatArray, absent: Mask | None = None, gradual: GradualSemantics | None = None
    ) -> FloatArray:
        """Return the scores of variants; NaN where a variant has none.

        Args:
            columns: Base scores, shape (names, variants).
            absent: Arguments that are not there, the same shape.
            gradual: The semantics in place of the judge's.
        """
        found = []
        for begin in range(0, columns.shape[1], MOST_COLUMNS):
            end = begin + MOST_COLUMNS
            chunk = columns[:, begin:end]
            gone = None if absent is None else absent[:, begin:end]
            found.append(
                self._joined([part.strengths(chunk, gone, gradual or self.gradual, self.stop) for part in self._parts])
            )
        return np.concatenate(found) if found else np.zeros(0)

    def bounds(
        self,
        low: FloatArray,
        high: FloatArray,
        removable: Mask | None = None,
        semantics: Sequence[GradualSemantics] = (),
    ) -> tuple[FloatArray, FloatArray]:
        """Return bounds on the scores of all variants between two, by interval arithmetic; 0 and 1 for a cyclic graph.

        Args:
            low, high: Base scores, shape (names, variants).
            removable: Arguments that may also be left out, shape (names,).
            semantics: Two semantics that differ in conservativeness: every one between is meant. The judge's own
                where empty.
        """
        used = semantics or (self.gradual,)
        bounds = [part.bounds(low, high, removable, used) for part in self._parts]
        return self._joined([b[0] for b in bounds]), self._joined([b[1] for b in bounds])

    def _joined(self, strengths: list[FloatArray]) -> FloatArray:
        if not self.separate:
            return strengths[0]
        table = np.stack(strengths)
        known = ~np.isnan(table).any(axis=0)
        scores = np.full(table.shape[1], np.nan)
        scores[known] = [self.judge.final_score(column) for column in table.T[known].tolist()]
        return scores


class _Part:
    """One QBAF of the profile."""

    def __init__(self, part: JudgedPart, row: dict[str, int], gradual: GradualSemantics) -> None:
        self.qbaf = part.qbaf
        self.gradual = gradual
        self.topic = part.topic_base_score
        self.acyclic = part.qbaf.acyclic
        self.rows = [row[name] for name in part.qbaf.names]  # the topic comes first
        structure = part.qbaf.structure
        nodes = {place: structure.node(place) for place in self._bearing()}
        order = sorted(nodes, key=lambda place: 0 if structure.depth is None else int(structure.depth[place]))
        order = [place for place in order if place] + [0]  # nothing that bears on the topic comes after it
        self.nodes = [_Node(place, self.rows[place], *nodes[place][1:]) for place in order]

    @property
    def flat(self) -> bool:
        """Return whether every argument that counts bears on the topic directly, on one side."""
        topic = self.nodes[-1]
        inner = any(node.supporters or node.attackers for node in self.nodes[:-1])
        return not inner and not set(topic.supporters) & set(topic.attackers)

    @cached_property
    def signs(self) -> dict[int, set[int]]:
        """Return the signs of each row that bears on the topic."""
        if not self.acyclic:
            return {self.rows[place]: {1, -1} for place in self._bearing()}
        found: dict[int, set[int]] = {0: {1}}
        for node in reversed(self.nodes):
            for sources, factor in ((node.supporters, 1), (node.attackers, -1)):
                for source in sources:
                    found.setdefault(source, set()).update(factor * sign for sign in found[node.place])
        return {self.rows[place]: signs for place, signs in found.items()}

    def strengths(self, columns: FloatArray, absent: Mask | None, gradual: GradualSemantics, stop: Stop) -> FloatArray:
        """Return the topic's strength in every variant, shape (variants,); NaN where there is none."""
        if not self.acyclic:
            strengths = np.full(columns.shape[1], np.nan)
            for place in range(columns.shape[1]):
                if stop():
                    break
                gone = None if absent is None else absent[:, place]
                strengths[place] = self._searched(columns[:, place], gone, gradual)
            return strengths
        found: dict[int, FloatArray] = {}
        for node in self.nodes:
            base = self._base(node, columns)
            if node.supporters or node.attackers:
                energy = gradual.aggregation.combine(
                    _fold(gradual, found, node.supporters, base), _fold(gradual, found, node.attackers, base)
                )
                base = gradual.influence.move(base, energy)
            # What is absent counts as a source of strength 0, which changes no energy, not even in the last bit.
            found[node.place] = base if absent is None else np.where(absent[node.row], 0.0, base)
        return found[0]

    def bounds(
        self, low: FloatArray, high: FloatArray, removable: Mask | None, semantics: Sequence[GradualSemantics]
    ) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest strength that the topic can have between two variants."""
        if not self.acyclic:
            return np.zeros(low.shape[1]), np.ones(low.shape[1])
        aggregation = semantics[0].aggregation
        least: dict[int, FloatArray] = {}
        most: dict[int, FloatArray] = {}
        for node in self.nodes:
            below, above = self._base(node, low), self._base(node, high)
            if node.supporters or node.attackers:
                folds = [
                    [_fold(semantics[0], found, sources, below) for found in (least, most)]
                    for sources in (node.supporters, node.attackers)
                ]
                weakest = aggregation.combine(folds[0][0], folds[1][1])
                strongest = aggregation.combine(folds[0][1], folds[1][0])
                # For one energy, a strength is monotone in the conservativeness, so its ends have the extremes.
                below = np.minimum.reduce([used.influence.move(below, weakest) for used in semantics])
                above = np.maximum.reduce([used.influence.move(above, strongest) for used in semantics])
            if removable is not None and removable[node.row]:
                below = np.zeros_like(below)
            least[node.place], most[node.place] = below, above
        return least[0], most[0]

    def _base(self, node: _Node, columns: FloatArray) -> FloatArray:
        base = columns[node.row]
        return np.where(np.isnan(base), self.topic, base) if node.place == 0 else base

    def _searched(self, column: FloatArray, absent: Mask | None, gradual: GradualSemantics) -> float:
        scores = column[self.rows]
        scores[0] = self.topic if np.isnan(scores[0]) else scores[0]
        qbaf = self.qbaf.with_base_scores(scores)
        if absent is not None:
            for place in np.flatnonzero(absent[self.rows]).tolist():
                qbaf = qbaf.without(place)
        evaluation = gradual.evaluate(qbaf)
        return float(evaluation.strengths[0]) if evaluation.converged else float("nan")

    def _bearing(self) -> set[int]:
        """Return the places of the topic and of all arguments from which a path leads to it."""
        structure, found, waiting = self.qbaf.structure, {0}, [0]
        while waiting:
            _, supporters, attackers = structure.node(waiting.pop())
            following = {*supporters, *attackers} - found
            found |= following
            waiting += following
        return found


def _fold(
    gradual: GradualSemantics, strengths: dict[int, FloatArray], sources: tuple[int, ...], like: FloatArray
) -> Any:
    if not sources:
        return np.full(like.shape, gradual.aggregation.fold.neutral)
    return gradual.aggregation.fold_arrays([strengths[source] for source in sources])


def _scores(part: JudgedPart) -> Sequence[tuple[str, float]]:
    return list(zip(part.qbaf.names, part.qbaf.base_scores.tolist(), strict=True))


__all__ = ["MOST_COLUMNS", "Scorer"]
