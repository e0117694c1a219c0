"""Mutated logs through every importer: ``python -m bench.fuzz_importers --count 200000 --seed 1``.

A run is cut into parts by ``--start``: inputs 0 to 99,999 here and 100,000 to 199,999 beside it are the same inputs as
all at once. Some inputs are read by paths: guessed from what the log has become, or broken themselves; ``--mapper``
reads all of them so. What large files go through is tried on the same inputs.

Every input must be read or refused without a crash, in at most five seconds and within a gigabyte, and what
is read must keep to the model and come back to the last byte. The seeds are the small logs of the tests.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import resource
import struct
import sys
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from core.debate import profile
from core.errors import InvalidSetting, UnreadableFile
from core.native import FORMAT, debate_to_line, debates_to_native
from storage.mapping_file import NamedMapping, mapping_text, read_mapping
from storage.readers import AnyMapping, PathMapping, ReadFile, StatementPaths, read_file
from storage.readers.guess_paths import guess_paths
from storage.readers.path_mapping import STATEMENT_FIELDS
from storage.readers.path_records import sampled_values
from storage.readers.source import Source
from storage.reading_worker import Piece, read_piece

SEEDS = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "logs"
LONGEST = 5.0  # seconds of the processor
LARGEST = 1 << 30  # bytes of memory
BY_PATHS = 0.15  # share of the inputs that are read by paths
LARGEST_INPUT = 8 << 20  # bytes; repeated lines and nesting would grow an input without end
_ODD: list[Any] = [
    None, True, -1, 0, 1e308, -1e308, float("nan"), float("inf"), 10**30, "", " ", "topic", "NaN", "\u0000", "\ud800",
    "=1+1", "<script>", [], {}, [[]], "\u202e", "a" * 5000, 0.5, "85%",
]  # fmt: skip
_PIECES = [b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"{", b"}", b"[", b"]", b'"', b",", b"NaN", b"1e999", b"\\u0000",
           b"\\ud800", b"```json\n", b"\r\n", b"\n", b"'", b"-> See 1.1.", b"  + ", b"PK\x03\x04", b"(1) "]  # fmt: skip


_TURNS = [
    {"id": n, "thesis": f"Claim {n} is so.", "turns": [{"who": "ann", "side": "pro", "says": "It is so.", "sure": 80}]}
    for n in range(4)
]
_YAML = (
    b"- thesis: Bees can count.\n  turns:\n  - {who: ann, side: con, says: They see more or less., when: 2026-01-01}\n"
)
_MAPPING = PathMapping(
    "thesis",
    (StatementPaths("turns[].says", "turns[].who", "turns[].side", "turns[].sure"),),
    debate_id="id",
    true_words=("so",),
)


def seeds() -> list[tuple[str, bytes]]:
    """Return the logs to start from: every fixture, folders as ZIP archives, and an Inspect log as archive."""
    found = [(path.name, path.read_bytes()) for path in sorted(SEEDS.iterdir()) if path.is_file()]
    for folder in sorted(path for path in SEEDS.iterdir() if path.is_dir()):
        found.append((f"{folder.name}.zip", _zip({path.name: path.read_bytes() for path in sorted(folder.iterdir())})))
    log = json.loads((SEEDS / "inspect.json").read_text())
    samples = log.pop("samples")
    members = {"header.json": json.dumps(log).encode()}
    members |= {f"samples/{s['id']}_epoch_{s['epoch']}.json": json.dumps(s).encode() for s in samples}
    shared = (SEEDS / "post_hoc_shared.jsonl").read_bytes()
    found.append(("native.jsonl", debates_to_native(read_file(shared, "shared").debates)))
    turns = "\n".join(map(json.dumps, _TURNS)).encode()
    return [*found, ("inspect.eval", _zip(members)), ("turns.jsonl", turns), ("turns.yaml", _YAML)]


def _zip(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a broken version of a log."""
    if data.startswith(b"PK\x03\x04") and chance.random() < 0.7:
        return _in_archive(data, chance)
    change: Callable[[bytes, random.Random], bytes] = chance.choice(
        [_bytes, _bytes, _cut, _flip, _types, _types, _types, _nested, _numbers, _repeated, _encoded, _packed]
    )
    return change(data, chance)


def _bytes(data: bytes, chance: random.Random) -> bytes:
    content = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        place = chance.randint(0, len(content))
        if chance.random() < 0.5:
            content[place:place] = chance.choice(_PIECES)
        else:
            del content[place : place + chance.randint(1, 60)]
    return bytes(content)


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _flip(data: bytes, chance: random.Random) -> bytes:
    content = bytearray(data)
    for _ in range(chance.randint(1, 30)):
        if content:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)


