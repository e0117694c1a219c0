"""From a file's bytes to its text: compressed files unpacked, encodings found, binary files known by name."""

from __future__ import annotations

import codecs
import zlib
from dataclasses import dataclass

from core.errors import UnreadableFile
from core.import_issue import IssueLog
from core.strict_json import REPLACEMENT
from core.wording import several

LARGEST_UNPACKED = 1 << 30  # bytes; a small file that unpacks to more than memory holds must not take the app down
LARGEST_RATIO = 300  # of unpacked to packed bytes; logs that repeat themselves come to a hundred
LARGEST_DAMAGED_RATIO = 50  # of a damaged file: one wrong bit may stand for blanks by the megabyte
HARMLESS = 4 << 20  # bytes; what unpacks to less may have any ratio
_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"

_JSON_LINES = "Export it as JSON Lines, CSV or Parquet and load that."
_UNPACK = "Unpack it and load the files in it one by one."
_KNOWN_BINARIES: tuple[tuple[int, bytes, str, str], ...] = (  # offset, bytes, name, advice
    (0, b"PK\x05\x06", "an empty ZIP archive", _UNPACK),
    (0, b"%PDF", "a PDF", "Moot reads debate logs, not documents."),
    (0, b"\x89PNG", "a PNG image", "Moot reads debate logs, not images."),
    (0, b"\xff\xd8\xff", "a JPEG image", "Moot reads debate logs, not images."),
    (0, b"GIF8", "a GIF image", "Moot reads debate logs, not images."),
    (0, b"SQLite format 3\x00", "an SQLite database", _JSON_LINES),
    (8, b"DUCK", "a DuckDB database", "Open it with --db, or export its debates as moot-debate/1 and load those."),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file", "Save the sheet as CSV and load that."),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard file", _UNPACK),
    (0, b"BZh", "a bzip2 file", _UNPACK),
    (0, b"\xfd7zXZ\x00", "an xz file", _UNPACK),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (0, b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (257, b"ustar", "a tar archive", _UNPACK),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", _JSON_LINES),
    (0, b"\x93NUMPY", "a numpy array", _JSON_LINES),
    (0, b"ARROW1", "an Arrow file", "Save it as Parquet and load that."),
    (0, b"FEA1", "a Feather file", "Save it as Parquet and load that."),
    (0, b"\x7fELF", "a program", "Moot reads debate logs, not programs."),
)
_PICKLE_ADVICE = "Loading a pickle would run whatever program it holds, so Moot never does. " + _JSON_LINES
_PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"(dp0\n", b"(lp0\n", b"ccopy_reg\n")
_ENOUGH_TO_TELL = 8  # pairs of bytes from which UTF-16 shows without its mark
_ODD_BYTES = bytes(code for code in range(32) if code not in b"\x00\t\n\x0b\x0c\r\x1b\x1e")


@dataclass(frozen=True)
class Decoded:
    """A text, and the encoding it was in."""

    text: str
    encoding: str


def unpacked(data: bytes, issues: IssueLog, largest: int = LARGEST_UNPACKED) -> bytes:
    """Return the bytes that a gzip file holds, or the bytes themselves when they are no gzip file.

    A file that ends early gives what there is, with an error among the issues.

    Raises:
        UnreadableFile: If it unpacks to more than ``largest`` bytes or to many times its size, or, damaged, to nothing.
    """
    if not data.startswith(_GZIP):
        return data
    parts: list[bytes] = []
    size = 0
    rest = data
    while rest.startswith(_GZIP):  # gzip files may be several ones in a row
        member = zlib.decompressobj(wbits=31)
        try:
            while not member.eof:
                part = member.decompress(rest, _CHUNK)
                rest = member.unconsumed_tail
                parts.append(part)
                size += len(part)
                if size > largest:
                    raise UnreadableFile(
                        f"The gzip file unpacks to more than {largest // 2**20} MB. Split it, or unpack it and load "
                        "the parts."
                    )
                refuse_bomb(size, len(data))
                if not part and not rest:
                    break
        except zlib.error as error:
            issues.error("gzip_damaged", f"The gzip file is damaged ({error}); what could be unpacked is read.")
            break
        if not member.eof:
            issues.error("gzip_truncated", "The gzip file ends in the middle; what could be unpacked is read.")
            break
        rest = member.unused_data
    else:
        return b"".join(parts)
    if size > max(HARMLESS, LARGEST_DAMAGED_RATIO * len(data)):
        raise UnreadableFile(
            f"The gzip file is damaged and unpacks to more than {LARGEST_DAMAGED_RATIO} times its size; it is refused."
        )
    if not size and len(data) > 64:
        raise UnreadableFile("The gzip file is damaged; nothing could be unpacked.")
    return b"".join(parts)


