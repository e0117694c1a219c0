"""Native records straight to rows, without a value for every argument: for records in which nothing is to be mended.

A million arguments take a few seconds this way. What is taken here is exactly what the native reader, ``DebateRows``
and ``record_of`` would make of it; everything else is turned down and goes the long way. Tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa

from core.debate import DebateProtocol
from core.native import FORMAT
from core.opinion import TOPIC, RelationKind
from core.strict_json import dumps, storable, trouble
from storage.debate_filter import folded
from storage.rows import COLUMNS

Record = Mapping[str, Any]

# Keys in the order in which they are written, and those among them that must be there.
_DEBATE = (
    "format", "debate_id", "protocol", "claim_id", "claim", "label", "title", "note", "tags", "agents", "rounds",
    "provenance",
)  # fmt: skip
_DEBATE_NEEDS = frozenset({"format", "debate_id", "protocol", "claim", "label", "agents", "rounds"})
_AGENT = ("agent_id", "name", "model", "role", "persona")
_ROUND = ("round", "stances", "arguments")
_STANCE = ("agent_id", "prior", "posterior")
_ARGUMENT = ("id", "author", "text", "base_score", "supports", "attacks")
_PROTOCOLS = frozenset(protocol.value for protocol in DebateProtocol)
_HIGHEST_ROUND = 10**9
_SUPPORT, _ATTACK = RelationKind.SUPPORT.value, RelationKind.ATTACK.value
_NOT_PLAIN = "-0.0"  # in a record's line: perhaps a score that would be written as 0.0


@lru_cache(maxsize=256)
def _fits(keys: tuple[str, ...], order: tuple[str, ...], needed: frozenset[str]) -> bool:
    """Return whether keys are some of an order, in that order, with all that must be there."""
    return keys == tuple(key for key in order if key in keys) and needed <= set(keys)


_AGENT_NEEDS = frozenset({"agent_id"})
_ROUND_NEEDS = frozenset({"round"})
_ARGUMENT_NEEDS = frozenset({"id", "text"})


class PlainRows:
    """Rows of native records, column by column."""

    def __init__(self, dataset_id: str) -> None:
        self._dataset_id = dataset_id
        self._debates: list[tuple[Any, ...]] = []
        self._agents: list[Record] = []
        self._stances: list[Record] = []
        self._arguments: list[Record] = []
        self._relations: list[tuple[str, str, str]] = []
        self._agent_counts: list[tuple[int, int]] = []  # number of the debate, and how many
        self._places: dict[str, list[tuple[int, int, int, int]]] = {"stance": [], "argument": [], "relation": []}
        self.argument_count = 0

    def __len__(self) -> int:
        return len(self._debates)

    def add(self, record: Any, number: int, position: int) -> bool:
        """Take in a record; False, and nothing is taken in, where it must go the long way.

        Args:
            record: What a line of a native file says, as plain JSON values.
            number: Its key in the database.
            position: Its place in the file.
        """
        if type(record) is not dict or not _fits(tuple(record), _DEBATE, _DEBATE_NEEDS):
            return False
        get = record.get
        agents, rounds, claim, name = record["agents"], record["rounds"], record["claim"], record["debate_id"]
        label, tags, provenance = record["label"], get("tags"), get("provenance")
        if not (
            record["format"] == FORMAT
            and type(name) is str
            and name
            and type(claim) is str
            and claim.strip()
            and type(record["protocol"]) is str
            and record["protocol"] in _PROTOCOLS
            and (label is None or label is True or label is False)
            and _texts(record, "claim_id", "title", "note")
            and ("tags" not in record or (type(tags) is list and tags and all(type(tag) is str for tag in tags)))
            and (provenance is None or (type(provenance) is dict and provenance and trouble(provenance) is None))
            and ("provenance" in record) is (provenance is not None)
            and type(agents) is list
            and agents
            and type(rounds) is list
            and rounds
        ):
            return False
        known = _names(agents)
        if known is None:
            return False
        before = -_HIGHEST_ROUND - 1
        relations: list[tuple[str, str, str]] = []
        stances: list[Record] = []
        holders: set[str | None] = set()
        texts: list[str] = []
        ids_of_all: set[str] = set()
        places: list[tuple[int, int, int]] = []
        arguments: list[Record] = []
        for one in rounds:
            if type(one) is not dict or not _fits(tuple(one), _ROUND, _ROUND_NEEDS):
                return False
            given = one.get("stances", _NOTHING)
            held = one.get("arguments", _NOTHING)
            if type(one["round"]) is not int or not before < one["round"] <= _HIGHEST_ROUND:
                return False
            before = one["round"]
            if not _plain_stances(given, one) or type(held) is not list or (not held and "arguments" in one):
                return False
            between = _plain_arguments(held)
            if between is None:
                return False
            own, ids = between
            places.append((len(given), len(held), len(own)))
            stances += given
            arguments += held
            relations += own
            holders.update(stance["agent_id"] for stance in given)
            texts += [argument["text"] for argument in held]
            ids_of_all |= ids
        line = dumps(record)
        if _NOT_PLAIN in line:
            return False
        last = places[-1]
        final = arguments[len(arguments) - last[1] :]
        bearing = relations[len(relations) - last[2] :]
        holders.update(argument.get("author") for argument in final)
        self._debates.append(
            (
                number,
                name,
                name,
                self._dataset_id,
                position,
                get("claim_id"),
                claim,
                get("title"),
                label,
                record["protocol"],
                get("note"),
                tags or [],
                list(dict.fromkeys(agent["model"] for agent in agents if "model" in agent)),
                len(rounds),
                len(agents),
                last[1],
                len({source for source, target, kind in bearing if target == TOPIC and kind == _SUPPORT}),
                len({source for source, target, kind in bearing if target == TOPIC and kind == _ATTACK}),
                last[2],
                _latest(agents, stances, last[0], holders),
                0,
                0,
                folded("\n".join(dict.fromkeys([name, get("title") or "", claim, *texts]))),
                line,
            )
        )
        self._agents += agents
        self._agent_counts.append((number, len(agents)))
        for index, (one, counts) in enumerate(zip(rounds, places, strict=True)):
            for table, count in zip(("stance", "argument", "relation"), counts, strict=True):
                if count:
                    self._places[table].append((count, number, index, one["round"]))
        self._stances += stances
        self._arguments += arguments
        self._relations += relations
        self.argument_count += len(ids_of_all)
        return True

    def tables(self) -> dict[str, pa.Table]:
        """Return the Arrow tables that have rows, by the name of the database's table."""
        found: dict[str, pa.Table] = {}
        if self._debates:
            found["debate"] = table_of_columns("debate", list(zip(*self._debates, strict=True)))
            counts = np.array([count for _, count in self._agent_counts])
            numbers = np.repeat(np.array([number for number, _ in self._agent_counts]), counts)
            agents = [_column(self._agents, name) for name in ("agent_id", "name", "model", "role", "persona")]
            found["agent"] = table_of_columns("agent", [numbers, _positions(counts), *agents, None])
        for table, values in (
            ("stance", lambda: [_column(self._stances, name) for name in _STANCE]),
            ("argument", self._argument_columns),
            ("relation", lambda: list(zip(*self._relations, strict=True))),
        ):
            if self._places[table]:
                counts, *heads = (np.array(column) for column in zip(*self._places[table], strict=True))
                keys = [np.repeat(head, counts) for head in heads]
                found[table] = table_of_columns(table, [*keys, _positions(counts), *values()])
        return found

    def _argument_columns(self) -> list[Any]:
        own = {name: _column(self._arguments, name) for name in ("id", "text", "author", "base_score")}
        return [
            own["id"],
            own["text"],
            own["author"],
            own["base_score"],
            None,
            None,
            None,
            np.zeros(len(self._arguments), dtype=bool),
            None,
        ]


