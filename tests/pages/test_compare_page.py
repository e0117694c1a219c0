"""The Compare judges page, run by Streamlit's AppTest."""

from dataclasses import replace

import pytest

from core.debate import RecordedJudgement
from core.judgement import Verdict
from core.judges.framing import StanceVariant
from core.judges.llm_judge import Naming
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import judge_id
from core.judges.semantics_judge import SemanticsJudge
from pages.components import state
from pages.components.text import plain
from tests.pages.conftest import HOSTILE, store, zoo
from tests.pages.judged import FIVE, NAMED, SAID, five_debates, keep
from tests.pages.test_other_pages import by_label, frame_with, words

COMPARE = "judge/compare"
SEMANTICS = SemanticsJudge(variant=StanceVariant.NONE)


@pytest.fixture
def compared(open_page, database_path):
    """Return a function that opens the page on five debates that a language model judged too."""

    def opened(*judges, said=SAID, origin="", **query):
        store(database_path, *five_debates())
        keep(database_path, NAMED, said, origin)
        page = open_page(COMPARE, **query)
        return pick(page, *(judges or (NAMED, SEMANTICS)))

    return opened


def pick(page, *judges):
    """Pick judges; AppTest does not seed widgets from an address."""
    page.multiselect(key="j").set_value([judge_id(judge) for judge in judges])
    return page.run()


def summary(page):
    return frame_with(page, "Agreement %").set_index("Judge")


def cases(page):
    return frame_with(page, "Claim")


def tile(page, start):
    return next(button for button in page.button if start in button.label)


def test_a_database_without_debates_is_explained(open_page):
    assert "There are no debates yet" in words(open_page(COMPARE))


def test_every_number_names_its_debates_and_the_figures_are_those_worked_out_by_hand(compared):
    page = compared()
    assert "4 of 5 debates judged by every picked judge" in words(page).replace("\\", "")
    figures = summary(page)
    assert list(figures["Accuracy %"]) == [75.0, 50.0]  # three of four; two of four
    assert figures["Difference pp"].tolist()[1] == -25.0
    assert figures["Agreement %"].tolist()[1] == 25.0  # on "one" alone


def test_judges_that_differ_are_listed_with_the_widest_gap_first(compared):
    page = compared()
    assert list(cases(page)["Id"]) == ["two", "three", "four"]  # gaps 0.65, 0.60 and 0.40
    assert cases(page).iloc[0, 2:4].tolist() == ["✓ True 0.80", "✕ False 0.15"]
    assert list(cases(page)["Label"]) == ["True", "False", "False"]


def test_a_tile_shows_its_debates_and_the_address_keeps_it(compared):
    page = compared()
    tile(page, "A ✕ False, B ✓ True").click().run()
    assert list(cases(page)["Id"]) == ["three"]
    assert page.query_params["cases"] in ("outcome-false-true", ["outcome-false-true"])
    by_label(page.button, "All debates").click().run()
    assert set(cases(page)["Id"]) == {"one", "two", "three", "four"}


@pytest.mark.parametrize(
    ("address", "expected"),
    [("outcome-true-false", ["two", "four"]), ("right-b", ["four"]), ("all", ["two", "three", "four", "one"])],
)
def test_an_address_opens_the_same_cases(compared, address, expected):
    assert list(cases(compared(cases=address))["Id"]) == expected


def test_an_address_that_makes_no_sense_shows_where_judges_differ(compared):
    assert list(cases(compared(cases="outcome-x-y"))["Id"]) == ["two", "three", "four"]


def test_hidden_labels_are_nowhere(compared):
    page = compared()
    by_label(page.toggle, "Hide gold labels").set_value(True).run()
    assert "Gold labels are hidden" in words(page)
    assert not [name for name in summary(page).columns if "ccuracy" in name or "Difference" in name]
    assert "Label" not in cases(page).columns
    assert not [header for header in page.header if header.value in {"Accuracy", "Calibration"}]
    assert "all 5 debates" in words(page).replace("\\", "")  # the one without a label counts again
    page.session_state["tab"] = "One debate"
    assert "Recorded label" not in words(page.run())


def test_another_baseline_comes_first(compared):
    page = compared()
    by_label(page.selectbox, "Baseline").set_value(summary_id(page, 1)).run()
    assert summary(page).index[0] == "DF-QuAD, combined, topic 0.5"
    assert summary(page)["Difference pp"].tolist()[1] == 25.0


def summary_id(page, place):
    return page.multiselect(key="j").value[place]


def test_a_filter_narrows_every_number_and_can_be_taken_off(compared):
    page = compared()
    by_label(page.text_input, "Search").set_value("four").run()
    assert "all 1 debate," in words(page).replace("\\", "")
    assert "Filter: words 'four'" in words(page)
    by_label(page.button, "Clear filters").click().run()
    assert "4 of 5 debates" in words(page).replace("\\", "")


