"""Changes of profiles and of judges, as values that can be kept, passed on and replayed."""

from __future__ import annotations

from core.perturbations.agents import AgentOrder, ArrangeAgents, DuplicateAgent, RenameAgents, ReorderArguments
from core.perturbations.arguments import AddArgument, Choice, RemoveArgument
from core.perturbations.combined import Composition, GivenEdits
from core.perturbations.direction import Direction
from core.perturbations.judge_edit import JudgeEdit, JudgeEditKind
from core.perturbations.noise import Distance, Noise
from core.perturbations.perturbation import Perturbation, Perturbed
from core.perturbations.registry import PERTURBATIONS, perturbation_of
from core.perturbations.scores import ShiftScores, ShiftStances, StanceKind

__all__ = [
    "PERTURBATIONS",
    "AddArgument",
    "AgentOrder",
    "ArrangeAgents",
    "Choice",
    "Composition",
    "Direction",
    "Distance",
    "DuplicateAgent",
    "GivenEdits",
    "JudgeEdit",
    "JudgeEditKind",
    "Noise",
    "Perturbation",
    "Perturbed",
    "RemoveArgument",
    "RenameAgents",
    "ReorderArguments",
    "ShiftScores",
    "ShiftStances",
    "StanceKind",
    "perturbation_of",
]
