"""The debates of a test of properties: read once as arrays, and a stamp that tells when they have changed."""

from __future__ import annotations

import hashlib
from itertools import combinations

from core.debate import profile
from core.errors import MootError
from core.experiments.experiment import Experiment
from core.experiments.source import ALL, Source
from core.llm.circumstances import Circumstances
from core.llm.request import canonical
from core.properties.debate_set import DebateSet, Loaded
from core.simulation.debates import simulated_set
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.profile_arrays import profile_arrays

FEW_DATASETS = 10  # up to which any of them may have been added since; of more, those before and after one run of them
MANY_DATASETS = 60  # up to which any run is looked for; of more, those that were imported first


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


def sources_of(database: Database, experiment: Experiment) -> tuple[Source, ...]:
    """Return the parts of an experiment's data.

    Raises:
        MootError: If the data set is not here.
    """
    if experiment.simulation is not None:
        return (Source(simulation=experiment.simulation),)
    dataset = ""
    if experiment.dataset:
        stored = DebateRepository(database).datasets()
        matching = [one.id for one in stored if experiment.dataset in (one.id, one.name)]
        if not matching:
            names = ", ".join(repr(one.name) for one in stored) or "none"
            raise MootError(f"There is no data set {experiment.dataset!r} in this database; there are {names}.")
        dataset = matching[0]
    parts = tuple(Source(dataset, protocol, experiment.limit) for protocol in experiment.protocols or (None,))
    return tuple(part for part in parts if part.protocol is None or count_of(database, part)) or parts


def claims_of(database: Database, ids: tuple[str, ...]) -> dict[str, str]:
    """Return claims by debate id; ids that are not stored are left out."""
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT id, claim FROM debate WHERE id IN (SELECT unnest(?::VARCHAR[]))", [list(ids)]
        ).fetchall()
    return dict(rows)


def stamp_of(database: Database, source: Source) -> str:
    """Return a text that changes whenever the debates of a source do; data sets are never changed, only removed."""
    return source.key if source.simulation is not None else stamp_of_datasets(_datasets(database, source))


def stamps_within(database: Database, source: Source) -> frozenset[str]:
    """Return the stamps that a source may have had before debates were added to it: all they are of is still there.

    Where only the first debates are meant, it is the present stamp alone, since others may have come before them.
    """
    if source.simulation is not None or source.limit is not None:
        return frozenset({stamp_of(database, source)})
    datasets = _datasets(database, source)
    count = len(datasets)
    if count <= FEW_DATASETS:
        parts = [list(some) for size in range(1, count + 1) for some in combinations(datasets, size)]
    else:
        starts = range(count) if count <= MANY_DATASETS else range(1)
        parts = [datasets[first:last] for first in starts for last in range(first + 1, count + 1)]
    return frozenset(map(stamp_of_datasets, parts))


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


def _datasets(database: Database, source: Source) -> list[tuple[str, str]]:
    """Return a source's data sets by id and hash, in the order of their import."""
    stored = DebateRepository(database).datasets()
    return [(one.id, one.sha256) for one in stored if not source.dataset or one.id == source.dataset]


def _filter(source: Source) -> DebateFilter:
    return DebateFilter(
        datasets=(source.dataset,) if source.dataset else (),
        protocols=(source.protocol,) if source.protocol is not None else (),
    )


__all__ = [
    "claims_of", "count_of", "dataset_name", "debates_of", "source_words", "sources_of", "stamp_of",
    "stamp_of_datasets", "stamps_within",
]  # fmt: skip
