"""Settings: how debates are judged and shown, and what Moot is made of."""

from dataclasses import replace
from importlib.metadata import version

import streamlit as st

from core.judgement import DecisionRule
from core.roles import Permission, Role
from pages.components import judge_settings, shell, sign_in, state
from storage.database import schema_version

shell.guard()
shell.header("Settings")
kept = state.preferences()
person = state.person()

judging, decision, display = st.columns(3, gap="large")
with judging:
    st.header("Judges")
    changed = judge_settings.show("settings", kept)
with decision:
    st.header("Decision rule")
    st.caption("The published rule is: true when the score is at least 0.50.")
    threshold = st.number_input("Threshold", 0.0, 1.0, kept.rule.threshold, 0.01, key="settings.threshold")
    abstention = st.number_input(
        "Abstention band, half-width",
        0.0,
        0.5,
        kept.rule.abstention,
        0.01,
        key="settings.abstention",
        help="Scores closer to the threshold than this are Uncertain; 0 decides every score.",
    )
    strict = st.toggle(
        "Strict: at the threshold is False",
        value=kept.rule.strict,
        key="settings.strict",
        help="The rule of ArgLLMs: true only above the threshold.",
    )
    changed = replace(changed, rule=DecisionRule(threshold, abstention, strict))
with display:
    st.header("Display")
    anonymise = st.toggle("Show debaters as Agent 1, Agent 2, …", value=kept.anonymise, key="settings.anonymise")
    reviewer = kept.reviewer
    if not person.signed_in:
        reviewer = st.text_input(
            "Your name, offered when you save", value=kept.reviewer, max_chars=100, key="settings.name"
        ).strip()
    changed = replace(changed, anonymise=anonymise, reviewer=reviewer)
    st.caption("Light or dark follows your system; the menu at the top right changes it.")

if state.may(Permission.CONFIGURE):
    with st.container(horizontal=True):
        if st.button("Save settings", type="primary", disabled=changed == kept):
            state.keep_preferences(changed, for_good=True)
            st.toast("Settings saved")
            st.rerun()
        if st.button("Back to the defaults"):
            state.reset_preferences()
            st.rerun()
else:
    st.caption("Admins change settings for everybody; yours hold until you leave.")
    if st.button("Use in this session", type="primary", disabled=changed == kept):
        state.keep_preferences(changed, for_good=False)
        st.rerun()

st.header("People")
if person.signed_in:
    st.text(f"You are {person.shown}, {person.role.value}.")
    for role in Role:
        st.caption(sign_in.WHAT_ROLES_DO[role])
else:
    st.write("No sign-in is configured: everybody who can open this page is the local user and may do everything.")
    st.caption("docs/sign-in.md says how people sign in with an identity provider and get roles.")

st.header("About")
st.write(
    f"Moot {state.version()}, MIT licence. It runs on this machine alone: no telemetry, and no page asks anything "
    "of another host."
)
packages = ("streamlit", "duckdb", "plotly", "pandas", "numpy", "pyvis", "openai")
st.caption(
    "Database schema "
    f"{schema_version(state.database())}. Built on "
    + ", ".join(f"{name} {version(name)}" for name in packages)
    + "; each under its own licence."
)
