"""Debates to table columns and back; no SQL in here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
import pyarrow as pa

from core.debate import Agent, Debate, DebateProtocol, Round, profile
from core.import_issue import IssueLog
from core.native import debate_from_json, debate_to_line
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.strict_json import dumps, storable
from storage.debate_filter import folded

_TEXT, _NUMBER, _COUNT, _FLAG = pa.string(), pa.float64(), pa.int32(), pa.bool_()
_KEY: tuple[tuple[str, pa.DataType], ...] = (("debate", pa.int64()),)
_PLACE = (*_KEY, ("round_index", _COUNT), ("round", _COUNT), ("position", _COUNT))

COLUMNS: dict[str, tuple[tuple[str, pa.DataType], ...]] = {
    "debate": (
        ("number", pa.int64()),
        ("id", _TEXT),
        ("source_id", _TEXT),
        ("dataset_id", _TEXT),
        ("position", pa.int64()),
        ("claim_id", _TEXT),
        ("claim", _TEXT),
        ("title", _TEXT),
        ("label", _FLAG),
        ("protocol", _TEXT),
        ("note", _TEXT),
        ("tags", pa.list_(_TEXT)),
        ("models", pa.list_(_TEXT)),
        ("round_count", _COUNT),
        ("agent_count", _COUNT),
        ("argument_count", _COUNT),
        ("pro_count", _COUNT),
        ("con_count", _COUNT),
        ("relation_count", _COUNT),
        ("stances", pa.list_(_NUMBER)),
        ("message_count", _COUNT),
        ("judgement_count", _COUNT),
        ("search_text", _TEXT),
        ("record", _TEXT),
    ),
    "agent": (
        *_KEY,
        ("position", _COUNT),
        ("id", _TEXT),
        ("name", _TEXT),
        ("model", _TEXT),
        ("role", _TEXT),
        ("persona", _TEXT),
        ("temperature", _NUMBER),
    ),
    "stance": (*_PLACE, ("agent_id", _TEXT), ("prior", _NUMBER), ("posterior", _NUMBER)),
    "argument": (
        *_PLACE,
        ("id", _TEXT),
        ("text", _TEXT),
        ("author", _TEXT),
        ("base_score", _NUMBER),
        ("source_id", _TEXT),
        ("base_score_raw", _TEXT),
        ("last_edited_by", _TEXT),
        ("is_error_text", _FLAG),
        ("source", _TEXT),
    ),
    "relation": (*_PLACE, ("source", _TEXT), ("target", _TEXT), ("kind", _TEXT)),
    "message": (
        *_KEY,
        ("position", _COUNT),
        ("speaker", _TEXT),
        ("text", _TEXT),
        ("round", _COUNT),
        ("role", _TEXT),
        ("model", _TEXT),
    ),
    "recorded_judgement": (
        *_KEY,
        ("position", _COUNT),
        ("judge", _TEXT),
        ("kind", _TEXT),
        ("score", _NUMBER),
        ("verdict", _TEXT),
        ("status", _TEXT),
        ("explanation", _TEXT),
        ("settings", _TEXT),
    ),
}


class _Rows:
    """Rows of one table that belong to debates, kept as what is common to a stretch of them and what is not."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.heads: list[tuple[int, ...]] = []  # the key columns before ``position``, one tuple a stretch
        self.values: list[tuple[Any, ...]] = []  # the other columns, one tuple a row

    def add(self, head: tuple[int, ...], values: Iterable[tuple[Any, ...]]) -> None:
        before = len(self.values)
        self.values.extend(values)
        if len(self.values) > before:
            self.heads.append(head)
            self.lengths.append(len(self.values) - before)

    def columns(self) -> list[Sequence[Any]]:
        lengths = np.array(self.lengths)
        heads = [np.repeat(np.array(column), lengths) for column in zip(*self.heads, strict=True)]
        starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
        positions = np.arange(len(self.values)) - starts  # 0, 1, 2, ... in each stretch
        return [*heads, positions, *zip(*self.values, strict=True)]


