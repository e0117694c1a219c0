"""Every kind of perturbation by name, and a perturbation out of plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import InvalidSetting
from core.perturbations.agents import AgentOrder, ArrangeAgents, DuplicateAgent, RenameAgents, ReorderArguments
from core.perturbations.arguments import AddArgument, RemoveArgument
from core.perturbations.combined import Composition, GivenEdits
from core.perturbations.noise import Noise
from core.perturbations.perturbation import Perturbation
from core.perturbations.scores import ShiftScores, ShiftStances

DEEPEST = 8  # levels of compositions in compositions

_CLASSES: tuple[type[Perturbation], ...] = (
    ShiftScores,
    ShiftStances,
    Noise,
    AddArgument,
    RemoveArgument,
    AgentOrder,
    ArrangeAgents,
    ReorderArguments,
    DuplicateAgent,
    RenameAgents,
    Composition,
    GivenEdits,
)
PERTURBATIONS: dict[str, type[Perturbation]] = {one.kind: one for one in _CLASSES}


def perturbation_of(record: object, depth: int = DEEPEST) -> Perturbation:
    """Return the perturbation that ``to_json`` wrote, or that a person did; what is absent takes its default.

    Raises:
        InvalidSetting: If the kind is unknown, or a value is not one it can have.
    """
    if not isinstance(record, Mapping):
        raise InvalidSetting("A perturbation is a mapping with a kind, such as kind: shift base scores and pros: 0.1.")
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in PERTURBATIONS:
        raise InvalidSetting(f"There is no perturbation {kind!r}; there are {', '.join(PERTURBATIONS)}.")
    values: dict[str, Any] = {key: value for key, value in record.items() if key != "kind"}
    if kind == Composition.kind:
        parts = values.get("parts")
        if not isinstance(parts, list) or depth <= 0:
            raise InvalidSetting(f"A composition has a list of parts, at most {DEEPEST} levels deep.")
        values["parts"] = tuple(perturbation_of(part, depth - 1) for part in parts)
    try:
        return PERTURBATIONS[kind](**values)
    except InvalidSetting:
        raise
    except (TypeError, ValueError) as error:
        raise InvalidSetting(f"The perturbation {kind!r} cannot be made of {values!r}: {error}.") from error
