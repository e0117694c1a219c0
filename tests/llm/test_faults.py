"""A whole run against a server that goes wrong in every way; nothing is paid for twice, whatever happens."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from core.debate import profile
from core.judgement import JudgementStatus
from core.llm.circumstances import Circumstances
from core.llm.prices import Price, PriceTable
from core.runs.plan import RunState
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judgement_repository import JudgementRepository
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from tests.llm.fault_server import MODEL, Fault, FaultServer, Question, first_hash
from tests.llm.judging import KEY, a_debate, an_endpoint, six_variants
from tests.storage.debates import a_dataset
from tests.storage.processes import end, read_line, start

DEBATES = 500
CONCURRENCY = 24
# Of every 100 questions. Those that hang are few, because each waits for a timeout.
SHARES = {
    Fault.FENCED: 6,
    Fault.PROSE: 6,
    Fault.MENDED: 4,
    Fault.RATE_LIMITED: 5,
    Fault.BROKEN_ONCE: 4,
    Fault.CUT_CONNECTION_ONCE: 2,
    Fault.CUT_BODY: 1,
    Fault.BROKEN: 2,
    Fault.BAD_REQUEST: 2,
    Fault.CUT_JSON: 2,
    Fault.OUT_OF_RANGE: 2,
    Fault.WRONG_KEY: 2,
    Fault.EMPTY: 2,
    Fault.REFUSAL: 2,
}
TABLE = [fault for fault, share in SHARES.items() for _ in range(share)]
OK_AT_LAST = {
    Fault.NONE, Fault.FENCED, Fault.PROSE, Fault.MENDED, Fault.RATE_LIMITED, Fault.BROKEN_ONCE,
    Fault.CUT_CONNECTION_ONCE, Fault.HANGING_ONCE,
}  # fmt: skip
UNREADABLE = {Fault.CUT_JSON, Fault.OUT_OF_RANGE, Fault.WRONG_KEY, Fault.EMPTY}
ASKED_TWICE = UNREADABLE | {Fault.MENDED}
NO_REPLY = {Fault.BROKEN, Fault.CUT_BODY, Fault.BAD_REQUEST}

# A child process that judges until it is killed or done.
CHILD = """
import sys
from storage.database import Database
from storage.run_worker import RunWorker
with Database.open(sys.argv[1]) as database:
    worker = RunWorker(database)
    worker.start(sys.argv[2])
    print("started")
    worker.wait(sys.argv[2])
    print("ended")
"""


def fault_of(first: str) -> Fault:
    """Return what happens to a question: the same each time it is asked."""
    number = int(first[:12], 16)
    if number % 1500 == 0:
        return Fault.HANGING_ONCE
    place = number % 100
    return TABLE[place] if place < len(TABLE) else Fault.NONE


def score_of(first: str) -> str:
    return f"{int(first[:6], 16) % 101 / 100:.2f}"


def asked(question: Question) -> str:
    return question.first


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Run 500 debates x 6 variants in a child that is killed half way, and then to the end in a second child."""
    path = tmp_path_factory.mktemp("faults") / "moot.duckdb"
    debates = [a_debate(number) for number in range(DEBATES)]
    half = len(debates) * 6 // 2
    killed: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOOT_TEST_KEY", KEY)
        server = FaultServer(lambda question: fault_of(question.first), lambda question: score_of(question.first))
        with server:
            endpoint = an_endpoint(server.base_url, concurrency=CONCURRENCY, timeout=10.0, retries=2)
            judges = six_variants(endpoint)
            with Database.open(path) as database:
                DebateRepository(database).add(a_dataset(), debates)
                run = RunWorker(database).create(judges, [debate.id for debate in debates])
            child = start(CHILD, path, run.id)

            def kill_half_way(count: int) -> None:
                if count == half:
                    child.kill()
                    killed.append(count)

            server.on_answer = kill_half_way
            assert read_line(child) == "started\n"
            assert read_line(child) == ""  # it never ends by itself
            end(child)
            answered_before = Counter(server.answered)
            with Database.open(path) as database:
                stored = stored_questions(database)
                worker = RunWorker(database)  # takes the run over
                state_before = RunRepository(database).get(run.id).state
            child = start(CHILD, path, run.id)
            assert [read_line(child), read_line(child)] == ["started\n", "ended\n"]
            end(child)
        with Database.open(path) as database:
            worker = RunWorker(database)
            progress = worker.progress(run.id)
            found = {
                (one.judge_id, one.debate_id): one
                for debate in debates
                for one in JudgementRepository(database).for_debate(debate.id)
            }
    return {
        "path": path, "server": server, "judges": dict(zip(run.judges, judges, strict=True)), "debates": debates,
        "stored": stored, "answered_before": answered_before, "killed": killed, "state_before": state_before,
        "progress": progress, "found": found,
    }  # fmt: skip


