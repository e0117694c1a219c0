"""Large files go to the database while they are read: the same rows as the long way, nothing half-written."""

import gzip
import json
import random
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings

from core.errors import Cancelled
from core.import_issue import IssueLog
from core.native import debate_from_json, debate_to_json
from storage import import_sink, parquet_pieces
from storage.database import IN_MEMORY, Database
from storage.dataset_writer import batch_of
from storage.debate_repository import DebateRepository
from storage.import_sink import Watch
from storage.importer import Wish, import_file
from storage.plain_rows import PlainRows
from storage.plain_table import PlainTable
from storage.plain_table_rows import PlainTableRows
from storage.readers import line_chunks
from storage.reading_worker import Piece, read_piece
from tests.core.generated_debates import debates

ODD: list[Any] = [
    None,
    True,
    0,
    1,
    -0.0,
    1.5,
    "",
    " ",
    "topic",
    [],
    {},
    "A1",
    0.5,
    ["topic"],
    "\x00",
    "\ud800",
    float("nan"),
]


@pytest.fixture
def small_pieces(monkeypatch):
    """Let every file count as large, and be read a few hundred bytes at a time."""
    monkeypatch.setattr(line_chunks, "STREAMED_FROM", 1)
    monkeypatch.setattr(line_chunks, "STREAMED_FROM_PACKED", 1)
    monkeypatch.setattr(line_chunks, "CHUNK", 900)


ORDER = ("format", "debate_id", "protocol", "claim", "label", "title", "tags", "agents", "rounds")


def plain(number, **more):
    record = {
        "format": "moot-debate/1",
        "debate_id": f"d{number}",
        "protocol": "single-turn",
        "claim": f"Claim {number}: “é”.",
        "label": None,
        "agents": [{"agent_id": "A1", "model": "left"}, {"agent_id": "A2"}],
        "rounds": [
            {
                "round": 0,
                "stances": [{"agent_id": "A1", "prior": 0.25}, {"agent_id": "A2", "prior": 0.5, "posterior": 0.75}],
                "arguments": [
                    {"id": "a", "author": "A1", "text": "x" * 200, "base_score": 0.5, "supports": ["topic"]},
                    {"id": "b", "text": "y.", "attacks": ["a", "topic"]},
                ],
            }
        ],
    } | more
    return {key: record[key] for key in (*ORDER, *record) if key in record}


def rows_of(tables):
    return {name: table.sort_by([(table.column_names[0], "ascending")]).to_pylist() for name, table in tables.items()}


def long_way(record):
    return rows_of(batch_of([debate_from_json(record, IssueLog(), 1)]).tables)


@settings(max_examples=60)
@given(debates())
def test_rows_made_the_short_way_are_those_of_the_long_way(debate):
    record = json.loads(json.dumps(debate_to_json(debate), allow_nan=False))
    short = PlainRows("")
    if short.add(record, 0, 0):
        assert rows_of(short.tables()) == long_way(record)
        assert short.argument_count == len({a.id for one in debate.rounds for a in one.arguments})


def test_an_ordinary_record_goes_the_short_way():
    for record in (plain(1), plain(2, label=True, title="T", tags=["t"], provenance={"seed": 1})):
        short = PlainRows("")
        assert short.add(record, 0, 0)
        assert rows_of(short.tables()) == long_way(record)


def spots(value):
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(entry, (dict, list)):
            yield from spots(entry)


@pytest.mark.parametrize("seed", range(150))
def test_a_record_with_something_odd_goes_the_long_way_unless_it_makes_no_difference(seed):
    chance = random.Random(seed)
    record = plain(1, title="T", tags=["t"], provenance={"seed": 1})
    holder, key = chance.choice(list(spots(record)))
    if chance.random() < 0.3 and isinstance(holder, dict):
        holder[chance.choice(["mood", "relations", "title", "supports", "prior"])] = chance.choice(ODD)
    else:
        holder[key] = chance.choice(ODD)
    short = PlainRows("")
    if short.add(record, 0, 0):
        issues = IssueLog()
        debate_from_json(record, issues, 1)
        assert issues.issues == ()
        assert rows_of(short.tables()) == long_way(record)


