"""The table of debates, as Home and Browse show it."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from core.judges.semantics_judge import SemanticsJudge
from core.overview import COLUMNS
from pages.components import row_choice, state

SHORT = ("Claim", "Reason", "Judge A", "Judge B", "Gap", "Data set")
TO_FLIP = "To flip"
BROWSED = (*COLUMNS[: COLUMNS.index("Gap") + 1], TO_FLIP, *COLUMNS[COLUMNS.index("Gap") + 1 :])
ROW_HEIGHT = 35

_CONFIG = {
    "Claim": st.column_config.TextColumn(width="large"),
    "Reason": st.column_config.TextColumn(width="medium"),
    "Stances": st.column_config.TextColumn(help="Each agent's latest stance as a verdict: T, F, ? or – when missing"),
    "Judge A": st.column_config.TextColumn(width=125),
    "Judge B": st.column_config.TextColumn(width=125),
    "Gap": st.column_config.ProgressColumn(
        min_value=0.0, max_value=1.0, format="%.2f", help="Distance between the two scores", width="small"
    ),
    TO_FLIP: st.column_config.TextColumn(
        width=135,
        help="The least change of one base score that flips judge A's verdict",
    ),
    "Pros/cons": st.column_config.TextColumn(help="Arguments that support and attack the claim directly"),
    "Flags": st.column_config.TextColumn(width="medium"),
}


def with_flips(frame: pd.DataFrame, judge: SemanticsJudge) -> pd.DataFrame:
    """Return the debates with how far the judge's verdict is from flipping; infinity where no base score flips it."""
    return frame if TO_FLIP in frame else frame.assign(**{TO_FLIP: state.to_flip(judge, frame["Id"])})


def shown_columns(columns: tuple[str, ...] = COLUMNS) -> list[str]:
    """Return the columns to show: without the label where gold labels are hidden."""
    return [name for name in columns if name != "Label" or not state.labels_hidden()]


def show(frame: pd.DataFrame, key: str, *, columns: tuple[str, ...] = COLUMNS) -> str | None:
    """Draw debates as a table and return the id of the chosen one."""
    if TO_FLIP in columns:
        frame = frame.assign(**{TO_FLIP: [_flip_words(distance) for distance in frame[TO_FLIP]]})
    event = st.dataframe(
        frame[[*shown_columns(columns), *(["Id"] if "Id" not in columns else [])]],
        hide_index=True,
        column_order=shown_columns(columns),
        column_config=_CONFIG,
        height=ROW_HEIGHT * (min(len(frame), 20) + 1) + 3,
        row_height=ROW_HEIGHT,
        on_select=row_choice.following(f"table.{key}"),
        selection_mode=row_choice.MODE,
        key=f"table.{key}",
        alt=f"Table of debates, {len(frame)} rows",
    )
    row = row_choice.chosen_row(event, len(frame))
    return None if row is None else str(frame["Id"].iloc[row])


def _flip_words(distance: float) -> str:
    """Return how far a verdict is from flipping, in texts that sort as the distances do."""
    if math.isnan(distance):
        return "not known"
    return f"{distance:.3f}" if math.isfinite(distance) else "no single change"