# What a row of each table takes from its value, in the order of the columns after ``position``. attrgetter makes the
# tuple of a row several times faster than Python code would, and there are millions of them.
_FIELDS = {
    "agent": attrgetter("id", "name", "model", "role", "persona", "temperature"),
    "stance": attrgetter("agent_id", "prior", "posterior"),
    "argument": attrgetter(
        "id",
        "text",
        "author",
        "base_score",
        "source_id",
        "base_score_raw",
        "last_edited_by",
        "is_error_text",
        "source",
    ),
    "relation": attrgetter("source", "target", "kind"),
    "message": attrgetter("speaker", "text", "round", "role", "model"),
}


class DebateRows:
    """Rows of many debates, gathered table by table and turned into Arrow tables at once."""

    def __init__(self, dataset_id: str) -> None:
        self._dataset_id = dataset_id
        self._debates: list[tuple[Any, ...]] = []
        self._rows = {table: _Rows() for table in COLUMNS if table != "debate"}

    def add(self, debate: Debate, number: int, stored_id: str, position: int) -> None:
        """Add one debate's rows.

        Args:
            debate: As it was read; its own id is kept as the source's.
            number: Its key in the database.
            stored_id: Its id in the database.
            position: Its place in the file.

        Raises:
            InvalidGraph: If its last round lists an argument or agent twice.
        """
        self._debates.append(self._debate_row(debate, number, stored_id, position))
        self._add("agent", (number,), debate.agents)
        for index, one in enumerate(debate.rounds):
            place = (number, index, one.number)
            self._add("stance", place, one.stances)
            self._add("argument", place, one.arguments)
            self._add("relation", place, one.relations)
        self._add("message", (number,), debate.transcript)
        self._rows["recorded_judgement"].add(
            (number,),
            [
                (j.judge, j.kind, j.score, j.verdict, j.status, j.explanation, dumps(dict(j.settings)))
                for j in debate.judgements
            ],
        )

    def tables(self) -> dict[str, pa.Table]:
        """Return the Arrow tables that have rows, by the name of the database's table."""
        columns = {name: rows.columns() for name, rows in self._rows.items() if rows.values}
        if self._debates:
            columns["debate"] = list(zip(*self._debates, strict=True))
        return {name: _table(COLUMNS[name], values) for name, values in columns.items()}

    def _add(self, table: str, head: tuple[int, ...], values: Iterable[object]) -> None:
        self._rows[table].add(head, map(_FIELDS[table], values))

    def _debate_row(self, debate: Debate, number: int, stored_id: str, position: int) -> tuple[Any, ...]:
        last = profile(debate)
        known = {argument.id for argument in last.arguments}
        sides = {
            kind: len({r.source for r in last.relations if r.target == TOPIC and r.kind is kind and r.source in known})
            for kind in RelationKind
        }
        return (
            number,
            stored_id,
            debate.id,
            self._dataset_id,
            position,
            debate.claim_id,
            debate.claim,
            debate.title,
            debate.label,
            debate.protocol,
            debate.note,
            list(debate.tags),
            list(dict.fromkeys(agent.model for agent in debate.agents if agent.model)),
            len(debate.rounds),
            len(debate.agents),
            len(last.arguments),
            sides[RelationKind.SUPPORT],
            sides[RelationKind.ATTACK],
            len(last.relations),
            [s.prior if s.posterior is None else s.posterior for s in last.stances],
            len(debate.transcript),
            len(debate.judgements),
            _search_text(debate),
            record_of(debate),
        )


def argument_count(debate: Debate) -> int:
    """Return how many arguments a debate has; one that comes back in later rounds counts once."""
    if len(debate.rounds) == 1:
        return len(debate.rounds[0].arguments)
    return len({argument.id for one in debate.rounds for argument in one.arguments})


