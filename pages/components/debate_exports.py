"""Debates to take away: a format is chosen, what it cannot carry is said, and the file is made when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice

import streamlit as st

from core.export import file_name
from core.exporting import EXPORTERS, Aspect, Exporter, debates_of, in_words
from core.unlabelled import unlabelled_line
from core.wording import several
from pages.components import state
from pages.components.text import plain

MOST_COMPARED = 1000  # debates that are gone through to say what a format loses of them

Lines = Callable[[], Iterable[str]]


def show(label: str, lines: Lines, count: int, name: str, key: str, *, without: str = "") -> None:
    """Offer debates in every format; while gold labels are hidden, without what tells them.

    Args:
        label: What the button says.
        lines: Makes the debates as lines of the native format when they are asked for.
        count: How many there are.
        name: What the file is called, without its ending.
        key: Prefix of the widgets' keys.
        without: A format that is offered beside it.
    """
    choice = st.popover(label, key=f"{key}.formats", on_change="rerun")
    if not choice.open:
        return
    hidden = state.labels_hidden()  # now, for this session: the file is made outside of it
    wanted: Lines = partial(_unlabelled, lines) if hidden else lines
    with choice:
        names = [each for each in EXPORTERS if each != without]
        chosen = st.selectbox("Format", names, format_func=lambda each: EXPORTERS[each].title, key=f"{key}.format")
        made = EXPORTERS[chosen]
        if hidden:
            st.caption("Gold labels are hidden, so they are not in the file either.")
        if not _losses(made, wanted, count):
            return
        st.download_button(
            "Download" if count == 1 else f"Download {several(count, 'debate')}",
            data=lambda: b"".join(made.write(debates_of(wanted()))),
            file_name=file_name(f"{name} without label" if hidden else name, made.suffix(several=count > 1)),
            mime=made.media_type(several=count > 1),
            key=f"{key}.download",
            on_click="ignore",
            type="primary",
            width="stretch",
        )


def _losses(made: Exporter, lines: Lines, count: int) -> bool:
    """Say what the format cannot carry; return whether it can carry anything."""
    lost = made.losses(islice(debates_of(lines()), MOST_COMPARED))
    if any(loss.aspect is Aspect.DEBATES and loss.debates == loss.of for loss in lost) and count <= MOST_COMPARED:
        st.info(
            f"{made.title} cannot hold {'this debate' if count == 1 else 'these debates'}: nothing bears on a claim."
        )
        return False
    if not lost:
        st.caption("Nothing is lost in this format.")
    else:
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in in_words(lost)))
    if count > MOST_COMPARED:
        st.caption(f"As the first {MOST_COMPARED:,} of {several(count, 'debate')} tell.")
    return True


def _unlabelled(lines: Lines) -> Iterable[str]:
    return map(unlabelled_line, lines())


__all__ = ["show"]