_NOTHING: list[Record] = []


def _names(agents: Sequence[Any]) -> set[str] | None:
    """Return the ids of plain agents; None where one is not."""
    names: set[str] = set()
    for agent in agents:
        if type(agent) is not dict or not _fits(tuple(agent), _AGENT, _AGENT_NEEDS):
            return None
        if not all(type(value) is str and value for value in agent.values()):
            return None
        names.add(agent["agent_id"])
    return names if len(names) == len(agents) else None


def _plain_stances(stances: Any, one: Record) -> bool:
    if type(stances) is not list or (not stances and "stances" in one):
        return False
    names = set()
    for stance in stances:
        if type(stance) is not dict or not _fits(tuple(stance), _STANCE, _AGENT_NEEDS):
            return False
        name = stance["agent_id"]
        if type(name) is not str or not name:
            return False
        for kind in ("prior", "posterior"):
            if kind in stance and not (type(stance[kind]) is float and 0.0 <= stance[kind] <= 1.0):
                return False
        names.add(name)
    return len(names) == len(stances)


def _plain_arguments(arguments: Sequence[Any]) -> tuple[list[tuple[str, str, str]], set[str]] | None:
    """Return the relations of plain arguments, and their ids; None where one is not plain."""
    relations: list[tuple[str, str, str]] = []
    ids: set[str] = set()
    targets: set[str] = set()
    for argument in arguments:
        if type(argument) is not dict or not _fits(tuple(argument), _ARGUMENT, _ARGUMENT_NEEDS):
            return None
        name = argument["id"]
        if type(name) is not str or not name or name == TOPIC or type(argument["text"]) is not str:
            return None
        if "author" in argument and (type(argument["author"]) is not str or not argument["author"]):
            return None
        if "base_score" in argument:
            score = argument["base_score"]
            if type(score) is not float or not 0.0 <= score <= 1.0:
                return None
        ids.add(name)
        if "supports" in argument or "attacks" in argument:
            both = 0
            for key, kind in (("supports", _SUPPORT), ("attacks", _ATTACK)):
                if key in argument:
                    listed = argument[key]
                    if type(listed) is not list or not listed:
                        return None
                    for target in listed:
                        if type(target) is not str or target == name:
                            return None
                        relations.append((name, target, kind))
                        targets.add(target)
                    both += len(listed)
            if both > 1 and len({target for _, target, _ in relations[-both:]}) < both:
                return None
    if len(ids) != len(arguments) or not targets <= ids | {TOPIC}:
        return None
    return relations, ids


