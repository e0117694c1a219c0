from dataclasses import replace

import streamlit as st

from core.contestation import Contestation, Edit, EditKind
from core.roles import LOCAL_USER
from pages.components import state
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from tests.pages.conftest import HOSTILE, store, two_rounds, zoo

CONTEST = "judge/contest"


def table(page, column="Semantics"):
    return next(frame.value for frame in page.dataframe if column in frame.value.columns)


def main_row(page):
    return table(page).set_index("Semantics").loc["DF-QuAD"]


def by_label(elements, label):
    return next(element for element in elements if element.label == label)


def choose(page, name):
    by_label(page.selectbox, "Argument").set_value(name).run()
    return page


def unfold(page, name):
    """Open an expander of the workbench, as a click on it does."""
    desk = by_label(page.button, "Undo").key.removeprefix("undo|")
    page.session_state[f"{name}|{desk}"] = True
    return page.run()


def test_every_semantics_is_shown_before_any_edit(open_page):
    page = open_page(CONTEST, zoo(), d="zoo")
    frame = table(page)
    assert len(frame) == 8
    assert main_row(page)["Original"] == "✓ True 0.60"  # 0.5 + 0.5 * (0.8 - 0.6)
    assert (frame["Change"] == 0).all()


def test_moving_a_base_score_changes_the_verdict_at_once(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    row = main_row(page)
    assert row["After your edits"] == "✕ False 0.35"  # 0.5 - 0.5 * (0.6 - 0.3)
    assert row["Flipped"] == "⇄ flipped"
    assert row["Original"] == "✓ True 0.60"


def test_an_exact_number_can_be_typed(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A2-con1")
    by_label(page.number_input, "Exact").set_value(0.123).run()
    assert main_row(page)["Score after"] == 0.5 + 0.5 * (0.8 - 0.123)


def test_undo_redo_and_reset(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    by_label(page.button, "Undo").click().run()
    assert main_row(page)["Score after"] == main_row(page)["Score before"]
    by_label(page.button, "Redo").click().run()
    assert main_row(page)["After your edits"] == "✕ False 0.35"
    by_label(page.button, "Reset").click().run()
    assert main_row(page)["After your edits"] == "✓ True 0.60"


def test_an_argument_can_be_taken_out_and_put_back(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.toggle, "Counted").set_value(False).run()
    assert main_row(page)["After your edits"] == "✕ False 0.20"  # 0.5 - 0.5 * 0.6
    by_label(page.toggle, "Counted").set_value(True).run()
    assert main_row(page)["After your edits"] == "✓ True 0.60"


def test_polarity_can_be_flipped_and_flipped_back(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    flip = by_label(page.segmented_control, "Polarity")
    flip.set_value("attack").run()
    assert main_row(page)["After your edits"] == "✕ False 0.04"  # 0.5 - 0.5 * (1 - 0.2 * 0.4)
    by_label(page.segmented_control, "Polarity").set_value("support").run()
    assert main_row(page)["After your edits"] == "✓ True 0.60"


def test_an_argument_can_be_aimed_at_another_one(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A2-con1")
    by_label(page.selectbox, "Target").set_value("A1-pro1").run()
    # The con now weakens the pro to 0.8 * (1 - 0.6) = 0.32, and the topic gains 0.5 * 0.32.
    assert main_row(page)["After your edits"] == "✓ True 0.66"


def test_an_argument_can_be_added(open_page):
    page = open_page(CONTEST, zoo(), d="zoo")
    by_label(unfold(page, "adding").text_area, "Text").set_value("The zoo is closed on Sundays.")
    by_label(page.radio, "Polarity").set_value("attack")
    next(s for s in page.slider if s.label == "Base score").set_value(0.9)
    by_label(page.button, "Add argument").click().run()
    assert main_row(page)["After your edits"] == "✕ False 0.42"  # cons join to 1 - 0.4 * 0.1 = 0.96; 0.5 - 0.5 * 0.16
    assert by_label(page.selectbox, "Argument").value == "new1"


def test_an_argument_without_text_is_not_added(open_page):
    page = unfold(open_page(CONTEST, zoo(), d="zoo"), "adding")
    by_label(page.button, "Add argument").click().run()
    assert main_row(page)["Change"] == 0
    assert any("text first" in warning.value for warning in page.warning)


def test_the_very_same_text_is_not_added_twice(open_page):
    page = open_page(CONTEST, zoo(), d="zoo")
    by_label(unfold(page, "adding").text_area, "Text").set_value("It may rain.")
    by_label(page.button, "Add argument").click().run()
    assert any(
        "A2-con1 says the very same" in warning.value.replace("\\", "").replace("\u2060", "")
        for warning in page.warning
    )
    assert main_row(page)["Change"] == 0


def test_all_pros_can_be_strengthened_at_once(open_page):
    page = open_page(CONTEST, zoo(), d="zoo")
    by_label(unfold(page, "together").button, "All pros +0.10").click().run()
    assert round(main_row(page)["Score after"], 12) == 0.65


def test_the_topics_base_score_can_be_set_and_given_back(open_page):
    page = open_page(CONTEST, zoo(), d="zoo")
    by_label(unfold(page, "together").slider, "Topic base score").set_value(0.2).run()
    assert main_row(page)["After your edits"] == "✕ False 0.36"  # 0.2 + 0.8 * 0.2
    by_label(page.button, "Leave it to the judge's setting").click().run()
    assert main_row(page)["After your edits"] == "✓ True 0.60"


def test_edits_survive_a_reload(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    again = open_page(CONTEST, d="zoo")
    assert main_row(again)["After your edits"] == "✕ False 0.35"
    assert any("Resumed 1 unsaved edit" in caption.value for caption in again.caption)


def test_two_tabs_do_not_overwrite_each_other(open_page):
    first = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    second = choose(open_page(CONTEST, d="zoo"), "A1-pro1")
    by_label(first.slider, "Base score").set_value(0.3).run()
    by_label(second.slider, "Base score").set_value(0.9).run()
    assert any("Another tab has changed" in text.value for text in second.markdown)
    by_label(second.button, "Take theirs").click().run()
    assert main_row(second)["After your edits"] == "✕ False 0.35"


def test_one_tab_may_keep_its_own_edits(open_page):
    first = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    second = choose(open_page(CONTEST, d="zoo"), "A1-pro1")
    by_label(first.slider, "Base score").set_value(0.3).run()
    by_label(second.slider, "Base score").set_value(0.9).run()
    by_label(second.button, "Keep mine").click().run()
    third = open_page(CONTEST, d="zoo")
    assert main_row(third)["After your edits"] == "✓ True 0.65"


def save(page, name="Reader", reason="The rain is overrated here.", read=True):
    by_label(page.button, "Save…").click().run()
    by_label(page.text_input, "Your name").set_value(name)
    by_label(page.text_area, "Reason").set_value(reason)
    by_label(page.checkbox, "I have read the original arguments").set_value(read)
    by_label(page.button, "Save contestation").click().run()
    return page


def test_saving_needs_a_name_a_reason_and_the_tick(open_page, database_path):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    save(page, reason="short", read=False)
    assert "c" not in page.query_params
    st.cache_resource.clear()  # closes the app's database, so that the test can look into the file
    with Database.open(database_path, wait=5) as database:
        assert ContestationRepository(database).count() == 0


def test_a_saved_contestation_opens_from_its_link_and_leaves_the_debate_alone(open_page, database_path):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    save(page)
    saved = page.query_params["c"]
    name = saved[0] if isinstance(saved, list) else saved
    linked = open_page(CONTEST, d="zoo", c=name)
    assert main_row(linked)["After your edits"] == "✕ False 0.35"
    assert any("The rain is overrated here." in text.value for text in linked.text)
    untouched = open_page(CONTEST, d="zoo")
    assert main_row(untouched)["After your edits"] == "✓ True 0.60"


def test_a_link_to_a_lost_contestation_shows_the_debate(open_page):
    page = open_page(CONTEST, zoo(), d="zoo", c="nothing")
    assert any("not in this database" in warning.value for warning in page.warning)
    assert main_row(page)["After your edits"] == "✓ True 0.60"


def test_a_link_to_a_lost_debate_offers_another(open_page):
    page = open_page(CONTEST, zoo(), d="nothing")
    assert any("not in this database" in warning.value for warning in page.warning)
    assert by_label(page.selectbox, "Choose a debate").options == ["The family should visit the zoo."]


def test_any_round_can_be_contested(open_page):
    page = open_page(CONTEST, two_rounds(), d="rounds")
    assert by_label(page.segmented_control, "Round").value == 1
    by_label(page.segmented_control, "Round").set_value(0).run()
    assert main_row(page)["Original"] == "✓ True 0.60"


def test_a_missing_base_score_is_shown_as_missing(open_page):
    page = choose(open_page(CONTEST, two_rounds(), d="rounds"), "A2-con2")
    assert by_label(page.number_input, "Exact").value is None
    assert any("gives no base score" in caption.value for caption in page.caption)


def test_hostile_text_is_drawn_as_text(open_page):
    page = choose(open_page(CONTEST, zoo("hostile", HOSTILE, HOSTILE), d="hostile"), "A1-pro1")
    assert sum(text.value == HOSTILE for text in page.text) >= 2  # claim and argument
    assert not any("<script>" in element.value for element in page.markdown)


def test_a_debate_without_arguments_can_be_contested_by_adding_one(open_page):
    empty = replace(zoo("empty"), rounds=())
    page = open_page(CONTEST, empty, d="empty")
    assert main_row(page)["Original"] == "✓ True 0.50"
    assert any("no arguments" in info.value for info in page.info)


def test_edits_of_a_saved_contestation_become_a_fork(open_page, database_path):
    store(database_path, zoo())
    with Database.open(database_path) as database:
        saved = ContestationRepository(database).save(
            Contestation(
                "", "zoo", 0, (Edit(EditKind.REMOVE_ARGUMENT, "A2-con1"),), "Rain does not matter.", "Somebody"
            )
        )
    page = choose(open_page(CONTEST, d="zoo", c=saved.id), "A1-pro1")
    assert main_row(page)["After your edits"] == "✓ True 0.90"
    by_label(page.slider, "Base score").set_value(0.2).run()
    save(page, reason="Neither does fun.")
    forked = page.query_params["c"]
    name = forked[0] if isinstance(forked, list) else forked
    assert name != saved.id
    st.cache_resource.clear()
    with Database.open(database_path, wait=5) as database:
        repository = ContestationRepository(database)
        assert repository.get(name).parent == saved.id
        assert repository.get(saved.id) == saved


def test_edits_of_an_earlier_round_survive_a_reload_and_those_of_another_round(open_page):
    page = open_page(CONTEST, two_rounds(), d="rounds", r="0")
    by_label(unfold(page, "together").button, "All pros +0.10").click().run()
    other = open_page(CONTEST, d="rounds", r="1")
    by_label(unfold(other, "together").button, "All cons −0.10").click().run()
    again = open_page(CONTEST, d="rounds", r="0")
    assert by_label(again.segmented_control, "Round").value == 0
    assert round(main_row(again)["Score after"], 12) == 0.65
    assert any("Resumed 1 unsaved edit" in caption.value for caption in again.caption)


def test_a_link_to_an_argument_opens_its_editor(open_page):
    page = open_page(CONTEST, zoo(), d="zoo", n="A2-con1")
    assert by_label(page.selectbox, "Argument").value == "A2-con1"


def test_saving_keeps_the_name_for_good_and_settings_of_this_session_for_this_session(open_page, database_path):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.number_input, "Conservativeness κ").set_value(3.0).run()
    by_label(page.slider, "Base score").set_value(0.3).run()
    save(page, name="Reader")
    settings = open_page("records/settings")
    assert by_label(settings.number_input, "Conservativeness κ").value == 1.0
    assert by_label(settings.text_input, "Your name, offered when you save").value == "Reader"


def test_the_first_save_offers_the_name_of_the_log_and_the_banner_tells_the_true_role(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    by_label(page.button, "Save…").click().run()
    assert by_label(page.text_input, "Your name").value == LOCAL_USER.name == "local user"
    save(page, name="Rita")
    assert any(text.value.startswith("Rita (admin), ") for text in page.text)


def test_who_saved_in_another_tab_is_asked_before_saving_beside(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    other = choose(open_page(CONTEST, d="zoo"), "A1-pro1")
    for tab, score in ((page, 0.3), (other, 0.2)):
        by_label(tab.slider, "Base score").set_value(score).run()
    save(page, name="Rita", reason="From the first tab.")
    save(other, name="Rita", reason="From the second tab.")
    by_label(other.button, "Save…").click().run()  # AppTest closes the dialog, a browser does not
    shown = [markdown.value for markdown in other.markdown]
    assert "**Not saved yet: contestations of this debate were saved in another window meanwhile.**" in shown
    assert any("From the first tab." in text.value for text in other.text)
    assert by_label(other.button, "Fork it, with my edits on top")
    by_label(other.text_input, "Your name").set_value("Rita")
    by_label(other.text_area, "Reason").set_value("From the second tab.")
    by_label(other.checkbox, "I have read the original arguments").check()
    by_label(other.button, "Save mine beside").click().run()
    reasons = [one.reason for one in state.contestations().for_debate("zoo")]
    assert reasons == ["From the first tab.", "From the second tab."]


def test_a_fork_is_judged_under_its_parents_settings(open_page, database_path):
    store(database_path, zoo())
    with Database.open(database_path) as database:
        parent = ContestationRepository(database).save(
            Contestation(
                "",
                "zoo",
                0,
                (Edit(EditKind.REMOVE_ARGUMENT, "A2-con1"),),
                "Rain does not matter.",
                "Somebody",
                settings={"setting": "separate"},
            )
        )
    page = choose(open_page(CONTEST, d="zoo", c=parent.id), "A1-pro1")
    assert main_row(page)["Score before"] == 0.55  # agents alone: 0.5 + 0.5 * 0.8 = 0.9 and 0.5 - 0.5 * 0.6 = 0.2
    by_label(page.slider, "Base score").set_value(0.2).run()
    save(page)
    name = page.query_params["c"]
    st.cache_resource.clear()
    with Database.open(database_path, wait=5) as database:
        fork = ContestationRepository(database).get(name[0] if isinstance(name, list) else name)
    assert fork.settings["setting"] == "separate"
    assert "reviewer" not in fork.settings
    assert all("separate" in judge for judge in fork.after)


def test_a_link_with_nonsense_in_it_shows_the_last_round(open_page):
    page = open_page(CONTEST, two_rounds(), d="rounds", r="--²", n="nobody", c="")
    assert by_label(page.segmented_control, "Round").value == 1
    assert by_label(page.selectbox, "Argument").value is None


def test_the_main_judge_is_chosen_by_name(open_page):
    page = open_page(CONTEST, zoo(), d="zoo")
    by_label(page.selectbox, "Main judge").set_value("qe").run()
    assert "Main judge: Quadratic energy" in " ".join(one.value for one in page.caption)
    by_label(page.selectbox, "Main judge").set_value("euler-top").run()
    assert "Main judge: Euler-based, top" in " ".join(one.value for one in page.caption).replace("\\", "")
    assert not page.exception


BRANCH = b"""[Ice]: Ice is cold.
  + <Touch>: Touch it and see.
    - <Gloves>: Not with gloves.
  - <Words>: %s
"""


def with_branch(page, content, name="branch.argdown"):
    page = unfold(page, "adding")
    page.segmented_control[0].set_value("A branch from a file").run()
    page.get("file_uploader")[0].set_value([(name, content, "text/plain")]).run()
    return page


def test_a_branch_of_a_file_is_added_under_an_argument_and_undone_edit_by_edit(open_page):
    page = with_branch(open_page(CONTEST, zoo(), d="zoo"), BRANCH % b"Words say so.")
    assert "3 arguments below" in " ".join(one.value for one in page.markdown).replace("\\", "")
    by_label(page.selectbox, "Under").set_value("A2-con1").run()
    by_label(page.slider, "Base score of the 3 arguments without one").set_value(1.0).run()
    by_label(page.button, "Add 3 arguments").click().run()
    # Touch is attacked by Gloves at 1.0 and so 0; Words attacks the con of 0.6 at 1.0, which becomes 0: 0.5 + 0.5 * 0.8
    assert main_row(page)["After your edits"] == "✓ True 0.90"
    by_label(page.button, "Add 3 arguments").click().run()
    assert "there already" in page.warning[0].value
    for _ in range(3):
        by_label(page.button, "Undo").click().run()
    assert main_row(page)["After your edits"] == "✓ True 0.60"


def test_a_branch_that_cannot_be_read_or_has_nothing_is_said(open_page):
    page = with_branch(open_page(CONTEST, zoo(), d="zoo"), b"\x89PNG\r\n\x1a\n" + bytes(100), "x.png")
    assert "png" in page.error[0].value
    assert not [button for button in page.button if button.label.endswith("arguments")]


def test_a_hostile_branch_is_text(open_page):
    page = with_branch(open_page(CONTEST, zoo(claim=HOSTILE), d="zoo"), BRANCH % HOSTILE.encode())
    by_label(page.button, "Add 3 arguments").click().run()
    assert not page.exception
    assert main_row(page)["Change"] != 0
    assert not [one for one in page.markdown if one.allow_html and "<script>" in one.value]
