"""Keep judges and what they judged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pandas as pd

from core.audit import Action, Change, Kind
from core.errors import InvalidSetting, MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge, Family, family_of, judge_id, judge_of, settings_id
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.llm.prompts import PromptSet
from core.roles import OPERATOR, Permission, Person, require
from core.secret_text import SECRET_VALUE
from core.strict_json import dumps, storable
from storage.database import Database, first_row
from storage.judgement_rows import COLUMNS, FoundJudgement, KeptJudgement, found_of, insert_judgements, row_of
from storage.prompt_files import find_prompts
from storage.table_rows import insert

FRAME = ("judge", "debate", "score", "verdict", "status", "repeat", "order", "tokens", "cost")


@dataclass(frozen=True)
class StoredJudge:
    """A judge as stored; ``title`` is what a person called it, empty for nothing."""

    id: str
    family: Family
    name: str
    title: str
    pinned: bool
    settings: Mapping[str, Any]
    judgement_count: int

    @property
    def shown(self) -> str:
        """Return what to call it on screen."""
        return self.title or self.name


class JudgementRepository:
    """Keep and find judges and judgements."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def define(self, judge: AnyJudge, title: str = "", pinned: bool | None = None) -> str:
        """Store a judge, if it is new, and return its id.

        Args:
            judge: The judge; an LLM judge's prompts are stored with it, so that a later edit of the files changes
                nothing about what was judged.
            title: What to call it; an empty one leaves an earlier one.
            pinned: Whether it stands first in lists; None leaves it as it is.

        Raises:
            NotAllowed: If the person may not define judges.
            InvalidSetting: If its settings hold what looks like a secret.
        """
        require(self._person, Permission.DEFINE)
        settings = dumps(judge.settings())
        if SECRET_VALUE.search(settings) or SECRET_VALUE.search(title):
            raise InvalidSetting(
                f"The settings of {judge.name!r} hold what looks like a key; name an environment variable instead."
            )
        name = judge_id(judge)
        with self._database.log() as logged:
            cursor = logged.cursor
            before = _as_named(cursor, name)
            if isinstance(judge, LlmJudge):
                _keep_prompts(cursor, judge.prompts)
            cursor.execute(
                "INSERT INTO judge VALUES (?, ?, ?, ?, ?, ?, now() AT TIME ZONE 'UTC') ON CONFLICT DO NOTHING",
                [name, family_of(judge).value, storable(judge.name), "", False, settings],
            )
            if title:
                cursor.execute("UPDATE judge SET title = ? WHERE id = ?", [storable(title), name])
            if pinned is not None:
                cursor.execute("UPDATE judge SET pinned = ? WHERE id = ?", [pinned, name])
            after = _as_named(cursor, name)
            if after != before:
                logged.log(Change(self._person, Action.JUDGE, Kind.JUDGE, name, before, after))
        return name

    def judges(self) -> tuple[StoredJudge, ...]:
        """Return the stored judges, pinned ones first, then in the order of their making."""
        with self._database.read() as cursor:
            rows = cursor.execute(
                "SELECT j.id, j.family, j.name, j.title, j.pinned, j.settings, coalesce(n.judgements, 0) "
                "FROM judge AS j LEFT JOIN (SELECT judge_id, count(*) AS judgements FROM judgement GROUP BY 1) AS n "
                "ON n.judge_id = j.id ORDER BY j.pinned DESC, j.created_at, j.rowid"
            ).fetchall()
        return tuple(
            StoredJudge(name, Family(family), label, title, pinned, json.loads(settings), count)
            for name, family, label, title, pinned, settings, count in rows
        )

    def judge(self, name: str, endpoints: Mapping[str, Endpoint] = ENDPOINTS) -> AnyJudge:
        """Return a judge by its id, with the prompts that it was stored with.

        Raises:
            MootError: If none has the id.
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT settings FROM judge WHERE id = ?", [storable(name)]))
        if row is None:
            raise MootError(f"No judge {name!r} is in this database.")
        return judge_of(json.loads(row[0]), self._prompts, endpoints)

    def forget_judge(self, name: str) -> None:
        """Remove a judge with its judgements; replies stay, for they may serve other judges.

        Raises:
            NotAllowed: If the person may not remove what is stored.
        """
        require(self._person, Permission.DELETE)
        name = storable(name)
        with self._database.log() as logged:
            before = _as_named(logged.cursor, name)
            logged.cursor.execute("DELETE FROM judgement WHERE judge_id = ?", [name])
            logged.cursor.execute("DELETE FROM judge WHERE id = ?", [name])
            if before is not None:
                logged.log(Change(self._person, Action.JUDGE_REMOVED, Kind.JUDGE, name, before))

    def keep(self, judgements: Iterable[KeptJudgement]) -> None:
        """Store judgements, all or none; one of the same judge on the same debate is replaced.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        with self._database.write() as cursor:
            insert_judgements(cursor, list(judgements))

    def find(self, judge: str, debate_id: str) -> FoundJudgement | None:
        """Return what a judge said of a stored debate; None if it has not judged it."""
        found = self._find("j.judge_id = ? AND j.debate_id = ?", [storable(judge), storable(debate_id)])
        return found[0] if found else None

    def for_debate(self, debate_id: str) -> tuple[FoundJudgement, ...]:
        """Return what every judge said of a stored debate, oldest first."""
        return self._find("j.debate_id = ?", [storable(debate_id)])

    def by_judge(self, judge: str) -> tuple[FoundJudgement, ...]:
        """Return what a judge said of every stored debate, oldest first."""
        return self._find("j.judge_id = ?", [storable(judge)])

    def on_debates(self, judges: Sequence[str], debates: Sequence[str]) -> tuple[FoundJudgement, ...]:
        """Return what these judges said of these stored debates."""
        condition = "j.judge_id IN (SELECT unnest(?::VARCHAR[])) AND j.debate_id IN (SELECT unnest(?::VARCHAR[]))"
        return self._find(condition, [list(judges), [storable(debate) for debate in debates]])

    def keep_found(self, judgements: Sequence[FoundJudgement]) -> int:
        """Store judgements that were made elsewhere, with their judges; return how many were new.

        One of the same judge on the same debate that is here already stays.

        Raises:
            NotAllowed: If the person may not import judgements.
            InvalidSetting: If a judge's settings hold what looks like a secret.
        """
        require(self._person, Permission.IMPORT)
        judges = {one.judge_id: one.judgement for one in judgements}
        for judgement in judges.values():
            if SECRET_VALUE.search(dumps(judgement.settings)):
                raise InvalidSetting(f"The settings of {judgement.judge!r} hold what looks like a key.")
        rows = {(one.judge_id, one.dataset_id, one.debate_id): row_of(one) for one in judgements}
        with self._database.log() as logged:
            cursor = logged.cursor
            (before,) = first_row(cursor.execute("SELECT count(*) FROM judgement")) or (0,)
            for name, judgement in judges.items():
                cursor.execute(
                    "INSERT INTO judge VALUES (?, ?, ?, '', false, ?, now() AT TIME ZONE 'UTC') ON CONFLICT DO NOTHING",
                    [name, _family(judgement.settings).value, storable(judgement.judge), dumps(judgement.settings)],
                )
            insert(cursor, "judgement", COLUMNS, list(rows.values()), "ON CONFLICT DO NOTHING", now="created_at")
            (after,) = first_row(cursor.execute("SELECT count(*) FROM judgement")) or (0,)
            if after > before:
                told = {"judgements": int(after) - int(before), "judges": list(judges)}
                logged.log(Change(self._person, Action.JUDGEMENTS_IMPORTED, Kind.JUDGE, "", after=told))
        return int(after) - int(before)

    def frame(self, judges: Sequence[str], datasets: Sequence[str] | None = None) -> pd.DataFrame:
        """Return judgements of stored debates as a table, one judgement a row.

        Columns: ``judge`` (id), ``debate`` (id), ``score``, ``verdict``, ``status``, ``repeat`` and ``order`` (both
        missing: repeats are joined in the score, and an order is part of its judge), ``tokens``, ``cost``.

        Args:
            judges: Ids of judges.
            datasets: Only debates of these; None for all.
        """
        condition = "AND j.dataset_id IN (SELECT unnest(?::VARCHAR[]))" if datasets is not None else ""
        values: list[Any] = [list(judges)] + ([list(datasets)] if datasets is not None else [])
        with self._database.read() as cursor:
            return cursor.execute(
                "SELECT j.judge_id AS judge, j.debate_id AS debate, j.score, j.verdict, j.status, "
                'CAST(NULL AS DOUBLE) AS repeat, CAST(NULL AS VARCHAR) AS "order", '
                "CAST(j.tokens_in + j.tokens_out AS DOUBLE) AS tokens, j.cost "
                f"{_STORED} WHERE j.judge_id IN (SELECT unnest(?::VARCHAR[])) {condition} "
                "ORDER BY d.number, j.judge_id",
                values,
            ).df()

    def repeats_frame(self, judge: str) -> pd.DataFrame:
        """Return every repeat of a judge and of the judges that differ from it in the agents' order alone.

        Columns as for ``frame``; ``judge`` is the id given, ``repeat`` counts from 1, ``order`` is a text such as
        "1-0-2" or "seed 7", missing for the recorded order. Tokens and cost are missing.
        """
        alike = self._siblings(judge)
        query = (
            "SELECT j.judge_id, j.debate_id, j.score, j.verdict, j.status, j.parts "
            f"{_STORED} WHERE j.judge_id IN (SELECT unnest(?::VARCHAR[])) ORDER BY d.number"
        )
        with self._database.read() as cursor:
            rows = cursor.execute(query, [list(alike)]).fetchall()
        table = []
        for name, debate, score, verdict, status, parts in rows:
            repeats = json.loads(parts) or [{"score": score, "verdict": verdict, "status": status}]
            for number, part in enumerate(repeats, 1):
                outcome = (part.get("score"), part.get("verdict"), part.get("status"))
                table.append((judge, debate, *outcome, float(number), alike[name], None, None))
        kinds = {"score": "float64", "repeat": "float64", "tokens": "float64", "cost": "float64"}
        return pd.DataFrame(table, columns=list(FRAME)).astype(kinds)

    def _find(self, condition: str, values: Sequence[Any]) -> tuple[FoundJudgement, ...]:
        columns = ", ".join(f"j.{name}" for name in COLUMNS)
        with self._database.read() as cursor:
            rows = cursor.execute(
                f"SELECT {columns}, g.name, g.settings {_STORED} LEFT JOIN judge AS g ON g.id = j.judge_id "
                f"WHERE {condition} ORDER BY j.created_at, j.rowid",
                values,
            ).fetchall()
        return tuple(found_of(row) for row in rows)

    def _prompts(self, name: str, digest: str | None) -> PromptSet:
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT name, texts FROM prompt_set WHERE hash = ?", [digest or ""]))
        if row is not None:
            return PromptSet.from_texts(row[0], json.loads(row[1]))
        return _prompts_on_disk(name, digest)

    def _siblings(self, judge: str) -> dict[str, str | None]:
        """Return the judges that differ in order only, the judge itself included, each with its order as a text."""
        stored = {one.id: one for one in self.judges()}
        if judge not in stored:
            return {}
        wanted = _without_order(stored[judge].settings)
        return {
            name: _order_text(one.settings.get("order"))
            for name, one in stored.items()
            if _without_order(one.settings) == wanted
        }


