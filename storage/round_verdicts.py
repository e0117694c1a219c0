"""What agents and judges say after each round of stored debates, for how often they are right when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.comparison.population import NONE, VERDICTS, Codes, decided_codes, label_codes
from core.debate import profile
from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.judges.many import LocalJudge, ProfileArrays, judge_many, scores_many
from core.judges.recorded_judge import RecordedJudge
from core.judges.semantics_judge import SemanticsJudge
from core.overview import Scored
from core.rounds.accuracy import RoundAccuracy, VerdictLine, accuracy_by_round
from core.rounds.stances import BEFORE
from core.rounds.trajectory import LineKind
from core.strict_json import storable
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judge_catalogue import Candidate
from storage.profile_arrays import profile_arrays

MOST_AGENTS = 24  # lines of agents, those with the most debates first


@dataclass(frozen=True)
class NamedJudge:
    """A judge and what to call it in a chart."""

    name: str
    judge: Candidate


@dataclass(frozen=True, eq=False)
class Material:
    """How often agents and judges are right after each round.

    Attributes:
        found: The accuracies.
        debates: How many debates have so many rounds.
        last_round_only: Judges whose stored judgements are of the last round alone.
        agents_left_out: How many agents with fewer debates have no line.
    """

    found: RoundAccuracy
    debates: int
    last_round_only: tuple[str, ...]
    agents_left_out: int


def round_counts(database: Database, ids: Iterable[str]) -> dict[int, int]:
    """Return how many of the debates have how many rounds, those of one round left out, the fewest rounds first."""
    with database.read() as cursor:
        return dict(
            cursor.execute(
                "SELECT round_count, count(*) FROM debate WHERE round_count > 1 "
                "AND id IN (SELECT unnest(?::VARCHAR[])) GROUP BY 1 ORDER BY 1",
                [[storable(name) for name in ids]],
            ).fetchall()
        )


def accuracy_of(
    database: Database,
    ids: Iterable[str],
    rounds: int,
    judges: Sequence[NamedJudge],
    rule: DecisionRule,
    *,
    anonymise: bool = False,
) -> Material:
    """Return how often the agents of debates and some judges are right after each round.

    Args:
        database: Where the debates are.
        ids: Which debates; only those of exactly so many rounds count, so that every round rests on the same ones.
        rounds: How many rounds.
        judges: Semantics and votes judge every round anew; recorded judges count where the log names the round.
        rule: From an agent's stance to its verdict.
        anonymise: Call agents by number instead of by name and model.
    """
    wanted = [storable(name) for name in ids]
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT id, label FROM debate WHERE round_count = ? AND id IN (SELECT unnest(?::VARCHAR[])) "
            "ORDER BY number",
            [rounds, wanted],
        ).fetchall()
    debates = [name for name, _ in rows]
    labels = label_codes(label for _, label in rows)
    agents, left_out = _agents(database, debates, rounds, rule, anonymise=anonymise)
    by_round = [profile_arrays(database, debates, place) for place in range(rounds)]
    lines = list(agents)
    last_only: list[str] = []
    for one in judges:
        if isinstance(one.judge.judge, RecordedJudge):
            lines.append(_recorded(database, one.name, one.judge.judge, debates, rounds))
        elif one.judge.local is None:
            last_only.append(one.name)
        else:
            lines.append(_judged(database, one.name, one.judge.local, debates, by_round))
    found = accuracy_by_round(lines, labels, _moments(database, debates, rounds))
    return Material(found, len(debates), tuple(last_only), left_out)


def _moments(database: Database, debates: Sequence[str], rounds: int) -> tuple[str, ...]:
    """Return what the moments are called: by the rounds' numbers where all debates have the same, else by place."""
    with database.read() as cursor:
        numbers = cursor.execute(
            "SELECT round_index, min(round), max(round) FROM ("
            "SELECT debate, round_index, round FROM stance UNION ALL SELECT debate, round_index, round FROM argument"
            ") AS r JOIN debate AS d ON r.debate = d.number WHERE d.id IN (SELECT unnest(?::VARCHAR[])) GROUP BY 1",
            [list(debates)],
        ).fetchall()
    named = {place: str(low) for place, low, high in numbers if low == high}
    alike = len(named) == len(numbers)
    return (BEFORE, *(named.get(place, str(place)) if alike else f"{place + 1} of {rounds}" for place in range(rounds)))


