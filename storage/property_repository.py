"""Keep what tests of properties came to, with a stamp that tells whether the debates have changed since."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.experiments.source import Source
from core.judges.registry import settings_id
from core.llm.request import canonical
from core.properties.check import NO_SETTING
from core.properties.property import Property
from core.properties.result import PropertyResult
from core.roles import OPERATOR, Permission, Person, require
from core.strict_json import dumps, storable
from storage.database import Database
from storage.table_rows import insert

COLUMNS = (
    "id", "question", "judge_id", "property", "source", "stamp", "debates_of", "record", "origin",
)  # fmt: skip
AT_ONCE = 50  # results in one statement


@dataclass(frozen=True)
class Question:
    """What was asked: the same question on the same debates has one answer.

    Attributes:
        judge_id: Who.
        checked: Which property, with how it is tested.
        source: On which debates.
        seed: Of everything that is drawn.
        tolerance: Up to which difference two scores are the same; None for what is usual for the judge.
    """

    judge_id: str
    checked: Property
    source: Source
    seed: int = 0
    tolerance: float | None = None

    @property
    def key(self) -> str:
        """Return a hash of it."""
        asked = [self.judge_id, self.checked.to_json(), self.source.to_json(), self.seed, self.tolerance]
        return hashlib.sha256(canonical(asked).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class KeptResult:
    """A result with what it was an answer to.

    Attributes:
        question: The question's key.
        judge_id: Who was tested.
        source: On which debates.
        stamp: Of these debates at the time.
        debates_of: The data set's name then, or what was simulated.
        result: What it came to.
        origin: What is to be said wherever it is shown; empty for nothing.
        made_at: ISO 8601 in UTC; empty until stored.
    """

    question: str
    judge_id: str
    source: Source
    stamp: str
    debates_of: str
    result: PropertyResult
    origin: str = ""
    made_at: str = ""

    @property
    def shown(self) -> PropertyResult:
        """Return the result with what is to be said of it."""
        return replace(self.result, origin=self.origin)

    @property
    def id(self) -> str:
        """Return its id."""
        return hashlib.sha256(f"{self.question}\0{self.stamp}".encode()).hexdigest()[:16]


class PropertyRepository:
    """Keep and find results."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def keep(self, results: Sequence[KeptResult]) -> None:
        """Store results; one of the same question on the same debates is replaced.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        rows = list({one.id: _row(one) for one in results}.values())
        with self._database.write() as cursor:
            for first in range(0, len(rows), AT_ONCE):
                chunk = rows[first : first + AT_ONCE]
                cursor.execute(
                    "DELETE FROM property_result WHERE id IN (SELECT unnest(?::VARCHAR[]))", [[row[0] for row in chunk]]
                )
                insert(cursor, "property_result", COLUMNS, chunk, now="made_at")

    def answer(self, question: Question, stamp: str) -> KeptResult | None:
        """Return what a question came to on debates with this stamp; None if it was not tested, or is incomplete."""
        found = self._find("question = ? AND stamp = ?", [question.key, stamp])
        whole = [one for one in found if not incomplete(one.result)]
        return whole[0] if whole else None

    def latest(self, judges: Iterable[str], source: Source | None = None) -> tuple[KeptResult, ...]:
        """Return the latest result of each question about these judges, newest first.

        Args:
            judges: Ids.
            source: Only on these debates; None for any.
        """
        condition = "judge_id IN (SELECT unnest(?::VARCHAR[]))"
        values: list[Any] = [list(judges)]
        if source is not None:
            condition += " AND source = ?"
            values.append(dumps(source.to_json()))
        found: dict[str, KeptResult] = {}
        for one in self._find(condition, values):
            found.setdefault(one.question, one)
        return tuple(found.values())

    def partial(self, asked: Question) -> tuple[KeptResult, ...]:
        """Return results of a question on some of its debates or cut short, the most debates first.

        Whether these debates are still the same is for the caller to see.
        """
        found = [
            one
            for one in self.latest([asked.judge_id])
            if one.result.rate is not None
            and one.source.within(asked.source)
            and one.question == replace(asked, source=one.source).key
        ]
        return tuple(sorted(found, key=lambda one: -one.result.judged))

    def get(self, ids: Sequence[str]) -> tuple[KeptResult, ...]:
        """Return results by id, in that order; those that are gone are left out."""
        found = {one.id: one for one in self._find("id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)])}
        return tuple(found[name] for name in ids if name in found)

    def tested_judges(self) -> tuple[str, ...]:
        """Return the ids of the judges that any result is about."""
        with self._database.read() as cursor:
            rows = cursor.execute("SELECT DISTINCT judge_id FROM property_result ORDER BY 1").fetchall()
        return tuple(name for (name,) in rows)

    def stamp(self) -> str:
        """Return a text that changes whenever results do."""
        with self._database.read() as cursor:
            return str(cursor.execute("SELECT count(*), max(made_at) FROM property_result").fetchall())

    def _find(self, condition: str, values: list[Any]) -> tuple[KeptResult, ...]:
        with self._database.read() as cursor:
            rows = cursor.execute(
                "SELECT question, judge_id, source, stamp, debates_of, record, origin, made_at FROM property_result "  # noqa: S608
                f"WHERE {condition} ORDER BY made_at DESC, rowid DESC",
                values,
            ).fetchall()
        return tuple(
            KeptResult(
                question,
                judge,
                Source.from_json(json.loads(source)),
                stamp,
                debates,
                PropertyResult.from_json(json.loads(record)),
                origin,
                made_at.isoformat(),
            )
            for question, judge, source, stamp, debates, record, origin, made_at in rows
        )


def incomplete(result: PropertyResult) -> bool:
    """Return whether a test ended early, so that it has to go on when it is asked for again."""
    return result.note not in ("", NO_SETTING)


def question_of(result: PropertyResult, source: Source, tolerance: float | None = None) -> Question:
    """Return the question that a result answers."""
    return Question(settings_id(result.settings), result.checked, source, result.seed, tolerance)


def _row(kept: KeptResult) -> tuple[Any, ...]:
    return (
        kept.id,
        kept.question,
        kept.judge_id,
        kept.result.checked.key,
        dumps(kept.source.to_json()),
        kept.stamp,
        storable(kept.debates_of),
        dumps(kept.result.to_json()),
        storable(kept.origin),
    )


__all__ = ["KeptResult", "PropertyRepository", "Question", "incomplete", "question_of"]
