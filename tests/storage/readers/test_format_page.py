"""docs/format.md and the JSON Schema hold what they promise."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from core.debate import DebateProtocol
from core.native import FORMAT, debate_to_json
from storage.readers import read_file

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "assets" / "schema" / "moot-debate-1.schema.json").read_text(encoding="utf-8"))
EXAMPLES = re.findall(r"```(?:json|csv)\n(.*?)```", PAGE, re.DOTALL)
NATIVE = [example for example in EXAMPLES if FORMAT in example]
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_there_is_an_example_of_each_protocol_and_format():
    assert {json.loads(example)["protocol"] for example in NATIVE} == set(DebateProtocol) - {"other"}
    formats = [read_file(example.encode(), "example").format for example in EXAMPLES]
    assert set(formats) == {FORMAT, "post-hoc", "table-long", "table-wide"}


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_read_without_a_problem(example):
    file = read_file(example.encode(), "example")
    assert not file.refused
    assert [issue for issue in file.issues if issue.severity != "info"] == []


@pytest.mark.parametrize("example", NATIVE, ids=range(len(NATIVE)))
def test_a_native_example_fits_the_schema_and_is_written_as_it_stands(example):
    record = json.loads(example)
    VALIDATOR.validate(record)
    (debate,) = read_file(example.encode(), "example").debates
    written = debate_to_json(debate)
    assert written == record
    assert list(written) == list(record)


@pytest.mark.parametrize(
    "change",
    [
        {"claim": " "},
        {"claim": None},
        {"label": "true"},
        {"protocol": "duel"},
        {"format": "moot-debate/2"},
        {"mood": "good"},
        {"rounds": [{"round": 0, "arguments": [{"id": "topic", "text": "t"}]}]},
        {"rounds": [{"round": 0, "arguments": [{"id": "a", "text": "t", "base_score": 1.2}]}]},
        {"rounds": [{"round": 0, "arguments": [{"id": "a"}]}]},
        {"rounds": [{"stances": []}]},
        {"judgements": [{"judge": "j", "verdict": "maybe"}]},
    ],
)
def test_the_schema_refuses_what_is_not_right(change):
    record = {"format": FORMAT, "debate_id": "d", "claim": "C."}
    assert VALIDATOR.is_valid(record)
    assert not VALIDATOR.is_valid(record | change)


def test_every_issue_code_is_listed():
    sources = [
        *(ROOT / "storage").rglob("*.py"),
        ROOT / "core/native_record.py",
        ROOT / "core/record_reading.py",
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    before = [
        r"\.(?:warn|warning|error|info)\((?:\w+, )?",
        r"refused\([^\"]{0,60}",
        r"_issue\([^\"]{0,60}",
        "UNREADABLE = ",
        "code = ",
        r"ReadScore\([^\"]{0,60}",
        "TOPIC else ",
    ]
    call = f"(?:{'|'.join(before)})\\s*"
    noted = set(re.findall(call + r'"([a-z]+_[a-z_]+|encoding|undecodable)"', text))
    listed = set(re.findall(r"`([a-z_]+)`", PAGE[PAGE.index("## What is reported") :]))
    assert noted >= {"already_here", "debate_id_taken", "file_missing", "file_is_folder", "not_stored", "undecodable"}
    assert noted >= {"contestation_unreadable", "contestation_id_taken", "contestation_already_here"}
    assert len(noted) > 70
    assert noted - listed == set()


def test_every_listed_code_is_in_use():
    listed = set(re.findall(r"`([a-z_]+)`", PAGE[PAGE.index("## What is reported") :]))
    sources = [*(ROOT / "storage").rglob("*.py"), *(ROOT / "core").glob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    composed = {f"{what}_disagrees" for what in ("claim_id", "title", "prior", "posterior")}
    assert [code for code in sorted(listed - composed) if f'"{code}"' not in text] == []
