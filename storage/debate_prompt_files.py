"""The templates of debates, as files that people edit."""

from __future__ import annotations

from pathlib import Path

from core.debating.prompts import DebatePrompts
from storage.prompt_files import ASSETS, STANDARD, prompt_folder, read_prompts

PROMPTS = ASSETS / "prompts" / "debate"
# Of the templates as they come with Moot:
STANDARD_HASH = "8c3a19ae4eaad7b4331f0773382025fecc84ac452a9f4454169e810463505d8f"


def load_debate_prompts(name: str = STANDARD, folder: Path = PROMPTS) -> DebatePrompts:
    """Return the standard templates, or those in a folder of that name beside them; see ``read_prompts``."""
    return read_prompts(DebatePrompts, prompt_folder(folder, name), name, STANDARD_HASH)


__all__ = ["load_debate_prompts"]
