"""Judges of one's own: made from settings, named, pinned, and passed on as a small file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge
from core.roles import Permission
from core.wording import several
from pages.components import file_drop, judge_forms, pages, state
from pages.components.text import plain
from storage.judge_catalogue import Candidate
from storage.judge_definition import definition, judges_in
from storage.text_file import utf8_text

MADE = "shelf.made"
MOST_SHOWN = 10
LONGEST_TITLE = 60
LATER = "Judges that ask a language model can be picked once they have judged: start a run on the Data page."

Add = Callable[[str], bool]


def show(picked: Sequence[Candidate], add: Add) -> None:
    """Draw what makes, names and passes on judges.

    Args:
        picked: The judges side by side now.
        add: Puts a judge among them, by its id, and returns whether there was room.
    """
    if not state.may(Permission.DEFINE):
        st.caption("Viewers define no judges; reviewers and admins do.")
        return
    said = st.session_state.pop(MADE, None)
    if said:
        st.caption(plain(said))
        if said.endswith(LATER):
            st.page_link(pages.data(), label="Go to Data to start a run")
    made, named, shared = st.tabs(["Make", "Name and pin", "Pass on"])
    with made:
        _make(add)
    with named:
        _name(picked)
    with shared:
        _share(picked, add)


def _make(add: Add) -> None:
    try:
        judge = judge_forms.show()
    except MootError as error:
        st.error(plain(str(error)))
        return
    if judge is None:
        return
    st.caption(plain(judge.name))
    st.button("Add this judge", key="shelf.add", on_click=_keep, args=((judge,), add))


def _name(picked: Sequence[Candidate]) -> None:
    if not picked:
        st.caption("Pick a judge first.")
        return
    by_id = {judge.id: judge for judge in picked}
    chosen = st.selectbox("Judge", list(by_id), format_func=lambda name: by_id[name].name, key="shelf.which")
    title = st.text_input("Call it", max_chars=LONGEST_TITLE, key=f"shelf.title|{chosen}").strip()
    pinned = st.toggle("Pinned: stands first in lists", value=by_id[chosen].pinned, key=f"shelf.pinned|{chosen}")
    st.button("Keep", key="shelf.keep", on_click=_rename, args=(by_id[chosen], title, pinned))


def _share(picked: Sequence[Candidate], add: Add) -> None:
    st.download_button(
        "Judges picked, as YAML",
        data=lambda: definition([judge.settings for judge in picked]),
        file_name="judges.yaml",
        mime="application/yaml",
        key="shelf.download",
        on_click="ignore",
        disabled=not picked,
    )
    st.caption("Judges from files, YAML or JSON:")
    try:
        judges = [
            judge
            for file in file_drop.show("Judges from files", "shelf.upload")
            for judge in judges_in(utf8_text(file.getvalue(), file.name))
        ]
    except MootError as error:
        st.error(plain(str(error)))
        return
    if not judges:
        return
    for judge in judges[:MOST_SHOWN]:
        st.text(judge.name)
    label = f"Add {len(judges)} judges" if len(judges) > 1 else "Add the judge"
    st.button(label, key="shelf.take", on_click=_keep, args=(judges, add))


def _keep(judges: Sequence[AnyJudge], add: Add) -> None:
    try:
        added = [add(state.judgements().define(judge)) for judge in judges]
    except MootError as error:
        st.session_state[MADE] = str(error)
        return
    many = several(len(judges), "judge") if len(judges) > 1 else judges[0].name
    asks = any(isinstance(judge, LlmJudge) for judge in judges)
    st.session_state[MADE] = (
        f"{'Added' if all(added) else 'Kept in the list, not added'}: {many}.{f' {LATER}' if asks else ''}"
    )


def _rename(judge: Candidate, title: str, pinned: bool) -> None:
    repository = state.judgements()
    try:
        repository.define(judge.judge or repository.judge(judge.id), title, pinned)
    except MootError as error:
        st.session_state[MADE] = str(error)
        return
    st.session_state[MADE] = f"Kept: {title or judge.name}{', pinned' if pinned else ''}."
