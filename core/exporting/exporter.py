"""What every export format has: a name, what it loses of given debates, and a way to write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Protocol

from core.debate import Debate
from core.errors import NothingToExport
from core.export import TableKind, file_stem
from core.exporting.losses import Aspect, Kept, Loss, losses
from core.record_reading import unused_name

ZIP = "zip"
ZIP_TYPE = "application/zip"
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that ZIP knows: the same debates give the same bytes on any day


class Exporter(Protocol):
    """Knows one format. A new one is such an object in a module of its own, and one line in the registry."""

    @property
    def name(self) -> str:
        """Return what the format is called on the command line and in addresses."""
        ...

    @property
    def title(self) -> str:
        """Return what people call the format."""
        ...

    def suffix(self, several: bool) -> str:
        """Return the ending of the file's name, without the dot, for one debate or for several."""
        ...

    def media_type(self, several: bool) -> str:
        """Return the file's media type, for one debate or for several."""
        ...

    def returned(self, debates: Iterable[Debate]) -> Iterator[tuple[Debate, Kept | None]]:
        """Yield every debate with what comes back of it when the file is read, None for nothing."""
        ...

    def losses(self, debates: Iterable[Debate]) -> tuple[Loss, ...]:
        """Return what a file of these debates does not carry, in plain words; nothing that they do not have anyway."""
        ...

    def write(self, debates: Iterable[Debate]) -> Iterator[bytes]:
        """Yield the file piece by piece.

        Raises:
            NothingToExport: If the format can hold none of the debates.
        """
        ...


def is_binary(made: Exporter, several: bool) -> bool:
    """Return whether a file of one debate, or of several, is something else than text."""
    return made.suffix(several) in (ZIP, TableKind.PARQUET)


@dataclass(frozen=True)
class OneFileEach:
    """A format in which a debate is a file of its own; several become a ZIP archive of such files.

    Attributes:
        name: What the format is called on the command line.
        title: What people call it.
        ending: Of one file, without the dot.
        type: The media type of one file.
        encode: Returns the text of one debate's file, None where the format cannot hold the debate.
        kept: Returns what reading that file gives, None where there is none.
        words: What to say of an aspect that is lost, instead of the usual sentence.
    """

    name: str
    title: str
    ending: str
    type: str
    encode: Callable[[Debate], str | None]
    kept: Callable[[Debate], Kept | None]
    words: Mapping[Aspect, str] = field(default_factory=dict)

    def suffix(self, several: bool) -> str:
        """Return the ending of the file's name."""
        return ZIP if several else self.ending

    def media_type(self, several: bool) -> str:
        """Return the file's media type."""
        return ZIP_TYPE if several else self.type

    def returned(self, debates: Iterable[Debate]) -> Iterator[tuple[Debate, Kept | None]]:
        """Yield every debate with what comes back of it."""
        taken: set[str] = set()
        for debate in debates:
            kept = self.kept(debate)
            if kept is not None and kept.debate.id in taken:  # a reader gives it another one
                kept = Kept(replace(kept.debate, id=f"{kept.debate.id}-2"), kept.names)
            taken |= set() if kept is None else {kept.debate.id}
            yield debate, kept

    def losses(self, debates: Iterable[Debate]) -> tuple[Loss, ...]:
        """Return what the files do not carry."""
        return losses(self.returned(debates), self.words)

    def write(self, debates: Iterable[Debate]) -> Iterator[bytes]:
        """Yield the one file, or the archive."""
        following = iter(debates)
        first = list(islice(following, 2))
        if len(first) == 1:
            text = self.encode(first[0])
            if text is None:
                raise NothingToExport(self.title)
            yield text.encode()
            return
        yield from _archive(self._files(chain(first, following)), self.title)

    def _files(self, debates: Iterable[Debate]) -> Iterator[tuple[str, str]]:
        taken: set[str] = set()  # without case, as some systems take names
        numbers: dict[str, int] = {}
        for debate in debates:
            text = self.encode(debate)
            if text is None:
                continue
            stem = file_stem(debate.id)
            folded = stem.casefold()
            name = unused_name(folded, taken, numbers) if folded in taken else folded
            taken.add(name)
            yield f"{stem}{name.removeprefix(folded)}.{self.ending}", text


class _Buffer(io.RawIOBase):
    """Takes what a ZIP archive writes and hands it on, so that the archive is never held as a whole."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        part = bytes(data)  # type: ignore[call-overload]  # what zipfile writes are bytes
        self._parts.append(part)
        self._written += len(part)
        return len(part)

    def tell(self) -> int:
        return self._written

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _archive(files: Iterable[tuple[str, str]], title: str) -> Iterator[bytes]:
    buffer = _Buffer()
    written = 0
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode())
            written += 1
            if part := buffer.taken():
                yield part
        if not written:
            raise NothingToExport(title)
    yield buffer.taken()


__all__ = ["ZIP", "ZIP_TYPE", "Exporter", "OneFileEach", "is_binary"]
