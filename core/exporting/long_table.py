"""Debates as a long table, one argument a row: CSV, JSON Lines or Parquet, with columns that readers know by name.

What concerns a whole debate, an agent or an argument with several targets is repeated on each of its rows. A round in
which nobody put anything forward has one row that says no more than that there was one.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.debate import Agent, Debate, Round
from core.errors import NothingToExport
from core.export import MIME_TYPES, TableKind, harmless, table_bytes
from core.exporting.claim_graph import Names
from core.exporting.losses import Aspect, Kept, Loss, losses
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.provider_errors import is_provider_error
from core.strict_json import storable

COLUMNS: Mapping[str, pa.DataType] = {
    "debate_id": pa.string(),
    "claim_id": pa.string(),
    "claim": pa.string(),
    "label": pa.bool_(),
    "title": pa.string(),
    "protocol": pa.string(),
    "agent": pa.string(),
    "model": pa.string(),
    "round": pa.int64(),
    "prior": pa.float64(),
    "posterior": pa.float64(),
    "argument_id": pa.string(),
    "target": pa.string(),
    "polarity": pa.string(),
    "argument": pa.string(),
    "base_score": pa.float64(),
    "source": pa.string(),
}
POLARITY = {RelationKind.SUPPORT: "pro", RelationKind.ATTACK: "con"}
ROWS_AT_ONCE = 20_000
_APOSTROPHE = "get an apostrophe in front where a spreadsheet would take them for a formula"
_WORDS = {
    Aspect.DEBATES: "Debates without a claim are left out",
    Aspect.AGENTS: "Of agents only ids and models are written, of those who speak",
    Aspect.AUTHORS: "Agents' ids change where they are blank",
    Aspect.ROUNDS: "Rounds change",
    Aspect.TEXTS: "Blank arguments become empty",
    Aspect.ARGUMENT_IDS: "Blank ids of arguments change",
    Aspect.DEBATE_IDS: "Blank ids of debates change",
}
_CSV_WORDS = _WORDS | {
    Aspect.CLAIMS: f"Claims {_APOSTROPHE}",
    Aspect.CLAIM_IDS: f"Claim ids {_APOSTROPHE}",
    Aspect.TITLES: f"Titles {_APOSTROPHE}",
    Aspect.TEXTS: f"Arguments' texts {_APOSTROPHE}; blank ones become empty",
    Aspect.SOURCES: f"Sources {_APOSTROPHE}",
    Aspect.DEBATE_IDS: f"Debates' ids {_APOSTROPHE}",
    Aspect.ARGUMENT_IDS: f"Arguments' ids {_APOSTROPHE}",
    Aspect.AUTHORS: f"Agents' ids {_APOSTROPHE}",
    Aspect.STANCES: f"Agents' ids {_APOSTROPHE}",
    Aspect.AGENTS: f"Of agents only ids and models are written, of those who speak; they {_APOSTROPHE}",
}


@dataclass(frozen=True)
class LongTableExporter:
    """Writes one table for any number of debates.

    Attributes:
        kind: Which kind of file.
    """

    kind: TableKind

    @property
    def name(self) -> str:
        """Return the format's name on the command line."""
        return f"table-{self.kind.value}"

    @property
    def title(self) -> str:
        """Return what people call it."""
        return {
            TableKind.CSV: "Table of arguments, CSV",
            TableKind.JSONL: "Table of arguments, JSON Lines",
            TableKind.PARQUET: "Table of arguments, Parquet",
        }[self.kind]

    def suffix(self, several: bool) -> str:
        """Return the ending of the file's name."""
        return self.kind.value

    def media_type(self, several: bool) -> str:
        """Return the file's media type."""
        return MIME_TYPES[self.kind]

    def returned(self, debates: Iterable[Debate]) -> Iterator[tuple[Debate, Kept | None]]:
        """Yield every debate with what comes back of it."""
        names = Names(self._cell)
        for number, debate in enumerate(debates, 1):
            yield debate, self._kept(debate, names, number) if debate.claim.strip() else None

    def losses(self, debates: Iterable[Debate]) -> tuple[Loss, ...]:
        """Return what the table does not carry."""
        return losses(self.returned(debates), _CSV_WORDS if self.kind is TableKind.CSV else _WORDS)

    def write(self, debates: Iterable[Debate]) -> Iterator[bytes]:
        """Yield the table, a few thousand rows a piece; a Parquet file as a whole."""
        frames = self._frames(debates)
        first = next(frames, None)
        if first is None:
            raise NothingToExport(self.title)
        if self.kind is TableKind.PARQUET:
            yield _parquet(chain([first], frames))
            return
        yield table_bytes(first, self.kind)
        for frame in frames:
            piece = table_bytes(frame, self.kind)
            yield piece.split(b"\r\n", 1)[1] if self.kind is TableKind.CSV else piece

    def _frames(self, debates: Iterable[Debate]) -> Iterator[pd.DataFrame]:
        names = Names(self._cell)
        rows: list[dict[str, Any]] = []
        for number, debate in enumerate(debates, 1):
            if not debate.claim.strip():
                continue
            rows += _rows(debate, names.name(debate.id, f"debate-{number}"), _ids(debate, self._cell))
            if len(rows) >= ROWS_AT_ONCE:
                yield _frame(rows)
                rows = []
        if rows:
            yield _frame(rows)

    def _cell(self, text: str) -> str:
        """Return a text as it comes back from a cell of the table."""
        return str(harmless(text)) if self.kind is TableKind.CSV else storable(text)

    def _kept(self, debate: Debate, names: Names, number: int) -> Kept:
        ids = _ids(debate, self._cell)
        agents: dict[str, str | None] = {}
        models = {agent.id: agent.model for agent in debate.agents}
        rounds = []
        for held in debate.rounds or (Round(0),):
            stances = {stance.agent_id: stance for stance in held.stances}
            for author in _speakers(held):
                name = self._said(author)
                if name is not None:
                    agents[name] = agents.get(name) or self._said(models.get(author))
            arguments = tuple(
                Argument(
                    ids[a.id],
                    self._said(a.text) or "",
                    self._said(a.author),
                    a.base_score,
                    is_error_text=is_provider_error(self._said(a.text) or ""),
                    source=self._said(a.source),
                )
                for a in held.arguments
            )
            rounds.append(
                Round(
                    held.number,
                    tuple(
                        Stance(name, stance.prior, stance.posterior)
                        for agent, stance in stances.items()
                        if (name := self._said(agent)) is not None
                    ),
                    arguments,
                    tuple(Relation(ids[r.source], ids.get(r.target, TOPIC), r.kind) for r in _written(held)),
                )
            )
        back = Debate(
            names.name(debate.id, f"debate-{number}"),
            self._cell(debate.claim),
            debate.label,
            debate.protocol,
            self._said(debate.claim_id),
            self._said(debate.title),
            tuple(Agent(name, model=model) for name, model in agents.items()),
            tuple(rounds),
        )
        return Kept(back, ids)

    def _said(self, text: str | None) -> str | None:
        """Return a text as it comes back from a cell, None for one that says nothing."""
        if text is None:
            return None
        written = self._cell(text)
        return written if written.strip() else None


