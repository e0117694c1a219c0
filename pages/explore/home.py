"""Home: what this is, and the next click."""

import streamlit as st

from core.overview import Agreement, overview, worth_a_look
from core.roles import Permission
from core.wording import SAMPLE, several, shortened
from pages.components import debate_table, pages, peek, shell, state
from pages.components.text import plain
from storage.debate_filter import DebateFilter

shell.guard()
shell.header("Moot")

if state.debates().count() == 0:
    with st.container(key="claim.hero"):
        st.text("Read debates between AI agents, contest their arguments, and see the verdict change at once.")
    with st.container(horizontal=True):
        if state.may(Permission.IMPORT) and st.button("Load sample debates", type="primary"):
            state.load_sample()
            st.rerun()
        if st.button("Import my own"):
            st.switch_page(pages.data())
    for column, (title, text) in zip(
        st.columns(3, border=True),
        (
            ("1. Browse", "Find the debates where judges disagree or a verdict is close."),
            ("2. Read", "See every argument in a map, with its base score and its strength."),
            ("3. Contest", "Move a base score, add or drop an argument, and save what you found with a reason."),
        ),
        strict=True,
    ):
        column.header(title)
        column.write(text)
    st.stop()

st.write("Read debates between AI agents, contest their arguments, and see the verdict change at once.")

judge_a, judge_b = state.compared_judges()
dataset = state.chosen_dataset()
listed = state.debates().list(DebateFilter(datasets=(dataset,)) if dataset else DebateFilter())
frame = overview(listed, state.scores(judge_a, listed["id"]), state.scores(judge_b, listed["id"]), judge_a.rule)

start = [row for row in listed.to_dict("records") if "start here" in list(row["tags"])]
if start:
    with st.container(border=True, key="claim.start"):
        with st.container(horizontal=True, gap="xsmall"):
            st.caption("Start here")
            if start[0]["is_sample"]:
                st.badge(SAMPLE, color="gray")
        st.text(start[0]["claim"])
        if start[0]["note"]:
            with st.container(key="quiet.start"):
                st.text(start[0]["note"])
        if st.button("Contest this debate", type="primary", key="start"):
            st.switch_page(pages.contest(), query_params=state.link(start[0]["id"]))

verdicts = int((frame["agreement"] != Agreement.NO_VERDICT.value).sum())
differ = int((frame["agreement"] == Agreement.DISAGREE.value).sum())
cards = st.columns(4)
cards[0].metric("Debates", f"{len(frame):,}", border=True)
cards[1].metric("Arguments", f"{int(listed['arguments'].sum()):,}", border=True)
cards[2].metric(
    "Judges disagree",
    f"{differ / verdicts:.0%}" if verdicts else "–",
    border=True,
    help=f"{plain(judge_a.name)} and {plain(judge_b.name)} differ on {differ} of {verdicts} debates.",
)
cards[2].page_link(pages.compare(), label="Compare judges side by side")
cards[3].metric("Contestations saved", f"{state.contestations().count():,}", border=True)

st.header("Worth a look")
st.caption(f"Judge A: {plain(judge_a.name)}. Judge B: {plain(judge_b.name)}. Choose a row to look into a debate.")
chosen = debate_table.show(worth_a_look(frame), "home", columns=debate_table.SHORT)
if chosen is not None:
    peek.show(chosen, (judge_a, judge_b))
st.page_link(pages.browse(), label=f"Browse all {several(len(frame), 'debate')}")

recent = [name for name in state.recent_debate_ids() if name in set(listed["id"])]
if recent:
    st.header("Continue")
    claims = dict(zip(listed["id"], listed["claim"], strict=True))
    for name in recent:
        st.page_link(pages.contest(), label=plain(shortened(claims[name], 110)), query_params=state.link(name))
