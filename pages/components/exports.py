"""Downloads of what is on screen: the file is made by the function that made the table, when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pandas as pd
import streamlit as st

from core.debate import Debate
from core.export import MIME_TYPES, TableKind, file_name, file_stem, table_bytes
from core.figures import Chart, export_config
from core.native import FORMAT, debate_to_line
from core.unlabelled import unlabelled_line
from pages.components import debate_exports, state
from pages.components.text import plain

TABLE_TITLES = {TableKind.CSV: "CSV", TableKind.JSONL: "JSON Lines", TableKind.PARQUET: "Parquet"}


def table(frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str, key: str, label: str = "Download table") -> None:
    """Offer a table as CSV, JSON Lines or Parquet.

    Args:
        frame: The table, or what makes it where the whole is larger than what is drawn.
        name: What the file is called, without its ending.
        key: Prefix of the widgets' keys.
        label: What the button says.
    """
    choice = st.popover(label, key=f"{key}.choice", on_change="rerun")
    if not choice.open:
        return
    with choice:
        for kind, title in TABLE_TITLES.items():
            st.download_button(
                title,
                data=partial(_table_bytes, frame, kind),
                file_name=file_name(name, kind),
                mime=MIME_TYPES[kind],
                key=f"{key}.{kind}",
                on_click="ignore",
                width="stretch",
            )


def _table_bytes(frame: pd.DataFrame | Callable[[], pd.DataFrame], kind: TableKind) -> bytes:
    return table_bytes(frame() if callable(frame) else frame, kind)


def debate(record: Debate, key: str) -> None:
    """Offer a debate in the native format, with the contestations saved on it, and in those of other tools."""
    debates = state.debates()

    def lines() -> list[str]:
        return [debate_to_line(debates.with_contestations(record))]

    native("Debate as JSON", lines, record.id, key=f"{key}.native")
    debate_exports.show("Other formats", lines, 1, record.id, key=key, without=FORMAT)


def native(label: str, lines: Callable[[], Iterable[str]], name: str, key: str) -> None:
    """Offer debates in the native format; while gold labels are hidden, without what tells them.

    Args:
        label: What the button says.
        lines: Makes the lines when they are asked for.
        name: What the file is called, without its ending.
        key: The widget's key.
    """
    hidden = state.labels_hidden()  # now, for this session: the file may be made outside of it
    st.download_button(
        f"{label}, no label" if hidden else label,
        data=lambda: "".join(f"{unlabelled_line(line) if hidden else line}\n" for line in lines()).encode(),
        file_name=file_name(f"{name} without label" if hidden else name, "moot.jsonl"),
        mime="application/x-ndjson",
        key=key,
        on_click="ignore",
        help="Gold labels are hidden, so they are not in the file either" if hidden else None,
    )


def chart(
    drawn: Chart,
    name: str,
    key: str,
    *,
    on_select: bool = False,
    on_click: Callable[[list[str]], None] | None = None,
) -> object:
    """Draw a chart with its description, its data and a choice of image format; return the selection.

    Args:
        drawn: The chart.
        name: What its files are called, without their ending.
        key: Prefix of the widgets' keys.
        on_select: Whether marks can be selected.
        on_click: Takes the marks selected, before anything is drawn anew.
    """
    image_format = st.segmented_control(
        "Image format",
        ["svg", "png"],
        default="svg",
        required=True,
        format_func=str.upper,
        key=f"{key}.format",
        label_visibility="collapsed",
        help="What the chart's camera button saves",
    )
    selection = st.plotly_chart(
        drawn.figure,
        key=f"{key}.chart",
        on_select=partial(_clicked, f"{key}.chart", on_click) if on_click else "rerun" if on_select else "ignore",
        selection_mode=("points", "box"),
        config=export_config(file_stem(name), str(image_format)),
        alt=drawn.alt,
    )
    st.caption(plain(drawn.alt))
    with st.expander("Data for this chart"):
        st.dataframe(drawn.data, hide_index=True, alt=f"Data of the chart: {drawn.alt}")
        table(drawn.data, name, f"{key}.data")
    return selection


def _clicked(key: str, on_click: Callable[[list[str]], None]) -> None:
    on_click(marked(st.session_state[key]))


def marked(event: object) -> list[str]:
    """Return the custom data of the marks selected in a chart, as texts."""
    selection = getattr(event, "selection", None)
    if selection is None:
        return []
    found = [point.get("customdata") for point in selection.points]
    return [str(value[0] if isinstance(value, (list, tuple)) else value) for value in found if value is not None]
