"""The templates that debaters are asked with: one for who they are, one for each step, one for asking again."""

from __future__ import annotations

from typing import ClassVar

from core.llm.prompts import PromptSet

TEMPLATES = (
    "debater", "prior", "argument", "arguments", "revision", "turn", "base_score", "posterior", "listing", "ask_again",
)  # fmt: skip


class DebatePrompts(PromptSet):
    """The templates of debates."""

    templates: ClassVar[tuple[str, ...]] = TEMPLATES


__all__ = ["TEMPLATES", "DebatePrompts"]
