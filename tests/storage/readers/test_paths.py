"""Any records read by paths: the language of paths, what belongs to what, and what is said of a path that misses."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.debate import DebateProtocol
from core.errors import InvalidSetting
from core.score_text import Scale
from storage.readers import PathMapping, StatementPaths
from storage.readers.guess_paths import guess_paths
from storage.readers.path_choices import path_choices
from storage.readers.path_mapping import path_problem
from storage.readers.path_records import sampled_values
from storage.readers.record_path import Every, RecordPath, find, record_path
from storage.readers.source import Source
from tests.storage.readers.reading import arguments, codes, problems, read, relations, stances

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "data"
NAMES = st.text(min_size=1, max_size=8)
STEPS = st.lists(st.one_of(NAMES, st.integers(-9, 9), st.sampled_from(list(Every))), max_size=6)

TRIAL = {
    "id": 7,
    "claim": "Bees can count.",
    "finding": "upheld",
    "rounds": [
        {"n": 1, "turns": [{"by": "ann", "side": "for", "says": "They know four from three.", "sure": 80}]},
        {"n": 2, "turns": [{"by": "bo", "side": "contra", "says": "They know more from fewer.", "sure": 40}]},
    ],
    "panel": {"ann": {"model": "left"}, "bo": {"model": "right"}},
}
MAPPING = PathMapping(
    claim="claim",
    debate_id="id",
    label="finding",
    statements=(
        StatementPaths(
            "rounds[].turns[].says",
            agent="rounds[].turns[].by",
            polarity="rounds[].turns[].side",
            score="rounds[].turns[].sure",
            round="rounds[].n",
        ),
    ),
    scales={"rounds[].turns[].sure": Scale.PERCENT},
    true_words=("upheld",),
    con_words=("contra",),
)


@given(STEPS)
def test_a_written_path_is_read_as_it_was(steps):
    path = RecordPath(tuple(steps))
    assert record_path(str(path)) == path


@pytest.mark.parametrize(
    ("text", "sign"),
    [("a..b", 2), ("a.", 2), ("[", 1), ("a[x]", 2), ("a~", 2), ("a[]~.b", 5), ('"a', 1), ("a[]b", 4), ("a]b", 2)],
)
def test_what_is_no_path_is_refused_with_the_sign_at_which_it_stops_being_one(text, sign):
    with pytest.raises(InvalidSetting, match=f"from its sign {sign} on"):
        record_path(text)


def test_paths_lead_to_entries_values_names_and_places():
    record = {"a": [{"b": 1}, {"b": 2}], "c": {"x": {"d": 3}, "y": {"d": 4}}, "odd.key": [[5, 6]]}

    def values(path):
        return [found.value for found in find(record, record_path(path))]

    assert values("a[].b") == [1, 2]
    assert values("a[-1].b") == [2]
    assert values("c.*.d") == [3, 4]
    assert values("c.*~") == ["x", "y"]
    assert values("a[]~") == [0, 1]
    assert values('"odd.key"[0][1]') == [6]
    assert values("") == [record]
    assert values("a.b") == values("nothing[].b") == values("c[]") == []


def test_a_debate_comes_out_of_a_record_with_sides_rounds_scores_and_own_words():
    (debate,) = (found := read(json.dumps(TRIAL), MAPPING)).debates
    assert (debate.id, debate.claim, debate.label) == ("7", "Bees can count.", True)
    assert [r.number for r in debate.rounds] == [1, 2]
    assert arguments(debate, 0) == [("ann-1", "They know four from three.", 0.8)]
    assert relations(debate) == ["ann-1 +", "bo-1 -"]  # the last round also holds what was said before
    assert debate.provenance["label"] == "upheld"
    assert debate.provenance["extra"] == {"panel": TRIAL["panel"]}
    assert found.format == "paths"
    assert problems(found) == []


def test_lists_side_by_side_belong_together_entry_for_entry():
    record = {"claim": "C.", "pros": ["One.", "Two."], "weights": [0.2, 0.9], "src": ["a", "b"]}
    kind = StatementPaths("pros[]", polarity="=pro", score="weights[]", source="src[]", agent="=us")
    (debate,) = read(json.dumps(record), PathMapping("claim", (kind,))).debates
    assert [(a.text, a.base_score, a.source) for a in debate.rounds[0].arguments] == [
        ("One.", 0.2, "a"),
        ("Two.", 0.9, "b"),
    ]
    assert [agent.id for agent in debate.agents] == ["us"]


def test_names_of_agents_may_be_keys_and_stances_may_be_there():
    record = {"claim": "C.", "who": {"ann": {"says": ["A.", "B."], "was": 0.2, "is": 0.6}, "bo": {"says": ["D."]}}}
    kind = StatementPaths("who.*.says[]", agent="who.*~", prior="who.*.was", posterior="who.*.is", polarity="=con")
    (debate,) = (found := read(json.dumps(record), PathMapping("claim", (kind,)))).debates
    assert [(a.id, a.author) for a in debate.rounds[0].arguments] == [
        ("ann-1", "ann"),
        ("ann-2", "ann"),
        ("bo-1", "bo"),
    ]
    assert stances(debate) == {"ann": (0.2, 0.6)}
    assert [i.message for i in found.issues if "who.*.was" in i.message] == [
        "The path 'who.*.was' of the prior found nothing 1 time, first in record 1."
    ]


def test_statements_that_point_to_other_statements_become_relations_between_them():
    turns = [
        {"n": 1, "side": "pro", "text": "Yes."},
        {"n": 2, "side": "con", "text": "No.", "attacks": [1]},
        {"n": 3, "side": "pro", "text": "Yes!", "supports": [1], "attacks": [2]},
    ]
    kind = StatementPaths(
        "turns[].text", argument_id="turns[].n", supports="turns[].supports", attacks="turns[].attacks"
    )
    (debate,) = read(json.dumps({"topic": "T.", "turns": turns}), PathMapping("topic", (kind,))).debates
    assert relations(debate) == ["2 -1", "3 +1", "3 -2"]
    assert debate.protocol is DebateProtocol.OTHER


def test_records_of_one_statement_each_join_up_by_their_debate():
    rows = [{"d": {"id": n % 2, "claim": f"C{n % 2}."}, "text": f"Text {n}.", "by": "ann"} for n in range(4)]
    text = "\n".join(map(json.dumps, rows))
    kind = StatementPaths("text", agent="by")
    found = read(text, PathMapping("d.claim", (kind,), debate_id="d.id", joined=True))
    assert [(d.id, len(d.rounds[0].arguments)) for d in found.debates] == [("0", 2), ("1", 2)]
    assert [m.text for m in found.debates[1].transcript] == ["Text 1.", "Text 3."]
    assert found.debates[0].protocol is DebateProtocol.TRANSCRIPT


def test_a_path_that_finds_nothing_is_named_with_the_record():
    lines = [
        {"claim": "C.", "turns": [{"text": "Yes.", "by": "ann"}]},
        {"thesis": "Elsewhere.", "turns": [{"text": "No."}]},
        {"claim": "D.", "turns": [{"says": "No."}]},
    ]
    mapping = PathMapping("claim", (StatementPaths("turns[].text", agent="turns[].by", polarity="=pro"),))
    found = read("\n".join(map(json.dumps, lines)), mapping)
    assert [debate.claim for debate in found.debates] == ["C.", "D."]
    told = [(issue.severity, issue.line, issue.message) for issue in found.issues if issue.code == "path_found_nothing"]
    assert ("error", 2, "The path 'claim' of the claim found nothing in record 2. It is left out.") in told
    assert any(line == 3 and "'turns[].text' found nothing in record 3" in message for _, line, message in told)


def test_a_record_path_leads_to_several_debates_in_one_value():
    whole = {"about": "x", "cases": [{"claim": "A.", "said": ["One."]}, {"claim": "B.", "said": ["Two."]}]}
    mapping = PathMapping("claim", (StatementPaths("said[]", polarity="=pro"),), record="cases[]")
    found = read(json.dumps(whole, indent=1), mapping)
    assert [debate.claim for debate in found.debates] == ["A.", "B."]
    assert found.debates[1].rounds[0].arguments[0].text == "Two."


@pytest.mark.parametrize(
    ("mapping", "why"),
    [
        (PathMapping("", (StatementPaths("t[]"),)), "no path leads to the claim"),
        (PathMapping("claim", ()), "text of the statements"),
        (PathMapping("claim", (StatementPaths("t[]", agent="a[].b[]"),)), "leads to several values"),
        (PathMapping("claim", (StatementPaths("t["),)), "no path from its sign"),
        (PathMapping("said~at", (StatementPaths("t[]"),)), "stands in double quotes"),
        (PathMapping("claim", (StatementPaths("t[]"),), joined=True), "joined only by a path"),
    ],
)
def test_a_mapping_that_cannot_work_is_refused_with_the_reason(mapping, why):
    assert why in (path_problem(mapping) or "")
    found = read('{"claim": "C.", "t": ["x y"]}', mapping)
    assert found.refused
    assert codes(found) == ["paths_unclear"]
    with pytest.raises(InvalidSetting):
        PathMapping.from_json(mapping.to_json())


def test_a_mapping_comes_back_from_plain_values():
    assert PathMapping.from_json(MAPPING.to_json()) == MAPPING


def test_yaml_is_read_by_paths_without_aliases_and_within_limits():
    speech = "{who: A, side: pro, says: They purr.}"
    text = f"- motion: Cats rule.\n  speeches:\n  - {speech}\n- motion: Dogs do.\n  speeches: []\n"
    kind = StatementPaths("speeches[].says", agent="speeches[].who", polarity="speeches[].side")
    found = read(text, PathMapping("motion", (kind,)))
    assert [debate.claim for debate in found.debates] == ["Cats rule.", "Dogs do."]
    assert relations(found.debates[0]) == ["A-1 +"]
    bomb = "a: &a [x y, x y]\nb: &b [*a, *a]\nc: [*b, *b]\nmotion: Cats rule.\n"
    assert read(bomb, PathMapping("motion", (kind,))).refused


def test_rows_of_a_table_are_records_by_their_columns():
    text = "case;claim;who said;what\n1;C.;ann;Yes indeed.\n1;C.;bo;No no.\n"
    mapping = PathMapping("claim", (StatementPaths("what", agent="who said"),), debate_id="case", joined=True)
    (debate,) = read(text, mapping).debates
    assert arguments(debate) == [("ann-1", "Yes indeed.", None), ("bo-1", "No no.", None)]


def test_the_paths_that_occur_are_offered_with_how_often_and_an_example():
    choices = {str(choice.path): choice for choice in path_choices([TRIAL, {"claim": "D."}])}
    assert choices["claim"].records == 2
    assert choices["rounds[].turns[].says"].example == "'They know four from three.'"
    assert choices["panel.*.model"].values == ["left", "right"]
    assert choices["panel.*~"].values == ["ann", "bo"]


def test_a_guess_finds_what_is_plainly_named():
    guess = guess_paths([{"cases": [TRIAL, TRIAL | {"id": 8}]}])
    assert guess is not None
    assert (guess.record, guess.claim, guess.debate_id) == ("cases[]", "claim", "id")
    (kind,) = guess.statements
    assert (kind.text, kind.agent, kind.polarity) == (
        "rounds[].turns[].says",
        "rounds[].turns[].by",
        "rounds[].turns[].side",
    )


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.floats(), st.text()), lambda inner: st.one_of(
    st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)), max_leaves=30))  # fmt: skip
def test_a_guess_about_anything_is_a_mapping_that_can_be_written_and_read(value):
    guess = guess_paths([value])
    if guess is not None and path_problem(guess) is None:
        assert PathMapping.from_json(guess.to_json()) == guess
        read(json.dumps(value), guess)


def shared(name):
    path = SHARED / name
    if not path.exists():
        pytest.skip("the shared logs are not here")
    data = path.read_bytes()
    guess = guess_paths(sampled_values(Source(name, data)))
    return guess, read(data, guess)


@pytest.mark.parametrize(
    ("name", "debates", "statements"),
    [
        ("facttrace-jury/debate_results_cases_0-2.json", 3, 18),
        ("facttrace-jury/visualization_data.json", 3, 12),
        ("freemad-synthetic/transcript.json", 1, 4),
        ("mallm-synthetic/output.json", 1, 2),
        ("csv-adr-mad/debate_results_with_history.csv", 68, 68),
    ],
)
def test_shared_logs_without_a_reader_are_read_by_what_is_guessed(name, debates, statements):
    guess, found = shared(name)
    assert guess is not None
    assert len(found.debates) == debates
    assert sum(len(debate.rounds[-1].arguments) for debate in found.debates) == statements


def test_a_key_too_long_for_a_path_is_no_choice_and_hinders_no_guess():
    value = {"claim": "Ice is cold.", "said": [{"text": "Touch it and see for yourself.", "k" * 1001: ["x"]}] * 2}
    assert max(len(str(choice.path)) for choice in path_choices([value])) < 1000
    guess = guess_paths([value, value | {"k" * 2000: "An even longer key, with a text that is long as well."}])
    assert guess is not None
    assert (guess.claim, [group.text for group in guess.statements]) == ("claim", ["said[].text"])
