"""Have a language model judge a contested profile: what it said before is found again, the rest is asked."""

from __future__ import annotations

import asyncio
import time

from core.errors import MootError
from core.judgement import Judgement
from core.judges.llm_judge import Answer, LlmJudge
from core.llm.circumstances import Circumstances
from core.opinion import OpinionProfile
from core.properties.calls import Caller
from core.roles import Permission, require
from core.runs.plan import Budget, Spending
from core.runs.runner import Case, Ledger
from storage.endpoint_rights import require_endpoints
from storage.model_asking import ModelAsking
from storage.reply_lookup import KeptReplies
from storage.reply_repository import ReplyRepository

PLACE = ("contested",)


class ContestedJudging(ModelAsking):
    """Asks language models about profiles that are no stored debates; every reply is stored and used again."""

    def known(self, judge: LlmJudge, profile: OpinionProfile, held: Circumstances) -> Judgement | None:
        """Return the judgement that stored replies come to; None where one of them is missing.

        Raises:
            MootError: If the judge's settings do not fit the profile.
        """
        replies = ReplyRepository(self.database)
        answers: list[Answer] = []
        for request in judge.requests(profile, held):
            reply = replies.find(request.key)
            again = None if reply is None else judge.again(request, reply)
            if again is not None:
                reply = replies.find(again.key)
            if reply is None:
                return None
            answers.append(reply)
        return judge.judgement(answers)

    def ask(self, judge: LlmJudge, profile: OpinionProfile, held: Circumstances) -> Judgement:
        """Return the model's judgement; what is stored is not asked again.

        It takes as long as the model takes, at most two calls for each repeat.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If the endpoint cannot be used; the message says why.
        """
        require(self.person, Permission.RUN)
        require_endpoints(self.person, [judge.endpoint])
        status = "no answer"
        try:
            said = asyncio.run(self._asked(Case(judge, PLACE, lambda: (profile, held)), 2 * judge.repeats))
            status = said.status.value
            return said
        finally:  # also where it ends early, since the model may have been asked by then
            self.log_asked(judge, profile.claim, status=status)

    async def _asked(self, case: Case, most_calls: int) -> Judgement:
        ledger = Ledger(Budget(calls=most_calls), Spending(), time.monotonic)
        async with self.lent() as client:
            caller = Caller(client, KeptReplies(self.database), ledger, self.prices)
            judgements, reason = await caller.judgements([case])
        if PLACE not in judgements:
            raise MootError(reason or "The model gave no answer.")
        return judgements[PLACE]
