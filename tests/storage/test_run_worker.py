from __future__ import annotations

import json

import pytest

from core.debate import profile
from core.errors import CallFailed, CallFailure, InvalidSetting, MootError, UnwritableDatabase
from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.judges.llm_judge import LlmJudge, Naming, ScoreMode
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge, judge_id
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MeanStance
from core.llm.circumstances import Circumstances
from core.llm.prices import Price, PriceTable
from core.llm.prompts import PromptSet
from core.llm.request import ChatReply, ChatRequest
from core.runs.plan import Budget, RunState
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judge_diagnosis import diagnose, example_effect
from storage.judgement_file import content_hash, judgement_lines, load_judgement_file, load_judgements
from storage.judgement_repository import JudgementRepository
from storage.reply_repository import ReplyRepository
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from tests.llm.gate import Gate
from tests.llm.judging import PROMPTS, a_debate, a_judge, an_endpoint
from tests.storage.debates import a_dataset

PRICES = PriceTable((Price("answerer", 1.0, 1.0),))
PATIENCE = 30.0  # seconds until a test that waits gives up


class ScriptedClient:
    """Answers every request with what a function says of it."""

    def __init__(self, say=lambda request: '{"score": 0.75}') -> None:
        self.say = say
        self.asked: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        said = self.say(request)
        if isinstance(said, CallFailed):
            raise said
        return said if isinstance(said, ChatReply) else ChatReply(said, "answerer", tokens_in=100, tokens_out=10)


@pytest.fixture
def debates(database):
    listed = [a_debate(number) for number in range(6)]
    DebateRepository(database).add(a_dataset(), listed)
    return [debate.id for debate in listed]


def worker_of(database: Database, client) -> RunWorker:
    return RunWorker(database, PRICES, lambda endpoint: None, lambda: client)


def judged(database, client, judges, debates, budget=None):
    worker = worker_of(database, client)
    run = worker.create(judges, debates, budget)
    worker.start(run.id)
    assert worker.wait(run.id, PATIENCE)
    return worker, worker.progress(run.id)


def test_a_run_judges_every_debate_with_every_judge(database, debates):
    client = ScriptedClient()
    judges: list[AnyJudge] = [a_judge(), a_judge(naming=Naming.ANONYMISED), SemanticsJudge(), MeanStance()]
    _, progress = judged(database, client, judges, debates)
    assert progress.run.state is RunState.DONE
    assert progress.outcomes == {JudgementStatus.OK: 24}
    assert len(client.asked) == 12
    assert progress.spending.cost == pytest.approx(12 * 110 / 1e6)
    repository = JudgementRepository(database)
    found = repository.find(judge_id(judges[0]), debates[0])
    assert found is not None
    assert (found.judgement.score, found.judgement.verdict) == (0.75, Verdict.TRUE)
    assert (found.models, found.calls, found.tokens_in, found.tokens_out) == (("answerer",), 1, 100, 10)
    assert found.judgement.settings == judges[0].settings()
    by_semantics = repository.find(judge_id(SemanticsJudge()), debates[0])
    assert by_semantics is not None
    assert by_semantics.judgement.score == SemanticsJudge().judge(profile(a_debate())).score
    assert (by_semantics.calls, by_semantics.cost) == (0, 0)


def test_a_second_run_of_the_same_judges_has_nothing_to_ask(database, debates):
    client = ScriptedClient()
    judged(database, client, [a_judge()], debates[:4])
    _, progress = judged(database, client, [a_judge()], debates)
    assert len(client.asked) == 6
    assert progress.done == 6
    assert progress.spending.calls == 2  # what this run paid for itself


def test_judges_that_read_the_same_replies_pay_once(database, debates):
    client = ScriptedClient()
    judged(database, client, [a_judge(), a_judge(rule=DecisionRule(0.8))], debates)
    assert len(client.asked) == 6


