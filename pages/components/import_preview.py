"""What a file would bring in: the format and why, a look at the debates, every problem, and the button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from core.debate import Debate, profile
from core.errors import MootError
from core.import_issue import ImportIssue, Severity
from core.score_text import Scale
from core.wording import label_word, several, shortened
from pages.components import exports, import_issues, import_mapper, state
from pages.components.import_source import ImportSource
from pages.components.text import plain
from storage.file_look import Look
from storage.readers import AnyMapping, PathMapping, ReadFile, TableMapping
from storage.readers.derivations import derivations_named, derived, offered
from storage.readers.path_mapping import path_problem
from storage.readers.table_mapping import COLUMN_FIELDS, Layout

PREVIEW = 10  # debates
LOOKED_AT = 200  # debates that are asked what could be derived in them
SOON = 2.0  # seconds to wait for an import: small ones are done by then
FORMAT_WORDS = {
    "moot-debate/1": "Moot's own format",
    "post-hoc": "post-hoc debate judgement records",
    "table-long": "table with one argument a row",
    "table-wide": "table with one debate a row",
    "paths": "records read by your paths",
    "proclaim": "PROClaim's courtroom outputs",
    "inspect": "Inspect AI log",
    "argllms": "ArgLLMs results",
    "bag": "QBAF in .bag",
    "mad": "Multi-Agents-Debate (MAD)",
    "multiagent-debate": "multiagent debate (chats of agents)",
    "nyu-debate": "NYU debates",
    "llm-debate": "llm_debate transcripts",
    "aif": "AIF argument map",
    "node-link": "node-link graph",
    "kialo": "Kialo text export",
    "argdown": "Argdown",
    "several": "several formats in one archive",
}
FIELD_WORDS = {name: name.replace("_", " ") for name in COLUMN_FIELDS} | {"text": "argument text", "target": "bears on"}
UNKNOWN_SCALE = "score_scale_unknown"
SCALE_WORDS = {Scale.UNIT: "0 to 1", Scale.PERCENT: "0 to 100", Scale.FIVE: "1 to 5", Scale.TEN: "0 to 10"}
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


def show(source: ImportSource) -> None:
    """Draw the preview of one file, what can be said of it, and the button that imports it."""
    key = source.key
    st.text(source.name)
    chosen = _mapping(source)
    if isinstance(chosen, PathMapping) and path_problem(chosen) is not None:
        return
    found = source.look(chosen)
    read = found.read
    if read.refused:
        st.error("Nothing of this file can be imported.")
        st.text("\n".join(issue.message for issue in read.issues[:5]))
        if read.mapping is not None and not isinstance(chosen, PathMapping):
            _columns(read, key)
        return
    _headline(found)
    if read.mapping is not None and read.mapping.columns:
        with st.expander("Which column means what", expanded=False):
            _columns(read, key)
    _scales(read.issues, chosen, key)
    keys = _derivations(read, key)
    import_issues.show(read.issues, read.file, key, partial=not found.whole)
    debates = derived(read.debates[:PREVIEW], keys)
    with st.expander(
        ("The debate as it will be" if len(debates) == 1 else f"The first {len(debates)} debates as they will be"),
        expanded=chosen is not None,
    ):
        st.dataframe(_preview(debates), hide_index=True, alt="Preview of the debates")
    _import(source, found, chosen, keys)


def templates() -> None:
    """Offer tables to fill in."""
    exports.table(TEMPLATE, "moot template", "template", "Download a template")


def _mapping(source: ImportSource) -> AnyMapping | None:
    """Return what the person says of the file's columns or paths; None while that is left to Moot."""
    key = source.key
    kept = f"mapping|{key}"
    current: AnyMapping | None = st.session_state.get(kept)
    with st.container(horizontal=True, vertical_alignment="center"):
        taken = import_mapper.saved(source)
        if taken is not None:
            st.session_state[kept] = current = taken
            st.session_state[f"by_paths|{key}"] = isinstance(taken, PathMapping)
        by_paths = st.toggle(
            "Say which path means what",
            key=f"by_paths|{key}",
            help="For JSON, JSON Lines, YAML and tables that Moot does not know, or reads otherwise than you wish",
        )
    if by_paths:
        with st.container(border=True):
            said = {} if current is None else current.scales  # also of a table, before the paths were said
            current = import_mapper.show(source, current if isinstance(current, PathMapping) else None)
            current = replace(current, scales=current.scales or said)
        st.session_state[kept] = current
    elif isinstance(current, PathMapping):
        st.session_state[kept] = current = None
    return current


def _headline(found: Look) -> None:
    read = found.read
    words = FORMAT_WORDS.get(str(read.format), str(read.format))
    if found.whole:
        arguments = sum(len(profile(debate).arguments) for debate in read.debates)
        count = f"{several(len(read.debates), 'debate')}, {several(arguments, 'argument')}"
        st.markdown(f"**{count}** in the last rounds. Format: {words}.")
    else:
        size = f"{found.size / 2**20:,.0f} MB" if found.size else "A folder"
        st.markdown(
            f"**{size}**: what you see is its beginning, {several(len(read.debates), 'debate')}. Format: {words}."
        )
        st.caption("All of it is read when it is imported, and every problem is listed then.")
    st.caption("How it was recognised:")
    st.text(read.why)


