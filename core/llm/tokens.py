"""How many tokens texts come to, roughly, before anybody counts them."""

from __future__ import annotations

from core.llm.request import ChatRequest

CHARACTERS = 4  # per token, roughly, in English


def about_tokens(text: str) -> float:
    """Return how many tokens a text comes to."""
    return len(text) / CHARACTERS


def sent_tokens(request: ChatRequest) -> float:
    """Return how many tokens the messages of a request come to."""
    return sum(about_tokens(message.text) for message in request.messages)


__all__ = ["about_tokens", "sent_tokens"]
