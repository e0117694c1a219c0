"""Language models on a contested debate, asked at a server that speaks the OpenAI protocol."""

import pytest

from core.judges.registry import Family
from core.llm.endpoint import Endpoint
from pages.components import chips, state
from storage.database import Database
from storage.judgement_repository import JudgementRepository
from storage.sample import load_sample
from tests.llm.fault_server import Fault, FaultServer
from tests.llm.judging import a_judge
from tests.pages.conftest import store, zoo
from tests.pages.judged import keep
from tests.pages.test_contest_page import CONTEST, by_label, choose, save, unfold
from tests.pages.test_other_pages import words


@pytest.fixture
def server():
    with FaultServer(score=lambda question: "0.40" if "0.9" in str(question.body["messages"]) else "0.75") as running:
        yield running


@pytest.fixture
def contested(open_page, server, database_path):
    """The zoo on the Contest page, where a model gave 0.75 to the original; its judgement is stored."""
    store(database_path, zoo())
    judge = a_judge(Endpoint("fake", server.base_url, "", retries=0))
    keep(database_path, judge, {"zoo": 0.75}, origin="demonstration")
    return unfold(open_page(CONTEST, d="zoo"), "models")


def text(page):
    return words(page).replace("\\", "")


def test_the_stored_judgement_of_the_original_is_shown_and_nothing_is_asked(contested, server):
    assert "Original: :blue-badge[✓ True 0.75]" in text(contested)
    assert not server.attempts


def test_a_model_is_asked_about_the_contested_profile_once_and_a_breach_is_named(contested, server):
    page = choose(contested, "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.9).run()
    assert "After your edits: not judged yet (1 edit)" in text(page)
    by_label(page.button, "Re-judge with this model (1 call)").click().run()
    shown = text(page)
    assert "After your edits: :orange-badge[✕ False 0.40]" in shown
    assert "**−0.350**, and its verdict flipped" in shown
    assert "The edits make the profile more supportive." in shown
    assert any("fell by 0.350: this breaks contestability" in warning.value for warning in page.warning)
    assert sum(server.answered.values()) == 1
    by_label(page.button, "Undo").click().run()
    by_label(page.button, "Redo").click().run()
    assert "After your edits: :orange-badge[✕ False 0.40]" in text(page)
    assert sum(server.attempts.values()) == 1  # found again, not asked again


def test_what_the_model_said_goes_into_the_saved_contestation(contested, server):
    page = choose(contested, "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.9).run()
    by_label(page.button, "Re-judge with this model (1 call)").click().run()
    save(page)
    (saved,) = state.contestations().for_debate("zoo")
    (name,) = (judge for judge in saved.before if "fake-model" in judge)
    assert (saved.before[name]["score"], saved.after[name]["score"]) == (0.75, 0.4)


def test_the_tile_on_the_board_says_what_the_model_says_in_the_same_run(contested, server, monkeypatch):
    drawn = []
    monkeypatch.setattr("pages.components.board.show", lambda data, **_: drawn.append(data["others"]))
    page = choose(contested, "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.9).run()
    assert drawn[-1][0]["note"] == "stale: 1 edit since"
    by_label(page.button, "Re-judge with this model (1 call)").click().run()
    (tile,) = drawn[-1]
    assert tile["note"] == "→ ✕ False 0.40"
    by_label(page.button, "Undo").click().run()
    assert drawn[-1][0]["note"] == ""
    assert sum(server.answered.values()) == 1


def test_a_call_that_failed_is_no_judgement_of_the_original(open_page, server, database_path):
    store(database_path, zoo())
    judge = a_judge(Endpoint("fake", server.base_url, "", retries=0))
    keep(database_path, judge, {"zoo": None}, origin="demonstration")
    page = unfold(open_page(CONTEST, d="zoo"), "models")
    assert "Original: not judged yet" in text(page)
    by_label(page.button, "Re-judge with this model (2 calls)").click().run()
    assert "Original: :blue-badge[✓ True 0.75]" in text(page)


def test_an_endpoint_that_fails_is_said_and_leaves_everything_as_it_was(contested, server):
    server.fault = lambda question: Fault.BROKEN
    page = choose(contested, "A2-con1")
    by_label(page.slider, "Base score").set_value(0.1).run()
    by_label(page.button, "Re-judge with this model (1 call)").click().run()
    assert "not judged yet (1 edit)" in text(page)
    assert any("the server failed" in error.value.replace("\\", "") for error in page.error)
    assert not page.exception


def test_without_a_stored_model_the_page_says_where_to_get_one(open_page):
    page = unfold(open_page(CONTEST, zoo(), d="zoo"), "models")
    assert any("Start a run on the Data page" in info.value for info in page.info)


def test_a_model_of_the_samples_as_they_come_can_judge_again(open_page, database_path):
    with Database.open(database_path) as database:
        load_sample(database)
        found = JudgementRepository(database)
        model = next(judge for judge in found.judges() if judge.family is Family.LLM and judge.judgement_count)
        judged = found.by_judge(model.id)[0]
    page = unfold(open_page(CONTEST, d=judged.debate_id), "models")
    by_label(page.selectbox, "Judge").set_value(model.id).run()
    by_label(unfold(page, "together").button, "All pros −0.10").click().run()
    assert not page.error
    assert f"Original: {chips.judgement_markdown(judged.judgement)}".replace("\\", "") in text(page)
    assert by_label(page.button, "Re-judge with this model (1 call)")