def test_cancelling_ends_a_run_at_once_and_it_resumes_where_it_was(database, debates):
    gate = Gate(ScriptedClient(), answered=3)
    worker = worker_of(database, gate)
    run = worker.create([a_judge(an_endpoint(concurrency=1))], debates)
    worker.start(run.id)
    assert gate.reached.wait(PATIENCE)
    assert worker.running() == (run.id,)
    with pytest.raises(MootError, match="running already"):
        worker.start(run.id)
    worker.cancel(run.id)
    assert worker.wait(run.id, PATIENCE)
    progress = worker.progress(run.id)
    assert progress.run.state is RunState.CANCELLED
    assert (progress.done, progress.spending.calls) == (3, 3)
    client = ScriptedClient()
    again = worker_of(database, client)
    again.start(run.id)
    assert again.wait(run.id, PATIENCE)
    assert again.progress(run.id).run.state is RunState.DONE
    assert len(client.asked) == 3
    assert {request.key for request in client.asked}.isdisjoint(request.key for request in gate.asked[:3])


def test_a_budget_stops_a_run_and_a_higher_one_lets_it_go_on(database, debates):
    client = ScriptedClient()
    worker, progress = judged(database, client, [a_judge()], debates, Budget(calls=2))
    assert (progress.run.state, progress.done) == (RunState.STOPPED, 2)
    assert "2 calls" in progress.run.reason
    worker.start(progress.run.id)  # the same limit still holds
    assert worker.wait(progress.run.id, PATIENCE)
    assert len(client.asked) == 2
    worker.start(progress.run.id, Budget(calls=100))
    assert worker.wait(progress.run.id, PATIENCE)
    assert worker.progress(progress.run.id).run.state is RunState.DONE
    assert len(client.asked) == 6


def test_only_the_failed_are_tried_again_and_their_other_replies_are_kept(database, debates):
    bad = profile(a_debate(2))

    def say(request: ChatRequest):
        if bad.claim in request.messages[1].text and request.sample == 1:
            return CallFailed(CallFailure.SERVER, "fake: broken")
        return '{"score": 0.75}'

    client = ScriptedClient(say)
    worker, progress = judged(database, client, [a_judge(repeats=3)], debates)
    assert progress.outcomes == {JudgementStatus.OK: 5, JudgementStatus.ERROR: 1}
    client.say, client.asked = (lambda request: '{"score": 0.25}'), []
    worker.start(progress.run.id)  # without being told to, nothing is tried again
    assert worker.wait(progress.run.id, PATIENCE)
    assert client.asked == []
    worker.start(progress.run.id, retry_failed=True)
    assert worker.wait(progress.run.id, PATIENCE)
    assert [request.sample for request in client.asked] == [1]
    found = JudgementRepository(database).find(progress.run.judges[0], debates[2])
    assert found is not None
    assert found.judgement.score == pytest.approx((0.75 + 0.25 + 0.75) / 3)


def test_a_run_that_its_program_left_behind_is_marked_and_can_be_resumed(database, debates):
    run = worker_of(database, ScriptedClient()).create([a_judge()], debates)
    RunRepository(database).set_state(run.id, RunState.RUNNING)
    worker = worker_of(database, ScriptedClient())
    assert RunRepository(database).get(run.id).state is RunState.INTERRUPTED
    worker.start(run.id)
    assert worker.wait(run.id, PATIENCE)
    assert worker.progress(run.id).done == 6


def test_stopping_the_worker_ends_its_runs_before_the_database_closes(path):
    gate = Gate(ScriptedClient(), answered=1)
    with Database.open(path) as database:
        DebateRepository(database).add(a_dataset(), [a_debate(n) for n in range(3)])
        worker = worker_of(database, gate)
        run = worker.create([a_judge(an_endpoint(concurrency=1))], [f"debate-{n}" for n in range(3)])
        worker.start(run.id)
        assert gate.reached.wait(PATIENCE)
        worker.stop()
        assert worker.running() == ()
    with Database.open(path) as database:
        progress = RunRepository(database).progress(run.id)
    assert progress.run.state is RunState.INTERRUPTED
    assert progress.done == 1


def test_a_disk_that_takes_nothing_ends_the_run_in_words(database, debates, monkeypatch):
    def full(*_: object) -> None:
        raise UnwritableDatabase("moot.duckdb could not be written. Is the disk full?")

    monkeypatch.setattr("storage.run_writer.insert_replies", full)
    _, progress = judged(database, ScriptedClient(), [a_judge()], debates)
    assert progress.run.state is RunState.STOPPED
    assert "Is the disk full?" in progress.run.reason


