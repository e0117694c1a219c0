import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.least.search import crossing_of_many, nearest, nearest_of_many

STEP = 2.0**-52
shares = st.floats(0.001, 0.999)


def goes_up(power: float, height: float, jump: float):
    """Return a rising function of a share, with a jump half-way."""
    return lambda points: points**power - height + np.where(points >= 0.5, jump, 0.0)


@given(
    curves=st.lists(st.tuples(st.floats(0.2, 9), shares, st.sampled_from([0.0, 0.0, 2.0])), min_size=1, max_size=6),
    down=st.booleans(),
)
def test_a_goal_that_stays_reached_is_found_to_the_last_step_on_every_line(curves, down):
    functions = [goes_up(*curve) for curve in curves]
    places = (lambda points: 1.0 - points) if down else (lambda points: points)
    starts, ends = np.full(len(curves), float(down)), np.full(len(curves), float(not down))

    def margin(lines, points):
        return np.stack([functions[line](places(row)) for line, row in zip(lines, points, strict=True)])

    found = crossing_of_many(starts, ends, margin)
    sought = nearest_of_many(starts, ends, lambda points: margin(range(len(curves)), points) >= 0)
    back = np.where(down, STEP, -STEP)
    for function, point, other in zip(functions, found, sought, strict=True):
        assert function(places(point)) >= 0
        assert function(places(np.clip(point + back, 0.0, 1.0))) < 0
        assert abs(point - other) <= 8 * STEP  # where roundings make it go up and down, either may be any of a few


def test_few_evaluations_find_it():
    rounds = 0

    def margin(lines, points):
        nonlocal rounds
        rounds += 1
        return points**3 - 0.2

    assert crossing_of_many(np.array([0.0]), np.array([1.0]), margin)[0] == pytest.approx(0.2 ** (1 / 3), abs=1e-15)
    assert rounds <= 7  # cutting in 16 takes 13


def test_a_goal_reached_by_a_jump_alone_is_found_all_the_same():
    found = crossing_of_many(np.array([0.0]), np.array([1.0]), lambda _, points: np.where(points >= 0.3, 1e9, -1e-9))
    assert found[0] == pytest.approx(0.3, abs=STEP)


def waves(first: float, size: float, height: float):
    """Return a function with several hills, and what proves bounds of it on a stretch by its steepest slope."""
    value = lambda points: np.sin(9 * points + first) * size + points - height  # noqa: E731
    return value, 9 * abs(size) + 1


@given(
    curves=st.lists(st.tuples(st.floats(0, 6), st.floats(-0.5, 0.5), st.floats(-0.4, 1.4)), min_size=1, max_size=2),
    start=st.floats(0.0, 1.0),
)
@settings(max_examples=25)
def test_aiming_changes_nothing_but_the_time_that_the_careful_search_takes(curves, start):
    functions = [waves(*curve) for curve in curves]
    looked = {True: 0, False: 0}

    def search(aimed: bool):
        def look(lines, stretches):
            looked[aimed] += len(stretches)
            values = [functions[line][0](stretch) for line, stretch in zip(lines, stretches, strict=True)]
            slopes = [functions[line][1] for line in lines]
            half = np.abs(stretches[:, 1] - stretches[:, 0]) / 2
            middle = [functions[line][0](stretch.mean()) for line, stretch in zip(lines, stretches, strict=True)]
            most = np.array(middle) + np.array(slopes) * half + 1e-15
            return np.array(values)[:, 1] >= 0, most >= 0

        def margin(lines, points):
            return np.stack([functions[line][0](row) for line, row in zip(lines, points, strict=True)])

        ways = [(start, float(end)) for _ in curves for end in (0, 1)]
        lines = np.repeat(np.arange(len(curves)), 2)
        return nearest(
            ways,
            lambda places, stretches: look(lines[places], stretches),
            provable=True,
            stop=lambda: False,
            margin=(lambda places, points: margin(lines[places], points)) if aimed else None,
        )

    for aimed, even, (function, slope) in zip(
        search(True), search(False), [f for f in functions for _ in (0, 1)], strict=True
    ):
        assert aimed.proved
        assert even.proved
        assert (aimed.point is None) == (even.point is None)
        if aimed.point is not None and even.point is not None:
            assert function(np.float64(aimed.point)) >= 0
            # Where the function only just touches 0, both are within what it is rounded by.
            near = abs(function(np.float64(aimed.point)) - function(np.float64(even.point)))
            assert math.isclose(aimed.point, even.point, abs_tol=1e-7) or near < 1e-14 * slope
