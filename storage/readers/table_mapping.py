"""Which column of a table means what. A guess is shown to the person, who can change it and pass it back."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from core.errors import InvalidSetting
from core.score_text import Scale


class Layout(StrEnum):
    """How a table holds debates."""

    LONG = "long"  # one argument a row
    WIDE = "wide"  # one debate a row, with groups of columns


@dataclass(frozen=True)
class ArgumentColumns:
    """The columns of one argument in a wide table."""

    text: str
    polarity: str  # "pro" or "con"
    base_score: str | None = None


@dataclass(frozen=True)
class AgentColumns:
    """The columns of one agent in a wide table. ``agent`` "" means that the columns name nobody."""

    agent: str
    model: str | None = None
    prior: str | None = None
    posterior: str | None = None
    arguments: tuple[ArgumentColumns, ...] = ()


@dataclass(frozen=True)
class TableMapping:
    """Which column of a table means what, by the columns' names as they stand in the file.

    Attributes:
        layout: One argument a row, or one debate a row.
        debate_id, claim_id, claim, label, title, protocol: Columns that say something of the whole debate.
        agent, model, round, prior, posterior: Columns of a long table that say something of one agent in one round.
        argument_id, target, polarity, text, base_score, source: Columns of a long table about the row's argument.
        agents: The groups of a wide table.
        scales: What the bare numbers of a column mean, by column; a column that is not named here is decided by its
            values, and that decision is reported.
        delimiter: Of a text table; "" lets the reader find it.
        encoding: Of a text table; "" lets the reader find it.
        why: For people: what each guess rests on, by column.
    """

    layout: Layout
    debate_id: str | None = None
    claim_id: str | None = None
    claim: str | None = None
    label: str | None = None
    title: str | None = None
    protocol: str | None = None
    agent: str | None = None
    model: str | None = None
    round: str | None = None
    prior: str | None = None
    posterior: str | None = None
    argument_id: str | None = None
    target: str | None = None
    polarity: str | None = None
    text: str | None = None
    base_score: str | None = None
    source: str | None = None
    agents: tuple[AgentColumns, ...] = ()
    scales: Mapping[str, Scale] = field(default_factory=dict)
    delimiter: str = ""
    encoding: str = ""
    why: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the mapping as plain JSON values, without what is empty."""
        values: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if value not in (None, "", (), {}):
                values[item.name] = value
        values["layout"] = self.layout.value
        if self.agents:
            values["agents"] = [_agent_to_json(group) for group in self.agents]
        if self.scales:
            values["scales"] = {column: scale.value for column, scale in self.scales.items()}
        if self.why:
            values["why"] = dict(self.why)
        return values

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> TableMapping:
        """Return the mapping that ``to_json`` wrote.

        Raises:
            InvalidSetting: If the record is no such mapping.
        """
        try:
            values = dict(record)
            values["layout"] = Layout(values["layout"])
            values["agents"] = tuple(_agent_from_json(group) for group in values.get("agents", ()))
            values["scales"] = {column: Scale(scale) for column, scale in values.get("scales", {}).items()}
            return cls(**values)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidSetting(f"This is not a table mapping that Moot knows: {dict(record)!r}.") from error

    def without(self, columns: Container[str]) -> TableMapping:
        """Return the mapping without some columns."""

        def kept(column: str | None) -> str | None:
            return None if column is None or column in columns else column

        groups = tuple(
            AgentColumns(
                group.agent,
                kept(group.model),
                kept(group.prior),
                kept(group.posterior),
                tuple(replace(a, base_score=kept(a.base_score)) for a in group.arguments if a.text not in columns),
            )
            for group in self.agents
        )
        named = {name: kept(getattr(self, name)) for name in COLUMN_FIELDS}
        return replace(self, agents=groups, **named)  # type: ignore[arg-type]

    @property
    def columns(self) -> tuple[str, ...]:
        """Return every column that the mapping uses, in the order of its fields, each once."""
        named = [getattr(self, name) for name in COLUMN_FIELDS]
        for group in self.agents:
            named += [group.model, group.prior, group.posterior]
            named += [column for a in group.arguments for column in (a.text, a.base_score)]
        return tuple(dict.fromkeys(column for column in named if column is not None))

    @property
    def score_columns(self) -> tuple[str, ...]:
        """Return the columns that hold scores and so need a scale, each once."""
        named = [self.prior, self.posterior, self.base_score]
        for group in self.agents:
            named += [group.prior, group.posterior, *(a.base_score for a in group.arguments)]
        return tuple(dict.fromkeys(column for column in named if column is not None))


COLUMN_FIELDS = (
    "debate_id", "claim_id", "claim", "label", "title", "protocol", "agent", "model", "round", "prior", "posterior",
    "argument_id", "target", "polarity", "text", "base_score", "source",
)  # fmt: skip
"""The fields of a mapping that name one column each."""


def _agent_to_json(group: AgentColumns) -> dict[str, Any]:
    written: dict[str, Any] = {"agent": group.agent}
    for name in ("model", "prior", "posterior"):
        if getattr(group, name) is not None:
            written[name] = getattr(group, name)
    written["arguments"] = [
        {"text": a.text, "polarity": a.polarity} | ({} if a.base_score is None else {"base_score": a.base_score})
        for a in group.arguments
    ]
    return written


def _agent_from_json(record: Mapping[str, Any]) -> AgentColumns:
    values = dict(record)
    values["arguments"] = tuple(ArgumentColumns(**columns) for columns in values.get("arguments", ()))
    return AgentColumns(**values)


__all__ = ["COLUMN_FIELDS", "AgentColumns", "ArgumentColumns", "Layout", "TableMapping"]
