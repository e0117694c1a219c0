"""Gradual semantics: one aggregation with one influence, applied to a whole QBAF."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.levels import Group, Level, Node, Run, items
from core.qbaf import QBAF
from core.semantics.aggregation import Aggregation
from core.semantics.fixed_point import Method, fixed_point
from core.semantics.influence import Influence

FloatArray = NDArray[np.float64]

ONE_PASS = "one pass"  # noqa: S105  # the method of an acyclic evaluation


class EvaluationStatus(StrEnum):
    """Whether strengths are a result."""

    OK = "ok"
    NOT_CONVERGED = "not converged"


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The strengths of a QBAF.

    Attributes:
        qbaf: What was evaluated.
        strengths: In [0, 1], shape (arguments,), in the order of ``qbaf.names``. Where the status says "not
            converged" they are the last ones of the search and no result.
        status: Whether they are a result.
        method: ``ONE_PASS`` for acyclic graphs, else how a fixed point was looked for.
        iterations: Steps of that search; 0 for one pass.
        residual: Largest change of a strength that another round would make; 0 for one pass.
    """

    qbaf: QBAF
    strengths: FloatArray
    status: EvaluationStatus = EvaluationStatus.OK
    method: str = ONE_PASS
    iterations: int = 0
    residual: float = 0.0

    @property
    def converged(self) -> bool:
        """Return whether the strengths are a result."""
        return self.status is EvaluationStatus.OK

    @cached_property
    def by_name(self) -> dict[str, float]:
        """Return the strengths by argument name."""
        return dict(zip(self.qbaf.names, self.strengths.tolist(), strict=True))


