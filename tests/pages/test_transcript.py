"""The Transcript tab of the Debate page: reading talk, and turning statements into arguments."""

import json
from dataclasses import replace

import pytest

from core.debate import Message, profile
from core.opinion import TOPIC, RelationKind
from core.roles import Role
from pages.components import state
from tests.llm.fault_server import Fault, FaultServer
from tests.pages.conftest import HOSTILE, two_rounds
from tests.pages.talks import FAILURE, LONG, hive, long_talk
from tests.pages.test_contest_page import by_label
from tests.pages.test_other_pages import frame_with, words

DEBATE = "explore/debate"
BEGINNING = " ".join(LONG.split()[:20])


def text(page):
    return words(page).replace("\\", "").replace("\u2060", "")


def labels(elements):
    return [element.label for element in elements]


def taking(page):
    by_label(page.toggle, "Turn statements into arguments").set_value(True).run()
    return page


def click(page, label):
    by_label(page.button, label).click().run()
    assert not page.exception, page.exception
    return page


def take(page, turn, argument, side, **fields):
    """Take an argument of a turn, as a person does in the dialog; in one run, since a full run closes a dialog."""
    click(page, f"Make an argument of turn {turn}")
    return fill(page, "Take this argument", argument, side, **fields)


def fill(page, button, argument, side, **fields):
    if argument is not None:
        by_label(page.text_area, "Argument").set_value(argument)
    if side is not None:
        by_label(page.segmented_control, "Side").set_value(side)
    for label, value in fields.items():
        kinds = {"Of": page.selectbox, "Base score": page.number_input, "Rests on other turns too": page.multiselect}
        by_label(kinds[label.replace("_", " ")], label.replace("_", " ")).set_value(value)
    return click(page, button)


def keep(page, count, who="Ria"):
    by_label(page.text_input, "Your name").set_value(who).run()
    return click(page, f"Keep as a debate ({count} argument{'s' if count > 1 else ''})")


# --- reading ----------------------------------------------------------------------------------------------------------


def test_talk_opens_with_its_transcript_and_a_debate_without_one_has_no_such_tab(open_page):
    page = open_page(DEBATE, hive(), two_rounds(), d="hive")
    assert page.tabs[0].label == "Transcript"
    assert "6 turns · 3 speakers · 2 rounds · 1 provider's failure · 1 prompt or tool output, folded" in text(page)
    assert all(tab.label != "Transcript" for tab in open_page(DEBATE, d="rounds").tabs)


def test_turns_stand_under_their_rounds_with_who_speaks_in_which_role(open_page):
    page = open_page(DEBATE, hive(), d="hive")
    assert [header.value for header in page.header][:2] == ["Round 1", "Round 2"]
    shown = text(page)
    assert "**Debater A (left)** · turn 2" in shown
    assert "**Bee (right)** · turn 3" in shown
    assert "**Ann** · judge · turn 4" in shown
    assert "Source: PMID 7 · In the map: A-r1" in shown
    assert "You debate honey." not in shown  # a prompt, folded


def test_debaters_are_numbered_where_they_are_anonymised(open_page):
    page = open_page(DEBATE, hive(), d="hive")
    state_of = page.session_state["preferences"]
    page.session_state["preferences"] = replace(state_of, anonymise=True)
    shown = text(page.run())
    assert "**Agent 1** · turn 2" in shown
    assert "Bee" not in shown
    assert "(left)" not in shown


def test_two_debaters_of_one_name_are_told_apart(open_page):
    agents = tuple(replace(agent, name="GPT", model=None) for agent in hive().agents)
    shown = text(open_page(DEBATE, hive(agents=agents), d="hive"))
    assert "**Debater A, GPT**" in shown
    assert "**Debater B, GPT**" in shown


def test_a_providers_failure_is_marked_and_offers_no_argument(open_page):
    page = taking(open_page(DEBATE, hive(), d="hive"))
    assert "Provider's failure" in text(page)
    assert FAILURE in [element.value for element in page.text]
    assert "Make an argument of turn 5" in labels(page.button)
    assert "Make an argument of turn 6" not in labels(page.button)
    assert "Make an argument of turn 1" not in labels(page.button)  # a prompt


