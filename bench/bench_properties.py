"""How long the seven properties take: ``python -m bench.bench_properties`` prints ``name: value``.

Four semantics judges and a vote on simulated debates, and a judge known by its protocol only on fewer. The counts of
violations stand beside the times: what is proved must have none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.judgement import Judgement
from core.judges import MajorityVote, SemanticsJudge, Setting, StanceVariant
from core.opinion import OpinionProfile
from core.perturbations import JudgeEdit, JudgeEditKind
from core.properties.check import check, check_all
from core.properties.contestability import Contestability
from core.properties.falsifier import falsify
from core.properties.registry import usual_properties
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.robustness import JudgeRobustness, ProfileRobustness
from core.simulation import Simulation, simulated_debates, simulated_set
from core.simulation.behaviour import behaviour

DEBATES = 10_000
MANY = 100_000
FEW = 1_000
SEED = 20261130
PRIOR = StanceVariant.PRIOR
JUDGES = tuple(SemanticsJudge(key, setting=setting, variant=PRIOR) for key in ("df-quad", "qe") for setting in Setting)


@dataclass(frozen=True)
class Hidden:
    """A judge that nobody knows to be a semantics judge, so that it is asked debate by debate."""

    inner: SemanticsJudge
    name: str = "hidden"

    def judge(self, profile: OpinionProfile) -> Judgement:
        """Return the inner judge's judgement."""
        return self.inner.judge(profile)


def seconds(work: Callable[[], object]) -> float:
    """Return how long a piece of work takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def figures() -> dict[str, float]:
    """Return all figures by name; the unit is in the name."""
    found: dict[str, float] = {}
    properties = usual_properties()
    check(Determinism(), JUDGES[0], simulated_set(Simulation(debates=10)))  # loads what is loaded once

    found["simulate_100k_seconds"] = seconds(lambda: simulated_set(Simulation(debates=MANY, seed=SEED)))
    found["simulate_1k_values_seconds"] = seconds(lambda: list(simulated_debates(Simulation(debates=FEW, seed=SEED))))

    debates = simulated_set(Simulation(debates=DEBATES, seed=SEED))
    found["seven_properties_four_judges_10k_seconds"] = seconds(lambda: check_all(properties, JUDGES, debates))
    for tested in properties:
        name = tested.key.replace(" ", "_").replace("-", "_")
        fresh = simulated_set(Simulation(debates=DEBATES, seed=SEED))
        found[f"{name}_10k_seconds"] = seconds(lambda tested=tested, fresh=fresh: check(tested, JUDGES[0], fresh))  # type: ignore[misc]
    found["seven_properties_vote_10k_seconds"] = seconds(lambda: check_all(properties, (MajorityVote(),), debates))

    many = simulated_set(Simulation(debates=MANY, noise=0.3, seed=SEED))
    proved = (Determinism(), PermutationIndependence(), Contestability())
    begin = time.perf_counter()
    results = check_all(proved, JUDGES, many)
    found["proved_properties_four_judges_100k_seconds"] = time.perf_counter() - begin
    found["proved_properties_violations"] = sum(result.violations for result in results)
    found["proved_properties_strict_violations"] = sum(result.strict_violations for result in results)

    few = simulated_set(Simulation(debates=FEW, seed=SEED))
    found["seven_properties_protocol_judge_1k_seconds"] = seconds(
        lambda: check_all(properties, (Hidden(JUDGES[0]),), few)
    )
    profile = few.load(0)
    found["smallest_turn_seconds"] = seconds(lambda: falsify(ProfileRobustness(), JUDGES[0], "d", profile))
    turn = JudgeRobustness((JudgeEdit(JudgeEditKind.SHIFT_CONSERVATIVENESS, 0.1),))
    found["smallest_judge_turn_seconds"] = seconds(lambda: falsify(turn, JUDGES[0], "d", profile))
    found["contestability_search_2000_questions_seconds"] = seconds(
        lambda: falsify(Contestability(), JUDGES[0], "d", profile)
    )
    found["behaviour_3_to_50_agents_1_to_10_rounds_seconds"] = seconds(
        lambda: behaviour(JUDGES[:2], Simulation(debates=500, seed=SEED))
    )
    return found


def main() -> None:
    """Print every figure."""
    for name, value in figures().items():
        print(f"{name}: {value:.6g}")


if __name__ == "__main__":
    main()
