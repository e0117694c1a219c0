"""Judges as text that people write, keep and pass on: YAML or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from core.errors import UnreadableFile
from core.judges.registry import AnyJudge, judges_of
from core.plain_yaml import yaml_value
from storage.prompt_files import LARGEST, find_prompts


def judges_in(text: str) -> tuple[AnyJudge, ...]:
    """Return the judges that a text defines.

    Raises:
        UnreadableFile: If it is neither YAML nor JSON, or too large.
        InvalidSetting: If it defines no judge.
    """
    if len(text) > LARGEST:
        raise UnreadableFile(f"A definition of judges has at most {LARGEST:,} characters.")
    try:
        record = yaml_value(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UnreadableFile(f"This is neither YAML nor JSON that Moot can read: {error}") from error
    return judges_of(record, find_prompts)


def definition(settings: Sequence[Mapping[str, Any]]) -> str:
    """Return judges, given by their settings, as YAML that ``judges_in`` reads."""
    plain = json.loads(json.dumps([dict(one) for one in settings]))
    return yaml.safe_dump({"judges": plain}, sort_keys=False, allow_unicode=True)


__all__ = ["definition", "judges_in"]
