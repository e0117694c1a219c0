"""Charts and tables over the rounds of debates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given

from core.comparison.population import FALSE, NONE, TRUE
from core.debate import RecordedJudgement
from core.judgement import DecisionRule
from core.judges.semantics_judge import SemanticsJudge, Setting
from core.palette import DARK, LIGHT
from core.rounds.accuracy import VerdictLine, accuracy_by_round
from core.rounds.agreement import spreads
from core.rounds.changes import changes
from core.rounds.figures import MOST_LINES, MOST_PANELS, accuracy_chart, trajectory_chart
from core.rounds.persuasion import drawn, moves
from core.rounds.tables import (
    approach_table,
    change_table,
    counts_sentence,
    drawn_table,
    judged_table,
    move_table,
    spread_sentence,
    spread_table,
)
from core.rounds.trajectory import LineKind, judged_rounds, trajectory
from core.strict_json import storable
from tests.core.generated_debates import debates
from tests.core.test_rounds import held, pro, step

HOSTILE = "<b>x</b><script>alert(1)</script>"


def as_stored(debate):
    """Return a debate with its arguments' texts as the database gives them back: halves of characters are replaced."""
    rounds = [
        replace(one, arguments=tuple(replace(argument, text=storable(argument.text)) for argument in one.arguments))
        for one in debate.rounds
    ]
    return replace(debate, rounds=tuple(rounds))


def drawn_trajectory(debate, **more):
    judge = SemanticsJudge()
    return trajectory(debate, {"DF-QuAD": judged_rounds(debate, judge)}, 0.5, **more)


def test_the_trajectory_starts_before_the_first_round_with_the_prior_stances():
    debate = held(step(0, [("A1", 0.3, 0.4)]), step(1, [("A1", None, 0.6)]), agents=("A1",))
    chart = trajectory_chart(drawn_trajectory(debate), LIGHT, {"A1": "Debater"})
    go.Figure(chart.figure.to_dict())  # checked
    assert chart.data.to_dict("records") == [
        {"kind": "stance", "series": "Debater", "round": "before", "score": 0.3},
        {"kind": "stance", "series": "Debater", "round": "0", "score": 0.4},
        {"kind": "stance", "series": "Debater", "round": "1", "score": 0.6},
        {"kind": "judge", "series": "DF-QuAD", "round": "0", "score": 0.5},
        {"kind": "judge", "series": "DF-QuAD", "round": "1", "score": 0.5},
    ]
    assert chart.alt == (
        "From the first to the last known score over 2 rounds: Debater 0.30 to 0.60; DF-QuAD 0.50 to 0.50."
    )


def test_every_line_has_a_name_at_its_end_and_a_look_of_its_own_in_its_panel():
    agents = tuple(f"A{number}" for number in range(MOST_LINES + 2))
    debate = held(
        step(0, [(name, 0.5, 0.5) for name in agents]), step(1, [(name, None, 0.5) for name in agents]), agents=agents
    )
    figure = go.Figure(trajectory_chart(drawn_trajectory(debate), DARK).figure.to_dict())
    by_axis: dict[str, list[tuple[str, str]]] = {}
    for trace in figure.data:
        by_axis.setdefault(trace.yaxis, []).append((trace.line.dash, trace.marker.symbol))
    assert [len(looks) for looks in by_axis.values()] == [MOST_LINES, 2, 1]  # agents, more agents, the judge
    assert all(len(set(looks)) == len(looks) for looks in by_axis.values())
    labels = [note.text for note in figure.layout.annotations]
    assert set(agents) < set(labels)
    assert "<b>Stances of the agents, continued</b>" in labels
    ends = sorted(note.y for note in figure.layout.annotations if note.yref == "y")
    assert min(np.diff(ends)) >= 0.08  # all lines end at 0.5; no label covers another
    assert ends[0] >= 0.0
    assert ends[-1] <= 1.0


def test_a_crowd_of_agents_stays_in_the_table():
    agents = tuple(f"A{number}" for number in range(MOST_LINES * (MOST_PANELS + 1)))
    debate = held(step(0, [(name, 0.5, 0.5) for name in agents]), agents=agents)
    chart = trajectory_chart(drawn_trajectory(debate), LIGHT)
    assert "2 panels more are in the table alone" in chart.alt
    assert len(chart.figure.data) == MOST_LINES * MOST_PANELS
    assert set(agents) < set(chart.data["series"])


