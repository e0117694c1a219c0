"""What simulated debates are like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from core.debate import DebateProtocol
from core.errors import InvalidSetting

MOST_DEBATES = 1_000_000
MOST_AGENTS = 1_000
MOST_ROUNDS = 100
MOST_ARGUMENTS = 100


@dataclass(frozen=True)
class Simulation:
    """How to make debates up. The same settings always make the same debates.

    Attributes:
        debates: How many.
        agents: In each.
        pros, cons: Of each agent in each round.
        rounds: 1 for single-turn debates.
        accuracy: How often an agent's first stance is on the right side, in [0, 1]; that of every agent.
        confidence_slope: How sure agents say they are, against how sure they could be: 1 is calibrated, more is
            overconfident, less is underconfident; 0 means that all are neutral. The slope is that of the log-odds.
        correlation: How much agents err together, in [0, 1]: of the normal variables that decide who is right. At 0
            they err independently; at 1 those who are equally sure err on the same claims.
        openness: How far a stance moves towards the others' mean from round to round, in [0, 1].
        noise: Standard deviation of base scores around what the stance suggests, and of stances from round to round.
        true_share: Share of claims that are true, in [0, 1].
        shared: Whether several rounds share one framework.
        seed: Of everything that is drawn.

    Raises:
        InvalidSetting: If a value lies outside its range.
    """

    debates: int = 500
    agents: int = 3
    pros: int = 1
    cons: int = 1
    rounds: int = 1
    accuracy: float = 0.7
    confidence_slope: float = 1.0
    correlation: float = 0.3
    openness: float = 0.3
    noise: float = 0.1
    true_share: float = 0.5
    shared: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        limits = {"debates": (1, MOST_DEBATES), "agents": (1, MOST_AGENTS), "rounds": (1, MOST_ROUNDS)}
        limits |= {"pros": (0, MOST_ARGUMENTS), "cons": (0, MOST_ARGUMENTS), "seed": (0, 2**32 - 1)}
        for name, (least, most) in limits.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise InvalidSetting(
                    f"The setting {name!r} is {value!r}; it must be a whole number in [{least}, {most}]."
                )
        shares = ("accuracy", "correlation", "openness", "noise", "true_share")
        for name in (*shares, "confidence_slope"):
            value, most = getattr(self, name), 10 if name == "confidence_slope" else 1
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= most:
                raise InvalidSetting(f"The setting {name!r} is {value!r}; it must be a number in [0, {most}].")
            object.__setattr__(self, name, float(value))
        if not isinstance(self.shared, bool):
            raise InvalidSetting(f"The setting 'shared' is {self.shared!r}; it must be true or false.")

    @property
    def protocol(self) -> DebateProtocol:
        """Return the protocol that the debates stand for."""
        if self.rounds == 1 and not self.shared:
            return DebateProtocol.SINGLE_TURN
        return DebateProtocol.MULTI_TURN_SHARED if self.shared else DebateProtocol.MULTI_TURN_PRIVATE

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Simulation:
        """Return the settings that ``to_json`` wrote, or that a person did; what is absent takes its default.

        Raises:
            InvalidSetting: If a name is unknown, or a value lies outside its range.
        """
        unknown = sorted(set(record) - {field.name for field in fields(cls)})
        if unknown:
            raise InvalidSetting(f"A simulation has no setting {unknown[0]!r}.")
        return cls(**record)
