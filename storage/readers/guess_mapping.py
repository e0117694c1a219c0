"""A first guess at which column of a table means what, from the columns' names and, where need be, their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.score_text import bare_number
from storage.readers.cells import is_missing, polarity_of
from storage.readers.table_mapping import AgentColumns, ArgumentColumns, Layout, TableMapping

# In each list the likeliest name comes first; names are compared after ``_plain_name``.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "debate_id": (
        "debate_id", "debate", "debateid", "dialogue_id", "conversation_id", "session_id", "case_id", "example_id",
        "item_id", "sample_id", "case",
    ),
    "claim_id": ("claim_id", "claimid", "question_id", "statement_id", "motion_id", "topic_id"),
    "claim": (
        "claim", "claim_text", "statement", "thesis", "motion", "proposition", "hypothesis", "resolution", "topic",
        "question", "claim_to_verify",
    ),
    "label": (
        "label", "gold_label", "gold", "ground_truth", "groundtruth", "truth", "true_label", "gold_standard", "is_true",
        "veracity", "valid", "claim_label", "target_label", "answer", "correct",
    ),
    "title": ("title", "debate_title"),
    "protocol": ("protocol", "scenario", "debate_protocol"),
    "agent": ("agent", "agent_id", "agent_name", "debater", "author", "speaker", "participant", "user"),
    "model": ("model", "model_name", "llm", "engine"),
    "round": ("round", "round_number", "round_id", "turn", "step", "iteration", "time_step"),
    "prior": (
        "prior", "prior_stance", "prior_score", "initial_stance", "stance_before", "before", "initial_score",
        "initial_confidence", "prior_belief", "pre",
    ),
    "posterior": (
        "posterior", "posterior_stance", "posterior_score", "post", "post_stance", "final_stance", "stance_after",
        "after", "final_score", "final_confidence", "posterior_belief",
    ),
    "argument_id": ("argument_id", "argumentid", "arg_id", "node_id", "argument_no", "argument_nr", "aid"),
    "target": (
        "target", "target_id", "target_argument", "parent", "parent_id", "reply_to", "replies_to", "in_response_to",
        "bears_on", "attacks_or_supports",
    ),
    "polarity": (
        "polarity", "pro_con", "procon", "pro_or_con", "stance", "side", "for_against", "position", "relation", "sign",
        "argument_type", "direction", "kind", "type",
    ),
    "text": (
        "argument", "argument_text", "text", "arg", "reason", "premise", "content", "message", "utterance", "response",
        "body", "comment", "sentence",
    ),
    "base_score": (
        "base_score", "basescore", "base", "score", "argument_score", "weight", "strength", "initial_weight",
        "likelihood", "probability", "confidence", "quality", "wa", "rating", "tau",
    ),
    "source": ("source", "source_url", "url", "citation", "evidence", "reference"),
}  # fmt: skip
"""What people call the columns of a long table."""

_UNSURE_NAMES = frozenset(
    {"stance", "side", "position", "relation", "sign", "argument_type", "direction", "kind", "type"}
)
_SIGNS = frozenset({"+/-", "+ / -", "±", "-/+", "+-"})

_PRIOR = frozenset({"prior", "before", "initial", "pre"})
_POSTERIOR = frozenset({"post", "posterior", "after", "final"})
_PRO = frozenset({"pro", "pros", "support", "supports", "supporting"})
_CON = frozenset({"con", "cons", "attack", "attacks", "attacking", "against"})
_SCORE = frozenset({"score", "base", "weight", "likelihood", "strength", "confidence", "probability", "basescore"})
_FILLER = frozenset({"stance", "text", "argument", "arg", "belief", "opinion"})
_SIDE_WITH_NUMBER = re.compile(r"(pros?|cons?|supports?|attacks?)(\d+)")
MOST_COLUMNS = 10_000  # that are looked at: tables of debates have a few dozen
_BEFORE_NUMBER = frozenset({"agent", "debater", "model", "llm", "speaker", "participant"})


def guess_mapping(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> TableMapping:
    """Return which column seems to mean what, with why; the person may change it.

    Args:
        columns: The names as they stand in the table; only the first ``MOST_COLUMNS`` are looked at.
        rows: The first rows, to look at where a name alone does not tell.
    """
    columns = columns[:MOST_COLUMNS]
    places = {column: place for place, column in reversed(list(enumerate(columns)))}
    groups = _groups(columns)
    named, why = _by_name(columns, rows, places)
    wide = [group for group in groups if group.arguments]
    one_a_row = "text" in named and ("polarity" in named or not any(group.agent for group in wide))
    if wide and not one_a_row:
        return _wide(groups, named, why, columns)
    _by_content(columns, rows, places, named, why)
    return TableMapping(Layout.LONG, why=why, **named)


def mapping_problem(mapping: TableMapping) -> str | None:
    """Return what a mapping lacks to make debates of a table, in words, or None."""
    if mapping.claim is None:
        return "no column holds the claim"
    if mapping.layout is Layout.WIDE:
        return None if any(group.arguments for group in mapping.agents) else "no columns hold arguments"
    if mapping.text is None:
        return "no column holds the arguments' texts"
    if not any((mapping.polarity, mapping.base_score, mapping.agent, mapping.argument_id, mapping.target)):
        return "beside the texts there is no polarity, base score, agent, argument id or target"
    return None


# -- names -------------------------------------------------------------------------------------------------------


def _plain_name(column: str) -> str:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", column)
    return re.sub(r"[\W_]+", "_", spaced.casefold()).strip("_")


def _by_name(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], places: Mapping[str, int]
) -> tuple[dict[str, Any], dict[str, str]]:
    named: dict[str, Any] = {}
    why: dict[str, str] = {}
    plain = {column: _plain_name(column) for column in columns}
    called: dict[str, list[str]] = {}
    for name in columns:
        called.setdefault(plain[name], []).append(name)
    for field, synonyms in SYNONYMS.items():
        for synonym in synonyms:
            column = next((c for c in called.get(synonym, ()) if c not in why), None)
            if column is None or (synonym in _UNSURE_NAMES and not _says_polarity(rows, places[column])):
                continue
            named[field] = column
            why[column] = f"The name {column!r} is usual for the {_in_words(field)}."
            break
    sign = next((c for c in columns if c.strip() in _SIGNS and c not in why), None)
    if sign is not None and "polarity" not in named:
        named["polarity"] = sign
        why[sign] = f"The name {sign!r} is usual for the polarity."
    _bare_id(rows, places, plain, named, why)
    return named, why


def _bare_id(
    rows: Sequence[Sequence[Any]],
    places: Mapping[str, int],
    plain: dict[str, str],
    named: dict[str, Any],
    why: dict[str, str],
) -> None:
    """Decide what a column named just "id" counts: arguments when no two rows share one, else debates."""
    column = next((c for c in plain if plain[c] in ("id", "index", "key") and c not in why), None)
    if column is None:
        return
    values = [value for value in _values(rows, places[column]) if not is_missing(value)]
    each_its_own = len(set(map(str, values))) == len(values)
    wide = "text" not in named
    field = "debate_id" if wide or not each_its_own else "argument_id"
    if field not in named:
        named[field] = column
        reason = "rows do not share it" if each_its_own else "several rows share it"
        why[column] = f"{column!r} is taken for the {_in_words(field)}: {reason}."


def _in_words(field: str) -> str:
    return {"text": "argument's text"}.get(field, field.replace("_", " "))


# -- values ------------------------------------------------------------------------------------------------------


def _values(rows: Sequence[Sequence[Any]], place: int) -> list[Any]:
    return [row[place] for row in rows if place < len(row)]


def _says_polarity(rows: Sequence[Sequence[Any]], place: int) -> bool:
    values = [value for value in _values(rows, place) if not is_missing(value)]
    said = sum(polarity_of(value) is not None for value in values)
    return bool(values) and said * 2 > len(values)


def _by_content(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    places: Mapping[str, int],
    named: dict[str, Any],
    why: dict[str, str],
) -> None:
    """Fill in claim, text and polarity from what the other columns hold."""
    free = [column for column in columns if column not in why]
    if "polarity" not in named:
        for column in free:
            if _says_polarity(rows, places[column]) and not all(map(_is_numeric, _values(rows, places[column]))):
                named["polarity"] = column
                why[column] = f"The cells of {column!r} say pro or con."
                free.remove(column)
                break
    if not named:
        return
    long_texts = {column: _texts(rows, places[column]) for column in free}
    for field, repeats in (("claim", True), ("text", False)):
        if field in named:
            continue
        fitting = [
            column
            for column, texts in long_texts.items()
            if column not in why and texts and (len(set(texts)) * 2 <= len(texts)) is repeats
        ]
        if fitting:
            column = max(fitting, key=lambda name: sum(map(len, long_texts[name])))
            named[field] = column
            manner = "sentences that repeat" if repeats else "sentences of its own in each row"
            why[column] = f"{column!r} holds {manner}, so it is taken for the {_in_words(field)}."


def _texts(rows: Sequence[Sequence[Any]], place: int) -> list[str]:
    """Return a column's values when they are sentences, else nothing."""
    values = [value for value in _values(rows, place) if not is_missing(value)]
    texts = [value for value in values if isinstance(value, str) and " " in value.strip()]
    return texts if values and len(texts) * 10 >= len(values) * 9 else []


