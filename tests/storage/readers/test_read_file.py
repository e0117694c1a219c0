import hashlib
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.native import debate_to_line, debates_to_native
from core.opinion import TOPIC
from storage.readers import Layout, TableMapping, read_file
from storage.readers.native_reader import NativeReader
from tests.core.generated_debates import debates
from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import codes, problems, read


@given(st.lists(debates(), min_size=1, max_size=3, unique_by=lambda debate: debate.id))
def test_an_exported_file_is_read_back_to_the_last_byte(several):
    first = debates_to_native(several)
    file = read(first)
    assert (file.format, file.refused) == ("moot-debate/1", False)
    assert debates_to_native(file.debates) == first
    assert {code for code, _, _ in problems(file)} <= {"target_unknown", "self_relation", "supports_and_attacks"}


def test_native_debates_get_no_provenance_by_being_read():
    line = '{"format": "moot-debate/1", "debate_id": "d", "claim": "C."}'
    assert read(line).debates[0].provenance == {}


def test_native_records_without_a_format_are_known_by_their_rounds():
    file = read('{"debate_id": "d", "claim": "C.", "rounds": [{"round": 0, "arguments": [{"id": "a", "text": "t"}]}]}')
    assert file.format == "moot-debate/1"


@pytest.mark.parametrize("name", sorted(path.name for path in LOGS.iterdir()))
def test_what_is_read_from_any_format_can_be_exported_and_read_back(log, name):
    file = log(name)
    assert not file.refused
    first = debates_to_native(file.debates)
    again = read(first)
    assert debates_to_native(again.debates) == first
    assert again.format == "moot-debate/1"


def test_the_format_is_found_by_content_whatever_the_name(log):
    data = (LOGS / "wide.csv").read_bytes()
    for name in ("x.json", "x.parquet", "x", "x.csv.gz", ""):
        assert read_file(data, name).format == "table-wide"


@pytest.mark.parametrize("name", ["/home/someone/logs/a.jsonl", "C:\\logs\\a.jsonl", "../a.jsonl", "a.jsonl"])
def test_issues_name_the_file_without_its_folder(name):
    file = read_file(b"", name)
    assert file.file == "a.jsonl"
    assert [issue.file for issue in file.issues] == ["a.jsonl"]


def test_size_and_hash_are_those_of_the_file_as_given():
    data = b"claim,polarity,argument\nC.,pro,X.\n"
    file = read_file(data, "f")
    assert (file.size, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())


def test_a_path_is_read(log):
    path = LOGS / "long.csv"
    assert read_file(path, path.name).debates == read_file(path.read_bytes(), path.name).debates


def test_a_file_that_cannot_be_opened_is_refused_without_its_path(tmp_path):
    for path, code in ((tmp_path / "missing.csv", "file_unreadable"), (tmp_path, "file_empty")):
        file = read_file(path, path.name)
        assert (file.refused, codes(file)) == (True, [code])
        assert str(tmp_path) not in file.why


