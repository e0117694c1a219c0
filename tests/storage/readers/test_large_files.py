"""Files too large for memory are read piece by piece and wait on disk, with the same outcome."""

import gzip
import json
import pickle
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fuzz_importers import mutated
from core.import_issue import IssueLog
from core.native import debates_to_native
from storage.debate_repository import DebateRepository
from storage.importer import Wish, import_file
from storage.readers import line_chunks, read_file, spool
from storage.readers.array_chunks import LargeArray
from storage.readers.inspect_json import SampleMembers
from storage.readers.json_pieces import ObjectScanner
from storage.readers.large_table import LargeTable
from storage.readers.long_table import long_debates
from storage.readers.source import Source
from storage.readers.spool import DebateSpool
from storage.readers.table_mapping import TableMapping
from storage.readers.table_reader import TableReader
from storage.readers.table_source import table_of
from tests.core.generated_debates import debates
from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import codes


@pytest.fixture
def small_pieces(monkeypatch):
    """Let every file count as large, and be read a few hundred bytes at a time."""
    monkeypatch.setattr(line_chunks, "STREAMED_FROM", 1)
    monkeypatch.setattr(line_chunks, "STREAMED_FROM_PACKED", 1)
    monkeypatch.setattr(line_chunks, "CHUNK", 700)
    monkeypatch.setattr(spool.DebateSpool.__init__, "__defaults__", (2_000,))


def lines(count, broken=()):
    for number in range(count):
        score = 7 if number in broken else 0.5
        record = {
            "format": "moot-debate/1",
            "debate_id": f"d{number}",
            "claim": f"Claim {number}: “é”.",
            "rounds": [{"round": 0, "arguments": [{"id": "a", "text": "x" * 300, "base_score": score}]}],
        }
        yield json.dumps(record, ensure_ascii=False)


@pytest.mark.parametrize("packed", [False, True])
def test_a_large_file_gives_what_it_would_give_at_once(small_pieces, tmp_path, packed):
    text = "\n".join([*lines(40, broken={25}), '{"claim": "cut off'])
    data = text.encode()
    path = tmp_path / "large.jsonl"
    path.write_bytes(gzip.compress(data) if packed else data)
    streamed, at_once = read_file(path, "large.jsonl"), read_file(path.read_bytes(), "large.jsonl")
    assert (streamed.sha256, streamed.size, streamed.format) == (at_once.sha256, at_once.size, at_once.format)
    assert isinstance(streamed.debates, DebateSpool)
    assert streamed.debates.on_disk
    assert debates_to_native(streamed.debates) == debates_to_native(at_once.debates)
    found = [(issue.code, issue.line, issue.field) for issue in streamed.issues]
    assert found == [(issue.code, issue.line, issue.field) for issue in at_once.issues]
    assert ("score_out_of_range", 26, "rounds[0].arguments[0].base_score") in found


def test_a_large_file_is_stored_all_or_nothing_like_any_other(small_pieces, database, tmp_path):
    path = tmp_path / "large.jsonl"
    path.write_text("\n".join(lines(50)))
    report = import_file(database, path, str(path), Wish())
    assert (report.debates, report.arguments, report.refused) == (50, 50, False)
    assert DebateRepository(database).get("d49").claim == "Claim 49: “é”."
    assert import_file(database, path, str(path), Wish()).issues[-1].code == "already_here"


def test_flat_records_and_post_hoc_records_stream_too(small_pieces, tmp_path):
    rows = [{"debate_id": f"d{n}", "claim": f"C{n}.", "argument": "x" * 90, "polarity": "pro"} for n in range(60)]
    table = tmp_path / "rows.jsonl"
    table.write_text("\n".join(map(json.dumps, rows)))
    assert (read_file(table, "rows").format, len(read_file(table, "rows").debates)) == ("table-long", 60)
    opinions = [{"agent_id": "A1", "prior_stance": 40, "pros": ["x" * 90], "cons": []}]
    records = [{"debate_id": f"d{n}", "claim": f"C{n}.", "opinions": opinions} for n in range(60)]
    post_hoc = tmp_path / "post.jsonl"
    post_hoc.write_text("\n".join(map(json.dumps, records)))
    assert {d.rounds[0].stances[0].prior for d in read_file(post_hoc, "p").debates} == {0.4}


