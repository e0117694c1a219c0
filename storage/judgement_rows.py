"""Judgements to table columns and back; the only SQL is that which inserts them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from core.judgement import Judgement, JudgementStatus, Verdict
from core.strict_json import dumps, storable
from storage.reply_repository import reply_facts
from storage.table_rows import insert

COLUMNS = (
    "judge_id", "dataset_id", "debate_id", "run_id", "score", "verdict", "status", "explanation", "parts", "notes",
    "replies", "models", "calls", "tokens_in", "tokens_out", "cost", "seconds", "origin",
)  # fmt: skip
_KEY = ("judge_id", "dataset_id", "debate_id")
_OVERWRITE = "ON CONFLICT DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in (*COLUMNS, "created_at") if name not in _KEY
)


@dataclass(frozen=True)
class KeptJudgement:
    """A judgement on its way into the database.

    Attributes:
        judge_id, dataset_id, debate_id: Which judge said it, of what.
        judgement: What it said.
        replies: Keys of the stored replies it rests on; they also tell tokens, cost and time.
        run_id: The run that made it; empty where it came from a file.
        origin: What is to be said wherever it is shown; empty for the user's own runs.
    """

    judge_id: str
    dataset_id: str
    debate_id: str
    judgement: Judgement
    replies: tuple[str, ...] = ()
    run_id: str = ""
    origin: str = ""


@dataclass(frozen=True)
class FoundJudgement:
    """A stored judgement with what it took.

    Attributes:
        calls: Replies it rests on.
        tokens_in, tokens_out, cost: None where a reply did not say, or a price is unknown.
        models: Who answered.
    """

    judge_id: str
    dataset_id: str
    debate_id: str
    judgement: Judgement
    replies: tuple[str, ...]
    run_id: str
    origin: str
    models: tuple[str, ...]
    calls: int
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    seconds: float


def insert_judgements(cursor: duckdb.DuckDBPyConnection, judgements: Sequence[KeptJudgement]) -> None:
    """Store judgements in a transaction that is open; the last of several of one judge on one debate counts."""
    keys = sorted({key for kept in judgements for key in kept.replies})
    facts = reply_facts(cursor, keys) if keys else {}
    rows = {}
    for kept in judgements:
        replies = [facts[key] for key in kept.replies if key in facts]
        rows[kept.judge_id, kept.dataset_id, kept.debate_id] = row_of(
            FoundJudgement(
                kept.judge_id,
                kept.dataset_id,
                kept.debate_id,
                kept.judgement,
                kept.replies,
                kept.run_id,
                kept.origin,
                models=tuple(sorted({reply.model for reply, _ in replies if reply.model})),
                calls=len(replies),
                tokens_in=_sum([reply.tokens_in for reply, _ in replies]),
                tokens_out=_sum([reply.tokens_out for reply, _ in replies]),
                cost=_sum([cost for _, cost in replies]),
                seconds=sum(reply.seconds for reply, _ in replies),
            )
        )
    insert(cursor, "judgement", COLUMNS, list(rows.values()), _OVERWRITE, now="created_at")


def row_of(one: FoundJudgement) -> tuple[Any, ...]:
    """Return the columns of a judgement."""
    said = one.judgement
    return (
        one.judge_id,
        one.dataset_id,
        storable(one.debate_id),
        one.run_id,
        said.score,
        None if said.verdict is None else said.verdict.value,
        said.status.value,
        storable(said.explanation),
        dumps([_part(part) for part in said.parts]),
        dumps(list(said.notes)),
        dumps(list(one.replies)),
        dumps(list(one.models)),
        one.calls,
        one.tokens_in,
        one.tokens_out,
        one.cost,
        one.seconds,
        storable(one.origin),
    )


def _sum(values: Sequence[Any]) -> Any:
    """Return the sum; None where a value is unknown."""
    return None if any(value is None for value in values) else sum(values)


def _part(part: Judgement) -> dict[str, Any]:
    return {
        "judge": part.judge,
        "score": part.score,
        "verdict": None if part.verdict is None else part.verdict.value,
        "status": part.status.value,
        "explanation": part.explanation,
        "notes": list(part.notes),
    }


def found_of(row: Sequence[Any]) -> FoundJudgement:
    """Return the judgement in a row of ``COLUMNS``, the judge's name and its settings."""
    values = dict(zip((*COLUMNS, "name", "settings"), row, strict=True))
    parts = tuple(
        Judgement(
            part["judge"],
            part["score"],
            None if part["verdict"] is None else Verdict(part["verdict"]),
            JudgementStatus(part["status"]),
            explanation=part["explanation"],
            notes=tuple(part["notes"]),
        )
        for part in json.loads(values["parts"])
    )
    judgement = Judgement(
        values["name"] or values["judge_id"],
        values["score"],
        None if values["verdict"] is None else Verdict(values["verdict"]),
        JudgementStatus(values["status"]),
        explanation=values["explanation"],
        settings=json.loads(values["settings"] or "{}"),
        parts=parts,
        notes=tuple(json.loads(values["notes"])),
    )
    return FoundJudgement(
        values["judge_id"],
        values["dataset_id"],
        values["debate_id"],
        judgement,
        tuple(json.loads(values["replies"])),
        values["run_id"],
        values["origin"],
        tuple(json.loads(values["models"])),
        values["calls"],
        values["tokens_in"],
        values["tokens_out"],
        values["cost"],
        values["seconds"],
    )


__all__ = ["COLUMNS", "FoundJudgement", "KeptJudgement", "found_of", "insert_judgements", "row_of"]
