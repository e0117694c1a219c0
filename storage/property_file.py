"""Results of property tests as a file, to be passed on with the debates that they are about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import InvalidSetting, UnreadableFile
from core.experiments.source import Source
from core.judges.registry import settings_id
from core.properties.result import PropertyResult
from storage.property_repository import KeptResult, question_of

FORMAT = "moot-properties/1"


@dataclass(frozen=True)
class ResultFile:
    """What a file of results holds.

    Attributes:
        stamp: Of the debates that were tested.
        debates_of: What these are called.
        results: What the tests came to.
    """

    stamp: str
    debates_of: str
    results: tuple[PropertyResult, ...]

    def kept(self, source: Source, origin: str) -> tuple[KeptResult, ...]:
        """Return the results as they are stored: about the debates of a source, with what is to be said of them."""
        return tuple(
            KeptResult(
                question_of(one, source).key,
                settings_id(one.settings),
                source,
                self.stamp,
                self.debates_of,
                one,
                origin,
            )
            for one in self.results
        )


def results_text(stamp: str, debates_of: str, results: Sequence[PropertyResult]) -> str:
    """Return results as the text of a file that ``results_in`` reads."""
    record: dict[str, Any] = {"format": FORMAT, "stamp": stamp, "debates": debates_of}
    return json.dumps(record | {"results": [one.to_json() for one in results]}, ensure_ascii=False, indent=1) + "\n"


def results_in(text: str) -> ResultFile:
    """Return what a file of results holds.

    Raises:
        UnreadableFile: If it is none.
    """
    try:
        record = json.loads(text)
        if record["format"] != FORMAT:
            raise UnreadableFile(f"The format is {record['format']!r}; it must be {FORMAT!r}.")
        return ResultFile(
            str(record["stamp"]),
            str(record["debates"]),
            tuple(PropertyResult.from_json(one) for one in record["results"]),
        )
    except (InvalidSetting, KeyError, TypeError, ValueError, RecursionError) as error:
        raise UnreadableFile(f"These are no results of property tests: {error}.") from error


__all__ = ["ResultFile", "results_in", "results_text"]