def test_a_bug_in_a_client_ends_the_run_and_is_not_hidden_as_a_verdict(database, debates):
    def say(request: ChatRequest):
        raise ZeroDivisionError

    _, progress = judged(database, ScriptedClient(say), [a_judge()], debates)
    assert progress.run.state is RunState.STOPPED
    assert "ZeroDivisionError" in progress.run.reason
    assert progress.done == 0


@pytest.mark.parametrize("judges", [[], [RecordedJudge("Reviewer 1")]])
def test_a_run_without_anybody_to_ask_is_refused(database, debates, judges):
    with pytest.raises(MootError):
        worker_of(database, ScriptedClient()).create(judges, debates)


def test_a_run_over_debates_that_are_not_there_is_refused(database, debates):
    worker = worker_of(database, ScriptedClient())
    with pytest.raises(MootError, match="1 of the run's debates"):
        worker.create([a_judge()], [*debates, "zoo"])
    with pytest.raises(MootError, match="at least one judge and one debate"):
        worker.create([a_judge()], [])
    assert RunRepository(database).all() == ()


def test_a_judge_is_stored_with_the_prompts_it_judged_with(database, debates):
    mine = PromptSet("mine", (*PROMPTS.texts[:3], ("ask_again", "Again, please.")))
    judge = LlmJudge(an_endpoint(), "m", mine)
    repository = JudgementRepository(database)
    name = repository.define(judge, title="My judge", pinned=True)
    back = repository.judge(name, {"fake": an_endpoint()})
    assert back == judge
    assert repository.define(judge) == name
    (stored,) = repository.judges()
    assert (stored.shown, stored.pinned, stored.judgement_count) == ("My judge", True, 0)
    repository.forget_judge(name)
    assert repository.judges() == ()


def test_a_judge_whose_settings_hold_a_key_is_refused(database):
    with pytest.raises(InvalidSetting, match="'auth' is a credential or holds one"):
        JudgementRepository(database).define(a_judge(extra='{"auth": "sk-abcdef0123456789"}'))
    with pytest.raises(InvalidSetting, match="looks like a key"):
        JudgementRepository(database).define(LlmJudge(an_endpoint(), "sk-abcdef0123456789", PROMPTS))
    assert JudgementRepository(database).judges() == ()


def test_every_call_can_be_audited(database, debates):
    client = ScriptedClient(lambda request: ChatReply('{"score": 0.5}', "answerer", top=(("x", float("-inf")),)))
    judged(database, client, [a_judge()], debates[:1])
    (found,) = JudgementRepository(database).for_debate(debates[0])
    record = ReplyRepository(database).conversation(found.replies[0])
    assert record is not None
    assert record["messages"] == [[message.role.value, message.text] for message in client.asked[0].messages]
    assert record["text"] == '{"score": 0.5}'
    assert record["cost"] is None
    assert found.cost is None
    assert found.tokens_in is None
    stored = ReplyRepository(database).find(found.replies[0])
    assert stored is not None
    assert stored.top == (("x", float("-inf")),)
    assert ReplyRepository(database).conversation("0" * 64) is None


def test_hostile_replies_are_stored_as_text(database, debates):
    evil = "'; DROP TABLE reply; -- \x00 \ud800 <script> {{ 7 }}"
    judged(database, ScriptedClient(lambda request: evil), [a_judge()], debates[:1])
    (found,) = JudgementRepository(database).for_debate(debates[0])
    assert found.judgement.status is JudgementStatus.UNREADABLE
    stored = ReplyRepository(database).find(found.replies[0])
    assert stored is not None
    assert stored.text.startswith("'; DROP TABLE reply; --")


