"""Debates that were read and wait to be stored: in memory while they are few, in a temporary file when they are not."""

from __future__ import annotations

import json
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from typing import IO, overload

from core.debate import Debate
from core.import_issue import IssueLog
from core.native import debate_from_json, debate_to_line

IN_MEMORY = 1000 << 20  # bytes that debates may take up, as far as their texts tell; a million arguments still fit
_BASE = 600  # bytes of an argument besides its text, with its relations


class DebateSpool(Sequence[Debate]):
    """A list of debates that grows at the end, of any length.

    What lies on disk is in the native format, which brings everything back.

    Attributes:
        on_disk: Whether the debates were too many for memory.
    """

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        self._most = in_memory
        self._weight = 0
        self._held: list[Debate] = []
        self._file: IO[bytes] | None = None
        self._starts: list[int] = []
        self._end = 0
        self._summary: list[tuple[str, int]] = []

    @property
    def on_disk(self) -> bool:
        """Return whether the debates are in a file."""
        return self._file is not None

    @property
    def summary(self) -> list[tuple[str, int]]:
        """Return every debate's id and how many arguments it has, one that comes back in later rounds counted once."""
        return self._summary

    def append(self, debate: Debate) -> None:
        """Add a debate at the end."""
        self._summary.append((debate.id, len({a.id for each in debate.rounds for a in each.arguments})))
        if self._file is not None:
            self._write(debate)
            return
        self._held.append(debate)
        self._weight += _weight(debate)
        if self._weight > self._most:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the debates
            weakref.finalize(self, self._file.close)
            held, self._held = self._held, []
            for one in held:
                self._write(one)

    def _write(self, debate: Debate) -> None:
        if self._file is None:
            raise ValueError("The spool has no file.")
        line = debate_to_line(debate).encode() + b"\n"
        self._file.seek(self._end)
        self._file.write(line)
        self._starts.append(self._end)
        self._end += len(line)

    def __len__(self) -> int:
        return len(self._summary)

    @overload
    def __getitem__(self, place: int) -> Debate: ...
    @overload
    def __getitem__(self, place: slice) -> list[Debate]: ...
    def __getitem__(self, place: int | slice) -> Debate | list[Debate]:
        if self._file is None:
            return self._held[place]
        if isinstance(place, slice):
            return [self._read(start) for start in self._starts[place]]
        return self._read(self._starts[place])

    def __iter__(self) -> Iterator[Debate]:
        if self._file is None:
            yield from self._held
            return
        for start in self._starts:
            yield self._read(start)

    def _read(self, start: int) -> Debate:
        if self._file is None:
            raise ValueError("The spool has no file.")
        self._file.seek(start)
        return debate_from_json(json.loads(self._file.readline()), IssueLog())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __reduce__(self) -> tuple[object, tuple[list[Debate], int]]:
        return _restored, (list(self), self._most)  # a file does not travel

    def __repr__(self) -> str:
        return f"DebateSpool({list(self[:3])!r}{', ...' if len(self) > 3 else ''})"

    __hash__ = None  # type: ignore[assignment]  # it grows


def _restored(debates: list[Debate], in_memory: int) -> DebateSpool:
    spool = DebateSpool(in_memory)
    for debate in debates:
        spool.append(debate)
    return spool


def _weight(debate: Debate) -> int:
    size = len(debate.claim) + 1000 + sum(len(message.text) + 200 for message in debate.transcript)
    for each in debate.rounds:
        size += _BASE * len(each.arguments) + sum(len(argument.text) for argument in each.arguments)
    return size


__all__ = ["DebateSpool"]
