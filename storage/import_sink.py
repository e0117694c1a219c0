"""Debates into the database while their file is still being read: bounded memory for a file of any size."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from core.debate import Debate
from core.errors import Cancelled, MootError
from core.import_issue import ImportIssue, IssueLog
from core.native import FORMAT, debate_from_json
from storage.dataset import Dataset
from storage.dataset_writer import DatasetWriter, RowBatch, batch_of
from storage.debate_repository import CHUNK, HEAVY, STOPPED, DebateRepository, weight_of
from storage.parquet_pieces import TablePiece, table_pieces
from storage.readers import line_chunks
from storage.readers.debate_ids import DebateIds
from storage.readers.derivations import Derivation, applied
from storage.readers.line_chunks import LargeLines
from storage.readers.source import Recognised, Source
from storage.reading_worker import Piece, ReadPiece, Worker

WORKERS = 2  # processes that read a large file; the one that stores is a third, and waits for the disk mostly
PARQUET_FROM = 1 << 20  # bytes of a Parquet file; smaller ones are read at once
MEMORY = "500MB"  # of the database while a large file is stored; what is more waits on disk beside it
AHEAD = 2  # pieces for each of them that are read ahead

Progress = Callable[[int, float | None], None]
"""Is told how many debates are written, and which share of the file that was, where that is known."""


@dataclass(frozen=True)
class Watch:
    """Who looks on while a file is imported."""

    progress: Progress | None = None
    cancelled: Callable[[], bool] | None = None

    def check(self) -> None:
        """Do nothing, unless it is to stop.

        Raises:
            Cancelled: If it is.
        """
        if self.cancelled is not None and self.cancelled():
            raise Cancelled(STOPPED)

    def tell(self, debates: int, share: float | None = None) -> None:
        """Say how far it is."""
        if self.progress is not None:
            self.progress(debates, share)


class ImportSink:
    """Takes the debates of one file and writes them in batches, in one transaction, which only ``finish`` completes.

    Args:
        repository: Where they go.
        describe: Makes the dataset out of the file's SHA-256, size and base name.
        once: Refuse content that is stored already.
        derivations: What is to be derived where a debate lacks it.
        watch: Is told of progress, and asked whether to stop.
    """

    def __init__(
        self,
        repository: DebateRepository,
        describe: Callable[[str, int, str], Dataset],
        once: bool,
        derivations: Sequence[Derivation] = (),
        watch: Watch | None = None,
    ) -> None:
        self._repository = repository
        self._describe = describe
        self._once = once
        self._derivations = derivations
        self._watch = watch or Watch()
        self._open = ExitStack()
        self._writer: DatasetWriter | None = None
        self._waiting: list[Debate] = []
        self._weight = 0
        self._count = 0
        self._sha256 = ""

    def __enter__(self) -> ImportSink:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool | None:
        """Leave: what ``finish`` has not completed is undone."""
        if self._writer is not None and kind is None:
            self._open.__exit__(Cancelled, Cancelled(STOPPED), None)
            return None
        return self._open.__exit__(kind, error, trace)

    def __len__(self) -> int:
        return self._count

    def begin(self, sha256: str, size: int, file: str) -> None:
        """Open the transaction.

        Raises:
            NotAllowed: If the person may not import.
            AlreadyStored: If the content is here, and one of it is enough.
        """
        self._watch.check()
        self._sha256 = sha256
        adding = self._repository.adding(self._describe(sha256, size, file), self._once)
        self._writer = self._open.enter_context(adding)
        if size >= line_chunks.STREAMED_FROM:
            self._open.enter_context(self._writer.within(MEMORY))

    def append(self, debate: Debate) -> None:
        """Take the next debate."""
        debate = applied(self._derivations, debate)
        self._waiting.append(debate)
        self._count += 1
        self._weight += weight_of(debate)
        if len(self._waiting) >= CHUNK or self._weight >= HEAVY:
            self._flush()

    def take(self, source: Source, recognised: Recognised, issues: IssueLog) -> bool:
        """Take a large native file, or a Parquet file, by several processes; leave every other one."""
        pieces = None if self._derivations else self._pieces(source, recognised, issues)
        if pieces is None:
            return False
        names = _Names(recognised.mapping.debate_id if recognised.mapping is not None else None, issues)
        for done, share in read_side_by_side(pieces):
            self._watch.check()
            issues.merge(done.issues)
            batch = names.unique(done)
            self._written.write(batch)
            self._count += batch.debates
            self._watch.tell(self._written.debates, share)
        return True

    def _pieces(
        self, source: Source, recognised: Recognised, issues: IssueLog
    ) -> Iterator[tuple[Piece | TablePiece, float | None]] | None:
        if source.lines is not None and recognised.format == FORMAT:
            return _line_pieces(source.lines, source.name, issues)
        if source.is_parquet and len(source.data) >= PARQUET_FROM:
            origin = {"file": source.name, "sha256": self._sha256, "format": recognised.format}
            return table_pieces(source, recognised, origin, issues)
        return None

    def finish(self, issues: Sequence[ImportIssue], format_name: str, remarks: IssueLog) -> Dataset:
        """Write what waits, complete the transaction, and return the dataset as stored."""
        self._flush()
        stored = self._written.finish(issues, remarks, format_name=format_name)
        self._writer = None
        self._open.close()
        return stored

    @property
    def _written(self) -> DatasetWriter:
        if self._writer is None:
            raise MootError("Nothing was begun that debates could be written to.")
        return self._writer

    def _flush(self) -> None:
        self._watch.check()
        if self._waiting:
            waiting, self._waiting, self._weight = self._waiting, [], 0
            self._written.write(batch_of(waiting))
            self._watch.tell(self._written.debates)


class _Names:
    """Gives each debate of a file an id of its own, as the readers do, for whole batches."""

    def __init__(self, field: str | None, issues: IssueLog) -> None:
        self._ids = DebateIds(field or "debate_id", issues)

    def unique(self, piece: ReadPiece) -> RowBatch:
        """Return the rows with ids that no debate before had, and note those that were changed."""
        if not piece.batch.debates:
            return piece.batch
        if self._ids.take(piece.batch.names):
            return piece.batch
        contested = dict(piece.batch.contested)
        debates = []
        for number, record in enumerate(piece.batch.debates_again()):
            debate = contested.get(number) or debate_from_json(json.loads(record), IssueLog())
            debates.append(replace(debate, id=self._ids.unique(debate.id, piece.lines[number])))
        return batch_of(debates)


def _line_pieces(lines: LargeLines, file: str, issues: IssueLog) -> Iterator[tuple[Piece, float | None]]:
    size, packed = lines.path.stat().st_size, lines.is_packed
    characters = 0
    for chunk in lines.chunks(issues):
        characters += len(chunk.text)
        yield Piece(chunk.text, chunk.first_line, file), None if packed else min(1.0, characters / size)


def read_side_by_side(
    pieces: Iterable[tuple[Piece | TablePiece, float | None]],
) -> Iterator[tuple[ReadPiece, float | None]]:
    """Yield a file's pieces as read, in their order, each with the share of the file that is read by then."""
    count = max(1, min(WORKERS, os.cpu_count() or 1))
    workers = [Worker() for _ in range(count)]
    idle = deque(workers)

    def read(piece: Piece | TablePiece) -> ReadPiece:
        worker = idle.popleft()  # there are as many threads as workers
        try:
            return worker.read(piece)
        except (EOFError, OSError) as error:
            raise MootError("A process that reads the file ended early; is there enough memory?") from error
        finally:
            idle.append(worker)

    with ThreadPoolExecutor(count, "moot-reading") as threads:
        waiting: deque[tuple[Future[ReadPiece], float | None]] = deque()
        try:
            for piece, share in pieces:
                waiting.append((threads.submit(read, piece), share))
                if len(waiting) > count * AHEAD:
                    yield _answer(waiting)
            while waiting:
                yield _answer(waiting)
        finally:
            for future, _ in waiting:
                future.cancel()
            for worker in workers:  # also those at work: nobody waits for them any more
                worker.close()


def _answer(waiting: deque[tuple[Future[ReadPiece], float | None]]) -> tuple[ReadPiece, float | None]:
    future, share = waiting.popleft()
    return future.result(), share


__all__ = ["ImportSink", "Watch", "read_side_by_side"]
