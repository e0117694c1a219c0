"""Carry out an experiment: every property of every judge on every part of the data, each result kept at once.

What is tested already on the same debates is not tested again, and replies of language models are stored as they come,
so that an experiment which was stopped goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from core.comparison.population import NONE
from core.errors import Cancelled
from core.experiments.experiment import Experiment
from core.experiments.source import Source
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.properties.calls import Caller, Known, check_by_calls
from core.properties.check import check
from core.properties.debate_set import DebateSet
from core.properties.judging import ask
from core.properties.outcomes import Outcomes
from core.properties.property import Property
from core.properties.result import PropertyResult
from core.properties.trial import BASELINE
from core.roles import OPERATOR, Permission, Person, require
from core.runs.plan import Budget, RunState, Spending
from core.runs.runner import Ledger
from storage.database import Database
from storage.endpoint_rights import guarded
from storage.interruptible import Interruptible
from storage.model_client import ModelClient, key_from_environment, lent
from storage.prompt_files import find_prompts
from storage.property_bench import Benched, Described, chosen, known_outcomes, seen_whole, without_asking
from storage.property_debates import dataset_name, debates_of, sources_of, stamp_of, stamps_within
from storage.property_known import known_answers
from storage.property_repository import KeptResult, PropertyRepository, Question
from storage.reply_lookup import KeptReplies

if TYPE_CHECKING:
    from core.llm.client import ChatClient

WITNESSES = 500  # kept of each result


@dataclass(frozen=True)
class Test:
    """One property of one judge on one part of the data."""

    question: Question
    judge: Benched
    checked: Property
    source: Source


@dataclass(frozen=True)
class Step:
    """How far an experiment is.

    Attributes:
        done, total: Tests.
        now: What is being tested, in words; empty at the end.
        judged, of: Judgements of the present test that language models have given, and how many it needs.
        spent: What calls have used.
    """

    done: int
    total: int
    now: str = ""
    judged: int = 0
    of: int = 0
    spent: Spending = field(default_factory=Spending)


@dataclass(frozen=True)
class Ended:
    """How an experiment ended: in which state and why, with the results that there are, in order."""

    state: RunState
    reason: str
    results: tuple[KeptResult, ...]


def tests_of(database: Database, experiment: Experiment) -> tuple[Test, ...]:
    """Return all tests of an experiment: part by part, property by property, so that changed profiles serve all judges.

    Raises:
        MootError: If a judge or the data set is not here.
    """
    judges = chosen(database, experiment)
    return tuple(
        Test(Question(one.id, tested, source, experiment.seed, experiment.tolerance), one, tested, source)
        for source in sources_of(database, experiment)
        for tested in experiment.tested
        for one in judges
    )


class ExperimentRun:
    """One experiment under way, in the thread that calls ``carry_out``; any other thread may cancel it."""

    def __init__(
        self,
        database: Database,
        experiment: Experiment,
        *,
        prices: PriceTable | None = None,
        budget: Budget | None = None,
        key_for: Callable[[Endpoint], str | None] = key_from_environment,
        client: Callable[[], ChatClient] | None = None,
        person: Person = OPERATOR,
        watch: Callable[[Step], None] | None = None,
        again: bool = False,
        keep: bool = True,
    ) -> None:
        """Take an experiment.

        Args:
            database: Where debates, judges, replies and results are.
            experiment: What to test.
            prices: What calls cost.
            budget: Of all calls together; no call is made where it allows none.
            key_for: Hands out the key of an endpoint; it is kept nowhere.
            client: Makes what answers requests; the real client unless given.
            person: Who acts.
            watch: Told how far it is.
            again: Whether what is tested already is tested again.
            keep: Whether results are stored; anybody may work out what is not.
        """
        self._database = database
        self._experiment = experiment
        self._prices = prices or PriceTable()
        self._budget = budget or Budget()
        self._ledger = Ledger(self._budget, Spending(), time.monotonic)
        self._make_client = client or partial(ModelClient, guarded(person, key_for))
        self._person = person
        self._watch = watch
        self._again = again
        self._keep = keep
        self._step = Step(0, 0)
        self._work = Interruptible()

    @property
    def step(self) -> Step:
        """Return how far it is."""
        return replace(self._step, spent=self._ledger.spent)

    def cancel(self) -> None:
        """End it at once; results and replies that are there stay."""
        self._ledger.stop("The experiment was ended.")
        self._work.end()

    def carry_out(self) -> Ended:
        """Test what is to be tested, and return what it came to.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If a judge or data set is not here.
        """
        if self._keep:
            require(self._person, Permission.RUN)
        repository = PropertyRepository(self._database, self._person)
        tests = tests_of(self._database, self._experiment)
        found: list[KeptResult] = []
        reason = ""
        try:
            for done, test, debates, stamp in self._in_order(tests):
                self._tell(Step(done, len(tests), f"{test.checked.label}: {test.judge.name}"))
                kept = None if self._again else repository.answer(test.question, stamp)
                if kept is None:
                    result = seen_whole(self._database, test.judge, self._tested(test, debates))
                    kept = self._wider(repository, test, result, len(debates))
                if kept is None:
                    kept = KeptResult(
                        test.question.key,
                        test.judge.id,
                        test.source,
                        stamp,
                        dataset_name(self._database, test.source),
                        result,
                        test.judge.origin,
                    )
                    if self._keep:
                        repository.keep([kept])
                    reason = reason or self._ledger.reason
                found.append(kept)
        except Cancelled:
            return Ended(RunState.CANCELLED, "", tuple(found))
        if self._work.ended:
            return Ended(RunState.CANCELLED, "", tuple(found))
        self._tell(Step(len(tests), len(tests)))
        return Ended(RunState.STOPPED if reason else RunState.DONE, reason, tuple(found))

    def _wider(
        self, repository: PropertyRepository, test: Test, result: PropertyResult, count: int
    ) -> KeptResult | None:
        """Return an earlier result on more of the debates, where no call may be made; None where there is none.

        It may be from before other debates were added.
        """
        if self._budget.calls != 0 or test.judge.model is None or not test.checked.needs_trials:
            return None
        there = 0 if result.rate is None else result.judged
        for one in repository.partial(test.question):
            if one.result.judged > there and one.stamp in stamps_within(self._database, one.source):
                if one.result.debates == count:
                    return one
                note = f"only on {one.result.judged:,} of {count:,} debates, those tested before"
                return replace(one, result=replace(one.result, note=note))
        return None

    def _in_order(self, tests: Sequence[Test]) -> Iterator[tuple[int, Test, DebateSet, str]]:
        debates, stamp, held = None, "", None
        self._baselines: dict[str, Outcomes] = {}
        for done, test in enumerate(tests):
            if self._work.ended:
                raise Cancelled("The experiment was ended.")
            if debates is None or test.source != held:
                held, stamp = test.source, stamp_of(self._database, test.source)
                debates = debates_of(self._database, test.source)
                self._baselines = {}
            yield done, test, debates, stamp

    def _tested(self, test: Test, debates: DebateSet) -> PropertyResult:
        one, judge, seed, tolerance = test.judge, test.judge.judge, self._experiment.seed, self._experiment.tolerance
        if isinstance(judge, RecordedJudge | Described):
            outcomes = known_outcomes(self._database, one, debates)
            return without_asking(test.checked, one, debates, outcomes, seed, tolerance)
        if isinstance(judge, LlmJudge):
            outcomes = known_outcomes(self._database, one, debates)
            known = known_answers(self._database, [test.checked], judge, debates, seed)
            enough = not test.checked.needs_trials and (outcomes.statuses != NONE).all()
            if self._budget.calls == 0 or enough:
                return without_asking(test.checked, one, debates, outcomes, seed, tolerance, known)
            return self._work.run(self._asked(test.checked, judge, debates, known))
        if one.id not in self._baselines:
            self._baselines[one.id] = ask(BASELINE, judge, debates, seed, find_prompts, self._look).outcomes
        return check(
            test.checked,
            judge,
            debates,
            seed=seed,
            tolerance=tolerance,
            baseline=self._baselines[one.id],
            prompts=find_prompts,
            watch=self._look,
            most_witnesses=WITNESSES,
        )

    async def _asked(self, tested: Property, judge: LlmJudge, debates: DebateSet, known: Known) -> PropertyResult:
        async with lent(self._make_client) as client:
            caller = Caller(client, KeptReplies(self._database), self._ledger, self._prices, self._called_so_far)
            return await check_by_calls(
                tested,
                judge,
                debates,
                caller,
                seed=self._experiment.seed,
                tolerance=self._experiment.tolerance,
                prompts=find_prompts,
                most_witnesses=WITNESSES,
                known=known,
            )

    def _look(self, done: int, total: int) -> None:
        if self._work.ended:
            raise Cancelled("The experiment was ended.")

    def _called_so_far(self, done: int, total: int) -> None:
        self._tell(replace(self._step, judged=done, of=total))

    def _tell(self, step: Step) -> None:
        self._step = step
        if self._watch is not None:
            self._watch(self.step)


__all__ = ["Ended", "ExperimentRun", "Step", "Test", "tests_of"]
