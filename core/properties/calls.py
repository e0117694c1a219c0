"""Test a property of a language model: its calls go through the runner, so that replies are stored and reused,
budgets hold, and whoever cancels the task ends the calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.errors import MootError
from core.judgement import Judgement, JudgementStatus, Verdict
from core.judges.framing import mean
from core.judges.llm_judge import LlmJudge
from core.llm.prices import PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.overview import Scored
from core.perturbations.judge_edit import PromptFinder
from core.properties.check import MOST_WITNESSES, measured
from core.properties.debate_set import DebateSet, Loaded
from core.properties.judging import Asked, Watch, changes, judge_under, profile_under
from core.properties.outcomes import Outcomes
from core.properties.property import Property
from core.properties.result import PropertyResult
from core.properties.trial import BASELINE, Trial
from core.runs.caller import Replies
from core.runs.runner import Case, Ledger, Runner

if TYPE_CHECKING:
    from core.llm.client import ChatClient


Known = Mapping[tuple[Trial, str], Scored]  # what was said before, by what was asked and the debate's id
NOTHING: Known = {}


@dataclass(frozen=True)
class Caller:
    """Who asks a language model.

    Attributes:
        client: Answers requests.
        replies: Where replies are kept.
        ledger: Counts what is spent, and stops at the budget.
        prices: What calls cost.
        watch: Told how many of how many judgements are there. It must not raise: to stop, cancel the task.
    """

    client: ChatClient
    replies: Replies
    ledger: Ledger
    prices: PriceTable
    watch: Watch | None = None

    async def judgements(self, cases: Sequence[Case]) -> tuple[dict[tuple[str, ...], Judgement], str]:
        """Return the judgements of cases by place, and why some are missing; an empty text where none is."""
        desk = _Gathering(self.replies, len(cases), self.watch)
        reason = await Runner(self.client, desk, self.ledger, self.prices).run(cases)
        return desk.judgements, reason


@dataclass
class _Gathering:
    """A desk that keeps replies where they belong, and judgements in memory."""

    replies: Replies
    total: int
    watch: Watch | None
    judgements: dict[tuple[str, ...], Judgement] = field(default_factory=dict)

    async def stored(self, key: str) -> ChatReply | None:
        return await self.replies.stored(key)

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        await self.replies.keep(request, reply, cost)

    async def conclude(self, case: Case, judgement: Judgement, keys: Sequence[str]) -> None:
        self.judgements[case.place] = judgement
        if self.watch is not None:
            self.watch(len(self.judgements), self.total)


def requests(
    properties: Sequence[Property],
    judge: LlmJudge,
    debates: DebateSet,
    seed: int = 0,
    prompts: PromptFinder | None = None,
    known: Known = NOTHING,
) -> Iterator[ChatRequest]:
    """Return every request that tests would send, each once; how many are stored already is for the caller to see.

    Asking again after an unreadable reply is not among them, and neither is what is ``known`` without asking.
    """
    seen: set[str] = set()
    for tested in properties:
        for trial, repeats in _questions((BASELINE, *tested.trials(judge))):
            asked = _repeated(judge_under(trial, judge, prompts), repeats)
            for place, name in enumerate(debates.ids):
                if _answered(known, trial, repeats, name):
                    continue
                try:
                    profile, held = profile_under(trial, debates.load(place), name, seed)
                    for request in asked.requests(profile, held):
                        if request.key not in seen:
                            seen.add(request.key)
                            yield request
                except MootError:  # the trial does not fit the debate: there is nothing to ask
                    continue


async def check_by_calls(
    tested: Property,
    judge: LlmJudge,
    debates: DebateSet,
    caller: Caller,
    *,
    seed: int = 0,
    tolerance: float | None = None,
    prompts: PromptFinder | None = None,
    most_witnesses: int = MOST_WITNESSES,
    known: Known = NOTHING,
) -> PropertyResult:
    """Return what a test of a property of a language model comes to.

    Debates that the budget left no room for count as not judged, and the result's note says so. Cancelling the task
    ends the calls under way; replies that have arrived stay stored.

    Args:
        tested: The property.
        judge: The language model.
        debates: On which.
        caller: Who asks it.
        seed: Of everything that is drawn.
        tolerance: Up to which difference two scores are the same; half a hundredth unless given.
        prompts: Finds other sets of prompts.
        most_witnesses: How many violations are kept as witnesses.
        known: What the judge said before; a debate is asked about where not all repeats of a question are known.
    """
    trials = tested.trials(judge)
    questions = _questions((BASELINE, *trials))
    cases, changed = [], {}
    for number, (trial, repeats) in enumerate(questions):
        asked_judge = _repeated(judge_under(trial, judge, prompts), repeats)
        for place, name in enumerate(debates.ids):
            loaded = debates.load(place)
            try:
                question = profile_under(trial, loaded, name, seed)
            except MootError:
                continue
            changed[number, place] = changes(trial, loaded[0], question[0])
            if not _answered(known, trial, repeats, name):
                cases.append(Case(asked_judge, (str(number), str(place)), _given(question)))
    judgements, reason = await caller.judgements(cases)

    def outcome(number: int, repeat: int, place: int) -> Scored | None:
        judgement = judgements.get((str(number), str(place)))
        if judgement is None:
            return known.get((replace(questions[number][0], repeat=repeat), debates.ids[place]))
        return one_repeat(judgement, judge, repeat, questions[number][1])

    def asked(number: int, repeat: int) -> Asked:
        places = range(len(debates))
        applies = np.array([repeat > 0 or changed.get((number, place), False) for place in places], dtype=bool)
        return Asked(Outcomes.of(outcome(number, repeat, place) for place in places), applies)

    numbers = {replace(trial, repeat=0): number for number, (trial, _) in enumerate(questions)}
    return measured(
        tested,
        judge,
        debates,
        asked(0, 0).outcomes,
        trials,
        tuple(asked(numbers[replace(trial, repeat=0)], trial.repeat) for trial in trials),
        seed=seed,
        tolerance=tolerance,
        most_witnesses=most_witnesses,
        note=reason,
    )


def _questions(trials: Sequence[Trial]) -> list[tuple[Trial, int]]:
    """Return what to ask, and how often: the repeats of one question go together."""
    repeats: dict[Trial, int] = {}
    for trial in trials:
        question = replace(trial, repeat=0)
        repeats[question] = max(repeats.get(question, 0), trial.repeat + 1)
    return list(repeats.items())


def _answered(known: Known, trial: Trial, repeats: int, debate: str) -> bool:
    """Return whether all repeats of a question about a debate are known."""
    return bool(known) and all((replace(trial, repeat=repeat), debate) in known for repeat in range(repeats))


def _repeated(judge: object, repeats: int) -> LlmJudge:
    """Return the judge asking so many times as often; samples are numbered, so earlier ones are found again."""
    if not isinstance(judge, LlmJudge):
        raise TypeError("A language model stays one, however its settings change.")
    return replace(judge, repeats=judge.repeats * repeats) if repeats > 1 else judge


def one_repeat(judgement: Judgement, judge: LlmJudge, repeat: int, repeats: int) -> Scored:
    """Return one of the repeats that a judgement holds; each is what the judge would say by itself."""
    if repeats == 1:
        return Scored.of(judgement)
    if len(judgement.parts) != judge.repeats * repeats:
        return Scored(None, None, judgement.status)
    parts = judgement.parts[repeat * judge.repeats : (repeat + 1) * judge.repeats]
    scores = [part.score for part in parts if part.score is not None]
    failed = [part.status for part in parts if part.status is JudgementStatus.ERROR]
    if failed or not scores:
        return Scored(None, None, failed[0] if failed else parts[0].status)
    score = mean(scores)
    verdict = judge.rule.verdict(score)
    status = JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK
    return Scored(score, verdict, status)


def _given(question: Loaded) -> Callable[[], Loaded]:
    return lambda: question


__all__ = ["NOTHING", "Caller", "Known", "check_by_calls", "one_repeat", "requests"]