def test_judgements_of_debates_that_changed_are_not_shown(database, debates):
    judged(database, ScriptedClient(), [a_judge()], debates)
    repository = DebateRepository(database)
    (dataset,) = repository.datasets()
    repository.remove_dataset(dataset.id)
    repository.add(a_dataset(sha256="cd" * 32), [a_debate(0, claim="Something else.")])
    assert JudgementRepository(database).for_debate(debates[0]) == ()
    repository.remove_dataset(repository.datasets()[0].id)
    repository.add(a_dataset(), [a_debate(number) for number in range(6)])  # the same file again
    assert len(JudgementRepository(database).for_debate(debates[0])) == 1


def test_the_table_for_comparisons_has_a_row_for_each_judgement(database, debates):
    judges: list[AnyJudge] = [a_judge(), SemanticsJudge()]
    judged(database, ScriptedClient(), judges, debates)
    frame = JudgementRepository(database).frame([judge_id(judge) for judge in judges])
    assert list(frame.columns) == [
        "judge", "debate", "score", "verdict", "status", "repeat", "order", "tokens", "cost",
    ]  # fmt: skip
    assert len(frame) == 12
    assert set(frame[frame["judge"] == judge_id(judges[0])]["tokens"]) == {110.0}
    assert len(JudgementRepository(database).frame([judge_id(judges[0])], [])) == 0


def test_repeats_and_orders_of_one_judge_come_together(database, debates):
    scores = iter(range(100))
    client = ScriptedClient(lambda request: json.dumps({"score": next(scores) % 10 / 10}))
    judges = [a_judge(repeats=2), a_judge(repeats=2, order=(1, 0)), a_judge(repeats=2, order=4), a_judge(repeats=3)]
    judged(database, client, judges, debates)
    frame = JudgementRepository(database).repeats_frame(judge_id(judges[0]))
    assert len(frame) == 3 * 2 * 6
    assert set(frame["judge"]) == {judge_id(judges[0])}
    assert set(frame["order"].dropna()) == {"1-0", "seed 4"}
    assert set(frame["repeat"]) == {1.0, 2.0}
    assert len(JudgementRepository(database).repeats_frame("nobody")) == 0


def test_a_stored_judge_is_diagnosed_from_its_judgements(database, debates):
    copying = ScriptedClient(lambda request: '{"score": 0.83}')  # the pro's base score
    judged(database, copying, [a_judge()], debates)
    found = diagnose(database, judge_id(a_judge()))
    assert found.constant == 0.83
    assert found.copied == {"base score of a pro": 6}
    assert diagnose(database, judge_id(a_judge()), debates[:2]).count == 2
    by_word = a_judge(score_mode=ScoreMode.LOG_PROBABILITY)
    likely = ChatReply("true", "answerer", top=(("true", -0.186), ("false", -1.77)))  # about 0.83
    judged(database, ScriptedClient(lambda request: likely), [by_word], debates)
    assert diagnose(database, judge_id(by_word)).copied == {}  # it printed nothing
    with pytest.raises(MootError, match="No judge"):
        diagnose(database, "nobody")


def test_the_effect_of_the_example_number_is_found_among_alike_judges(database, debates):
    client = ScriptedClient(
        lambda request: '{"score": 0.0}' if '"score": 0.00' in request.messages[0].text else '{"score": 0.5}'
    )
    judges = [a_judge(), a_judge(example=0.0), a_judge(example=1.0), a_judge(naming=Naming.ANONYMISED, example=0.5)]
    judged(database, client, judges, debates)
    effects = example_effect(database, judge_id(judges[0]))
    assert [(effect.example, effect.equal, effect.mean) for effect in effects] == [
        (None, 0, 0.5),
        (0.0, 6, 0.0),
        (1.0, 0, 0.5),
    ]
    assert effects[1].moved == pytest.approx(0.5)
    assert example_effect(database, judge_id(judges[3])) == ()


