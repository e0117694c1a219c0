"""Search for the smallest, or the most striking, violation of a property by a judge on one debate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from core.errors import InvalidSetting, MootError
from core.judgement import DecisionRule, JudgementStatus
from core.judges.llm_judge import LlmJudge
from core.overview import Scored
from core.perturbations.judge_edit import AnyKind, PromptFinder
from core.perturbations.perturbation import checked_number
from core.properties.calls import Caller, one_repeat
from core.properties.check import usual_tolerance
from core.properties.debate_set import Loaded
from core.properties.groundedness import JudgeUnanimity, NonHallucination
from core.properties.hunt import Find, Goal, Hunt, Spent, Walk
from core.properties.hunt_judges import hunt_orders, hunt_repeats, hunt_settings
from core.properties.hunt_profiles import direction_of, hunt_profiles
from core.properties.judging import Watch, judge_under, profile_under
from core.properties.property import Property
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.robustness import JudgeRobustness
from core.properties.trial import BASELINE, Trial
from core.properties.witness import Witness
from core.runs.runner import Case

LOCAL_BUDGET = 2_000  # questions to a judge that computes
CALL_BUDGET = 60  # questions to a language model
FINEST = 1e-6  # move of a base score that is tried on a judge that computes
HUNDREDTH = 0.01  # the same for a language model, whose prompts show hundredths


@dataclass(frozen=True)
class Falsification:
    """How a search ended.

    Attributes:
        witness: The best violation that was found; None without any, which proves nothing.
        size: How much was changed for it; None without any.
        questions: How many different ones were asked, the debate as recorded included.
        complete: Whether the search came to its end within the budget.
        note: Why it could not go on; empty where it could.
    """

    witness: Witness | None
    size: float | None
    questions: int
    complete: bool
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "witness": None if self.witness is None else self.witness.to_json(),
            "size": self.size,
            "questions": self.questions,
            "complete": self.complete,
            "note": self.note,
        }


def falsify(
    tested: Property,
    judge: AnyKind,
    debate_id: str,
    loaded: Loaded,
    *,
    goal: Goal = Goal.SMALLEST,
    budget: int = LOCAL_BUDGET,
    seed: int = 0,
    tolerance: float | None = None,
    prompts: PromptFinder | None = None,
    watch: Watch | None = None,
) -> Falsification:
    """Return the best violation that a search finds; the same again for the same arguments.

    Args:
        tested: The property.
        judge: Any judge that needs no language model.
        debate_id: Of the debate.
        loaded: Its profile, and how it was held.
        goal: Which violation is wanted.
        budget: How many different questions may be asked.
        seed: Of everything that is drawn.
        tolerance: Up to which difference two scores are the same; what is usual for the judge unless given.
        prompts: Finds other sets of prompts.
        watch: Told how many of the questions are asked; may raise Cancelled.

    Raises:
        InvalidSetting: If the judge is a language model; ``falsify_by_calls`` is for these.
        Cancelled: If ``watch`` says so.
    """
    hunt = _hunt(tested, judge, debate_id, loaded, goal, budget, seed, tolerance)
    walk = _walk(hunt)
    note = ""
    try:
        trial = next(walk)
        while True:
            if watch is not None:
                watch(len(hunt.asked), budget)
            trial = walk.send(_answer(trial, hunt, prompts))
    except StopIteration:
        complete = True
    except Spent:
        complete = False
    return _ended(hunt, complete, note)


async def falsify_by_calls(
    tested: Property,
    judge: LlmJudge,
    debate_id: str,
    loaded: Loaded,
    caller: Caller,
    *,
    goal: Goal = Goal.SMALLEST,
    budget: int = CALL_BUDGET,
    seed: int = 0,
    tolerance: float | None = None,
    prompts: PromptFinder | None = None,
    watch: Watch | None = None,
) -> Falsification:
    """Return the best violation that a search finds with a language model.

    Each question goes through the runner, so that replies are stored and reused, and the caller's budget holds beside
    the number of questions.

    Args:
        tested: The property.
        judge: The language model.
        debate_id: Of the debate.
        loaded: Its profile, and how it was held.
        caller: Who asks it.
        goal: Which violation is wanted.
        budget: How many different questions may be asked.
        seed: Of everything that is drawn.
        tolerance: Up to which difference two scores are the same; half a hundredth unless given.
        prompts: Finds other sets of prompts.
        watch: Told how many of the questions are asked.
    """
    hunt = _hunt(tested, judge, debate_id, loaded, goal, budget, seed, tolerance)
    walk = _walk(hunt)
    note = ""
    try:
        trial = next(walk)
        while not note:
            if watch is not None:
                watch(len(hunt.asked), budget)
            answer, note = await _called(trial, hunt, caller, prompts)
            if not note:
                trial = walk.send(answer)
        complete = False
    except StopIteration:
        complete = True
    except Spent:
        complete = False
    return _ended(hunt, complete, note)


def _hunt(
    tested: Property,
    judge: AnyKind,
    debate_id: str,
    loaded: Loaded,
    goal: Goal,
    budget: int,
    seed: int,
    tolerance: float | None,
) -> Hunt:
    checked_number("The number of questions", budget, 2)
    return Hunt(
        tested,
        judge,
        debate_id,
        loaded,
        getattr(judge, "rule", None) or DecisionRule(),
        usual_tolerance(judge) if tolerance is None else tolerance,
        Goal(goal),
        budget,
        HUNDREDTH if isinstance(judge, LlmJudge) else FINEST,
        seed,
    )


def _walk(hunt: Hunt) -> Walk:
    match hunt.tested:
        case Determinism():
            return hunt_repeats(hunt)
        case PermutationIndependence():
            return hunt_orders(hunt)
        case JudgeRobustness():
            return hunt_settings(hunt)
        case _:
            return hunt_profiles(hunt, direction_of(hunt.tested))


def _answer(trial: Trial, hunt: Hunt, prompts: PromptFinder | None) -> Scored | None:
    judge = judge_under(trial, hunt.judge, prompts)
    if isinstance(judge, LlmJudge):
        raise InvalidSetting(f"{judge.name} is a language model; it has to be called.")
    return Scored.of(judge.judge(profile_under(trial, hunt.loaded, hunt.debate, hunt.seed)[0]))


async def _called(trial: Trial, hunt: Hunt, caller: Caller, prompts: PromptFinder | None) -> tuple[Scored | None, str]:
    judge = judge_under(trial, hunt.judge, prompts)
    if not isinstance(judge, LlmJudge):
        raise InvalidSetting(f"{judge.name} is no language model; it need not be called.")
    try:
        question = profile_under(trial, hunt.loaded, hunt.debate, hunt.seed)
    except MootError:
        return None, ""
    # A repeat is the last of as many samples; the earlier ones are stored already and are not asked again.
    asked = replace(judge, repeats=judge.repeats * (trial.repeat + 1)) if trial.repeat else judge
    judgements, reason = await caller.judgements([Case(asked, (hunt.debate,), lambda: question)])
    if not judgements:
        return None, reason or "The model was not asked."
    judgement = judgements[hunt.debate,]
    if judgement.status is JudgementStatus.ERROR and reason:
        return None, reason
    return one_repeat(judgement, judge, trial.repeat, trial.repeat + 1), ""


def _ended(hunt: Hunt, complete: bool, note: str) -> Falsification:
    best: Find | None = hunt.best
    if best is None:
        return Falsification(None, None, len(hunt.asked), complete, note)
    single = isinstance(hunt.tested, NonHallucination | JudgeUnanimity)
    witness = Witness(
        hunt.tested.key,
        hunt.judge.name,
        hunt.debate,
        best.trial if single else BASELINE,
        best.trial,
        best.before,
        best.after,
        hunt.seed,
    )
    return Falsification(witness, best.size, len(hunt.asked), complete, note)


__all__ = ["Falsification", "Goal", "falsify", "falsify_by_calls"]
