"""Which judges and debates a command line means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.errors import InvalidSetting, MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge, judge_id, presets
from core.llm.endpoint import ENDPOINTS, Endpoint
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.prompt_files import load_judges, load_prompts


def preset_names() -> tuple[str, ...]:
    """Return the names of the presets."""
    return tuple(presets(_base("model", "openai")))


def chosen_judges(names: Sequence[str], model: str | None = None, endpoint: str = "openai") -> tuple[AnyJudge, ...]:
    """Return the judges that files and presets come to, each once.

    Args:
        names: Files that define judges, or names of presets.
        model: The model of the presets' LLM judges; needed for presets that have some.
        endpoint: Where those are asked: an endpoint's name, or an address.

    Raises:
        MootError: If a name is neither, or a preset needs a model.
    """
    base = None if model is None else _base(model, endpoint)
    groups, known = presets(base), preset_names()
    found: dict[str, AnyJudge] = {}
    for name in names:
        if name in groups:
            judges = groups[name]
        elif name in known:
            raise InvalidSetting(f"The preset {name!r} has LLM judges; say which with --model.")
        elif Path(name).is_file():
            judges = load_judges(Path(name))
        else:
            raise InvalidSetting(f"{name!r} is neither a file nor a preset; the presets are {', '.join(known)}.")
        found |= {judge_id(judge): judge for judge in judges}
    return tuple(found.values())


def chosen_debates(
    database: Database, datasets: Sequence[str], debates: Sequence[str] = (), limit: int | None = None
) -> tuple[str, ...]:
    """Return the ids of the debates meant: of some datasets, or these, or all.

    Raises:
        MootError: If a dataset is not there.
        UnknownDebate: If a debate is not.
    """
    repository = DebateRepository(database)
    stored = repository.datasets()
    ids: list[str] = []
    for wanted in datasets:
        matching = [one.id for one in stored if wanted in (one.id, one.name)]
        if not matching:
            names = ", ".join(repr(one.name) for one in stored) or "none"
            raise MootError(f"There is no dataset {wanted!r} in this database; there are {names}.")
        ids += matching
    for name in debates:
        repository.get(name)  # says which one is not there
    chosen = repository.ids(DebateFilter(datasets=tuple(ids), ids=tuple(debates) if debates else None))
    return chosen[:limit]


def _base(model: str, endpoint: str) -> LlmJudge:
    if endpoint in ENDPOINTS:
        place = ENDPOINTS[endpoint]
    elif endpoint.startswith(("http://", "https://")):
        place = Endpoint(endpoint.split("://", 1)[1].split("/", 1)[0], endpoint)
    else:
        raise InvalidSetting(f"There is no endpoint {endpoint!r}; name one of {', '.join(ENDPOINTS)}, or an address.")
    return LlmJudge(place, model, load_prompts())


__all__ = ["chosen_debates", "chosen_judges", "preset_names"]
