"""Charts of property tests: what they say without colour, and that every one can be written as a file."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from core.chart_svg import chart_svg
from core.comparison_files import drawn_file
from core.debate import DebateProtocol
from core.experiments import Source
from core.experiments.layout import Own, filled
from core.judgement import JudgementStatus
from core.judges import MajorityVote, SemanticsJudge, Setting, StanceVariant
from core.overview import Scored
from core.palette import DARK, LIGHT
from core.properties.check import check, check_all
from core.properties.contestability import Contestability
from core.properties.curves import SIZES, Curve, along, curve_table
from core.properties.registry import usual_properties
from core.properties.reproducibility import Determinism
from core.property_figures import change_bars, growth_lines, profile_pair, property_grid, robustness_lines, trial_strip
from core.property_layout_figure import layout_dots
from core.property_remarks import SIMULATED, remarks, with_remarks
from core.property_report import changes_chart, grid_chart, growth_chart, results_table, strip_chart, trials_table
from core.property_strips import PAGE, StripRow, debate_strip, in_order, pages_of
from core.property_words import cell_lines, left_out_sentence, standing_sentence
from core.simulation import Simulation
from core.simulation.behaviour import behaviour
from storage.published import published
from tests.core.property_judges import RULE, SOUND, Scoring, many_debates, mean_stance, some_debates


def mean_of_pros(profile) -> float:
    scores = [one.base_score for one in profile.arguments if "pro" in one.id]
    return float(sum(scores) / len(scores))


JUDGES: tuple[Any, ...] = (SOUND, SemanticsJudge("qe", variant=StanceVariant.PRIOR), MajorityVote())
RESULTS = check_all(usual_properties(), JUDGES, many_debates(debates=200))
NAMES = {judge.name: f"judge {place}" for place, judge in enumerate(JUDGES)}
CONSTANT = check(Determinism(), Scoring("constant", lambda profile: 0.7), some_debates())
UPSIDE_DOWN = check(Contestability(), Scoring("upside down", lambda p: 1 - mean_of_pros(p)), some_debates())


def of(judge, key):
    return next(one for one in RESULTS if one.judge == judge.name and one.checked.key == key)


def charts():
    robust = check(along(Curve.STRONGER_PROS), SOUND, many_debates(debates=100))
    grown = behaviour(JUDGES[:1], Simulation(debates=30), agents=(3, 5), rounds=(1, 2), properties=(Contestability(),))
    profile = of(SOUND, "profile robustness")
    return {
        "grid": lambda palette: property_grid(RESULTS, NAMES, palette),
        "changes": lambda palette: change_bars(profile, 0, palette),
        "strip": lambda palette: trial_strip(of(SOUND, "permutation independence"), palette),
        "strip without labels": lambda palette: trial_strip(profile, palette, labels=False),
        "pair": lambda palette: profile_pair(RESULTS[0::3], RESULTS[1::3], ("one", "two"), palette),
        "curve": lambda palette: robustness_lines(curve_table(robust), "stronger pros", NAMES, palette),
        "growth": lambda palette: growth_lines(grown, "accuracy", "agents", NAMES, palette, "Accuracy in %"),
        "debates": lambda palette: debate_strip(ROWS, FIRST, palette),
        "layout": lambda palette: layout_dots(LAYOUT, palette),
        "remarks": lambda palette: with_remarks(property_grid(RESULTS, NAMES, palette), (SIMULATED,), palette),
    }


def row(claim: str, *scores: float | None, violated: bool = False) -> StripRow:
    said = [None if one is None else Scored(one, RULE.verdict(one), JudgementStatus.OK) for one in scores]
    return StripRow(claim, claim, said[0], tuple(said[1:]), violated)


FIRST = check(Determinism(), Scoring("first", lambda p: p.stances[0].posterior or 0.0), some_debates())
ROWS = (row("turns", 0.6, 0.4, 0.6, violated=True), row("<b>stays</b>", 0.7, 0.7, None), row("alone", 0.2, None, None))
OWN = Own(
    Source(protocol=DebateProtocol.SINGLE_TURN),
    check(Contestability(), SemanticsJudge(setting=Setting.SEPARATE, variant=StanceVariant.PRIOR), many_debates()),
)
(CONTESTED,) = [one for one in published() if one.number == 14 and "protocol" in one.rows]
LAYOUT = filled(CONTESTED, [OWN])
CHARTS = charts()


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_chart_is_one_that_plotly_knows_and_can_be_drawn_without_a_browser(name, palette):
    chart = CHARTS[name](palette)
    go.Figure(chart.figure.to_dict())  # checked by Plotly
    assert chart_svg(chart, palette).startswith("<svg")
    assert chart.alt.endswith(".")
    assert len(chart.data)


def test_every_cell_of_the_grid_says_sign_count_and_share_in_text():
    chart = property_grid(RESULTS, NAMES, LIGHT)
    texts = [note.text for note in chart.figure.layout.annotations]
    assert len(texts) == len(RESULTS)
    proved = of(SOUND, "determinism")
    assert f"✓ {proved.tested}/{proved.tested}<br>proved" in texts
    robust = of(SOUND, "profile robustness")
    assert robust.violations
    assert any(text.startswith(f"✕ {robust.satisfied}/{robust.tested}<br>") for text in texts)


def test_a_judge_that_does_not_discriminate_says_so_in_its_cell_and_is_never_shown_as_sound():
    first, *rest = cell_lines(CONSTANT)
    assert first == "! 60/60"
    assert "does not discriminate" in rest
    assert "does not tell debates apart" in standing_sentence(CONSTANT)


def test_a_stale_cell_says_so():
    assert cell_lines(RESULTS[0], stale=True)[-1] == "stale"


def test_what_was_not_tested_is_no_number():
    assert cell_lines(None) == ("– not tested",)


def test_what_is_left_out_is_told_with_its_reason():
    unanimous = of(SOUND, "judge unanimity")
    assert "the agents do not agree" in left_out_sentence(unanimous)


def test_bars_of_score_changes_add_up_to_the_debates_compared():
    chart = change_bars(UPSIDE_DOWN, 0, LIGHT)
    changes = UPSIDE_DOWN.trials[0].changes
    assert chart.data["debates"].sum() == changes.count
    assert changes.lowered > 0
    (bars,) = chart.figure.data
    assert "/" in bars.marker.pattern.shape  # downwards is hatched, and not only of another colour


def test_a_strip_has_a_row_for_each_order_and_says_how_many_verdicts_turned():
    result = check(usual_properties()[1], Scoring("first", first_agent), some_debates())
    chart = trial_strip(result, LIGHT)
    notes = [note.text for note in chart.figure.layout.annotations]
    assert len(notes) == 1 + len(result.trials)
    assert any("turned" in note and "F→T" in note for note in notes)


def first_agent(profile) -> float:
    return mean_stance(profile) * 0.5 + 0.5 * (profile.stances[0].posterior or 0.0)


def test_lines_of_judges_differ_in_dash_and_mark_and_end_with_a_name():
    both = [check(along(Curve.STRONGER_PROS), judge, many_debates(debates=100)) for judge in JUDGES[:2]]
    table = pd.concat([curve_table(one, SIZES) for one in both])
    chart = robustness_lines(table, "stronger pros", NAMES, LIGHT)
    assert len({line.line.dash for line in chart.figure.data}) == 2
    assert len({line.marker.symbol for line in chart.figure.data}) == 2
    assert {note.text for note in chart.figure.layout.annotations} == {"judge 0", "judge 1"}


def test_end_labels_of_lines_that_meet_stay_apart_and_within_the_chart():
    table = pd.DataFrame(
        {"judge": ["a", "b", "c"] * 2, "agents": [3] * 3 + [50] * 3, "accuracy": [0.7, 0.71, 0.72, 0.99, 0.99, 1.0]}
    )
    chart = growth_lines(table, "accuracy", "agents", {}, LIGHT, "Accuracy in %")
    heights = sorted(note.y for note in chart.figure.layout.annotations)
    assert len(heights) == 3
    assert min(b - a for a, b in pairwise(heights)) > 4
    assert heights[-1] <= chart.figure.layout.yaxis.range[1]


def test_files_say_that_debates_are_simulated_and_how_each_property_was_tested():
    piece = grid_chart(RESULTS, NAMES, "Simulated debates", simulated=True)
    page = drawn_file(piece, "html").decode()
    assert SIMULATED.split(":")[0] in page
    assert "Every debate is judged 3 times" in page


def test_without_labels_no_table_has_an_accuracy():
    named = results_table(RESULTS, "zoo", labels=False)
    assert not [name for name in named.make().frame.columns if "accuracy" in name or name.startswith("on_")]
    trials = trials_table(of(SOUND, "profile robustness"), "zoo", labels=False).make().frame
    assert not [name for name in trials.columns if "accuracy" in name or name.startswith("on_")]


def drawn_texts(piece) -> str:
    return " ".join(str(note.text) for note in piece.draw(LIGHT).figure.layout.annotations)


def test_every_picture_of_simulated_debates_says_so_in_the_picture():
    grown = behaviour(JUDGES[:1], Simulation(debates=20), agents=(3,), rounds=(1, 2), properties=(Contestability(),))
    profile = of(SOUND, "profile robustness")
    pieces = [
        grid_chart(RESULTS, NAMES, "d", simulated=True),
        changes_chart(profile, 0, "d", simulated=True),
        strip_chart(profile, "d", simulated=True),
        growth_chart(grown, "accuracy", "rounds", NAMES, "Accuracy in %", ["a judge"]),
    ]
    for piece in pieces:
        assert "The debates are simulated" in drawn_texts(piece)
        assert "The debates are simulated" in chart_svg(piece.draw(LIGHT), LIGHT)
        assert piece.draw(LIGHT).alt.startswith(SIMULATED)
        assert SIMULATED in piece.caption.text


def test_origin_and_missing_discrimination_stand_in_every_picture_table_and_caption():
    small = replace(CONSTANT, origin="small local model, demonstration")
    said = "constant: small local model, demonstration; does not discriminate: always 0.70."
    assert remarks([small]) == (said,)
    for piece in (grid_chart([small], {}, "zoo"), strip_chart(small, "zoo")):
        assert said in drawn_texts(piece)
        assert said in piece.caption.text
    named = results_table([small], "zoo")
    assert said in named.caption.text
    assert list(named.make().frame["origin"]) == ["small local model, demonstration"]
    assert set(trials_table(small, "zoo").make().frame["remark"]) == {said.removeprefix("constant: ").rstrip(".")}


def test_remarks_take_room_of_their_own():
    bare, told = (piece(LIGHT).figure.layout for piece in (CHARTS["grid"], CHARTS["remarks"]))
    more = told.height - bare.height
    assert more == told.margin.t - bare.margin.t > 0
    assert with_remarks(CHARTS["grid"](LIGHT), (), LIGHT).figure.layout.height == bare.height


def test_a_debates_row_says_how_far_its_answers_lie_apart():
    words = [one.words for one in ROWS]
    assert words == ["spread 0.200 · 1 of 2 turned", "spread 0.000 · none turned", "not asked again"]
    chart = debate_strip(ROWS, FIRST, LIGHT)
    assert chart.figure.layout.yaxis.ticktext == ("✕ turns", "&lt;b&gt;stays&lt;/b&gt;", "alone")
    assert "scores lie up to 0.200 apart; the verdict turns on 1 of 2" in chart.alt
    assert list(chart.data["trial"])[:4] == ["as recorded", "repeat 2", "repeat 3", "as recorded"]


def test_debates_with_violations_come_first_on_the_pages():
    ids = [f"d{number}" for number in range(45)]
    worst = [replace(one, debate=name) for one, name in zip(UPSIDE_DOWN.witnesses, ("d30", "d7"), strict=False)]
    order = in_order(replace(UPSIDE_DOWN, witnesses=tuple(worst)), ids)
    assert order[:4] == [30, 7, 0, 1]
    assert sorted(order) == list(range(45))
    assert (pages_of(45), pages_of(PAGE), pages_of(0)) == (3, 1, 1)


def test_a_published_table_is_drawn_with_yours_beside_the_printed_share():
    chart = layout_dots(LAYOUT, LIGHT)
    mine, printed = chart.figure.data
    assert list(mine.x) == [100.0]  # of DF-QuAD on single-turn debates, where no score falls
    assert len(printed.x) == len(LAYOUT) == 4
    assert "1 of 4 rows have figures of yours" in chart.alt
