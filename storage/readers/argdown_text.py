"""Argdown's text taken apart: elements with their signs and indentation, without comments, front matter and styling."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_FRONT = re.compile(r"\s*+={3,}[ \t]*\n(.*?)\n={3,}[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:[ \t]*(.+(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_COMMENTS = (("/*", "*/"), ("<!--", "-->"))
MOST_DATA = 20  # groups of braces at the end of an element
_LINE_COMMENT = re.compile(r"(?<![:/\w])//[^\n]*")
_HEADING = re.compile(r"#{1,6}\s")
_PREMISE = re.compile(r"\((\d{1,4})\)\s+(.*)")
_INFERENCE = re.compile(r"-{2,}\s*$")
_SIGN = re.compile(r"(><|<[+_-]|[+_-]>|[+_-])(?:[ \t]+|$)(.*)")
_LIST = re.compile(r"(?:\*|\d{1,4}\.)\s+")
_TITLED = re.compile(r"@?(?:\[([^\]\n]{1,300})\]|<([^>\n]{1,300})>)(?!\()\s*(:?)\s*(.*)", re.DOTALL)
_WEIGHT = re.compile(r"\b(?:weight|base_score|strength)\s*:\s*(-?\d{1,9}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?)")
_TAG = re.compile(r"(?<![\w#(])#(?:\([^()\n]{1,100}\)|[\w-]{1,100})")
_LINK = re.compile(r"(?<!@)\[([^\[\]\n]{1,300})\]\(([^()\n]{0,2000})\)")
_MENTION = re.compile(r"@(?:\[([^\]\n]{1,300})\]|<([^>\n]{1,300})>)")
_STYLE = re.compile(r"\*\*|(?<!\w)__|__(?!\w)|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])")
_ESCAPE = re.compile(r"\\([\[\]<>#{}()*_+\-@\\/])")
_HIDDEN = 0xD800  # escaped signs are moved here, among halves of surrogate pairs, which no decoded text holds
_SHOWN = {_HIDDEN + code: code for code in range(128)}


@dataclass
class Element:
    """One statement or argument as written.

    Attributes:
        line: Where it begins.
        indent: Of its line, in columns.
        sign: The relation's sign in front of it, "" for none.
        place: The number in a premise-conclusion structure, None outside one.
        raw: What is written on the first line.
        inference: It follows an inference line, so it is a conclusion.
        wrapped: Its further lines.
    """

    line: int
    indent: int
    sign: str
    raw: str
    place: int | None = None
    inference: bool = False
    wrapped: list[str] = field(default_factory=list)

    def whole(self) -> str:
        """Return what is written, with the lines onto which it goes on."""
        return " ".join([self.raw, *self.wrapped])


@dataclass
class Block:
    """Elements between blank lines."""

    elements: list[Element] = field(default_factory=list)


@dataclass(frozen=True)
class Meaning:
    """What an element says: its title, whether that is an argument's, its text, and its weight as written."""

    title: str | None
    is_argument: bool
    text: str
    weight: str | None


def without_front(text: str) -> tuple[str, str | None]:
    """Return a text without front matter and comments, lines kept, and the title in the front matter."""
    title = None
    found = _FRONT.match(text)
    if found is not None:
        named = _FRONT_TITLE.search(found[1])
        title = _title(named[1].strip()) if named is not None else None
        text = _blank(found) + text[found.end() :]
    for opening, closing in _COMMENTS:
        text = _without_comments(text, opening, closing)
    return _LINE_COMMENT.sub("", text), title


def _title(written: str) -> str | None:
    """Return a title out of front matter: bare, in single quotes, or in double quotes with escapes as JSON has them."""
    if written.startswith('"'):
        try:
            return str(json.loads(written)) or None
        except ValueError:
            pass
    return " ".join(written.split()).strip("'\"") or None


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _without_comments(text: str, opening: str, closing: str) -> str:
    """Return a text without comments, their lines kept; one that is never closed is none."""
    parts, place = [], 0
    while (start := text.find(opening, place)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        parts.append(text[place:start])
        parts.append("\n" * text.count("\n", start, end))
        place = end + len(closing)
    return "".join([*parts, text[place:]])


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text without front matter and comments."""
    block = Block()
    after_inference = False
    in_inference = False
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare or _HEADING.match(bare):
            if block.elements:
                yield block
            block, after_inference, in_inference = Block(), False, False
            continue
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if _INFERENCE.match(bare) and block.elements:
            # "--", a rule, "--" or a single "----": the rule between them is dropped
            in_inference = bare == "--" and not in_inference
            after_inference = True
            continue
        premise = _PREMISE.match(bare)
        if in_inference and premise is None:
            continue
        if premise is not None:
            block.elements.append(Element(number, indent, "", premise[2], int(premise[1]), after_inference))
            after_inference = in_inference = False
            continue
        signed = _SIGN.match(bare)
        if signed is not None and (block.elements or indent):
            block.elements.append(Element(number, indent, signed[1], signed[2]))
        elif block.elements and not _LIST.match(bare):
            block.elements[-1].wrapped.append(bare)
        else:
            listed = _LIST.match(bare)
            block.elements.append(Element(number, indent, "", bare[listed.end() :] if listed is not None else bare))
    if block.elements:
        yield block


def meaning(raw: str) -> Meaning:
    """Return what an element says, without tags, data, links and styling."""
    raw, weight = _without_data(_ESCAPE.sub(lambda found: chr(_HIDDEN + ord(found[1])), raw.strip()))
    found = _TITLED.match(raw)
    if found is None or (not found[3] and _plain(found[4])):
        return Meaning(None, False, _plain(raw), weight)
    title = " ".join((found[1] or found[2]).translate(_SHOWN).split())
    return Meaning(title, found[2] is not None, _plain(found[4]) if found[3] else "", weight)


def _without_data(raw: str) -> tuple[str, str | None]:
    """Return a text without the data in braces at its end, and a weight that they give."""
    weight = None
    for _ in range(MOST_DATA):
        if not raw.endswith("}"):
            break
        depth, place = 0, len(raw)
        while place > 0:
            place -= 1
            depth += {"}": 1, "{": -1}.get(raw[place], 0)
            if depth == 0:
                break
        if depth:
            break
        found = _WEIGHT.search(raw, place)
        weight = weight or (found[1] if found is not None else None)
        raw = raw[:place].rstrip()
    return raw, weight


def _plain(text: str) -> str:
    text = _TAG.sub("", text)
    text = _MENTION.sub(lambda found: found[1] or found[2], text)
    text = _STYLE.sub("", _LINK.sub(r"\1", text))
    return " ".join(text.translate(_SHOWN).split())


def looks_like_argdown(lines: list[str]) -> bool:
    """Return whether lines hold titled elements or numbered premises, and relations between elements."""
    titled = signed = numbered = 0
    for line in lines:
        bare = line.strip()
        sign = _SIGN.match(bare)
        rest = sign[2] if sign is not None else bare
        found = _TITLED.match(rest)
        if found is not None and (found[3] or not found[4].strip()):
            titled += 1
        signed += sign is not None and bool(rest) and line[:1] in " \t"
        numbered += _PREMISE.match(bare) is not None
    return bool(signed and (titled or numbered)) or (titled > 0 and numbered > 1)


__all__ = ["Block", "Element", "Meaning", "blocks", "looks_like_argdown", "meaning", "without_front"]
