"""Debates that are talk, for the tests of the Transcript tab."""

from __future__ import annotations

from typing import Any

from core.debate import Agent, Debate, DebateProtocol, Message, RecordedJudgement, Round
from core.judgement import Verdict
from core.opinion import TOPIC, Argument, Relation, RelationKind

FAILURE = "Error: Empty response from the provider. Raw: {'error': {'code': 502}}"
LONG = "It keeps for years. " * 100 + "The hive told me so. " + "It never spoils. " * 99 + "It never spoils."


def hive(name: str = "hive", **fields: Any) -> Debate:
    """Return a talk of two debaters and a judge over two rounds, with everything that a log may hold."""
    said = {1: ("Honey is dry. Dry food keeps for years.", "Open jars take in water."), 2: (LONG, FAILURE)}
    arguments = [
        (
            number,
            Argument(f"{side}-r{number}", text, f"Debater {side}", source="PMID 7" if text == said[1][0] else None),
        )
        for number, texts in said.items()
        for side, text in zip("AB", texts, strict=True)
    ]
    kinds = {"A": RelationKind.SUPPORT, "B": RelationKind.ATTACK}
    rounds = tuple(
        Round(
            number,
            (),
            tuple(one for begins, one in arguments if begins <= number),
            tuple(Relation(one.id, TOPIC, kinds[one.id[0]]) for begins, one in arguments if begins <= number),
        )
        for number in said
    )
    values: dict[str, Any] = {
        "label": True,
        "agents": (Agent("Debater A", model="left", role="debater"), Agent("Debater B", "Bee", "right", "debater")),
        "rounds": rounds,
        "judgements": (
            RecordedJudgement("Ann, after round 0", "human", 0.5, Verdict.UNCERTAIN, settings={"round": 0}),
            RecordedJudgement("Ann, after round 1", "human", 0.25, Verdict.FALSE, settings={"round": 1}),
            RecordedJudgement("Ann", "human", 0.75, Verdict.TRUE, settings={"round": 2}),
        ),
        "transcript": (
            Message("system", "You debate honey.", 1, "system"),
            Message("Debater A", said[1][0], 1, "debater"),
            Message("Debater B", said[1][1], 1, "debater"),
            Message("Ann", "He wrote <v_quote>it keeps</v_quote> and <u_quote>it rots</u_quote>.", 1, "judge"),
            Message("Debater A", LONG, 2, "debater"),
            Message("Debater B", FAILURE, 2, "debater"),
        ),
        "exhibits": ({"evidence_id": "900042", "round": 1, "novelty": 0.5},),
    }
    return Debate(name, "Honey never spoils.", protocol=DebateProtocol.TRANSCRIPT, **(values | fields))


def long_talk(turns: int = 500) -> Debate:
    """Return a talk of very many turns, ten in each round."""
    messages = tuple(
        Message(f"A{n % 3}", f"Turn number {n} says something about honey. " * 20, n // 10) for n in range(turns)
    )
    return Debate("long", "Honey never spoils.", protocol=DebateProtocol.TRANSCRIPT, transcript=messages)
