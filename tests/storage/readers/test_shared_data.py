"""Every file of the three data folders that lie beside the checkout, with what must come out of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest

from core.debate import DebateProtocol
from core.native import debate_to_line, debates_to_native
from core.opinion import TOPIC
from storage.readers import read_file
from tests.storage.readers.reading import arguments, problems, read, stances

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
SCHEMA = Path(__file__).resolve().parents[3] / "assets" / "schema" / "moot-debate-1.schema.json"
FOLDERS = ("posthoc-theory-synthetic", "tables-synthetic", "malformed-synthetic")

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data do not lie beside this checkout")


@dataclass(frozen=True)
class Expected:
    """What one file holds: its format, how many debates and arguments, and its issues as (code, line, field)."""

    format: str | None
    debates: int
    arguments: int
    problems: tuple[tuple[str, int | None, str | None], ...] = ()
    notes: tuple[str, ...] = ()  # codes of issues that only tell of a choice


FILES = {
    "posthoc-theory-synthetic/single_turn.jsonl": Expected("post-hoc", 40, 240),
    "posthoc-theory-synthetic/multi_turn_private.jsonl": Expected("post-hoc", 20, 801),
    "posthoc-theory-synthetic/multi_turn_shared.jsonl": Expected("post-hoc", 20, 382),
    "posthoc-theory-synthetic/large_1500_debates.jsonl.gz": Expected("post-hoc", 1500, 9000),
    "tables-synthetic/arguments_long.csv": Expected("table-long", 40, 240),
    "tables-synthetic/arguments_long.jsonl": Expected("table-long", 40, 240),
    "tables-synthetic/arguments_long.parquet": Expected("table-long", 40, 240),
    "tables-synthetic/arguments_long_excel_bom_crlf.csv": Expected("table-long", 10, 60),
    "tables-synthetic/arguments_percent_strings.csv": Expected("table-long", 10, 60),
    "tables-synthetic/debates_wide.csv": Expected("table-wide", 20, 120),
    "malformed-synthetic/duplicate_and_dangling_ids.json": Expected(
        "post-hoc",
        1,
        7,
        (
            ("argument_id_repeated", 19, "opinions[0].pros[1].id"),
            ("target_unknown", 29, "opinions[0].cons[0].target"),
        ),
    ),
    "malformed-synthetic/duplicate_debate_ids.jsonl": Expected(
        "post-hoc", 2, 12, (("debate_id_repeated", 2, "debate_id"),)
    ),
    "malformed-synthetic/empty.jsonl": Expected(None, 0, 0, (("file_empty", None, None),)),
    "malformed-synthetic/error_text_as_argument.json": Expected(
        "post-hoc", 1, 2, (("provider_error", 15, "opinions[0].pros[0].argument"),)
    ),
    "malformed-synthetic/fenced.json": Expected(
        "post-hoc", 1, 6, (("text_outside_json", 1, None),), ("fences_removed",)
    ),
    "malformed-synthetic/nan_infinity.json": Expected(
        "post-hoc",
        1,
        6,
        (
            ("score_not_finite", 1, "opinions[0].pros[0].base_score"),
            ("score_not_finite", 1, "opinions[1].prior_stance"),
        ),
    ),
    "malformed-synthetic/python_repr.json": Expected("post-hoc", 1, 6, (), ("python_literal",)),
    "malformed-synthetic/scores_out_of_range_and_strings.json": Expected(
        "post-hoc",
        1,
        6,
        (
            ("score_out_of_range", 16, "opinions[0].pros[0].base_score"),
            ("score_unreadable", 26, "opinions[0].posterior_stance"),
            ("score_out_of_range", 43, "opinions[1].cons[0].base_score"),
        ),
        ("score_scale_assumed",),
    ),
    "malformed-synthetic/truncated_last_line.jsonl": Expected("post-hoc", 2, 12, (("record_truncated", 3, None),)),
}


def shared(name):
    return read_file(DATA / name, name)


def test_no_file_of_the_three_folders_is_forgotten():
    found = {f"{folder}/{path.name}" for folder in FOLDERS for path in (DATA / folder).iterdir()}
    assert found - set(FILES) == {f"{folder}/PROVENANCE.md" for folder in FOLDERS}


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_exactly_its_debates_arguments_and_issues(name):
    file, expected = shared(name), FILES[name]
    assert (file.format, len(file.debates), file.arguments) == (expected.format, expected.debates, expected.arguments)
    assert tuple(problems(file)) == expected.problems
    assert tuple(issue.code for issue in file.issues if issue.severity == "info") == expected.notes
    assert file.refused == (expected.format is None)
    assert {issue.file for issue in file.issues} <= {name.split("/")[1]}


@pytest.mark.parametrize("name", [name for name in FILES if FILES[name].format])
def test_what_was_read_fits_the_schema_and_comes_back_to_the_last_byte(name):
    debates = shared(name).debates
    first = debates_to_native(debates)
    assert debates_to_native(read(first).debates) == first
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    for debate in debates[:50]:
        validator.validate(json.loads(debate_to_line(debate)))


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_notes_on_a_folder_are_no_debates(folder):
    file = shared(f"{folder}/PROVENANCE.md")
    assert (file.refused, [issue.severity for issue in file.issues]) == (True, ["error"])


def test_the_three_protocols_keep_their_rounds_and_judgements():
    single, private, shared_ = (
        shared(f"posthoc-theory-synthetic/{name}.jsonl").debates
        for name in ("single_turn", "multi_turn_private", "multi_turn_shared")
    )
    assert {debate.protocol for debate in single} == {DebateProtocol.SINGLE_TURN}
    assert {len(debate.rounds) for debate in single} == {1}
    assert {debate.protocol for debate in private} == {DebateProtocol.MULTI_TURN_PRIVATE}
    assert {len(debate.rounds) for debate in private} == {len(debate.rounds) for debate in shared_} == {3}
    assert all(debate.shared for debate in shared_)
    assert all(len(debate.agents) == 3 for debate in (*single, *private, *shared_))
    assert {j.judge for debate in single for j in debate.judgements} == {"gpt-4o"}
    assert all(r.edits for debate in shared_ for r in debate.rounds)
    assert any(a.last_edited_by for debate in shared_ for a in debate.rounds[-1].arguments)
    assert {r.target for debate in (*single, *private, *shared_) for each in debate.rounds for r in each.relations} == {
        TOPIC
    }


def test_the_long_table_reads_alike_as_text_json_and_parquet():
    forms = [shared(f"tables-synthetic/arguments_long.{ending}").debates for ending in ("csv", "jsonl", "parquet")]
    values = [[(d.id, d.claim, d.label, d.agents, d.rounds) for d in debates] for debates in forms]
    assert values[0] == values[1] == values[2]


def test_percent_strings_mean_the_same_as_numbers():
    plain = shared("tables-synthetic/arguments_long.csv").debates[:10]
    percent = shared("tables-synthetic/arguments_percent_strings.csv").debates
    excel = shared("tables-synthetic/arguments_long_excel_bom_crlf.csv").debates
    assert [arguments(d) for d in plain] == [arguments(d) for d in percent] == [arguments(d) for d in excel]
    assert [stances(d) for d in plain] == [stances(d) for d in percent]
    assert percent[0].rounds[0].arguments[0].base_score_raw == "64%"


def test_scores_in_words_are_read_and_kept():
    (debate,) = shared("malformed-synthetic/scores_out_of_range_and_strings.json").debates
    assert debate.label is True
    assert stances(debate) == {"A1": (0.91, None), "A2": (1.0, 1.0), "A3": (0.85, 0.4)}
    raw = {a.id: a.base_score_raw for a in debate.rounds[0].arguments if a.base_score is None}
    assert raw == {"A1-pro1": "1.4", "A2-con1": "-0.2"}
    assert debate.provenance["extra"]["opinions[2].posterior_stance"] == "Likelihood: 40%"


def test_a_dangling_target_and_both_arguments_of_one_id_are_kept():
    (debate,) = shared("malformed-synthetic/duplicate_and_dangling_ids.json").debates
    relations = debate.rounds[0].relations
    assert [r.target for r in relations if r.source == "A1-con1"] == ["does-not-exist"]
    assert {a.id for a in debate.rounds[0].arguments} >= {"A1-pro1", "A1-pro1-2"}


@pytest.mark.parametrize(
    "path",
    [p for folder in sorted(DATA.iterdir()) for p in sorted(folder.rglob("*")) if p.is_file()] if DATA.exists() else [],
)
def test_any_other_shared_file_is_read_or_refused_with_a_reason(path):
    file = read_file(path, path.name)
    assert "reader_failed" not in {issue.code for issue in file.issues}
    assert file.refused == (not file.debates)
    assert not file.refused or any(issue.severity == "error" for issue in file.issues)
