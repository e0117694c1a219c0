"""The second sample: debates that a small language model really held, and what it said when it judged them."""

from __future__ import annotations

from pathlib import Path

from core.debating.outcome import DEMONSTRATION, KIND
from core.roles import OPERATOR, Permission, Person, require
from storage.database import Database
from storage.importer import Imported, Wish, import_read_file, plain_name
from storage.judgement_file import load_judgement_file
from storage.readers import read_file
from storage.sample import FOLDER as SAMPLE_FOLDER

FOLDER = SAMPLE_FOLDER / "debated"
NOTE = f"{KIND.capitalize()}, in this protocol: {DEMONSTRATION}."


def load_debated_sample(database: Database, folder: Path = FOLDER, person: Person = OPERATOR) -> list[Imported]:
    """Bring the debates held by a small model into the database, with its judgements, and return what became of each.

    What is here already is left alone.

    Args:
        database: Where they go.
        folder: Where they are: one file of debates for each protocol, and judgements on them under ``judgements``.
        person: Who loads them.

    Raises:
        NotAllowed: If the person may not import.
    """
    require(person, Permission.IMPORT)
    wish = Wish(note=NOTE, person=person)
    loaded = [
        import_read_file(database, read_file(path, path.name), _title(path), wish=wish)
        for path in sorted(folder.glob("*.jsonl"))
    ]
    for file in sorted((folder / "judgements").glob("*.jsonl")):
        load_judgement_file(database, file, DEMONSTRATION, person)
    return loaded


def is_loaded(database: Database, folder: Path = FOLDER) -> bool:
    """Return whether every file of the second sample has a data set here."""
    with database.read() as cursor:
        here = {name for (name,) in cursor.execute("SELECT file_name FROM dataset").fetchall()}
    return all(path.name in here for path in folder.glob("*.jsonl"))


def _title(path: Path) -> str:
    """Return what to call a file's data set, such as "Debated by qwen2.5 1.5b: single turn"."""
    model, _, protocol = plain_name(path.name).partition("_")
    return f"Debated by {model}: {protocol.replace('_', ' ')}"