def stored_questions(database: Database) -> set[str]:
    with database.read() as cursor:
        rows = cursor.execute("SELECT messages FROM reply").fetchall()
    return {json.dumps([text for _, text in json.loads(messages)]) for (messages,) in rows}


def texts(question: Question) -> str:
    return json.dumps([message["content"] for message in question.body["messages"]])


def expected(judged) -> dict[tuple[str, str], Fault]:
    return {
        (name, debate.id): fault_of(
            first_hash([m.text for m in judge.requests(profile(debate), Circumstances.of(debate))[0].messages])
        )
        for name, judge in judged["judges"].items()
        for debate in judged["debates"]
    }


def test_every_case_ends_judged_or_honestly_marked(judged):
    for case, fault in expected(judged).items():
        said = judged["found"][case].judgement
        if fault in OK_AT_LAST:
            assert said.status is JudgementStatus.OK, (fault, said)
            assert said.score is not None
        else:
            assert said.score is None, (fault, said)
            assert said.verdict is None, (fault, said)
            right = (
                JudgementStatus.UNREADABLE if fault in UNREADABLE
                else JudgementStatus.REFUSED if fault is Fault.REFUSAL
                else JudgementStatus.ERROR
            )  # fmt: skip
            assert said.status is right, (fault, said)
    assert judged["progress"].run.state is RunState.DONE
    assert judged["progress"].done == DEBATES * 6
    assert set(expected(judged).values()) > set(SHARES)  # every fault did occur


def test_a_good_answer_keeps_its_score_through_every_wrapping_and_retry(judged):
    for (name, debate_id), fault in expected(judged).items():
        if fault in OK_AT_LAST:
            judge = judged["judges"][name]
            debate = judged["debates"][int(debate_id.removeprefix("debate-"))]
            first = first_hash([m.text for m in judge.requests(profile(debate), Circumstances.of(debate))[0].messages])
            assert judged["found"][name, debate_id].judgement.score == float(score_of(first))


def test_killing_the_program_loses_at_most_the_calls_under_way(judged):
    server, before = judged["server"], judged["answered_before"]
    assert judged["killed"], "the child was not killed by the test"
    assert judged["state_before"] is RunState.INTERRUPTED
    lost = [key for key in before if texts(server.questions[key]) not in judged["stored"]]
    assert len(lost) <= CONCURRENCY


def test_no_call_that_had_succeeded_and_was_stored_is_repeated(judged):
    server, before = judged["server"], judged["answered_before"]
    again = [key for key, count in server.answered.items() if count > 1]
    assert all(texts(server.questions[key]) not in judged["stored"] for key in again)
    assert all(server.answered[key] == 2 and before[key] == 1 for key in again)
    assert len(again) <= CONCURRENCY


def test_the_totals_are_those_of_a_run_that_was_never_killed(judged):
    faults = Counter(expected(judged).values())
    calls = sum(
        count * (2 if fault in ASKED_TWICE else 0 if fault in NO_REPLY else 1) for fault, count in faults.items()
    )
    spent = judged["progress"].spending
    assert spent.calls == calls
    assert (spent.tokens_in, spent.tokens_out, spent.tokens_cached) == (100 * calls, 10 * calls, 40 * calls)
    assert spent.unpriced == calls  # the model is in no price table
    assert judged["progress"].failed == sum(faults[fault] for fault in NO_REPLY)


def test_trying_the_failed_again_asks_only_those(judged):
    failed = [case for case, fault in expected(judged).items() if fault in NO_REPLY]
    run, moved_from = judged["progress"].run, judged["server"].base_url
    mended = FaultServer(score=lambda question: score_of(question.first))
    with mended, Database.open(judged["path"]) as database:
        with database.write() as cursor:  # the endpoint is now where it works
            for table, column in (("run", "endpoints"), ("judge", "settings")):
                cursor.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", [moved_from, mended.base_url])
        worker = RunWorker(database, PriceTable((Price(MODEL, 1.0, 2.0),)), lambda endpoint: KEY)
        worker.start(run.id, retry_failed=True)
        assert worker.wait(run.id, 60)
        progress = worker.progress(run.id)
    assert progress.failed == 0
    assert progress.run.state is RunState.DONE
    assert sum(mended.answered.values()) == len(failed)
    # What was asked before had no price; what was asked now costs (60 + 40) * 1 + 10 * 2 per million tokens.
    assert progress.spending.unpriced == judged["progress"].spending.calls
    assert progress.spending.money == pytest.approx(len(failed) * 120 / 1e6)


def test_the_key_is_nowhere_in_the_database_file(judged):
    assert f"Bearer {KEY}" in judged["server"].keys  # it was used
    for file in judged["path"].parent.iterdir():
        assert KEY.encode() not in file.read_bytes(), file
