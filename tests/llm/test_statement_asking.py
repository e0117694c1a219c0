"""A model asked for arguments in a transcript, at a server that speaks the OpenAI protocol and goes wrong."""

import json
import re

import pytest

from core.audit import Action
from core.debate import Message
from core.errors import NotAllowed
from core.llm.prices import Price, PriceTable
from core.llm.replies import Problem
from core.opinion import TOPIC
from core.roles import Person, Role
from core.runs.plan import Budget
from core.statements.proposing import Proposer, batches
from core.statements.turns import turns_of
from storage.audit_log import AuditLog
from storage.debate_repository import DebateRepository
from storage.statement_asking import StatementAsking
from storage.statement_prompts import load_statement_prompts
from tests.llm.fault_server import MODEL, Fault, FaultServer
from tests.llm.judging import KEY, an_endpoint
from tests.storage.debates import a_dataset, a_debate

MESSAGES = tuple(Message(f"A{n % 2 + 1}", f"Reason number {n} is a good one. {'x' * 2_500}", n) for n in range(6))
DEBATE = a_debate("talk", transcript=MESSAGES)
PARTS = batches(turns_of(DEBATE))  # two turns each
PROMPTS = load_statement_prompts()
REVIEWER = Person("r", "Ria", Role.REVIEWER, signed_in=True)
VIEWER = Person("v", "Vera", Role.VIEWER, signed_in=True)


def good(question):
    """Return a proposal for each turn that was asked about, the second about the first; and one that nobody said."""
    asked = question.body["messages"][1]["content"]
    found = re.findall(r'- turn (\d+), said by "[^"]*": "(Reason number \d+ is a good one\.)', asked)
    entries = [
        {
            "id": f"a{n}",
            "turn": int(turn),
            "quote": quote,
            "argument": f"In short: {quote}",
            "side": "con" if n else "pro",
            "about": "a0" if n else "claim",
        }
        for n, (turn, quote) in enumerate(found)
    ]
    invented = {**entries[0], "id": "z", "quote": "Everybody has known this for years"}
    return json.dumps({"arguments": [*entries, invented]})


@pytest.fixture
def server():
    with FaultServer(reply=good) as running:
        yield running


@pytest.fixture
def asking(database):
    DebateRepository(database).add(a_dataset(), [DEBATE])
    return StatementAsking(database, PriceTable((Price(MODEL, 1.0, 2.0),)), lambda endpoint: KEY)


def a_proposer(server, **fields):
    return Proposer(an_endpoint(server.base_url, **({"retries": 0} | fields)), MODEL, PROMPTS)


def ask(asking, server, parts=PARTS, budget=Budget(), **fields):  # noqa: B008 - a frozen value
    return asking.ask(a_proposer(server), "talk", DEBATE.claim, parts, budget, **fields)


def test_each_turn_is_asked_about_once_and_only_what_was_said_is_proposed(asking, server):
    assert len(PARTS) == 3
    asked, reason = ask(asking, server)
    proposals = [proposal for one in asked for proposal in one.proposed.proposals]
    assert [proposal.turn for proposal in proposals] == [1, 2, 3, 4, 5, 6]
    assert [proposal.target for proposal in proposals[:2]] == [TOPIC, "P1-1"]
    assert {proposal.model for proposal in proposals} == {MODEL}
    assert reason == ""
    assert [one.proposed.refused[0].why for one in asked] == [
        'It quotes "Everybody has known this for years", which was not said in the turns that were asked about.'
    ] * 3
    assert sum(server.attempts.values()) == 3
    shown = json.dumps([question.body for question in server.questions.values()])
    assert "label" not in shown.casefold()


def test_what_was_asked_before_costs_nothing_again(asking, server):
    proposer = a_proposer(server)
    before = asking.expected(proposer, DEBATE.claim, PARTS)
    first = ask(asking, server)
    after = asking.expected(proposer, DEBATE.claim, PARTS)
    assert (before.calls, before.stored, after.calls, after.stored, after.cost) == (3, 0, 0, 3, 0.0)
    assert before.cost
    assert ask(asking, server) == first
    assert sum(server.attempts.values()) == 3


def test_nothing_but_replies_and_the_log_is_stored_before_a_person_accepts(asking, server, database):
    ask(asking, server)
    debates = DebateRepository(database)
    assert (debates.count(), len(debates.datasets())) == (1, 1)
    (told,) = (one for one in AuditLog(database).entries() if one.action == Action.STATEMENTS_ASKED)
    assert json.loads(told.after) == {"debate": "talk", "model": MODEL, "endpoint": "fake", "calls": 3}
    assert told.object == debates.datasets()[0].id
    with database.read() as cursor:
        kept = str(cursor.execute("SELECT * FROM reply").fetchall())
    assert KEY not in kept


def test_a_reply_that_cannot_be_read_is_asked_for_once_again(asking, server):
    server.fault = lambda question: Fault.MENDED
    asked, _ = ask(asking, server)
    assert [len(one.proposed.proposals) for one in asked] == [2, 2, 2]
    assert sum(server.answered.values()) == 6


