"""What a file would bring in: the format and why, a look at the debates, every problem, and the button."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Literal

import pandas as pd
import streamlit as st

from core.debate import profile
from core.errors import MootError, UnreadableFile
from core.import_issue import ImportIssue, Severity
from core.score_text import Scale
from core.unlabelled import unlabelled_issues
from core.wording import label_word, several, shortened
from pages.components import exports, pages, state
from storage.importer import import_read_file
from storage.judgement_file import judgement_text
from storage.readers import ReadFile, TableMapping, read_file
from storage.readers.table_mapping import COLUMN_FIELDS, Layout

PREVIEW = 20  # debates
FORMAT_WORDS = {
    "moot-debate/1": "Moot's own format",
    "post-hoc": "post-hoc debate judgement records",
    "table-long": "table with one argument a row",
    "table-wide": "table with one debate a row",
}
FIELD_WORDS = {name: name.replace("_", " ") for name in COLUMN_FIELDS} | {"text": "argument text", "target": "bears on"}
SEVERITY_WORDS: dict[Severity, tuple[str, Literal["orange", "violet", "gray"]]] = {
    Severity.ERROR: ("left out", "orange"),
    Severity.WARNING: ("changed or flagged", "violet"),
    Severity.INFO: ("for information", "gray"),
}
TEMPLATE = pd.DataFrame(
    {
        "debate_id": ["d1", "d1"],
        "claim": ["Honey can keep for years."] * 2,
        "label": ["true", "true"],
        "agent": ["A1", "A2"],
        "round": [0, 0],
        "prior": [0.6, 0.4],
        "posterior": [0.8, 0.5],
        "argument_id": ["A1-pro1", "A2-con1"],
        "target": ["", "A1-pro1"],
        "polarity": ["pro", "con"],
        "argument": ["It holds too little water for mould to grow.", "An open jar takes up water from the air."],
        "base_score": [0.8, 0.5],
    }
)


def read(data: bytes, name: str) -> ReadFile:
    """Return what an uploaded file holds, under the column mapping chosen for it, if any."""
    mapping: TableMapping | None = st.session_state.get(f"mapping|{name}")
    return _read(data, name, mapping)


def judgements(data: bytes) -> str | None:
    """Return the text of an uploaded file of judgements; None for a file of debates."""
    try:
        return judgement_text(data)
    except UnreadableFile:  # the preview of debates says why
        return None


@st.cache_data(max_entries=8, show_spinner="Reading the file")
def _read(data: bytes, name: str, mapping: TableMapping | None) -> ReadFile:
    return read_file(data, name, mapping)


def show(found: ReadFile) -> None:
    """Draw the preview of one file and the button that imports it."""
    st.text(found.file)
    if found.refused:
        st.error("Nothing of this file can be imported.")
        st.text("\n".join(issue.message for issue in found.issues[:5]))
        if found.mapping is not None:
            _columns(found)
        return
    arguments = sum(len(profile(debate).arguments) for debate in found.debates)
    words = FORMAT_WORDS.get(str(found.format), str(found.format))
    st.markdown(
        f"**{several(len(found.debates), 'debate')}, {several(arguments, 'argument')}** in the last rounds. "
        f"Format: {words}."
    )
    st.caption("How it was recognised:")
    st.text(found.why)
    if found.mapping is not None:
        unclear = any(issue.code.startswith("score_scale") for issue in found.issues)
        with st.expander("Which column means what", expanded=unclear):
            _columns(found)
    _issues(found)
    with st.expander(f"The first {min(PREVIEW, len(found.debates))} debates as they will be"):
        st.dataframe(_preview(found), hide_index=True, alt="Preview of the debates")
    _import(found)


def templates() -> None:
    """Offer tables to fill in."""
    exports.table(TEMPLATE, "moot template", "template", "Download a template")


def _import(found: ReadFile) -> None:
    earlier = state.debates().dataset_with(found.sha256)
    left_out = sum(1 for issue in found.issues if issue.severity is Severity.ERROR)
    label = f"Import {several(len(found.debates), 'debate')}{' and leave out what is broken' if left_out else ''}"
    again = False
    if earlier is not None:
        when = f"{earlier.imported_at:%Y-%m-%d %H:%M} UTC" if earlier.imported_at else "an earlier import"
        st.info(f"This very file is already here since {when}; its data set is listed below.")
        again = st.checkbox("Import it again, as another data set", key=f"again|{found.sha256}")
    blocked = earlier is not None and not again
    if st.button(label, type="primary", disabled=blocked, key=f"import|{found.sha256}"):
        bar = st.progress(0.0, "Importing")

        def tell(count: int, total: int) -> None:
            bar.progress(count / max(1, total), f"{count:,} of {several(total, 'debate')}")

        try:
            done = import_read_file(state.database(), found, again=again, progress=tell, wish=state.import_wish())
        except MootError as error:
            st.error(f"Nothing of this file was imported. {error}")
            return
        bar.empty()
        st.success(
            f"Imported: {several(done.debates, 'debate')} {'is' if done.debates == 1 else 'are'} in the database now."
        )
        st.page_link(pages.browse(), label="Browse them", query_params={})


def _issues(found: ReadFile) -> None:
    issues = unlabelled_issues(found.issues) if state.labels_hidden() else found.issues
    if not issues:
        st.caption("No problems found.")
        return
    with st.container(horizontal=True):
        counts = Counter(issue.severity for issue in issues)
        for severity, (words, colour) in SEVERITY_WORDS.items():
            if counts[severity]:
                st.badge(f"{counts[severity]} {words}", color=colour)
    worst = any(issue.severity is not Severity.INFO for issue in issues)
    with st.expander(f"All {several(len(issues), 'note')} on this file", expanded=worst):
        frame = issue_table(issues)
        st.dataframe(
            frame,
            hide_index=True,
            alt="Problems in this file",
            column_config={"Message": st.column_config.TextColumn(width="large")},
        )
        exports.table(frame, f"{found.file} problems", f"issues|{found.sha256}")


def issue_table(issues: tuple[ImportIssue, ...]) -> pd.DataFrame:
    """Return import issues as a table, the worst first."""
    order = list(Severity)
    ranked = sorted(issues, key=lambda issue: order.index(issue.severity))
    return pd.DataFrame(
        [
            {
                "Severity": SEVERITY_WORDS[issue.severity][0],
                "Line": issue.line,
                "Field": issue.field or "",
                "Message": issue.message,
                "Code": issue.code,
                "File": issue.file,
            }
            for issue in ranked
        ]
    ).astype({"Line": "Int64"})


def _preview(found: ReadFile) -> pd.DataFrame:
    rows = []
    for debate in found.debates[:PREVIEW]:
        held = profile(debate)
        rows.append(
            {
                "Claim": debate.claim,
                "Label": "hidden" if state.labels_hidden() else label_word(debate.label),
                "Protocol": debate.protocol.value,
                "Agents": len(held.stances),
                "Rounds": len(debate.rounds),
                "Arguments": len(held.arguments),
                "Without base score": sum(a.base_score is None for a in held.arguments),
                "First argument": shortened(held.arguments[0].text, 80) if held.arguments else "",
                "Id": debate.id,
            }
        )
    return pd.DataFrame(rows)


def _columns(found: ReadFile) -> None:
    """Draw the column mapping of a table, to be changed where the guess is wrong."""
    mapping = found.mapping
    if mapping is None:
        return
    key = f"{found.file}|{found.sha256[:8]}"
    if mapping.layout is Layout.LONG:
        columns = list(found.columns)
        changes: dict[str, str | None] = {}
        places = st.columns(3)
        for place, name in enumerate(COLUMN_FIELDS):
            guess = getattr(mapping, name)
            options = [None, *dict.fromkeys([*columns, *([guess] if guess else [])])]
            changes[name] = places[place % 3].selectbox(
                FIELD_WORDS[name].capitalize(),
                options,
                index=options.index(guess),
                format_func=lambda column: "–" if column is None else column,
                key=f"column.{name}|{key}",
            )
        wanted = replace(mapping, **changes)  # type: ignore[arg-type]
    else:
        st.dataframe(
            pd.DataFrame(
                [
                    {
                        "Agent": g.agent,
                        "Prior": g.prior,
                        "Posterior": g.posterior,
                        "Arguments": ", ".join(a.text for a in g.arguments),
                    }
                    for g in mapping.agents
                ]
            ),
            hide_index=True,
            alt="Groups of columns by agent",
        )
        wanted = mapping
    scales = dict(mapping.scales)
    for column in wanted.score_columns:
        options_of_scale = [None, *Scale]
        chosen = st.selectbox(
            f"Scale of {shortened(column, 40)}",
            options_of_scale,
            index=options_of_scale.index(mapping.scales.get(column)),
            format_func=lambda scale: "decided by the values" if scale is None else scale.value,
            key=f"scale.{column}|{key}",
        )
        if chosen is None:
            scales.pop(column, None)
        else:
            scales[column] = chosen
    wanted = replace(wanted, scales=scales)
    if mapping.why:
        st.caption("What the guesses rest on:")
        st.text("\n".join(f"{column}: {reason}" for column, reason in mapping.why.items()))
    if st.button("Read again with these columns", key=f"remap|{key}", disabled=wanted == mapping):
        st.session_state[f"mapping|{found.file}"] = wanted
        st.rerun()
