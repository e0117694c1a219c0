"""The sign-in screen, which is all that people see until they have signed in, and who is signed in."""

from __future__ import annotations

import streamlit as st
from streamlit.errors import StreamlitAuthError, StreamlitMissingAuthlibError

from core.errors import NotAllowed
from core.roles import Role
from pages.components import identity, state
from pages.components.text import plain

WHAT_ROLES_DO = {
    Role.VIEWER: "Viewers read everything and try out changes; they save nothing.",
    Role.REVIEWER: "Reviewers save contestations with a reason, comment, import debates and run judges.",
    Role.ADMIN: "Admins also rule on contestations, remove what is stored and change settings for everybody.",
}


def ask() -> bool:
    """Draw the sign-in screen where nobody is signed in who has to be; return whether it was drawn."""
    try:
        state.person()
    except identity.NotSignedIn:
        _screen()
        return True
    except NotAllowed as trouble:
        st.title("Moot")
        st.error(f"Nobody can sign in. {plain(str(trouble))}")
        st.caption("Whoever runs Moot can mend this; docs/sign-in.md says how.")
        if _signed_in():
            st.button("Sign out", on_click=st.logout, key="sign_in.out")
        return True
    return False


def done() -> bool:
    """Return whether somebody is signed in, or nobody has to be."""
    try:
        state.person()
    except NotAllowed:
        return False
    return True


def badge() -> None:
    """Draw who is signed in, in which role, and the way out; in the sidebar."""
    person = state.person()
    with st.container(key="quiet.person"):
        if not person.signed_in:
            with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
                st.text("Local user")
                st.badge(person.role.value.capitalize(), color="gray")
            st.caption("No sign-in is configured: whoever opens this page may do everything.")
            return
        st.text(person.shown)
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
            st.badge(person.role.value.capitalize(), color="gray", help=WHAT_ROLES_DO[person.role])
            st.button("Sign out", on_click=st.logout, type="tertiary", key="sign_in.out")
        if person.role is Role.VIEWER:
            st.caption("You may read and try out everything; nothing you change is saved.")


def _screen() -> None:
    st.title("Moot")
    st.write("Read debates between AI agents, contest their arguments, and see the verdict change at once.")
    st.caption("Sign in to go on. Whoever runs this Moot decides who may do what.")
    with st.container(horizontal=True):
        for name, label in identity.providers().items():
            if st.button(label, type="primary", key=f"sign_in|{name}"):
                _go(name)


def _go(provider: str) -> None:
    try:
        st.login(provider or None)
    except StreamlitMissingAuthlibError:
        st.error("Sign-in needs the package Authlib; install what requirements.txt lists.")
    except StreamlitAuthError as error:
        st.error(f"Sign-in is not configured well. {plain(str(error))}")


def _signed_in() -> bool:
    return st.user.to_dict().get("is_logged_in") is True
