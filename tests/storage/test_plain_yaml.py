"""YAML from strangers: a small text stays small, however its aliases refer to each other."""

from __future__ import annotations

import pytest
import yaml

from core.errors import InvalidSetting, UnreadableFile
from core.experiments import experiment_of
from core.import_issue import IssueLog
from core.plain_yaml import DEEPEST, RefusedYaml, yaml_value
from storage.judge_definition import judges_in
from storage.readers import PathMapping, StatementPaths, read_file
from storage.readers.yaml_records import yaml_records

# Each list twice the one before: 2 ** 40 values in a few hundred letters. In block style, so that no line is a table's.
BOMB = "\n".join(["a0: &a0\n- x\n- y", *(f"a{n}: &a{n}\n- *a{n - 1}\n- *a{n - 1}" for n in range(1, 40))])


def test_aliases_repeat_what_they_stand_for():
    assert yaml_value("one: &one {kind: qe}\nboth: [*one, {<<: *one, more: 1}]")["both"] == [
        {"kind": "qe"},
        {"kind": "qe", "more": 1},
    ]


def test_json_is_read_too():
    assert yaml_value('{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}


@pytest.mark.parametrize(
    ("text", "most", "said"),
    [
        (BOMB, 10_000, "repeat more than 10,000 values"),
        ("a: &a [1, 2]\nb: [*a]", 2, "repeat more than 2 values"),  # the list and its two values
        ("a: &a 1\nb: *a", 0, "aliases"),
        ("a: &a [*a]", 100, "what it is part of"),
        (f"{'[' * (DEEPEST + 1)}{']' * (DEEPEST + 1)}", 100, "levels deep"),
    ],
)
def test_what_could_grow_without_end_is_refused_with_its_line(text, most, said):
    with pytest.raises(RefusedYaml, match=said) as refused:
        yaml_value(text, most)
    assert 1 <= refused.value.line <= text.count("\n") + 1


@pytest.mark.parametrize("number", ["1" + ":1" * 1_000, "0b" + "1" * 1_000, "9" * 5_000, "1" * 200 + ".5"])
def test_a_number_that_would_take_long_to_work_out_stays_a_text(number):
    assert yaml_value(f"a: {number}\nb: {'9' * 90}\nc: 0.25") == {"a": number, "b": int("9" * 90), "c": 0.25}


def test_no_object_is_made_but_plain_values():
    with pytest.raises(yaml.YAMLError):
        yaml_value("!!python/object/apply:os.system ['true']")


def test_a_small_file_that_would_grow_without_end_is_called_what_it_is():
    mapping = PathMapping("motion", (StatementPaths("turns[].text"),))
    text = f"{BOMB}\nmotion: Cats rule.\nturns:\n- text: They purr, they do.\n"
    for found in (read_file(text.encode(), "log.yaml"), read_file(text.encode(), "log.yaml", mapping)):
        assert found.refused
        assert [issue.line for issue in found.issues if issue.code == "yaml_refused"] == [5]  # the first alias
        assert "table" not in found.why.split("Moot looked for")[0]


def test_records_before_an_alias_are_kept():
    issues = IssueLog()
    found = [record.value for record in yaml_records("a: 1\n---\nb: &b 2\nc: *b\n", issues)]
    assert found == [{"a": 1}]
    assert [(issue.code, issue.line) for issue in issues.issues] == [("yaml_refused", 4)]


def test_an_experiment_that_would_grow_without_end_or_is_nested_too_deeply_is_refused():
    with pytest.raises(InvalidSetting, match="at most 50,000 values"):
        experiment_of(f"{BOMB}\nname: x\njudges: *a39\n")
    with pytest.raises(UnreadableFile, match=r"Line 2: .* levels deep"):
        experiment_of(f"name: x\njudges: {'[' * 300}")


@pytest.mark.parametrize("place", ["- kind: *a39", "- kind: llm\n  model: *a39", "- *a39"])
def test_judges_of_a_file_that_would_grow_without_end_are_refused(place):
    with pytest.raises(UnreadableFile, match="repeat more than"):
        judges_in(f"{BOMB}\njudges:\n{place}")
