"""Who judges the debates of a run once they are complete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.llm.endpoint import Endpoint
from core.runs.plan import Budget


@dataclass(frozen=True)
class Afterwards:
    """What is to happen once all debates of a run have an outcome.

    Attributes:
        judges: Ids of stored judges; none for no judging.
        endpoints: How the judges' endpoints are to be treated.
        budget: Limits of the judging, which has a run of its own.
    """

    judges: tuple[str, ...] = ()
    endpoints: tuple[Endpoint, ...] = ()
    budget: Budget = field(default_factory=Budget)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values; ``from_json`` reads them."""
        return {
            "judges": list(self.judges),
            "endpoints": [endpoint.to_json() for endpoint in self.endpoints],
            "budget": self.budget.to_json(),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Afterwards:
        """Return what ``to_json`` wrote; what is absent is nothing."""
        return cls(
            tuple(record.get("judges", ())),
            tuple(Endpoint.from_json(one) for one in record.get("endpoints", ())),
            Budget.from_json(record.get("budget", {})),
        )


__all__ = ["Afterwards"]
