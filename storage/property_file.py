"""Results of property tests as a file, to be passed on with the debates that they are about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidSetting, UnreadableFile
from core.experiments.source import Source
from core.judges.registry import settings_id
from core.properties.result import PropertyResult
from storage.property_repository import KeptResult, question_of

FORMAT = "moot-properties/1"


@dataclass(frozen=True)
class ResultPart:
    """Results about the same debates.

    Attributes:
        source: Which debates they are about.
        stamp: Of these debates when they were tested.
        debates_of: What the debates are called.
        results: What the tests came to.
    """

    source: Source
    stamp: str
    debates_of: str
    results: tuple[PropertyResult, ...]

    def kept(self, origin: str) -> tuple[KeptResult, ...]:
        """Return the results as they are stored, with what is to be said of them."""
        return tuple(
            KeptResult(
                question_of(one, self.source).key,
                settings_id(one.settings),
                self.source,
                self.stamp,
                self.debates_of,
                one,
                origin,
            )
            for one in self.results
        )


def results_text(parts: Sequence[ResultPart]) -> str:
    """Return results as the text of a file that ``results_in`` reads, each result on a line of its own."""
    written = []
    for part in parts:
        about = {"source": part.source.to_json(), "stamp": part.stamp, "debates": part.debates_of}
        head = json.dumps(about, ensure_ascii=False).removesuffix("}")
        results = ",\n".join(json.dumps(one.to_json(), ensure_ascii=False) for one in part.results)
        written.append(f'{head}, "results": [\n{results}\n]}}')
    parts_text = ",\n".join(written)
    return f'{{"format": "{FORMAT}", "parts": [\n{parts_text}\n]}}\n'


def results_in(text: str) -> tuple[ResultPart, ...]:
    """Return what a file of results holds: parts, or one part by itself that is about all debates.

    Raises:
        UnreadableFile: If it is none.
    """
    try:
        record = json.loads(text)
        if record["format"] != FORMAT:
            raise UnreadableFile(f"The format is {record['format']!r}; it must be {FORMAT!r}.")
        return tuple(
            ResultPart(
                Source.from_json(part.get("source", {})),
                str(part["stamp"]),
                str(part["debates"]),
                tuple(PropertyResult.from_json(one) for one in part["results"]),
            )
            for part in record.get("parts", [record])
        )
    except (AttributeError, InvalidSetting, KeyError, TypeError, ValueError, RecursionError) as error:
        raise UnreadableFile(f"These are no results of property tests: {error}.") from error


__all__ = ["ResultPart", "results_in", "results_text"]
