"""The reader of "multiagent debate" results (Du et al.): a question, and each agent's whole chat about it.

Agents give answers rather than arguments, so nothing says whether one supports or attacks: answers are kept without
polarity, and what follows from comparing them is derived only where somebody asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.debate import DebateProtocol
from core.errors import UnreadableRecord
from core.import_issue import IssueLog
from storage.readers.draft import DebateDraft, mapping, objects, text_or_none
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "multiagent-debate"
_OPENING = re.compile(r"\s*+(?:Can you answer the following question as accurately as possible\?|Can you solve the "
                      r"following math problem\?)\s*+", re.IGNORECASE)  # fmt: skip
_CLOSING = re.compile(
    r"(?:\s{1,10}Answer in English only\.)?\s{1,10}Explain your (?:answer|reasoning)[.,][^\n]{0,200}$"
)
_BOXED = re.compile(r"\\boxed\{([^{}\n]{1,200})\}")
_LETTER = re.compile(r"\(([A-Z])\)")
_GSM = re.compile(r"####\s*+([^\n]{1,100})")
_NAMED = re.compile(r"(persona|temp)_?([\w.+-]+?)_agents(\d{1,3})")
_SAMPLE = 20
LONGEST_CLOSING = 1000  # characters at the end of a question that may be instructions


class ChatContextsReader:
    """Knows objects of questions with contexts, one context an agent, with or without a reference answer."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is such a file: most values hold lists of chats, each a list of roles and contents."""
        for record in source.head[:1]:
            values = list(mapping(record.value).values())[:_SAMPLE]
            if values and sum(_contexts(value) is not None for value in values) * 2 > len(values):
                return Recognised(FORMAT, "Questions are keys, and their values hold a chat for each agent.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield a debate for each question."""
        told = _NAMED.search(source.name)
        if told is not None:
            message = "Where the file's name gives each agent a persona or a temperature, that is kept."
            issues.info("agents_from_name", message)
        for record in source.values(issues):
            for index, (question, value) in enumerate(mapping(record.value).items(), 1):
                found = _contexts(value)
                where = f"{question[:60]!r}"
                if found is None:
                    message = "This holds no chats of agents; it is left out."
                    issues.warning("record_unreadable", message, record.line, where)
                    continue
                try:
                    draft = DebateDraft(issues, record.line, f"question-{index}", question_text(question), where)
                except UnreadableRecord as error:
                    issues.error("record_unreadable", f"{error} It is left out.", record.line, where)
                    continue
                _talk(draft, *found, where, told)
                yield record.line, draft.debate(DebateProtocol.TRANSCRIPT)


def _talk(draft: DebateDraft, contexts: list[list[Any]], answer: Any, where: str, told: re.Match[str] | None) -> None:
    traits = told[2].split("+") if told is not None and len(told[2].split("+")) == len(contexts) else []
    answers: dict[str, list[str | None]] = {}
    for number, context in enumerate(contexts, 1):
        agent = f"agent-{number}"
        trait = traits[number - 1] if traits and told is not None else None
        by_temperature = told is not None and told[1] == "temp"
        draft.agent(
            agent,
            persona=None if by_temperature else trait,
            temperature=_number(trait) if by_temperature else None,
        )
        turn = 0
        for place, entry in enumerate(objects(context)):
            role, text = text_or_none(entry.get("role")), entry.get("content")
            path = f"{where}[{number - 1}][{place}].content"
            if role != "assistant":  # the question, or the other agents' answers over again
                draft.message(f"{role} to {agent}", text, round=turn, role=role)
                continue
            draft.message(agent, text, round=turn, role=role)
            draft.argument(turn, f"{agent}-r{turn}", text, path, author=agent)
            answers.setdefault(agent, []).append(final_answer(text) if isinstance(text, str) else None)
            turn += 1
    if not contexts or not answers:
        draft.issues.warning("transcript_empty", "No agent said anything.", draft.line, where)
    if len({len(given) for given in answers.values()}) > 1:
        message = "Some agents answered in fewer rounds than others; was the run stopped?"
        draft.issues.info("rounds_uneven", message, draft.line, where)
    draft.provenance["final_answers"] = answers
    if answer is not None:
        draft.provenance["reference_answer"] = answer
        message = "The reference is an answer, which is neither true nor false; it is kept in the provenance."
        draft.issues.info("target_no_label", message, draft.line, where)
    message = "Answers say not whether they support or attack anything; they have no polarity until somebody decides."
    draft.issues.info("polarity_missing", message, draft.line, where)
    draft.missing_scores("Chats of agents have no scores")


def question_text(key: str) -> str:
    """Return a question without the instructions around it."""
    opening = _OPENING.match(key)
    body = (key if opening is None else key[opening.end() :]).rstrip()
    start = max(0, len(body) - LONGEST_CLOSING)
    plain = (body[:start] + _CLOSING.sub("", body[start:])).strip()
    return plain or key


def final_answer(text: str) -> str | None:
    """Return the answer that a reply ends with, ``\\boxed{52}`` or ``(B)``; None when it gives none."""
    for pattern in (_BOXED, _GSM, _LETTER):
        found = pattern.findall(text)
        if found:
            return str(found[-1]).strip()
    return None


def _contexts(value: Any) -> tuple[list[list[Any]], Any] | None:
    """Return the chats and the reference answer, if there is one; two chats are not mistaken for one with an answer."""
    if not isinstance(value, list) or not value:
        return None
    if all(map(_is_context, value)):
        return value, None
    if len(value) == 2 and isinstance(value[0], list) and isinstance(value[1], (str, int, float)):
        return (value[0], value[1]) if value[0] and all(map(_is_context, value[0])) else None
    return None


def _is_context(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(entry, dict) and "role" in entry and "content" in entry for entry in value)
    )


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


__all__ = ["ChatContextsReader", "final_answer", "question_text"]
