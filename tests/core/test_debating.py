"""Plans, agents, claims, and what debaters reply: values in, values out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.debating.agent import agent_of
from core.debating.claim import Claim, claims_in_csv, claims_in_json, claims_in_lines, numbered
from core.debating.estimate import estimate
from core.debating.holding import replayed
from core.debating.outcome import DebateState, Outcome
from core.debating.plan import PROTOCOLS, DebatePlan, plan_of
from core.debating.prompts import DebatePrompts
from core.debating.protocols import debate_steps
from core.debating.question import Question, asking
from core.debating.reading import (
    read_argument,
    read_likelihood,
    read_revision,
    read_sides,
    read_turn,
)
from core.errors import InvalidSetting, UnreadableFile
from core.llm.prices import Price, PriceTable
from core.llm.replies import Problem
from core.llm.request import ChatReply
from tests.llm.debaters import PRIVATE, PROMPTS, SHARED, SINGLE, a_plan, an_agent, some_claims, usual_answer

CLAIM = Claim("zoo", "The zoo is near.", True)


def reply(text: object, **fields) -> ChatReply:
    return ChatReply(text if isinstance(text, str) else json.dumps(text), "m", **fields)


# -- replies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ('{"likelihood": 70}', 0.7),
        ('{"likelihood": 72.5}', 0.725),
        ('{"likelihood": "70"}', 0.7),
        ('{"likelihood": "70 %"}', 0.7),
        ('{"likelihood": 0}', 0.0),
        ('{"likelihood": 100}', 1.0),
        ('Well:\n```json\n{"likelihood": 1}\n```', 0.01),
        ('{"likelihood": 10} or rather {"likelihood": 20}', 0.2),
    ],
)
def test_a_likelihood_in_percent_becomes_a_score(said, value):
    assert read_likelihood(reply(said)).value == value


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ('{"likelihood": 0.7}', Problem.OUT_OF_RANGE),  # 70 percent, or less than one?
        ('{"likelihood": 101}', Problem.OUT_OF_RANGE),
        ('{"likelihood": -1}', Problem.OUT_OF_RANGE),
        ('{"likelihood": true}', Problem.NOT_A_NUMBER),
        ('{"likelihood": "high"}', Problem.NOT_A_NUMBER),
        ('{"likelihood": null}', Problem.NOT_A_NUMBER),
        ('{"likelihood": 1, "likelihood": 2}', Problem.REPEATED_KEY),
        ('{"score": 0.5}', Problem.WRONG_KEY),
        ("70", Problem.NO_JSON),
        ("", Problem.EMPTY),
    ],
)
def test_what_is_not_clearly_a_likelihood_is_none(said, problem):
    read = read_likelihood(reply(said))
    assert (read.value, read.problem) == (None, problem)
    assert read.detail.endswith(".")


def test_a_reply_that_was_cut_off_or_refused_says_so():
    assert read_argument(reply('{"argument": "It', finish_reason="length")).problem is Problem.CUT_OFF
    assert read_argument(reply("", refusal="No.")).problem is Problem.REFUSED


def test_lists_are_taken_with_repeats_counted_once_and_too_many_refused():
    read = read_sides(reply({"pros": [" One. ", "One.", "Two."], "cons": []}), 5)
    assert read.value is not None
    assert (read.value.pros, read.value.cons) == (("One.", "Two."), ())
    assert read_sides(reply({"pros": ["a", "b", "c"], "cons": []}), 2).problem is Problem.OUT_OF_RANGE
    assert read_sides(reply({"pros": ["a"]}), 2).problem is Problem.WRONG_KEY
    assert read_sides(reply({"pros": "a", "cons": []}), 2).problem is Problem.NO_JSON
    assert read_sides(reply({"pros": [{"text": "a"}], "cons": []}), 2).value is None
    assert read_sides(reply({"pros": [""], "cons": []}), 2).problem is Problem.EMPTY
    assert read_sides(reply({"pros": ["x" * 2001], "cons": []}), 2).problem is Problem.OUT_OF_RANGE


OWN = {"A1-pro1": "One.", "A1-pro2": "Two."}


def test_a_revision_keeps_changes_drops_and_adds():
    read = read_revision(
        reply({"pros": [{"id": "A1-pro2", "text": "Two, better."}, {"id": "new", "text": "Three."}], "cons": []}),
        OWN,
        {},
        5,
    )
    assert read.value is not None
    assert [(kept.id, kept.text) for kept in read.value.pros] == [("A1-pro2", "Two, better."), (None, "Three.")]


def test_a_text_that_is_there_already_is_that_argument_whatever_its_id():
    entries = [{"id": "new", "text": "One."}, {"id": "new", "text": "One."}, {"id": "A1-pro2", "text": "Two."}]
    read = read_revision(reply({"pros": entries, "cons": []}), OWN, {}, 5)
    assert read.value is not None
    assert [kept.id for kept in read.value.pros] == ["A1-pro1", "A1-pro2"]


@pytest.mark.parametrize(
    ("pros", "problem"),
    [
        ([{"id": "A2-pro1", "text": "x"}], Problem.WRONG_KEY),  # another's
        ([{"id": "A1-pro1", "text": "x"}, {"id": "A1-pro1", "text": "y"}], Problem.REPEATED_KEY),
        ([{"id": "A1-pro1"}], Problem.WRONG_KEY),
        (["One."], Problem.WRONG_KEY),
        ([{"id": 7, "text": "x"}], Problem.WRONG_KEY),
        ([{"id": "new", "text": ""}], Problem.EMPTY),
    ],
)
def test_a_revision_that_cannot_be_meant_is_none(pros, problem):
    read = read_revision(reply({"pros": pros, "cons": []}), OWN, {}, 5)
    assert (read.value, read.problem) == (None, problem)
    assert read_revision(reply({"pros": [], "cons": [{"id": "A1-pro1", "text": "x"}]}), OWN, {}, 5).value is None


def test_a_turn_gives_edits_and_new_arguments():
    read = read_turn(
        reply(
            {
                "edits": [
                    {"id": "pro1", "text": "", "likelihood": 30},
                    {"id": "x", "text": "New.", "likelihood": None},
                ],
                "new_pros": ["P."],
                "new_cons": [],
            }
        ),
        5,
    )
    assert read.value is not None
    assert [(e.id, e.text, e.base_score) for e in read.value.edits] == [("pro1", None, 0.3), ("x", "New.", None)]
    assert (read.value.new.pros, read.value.new.cons) == (("P.",), ())


@pytest.mark.parametrize(
    "edits",
    [
        "none",
        [{"text": "x"}],
        [{"id": "a"}, {"id": "a"}],
        [{"id": "a", "likelihood": 0.5}],
        [{"id": "a", "likelihood": 30, "likelihood ": 1, "text": 5}],
    ],
)
def test_a_turn_with_an_edit_that_cannot_be_meant_is_none(edits):
    assert read_turn(reply({"edits": edits, "new_pros": [], "new_cons": []}), 5).value is None


anything = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["id", "text", "likelihood", "pros", "cons", "edits", "new_pros", "new_cons", "argument", "x"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(anything)
def test_whatever_a_model_says_is_read_or_refused_in_words(said):
    text = reply(said)
    for read in (
        read_likelihood(text),
        read_argument(text),
        read_sides(text, 3),
        read_revision(text, OWN, {}, 3),
        read_turn(text, 3),
    ):
        assert (read.value is None) == (read.problem is not None)
        assert bool(read.detail) == (read.problem is not None)


# -- agents, plans, claims ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_plan_comes_back_from_its_settings(protocol):
    agents = (an_agent("A1"), an_agent("B 2", persona="A sceptic.", seed=3, temperature=None, max_tokens=900))
    plan = DebatePlan(protocol, agents, PROMPTS, rounds=2)
    stored = json.loads(json.dumps(plan.settings()))
    endpoints = {endpoint.name: endpoint for endpoint in plan.endpoints}
    assert plan_of(stored, lambda name, digest: PROMPTS, endpoints) == plan


@pytest.mark.parametrize(
    "wrong",
    [
        {"agents": ()},
        {"agents": (an_agent("A1"), an_agent("A1"))},
        {"rounds": 0},
        {"rounds": 101},
        {"most_arguments": 0},
        {"protocol": "courtroom"},
    ],
)
def test_a_plan_that_cannot_be_held_is_refused(wrong):
    with pytest.raises(InvalidSetting):
        replace(a_plan(SHARED), **wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "A1"},
        {"model": "m"},
        {"name": "", "model": "m"},
        {"name": "a\nb", "model": "m"},
        {"name": 'a" (by A2', "model": "m"},
        {"name": "A1", "model": " "},
        {"name": "A1", "model": "m", "temperature": 3},
        {"name": "A1", "model": "m", "temperature": "warm"},
        {"name": "A1", "model": "m", "endpoint": "nowhere"},
        {"name": "A1", "model": "m", "extra": "x"},
        {"name": "A1", "model": "m", "colour": "red"},
        "A1",
    ],
)
def test_an_agent_that_cannot_be_is_refused_in_words(wrong):
    with pytest.raises(InvalidSetting):
        agent_of(wrong)


def test_claims_are_read_from_lines_tables_and_json():
    lines = claims_in_lines("One holds.\n\n  Two holds.  \n")
    assert [(claim.id, claim.text, claim.label) for claim in lines] == [
        ("claim-1", "One holds.", None),
        ("claim-2", "Two holds.", None),
    ]
    wanted = [("a", "One; or 1", True), ("b", "Two", False), ("claim-3", "Three", None)]
    table = 'id;Claim;Label\na;"One; or 1";true\nb;Two;0\n;Three;\n'
    assert [(claim.id, claim.text, claim.label) for claim in claims_in_csv(table)] == wanted
    records = (
        '{"claim_id": "a", "claim": "One; or 1", "label": true}\n'
        '{"id": "b", "statement": "Two", "label": "refuted"}\n\n"Three"\n'
    )
    assert [(claim.id, claim.text, claim.label) for claim in claims_in_json(records)] == wanted
    assert claims_in_json('["Three"]')[0].text == "Three"


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (claims_in_lines, " \n", "no claims"),
        (claims_in_csv, "name,label\nx,true\n", "row 1: there is no claim"),
        (claims_in_csv, "claim,label\nx,perhaps so\n", "row 1: the label"),
        (claims_in_json, '{"claim": "x"}\n{"claim": ', "JSON"),
        (claims_in_json, '{"label": true}', "line 1: there is no claim"),
        (claims_in_json, "[7]", "entry 1"),
        (claims_in_lines, "x" * 10_001, "10,001 characters"),
    ],
)
def test_a_file_without_claims_is_refused_in_words(read, text, words):
    with pytest.raises(UnreadableFile, match=words):
        read(text)


def test_every_claim_gets_an_id_of_its_own():
    claims = numbered([Claim("a", "One."), Claim("a", "Two."), Claim("a-2", "Three."), Claim("", "Four.")])
    assert [claim.id for claim in claims] == ["a", "a-2", "a-2-2", "claim-4"]


# -- debates as values --------------------------------------------------------------------------------------------


def held(plan: DebatePlan, replies: dict[str, ChatReply] | None = None) -> tuple[Outcome, dict[str, ChatReply]]:
    """Hold a debate with the usual answers where there are no replies yet; return its outcome and all replies."""
    kept = {} if replies is None else replies
    steps = debate_steps(plan, CLAIM)
    try:
        batch = next(steps)
        while True:
            batch = steps.send([answered(question, kept) for question in batch])
    except StopIteration as end:
        return end.value, kept


def answered(question: Question[Any], kept: dict[str, ChatReply]):
    request = question.request
    if request.key not in kept:
        kept[request.key] = ChatReply(usual_answer(request.model, request.messages[1].text), request.model)
    under_way = asking(question)
    next(under_way)
    try:
        under_way.send(kept[request.key])
    except StopIteration as end:
        return end.value
    raise AssertionError("The usual answer could not be read.")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_debate_halts_where_a_reply_is_missing_and_goes_on_when_it_is_there(protocol):
    plan = a_plan(protocol)
    whole, replies = held(plan)
    assert whole.state is DebateState.COMPLETE
    keys = [key for call in whole.calls for key in call.keys]
    for cut in range(0, len(keys), 7):
        known = {key: replies[key] for key in keys[:cut]}
        partly = replayed(plan, CLAIM, known.get)
        assert partly.state is DebateState.OPEN
        assert partly.place.startswith("Stopped at round ")
        assert partly.debate.tags == ("incomplete",)
        assert [call.keys for call in partly.calls] == [call.keys for call in whole.calls if call.keys[0] in known]
        finished = partly.debate.rounds[:-1]  # the last one was under way
        assert finished == whole.debate.rounds[: len(finished)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_changing_one_agent_leaves_alone_what_does_not_depend_on_it(protocol):
    plan = a_plan(protocol)
    _, before = held(plan)
    changed = replace(plan, agents=(*plan.agents[:2], replace(plan.agents[2], persona="A sceptic.")))
    known = dict(before)
    kept, _ = held(changed, known)
    new = set(known) - set(before)
    reused = [call for call in kept.calls if call.keys[0] in before]
    if protocol is SINGLE:
        assert {call.agent for call in kept.calls if call.keys[0] in new} == {"A3"}
    elif protocol is PRIVATE:  # round 0 of the others, all of it
        asked = [call for call in kept.calls if call.round == 0 and call.agent != "A3"]
        assert all(call in reused for call in asked)
    else:  # whatever comes before A3's first turn
        first = next(place for place, call in enumerate(kept.calls) if call.agent == "A3" and call.stage == "turn")
        assert all(call in reused for call in kept.calls[:first] if call.agent != "A3")
    assert new


def test_changing_the_prompt_of_the_last_step_asks_for_that_alone_again():
    plan = a_plan(SINGLE)
    _, before = held(plan)
    texts = dict(PROMPTS.texts)
    texts["posterior"] = texts["posterior"].replace("weigh the arguments, then", "weigh the arguments. Then")
    changed = replace(plan, prompts=DebatePrompts.from_texts("mine", texts))
    known = dict(before)
    outcome, _ = held(changed, known)
    new = set(known) - set(before)
    assert {call.stage.value for call in outcome.calls if call.keys[0] in new} == {"posterior stance"}
    assert len(new) == 3


def test_an_estimate_counts_the_calls_of_a_single_turn_exactly_and_prices_them():
    prices = PriceTable(tuple(Price(f"model-A{n}", 1.0, 2.0) for n in range(1, 4)))
    expected = estimate(a_plan(SINGLE), some_claims(20), prices)
    assert expected.calls == 20 * 3 * 6
    assert expected.cost == pytest.approx((expected.tokens_in + 2 * expected.tokens_out) / 1e6, rel=0.01)
    assert estimate(a_plan(SINGLE), some_claims(20), PriceTable()).cost is None
    assert estimate(a_plan(SINGLE), (), prices).calls == 0


@pytest.mark.parametrize("protocol", [PRIVATE, SHARED])
def test_an_estimate_grows_with_rounds_and_agents(protocol):
    def calls(**fields) -> int:
        return estimate(a_plan(protocol, **fields), some_claims(3), PriceTable()).calls

    assert calls(rounds=1) < calls(rounds=2) < calls(rounds=3)
    assert calls(agents=1) < calls(agents=2)