def _agents(
    database: Database, debates: Sequence[str], rounds: int, rule: DecisionRule, *, anonymise: bool
) -> tuple[list[VerdictLine], int]:
    """Return a line for each agent by name and model, and how many have none for want of room."""
    with database.read() as cursor:
        stated = cursor.execute(
            "SELECT d.id AS debate, s.round_index, s.agent_id, s.prior, s.posterior, a.name, a.model, a.position "
            "FROM stance AS s JOIN debate AS d ON s.debate = d.number "
            "LEFT JOIN agent AS a ON a.debate = s.debate AND a.id = s.agent_id "
            "WHERE d.id IN (SELECT unnest(?::VARCHAR[])) ORDER BY d.number, s.round_index, s.position",
            [list(debates)],
        ).df()
    if stated.empty:
        return [], 0
    columns = pd.Index(list(debates), dtype=object).get_indexer(pd.Index(stated["debate"], dtype=object))
    if anonymise:
        names = stated["position"].map(lambda place: "Others" if pd.isna(place) else f"Agent {int(place) + 1}")
    else:
        shown = stated["name"].fillna(stated["agent_id"]).astype(str)
        names = shown.where(stated["model"].isna(), shown + " (" + stated["model"].astype(str) + ")")
    lines: list[tuple[int, VerdictLine]] = []
    for name, places in stated.groupby(names, sort=False).groups.items():
        part, at = stated.loc[places], columns[stated.index.get_indexer(places)]
        verdicts = np.full((rounds + 1, len(debates)), NONE, np.int8)
        moments = part["round_index"].to_numpy(dtype=int)
        first = (moments == 0) & part["prior"].notna().to_numpy()
        verdicts[0, at[first]] = decided_codes(part["prior"].to_numpy(dtype=float)[first], rule)
        said = part["posterior"].notna().to_numpy()
        verdicts[moments[said] + 1, at[said]] = decided_codes(part["posterior"].to_numpy(dtype=float)[said], rule)
        lines.append((len(set(at.tolist())), VerdictLine(str(name), LineKind.STANCE, verdicts)))
    lines.sort(key=lambda line: -line[0])
    return [line for _, line in lines[:MOST_AGENTS]], max(len(lines) - MOST_AGENTS, 0)


def _judged(
    database: Database, name: str, judge: LocalJudge, debates: Sequence[str], by_round: Sequence[ProfileArrays]
) -> VerdictLine:
    """Return what a judge says of every round, judged anew."""
    index = pd.Index(list(debates), dtype=object)
    verdicts = np.full((len(by_round) + 1, len(debates)), NONE, np.int8)
    for place, arrays in enumerate(by_round):
        columns = index.get_indexer(pd.Index(list(arrays.debates), dtype=object))
        alone = np.zeros(len(arrays.debates), dtype=bool)
        if isinstance(judge, SemanticsJudge):
            verdicts[place + 1, columns] = decided_codes(np.array(scores_many(judge, arrays)), judge.rule)
            alone = arrays.cyclic
        else:
            said = judge_many(judge, arrays)
            verdicts[place + 1, columns] = [_code(one) for one in said]
        for at in np.flatnonzero(alone).tolist():  # circular debates need a search each
            debate = DebateRepository(database).get(arrays.debates[at])
            held = profile(debate, debate.rounds[place].number)
            verdicts[place + 1, columns[at]] = _code(Scored.of(judge.judge(held)))
    return VerdictLine(name, LineKind.JUDGE, verdicts)


def _recorded(database: Database, name: str, judge: RecordedJudge, debates: Sequence[str], rounds: int) -> VerdictLine:
    """Return what a judge of the log said of the rounds that it names; the first judgement of each counts."""
    with database.read() as cursor:
        said = cursor.execute(
            "WITH numbered AS (SELECT DISTINCT debate, round_index, round FROM ("
            "SELECT debate, round_index, round FROM stance UNION ALL SELECT debate, round_index, round FROM argument)) "
            "SELECT d.id, n.round_index, r.verdict, r.status FROM recorded_judgement AS r "
            "JOIN debate AS d ON r.debate = d.number JOIN numbered AS n ON n.debate = d.number "
            "AND n.round = try_cast(json_extract_string(r.settings, '$.round') AS INTEGER) "
            "WHERE r.judge = ? AND r.kind = ? AND d.id IN (SELECT unnest(?::VARCHAR[])) ORDER BY r.position DESC",
            [judge.judge, judge.kind, list(debates)],
        ).fetchall()
    places = {debate: place for place, debate in enumerate(debates)}
    verdicts: Codes = np.full((rounds + 1, len(debates)), NONE, np.int8)
    for debate, at, verdict, status in said:
        decided = status in (JudgementStatus.OK.value, JudgementStatus.ABSTAINED.value) and verdict is not None
        verdicts[at + 1, places[debate]] = VERDICTS.index(Verdict(verdict)) if decided else NONE
    return VerdictLine(name, LineKind.RECORDED, verdicts)


def _code(said: Scored | None) -> int:
    return NONE if said is None or said.verdict is None else VERDICTS.index(said.verdict)


__all__ = ["Material", "NamedJudge", "accuracy_of", "round_counts"]
