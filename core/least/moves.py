"""Changes of several base scores at once, each in the direction that may help: the space that searches move in.

A move is an array of distances, shape (variables,), or many of them as columns, shape (variables, moves). Distances are
0 or more and at most ``caps``. As far as every argument works one way only, the score is monotone along each.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.contestation import Edit
from core.least.goal import FloatArray, Mask
from core.least.one_score import free_names, score_edit
from core.least.outcome import Question
from core.least.scorer import Scorer
from core.least.search import MOST_ROUNDS, nearest_of_many
from core.opinion import TOPIC

Path = Callable[[FloatArray], FloatArray]

SLOPE_STEP = 1e-6  # over which slopes are measured


class Moves:
    """The changes that a question allows.

    Attributes:
        rows: The scorer's rows of the base scores that may be changed and bear on the score, in order of names.
        caps: How far each can be moved, shape (variables,).
        sure: Whether every one of them works one way only and no argument bears on itself.
        rising: Whether the score has to rise.
    """

    def __init__(self, question: Question, scorer: Scorer) -> None:
        self.question = question
        self.scorer = scorer
        self.rising = bool(scorer.score < question.goal.low)
        names = [name for name in free_names(question, scorer) if scorer.signs[name]]
        # Where the agents' topics differ there is no one base score to move.
        names = [name for name in names if not (name == TOPIC and np.isnan(scorer.base[0]))]
        self.rows: NDArray[np.int64] = np.array([scorer.row[name] for name in names], dtype=np.int64)
        self.starts: FloatArray = scorer.base[self.rows]
        self.sure = scorer.acyclic and all(len(scorer.signs[name]) == 1 for name in names)
        self.directions = self._directions(names)
        self.caps: FloatArray = np.where(self.directions > 0, 1.0 - self.starts, self.starts)

    def __len__(self) -> int:
        return len(self.rows)

    def among(self, kept: NDArray[np.int64]) -> Moves:
        """Return the moves of some of the variables alone."""
        fewer = object.__new__(Moves)
        fewer.question, fewer.scorer, fewer.rising, fewer.sure = self.question, self.scorer, self.rising, self.sure
        fewer.rows, fewer.starts = self.rows[kept], self.starts[kept]
        fewer.directions, fewer.caps = self.directions[kept], self.caps[kept]
        return fewer

    def base_scores(self, moves: FloatArray) -> FloatArray:
        """Return the base scores that moves lead to, the same shape; exactly 0 or 1 at the caps."""
        whole = (slice(None), *(None,) * (moves.ndim - 1))
        starts, directions, caps = self.starts[whole], self.directions[whole], self.caps[whole]
        ends = (directions > 0).astype(np.float64)
        return np.where(moves >= caps, ends, np.clip(starts + directions * moves, 0.0, 1.0))

    def scores(self, moves: FloatArray) -> FloatArray:
        """Return the scores of many moves, shape (moves,); higher is always better, so negative for a falling goal."""
        columns = np.repeat(self.scorer.base[:, None], moves.shape[1], axis=1)
        columns[self.rows] = self.base_scores(moves)
        scores = self.scorer.scores(columns)
        return scores if self.rising else -scores

    @property
    def wanted(self) -> float:
        """Return the score, in the sense of ``scores``, from which on a move does it."""
        return self.question.goal.low if self.rising else -self.question.goal.high

    def passes(self, moves: FloatArray) -> Mask:
        """Return which of many moves do it, shape (moves,)."""
        return np.asarray(self.scores(moves) >= self.wanted)

    def slopes(self, move: FloatArray) -> FloatArray:
        """Return by how much the score rises per step further in each variable; 0 where a cap is reached."""
        steps = np.minimum(SLOPE_STEP, self.caps - move)
        scores = self.scores(np.concatenate([move[:, None] + np.diag(steps), move[:, None]], axis=1))
        return np.where(steps > 0, (scores[:-1] - scores[-1]) / np.where(steps > 0, steps, 1.0), 0.0)

    def along(
        self, path: Callable[[FloatArray], FloatArray], most: float, most_rounds: int = MOST_ROUNDS
    ) -> FloatArray | None:
        """Return the first move on a path that does it, or None.

        Args:
            path: From shares, shape (points,), to moves, shape (variables, points), growing with the share.
            most: The last share.
            most_rounds: See ``nearest_of_many``.
        """
        ends = np.array([0.0, most])
        fails, passes = self.passes(path(ends))
        if fails or not passes:
            return path(ends[:1])[:, 0] if fails else None
        share = nearest_of_many(ends[:1], ends[1:], lambda points: self.passes(path(points[0]))[None, :], most_rounds)
        return path(share)[:, 0]

    def nearest(
        self,
        fails: FloatArray,
        passes: FloatArray,
        reached: Callable[[FloatArray], Mask],
        most_rounds: int = MOST_ROUNDS,
    ) -> FloatArray:
        """Return the first points that do it on many lines; see ``nearest_of_many``."""
        if self.scorer.acyclic:
            return nearest_of_many(fails, passes, reached, most_rounds)
        return nearest_of_many(fails, passes, reached, 4 * most_rounds, 2)  # every point is judged by itself

    def edits(self, move: FloatArray) -> list[Edit]:
        """Return the edits that make a move."""
        after = self.base_scores(move).tolist()
        return [
            score_edit(self.question.profile, self.scorer.names[row], value)
            for row, value, start in zip(self.rows.tolist(), after, self.starts.tolist(), strict=True)
            if value != start
        ]

    def distances(self, move: FloatArray) -> FloatArray:
        """Return how far each base score really moves, rounding included."""
        return np.abs(self.base_scores(move) - self.starts)

    def _directions(self, names: list[str]) -> FloatArray:
        wanted = 1.0 if self.rising else -1.0
        signs = [self.scorer.signs[name] for name in names]
        directions = np.array([wanted * min(sign) if len(sign) == 1 else 0.0 for sign in signs], dtype=np.float64)
        mixed = np.flatnonzero(directions == 0)
        if len(mixed):
            columns = np.repeat(self.scorer.base[:, None], 2 * len(mixed), axis=1)
            columns[np.repeat(self.rows[mixed], 2), np.arange(2 * len(mixed))] = np.tile([0.0, 1.0], len(mixed))
            scores = np.nan_to_num(self.scorer.scores(columns), nan=0.5).reshape(-1, 2) * wanted
            directions[mixed] = np.where(scores[:, 1] >= scores[:, 0], 1.0, -1.0)
        return directions


__all__ = ["Moves", "Path"]
