"""What looks like a secret, by its name or by its own shape, so that it can be refused before it is stored anywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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


def credential_in(values: Any, name: str = "") -> str | None:
    """Return the name of the first field of nested values that is a credential or holds one; None for none."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().replace("-", "_")
    if CREDENTIAL_FIELD.search(spaced) or (isinstance(values, str) and holds_secret(values)):
        return name or "a text"
    if isinstance(values, Mapping):
        return next((found for key, value in values.items() if (found := credential_in(value, str(key)))), None)
    if isinstance(values, (list, tuple)):
        return next((found for value in values if (found := credential_in(value, name))), None)
    return None


__all__ = ["SECRET_VALUE", "credential_in", "holds_secret"]
