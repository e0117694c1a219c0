"""What changed in a debate's arguments from one round to the next."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.debate import Debate
from core.rounds.changes import ArgumentChange, ChangeKind, RefusedEdit, RoundChanges, changes
from core.rounds.tables import bearing_words, change_table, counts_sentence, named
from core.rounds.word_diff import word_diff
from core.wording import RELATION_SIGN, number, signed
from pages.components import exports, rounds_diff
from pages.components.text import plain

MOST_BUTTONS = 12  # rounds to choose from in a row of buttons
MOST_SHOWN = 40  # changes drawn; the table has all
MOST_REFUSED = 20


def show(debate: Debate, names: Mapping[str, str]) -> None:
    """Draw what changed in a round that is chosen here, agent by agent, and all changes as a table.

    Args:
        debate: The debate, of one round or more.
        names: What to call agents, by id.
    """
    st.header("What changed from round to round")
    found = changes(debate)
    chosen = _chosen(debate, found)
    st.markdown(f"**{plain(counts_sentence(chosen))}**")
    if any(one.kind is ChangeKind.REWORDED for one in chosen.changed):
        st.caption(f"In reworded arguments: {rounds_diff.LEGEND}")
    left = MOST_SHOWN
    order = list(names)
    for author in sorted(chosen.authors, key=lambda name: order.index(str(name)) if name in names else len(order)):
        changed = chosen.of(author)[: max(left, 0)]
        left -= len(changed)
        if changed:
            st.subheader(plain(named(author, names)))
        for one in changed:
            with st.container(border=True):
                _change(one, names)
    if left < 0 or len(chosen.changed) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN} of {len(chosen.changed)} changes; the table below has all.")
    if chosen.refused:
        _refused(chosen, names)
    _table(debate, found, names)


def _chosen(debate: Debate, found: tuple[RoundChanges, ...]) -> RoundChanges:
    by_number = {one.number: one for one in found}
    numbers = list(by_number)
    key, words = f"rounds.changes|{debate.id}", (lambda one: _between(by_number[one]))
    if len(numbers) <= MOST_BUTTONS:
        chosen = st.segmented_control(
            "Rounds compared", numbers, default=numbers[-1], required=True, format_func=words, key=key
        )
    else:
        chosen = st.selectbox("Rounds compared", numbers, index=len(numbers) - 1, format_func=words, key=key)
    return by_number[numbers[-1] if chosen is None else chosen]


def _between(found: RoundChanges) -> str:
    return f"Round {found.number}" if found.since is None else f"{found.since} → {found.number}"


def _change(one: ArgumentChange, names: Mapping[str, str]) -> None:
    sign = RELATION_SIGN[one.side] if one.side else "·"
    told = "" if one.kind is ChangeKind.MOVED else f": {one.kind.value}"  # the scores that follow say that
    facts = [f"{sign} {one.argument.id}{told}"]
    if one.before and one.after and one.before.id != one.after.id:
        facts.append(f"{one.before.id} before")
    if one.kind is ChangeKind.REWORDED:
        facts.append(f"{100 * one.in_common:.0f} % of the words in common")
    if one.bearing_before != one.bearing_after and one.before and one.after:
        was, now = (bearing_words(bearing) or "bears on nothing" for bearing in (one.bearing_before, one.bearing_after))
        facts.append(f"{was} → {now}")
    facts.append(_scores(one))
    if one.by_others:
        owner = named(one.argument.author, names)
        facts.append(f"edited by {', '.join(named(name, names) for name in one.by_others)}, though it is {owner}'s")
    st.caption(plain(" · ".join(facts)))
    if one.before is None or one.after is None or one.before.text == one.after.text:
        st.text(one.argument.text)
    elif one.kind is ChangeKind.REWORDED:
        rounds_diff.show(word_diff(one.before.text, one.after.text))
    else:
        st.text(f"Before: {one.before.text}")
        st.text(f"Now: {one.after.text}")


def _scores(one: ArgumentChange) -> str:
    if one.before is None or one.after is None:
        return f"base score {number(one.argument.base_score)}"
    if one.before.base_score == one.after.base_score:
        return f"base score stays {number(one.after.base_score)}"
    moved = "" if one.move is None else f" ({signed(one.move, 2)})"
    return f"base score {number(one.before.base_score)} → {number(one.after.base_score)}{moved}"


def _refused(found: RoundChanges, names: Mapping[str, str]) -> None:
    st.subheader("Edits that were refused")
    for one in found.refused[:MOST_REFUSED]:
        with st.container(border=True):
            st.text(_refused_words(one, names))
            if one.text:
                st.text(one.text)
    if len(found.refused) > MOST_REFUSED:
        st.caption(f"The first {MOST_REFUSED} of {len(found.refused)}; the table below has all.")


def _refused_words(one: RefusedEdit, names: Mapping[str, str]) -> str:
    score = "" if one.base_score is None else f" to base score {number(one.base_score)}"
    why = f": {one.why}" if one.why else ""
    return f"{named(one.agent, names)} asked to change {one.argument}{score}{why}"


def _table(debate: Debate, found: tuple[RoundChanges, ...], names: Mapping[str, str]) -> None:
    with st.expander("All changes of all rounds as a table"):
        table = change_table(found, names)
        st.dataframe(
            table,
            hide_index=True,
            column_config={
                "Base score before": st.column_config.NumberColumn(format="%.2f"),
                "Base score after": st.column_config.NumberColumn(format="%.2f"),
                "Base score moved": st.column_config.NumberColumn(format="%+.2f"),
                "Words in common": st.column_config.NumberColumn(format="percent"),
            },
            placeholder="–",
            alt=f"The {len(table)} changes of arguments over {len(found)} rounds",
        )
        exports.table(table, f"{debate.id} changes", "rounds.changes.export")


__all__ = ["show"]