def _types(data: bytes, chance: random.Random) -> bytes:
    """Swap values of a JSON log for values of other types, or for one another."""
    lines = data.split(b"\n") if data.count(b"\n{") else [data]
    place = chance.randrange(len(lines))
    try:
        value = json.loads(lines[place])
    except (ValueError, RecursionError):
        return _bytes(data, chance)
    for _ in range(chance.randint(1, 3)):
        spots = list(_spots(value))
        if not spots:
            break
        holder, key = chance.choice(spots)
        other, other_key = chance.choice(spots)
        holder[key] = chance.choice(_ODD) if chance.random() < 0.7 else json.loads(json.dumps(other[other_key]))
        if chance.random() < 0.2:
            del holder[key]
    lines[place] = json.dumps(value).encode()
    return b"\n".join(lines)


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        items = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for key, entry in items:
            yield holder, key
            waiting.append(entry)


def _nested(data: bytes, chance: random.Random) -> bytes:
    depth = chance.choice([50, 199, 1000, 100_000])
    opening, closing = chance.choice([(b"[", b"]"), (b'{"a":', b"}"), (b'{"claim":', b"}"), (b"(", b")")])
    inside = chance.choice([b"1", b"", data[:200]])
    deep = opening * depth + inside + (closing * depth if chance.random() < 0.7 else b"")
    spot = data.find(b":", chance.randint(0, max(0, len(data) - 1)))
    return deep if spot < 0 or chance.random() < 0.3 else data[: spot + 1] + deep + data[spot + 1 :]


def _numbers(data: bytes, chance: random.Random) -> bytes:
    digits = [place for place, code in enumerate(data) if 48 <= code <= 57]
    if not digits:
        return _bytes(data, chance)
    place = chance.choice(digits)
    huge = [b"9" * 30, b"9" * 5000, b"1e400", b"-1", b"NaN", b"Infinity", b"0.5", b"1e-400", b"0x10", b"1_000"]
    return data[:place] + chance.choice(huge) + data[place + 1 :]


def _repeated(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    piece = lines[place : place + chance.randint(1, 5)]
    most = LARGEST_INPUT // (sum(map(len, piece)) + 1)
    lines[place:place] = piece * min(most, chance.choice([2, 10, 200]))
    return b"\n".join(lines)


def _encoded(data: bytes, chance: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    name = chance.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "utf-7", "utf-8-sig", "shift_jis"])
    return text.encode(name, "replace")


def _packed(data: bytes, chance: random.Random) -> bytes:
    kind = chance.randrange(5)
    if kind == 0:
        return gzip.compress(data)
    if kind == 1:
        return gzip.compress(data)[: chance.randint(0, 200)]
    if kind == 2:  # a bomb: blanks by the megabyte
        return gzip.compress(b" " * (1 << chance.randint(20, 25)) + data, 9)
    if kind == 3:
        return _zip({"x.json": data, "y/z.json": b" " * (1 << chance.randint(20, 24))})
    return _zip({"inner.zip": _zip({"x.json": data}), "../../up.json": data, "/root.json": data})


