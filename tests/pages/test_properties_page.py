"""The Properties page: the grid, what is behind a cell, violations and ways on from them."""

from dataclasses import replace

import pytest

from core.contestation import Edit, EditKind
from core.debate import DebateProtocol
from core.experiments import Source
from core.judgement import DecisionRule
from core.judges.registry import judge_id
from core.judges.semantics_judge import ScoreAggregation, SemanticsJudge, StanceVariant
from core.judges.weighted_vote import WeightedVote
from core.preferences import Preferences
from core.properties.contestability import Contestability
from core.properties.falsifier import Goal
from core.report.items import PropertyWitness
from pages.components import state
from pages.components.property_contest import preferences_for
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.sample import load_sample
from tests.llm.fault_server import FaultServer
from tests.llm.judging import a_judge, an_endpoint
from tests.pages.conftest import HOSTILE, store, two_rounds, zoo
from tests.pages.judged import FIVE, SAID, five_debates, keep
from tests.pages.test_contest_page import by_label
from tests.pages.test_other_pages import words
from tests.storage.debates import a_dataset

PAGE = "judge/properties"


@pytest.fixture
def server():
    def say(question):
        return (
            "0.20" if any(f"{pro + 0.1:g}" in str(question.body["messages"]) for pro, _, _ in FIVE.values()) else "0.90"
        )

    with FaultServer(score=say) as running:
        yield running


@pytest.fixture
def page(open_page):
    return open_page(PAGE, *five_debates())


