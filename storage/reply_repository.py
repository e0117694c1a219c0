"""Keep what language models replied, so that no call is paid for twice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from core.llm.endpoint import ResponseFormat
from core.llm.request import ChatReply, ChatRequest
from core.runs.plan import Spending
from core.strict_json import dumps, storable
from storage.database import Database, first_row
from storage.table_rows import insert

COLUMNS = (
    "key", "run_id", "endpoint", "base_url", "model", "parameters", "messages", "schema", "sample", "text",
    "response_model", "finish_reason", "refusal", "tokens_in", "tokens_out", "tokens_cached", "seconds", "format",
    "top", "cost",
)  # fmt: skip
_REPLY = "text, response_model, finish_reason, refusal, tokens_in, tokens_out, tokens_cached, seconds, format, top"


@dataclass(frozen=True)
class KeptReply:
    """A reply on its way into the database: to which request, by which run, at what cost (None: unknown)."""

    request: ChatRequest
    reply: ChatReply
    run_id: str = ""
    cost: float | None = None


class ReplyRepository:
    """Keep and find replies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, key: str) -> ChatReply | None:
        """Return the reply to a request by the request's key; None if there is none."""
        with self._database.read() as cursor:
            row = first_row(cursor.execute(f"SELECT {_REPLY} FROM reply WHERE key = ?", [key]))  # noqa: S608
        return None if row is None else _reply(row)

    def keep(self, replies: Iterable[KeptReply]) -> None:
        """Store replies, all or none; one that is stored already stays as it is."""
        with self._database.write() as cursor:
            insert_replies(cursor, list(replies))

    def spending(self, run_id: str) -> Spending:
        """Return what a run's calls used; its seconds are 0."""
        with self._database.read() as cursor:
            row = first_row(
                cursor.execute(
                    "SELECT count(*), coalesce(sum(tokens_in), 0), coalesce(sum(tokens_out), 0), "
                    "coalesce(sum(tokens_cached), 0), coalesce(sum(cost), 0), count(*) FILTER (cost IS NULL) "
                    "FROM reply WHERE run_id = ?",
                    [run_id],
                )
            )
        calls, tokens_in, tokens_out, cached, money, unpriced = row or (0, 0, 0, 0, 0.0, 0)
        return Spending(int(calls), int(tokens_in), int(tokens_out), int(cached), float(money), int(unpriced))

    def facts(self, keys: Sequence[str]) -> dict[str, tuple[ChatReply, float | None]]:
        """Return replies with what they cost, by key; keys that are not stored are left out."""
        with self._database.read() as cursor:
            return reply_facts(cursor, keys)

    def conversation(self, key: str) -> dict[str, Any] | None:
        """Return everything kept about one call as plain JSON values, to show and audit; None if there is none."""
        with self._database.read() as cursor:
            row = first_row(
                cursor.execute(f"SELECT {', '.join(COLUMNS)}, created_at FROM reply WHERE key = ?", [key])  # noqa: S608
            )
        if row is None:
            return None
        record = dict(zip((*COLUMNS, "created_at"), row, strict=True))
        for name in ("parameters", "messages", "top"):
            record[name] = json.loads(record[name])
        record["created_at"] = record["created_at"].isoformat()
        return record


def insert_replies(cursor: duckdb.DuckDBPyConnection, replies: Sequence[KeptReply]) -> None:
    """Store replies in a transaction that is open."""
    rows = list({kept.request.key: _row(kept) for kept in replies}.values())
    insert(cursor, "reply", COLUMNS, rows, "ON CONFLICT DO NOTHING", now="created_at")


def reply_facts(cursor: duckdb.DuckDBPyConnection, keys: Sequence[str]) -> dict[str, tuple[ChatReply, float | None]]:
    """Return replies with what they cost, by key."""
    rows = cursor.execute(
        f"SELECT key, cost, {_REPLY} FROM reply WHERE key IN (SELECT unnest(?::VARCHAR[]))",  # noqa: S608
        [list(keys)],
    ).fetchall()
    return {key: (_reply(rest), cost) for key, cost, *rest in rows}


def _row(kept: KeptReply) -> tuple[Any, ...]:
    request, reply = kept.request, kept.reply
    return (
        request.key,
        kept.run_id,
        storable(request.endpoint.name),
        storable(request.endpoint.base_url),
        storable(request.model),
        dumps(request.parameters.to_json()),
        dumps([[message.role.value, message.text] for message in request.messages]),
        request.schema,
        request.sample,
        storable(reply.text),
        storable(reply.model),
        storable(reply.finish_reason),
        storable(reply.refusal),
        reply.tokens_in,
        reply.tokens_out,
        reply.tokens_cached,
        reply.seconds,
        reply.format.value,
        dumps([list(pair) for pair in reply.top]),
        kept.cost,
    )


def _reply(row: Sequence[Any]) -> ChatReply:
    text, model, finish_reason, refusal, tokens_in, tokens_out, cached, seconds, used, top = row
    alternatives = tuple((token, float("-inf") if logprob is None else logprob) for token, logprob in json.loads(top))
    return ChatReply(
        text, model, finish_reason, refusal, tokens_in, tokens_out, cached, seconds, ResponseFormat(used), alternatives
    )


__all__ = ["KeptReply", "ReplyRepository", "insert_replies", "reply_facts"]
