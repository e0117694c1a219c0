"""Ask language models here and now, outside of any run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from core.audit import Action, Change, Kind
from core.judges.llm_judge import LlmJudge
from core.judges.registry import judge_id
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.roles import OPERATOR, Person
from storage.database import Database
from storage.endpoint_rights import guarded
from storage.model_client import ModelClient, key_from_environment, lent

if TYPE_CHECKING:
    from core.llm.client import ChatClient

LONGEST_CLAIM = 200  # characters of a claim that the log tells


@dataclass(frozen=True)
class ModelAsking:
    """Who asks, and with what; what is asked is a subclass's business. Every reply is stored and used again.

    Attributes:
        database: Where replies are.
        prices: What calls cost.
        key_for: Hands out the key of an endpoint; it is kept nowhere.
        client: Makes what answers requests; the real client unless given.
        person: Who acts.
    """

    database: Database
    prices: PriceTable
    key_for: Callable[[Endpoint], str | None] = key_from_environment
    client: Callable[[], ChatClient] | None = None
    person: Person = OPERATOR

    def lent(self) -> AbstractAsyncContextManager[ChatClient]:
        """Lend what answers requests; it has keys for endpoints that the person may have asked with them."""
        return lent(self.client or partial(ModelClient, guarded(self.person, self.key_for)))

    def log_asked(self, judge: LlmJudge, claim: str, **more: str) -> None:
        """Put into the log which judge was asked about which claim, and what else is to be said of that."""
        told = {"judge": judge.name, "claim": claim[:LONGEST_CLAIM], **more}
        with self.database.log() as logged:
            logged.log(Change(self.person, Action.ASKED, Kind.JUDGE, judge_id(judge), None, told))


__all__ = ["ModelAsking"]
