"""The hand-written sample debates, and what real judges said of them, loaded once."""

from __future__ import annotations

import hashlib
from pathlib import Path

from core.errors import MootError, UnreadableDatabase, UnwritableDatabase
from core.roles import MOOT, OPERATOR, Permission, Person, require
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.importer import Imported, Wish, import_read_file, plain_name
from storage.judgement_file import load_judgement_file
from storage.property_file import results_in
from storage.property_repository import PropertyRepository
from storage.readers import ReadFile, read_file
from storage.setting_repository import SettingRepository

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "sample"
NOTE = "Written by hand for Moot; no model took part."
ORIGIN = "small local model, demonstration"  # said wherever the shipped judgements are shown
JUDGEMENTS = "sample judgements"  # the setting that remembers what was loaded
PROPERTIES = "sample properties"  # the same, for results of property tests


def load_sample(database: Database, folder: Path = FOLDER, person: Person = OPERATOR) -> list[Imported]:
    """Bring the sample debates into the database and return what became of each file.

    Files that are here already are left alone. A file that differs from the one loaded before replaces it, unless
    people have contested its debates: then both stay.

    Args:
        database: Where they go.
        folder: Where they are.
        person: Who loads them.

    Raises:
        NotAllowed: If the person may not import.
    """
    require(person, Permission.IMPORT)
    loaded = [_load(database, read_file(path, path.name), person) for path in sorted(folder.glob("*.jsonl"))]
    _load_judgements(database, sorted((folder / "judgements").glob("*.jsonl")), person)
    _load_properties(database, sorted((folder / "properties").glob("*.json")), person)
    return loaded


def _load(database: Database, read: ReadFile, person: Person) -> Imported:
    repository = DebateRepository(database, person)
    for old in repository.datasets():
        if old.is_sample and old.file_name == read.file and old.sha256 != read.sha256 and not read.refused:
            _remove_unless_contested(repository, old.id)
    name = f"Sample: {plain_name(read.file).replace('_', ' ').replace('-', ' ')}"
    return import_read_file(database, read, name, wish=Wish(is_sample=True, note=NOTE, person=person))


def _load_judgements(database: Database, files: list[Path], person: Person) -> None:
    """Store the shipped judgements on the sample debates, unless these files were loaded for these debates before."""
    datasets = [one.id for one in DebateRepository(database).datasets() if one.is_sample]
    digest = hashlib.sha256("".join(sorted(datasets)).encode())
    for file in files:
        digest.update(file.read_bytes())
    settings = SettingRepository(database, MOOT)  # what the program remembers for itself
    if not files or settings.get(JUDGEMENTS) == digest.hexdigest():
        return
    for file in files:
        load_judgement_file(database, file, ORIGIN, person)
    settings.set(JUDGEMENTS, digest.hexdigest())


def _load_properties(database: Database, files: list[Path], person: Person) -> None:
    """Store what property tests of the shipped judges came to, unless these files were loaded before.

    Those on a data set of the sample hold as long as it is here; those on all debates as long as the sample's are the
    only ones, and after that they say that they are stale.
    """
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    settings = SettingRepository(database, MOOT)
    if not files or settings.get(PROPERTIES) == digest:
        return
    repository = PropertyRepository(database, person)
    for file in files:
        for part in results_in(file.read_text("utf-8")):
            repository.keep(part.kept(ORIGIN))
    settings.set(PROPERTIES, digest)


def _remove_unless_contested(repository: DebateRepository, dataset: str) -> None:
    try:
        repository.remove_dataset(dataset)
    except (UnreadableDatabase, UnwritableDatabase):
        raise
    except MootError:
        return
