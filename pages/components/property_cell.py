"""What is behind a cell of the grid: the definition, how it was tested, counts, how scores moved, the violations."""

from __future__ import annotations

import streamlit as st

from core.experiments.source import Source
from core.properties.result import PropertyResult
from core.property_report import changes_chart, debates_chart, strip_chart, trials_table, witnesses_table
from core.property_strips import PAGE, in_order, pages_of
from core.property_words import left_out_sentence, percent, standing_sentence
from core.wording import score_text, several, shortened, signed
from pages.components import drawn_files, property_search, property_witness, row_choice, state
from pages.components.property_results import Cell
from pages.components.text import plain
from storage.property_bench import Described
from storage.property_debates import claims_of
from storage.property_strips import strip_rows

WITNESS = "violation"
CASE = "case"  # the debate of the violation shown, in the address
MOST_LISTED = 200
ROW_HEIGHT = 36


def show(cell: Cell, source: Source, dataset: str) -> None:
    """Draw all that is known of one judge and one property."""
    result, simulated = cell.result, source.simulated
    threshold = float(result.settings.get("threshold", 0.5))
    st.header(cell.checked.label)
    st.text(cell.judge.name)
    st.markdown(f"{plain(cell.checked.definition)} *{plain(result.checked.method)}*")
    _remarks(cell, dataset, simulated=simulated)
    if result.rate is None:
        st.info(plain(standing_sentence(result)))
        property_search.show(cell, source, threshold)
        return
    st.markdown(f"**{plain(standing_sentence(result))}**")
    _counts(result)
    labels = not state.labels_hidden()
    if result.violations:
        _violations(cell, source, dataset, threshold)
    if result.trials:
        with st.expander("How scores and verdicts moved", key=f"cell.moves|{_name(cell)}", on_change="rerun") as moves:
            if moves.open:
                _moves(cell, dataset, labels=labels, simulated=simulated)
        with st.expander("Debate by debate", key=f"cell.debates|{_name(cell)}", on_change="rerun") as debates:
            if debates.open:
                _debates(cell, source, dataset)
    property_search.show(cell, source, threshold)


def _remarks(cell: Cell, dataset: str, *, simulated: bool) -> None:
    result = cell.result
    if simulated:
        st.warning("Simulated: the numbers of these debates were drawn, and no agent took part in them.")
    if cell.stale:
        st.warning("Stale: the debates have changed since this was tested. Test it again to see how it stands now.")
    if cell.otherwise:
        st.caption("This was tested with other settings than those chosen here.")
    if cell.origin:
        st.caption(f"Of these judgements: {plain(cell.origin)}.")
    if isinstance(cell.judge.judge, Described):
        st.caption("The prompts of this judge are not in this database, so it cannot be asked again.")
    for text in result.discrimination.warnings:
        st.warning(plain(text))
    if result.proof is not None:
        beyond = result.tested - result.proved_debates
        rest = f" Not covered by this: {several(beyond, 'debate')} with arguments in a circle." if beyond else ""
        st.success(plain(f"Proved: {result.proof.reason}{rest}"))
    if result.note and result.rate is not None:
        st.warning(plain(f"Incomplete: {result.note}"))
    st.caption(f"Debates: {plain(dataset)}.")


def _counts(result: PropertyResult) -> None:
    rate = result.rate
    if rate is None:
        return
    facts = [
        ("Satisfied", f"{result.satisfied:,} of {result.tested:,}", "n: debates that say something about the property"),
        ("Share", f"{percent(result)} %", f"95 % interval: {100 * rate.low:.1f} to {100 * rate.high:.1f} %"),
        ("Violations", f"{result.violations:,}", f"Without any tolerance: {result.strict_violations:,}"),
        ("Verdicts changed", f"{result.verdict_changes:,}", "Debates on which the verdict changed under any trial"),
        (
            "Scores changed",
            f"{result.score_changes:,}",
            f"Beyond {result.tolerance:g}; {result.strict_score_changes:,} at all",
        ),
    ]
    columns = st.columns(len(facts))
    for column, (label, value, note) in zip(columns, facts, strict=True):
        column.metric(label, value)
        column.caption(note)
    left_out = left_out_sentence(result)
    if left_out:
        st.caption(plain(left_out))


