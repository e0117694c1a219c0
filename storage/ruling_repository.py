"""Keep what admins rule on contestations. A ruling is never changed: a later one takes its place."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import duckdb

from core.audit import Action, Change, Kind
from core.errors import MootError
from core.roles import OPERATOR, Permission, Person, require
from core.strict_json import storable
from storage.database import Database, first_row
from storage.row_hash import Vouched, contents

SHORTEST_REASON = 10  # characters
LONGEST_REASON = 5_000


class Outcome(StrEnum):
    """What a ruling says."""

    UPHELD = "upheld"  # the contestation stands
    OVERTURNED = "overturned"  # it does not
    WITHDRAWN = "withdrawn"  # the ruling before is taken back, and nothing is ruled


@dataclass(frozen=True)
class Ruling:
    """What was ruled on a contestation, by whom (id and name), why and when (ISO 8601 in UTC)."""

    id: str
    contestation_id: str
    outcome: Outcome
    reason: str
    person: str
    name: str
    made_at: str


class RulingRepository:
    """Keep and find rulings."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def rule(self, contestation: str, outcome: Outcome, reason: str) -> Ruling:
        """Store a ruling of the person who acts, and return it.

        Raises:
            NotAllowed: If the person may not rule.
            MootError: If there is no such contestation, the reason is too short or too long, the same is ruled
                already, or there is no ruling to withdraw.
        """
        require(self._person, Permission.RULE)
        why = storable(reason.strip())
        if not SHORTEST_REASON <= len(why) <= LONGEST_REASON:
            raise MootError(f"A ruling needs a reason of {SHORTEST_REASON} to {LONGEST_REASON:,} characters.")
        on, now = storable(contestation), datetime.now(UTC).isoformat(timespec="microseconds")
        ruling = Ruling(
            secrets.token_hex(8), on, outcome, why, storable(self._person.id), storable(self._person.shown), now
        )
        with self._database.log() as logged:
            if first_row(logged.cursor.execute("SELECT 1 FROM contestation WHERE id = ?", [on])) is None:
                raise MootError(f"No contestation {contestation!r} is in this database.")
            before = standing(_find(logged.cursor, "contestation_id = ?", [on]))
            if before is None and outcome is Outcome.WITHDRAWN:
                raise MootError("There is no ruling on this contestation that could be withdrawn.")
            if before is not None and before.outcome is outcome:
                raise MootError(f"This contestation is {outcome.value} already; withdraw that ruling first.")
            logged.cursor.execute(
                "INSERT INTO ruling VALUES (?, ?, ?, ?, ?, ?, ?)",
                [ruling.id, on, outcome.value, why, ruling.person, ruling.name, now],
            )
            logged.log(
                Change(
                    self._person,
                    Action.RULED,
                    Kind.CONTESTATION,
                    on,
                    None if before is None else before.outcome.value,
                    outcome.value,
                    why,
                    tuple(contents(logged.cursor, Vouched.RULING, [ruling.id]).values()),
                )
            )
        return ruling

    def all_on(self, contestation: str) -> tuple[Ruling, ...]:
        """Return every ruling on a contestation, oldest first, withdrawals among them."""
        with self._database.read() as cursor:
            return _find(cursor, "contestation_id = ?", [storable(contestation)])

    def standing(self, contestations: Iterable[str]) -> dict[str, Ruling]:
        """Return the rulings that stand on contestations, by the contestation's id."""
        with self._database.read() as cursor:
            found = _find(cursor, "contestation_id IN (SELECT unnest(?::VARCHAR[]))", [list(contestations)])
        by_contestation: dict[str, list[Ruling]] = {}
        for ruling in found:
            by_contestation.setdefault(ruling.contestation_id, []).append(ruling)
        last = {name: standing(rulings) for name, rulings in by_contestation.items()}
        return {name: ruling for name, ruling in last.items() if ruling is not None}


def standing(rulings: Sequence[Ruling]) -> Ruling | None:
    """Return the ruling that stands, of all on one contestation, oldest first; None where none does."""
    last = rulings[-1] if rulings else None
    return None if last is None or last.outcome is Outcome.WITHDRAWN else last


def _find(cursor: duckdb.DuckDBPyConnection, condition: str, values: Sequence[Any]) -> tuple[Ruling, ...]:
    rows = cursor.execute(
        "SELECT id, contestation_id, outcome, reason, person, name, made_at "  # noqa: S608
        f"FROM ruling WHERE {condition} ORDER BY made_at, rowid",
        values,
    ).fetchall()
    return tuple(
        Ruling(name, on, Outcome(outcome), reason, person, called, moment)
        for name, on, outcome, reason, person, called, moment in rows
    )


__all__ = ["SHORTEST_REASON", "Outcome", "Ruling", "RulingRepository", "standing"]
