"""An earlier run begun again with changes, replayed, judged, and watched call by call, on the Run debates page."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from core.debating.plan import DebatePlan
from core.debating.run import DebateRun
from core.runs.plan import Budget, RunState, Spending
from core.runs.progress import EndedCall, Progress
from pages.components import state
from pages.components.debating_calls import call_table
from storage.database import Database
from storage.debate_run_worker import DebateRunWorker
from tests.llm.debaters import PRIVATE, PROMPTS, Debaters, an_agent, server_answer, some_claims
from tests.llm.fault_server import FaultServer
from tests.llm.judging import an_endpoint
from tests.pages.test_debating_page import RUN, ended
from tests.pages.test_other_pages import by_label, frame_with, words

PATIENCE = 60.0  # seconds until a test that waits gives up


def answer(question):
    """Answer a judge with a score, and a debater as usual."""
    asked = question.body["messages"][-1]["content"]
    return json.dumps({"score": 0.7}) if "score" in asked and "likelihood" not in asked else server_answer(question)


@pytest.fixture
def server():
    with FaultServer(reply=server_answer) as running:
        yield running


@pytest.fixture
def held(database_path, server):
    """Hold two private debates at the server, and return the run's id."""
    endpoint = an_endpoint(server.base_url, key_variable="")
    agents = tuple(an_agent(f"A{number}", endpoint, temperature=None, max_tokens=900) for number in (1, 2))
    with Database.open(database_path) as database:
        worker = DebateRunWorker(database, client=Debaters)
        run = worker.create(DebatePlan(PRIVATE, agents, PROMPTS, 2), some_claims(2), name="held")
        worker.start(run.id)
        assert worker.wait(run.id, PATIENCE)
        return run.id


def plainly(text):
    """Return a text without the marks that keep it from being markup."""
    return text.replace("\\", "")


def said(page):
    return plainly(words(page))


def again(page):
    return by_label(page.button, "Again with changes").click().run()


def test_an_earlier_run_fills_the_form_and_nothing_of_it_is_asked_again(held, open_page, server):
    page = again(open_page(RUN))
    assert by_label(page.segmented_control, "From").value == "Earlier run"
    assert by_label(page.radio, "Protocol").value == PRIVATE
    assert by_label(page.number_input, "Rounds").value == 2
    assert [one.value for one in page.text_input if one.label == "Model"] == ["model-A1", "model-A2"]
    assert "2 claims, 2 with a label" in said(page)
    assert "are answered by stored replies; nobody is asked" in said(page)
    by_label(page.button, "Start 2 debates").click().run()
    ended(page)
    assert [run.state for run in state.debate_runs().all()] == [RunState.DONE, RunState.DONE]
    assert not server.attempts


def test_one_agent_changed_asks_only_what_depends_on_it(held, open_page, server):
    page = again(open_page(RUN))
    [one for one in page.text_input if one.label == "Persona"][1].set_value("You doubt everything.").run()
    told = said(page)
    assert "are answered by stored replies; about" in told
    by_label(page.button, "Start 2 debates").click().run()
    ended(page)
    assert server.attempts
    prompts = [(one.body["model"], one.body["messages"][1]["content"]) for one in server.questions.values()]
    assert not [text for model, text in prompts if model == "model-A1" and "before any" in text]


def test_one_prompt_changed_is_told_and_kept_with_the_run(held, open_page):
    page = again(open_page(RUN))
    by_label(page.selectbox, "Template").set_value("posterior").run()
    area = by_label(page.text_area, "Text of the template")
    area.set_value(f"{area.value}\nTake your time.").run()
    assert "Changed for this run: posterior" in said(page)
    assert "are answered by stored replies; about" in said(page)
    by_label(page.text_area, "Text of the template").set_value("{% if %}").run()
    assert any("posterior" in error.value for error in page.error)
    by_label(page.selectbox, "Template").set_value("prior").run()
    assert any("posterior" in error.value for error in page.error)


def test_changes_of_prompts_are_taken_back(held, open_page):
    page = again(open_page(RUN))
    area = by_label(page.text_area, "Text of the template")
    before = area.value
    area.set_value(f"{before} More.").run()
    by_label(page.button, "Take all changes back").click().run()
    assert by_label(page.text_area, "Text of the template").value == before
    assert "nobody is asked" in said(page)


