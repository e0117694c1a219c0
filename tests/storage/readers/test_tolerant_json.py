import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.import_issue import IssueLog
from storage.readers import tolerant_json
from storage.readers.field_lines import field_lines
from storage.readers.json_repair import balanced_end, without_trailing_commas
from storage.readers.python_literal import read_python_literal
from storage.readers.tolerant_json import json_records

finite = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), finite, st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=10,
)
objects = st.dictionaries(st.text(), values, max_size=4)


def read(text):
    """Return the records as (value, line) and the issues as (code, line)."""
    issues = IssueLog()
    records = [(record.value, record.line) for record in json_records(text, issues)]
    return records, [(issue.code, issue.line) for issue in issues.issues]


def values_of(text):
    return [value for value, _ in read(text)[0]]


# -- every form --------------------------------------------------------------------------------------------------


@given(st.lists(objects, min_size=1, max_size=4), st.sampled_from([None, 1, 4]))
def test_all_usual_forms_of_the_same_records_read_alike(records, indent):
    clean = json.loads(json.dumps(records).replace("\\u0000", "z"))
    clean = json.loads("".join(c for c in json.dumps(clean, ensure_ascii=False) if not "\ud800" <= c <= "\udfff"))
    texts = [json.dumps(record, indent=indent) for record in clean]
    joined = "\n".join(texts)
    for text in (
        joined,
        "\r\n".join(texts) + "\r\n\r\n",
        "".join(texts),
        ",\n".join(texts),
        "\x1e" + "\n\x1e".join(texts),
        json.dumps(clean, indent=indent),
        f"Here it is:\n```json\n{joined}\n```\nThat was it.",
        f"```\n{joined}",
        "\n".join(f"```json\n{text}\n```" for text in texts),
    ):
        assert values_of(text) == clean


@given(st.lists(objects, min_size=1, max_size=3))
def test_what_python_prints_reads_alike(records):
    clean = json.loads(json.dumps(records, ensure_ascii=False).replace("\\u0000", "z"))
    if any("\ud800" <= c <= "\udfff" for c in str(clean)):
        return
    assert values_of("\n".join(map(repr, clean))) == clean
    assert values_of(repr(clean)) == clean


def test_prose_around_a_record_is_reported_with_its_line():
    records, issues = read('Here is\nthe debate: {"a": 1}\nGood luck!')
    assert records == [({"a": 1}, 2)]
    assert issues == [("text_outside_json", 1)]


def test_braces_in_prose_are_passed_over():
    assert values_of('Sets {x} and {"y} are {"a": {"b": "}"}} here') == [{"a": {"b": "}"}}]


def test_trailing_text_is_reported_and_the_next_record_on_the_line_is_read():
    records, issues = read('{"a": 2}TRAILER\n{"a": 3} and {"a": 4}')
    assert [value["a"] for value, _ in records] == [2, 3, 4]
    assert issues == [("trailing_text", 1), ("trailing_text", 2)]


@pytest.mark.parametrize("end", ['{"a": ', '{"a": "b', '{"a": "b"', '{"a": [1, 2', '{"a": tru', '{"a": {"b": 1}', "{"])
def test_a_truncated_last_line_is_reported_and_the_others_load(end):
    records, issues = read(f'{{"a": 1}}\n\n{{"a": 2}}\n{end}')
    assert [line for _, line in records] == [1, 3]
    assert issues == [("record_truncated", 4)]


def test_a_broken_line_in_the_middle_is_reported_and_the_others_load():
    records, issues = read('{"a": 1}\n{"a" 2}\n{"a": "3\n{"a": 4}')
    assert records == [({"a": 1}, 1), ({"a": 4}, 4)]
    assert issues == [("json_invalid", 2), ("record_truncated", 3)]


def test_a_broken_entry_of_a_list_is_reported_and_the_others_load():
    text = '[\n  {\n    "a": 1\n  },\n  {\n    "a": tru\n  },\n  {\n    "a": 3\n  }\n]'
    assert read(text) == ([({"a": 1}, 2), ({"a": 3}, 8)], [("json_invalid", 5)])
    assert read('[{"a": 1}, {"a": tru}, {"a": 3}]')[0] == [({"a": 1}, 1), ({"a": 3}, 1)]


def test_a_list_that_is_cut_off_gives_what_is_whole():
    assert read('[{"a": 1},\n{"a": 2}') == ([({"a": 1}, 1), ({"a": 2}, 2)], [("list_not_closed", 1)])