@pytest.mark.parametrize("data", [b"", b"  \n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused_with_what_was_looked_for(data):
    file = read(data)
    assert (file.refused, file.format, file.debates) == (True, None, [])
    assert codes(file) in (["file_empty"], ["not_recognised"])
    assert "moot-debate/1" in file.why


@pytest.mark.parametrize(
    "text",
    [
        "just a sentence",
        "12",
        '{"a": 1}',
        "[]",
        '["a"]',
        '{"claim": "C."}',
        "<html></html>",
        "a: b\nc: d\n",
        "A note, by hand.\nIt has commas, here, and there.\nNot here.\n",
    ],
)
def test_what_no_reader_knows_is_refused_with_one_clear_error(text):
    file = read(text)
    assert (file.refused, file.format) == (True, None)
    assert [issue.severity for issue in file.issues] == ["error"]


def test_a_file_of_broken_json_is_refused_with_the_lines():
    file = read('{"claim": "C", "opinions": [}\n{"claim": "D", "opinions": [}\n')
    assert file.refused
    assert [(code, line) for code, line, _ in problems(file)] == [
        ("not_recognised", None),
        ("json_invalid", 1),
        ("json_invalid", 2),
    ]


def test_a_file_whose_records_all_lack_a_claim_is_refused():
    file = read('{"opinions": []}\n{"opinions": []}\n')
    assert (file.refused, codes(file)) == (True, ["no_debates", "record_unreadable", "record_unreadable"])


def test_records_under_one_key_are_read():
    records = [{"debate_id": f"d{n}", "claim": "C.", "scenario": "single", "opinions": []} for n in range(2)]
    file = read(json.dumps({"created": "today", "debates": records}, indent=2))
    assert [debate.id for debate in file.debates] == ["d0", "d1"]
    (told,) = file.issues
    assert (told.code, told.field, told.line) == ("list_unwrapped", "debates", 1)
    assert "'created'" in told.message


def test_fields_of_records_under_a_key_are_found_on_their_lines():
    records = [
        {"debate_id": "d", "claim": "C.", "scenario": "single", "opinions": [{"agent_id": "A", "prior": "high"}]}
    ]
    text = json.dumps({"debates": records}, indent=2)
    ((code, line, field),) = problems(read(text))
    assert (code, field) == ("score_unreadable", "opinions[0].prior")
    assert '"prior": "high"' in text.splitlines()[line - 1]


def test_issues_come_in_the_order_of_lines():
    file = read_file(LOGS / "broken.jsonl", "broken.jsonl")
    lines = [issue.line or 0 for issue in file.issues]
    assert lines == sorted(lines)


def test_a_flood_of_issues_is_counted():
    rows = "".join(f"C.,pro,X{n}.,high\n" for n in range(1500))
    file = read("claim,polarity,argument,score\n" + rows)
    unreadable = [issue for issue in file.issues if issue.code == "score_unreadable"]
    assert len(unreadable) == 1001
    assert "1500 in all" in unreadable[0].message
    assert file.arguments == 1500


def test_many_debates_of_one_id_are_told_apart():
    line = '{"debate_id": "d", "claim": "C.", "scenario": "single", "opinions": []}\n'
    file = read(line * 3000)
    assert len({debate.id for debate in file.debates}) == 3000


def test_a_chain_of_3000_arguments_loads():
    chain = [{"id": f"a{n}", "text": "t", "attacks": [f"a{n - 1}" if n else TOPIC]} for n in range(3000)]
    file = read(
        json.dumps(
            {"format": "moot-debate/1", "debate_id": "d", "claim": "C.", "rounds": [{"round": 0, "arguments": chain}]}
        )
    )
    assert file.arguments == 3000
    assert file.issues == ()


def test_cycles_load():
    pair = [
        {"id": "a", "text": "t", "attacks": ["b"]},
        {"id": "b", "text": "t", "attacks": ["a"], "supports": ["topic"]},
    ]
    file = read(
        json.dumps(
            {"format": "moot-debate/1", "debate_id": "d", "claim": "C.", "rounds": [{"round": 0, "arguments": pair}]}
        )
    )
    assert file.issues == ()


def test_a_mistake_of_ours_is_one_refused_file_and_no_exception(monkeypatch, caplog):
    class Faulty(NativeReader):
        def read(self, source, recognised, issues):
            raise KeyError("a bug")

    monkeypatch.setattr("storage.readers.files.READERS", (Faulty(),))
    with caplog.at_level(logging.CRITICAL):
        file = read('{"format": "moot-debate/1", "debate_id": "d", "claim": "C."}')
    assert (file.refused, codes(file)) == (True, ["reader_failed"])


# -- any bytes ---------------------------------------------------------------------------------------------------

PIECES = [
    *(b"{", b"}", b"[", b"]", b'"', b"'", b",", b":", b";", b"\t", b"\n", b"\r\n", b"\\", b"\x00", b"\xff", b"```"),
    *(b"NaN", b"null", b"1e999", b'"topic"', b"\\u0000", b"\\ud800", b"9" * 5000, b"[[[[[[", b'{"a":', b"-0.2", b"85%"),
]


def assert_sound(file):
    """Whatever was read is whole: each debate can be exported and comes back to the last byte."""
    assert "reader_failed" not in codes(file)
    assert file.refused == (not file.debates)
    assert not file.refused or any(issue.severity == "error" for issue in file.issues)
    first = debates_to_native(file.debates)
    assert debates_to_native(read(first).debates) == first
    assert all(json.loads(debate_to_line(debate), parse_constant=pytest.fail) for debate in file.debates)


@given(st.binary(max_size=2000))
def test_random_bytes_never_raise(data):
    assert_sound(read(data))


@pytest.mark.parametrize("name", sorted(path.name for path in LOGS.iterdir() if path.is_file()))
@given(data=st.data())
def test_a_damaged_log_never_raises(name, data):
    content = bytearray((LOGS / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(content)))
        match data.draw(st.sampled_from(["insert", "delete", "copy", "cut"])):
            case "insert":
                content[place:place] = data.draw(st.sampled_from(PIECES))
            case "delete":
                del content[place : place + data.draw(st.integers(1, 60))]
            case "copy":
                start = data.draw(st.integers(0, len(content)))
                content[place:place] = content[start : start + data.draw(st.integers(1, 300))]
            case "cut":
                del content[max(place, 1) :]
    assert_sound(read(bytes(content)))


@given(
    st.text(max_size=300),
    st.sampled_from(
        [None, TableMapping(Layout.LONG, claim="claim", text="argument", delimiter="\t", encoding="utf-16")]
    ),
)
def test_any_cells_under_a_good_header_never_raise(cells, mapping):
    assert_sound(
        read(
            "debate_id,claim,label,agent,round,prior,argument_id,target,polarity,argument,base_score\n" + cells, mapping
        )
    )
