"""How fast the least contestation is found: ``python -m bench.bench_least`` prints each figure as ``name: value``.

On debates of 50 arguments: a tree, a flat debate, and one whose arguments bear on several others, so that some work
both ways. Medians of several runs in wall time on one thread; for a limit, look at the worst of them.
"""

from __future__ import annotations

import random
from dataclasses import replace

from bench.bench_engine import seconds
from core.flip_distance import flip_distance
from core.flip_distances import flip_distances
from core.judgement import Verdict
from core.judges.many import ProfileArrays
from core.judges.semantics_judge import SemanticsJudge
from core.least import LEAST, ChangeKind, Locks, Question, at_least, at_most, one_score_flips, verdict_goal
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.perturbations.profile_arrays import arrays_of
from core.sensitivity import base_score_curves, heat_map

ARGUMENTS = 50
DEBATES = 10_000
SEED = 20261130
SHAPES = ("tree", "flat", "crossed")
JUDGES = (SemanticsJudge(), SemanticsJudge("qe"))
WORDS = {
    ChangeKind.ONE_SCORE: "one_score",
    ChangeKind.TOPIC: "topic",
    ChangeKind.REMOVAL: "removal",
    ChangeKind.ADDITION: "addition",
    ChangeKind.CONSERVATIVENESS: "conservativeness",
    ChangeKind.FEWEST_SCORES: "fewest_scores",
    ChangeKind.LEAST_SUM: "least_sum",
    ChangeKind.LEAST_SQUARES: "least_squares",
}


def debate(shape: str, seed: int = SEED, size: int = ARGUMENTS) -> OpinionProfile:
    """Return a debate of three agents; pros and cons are drawn evenly."""
    drawn = random.Random(seed)
    arguments, relations = [], []
    for number in range(size):
        arguments.append(Argument(f"a{number}", "text", f"A{number % 3 + 1}", round(drawn.random(), 2)))
        above = TOPIC if shape == "flat" or number < 3 else f"a{drawn.randrange(number)}"
        relations.append(Relation(f"a{number}", above, drawn.choice(list(RelationKind))))
        if shape == "crossed" and number > 3:
            relations.append(Relation(f"a{number}", f"a{drawn.randrange(number)}", drawn.choice(list(RelationKind))))
    stances = tuple(Stance(f"A{agent}", round(drawn.random(), 2)) for agent in (1, 2, 3))
    return OpinionProfile("a claim", stances, tuple(arguments), tuple(dict.fromkeys(relations)))


def question(judge: SemanticsJudge, profile: OpinionProfile) -> Question:
    """Return the question of what gives the other verdict."""
    other = {Verdict.TRUE: Verdict.FALSE, Verdict.FALSE: Verdict.TRUE}
    verdict = judge.judge(profile).verdict
    assert verdict is not None
    return Question(judge, profile, verdict_goal(judge.rule, other[verdict]))


def near_goal(asked: Question) -> Question:
    """Return the question of what moves the score by a thousandth, towards the other verdict."""
    score = asked.judge.judge(asked.profile).score
    assert score is not None
    goal = at_least(score + 0.001) if score < asked.goal.low else at_most(score - 0.001)
    return replace(asked, goal=goal)


def figures() -> dict[str, float]:
    """Return all figures by name; the unit is in the name."""
    found: dict[str, float] = {}
    for shape in SHAPES:
        for judge in JUDGES:
            asked = question(judge, debate(shape))
            name = f"{shape}_{judge.semantics.replace('-', '_')}"

            def every_flip(asked: Question = asked) -> object:
                return one_score_flips(asked.judge, asked.profile, asked.goal, Locks(topic=False))

            found[f"flips_of_all_{ARGUMENTS}_{name}_milliseconds"] = 1e3 * seconds(every_flip)
            near = near_goal(asked)  # one that most arguments can reach, so that nearly all have to be searched
            found[f"flips_of_all_{ARGUMENTS}_near_{name}_milliseconds"] = 1e3 * seconds(
                lambda near=near: every_flip(near)  # type: ignore[misc]
            )
            for kind, search in LEAST.items():
                took = seconds(lambda search=search, asked=asked: search(asked), runs=3)  # type: ignore[misc]
                found[f"{WORDS[kind]}_{ARGUMENTS}_{name}_milliseconds"] = 1e3 * took
    for start, limit in (("flips_of_all", 50), ("least_sum", 1000)):
        worst = max(value for name, value in found.items() if name.startswith(start))
        found[f"{start}_{ARGUMENTS}_worst_milliseconds"] = worst
        found[f"{start}_{ARGUMENTS}_limit_milliseconds"] = limit
    profile = debate("crossed")
    judges = [SemanticsJudge(key) for key in ("df-quad", "qe", "euler", "mlp")]
    found["curves_of_four_judges_milliseconds"] = 1e3 * seconds(lambda: base_score_curves(judges, profile, "a0"))
    found["heat_map_milliseconds"] = 1e3 * seconds(lambda: heat_map(judges[0], profile, "a0", "a1"))
    found["flip_distance_milliseconds"] = 1e3 * seconds(lambda: flip_distance(judges[0], profile))
    arrays = many()
    for judge in JUDGES:
        took = seconds(lambda judge=judge: flip_distances(judge, arrays), runs=3)  # type: ignore[misc]
        found[f"flip_distances_{DEBATES}_{judge.semantics.replace('-', '_')}_seconds"] = took
    return found


def many() -> ProfileArrays:
    """Return flat debates of three pros and three cons, more or less."""
    return arrays_of([f"d{seed}" for seed in range(DEBATES)], [debate("flat", seed, 6) for seed in range(DEBATES)])


def main() -> None:
    """Print every figure."""
    for name, value in figures().items():
        print(f"{name}: {value:.6g}")


if __name__ == "__main__":
    main()
