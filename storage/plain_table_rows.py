"""Rows of the database out of the debates of a table of arguments that need no mending, all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from json.encoder import encode_basestring as in_quotes
from typing import Any

import numpy as np
import pyarrow as pa

from core.debate import DebateProtocol
from core.native import FORMAT
from core.opinion import TOPIC, RelationKind
from core.strict_json import dumps, one_line
from storage.coded_columns import NONE, Groups, running
from storage.debate_filter import folded
from storage.plain_rows import table_of_columns
from storage.plain_table import STANCES, PlainTable

_LABELS = {True: "true", False: "false", None: "null"}


class PlainTableRows:
    """The rows that a table's debates are stored as.

    Args:
        table: The table.
        numbers: The key of each of its debates that is in order, which is its place too.
    """

    def __init__(self, table: PlainTable, numbers: Sequence[int]) -> None:
        self._of = table
        self._keys = np.zeros(len(table.good), np.int64)
        self._keys[table.good] = numbers

    def tables(self) -> dict[str, pa.Table]:
        """Return the Arrow tables that have rows, by the name of the database's table."""
        of, who = self._of, self._of.texts["agent"]
        if not of.good.any():
            return {}
        rows, agents, stances = self._rows, self._agents, self._stances
        kinds = [(RelationKind.SUPPORT if side else RelationKind.ATTACK).value for side in of.supports[rows]]
        found: dict[str, Sequence[Any]] = {
            "debate": list(zip(*self._debates(), strict=True)),
            "agent": [
                *(self._keys[of.debate[agents]], running(of.debate[agents]), who.of(agents)),
                *(None, self._models, None, None, None),
            ],
            "stance": [*self._places(stances), who.of(stances), *(_values(self._stood[kind]) for kind in STANCES)],
            "argument": [
                *(*self._places(rows), of.names.of(rows), of.texts["text"].of(rows), who.of(rows)),
                *(_values(of.scores["base_score"][rows]), None, None, None, np.zeros(len(rows), bool), None),
            ],
            "relation": [*self._places(rows), of.names.of(rows), of.targets.of(rows), kinds],
        }
        return {name: table_of_columns(name, columns) for name, columns in found.items() if len(columns[0])}

    # Rows in the order in which they are stored: those of arguments, and the first of each agent and of each stance.

    @cached_property
    def _rows(self) -> np.ndarray:
        rows = np.flatnonzero(self._of.good[self._of.debate])
        ordered: np.ndarray = rows[np.argsort(self._of.rounds.of_row[rows], kind="stable")]
        return ordered

    @cached_property
    def _agents(self) -> np.ndarray:
        return self._firsts(self._of.agents, self._of.debate)

    @cached_property
    def _stances(self) -> np.ndarray:
        return self._firsts(self._of.stances, self._of.rounds.of_row)

    def _firsts(self, groups: Groups, wider: np.ndarray) -> np.ndarray:
        first = groups.first[self._of.good[self._of.debate[groups.first]]]
        ordered: np.ndarray = first[np.lexsort((first, wider[first]))]
        return ordered

    def _places(self, rows: np.ndarray) -> list[np.ndarray]:
        """Return the columns that say where in which debate."""
        of = self._of
        debates, rounds = of.debate[rows], of.rounds.of_row[rows]
        return [self._keys[debates], rounds - self._round_at[debates], of.numbers[rows], running(rounds)]

    @cached_property
    def _round_at(self) -> np.ndarray:
        """Return the first round of each debate, and how many rounds there are."""
        of = self._of
        places: np.ndarray = np.searchsorted(of.debate[of.rounds.first], np.arange(len(of.starts) + 1))
        return places

    @cached_property
    def _models(self) -> list[str | None]:
        codes = self._of.models[self._of.agents.of_row[self._agents]]
        texts = [*self._of.texts["model"].texts, None]
        return [texts[code] for code in codes.tolist()]

    @cached_property
    def _stood(self) -> dict[str, np.ndarray]:
        """Return the scores of each stance, NaN where there is none."""
        of = self._of
        return {kind: of.stances.only(of.scores[kind])[0][of.stances.of_row[self._stances]] for kind in STANCES}

    def _standing(self) -> list[list[float | None]]:
        """Return the stances that each debate's profile of the last round has, in the order of its agents.

        They are posteriors, or the latest prior where there is none. An agent counts that takes a stance in any round,
        or that speaks in the last.
        """
        of = self._of
        last = np.zeros(len(of.rounds.first), bool)
        last[self._round_at[1:] - 1] = True
        latest = np.full(len(of.agents.first), np.nan)
        whose = of.agents.of_row[self._stances]
        has_prior = ~np.isnan(self._stood["prior"])
        latest[whose[has_prior]] = self._stood["prior"][has_prior]  # of several the last, as rounds are in order
        decided = ~np.isnan(self._stood["posterior"]) & last[of.rounds.of_row[self._stances]]
        latest[whose[decided]] = self._stood["posterior"][decided]
        there = np.zeros(len(latest), bool)
        there[whose] = True
        speaks_last = last[of.rounds.of_row[self._rows]] & (of.agents.of_row[self._rows] != NONE)
        there[of.agents.of_row[self._rows[speaks_last]]] = True
        agents = of.agents.of_row[self._agents]
        found: list[list[float | None]] = [[] for _ in of.starts]
        stood = zip(of.debate[self._agents].tolist(), _values(latest[agents]), there[agents].tolist(), strict=True)
        for debate, value, counts in stood:
            if counts:
                found[debate].append(value)
        return found

    # -- records ---------------------------------------------------------------------------------------------------

    def _debates(self) -> Iterator[tuple[Any, ...]]:
        """Yield the row of each debate."""
        of, rows = self._of, self._rows
        good = np.flatnonzero(of.good)
        names, claims = (of.texts[name].known(of.starts[good]) for name in ("debate_id", "claim"))
        round_at, round_lines = self._round_at.tolist(), self._round_lines()
        agent_at, agent_lines = self._begins(of.debate[self._agents], len(of.starts)), self._agent_lines()
        row_at = self._begins(of.rounds.of_row[rows], len(of.rounds.first))
        texts, standing = of.texts["text"].known(rows), self._standing()
        about_topic = of.targets.codes[rows] == of.targets.code(TOPIC)
        pros, cons = (
            np.cumsum([0, *(about_topic & side)]).tolist() for side in (of.supports[rows], ~of.supports[rows])
        )
        lines = of.rows.column("line").to_numpy()[of.starts].tolist()
        before, after = dumps({"imported_from": {**of.origin, "line": 0}}).rsplit("0", 1)
        keys = self._keys.tolist()
        for debate, name, claim in zip(good.tolist(), names, claims, strict=True):
            label, key = of.labels[debate], keys[debate]
            first, end = round_at[debate], round_at[debate + 1]
            own = slice(agent_at[debate], agent_at[debate + 1])
            begin_last, end_last = row_at[end - 1], row_at[end]
            count = end_last - begin_last
            protocol = (DebateProtocol.MULTI_TURN_PRIVATE if end - first > 1 else DebateProtocol.SINGLE_TURN).value
            record = (
                f'{{"format": "{FORMAT}", "debate_id": {in_quotes(name)}, "protocol": "{protocol}", '
                f'"claim": {in_quotes(claim)}, "label": {_LABELS[label]}, "agents": [{", ".join(agent_lines[own])}], '
                f'"rounds": [{", ".join(round_lines[first:end])}], "provenance": {before}{lines[debate]}{after}}}'
            )
            words = "\n".join(dict.fromkeys([name, "", claim, *texts[row_at[first] : end_last]]))
            yield (
                *(key, name, name, "", key, None, claim, None, label, protocol, None, []),
                list(dict.fromkeys(model for model in self._models[own] if model is not None)),
                *(end - first, own.stop - own.start, count),
                *(pros[end_last] - pros[begin_last], cons[end_last] - cons[begin_last], count),
                *(standing[debate], 0, 0, folded(words), one_line(record)),
            )

    def _begins(self, groups: np.ndarray, count: int) -> list[int]:
        """Return where each group begins among rows in their order, and where the last one ends."""
        places: list[int] = np.searchsorted(groups, np.arange(count + 1)).tolist()
        return places

    def _agent_lines(self) -> list[str]:
        who = self._of.texts["agent"].written(_agent, self._agents)
        return [
            f"{{{name}}}" if model is None else f'{{{name}, "model": {in_quotes(model)}}}'
            for name, model in zip(who, self._models, strict=True)
        ]

    def _stance_lines(self) -> list[str]:
        columns = [_written(kind, self._stood[kind]) for kind in STANCES]
        who = self._of.texts["agent"].written(_agent, self._stances)
        return [f"{{{name}{prior}{posterior}}}" for name, prior, posterior in zip(who, *columns, strict=True)]

    def _argument_lines(self) -> list[str]:
        of, rows = self._of, self._rows
        columns = (
            of.names.written(in_quotes, rows),
            of.texts["agent"].written(lambda name: f', "author": {in_quotes(name)}', rows),
            of.texts["text"].written(in_quotes, rows),
            _written("base_score", of.scores["base_score"][rows]),
            ["supports" if side else "attacks" for side in of.supports[rows].tolist()],
            of.targets.written(in_quotes, rows),
        )
        return [
            f'{{"id": {name}{author}, "text": {text}{score}, "{kind}": [{target}]}}'
            for name, author, text, score, kind, target in zip(*columns, strict=True)
        ]

    def _round_lines(self) -> list[str]:
        """Return each round's record; an empty one for rounds of debates that are not in order."""
        rounds = self._of.rounds
        stances, arguments = self._stance_lines(), self._argument_lines()
        stance_at = self._begins(rounds.of_row[self._stances], len(rounds.first))
        row_at = self._begins(rounds.of_row[self._rows], len(rounds.first))
        found = []
        for place, number in enumerate(self._of.numbers[rounds.first].tolist()):
            own = ", ".join(stances[stance_at[place] : stance_at[place + 1]])
            said = ", ".join(arguments[row_at[place] : row_at[place + 1]])
            stood = f'"stances": [{own}], ' if own else ""
            found.append(f'{{"round": {number}, {stood}"arguments": [{said}]}}')
        return found


def _agent(name: str) -> str:
    return f'"agent_id": {in_quotes(name)}'


def _written(key: str, scores: np.ndarray) -> list[str]:
    """Return the part of a record that says a score; the empty text where there is none."""
    return [f', "{key}": {score!r}' if score == score else "" for score in scores.tolist()]


def _values(scores: np.ndarray) -> list[float | None]:
    return [score if score == score else None for score in scores.tolist()]


__all__ = ["PlainTableRows"]
