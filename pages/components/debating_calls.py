"""The calls of a run of debates, one by one, as they come in."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.debating.run import DebateRun
from core.runs.progress import Progress
from core.wording import shortened
from pages.components import state

MOST_LIVE = 8  # debates under way that are named
LATEST = 50


def show(progress: Progress[DebateRun]) -> None:
    """Draw what is being asked now, and the latest calls behind a button."""
    for one in progress.live[:MOST_LIVE]:
        asking = "; ".join(one.asking) or "waiting for its turn"
        st.text(f"{shortened(one.text, 60)}  ({one.calls} calls): {asking}")
    if len(progress.live) > MOST_LIVE:
        st.caption(f"and {len(progress.live) - MOST_LIVE} more")
    if progress.spending.calls or progress.recent:
        opened = st.expander("Calls", key=f"debating.calls|{progress.run.id}", on_change="rerun")
        if opened.open:
            with opened:
                _table(progress)


def _table(progress: Progress[DebateRun]) -> None:
    paid = state.debate_runs().calls(progress.run.id, LATEST)
    frame = call_table(progress, paid)
    st.dataframe(
        frame,
        hide_index=True,
        column_order=[name for name in frame.columns if frame[name].notna().any()],
        column_config={
            "At (UTC)": st.column_config.DatetimeColumn(format="HH:mm:ss"),
            "Seconds": st.column_config.NumberColumn(format="%.2f"),
            "Cost": st.column_config.NumberColumn(format="%.5f"),
        },
        placeholder="–",
        alt=f"The latest calls of run {progress.run.id}, the latest first",
    )
    if progress.spending.calls > LATEST:
        st.caption(f"The latest {LATEST} of {progress.spending.calls:,} calls.")


def call_table(progress: Progress[DebateRun], paid: pd.DataFrame) -> pd.DataFrame:
    """Return the latest calls: those that just ended with what was asked, then the others that the run paid for.

    Args:
        progress: A look at the run.
        paid: The latest replies that it paid for, as ``DebateRunRepository.calls`` returns them.
    """
    by_key = {str(row["key"]): row for _, row in paid.iterrows()}
    rows: list[dict[str, object]] = []
    for ended in progress.recent:
        told: dict[str, object] = {"Claim": ended.case, "Step": ended.asked, "Outcome": ended.ended}
        rows.append(told | _facts(by_key.pop(ended.keys[-1], None) if ended.keys else None, bool(ended.keys)))
    rows += [_facts(row, there=True) for row in by_key.values()]
    columns = [
        "At (UTC)", "Claim", "Step", "Outcome", "Model", "Tokens sent", "Tokens received", "Seconds", "Cost",
        "Ended by",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def _facts(row: pd.Series | None, there: bool) -> dict[str, object]:
    """Return what is stored of a call; one that is answered by an older reply cost nothing."""
    if row is None:
        return {"Ended by": "an older reply"} if there else {}
    return {
        "At (UTC)": row["created_at"],
        "Model": row["model"],
        "Tokens sent": row["tokens_in"],
        "Tokens received": row["tokens_out"],
        "Seconds": row["seconds"],
        "Cost": row["cost"],
        "Ended by": row["finish_reason"],
    }


__all__ = ["call_table", "show"]
