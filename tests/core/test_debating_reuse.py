"""What a changed run asks anew, and what differs between two records."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.debating.differences import differences
from core.debating.estimate import estimate
from core.debating.holding import replayed
from core.debating.prompts import DebatePrompts
from core.debating.protocols import debate_steps
from core.debating.question import NOT_ASKED, asking
from core.debating.reuse import reusable
from core.llm.prices import PriceTable
from core.llm.request import ChatReply, ChatRequest
from tests.llm.debaters import PRIVATE, PROMPTS, SHARED, SINGLE, a_plan, some_claims, usual_answer

TEXTS = dict(PROMPTS.texts)


class Book:
    """Replies by key, as a database keeps them."""

    def __init__(self):
        self.kept: dict[str, ChatReply] = {}
        self.lookups = 0

    def find(self, keys):
        self.lookups += 1
        return {key: self.kept[key] for key in keys if key in self.kept}

    def hold(self, plan, claims):
        """Hold debates with the usual answers and keep every reply; return how many there are now."""
        for claim in claims:
            while True:
                outcome = replayed(plan, claim, self.kept.get)
                missing = [one for one in requests_of(plan, claim, self.kept) if one.key not in self.kept]
                if not missing:
                    break
                for one in missing:
                    self.kept[one.key] = ChatReply(usual_answer(one.model, one.messages[1].text), one.model)
            assert outcome.state.value == "complete"
        return len(self.kept)


def requests_of(plan, claim, kept):
    """Return the requests that a debate comes to with the replies there are."""
    listed: list[ChatRequest] = []

    def answered(question):
        steps = asking(question)
        try:
            request = next(steps)
            while True:
                listed.append(request)
                request = steps.send(kept.get(request.key, NOT_ASKED))
        except StopIteration as end:
            return end.value

    steps = debate_steps(plan, claim)
    try:
        batch = next(steps)
        while True:
            batch = steps.send([answered(question) for question in batch])
    except StopIteration:
        return listed


@pytest.mark.parametrize("protocol", [SINGLE, PRIVATE, SHARED])
def test_a_run_that_was_held_is_answered_by_what_is_stored(protocol):
    plan, claims, book = a_plan(protocol, rounds=2), some_claims(2), Book()
    nothing = reusable(plan, claims, book.find)
    assert nothing.stored == 0
    assert nothing.asked == estimate(plan, claims, PriceTable()).calls
    count = book.hold(plan, claims)
    found = reusable(plan, claims, book.find)
    assert (found.stored, found.asked, found.exact) == (count, 0, True)


def test_one_agent_changed_asks_that_agent_alone_in_a_single_turn():
    plan, claims, book = a_plan(SINGLE), some_claims(2), Book()
    book.hold(plan, claims)
    first, *others = plan.agents
    found = reusable(replace(plan, agents=(replace(first, persona="You doubt."), *others)), claims, book.find)
    # Each agent is asked six times about each claim: prior, pro, con, two base scores, posterior.
    assert (found.stored, found.asked) == (2 * 2 * 6, 2 * 6)


def test_one_prompt_changed_asks_the_step_and_what_follows():
    plan, claims, book = a_plan(SINGLE), some_claims(1), Book()
    book.hold(plan, claims)
    texts = {**TEXTS, "posterior": TEXTS["posterior"] + "\nTake your time."}
    found = reusable(replace(plan, prompts=DebatePrompts.from_texts("changed", texts)), claims, book.find)
    assert (found.stored, found.asked) == (3 * 5, 3)
    texts = {**TEXTS, "prior": TEXTS["prior"] + "\nTake your time."}
    whole = reusable(replace(plan, prompts=DebatePrompts.from_texts("changed", texts)), claims, book.find)
    assert whole.asked >= 3  # the prior stances, and whatever is told of them


def test_a_changed_agent_of_a_shared_debate_keeps_what_came_before_it():
    plan, claims, book = a_plan(SHARED, rounds=1), some_claims(1), Book()
    book.hold(plan, claims)
    *others, last = plan.agents
    found = reusable(replace(plan, agents=(*others, replace(last, persona="You doubt."))), claims, book.find)
    assert found.stored > 0  # prior stances and turns of the first two
    assert found.asked > 0


def test_of_many_claims_some_are_followed_and_all_are_looked_up_together():
    plan, claims, book = a_plan(SINGLE, agents=1), some_claims(1_000), Book()
    found = reusable(plan, claims, book.find)
    assert not found.exact
    assert found.asked == 6 * 1_000
    assert book.lookups <= 6
    assert reusable(plan, (), book.find).total == 0


def test_a_reply_that_cannot_be_read_is_followed_by_the_one_asked_for_again():
    plan, claims, book = a_plan(SINGLE, agents=1), some_claims(1), Book()
    book.hold(plan, claims)
    first = requests_of(plan, claims[0], book.kept)[0]
    book.kept[first.key] = ChatReply("no idea", first.model)
    again = next(one for one in requests_of(plan, claims[0], book.kept) if len(one.messages) > 2)
    found = reusable(plan, claims, book.find)
    assert found.stored >= 1
    assert found.asked >= 1
    book.kept[again.key] = ChatReply('{"likelihood": 50}', first.model)
    book.hold(plan, claims)
    assert reusable(plan, claims, book.find).asked == 0


def test_records_differ_place_by_place():
    first = {"claim": "A.", "rounds": [{"stances": [0.1, 0.2]}], "gone": 1}
    second = {"claim": "A.", "rounds": [{"stances": [0.1, 0.3, 0.4]}], "new": {"a": None}}
    found = differences(json.dumps(first), json.dumps(second))
    assert [(one.place, one.first, one.second) for one in found] == [
        ("rounds[0].stances[1]", "0.2", "0.3"),
        ("rounds[0].stances[2]", "not there", "0.4"),
        ("gone", "1", "not there"),
        ("new", "not there", '{"a": null}'),
    ]
    assert differences("{}", "{}") == ()
    assert differences('{"a": 1}', '{"a":1}')[0].place == "the line as written"
    assert differences("{", "{}")[0].first == "{"
    assert len(differences(json.dumps(list(range(99))), json.dumps(list(range(1, 100))))) == 20
    assert differences("1", "true")[0].place == "the whole"
