"""How fast contributions are: ``python -m bench.bench_contributions`` prints each figure as ``name: value``.

Every figure is the median of several runs in wall time on one thread, from a judge and a profile to named numbers.
``all_50_*`` is removal, intrinsic removal and gradient together, of 50 arguments; the worst over three semantics.
``shapley_10_ratio`` compares with ``plain_shapley``, which builds and judges two graphs for every coalition.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np

from bench.bench_engine import seconds
from core.contributions import by_agent, gradient, intrinsic_removal, removal, shapley
from core.judges import SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.qbaf import QBAF

SEED = 20261130
AGENTS = ("A1", "A2", "A3")
SHAPES = ("flat", "tree", "dag", "cyclic")
SEMANTICS_KEYS = ("df-quad", "qe", "euler-top")


def debate(size: int, shape: str) -> OpinionProfile:
    """Return a debate of three agents whose arguments bear on the topic only, or on each other as well."""
    random = np.random.default_rng(SEED)
    names = [f"a{number:02}" for number in range(size)]
    arguments = [
        Argument(name, "text", AGENTS[i % 3], round(float(random.random()), 2)) for i, name in enumerate(names)
    ]
    pairs = [(name, TOPIC if shape == "flat" or i < 4 else names[(i - 4) // 3]) for i, name in enumerate(names)]
    if shape in ("dag", "cyclic"):
        pairs += [(names[i], names[int(random.integers(0, i))]) for i in range(1, size)]
    if shape == "cyclic":
        pairs += [(names[i - 5], names[i]) for i in range(6, size, 3)]
    kinds = [RelationKind.SUPPORT if supports else RelationKind.ATTACK for supports in random.random(len(pairs)) < 0.5]
    relations = {pair: Relation(*pair, kind) for pair, kind in zip(pairs, kinds, strict=True)}
    stances = tuple(Stance(agent, 0.3 + number / 10) for number, agent in enumerate(AGENTS))
    return OpinionProfile("a claim", stances, tuple(arguments), tuple(relations.values()))


def plain_shapley(judge: SemanticsJudge, qbaf: QBAF) -> dict[str, float]:
    """Return the Shapley values by their definition: two graphs are built and judged for every coalition of others."""
    scores = dict(zip(qbaf.names, qbaf.base_scores.tolist(), strict=True))
    attacks, supports = qbaf.attacks, qbaf.supports
    players = [name for name in qbaf.names if name != TOPIC]

    def value(present: set[str]) -> float:
        there = {TOPIC, *present}
        part = QBAF.build(
            [(name, score) for name, score in scores.items() if name in there],
            [pair for pair in attacks if there.issuperset(pair)],
            [pair for pair in supports if there.issuperset(pair)],
        )
        return float(judge.gradual.evaluate(part).strengths[0])

    shares = dict.fromkeys(players, 0.0)
    for player in players:
        others = [name for name in players if name != player]
        for size in range(len(others) + 1):
            weight = 1 / (len(players) * math.comb(len(others), size))
            for coalition in itertools.combinations(others, size):
                shares[player] += weight * (value({*coalition, player}) - value({*coalition}))
    return shares


def figures() -> dict[str, float]:
    """Return all figures by name; the unit is in the name."""
    found: dict[str, float] = {}
    judges = [
        SemanticsJudge(key, setting=setting, variant=StanceVariant.PRIOR)
        for key in SEMANTICS_KEYS
        for setting in Setting
    ]

    def worst(work: Callable[[SemanticsJudge, OpinionProfile], object], size: int, shape: str) -> float:
        profile = debate(size, shape)
        return max(seconds(partial(work, judge, profile), runs=5) for judge in judges)

    def all_but_shapley(judge: SemanticsJudge, profile: OpinionProfile) -> None:
        removal(judge, profile)
        intrinsic_removal(judge, profile)
        gradient(judge, profile)

    def of_agents(judge: SemanticsJudge, profile: OpinionProfile) -> None:
        removal(judge, profile, by_agent(profile))
        shapley(judge, profile, by_agent(profile))

    for shape in SHAPES:
        found[f"all_50_{shape}_milliseconds"] = 1e3 * worst(all_but_shapley, 50, shape)
    for shape in SHAPES[:3]:
        found[f"agents_50_{shape}_milliseconds"] = 1e3 * worst(of_agents, 50, shape)
        found[f"shapley_15_{shape}_seconds"] = worst(shapley, 15, shape)
        found[f"shapley_20_{shape}_seconds"] = worst(shapley, 20, shape)
        found[f"shapley_50_{shape}_sampled_seconds"] = worst(shapley, 50, shape)
        errors = [max(shapley(judge, debate(50, shape)).standard_errors.values(), default=0.0) for judge in judges]
        found[f"shapley_50_{shape}_worst_standard_error"] = max(errors)

    judge, profile = SemanticsJudge(variant=StanceVariant.PRIOR), debate(10, "tree")
    qbaf = judge.qbafs(profile)[0].qbaf
    exact, plain = shapley(judge, profile).amounts, plain_shapley(judge, qbaf)
    found["shapley_10_largest_difference"] = max(abs(exact[name] - plain[name]) for name in plain)
    found["shapley_10_seconds"] = seconds(lambda: shapley(judge, profile))
    found["shapley_10_plain_seconds"] = seconds(lambda: plain_shapley(judge, qbaf), runs=3)
    found["shapley_10_ratio"] = found["shapley_10_plain_seconds"] / found["shapley_10_seconds"]
    return found


def main() -> None:
    """Print every figure."""
    for name, value in figures().items():
        print(f"{name}: {value:.6g}")


if __name__ == "__main__":
    main()
