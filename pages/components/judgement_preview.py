"""What a file of judgements would bring in: whose they are, every line that is left out, and the button."""

from __future__ import annotations

import hashlib

import streamlit as st

from core.errors import MootError
from core.wording import several
from pages.components import exports, pages, state
from pages.components.import_issues import issue_table
from pages.components.text import plain
from storage.judgement_file import load_judgements, read_judgements

MOST_NAMED = 6  # judges


def show(text: str, file: str) -> None:
    """Draw the preview of one file of judgements and the button that stores them."""
    key = f"judgements|{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"
    origin = f"imported from {file}"
    found = read_judgements(state.database(), text.split("\n"), origin, file)
    st.text(file)
    count = several(len(found.judgements), "judgement")
    st.markdown(f"**{count}** on debates that are here. Format: Moot's own format for judgements.")
    if found.judges:
        more = len(found.judges) - MOST_NAMED
        named = "; ".join(found.judges[:MOST_NAMED])
        st.caption(f"By {plain(named)}{f' and {more:,} more' if more > 0 else ''}.")
    if found.issues:
        left_out = sum(found.left_out.values())
        with st.expander(f"{several(left_out, 'line')} left out", expanded=True):
            frame = issue_table(found.issues)
            st.dataframe(
                frame,
                hide_index=True,
                alt="Lines of this file that are left out",
                column_config={"Message": st.column_config.TextColumn(width="large")},
            )
            exports.table(frame, f"{file} problems", f"{key}.issues")
    if not found.judgements:
        st.error("Nothing of this file can be imported. Judgements need their debates: import those first.")
        return
    if st.button(f"Import {count}", type="primary", key=key):
        try:
            stored = load_judgements(state.database(), text.split("\n"), origin, state.person(), file).stored
        except MootError as error:
            st.error(f"Nothing of this file was imported. {plain(str(error))}")
            return
        here = len(found.judgements) - stored
        stay = (
            f"; {several(here, 'judgement')} by the same judge on the same debate stayed as they were" if here else ""
        )
        st.success(f"Imported: {several(stored, 'judgement')}{stay}.")
        st.page_link(pages.compare(), label="Compare judges", query_params={})