def rows(count, order):
    """Return a table in which the rows of each debate lie ``order`` rows apart, with texts over several lines."""
    held = [(n, k) for n in range(count) for k in range(3)]
    held.sort(key=lambda pair: (pair[1] * order, pair[0]))
    lines = ["debate_id,claim,agent,prior,polarity,argument,base_score"]
    lines += [f'd{n},Claim {n}: “é”.,A{k},{k / 2},pro,"line {n}\n of {k}, ""quoted"" {"x" * 80}",0.5' for n, k in held]
    return "\r\n".join(lines)


def alike(streamed, at_once):
    """Return whether a file gives the same in pieces as at once, and hold that it came in pieces."""
    assert streamed.debates.on_disk
    found = [[(issue.code, issue.line, issue.field) for issue in file.issues] for file in (streamed, at_once)]
    return (
        (streamed.sha256, streamed.format, streamed.columns) == (at_once.sha256, at_once.format, at_once.columns)
        and debates_to_native(streamed.debates) == debates_to_native(at_once.debates)
        and found[0] == found[1]
    )


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("order", [0, 1], ids=["one debate after the other", "mixed"])
def test_a_large_text_table_gives_what_it_would_give_at_once(small_pieces, tmp_path, order, packed):
    data = rows(30, order).encode("utf-8-sig")
    path = tmp_path / "large.csv"
    path.write_bytes(gzip.compress(data) if packed else data)
    assert LargeTable.find(path) is not None
    assert alike(read_file(path, "large.csv"), read_file(path.read_bytes(), "large.csv"))


def test_the_debates_of_a_large_table_do_not_wait_for_its_end(small_pieces, tmp_path):
    path = tmp_path / "large.csv"
    path.write_text(rows(30, 0))
    large = LargeTable.find(path)
    assert large is not None
    source = Source("large.csv", large.head, large=large)
    table, recognised = table_of(source), TableReader().recognise(source)
    assert table is not None
    assert recognised is not None
    taken = []

    def counting(issues):
        for row in table.rows(issues):
            taken.append(row)
            yield row

    mapping = recognised.mapping
    assert isinstance(mapping, TableMapping)
    first = next(long_debates(replace(table, rows=counting), mapping, {}, IssueLog()))
    assert first[1].id == "d0"
    assert len(taken) == 90 + 3  # once through the whole for where debates end, then only to the end of the first


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_list_of_records_gives_what_it_would_give_at_once(small_pieces, tmp_path, indent, packed):
    records = [json.loads(line) for line in lines(40, broken={25})]
    records[3]["claim"] = 'Braces } ] in "quotes" { [ and \\'
    data = json.dumps(records, indent=indent, ensure_ascii=False).encode()
    path = tmp_path / "large.json"
    path.write_bytes(gzip.compress(data) if packed else data)
    assert LargeArray.find(path) is not None
    assert alike(read_file(path, "large.json"), read_file(path.read_bytes(), "large.json"))


@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_list_within_an_object_gives_its_debates(small_pieces, tmp_path, indent):
    records = [json.loads(line) for line in lines(40, broken={25})]
    whole = {"made by": {"tool": 'a "t]{"', "n": [1, 2]}, "debates": records, "after": [{"claim": "No debate."}]}
    path = tmp_path / "large.json"
    path.write_text(json.dumps(whole, indent=indent))
    streamed, at_once = read_file(path, "large.json"), read_file(path.read_bytes(), "large.json")
    large = LargeArray.find(path)
    assert large is not None
    assert large.key == "debates"
    assert isinstance(streamed.debates, DebateSpool)
    assert streamed.debates.on_disk
    assert debates_to_native(streamed.debates) == debates_to_native(at_once.debates)
    assert "list_unwrapped" in codes(streamed)
    found = [[(i.code, i.line) for i in file.issues if i.code == "score_out_of_range"] for file in (streamed, at_once)]
    assert found[0] == found[1] != []


def test_a_large_object_whose_list_is_part_of_a_format_is_read_at_once(small_pieces, tmp_path):
    path = tmp_path / "large.json"
    path.write_text((LOGS / "argllms.json").read_text())
    assert read_file(path, "large.json").format == "argllms"


