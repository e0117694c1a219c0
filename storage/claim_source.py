"""Where claims to debate come from: a file, or the debates of a data set that is here."""

from __future__ import annotations

from pathlib import Path

from core.debating.claim import Claim, claims_in_csv, claims_in_json, claims_in_lines, numbered
from core.errors import UnreadableFile
from storage.database import Database
from storage.text_file import utf8_text

LARGEST = 100_000_000  # bytes


def claims_in_file(file: Path) -> tuple[Claim, ...]:
    """Return the claims in a file: JSON Lines or JSON, CSV or TSV, else a text with one claim a line.

    Raises:
        UnreadableFile: If it cannot be read, or holds none.
    """
    try:
        if file.stat().st_size > LARGEST:
            raise UnreadableFile(f"{file.name} is larger than {LARGEST:,} bytes.")
        content = file.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{file.name} cannot be read: {error.strerror}.") from error
    return claims_in_bytes(content, file.name)


def claims_in_bytes(content: bytes, name: str) -> tuple[Claim, ...]:
    """Return the claims in what a file holds.

    Raises:
        UnreadableFile: If it is no text in UTF-8, or holds no claim.
    """
    return claims_in_text(utf8_text(content, name), name)


def claims_in_text(text: str, name: str = "") -> tuple[Claim, ...]:
    """Return the claims in a text; what a file is called says how it is written.

    Raises:
        UnreadableFile: If it holds none.
    """
    match Path(name).suffix.casefold():
        case ".json" | ".jsonl" | ".ndjson":
            return claims_in_json(text, name)
        case ".csv" | ".tsv":
            return claims_in_csv(text, name)
        case _:
            return claims_in_lines(text)


def claims_in_dataset(database: Database, dataset: str, limit: int | None = None) -> tuple[Claim, ...]:
    """Return the claims of a data set's debates, each once, with their labels.

    Args:
        database: Where it is.
        dataset: By name or id.
        limit: Only the first so many.

    Raises:
        MootError: If there is no such data set, or it has no debate.
    """
    from storage.comparison_choice import dataset_named  # here, because what comes with it takes a second to load

    wanted = dataset_named(database, dataset)
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT coalesce(claim_id, source_id), claim, label FROM debate WHERE dataset_id = ? "
            "QUALIFY row_number() OVER (PARTITION BY coalesce(claim_id, source_id), claim ORDER BY position) = 1 "
            "ORDER BY position LIMIT ?",
            [wanted, limit],
        ).fetchall()
    return numbered(Claim(name, text, label) for name, text, label in rows)


__all__ = ["claims_in_dataset", "claims_in_file", "claims_in_text"]
