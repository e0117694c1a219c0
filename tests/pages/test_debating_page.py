"""Debates held from the Run debates page, at a server that speaks the OpenAI protocol."""

import pytest

from core.runs.plan import RunState
from pages.components import state
from storage.debate_filter import DebateFilter
from tests.llm.debaters import server_answer
from tests.llm.fault_server import FaultServer
from tests.pages.conftest import zoo
from tests.pages.test_other_pages import by_label, words

RUN = "records/debating"


@pytest.fixture
def server():
    with FaultServer(reply=server_answer) as running:
        yield running


def filled(page, server, claims="Honey never spoils.\nVenus turns slowly."):
    by_label(page.text_area, "One claim a line").set_value(claims).run()
    by_label(page.selectbox, "Endpoint").set_value("another address").run()
    by_label(page.text_input, "Address").set_value(server.base_url).run()
    return by_label(page.text_input, "Model").set_value("fake-1").run()


def ended(page):
    worker = state.debate_run_worker()
    for run in worker.running():
        assert worker.wait(run, 60.0)
    return page.run()


def test_what_debates_take_is_told_and_nothing_is_asked_before_the_start(open_page, server):
    page = filled(open_page(RUN), server)
    shown = words(page).replace("\\", "")
    assert "2 claims, 0 with a label" in shown
    assert "2 debates: about" in shown
    assert "needs no key" in shown
    assert not server.attempts


def test_debates_are_held_and_open_like_any_other(open_page, server):
    page = filled(open_page(RUN, zoo()), server)
    by_label(page.text_input, "Name of the data set").set_value("Two claims").run()
    by_label(page.button, "Start 2 debates").click().run()
    page = ended(page)
    assert [run.state for run in state.debate_runs().all()] == [RunState.DONE]
    assert "2 of 2 debated" in page.get("progress")[0].proto.text.replace("\\", "")
    (dataset,) = [one for one in state.debates().datasets() if one.name == "Two claims"]
    ids = state.debates().ids(DebateFilter(datasets=(dataset.id,)))
    assert len(ids) == 2
    contest = open_page("judge/contest", d=ids[0])
    assert any("Honey never spoils." in text.value for text in contest.text)


def test_a_shared_debate_has_rounds_and_an_order_of_turns(open_page, server):
    page = filled(open_page(RUN), server, "Honey never spoils.")
    by_label(page.radio, "Protocol").set_value("multi-turn-shared").run()
    by_label(page.number_input, "Rounds").set_value(2).run()
    by_label(page.button, "Start 1 debate").click().run()
    ended(page)
    (run,) = state.debate_runs().all()
    assert run.state is RunState.DONE
    dataset = state.debate_run_worker().dataset(run.id)
    assert dataset is not None
    (name,) = state.debates().ids(DebateFilter(datasets=(dataset,)))
    assert len(state.debates().get(name).rounds) == 2


def test_a_model_that_is_missing_and_a_claim_that_is_too_long_are_said(open_page):
    page = open_page(RUN)
    assert "a model for each agent" in words(page)
    by_label(page.text_area, "One claim a line").set_value("x" * 10_001).run()
    assert any("10,001 characters" in error.value.replace("\\", "") for error in page.error)
