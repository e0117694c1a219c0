"""What an import has to say, by kind: how many of each, the first lines, and all of it as a file."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.import_issue import ImportIssue, Severity
from core.unlabelled import unlabelled_issues
from core.wording import several
from pages.components import exports, state

FIRST = 3  # lines named of a kind
SEVERITY_WORDS = {
    Severity.ERROR: "left out",
    Severity.WARNING: "changed or flagged",
    Severity.INFO: "for information",
}


def show(
    issues: tuple[ImportIssue, ...], name: str, key: str, *, partial: bool = False, imported: bool = False
) -> None:
    """Draw the issues of one file.

    Args:
        issues: As the importer noted them.
        name: Of the file, for the download.
        key: Of the widgets.
        partial: Only the file's beginning was looked at.
        imported: They are known already, from the look before the import.
    """
    if state.labels_hidden():
        issues = unlabelled_issues(issues)
    if not issues:
        st.caption("No problems found in what was looked at." if partial else "No problems found.")
        return
    frame = issue_table(issues)
    worst = any(issue.severity is not Severity.INFO for issue in issues)
    kinds = kind_table(frame)
    place = f"{'after the import of' if imported else 'in'} {name}"
    with st.expander(
        f"{several(len(issues), 'note')} of {several(len(kinds), 'kind')}", expanded=worst and not imported
    ):
        st.dataframe(
            kinds,
            hide_index=True,
            alt=f"Kinds of problems {place}",
            column_config={"First": st.column_config.TextColumn(width="large")},
        )
        one = st.selectbox(
            "All of one kind", [None, *dict.fromkeys(frame["Code"])], format_func=_words_of, key=f"kind|{key}"
        )
        if one is not None:
            st.dataframe(
                frame[frame["Code"] == one],
                hide_index=True,
                alt=f"Problems of one kind {place}",
                column_config={"Message": st.column_config.TextColumn(width="large")},
            )
        exports.table(frame, f"{name} problems", f"issues|{key}", "Download the problem list")


def issue_table(issues: tuple[ImportIssue, ...]) -> pd.DataFrame:
    """Return import issues as a table, the worst first."""
    order = list(Severity)
    ranked = sorted(issues, key=lambda issue: order.index(issue.severity))
    return pd.DataFrame(
        [
            {
                "Severity": SEVERITY_WORDS[issue.severity],
                "Line": issue.line,
                "Field": issue.field or "",
                "Message": issue.message,
                "Code": issue.code,
                "File": issue.file,
            }
            for issue in ranked
        ]
    ).astype({"Line": "Int64"})


def kind_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each kind of issue: what it did, how many there are, where the first are, and one in words."""
    rows = []
    for (severity, code), group in frame.groupby(["Severity", "Code"], sort=False):
        lines = [str(line) for line in group["Line"].dropna().head(FIRST)]
        rows.append(
            {
                "Severity": severity,
                "Kind": _words_of(str(code)),
                "Count": len(group),
                "Lines": ", ".join(lines) + (", …" if group["Line"].count() > FIRST else ""),
                "First": group["Message"].iloc[0],
            }
        )
    return pd.DataFrame(rows)


def _words_of(code: str | None) -> str:
    return "–" if code is None else code.replace("_", " ")
