"""Carry out runs of debates in the background, and hold them again from what is stored."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Self

from core.debating.afterwards import Afterwards
from core.debating.claim import Claim
from core.debating.estimate import DebateEstimate, estimate
from core.debating.holding import MOST_AT_ONCE, Topic
from core.debating.outcome import Outcome
from core.debating.plan import DebatePlan
from core.debating.replaying import HeldAgain
from core.debating.reuse import Reuse, reusable
from core.debating.run import DebateRun
from core.errors import MootError
from core.llm.request import ChatReply
from core.native import debate_to_line
from core.roles import MOOT, Person
from core.runs.judging import JudgingRun
from core.runs.plan import Budget
from storage.debate_run_repository import DebateRunRepository
from storage.debate_run_thread import DebatingThread, held_again, keep_unfinished
from storage.debated_dataset import dataset_of, publish, reopen_lost, stored_record
from storage.endpoint_rights import require_endpoints
from storage.judging_afterwards import judging_of
from storage.reply_repository import ReplyRepository
from storage.run_worker import RunWorker
from storage.worker import Worker

_log = logging.getLogger("moot.runs")


@dataclass(frozen=True)
class Replay:
    """A debate held again from what is stored.

    Attributes:
        position, outcome: Which, and what it came to.
        record: Its line in the native format.
        stored: The line that is stored; None where nothing is stored of it.
    """

    position: int
    outcome: Outcome
    record: str
    stored: str | None

    @property
    def held_again(self) -> HeldAgain:
        """Return what a report on many of them needs."""
        return HeldAgain(self.outcome.debate.id, self.record, self.stored)

    @property
    def same(self) -> bool | None:
        """Return whether both are the same byte for byte; None where nothing is stored."""
        return None if self.stored is None else self.stored == self.record


class DebateRunWorker(Worker[DebateRun]):
    """Has models debate claims."""

    table = DebateRunRepository
    _runs: DebateRunRepository
    _judging: Callable[[], RunWorker] | None = None

    def estimate(self, plan: DebatePlan, claims: Sequence[Claim]) -> DebateEstimate:
        """Return what debating claims would take, before anything is asked."""
        return estimate(plan, claims, self._prices)

    def reusable(self, plan: DebatePlan, claims: Sequence[Claim]) -> Reuse:
        """Return how many calls of a run are answered by what is stored, before anything is asked."""
        replies = ReplyRepository(self._database)

        def find(keys: Sequence[str]) -> Mapping[str, ChatReply]:
            return {key: reply for key, (reply, _) in replies.facts(keys).items()}

        return reusable(plan, claims, find)

    def judged_by(self, worker: Callable[[], RunWorker]) -> Self:
        """Return the same worker; once a run's debates are complete it has that one judge them, if the run says so."""
        self._judging = worker
        return self

    def create(
        self,
        plan: DebatePlan,
        claims: Sequence[Claim],
        budget: Budget | None = None,
        name: str = "",
        then: Afterwards | None = None,
    ) -> DebateRun:
        """Store a run of debates, one for each claim; it waits to be started.

        Args:
            plan: How they are held.
            claims: With different ids.
            budget: Limits.
            name: Of the data set to be.
            then: Who judges them once they are complete.

        Raises:
            NotAllowed: If the person may not run debates.
            MootError: If there is no claim, or two share an id.
        """
        require_endpoints(self._person, plan.endpoints)
        models = ", ".join(dict.fromkeys(agent.model for agent in plan.agents))
        label = name.strip() or f"Debated by {models}, {plan.protocol.value}"
        return self._runs.create(label, plan, claims, budget or Budget(), then)

    def judge(self, run_id: str, wanted: Afterwards) -> JudgingRun:
        """Begin to have the debates judged that a run has brought into its data set, and return the run that does.

        The same judges on the same debates go on with the run in which they judged before.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If there is no debate yet, or nobody who judges.
        """
        if self._judging is None or not wanted.judges:
            raise MootError("Nobody is there to judge the debates.")
        worker = self._judging().acting_for(self._person)
        judging = judging_of(self._database, worker, self._runs.get(run_id), wanted)
        return worker.start(judging.id, wanted.budget)

    def dataset(self, run_id: str) -> str | None:
        """Return the id of the data set with a run's debates; None if there is none yet."""
        return dataset_of(self._database, self._runs.get(run_id))

    def replay(self, run_id: str) -> Iterator[Replay]:
        """Hold a run's debates again from stored replies, in order, and compare with what is stored.

        Nobody is asked, and nothing is stored. A debate of which something was never asked comes as far as it goes;
        one of which nothing was asked is left out.
        """
        run, plan = self._runs.get(run_id), self._runs.plan(run_id)
        for position, claim in self._runs.claims(run_id):
            outcome = held_again(self._database, run_id, plan, position, claim)
            if outcome.calls:
                record = debate_to_line(outcome.debate)
                yield Replay(position, outcome, record, stored_record(self._database, run, position))

    def _thread(self, run: DebateRun) -> DebatingThread:
        plan = self._runs.plan(run.id)
        reopen_lost(self._database, run)
        return DebatingThread(self._database, run, plan, self._prices, self._asking, self._person, self._complete)

    def _complete(self, run_id: str, person: Person) -> None:
        """Have a run's debates judged, now that all have an outcome, if the run says so, for who ran it."""
        wanted = self._runs.afterwards(run_id)
        if wanted.judges and self._judging is not None:
            try:
                self.acting_for(person).judge(run_id, wanted)
            except MootError as error:  # the debates are there all the same, and can be judged later
                _log.warning("The debates of run %s are not judged: %s", run_id, error)

    def _left_behind(self, run_id: str) -> None:
        """Bring what a run that nobody ended has stored into its data set, debates under way as far as they came."""
        try:
            plan = self._runs.plan(run_id)
            # Claims are taken in order, so those under way are among the first that are open.
            first = islice(self._runs.claims(run_id, only_open=True), 2 * MOST_AT_ONCE)
            keep_unfinished(self._database, run_id, plan, [Topic(claim, place) for place, claim in first])
            publish(self._database, self._runs.get(run_id), plan, MOOT)
        except MootError as error:  # it waits until somebody resumes the run, and must not keep Moot from starting
            _log.warning("The debates of run %s could not be brought into view: %s", run_id, error)


__all__ = ["DebateRunWorker", "Replay"]
