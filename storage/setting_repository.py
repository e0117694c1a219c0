"""Keep small settings: a key, and a value that JSON can hold. Secrets are refused."""

from __future__ import annotations

import json
import re
from typing import Any

import duckdb

from core.audit import Action, Change, Kind
from core.errors import InvalidSetting
from core.roles import OPERATOR, Permission, Person, require
from core.secret_text import credential_in
from core.strict_json import dumps, storable
from storage.database import Database, first_row

LONGEST_KEY = 200

# Words that name a secret, as a part of their own or at the end: "api_key", "apiKey", "OPENAI-TOKEN"; but
# "max_tokens" is a number that models are given.
SECRET_NAME = re.compile(
    r"(?:^|[^a-z])(?:keys?|token|secrets?|passwords?|passwd|pwd|credentials?|authorization|bearer|cookies?)(?:$|[^a-z])"
    r"|(?:apikeys?|passwords?|secrets?|token)(?:$|[^a-z])",
)


class SettingRepository:
    """Keep and find settings; defaults are the business of whoever asks."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def get(self, key: str, default: Any = None) -> Any:
        """Return a setting's value, or the default if it was never set."""
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT value FROM setting WHERE key = ?", [storable(key)]))
        return default if row is None else json.loads(row[0])

    def set(self, key: str, value: Any) -> None:
        """Keep a setting's value: anything that JSON can hold.

        Raises:
            NotAllowed: If the person may not change settings.
            InvalidSetting: If the key is empty or too long, or key or value look like a secret: those belong into
                the environment or Streamlit's secrets file.
        """
        require(self._person, Permission.CONFIGURE)
        if not key.strip() or len(key) > LONGEST_KEY:
            raise InvalidSetting(f"A setting's key needs 1 to {LONGEST_KEY} characters; this one has {len(key)}.")
        _refuse_secrets(key, value)
        name, text = storable(key), dumps(value)
        with self._database.log() as logged:
            before = _value(logged.cursor, name)
            if before == text:
                return
            logged.cursor.execute(
                "INSERT INTO setting VALUES (?, ?, timezone('UTC', now())) "
                "ON CONFLICT DO UPDATE SET value = excluded.value, saved_at = excluded.saved_at",
                [name, text],
            )
            was = None if before is None else json.loads(before)
            logged.log(Change(self._person, Action.SETTING, Kind.SETTING, name, was, json.loads(text)))

    def all(self) -> dict[str, Any]:
        """Return every setting by key."""
        with self._database.read() as cursor:
            rows = cursor.execute("SELECT key, value FROM setting ORDER BY key").fetchall()
        return {key: json.loads(value) for key, value in rows}

    def remove(self, key: str) -> None:
        """Forget a setting, so that its default holds again.

        Raises:
            NotAllowed: If the person may not change settings.
        """
        require(self._person, Permission.CONFIGURE)
        name = storable(key)
        with self._database.log() as logged:
            before = _value(logged.cursor, name)
            if before is None:
                return
            logged.cursor.execute("DELETE FROM setting WHERE key = ?", [name])
            logged.log(Change(self._person, Action.SETTING, Kind.SETTING, name, json.loads(before)))


def _value(cursor: duckdb.DuckDBPyConnection, key: str) -> str | None:
    row = first_row(cursor.execute("SELECT value FROM setting WHERE key = ?", [key]))
    return None if row is None else str(row[0])


def _refuse_secrets(name: str, value: Any) -> None:
    secret = credential_in(value, name, SECRET_NAME)
    if secret is not None:
        raise InvalidSetting(
            f"{secret!r} looks like a secret, which the database never holds; "
            "set it in the environment or in .streamlit/secrets.toml."
        )