def test_nothing_left_is_said(compared):
    page = compared()
    by_label(page.text_input, "Search").set_value("nowhere").run()
    assert "No debate is judged by every judge picked" in page.warning[0].value


def test_judges_that_judged_none_of_the_debates_chosen_are_dropped_with_a_click(compared):
    page = compared(said={name: said for name, said in SAID.items() if name != "four"})
    before = page.multiselect(key="j").value
    by_label(page.text_input, "Search").set_value("four").run()
    assert "No debate is judged by every judge picked" in page.warning[0].value
    by_label(page.button, "Drop 1 judge that has judged none of these debates").click().run()
    assert page.multiselect(key="j").value == before[1:]
    assert not page.warning
    assert "all 1 debate," in words(page).replace("\\", "")


def test_a_call_that_failed_is_left_out_and_counted(compared):
    page = compared(said={**SAID, "two": None})
    assert "1 error" in words(page)
    assert summary(page)["Errors %"].tolist()[0] == 20.0


def test_a_preset_with_more_judges_than_fit_says_so(compared):
    page = compared()
    page.button(key="preset|All semantics").click().run()
    assert len(page.multiselect(key="j").value) == 6
    assert plain("All semantics: 6 of 8 are picked, as many as fit side by side.") in [
        one.value for one in page.warning
    ]
    page.run()
    assert not [one for one in page.warning if "side by side" in one.value]


def test_a_seventh_judge_is_refused_and_none_is_dropped(compared):
    page = compared()
    page.button(key="preset|All semantics").click().run()
    picked = list(page.multiselect(key="j").value)
    page.number_input(key="shelf.kappa").set_value(1.5).run()
    page.button(key="shelf.add").click().run()
    assert page.multiselect(key="j").value == picked
    said = "6 judges are side by side, the most there can be. Take one out to pick another."
    assert plain(said) in [one.value for one in page.warning]
    assert any("Kept in the list" in one.value for one in page.caption)


def test_presets_pick_the_judges_of_a_group(compared):
    page = compared()
    by_label(page.button, "Votes vs semantics").click().run()
    assert list(summary(page).index)[:3] == ["DF-QuAD", "Quadratic energy", "Majority of stances"]
    by_label(page.button, "LLM vs semantics").click().run()
    assert list(summary(page).index) == ["fake-model at fake…, named, prior", "DF-QuAD", "Quadratic energy"]


def test_a_constant_judge_is_called_one_wherever_its_figures_are(compared):
    page = compared(said=dict.fromkeys(FIVE, 0.5), origin="small local model, demonstration")
    assert "Constant" in words(page)
    assert summary(page)["Remarks"].tolist()[0] == "small local model, demonstration; constant"
    for tab in ("One debate", "Repeats and order", "Calibration"):
        page.session_state["tab"] = tab
        assert "A judge that never changes its score" in words(page.run())  # in full
        assert "mall local model, demonstration" in words(page).replace("\\", "")


def test_published_figures_are_rows_of_their_own_and_marked(compared):
    page = compared()
    choice = by_label(page.selectbox, "Published figures as reference rows")
    choice.set_value(next(title for title in choice.options if "table 1" in title)).run()
    figures = summary(page)
    published = figures[figures["Source"] != "measured here"]
    assert len(published) == 30
    assert published["Source"].str.startswith("published, table 1 of").all()
    assert list(figures["Accuracy %"])[:2] == [75.0, 50.0]  # the measured rows are as before


def test_names_out_of_logs_are_text(open_page, database_path):
    recorded = RecordedJudgement(HOSTILE, "human", 0.7, Verdict.TRUE, explanation=HOSTILE)
    page = open_page(COMPARE, *(replace(debate, claim=HOSTILE, judgements=(recorded,)) for debate in five_debates()))
    pick(page, RecordedJudge(HOSTILE), SEMANTICS)
    assert not page.exception
    drawn = [element.value for kind in ("markdown", "caption") for element in page.get(kind)]
    assert not [text for text in drawn if "<script>" in text]
    assert any(plain(HOSTILE)[:20] in text for text in drawn)
    page.session_state["tab"] = "One debate"
    page.run()
    assert not page.exception
    assert any(HOSTILE in element.value for element in page.text)  # the reasons, as they are


# --- One debate -------------------------------------------------------------------------------------------------------


def test_one_debate_stands_before_every_judge_with_reasons_and_settings(compared):
    page = compared()
    page.session_state["tab"] = "One debate"
    page.run()
    shown = words(page)
    assert "Claim two holds." in shown  # the widest gap
    assert "Because of 0.80." in shown
    assert "True 0.80" in shown
    assert "False 0.15" in shown
    assert "semantics: df-quad" in shown


def test_next_and_previous_go_through_the_cases(compared):
    page = compared()
    page.session_state["tab"] = "One debate"
    page.run()
    by_label(page.button, "Next").click().run()
    assert "Claim three holds." in words(page)
    assert page.query_params["case"] in ("three", ["three"])
    by_label(page.button, "Previous").click().run()
    assert "Claim two holds." in words(page)


