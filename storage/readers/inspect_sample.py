"""One sample of an Inspect AI log as a debate: its arguments where the task stored some, and always the talk."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.debate import Debate, DebateProtocol
from core.import_issue import IssueLog, quoted
from core.judgement import JudgementStatus, Verdict
from core.label_text import read_label
from core.opinion import TOPIC, RelationKind
from storage.readers.cells import polarity_of, round_of, text_of
from storage.readers.draft import DebateDraft, mapping, objects, text_or_none

_TEXT = ("text", "argument", "content", "statement")
_POLARITY = ("polarity", "side", "stance", "type", "kind")
_AUTHOR = ("agent", "author", "agent_id", "speaker", "debater")
_SCORE = ("base_score", "score", "weight", "strength")
_TARGET = ("target", "parent", "responds_to", "replies_to")
_CLAIM_WORDS = frozenset({"claim", "topic", "root"})
_TAG = re.compile(r"\s*+\[([A-Za-z][\w-]{0,30})(?:[ ,]+r(?:ound ?)?(\d{1,4}))?\]\s*+")
_ATTACHMENT = "attachment://"
_NO_SPEAKERS = frozenset({"system", "user", "tool"})


@dataclass(frozen=True)
class _Turn:
    speaker: str
    text: str
    round: int | None
    role: str | None
    model: str | None


def sample_debate(sample: Mapping[str, Any], log: Mapping[str, Any], line: int, where: str, issues: IssueLog) -> Debate:
    """Return the debate of one sample.

    Args:
        sample: As the log holds it.
        log: The log's header, of which ``eval`` is read.
        line: Where the sample begins.
        where: Its path in the file, empty in a file of its own.
        issues: Takes what could not be taken as it stood.

    Raises:
        UnreadableRecord: If the sample has no input.
    """
    return _Sample(sample, log, line, where, issues).debate()


class _Sample:
    def __init__(
        self, sample: Mapping[str, Any], log: Mapping[str, Any], line: int, where: str, issues: IssueLog
    ) -> None:
        self.sample = sample
        self.eval = mapping(log.get("eval"))
        self.where = f"{where}." if where else ""
        self.issues = issues
        self.store = mapping(sample.get("store"))
        self.attachments = {**mapping(mapping(sample.get("transcript")).get("content")),
                            **mapping(sample.get("attachments"))}  # fmt: skip
        claim = self.store.get("claim")
        if not isinstance(claim, str) or not claim.strip():
            claim = _input_text(sample.get("input"))
        name, epoch = text_or_none(sample.get("id")) or "sample", text_or_none(sample.get("epoch")) or "1"
        self.draft = DebateDraft(issues, line, f"{name}_epoch_{epoch}", claim, f"{self.where}input")
        self.draft.claim_id = name
        self.draft.title = text_or_none(self.eval.get("task"))

    def debate(self) -> Debate:
        draft, sample = self.draft, self.sample
        self._label()
        turns = self._turns()
        for turn in turns:
            draft.message(turn.speaker, turn.text, round=turn.round, role=turn.role, model=turn.model)
            if turn.speaker not in _NO_SPEAKERS:
                draft.agent(turn.speaker, model=turn.model)
        found = self._arguments()
        if not found:
            message = "The sample stores no list of arguments; the talk is loaded as a transcript."
            self.issues.info("transcript_only", message, draft.line, self.where[:-1] or None)
        self._scores()
        if sample.get("error"):
            reason = mapping(sample["error"]).get("message", sample["error"])
            message = f"The sample ended with an error: {quoted(reason)}."
            self.issues.warning("sample_failed", message, draft.line, f"{self.where}error")
            draft.keep("error", sample["error"])
        for key in ("model_usage", "limit", "uuid"):
            if sample.get(key):
                draft.provenance[key] = sample[key]
        draft.keep("metadata", mapping(sample.get("metadata")))
        draft.provenance["generation"] = {
            key: self.eval.get(key) for key in ("task", "model", "run_id", "created", "packages") if self.eval.get(key)
        }
        return draft.debate(DebateProtocol.OTHER if found else DebateProtocol.TRANSCRIPT)

    def _label(self) -> None:
        target = self.sample.get("target")
        if isinstance(target, list) and len(target) == 1:
            target = target[0]
        if target is None or read_label(target)[1]:
            self.draft.label(target, f"{self.where}target")
            return
        self.draft.keep("target", target)
        message = "The target says neither true nor false, so it is no label of a claim; it is kept in the provenance."
        self.issues.info("target_no_label", message, self.draft.line, f"{self.where}target")

    # -- arguments ------------------------------------------------------------------------------------------------

    def _arguments(self) -> bool:
        """Take in the arguments that the task stored, and return whether there are any."""
        for holder in ("store", "metadata"):
            for key, value in mapping(self.sample.get(holder)).items():
                items = objects(value)
                if items and all(_first(item, _TEXT) is not None and _side(item) is not None for item in items):
                    self._listed(items, f"{self.where}{holder}.{key}")
                    self._stances()
                    return True
        return False

    def _listed(self, items: list[Mapping[str, Any]], where: str) -> None:
        draft = self.draft
        by_author: dict[str | None, set[RelationKind | None]] = {}
        for item in items:
            by_author.setdefault(text_or_none(_first(item, _AUTHOR)), set()).add(_side(item))
        sides = len(by_author) > 1 and None not in by_author and all(len(kinds) == 1 for kinds in by_author.values())
        names: dict[str, tuple[str, RelationKind | None]] = {}
        placed = []
        for index, item in enumerate(items):
            author = text_or_none(_first(item, _AUTHOR))
            if author is not None:
                draft.agent(author)
            number = round_of(item.get("round")) or 0
            path = f"{where}[{index}]"
            score_key = next((key for key in _SCORE if item.get(key) is not None), _SCORE[0])
            wished = item.get("id") if isinstance(item.get("id"), (str, int)) else None
            name = draft.argument(
                number, wished or f"argument-{index + 1}", _first(item, _TEXT), f"{path}.text", author=author,
                score=item.get(score_key), score_field=f"{path}.{score_key}",
            )  # fmt: skip
            names.setdefault(str(wished), (name, _side(item)))
            placed.append((number, name, item, path))
        told = False
        for number, name, item, path in placed:
            kind = _side(item) or RelationKind.SUPPORT
            target = text_or_none(_first(item, _TARGET))
            if target is None or target.casefold() in _CLAIM_WORDS:
                draft.relation(number, name, TOPIC, kind, path)
                continue
            given, other = names.get(target, (target, None))
            if sides and other is not None:
                told = True
                kind = RelationKind.SUPPORT if kind is other else RelationKind.ATTACK
            draft.relation(number, name, given, kind, f"{path}.target")
        if told:
            message = (
                "Every agent has one polarity throughout, so it is read as the agent's side on the claim: an argument "
                "attacks one of the other side."
            )
            self.issues.info("polarity_as_side", message, draft.line, where)
        draft.carry_forward()

    def _stances(self) -> None:
        numbers = self.draft.round_numbers
        for agent, given in mapping(self.store.get("stances")).items():
            where = f"{self.where}store.stances.{agent}"
            self.draft.agent(agent)
            for kind, number in (("prior", numbers[0]), ("posterior", numbers[-1])):
                self.draft.stance(number, agent, kind, mapping(given).get(kind), f"{where}.{kind}")

    # -- the talk -------------------------------------------------------------------------------------------------

    def _turns(self) -> list[_Turn]:
        messages = [self._message(entry) for entry in objects(self.sample.get("messages"))]
        tagged = sum(turn.speaker not in _NO_SPEAKERS and turn.speaker != "assistant" for turn in messages)
        if tagged < 2:
            spoken = list(self._spans())
            if len(spoken) > 1:
                return spoken
        return messages

    def _message(self, entry: Mapping[str, Any]) -> _Turn:
        text = self._text(entry.get("content"))
        told = mapping(entry.get("metadata"))
        role = text_or_none(entry.get("role")) or "unknown"
        speaker, number = text_or_none(_first(told, _AUTHOR)), round_of(told.get("round"))
        tag = _TAG.match(text) if role == "assistant" else None
        if speaker is None and tag is not None:
            speaker = tag[1]
        if number is None and tag is not None and tag[2]:
            number = int(tag[2])
        return _Turn(speaker or role, text, number, role, text_or_none(entry.get("model")))

    def _spans(self) -> Iterator[_Turn]:
        """Yield what models said within the spans of agents."""
        events = objects(self.sample.get("events")) or objects(mapping(self.sample.get("transcript")).get("events"))
        spans = {e.get("id"): e for e in events if e.get("event") == "span_begin" and isinstance(e.get("id"), str)}
        for event in events:
            if event.get("event") != "model":
                continue
            agent: str | None = None
            number: int | None = None
            span_id, seen = event.get("span_id"), set()
            while isinstance(span_id, str) and span_id in spans and span_id not in seen:
                seen.add(span_id)
                span = spans[span_id]
                name = text_or_none(span.get("name")) or ""
                if agent is None and span.get("type") == "agent":
                    agent = name
                if number is None and "round" in name.casefold():
                    number = round_of(name)
                span_id = span.get("parent_id")
            if agent is None:
                continue
            choices = objects(mapping(event.get("output")).get("choices"))
            for choice in choices[:1]:
                text = self._text(mapping(choice.get("message")).get("content"))
                yield _Turn(agent, text, number, "assistant", text_or_none(event.get("model")))

    def _text(self, content: object) -> str:
        if isinstance(content, str):
            if content.startswith(_ATTACHMENT):
                kept = self.attachments.get(content.removeprefix(_ATTACHMENT))
                if isinstance(kept, str):
                    return kept
                message = f"The text {quoted(content)} is not among the sample's attachments."
                self.issues.warning("attachment_missing", message, self.draft.line, f"{self.where}attachments")
            return content
        parts = [self._text(part.get("text")) for part in objects(content) if part.get("text") is not None]
        return "\n".join(parts)

    # -- judgements -----------------------------------------------------------------------------------------------

    def _scores(self) -> None:
        scores = self.sample.get("scores")
        if scores is None and isinstance(self.sample.get("score"), dict):  # what the oldest logs have
            scores = {"score": self.sample["score"]}
        for scorer, given in mapping(scores).items():
            if given is None:
                continue
            where = f"{self.where}scores.{scorer}"
            score = given if isinstance(given, dict) else {"value": given}
            value, answer = score.get("value"), score.get("answer")
            number = value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
            decided, readable = read_label(answer) if answer is not None else (None, False)
            verdict = None if decided is None else Verdict.TRUE if decided else Verdict.FALSE
            if verdict is None and readable and text_of(answer):
                verdict = Verdict.UNCERTAIN
            told = mapping(score.get("metadata"))
            kind = "llm" if {"judge", "model", "grading", "grader"} & told.keys() else "scorer"
            self.draft.judgement(
                scorer, kind, score=number, verdict=verdict, explanation=score.get("explanation"),
                status=JudgementStatus.OK, where=f"{where}.value",
                settings={"value": value if number is None else None, "answer": answer, **told},
            )  # fmt: skip


def _input_text(value: object) -> object:
    if not isinstance(value, list):
        return value
    asked = [entry for entry in objects(value) if entry.get("role") == "user"] or objects(value)
    texts = []
    for entry in asked:
        content = entry.get("content")
        parts = [content] if isinstance(content, str) else [part.get("text") for part in objects(content)]
        texts += [part for part in parts if isinstance(part, str)]
    return "\n".join(texts)


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((item[key] for key in keys if isinstance(item.get(key), (str, int)) and item[key] != ""), None)


def _side(item: Mapping[str, Any]) -> RelationKind | None:
    return next((kind for key in _POLARITY if (kind := polarity_of(_plain(item.get(key)))) is not None), None)


def _plain(value: object) -> object:
    return value if isinstance(value, (str, int, float)) else None


__all__ = ["sample_debate"]