def _rows(debate: Debate, name: str, ids: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    models = {agent.id: agent.model for agent in debate.agents}
    whole = {
        "debate_id": name,
        "claim_id": debate.claim_id,
        "claim": debate.claim,
        "label": debate.label,
        "title": debate.title,
        "protocol": debate.protocol.value,
    }
    for held in debate.rounds or (Round(0),):
        stances = {stance.agent_id: stance for stance in held.stances}
        bearing: dict[str, list[Relation]] = {}
        for relation in _written(held):
            bearing.setdefault(relation.source, []).append(relation)
        authors = {argument.author for argument in held.arguments}
        for stance in held.stances:
            if stance.agent_id not in authors:
                yield whole | _of_agent(stance.agent_id, models, stances, held.number)
        for argument in held.arguments:
            row = whole | _of_agent(argument.author, models, stances, held.number)
            row |= {
                "argument_id": ids[argument.id],
                "argument": argument.text,
                "base_score": argument.base_score,
                "source": argument.source,
            }
            for relation in bearing.get(argument.id, ()):
                target = None if relation.target == TOPIC else ids[relation.target]
                yield row | {"target": target, "polarity": POLARITY[relation.kind]}
            if argument.id not in bearing:
                yield row
        if not held.arguments and not held.stances:
            yield whole | {"round": held.number}


def _of_agent(
    agent: str | None, models: Mapping[str, str | None], stances: Mapping[str, Stance], number: int
) -> dict[str, Any]:
    stance = stances.get(agent or "")
    return {
        "agent": agent,
        "model": models.get(agent or ""),
        "round": number,
        "prior": None if stance is None else stance.prior,
        "posterior": None if stance is None else stance.posterior,
    }


def _ids(debate: Debate, cell: Callable[[str], str]) -> dict[str, str]:
    """Return what every argument is called in the table; the same in all rounds."""
    names = Names(cell, {TOPIC})
    every = dict.fromkeys(argument.id for held in debate.rounds for argument in held.arguments)
    return {name: names.name(name, f"argument-{place}") for place, name in enumerate(every, 1)}


def _written(held: Round) -> Iterator[Relation]:
    """Yield the relations of a round that rows can say: from an argument to one that is there, or to the claim."""
    known = {argument.id for argument in held.arguments}
    return (r for r in dict.fromkeys(held.relations) if r.source in known and (r.target == TOPIC or r.target in known))


def _speakers(held: Round) -> Iterator[str]:
    return chain((s.agent_id for s in held.stances), (a.author for a in held.arguments if a.author is not None))


def _frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Return rows as a frame in which texts and labels stay what they are, and missing numbers are NaN."""
    columns = {}
    for name, kind in COLUMNS.items():
        cells = [row.get(name) for row in rows]
        numeric = pa.types.is_floating(kind) or pa.types.is_integer(kind)
        columns[name] = pd.Series(
            cells, dtype="float64" if pa.types.is_floating(kind) else "int64" if numeric else object
        )
    return pd.DataFrame(columns)


def _parquet(frames: Iterable[pd.DataFrame]) -> bytes:
    written = io.BytesIO()
    schema = pa.schema(list(COLUMNS.items()))
    with pq.ParquetWriter(written, schema) as writer:
        for frame in frames:
            cells = {
                name: [storable(cell) if isinstance(cell, str) else cell for cell in frame[name]]
                if kind in (pa.string(), pa.bool_())
                else frame[name]
                for name, kind in COLUMNS.items()
            }
            arrays = [pa.array(cells[name], type=kind, from_pandas=True) for name, kind in COLUMNS.items()]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    return written.getvalue()


CSV, JSONL, PARQUET = (LongTableExporter(kind) for kind in TableKind)

__all__ = ["COLUMNS", "CSV", "JSONL", "PARQUET", "LongTableExporter"]