@dataclass(frozen=True)
class GradualSemantics:
    """A semantics, in use: its conservativeness is chosen.

    Attributes:
        key: Its name for programs.
        label: Its name for people.
        aggregation: What supporters and attackers come to.
        influence: How that moves the base score.
    """

    key: str
    label: str
    aggregation: Aggregation
    influence: Influence

    @property
    def conservativeness(self) -> float:
        """Return by what energies are divided; 1 where the semantics has no such setting."""
        return self.influence.conservativeness

    def evaluate(self, qbaf: QBAF, method: Method = Method.DAMPED) -> Evaluation:
        """Return every argument's strength: one pass for an acyclic graph, a search for a fixed point otherwise.

        The search always starts at the base scores, never at earlier strengths, so that undoing an edit restores
        the result. Nothing depends on the order of arguments or relations, not even the last bit.
        """
        if qbaf.acyclic:
            strengths = qbaf.base_scores.copy()
            self._apply(qbaf, strengths, strengths)
            return Evaluation(qbaf, _read_only(strengths))

        found = fixed_point(lambda strengths: self.judge_round(qbaf, strengths), qbaf.base_scores, method)
        status = EvaluationStatus.OK if found.converged else EvaluationStatus.NOT_CONVERGED
        return Evaluation(qbaf, _read_only(found.strengths), status, method.value, found.iterations, found.residual)

    def judge_round(self, qbaf: QBAF, strengths: FloatArray) -> FloatArray:
        """Return every argument's strength after one round: judged from its base score and its sources' strengths.

        Args:
            qbaf: A cyclic graph.
            strengths: Where the round starts, shape (arguments,).
        """
        following = qbaf.base_scores.copy()
        self._apply(qbaf, strengths, following)
        return following

    def update(self, evaluation: Evaluation, index: int, base_score: float) -> Evaluation:
        """Return the evaluation after one argument's base score is replaced, equal to a full one to the last bit.

        In an acyclic graph only what depends on that argument is judged again.

        Raises:
            InvalidScore: If the base score is not a finite number in [0, 1].
        """
        qbaf = evaluation.qbaf.with_base_score(index, base_score)
        if not qbaf.acyclic:
            return self.evaluate(qbaf, Method(evaluation.method))
        strengths = evaluation.strengths.copy()
        view = items(strengths)
        before = view[index]
        view[index] = self._one(qbaf.structure.node(index), float(qbaf.base_scores[index]), view)
        if view[index] != before:
            self._propagate(qbaf, view, index)
        return Evaluation(qbaf, _read_only(strengths))

    def without(self, evaluation: Evaluation, index: int) -> Evaluation:
        """Return the evaluation of the graph without one argument; that argument's own strength is then 0.

        Equal, to the last bit, to evaluating a graph that was built without it: a source of strength 0 changes no
        product, sum or maximum. In an acyclic graph only what depends on the argument is judged again.
        """
        qbaf = evaluation.qbaf
        if not qbaf.acyclic:
            removed = self.evaluate(qbaf.without(index), _method(evaluation))
            strengths = removed.strengths.copy()
            strengths[index] = 0.0
            return Evaluation(
                removed.qbaf,
                _read_only(strengths),
                removed.status,
                removed.method,
                removed.iterations,
                removed.residual,
            )
        return self._with_strength(evaluation, index, 0.0)

    def isolated(self, evaluation: Evaluation, index: int) -> Evaluation:
        """Return the evaluation of the graph without the relations that end at one argument: it keeps its base score.

        Equal, to the last bit, to evaluating a graph that was built so. In an acyclic graph only what depends on the
        argument is judged again; the evaluation's graph is then still the one with those relations.
        """
        qbaf = evaluation.qbaf
        if qbaf.acyclic:
            return self._with_strength(evaluation, index, float(qbaf.base_scores[index]))
        return self.evaluate(qbaf.isolating(index), _method(evaluation))

    def _with_strength(self, evaluation: Evaluation, index: int, strength: float) -> Evaluation:
        """Return the evaluation of an acyclic graph after one argument's strength is set."""
        strengths = evaluation.strengths.copy()
        view = items(strengths)
        before = view[index]
        view[index] = strength
        if strength != before:
            self._propagate(evaluation.qbaf, view, index)
        return Evaluation(evaluation.qbaf, _read_only(strengths))

    def _propagate(self, qbaf: QBAF, strengths: MutableSequence[float], changed: int) -> None:
        """Judge again, lowest first, every argument of an acyclic graph that depends on a changed one."""
        structure = qbaf.structure
        depth, dependants = structure.depth, structure.dependants
        assert depth is not None  # noqa: S101  # acyclic
        waiting = {*dependants.of(changed)}
        queue = [(int(depth[target]), target) for target in waiting]
        heapq.heapify(queue)
        while queue:
            _, index = heapq.heappop(queue)
            before = strengths[index]
            strengths[index] = self._one(structure.node(index), float(qbaf.base_scores[index]), strengths)
            if strengths[index] != before:
                for target in dependants.of(index):
                    if target not in waiting:
                        waiting.add(target)
                        heapq.heappush(queue, (int(depth[target]), target))

    def _apply(self, qbaf: QBAF, strengths: FloatArray, following: FloatArray) -> None:
        """Judge every argument that has sources once, reading ``strengths`` and writing ``following``."""
        for step in qbaf.structure.plan:
            if isinstance(step, Run):
                self._one_by_one(step.nodes, qbaf.base_scores, items(strengths), items(following))
            else:
                following[step.targets] = self._at_once(step, qbaf.base_scores, strengths)

    def _one_by_one(
        self,
        nodes: Sequence[Node],
        base_scores: FloatArray,
        strengths: MutableSequence[float],
        following: MutableSequence[float],
    ) -> None:
        bases = items(base_scores)
        for node in nodes:
            following[node[0]] = self._one(node, bases[node[0]], strengths)

    def _one(self, node: Node, base: float, strengths: MutableSequence[float]) -> float:
        _, supporters, attackers = node
        if not supporters and not attackers:
            return base
        energy = self.aggregation.of_numbers([strengths[i] for i in supporters], [strengths[i] for i in attackers])
        return self.influence.move(base, energy)

    def _at_once(self, level: Level, base_scores: FloatArray, strengths: FloatArray) -> FloatArray:
        supporters = self._fold(level.width, level.supporters, strengths)
        attackers = self._fold(level.width, level.attackers, strengths)
        return self.influence.move(base_scores[level.targets], self.aggregation.combine(supporters, attackers))

    def _fold(self, width: int, groups: Iterable[Group], strengths: FloatArray) -> FloatArray:
        result = None
        for group in groups:
            sources = group.sources
            rows = strengths[sources] if isinstance(sources, np.ndarray) else [strengths[rows] for rows in sources]
            folded = self.aggregation.fold_arrays(list(rows))
            if len(folded) == width:
                return folded  # every member of the level has equally many sources, and they are in order
            if result is None:
                result = np.full(width, self.aggregation.fold.neutral)
            result[group.members] = folded
        return np.full(width, self.aggregation.fold.neutral) if result is None else result


def _method(evaluation: Evaluation) -> Method:
    return Method.DAMPED if evaluation.method == ONE_PASS else Method(evaluation.method)


def _read_only(strengths: FloatArray) -> FloatArray:
    strengths.flags.writeable = False
    return strengths
