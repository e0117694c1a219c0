"""The profiles of stored debates as arrays, for judging many of them at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from core.debate import DebateProtocol
from core.judges.many import NOBODY, TOPIC_PLACE, ProfileArrays
from core.opinion import TOPIC, RelationKind
from core.strict_json import storable
from storage.database import Database

# As core.debate.profile has it: whoever held a stance up to the round, or wrote an argument of it, has an
# opinion; first the debate's agents in their order, then others in the order of their stances in it.
_STANCES = """
    CREATE TEMP TABLE holder AS
    WITH stated AS (
        SELECT w.place, s.agent_id, arg_max(s.prior, s.round_index) FILTER (s.prior IS NOT NULL) AS prior,
            any_value(s.posterior) FILTER (s.round_index = w.at) AS posterior,
            any_value(s.position) FILTER (s.round_index = w.at) AS given_at
        FROM stance AS s JOIN wanted AS w ON s.debate = w.number AND s.round_index <= w.at GROUP BY ALL
    ), writer AS (
        SELECT DISTINCT w.place, x.author AS agent_id
        FROM argument AS x JOIN wanted AS w ON x.debate = w.number AND x.round_index = w.at
        WHERE x.author IS NOT NULL
    ), listed AS (
        SELECT w.place, a.id AS agent_id, min(a.position) AS listed_at
        FROM agent AS a JOIN wanted AS w ON a.debate = w.number GROUP BY ALL
    ), ordered AS (
        SELECT place, agent_id, prior, posterior, listed_at, given_at
        FROM stated FULL JOIN writer USING (place, agent_id) FULL JOIN listed USING (place, agent_id)
        WHERE given_at IS NOT NULL
            OR (listed_at IS NOT NULL AND (stated.place IS NOT NULL OR writer.place IS NOT NULL))
    )
    SELECT place, agent_id, prior, posterior,
        row_number() OVER (ORDER BY place, listed_at NULLS LAST, given_at) - 1 AS stance
    FROM ordered
"""
_ARGUMENTS = """
    CREATE TEMP TABLE held AS
    SELECT w.place, x.id, x.author, x.base_score, x.is_error_text,
        row_number() OVER (ORDER BY w.place, x.position) - 1 AS argument
    FROM argument AS x JOIN wanted AS w ON x.debate = w.number AND x.round_index = w.at
"""
_RELATIONS = """
    SELECT w.place, CASE WHEN r.source = $topic THEN $none ELSE s.argument END AS source,
        CASE WHEN r.target = $topic THEN $none ELSE t.argument END AS target, r.kind = $support AS supports
    FROM relation AS r JOIN wanted AS w ON r.debate = w.number AND r.round_index = w.at
    LEFT JOIN held AS s ON s.place = w.place AND s.id = r.source
    LEFT JOIN held AS t ON t.place = w.place AND t.id = r.target
    WHERE (r.source = $topic OR s.argument IS NOT NULL) AND (r.target = $topic OR t.argument IS NOT NULL)
    ORDER BY w.place, r.position
"""


def profile_arrays(
    database: Database, ids: Iterable[str] | None = None, round_index: int | None = None
) -> ProfileArrays:
    """Return the profiles of one round of stored debates: the debates in the order of their import.

    Args:
        database: Where the debates are.
        ids: Which debates, all of them unless given; ids that are not stored are left out.
        round_index: The round's place, from 0; the last one unless given. Debates that have no such round are left out.
    """
    wanted = None if ids is None else [storable(name) for name in ids]
    with database.read() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE wanted AS SELECT number, id, protocol, coalesce($at, round_count - 1) AS at, "
            "row_number() OVER (ORDER BY number) - 1 AS place FROM debate "
            "WHERE ($all OR id IN (SELECT unnest($ids::VARCHAR[]))) AND ($at IS NULL OR $at < round_count)",
            {"all": wanted is None, "ids": wanted or [], "at": round_index},
        )
        cursor.execute(_STANCES)
        cursor.execute(_ARGUMENTS)
        debates = _columns(cursor, "SELECT id, protocol FROM wanted ORDER BY place")
        stances = _columns(cursor, "SELECT place, agent_id, prior, posterior FROM holder ORDER BY stance")
        arguments = _columns(
            cursor,
            "SELECT h.place, coalesce(s.stance, $none) AS author, h.base_score, h.is_error_text FROM held AS h "
            "LEFT JOIN holder AS s ON s.place = h.place AND s.agent_id = h.author ORDER BY h.argument",
            {"none": NOBODY},
        )
        relations = _columns(
            cursor, _RELATIONS, {"topic": TOPIC, "none": TOPIC_PLACE, "support": RelationKind.SUPPORT.value}
        )
    return ProfileArrays(
        debates=debates["id"].tolist(),
        shared=debates["protocol"] == DebateProtocol.MULTI_TURN_SHARED.value,
        agents=stances["agent_id"].tolist(),
        stance_debates=_places(stances["place"]),
        priors=_numbers(stances["prior"]),
        posteriors=_numbers(stances["posterior"]),
        argument_debates=_places(arguments["place"]),
        authors=_places(arguments["author"]),
        base_scores=_numbers(arguments["base_score"]),
        failures=np.asarray(arguments["is_error_text"], dtype=bool),
        relation_debates=_places(relations["place"]),
        sources=_places(relations["source"]),
        targets=_places(relations["target"]),
        supports=np.asarray(relations["supports"], dtype=bool),
    )


def _columns(cursor: duckdb.DuckDBPyConnection, query: str, values: dict[str, Any] | None = None) -> dict[str, Any]:
    columns: dict[str, Any] = cursor.execute(query, values).fetchnumpy()
    return columns


def _places(column: Any) -> NDArray[np.int64]:
    return np.asarray(column, dtype=np.int64)


def _numbers(column: Any) -> NDArray[np.float64]:
    return np.asarray(np.ma.filled(np.ma.asarray(column, dtype=np.float64), np.nan))


__all__ = ["profile_arrays"]
