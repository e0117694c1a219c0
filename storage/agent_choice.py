"""Which agents a command line means: files that define agents, and agents written on the line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from core.debating.agent import AgentSpec, agent_of
from core.errors import InvalidSetting, UnreadableFile
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.plain_yaml import yaml_value
from storage.prompt_files import LARGEST

NUMBERS: Mapping[str, type] = {"temperature": float, "seed": int, "max_tokens": int}


def chosen_agents(names: Sequence[str]) -> tuple[AgentSpec, ...]:
    """Return the agents meant, in order.

    Args:
        names: Files in YAML or JSON that define agents, or agents as ``agent_in_words`` reads them.

    Raises:
        MootError: If one is neither.
    """
    found: list[AgentSpec] = []
    for name in names:
        if "=" not in name or Path(name).is_file():
            found += agents_in_file(Path(name))
        else:
            found.append(agent_in_words(name))
    return tuple(found)


def agent_in_words(text: str) -> AgentSpec:
    """Return the agent that ``name=A1,model=gpt-4o-mini,endpoint=openai,temperature=0.7`` describes.

    The persona, which may hold commas, comes last.

    Raises:
        InvalidSetting: If it describes none.
    """
    head, found, persona = text.partition("persona=")
    settings: dict[str, Any] = {"persona": persona} if found else {}
    for part in head.split(","):
        if not part.strip():
            continue
        key, equals, value = part.partition("=")
        key, value = key.strip(), value.strip()
        if not equals:
            raise InvalidSetting(
                f"{part!r} is no setting of an agent; write name=A1,model=gpt-4o-mini,endpoint=openai."
            )
        try:
            settings[key] = NUMBERS[key](value) if key in NUMBERS else value
        except ValueError as error:
            raise InvalidSetting(f"The {key} of an agent is {value!r}; it must be a number.") from error
    return agent_of(settings)


def agents_in_file(file: Path) -> tuple[AgentSpec, ...]:
    """Return the agents that a YAML or JSON file defines: a list, or a mapping with ``agents`` and ``endpoints``.

    Raises:
        UnreadableFile: If it cannot be read.
        InvalidSetting: If it defines none.
    """
    try:
        if file.stat().st_size > LARGEST:
            raise UnreadableFile(f"{file.name} is larger than {LARGEST:,} bytes.")
        record = yaml_value(file.read_text("utf-8-sig"))
    except OSError as error:
        raise InvalidSetting(
            f"{file.name!r} is neither a file nor an agent; write name=A1,model=gpt-4o-mini,endpoint=openai."
        ) from error
    except (UnicodeDecodeError, ValueError, yaml.YAMLError, RecursionError) as error:
        raise UnreadableFile(f"{file.name} cannot be read: {' '.join(str(error).split())}") from error
    try:
        return _agents(record)
    except InvalidSetting as error:
        raise InvalidSetting(f"{file.name}: {error}") from error


def _agents(record: object) -> tuple[AgentSpec, ...]:
    endpoints: dict[str, Endpoint] = dict(ENDPOINTS)
    listed = record
    if isinstance(record, Mapping):
        own = record.get("endpoints") or []
        if not isinstance(own, list):
            raise InvalidSetting("The endpoints are no list.")
        endpoints |= {endpoint.name: endpoint for endpoint in map(Endpoint.from_json, own)}
        listed = record.get("agents")
    if not isinstance(listed, list) or not listed:
        raise InvalidSetting("There is no list of agents in it.")
    return tuple(agent_of(settings, endpoints) for settings in listed)


__all__ = ["agent_in_words", "agents_in_file", "chosen_agents"]