def test_a_piece_is_read_like_the_same_lines_at_once():
    text = "\n".join(
        [*(json.dumps(plain(n)) for n in range(3)), '{"claim": "cut off', json.dumps(plain(4, mood="good"))]
    )
    read = read_piece(Piece(text, 11, "f"))
    assert (read.batch.debates, read.lines) == (4, (11, 12, 13, 15))
    assert {(issue.code, issue.line) for issue in read.issues.issues} == {("record_truncated", 14), ("unknown_key", 15)}


@pytest.mark.parametrize("packed", [False, True])
def test_a_large_file_is_stored_by_several_processes_as_it_would_be_by_one(small_pieces, tmp_path, packed):
    odd = [plain(5, mood="good"), plain(3), plain(6, rounds=[]), {"claim": "Short."}, plain(3)]
    records = [plain(n) for n in range(60)]  # enough that what is odd lies beyond what is looked at first
    text = "\n".join(map(json.dumps, [*records, *odd])) + "\nnot a record\n" + json.dumps(plain(99))
    path = tmp_path / "large.jsonl"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    with Database.open(IN_MEMORY) as one, Database.open(IN_MEMORY) as two:
        told = []
        wide = import_file(one, path, "large.jsonl", Wish(), Watch(lambda count, share: told.append((count, share))))
        narrow = import_file(two, text.encode(), "large.jsonl", Wish())
        assert (wide.debates, wide.arguments) == (narrow.debates, narrow.arguments) == (66, 128)
        kinds = [{(i.code, i.line, i.message) for i in report.issues} for report in (wide, narrow)]
        assert kinds[0] == kinds[1]
        assert list(DebateRepository(one).export()) == list(DebateRepository(two).export())
        assert told[-1][0] == 66
        assert packed or told[-1][1] == pytest.approx(1.0, abs=0.05)


def test_nothing_is_stored_of_a_file_whose_import_is_cancelled_midway(small_pieces, database, tmp_path):
    path = tmp_path / "large.jsonl"
    path.write_text("\n".join(json.dumps(plain(n)) for n in range(40)))
    with database.read() as cursor:
        before = cursor.execute("SELECT current_setting('memory_limit')").fetchall()
    written = []
    watch = Watch(lambda count, _: written.append(count), lambda: len(written) > 1)
    with pytest.raises(Cancelled):
        import_file(database, path, "large.jsonl", Wish(), watch)
    assert written
    assert DebateRepository(database).count() == 0
    assert DebateRepository(database).datasets() == ()
    assert import_file(database, path, "large.jsonl", Wish()).debates == 40
    with database.read() as cursor:  # it was lower while the file was stored
        assert cursor.execute("SELECT current_setting('memory_limit')").fetchall() == before


@pytest.mark.parametrize("content", [b"", b"no debate at all", b'{"format": "moot-debate/1"}'])
def test_nothing_is_stored_of_a_file_that_is_refused(database, content):
    assert import_file(database, content, "odd.jsonl", Wish()).refused
    assert DebateRepository(database).datasets() == ()


def test_contestations_come_with_a_large_file_too(small_pieces, database, tmp_path):
    contestation = {
        "id": "c1", "debate_id": "d1", "round": 0, "reason": "Too high.", "author": "Ada", "role": "reviewer",
        "edits": [{"kind": "set_base_score", "argument": "a", "before": 0.5, "after": 0.1}],
        "created_at": "2026-01-01T00:00:00Z",
    }  # fmt: skip
    path = tmp_path / "large.jsonl"
    records = [plain(0), plain(1, contestations=[contestation]), *(plain(n) for n in range(2, 9))]
    path.write_text("\n".join(map(json.dumps, records)))
    with Database.open(IN_MEMORY) as other:
        import_file(other, path.read_bytes(), "large.jsonl", Wish())
        import_file(database, path, "large.jsonl", Wish())
        assert list(DebateRepository(database).export()) == list(DebateRepository(other).export())


