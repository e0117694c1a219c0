"""The templates of debates, as files that people edit."""

from __future__ import annotations

from pathlib import Path

from core.debating.prompts import DebatePrompts
from storage.prompt_files import ASSETS, STANDARD, prompt_folder, prompt_sets, read_prompts

PROMPTS = ASSETS / "prompts" / "debate"
# Of the templates as they come with Moot:
STANDARD_HASH = "8c3a19ae4eaad7b4331f0773382025fecc84ac452a9f4454169e810463505d8f"


def load_debate_prompts(name: str = STANDARD, folder: Path = PROMPTS) -> DebatePrompts:
    """Return the standard templates, or those in a folder of that name beside them; see ``read_prompts``."""
    return read_prompts(DebatePrompts, prompt_folder(folder, name), name, STANDARD_HASH)


def debate_prompt_sets(folder: Path = PROMPTS) -> tuple[str, ...]:
    """Return the names that ``load_debate_prompts`` knows, the standard one first."""
    return prompt_sets(DebatePrompts, folder)


__all__ = ["debate_prompt_sets", "load_debate_prompts"]