def record_of(debate: Debate) -> str:
    """Return a debate as one line of the native format."""
    return debate_to_line(debate)


def debate_of(record: str, stored_id: str) -> Debate:
    """Return the debate of a stored record, under the id that it has in the database."""
    values: dict[str, Any] = json.loads(record)
    values["debate_id"] = stored_id
    return debate_from_json(values, IssueLog())


def profiles_of(
    debates: Sequence[tuple[int, str, str, str, int]],
    agents: Iterable[tuple[int, str]],
    stances: Iterable[tuple[int, int, str, float | None, float | None]],
    arguments: Iterable[tuple[Any, ...]],
    relations: Iterable[tuple[int, str, str, str]],
) -> dict[str, OpinionProfile]:
    """Return the profiles of the debates' last rounds.

    Args:
        debates: Number, id, claim, protocol and number of rounds.
        agents: Debate number and agent id, in order.
        stances: Debate number, index of the round, agent id, prior, posterior, of all rounds, in order.
        arguments: Debate number, then the fields of an argument, of last rounds, in order.
        relations: Debate number, source, target and kind, of last rounds, in order.
    """
    numbers = [row[0] for row in debates]
    agents_of: dict[int, list[Agent]] = {number: [] for number in numbers}
    arguments_of: dict[int, list[Argument]] = {number: [] for number in numbers}
    relations_of: dict[int, list[Relation]] = {number: [] for number in numbers}
    stances_of: dict[int, dict[int, list[Stance]]] = {number: {} for number in numbers}
    kinds = {str(kind): kind for kind in RelationKind}
    for number, name in agents:
        agents_of[number].append(Agent(name))
    for number, index, name, prior, posterior in stances:
        stances_of[number].setdefault(index, []).append(Stance(name, prior, posterior))
    for number, *fields in arguments:
        arguments_of[number].append(Argument(*fields))
    for number, source, target, kind in relations:
        relations_of[number].append(Relation(source, target, kinds[kind]))
    return {
        name: profile(
            Debate(
                name,
                claim,
                protocol=DebateProtocol(protocol),
                agents=tuple(agents_of[number]),
                rounds=_rounds(stances_of[number], arguments_of[number], relations_of[number], round_count),
            )
        )
        for number, name, claim, protocol, round_count in debates
    }


def _rounds(
    stances: Mapping[int, list[Stance]], arguments: list[Argument], relations: list[Relation], count: int
) -> tuple[Round, ...]:
    """Return rounds with all that a profile of the last one needs: earlier ones have stances only."""
    last = count - 1
    return tuple(
        Round(
            index,
            tuple(stances.get(index, ())),
            tuple(arguments) if index == last else (),
            tuple(relations) if index == last else (),
        )
        for index in range(count)
    )


def _search_text(debate: Debate) -> str:
    texts = [debate.id, debate.title or "", debate.claim]
    texts += [argument.text for one in debate.rounds for argument in one.arguments]
    texts += [message.text for message in debate.transcript]
    return folded("\n".join(dict.fromkeys(texts)))


def _table(columns: Sequence[tuple[str, pa.DataType]], values: Sequence[Sequence[Any]]) -> pa.Table:
    arrays = [_array(column, kind) for column, (_, kind) in zip(values, columns, strict=True)]
    return pa.table(arrays, names=[name for name, _ in columns])


def _array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    try:
        array = pa.array(values, kind)
    except UnicodeEncodeError:  # rare, so only then is every text looked at
        return pa.array([_storable(value) for value in values], kind)
    texts = array.buffers()[-1] if kind == _TEXT else None
    if texts is not None and b"\0" in texts.to_pybytes():
        return pa.array([_storable(value) for value in values], kind)
    return array


def _storable(value: Any) -> Any:
    """Return what the record of the debate holds too: texts without NUL and halves of surrogate pairs."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return value
