"""The protocol of a debate out of the word a table has for it."""

from __future__ import annotations

from core.debate import DebateProtocol
from core.import_issue import IssueLog, quoted
from storage.readers.cells import text_of

_WORDS = {
    "single": DebateProtocol.SINGLE_TURN,
    "private": DebateProtocol.MULTI_TURN_PRIVATE,
    "multi-turn": DebateProtocol.MULTI_TURN_PRIVATE,
    "shared": DebateProtocol.MULTI_TURN_SHARED,
}


def known_protocol(word: str) -> DebateProtocol | None:
    """Return the protocol that a word stands for, as in "single_turn", "Shared" or "multi-turn private"."""
    plain = word.strip().casefold().replace("_", "-").replace(" ", "-")
    if plain in _WORDS:
        return _WORDS[plain]
    try:
        return DebateProtocol(plain)
    except ValueError:
        return None


def protocol_of(cell: object, issues: IssueLog, line: int, column: str) -> DebateProtocol | None:
    """Return the protocol that a cell names, None for an empty one; an unknown name is noted and means ``OTHER``."""
    word = text_of(cell)
    if word is None:
        return None
    protocol = known_protocol(word)
    if protocol is None:
        message = f"The protocol is {quoted(word)}, which Moot does not know."
        issues.warning("protocol_unknown", message, line, column)
        return DebateProtocol.OTHER
    return protocol
