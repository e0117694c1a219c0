"""Two searches along a line, both for the nearest point that reaches a goal: a fast one where the goal, once reached,
stays reached, and a careful one that proves by bounds what lies before the point it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.least.goal import FloatArray, Mask
from core.least.outcome import Stop

MOST_ROUNDS = 1000  # more than it takes to come to the last step
SECTIONS = 16  # parts into which a stretch is cut in one round
MOST_STRETCHES = 5_000  # of one line that the careful search looks at before it gives up


def nearest_of_many(
    fails: FloatArray,
    passes: FloatArray,
    reached: Callable[[FloatArray], Mask],
    most_rounds: int = MOST_ROUNDS,
    sections: int = SECTIONS,
) -> FloatArray:
    """Return, on many lines at once, the first point from which on a goal is reached, to the last step.

    Args:
        fails: Points that do not reach the goal, shape (lines,).
        passes: Points that do, shape (lines,).
        reached: Which points of every line reach it; shape (lines, points) to the same.
        most_rounds: Fewer are quicker and less exact.
        sections: Into how many parts each round cuts what is left: many where points are judged at once.

    Returns:
        Points that reach it, with no float, or at most 2^-53, to one that does not, shape (lines,).
    """
    before, after = fails.copy(), passes.copy()
    lines, fractions = np.arange(len(before)), np.arange(1, sections) / sections
    for _ in range(most_rounds):
        if not (np.abs(after - before) > _step(before, after)).any():
            break
        points = before[:, None] + (after - before)[:, None] * fractions
        first = np.argmax(np.hstack([reached(points), np.ones((len(before), 1), dtype=bool)]), axis=1)
        ends = np.hstack([before[:, None], points, after[:, None]])
        before, after = ends[lines, first], ends[lines, first + 1]
    return after


@dataclass(frozen=True)
class Nearest:
    """The end of a careful search along one line.

    Attributes:
        point: The point found, or None.
        proved: Whether bounds show that no nearer point (for None: no point) reaches the goal. What is closer than
            the last step of a float is not told apart.
        stopped: Whether the search was stopped.
    """

    point: float | None
    proved: bool
    stopped: bool = False


Lines = NDArray[np.int64]  # the line that each point or stretch lies on


def nearest(
    ways: Sequence[tuple[float, float]],
    look: Callable[[Lines, FloatArray], tuple[Mask, Mask | None]],
    provable: bool,
    stop: Stop,
) -> list[Nearest]:
    """Return on each line the point nearest to the start, on the way to the end, that reaches a goal.

    Stretches that no point of which can reach it are left out; the nearest that is left is cut again and again. All
    lines are searched at once, so that one evaluation serves them all.

    Args:
        ways: Start and end of each line; the start does not count itself.
        look: From lines and stretches on them, each from its nearer to its farther end, shape (stretches, 2), to
            whether the farther ends reach the goal, and whether any point of the stretches can; the latter is never
            False wrongly, and None where nothing can be proved. Then only the ends of stretches are looked at.
        provable: Whether it can.
        stop: Ends the search.
    """
    searches = [_Line(start, end, provable) for start, end in ways]
    while active := [number for number, search in enumerate(searches) if search.ways]:
        if stop():
            for number in active:
                searches[number].give_up(stopped=True)
            break
        taken = [searches[number].ways.pop() for number in active]
        stretches = np.concatenate(taken)
        lines = np.repeat(active, [len(part) for part in taken])
        hits, possible = look(lines, stretches)
        can = hits if possible is None else hits | possible
        begin = 0
        for number, part in zip(active, taken, strict=True):
            end = begin + len(part)
            searches[number].go_on(part, hits[begin:end], can[begin:end])
            begin = end
    return [search.result for search in searches]


class _Line:
    """The state of one line's search: a stack of stretches, each group nearer than those below it."""

    def __init__(self, start: float, end: float, provable: bool) -> None:
        self.ways = [] if start == end else [_cut(start, end, SECTIONS)]
        self._sections = SECTIONS if provable else 2  # a goal that is found without proof only needs to be pinned down
        self.result = Nearest(None, provable or start == end)
        self._looked = 0

    def give_up(self, stopped: bool = False) -> None:
        """End the search with what is found."""
        self.ways = []
        self.result = Nearest(self.result.point, False, stopped)

    def go_on(self, stretches: FloatArray, hits: Mask, can: Mask) -> None:
        """Take in what is known of the nearest stretches: whether their ends reach the goal, whether they can."""
        self._looked += len(stretches)
        if hits.any():
            first = int(np.argmax(hits))
            stretches, hits, can = stretches[: first + 1], hits[: first + 1], can[: first + 1]
            self.ways = []  # all farther
            self.result = Nearest(float(stretches[first, 1]), self.result.proved)
        stretches, hits = stretches[can], hits[can]
        if not len(stretches):
            return
        if self._looked > MOST_STRETCHES:
            self.give_up()
            return
        near, far = stretches[0].tolist()
        if len(stretches) > 1:
            self.ways.append(stretches[1:])
        if abs(far - near) > _step(near, far):
            self.ways.append(_cut(near, far, self._sections))
        elif hits[0]:
            self.ways = []
        # Otherwise the stretch is one step long, and neither of its ends reaches the goal.


def _cut(start: float, end: float, count: int) -> FloatArray:
    """Return a stretch cut into equal ones, each from its nearer to its farther end, shape (count, 2)."""
    points = np.linspace(start, end, count + 1)
    return np.stack([points[:-1], points[1:]], axis=1)


def _step(one: FloatArray | float, two: FloatArray | float) -> FloatArray:
    """Return the distance below which two points are not told apart: that of floats, or 2^-53 below 1/2."""
    return np.spacing(np.maximum(0.5, np.maximum(np.abs(one), np.abs(two))))


__all__ = ["MOST_ROUNDS", "Lines", "Nearest", "nearest", "nearest_of_many"]