def test_a_replay_says_that_all_is_the_same_or_where_it_differs(held, open_page, database_path):
    page = open_page(RUN)
    by_label(page.button, "Replay").click().run()
    assert any("2 the same to the last byte, 0 different" in plainly(one.value) for one in page.success)
    with state.database().write() as cursor:
        cursor.execute("UPDATE debate SET record = replace(record, 'Claim number 0', 'Claim number nought')")
    by_label(page.button, "Replay").click().run()
    assert any("1 different" in one.value for one in page.warning)
    shown = "\n".join(text.value for text in page.text)
    assert "claim" in shown
    assert "stored: Claim number nought holds." in shown
    assert "again: Claim number 0 holds." in shown


def test_a_finished_run_is_judged_from_the_list(held, open_page, server):
    server.reply = answer
    page = open_page(RUN)
    page.session_state[f"debating.judge|{held}"] = True
    page.run()
    prefix = f"debating.then|{held}"
    page.selectbox(key=f"{prefix}.endpoint").set_value("another address").run()
    page.text_input(key=f"{prefix}.address").set_value(server.base_url).run()
    page.text_input(key=f"{prefix}.model").set_value("judge-1").run()
    page.button(key=f"{prefix}.start").click().run()
    (judging,) = state.runs().all()
    assert judging.name == "Judges of held"
    assert any("has begun" in one.value for one in page.success)
    assert state.run_worker().wait(judging.id, PATIENCE)
    assert state.runs().get(judging.id).state is RunState.DONE


def test_judges_chosen_in_the_form_begin_when_the_debates_are_complete(held, open_page, server):
    server.reply = answer
    page = again(open_page(RUN))
    by_label(page.toggle, "Have language models judge the debates when they are complete").set_value(True).run()
    page.selectbox(key="debating.then.endpoint").set_value("another address").run()
    page.text_input(key="debating.then.address").set_value(server.base_url).run()
    page.text_input(key="debating.then.model").set_value("judge-1").run()
    assert "each on every debate" in said(page)
    by_label(page.button, "Start 2 debates").click().run()
    ended(page)
    (judging,) = state.runs().all()
    assert state.run_worker().wait(judging.id, PATIENCE)
    assert state.runs().progress(judging.id).done > 0


def test_calls_are_listed_one_by_one(held, open_page):
    page = open_page(RUN)
    page.session_state[f"debating.calls|{held}"] = True
    page.run()
    calls = frame_with(page, "Tokens sent")
    assert set(calls["Model"]) == {"model-A1-2026", "model-A2-2026"}
    assert set(calls["Tokens sent"]) == {100}


def test_a_call_that_just_ended_stands_first_with_what_was_asked():
    run = DebateRun("d1", "held", RunState.RUNNING, "", 2, Budget(), "2026-01-01")
    recent = (
        EndedCall("c0", "round 0, A1, prior stance", "ok", ("key-2",)),
        EndedCall("c1", "round 0, A2, prior stance", "ok", ("older",)),
        EndedCall("c1", "round 0, A1, prior stance", "no reply", ()),
    )
    paid = pd.DataFrame(
        [
            {"key": name, "endpoint": "e", "model": "m", "tokens_in": 1, "tokens_out": 2, "cost": None, "seconds": 0.5,
             "finish_reason": "stop", "created_at": pd.Timestamp("2026-01-01")}
            for name in ("key-2", "key-1")
        ]
    )  # fmt: skip
    table = call_table(Progress(run, {}, Spending(calls=2), recent=recent), paid)
    assert list(table["Claim"].fillna("")) == ["c0", "c1", "c1", ""]
    assert list(table["Model"].fillna("")) == ["m", "", "", "m"]
    assert list(table["Ended by"].fillna("")) == ["stop", "an older reply", "", "stop"]


def test_agents_of_one_model_fill_the_form_once(database_path, open_page, server):
    endpoint = an_endpoint(server.base_url, key_variable="")
    agents = tuple(an_agent(name, endpoint, model="one-model", persona=f"You are {name}.") for name in ("A1", "A2"))
    with Database.open(database_path) as database:
        worker = DebateRunWorker(database, client=Debaters)
        worker.create(DebatePlan(PRIVATE, agents, PROMPTS, 1), some_claims(1))
    page = again(open_page(RUN))
    assert [one.value for one in page.text_input if one.label == "Model"] == ["one-model"]
    assert [one.value for one in page.text_input if one.label == "Persona"] == ["You are A1.", "You are A2."]
    assert "None of these calls is stored already" in said(page)
