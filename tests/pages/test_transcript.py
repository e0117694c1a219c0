"""The Transcript tab of the Debate page: reading talk, and turning statements into arguments."""

from tests.pages.conftest import HOSTILE, two_rounds
from tests.pages.talks import FAILURE, LONG, hive, long_talk
from tests.pages.test_contest_page import by_label
from tests.pages.test_other_pages import words

DEBATE = "explore/debate"


def text(page):
    return words(page).replace("\\", "").replace("\u2060", "")


def test_talk_opens_with_its_transcript_and_a_debate_without_one_has_no_such_tab(open_page):
    page = open_page(DEBATE, hive(), two_rounds(), d="hive")
    assert page.tabs[0].label == "Transcript"
    assert "5 turns · 3 speakers · 2 rounds · 1 provider failure · 1 prompt or tool output folded" in text(page)
    assert all(tab.label != "Transcript" for tab in open_page(DEBATE, d="rounds").tabs)
