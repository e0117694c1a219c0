"""Every format is offered on Debate, Data and Browse, with what it loses said before the file is made."""

from dataclasses import replace

import pytest

from core.debate import Round
from core.exporting import EXPORTERS, in_words
from core.opinion import Argument
from pages.components.text import plain
from tests.pages.conftest import two_rounds, zoo
from tests.pages.test_other_pages import BROWSE, DATA, DEBATE, by_label, words


def opened(page, key):
    """Return the page with a menu of formats open."""
    page.session_state[f"{key}.formats"] = True
    return page.run()


def offered(page):
    return {button.proto.label for button in page.get("download_button")}


@pytest.mark.parametrize("name", [name for name in EXPORTERS if name != "moot-debate/1"])
def test_the_debate_page_offers_a_format_with_its_losses(open_page, name):
    page = opened(open_page(DEBATE, zoo(), d="zoo"), "debate")
    assert "moot-debate/1" not in by_label(page.selectbox, "Format").options
    by_label(page.selectbox, "Format").set_value(name).run()
    assert "Download" in offered(page)
    for sentence in in_words(EXPORTERS[name].losses([zoo()])):
        assert f"- {plain(sentence)}" in words(page)


def test_a_format_that_cannot_hold_a_debate_says_so_and_offers_no_file(open_page):
    undecided = Round(0, (), (Argument("a", "It may rain."),))
    page = opened(open_page(DEBATE, replace(zoo(), rounds=(undecided,)), d="zoo"), "debate")
    by_label(page.selectbox, "Format").set_value("aif").run()
    assert "AIF JSON cannot hold this debate" in words(page)
    assert "Download" not in offered(page)


def test_a_whole_data_set_is_offered_with_its_losses_counted(open_page):
    page = open_page(DATA, zoo(), two_rounds())
    dataset = next(button.key for button in page.button if button.label == "Browse").removeprefix("browse|")
    page = opened(page, f"export|{dataset}")
    by_label(page.selectbox, "Format").set_value("argdown").run()
    assert "Download 2 debates" in offered(page)
    lost = "Only the last round is written, without its number (1 of 2 debates)."
    assert plain(lost) in words(page)


def test_what_browse_found_is_offered_in_every_format(open_page):
    page = opened(open_page(BROWSE, zoo(), two_rounds()), "browse.debates")
    assert by_label(page.selectbox, "Format").options == [made.title for made in EXPORTERS.values()]
    assert "Nothing is lost in this format." in words(page)
    assert "Download 2 debates" in offered(page)


def test_hidden_labels_are_in_no_format(open_page):
    page = opened(open_page(DEBATE, zoo(), d="zoo", hide="true"), "debate")
    assert "Gold labels are hidden, so they are not in the file either." in words(page)
    by_label(page.selectbox, "Format").set_value("argdown").run()
    assert "gold labels" not in words(page)
