"""What looks like a secret, by its name or by its own shape, so that it can be refused before it is stored anywhere;
and a key that is known, so that it can be taken out of whatever is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

KEY_MARK = "[key]"  # what stands where a key was
SHORTEST_KEY = 8  # characters; what is shorter ("none", "EMPTY") is no key but a word, found in common texts
MOST_ESCAPES = 8  # backslashes before one character of a key: JSON in JSON in JSON has seven

# Keys as providers write them, bearer tokens, and JSON web tokens.
SECRET_VALUE = re.compile(
    r"\b(?:sk-[\w-]{8,}|Bearer\s+\S{8,}|eyJ[\w-]{10,}\.[\w-]{10,}|(?:gsk|hf|xai|ghp|github_pat|glpat)[_-][\w-]{12,}"
    r"|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,})"
)
# Fields of a request that carry credentials; "stop_token_ids" and the like are none.
CREDENTIAL_FIELD = re.compile(
    r"(?:^|_)(?:api_?key|authorization|auth|auth_token|access_token|bearer|password|passwd|secret|credentials?|headers)$"
)


def holds_secret(text: str) -> bool:
    """Return whether a text holds what looks like a key."""
    return SECRET_VALUE.search(text) is not None


def credential_in(values: Any, name: str = "", credential: re.Pattern[str] = CREDENTIAL_FIELD) -> str | None:
    """Return the name of the first field of nested values that is a credential or holds one; None for none.

    Args:
        values: JSON values.
        name: Of the field that holds them.
        credential: Finds names of credentials, which it is given in small letters with underscores between words.
    """
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().replace("-", "_")
    if credential.search(spaced) or (isinstance(values, str) and holds_secret(values)):
        return name or "a text"
    if isinstance(values, Mapping):
        inner = ((value, str(key)) for key, value in values.items())
    elif isinstance(values, (list, tuple)):
        inner = ((value, name) for value in values)
    else:
        return None
    return next((found for value, key in inner if (found := credential_in(value, key, credential))), None)


def without_key(key: str | None) -> Callable[[str], str]:
    """Return what puts a mark in the place of a key in a text, also where characters are escaped.

    As JSON escapes them, because a reply is often JSON that is read later; with percent signs, because it may quote an
    address.

    Args:
        key: In ASCII; None, or one of fewer than ``SHORTEST_KEY`` characters, leaves texts as they are.
    """
    if not key or len(key) < SHORTEST_KEY:
        return lambda text: text
    found = re.compile("".join(_spellings(character) for character in key))
    return lambda text: found.sub(KEY_MARK, text)


def _spellings(character: str) -> str:
    code = f"(?i:{ord(character):02x})"
    plain = character if character.isalnum() else rf"\\{{0,{MOST_ESCAPES}}}{re.escape(character)}"
    return rf"(?:{plain}|\\{{1,{MOST_ESCAPES}}}u00{code}|%{code})"


__all__ = ["KEY_MARK", "SECRET_VALUE", "SHORTEST_KEY", "credential_in", "holds_secret", "without_key"]