def _in_archive(data: bytes, chance: random.Random) -> bytes:
    """Break one member of an archive, or what the archive says of itself."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, RuntimeError, OSError, ValueError, EOFError):
        return _flip(data, chance)
    if chance.random() < 0.2:
        content = bytearray(data)
        place = data.rfind(b"PK\x01\x02")
        lie = struct.pack("<I", chance.choice([0, 1, 10**6, 2**32 - 1]))
        content[place + 20 : place + 24] = lie
        return bytes(content)
    name = chance.choice(list(members))
    if chance.random() < 0.15:
        del members[name]
    else:
        members[name] = mutated(members[name], chance)
    return _zip(members)


def some_mapping(data: bytes, chance: random.Random) -> AnyMapping | None:
    """Return a mapping for a log: one that is guessed, or one that is broken and still can be read."""
    try:
        guess = guess_paths(sampled_values(Source("log", data[: 1 << 20]))) or _MAPPING
    except UnreadableFile:
        guess = _MAPPING
    record = guess.to_json()
    kind = chance.randrange(3)
    if kind == 0:
        return guess
    paths = [str(value) for group in record["statements"] for value in group.values()] + ["", "*", "[]", "*~", "[0]"]
    for _ in range(chance.randint(1, 3)):
        group = chance.choice(record["statements"])
        group[chance.choice(STATEMENT_FIELDS)] = chance.choice(paths) + chance.choice(
            ["", "[]", ".*", "~", "[-1]", ".x"]
        )
        record[chance.choice(["record", "claim", "debate_id", "label"])] = chance.choice(paths)
        record["joined"] = chance.random() < 0.5
    if kind == 1:
        try:
            return PathMapping.from_json(record)
        except InvalidSetting:
            return guess
    try:
        text = mapping_text(NamedMapping("fuzz", guess))
        return read_mapping(mutated(text.encode(), chance).decode("utf-8", "replace")).mapping
    except (InvalidSetting, UnreadableFile):
        return guess


def check_pieces(read: ReadFile, data: bytes) -> None:
    """Raise AssertionError unless a native file comes to as many debates the way that large files go."""
    codes = {issue.code for issue in read.issues}
    if read.format != FORMAT or codes & {"list_unwrapped", "nul_replaced", "encoding", "undecodable", "gzip_damaged"}:
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    found = read_piece(Piece(text, 1, read.file))
    assert found.batch.debates == len(read.debates), (
        f"{found.batch.debates} debates in pieces, {len(read.debates)} else"
    )


def check(read: ReadFile) -> None:
    """Raise AssertionError unless a file is refused with a reason, or what it holds keeps to the model."""
    assert "reader_failed" not in {issue.code for issue in read.issues}, "a reader failed"
    assert read.refused == (not read.debates)
    assert not read.refused or any(issue.severity == "error" for issue in read.issues)
    ids = [debate.id for debate in read.debates]
    assert len(set(ids)) == len(ids), "debate ids repeat"
    for debate in read.debates[:20]:
        assert debate.claim.strip(), "an empty claim"
        names = [agent.id for agent in debate.agents]
        assert len(set(names)) == len(names), "agents repeat"
        for each in debate.rounds:
            held = [argument.id for argument in each.arguments]
            assert len(set(held)) == len(held), "arguments repeat"
            assert len(set(each.relations)) == len(each.relations), "relations repeat"
        profile(debate)
        json.loads(debate_to_line(debate), parse_constant=_no_constant)
    written = debates_to_native(read.debates[:20])
    if written:
        assert debates_to_native(read_file(written, "again").debates) == written, "it does not come back the same"


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} was written")


def run(
    count: int, seed: int, wanted: str = "", *, measured: bool = True, start: int = 0, mapper: bool = False
) -> dict[str, float]:
    """Read mutated logs and return what was measured.

    Args:
        count: How many.
        seed: Of the random choices; the same seed gives the same inputs.
        wanted: Only logs whose names contain this.
        measured: Whether time and memory count; not while other things run beside.
        start: The number of the first input.
        mapper: Read every input by paths.

    Raises:
        AssertionError: If an input is not dealt with; the message has the seed and the number.
    """
    starts = [entry for entry in seeds() if wanted in entry[0]]
    slowest, formats, began = 0.0, Counter[str](), time.perf_counter()
    for number in range(start, start + count):
        chance = random.Random(f"{seed}/{number}")
        name, data = starts[number % len(starts)]
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            data = mutated(data, chance)[:LARGEST_INPUT]
        before = time.process_time()  # what other programs take does not count
        mapping = some_mapping(data, chance) if mapper or chance.random() < BY_PATHS else None
        read = read_file(data, name, mapping)
        seconds = time.process_time() - before
        slowest = max(slowest, seconds)
        formats[read.format or "refused"] += 1
        try:
            check(read)
            if mapping is None:
                check_pieces(read, data)
            assert not measured or seconds < LONGEST, f"it took {seconds:.1f} seconds"
            assert not measured or _memory() < LARGEST, f"{_memory() >> 20} MB are in use"
        except AssertionError as error:
            raise AssertionError(f"Input {number} of seed {seed} ({name}): {error}") from error
    return {
        "inputs": float(count),
        "seconds": time.perf_counter() - began,
        "slowest_seconds": slowest,
        "largest_megabytes": _memory() / 2**20,
        **{f"read_as_{name}": float(number) for name, number in sorted(formats.items())},
    }


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Read what the command line asks for and print the figures."""
    parser = argparse.ArgumentParser(description="Mutated logs through every importer.")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only logs whose names contain this")
    parser.add_argument("--start", type=int, default=0, help="the number of the first input")
    parser.add_argument("--mapper", action="store_true", help="read every input by paths")
    asked = parser.parse_args()
    for name, value in run(asked.count, asked.seed, asked.only, start=asked.start, mapper=asked.mapper).items():
        print(f"{name}: {value:.6g}")


if __name__ == "__main__":
    main()
