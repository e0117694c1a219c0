"""Judges that are broken on purpose, each in one way, and debates to catch them on."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.judgement import DecisionRule, Judgement, Verdict
from core.judges import MeanStance, SemanticsJudge
from core.judges.semantics_judge import StanceVariant
from core.opinion import OpinionProfile
from core.properties.debate_set import DebateSet
from core.simulation import Simulation, simulated_debates, simulated_set

RULE = DecisionRule()
SIMULATION = Simulation(debates=60, agents=3, pros=2, cons=2, seed=5)
SOUND = SemanticsJudge(variant=StanceVariant.PRIOR)


def some_debates(**settings) -> DebateSet:
    """Return simulated debates whose profiles are values, as a person's judge reads them."""
    values = {**SIMULATION.to_json(), **settings}
    return DebateSet.of(list(simulated_debates(Simulation(**values))))


def many_debates(**settings) -> DebateSet:
    return simulated_set(Simulation(**{**SIMULATION.to_json(), **settings}))


def judged(name: str, score: float) -> Judgement:
    score = min(1.0, max(0.0, score))
    return Judgement(name, score, RULE.verdict(score))


@dataclass(frozen=True)
class Scoring:
    """A judge that is a formula; it knows nothing of any protocol but name and judge."""

    name: str
    formula: Callable[[OpinionProfile], float]

    def judge(self, profile: OpinionProfile) -> Judgement:
        return judged(self.name, self.formula(profile))


def stance(profile: OpinionProfile, place: int = 0) -> float:
    held = profile.stances[place]
    return (held.prior or 0.0) if held.posterior is None else held.posterior


def mean_stance(profile: OpinionProfile) -> float:
    return MeanStance().judge(profile).score or 0.0


def counting() -> Iterator[float]:
    return itertools.cycle(
        (0.0, 0.02, -0.02, 0.01, -0.03, 0.03, -0.01)
    )  # seven: no number of debates in use repeats it


@dataclass(frozen=True)
class NoisyJudge:
    """Says another score each time that it is asked, and yet the same verdict: it moves half the way there at most."""

    name: str = "noisy"
    noise: Iterator[float] = field(default_factory=counting, compare=False)

    def judge(self, profile: OpinionProfile) -> Judgement:
        sound = mean_stance(profile)
        most = abs(sound - RULE.threshold) / 2
        return judged(self.name, sound + max(-most, min(most, next(self.noise))))


@dataclass(frozen=True)
class TemperedJudge:
    """Has a temperature, and turns its verdict with it."""

    temperature: float = 1.0
    name: str = "tempered"

    def judge(self, profile: OpinionProfile) -> Judgement:
        sound = mean_stance(profile)
        return judged(self.name, sound if self.temperature <= 1.0 else 1.0 - sound)


def order_biased(profile: OpinionProfile) -> float:
    """Believe the agent who speaks first."""
    return stance(profile)


def pro_total(profile: OpinionProfile) -> float:
    return math.fsum(a.base_score or 0.0 for a in profile.arguments if "-pro-" in a.id)


def contrarian(profile: OpinionProfile) -> float:
    """Take the agents' side, and be the less sure of it, or the surer that it is False, the stronger the pros are."""
    sound = mean_stance(profile)
    floor = 0.5 if RULE.verdict(sound) is Verdict.TRUE else 0.0
    return floor + (sound - floor) * (1.0 - pro_total(profile) / 12)


def nervous(profile: OpinionProfile) -> float:
    """Turn with the hundredths of the base scores, upwards: a change of any of them may turn the verdict."""
    return 0.8 if round(100 * pro_total(profile)) % 2 else 0.2


def hallucinating(profile: OpinionProfile) -> float:
    """Say the opposite of all agents where these agree, and the mean of them elsewhere."""
    stances = [stance(profile, place) for place in range(len(profile.stances))]
    verdicts = {RULE.verdict(one) for one in stances}
    mean = sum(sorted(stances)) / len(stances)
    return 1.0 - mean if len(verdicts) == 1 else mean
