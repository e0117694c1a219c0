"""What a search for the least contestation comes to, said honestly, and what it may not touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.contestation import Edit, contest
from core.judgement import Verdict
from core.judges.semantics_judge import SemanticsJudge
from core.least.goal import Goal
from core.opinion import Argument, OpinionProfile

Stop = Callable[[], bool]  # asked now and then; True ends the search with the best found so far


def never() -> bool:
    """Never stop."""
    return False


class ChangeKind(StrEnum):
    """What may be changed, and how the size of a change is measured."""

    ONE_SCORE = "one base score"
    LEAST_SUM = "several base scores, least sum of changes"
    LEAST_SQUARES = "several base scores, least sum of squares"
    FEWEST_SCORES = "fewest base scores"
    REMOVAL = "fewest removals"
    ADDITION = "one added argument"
    TOPIC = "the topic's base score"
    CONSERVATIVENESS = "the conservativeness"


class OutcomeStatus(StrEnum):
    """How a search ended."""

    ALREADY = "nothing to change"
    LEAST = "least, proved"
    BEST = "best found, not proved least"
    IMPOSSIBLE = "impossible, proved"
    NOT_FOUND = "none found, not proved impossible"


@dataclass(frozen=True)
class Locks:
    """What must stay as it is. A locked argument is not changed or removed, and nothing is added to it.

    Attributes:
        arguments: Ids of arguments.
        agents: Ids of agents; all arguments that they put forward are locked.
        topic: Whether the topic's base score is locked where several base scores are changed. It always is where the
            agents' topics have different ones: then there is no one base score to change.
    """

    arguments: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()
    topic: bool = True

    def holds(self, argument: Argument) -> bool:
        """Return whether an argument is locked."""
        return argument.id in self.arguments or argument.author in self.agents


NO_LOCKS = Locks()


@dataclass(frozen=True)
class Outcome:
    """The least contestation of one kind.

    Attributes:
        kind: What was changed and how it is measured.
        goal: What was wanted.
        status: How the search ended.
        edits: To be applied to the profile as they are, in order; empty where none was found or needed.
        cost: Size of the change: of one score its distance; of several the sum of distances, the root of the sum of
            squares, or the number of scores; the number of removals; the base score of an added argument.
        before, after: The judge's score of the profile and of the contested profile.
        verdict_before, verdict_after: The judge's verdicts of both.
        proof: What is proved, what is not, and why, in one or two sentences.
        stopped: Whether the search was stopped before its end.
        judge: For a change of the conservativeness, the judge that has it; there are no edits then.
    """

    kind: ChangeKind
    goal: Goal
    status: OutcomeStatus
    edits: tuple[Edit, ...] = ()
    cost: float | None = None
    before: float | None = None
    after: float | None = None
    verdict_before: Verdict | None = None
    verdict_after: Verdict | None = None
    proof: str = ""
    stopped: bool = False
    judge: SemanticsJudge | None = None

    @property
    def found(self) -> bool:
        """Return whether there is something to apply."""
        return self.status in (OutcomeStatus.LEAST, OutcomeStatus.BEST)


@dataclass(frozen=True)
class Question:
    """What is asked of every search: who judges what, what is wanted, what is locked, when to stop."""

    judge: SemanticsJudge
    profile: OpinionProfile
    goal: Goal
    locks: Locks = NO_LOCKS
    stop: Stop = never

    def answer(
        self,
        kind: ChangeKind,
        edits: Sequence[Edit],
        cost: float,
        *,
        proved: bool,
        proof: str,
        stopped: bool = False,
        judge: SemanticsJudge | None = None,
    ) -> Outcome:
        """Return a change as an outcome, judged anew by the judge itself."""
        before = self.judge.judge(self.profile)
        after = (judge or self.judge).judge(contest(self.profile, edits).profile)
        status = OutcomeStatus.LEAST if proved else OutcomeStatus.BEST
        if not self.goal.reached(after.score):
            status, proof = OutcomeStatus.NOT_FOUND, "The change that was found does not hold when it is judged anew."
        return Outcome(
            kind,
            self.goal,
            status,
            tuple(edits),
            cost,
            before.score,
            after.score,
            before.verdict,
            after.verdict,
            proof,
            stopped,
            judge,
        )

    def none(self, kind: ChangeKind, status: OutcomeStatus, proof: str, stopped: bool = False) -> Outcome:
        """Return an outcome without a change."""
        before = self.judge.judge(self.profile)
        return Outcome(
            kind,
            self.goal,
            status,
            before=before.score,
            verdict_before=before.verdict,
            cost=0.0 if status is OutcomeStatus.ALREADY else None,
            after=before.score if status is OutcomeStatus.ALREADY else None,
            verdict_after=before.verdict if status is OutcomeStatus.ALREADY else None,
            proof=proof,
            stopped=stopped,
        )

    def settled(self, kind: ChangeKind) -> Outcome | None:
        """Return the outcome where no search is needed: the goal is reached already, or no score is wanted."""
        if self.goal.empty:
            return self.none(kind, OutcomeStatus.IMPOSSIBLE, f"No score gives {self.goal.words} under this rule.")
        if self.goal.reached(self.judge.judge(self.profile).score):
            return self.none(kind, OutcomeStatus.ALREADY, f"The profile has {self.goal.words} already.")
        return None


__all__ = ["NO_LOCKS", "ChangeKind", "Locks", "Outcome", "OutcomeStatus", "Question", "Stop", "never"]
