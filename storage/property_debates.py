"""The debates of a test of properties: read once as arrays, and a stamp that tells when they have changed."""

from __future__ import annotations

import hashlib

from core.debate import profile
from core.errors import MootError
from core.experiments.source import ALL, Source
from core.llm.circumstances import Circumstances
from core.llm.request import canonical
from core.properties.debate_set import DebateSet, Loaded
from core.simulation.debates import simulated_set
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.profile_arrays import profile_arrays


def debates_of(database: Database, source: Source) -> DebateSet:
    """Return the debates of a source, in the order of their import.

    Raises:
        MootError: If there is none.
    """
    if source.simulation is not None:
        return simulated_set(source.simulation)
    repository = DebateRepository(database)
    ids = repository.ids(_filter(source))[: source.limit]
    if not ids:
        raise MootError(f"There is no debate to test on: {source_words(database, source)}.")
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT id, label FROM debate WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)]
        ).fetchall()

    def read(name: str) -> Loaded:
        debate = repository.get(name)
        return profile(debate), Circumstances.of(debate)

    return DebateSet.from_arrays(profile_arrays(database, ids), dict(rows), read)


def count_of(database: Database, source: Source) -> int:
    """Return how many debates a source has."""
    if source.simulation is not None:
        return source.simulation.debates
    count = len(DebateRepository(database).ids(_filter(source)))
    return count if source.limit is None else min(count, source.limit)


def claims_of(database: Database, ids: tuple[str, ...]) -> dict[str, str]:
    """Return claims by debate id; ids that are not stored are left out."""
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT id, claim FROM debate WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)]
        ).fetchall()
    return dict(rows)


def stamp_of(database: Database, source: Source) -> str:
    """Return a text that changes whenever the debates of a source do; data sets are never changed, only removed."""
    if source.simulation is not None:
        return source.key
    return stamp_of_datasets(
        [
            (one.id, one.sha256)
            for one in DebateRepository(database).datasets()
            if not source.dataset or one.id == source.dataset
        ]
    )


def stamp_of_datasets(datasets: list[tuple[str, str]]) -> str:
    """Return the stamp of data sets given by id and hash."""
    return hashlib.sha256(canonical(sorted(map(list, datasets))).encode()).hexdigest()[:16]


def dataset_name(database: Database, source: Source) -> str:
    """Return what to call a source's data set."""
    if source.simulation is not None:
        return "Simulated debates"
    if not source.dataset:
        return ALL
    named = {one.id: one.name for one in DebateRepository(database).datasets()}
    return named.get(source.dataset, source.dataset)


def source_words(database: Database, source: Source) -> str:
    """Return which debates a source has, in words."""
    return source.words(dataset_name(database, source))


def _filter(source: Source) -> DebateFilter:
    return DebateFilter(
        datasets=(source.dataset,) if source.dataset else (),
        protocols=(source.protocol,) if source.protocol is not None else (),
    )


__all__ = ["claims_of", "count_of", "dataset_name", "debates_of", "source_words", "stamp_of", "stamp_of_datasets"]
