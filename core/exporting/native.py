"""Moot's own format, which loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from core.debate import Debate
from core.exporting.losses import Kept, Loss
from core.import_issue import IssueLog
from core.native import FORMAT, debate_from_json, debate_to_line
from core.strict_json import storable


class NativeExporter:
    """Writes ``moot-debate/1``."""

    name = FORMAT
    title = "Moot's own format"

    def suffix(self, several: bool) -> str:
        """Return the ending of the file's name."""
        return "moot.jsonl"

    def media_type(self, several: bool) -> str:
        """Return the file's media type."""
        return "application/x-ndjson"

    def returned(self, debates: Iterable[Debate]) -> Iterator[tuple[Debate, Kept | None]]:
        """Yield every debate with itself."""
        for debate in debates:
            names = (argument.id for held in debate.rounds for argument in held.arguments)
            yield debate, Kept(debate, {name: storable(name) for name in names})

    def losses(self, debates: Iterable[Debate]) -> tuple[Loss, ...]:
        """Return nothing: every field of a debate has its place."""
        return ()

    def write(self, debates: Iterable[Debate]) -> Iterator[bytes]:
        """Yield one line for each debate."""
        for debate in debates:
            yield debate_to_line(debate).encode() + b"\n"


def debates_of(lines: Iterable[str]) -> Iterator[Debate]:
    """Yield the debates in lines of the native format, one at a time."""
    return (debate_from_json(json.loads(line), IssueLog()) for line in lines)


__all__ = ["NativeExporter", "debates_of"]
