"""What is known of a judge without any test: shown with its reason, and tested all the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.comparison.population import Mask
from core.judges.recorded_judge import RecordedJudge
from core.judges.semantics_judge import ScoreAggregation, SemanticsJudge
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.perturbations.agents import ReorderArguments
from core.perturbations.arguments import AddArgument, RemoveArgument
from core.perturbations.combined import Composition, GivenEdits
from core.perturbations.judge_edit import AnyKind
from core.perturbations.noise import Noise
from core.perturbations.perturbation import Perturbation
from core.perturbations.scores import ShiftScores
from core.properties.contestability import Contestability
from core.properties.debate_set import DebateSet
from core.properties.groundedness import JudgeUnanimity, NonHallucination, StanceSource
from core.properties.property import Property
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.robustness import ProfileRobustness
from core.semantics import SEMANTICS
from core.semantics import Property as SemanticsProperty

_OF_ARGUMENTS = (ShiftScores, AddArgument, RemoveArgument, Noise, ReorderArguments)
_JOINED = {
    ScoreAggregation.MEAN: "a mean",
    ScoreAggregation.MEDIAN: "a median",
    ScoreAggregation.MIN: "a minimum",
    ScoreAggregation.MAX: "a maximum",
    ScoreAggregation.MAJORITY: "a share of True verdicts",
}
Vote = MajorityVote | MeanStance | WeightedVote


@dataclass(frozen=True)
class Proof:
    """Why a judge has a property.

    Attributes:
        reason: In sentences.
        acyclic_only: Whether this holds only where no arguments bear on each other in a circle.
    """

    reason: str
    acyclic_only: bool = False

    def covers(self, debates: DebateSet) -> Mask:
        """Return the debates that the proof is about, shape (D,)."""
        return ~debates.arrays.cyclic if self.acyclic_only else np.ones(len(debates), dtype=bool)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {"reason": self.reason, "acyclic_only": self.acyclic_only}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Proof:
        """Return what ``to_json`` wrote."""
        return cls(str(record["reason"]), bool(record["acyclic_only"]))


def proof(tested: Property, judge: AnyKind | RecordedJudge) -> Proof | None:
    """Return why a judge has a property; None where nothing is known."""
    if not isinstance(judge, SemanticsJudge | MajorityVote | MeanStance | WeightedVote):
        return None
    match tested:
        case Determinism():
            return Proof("The score is a formula of the profile; nothing in it is drawn.")
        case PermutationIndependence():
            return _permutation_independence(judge)
        case Contestability():
            if isinstance(judge, SemanticsJudge):
                return _monotone(judge, tested)
            return _monotone_vote(judge, tested)
        case ProfileRobustness() if not isinstance(judge, SemanticsJudge):
            return _untouched_vote(tested.perturbations)
        case NonHallucination() | JudgeUnanimity():
            return _grounded(judge, tested.stance)
    return None


def _permutation_independence(judge: SemanticsJudge | Vote) -> Proof:
    if isinstance(judge, SemanticsJudge):
        return Proof(
            f"{SEMANTICS[judge.semantics].label} takes supporters and attackers of an argument as two sets, and the "
            f"agents' scores are joined by {_JOINED[judge.aggregation]}: no order is part of the formula."
        )
    return Proof("The agents' stances are counted or averaged as a set: no order is part of the formula.")


def _monotone(judge: SemanticsJudge, tested: Contestability) -> Proof | None:
    """Return why a semantics judge never lowers its score for more support.

    Sources: Rago et al. (2016) for DF-QuAD, Potyka (2018) for quadratic energy; what a semantics claims of itself is
    tested on generated graphs.
    """
    family = SEMANTICS[judge.semantics]
    if SemanticsProperty.MONOTONICITY not in family.properties:
        return None
    if any(isinstance(part, GivenEdits) for one in tested.perturbations for part in _parts(one)):
        return None
    return Proof(
        f"{family.label} is monotone: a stronger pro, a weaker con or a higher base score never lowers a strength, and "
        f"{_JOINED[judge.aggregation]} of scores keeps that. Where no arguments bear on each other in a circle, this "
        "carries up to the claim.",
        acyclic_only=True,
    )


def _monotone_vote(judge: Vote, tested: Contestability) -> Proof | None:
    untouched = _untouched_vote(tested.perturbations)
    if untouched is not None:
        return untouched
    parts = [part for one in tested.perturbations for part in _parts(one)]
    if any(isinstance(part, GivenEdits) for part in parts):
        return None
    if isinstance(judge, WeightedVote) and not judge.weights:
        return None  # a stance that moves also changes its own weight
    return Proof("A mean or count of stances never falls when stances rise, and reads no argument.")


def _untouched_vote(changes: tuple[Perturbation, ...]) -> Proof | None:
    if all(isinstance(part, _OF_ARGUMENTS) for one in changes for part in _parts(one)):
        return Proof("A vote reads stances only, so no change of arguments moves its score.")
    return None


def _grounded(judge: SemanticsJudge | Vote, stance: StanceSource) -> Proof | None:
    if isinstance(judge, SemanticsJudge) or judge.rule.abstention or stance is not StanceSource.LATEST:
        return None
    if isinstance(judge, MajorityVote):
        return Proof("A vote that is won by nobody has no share, so the verdict is one that an agent voted for.")
    return Proof("A mean lies between the lowest and the highest stance, so at least one of them has its verdict.")


def _parts(one: Perturbation) -> tuple[Perturbation, ...]:
    if isinstance(one, Composition):
        return tuple(part for inner in one.parts for part in _parts(inner))
    return (one,)