def test_quotations_show_what_the_log_says_of_them(open_page):
    shown = text(open_page(DEBATE, hive(), d="hive"))
    assert "He wrote :blue-background[✓ “it keeps”] and :orange-background[✕ “it rots”]." in shown
    assert "✓ found in the source, ✕ not found in the source" in shown


def test_a_long_turn_is_folded_and_unfolds_whole(open_page):
    page = open_page(DEBATE, hive(), d="hive")
    assert LONG not in [element.value for element in page.text]
    assert BEGINNING in text(page)
    click(page, f"Read the whole turn ({len(LONG):,} characters)")
    assert LONG in [element.value for element in page.text]
    click(page, "Fold this turn")
    assert LONG not in [element.value for element in page.text]


def test_words_are_found_in_all_turns_and_shown_where_they_stand_in_a_long_one(open_page):
    page = open_page(DEBATE, hive(), d="hive")
    by_label(page.text_input, "Find in this transcript").set_value("the HIVE told").run()
    shown = text(page)
    assert "1 to 1 of 1 turn found among 6" in shown
    assert ":blue-background[The hive told] me so." in shown
    by_label(page.text_input, "Find in this transcript").set_value("wasps").run()
    assert any("No turn is like that" in info.value for info in page.info)


def test_turns_narrow_down_to_a_speaker_and_a_round(open_page):
    page = open_page(DEBATE, hive(), d="hive")
    by_label(page.multiselect, "Speakers").set_value(["Debater B"]).run()
    assert "1 to 2 of 2 turns found among 6" in text(page)
    next(box for box in page.selectbox if box.label == "Round").set_value(2).run()
    assert "1 to 1 of 1 turn found among 6" in text(page)


def test_a_long_debate_is_shown_page_by_page(open_page):
    page = open_page(DEBATE, long_talk(), d="long")
    assert "500 turns · 3 speakers · 50 rounds" in text(page)
    assert "1 to 20 of 500 turns" in text(page)
    assert sum("Turn number" in element.value for element in page.text) == 20
    page.session_state["talk.page|long"] = 25
    page.run()
    assert "481 to 500 of 500 turns" in text(page)
    assert "Round 49" in [header.value for header in page.header]


def test_what_judges_believed_is_told_in_words_and_the_last_belief_is_their_verdict(open_page):
    shown = text(open_page(DEBATE, hive(), d="hive"))
    assert "Belief that the claim is true: Ann from 0.50 before the debate to 0.75 after round 2." in shown
    assert "Ann :blue-badge[✓ True 0.75]" in shown
    assert "after round 0 :" not in shown


def test_evidence_is_listed_as_recorded(open_page):
    page = open_page(DEBATE, hive(), d="hive")
    page.session_state["talk.evidence|hive"] = True
    assert frame_with(page.run(), "evidence_id")["evidence_id"].tolist() == ["900042"]


def test_hostile_texts_and_speakers_are_shown_as_texts(open_page):
    messages = (Message(HOSTILE, HOSTILE, 1, HOSTILE, HOSTILE), Message("a", f"<v_quote>{HOSTILE}</v_quote>", 1))
    page = taking(open_page(DEBATE, hive(transcript=messages, rounds=()), d="hive"))
    assert HOSTILE in [element.value for element in page.text]
    assert not any("<script>" in element.value for element in page.markdown)
    click(page, "Make an argument of turn 1")
    assert not page.exception


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_statements_become_a_debate_beside_the_original(open_page):
    page = taking(open_page(DEBATE, hive(), d="hive"))
    take(page, 2, "Dry food keeps for years.", "Pro")
    take(page, 3, None, "Con", Of="S1", Base_score=0.6, Rests_on_other_turns_too=[5])
    table = frame_with(page, "How")
    assert table["Argument"].tolist() == ["+ Dry food keeps for years.", "− Open jars take in water."]
    assert table["Does"].tolist() == ["supports the claim", "attacks S1"]
    assert table["Base score"].tolist() == ["–", "0.60"]
    assert state.debates().count() == 1
    keep(page, 2)
    (made,) = state.statements().made_of("hive")
    held = profile(state.debates().get(made.id))
    assert [(a.text, a.author, a.base_score) for a in held.arguments] == [
        ("Dry food keeps for years.", "Debater A", None),
        ("Open jars take in water.", "Debater B", 0.6),
    ]
    assert [(r.target, r.kind) for r in held.relations] == [(TOPIC, RelationKind.SUPPORT), ("S1", RelationKind.ATTACK)]
    told = state.debates().get(made.id).provenance["arguments_from"]
    assert [entry["origin"] for entry in told] == ["from statements by hand"] * 2
    assert [entry["turns"] for entry in told] == [[2], [3, 5]]
    assert any("the recorded one is as it was" in success.value for success in page.success)
    assert "0 arguments taken" in text(page)


