"""What Python's ``repr`` writes, read without running anything."""

from __future__ import annotations

import ast
import math
import warnings
from typing import Any

LONGEST = 8 << 20  # characters; the syntax tree of a text takes a hundred times its size

_WORDS: dict[str, float | bool | None] = {
    "nan": math.nan, "inf": math.inf, "NaN": math.nan, "Infinity": math.inf, "null": None, "true": True, "false": False,
}  # fmt: skip


def read_python_literal(text: str) -> Any:
    """Return the plain JSON value that a Python literal stands for.

    Tuples become lists, keys text; sets, bytes and complex numbers become their text. JSON's words and ``nan`` and
    ``inf`` are understood too, since ``repr`` writes the latter.

    Raises:
        ValueError: If the text is no such literal, is too long, or is nested too deep.
    """
    if len(text) > LONGEST:
        raise ValueError(f"A Python literal may have {LONGEST} characters here, not {len(text)}.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a text is its writer's affair
            tree = ast.parse(text.strip(), mode="eval")
        return _plain(ast.literal_eval(_Words().visit(tree)))
    except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError("This is no Python literal.") from error


class _Words(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(_WORDS[node.id]) if node.id in _WORDS else node  # others make literal_eval refuse


def _plain(value: object) -> Any:
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return str(value)