def test_an_error_names_line_and_column():
    issues = IssueLog()
    list(json_records('{"a": 1}\n{"b": 2 "c"}', issues))
    assert "line 2, column 9" in issues.issues[0].message


@pytest.mark.parametrize("text", ['{"a": 1,}', '{"a": [1, 2,],}', '{"a": 1 , \n}', '[{"a": 1},]', '{"a": ",}",}'])
def test_trailing_commas_are_removed(text):
    (value,) = values_of(text)
    assert value["a"] in (1, [1, 2], ",}")


def test_a_removed_comma_is_reported_with_its_line():
    assert read('{"a": 1}\n{"a": 2,}')[1] == [("trailing_comma", 2)]


def test_a_key_that_comes_twice_counts_as_the_last_and_is_reported():
    records, issues = read('{"a": 1}\n{"a": {"b": 1, "b": 2}, "a": 3}')
    assert records[1] == ({"a": 3}, 2)
    assert issues == [("key_repeated", 2), ("key_repeated", 2)]


def test_nan_and_infinity_are_left_to_whoever_knows_the_field():
    ((value, _),), issues = read('{"a": NaN, "b": -Infinity, "c": 1e999}')
    assert math.isnan(value["a"])
    assert (value["b"], value["c"]) == (-math.inf, math.inf)
    assert issues == []


@pytest.mark.parametrize("bracket", ['{"a": ', "[", '[{"a": ', "{'a': (", "{'a': ["])
@pytest.mark.parametrize("levels", [300, 3000, 100_000])
def test_deep_nesting_is_refused_with_its_line(bracket, levels):
    closing = "".join({"{": "}", "[": "]", "(": ")"}[c] for c in reversed(bracket) if c in "{[(")
    text = '{"a": 1}\n' + bracket * levels + "1" + closing * levels + '\n{"a": 2}'
    records, issues = read(text)
    assert [value for value, _ in records if isinstance(value, dict) and "a" in value and value["a"] in (1, 2)] == [
        {"a": 1},
        {"a": 2},
    ]
    assert [line for _, line in issues] == [2]


def test_whole_numbers_of_any_length_are_read_or_kept_as_text():
    records, issues = read('{"a": ' + "9" * 400 + '}\n{"a": ' + "9" * 5000 + "}")
    assert records[0][0]["a"] == 10**400 - 1
    assert records[1][0]["a"] == "9" * 5000
    assert issues == [("number_too_long", 2)]


def test_characters_that_no_database_holds_are_replaced_and_pairs_are_not():
    ((value, _),), issues = read(r'{"a\u0000": "\ud800 \ud83d\ude00 \\u0000"}')
    assert value == {"a\ufffd": "\ufffd \U0001f600 \\u0000"}
    assert issues == [("character_replaced", 1)]


@pytest.mark.parametrize("text", ["", "  \n ", "prose", "12", '"text"', "null", "# note", "a,b\n1,2"])
def test_a_text_without_objects_or_lists_has_no_records(text):
    assert read(text) == ([], [])


def test_lists_of_other_things_are_one_record_each():
    assert values_of('[1, 2]\n["a"]\n[]') == [[1, 2], ["a"], []]


@given(st.text())
def test_any_text_is_read_without_an_exception(text):
    read(text)
    read("{" + text)
    read('{"a": ' + text)


@given(objects, st.data())
def test_a_record_with_any_mutation_is_read_or_reported(record, data):
    text = json.dumps(record)
    place = data.draw(st.integers(0, len(text)))
    piece = data.draw(st.sampled_from(["", "{", "}", '"', ",", "'", "\\", "\n", "NaN", "[", "x"]))
    mutated = text[:place] + piece + text[place + data.draw(st.integers(0, 3)) :]
    records, issues = read(mutated)
    assert records or issues or not mutated.strip().startswith(("{", "["))