def _violations(cell: Cell, source: Source, dataset: str, threshold: float) -> None:
    result = cell.result
    witnesses = result.witnesses[:MOST_LISTED]
    claims = claims_of(state.database(), tuple(one.debate for one in result.witnesses))
    st.subheader("Violations")
    names = [one.debate for one in witnesses]
    options = list(range(len(witnesses)))
    key = f"{WITNESS}|{_name(cell)}|{result.seed}"
    table = f"violations|{_name(cell)}|{result.seed}"
    _restore(key, names)
    st.dataframe(
        {
            "Claim": [claims.get(one.debate, one.debate) for one in witnesses],
            "Asked": [one.second.label for one in witnesses],
            "Before": [one.before.chip for one in witnesses],
            "After": [one.after.chip for one in witnesses],
            "Change": [signed(one.change) for one in witnesses],
        },
        hide_index=True,
        column_config={"Claim": st.column_config.TextColumn(width="large")},
        height=ROW_HEIGHT * (min(len(witnesses), 8) + 1) + 3,
        row_height=ROW_HEIGHT,
        on_select=row_choice.following(table, lambda: _follow(table, key, names)),
        selection_mode="single-row",
        key=table,
        alt=f"Table of {len(witnesses)} violations, the worst first",
    )
    if len(witnesses) < result.violations:
        st.caption(f"The worst {len(witnesses):,} of {result.violations:,} are listed.")
    chosen = st.selectbox(
        "Violation",
        options,
        index=None,
        format_func=lambda place: f"{place + 1}. {shortened(claims.get(names[place], names[place]), 90)}",
        key=key,
        on_change=lambda: _note(key, names),
        placeholder="Choose a row above, or a violation here",
    )
    drawn_files.files(f"violations.{_name(cell)}", witnesses_table(result, claims, dataset, simulated=source.simulated))
    if chosen is not None:
        property_witness.show(cell, witnesses[chosen], source, threshold)


def _restore(key: str, names: list[str]) -> None:
    """Choose the violation that the address names, before anything else was chosen."""
    named = st.query_params.get(CASE)
    if key not in st.session_state and named in names:
        st.session_state[key] = names.index(named)


def _follow(table: str, key: str, names: list[str]) -> None:
    """Take over the row that was chosen in the table."""
    st.session_state[key] = row_choice.chosen_row(st.session_state[table], len(names))
    _note(key, names)


def _note(key: str, names: list[str]) -> None:
    """Put the chosen violation into the address, so that a link shows it."""
    chosen = st.session_state[key]
    if chosen is None:
        st.query_params.pop(CASE, None)
    else:
        st.query_params[CASE] = names[chosen]


def _moves(cell: Cell, dataset: str, *, labels: bool, simulated: bool) -> None:
    result = cell.result
    trials = list(range(len(result.trials)))
    drawn_files.chart(
        strip_chart(result, dataset, labels=labels, simulated=simulated),
        f"strip.{_name(cell)}",
        trials_table(result, dataset, labels=labels, simulated=simulated),
    )
    place = 0
    if len(trials) > 1:
        place = st.selectbox(
            "Trial",
            trials,
            format_func=lambda number: result.trials[number].trial.label,
            key=f"trial|{_name(cell)}",
        )
    changes = result.trials[place].changes
    if not changes.count:
        st.caption("No debate could be compared under this trial.")
        return
    middle = changes.quantiles[3] if changes.quantiles else 0.0
    st.caption(
        f"Mean change {signed(changes.mean)}, median {signed(middle)}, mean size {score_text(changes.mean_size)}; "
        f"from {signed(changes.quantiles[0])} to {signed(changes.quantiles[-1])}."
    )
    drawn_files.chart(changes_chart(result, place, dataset, simulated=simulated), f"changes.{_name(cell)}")


def _debates(cell: Cell, source: Source, dataset: str) -> None:
    """Draw a row for each debate of a page: what was said under every order, repeat or other trial."""
    result, debates = cell.result, state.tested_debates(source)
    order = in_order(result, debates.ids)
    last = pages_of(len(order))
    page = 1
    if last > 1:
        page = int(st.number_input("Page", 1, last, 1, key=f"debates.page|{_name(cell)}|{source.key}", width=160))
    places = order[(page - 1) * PAGE : page * PAGE]
    first = (page - 1) * PAGE + 1
    st.caption(
        f"Debates {first:,} to {first + len(places) - 1:,} of {len(order):,}: those with a violation first, marked ✕."
    )
    rows = strip_rows(state.database(), cell.judge, result, debates, places, source)
    drawn_files.chart(debates_chart(rows, result, dataset, simulated=source.simulated), f"debates.{_name(cell)}.{page}")
    if cell.judge.model is not None and not all(one is not None for row in rows for one in row.trials):
        st.caption("Where a mark is missing, what the model said is not stored debate by debate.")


def _name(cell: Cell) -> str:
    return f"{cell.judge.id}.{cell.checked.key.replace(' ', '-')}"


__all__ = ["show"]
