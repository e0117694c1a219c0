"""Claims to debate: pasted lines, or records with a claim, a label and an id."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.errors import UnreadableFile
from core.label_text import read_label
from core.record_reading import unused_name
from core.strict_json import storable

CLAIM_NAMES = ("claim", "claim_text", "statement", "proposition", "thesis", "motion", "question", "topic", "text")
LABEL_NAMES = ("label", "gold_label", "gold", "ground_truth", "truth", "is_true", "veracity")
ID_NAMES = ("claim_id", "id", "debate_id", "claimid", "uid")
LONGEST_CLAIM = 10_000  # characters


@dataclass(frozen=True)
class Claim:
    """A claim to debate.

    Attributes:
        id: Unique among those of a run; it names the debate.
        text: What is debated.
        label: The gold truth; None where it is unknown. It goes into the stored debate, and to no model.
    """

    id: str
    text: str
    label: bool | None = None


def claims_in_lines(text: str) -> tuple[Claim, ...]:
    """Return one claim for each line that is not blank."""
    return numbered(Claim("", line.strip()) for line in text.splitlines() if line.strip())


def claims_in_json(text: str, name: str = "The file") -> tuple[Claim, ...]:
    """Return the claims of JSON Lines, or of one JSON list: texts, or objects with a claim, a label and an id.

    Raises:
        UnreadableFile: If it is neither, or an entry has no claim.
    """
    entries: list[tuple[str, Any]]
    try:
        if text.lstrip().startswith("["):
            entries = [(f"entry {place}", entry) for place, entry in enumerate(json.loads(text), 1)]
        else:
            lines = enumerate(text.splitlines(), 1)
            entries = [(f"line {place}", json.loads(line)) for place, line in lines if line.strip()]
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"{name} holds no claims as JSON: {error}.") from error
    return numbered(
        Claim("", entry.strip()) if isinstance(entry, str) else _claim(entry, name, where) for where, entry in entries
    )


def claims_in_csv(text: str, name: str = "The file") -> tuple[Claim, ...]:
    """Return the claims of a table with a header, separated by commas, semicolons or tabs.

    Raises:
        UnreadableFile: If it has no column of claims.
    """
    try:
        head = text.splitlines()[0] if text.strip() else ""
        separator = max(",;\t", key=head.count)
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error as error:
        raise UnreadableFile(f"{name} is no table: {error}.") from error
    return numbered(_claim(row, name, f"row {place}") for place, row in enumerate(rows, 1))


def numbered(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Return claims with an id each; one that has none, or that of an earlier one, gets another.

    Raises:
        UnreadableFile: If there is none, or one is empty or very long.
    """
    found: list[Claim] = []
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for place, claim in enumerate(claims, 1):
        text = storable(claim.text)
        if not text.strip() or len(text) > LONGEST_CLAIM:
            raise UnreadableFile(f"Claim {place} has {len(text):,} characters; it needs 1 to {LONGEST_CLAIM:,}.")
        stem = storable(claim.id).strip() or f"claim-{place}"
        name = unused_name(stem, taken, numbers) if stem in taken else stem
        taken.add(name)
        found.append(replace(claim, id=name, text=text))
    if not found:
        raise UnreadableFile("There are no claims in it.")
    return tuple(found)


def _claim(entry: object, name: str, where: str) -> Claim:
    if not isinstance(entry, Mapping):
        raise UnreadableFile(f"{name}, {where}: a claim is a text, or an object with a claim.")
    fields = {str(key).strip().casefold().replace(" ", "_"): value for key, value in entry.items() if key is not None}
    text = _first(fields, CLAIM_NAMES)
    if not isinstance(text, str) or not text.strip():
        raise UnreadableFile(f"{name}, {where}: there is no claim; it stands under one of {', '.join(CLAIM_NAMES)}.")
    label, readable = read_label(_first(fields, LABEL_NAMES))
    if not readable:
        raise UnreadableFile(f"{name}, {where}: the label is neither true, false nor unknown.")
    given = _first(fields, ID_NAMES)
    return Claim("" if given is None else str(given), text.strip(), label)


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if fields.get(name) not in (None, "")), None)


__all__ = ["Claim", "claims_in_csv", "claims_in_json", "claims_in_lines", "numbered"]
