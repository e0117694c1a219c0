"""Runs of debates in the background: stored as they arrive, stopped, resumed, replayed, and the data set they make."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.debating.claim import Claim
from core.debating.outcome import DebateState
from core.debating.plan import PROTOCOLS
from core.debating.prompts import DebatePrompts
from core.errors import CallFailed, CallFailure, InvalidSetting, MootError, NotAllowed, UnreadableFile
from core.judges.semantics_judge import SemanticsJudge
from core.llm.prices import Price, PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.runs.plan import Budget, RunState
from core.runs.progress import progress_line, report_lines
from storage.agent_choice import agent_in_words, agents_in_file, chosen_agents
from storage.audit_log import AuditLog
from storage.claim_source import claims_in_dataset, claims_in_file
from storage.comment_repository import CommentRepository, Remarked
from storage.debate_filter import DebateFilter
from storage.debate_prompt_files import load_debate_prompts
from storage.debate_repository import DebateRepository
from storage.debate_run_repository import DebateRunRepository
from storage.debate_run_worker import DebateRunWorker
from storage.judgement_repository import JudgementRepository
from storage.run_worker import RunWorker
from tests.llm.debaters import PRIVATE, PROMPTS, SHARED, SINGLE, Debaters, a_plan, some_claims, step_of
from tests.llm.gate import Gate
from tests.llm.judging import an_endpoint
from tests.storage.debates import a_dataset, a_debate
from tests.storage.integrity import problems
from tests.storage.people import REVIEWER, VIEWER

PATIENCE = 60.0  # seconds until a test that waits gives up
PRICES = PriceTable(tuple(Price(f"model-A{number}", 1.0, 1.0) for number in range(1, 4)))
THREE = some_claims(3)
BROKEN = CallFailed(CallFailure.BAD_REQUEST, "fake: the request was turned down")


def worker_of(database, client) -> DebateRunWorker:
    return DebateRunWorker(database, PRICES, lambda endpoint: None, lambda: client)


def finish(worker, run, **start):
    worker.start(run.id, **start)
    assert worker.wait(run.id, PATIENCE)
    return worker.progress(run.id)


def run_of(database, client, plan, claims=THREE, budget=None, name="held"):
    worker = worker_of(database, client)
    run = worker.create(plan, claims, budget, name)
    return worker, finish(worker, run)


def debates_of(database, worker, run_id):
    repository = DebateRepository(database)
    dataset = worker.dataset(run_id)
    return {} if dataset is None else {
        debate.claim_id: debate for debate in map(repository.get, repository.ids(DebateFilter(datasets=(dataset,))))
    }  # fmt: skip


def lines_of(database, worker, run_id) -> list[str]:
    return sorted(DebateRepository(database).export(DebateFilter(datasets=(worker.dataset(run_id),))))


def asked_for(request: ChatRequest, claim: str, model: str, step: str) -> bool:
    text = request.messages[1].text
    return claim in text and request.model == model and step_of(text) == step


def test_a_run_stores_a_debate_for_each_claim_in_a_data_set_of_its_name(database):
    worker, progress = run_of(database, Debaters(), a_plan(PRIVATE))
    assert progress.run.state is RunState.DONE
    assert progress.outcomes == {DebateState.COMPLETE: 3}
    held = debates_of(database, worker, progress.run.id)
    assert {name: debate.label for name, debate in held.items()} == {"c0": True, "c1": False, "c2": True}
    (dataset,) = DebateRepository(database).datasets()
    assert (dataset.name, dataset.debate_count, dataset.format) == ("held", 3, "run of debates")
    assert dataset.note == "Debated by models: model-A1, model-A2, model-A3."
    assert dataset.argument_count == sum(
        len({a.id for one in debate.rounds for a in one.arguments}) for debate in held.values()
    )
    assert problems(database) == []
    assert AuditLog(database).check().intact


def test_what_a_run_made_can_be_judged(database):
    worker, progress = run_of(database, Debaters(), a_plan(SHARED))
    judging = RunWorker(database)
    ids = DebateRepository(database).ids()
    run = judging.create([SemanticsJudge()], ids)
    judging.start(run.id)
    assert judging.wait(run.id, PATIENCE)
    assert all(JudgementRepository(database).for_debate(name) for name in ids)
    assert worker.dataset(progress.run.id)


def test_a_second_run_of_the_same_plan_asks_nothing_and_makes_the_same_debates(database):
    first, one = run_of(database, Debaters(), a_plan(PRIVATE))
    client = Debaters()
    second, two = run_of(database, client, a_plan(PRIVATE), name="again")
    assert client.asked == []
    assert two.spending.calls == 0
    assert lines_of(database, first, one.run.id) == lines_of(database, second, two.run.id)


def test_a_run_costs_what_its_calls_cost(database):
    client = Debaters()
    _, progress = run_of(database, client, a_plan(SINGLE))
    assert progress.spending.calls == len(client.asked) == 3 * 3 * 6
    assert progress.spending.cost == pytest.approx(54 * 110 / 1e6)
    assert "3 of 3 debated" in progress_line(progress)
    assert "54 calls" in report_lines(progress)[2]


# -- unreadable, refused, failed ----------------------------------------------------------------------------------


def test_an_unreadable_reply_is_asked_for_once_more_with_the_error_named_and_then_leaves_a_gap(database):
    client = Debaters(
        lambda request: '{"likelihood": 700}' if asked_for(request, "number 1 ", "model-A2", "base_score") else None
    )
    worker, progress = run_of(database, client, a_plan(SINGLE))
    assert progress.run.state is RunState.DONE
    assert progress.outcomes[DebateState.GAPS] == 1
    debate = debates_of(database, worker, progress.run.id)["c1"]
    unscored = [a for a in debate.rounds[0].arguments if a.base_score is None]
    assert [(a.author, a.base_score_raw) for a in unscored] == [("A2", '{"likelihood": 700}')] * 2
    assert debate.rounds[0].stances[1].posterior is not None  # it goes on
    assert debate.tags == ("gaps",)
    assert "round 0, A2, base score of A2-pro1 (unreadable)" in debate.note
    gaps = [call for call in debate.provenance["calls"] if "status" in call]
    assert [(call["status"], len(call["replies"])) for call in gaps] == [("unreadable", 2)] * 2
    again = [request for request in client.asked if len(request.messages) == 4]
    assert len(again) == 2
    assert '"likelihood" is 700; it must be' in again[0].messages[3].text


def test_a_reply_that_is_mended_when_asked_again_leaves_no_gap(database):
    client = Debaters(lambda request: "I would rather not say." if len(request.messages) == 2 else None)
    worker, progress = run_of(database, client, a_plan(SHARED, rounds=2))
    assert progress.outcomes[DebateState.COMPLETE] == 3
    for debate in debates_of(database, worker, progress.run.id).values():
        assert {len(call["replies"]) for call in debate.provenance["calls"]} == {2}


def test_a_model_that_never_answers_readably_makes_debates_of_gaps_and_no_numbers(database):
    worker, progress = run_of(database, Debaters(lambda request: "No."), a_plan(SHARED, rounds=2))
    assert progress.outcomes[DebateState.GAPS] == 3
    debate = debates_of(database, worker, progress.run.id)["c0"]
    assert debate.rounds[-1].arguments == ()
    assert all(s.prior is None and s.posterior is None for one in debate.rounds for s in one.stances)
    assert debate.rounds[0].edits[0]["unreadable"] == "The reply holds no JSON object."


def test_a_refusal_is_not_asked_again_and_leaves_a_gap(database):
    class Refusing(Debaters):
        async def complete(self, request):
            if asked_for(request, "number 0 ", "model-A3", "posterior"):
                self.asked.append(request)
                return ChatReply("", "model-A3", refusal="No.")
            return await super().complete(request)

    client = Refusing()
    worker, progress = run_of(database, client, a_plan(SINGLE))
    assert progress.outcomes[DebateState.GAPS] == 1
    (call,) = [
        call for call in debates_of(database, worker, progress.run.id)["c0"].provenance["calls"] if "status" in call
    ]
    assert (call["status"], len(call["replies"])) == ("refused", 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_debate_without_a_reply_is_stored_as_far_as_it_came_says_where_and_goes_on_when_tried_again(
    database, protocol
):
    failing = {"yes": True}
    client = Debaters(
        lambda request: BROKEN if failing["yes"] and asked_for(request, "number 1 ", "model-A2", "posterior") else None
    )
    worker, progress = run_of(database, client, a_plan(protocol, rounds=2))
    assert progress.run.state is RunState.DONE  # every debate has an outcome
    assert (progress.outcomes[DebateState.COMPLETE], progress.failed) == (2, 1)
    assert not progress.in_vain
    assert progress.trouble == "Stopped at round 0, A2, posterior stance: fake: the request was turned down"
    assert f"  {progress.trouble}" in report_lines(progress)
    stopped = debates_of(database, worker, progress.run.id)["c1"]
    assert stopped.note.startswith("Stopped at round 0, A2, posterior stance: fake: the request was turned down.")
    assert stopped.tags == ("incomplete",)
    assert stopped.provenance["state"] == "stopped"
    stances = stopped.rounds[0].stances
    assert [s.posterior is None for s in stances] == [False, True, False]  # what came beside it is there
    table = DebateRunRepository(database).debates(progress.run.id)
    assert table.state.to_list() == ["complete", "stopped", "complete"]
    assert [one.same for one in worker.replay(progress.run.id)] == [True, True, True]
    failing["yes"] = False
    before = len(client.asked)
    again = finish(worker, progress.run, retry_failed=True)
    assert again.outcomes[DebateState.COMPLETE] == 3
    assert (again.trouble, again.trouble_line) == ("", "")
    held = debates_of(database, worker, progress.run.id)
    assert len(held) == 3
    assert held["c1"].tags == ()
    assert all("number 1 " in request.messages[1].text for request in client.asked[before:])
    assert len({request.key for request in client.asked}) == len(client.asked) - 1  # the one that failed
    assert problems(database) == []
    assert AuditLog(database).check().intact
    assert [one.same for one in worker.replay(progress.run.id)] == [True, True, True]


def test_a_run_in_which_nobody_ever_answered_was_in_vain_and_says_why(database):
    _, progress = run_of(database, Debaters(lambda request: BROKEN), a_plan(SINGLE))
    assert progress.run.state is RunState.DONE
    assert progress.in_vain
    assert progress.trouble_line.startswith("The first: Stopped at round 0, A1, prior stance: fake: the request was")


def test_a_debate_that_went_on_stays_beside_what_people_wrote_on(database):
    failing = {"yes": True}
    client = Debaters(
        lambda request: BROKEN if failing["yes"] and asked_for(request, "number 1 ", "model-A2", "con") else None
    )
    worker, progress = run_of(database, client, a_plan(SINGLE))
    CommentRepository(database).add("c1", Remarked.DEBATE, "", "Only half a debate.")
    failing["yes"] = False
    finish(worker, progress.run, retry_failed=True)
    dataset = worker.dataset(progress.run.id)
    ids = DebateRepository(database).ids(DebateFilter(datasets=(dataset,)))
    assert sorted(ids) == ["c0", "c1", f"c1@{dataset}", "c2"]
    assert DebateRepository(database).get("c1").tags == ("incomplete",)
    assert DebateRepository(database).get(f"c1@{dataset}").tags == ()
    assert [one.same for one in worker.replay(progress.run.id)] == [True, True, True]


def test_judgements_of_a_debate_go_when_it_goes_on(database):
    failing = {"yes": True}
    client = Debaters(
        lambda request: BROKEN if failing["yes"] and asked_for(request, "number 1 ", "model-A2", "con") else None
    )
    worker, progress = run_of(database, client, a_plan(SINGLE))
    judging = RunWorker(database)
    run = judging.create([SemanticsJudge()], ["c0", "c1"])
    judging.start(run.id)
    assert judging.wait(run.id, PATIENCE)
    failing["yes"] = False
    finish(worker, progress.run, retry_failed=True)
    assert [bool(JudgementRepository(database).for_debate(name)) for name in ("c0", "c1")] == [True, False]


def test_a_refused_key_stops_the_run_and_leaves_the_debates_open(database):
    client = Debaters(lambda request: CallFailed(CallFailure.KEY_REFUSED, "fake: the key was refused"))
    _, progress = run_of(database, client, a_plan(SINGLE))
    assert (progress.run.state, progress.run.reason) == (RunState.STOPPED, "fake: the key was refused")
    assert progress.left == 3
    assert DebateRepository(database).count() == 0


# -- limits, cancelling, resuming ---------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_limit_stops_a_run_at_the_next_call_and_a_higher_one_lets_it_go_on_without_repeating_any(database, protocol):
    client = Debaters()
    plan = a_plan(protocol, rounds=2)
    worker, progress = run_of(database, client, plan, some_claims(6), Budget(calls=40))
    assert (progress.run.state, progress.spending.calls) == (RunState.STOPPED, 40)
    assert "40 calls" in progress.run.reason
    assert progress.left > 0
    partly = [one for one in debates_of(database, worker, progress.run.id).values() if one.tags == ("incomplete",)]
    assert partly  # what was under way is there to be looked at
    assert all(one.note.startswith("Stopped at round ") for one in partly)
    for calls in range(80, 2_000, 40):
        progress = finish(worker, progress.run, budget=Budget(calls=calls))
        if progress.run.state is RunState.DONE:
            break
    assert progress.outcomes[DebateState.COMPLETE] == 6
    assert len({request.key for request in client.asked}) == len(client.asked) == progress.spending.calls
    whole, undisturbed = run_of(database, client, plan, some_claims(6), name="at once")
    assert lines_of(database, worker, progress.run.id) == lines_of(database, whole, undisturbed.run.id)
    assert problems(database) == []
    assert AuditLog(database).check().intact


def test_cancelling_ends_a_run_at_once_and_what_is_under_way_can_be_seen_before_and_after(database):
    gate = Gate(Debaters(), answered=20)
    worker = worker_of(database, gate)
    run = worker.create(a_plan(PRIVATE, an_endpoint(concurrency=1)), some_claims(3))
    worker.start(run.id)
    assert gate.reached.wait(PATIENCE)
    assert worker.running() == (run.id,)
    with pytest.raises(MootError, match="running already"):
        worker.start(run.id)
    live = worker.progress(run.id).live
    assert live[0].text == "Claim number 0 holds."
    assert live[0].asking
    assert all(words.startswith("round ") for words in live[0].asking)
    worker.cancel(run.id)
    assert worker.wait(run.id, PATIENCE)
    progress = worker.progress(run.id)
    assert progress.run.state is RunState.CANCELLED
    assert (progress.spending.calls, progress.live) == (20, ())
    assert debates_of(database, worker, run.id)["c0"].tags == ("incomplete",)
    assert len(DebateRunRepository(database).calls(run.id)) == 20
    client = Debaters()
    assert finish(worker_of(database, client), run).run.state is RunState.DONE
    assert {request.key for request in client.asked}.isdisjoint(request.key for request in gate.asked[:20])


def test_stopping_the_worker_interrupts_its_runs(database):
    gate = Gate(Debaters(), answered=5)
    worker = worker_of(database, gate)
    run = worker.create(a_plan(SINGLE), some_claims(3))
    worker.start(run.id)
    assert gate.reached.wait(PATIENCE)
    worker.stop()
    assert DebateRunRepository(database).get(run.id).state is RunState.INTERRUPTED


def test_a_data_set_that_was_removed_is_made_anew_without_a_call(database):
    client = Debaters()
    worker, progress = run_of(database, client, a_plan(SINGLE))
    before = lines_of(database, worker, progress.run.id)
    DebateRepository(database).remove_dataset(worker.dataset(progress.run.id))
    assert worker.dataset(progress.run.id) is None
    asked = len(client.asked)
    assert finish(worker, progress.run).run.state is RunState.DONE
    assert lines_of(database, worker, progress.run.id) == before
    assert len(client.asked) == asked


def test_ids_and_names_that_are_taken_get_another(database):
    DebateRepository(database).add(a_dataset("held"), [a_debate("c1")])
    worker, progress = run_of(database, Debaters(), a_plan(SINGLE))
    dataset = worker.dataset(progress.run.id)
    assert {one.name for one in DebateRepository(database).datasets()} == {"held", "held (2)"}
    assert DebateRepository(database).exists(f"c1@{dataset}")
    assert [one.same for one in worker.replay(progress.run.id)] == [True, True, True]


def test_a_long_run_brings_its_debates_into_view_before_it_ends(database):
    _, progress = run_of(database, Debaters(), a_plan(SINGLE, agents=1), some_claims(60))
    assert progress.outcomes[DebateState.COMPLETE] == 60
    entries = [entry for entry in AuditLog(database).entries() if entry.action == "debates of a run stored"]
    added = [json.loads(entry.after)["debates"] for entry in entries]
    assert len(added) > 1
    assert sum(added) == 60
    assert AuditLog(database).check().intact
    assert problems(database) == []


# -- replay -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_run_is_held_again_byte_for_byte_from_stored_replies_alone(database, protocol):
    worker, progress = run_of(database, Debaters(), a_plan(protocol))
    offline = worker_of(database, None)  # whoever asked it anything would fail
    replays = list(offline.replay(progress.run.id))
    assert [one.same for one in replays] == [True] * 3
    assert sorted(one.record for one in replays) == lines_of(database, worker, progress.run.id)


def test_a_replay_tells_a_debate_that_is_not_what_its_replies_say(database):
    worker, progress = run_of(database, Debaters(), a_plan(SINGLE))
    with database.write() as cursor:
        cursor.execute("UPDATE debate SET record = replace(record, 'A pro of', 'A pawn of') WHERE id = 'c1'")
    assert [one.same for one in worker.replay(progress.run.id)] == [True, False, True]


def test_replies_with_signs_that_no_database_holds_are_held_again_all_the_same(database):
    client = Debaters(
        lambda request: (
            f"\x00 no \ud800 number {len(request.messages)} \u2028"
            if step_of(request.messages[1].text) == "prior"
            else json.dumps({"argument": "Nul \x00 and \ud800 half."})
            if step_of(request.messages[1].text) == "pro"
            else None
        )
    )
    worker, progress = run_of(database, client, a_plan(SINGLE))
    assert progress.outcomes[DebateState.GAPS] == 3
    assert [one.same for one in worker.replay(progress.run.id)] == [True] * 3
    again = Debaters()
    run_of(database, again, a_plan(SINGLE), name="again")
    assert again.asked == []


def test_a_run_keeps_the_prompts_that_it_was_made_with(database):
    texts = {**dict(PROMPTS.texts), "prior": "Your step: before any argument: {{ claim | quoted }}"}
    mine = replace(a_plan(SINGLE), prompts=DebatePrompts.from_texts("mine", texts))
    worker, progress = run_of(database, Debaters(), mine)
    assert worker._runs.plan(progress.run.id) == mine
    assert [one.same for one in worker.replay(progress.run.id)] == [True] * 3


def test_changing_one_agent_reruns_only_what_depends_on_it(database):
    plan = a_plan(SINGLE)
    run_of(database, Debaters(), plan)
    changed = replace(plan, agents=(*plan.agents[:2], replace(plan.agents[2], persona="A sceptic.")))
    client = Debaters()
    run_of(database, client, changed, name="changed")
    assert len(client.asked) == 3 * 6
    assert {request.model for request in client.asked} == {"model-A3"}


# -- who may, what comes in ---------------------------------------------------------------------------------------


def test_only_reviewers_and_admins_run_debates(database):
    worker = worker_of(database, Debaters())
    with pytest.raises(NotAllowed, match="Only an admin may have the key in MOOT_TEST_KEY sent"):
        worker.acting_for(REVIEWER).create(a_plan(SINGLE), some_claims(1))
    needs_no_key = a_plan(SINGLE, an_endpoint(key_variable=""))
    run = worker.acting_for(REVIEWER).create(needs_no_key, some_claims(1))
    viewer = worker.acting_for(VIEWER)
    for attempt in (
        lambda: viewer.create(a_plan(SINGLE), some_claims(1)),
        lambda: viewer.start(run.id),
        lambda: viewer.cancel(run.id),
        lambda: DebateRunRepository(database, REVIEWER).remove(run.id),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    worker.acting_for(REVIEWER).start(run.id)
    assert worker.wait(run.id, PATIENCE)
    entry = next(one for one in AuditLog(database).entries() if one.action == "debates of a run stored")
    assert entry.person == REVIEWER.id
    DebateRunRepository(database).remove(run.id)
    assert DebateRunRepository(database).all() == ()
    assert AuditLog(database).check().intact


def test_a_run_needs_claims_with_ids_of_their_own(database):
    worker = worker_of(database, Debaters())
    with pytest.raises(MootError, match="at least one claim"):
        worker.create(a_plan(SINGLE), ())
    with pytest.raises(MootError, match="share an id"):
        worker.create(a_plan(SINGLE), (Claim("a", "One."), Claim("a", "Two.")))
    with pytest.raises(MootError, match="No run of debates 'nope'"):
        worker.start("nope")


def test_claims_come_from_files_and_from_data_sets(database, tmp_path):
    table = tmp_path / "claims.csv"
    table.write_text("claim,label\nOne.,true\nTwo.,\n", "utf-8")
    assert [claim.label for claim in claims_in_file(table)] == [True, None]
    lines = tmp_path / "claims.txt"
    lines.write_text("\ufeffOne.\nTwo.\n", "utf-8")
    assert [claim.text for claim in claims_in_file(lines)] == ["One.", "Two."]
    for content, why in ((b"PAR1\x15\xff\xfe", "no text in UTF-8"), (b"One.\x00Two.", "holds the sign NUL")):
        lines.write_bytes(content)
        with pytest.raises(UnreadableFile, match=f"claims.txt cannot be read: .*{why}"):
            claims_in_file(lines)
    with pytest.raises(UnreadableFile, match=r"gone.txt cannot be read"):
        claims_in_file(tmp_path / "gone.txt")
    DebateRepository(database).add(
        a_dataset("zoo"), [a_debate("x", claim_id="k"), a_debate("y", claim_id="k"), a_debate("z", label=None)]
    )
    assert claims_in_dataset(database, "zoo") == (
        Claim("k", "The family should visit the zoo.", True),
        Claim("z", "The family should visit the zoo.", None),
    )
    with pytest.raises(MootError, match="There is no dataset"):
        claims_in_dataset(database, "lake")


def test_agents_come_from_words_and_from_files(tmp_path):
    agent = agent_in_words("name=A1, model=m, endpoint=local, temperature=0.5, seed=7, persona=A sceptic, and a cook.")
    assert (agent.name, agent.temperature, agent.seed) == ("A1", 0.5, 7)
    assert agent.persona == "A sceptic, and a cook."
    assert agent.endpoint.name == "local"
    file = tmp_path / "agents.yaml"
    file.write_text(
        "endpoints: [{name: cluster, base_url: 'http://127.0.0.1:9/v1', concurrency: 9}]\n"
        "agents:\n  - {name: A2, model: m, endpoint: cluster, extra: {cache_prompt: false}}\n",
        "utf-8",
    )
    (other,) = agents_in_file(file)
    assert (other.endpoint.concurrency, other.extra) == (9, '{"cache_prompt":false}')
    assert [one.name for one in chosen_agents([str(file), "name=A3,model=m"])] == ["A2", "A3"]
    for wrong in ("name=A1", "name=A1,model=m,temperature=warm", "name=A1,model=m,endpoint=", str(tmp_path / "gone")):
        with pytest.raises(InvalidSetting):
            chosen_agents([wrong])


def test_the_standard_prompts_are_known_and_edited_ones_are_called_so(tmp_path):
    assert PROMPTS.name == "standard"
    for name, text in PROMPTS.texts:
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    (tmp_path / "prior.txt").write_text("Say how likely {{ claim | quoted }} is.", "utf-8")
    assert load_debate_prompts(folder=tmp_path).name == "edited"
    with pytest.raises(InvalidSetting, match="no prompt set"):
        load_debate_prompts("../judge")
    (tmp_path / "turn.txt").unlink()
    with pytest.raises(UnreadableFile, match=r"turn.txt"):
        load_debate_prompts(folder=tmp_path)
