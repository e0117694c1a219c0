"""The reader of Multi-Agents-Debate (MAD) logs: two sides, a moderator and at times a judge, one file a debate."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from core.debate import DebateProtocol
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.judgement import JudgementStatus, Verdict
from core.opinion import TOPIC, RelationKind
from storage.readers.draft import DebateDraft, mapping, objects, text_or_none
from storage.readers.python_literal import read_python_literal
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.tolerant_json import json_records

FORMAT = "mad"
_SIDES = {"affirmative": RelationKind.SUPPORT, "negative": RelationKind.ATTACK}
_SOURCE = ("source", "debate_topic")
_BASE = ("base translation", "base_translation", "base_answer")
_OUTCOME = ("debate translation", "debate_translation", "debate_answer", "reason", "Reason", "success")
_RULING = frozenset({"Supported Side", "Reason", "reason", "debate_translation", "debate_answer"})
_NAMED_SIDE = re.compile(r"['\"]Supported Side['\"]\s*+:\s*+['\"]([^'\"\n]{0,60})['\"]")
_TRUTH = ("correct reference", "incorrect reference", "reference")
_SETTINGS = ("model_name", "temperature", "num_players", "src_lng", "tgt_lng", "start_time", "end_time")


class MadReader:
    """Knows MAD's logs, as committed, as written today, and of its interactive version."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is MAD's: ``players`` hold chats, one of them of the affirmative side."""
        for record in source.head[:3]:
            players = mapping(mapping(record.value).get("players"))
            if any(_side(name) for name in players) and any(objects(chat) for chat in players.values()):
                return Recognised(FORMAT, "'players' hold the chats of two sides and a moderator.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the debates."""
        for record in source.values(issues):
            issues.locate = record.locate
            try:
                yield record.line, _debate(mapping(record.value), record.line, source.name, issues)
            except UnreadableRecord as error:
                issues.error("record_unreadable", f"{error} It is left out.", record.line, "source")
            finally:
                issues.locate = None


def _debate(whole: Mapping[str, Any], line: int, file: str, issues: IssueLog) -> Any:
    asked, base = _first(whole, _SOURCE), _first(whole, _BASE)
    claim = asked if base is None else f"“{asked}” — “{base}”"
    draft = DebateDraft(issues, line, file.removesuffix(".json"), claim if asked is not None else None, _SOURCE[0])
    if base is not None:
        message = "The claim is made of the source and the base answer: that this answer is right for that source."
        issues.info("claim_composed", message, line, _SOURCE[0])
    draft.title = text_or_none(asked)
    for key in _TRUTH:
        draft.keep(key, whole.get(key))
    for key in _OUTCOME:
        draft.keep(key, whole.get(key))
    draft.provenance["generation"] = {key: whole[key] for key in _SETTINGS if whole.get(key) is not None}
    players = mapping(whole.get("players"))
    turns: list[tuple[int, int, str, str, str]] = []
    for place, (name, chat) in enumerate(players.items()):
        draft.agent(name, model=whole.get("model_name"), role=name, temperature=whole.get("temperature"))
        said = [(index, entry) for index, entry in enumerate(objects(chat)) if entry.get("role") == "assistant"]
        for number, (index, entry) in enumerate(said):
            text, path = entry.get("content"), f"players.{name}[{index}].content"
            turns.append((number, place, name, text if isinstance(text, str) else "", path))
    for number, _, name, text, path in sorted(turns, key=lambda turn: turn[:2]):
        draft.message(name, text, round=number, role="assistant")
        side = _side(name)
        if side is None:
            _ruling(draft, name, number, text, path)
        else:
            argument = draft.argument(number, f"{name.split()[0].casefold()}-r{number}", text, path, author=name)
            draft.relation(number, argument, TOPIC, side, path)
    draft.carry_forward()
    draft.missing_scores("MAD records no scores")
    return draft.debate(DebateProtocol.TRANSCRIPT)


def _ruling(draft: DebateDraft, name: str, number: int, text: str, path: str) -> None:
    """Take in what a moderator or judge decided; only a side that is named outright is a verdict."""
    given = _ruled(text) or _recovered(draft, text, path)
    if given is None:
        if name.casefold() == "judge" and number == 0:
            return  # first lists the candidates; its decision comes next
        message = f"The reply of {quoted(name)} is neither JSON nor a Python literal; it stays in the transcript."
        draft.issues.warning("ruling_unreadable", message, draft.line, path)
        draft.judgement(f"{name} round {number}", "llm", status=JudgementStatus.UNREADABLE, explanation=text)
        return
    side = text_or_none(given.get("Supported Side")) or ""
    verdict, status = None, JudgementStatus.OK
    named = {kind for word, kind in _SIDES.items() if word in side.casefold()}
    if len(named) == 1:
        verdict = Verdict.TRUE if RelationKind.SUPPORT in named else Verdict.FALSE
    elif "Supported Side" in given:
        verdict, status = Verdict.UNCERTAIN, JudgementStatus.ABSTAINED
    reason = given.get("Reason", given.get("reason"))
    settings = {key: value for key, value in given.items() if key not in ("Reason", "reason")}
    judge = name if name.casefold() == "judge" else f"{name} round {number}"
    draft.judgement(judge, "llm", verdict=verdict, status=status, explanation=reason, settings=settings, where=path)


def _ruled(text: str) -> Mapping[str, Any] | None:
    """Return the object in a moderator's reply, which is a Python literal more often than JSON."""
    found = [record.value for record in json_records(text, IssueLog(), 50) if isinstance(record.value, dict)]
    ruling = [value for value in found if _RULING & value.keys()]  # the last one is what it comes to
    whole = ruling[-1] if ruling else found[-1] if found else None
    if whole is None and text.lstrip().startswith("{"):
        try:
            whole = read_python_literal(text)
        except ValueError:
            return None
    return whole if isinstance(whole, dict) else None


def _recovered(draft: DebateDraft, text: str, path: str) -> Mapping[str, Any] | None:
    """Return the side that a reply which was cut off names outright; nothing is concluded from its prose."""
    found = _NAMED_SIDE.search(text)
    if found is None:
        return None
    message = f"The reply is cut off or broken; the field 'Supported Side', {quoted(found[1])}, could be recovered."
    draft.issues.warning("ruling_recovered", message, draft.line, path)
    return {"Supported Side": found[1], "recovered": True}


def _side(name: object) -> RelationKind | None:
    word = str(name).casefold()
    return next((kind for side, kind in _SIDES.items() if side in word), None)


def _first(whole: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((text for key in keys if (text := text_or_none(whole.get(key))) is not None), None)


__all__ = ["MadReader"]