def _latest(
    agents: Sequence[Record], stances: Sequence[Record], last: int, holders: set[str | None]
) -> list[float | None]:
    """Return the stances that a profile of the last round has: posterior, or the latest prior where there is none."""
    final = {stance["agent_id"]: stance.get("posterior") for stance in stances[len(stances) - last :]}
    priors = {stance["agent_id"]: stance["prior"] for stance in stances if "prior" in stance}
    ids = dict.fromkeys([*(a["agent_id"] for a in agents if a["agent_id"] in holders), *final])
    return [priors.get(name) if (posterior := final.get(name)) is None else posterior for name in ids]


def _texts(record: Record, *keys: str) -> bool:
    return all(type(record[key]) is str and record[key] for key in keys if key in record)


def _column(records: Sequence[Record], name: str) -> list[Any] | None:
    """Return what records have under a key, None for one column without anything."""
    try:
        return list(map(itemgetter(name), records))
    except KeyError:
        values = [record.get(name) for record in records]
        return values if any(value is not None for value in values) else None


def _positions(counts: np.ndarray) -> np.ndarray:
    """Return 0, 1, 2, ... in each stretch."""
    positions: np.ndarray = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return positions


def table_of_columns(name: str, values: Sequence[Any]) -> pa.Table:
    """Return rows of one of the database's tables, from its columns in their order; None for one without any value."""
    size = max(len(column) for column in values if column is not None)
    arrays = [
        pa.nulls(size, kind) if column is None else _array(column, kind)
        for column, (_, kind) in zip(values, COLUMNS[name], strict=True)
    ]
    return pa.table(arrays, names=[column for column, _ in COLUMNS[name]])


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    try:
        array = pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array([storable(v) if isinstance(v, str) else v for v in values], kind)
    if kind == pa.string() and _holds_nul(array):
        return pa.array([None if v is None else storable(v) for v in values], kind)
    return array


def _holds_nul(array: pa.Array) -> bool:
    texts = array.buffers()[-1]
    return texts is not None and not np.frombuffer(texts, np.uint8, array.nbytes and len(texts)).all()


__all__ = ["PlainRows", "table_of_columns"]
