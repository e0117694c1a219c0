"""Talk in a real browser: read, searched, and turned into a debate, by mouse and by keyboard."""

import json
import re
from itertools import count

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from core.debate import Message
from tests.browser.journey import HOSTILE, prepared_database, settled
from tests.llm.fault_server import Fault, FaultServer
from tests.pages.talks import hive, long_talk

pytestmark = pytest.mark.browser
PLATFORM = {"empty-table-header"}


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    hostile = hive(
        "hostile-talk",
        rounds=(),
        transcript=(
            Message(HOSTILE, HOSTILE, 1, HOSTILE, HOSTILE),
            Message("a", f"<v_quote>{HOSTILE}</v_quote> and so on", 1),
            Message("b", f"{'x ' * 800}{HOSTILE}{' y' * 800}", 2),
        ),
    )
    file = tmp_path_factory.mktemp("talk") / "moot.duckdb"
    return serve(database=prepared_database(file, hive(), long_talk(), hostile))


def opened(page, address, debate, **query):
    more = "".join(f"&{name}={value}" for name, value in query.items())
    page.goto(f"{address}/debate?d={debate}{more}")
    expect(page.get_by_role("tab", name="Transcript")).to_have_attribute("aria-selected", "true")
    return settled(page)


def problems(page):
    return {violation["id"] for violation in Axe().run(page).response["violations"]} - PLATFORM


def test_statements_become_a_debate_that_opens_on_its_map(open_context, address):
    page = opened(open_context().pages[0], address, "hive")
    page.get_by_text("Turn statements into arguments").click()
    page.get_by_role("button", name="Make an argument of turn 2").click()
    dialog = page.get_by_role("dialog")
    statement = dialog.get_by_role("checkbox", name="Statement 2", exact=True)
    statement.focus()
    page.keyboard.press("Space")  # the keyboard does it too
    field = dialog.get_by_role("textbox", name="Argument")
    expect(field).to_have_value("Dry food keeps for years.")
    dialog.get_by_text("Pro", exact=True).click()
    settled(page)
    assert problems(page) == set()
    dialog.get_by_role("button", name="Take this argument").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("1 argument taken from this transcript")).to_be_visible()
    page.get_by_label("Your name").fill("Ria")
    page.get_by_label("Your name").press("Tab")
    page.get_by_role("button", name="Keep as a debate (1 argument)").click()
    expect(page.get_by_text("the recorded one is as it was")).to_be_visible()
    page.get_by_role("link", name="Read").last.click()
    expect(page.get_by_role("tab", name="Map")).to_have_attribute("aria-selected", "true")
    assert "hive-statements" in page.url
    expect(page.get_by_text("from statements", exact=True)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_of_ours_in_a_transcript_with_everything_open(open_context, address, scheme):
    page = opened(open_context(color_scheme=scheme).pages[0], address, "hive")
    page.get_by_text("Turn statements into arguments").click()
    for box in ("Have a model propose arguments", "Prompt or tool output", "Evidence in the record"):
        page.get_by_text(re.compile(f"^{box}")).click()
        settled(page)
    page.get_by_role("button", name=re.compile("^Read the whole turn")).click()
    expect(page.get_by_role("button", name="Fold this turn")).to_be_visible()
    settled(page)
    assert problems(page) == set()


def test_500_turns_are_paged_and_searched(open_context, address):
    page = opened(open_context().pages[0], address, "long")
    expect(page.get_by_text("1 to 20 of 500 turns")).to_be_visible()
    page.get_by_role("button", name="Next page").or_(page.get_by_label("Next")).last.click()
    expect(page.get_by_text("21 to 40 of 500 turns")).to_be_visible()
    expect(page.get_by_text("Turn number 20 says", exact=False).first).to_be_visible()
    page.get_by_label("Find in this transcript").fill("number 499 says")
    page.get_by_label("Find in this transcript").press("Enter")
    expect(page.get_by_text("1 to 1 of 1 turn found among 500")).to_be_visible()


def test_a_phone_shows_a_transcript_without_scrolling_sideways(open_context, address):
    for debate in ("hive", "hostile-talk"):
        page = opened(open_context(viewport={"width": 390, "height": 844}).pages[0], address, debate)
        page.get_by_text("Turn statements into arguments").click()
        expect(page.get_by_role("button", name="Make an argument of turn 2")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_hostile_talk_is_text(open_context, address):
    page = open_context().pages[0]
    page.on("dialog", lambda dialog: pytest.fail(f"A text opened a dialog: {dialog.message}"))
    opened(page, address, "hostile-talk")
    page.get_by_label("Find in this transcript").fill("window.hacked")
    page.get_by_label("Find in this transcript").press("Enter")
    expect(page.get_by_text("1 to 3 of 3 turns")).to_be_visible()
    settled(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("[data-testid=stMain] img").count() == 0
    assert page.locator("[data-testid=stMain] a[href^=javascript]").count() == 0
    assert page.locator("[data-testid=stMain] a[href*='example.org']").count() == 0


def test_asking_a_model_stops_at_once_and_keeps_what_came(open_context, address):
    calls = count(1)

    def fault(question):
        return Fault.NONE if next(calls) <= 4 else Fault.HANGING

    def reply(question):
        turn = re.search(r"- turn (\d+), ", question.body["messages"][1]["content"])
        assert turn is not None
        said = {
            "turn": int(turn[1]),
            "quote": "says something about honey",
            "argument": f"Turn {turn[1]}.",
            "side": "pro",
        }
        return json.dumps({"arguments": [{"id": "a", "about": "claim", **said}]})

    with FaultServer(fault, reply=reply) as server:
        page = opened(open_context().pages[0], address, "long")
        page.get_by_text("Turn statements into arguments").click()
        page.get_by_text("Have a model propose arguments").click()
        expect(page.get_by_text("Choose an endpoint and a model")).to_be_visible()
        settled(page).get_by_label("Endpoint").click()
        page.get_by_role("option", name="another address").click()
        for label, value in (("Address", server.base_url), ("Model", "fake-model")):
            page.get_by_label(label, exact=True).fill(value)
            page.get_by_label(label, exact=True).press("Tab")
        page.get_by_role("button", name="Ask the model (83 calls)").click()
        expect(page.get_by_text("4 of 83 parts read")).to_be_visible()
        page.get_by_role("button", name="Stop asking").click()
        expect(page.get_by_text("4 proposals wait for you")).to_be_visible()
        # The second four were under way at the click and were never answered: they will be asked again.
        expect(page.get_by_role("button", name="Ask the model (79 calls)")).to_be_visible()