def _is_numeric(value: Any) -> bool:
    return is_missing(value) or bare_number(value) is not None


# -- wide tables -------------------------------------------------------------------------------------------------


def _wide(
    groups: list[AgentColumns], named: dict[str, Any], why: dict[str, str], columns: Sequence[str]
) -> TableMapping:
    kept = tuple(g for g in groups if g.arguments or (g.agent and g.prior and g.posterior))
    of_groups = {column for group in kept for column in _columns_of(group)}
    whole = ("debate_id", "claim_id", "claim", "label", "title", "protocol")
    fields = {field: named[field] for field in whole if field in named and named[field] not in of_groups}
    reasons = {column: why[column] for column in fields.values()}
    for group in kept:
        for column in _columns_of(group):
            whose = f"agent {group.agent!r}" if group.agent else "no agent in particular"
            reasons[column] = f"By its name, {column!r} belongs to {whose}."
    return TableMapping(Layout.WIDE, agents=kept, why={c: reasons[c] for c in columns if c in reasons}, **fields)


def _columns_of(group: AgentColumns) -> list[str]:
    found = [group.model, group.prior, group.posterior]
    found += [column for a in group.arguments for column in (a.text, a.base_score)]
    return [column for column in found if column is not None]


def _groups(columns: Sequence[str]) -> list[AgentColumns]:
    """Return the groups of columns such as A1_prior, A1_pro, A1_pro_score, A1_con2, in the order they come in."""
    agents: dict[str, AgentColumns] = {}
    sides: dict[str, dict[tuple[str, str], dict[str, str]]] = {}
    for column in columns:
        read = _read_name(column)
        if read is None:
            continue
        agent, side, number, what = read
        group = agents.setdefault(agent, AgentColumns(agent))
        if side:
            sides.setdefault(agent, {}).setdefault((side, number), {}).setdefault(what, column)
        elif what == "model":
            agents[agent] = replace(group, model=group.model or column)
        elif what == "prior":
            agents[agent] = replace(group, prior=group.prior or column)
        else:
            agents[agent] = replace(group, posterior=group.posterior or column)
    for agent, found in sides.items():
        arguments = tuple(
            ArgumentColumns(parts["text"], side, parts.get("score"))
            for (side, _), parts in found.items()
            if "text" in parts
        )
        agents[agent] = replace(agents[agent], arguments=arguments)
    return list(agents.values())