def test_the_debate_made_opens_on_the_pages_about_debates(open_page):
    page = taking(open_page(DEBATE, hive(), d="hive"))
    keep(take(page, 2, "Honey is dry.", "Pro"), 1)
    (made,) = state.statements().made_of("hive")
    assert "Honey is dry." in text(open_page(DEBATE, d=made.id, tab="Map")) + str(
        frame_with(open_page(DEBATE, d=made.id, tab="Map"), "Argument")["Argument"].tolist()
    )
    contest = open_page("judge/contest", d=made.id)
    assert by_label(contest.button, "Undo")
    compare = open_page("judge/compare", case=made.id, tab="One debate")
    assert not compare.exception


def test_what_is_missing_is_said_and_nothing_is_taken(open_page):
    page = taking(open_page(DEBATE, hive(), d="hive"))
    click(page, "Make an argument of turn 2")
    click(page, "Take this argument")
    click(page, "Make an argument of turn 2")
    assert any("the argument and whether it is a pro or a con" in error.value for error in page.error)
    assert "0 arguments taken" in text(page)


def test_an_argument_is_changed_and_taken_back(open_page):
    page = take(taking(open_page(DEBATE, hive(), d="hive")), 2, "Honey is dry.", "Pro")
    click(page, "Change…")
    fill(page, "Change this argument", "Honey holds little water.", "Con")
    assert frame_with(page, "How")["Argument"].tolist() == ["− Honey holds little water."]
    click(page, "Take it back")
    assert "0 arguments taken" in text(page)


def test_what_was_taken_is_there_after_a_reload(open_page):
    take(taking(open_page(DEBATE, hive(), d="hive")), 2, "Honey is dry.", "Pro")
    page = open_page(DEBATE, d="hive")  # another session
    assert frame_with(page, "How")["Argument"].tolist() == ["+ Honey is dry."]
    take(page, 3, None, "Con")
    assert frame_with(page, "How")["Id"].tolist() == ["S1", "S2"]


def test_an_argument_whose_target_was_taken_back_hinders_and_says_so(open_page):
    page = taking(open_page(DEBATE, hive(), d="hive"))
    take(page, 2, "Honey is dry.", "Pro")
    take(page, 3, None, "Con", Of="S1")
    click(page, "Take it back")
    assert any("S2 bears on S1, which was not taken" in warning.value.replace("\\", "") for warning in page.warning)
    assert by_label(page.button, "Keep as a debate (1 argument)").disabled


def test_without_a_name_nothing_is_kept(open_page):
    page = take(taking(open_page(DEBATE, hive(), d="hive")), 2, "Honey is dry.", "Pro")
    keep(page, 1, who=" ")
    assert any("Please give your name" in error.value for error in page.error)
    assert state.debates().count() == 1


def test_a_viewer_reads_and_is_offered_nothing_else(open_page, monkeypatch):
    page = open_page(DEBATE, hive(), d="hive")
    viewer = replace(state.person(), role=Role.VIEWER)
    monkeypatch.setattr("pages.components.identity.person", lambda: viewer)
    page.run()
    assert "6 turns" in text(page)
    assert "Turn statements into arguments" not in labels(page.toggle)