@pytest.mark.parametrize(
    ("fault", "problem", "calls"),
    [
        (Fault.WRONG_KEY, Problem.WRONG_KEY, 2),
        (Fault.EMPTY, Problem.EMPTY, 2),
        (Fault.CUT_JSON, Problem.CUT_OFF, 2),
        (Fault.REFUSAL, Problem.REFUSED, 1),  # asking again would be no use
    ],
)
def test_a_reply_that_stays_unreadable_proposes_nothing_and_says_why(asking, server, fault, problem, calls):
    server.fault = lambda question: fault
    (asked,), reason = ask(asking, server, PARTS[:1])
    assert (asked.proposed.proposals, asked.proposed.problem, asked.failure, reason) == ((), problem, "", "")
    assert asked.proposed.detail
    assert sum(server.answered.values()) == calls


@pytest.mark.parametrize("fault", [Fault.FENCED, Fault.PROSE])
def test_what_stands_around_a_good_reply_does_not_matter(asking, server, fault):
    server.fault = lambda question: fault
    (asked,), _ = ask(asking, server, PARTS[:1])
    assert len(asked.proposed.proposals) == 2


@pytest.mark.parametrize("fault", [Fault.BROKEN, Fault.CUT_BODY, Fault.BAD_REQUEST])
def test_a_call_that_fails_is_told_and_the_other_parts_go_on(asking, server, fault):
    server.fault = lambda question: fault if "Reason number 0 " in str(question.body) else Fault.NONE
    asked, reason = ask(asking, server)
    assert [bool(one.failure) for one in asked] == [True, False, False]
    assert "fake" in asked[0].failure
    assert reason == ""


def test_a_refused_key_ends_the_asking_and_is_nowhere_in_what_is_said(asking, server):
    server.fault = lambda question: Fault.KEY_REFUSED
    asked, reason = ask(asking, server)
    assert reason
    assert KEY not in reason + "".join(one.failure for one in asked)


def test_a_limit_on_calls_ends_the_asking_and_what_came_stays(asking, server):
    proposer = a_proposer(server, concurrency=1)
    asked, reason = asking.ask(proposer, "talk", DEBATE.claim, PARTS, Budget(calls=1))
    assert reason == "The limit of 1 calls is reached."
    assert [len(one.proposed.proposals) for one in asked] == [2, 0]
    assert sum(server.attempts.values()) == 1


def test_whoever_watches_can_stop_between_calls_and_what_was_paid_for_is_kept(asking, server, database):
    class Enough(BaseException):
        pass

    def told(so_far):
        if so_far:
            raise Enough

    with pytest.raises(Enough):
        asking.ask(a_proposer(server, concurrency=1), "talk", DEBATE.claim, PARTS, Budget(), told)
    assert asking.expected(a_proposer(server), DEBATE.claim, PARTS).stored == 1
    assert json.loads(AuditLog(database).entries(limit=1)[0].after)["calls"] == 1


def test_whoever_watches_can_stop_while_a_model_says_nothing(asking, server):
    class Enough(BaseException):
        pass

    server.fault = lambda question: Fault.NONE if sum(server.attempts.values()) == 1 else Fault.HANGING
    told_of = []

    def told(so_far):
        told_of.append(len(so_far))
        if told_of[-3:] == [1, 1, 1]:
            raise Enough

    with pytest.raises(Enough):
        asking.ask(a_proposer(server, concurrency=1), "talk", DEBATE.claim, PARTS, Budget(), told)
    assert sum(server.answered.values()) == 1
    assert asking.expected(a_proposer(server), DEBATE.claim, PARTS).stored == 1


def test_a_slow_reply_holds_up_no_other_and_what_came_stays_in_order(asking, server):
    server.fault = lambda question: Fault.HANGING_ONCE if "Reason number 0 " in str(question.body) else Fault.NONE
    seen = []

    def told(so_far):
        seen.append([one.batch for one in so_far])

    proposer = a_proposer(server, concurrency=2, retries=1, timeout=1.0)
    asked, _ = asking.ask(proposer, "talk", DEBATE.claim, PARTS, Budget(), told)
    assert list(PARTS[1:]) in seen
    assert [one.batch for one in asked] == list(PARTS)
    assert [len(one.proposed.proposals) for one in asked] == [2, 2, 2]


def test_viewers_may_not_ask_and_reviewers_send_no_key_to_addresses_of_their_own(asking, server, database):
    for person in (VIEWER, REVIEWER):
        with pytest.raises(NotAllowed):
            ask(StatementAsking(database, PriceTable(), lambda endpoint: KEY, person=person), server)
    assert not server.attempts
    free = Proposer(an_endpoint(server.base_url, key_variable="", retries=0), MODEL, PROMPTS)
    mine = StatementAsking(database, PriceTable(), lambda endpoint: None, person=REVIEWER)
    asked, _ = mine.ask(free, "talk", DEBATE.claim, PARTS[:1], Budget())
    assert len(asked[0].proposed.proposals) == 2