def refuse_bomb(unpacked_size: int, packed_size: int) -> None:
    """Do nothing as long as a gzip file has not unpacked to far more than its size.

    Raises:
        UnreadableFile: If it has.
    """
    if unpacked_size > max(HARMLESS, LARGEST_RATIO * packed_size):
        raise UnreadableFile(
            f"The gzip file unpacks to more than {LARGEST_RATIO} times its size, as a zip bomb does; it is refused."
        )


def refuse_binary(data: bytes) -> None:
    """Do nothing for a file that may be text or Parquet.

    Raises:
        UnreadableFile: If the first bytes are those of a kind of file that Moot does not read.
    """
    for offset, magic, name, advice in _KNOWN_BINARIES:
        if data.startswith(magic, offset):
            raise UnreadableFile(f"This is {name}, which Moot does not read. {advice}")
    if data.startswith(b"PK\x03\x04"):
        if b"xl/" in data[:4096] or b"xl/workbook" in data[-65536:]:
            raise UnreadableFile(
                "This is an Excel workbook, which Moot does not read. Save the sheet as CSV and load that."
            )
        raise UnreadableFile(f"This is a ZIP archive, which Moot does not read. {_UNPACK}")
    if data.startswith(_PICKLES) and data.rstrip().endswith(b"."):
        raise UnreadableFile(f"This is a Python pickle, which Moot does not read. {_PICKLE_ADVICE}")
    sample = data[:65536]
    if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        odd = len(sample) - len(sample.translate(None, _ODD_BYTES))
        if odd > len(sample) // 20:
            raise UnreadableFile(f"This is a binary file of a kind that Moot does not know. {_JSON_LINES}")


def decoded(data: bytes, issues: IssueLog, encoding: str = "") -> Decoded:
    """Return the text in a file's bytes; NUL characters are replaced, line ends are left as they are.

    Args:
        data: The bytes, not compressed.
        issues: Told which encoding was used when it is not UTF-8, and what could not be decoded.
        encoding: To be used; "" looks for a byte-order mark, then tries UTF-8, then cp1252.
    """
    name = encoding or _encoding_of(data)
    try:
        text = data.decode(name)
    except (LookupError, ValueError):
        name, text = _lenient(data, encoding, issues)
    text = text.removeprefix("\ufeff")
    if not encoding and not name.startswith("utf-8"):
        issues.info("encoding", f"The file is not UTF-8; it was read as {name}.")
    if "\x00" in text:
        count = text.count("\x00")
        issues.warning(
            "nul_replaced", f"{several(count, 'NUL character')} became \ufffd, because no database holds them."
        )
        text = text.replace("\x00", REPLACEMENT)
    return Decoded(text, name)


def _encoding_of(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # before UTF-16, whose mark it begins with
        return "utf-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    first, second = data[:1000:2], data[1:1000:2]
    if len(second) < _ENOUGH_TO_TELL:
        return "utf-8"
    if second.count(0) > len(second) * 0.6 and first.count(0) == 0:  # Western text in UTF-16 without its mark
        return "utf-16-le"
    if first.count(0) > len(first) * 0.6 and second.count(0) == 0:
        return "utf-16-be"
    return "utf-8"


def _lenient(data: bytes, encoding: str, issues: IssueLog) -> tuple[str, str]:
    """Return an encoding and the text when the likeliest encoding does not fit all the bytes."""
    likely = encoding or _encoding_of(data)
    if not encoding and likely == "utf-8" and not data.startswith(codecs.BOM_UTF8):
        likely = "cp1252"
    try:
        text = data.decode(likely, errors="replace")
    except (LookupError, ValueError):
        issues.warning("encoding_unknown", f"The encoding {encoding!r} cannot be used; the file was read as UTF-8.")
        likely = "utf-8"
        text = data.decode(likely, errors="replace")
    if REPLACEMENT in text:
        count = text.count(REPLACEMENT)
        issues.warning(
            "undecodable", f"{several(count, 'character that is', 'characters that are')} not {likely} became \ufffd."
        )
    return likely, text


__all__ = [
    "HARMLESS",
    "LARGEST_RATIO",
    "LARGEST_UNPACKED",
    "PARQUET",
    "Decoded",
    "decoded",
    "refuse_binary",
    "refuse_bomb",
    "unpacked",
]
