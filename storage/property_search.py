"""Search for a violation of a property by a language model on one debate: what it takes, and the search itself."""

from __future__ import annotations

import asyncio
import time

from core.judges.llm_judge import LlmJudge
from core.llm.tokens import sent_tokens
from core.properties.calls import Caller
from core.properties.debate_set import Loaded
from core.properties.falsifier import Falsification, Goal, falsify_by_calls
from core.properties.judging import Watch
from core.properties.property import Property
from core.roles import Permission, require
from core.runs.plan import Budget, Spending
from core.runs.runner import Ledger
from storage.endpoint_rights import require_endpoints
from storage.model_asking import ModelAsking
from storage.prompt_files import find_prompts
from storage.reply_lookup import KeptReplies
from storage.run_estimate import Estimate, answer_tokens


class PropertySearch(ModelAsking):
    """Searches for violations with language models."""

    def estimate(self, judge: LlmJudge, loaded: Loaded, questions: int) -> Estimate:
        """Return what so many questions about a debate take at most, without asking again after unreadable replies.

        Raises:
            MootError: If the judge's settings do not fit the profile.
        """
        asked = judge.requests(*loaded)
        calls = questions * len(asked)
        sent, received = calls * sent_tokens(asked[0]), calls * answer_tokens(judge)
        price = self.prices.price(judge.endpoint.name, (judge.model,))
        cost = None if price is None else price.of(sent, received)
        return Estimate(questions, 0, calls, round(sent + received), cost)

    def search(
        self,
        tested: Property,
        judge: LlmJudge,
        debate_id: str,
        loaded: Loaded,
        *,
        goal: Goal,
        questions: int,
        limits: Budget,
        seed: int = 0,
        watch: Watch | None = None,
    ) -> Falsification:
        """Return the best violation that is found; it takes as long as the model takes.

        Args:
            tested: The property.
            judge: The language model.
            debate_id: Of the debate.
            loaded: Its profile, and how it was held.
            goal: Which violation is wanted.
            questions: How many different ones may be asked.
            limits: Of the calls.
            seed: Of everything that is drawn.
            watch: Told how many of the questions are asked; what it raises ends the search, and what was replied stays.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If the endpoint cannot be used.
        """
        require(self.person, Permission.RUN)
        require_endpoints(self.person, [judge.endpoint])
        self.log_asked(judge, loaded[0].claim, search=tested.key)

        async def searched() -> Falsification:
            async with self.lent() as client:
                ledger = Ledger(limits, Spending(), time.monotonic)
                caller = Caller(client, KeptReplies(self.database), ledger, self.prices)
                return await falsify_by_calls(
                    tested,
                    judge,
                    debate_id,
                    loaded,
                    caller,
                    goal=goal,
                    budget=questions,
                    seed=seed,
                    prompts=find_prompts,
                    watch=watch,
                )

        return asyncio.run(searched())


__all__ = ["PropertySearch"]
