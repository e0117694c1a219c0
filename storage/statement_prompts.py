"""The templates that models are asked with for arguments in a transcript, as files that people edit."""

from __future__ import annotations

from pathlib import Path

from core.errors import UnreadableFile
from core.statements.proposing import StatementPrompts
from storage.prompt_files import ASSETS, EDITED, STANDARD

PROMPTS = ASSETS / "prompts" / "statements"
# Of the templates as they come with Moot:
STANDARD_HASH = "c9823d3f4f481f19015334e2e2b1dbe8e24376720ad63795d112680dcdd98a11"


def load_statement_prompts(folder: Path = PROMPTS) -> StatementPrompts:
    """Return the templates; they are called "edited" where they are not as they come with Moot.

    Raises:
        UnreadableFile: If one of them is missing or is no text.
        InvalidSetting: If one of them is no template.
    """
    texts = {}
    for template in StatementPrompts.templates:
        try:
            texts[template] = (folder / f"{template}.txt").read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableFile(f"The prompt template {template}.txt cannot be read: {error}.") from error
    prompts = StatementPrompts.from_texts(STANDARD, texts)
    return StatementPrompts(STANDARD if prompts.hash == STANDARD_HASH else EDITED, prompts.texts)


__all__ = ["load_statement_prompts"]
