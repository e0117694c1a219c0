"""The Rounds tab of the Debate page, as a reader uses it."""

from __future__ import annotations

import pytest

from core.debate import Agent, Debate, DebateProtocol, RecordedJudgement, Round
from core.judges.registry import judge_id
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from tests.pages.conftest import HOSTILE, store, two_rounds, zoo
from tests.pages.judged import NAMED, keep
from tests.pages.test_other_pages import by_label, frame_with, words

DEBATE = "explore/debate"
SUPPORT = RelationKind.SUPPORT


def shared(before: str = "Honey keeps for years.", after: str = "Honey keeps for many years.") -> Debate:
    """Return a shared debate in which A2 edits an argument of A1 and asks for an edit that is refused."""
    aims = (Relation("pro1", TOPIC, SUPPORT), Relation("pro2", TOPIC, SUPPORT))
    first = Round(
        0,
        (Stance("A1", 0.2, 0.2), Stance("A2", 0.8, 0.8)),
        (Argument("pro1", before, "A1", 0.5), Argument("pro2", "Two.", "A2", 0.5)),
        aims,
    )
    edits = (
        {
            "agent_id": "A2",
            "edits": [{"id": "pro1", "base_score": 0.75}],
            "ignored": [{"id": "pro1", "argument": after, "owner": "A1", "why": "not yours"}],
        },
    )
    second = Round(
        1,
        (Stance("A1", None, 0.65), Stance("A2", None, 0.8)),
        (Argument("pro1", after, "A1", 0.75), Argument("pro2", "Two.", "A2", 0.5)),
        aims,
        edits,
    )
    return Debate(
        "shared",
        "Honey never spoils.",
        True,
        DebateProtocol.MULTI_TURN_SHARED,
        agents=(Agent("A1", "Ann"), Agent("A2", "Bob")),
        rounds=(first, second),
        judgements=(RecordedJudgement("a person", score=0.7, settings={"round": 1}),),
    )


def said(page):
    """Return what a page says, without the marks that keep it from being markup."""
    return words(page).replace("\\", "")


def test_the_rounds_begin_with_where_agents_and_judges_stand(open_page):
    page = open_page(DEBATE, shared(), d="shared", tab="Rounds")
    lines = frame_with(page, "series")
    assert set(lines["kind"]) == {"stance", "judge", "recorded judgement"}
    assert list(lines.loc[lines["series"] == "Ann", "score"]) == [0.2, 0.2, 0.65]
    judged = frame_with(page, "DF-QuAD").set_index("Round")
    # DF-QuAD from 0.5 with two pros of 0.5: 0.5 + 0.5 * 0.75 = 0.875; with 0.75 and 0.5: 0.5 + 0.5 * 0.875 = 0.9375.
    assert judged.loc[0, "DF-QuAD"] == "✓ True 0.88"
    assert judged.loc[1, "DF-QuAD"] == "✓ True 0.94"
    assert "From 0.60 apart the stances came to 0.15 apart; at the end all come to one verdict" in said(page)


def test_further_judges_and_separate_ones_are_drawn_over_the_rounds(open_page):
    page = open_page(DEBATE, shared(), d="shared", tab="Rounds")
    by_label(page.multiselect, "Judges").set_value(["DF-QuAD"]).run()
    assert set(frame_with(page, "series").query("kind == 'judge'")["series"]) == {"DF-QuAD"}
    by_label(page.radio, "Setting").set_value("separate").run()
    lines = frame_with(page, "series")
    parts = lines[lines["kind"].str.startswith("one agent's strength")]
    assert set(parts["series"]) == {"Ann", "Bob"}


def test_a_link_opens_each_round_for_contesting(open_page):
    page = open_page(DEBATE, shared(), d="shared", tab="Rounds")
    links = [link.proto for link in page.get("page_link")]
    wanted = {link.label: link.query_string for link in links if link.label.startswith("Contest round")}
    assert list(wanted) == ["Contest round 0", "Contest round 1"]
    assert "r=0" in wanted["Contest round 0"]
    (compared,) = [link.query_string for link in links if link.label.startswith("Accuracy by round")]
    assert compared == "tab=By+round"
    contested = open_page("judge/contest", d="shared", r="0")
    assert by_label(contested.segmented_control, "Round").value == 0


def test_contesting_takes_the_round_looked_at_along(open_page):
    page = open_page(DEBATE, shared(), d="shared", r="0")
    by_label(page.button, "Contest this").click().run()
    assert page.query_params["r"] == "0"
    assert by_label(page.segmented_control, "Round").value == 0


