import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidSetting
from core.evaluation_lines import evaluate_lines
from core.semantics import SEMANTICS, semantics
from tests.core.generated import graphs

GOOD = {
    "id": "d1",
    "topic": "t",
    "arguments": [["t", 0.5], ["p", 0.8], ["c", 0.6]],
    "attacks": [["c", "t"]],
    "supports": [["p", "t"]],
}


def one(line, **settings):
    """Return the only result of one line."""
    results = list(evaluate_lines([line if isinstance(line, str) else json.dumps(line)], **settings))
    assert len(results) == 1
    assert "\n" not in results[0]

    def strict(constant):
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(results[0], parse_constant=strict)


def test_a_good_line_gets_its_strengths():
    result = one(GOOD)
    strengths = {"t": 0.5 + 0.5 * ((1 - 0.6) - (1 - 0.8)), "p": 0.8, "c": 0.6}
    assert result == {"id": "d1", "strengths": strengths, "status": "ok", "reason": ""}


def test_results_are_exact_and_readable():
    line = json.dumps({**GOOD, "id": "ü", "arguments": [["t", 0.1], ["p", 1 / 3], ["c", 0.0]]})
    result = next(iter(evaluate_lines([line])))
    assert '"id": "ü"' in result
    assert '"p": 0.3333333333333333' in result


@given(graph=graphs(), key=st.sampled_from(list(SEMANTICS)))
def test_a_line_gets_what_the_semantics_says(graph, key):
    record = {"id": 1, "arguments": graph.arguments, "attacks": graph.attacks, "supports": graph.supports}
    assert one(record, semantics=key)["strengths"] == semantics(key).evaluate(graph.qbaf).by_name


def test_the_semantics_and_its_conservativeness_can_be_chosen():
    assert one(GOOD, semantics="qe", conservativeness=2)["strengths"]["t"] == pytest.approx(0.5 + 0.5 * 0.01 / 1.01)


@pytest.mark.parametrize(("key", "kappa"), [("grounded", 1.0), ("df-quad", 0.9), ("euler", 1.1)])
def test_bad_settings_are_refused_before_the_first_line(key, kappa):
    lines = iter([json.dumps(GOOD)])
    with pytest.raises(InvalidSetting):
        evaluate_lines(lines, key, kappa)
    assert list(lines) == [json.dumps(GOOD)]  # nothing was read


def test_blank_lines_are_skipped_but_counted():
    results = [json.loads(line) for line in evaluate_lines(["\n", json.dumps(GOOD) + "\r\n", "   ", "oops\n"])]
    assert [result["status"] for result in results] == ["ok", "refused"]
    assert results[1]["reason"].startswith("Line 4:")


def test_a_byte_order_mark_is_no_fault():
    assert one("\ufeff" + json.dumps(GOOD))["status"] == "ok"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"arguments": None}, "'arguments'"),
        ({"arguments": {"t": 0.5}}, "'arguments'"),
        ({"arguments": [["t", 0.5], "p"]}, "'arguments', entry 2"),
        ({"arguments": [["t", 0.5], ["p"]]}, "'arguments', entry 2"),
        ({"arguments": [["t", 0.5], ["p", 0.5, 1]]}, "'arguments', entry 2"),
        ({"arguments": [["t", 0.5], [7, 0.5]]}, "'arguments', entry 2"),
        ({"arguments": [["t", 0.5], ["t", 0.6]]}, "'arguments', entry 2"),
        ({"arguments": [["t", 1.01], ["p", 0.8], ["c", 0.6]]}, "'arguments', entry 1"),
        ({"arguments": [["t", -0.01], ["p", 0.8], ["c", 0.6]]}, "'arguments', entry 1"),
        ({"arguments": [["t", "0.5"], ["p", 0.8], ["c", 0.6]]}, "'arguments', entry 1"),
        ({"arguments": [["t", None], ["p", 0.8], ["c", 0.6]]}, "'arguments', entry 1"),
        ({"arguments": [["t", True], ["p", 0.8], ["c", 0.6]]}, "'arguments', entry 1"),
        ({"arguments": [["t", [0.5]], ["p", 0.8], ["c", 0.6]]}, "'arguments', entry 1"),
        ({"arguments": [["t", 10**400], ["p", 0.8], ["c", 0.6]]}, "'arguments', entry 1"),
        ({"attacks": "c t"}, "'attacks'"),
        ({"attacks": [["c", "t"], ["z", "t"]]}, "'attacks', entry 2"),
        ({"attacks": [["c", None]]}, "'attacks', entry 1"),
        ({"attacks": [["c"]]}, "'attacks', entry 1"),
        ({"supports": [["p", "z"]]}, "'supports', entry 1"),
        ({"supports": 3}, "'supports'"),
        ({"topic": "z"}, "'topic'"),
        ({"topic": 3}, "'topic'"),
    ],
)
def test_a_fault_is_refused_with_its_line_and_field(change, field):
    result = one({**GOOD, **change})
    assert (result["id"], result["strengths"], result["status"]) == ("d1", {}, "refused")
    assert result["reason"].startswith("Line 1: field ")
    assert field in result["reason"]


