"""The native format ``moot-debate/1``: one debate is one line of JSON, and everything Moot knows of it fits in.

docs/format.md describes it, assets/schema/ holds its JSON Schema. Writing leaves out what is empty and keeps one
order of keys, so that export, import and export again give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.debate import Agent, Debate, Message, RecordedJudgement, Round
from core.judgement import JudgementStatus
from core.native_record import DEFAULT_KIND, FORMAT, UNKNOWN_JUDGE, debate_from_json
from core.opinion import Argument, Relation, RelationKind, Stance
from core.strict_json import dumps, strict


def debate_to_line(debate: Debate) -> str:
    """Return a debate as one line of strict JSON, without the line's end.

    NUL and lone surrogates, which neither UTF-8 nor DuckDB can hold, come out as the replacement character.
    """
    return dumps(debate_to_json(debate))


def debate_to_json(debate: Debate) -> dict[str, Any]:
    """Return a debate as plain JSON values: keys in the format's order, empty ones left out."""
    return {
        "format": FORMAT,
        "debate_id": debate.id,
        "protocol": debate.protocol.value,
        **_given(claim_id=debate.claim_id),
        "claim": debate.claim,
        "label": debate.label,
        **_given(
            title=debate.title,
            note=debate.note,
            tags=list(debate.tags),
            agents=[_agent(agent) for agent in debate.agents],
            rounds=[_round(r) for r in debate.rounds],
            judgements=[_judgement(judgement) for judgement in debate.judgements],
            transcript=[_message(message) for message in debate.transcript],
            exhibits=[strict(exhibit) for exhibit in debate.exhibits],
            contestations=[strict(contestation) for contestation in debate.contestations],
            provenance=strict(debate.provenance),
        ),
    }


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", [], {}, False)}


def _agent(agent: Agent) -> dict[str, Any]:
    temperature = {} if agent.temperature is None else {"temperature": agent.temperature}  # 0.0 is not empty
    return {
        "agent_id": agent.id,
        **_given(name=agent.name, model=agent.model, role=agent.role, persona=agent.persona),
        **temperature,
    }


def _round(r: Round) -> dict[str, Any]:
    supports: dict[str, list[str]] = {}
    attacks: dict[str, list[str]] = {}
    for relation in r.relations:
        lists = supports if relation.kind is RelationKind.SUPPORT else attacks
        lists.setdefault(relation.source, []).append(relation.target)
    # Taken out as they are written, so that what no argument claims is left over.
    arguments = [_argument(a, supports.pop(a.id, []), attacks.pop(a.id, [])) for a in r.arguments]
    left = [relation for relation in r.relations if relation.source in supports or relation.source in attacks]
    return {
        "round": r.number,
        **_given(
            stances=[_stance(stance) for stance in r.stances],
            arguments=arguments,
            relations=[_relation(relation) for relation in left],
            edits=[strict(edit) for edit in r.edits],
        ),
    }


def _stance(stance: Stance) -> dict[str, Any]:
    written: dict[str, Any] = {"agent_id": stance.agent_id}
    if stance.prior is not None:
        written["prior"] = stance.prior
    if stance.posterior is not None:
        written["posterior"] = stance.posterior
    return written


def _argument(argument: Argument, supports: list[str], attacks: list[str]) -> dict[str, Any]:
    written: dict[str, Any] = {"id": argument.id}
    if argument.author:
        written["author"] = argument.author
    written["text"] = argument.text
    if argument.base_score is not None:
        written["base_score"] = argument.base_score
    return written | _given(
        base_score_raw=argument.base_score_raw,
        supports=supports,
        attacks=attacks,
        source_id=argument.source_id,
        last_edited_by=argument.last_edited_by,
        is_error_text=argument.is_error_text,
        source=argument.source,
    )


def _relation(relation: Relation) -> dict[str, Any]:
    return {"source": relation.source, "target": relation.target, "kind": relation.kind.value}


def _judgement(judgement: RecordedJudgement) -> dict[str, Any]:
    written: dict[str, Any] = {"judge": judgement.judge or UNKNOWN_JUDGE, "kind": judgement.kind or DEFAULT_KIND}
    if judgement.score is not None:
        written["score"] = judgement.score
    if judgement.verdict is not None:
        written["verdict"] = judgement.verdict.value
    if judgement.status is not JudgementStatus.OK:
        written["status"] = judgement.status.value
    return written | _given(explanation=judgement.explanation, settings=strict(judgement.settings))


def _message(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"speaker": message.speaker}
    if message.round is not None:
        written["round"] = message.round
    return written | _given(role=message.role, model=message.model) | {"text": message.text}


def debates_to_native(debates: Iterable[Debate]) -> bytes:
    """Return debates as a file in the native format: UTF-8, one debate a line."""
    return "".join(debate_to_line(debate) + "\n" for debate in debates).encode()


__all__ = ["FORMAT", "debate_from_json", "debate_to_json", "debate_to_line", "debates_to_native"]
