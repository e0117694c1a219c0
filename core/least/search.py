"""Searches along lines for the nearest point that reaches a goal: fast ones where the goal, once reached, stays
reached, and a careful one that proves by bounds what lies before the point it returns.
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
AROUND = np.array([sign * 2.0**-power for sign in (-1, 1) for power in (1, 2, 3, 5, 7, 10, 14, 19, 25)] + [0.0])
EVENLY = np.arange(1, len(AROUND) + 1) / (len(AROUND) + 1)  # shares of a stretch, as those around a guess are
SHORT = 2.0**-43  # of a stretch so short, scores are too coarse for guesses
HALVES = 0.5 ** np.arange(64)
AT_ONCE = 96  # stretches of all lines that are cut in one round
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


def crossing_of_many(
    fails: FloatArray, passes: FloatArray, margin: Callable[[Lines, FloatArray], FloatArray]
) -> FloatArray:
    """Return, on many lines at once, a point where a goal begins to be reached, to the last step.

    Quicker than ``nearest_of_many``, as it draws on by how much a goal is missed: points are tried around where a
    straight line would reach it, close to that and ever farther away, so that a bad guess costs little.

    Args:
        fails: Points that do not reach the goal, shape (lines,).
        passes: Points that do, shape (lines,).
        margin: By how much points on some of the lines reach it, negative where they do not; from the lines' places
            and points, shape (lines, points), to the same shape.

    Returns:
        As ``nearest_of_many`` does; where the goal is reached, left and reached again on a line, any such point.
    """
    before, after = fails.copy(), passes.copy()
    missed, reached = np.full(len(before), np.nan), np.full(len(before), np.nan)
    for _ in range(MOST_ROUNDS):
        lines = np.flatnonzero(np.abs(after - before) > _step(before, after))
        if not len(lines):
            break
        ways = after[lines] - before[lines]
        gap = reached[lines] - missed[lines]
        good = (gap > 0.0) & (np.abs(ways) > SHORT)  # no gap is known in the first round
        guesses = -missed[lines] / np.where(good, gap, 1.0)
        tried = np.where(good[:, None], guesses[:, None] + AROUND, EVENLY)
        points = before[lines, None] + ways[:, None] * np.sort(np.clip(tried, 0.0, 1.0), axis=1)
        points = np.hstack([before[lines, None], points, after[lines, None]])
        margins = margin(lines, points)
        passed = margins >= 0.0
        passed[:, 0], passed[:, -1] = False, True  # as is known
        first, rows = np.argmax(passed, axis=1), np.arange(len(lines))
        before[lines], after[lines] = points[rows, first - 1], points[rows, first]
        missed[lines], reached[lines] = margins[rows, first - 1], margins[rows, first]
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
    margin: Callable[[Lines, FloatArray], FloatArray] | None = None,
) -> list[Nearest]:
    """Return on each line the point nearest to the start, on the way to the end, that reaches a goal.

    Stretches that no point of which can reach it are left out; the nearest that are left are cut again and again. All
    lines are searched at once, so that one evaluation serves them all.

    Args:
        ways: Start and end of each line; the start does not count itself.
        look: From lines and stretches on them, each from its nearer to its farther end, shape (stretches, 2), to
            whether the farther ends reach the goal, and whether any point of the stretches can; the latter is never
            False wrongly, and None where nothing can be proved. Then only the ends of stretches are looked at.
        provable: Whether it can.
        stop: Ends the search.
        margin: From lines and points on them, shape (lines, points), to by how much these reach the goal, as in
            ``crossing_of_many``. With it, a stretch at whose end the goal is reached is cut finely where that begins,
            and coarsely before. It saves most of the looking, and what is proved does not rest on it.
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
            searches[number].take_in(part, hits[begin:end], can[begin:end])
            begin = end
        ahead = max(1, AT_ONCE // len(active))
        aims = {} if margin is None else _aims(searches, active, ahead, margin)
        for number in active:
            searches[number].cut(ahead, aims.get(number))
    return [search.result for search in searches]


def _aims(
    searches: list[_Line], active: list[int], ahead: int, margin: Callable[[Lines, FloatArray], FloatArray]
) -> dict[int, float]:
    """Return, for each line with a stretch at whose end the goal is reached, a point on it where that begins."""
    brackets = {number: bracket for number in active if (bracket := searches[number].bracket(ahead)) is not None}
    if not brackets:
        return {}
    lines = np.array(list(brackets))
    ends = np.array(list(brackets.values()))
    points = crossing_of_many(ends[:, 0], ends[:, 1], lambda places, points: margin(lines[places], points))
    return dict(zip(brackets, points.tolist(), strict=True))


class _Line:
    """The state of one line's search: a stack of stretches, each group nearer than those below it."""

    def __init__(self, start: float, end: float, provable: bool) -> None:
        self.ways = [] if start == end else [_cut(start, end, SECTIONS)]
        self._sections = SECTIONS if provable else 2  # a goal that is found without proof only needs to be pinned down
        self.result = Nearest(None, provable or start == end)
        self._left = np.zeros((0, 2))  # the nearest stretches that can reach the goal, to be cut
        self._ends = False  # whether the last of them does at its end
        self._looked = 0

    def give_up(self, stopped: bool = False) -> None:
        """End the search with what is found."""
        self.ways, self._left = [], np.zeros((0, 2))
        self.result = Nearest(self.result.point, False, stopped)

    def take_in(self, stretches: FloatArray, hits: Mask, can: Mask) -> None:
        """Take in what is known of the nearest stretches: whether their ends reach the goal, whether they can."""
        self._looked += len(stretches)
        self._ends = bool(hits.any())
        if self._ends:
            first = int(np.argmax(hits))
            stretches, can = stretches[: first + 1], can[: first + 1]
            self.ways = []  # all farther
            self.result = Nearest(float(stretches[first, 1]), self.result.proved)
        self._left = stretches[can]
        if len(self._left) and self._looked > MOST_STRETCHES:
            self.give_up()

    def bracket(self, ahead: int) -> tuple[float, float] | None:
        """Return the stretch at whose end the goal is reached, if it is among those to be cut."""
        if not self._ends or not 0 < len(self._left) <= ahead:
            return None
        near, far = self._left[-1].tolist()
        return (near, far) if abs(far - near) > _step(near, far) else None

    def cut(self, ahead: int, aim: float | None) -> None:
        """Cut the nearest stretches that are left, so many of them, and the last of all towards an aim if there is one.

        In a stretch of one step, only the end can reach the goal, and that is known then.
        """
        rest = self._left[ahead:]
        long = [(near, far) for near, far in self._left[:ahead].tolist() if abs(far - near) > _step(near, far)]
        parts = [_cut(near, far, self._sections) for near, far in (long if aim is None else long[:-1])]
        if aim is not None:
            parts.append(_towards(long[-1][0], aim))
        self.ways += [group for group in (rest, *([np.concatenate(parts)] if parts else [])) if len(group)]


def _cut(start: float, end: float, count: int) -> FloatArray:
    """Return a stretch cut into equal ones, each from its nearer to its farther end, shape (count, 2)."""
    points = np.linspace(start, end, count + 1)
    return np.stack([points[:-1], points[1:]], axis=1)


def _towards(start: float, end: float) -> FloatArray:
    """Return a stretch cut into ever shorter ones, each half of the way that is left, the last one step long."""
    way, step = end - start, float(_step(start, end))
    halvings = max(0, int(np.ceil(np.log2(abs(way) / step))) if way else 0)
    left = np.concatenate([way * HALVES[: halvings + 1], [np.copysign(step, way)] if abs(way) > step else [], [0.0]])
    points = end - left
    points[0] = start
    return np.stack([points[:-1], points[1:]], axis=1)


def _step(one: FloatArray | float, two: FloatArray | float) -> FloatArray:
    """Return the distance below which two points are not told apart: that of floats, or 2^-53 below 1/2."""
    return np.spacing(np.maximum(0.5, np.maximum(np.abs(one), np.abs(two))))


__all__ = ["MOST_ROUNDS", "Lines", "Nearest", "nearest", "nearest_of_many"]
