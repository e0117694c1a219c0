"""Which debates judges are tested on: stored ones, or simulated ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.debate import DebateProtocol
from core.errors import InvalidSetting
from core.llm.request import canonical
from core.simulation.settings import Simulation

ALL = "All data sets"


@dataclass(frozen=True)
class Source:
    """Debates.

    Attributes:
        dataset: A data set's id; empty for all of them.
        protocol: Only debates of this protocol; None for any.
        limit: Only the first so many, in the order of import; None for all.
        simulation: How to make debates up instead.
    """

    dataset: str = ""
    protocol: DebateProtocol | None = None
    limit: int | None = None
    simulation: Simulation | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and (isinstance(self.limit, bool) or self.limit < 1):
            raise InvalidSetting(f"The number of debates is {self.limit!r}; it must be at least 1.")

    @property
    def simulated(self) -> bool:
        """Return whether the debates are made up; whatever is shown of them has to say so."""
        return self.simulation is not None

    def within(self, other: Source) -> bool:
        """Return whether its debates are sure to be among another's."""
        if self.simulation is not None or other.simulation is not None:
            return self.simulation == other.simulation
        return (
            other.dataset in ("", self.dataset)
            and other.protocol in (None, self.protocol)
            and (other.limit is None or self == other)
        )

    def words(self, dataset_name: str = "") -> str:
        """Return which debates they are, in words; ``dataset_name`` is what to call the data set."""
        if self.simulation is not None:
            made = self.simulation
            return (
                f"simulated: {made.debates:,} debates, {made.agents} agents, {made.rounds} "
                f"round{'s' if made.rounds != 1 else ''}, accuracy {made.accuracy:g}, correlation "
                f"{made.correlation:g}, seed {made.seed}"
            )
        parts = [dataset_name or self.dataset or ALL]
        parts += [self.protocol.value] if self.protocol is not None else []
        parts += [f"the first {self.limit:,}"] if self.limit is not None else []
        return ", ".join(parts)

    @property
    def key(self) -> str:
        """Return a text that is the same for the same debates asked for."""
        return hashlib.sha256(canonical(self.to_json()).encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values, without what is not set."""
        found: dict[str, Any] = {}
        if self.dataset:
            found["dataset"] = self.dataset
        if self.protocol is not None:
            found["protocol"] = self.protocol.value
        if self.limit is not None:
            found["limit"] = self.limit
        if self.simulation is not None:
            found["simulation"] = self.simulation.to_json()
        return found

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Source:
        """Return what ``to_json`` wrote.

        Raises:
            InvalidSetting: If it is none.
        """
        try:
            protocol, simulation = record.get("protocol"), record.get("simulation")
            return cls(
                str(record.get("dataset", "")),
                None if protocol is None else DebateProtocol(protocol),
                record.get("limit"),
                None if simulation is None else Simulation.from_json(simulation),
            )
        except (AttributeError, TypeError, ValueError) as error:
            raise InvalidSetting(f"These are no debates to test on: {error}.") from error


__all__ = ["ALL", "Source"]