def test_judgements_travel_as_a_file_and_keep_their_origin(database, debates, tmp_path):
    judges: list[AnyJudge] = [a_judge(repeats=2), MeanStance()]
    judged(database, ScriptedClient(), judges, debates)
    ids = [judge_id(judge) for judge in judges]
    lines = list(judgement_lines(database, ids, debates))
    assert len(lines) == 2 + 12  # each judge stands before its judgements
    file = tmp_path / "judgements.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with Database.open(":memory:") as other:
        listed = [a_debate(number) for number in range(5)]  # one is missing
        DebateRepository(other).add(a_dataset("elsewhere"), listed)
        with other.write() as cursor:
            cursor.execute("UPDATE debate SET record = replace(record, 'Pro of 1.', 'Pro of one.')")
        loaded = load_judgement_file(other, file, "made elsewhere")
        assert loaded.stored == 8
        assert loaded.left_out == {
            "no such debate": 2, "the debate says something else than the one judged": 2,
        }  # fmt: skip
        here = JudgementRepository(database).find(ids[0], debates[0])
        there = JudgementRepository(other).find(ids[0], debates[0])
        assert here is not None
        assert there is not None
        assert there.judgement == here.judgement
        assert there.origin == "made elsewhere"
        assert load_judgement_file(other, file, "again").stored == 0
        assert diagnose(other, ids[0]).count == 8  # two repeats of four debates
        assert list(judgement_lines(other, ids, debates[:1])) == [*lines[:2], *lines[7:9]]


JUDGE = json.dumps({"format": "moot-judge/1", "judge": "r", "settings": {"kind": "human", "judge": "Reviewer 1"}})
WHOLE = {
    "format": "moot-judgement/1",
    "judge": "r",
    "debate_id": "debate-0",
    "status": "ok",
    "score": 1,
    "verdict": "true",
}


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '"text"',
        "{}",
        JUDGE.replace("{", "[", 2),
        '{"format": "moot-judge/1"}',
        '{"format": "moot-debate/1", "debate_id": "zoo"}',
    ],
)
def test_a_line_that_is_no_judgement_is_left_out_with_a_reason(database, debates, line):
    loaded = load_judgements(database, ["", line], "x")
    assert loaded.stored == 0
    assert sum(loaded.left_out.values()) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "moot-judgement/9"}, {"status": "fine"}, {"status": "error"}, {"score": 2}, {"score": "high"},
        {"score": None, "verdict": None}, {"verdict": "maybe"}, {"judge": 1}, {"judge": "other"}, {"cost": "dear"},
        {"parts": 5}, {"parts": [1]}, {"seconds": "long"}, {"calls": "many"}, {"content": "0" * 16},
        {"debate_id": "zoo"},
    ],
)  # fmt: skip
def test_a_judgement_with_a_wrong_field_is_left_out_with_a_reason(database, debates, changes):
    record = {"content": content_hash(profile(a_debate(0))), **WHOLE}
    assert sum(load_judgements(database, [JUDGE, json.dumps(record | changes)], "x").left_out.values()) == 1
    assert load_judgements(database, [JUDGE, json.dumps(record)], "x").stored == 1


def test_a_person_s_verdicts_come_in_as_a_file(database, debates):
    record = {"content": content_hash(profile(a_debate(0))), **WHOLE, "verdict": "false", "score": None}
    assert load_judgements(database, [JUDGE, json.dumps(record)], "by hand").stored == 1
    (found,) = JudgementRepository(database).for_debate("debate-0")
    said = found.judgement
    assert (said.judge, said.verdict, said.score) == ("Reviewer 1", Verdict.FALSE, None)
    (stored,) = JudgementRepository(database).judges()
    assert stored.family == "human"


def test_circumstances_reach_the_prompt_of_a_run(database, debates):
    client = ScriptedClient()
    judged(database, client, [a_judge()], debates[:1])
    debate = DebateRepository(database).get(debates[0])
    assert client.asked[0] == a_judge().requests(profile(debate), Circumstances.of(debate))[0]


def test_an_endpoint_of_an_earlier_run_keeps_its_manners(database, debates):
    endpoint = an_endpoint(concurrency=3, timeout=7.0)
    name = JudgementRepository(database).define(a_judge(endpoint))
    assert JudgementRepository(database).judge(name) != a_judge(endpoint)  # nothing is known of it but its address
    judged(database, ScriptedClient(), [a_judge(endpoint)], debates[:1])
    known = RunRepository(database).known_endpoints()
    assert JudgementRepository(database).judge(name, known) == a_judge(endpoint)
    assert {"openai", "local", "fake"} <= set(known)
