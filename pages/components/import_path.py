"""A file or folder on the server, for logs that are too large to be sent through the browser."""

from __future__ import annotations

import streamlit as st

from core.errors import MootError
from core.roles import Permission
from pages.components import import_source, state
from pages.components.import_source import ImportSource
from pages.components.text import plain


def show() -> list[ImportSource]:
    """Draw the field for a path, and return what it names; only who runs Moot may read the server's files."""
    largest = st.get_option("server.maxUploadSize")
    if not state.may(Permission.CONFIGURE):
        st.caption(f"Files of more than {largest} MB are brought in by an admin, or with cli.py import.")
        return []
    with st.expander(f"A file of more than {largest} MB, or a folder: name its path on the server"):
        st.caption("It is read where it is, piece by piece, whatever its size; the browser sends nothing.")
        written = st.text_input("Path on the server", key="data.path")
        if not written.strip():
            return []
        try:
            return [import_source.on_server(written)]
        except MootError as error:
            st.error(plain(str(error)))
            return []
