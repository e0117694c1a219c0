"""Small debates for the storage tests."""

from __future__ import annotations

from typing import Any

from core.debate import Agent, Debate, DebateProtocol, Message, RecordedJudgement, Round
from core.judgement import Verdict
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.dataset import Dataset

HOSTILE = (
    "'; DROP TABLE debate; --",
    '"quoted" and `ticked`',
    "100% _sure_ \\ back\\slash",
    "<script>alert(1)</script> **bold** =HYPERLINK(1)",
    "\u202eright to left\u202c \u200b e\u0301",
    "x" * 10_000,
    "line\nbreak\r\n\ttab",
)


def a_debate(
    name: str = "zoo",
    claim: str = "The family should visit the zoo.",
    pro: str = "It is near.",
    con: str = "Rain is forecast.",
    **fields,
) -> Debate:
    """Return a debate of two agents in one round: a pro by A1, a con by A2 that also attacks the pro."""
    one = Round(
        0,
        (Stance("A1", 0.6, 0.7), Stance("A2", 0.3, None)),
        (Argument("A1-pro1", pro, "A1", 0.8), Argument("A2-con1", con, "A2", None, base_score_raw="high")),
        (
            Relation("A1-pro1", TOPIC, RelationKind.SUPPORT),
            Relation("A2-con1", TOPIC, RelationKind.ATTACK),
            Relation("A2-con1", "A1-pro1", RelationKind.ATTACK),
        ),
    )
    values: dict[str, Any] = {
        "label": True,
        "protocol": DebateProtocol.SINGLE_TURN,
        "agents": (Agent("A1", model="left"), Agent("A2", model="right")),
        "rounds": (one,),
    }
    return Debate(name, claim, **(values | fields))


def a_long_debate(name: str = "long") -> Debate:
    """Return a debate of three rounds, with a transcript and a judgement, whose arguments change."""
    rounds = tuple(
        Round(
            number,
            (Stance("A1", 0.4 if number == 0 else None, 0.5 + number / 10), Stance("A2", None, 0.2)),
            tuple(Argument(f"A1-pro{n}", f"round {number} point {n}", "A1", 0.5) for n in range(number + 1)),
            tuple(Relation(f"A1-pro{n}", TOPIC, RelationKind.SUPPORT) for n in range(number + 1)),
        )
        for number in range(3)
    )
    return Debate(
        name,
        "Honey never spoils.",
        None,
        DebateProtocol.MULTI_TURN_PRIVATE,
        title="Honey keeps",
        agents=(Agent("A1", model="left"), Agent("A2"), Agent("M", role="moderator")),
        rounds=rounds,
        judgements=(RecordedJudgement("court", "llm", 0.75, Verdict.TRUE, settings={"seed": 1}),),
        transcript=(Message("M", "Welcome to the hive.", 0),),
        tags=("food", "three rounds"),
    )


def a_dataset(name: str = "small", sha256: str = "ab" * 32, **fields) -> Dataset:
    """Return a dataset as an importer hands it over."""
    return Dataset("", name, f"{name}.jsonl", sha256, 10, "moot-debate/1", **fields)
