"""Which line of a file a field of a JSON record stands on, found by walking the record's text once more."""

from __future__ import annotations

import json
import re

_TOKEN = re.compile(
    r'"(?:[^"\\]++|\\.)*+"'  # a text
    r"|'(?:[^'\\\n]++|\\.)*+'"  # a text of Python's
    r"|[{}\[\],]",
    re.DOTALL,
)
_BLANK = re.compile(r"\s*+")


def field_lines(text: str, start: int, end: int, first_line: int) -> dict[str, int]:
    """Return the line of every key and list entry of a record by its path, such as ``rounds[0].arguments[3].text``.

    Args:
        text: The file.
        start, end: Where the record stands in it.
        first_line: The line of ``start``, from 1.
    """
    lines: dict[str, int] = {}
    paths: list[str] = []  # of the objects and lists that are open
    places: list[int | None] = []  # in an open list the number of the current entry, in an open object None
    path = ""  # of the value that comes next
    key_comes = False
    line, counted = first_line, start
    for token in _TOKEN.finditer(text, start, end):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        sign = token.group()
        if sign in ("{", "["):
            paths.append(path)
            places.append(None if sign == "{" else 0)
            key_comes = sign == "{"
        elif sign in ("}", "]"):
            if not paths:
                break
            paths.pop()
            places.pop()
            key_comes = False
        elif sign == ",":
            if not paths:
                break
            place = places[-1]
            places[-1] = None if place is None else place + 1
            key_comes = place is None
        elif key_comes:
            path = f"{paths[-1]}.{_key(sign)}" if paths[-1] else _key(sign)
            lines.setdefault(path, line)
            key_comes = False
        if sign in ("[", ",") and places and places[-1] is not None:
            path = f"{paths[-1]}[{places[-1]}]"
            blank = _BLANK.match(text, token.end())
            after = token.end() if blank is None else blank.end()
            lines.setdefault(path, line + text.count("\n", counted, after))
    return lines


def _key(quoted: str) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError:
        return quoted[1:-1]
