"""Who has the page open: the identity provider's word where sign-in is configured, else the local user.

Whatever is wrong with the configuration, the answer is that nobody is signed in, and never that everybody may do
everything.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError
from streamlit.runtime.secrets import secrets_singleton

from core.errors import MootError, NotAllowed
from core.roles import LOCAL_USER, Person
from storage.roles_file import VARIABLE, role_mapping, roles_path

SECTION = "auth"  # of Streamlit's secrets.toml

_signing_in = threading.Event()  # set once people had to sign in to this server: no lost file makes it open to all


class NotSignedIn(NotAllowed):
    """Sign-in is configured and nobody is signed in."""


class SignInTrouble(NotAllowed):
    """Sign-in is configured in a way that lets nobody in."""


def person() -> Person:
    """Return who has the page open.

    Raises:
        NotSignedIn: If sign-in is configured and nobody is signed in.
        SignInTrouble: If the configuration cannot be read or contradicts itself.
    """
    if not configured():
        return LOCAL_USER
    claims = st.user.to_dict()
    if claims.get("is_logged_in") is not True:
        raise NotSignedIn("Sign in first.")
    try:
        return role_mapping().person(claims)
    except MootError as error:
        raise SignInTrouble(str(error)) from error


def configured() -> bool:
    """Return whether people have to sign in.

    Raises:
        SignInTrouble: If that cannot be known.
    """
    if _no_secrets():
        if _signing_in.is_set():
            return True
    elif "is_logged_in" in st.user.to_dict() or _section() is not None:
        if st.secrets is secrets_singleton:  # and not one that a test put in its place
            _signing_in.set()
        return True
    if roles_path() is not None:
        raise SignInTrouble(
            f"{VARIABLE} gives roles to people who sign in, and secrets.toml has no [{SECTION}] section by which they "
            "could. Configure sign-in, or take the variable away."
        )
    return False


def providers() -> dict[str, str]:
    """Return the identity providers to choose from: a label by the name for ``st.login``; "" for the only one."""
    section = _section() or {}
    named = {name: name for name, value in section.items() if isinstance(value, Mapping) and "client_id" in value}
    return ({"": "Sign in"} if "client_id" in section else {}) | {name: f"Sign in with {name}" for name in named}


def _no_secrets() -> bool:
    """Return whether there is no secrets file: that is quick to see, and asking Streamlit is not."""
    return st.secrets is secrets_singleton and not any(Path(place).exists() for place in st.get_option("secrets.files"))


def _section() -> Mapping[str, Any] | None:
    try:
        section = st.secrets.to_dict().get(SECTION)
    except StreamlitSecretNotFoundError as error:
        # The same error for a file that is not there and for one that cannot be read.
        if any(Path(place).exists() for place in st.get_option("secrets.files")):
            raise SignInTrouble("Streamlit's secrets.toml cannot be read; its log says why.") from error
        return None
    if section is None:
        return None
    if not isinstance(section, Mapping):
        raise SignInTrouble(f"[{SECTION}] in secrets.toml is no section.")
    return section
