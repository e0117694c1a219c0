"""Carry out runs of debates in the background, and hold them again from what is stored."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from core.debating.claim import Claim
from core.debating.estimate import DebateEstimate, estimate
from core.debating.holding import MOST_AT_ONCE, Topic
from core.debating.outcome import Outcome
from core.debating.plan import DebatePlan
from core.debating.run import DebateRun
from core.errors import MootError
from core.native import debate_to_line
from core.roles import MOOT
from core.runs.plan import Budget
from storage.debate_run_repository import DebateRunRepository
from storage.debate_run_thread import DebatingThread, held_again, keep_unfinished
from storage.debated_dataset import dataset_of, publish, reopen_lost, stored_record
from storage.endpoint_rights import require_endpoints
from storage.worker import Worker

_log = logging.getLogger("moot.runs")


@dataclass(frozen=True)
class Replay:
    """A debate held again from what is stored.

    Attributes:
        position, outcome: Which, and what it came to.
        record: Its line in the native format.
        same: Whether that is byte for byte what is stored; None where nothing is stored of it.
    """

    position: int
    outcome: Outcome
    record: str
    same: bool | None


class DebateRunWorker(Worker[DebateRun]):
    """Has models debate claims."""

    table = DebateRunRepository
    _runs: DebateRunRepository

    def estimate(self, plan: DebatePlan, claims: Sequence[Claim]) -> DebateEstimate:
        """Return what debating claims would take, before anything is asked."""
        return estimate(plan, claims, self._prices)

    def create(
        self, plan: DebatePlan, claims: Sequence[Claim], budget: Budget | None = None, name: str = ""
    ) -> DebateRun:
        """Store a run of debates, one for each claim; it waits to be started.

        Args:
            plan: How they are held.
            claims: With different ids.
            budget: Limits.
            name: Of the data set to be.

        Raises:
            NotAllowed: If the person may not run debates.
            MootError: If there is no claim, or two share an id.
        """
        require_endpoints(self._person, plan.endpoints)
        models = ", ".join(dict.fromkeys(agent.model for agent in plan.agents))
        label = name.strip() or f"Debated by {models}, {plan.protocol.value}"
        return self._runs.create(label, plan, claims, budget or Budget())

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
                stored = stored_record(self._database, run, position)
                yield Replay(position, outcome, record, None if stored is None else stored == record)

    def _thread(self, run: DebateRun) -> DebatingThread:
        plan = self._runs.plan(run.id)
        reopen_lost(self._database, run)
        return DebatingThread(self._database, run, plan, self._prices, self._asking, self._person)

    def _left_behind(self, run_id: str) -> None:
        """Bring what a run that nobody ended has stored into its data set, debates under way as far as they came."""
        try:
            plan = self._runs.plan(run_id)
            # Claims are taken in order, so those under way are among the first that are open.
            first = islice(self._runs.claims(run_id, only_open=True), 2 * MOST_AT_ONCE)
            keep_unfinished(self._database, run_id, plan, [Topic(claim, place) for place, claim in first])
            publish(self._database, self._runs.get(run_id), plan, MOOT)
        except (
            MootError
        ) as error:  # it waits until somebody resumes the run, and must not keep the program from starting
            _log.warning("The debates of run %s could not be brought into view: %s", run_id, error)


__all__ = ["DebateRunWorker", "Replay"]
