"""Which debates of a table of arguments need no mending, found column by column, for ``plain_table_rows``.

A million arguments take a few seconds this way. What is taken here is exactly what the reader of tables, ``DebateRows``
and ``record_of`` would make of it; a debate in which anything is odd is left to them. Tests hold the two together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.label_text import plain_label, read_label
from core.opinion import TOPIC, RelationKind
from core.provider_errors import is_provider_error
from storage.coded_columns import NONE, Coded, coded, grouped, running
from storage.readers.cells import TOPIC_WORDS, polarity_of

_HIGHEST_ROUND = 10**9
_TEXTS = ("debate_id", "claim", "agent", "model", "argument_id", "target", "text")
STANCES = ("prior", "posterior")
_SCORES = (*STANCES, "base_score")
_NOTHING = pa.null()


class PlainTable:
    """The debates of a table of arguments that need no mending.

    Args:
        rows: The columns that there are of ``debate_id``, ``claim``, ``label``, ``agent``, ``model``, ``round``,
            ``prior``, ``posterior``, ``argument_id``, ``target``, ``polarity``, ``text`` and ``base_score``, besides
            ``line``; the rows of a debate stand together.
        starts: The row that each debate begins on.
        origin: What the provenance of each debate says of the file.
        unit: Whether bare numbers are scores from 0 to 1 as they are; otherwise no debate is in order.

    Attributes:
        good: Whether each debate is in order. Where none can be, there is nothing else.
        argument_count: How many arguments those have that are; one that comes back in later rounds counts once.
        debate, numbers: The debate of each row, counted from 0, and the number of its round.
        texts, scores: Columns by name, also those that are not there; a score that is missing is NaN.
        rounds, agents, stances: Rows of one round, of one agent in a debate, and of one agent in a round.
        models: The model of each agent of a debate, by its code.
        names, targets: Each row's argument, and the argument or the topic that it is about.
        supports: Whether it is for that.
        labels: What each debate's label means.
    """

    def __init__(self, rows: pa.Table, starts: np.ndarray, origin: Mapping[str, Any], *, unit: bool) -> None:
        self.rows = rows
        self.starts = starts
        self.origin = origin
        self.good = np.zeros(len(starts), bool)
        self.argument_count = 0
        self.labels: list[bool | None] = [None] * len(starts)
        if not unit or not self._typed():
            return
        self.debate = np.repeat(np.arange(len(starts)), np.diff([*starts, rows.num_rows]))
        self.texts = {name: coded(self._column(name, pa.string())) for name in _TEXTS}
        self.scores = {name: self._column(name, pa.float64()).to_numpy(zero_copy_only=False) for name in _SCORES}
        self.numbers = self._round_numbers()
        self.rounds = grouped(self.debate * (self.numbers.max() + 2) + self.numbers)
        agents = self.texts["agent"]
        self.agents = grouped(self.debate * len(agents.texts) + agents.codes, agents.codes != NONE)
        self._stated = ~(np.isnan(self.scores["prior"]) & np.isnan(self.scores["posterior"]))
        stated = self._stated & (agents.codes != NONE)
        self.stances = grouped(self.rounds.of_row * len(agents.texts) + agents.codes, stated)
        cells = rows.column("polarity").to_pylist()
        sides = {cell: polarity_of(cell) for cell in set(cells)}
        self._sided = np.array([sides[cell] is not None for cell in cells])
        self.supports = np.array([sides[cell] is RelationKind.SUPPORT for cell in cells])
        self.names, self.targets, self._linked = self._links()
        self.good = np.logical_and.reduceat(self._in_order(), starts)
        kept = np.flatnonzero(self.good[self.debate])
        self.argument_count = len(np.unique(self.debate[kept] * len(self.names.texts) + self.names.codes[kept]))

    def _typed(self) -> bool:
        """Return whether each column is of a type in which something can be in order."""
        kinds = {name: self.rows.schema.field(name).type for name in self.rows.column_names}
        texts = (pa.string(), pa.large_string(), _NOTHING)
        return (
            all(kinds.get(name, _NOTHING) in texts for name in _TEXTS)
            and all(kinds.get(name, _NOTHING) in (pa.float32(), pa.float64(), _NOTHING) for name in _SCORES)
            and kinds.get("label", _NOTHING) in (pa.bool_(), *texts)
            and (kinds.get("round", _NOTHING) == _NOTHING or pa.types.is_integer(kinds["round"]))
            and not pa.types.is_nested(kinds["polarity"])
        )

    def _column(self, name: str, kind: pa.DataType) -> pa.Array:
        if name not in self.rows.column_names:
            return pa.nulls(self.rows.num_rows, kind)
        return pa.concat_arrays(self.rows.column(name).cast(kind).chunks)

    def _round_numbers(self) -> np.ndarray:
        """Return the round of each row, 0 where none is given, -1 where that is no round."""
        if "round" not in self.rows.column_names or self.rows.column("round").type == _NOTHING:
            return np.zeros(self.rows.num_rows, np.int64)
        column = pc.fill_null(self.rows.column("round"), 0)
        outside = pc.or_(pc.less(column, 0), pc.greater_equal(column, _HIGHEST_ROUND))
        zero = pa.scalar(0, column.type)
        numbers: np.ndarray = pc.if_else(outside, zero, column).cast(pa.int64()).to_numpy().copy()
        numbers[outside.to_numpy()] = -1
        return numbers

    def _links(self) -> tuple[Coded, Coded, np.ndarray]:
        """Return each row's argument and what it is about, coded alike, and whether these can be."""
        given, about = self.texts["argument_id"], self.texts["target"]
        names = given.of(np.arange(self.rows.num_rows))
        for row, name in self._new_names():
            names[row] = name
        targets = [text if text and text.strip() else TOPIC for text in about.of(np.arange(self.rows.num_rows))]
        both = coded(pa.array([*names, *targets, TOPIC], pa.string()))
        own, target, topic = both.codes[: len(names)], both.codes[len(names) : -1], both.code(TOPIC)
        here = self.rounds.of_row * len(both.texts)
        known = np.isin(here + target, here + own)
        stands_for_topic = np.array([text.casefold() in TOPIC_WORDS for text in both.texts])
        effective = np.where(known, target, topic)
        linked = (known | stands_for_topic[target]) & (target != own) & (own != topic)
        same = grouped(here + own)
        linked &= np.bincount(same.of_row)[same.of_row] == 1
        return Coded(own, both.texts), Coded(effective, both.texts), linked

    def _new_names(self) -> Iterator[tuple[int, str]]:
        """Yield a name for each argument without one, counted by round, agent and side."""
        agents = self.texts["agent"]
        key = (self.rounds.of_row * (len(agents.texts) + 1) + agents.codes + 1) * 2 + self.supports
        without = grouped(key, self.texts["argument_id"].codes == NONE)
        rows = np.flatnonzero(without.of_row != NONE)
        rows = rows[np.argsort(without.of_row[rows], kind="stable")]
        numbers = running(without.of_row[rows]) + 1
        for row, number, agent in zip(rows.tolist(), numbers.tolist(), agents.of(rows), strict=True):
            stem = "pro" if self.supports[row] else "con"
            yield row, f"{stem}{number}" if agent is None else f"{agent}-{stem}{number}"

    def _in_order(self) -> np.ndarray:
        """Return for each row whether everything that it takes part in is in order."""
        texts, firsts = self.texts, self.starts[self.debate]
        fine: np.ndarray = self._sided & self._linked & (self.numbers >= 0)
        for name in ("debate_id", "claim", "text"):
            fine &= texts[name].codes != NONE
        for name in ("debate_id", "claim", "agent", "model", "argument_id", "text"):
            fine &= texts[name].passing(_is_filled)
        fine &= texts["target"].passing(lambda text: "\0" not in text)
        fine &= texts["text"].passing(lambda text: not is_provider_error(text))
        fine &= texts["claim"].codes == texts["claim"].codes[firsts]
        for scores in self.scores.values():
            fine &= np.isnan(scores) | ((scores >= 0.0) & (scores <= 1.0) & ~np.signbit(scores))
        fine &= self._labelled()
        has_agent = texts["agent"].codes != NONE
        fine &= np.logical_or.reduceat(has_agent, self.starts)[self.debate]
        models, agreed = self.agents.only(_or_nan(texts["model"].codes))
        self.models = np.where(np.isnan(models), NONE, models).astype(int)
        fine &= self.agents.in_rows(agreed)
        fine &= has_agent | ~self._stated
        for name in STANCES:
            fine &= self.stances.in_rows(self.stances.only(self.scores[name])[1])
        return fine

    def _labelled(self) -> np.ndarray:
        """Return for each row whether its debate has one label, and a plain one; keep what each debate's means."""
        if "label" not in self.rows.column_names:
            return np.ones(self.rows.num_rows, bool)
        codes: dict[Any, int] = {}
        of_row = np.array([codes.setdefault(cell, len(codes)) for cell in self.rows.column("label").to_pylist()])
        read = [read_label(cell) for cell in codes]
        plain = np.array([plain_label(cell) and readable for cell, (_, readable) in zip(codes, read, strict=True)])
        self.labels = [read[code][0] for code in of_row[self.starts].tolist()]
        labelled: np.ndarray = plain[of_row] & (of_row == of_row[self.starts[self.debate]])
        return labelled


def _is_filled(text: str) -> bool:
    return bool(text.strip()) and "\0" not in text


def _or_nan(codes: np.ndarray) -> np.ndarray:
    values: np.ndarray = np.where(codes == NONE, np.nan, codes)
    return values


__all__ = ["PlainTable"]
