"""What an experiment is: judges, debates and properties, which together come to tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.debate import DebateProtocol
from core.errors import InvalidSetting
from core.properties.curves import SIZES, Curve, along
from core.properties.property import Property
from core.properties.registry import usual_properties
from core.simulation.settings import Simulation

MOST_TESTED = 5_000  # judges times properties times parts of the data
ANY_MODEL = "language model"  # stands for the stored language model that has answered most of what is asked


@dataclass(frozen=True)
class JudgeChoice:
    """A judge, or several, of an experiment.

    Attributes:
        settings: A judge's settings, as a file of judges has them; empty where a stored one is meant.
        stored: A stored judge's name, title or id, or ``ANY_MODEL``; empty where the settings say all.
        changes: Settings that take the place of the stored judge's own.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    stored: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """Return what it is, in a few words."""
        shown = {**self.changes} if self.stored else {**self.settings}
        named = self.stored or str(shown.pop("kind", "judge"))
        return ", ".join([named, *(f"{key} {value}" for key, value in shown.items())])

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values, as a file has it."""
        return {"stored": self.stored, **self.changes} if self.stored else dict(self.settings)


@dataclass(frozen=True)
class Experiment:
    """An experiment.

    Attributes:
        name: For people.
        judges: At least one.
        properties: At least one; the seven as they are usually tested unless given.
        about: A sentence for people.
        dataset: A data set's name or id; empty for all of them.
        protocols: Debates of each of these are tested by themselves; empty for all debates together.
        limit: Only the first so many debates of each part.
        simulation: How to make debates up instead.
        seed: Of everything that is drawn.
        tolerance: Up to which difference two scores are the same; what is usual for each judge unless given.
        curve: Also tests profile robustness along changes of growing size.
        sizes: Of those changes.
        table: The published table whose layout the results fill; None for none.
    """

    name: str
    judges: tuple[JudgeChoice, ...]
    properties: tuple[Property, ...] = field(default_factory=usual_properties)
    about: str = ""
    dataset: str = ""
    protocols: tuple[DebateProtocol, ...] = ()
    limit: int | None = None
    simulation: Simulation | None = None
    seed: int = 0
    tolerance: float | None = None
    curve: Curve | None = None
    sizes: tuple[float, ...] = SIZES
    table: int | None = None

    def __post_init__(self) -> None:
        if not self.judges:
            raise InvalidSetting("An experiment needs at least one judge.")
        if not self.properties and self.curve is None:
            raise InvalidSetting("An experiment needs at least one property, or a curve.")
        if self.simulation is not None and (self.dataset or self.protocols or self.limit is not None):
            raise InvalidSetting("Simulated debates have no data set, protocols or limit beside them.")
        if self.curve is not None:
            along(self.curve, self.sizes)  # says which size cannot be
        count = len(self.judges) * len(self.tested) * max(1, len(self.protocols))
        if count > MOST_TESTED:
            raise InvalidSetting(f"The experiment comes to {count:,} tests; there may be {MOST_TESTED:,}.")

    @property
    def tested(self) -> tuple[Property, ...]:
        """Return all properties to test, that of the curve last."""
        return self.properties if self.curve is None else (*self.properties, along(self.curve, self.sizes))

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values, as a file has them; without what is as usual."""
        data: dict[str, Any] = {}
        if self.simulation is not None:
            data["simulation"] = self.simulation.to_json()
        if self.dataset:
            data["dataset"] = self.dataset
        if self.protocols:
            data["protocols"] = [one.value for one in self.protocols]
        if self.limit is not None:
            data["limit"] = self.limit
        found: dict[str, Any] = {"name": self.name}
        if self.about:
            found["about"] = self.about
        if self.table is not None:
            found["table"] = self.table
        if data:
            found["data"] = data
        found["judges"] = [one.to_json() for one in self.judges]
        found["properties"] = [one.to_json() for one in self.properties]
        if self.curve is not None:
            found |= {"curve": self.curve.value, "sizes": list(self.sizes)}
        if self.tolerance is not None:
            found["tolerance"] = self.tolerance
        return found | {"seed": self.seed}


__all__ = ["ANY_MODEL", "Experiment", "JudgeChoice"]
