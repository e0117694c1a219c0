"""What calls cost. A price that is not in the table is unknown, and so is the cost: it is never taken for 0."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InvalidSetting
from core.llm.request import ChatReply, ChatRequest

PER = 1_000_000  # tokens that a price is for
ANY_MODEL = "*"


@dataclass(frozen=True)
class Price:
    """What a model costs, in the table's currency per million tokens.

    Attributes:
        model: The name that replies carry, or the name asked for; "*" means every model of the endpoint.
        input, output: For tokens sent and received.
        cached_input: For sent tokens that the endpoint had cached; None means the same as others.
        endpoint: The endpoint's name; empty for any.
    """

    model: str
    input: float
    output: float
    cached_input: float | None = None
    endpoint: str = ""

    def __post_init__(self) -> None:
        for what, value in (("input", self.input), ("output", self.output), ("cached_input", self.cached_input)):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (number and 0.0 <= value < float("inf")):
                raise InvalidSetting(f"The {what} price of {self.model!r} is {value!r}; it must be a number from 0.")
        if self.model == ANY_MODEL and not self.endpoint:
            raise InvalidSetting("A price for every model must name its endpoint.")

    def of(self, tokens_in: float, tokens_out: float) -> float:
        """Return what tokens cost, none of them cached."""
        return (tokens_in * self.input + tokens_out * self.output) / PER


@dataclass(frozen=True)
class PriceTable:
    """Prices in one currency; of several that fit, the first counts."""

    prices: tuple[Price, ...] = ()
    currency: str = "USD"
    as_of: str = ""

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> PriceTable:
        """Return the table that a mapping with ``prices``, ``currency`` and ``as_of`` describes.

        Raises:
            InvalidSetting: If it has another shape.
        """
        try:
            prices = tuple(Price(**price) for price in record.get("prices") or ())
            return cls(prices, str(record.get("currency", "USD")), str(record.get("as_of", "")))
        except InvalidSetting:
            raise
        except (TypeError, AttributeError) as error:
            raise InvalidSetting(f"This is no price table: {error}.") from error

    def to_json(self) -> dict[str, Any]:
        """Return the table as plain JSON values."""
        return {"currency": self.currency, "as_of": self.as_of, "prices": [vars(price) for price in self.prices]}

    def price(self, endpoint: str, models: Iterable[str]) -> Price | None:
        """Return the price of the first of these names that has one at the endpoint; None where none has."""
        for model in models:
            for price in self.prices:
                if price.endpoint in ("", endpoint) and price.model in (model, ANY_MODEL):
                    return price
        return None

    def cost(self, request: ChatRequest, reply: ChatReply) -> float | None:
        """Return what a call cost; None where the price or the number of tokens is unknown."""
        price = self.price(request.endpoint.name, (reply.model, request.model))
        if price is None or reply.tokens_in is None or reply.tokens_out is None:
            return None
        cached = min(reply.tokens_cached or 0, reply.tokens_in)
        cached_price = price.input if price.cached_input is None else price.cached_input
        return (
            (reply.tokens_in - cached) * price.input + cached * cached_price + reply.tokens_out * price.output
        ) / PER


__all__ = ["PER", "Price", "PriceTable"]
