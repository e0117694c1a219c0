"""The files in a folder or a ZIP archive, read one at a time and within limits, whatever the archive promises."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

import zstandard

from core.errors import UnreadableFile
from storage.readers.decoding import HARMLESS, LARGEST_RATIO

MOST_MEMBERS = 200_000
LARGEST_MEMBER = 128 << 20  # bytes, unpacked
ZSTANDARD = 93  # the number of the method in ZIP files; Python knows it from 3.14 on
_CHUNK = 1 << 16
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED = 0x1


class Members(Protocol):
    """Files by name, in order."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names, with folders in front, separated by slashes."""
        ...

    def size(self, name: str) -> int:
        """Return a file's size as far as it is known, in bytes."""
        ...

    def read(self, name: str, most: int | None = None) -> bytes:
        """Return a file's bytes, or the first ones only.

        Raises:
            UnreadableFile: If it is damaged, locked, too large, or packed in a way that cannot be undone.
        """
        ...


class FolderMembers:
    """The files in a folder and the folders in it; links and hidden files are left out."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._paths = {path.relative_to(folder).as_posix(): path for path in _files(folder)}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the files' names below the folder."""
        return tuple(self._paths)

    def size(self, name: str) -> int:
        """Return a file's size in bytes."""
        return self._paths[name].stat().st_size

    def read(self, name: str, most: int | None = None) -> bytes:
        """Return a file's bytes."""
        try:
            with self._paths[name].open("rb") as file:
                if most is not None:
                    return file.read(most)
                data = file.read(LARGEST_MEMBER + 1)
        except OSError as error:
            raise UnreadableFile(f"{name} cannot be read: {error.strerror or error}.") from error
        if len(data) > LARGEST_MEMBER:
            raise UnreadableFile(_too_large(name))
        return data


class ZipMembers:
    """The files in a ZIP archive, packed with deflate or Zstandard or not at all.

    Raises:
        UnreadableFile: If it is no whole ZIP archive, or its files overlap, as they only do in a trap.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        try:
            self._zip = zipfile.ZipFile(file)
            listed = self._zip.infolist()
        except (zipfile.BadZipFile, RuntimeError, OSError, ValueError, struct.error) as error:
            raise UnreadableFile(f"The ZIP archive is damaged or was cut off ({error}).") from error
        if len(listed) > MOST_MEMBERS:
            raise UnreadableFile(f"The ZIP archive holds {len(listed):,} files; at most {MOST_MEMBERS:,} are read.")
        length = file.seek(0, io.SEEK_END)
        if sum(max(0, info.compress_size) for info in listed) > length:
            raise UnreadableFile("The files in the ZIP archive overlap, as they do in a zip bomb; it is refused.")
        self._listed = {info.filename: info for info in listed if info.filename and not info.is_dir()}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names in the archive."""
        return tuple(self._listed)

    def size(self, name: str) -> int:
        """Return the size that the archive gives for a file, in bytes."""
        return self._listed[name].file_size

    def read(self, name: str, most: int | None = None) -> bytes:
        """Return a file's bytes."""
        info = self._listed[name]
        limit = min(LARGEST_MEMBER, max(HARMLESS, LARGEST_RATIO * info.compress_size))
        parts: list[bytes] = []
        size = 0
        try:
            for part in self._parts(info):
                parts.append(part)
                size += len(part)
                if most is not None and size >= most:
                    return b"".join(parts)[:most]
                if size > limit:
                    raise UnreadableFile(_too_large(name) if size > LARGEST_MEMBER else _bomb(name))
        except (zipfile.BadZipFile, zstandard.ZstdError, zlib.error, OSError, EOFError, ValueError) as error:
            raise UnreadableFile(f"{name} is damaged ({error}).") from error
        except RuntimeError as error:  # encrypted, or packed in a way that nothing here unpacks
            raise UnreadableFile(f"{name} cannot be unpacked ({error}).") from error
        data = b"".join(parts)
        if info.compress_type == ZSTANDARD and zlib.crc32(data) != info.CRC:
            raise UnreadableFile(f"{name} is damaged (its checksum is wrong).")
        return data

    def _parts(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        if info.flag_bits & _ENCRYPTED:
            raise RuntimeError("it is locked with a password")
        if info.compress_type != ZSTANDARD:
            with self._zip.open(info) as opened:
                while part := opened.read(_CHUNK):
                    yield part
            return
        self._file.seek(info.header_offset)
        header = self._file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or header[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("its header is missing")
        _, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        self._file.seek(name_length + extra_length, io.SEEK_CUR)
        packed = io.BytesIO(self._file.read(info.compress_size))
        unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        with unpacker.stream_reader(packed, read_across_frames=True) as opened:
            while part := opened.read(_CHUNK):
                yield part


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and not path.is_symlink() and path.is_file():
            found.append(path)
        if len(found) > MOST_MEMBERS:
            raise UnreadableFile(f"The folder holds more than {MOST_MEMBERS:,} files.")
    return found


def _too_large(name: str) -> str:
    return f"{name} is larger than {LARGEST_MEMBER >> 20} MB unpacked; take it out and load it on its own."


def _bomb(name: str) -> str:
    return f"{name} unpacks to more than {LARGEST_RATIO} times its size, as a zip bomb does; it is refused."


__all__ = ["ZSTANDARD", "FolderMembers", "Members", "ZipMembers"]
