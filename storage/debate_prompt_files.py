"""The templates of debates, as files that people edit."""

from __future__ import annotations

from pathlib import Path

from core.debating.prompts import TEMPLATES, DebatePrompts
from core.errors import InvalidSetting, UnreadableFile
from storage.prompt_files import ASSETS, EDITED, STANDARD

PROMPTS = ASSETS / "prompts" / "debate"
# Of the templates as they come with Moot:
STANDARD_HASH = "8c3a19ae4eaad7b4331f0773382025fecc84ac452a9f4454169e810463505d8f"


def load_debate_prompts(name: str = STANDARD, folder: Path = PROMPTS) -> DebatePrompts:
    """Return the standard templates, or those in a folder of that name beside them.

    The standard ones are called "edited" where they are not as they come with Moot.

    Raises:
        UnreadableFile: If one of them is missing or is no text.
        InvalidSetting: If there is no such folder, or one of them is no template.
    """
    if name not in (STANDARD, EDITED):
        folder = folder.parent / name
        if not name.replace("-", "").replace("_", "").isalnum() or not folder.is_dir():
            raise InvalidSetting(f"There is no prompt set {name!r}; make a folder of that name in assets/prompts.")
    texts = {}
    for template in TEMPLATES:
        try:
            texts[template] = (folder / f"{template}.txt").read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableFile(f"The prompt template {template}.txt cannot be read: {error}.") from error
    prompts = DebatePrompts.from_texts(name, texts)
    if name not in (STANDARD, EDITED):
        return prompts
    return DebatePrompts(STANDARD if prompts.hash == STANDARD_HASH else EDITED, prompts.texts)


__all__ = ["load_debate_prompts"]