def plain(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def cell(page, name: str, place: int = 0):
    """Return the button of a property's cell; ``place`` counts the judges."""
    return next(one for one in page.button if one.key.startswith(f"cell|{place}|") and name in one.label)


def text(page) -> str:
    return plain(words(page))


def labels(page) -> list[str]:
    return [one.label for one in page.button]


def test_every_cell_of_the_grid_has_its_sign_and_n(page):
    found = [plain(one.label) for one in page.button if one.key.startswith("cell|")]
    assert len(found) % 7 == 0
    assert "*Determinism:* **✓ 5/5**  \nproved" in found
    assert all("/" in label or "not tested" in label for label in found)


def test_a_cell_tells_definition_method_counts_and_interval(page):
    cell(page, "Profile robustness").click().run()
    shown = text(page)
    assert "A small change of what the agents hold does not turn the verdict." in shown
    assert "pros +0.1, within 0 and 1" in shown
    assert "95 % interval:" in shown
    assert {metric.label for metric in page.metric} >= {"Satisfied", "Violations", "Verdicts changed", "Scores changed"}


def test_the_cell_can_be_chosen_by_ordinary_widgets(page):
    by_label(page.selectbox, "Property").select("contestability").run()
    by_label(page.selectbox, "Judge").select_index(0).run()
    assert "never gets a lower score" in text(page)


def test_what_is_proved_is_said_with_its_reason(page):
    cell(page, "Contestability").click().run()
    assert any("Proved: " in plain(one.value) and "monotone" in one.value for one in page.success)


def near(name: str, claim: str = "The family should visit the zoo.", argument: str = "It is fun."):
    """Return a debate that stronger pros turn: 0.5 + 0.5 (0.5 - 0.55) = 0.475, and with 0.6 it is 0.525."""
    made = zoo(name, claim, argument)
    pro, con = made.rounds[0].arguments
    arguments = (replace(pro, base_score=0.5), replace(con, base_score=0.55))
    return replace(made, rounds=(replace(made.rounds[0], arguments=arguments),))


@pytest.fixture
def turning(open_page):
    return open_page(PAGE, near("near"), *five_debates())


def violated(page, name: str):
    """Choose the first judge that violates a property."""
    place = next(
        int(one.key.split("|")[1])
        for one in page.button
        if one.key.startswith("cell|") and name in one.label and "✕" in one.label
    )
    return cell(page, name, place).click().run()


def first_violation(page):
    return by_label(page.selectbox, "Violation").select_index(0).run()


def test_a_violation_is_shown_before_and_after_and_replayed_to_the_last_bit(turning):
    page = first_violation(violated(turning, "Profile robustness"))
    shown = text(page)
    assert "Before**: as recorded" in shown
    assert "After**: pros +0.1" in shown
    by_label(page.button, "Judge both again").click().run()
    assert any("the same scores, to the last bit" in one.value for one in page.success)


def test_a_link_to_a_violation_shows_it(open_page):
    page = open_page(PAGE, near("near"), *five_debates(), case="near")
    page = violated(page, "Profile robustness")
    assert by_label(page.selectbox, "Violation").value == 0
    assert "Add to report" in labels(page)


def test_the_smallest_violation_of_a_debate_is_searched_for(turning):
    page = first_violation(violated(turning, "Profile robustness"))
    by_label(page.button, "Search for the smallest violation").click().run()
    assert any("The smallest that was found" in one.value for one in page.info)


def opened_search(page):
    """Open the search of the chosen cell."""
    key = next(one.key for one in page.expander if one.label == "Search for a violation on one debate")
    page.session_state[key] = True
    return page.run()


def test_a_violation_is_searched_for_from_a_cell_that_has_none(turning):
    page = cell(turning, "Profile robustness").click().run()
    place = next(n for n in range(4) if "✕" not in cell(page, "Determinism", n).label)
    page = opened_search(cell(page, "Determinism", place).click().run())
    by_label(page.number_input, "Questions, at most").set_value(5).run()
    by_label(page.button, "Search").click().run()
    assert any("The search found none (5 questions" in one.value for one in page.info)


def test_what_is_wanted_of_a_search_can_be_chosen(turning):
    page = opened_search(violated(turning, "Profile robustness"))
    by_label(page.radio, "Which violation").set_value(Goal.STRIKING).run()
    by_label(page.button, "Search").click().run()
    assert any("The most striking that was found: " in plain(one.value) for one in page.info)
    assert "Add to report" in labels(page)


def test_a_language_model_is_searched_only_after_its_start_and_within_its_budget(open_page, server, database_path):
    store(database_path, *five_debates())
    judge = a_judge(an_endpoint(server.base_url, key_variable="", retries=0))
    name = keep(database_path, judge, SAID)
    page = open_page(PAGE)
    page.multiselect(key="judge").set_value([name]).run()
    page = opened_search(cell(page, "Contestability").click().run())
    by_label(page.number_input, "Questions, at most").set_value(4).run()
    assert "It takes at most 4 calls" in text(page)
    assert not server.attempts
    by_label(page.button, "Search: at most 4 calls").click().run()
    assert sum(server.attempts.values()) == 4
    assert any("The search found none (4 questions, then they were used up)" in one.value for one in page.info)


def test_a_violation_goes_into_the_report_with_its_judge(turning):
    page = first_violation(violated(turning, "Profile robustness"))
    by_label(page.button, "Add to report").click().run()
    (entry,) = state.reports().basket().entries
    assert isinstance(entry.item, PropertyWitness)
    assert entry.item.witness["property"] == "profile robustness"
    assert entry.item.settings["kind"] == "semantics"
    assert "In the report" in labels(page)


def test_a_violation_opens_in_contest_as_a_draft(turning):
    page = first_violation(violated(turning, "Profile robustness"))
    by_label(page.button, "Open in Contest").click().run()
    assert not page.exception
    (draft,) = state.drafts().all()
    assert [edit.kind for edit in draft.edits] == [EditKind.SHIFT_PROS]


def main_scores(page) -> tuple[float, float]:
    """Return what the main judge of Contest says before and after."""
    table = next(one.value for one in page.dataframe if "Score before" in one.value)
    return float(table["Score before"].iloc[0]), float(table["Score after"].iloc[0])


def test_a_violation_opens_in_contest_with_its_judge_and_scores(turning):
    """QE, mean prior 0.5: energy -0.05 and then 0.05, so 0.5 - 0.5 h and 0.5 + 0.5 h with h = 0.0025 / 1.0025."""
    judge = SemanticsJudge(semantics="qe", variant=StanceVariant.PRIOR)
    turning.multiselect(key="judge").set_value([judge_id(judge)]).run()
    page = cell(turning, "Profile robustness").click().run()
    page = first_violation(page)
    by_label(page.button, "Open in Contest").click().run()
    assert not page.exception
    assert main_scores(page) == pytest.approx((0.4987531, 0.5012469), abs=1e-6)
    assert any(one.value == f"Main judge: {judge.name}" for one in page.caption)


def test_a_violation_takes_the_place_of_unsaved_edits_only_after_saying_so(turning):
    state.drafts().save("near#round 0", 0, (Edit(EditKind.SHIFT_CONS, after=0.2),), 0)
    page = first_violation(violated(turning, "Profile robustness"))
    assert "This debate has 1 unsaved edit of yours, which would be dropped." in text(page)
    by_label(page.button, "Open in Contest in place of my edits").click().run()
    assert not page.exception
    (draft,) = state.drafts().all()
    assert [edit.kind for edit in draft.edits] == [EditKind.SHIFT_PROS]


@pytest.mark.parametrize(
    "judge",
    [WeightedVote(), SemanticsJudge(missing_base_score=0.3), SemanticsJudge(aggregation=ScoreAggregation.MEDIAN)],
)
def test_contest_does_not_have_every_judge_as_its_main_one(judge):
    assert preferences_for(judge, Preferences()) is None


def test_a_language_model_says_what_testing_takes_and_is_asked_only_after_the_start(open_page, server, database_path):
    store(database_path, *five_debates())
    judge = a_judge(an_endpoint(server.base_url, key_variable="", retries=0))
    name = keep(database_path, judge, SAID)
    page = open_page(PAGE)
    page.multiselect(key="judge").set_value([name]).run()
    assert "– not tested" in cell(page, "Contestability").label
    box = next(one for one in page.expander if "Test language models" in one.label)
    assert "of 1 judge not tested here" in box.label
    assert not server.attempts
    page.session_state["properties.models"] = True
    page.run()
    by_label(page.multiselect, "Properties").set_value(["contestability"]).run()
    assert "5 calls" in text(page)
    assert not server.attempts
    by_label(page.button, "Start: 5 calls").click().run()
    worker = state.property_worker()
    for running in worker.running():
        assert worker.wait(running, 60)
    page.run()
    assert "✕" in cell(page, "Contestability").label
    (kept,) = [one for one in state.properties().latest([name], Source()) if one.result.checked == Contestability()]
    assert kept.result.violations > 0
    assert sum(server.attempts.values()) == 5


def test_stored_judgements_fill_the_cells_that_need_no_further_call(open_page, database_path):
    store(database_path, *five_debates())
    name = keep(database_path, a_judge(rule=DecisionRule()), SAID)
    page = open_page(PAGE)
    page.multiselect(key="judge").set_value([name]).run()
    assert "/5" in plain(cell(page, "Non-hallucination").label)
    assert "– not tested" in cell(page, "Determinism").label


def test_a_recorded_judge_is_tested_on_what_it_said_and_cannot_be_asked(page):
    recorded = next(one for one in state.bench() if "some model" in one.name)
    page.multiselect(key="judge").set_value([recorded.id]).run()
    assert "/5" in plain(cell(page, "Non-hallucination").label)
    cell(page, "Contestability").click().run()
    assert any("cannot be asked again" in one.value for one in page.info)


def test_a_constant_judge_says_in_its_cell_that_it_does_not_discriminate(open_page, database_path):
    store(database_path, *five_debates())
    name = keep(database_path, a_judge(), dict.fromkeys(SAID, 0.9))
    page = open_page(PAGE)
    page.multiselect(key="judge").set_value([name]).run()
    assert "does not discriminate" in cell(page, "Non-hallucination").label


def test_results_say_on_how_many_debates_they_are_once_others_come(open_page, database_path):
    with Database.open(database_path) as database:
        load_sample(database)
        DebateRepository(database).add(a_dataset("mine"), [zoo()])
    page = open_page(PAGE)
    assert "incomplete" in cell(page, "Contestability").label
    assert "stale" not in cell(page, "Contestability").label
    cell(page, "Contestability").click().run()
    said = [plain(one.value) for one in page.warning]
    assert "Incomplete: debates added since: only on 43 of 44" in said
    assert not any(one.startswith("Stale") for one in said)


def test_results_say_that_they_are_stale_once_debates_are_gone(open_page, database_path):
    with Database.open(database_path) as database:
        load_sample(database)
        repository = DebateRepository(database)
        repository.remove_dataset(repository.datasets()[0].id)
    page = open_page(PAGE)
    assert "stale" in cell(page, "Contestability").label
    cell(page, "Contestability").click().run()
    assert any(one.value.startswith("Stale") for one in page.warning)


def test_simulated_debates_are_labelled_wherever_they_are_shown(page):
    page.segmented_control(key="debates").set_value("simulated").run()
    assert "Simulated:** simulated: 500 debates" in text(page)
    assert "*Contestability:* **✓ 500/500**" in plain(cell(page, "Contestability").label)
    violated(page, "Profile robustness")
    assert any("Simulated" in one.value for one in page.warning)
    first_violation(page)
    assert "Add to report" not in labels(page)  # a report refers to stored debates
    assert not page.exception


def test_two_judges_stand_side_by_side(page):
    page.session_state["view"] = "Two judges"
    page.run()
    assert "● " in text(page)
    assert not page.exception


def test_a_published_table_is_filled_and_its_figures_are_marked(page):
    page.session_state["view"] = "Published tables"
    page.run()
    by_label(page.selectbox, "Published table").select(12).run()
    assert "are the published figures" in text(page)
    frame = page.dataframe[0].value
    assert frame["yours: total"].notna().sum() == 4  # single-turn: two semantics in two settings
    assert frame["published: total"].eq(500).all()


def test_hidden_labels_keep_accuracies_away(open_page):
    page = open_page(PAGE, *five_debates())
    page.session_state["hide"] = True
    page.session_state["view"] = "Published tables"
    page.run()
    frame = page.dataframe[0].value
    assert frame["yours: accuracy %"].isna().all()


def test_an_experiment_with_a_mistake_is_refused_with_its_line(page):
    page.session_state["view"] = "Experiments"
    page.run()
    page.text_area[0].set_value("name: x\njudge: []\n").run()
    assert any("Line 2" in plain(one.value) for one in page.error)


def test_an_experiment_that_is_no_text_is_refused_by_its_name(page):
    page.session_state["view"] = "Experiments"
    page.run()
    page.selectbox(key="experiment.file").set_value("a file of your own").run()
    page.get("file_uploader")[0].set_value([("mine.yaml", b"name: \xff", "application/yaml")]).run()
    assert "yaml cannot be read: it is no text in UTF-8." in plain(page.error[0].value)


def test_an_experiment_is_carried_out_from_the_page(page):
    page.session_state["view"] = "Experiments"
    page.run()
    by_label(page.button, "Start").click().run()
    worker = state.property_worker()
    for running in worker.running():
        assert worker.wait(running, 60)
    page.run()
    (kept,) = state.experiments().all()
    assert kept.done == kept.total == 42
    assert not page.exception


def test_hostile_texts_are_text(open_page):
    page = violated(open_page(PAGE, near("hostile", HOSTILE, HOSTILE), two_rounds()), "Profile")
    first_violation(page)
    assert not page.exception
    assert not [one for one in page.markdown if "<script>" in one.value]


def test_without_debates_the_page_says_where_to_get_some(open_page):
    page = open_page(PAGE)
    assert any("no debates yet" in one.value for one in page.info)


def test_the_results_of_an_experiment_are_drawn_in_the_layout_of_its_table(open_page):
    singles = [replace(one, protocol=DebateProtocol.SINGLE_TURN) for one in five_debates()]
    page = open_page(PAGE, *singles, view="Experiments")
    by_label(page.selectbox, "Begin with").select("table-14").run()
    by_label(page.button, "Start").click().run()
    worker = state.property_worker()
    for running in worker.running():
        assert worker.wait(running, 60)
    page.run()
    frames = [table.value for table in page.dataframe if "published: not lower" in table.value.columns]
    (frame,) = frames
    rows = frame[frame["protocol"] == "single-turn"]
    assert rows["yours: not lower"].tolist() == [5, 5]
    assert "published: not lower" in frame.columns
    shown = text(page)
    assert "2 of 4 rows have figures of yours" in shown
    assert "● of your debates and ◇ as published" in shown


def test_growing_debates_can_be_set_and_say_what_they_are(open_page):
    page = open_page(PAGE, *five_debates(), view="Growing debates")
    by_label(page.slider, "Calibration").set_value(2.0)
    by_label(page.number_input, "Pros of an agent in a round").set_value(3)
    by_label(page.number_input, "Debates each").set_value(50)
    by_label(page.multiselect, "Numbers of agents").set_value([3, 50])
    by_label(page.multiselect, "Numbers of rounds").set_value([1])
    by_label(page.button, "Simulate").click().run()
    shown = text(page)
    assert "calibration 2, openness 0.3, 3 pros and 1 con of each agent in each round, 1 round" in shown
    assert "The debates are simulated" in shown


def test_debates_are_shown_one_by_one(turning):
    page = violated(turning, "Profile robustness")
    key = next(one.key for one in page.expander if one.label == "Debate by debate")
    page.session_state[key] = True
    page.run()
    assert "Debates 1 to 6 of 6: those with a violation first, marked ✕." in text(page)
    assert "the verdict turns on 1 of 6" in text(page)