def test_names_from_a_log_are_no_markup_in_a_chart():
    debate = held(
        step(0, [(HOSTILE, 0.3, 0.4)]),
        agents=(HOSTILE,),
        judgements=(RecordedJudgement(HOSTILE, score=0.2, settings={"round": 0}),),
    )
    chart = trajectory_chart(drawn_trajectory(debate), LIGHT)
    texts = [note.text for note in chart.figure.layout.annotations] + [trace.name for trace in chart.figure.data]
    assert not any("<script>" in text or "<b>x" in text for text in texts)
    assert "1" in chart.data["kind"].map({"recorded judgement": "1"}).tolist()


@pytest.mark.parametrize("setting", Setting)
@given(debate=debates())
def test_any_debate_makes_charts_and_tables(debate, setting):
    debate = as_stored(debate)
    judge = SemanticsJudge(setting=setting)
    judged = {"DF-QuAD": judged_rounds(debate, judge)}
    chart = trajectory_chart(trajectory(debate, judged, 0.5, parts=True), LIGHT)
    go.Figure(chart.figure.to_dict())
    assert chart.alt
    found = changes(debate)
    table = change_table(found, {})
    assert len(table) == sum(len(one.changed) + len(one.refused) for one in found)
    assert all(counts_sentence(one).endswith(".") for one in found)
    moved = moves(debate)
    assert len(move_table(moved, {})) == len(moved)
    assert len(approach_table(moved, {})) == sum(len(one.approaches) for one in moved)
    assert len(drawn_table(drawn(moved), {})) == len(drawn(moved))
    spread = spreads(debate, DecisionRule())
    assert len(spread_table(spread)) == len(debate.rounds) + 1
    assert spread_sentence(spread)
    assert len(judged_table([one.number for one in debate.rounds], judged)) == len(debate.rounds)


def test_the_table_of_changes_holds_texts_and_moves():
    first = step(0, (), [pro("p1", "Honey keeps.", base_score=0.5)])
    second = step(1, (), [pro("p1", "Honey keeps well.", base_score=0.75)])
    table = change_table(changes(held(first, second)), {"A1": "Debater"})
    assert list(table["Change"]) == ["added", "reworded"]
    assert list(table["Base score moved"].dropna()) == [0.25]
    assert list(table["Text after"]) == ["Honey keeps.", "Honey keeps well."]
    assert set(table["Author"]) == {"Debater"}
    assert counts_sentence(changes(held(first, second))[1]) == "1 reworded."


def test_the_table_of_moves_names_whom_an_agent_came_nearest():
    debate = held(step(0, [("A1", 0.2, 0.2), ("A2", 0.6, 0.6)]), step(1, [("A1", None, 0.5), ("A2", None, 0.6)]))
    table = move_table(moves(debate), {"A2": "the other"})
    last = table[(table["Round"] == 1) & (table["Agent"] == "A1")].iloc[0]
    assert last["Moved nearer to"] == "the other"
    assert last["Gap closed %"] == pytest.approx(75.0)
    assert last["Moved"] == pytest.approx(0.3)
    assert spread_sentence(spreads(debate, DecisionRule())) == (
        "From 0.40 apart the stances came to 0.10 apart; at the end all come to one verdict."
    )


def test_accuracy_is_drawn_with_its_number_of_debates():
    labels = np.array([TRUE, FALSE], dtype=np.int8)
    line = VerdictLine("A1", LineKind.STANCE, np.array([[TRUE, TRUE], [TRUE, FALSE]], dtype=np.int8))
    found = accuracy_by_round([line], labels, ("before", "0"))
    chart = accuracy_chart(found, LIGHT)
    go.Figure(chart.figure.to_dict())
    assert "A1 50.0 % to 100.0 % (n = 2)" in chart.alt
    assert "A1" in [note.text for note in chart.figure.layout.annotations]
    short = VerdictLine("A2", LineKind.STANCE, np.array([[TRUE, NONE], [TRUE, NONE]], dtype=np.int8))
    unlike = accuracy_chart(accuracy_by_round([line, short], labels, ("before", "0")), LIGHT)
    assert {"A1 (n = 2)", "A2 (n = 1)"} < {note.text for note in unlike.figure.layout.annotations}
    assert isinstance(chart.data, pd.DataFrame)
    empty = accuracy_chart(accuracy_by_round([], labels, ("before", "0")), LIGHT)
    assert empty.alt.startswith("There is no accuracy by round")
