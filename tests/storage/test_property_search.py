"""The search for a violation by a language model: what it takes, what it stores, who may start it."""

from __future__ import annotations

import pytest

from core.audit import Action
from core.debate import profile
from core.errors import NotAllowed
from core.llm.circumstances import Circumstances
from core.llm.prices import Price, PriceTable
from core.properties.contestability import Contestability
from core.properties.falsifier import Goal
from core.properties.reproducibility import Determinism
from core.roles import Person, Role
from core.runs.plan import Budget
from storage.audit_log import AuditLog
from storage.property_search import PropertySearch
from tests.llm.judging import a_debate, a_judge, an_endpoint
from tests.storage.test_run_worker import ScriptedClient

DEBATE = a_debate()
LOADED = profile(DEBATE), Circumstances.of(DEBATE)
PRICES = PriceTable((Price("fake-model", 1.0, 1.0),))


def searching(database, client=None, **more) -> PropertySearch:
    return PropertySearch(database, PRICES, client=lambda: client or ScriptedClient(), **more)


def search(searching, tested=None, questions=5, limits=None, judge=None, **more):
    return searching.search(
        tested or Determinism(),
        judge or a_judge(),
        "zoo",
        LOADED,
        goal=Goal.SMALLEST,
        questions=questions,
        limits=limits or Budget(),
        **more,
    )


def test_what_a_search_takes_is_known_before_it_starts(database):
    takes = searching(database).estimate(a_judge(), LOADED, 10)
    once = searching(database).estimate(a_judge(), LOADED, 1)
    assert takes.calls == 10
    assert takes.tokens == pytest.approx(10 * once.tokens, abs=10)
    assert takes.cost == pytest.approx(takes.tokens / 1e6, rel=0.01)
    assert searching(database).estimate(a_judge(repeats=3), LOADED, 10).calls == 30


def test_a_search_asks_no_more_than_it_may_and_the_same_again_asks_nothing(database):
    client, seen = ScriptedClient(), []
    found = search(searching(database, client), watch=lambda done, most: seen.append((done, most)))
    assert (found.questions, found.complete) == (5, False)
    assert len(client.asked) == 5
    assert seen[-1][1] == 5
    again = ScriptedClient()
    assert search(searching(database, again)) == found
    assert again.asked == []


def test_limits_on_calls_hold_beside_the_number_of_questions(database):
    client = ScriptedClient()
    found = search(searching(database, client), Contestability(), questions=50, limits=Budget(calls=3))
    assert len(client.asked) == 3
    assert found.note


def test_a_search_is_logged_with_who_asked_and_a_viewer_may_not(database):
    with pytest.raises(NotAllowed):
        search(searching(database, person=Person("v", "a viewer", Role.VIEWER)))
    assert not [entry for entry in AuditLog(database).entries() if entry.action == Action.ASKED]
    keyless = a_judge(an_endpoint(key_variable=""))
    search(searching(database, person=Person("r", "a reviewer", Role.REVIEWER)), judge=keyless)
    (entry,) = [entry for entry in AuditLog(database).entries() if entry.action == Action.ASKED]
    assert entry.role == "reviewer"
    assert "determinism" in str(entry.after)
