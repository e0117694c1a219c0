"""Which templates debaters are asked with, and a change of one of them."""

from __future__ import annotations

import streamlit as st

from core.debating.prompts import TEMPLATES, DebatePrompts
from core.errors import MootError
from pages.components.text import plain
from storage.debate_prompt_files import debate_prompt_sets, load_debate_prompts

CHANGED = "changed"
EDITS = "debating.prompts.edits"  # changed templates by name
SET = "debating.prompts.set"
LONGEST = 20_000  # characters of a template
STEPS = {
    "debater": "who the debater is",
    "prior": "stance before any argument",
    "argument": "one pro or con",
    "arguments": "pros and cons",
    "revision": "revised pros and cons",
    "turn": "a turn on the common list",
    "base_score": "base score of an argument",
    "posterior": "stance after the arguments",
    "listing": "how arguments are listed",
    "ask_again": "when a reply cannot be read",
}


def show(earlier: DebatePrompts | None) -> DebatePrompts | None:
    """Draw the choice of templates and what can be changed in them; return them, None while they cannot be used.

    Args:
        earlier: The templates of the run that this one begins from, if it does.
    """
    with st.expander("Prompts"):
        try:
            chosen = _chosen(earlier)
            return _changed(chosen)
        except MootError as error:
            st.error(plain(str(error)))
            return None


def _chosen(earlier: DebatePrompts | None) -> DebatePrompts:
    names = [*([f"{earlier.name}, as in the earlier run"] if earlier else []), *debate_prompt_sets()]
    name = names[0]
    if len(names) > 1:
        name = st.selectbox("Set", names, key=SET, on_change=_forget)
    if earlier is not None and name == names[0]:
        return earlier
    return load_debate_prompts(name)


def _changed(chosen: DebatePrompts) -> DebatePrompts:
    edits: dict[str, str] = st.session_state.setdefault(EDITS, {})
    texts = dict(chosen.texts)
    template = st.selectbox(
        "Template",
        list(TEMPLATES),
        format_func=lambda name: f"{name}: {STEPS[name]}",
        key="debating.prompts.template",
        help="Jinja templates. Claims and arguments enter them as quoted data.",
    )
    key = f"debating.prompt|{chosen.hash[:12]}|{template}"
    st.session_state.setdefault(key, edits.get(template, texts[template]))
    text = st.text_area("Text of the template", key=key, height=260, max_chars=LONGEST)
    if text == texts[template]:
        edits.pop(template, None)
    else:
        edits[template] = text
    if not edits:
        return chosen
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Changed for this run: {', '.join(edits)}. The files stay as they are.")
        st.button("Take all changes back", key="debating.prompts.back", on_click=_forget)
    return DebatePrompts.from_texts(CHANGED, {**texts, **edits})


def _forget() -> None:
    """Forget all changes, and what is typed."""
    st.session_state[EDITS] = {}
    for key in [str(key) for key in st.session_state if str(key).startswith("debating.prompt|")]:
        del st.session_state[key]


__all__ = ["show"]
