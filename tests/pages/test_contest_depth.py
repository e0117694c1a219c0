"""Why a verdict came about and what would turn it, on the Contest page."""

from dataclasses import replace

import pytest

from core.contributions import Definition
from tests.pages.conftest import two_rounds, zoo
from tests.pages.test_contest_page import CONTEST, by_label, choose, main_row, table


def turn_to(page, tab):
    desk = by_label(page.button, "Undo").key.removeprefix("undo|")
    page.session_state[f"details|{desk}"] = tab
    return page.run()


def captions(page):
    return [caption.value.replace("\\", "") for caption in page.caption]


def flips(open_page, debate=None):
    return turn_to(open_page(CONTEST, debate or zoo(), d="zoo"), "What would flip it?")


def why(open_page, debate=None, **link):
    return turn_to(open_page(CONTEST, debate or zoo(), **(link or {"d": "zoo"})), "Why: contributions")


def chart_data(page):
    return table(page, "contribution").set_index("argument")["contribution"]


def test_the_smallest_change_of_one_base_score_is_offered_and_applied(open_page):
    page = flips(open_page)
    offered = by_label(page.selectbox, "Smallest change first")
    assert len(offered.options) == 2  # 0.5 + 0.5 * (pro - con) falls below 0.5 where the pro does below 0.6
    assert any(option.startswith("A1-pro1: 0.8 → 0.6 (−0.200)") for option in offered.options)
    offered.set_value("A1-pro1").run()
    by_label(page.button, "Apply").click().run()
    row = main_row(page)
    assert row["After your edits"].startswith("✕ False")
    assert row["Score after"] == pytest.approx(0.5)
    assert any("nothing needs to change" in note.value for note in page.success)
    by_label(page.button, "Undo").click().run()
    assert main_row(page)["Score after"] == main_row(page)["Score before"]


def test_a_score_can_be_wanted_instead_of_a_verdict(open_page):
    page = flips(open_page)
    by_label(page.segmented_control, "Wanted").set_value("A score").run()
    by_label(page.number_input, "Score").set_value(0.7).run()
    offered = by_label(page.selectbox, "Smallest change first")
    assert offered.options[0].startswith("A1-pro1: 0.8 → 1 (+0.200)") or offered.options[0].startswith("A2-con1")
    assert any("a score of at least 0.7" in caption for caption in captions(page))


def test_what_must_stay_is_left_alone(open_page):
    page = flips(open_page)
    by_label(page.multiselect, "Arguments").set_value(["A1-pro1"]).run()
    assert [o.split(":")[0] for o in by_label(page.selectbox, "Smallest change first").options] == ["A2-con1"]
    by_label(page.multiselect, "Agents, with all their arguments").set_value(["A2"]).run()
    assert not [box for box in page.selectbox if box.label == "Smallest change first"]
    assert any("judged at its extremes" in text.value for text in page.markdown)


def test_other_kinds_of_change_are_searched_for_when_asked_and_can_be_applied(open_page):
    page = flips(open_page)
    assert not any("taken out" in caption and "then" in caption for caption in captions(page))
    by_label(page.button, "Search").click().run()
    assert any(text.value == "• A1-pro1 removed" for text in page.text)
    kinds = [text.value for text in page.markdown if text.value.startswith("**")]
    assert "**Fewest arguments taken out**" in kinds
    assert "**The judge's conservativeness κ**" in kinds
    next(b for b in page.button if b.label == "Apply" and "removals" in b.key).click().run()
    assert main_row(page)["After your edits"].startswith("✕ False")
    assert main_row(page)["Score after"] == pytest.approx(0.2)  # 0.5 - 0.5 * 0.6


def test_a_score_just_below_the_threshold_is_not_written_as_if_it_were_on_it(open_page):
    page = flips(open_page)
    assert "Then ✕ False just under 0.50." in captions(page)


def topic_changes(page):
    return [button for button in page.button if button.label == "Apply" and "topic" in button.key]


def test_no_change_of_the_topics_base_score_is_offered_while_it_must_stay(open_page):
    page = flips(open_page)
    by_label(page.button, "Search").click().run()
    assert not topic_changes(page)
    assert 'locked under "What must stay as it is"' in captions(page)
    by_label(page.toggle, "The topic's base score").set_value(False).run()
    by_label(page.button, "Search").click().run()
    assert not any(caption.startswith("locked") for caption in captions(page))
    topic_changes(page)[0].click().run()
    row = main_row(page)
    assert row["Score after"] < 0.5  # 0.4 of the topic with 0.2 of the way to 1: 0.5
    assert row["Score after"] == pytest.approx(0.5)