def _scales(issues: tuple[ImportIssue, ...], chosen: AnyMapping | None, key: str) -> None:
    """Ask for the scale of each column whose numbers do not tell it."""
    told = {issue.field: issue for issue in issues if issue.code in (UNKNOWN_SCALE, "score_scale_assumed")}
    known = dict(chosen.scales) if chosen is not None else {}
    columns = [str(column) for column in dict.fromkeys([*told, *known]) if column]
    if not columns:
        return
    with st.container(border=True):
        st.text("What the numbers mean")
        for column in columns:
            issue = told.get(column)
            options = [None, *Scale]
            st.selectbox(
                f"Scale of {plain(shortened(column, 60))}",
                options,
                index=options.index(known.get(column)),
                format_func=lambda scale: "decided by the values" if scale is None else SCALE_WORDS[scale],
                key=f"scale|{column}|{key}",
                on_change=_rescale,
                args=(column, key),
            )
            if issue is not None:
                st.caption(plain(issue.message))


def _rescale(column: str, key: str) -> None:
    """Take over the scale that was chosen for a column; the others stay."""
    scale: Scale | None = st.session_state[f"scale|{column}|{key}"]
    begun: AnyMapping = st.session_state.get(f"mapping|{key}") or TableMapping(Layout.LONG)
    scales = {name: known for name, known in begun.scales.items() if name != column}
    if scale is not None:
        scales[column] = scale
    st.session_state[f"mapping|{key}"] = replace(begun, scales=scales)


def _derivations(read: ReadFile, key: str) -> tuple[str, ...]:
    """Offer what can be derived where the log lacks it; nothing is, unless somebody says so."""
    possible = offered(read.debates[:LOOKED_AT])
    if not possible:
        return ()
    with st.container(border=True):
        st.text("The log lacks some of what judges read. What may be derived?")
        wanted = [one.key for one in possible if st.checkbox(one.says, key=f"derive.{one.key}|{key}")]
        st.caption("Nothing is derived unless you choose it; what you choose is kept with the data set.")
    return tuple(one.key for one in derivations_named(wanted))


def _import(source: ImportSource, found: Look, chosen: AnyMapping | None, keys: tuple[str, ...]) -> None:
    read, key = found.read, source.key
    earlier = source.earlier(found)
    left_out = sum(1 for issue in read.issues if issue.severity is Severity.ERROR)
    what = several(len(read.debates), "debate") if found.whole else "all of it"
    again = False
    if earlier is not None:
        when = f"{earlier.imported_at:%Y-%m-%d %H:%M} UTC" if earlier.imported_at else "an earlier import"
        st.info(f"This very file is already here since {when}; its data set is listed below.")
        again = st.checkbox("Import it again, as another data set", key=f"again|{key}")
    label = f"Import {what}{' and leave out what is broken' if left_out else ''}"
    if st.button(label, type="primary", disabled=earlier is not None and not again, key=f"import|{key}"):
        desk = state.import_desk()
        name = st.session_state.get(f"mapping.name|{key}", "") if isinstance(chosen, PathMapping) else ""
        wish = replace(state.import_wish(), again=again, mapping=chosen, mapping_name=name, derivations=keys)
        try:
            job = desk.start(source.content, source.name, wish)
        except MootError as error:
            st.error(plain(f"Nothing of this file was imported. {error}"))
            return
        desk.wait(job, SOON)
        st.rerun()


def _preview(debates: Sequence[Debate]) -> pd.DataFrame:
    rows = []
    for debate in debates:
        held = profile(debate)
        rows.append(
            {
                "Claim": debate.claim,
                "Label": "hidden" if state.labels_hidden() else label_word(debate.label),
                "Protocol": debate.protocol.value,
                "Agents": len(held.stances) or len(debate.agents),
                "Rounds": len(debate.rounds),
                "Arguments": len(held.arguments),
                "Relations": len(held.relations),
                "Without base score": sum(a.base_score is None for a in held.arguments),
                "First argument": shortened(held.arguments[0].text, 80) if held.arguments else "",
                "Id": debate.id,
            }
        )
    return pd.DataFrame(rows)


def _columns(found: ReadFile, source_key: str) -> None:
    """Draw the column mapping of a table, to be changed where the guess is wrong."""
    mapping = found.mapping
    if mapping is None:
        return
    key = source_key
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
    if mapping.why:
        st.caption("What the guesses rest on:")
        st.text("\n".join(f"{column}: {reason}" for column, reason in mapping.why.items()))
    if st.button("Read again with these columns", key=f"remap|{key}", disabled=wanted == mapping):
        st.session_state[f"mapping|{key}"] = wanted
        st.rerun()
