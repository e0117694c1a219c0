"""A large Inspect AI log in one JSON object, taken apart into its header and its samples, which are read one by one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.errors import UnreadableFile
from storage.readers import line_chunks
from storage.readers.json_outline import list_of_records
from storage.readers.json_pieces import ObjectScanner
from storage.readers.line_chunks import HEAD, LARGEST_RECORD
from storage.readers.members import LARGEST_MEMBER

HEADER, UNFINISHED = "header.json", "_journal/start.json"  # as an .eval archive calls them


class SampleMembers:
    """The parts of a log as members, as an ``.eval`` archive has them; only their places are in memory.

    Bytes are looked at as Latin-1, so that places in the text are places in the file: no sign of JSON's own is part of
    another one in UTF-8.
    """

    def __init__(self, path: Path, before: str) -> None:
        self._path = path
        self._places: dict[str, tuple[int, int]] = {}
        after = ""
        for start, length, text in self._samples(len(before)):
            if length:
                self._places[f"samples/{len(self._places) + 1}.json"] = start, length
            else:
                after = text
        self._header = f"{before}[{after or ']}'}".encode("latin-1")
        self._name = HEADER if after else UNFINISHED

    @classmethod
    def find(cls, path: Path) -> SampleMembers | None:
        """Return the parts of a file when it is large and begins like a log, else None."""
        if path.stat().st_size < line_chunks.STREAMED_FROM:
            return None
        with path.open("rb") as file:
            text = file.read(HEAD).removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        found = list_of_records(text, {"samples"})
        return cls(path, text[: found[1]]) if found is not None and "eval" in found[2] else None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the header and of the samples."""
        return self._name, *self._places

    def size(self, name: str) -> int:
        """Return the size of a part in bytes."""
        return self._places[name][1] if name in self._places else len(self._header)

    def read(self, name: str, most: int | None = None) -> bytes:
        """Return a part's bytes."""
        if name not in self._places:
            return self._header[:most]
        start, length = self._places[name]
        if length > LARGEST_MEMBER:
            raise UnreadableFile(f"{name} is larger than {LARGEST_MEMBER >> 20} MB, as no debate is.")
        with self._path.open("rb") as file:
            file.seek(start)
            return file.read(length if most is None else min(most, length))

    def _samples(self, place: int) -> Iterator[tuple[int, int, str]]:
        """Yield where each sample begins and how long it is, then, with the length 0, what follows their list."""
        with self._path.open("rb") as file:
            mark = 3 if file.read(3) == b"\xef\xbb\xbf" else 0
            file.seek(mark + place)
            offset, rest = mark + place, ""
            scanner = ObjectScanner(to_its_end=True)
            while part := file.read(line_chunks.CHUNK):
                rest += part.decode("latin-1")
                found = scanner.objects(rest)
                for start, end in found:
                    yield offset + start, end - start, ""
                cut = found[-1][1] if found else 0
                if scanner.ended is not None:
                    after = rest[scanner.ended :] + file.read(LARGEST_MEMBER).decode("latin-1")
                    yield offset + scanner.ended, 0, after
                    return
                offset, rest = offset + cut, rest[cut:]
                if len(rest) > LARGEST_RECORD:
                    raise UnreadableFile(f"A sample is larger than {LARGEST_RECORD >> 20} MB, as no debate is.")


__all__ = ["HEADER", "UNFINISHED", "SampleMembers"]