def test_only_settings_that_differ_are_shown_unless_wanted(open_page, database_path):
    other = replace(NAMED, naming=Naming.ANONYMISED)
    store(database_path, *five_debates())
    keep(database_path, NAMED, SAID)
    keep(database_path, other, SAID)
    page = pick(open_page(COMPARE), NAMED, other)
    page.session_state["tab"] = "One debate"
    page.run()
    assert "naming: anonymised" in words(page)
    assert "temperature" not in words(page)
    by_label(page.toggle, "Also settings that all have in common").set_value(True).run()
    assert "temperature: 0.0" in words(page)


# --- Repeats and order ------------------------------------------------------------------------------------------------


def test_repeats_are_counted_debate_by_debate(compared):
    page = compared(said={**SAID, "one": [0.9, 0.4, 0.8]})
    page.session_state["tab"] = "Repeats and order"
    page.run()
    assert "changes its verdict on 1 of 1 debates" in words(page).replace("\\", "")


def test_judges_that_cannot_vary_say_so(compared):
    page = compared(SEMANTICS)
    page.session_state["tab"] = "Repeats and order"
    assert "nothing to repeat" in words(page.run())


# --- Judges of one's own ----------------------------------------------------------------------------------------------


def test_a_judge_of_ones_own_is_made_and_picked(compared):
    page = compared(SEMANTICS)
    page.number_input(key="shelf.kappa").set_value(1.5).run()
    by_label(page.button, "Add this judge").click().run()
    assert summary(page).index[1] == "DF-QuAD, κ 1.5"


def test_a_file_of_judges_that_is_no_text_is_refused_by_its_name(compared):
    page = compared(SEMANTICS)
    page.get("file_uploader")[0].set_value([("mine.yaml", b"judges: \xff", "application/yaml")]).run()
    assert page.error[0].value == plain("mine.yaml cannot be read: it is no text in UTF-8.")


def made(page, family):
    """Choose a family in the form of judges of one's own."""
    page.selectbox(key="shelf.family").set_value(family).run()
    return page


def test_a_weighted_vote_is_made_in_the_same_form(compared):
    page = made(compared(SEMANTICS), "Vote of the agents")
    page.selectbox(key="shelf.vote").set_value("Weighted stances").run()
    page.text_input(key="shelf.weights").set_value("A1 2, A2 much").run()
    assert "'A2 much' is no agent with its weight" in page.error[0].value.replace("\\", "")
    page.text_input(key="shelf.weights").set_value("A1 2, A2=0.5").run()
    by_label(page.button, "Add this judge").click().run()
    assert summary(page).index[1] == "Weighted stances (A1 2, A2 0.5)"


def test_a_language_models_judge_is_made_in_the_same_form_and_led_to_its_run(compared):
    page = made(compared(SEMANTICS), "Language model")
    assert "Name the endpoint and the model." in words(page)
    page.selectbox(key="shelf.endpoint").set_value("local").run()
    page.text_input(key="shelf.model").set_value("my-model").run()
    page.selectbox(key="shelf.naming").set_value("anonymised").run()
    page.number_input(key="shelf.repeats").set_value(3).run()
    by_label(page.button, "Add this judge").click().run()
    stored = [judge for judge in state.judgements().judges() if judge.settings.get("model") == "my-model"]
    assert [(one.settings["naming"], one.settings["repeats"]) for one in stored] == [("anonymised", 3)]
    assert "can be picked once they have judged" in words(page)
    assert "Go to Data to start a run" in [link.proto.label for link in page.get("page_link")]
    page.switch_page("../records/data.py").run()
    assert stored[0].shown in page.selectbox(key="run.judges").options


def test_a_person_whose_verdicts_came_with_the_debates_is_made_in_the_same_form(compared):
    page = made(compared(SEMANTICS), "People, and verdicts from elsewhere")
    page.selectbox(key="shelf.kind").set_value("llm").run()
    page.text_input(key="shelf.recorded").set_value("some model").run()
    by_label(page.button, "Add this judge").click().run()
    assert summary(page).index[1].startswith("some model")


def test_a_judge_is_named_and_pinned_and_then_stands_first(compared):
    page = compared(SEMANTICS)
    by_label(page.text_input, "Call it").set_value("Plain").run()
    by_label(page.toggle, "Pinned: stands first in lists").set_value(True).run()
    by_label(page.button, "Keep").click().run()
    assert list(frame_with(page, "Macro-F1")["Judge"]) == ["Plain"]
    assert page.multiselect(key="j").options[0] == "Plain"


def test_a_recorded_judge_can_be_picked(open_page, database_path):
    page = pick(open_page(COMPARE, zoo()), RecordedJudge("some model", "llm"), SEMANTICS)
    assert "Agreement %" in summary(page).columns
    assert tile(page, "A ✕ False, B ✓ True").label.startswith("**1**")
