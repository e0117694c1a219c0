"""The hand-written sample debates, loaded once."""

from __future__ import annotations

from pathlib import Path

from core.errors import MootError, UnreadableDatabase, UnwritableDatabase
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.importer import Imported, Wish, import_read_file, plain_name
from storage.readers import ReadFile, read_file

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "sample"
NOTE = "Written by hand for Moot; no model took part."


def load_sample(database: Database, folder: Path = FOLDER) -> list[Imported]:
    """Bring the sample debates into the database and return what became of each file.

    Files that are here already are left alone. A file that differs from the one loaded before replaces it, unless
    people have contested its debates: then both stay.
    """
    return [_load(database, read_file(path, path.name)) for path in sorted(folder.glob("*.jsonl"))]


def _load(database: Database, read: ReadFile) -> Imported:
    repository = DebateRepository(database)
    for old in repository.datasets():
        if old.is_sample and old.file_name == read.file and old.sha256 != read.sha256 and not read.refused:
            _remove_unless_contested(repository, old.id)
    name = f"Sample: {plain_name(read.file).replace('_', ' ').replace('-', ' ')}"
    return import_read_file(database, read, name, wish=Wish(is_sample=True, note=NOTE))


def _remove_unless_contested(repository: DebateRepository, dataset: str) -> None:
    try:
        repository.remove_dataset(dataset)
    except (UnreadableDatabase, UnwritableDatabase):
        raise
    except MootError:
        return
