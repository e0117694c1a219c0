"""Argdown: the claim as a statement, arguments by title, each below what it bears on, weights as data.

Signs that mean something to Argdown are escaped in texts. Argdown breaks lines as it likes, so that line breaks and
runs of blanks in a text come back as one blank.
"""

from __future__ import annotations

import json
import re

from core.debate import Debate, Round
from core.exporting.claim_graph import ClaimGraph, Names, argument_names, claim_graph, renamed
from core.exporting.exporter import OneFileEach
from core.exporting.losses import Aspect, Kept
from core.opinion import TOPIC, Argument, Relation, RelationKind
from core.provider_errors import is_provider_error
from core.strict_json import storable

_SIGN = {RelationKind.SUPPORT: "+", RelationKind.ATTACK: "-"}
_SPECIAL = re.compile(r"[\[\]<>#{}()*_+\-@\\/]")
_CANNOT_HOLD = re.compile(r"[\[\]<>{}\"\\\x00-\x08\x0e-\x1b\x7f]+|/(?=[/*])|(?<=/)/")
_LONGEST_TITLE = 200  # characters; readers take 300 at most


def _encode(debate: Debate) -> str | None:
    graph = claim_graph(debate)
    if not graph.relations or not debate.claim.strip():
        return None
    claim, names = _names(debate, graph)
    blocks = []
    if debate.title and debate.title.strip():
        blocks.append(f"===\ntitle: {_quoted(debate.title)}\n===")
    below: dict[str, list[Relation]] = {}
    for relation in graph.relations:
        below.setdefault(relation.target, []).append(relation)
    blocks.append("\n".join([f"[{claim}]: {_escaped(debate.claim)}", *_signed(below.get(TOPIC, []), names)]))
    for argument in graph.arguments:
        lines = [_element(argument, names[argument.id]), *_signed(below.get(argument.id, []), names)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _signed(relations: list[Relation], names: dict[str, str]) -> list[str]:
    return [f"  {_SIGN[relation.kind]} <{names[relation.source]}>" for relation in relations]


def _element(argument: Argument, name: str) -> str:
    text = f": {_escaped(argument.text)}" if argument.text.strip() else ""
    weight = "" if argument.base_score is None else f" {{weight: {argument.base_score!r}}}"
    return f"<{name}>{text}{weight}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(storable(text).split())


def _quoted(title: str) -> str:
    """Return a title as YAML, of which JSON is a part; in ASCII, so that nothing in it ends the line."""
    return json.dumps(storable(title))


def _title(text: str) -> str:
    """Return a name that can stand between the brackets of an element."""
    return _CANNOT_HOLD.sub("_", " ".join(text.split()))[:_LONGEST_TITLE].strip()


def _names(debate: Debate, graph: ClaimGraph) -> tuple[str, dict[str, str]]:
    names = Names(_title, {TOPIC})
    held = argument_names(graph, names)
    return Names(_title, held.values()).name(debate.id, "claim"), held


def _kept(debate: Debate) -> Kept | None:
    graph = claim_graph(debate)
    if not graph.relations or not debate.claim.strip():
        return None
    claim, names = _names(debate, graph)
    arguments = []
    for argument in graph.arguments:
        text = _one_line(argument.text) or names[argument.id]
        arguments.append(
            Argument(names[argument.id], text, None, argument.base_score, is_error_text=is_provider_error(text))
        )
    relations = renamed(graph.relations, names)
    title = debate.title if debate.title and debate.title.strip() else None
    back = Debate(claim, _one_line(debate.claim), title=title, rounds=(Round(0, (), tuple(arguments), relations),))
    return Kept(back, names)


ARGDOWN = OneFileEach(
    "argdown",
    "Argdown",
    "argdown",
    "text/plain",
    _encode,
    _kept,
    {
        Aspect.CLAIMS: "Line breaks and runs of blanks in the claim become one blank",
        Aspect.TEXTS: (
            "Line breaks and runs of blanks in arguments' texts become one blank; an argument without a text gets its "
            "id for one"
        ),
        Aspect.DEBATE_IDS: "Debates' ids with brackets or other signs that mean something to Argdown change",
        Aspect.ARGUMENT_IDS: "Arguments' ids with brackets or other signs that mean something to Argdown change",
    },
)

__all__ = ["ARGDOWN"]