def test_what_changed_names_the_editor_the_move_and_the_words(open_page):
    page = open_page(DEBATE, shared(), d="shared", tab="Rounds", part="What changed")
    shown = said(page)
    assert "1 reworded; 1 as before; 1 edit refused" in shown
    assert "edited by Bob, though it is Ann" in shown
    assert "0.50 → 0.75 (+0.25)" in shown
    assert any(":blue-background[+**many**]" in text.value for text in page.markdown)
    assert "Bob asked to change pro1: not yours" in shown
    table = frame_with(page, "Words in common")
    assert list(table["Change"]) == ["added", "added", "reworded", "refused: not yours"]
    by_label(page.segmented_control, "Rounds compared").set_value(0).run()
    assert "2 added" in said(page)


def test_who_moved_is_told_without_saying_why(open_page):
    page = open_page(DEBATE, shared(), d="shared", tab="Rounds", part="Who moved")
    moves = frame_with(page, "Moved nearer to")
    last = moves[(moves["Round"] == 1) & (moves["Agent"] == "Ann")].iloc[0]
    assert last["Moved nearer to"] == "Bob"
    assert last["Gap closed %"] == pytest.approx(75.0)  # from 0.6 apart to 0.15
    shown = said(page).lower()
    assert "it says where agents moved, not why" in shown
    assert "persuade" not in shown
    assert "because" not in shown


@pytest.mark.parametrize("part", ["Stances and scores", "What changed", "Who moved", "What was held"])
def test_hostile_texts_stay_text_over_the_rounds(open_page, part):
    page = open_page(DEBATE, shared(f"One {HOSTILE}", f"Other {HOSTILE}"), d="shared", tab="Rounds", part=part)
    for element in (*page.markdown, *page.caption):
        assert "<script>" not in element.value
        assert "[a](" not in element.value
        assert "**bold**" not in element.value


def test_a_debate_of_one_round_shows_what_was_held_alone(open_page):
    page = open_page(DEBATE, zoo(), d="zoo", tab="Rounds")
    assert not [one for one in page.segmented_control if "rounds" in one.label]
    assert "Round 0" in [heading.value for heading in page.header]


def test_agents_without_stances_and_rounds_without_arguments_are_told(open_page):
    bare = Debate("bare", "A claim.", None, DebateProtocol.OTHER, rounds=(Round(3), Round(7)))
    for part in ("Stances and scores", "What changed", "Who moved"):
        page = open_page(DEBATE, *([bare] if part == "Stances and scores" else []), d="bare", tab="Rounds", part=part)
        assert not page.exception
    assert "No agent's stance is known both before and after a round" in said(page)


def test_private_debates_say_where_agents_had_not_seen_each_other(open_page):
    page = open_page(DEBATE, two_rounds(), d="rounds", tab="Rounds", part="Who moved")
    moves = frame_with(page, "Moved nearer to")
    assert list(moves.loc[moves["Round"] == 0, "Moved nearer to"]) == ["", ""]


def test_compare_shows_how_often_agents_and_judges_are_right_after_each_round(open_page):
    page = open_page("judge/compare", shared(), zoo(), tab="By round")
    assert "1 labelled debate; every point of a line rests on the same ones" in said(page)
    table = frame_with(page, "accuracy")
    # The label is True. Ann states 0.2, 0.2, 0.65 and Bob 0.8 throughout.
    ann = table[table["series"] == "Ann"]
    assert list(ann["moment"]) == ["before", "0", "1"]
    assert list(ann["accuracy"]) == [0.0, 0.0, 1.0]
    assert set(table["n"]) == {1}
    assert "judge" in set(table["kind"])


def test_who_has_no_line_over_the_rounds_is_told_and_why(open_page, database_path):
    store(database_path, shared())
    keep(database_path, NAMED, {"shared": 0.7})
    page = open_page("judge/compare", tab="By round")
    assert judge_id(NAMED) in page.multiselect(key="j").value
    told = "; ".join(note.value.replace("\\", "") for note in page.info)
    assert "No line for fake" in told
    assert "named, prior: a language model is asked about the last round alone." in told


def test_accuracy_by_round_needs_labels_and_rounds(open_page):
    page = open_page("judge/compare", zoo(), tab="By round")
    assert "No debate here has more than one round" in said(page)
    hidden = open_page("judge/compare", tab="By round", labels="hidden")
    by_label(hidden.toggle, "Hide gold labels").set_value(True).run()
    assert "Gold labels are hidden, so there is no accuracy" in said(hidden)