@pytest.mark.parametrize("field", ["arguments", "attacks", "supports"])
def test_a_missing_field_is_named(field):
    result = one({key: value for key, value in GOOD.items() if key != field})
    assert (result["id"], result["status"]) == ("d1", "refused")
    assert f"field '{field}' is missing" in result["reason"]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_refused_and_the_id_still_echoed(number):
    result = one(f'{{"id": "d1", "arguments": [["t", {number}]], "attacks": [], "supports": []}}')
    assert (result["id"], result["status"]) == ("d1", "refused")
    assert "'arguments', entry 1" in result["reason"]


def test_nan_is_refused_even_in_a_field_that_does_not_matter():
    result = one(json.dumps({**GOOD, "note": float("nan")}))
    assert (result["id"], result["status"]) == ("d1", "refused")
    assert "NaN" in result["reason"]


def test_a_field_given_twice_is_refused():
    result = one('{"id": "d1", "arguments": [["t", 0.5]], "arguments": [], "attacks": [], "supports": []}')
    assert (result["id"], result["status"]) == ("d1", "refused")
    assert "'arguments' is given twice" in result["reason"]


@pytest.mark.parametrize("line", ["nonsense", "{", '{"id": "d1"', "[]", "7", "null", '"text"', "[" * 100_000, "\x00"])
def test_a_line_that_is_no_object_is_refused(line):
    result = one(line)
    assert (result["id"], result["strengths"], result["status"]) == (None, {}, "refused")
    assert result["reason"].startswith("Line 1: the line ")


@pytest.mark.parametrize(("given_id", "echoed"), [("x", "x"), (7, 7), (1.5, 1.5), (None, None), ("", "")])
def test_the_id_is_echoed(given_id, echoed):
    assert one({**GOOD, "id": given_id})["id"] == echoed


@pytest.mark.parametrize("given_id", [True, [1], {"a": 1}, float("nan")])
def test_an_id_that_is_none_is_refused(given_id):
    result = one({**GOOD, "id": given_id})
    assert (result["id"], result["status"]) == (None, "refused")
    assert "field 'id'" in result["reason"]


def test_topic_id_and_further_fields_may_be_absent_or_unknown():
    record = {key: value for key, value in GOOD.items() if key not in ("id", "topic")}
    assert one({**record, "note": "for people"})["status"] == "ok"
    assert one({**GOOD, "topic": None})["status"] == "ok"


def test_an_empty_graph_is_fine():
    assert one({"id": 1, "arguments": [], "attacks": [], "supports": []})["status"] == "ok"


def test_without_a_fixed_point_the_last_strengths_are_no_result():
    result = one({"id": "d1", "arguments": [["a", 1e-6]], "attacks": [], "supports": [["a", "a"]]})
    assert (result["id"], result["status"]) == ("d1", "not converged")
    assert 0 < result["strengths"]["a"] < 1
    assert result["reason"].startswith("Line 1: attacks and supports form a cycle")


@pytest.mark.parametrize("name", ['"', "\\", "\u2028", "\x85", "\ud800", "\x00", "=1+1", "<script>", "\u202e"])
def test_any_text_is_a_name(name):
    line = json.dumps({"id": name, "arguments": [[name, 0.25]], "attacks": [], "supports": []})
    result = next(iter(evaluate_lines([line])))
    assert len(result.splitlines()) == 1
    assert result.encode().decode() == result
    assert json.loads(result) == {"id": name, "strengths": {name: 0.25}, "status": "ok", "reason": ""}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(changes=st.dictionaries(st.sampled_from(sorted(GOOD)), json_values))
def test_whatever_a_field_holds_there_is_one_result_and_no_exception(changes):
    result = one({**GOOD, **changes})
    assert set(result) == {"id", "strengths", "status", "reason"}
    assert (result["status"] == "ok") is (result["reason"] == "")
    assert result["status"] in ("ok", "refused", "not converged")


@given(line=st.text(st.characters(exclude_characters="\n\r"), max_size=40))
def test_whatever_a_line_holds_there_is_at_most_one_result_and_no_exception(line):
    assert len(list(evaluate_lines([line]))) == bool(line.strip().removeprefix("\ufeff"))
