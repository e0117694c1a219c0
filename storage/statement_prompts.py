"""The templates that models are asked with for arguments in a transcript, as files that people edit."""

from __future__ import annotations

from pathlib import Path

from core.statements.proposing import StatementPrompts
from storage.prompt_files import ASSETS, STANDARD, read_prompts

PROMPTS = ASSETS / "prompts" / "statements"
# Of the templates as they come with Moot:
STANDARD_HASH = "c9823d3f4f481f19015334e2e2b1dbe8e24376720ad63795d112680dcdd98a11"


def load_statement_prompts(folder: Path = PROMPTS) -> StatementPrompts:
    """Return the templates; see ``read_prompts``."""
    return read_prompts(StatementPrompts, folder, STANDARD, STANDARD_HASH)


__all__ = ["load_statement_prompts"]
