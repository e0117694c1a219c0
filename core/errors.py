"""Errors a person can act on: each names the thing, its value and what would be right."""

from __future__ import annotations

from enum import StrEnum


class MootError(Exception):
    """Base of every error that Moot raises on purpose and shows as a message."""


class InvalidScore(MootError, ValueError):
    """A base score, stance or strength that is not a finite number in [0, 1]."""

    def __init__(self, what: str, value: object) -> None:
        super().__init__(f"{what} is {value!r}; it must be a number in [0, 1].")


class InvalidSetting(MootError, ValueError):
    """A setting outside its range, such as a conservativeness below 1."""


class InvalidGraph(MootError, ValueError):
    """Arguments or relations that do not form a QBAF."""


class InvalidEdit(MootError, ValueError):
    """An edit that cannot be applied to the profile at hand."""


class UnknownDebate(MootError, LookupError):
    """A debate id that is not stored."""

    def __init__(self, debate_id: str) -> None:
        super().__init__(f"No debate {debate_id!r} is in this database; import its log first.")


class DatabaseInUse(MootError):
    """Another process holds the database file."""


class NewerDatabase(MootError):
    """The database was written by a newer version of Moot."""


class UnreadableDatabase(MootError):
    """A database file that is damaged, is not a database, or belongs to another program."""


class UnwritableDatabase(MootError):
    """The database cannot be changed: its folder is read-only, or the disk is full."""


class UnreadableFile(MootError):
    """A file that no importer can read; nothing of it was stored."""


class UnreadableRecord(MootError, ValueError):
    """A record of a log that holds no debate: it is no object, or it has no claim."""


class NothingToExport(MootError):
    """Debates of which a format can hold nothing."""

    def __init__(self, title: str) -> None:
        super().__init__(f"{title} cannot hold any of these debates: no argument in them bears on the claim.")


class NotAllowed(MootError):
    """Something that the role of who asked for it does not allow."""


class Cancelled(MootError):
    """Somebody stopped what was going on; nothing of it was kept."""


class CallFailure(StrEnum):
    """Why a call of a language model brought no reply."""

    TIMEOUT = "no answer in time"
    CONNECTION = "no connection"
    RATE_LIMIT = "too many calls"
    SERVER = "the server failed"
    BAD_REQUEST = "the request was turned down"
    KEY_REFUSED = "the key was refused"
    NOT_FOUND = "there is no such model or address"
    MALFORMED = "the reply is no chat completion"


class CallFailed(MootError):
    """A call of a language model that brought no reply. It never holds a key."""

    def __init__(self, kind: CallFailure, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    @property
    def hopeless(self) -> bool:
        """Return whether every other call to the same endpoint and model would fail in the same way."""
        return self.kind in {CallFailure.KEY_REFUSED, CallFailure.NOT_FOUND}


class NoBrowser(MootError):
    """No Chromium or Chrome is there to draw an image with."""

    def __init__(self, kind: str, reason: str = "") -> None:
        why = f" ({reason})" if reason else ""
        super().__init__(
            f"A chart cannot be drawn as {kind.upper()} here: no working Chromium or Chrome was found{why}. Install "
            "one, or set BROWSER_PATH to it. HTML and CSV need none, and a chart's camera button saves SVG and PNG."
        )