def _read_name(column: str) -> tuple[str, str, str, str] | None:
    """Return agent, side, number and what of a column's name, as in ("A1", "pro", "2", "score"), or None."""
    agent: list[str] = []
    side = number = what = ""
    before = ""
    for token in _tokens(column):
        word = token.casefold()
        if word in _PRO or word in _CON:
            if side:
                return None
            side = "pro" if word in _PRO else "con"
        elif word.isdigit() and side and before not in _BEFORE_NUMBER:
            number = word
        elif word in _SCORE:
            what = "score"
        elif word in _PRIOR:
            what = "prior"
        elif word in _POSTERIOR:
            what = "posterior"
        elif word in ("model", "llm") and not side and agent:
            what = "model"
        elif word not in _FILLER:
            agent.append(token)
        before = word
    if side:
        return None if what in ("prior", "posterior", "model") else ("_".join(agent), side, number, what or "text")
    return ("_".join(agent), "", "", what) if agent and what in ("prior", "posterior", "model") else None


def _tokens(column: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", column)
    tokens: list[str] = []
    for token in re.split(r"[\s_\-./:()]+", spaced):
        found = _SIDE_WITH_NUMBER.fullmatch(token.casefold())
        tokens.extend(found.groups() if found else [token] if token else [])
    return tokens


__all__ = ["SYNONYMS", "guess_mapping", "mapping_problem"]
