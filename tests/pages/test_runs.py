"""Runs on the Data page, against a server that speaks the OpenAI protocol, run by Streamlit's AppTest."""

import pytest

from core.runs.plan import RunState
from pages.components import state
from tests.llm.fault_server import Fault, FaultServer
from tests.llm.judging import KEY
from tests.pages.conftest import zoo
from tests.pages.judged import five_debates
from tests.pages.test_other_pages import by_label, words

DATA = "records/data"


@pytest.fixture
def server():
    with FaultServer() as running:
        yield running


def filled(page, server, model="fake-1"):
    """Fill in the form: the two judges of a preset, asked at the server."""
    by_label(page.selectbox, "Endpoint").set_value("another address").run()
    by_label(page.text_input, "Address").set_value(server.base_url).run()
    return by_label(page.text_input, "Model").set_value(model).run()


def ended(page):
    """Wait until every run of the page has ended, and draw it again."""
    worker = state.run_worker()
    for run in worker.running():
        assert worker.wait(run, 60.0)
    return page.run()


def badges(page):
    return [run.state for run in state.runs().all()]


def test_what_a_run_takes_is_told_before_it_starts(open_page, server):
    page = filled(open_page(DATA, *five_debates()), server)
    shown = words(page).replace("\\", "")
    assert "10 calls, about" in shown  # two judges, five debates
    assert "cost unknown" in shown
    assert "10 judgements of 2 judges on 5 debates; 0 more are stored already." in shown
    assert "needs no key" in shown
    assert not server.attempts  # nothing was asked yet


def test_a_run_is_started_and_watched_to_its_end(open_page, server):
    page = filled(open_page(DATA, *five_debates()), server)
    by_label(page.button, "Start the run").click().run()
    page = ended(page)
    assert badges(page) == [RunState.DONE]
    assert "10 of 10 judged" in page.get("progress")[0].proto.text.replace("\\", "")
    assert len(server.answered) == 10
    assert "10 more are stored already" in words(page)
    assert by_label(page.button, "Start the run").disabled


def test_a_run_within_limits_stops_and_goes_on_with_more(open_page, server):
    page = filled(open_page(DATA, *five_debates()), server)
    by_label(page.number_input, "Calls, at most").set_value(3).run()
    by_label(page.button, "Start the run").click().run()
    page = ended(page)
    assert badges(page) == [RunState.STOPPED]
    assert "The limit of 3 calls is reached" in words(page)
    (run,) = state.runs().all()
    page.number_input(key=f"run.resume|{run.id}.calls").set_value(100).run()
    by_label(page.button, "Go on").click().run()
    page = ended(page)
    assert badges(page) == [RunState.DONE]
    assert max(server.answered.values()) == 1  # nothing was asked twice


def test_a_run_is_cancelled_at_once_and_can_be_taken_off_the_list(open_page, server):
    server.fault = lambda question: Fault.HANGING
    page = filled(open_page(DATA, zoo()), server)
    by_label(page.button, "Start the run").click().run()
    by_label(page.button, "Cancel").click().run()
    page = ended(page)
    assert badges(page) == [RunState.CANCELLED]
    next(button for button in page.button if (button.key or "").startswith("run.remove")).click().run()
    assert "Nothing has been run yet" in words(page)


def test_failed_cases_are_tried_again(open_page, server):
    server.fault = lambda question: Fault.BAD_REQUEST
    page = filled(open_page(DATA, zoo()), server)
    by_label(page.button, "Start the run").click().run()
    page = ended(page)
    server.fault = lambda question: Fault.NONE
    by_label(page.button, "Retry 2 failed").click().run()
    page = ended(page)
    assert badges(page) == [RunState.DONE]
    assert state.run_worker().progress(state.runs().all()[0].id).failed == 0


def test_without_its_key_a_run_cannot_start_and_with_it_no_key_shows(open_page, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    page = open_page(DATA, zoo())
    by_label(page.text_input, "Model").set_value("gpt-4o").run()
    assert "OPENAI_API_KEY is not set" in words(page).replace("\\", "")
    assert by_label(page.button, "Start the run").disabled
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    page.run()
    assert "OPENAI_API_KEY is set" in words(page).replace("\\", "")
    assert not by_label(page.button, "Start the run").disabled
    assert KEY not in str(page.main)


def test_an_address_that_holds_a_secret_is_refused(open_page):
    page = open_page(DATA, zoo())
    by_label(page.selectbox, "Endpoint").set_value("another address").run()
    by_label(page.text_input, "Address").set_value("https://user:secret@llm.example.org/v1").run()
    assert "holds a user name" in page.error[0].value.replace("\\", "")
    assert "secret" not in page.error[0].value
    assert not [button for button in page.button if button.label == "Start the run"]
