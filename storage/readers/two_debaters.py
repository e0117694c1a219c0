"""What two debaters, A and B, and a judge between two answers have in common, whoever wrote the log.

The claim is that A's answer is right and not B's: A supports it, B attacks it. So no side, id or name tells the label.
"""

from __future__ import annotations

from typing import Any

from core.debate import Debate, DebateProtocol
from core.import_issue import IssueLog
from core.judgement import JudgementStatus, Verdict
from core.opinion import TOPIC, RelationKind
from storage.readers.draft import DebateDraft, finite, text_or_none

NAMES = {"A": "Debater A", "B": "Debater B"}
_KINDS = {"A": RelationKind.SUPPORT, "B": RelationKind.ATTACK}
HALF = 0.5


def claim_of_answers(question: object, a: object, b: object = None) -> str | None:
    """Return the claim that A's answer to the question is right, None without question or answer."""
    asked, first, second = text_or_none(question), text_or_none(a), text_or_none(b)
    if asked is None or first is None:
        return None
    rest = "" if second is None else f", not “{second}”"
    return f"“{asked}” — “{first}”{rest}"


class TwoDebaters:
    """A debate between A and B on its way to the model."""

    def __init__(
        self,
        issues: IssueLog,
        line: int,
        debate_id: object,
        question: object,
        answers: tuple[object, object],
        where: str,
    ) -> None:
        """Take the question and A's and B's answers.

        Raises:
            UnreadableRecord: If the question or A's answer is missing.
        """
        self.issues = issues
        claim = claim_of_answers(question, *answers)
        self.draft = DebateDraft(issues, line, debate_id, claim, where)
        self.draft.title = text_or_none(question)
        message = "The claim is made of the question and the answers: that A's answer is right and not B's."
        issues.info("claim_composed", message, line, where)

    def speech(self, side: str, number: int, text: object, where: str, line: int | None = None) -> None:
        """Take in what A or B said in a round; nothing for an empty speech."""
        if text_or_none(text) is None:
            return
        draft, name = self.draft, NAMES[side]
        draft.agent(name, role="debater")
        argument = draft.argument(number, f"{side}-r{number}", text, where, author=name, line=line)
        draft.relation(number, argument, TOPIC, _KINDS[side], where)
        draft.message(name, text, round=number, role="debater")

    def aside(self, speaker: str, number: int, text: object, role: str) -> None:
        """Take in what somebody else said: a cross-examiner, or the judge."""
        if text_or_none(text) is not None:
            self.draft.message(speaker, text, round=number, role=role)

    def belief(
        self,
        judge: str,
        kind: str,
        value: Any,
        where: str,
        *,
        reason: object = "",
        settings: dict[str, Any] | None = None,
    ) -> None:
        """Take in how likely a judge holds A's answer to be right."""
        number = finite(value)
        verdict = None
        if number is not None:
            verdict = Verdict.TRUE if number > HALF else Verdict.FALSE if number < HALF else Verdict.UNCERTAIN
        status = JudgementStatus.OK if number is not None else JudgementStatus.UNREADABLE
        if number is not None and number == HALF:
            status = JudgementStatus.ABSTAINED
        self.draft.judgement(
            judge, kind, score=value, verdict=verdict, status=status, explanation=reason, settings=settings, where=where
        )

    def debate(self) -> Debate:
        """Return the debate."""
        self.draft.carry_forward()
        self.draft.missing_scores("Debates with a judge record no scores of arguments")
        return self.draft.debate(DebateProtocol.TRANSCRIPT)


__all__ = ["HALF", "NAMES", "TwoDebaters", "claim_of_answers"]
