"""The place to drop files, named for people who cannot see it."""

from __future__ import annotations

from typing import Any

import streamlit as st

# Streamlit marks the place as presentational and names it all the same, so that browsers do not agree on whether to
# announce it. As a group it is announced with its name.
_named = st.components.v2.component(
    "moot_named_file_drop",
    js="""
export default function () {
  const name = () => document
    .querySelectorAll('[data-testid="stFileUploaderDropzone"][role="presentation"]')
    .forEach((place) => place.setAttribute("role", "group"));
  name();
  const watch = new MutationObserver(name);
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["role"] });
  return () => watch.disconnect();
}
""",
)


def show(label: str, key: str) -> list[Any]:
    """Draw the place and return the files dropped there."""
    files = st.file_uploader(label, accept_multiple_files=True, key=key, label_visibility="collapsed")
    _named(key=f"{key}.named", height=1)
    return list(files or [])
