"""Run debates: let models debate claims, watch them, and open what they said like any other debate."""

import streamlit as st

from core.roles import Permission
from pages.components import debated_sample, debating_form, debating_list, shell, state

shell.guard()
shell.header("Run debates")
st.caption(
    "Agents, each a model with a temperature and a persona, debate your claims in the background. A run goes on when "
    "this page is closed, can be cancelled at once and resumed, and asks nothing again whose reply is stored. Its "
    "debates become a data set of their own, to be read, contested and judged like any other."
)
if state.may(Permission.RUN):
    debating_form.show()
else:
    st.info("Viewers start no runs; reviewers and admins do.")
debating_list.show()
debated_sample.show()
