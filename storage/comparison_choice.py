"""What a command line means by judges, published figures and debates to compare."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.errors import InvalidSetting, MootError
from core.preferences import Preferences
from core.published import PublishedTable, published_summary
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judge_catalogue import MOST_PICKED, Candidate, candidates, presets
from storage.published import published
from storage.setting_repository import SettingRepository

PREFERENCES = "preferences"  # the setting under which the app keeps them
MOST_NAMED = 5


def picked_judges(database: Database, names: Sequence[str]) -> tuple[Candidate, ...]:
    """Return the judges that names mean, in order, each once.

    Args:
        database: Where judges and preferences are.
        names: A judge's name, its id or the beginning of that; or the name of a preset. The first preset unless given.

    Raises:
        MootError: If a name means nothing, or several judges.
        InvalidSetting: If they come to no judge, or to too many.
    """
    known, groups = _choices(database)
    by_id = {judge.id: judge for judge in known}
    ids: dict[str, None] = {}
    for name in names or list(groups)[:1]:
        if name in groups:
            ids |= dict.fromkeys(groups[name])
        else:
            ids[_one(name, known).id] = None
    if not 1 <= len(ids) <= MOST_PICKED:
        raise InvalidSetting(f"These are {len(ids)} judges; a comparison has 1 to {MOST_PICKED}.")
    return tuple(by_id[name] for name in ids)


def list_choices(database: Database) -> list[str]:
    """Return presets and judges, a line each."""
    known, groups = _choices(database)
    names = {judge.id: judge.name for judge in known}
    lines = [f"preset {name}: {'; '.join(names[one] for one in ids)}" for name, ids in groups.items()]
    return lines + [f"{judge.id} {judge.name}" for judge in known]


def published_rows(title: str, protocol: str | None = None) -> pd.DataFrame:
    """Return the published figures of the table that a title begins with or is.

    Raises:
        MootError: If none is meant, or several are.
    """
    tables = [table for table in published() if table.has_accuracy]
    meant = [table for table in tables if table.title == title] or [
        table for table in tables if table.title.startswith(title)
    ]
    if len(meant) != 1:
        raise MootError(f"{title!r} means {len(meant)} published tables; there are: {_listed(tables)}.")
    return published_summary(meant, protocol)


def dataset_named(database: Database, name: str) -> str:
    """Return the id of the data set of that name or id.

    Raises:
        MootError: If there is none.
    """
    stored = DebateRepository(database).datasets()
    for one in stored:
        if name in (one.id, one.name):
            return one.id
    names = ", ".join(repr(one.name) for one in stored) or "none"
    raise MootError(f"There is no dataset {name!r} in this database; there are {names}.")


def _choices(database: Database) -> tuple[tuple[Candidate, ...], dict[str, tuple[str, ...]]]:
    preferences = Preferences.from_json(SettingRepository(database).get(PREFERENCES, {}))
    known = candidates(database, preferences)
    return known, presets(known, preferences)


def _one(name: str, known: Sequence[Candidate]) -> Candidate:
    meant = [judge for judge in known if name in (judge.id, judge.name)]
    meant = meant or [judge for judge in known if len(name) >= 4 and judge.id.startswith(name)]
    meant = meant or [judge for judge in known if name.casefold() in judge.name.casefold()]
    if len(meant) == 1:
        return meant[0]
    shown = "; ".join(f"{judge.id} {judge.name}" for judge in (meant or known)[:MOST_NAMED])
    what = f"means {len(meant)} judges" if meant else "is neither a judge nor a preset"
    raise MootError(f"{name!r} {what}, such as: {shown}. --list shows all.")


def _listed(tables: Sequence[PublishedTable]) -> str:
    return "; ".join(f"{table.short_title}, table {table.number}" for table in tables)


__all__ = ["dataset_named", "list_choices", "picked_judges", "published_rows"]