@pytest.mark.parametrize(
    "piece", ['{"a":\n', "{", '{"a":"\n', "{'a':\n", '{"a":1,}\n', "{\nx\n", "  {\n", '{"', '\n {"a":tru},', "\\"]
)
def test_a_hostile_text_is_not_gone_through_again_for_each_record(piece, monkeypatch):
    looked_at = 0

    def counting(text, start, limit, *, python=False):
        nonlocal looked_at
        end = balanced_end(text, start, limit, python=python)
        looked_at += (limit if end is None else end) - start
        return end

    monkeypatch.setattr(tolerant_json, "EFFORT", 50_000)
    monkeypatch.setattr(tolerant_json, "balanced_end", counting)
    text = "[" + piece * (40_000 // len(piece))
    list(json_records(text, IssueLog()))
    assert looked_at < 4 * len(text) + 2 * 50_000  # a look at each to the end would be a hundred million and more


# -- lines of fields ---------------------------------------------------------------------------------------------


def test_the_line_of_each_field_is_found():
    text = '{\n "a": 1,\n "b": [\n  {"c": "x, ]"},\n  2,\n  {\n   "d": [[]]}]\n}'
    assert field_lines(text, 0, len(text), 1) == {
        "a": 2,
        "b": 3,
        "b[0]": 4,
        "b[0].c": 4,
        "b[1]": 5,
        "b[2]": 6,
        "b[2].d": 7,
        "b[2].d[0]": 7,
        "b[2].d[0][0]": 7,
    }


@given(objects, st.sampled_from([None, 2]))
def test_every_top_key_of_any_record_has_a_line(record, indent):
    text = json.dumps(record, indent=indent)
    lines = field_lines(text, 0, len(text), 1)
    assert {key for key in record if "." not in key and "[" not in key} <= {*lines, ""}


def test_a_record_within_one_line_needs_no_locating():
    (one,) = json_records('{"a": 1}', IssueLog())
    (two,) = json_records('{"a":\n{"b": 1}}', IssueLog())
    assert one.locate is None
    assert two.locate is not None
    assert [two.locate(path) for path in ("a", "a.b", "a.missing", "missing")] == [1, 2, 1, None]


# -- small parts -------------------------------------------------------------------------------------------------


def test_brackets_in_texts_do_not_count():
    text = '{"a": "}{", "b": [1]} {'
    assert balanced_end(text, 0, len(text)) == text.index(" {")
    assert balanced_end("{'}'}", 0, 5, python=True) == 5
    assert balanced_end('{"a": [', 0, 7) is None
    assert balanced_end("[[[1]]]]]", 0, 9) == 7
    assert balanced_end("({[]})]", 0, 7, python=True) == 6


@given(st.text('[]{}"a, ', max_size=30))
def test_the_end_of_a_bracket_is_where_counting_one_by_one_finds_it(rest):
    text = "[" + rest
    depth, quoted, expected = 0, False, None
    for place, sign in enumerate(text):
        quoted ^= sign == '"'
        depth += 0 if quoted else (sign in "[{") - (sign in "]}")
        if depth == 0:
            expected = place + 1
            break
    if text.count('"') % 2 == 0:  # a quotation mark without another opens nothing
        assert balanced_end(text, 0, len(text)) == expected


def test_only_commas_before_a_closing_bracket_go():
    assert without_trailing_commas('{"a": ",}", "b": [1, ], }') == '{"a": ",}", "b": [1 ] }'
    assert without_trailing_commas('{"a": 1}') is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': (1, 2), 3: None}", {"a": [1, 2], "3": None}),
        ("{'a': True, 'b': b'x', 'c': {1}}", {"a": True, "b": "b'x'", "c": "{1}"}),
        ("{'a': inf, 'b': -inf, 'c': null, 'd': true}", {"a": math.inf, "b": -math.inf, "c": None, "d": True}),
        ("{'a': 'it\\'s', 'b': \"x\" 'y'}", {"a": "it's", "b": "xy"}),
    ],
)
def test_a_python_literal_becomes_plain_json(text, value):
    assert read_python_literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "{'a': open('x')}",
        "{'a': name}",
        "[x for x in ()]",
        "{'a': 1 + x}",
        "{'a'",
        "{[]: 1}",
        "(" * 5000,
        "'x' * 10**9",
        "",
    ],
)
def test_anything_but_a_literal_is_refused_and_never_run(text):
    with pytest.raises(ValueError, match="literal"):
        read_python_literal(text)


@pytest.mark.parametrize("space", ["\u2028", "\x0b", "\u00a0", "\x1c", "\ufeff"])
def test_spaces_of_every_kind_may_follow_the_last_record(space):
    issues = IssueLog("log")
    assert [record.value for record in json_records(f'{{"a": 1}}{space}', issues)] == [{"a": 1}]