WHOLE_ROW = {
    "debate_id": "d0", "claim": "C is so.", "label": True, "agent": "A1", "model": "left", "round": 0, "prior": 0.25,
    "posterior": 0.5, "argument_id": "a", "target": None, "polarity": "pro", "argument": "It is.", "base_score": 0.5,
}  # fmt: skip
ODD_CELLS = {
    "claim": [None, " ", "Another claim."], "label": [None, False], "agent": [None, " ", "A3"], "model": [None, "x"],
    "round": [None, 1, 2, -1], "prior": [None, 1.5, -0.0, 0.75], "posterior": [None, float("nan"), 0.1],
    "argument_id": [None, "topic", "a1", " ", "claim"], "target": ["a1", "claim", "Root", "nothing", ""],
    "argument": [None, "", "\x00", "Error: rate limit reached.", "é\u2028\\u0000"],
    "polarity": [None, "con", "for", "maybe"], "base_score": [None, float("nan"), 7.0, 1.0],
}  # fmt: skip


def table_rows(chance):
    for number in range(24):
        for place in range(chance.randint(1, 5)):
            row = WHOLE_ROW | {"debate_id": f"d{number}", "argument_id": f"a{place}", "argument": f"Reason {place}."}
            if chance.random() < 0.25:
                column = chance.choice(list(ODD_CELLS))
                row[column] = chance.choice(ODD_CELLS[column])
            yield row


def test_ordinary_rows_go_the_short_way_and_only_they(monkeypatch, tmp_path):
    rows = []
    for number in range(6):
        for place in range(5):
            side, when = ("pro", "con")[place % 2], place // 3
            own = {"debate_id": f"d{number}", "round": when, "polarity": side, "argument_id": None}
            rows.append(
                WHOLE_ROW | own | {"agent": f"A{place % 3}", "model": None, "target": ("claim", None)[place % 2]}
            )
    rows[8]["base_score"] = 7.0
    starts = np.arange(0, 30, 5)
    table = pyarrow.table({name: [row[name] for row in rows] for name in WHOLE_ROW})
    table = table.rename_columns(["text" if name == "argument" else name for name in table.column_names])
    table = table.append_column("line", pyarrow.array(range(1, 31)))
    plain = PlainTable(table, starts, {"file": "f"}, unit=True)
    assert plain.good.tolist() == [True, False, True, True, True, True]
    assert plain.argument_count == 25
    stored = PlainTableRows(plain, range(5)).tables()
    assert {name: part.num_rows for name, part in stored.items()} == {
        "debate": 5, "agent": 15, "stance": 25, "argument": 25, "relation": 25,
    }  # fmt: skip
    assert not PlainTable(table, starts, {"file": "f"}, unit=False).good.any()


@pytest.mark.parametrize("seed", range(60))
def test_a_parquet_file_in_pieces_gives_what_the_reader_of_tables_gives(monkeypatch, tmp_path, seed):
    chance = random.Random(seed)
    rows = list(table_rows(chance))
    if seed % 5 == 0:
        words = {True: "True", False: "0", None: chance.choice([None, "", "NEI"])}
        rows = [row | {"label": words[row["label"]]} for row in rows]
    if seed % 3 == 0:
        chance.shuffle(rows)  # rows of one debate need not stand together
    without = chance.sample(["model", "prior", "posterior", "argument_id", "target", "round"], chance.randint(0, 3))
    names = [name for name in WHOLE_ROW if name not in without]
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({name: [row[name] for row in rows] for name in names}), path)
    monkeypatch.setattr(parquet_pieces, "ROWS", 20)
    monkeypatch.setattr(import_sink, "read_side_by_side", lambda pieces: ((read_piece(p), s) for p, s in pieces))
    with Database.open(IN_MEMORY) as one, Database.open(IN_MEMORY) as two:
        monkeypatch.setattr(import_sink, "PARQUET_FROM", 1 << 40)
        narrow = import_file(one, path, "rows.parquet", Wish())
        monkeypatch.setattr(import_sink, "PARQUET_FROM", 0)
        wide = import_file(two, path, "rows.parquet", Wish())
        assert (wide.debates, wide.arguments, wide.format) == (narrow.debates, narrow.arguments, narrow.format)
        assert list(DebateRepository(two).export()) == list(DebateRepository(one).export())
        told = [sorted((i.code, i.line or 0, i.field or "", i.message) for i in r.issues) for r in (narrow, wide)]
        assert told[0] == told[1]
