"""Have a language model propose arguments for the statements of a transcript; every reply is stored and used again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from core.audit import Action, Change, Kind
from core.errors import CallFailed
from core.llm.replies import Problem
from core.llm.request import ChatReply
from core.roles import Permission, require
from core.runs.caller import Caller
from core.runs.ledger import Ledger, Stopped
from core.runs.plan import Budget, Spending
from core.statements.proposals import Proposed, read_proposals
from core.statements.proposing import Batch, Expected, Proposer, expected
from core.strict_json import storable
from storage.database import first_row
from storage.endpoint_rights import require_endpoints
from storage.model_asking import ModelAsking
from storage.reply_lookup import KeptReplies
from storage.reply_repository import ReplyRepository


@dataclass(frozen=True)
class Asked:
    """What came of a question about a part of a transcript: proposals, or why there was no reply."""

    batch: Batch
    proposed: Proposed
    failure: str = ""


BEAT = 0.25  # seconds until whoever watches is asked again whether to go on

Told = Callable[[Sequence[Asked]], None]  # is handed what came so far; may raise to stop


class StatementAsking(ModelAsking):
    """Asks models for arguments. What they propose is stored nowhere but in their replies."""

    def expected(self, proposer: Proposer, claim: str, parts: Sequence[Batch]) -> Expected:
        """Return what asking would take, with the replies that are stored already left out.

        Raises:
            InvalidSetting: If a template cannot be filled in.
        """
        keys = [proposer.request(claim, part).key for part in parts]
        there = ReplyRepository(self.database).facts(keys)
        return expected(proposer, claim, parts, self.prices, [key in there for key in keys])

    def ask(
        self,
        proposer: Proposer,
        debate_id: str,
        claim: str,
        parts: Sequence[Batch],
        budget: Budget,
        told: Told = lambda so_far: None,
    ) -> tuple[tuple[Asked, ...], str]:
        """Return what the model proposes for each part, and why it stopped early; an empty text where it did not.

        It takes as long as the model takes, at most two calls for each part. A reply that cannot be read is asked for
        once more, with the error named.

        Args:
            proposer: Who is asked.
            debate_id: Which debate this is about, for the log.
            claim: Its claim.
            parts: What is asked about.
            budget: Limits on this asking.
            told: Is handed what came so far, in the order of the parts, as often as something comes and several times
                a second besides; whatever it raises ends the asking at once, with the calls that are under way.

        Raises:
            NotAllowed: If the person may not ask models, or not this endpoint.
            MootError: If the endpoint cannot be used; the message says why.
        """
        require(self.person, Permission.RUN)
        require_endpoints(self.person, [proposer.endpoint])
        ledger = Ledger(budget, Spending(), time.monotonic)
        try:
            asked = asyncio.run(self._asked(proposer, claim, parts, ledger, told))
        finally:
            self._log(proposer, debate_id, ledger.spent.calls)
        return asked, ledger.reason

    async def _asked(
        self, proposer: Proposer, claim: str, parts: Sequence[Batch], ledger: Ledger, told: Told
    ) -> tuple[Asked, ...]:
        came: dict[int, Asked] = {}
        waiting = iter(enumerate(parts))
        under_way: dict[asyncio.Task[Asked], int] = {}
        async with self.lent() as client:
            caller = Caller(client, KeptReplies(self.database), ledger, self.prices)
            try:
                while True:
                    told(_in_order(came))
                    free = 0 if ledger.reason else proposer.endpoint.concurrency - len(under_way)
                    for place, part in islice(waiting, free):
                        under_way[asyncio.create_task(_one(caller, ledger, proposer, claim, part))] = place
                    if not under_way:
                        return _in_order(came)
                    done, _ = await asyncio.wait(under_way, timeout=BEAT, return_when=asyncio.FIRST_COMPLETED)
                    came |= {under_way.pop(task): task.result() for task in done}
            finally:
                for task in under_way:
                    task.cancel()
                await asyncio.gather(*under_way, return_exceptions=True)

    def _log(self, proposer: Proposer, debate_id: str, calls: int) -> None:
        name = storable(debate_id)
        told = {"debate": name, "model": storable(proposer.model), "endpoint": proposer.endpoint.name, "calls": calls}
        with self.database.log() as logged:
            row = first_row(logged.cursor.execute("SELECT dataset_id FROM debate WHERE id = ?", [name]))
            dataset = "" if row is None else str(row[0])
            logged.log(Change(self.person, Action.STATEMENTS_ASKED, Kind.DATASET, dataset, None, told))


def _in_order(came: Mapping[int, Asked]) -> tuple[Asked, ...]:
    return tuple(came[place] for place in sorted(came))


async def _one(caller: Caller, ledger: Ledger, proposer: Proposer, claim: str, part: Batch) -> Asked:
    request = proposer.request(claim, part)
    try:
        reply = await caller.reply(request)
        read = read_proposals(reply, part, _who(reply, proposer))
        if read.problem not in (None, Problem.REFUSED):
            reply = await caller.reply(proposer.again(request, reply, read.detail))
            read = read_proposals(reply, part, _who(reply, proposer))
    except CallFailed as failure:
        ledger.failed(failure)
        return Asked(part, Proposed(), str(failure))
    except Stopped as stopped:
        return Asked(part, Proposed(), str(stopped))
    return Asked(part, read)


def _who(reply: ChatReply, proposer: Proposer) -> str:
    return reply.model or proposer.model


__all__ = ["Asked", "StatementAsking"]