_STORED = "FROM judgement AS j JOIN debate AS d ON d.id = j.debate_id AND d.dataset_id = j.dataset_id"


def _family(settings: Mapping[str, Any]) -> Family:
    """Return the family of a judge that only its settings are known of."""
    match settings.get("kind"):
        case "semantics":
            return Family.SEMANTICS
        case "llm":
            return Family.LLM
        case "majority vote" | "mean stance" | "weighted vote":
            return Family.VOTE
        case "human":
            return Family.HUMAN
        case "recorded":
            return Family.HUMAN if settings.get("recorded_kind") == "human" else Family.RECORDED
    return Family.RECORDED


def _as_named(cursor: duckdb.DuckDBPyConnection, judge: str) -> dict[str, Any] | None:
    """Return what the audit log says of a judge; its settings are its id and never change."""
    row = first_row(cursor.execute("SELECT name, title, pinned FROM judge WHERE id = ?", [judge]))
    return None if row is None else dict(zip(("name", "title", "pinned"), row, strict=True))


def _prompts_on_disk(name: str, digest: str | None) -> PromptSet:
    """Return the templates in the folder of that name: judges that came with a file of judgements bring none along.

    Raises:
        InvalidSetting: If there is no such folder, or the templates in it are others than the judge's.
    """
    try:
        found = find_prompts(name)
    except MootError as error:
        raise InvalidSetting(f"The prompt set {name!r} of this judge is not in the database. {error}") from error
    if found.hash != digest:
        raise InvalidSetting(
            f"The prompt set {name!r} of this judge is not in the database, and the templates in the folder of that "
            "name are others."
        )
    return found


def _keep_prompts(cursor: duckdb.DuckDBPyConnection, prompts: PromptSet) -> None:
    cursor.execute(
        "INSERT INTO prompt_set VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [prompts.hash, storable(prompts.name), dumps(dict(prompts.texts))],
    )


def _without_order(settings: Mapping[str, Any]) -> str:
    return settings_id({**settings, "order": None})


def _order_text(order: Any) -> str | None:
    if order is None:
        return None
    return "-".join(map(str, order)) if isinstance(order, list) else f"seed {order}"


__all__ = ["FoundJudgement", "JudgementRepository", "KeptJudgement", "StoredJudge"]