# --- with a model -----------------------------------------------------------------------------------------------------


def proposals(question):
    said = [
        ("a", 2, "Dry food keeps for years.", "Dry food keeps.", "pro", "claim"),
        ("b", 3, "Open jars take in water.", "Jars leak.", "con", "a"),
        ("c", 3, "Pharaohs ate it from their tombs.", "Old honey is fine.", "pro", "claim"),
    ]
    keys = ("id", "turn", "quote", "argument", "side", "about")
    return json.dumps({"arguments": [dict(zip(keys, one, strict=True)) for one in said]})


@pytest.fixture
def server():
    with FaultServer(reply=proposals) as running:
        yield running


@pytest.fixture
def asking(open_page, server):
    """The form for asking a model, filled in."""
    page = taking(open_page(DEBATE, hive(), d="hive"))
    page.session_state["statements.models|hive"] = True
    page.run()
    by_label(page.selectbox, "Endpoint").set_value("another address").run()
    by_label(page.text_input, "Address").set_value(server.base_url).run()
    by_label(page.text_input, "Model").set_value("fake-model").run()
    return page


def test_calls_and_cost_are_said_before_anything_is_asked(asking, server):
    assert "1 call, about" in text(asking)
    assert "cost unknown" in text(asking)
    assert "4 turns in which somebody speaks." in text(asking)
    assert not server.attempts


def test_proposals_stand_by_their_turns_and_invented_quotes_are_refused(asking, server):
    page = click(asking, "Ask the model (1 call)")
    shown = text(page)
    assert "Proposed by fake-1: P1-1 supports the claim. Not taken yet." in shown
    assert "It quotes: “Dry food keeps for years.”" in shown
    assert "P1-2 attacks P1-1" in shown
    assert "fake-1" in shown
    assert "proposed 2 arguments; 1 more was refused" in shown
    assert 'It quotes "Pharaohs ate it from their tombs.", which was not said' in shown
    assert state.debates().count() == 1
    assert "0 arguments taken" in shown
    by_label(page.toggle, "Only turns with proposals").set_value(True).run()
    assert "1 to 2 of 2 turns found among 6" in text(page)


def test_each_proposal_is_accepted_edited_or_rejected_by_a_person(asking):
    page = click(asking, "Ask the model (1 call)")
    click(page, "Accept P1-1")
    click(page, "Edit P1-2…")
    fill(page, "Take this argument", "Open jars let water in.", None)
    assert frame_with(page, "How")["How"].tolist() == ["proposed by fake-1", "proposed by fake-1, edited"]
    keep(page, 2)
    (made,) = state.statements().made_of("hive")
    told = state.debates().get(made.id).provenance["arguments_from"]
    assert [entry["origin"] for entry in told] == [
        "proposed by fake-1, accepted by Ria",
        "proposed by fake-1, edited and accepted by Ria",
    ]
    assert state.audit_log().check().intact


def test_what_was_decided_on_does_not_come_again_and_costs_nothing_again(asking, server):
    page = click(asking, "Ask the model (1 call)")
    click(page, "Reject P1-1")
    assert "Accept P1-1" not in labels(page.button)
    click(page, "Read the stored replies again")
    assert "Accept P1-1" not in labels(page.button)
    assert "Accept P1-2" in labels(page.button)
    click(page, "Reject all")
    assert "Accept P1-2" not in labels(page.button)
    assert sum(server.attempts.values()) == 1


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault.WRONG_KEY, 'has no key "arguments"'),
        (Fault.EMPTY, "The reply was empty"),
        (Fault.BAD_REQUEST, "context size"),
    ],
)
def test_a_reply_that_is_none_is_said_and_leaves_everything_as_it_was(asking, server, fault, said):
    server.fault = lambda question: fault
    page = click(asking, "Ask the model (1 call)")
    assert any(said in error.value.replace("\\", "") for error in page.error)
    assert "0 arguments taken" in text(page)
    assert state.debates().count() == 1