@pytest.mark.parametrize("cut", [False, True])
def test_a_large_inspect_log_in_json_is_read_one_sample_at_a_time(small_pieces, tmp_path, cut):
    log = json.loads((LOGS / "inspect.json").read_text())
    samples = log.pop("samples")
    told = [{"scorer": "match", "samples": [{"value": 0.5, "sample_id": 1}]}]
    text = json.dumps(log | {"samples": samples, "reductions": told}, indent=1)
    path = tmp_path / "large.json"
    path.write_text(text[: text.rindex('"epoch"')] if cut else text, encoding="utf-8")
    streamed = read_file(path, "large.json")
    at_once = read_file(text.encode(), "large.json")
    whole = len(samples) - cut
    assert (streamed.format, len(streamed.debates)) == ("inspect", whole)
    members = SampleMembers.find(path)
    assert members is not None
    assert members.names[1:] == tuple(f"samples/{number}.json" for number in range(1, whole + 1))
    assert [d.rounds for d in streamed.debates] == [d.rounds for d in at_once.debates[:whole]]
    assert ("log_unfinished" in codes(streamed)) is cut
    expected = [None] * whole if cut else [d.provenance["reductions"] for d in at_once.debates]
    assert [d.provenance.get("reductions") for d in streamed.debates] == expected


def test_a_large_list_that_was_cut_off_gives_what_is_whole(small_pieces, tmp_path):
    path = tmp_path / "large.json"
    path.write_text("[" + ",\n".join(lines(40))[:-30])
    file = read_file(path, "large.json")
    assert len(file.debates) == 39
    assert {"list_not_closed", "record_truncated"} <= set(codes(file))


def test_a_large_packed_table_that_unpacks_to_far_more_than_it_weighs_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(line_chunks, "STREAMED_FROM_PACKED", 1)
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b"claim,argument,polarity\n" + b"C.,A.,pro\n" * (1 << 20)))
    file = read_file(bomb, "bomb.gz")
    assert (file.refused, codes(file)) == (True, ["file_unreadable"])
    assert "zip bomb" in file.why


def test_a_packed_file_that_unpacks_to_far_more_than_it_weighs_is_refused(tmp_path):
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b'{"claim": "C."}\n' * (1 << 20)))
    file = read_file(bomb, "bomb.gz")
    assert (file.refused, codes(file)) == (True, ["file_unreadable"])
    assert "zip bomb" in file.why


@given(st.lists(debates(), max_size=4), st.sampled_from([0, 10**9]))
def test_debates_come_back_from_disk_as_they_were(several, in_memory):
    held = DebateSpool(in_memory)
    for debate in several:
        held.append(debate)
    assert held.on_disk == (bool(several) and in_memory == 0)
    assert debates_to_native(held) == debates_to_native(several)
    assert [name for name, _ in held.summary] == [debate.id for debate in several]
    assert debates_to_native(held[1:3]) == debates_to_native(several[1:3])
    assert debates_to_native(pickle.loads(pickle.dumps(held))) == debates_to_native(several)


@pytest.mark.parametrize("name", ["long.csv", "inspect.json", "list.json", "wrapped.json", "nodelink.json"])
def test_mutated_logs_that_are_read_piece_by_piece_are_read_or_refused(small_pieces, tmp_path, name):
    records = [json.loads(line) for line in lines(6)]
    made = {"list.json": records, "wrapped.json": {"made by": "x", "debates": records}}
    data = json.dumps(made[name], indent=1).encode() if name in made else (LOGS / name).read_bytes()
    chance = random.Random(20261130)
    path = tmp_path / name
    read = 0
    for _ in range(60):
        path.write_bytes(mutated(data, chance))
        file = read_file(path, name)
        assert "reader_failed" not in codes(file)
        assert file.refused == (not file.debates)
        read += not file.refused
        again = read_file(debates_to_native(file.debates), "again")
        assert debates_to_native(again.debates) == debates_to_native(file.debates)
    assert read > 12


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.one_of(st.text(max_size=9), st.lists(st.integers(), max_size=2)))),
    st.lists(st.integers(1, 9), min_size=1, max_size=9),
)
def test_objects_are_found_alike_however_a_list_is_cut_into_pieces(objects, sizes):
    text = f"{json.dumps(objects)}, {{}}"
    scanner, rest, place, found, offset = ObjectScanner(to_its_end=True), "", 0, [], 0
    while place < len(text) and scanner.ended is None:
        size = sizes[place % len(sizes)]
        rest, place = rest + text[place : place + size], place + size
        spans = scanner.objects(rest)
        found += [json.loads(rest[start:end]) for start, end in spans]
        if spans and scanner.ended is None:
            offset, rest = offset + spans[-1][1], rest[spans[-1][1] :]
    assert found == objects
    assert scanner.ended is not None
    assert text[offset + scanner.ended] == "]"
