"""Files that people edit: prompt templates, judge definitions, prices."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml

from core.errors import InvalidSetting, UnreadableFile
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge, judges_of
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.llm.prices import PriceTable
from core.llm.prompts import PromptSet
from core.plain_yaml import yaml_value

ASSETS = Path(__file__).resolve().parents[1] / "assets"
PROMPTS = ASSETS / "prompts" / "judge"
PRICES = ASSETS / "prices.yaml"
STANDARD = "standard"
# Of the templates as they come with Moot:
STANDARD_HASH = "3b73f3bda28b0446e44b773129efba77b2aada46b0490cd30359f261195fce4f"
EDITED = "edited"  # what the same files are called once somebody has changed them, since judges bear the name
LARGEST = 1_000_000  # bytes of a judge definition


P = TypeVar("P", bound=PromptSet)


def load_prompts(folder: Path = PROMPTS, name: str = STANDARD) -> PromptSet:
    """Return the judges' templates in a folder; see ``read_prompts``."""
    return read_prompts(PromptSet, folder, name, STANDARD_HASH)


def read_prompts(kind: type[P], folder: Path, name: str, standard_hash: str) -> P:
    """Return the templates of one kind in a folder, each a file such as ``ask_again.txt``.

    The standard ones are called "edited" where they are not as they come with Moot.

    Args:
        kind: Which templates there are.
        folder: Where.
        name: What to call them.
        standard_hash: Of the templates as they come with Moot.

    Raises:
        UnreadableFile: If one of them is missing or is no text.
        InvalidSetting: If one of them is no template.
    """
    texts = {}
    for template in kind.templates:
        try:
            texts[template] = (folder / f"{template}.txt").read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableFile(f"The prompt template {template}.txt cannot be read: {error}.") from error
    prompts = kind.from_texts(name, texts)
    if name not in (STANDARD, EDITED):
        return prompts
    return kind(STANDARD if prompts.hash == standard_hash else EDITED, prompts.texts)


def prompt_folder(standard: Path, name: str) -> Path:
    """Return the folder of a prompt set: the standard one, or that of another name beside it.

    Raises:
        InvalidSetting: If there is no such folder.
    """
    if name in (STANDARD, EDITED):
        return standard
    folder = standard.parent / name
    if not _is_name(name) or not folder.is_dir():
        raise InvalidSetting(f"There is no prompt set {name!r}; make a folder of that name in assets/prompts.")
    return folder


def _is_name(text: str) -> bool:
    """Return whether a folder of that name lies beside the standard one, wherever that is, and nowhere else."""
    return text.replace("-", "").replace("_", "").isalnum()


def prompt_sets(kind: type[PromptSet] = PromptSet, standard: Path = PROMPTS) -> tuple[str, ...]:
    """Return the names of the prompt sets of a kind: the standard one, then the folders beside it that are complete."""
    others = (
        folder.name
        for folder in standard.parent.iterdir()
        if folder != standard
        and _is_name(folder.name)
        and all((folder / f"{template}.txt").is_file() for template in kind.templates)
    )
    return (STANDARD, *sorted(others))


def find_prompts(name: str, digest: str | None = None) -> PromptSet:
    """Return a prompt set by name: the standard one, or a folder of that name beside it.

    Raises:
        InvalidSetting: If there is no such set. Whether the hash is the expected one is the judge's business.
    """
    return load_prompts(prompt_folder(PROMPTS, name), STANDARD if name == EDITED else name)


def load_judges(file: Path, endpoints: Mapping[str, Endpoint] = ENDPOINTS) -> tuple[AnyJudge, ...]:
    """Return the judges that a YAML or JSON file defines.

    Raises:
        UnreadableFile: If the file cannot be read.
        InvalidSetting: If it defines no judge.
    """
    definition = _read(file)
    try:
        return judges_of(definition, find_prompts, endpoints)
    except InvalidSetting as error:
        raise InvalidSetting(f"{file.name}: {error}") from error


def judges_text(judges: Iterable[AnyJudge]) -> str:
    """Return judges as a YAML file that ``load_judges`` reads, to share them; no key is part of it."""
    listed = list(judges)
    endpoints = dict.fromkeys(judge.endpoint for judge in listed if isinstance(judge, LlmJudge))
    own = [endpoint.to_json() for endpoint in endpoints if ENDPOINTS.get(endpoint.name) != endpoint]
    definition = {**({"endpoints": own} if own else {}), "judges": [judge.settings() for judge in listed]}
    return yaml.safe_dump(definition, sort_keys=False, allow_unicode=True)


def load_prices(file: Path = PRICES) -> PriceTable:
    """Return the price table in a file.

    Raises:
        UnreadableFile: If it cannot be read.
        InvalidSetting: If it is no price table.
    """
    record = _read(file)
    if not isinstance(record, Mapping):
        raise InvalidSetting("A price table is a mapping with prices, currency and as_of.")
    return PriceTable.from_json(record)


def _read(file: Path) -> Any:
    try:
        if file.stat().st_size > LARGEST:
            raise UnreadableFile(f"{file.name} is larger than {LARGEST:,} bytes.")
        text = file.read_text("utf-8-sig")
        return json.loads(text) if file.suffix == ".json" else yaml_value(text)
    except RecursionError as error:
        raise UnreadableFile(f"{file.name} cannot be read: it is nested too deeply.") from error
    except (OSError, UnicodeDecodeError, ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())  # on one line; YAML draws where in the text it was
        raise UnreadableFile(f"{file.name} cannot be read: {reason}") from error


__all__ = [
    "find_prompts", "judges_text", "load_judges", "load_prices", "load_prompts", "prompt_folder", "prompt_sets",
    "read_prompts",
]  # fmt: skip