def test_the_editor_says_where_an_argument_flips_the_verdict(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    assert "Flips DF-QuAD at 0.6 (−0.20)." in captions(page)
    by_label(page.slider, "Base score").set_value(0.3).run()
    assert "Flips DF-QuAD at 0.6 (+0.30)." in captions(page)


def test_contributions_name_their_definition_and_have_the_right_values(open_page):
    page = why(open_page)
    assert any(caption.startswith("**Removal.**") for caption in captions(page))
    assert chart_data(page).round(12).to_dict() == {"A1-pro1": 0.4, "A2-con1": -0.3}
    by_label(page.segmented_control, "Definition").set_value(Definition.SHAPLEY).run()
    assert chart_data(page).round(12).to_dict() == {"A1-pro1": 0.4, "A2-con1": -0.3}
    assert any("sum up to +0.100: from 0.500 to 0.600" in caption for caption in captions(page))
    by_label(page.segmented_control, "Definition").set_value(Definition.GRADIENT).run()
    assert chart_data(page).round(12).to_dict() == {"A1-pro1": 0.5, "A2-con1": -0.5}


def sensitivity(open_page):
    return turn_to(open_page(CONTEST, zoo(), d="zoo"), "Sensitivity")


def test_the_score_over_one_base_score_follows_the_argument_chosen(open_page):
    page = sensitivity(open_page)
    frame = table(page, "score")
    main = frame[frame["judge"].str.startswith("DF-QuAD")]
    assert len(main) == 41
    by_value = main.set_index("value")["score"]
    assert (by_value[0.0], by_value[1.0]) == (pytest.approx(0.2), pytest.approx(0.7))  # 0.5 + 0.5 * (pro - 0.6)
    choose(page, "A2-con1")
    assert [box.value for box in page.selectbox if box.label == "Argument"][-1] == "A2-con1"


def test_two_base_scores_the_conservativeness_and_all_semantics_have_their_charts(open_page):
    page = sensitivity(open_page)
    over = by_label(page.segmented_control, "Score over")
    over.set_value("Two base scores").run()
    assert {by_label(page.selectbox, label).value for label in ("First", "Second")} == {"A1-pro1", "A2-con1"}
    by_label(page.segmented_control, "Score over").set_value("Conservativeness κ").run()
    assert table(page, "score")["score"].round(9).between(0.5, 0.6).all()
    by_label(page.segmented_control, "Score over").set_value("Semantics").run()
    assert len(table(page, "score")) == 8
    assert not page.exception


def test_agents_and_rounds_contribute_as_one_player_each(open_page):
    page = why(open_page, two_rounds(), d="rounds", r="1")
    by_label(page.segmented_control, "Of").set_value("Agents").run()
    assert by_label(page.segmented_control, "Definition").options == ["Removal", "Shapley value"]
    assert any("not the sum of the bars" in caption for caption in captions(page))
    assert any(
        "all arguments of an agent coming and going as one. By how much the score falls when they are taken out."
        in caption
        for caption in captions(page)
    )
    by_label(page.segmented_control, "Definition").set_value(Definition.SHAPLEY).run()
    assert any("the mean of what they add when agents come in one by one" in caption for caption in captions(page))
    assert set(chart_data(page).index) == {"A1", "A2"}
    by_label(page.segmented_control, "Of").set_value("Rounds").run()
    assert any("all arguments of a round coming and going" in caption for caption in captions(page))
    assert set(chart_data(page).index) == {"round 0", "round 1"}


def test_the_editor_sees_a_flip_to_uncertain_too(open_page):
    page = open_page("records/settings", zoo())
    by_label(page.number_input, "Abstention band, half-width").set_value(0.05).run()
    by_label(page.button, "Save settings").click().run()
    page = choose(open_page(CONTEST, d="zoo"), "A1-pro1")
    assert any(caption.startswith("Flips DF-QuAD at 0.7 (−0.10)") for caption in captions(page))  # 0.55 is Uncertain


def test_hostile_ids_stay_text_where_a_chart_is_described(open_page):
    hostile = "![x](https://evil.example/x)"
    base = zoo()
    first = base.rounds[0]
    renamed = replace(
        base,
        rounds=(
            replace(
                first,
                arguments=(replace(first.arguments[0], id=hostile), first.arguments[1]),
                relations=(replace(first.relations[0], source=hostile), first.relations[1]),
            ),
        ),
    )
    page = why(open_page, renamed)
    told = [caption.value for caption in page.caption if "the largest is" in caption.value]
    assert told
    assert not any(hostile in caption for caption in told)  # its signs are escaped
