"""The least contestation: the smallest change of one kind after which a judge comes to a wanted verdict or strength.

Ask a ``Question`` (judge, profile, goal, locks, stop), or get a table of what every argument would take:

    question = Question(judge, profile, verdict_goal(judge.rule, Verdict.TRUE), Locks(), stop)
    outcome = LEAST[ChangeKind.ONE_SCORE](question)     # Outcome: status, edits, cost, before, after, proof
    rows = one_score_flips(judge, profile, goal)        # ScoreFlip for every argument
    rows = additions(question)                          # Addition for every target
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from core.least.addition import Addition, additions, least_addition
from core.least.conservativeness import least_conservativeness
from core.least.fewest import fewest_scores
from core.least.goal import Goal, at_least, at_most, flip_goals, strength_goal, verdict_goal
from core.least.one_score import ScoreFlip, least_one_score, least_topic_score, one_score_flips
from core.least.outcome import NO_LOCKS, ChangeKind, Locks, Outcome, OutcomeStatus, Question, Stop, never
from core.least.removal import fewest_removals
from core.least.several import least_squares, least_sum

# From quick to slow, so that a page that asks for all of them has something to show soon.
LEAST: Mapping[ChangeKind, Callable[[Question], Outcome]] = MappingProxyType(
    {
        ChangeKind.ONE_SCORE: least_one_score,
        ChangeKind.TOPIC: least_topic_score,
        ChangeKind.REMOVAL: fewest_removals,
        ChangeKind.ADDITION: least_addition,
        ChangeKind.CONSERVATIVENESS: least_conservativeness,
        ChangeKind.FEWEST_SCORES: fewest_scores,
        ChangeKind.LEAST_SUM: least_sum,
        ChangeKind.LEAST_SQUARES: least_squares,
    }
)

__all__ = [
    "LEAST",
    "NO_LOCKS",
    "Addition",
    "ChangeKind",
    "Goal",
    "Locks",
    "Outcome",
    "OutcomeStatus",
    "Question",
    "ScoreFlip",
    "Stop",
    "additions",
    "at_least",
    "at_most",
    "fewest_removals",
    "fewest_scores",
    "flip_goals",
    "least_addition",
    "least_conservativeness",
    "least_one_score",
    "least_squares",
    "least_sum",
    "least_topic_score",
    "never",
    "one_score_flips",
    "strength_goal",
    "verdict_goal",
]
