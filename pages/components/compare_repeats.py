"""Whether judges say the same again: over repeats, over orders of the agents, and with another example number."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.comparison.repeats import VariedBy
from core.comparison_report import Comparison
from core.judges.recorded_judge import RecordedJudge
from core.repeat_report import varied
from pages.components import compare_files, compare_summary, state
from pages.components.text import plain
from storage.judge_catalogue import Candidate
from storage.judge_diagnosis import example_effect

TITLES = {VariedBy.REPEAT: "Repeats", VariedBy.ORDER: "Orders of the agents"}


def show(of: Comparison, judges: Sequence[Candidate]) -> None:
    """Draw, judge by judge, what asking again changes."""
    compare_summary.remarks(of)
    found = False
    for place, judge in enumerate(judges):
        if judge.judge is None:
            found = True
            _asked_again(of, place, judge)
    certain = [of.names[place] for place, judge in enumerate(judges) if judge.local is not None]
    if certain:
        st.header("Judges that cannot vary")
        st.write(
            f"{plain('; '.join(certain))}: gradual semantics and votes give the same score to the last bit whenever "
            "they are asked, and whatever the order of the agents. So there is nothing to repeat."
        )
    recorded = [of.names[place] for place, judge in enumerate(judges) if isinstance(judge.judge, RecordedJudge)]
    if recorded:
        st.caption(f"{plain('; '.join(recorded))}: recorded once, so nothing is known of repeats.")
    if not found:
        st.info("Pick a language model's judge to see its repeats and orders.")


def _asked_again(of: Comparison, place: int, judge: Candidate) -> None:
    st.header(plain(of.names[place]))
    found = varied(of, place, state.judgements().repeats_frame(judge.id))
    for one in found:
        st.subheader(TITLES[one.found.by])
        if one.found.by is VariedBy.ORDER:
            st.caption("An order names the agents by their places as recorded, from 0.")
        if one.found.changed.empty:
            st.write(plain(one.found.sentence))
        for chart in one.charts:
            compare_files.chart(chart, f"compare.{chart.name}")
    if not found:
        st.caption("It was asked once only, in one order of the agents.")
    _example(judge)


def _example(judge: Candidate) -> None:
    effects = example_effect(state.database(), judge.id)
    if not effects:
        return
    st.subheader("Example number in the prompt")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Example": "none" if effect.example is None else f"{effect.example:g}",
                    "Debates": effect.count,
                    "Scores equal to it": effect.equal,
                    "Mean score": effect.mean,
                    "Moved towards it": effect.moved,
                }
                for effect in effects
            ]
        ),
        hide_index=True,
        placeholder="–",
        column_config={
            "Mean score": st.column_config.NumberColumn(format="%.3f"),
            "Moved towards it": st.column_config.NumberColumn(format="%+.3f"),
        },
        alt="What judges say that differ from this one in the example number of their prompt alone",
        key=f"compare.example|{judge.id}",
    )
