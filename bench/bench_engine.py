"""How fast the strengths engine is: ``python -m bench.bench_engine`` prints each figure as ``name: value``.

Every figure is the median of several runs in wall time on one thread. ``flat_1m_python_loop_seconds`` is the same work,
over all million debates and equal to the last bit, by a plain Python loop.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from core.judges import SemanticsJudge
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.qbaf import QBAF
from core.semantics import semantics

DEBATES = 1_000_000
ARGUMENTS = 100_000
SEED = 20261130


def seconds(work: Callable[[], object], runs: int = 7) -> float:
    """Return the median time of a piece of work."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def plain_python(topics: list[float], pros: list[list[float]], cons: list[list[float]]) -> list[float]:
    """Return the DF-QuAD strengths of flat debates by a loop over Python numbers, sorted as the engine does."""
    strengths = []
    for base, supporters, attackers in zip(topics, pros, cons, strict=True):
        supported = attacked = 1.0
        for strength in sorted(supporters):
            supported *= 1.0 - strength
        for strength in sorted(attackers):
            attacked *= 1.0 - strength
        energy = attacked - supported
        strengths.append(base + (1.0 - base) * energy if energy > 0.0 else base + base * energy)
    return strengths


def figures() -> dict[str, float]:
    """Return all figures by name; the unit is in the name."""
    random = np.random.default_rng(SEED)
    topics, pros, cons = random.random(DEBATES), random.random((DEBATES, 3)), random.random((DEBATES, 3))
    df_quad, quadratic = semantics("df-quad"), semantics("qe")
    found: dict[str, float] = {}

    # From arrays in memory to a million strengths, the forest object included.
    found["flat_1m_seconds"] = seconds(lambda: df_quad.evaluate(QBAF.flat(topics, pros, cons)))
    found["flat_1m_qe_seconds"] = seconds(lambda: quadratic.evaluate(QBAF.flat(topics, pros, cons)))
    lists = [topics.tolist(), pros.tolist(), cons.tolist()]
    found["flat_1m_python_loop_seconds"] = seconds(lambda: plain_python(*lists), runs=3)
    found["flat_1m_ratio"] = found["flat_1m_python_loop_seconds"] / found["flat_1m_seconds"]
    lists.clear()

    arguments = [(f"a{i}", score) for i, score in enumerate(topics[:ARGUMENTS].tolist())]
    tree = [(f"a{i}", f"a{(i - 1) // 3}") for i in range(1, ARGUMENTS)]
    chain = [(f"a{i}", f"a{i - 1}") for i in range(1, ARGUMENTS)]
    for name, relations in (("tree", tree), ("chain", chain)):
        begin = time.perf_counter()
        qbaf = QBAF.build(arguments, relations[::2], relations[1::2])
        df_quad.evaluate(qbaf)
        found[f"{name}_100k_build_and_first_seconds"] = time.perf_counter() - begin
        evaluation = df_quad.evaluate(qbaf)
        found[f"{name}_100k_seconds"] = seconds(lambda qbaf=qbaf: df_quad.evaluate(qbaf))  # type: ignore[misc]
        found[f"{name}_100k_edit_microseconds"] = 1e6 * seconds(
            lambda evaluation=evaluation: df_quad.update(evaluation, 300, 0.9)  # type: ignore[misc]
        )

    profile = _debate()
    judge = SemanticsJudge()
    qbaf = judge.qbafs(profile)[0].qbaf
    found["one_debate_microseconds"] = 1e3 * seconds(lambda: [df_quad.evaluate(qbaf) for _ in range(1000)])
    found["one_judgement_microseconds"] = 1e4 * seconds(lambda: [judge.judge(profile) for _ in range(100)])
    cycle = QBAF.build([("t", 0.9), ("b", 0.8)], attacks=[("t", "b"), ("b", "t")])
    found["one_cycle_microseconds"] = 1e5 * seconds(lambda: [df_quad.evaluate(cycle) for _ in range(10)])
    return found


def _debate() -> OpinionProfile:
    """Return one debate of three agents with a pro and a con each."""
    sides = [(f"A{agent}-{kind.value}", f"A{agent}", kind) for agent in (1, 2, 3) for kind in RelationKind]
    return OpinionProfile(
        "a claim",
        tuple(Stance(f"A{agent}", 0.4) for agent in (1, 2, 3)),
        tuple(Argument(name, "text", author, 0.3 + i / 10) for i, (name, author, _) in enumerate(sides)),
        tuple(Relation(name, TOPIC, kind) for name, _, kind in sides),
    )


def main() -> None:
    """Print every figure."""
    for name, value in figures().items():
        print(f"{name}: {value:.6g}")


if __name__ == "__main__":
    main()
