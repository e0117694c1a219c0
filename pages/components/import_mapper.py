"""Which path of a record means what: chosen from the paths that really occur, with saved mappings and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.errors import MootError
from core.wording import shortened
from pages.components import state
from pages.components.import_source import ImportSource
from pages.components.text import plain
from storage.mapping_file import NamedMapping, mapping_text, read_mapping
from storage.readers import AnyMapping, PathMapping, StatementPaths
from storage.readers.path_choices import PathChoice
from storage.readers.path_mapping import STATEMENT_FIELDS, WORD_FIELDS, path_problem

MOST_KINDS = 12
USUAL = ("text", "agent", "polarity", "score", "round")
MORE = tuple(name for name in STATEMENT_FIELDS if name not in USUAL)
FIELD_WORDS = {
    "debate_id": "Debate id",
    "claim": "Claim",
    "label": "Label",
    "title": "Title",
    "text": "Text",
    "agent": "Agent",
    "polarity": "Polarity",
    "score": "Base score",
    "round": "Round",
    "argument_id": "Argument id",
    "target": "Bears on",
    "supports": "Supports (ids)",
    "attacks": "Attacks (ids)",
    "model": "Model",
    "source": "Source",
    "prior": "Prior stance",
    "posterior": "Posterior stance",
}
WORDS = {
    "true_words": "Words of the label that mean true",
    "false_words": "Words of the label that mean false",
    "pro_words": "Words of the polarity that mean pro",
    "con_words": "Words of the polarity that mean con",
}
CONSTANTS = {"polarity": ["=pro", "=con"]}


def show(source: ImportSource, current: PathMapping | None) -> PathMapping:
    """Draw the choices, and return the mapping as chosen; it may not be usable yet."""
    key = source.key
    st.caption(
        plain(
            "Paths go down from a record: turns[].text is the text of every turn, agents.*.says what every agent says, "
            "agents.*~ the agents' names; =pro is the word itself. Choose one, or write your own."
        )
    )
    first = source.paths(None)
    begun = current or first.guess or PathMapping("", (StatementPaths(""),))
    version = st.session_state.get(f"mapper.version|{key}", 0)  # new widgets when a mapping comes from elsewhere
    ours = f"{version}|{key}"
    record = _choice("Where the records are", "record", begun.record, list(first.records), {}, ours, none="each value")
    paths = source.paths(record or "")
    by_path = {str(choice.path): choice for choice in paths.choices}
    once = [path for path, choice in by_path.items() if choice.is_single and not choice.path.repeats]
    every = [path for path, choice in by_path.items() if path and (choice.is_single or choice.lists)]
    places = st.columns(4)
    given: dict[str, Any] = {}
    for place, name in zip(places, ("claim", "debate_id", "label", "title"), strict=True):
        with place:
            given[name] = _choice(FIELD_WORDS[name], name, getattr(begun, name), once, by_path, ours)
    count = _kinds(begun, ours)
    groups = []
    for number in range(count):
        known = begun.statements[number] if number < len(begun.statements) else StatementPaths("")
        groups.append(_statements(known, number, count, every, by_path, ours))
    mapping = replace(
        begun,
        **given | {"claim": given["claim"] or ""},
        record=record or "",
        statements=tuple(groups),
        **_further(begun, given["debate_id"], ours),
    )
    problem = path_problem(mapping)
    if problem is not None:
        st.info(plain(f"Not yet: {problem}."))
    _keep(mapping, source, usable=problem is None)
    return mapping


def saved(source: ImportSource) -> AnyMapping | None:
    """Offer mappings that are saved, or come as a file; return one that was just chosen."""
    repository = state.mappings()
    names = repository.names()
    with st.popover("Use a mapping"):
        if names:
            name = st.selectbox("Saved mappings", names, key=f"mapping.saved|{source.key}")
            with st.container(horizontal=True):
                use = st.button("Use it", key=f"mapping.use|{source.key}")
                if st.button("Forget it", key=f"mapping.forget|{source.key}", type="tertiary"):
                    repository.remove(name)
                    st.rerun()
            if use:
                return _chosen(source, repository.get(name), name)
        else:
            st.caption("No mapping is saved yet.")
        written = st.text_area("Or a mapping's file, YAML or JSON, as text", key=f"mapping.text|{source.key}")
        if st.button("Use this text", key=f"mapping.read|{source.key}", disabled=not written.strip()):
            try:
                named = read_mapping(written)
            except MootError as error:
                st.error(plain(str(error)))
                return None
            return _chosen(source, named.mapping, named.name)
    return None


def _chosen(source: ImportSource, mapping: AnyMapping, name: str) -> AnyMapping:
    st.session_state[f"mapper.version|{source.key}"] = st.session_state.get(f"mapper.version|{source.key}", 0) + 1
    st.session_state[f"mapping.name|{source.key}"] = name
    return mapping


def _choice(
    label: str,
    name: str,
    guess: str | None,
    options: Sequence[str],
    by_path: dict[str, PathChoice],
    key: str,
    none: str = "–",
) -> str | None:
    offered = list(dict.fromkeys(["", *([guess] if guess else []), *options]))

    def words(path: str) -> str:
        choice = by_path.get(path)
        shown = choice is not None and not state.labels_hidden()  # any value may be the label, or tell it
        example = shortened(choice.example, 30) if choice is not None and shown else ""
        return none if not path else f"{path}   {example}" if example else path

    chosen = st.selectbox(
        label,
        offered,
        index=offered.index(guess or ""),
        format_func=words,
        key=f"path.{name}|{key}",
        accept_new_options=True,
    )
    return chosen or None


def _kinds(begun: PathMapping, key: str) -> int:
    """Return how many kinds of statements there are; buttons change that."""
    held = f"mapper.kinds|{key}"
    count: int = st.session_state.setdefault(held, len(begun.statements))

    def change(by: int) -> None:
        st.session_state[held] = max(1, min(MOST_KINDS, count + by))

    with st.container(horizontal=True, vertical_alignment="center"):
        st.text("What was said" if count == 1 else f"What was said: {count} kinds of statements")
        st.space("stretch")
        st.button("Add a kind", key=f"kind.add|{key}", on_click=change, args=(1,), disabled=count >= MOST_KINDS)
        st.button("Remove the last", key=f"kind.less|{key}", on_click=change, args=(-1,), disabled=count <= 1)
    return count


def _statements(
    known: StatementPaths,
    number: int,
    count: int,
    options: Sequence[str],
    by_path: dict[str, PathChoice],
    key: str,
) -> StatementPaths:
    own = f"{number}|{key}"
    mark = "" if count == 1 else f" {number + 1}"
    given: dict[str, str | None] = {}
    for place, name in zip(st.columns(len(USUAL)), USUAL, strict=True):
        with place:
            offered = [*CONSTANTS.get(name, []), *options]
            given[name] = _choice(f"{FIELD_WORDS[name]}{mark}", name, getattr(known, name), offered, by_path, own)
    with st.expander(f"More about these statements{mark}", expanded=any(getattr(known, name) for name in MORE)):
        columns = st.columns(4)
        for position, name in enumerate(MORE):
            with columns[position % 4]:
                label = f"{FIELD_WORDS[name]}{mark}"
                given[name] = _choice(label, name, getattr(known, name), options, by_path, own)
    return StatementPaths(given.pop("text") or "", **given)


def _further(begun: PathMapping, debate_id: str | None, key: str) -> dict[str, Any]:
    with st.expander("Words, rounds and records that belong together"):
        joined = st.checkbox(
            "Records with the same debate id make up one debate",
            begun.joined,
            key=f"joined|{key}",
            disabled=debate_id is None,
        )
        carried = st.checkbox("Each round also holds what was said before it", begun.carried, key=f"carried|{key}")
        words = {}
        for place, name in zip(st.columns(4), WORD_FIELDS, strict=True):
            known = ", ".join(getattr(begun, name))
            written = place.text_input(WORDS[name], known, key=f"{name}|{key}", help="Separated by commas")
            words[name] = tuple(word.strip() for word in written.split(",") if word.strip())
    return {"joined": joined and debate_id is not None, "carried": carried, **words}


def _keep(mapping: PathMapping, source: ImportSource, *, usable: bool) -> None:
    key = source.key
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Save this mapping as", st.session_state.get(f"mapping.name|{key}", ""), key=f"mapping.as|{key}"
        )
        if st.button("Save mapping", key=f"mapping.save|{key}", disabled=not (usable and name.strip())):
            try:
                kept = state.mappings().save(NamedMapping(name, mapping))
            except MootError as error:
                st.error(plain(str(error)))
            else:
                st.session_state[f"mapping.name|{key}"] = kept.name
                st.toast(plain(f"Saved as {kept.name}."))
        if usable:
            st.download_button(
                "Mapping as YAML",
                mapping_text(NamedMapping(name.strip() or "mapping", mapping)),
                file_name="mapping.yaml",
                mime="application/yaml",
                key=f"mapping.file|{key}",
                on_click="ignore",
            )
