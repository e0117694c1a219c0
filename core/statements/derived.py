"""The debate that arguments taken from a transcript make: a new one beside the original, which stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.debate import Agent, Debate, Round
from core.errors import InvalidGraph
from core.opinion import Argument, Relation
from core.statements.taken import TakenArgument, problems
from core.statements.turns import Turn, turns_of

SUFFIX = "statements"
TAG = "from statements"
FROM_DEBATE, FROM_DATASET, BY, ORIGINS = "from_debate", "from_data_set", "taken_by", "arguments_from"


def derived_debate(original: Debate, taken: Sequence[TakenArgument], person: str, dataset: str = "") -> Debate:
    """Return a debate on the same claim whose arguments are those taken from a transcript.

    Claim, label, agents, stances, transcript, exhibits and the judgements that came with the log stay; arguments,
    relations and contestations of the original do not. An argument stands from the round of its first turn on, so that
    the debate can be judged round by round; a base score that nobody gave is missing.

    Args:
        original: Has a transcript.
        taken: What was taken from it.
        person: Who took or accepted the arguments, as shown.
        dataset: The name of the original's data set.

    Raises:
        InvalidGraph: If the arguments cannot be a debate; the message says why.
    """
    turns = turns_of(original)
    wrong = problems(taken, len(turns))
    if wrong:
        raise InvalidGraph(" ".join(wrong))
    by_number = {turn.number: turn for turn in turns}
    begins = {one.id: _round(by_number[min(one.turns)]) for one in taken}
    stances = {step.number: step.stances for step in original.rounds if step.stances}
    rounds = []
    for number in sorted({*begins.values(), *stances}):
        held = [one for one in taken if begins[one.id] <= number]
        there = {one.id for one in held}
        arguments = tuple(_argument(one, by_number) for one in held)
        relations = tuple(
            Relation(one.id, one.target, one.kind) for one in held if one.target in there or one.target not in begins
        )
        rounds.append(Round(number, stances.get(number, ()), arguments, relations))
    known = {agent.id for agent in original.agents}
    authors = dict.fromkeys(one.author for one in taken if one.author and one.author not in known)
    provenance: dict[str, Any] = {
        **original.provenance,
        FROM_DEBATE: original.id,
        FROM_DATASET: dataset,
        BY: person,
        ORIGINS: [_told(one, person) for one in taken],
    }
    return replace(
        original,
        id=f"{original.id}-{SUFFIX}",
        agents=(*original.agents, *(Agent(name) for name in authors)),
        rounds=tuple(rounds),
        contestations=(),
        provenance=provenance,
        tags=(*(tag for tag in original.tags if tag != TAG), TAG),
    )


def _round(turn: Turn) -> int:
    return 0 if turn.round is None else turn.round


def _argument(one: TakenArgument, turns: dict[int, Turn]) -> Argument:
    cited = [source for number in one.turns if (source := turns[number].source)]
    where = f"turn{'s' if len(one.turns) > 1 else ''} {', '.join(map(str, one.turns))} of the transcript"
    return Argument(
        one.id, one.text, one.author, one.base_score, source="; ".join([where.capitalize(), *dict.fromkeys(cited)])
    )


def _told(one: TakenArgument, person: str) -> dict[str, Any]:
    told: dict[str, Any] = {"argument": one.id, "origin": one.origin(person), "turns": list(one.turns)}
    return told | ({"quote": one.quote} if one.quote else {})


__all__ = ["BY", "FROM_DATASET", "FROM_DEBATE", "ORIGINS", "SUFFIX", "TAG", "derived_debate"]
