"""How a command line hands files and questions to the app that holds the database.

A job is a folder: ``job.json`` and a copy of each file, ``0``, ``1``, ... It is made aside and then renamed into
``waiting``, so that it appears whole; the app renames it into ``working``, imports, writes its report into ``done``
in the same way, and removes it. A job left in ``working`` by an app that died is taken up again by the next one, and
the database remembers which files of it had been stored. A question is a job without files, and the report its answer.

    <folder of the database>/inbox/<name of the database>/{making,waiting,working,done,failed}/
"""

from __future__ import annotations

import json
import logging
import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import DatabaseInUse, MootError, UnwritableDatabase
from storage.database import Database
from storage.importer import FileReport, Wish, import_file, refused
from storage.lock import read_note
from storage.mapping_file import mapping_of, mapping_record
from storage.mapping_repository import MappingRepository
from storage.readers.derivations import derivations_named

POLL_SECONDS = 0.5
PATIENCE_SECONDS = 30.0  # how long a job may lie there before the command line takes it back
MOST_ATTEMPTS = 2  # a job that was being carried out when the app died, this often, is set aside
KEPT_SECONDS = 24 * 3600.0  # how long a report waits for a command line that went away
STAGES = ("making", "waiting", "working", "done", "failed")
JOB = "job.json"
ATTEMPTS = "attempts"
QUESTION = "question"

Answer = Callable[[Mapping[str, Any]], dict[str, Any]]

_log = logging.getLogger("moot.inbox")


@dataclass(frozen=True)
class HandedFile:
    """A file to hand over: what to call it in the report, and its content."""

    file: str
    source: Path | bytes


class Inbox:
    """The app's side: a thread that imports what command lines hand over, and answers what they ask."""

    def __init__(self, database: Database, answer: Answer | None = None) -> None:
        """Take the database, and what answers questions; without it they are turned down."""
        self._database = database
        self._answer = answer
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to look for jobs; a second call does nothing. A database in memory has no inbox."""
        if self._thread is None and self._database.path is not None:
            self._thread = threading.Thread(target=self._run, name="moot-inbox", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Finish the job at hand, then look no more."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set() and not self._database.closed:
            try:
                work_off(self._database, self._stopped.is_set, self._answer)
            except (MootError, OSError) as error:
                _log.warning("The inbox could not be worked off: %s", error)
            self._stopped.wait(POLL_SECONDS)


def work_off(database: Database, stopped: Callable[[], bool] = lambda: False, answer: Answer | None = None) -> int:
    """Carry out every job that waits, oldest first, and return how many there were.

    Only the process that holds the database may call this: it owns everything in ``working``.
    """
    if database.path is None:
        return 0
    stages = _stages(database.path)
    if not stages["waiting"].is_dir():
        return 0
    stages["working"].mkdir(mode=0o700, exist_ok=True)
    for stage in ("making", "done"):
        _remove_old(stages[stage])
    finished = 0
    for folder in _jobs(stages["working"], stages["waiting"]):
        if stopped():
            break
        working = stages["working"] / folder.name
        if folder != working:
            try:
                folder.rename(working)
            except FileNotFoundError:  # its command line took it back
                continue
        _carry_out(database, stages, working, answer)
        finished += 1
    return finished


def hand_over(
    database: Path,
    files: Sequence[HandedFile],
    wish: Wish | None = None,
    mapping: str | None = None,
    patience: float = PATIENCE_SECONDS,
) -> list[FileReport]:
    """Give files to the app that holds a database, wait, and return its reports in order.

    Should the app end meanwhile, the files are imported by this process instead.

    Args:
        database: The database file that the app holds.
        files: What to import; each must be readable.
        wish: How to import them: its name for the dataset, ``again``, mapping and derivations count.
        mapping: The name of a mapping that is saved in the database, instead of one in the wish.
        patience: Seconds to wait for the app to begin.

    Raises:
        MootError: If the app does not begin, or cannot carry the job out.
        UnwritableDatabase: If the files cannot be put into the inbox.
    """
    stages = _stages(database)
    wish = wish or Wish()
    job = {
        "dataset": wish.dataset_name,
        "again": wish.again,
        "files": [handed.file for handed in files],
        "mapping": None if wish.mapping is None else mapping_record(wish.mapping),
        "mapping_name": wish.mapping_name if mapping is None else mapping,
        "derivations": list(wish.derivations),
    }
    answer = _answered(database, stages, _put(stages, job, files), patience)
    try:
        reports = [FileReport.from_json(record) for record in answer["files"]]
    except (ValueError, KeyError, TypeError) as error:
        raise MootError("The app's report on the files cannot be read; look at its Data page.") from error
    if len(reports) != len(files):
        raise MootError("The app reported on other files than these; look at its Data page.")
    return reports


def ask(database: Path, question: Mapping[str, Any], patience: float = PATIENCE_SECONDS) -> dict[str, Any]:
    """Ask the app that holds a database something, wait, and return its answer.

    Args:
        database: The database file that the app holds.
        question: Plain JSON values.
        patience: Seconds to wait for the app to begin.

    Raises:
        MootError: If the app does not begin, has ended, or cannot do what is asked.
        UnwritableDatabase: If the question cannot be put into the inbox.
    """
    stages = _stages(database)
    answer = _answered(database, stages, _put(stages, {QUESTION: dict(question)}, ()), patience).get("answer")
    if not isinstance(answer, dict):
        raise MootError("The app's answer cannot be read; look at its Data page.")
    return answer


def _answered(database: Path, stages: Mapping[str, Path], name: str, patience: float) -> dict[str, Any]:
    """Wait for the answer to a job and return it."""
    done = stages["done"] / f"{name}.json"
    places = (stages["waiting"] / name, stages["working"] / name, done)
    deadline = time.monotonic() + patience
    try:
        while not done.exists():
            if places[0].exists() and time.monotonic() > deadline:
                raise MootError(
                    f"The database {database.name} is held by {read_note(database).sentence()}, which did not take "
                    "the job. Reload its page, use its Data page instead, or stop it first."
                )
            if not any(place.exists() for place in places):
                raise MootError("The job vanished from the inbox before it was done; try again.")
            _work_off_if_free(database)
            time.sleep(POLL_SECONDS / 2)
    except BaseException:
        _take_back(stages, name)
        raise
    return _read_answer(done)


def _work_off_if_free(database: Path) -> None:
    """Do the app's work when it has gone."""
    try:
        with Database.open(database) as own:
            work_off(own)
    except DatabaseInUse:
        return


def _put(stages: Mapping[str, Path], job: Mapping[str, Any], files: Sequence[HandedFile]) -> str:
    name = f"{time.time_ns():020d}-{secrets.token_hex(4)}"  # sorts by time, so that the oldest job comes first
    making = stages["making"] / name
    try:
        for folder in (*(stages[stage] for stage in STAGES), making):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        stages["making"].parent.parent.chmod(0o700)  # what is handed over is nobody else's business
        for number, handed in enumerate(files):
            if isinstance(handed.source, Path) and handed.source.is_dir():
                shutil.copytree(handed.source, making / str(number), symlinks=True)
            elif isinstance(handed.source, Path):
                shutil.copyfile(handed.source, making / str(number))
            else:
                (making / str(number)).write_bytes(handed.source)
        (making / JOB).write_text(json.dumps(job), "utf-8")
        making.rename(stages["waiting"] / name)
    except OSError as error:
        shutil.rmtree(making, ignore_errors=True)
        raise UnwritableDatabase(
            f"The job could not be put into the inbox beside the database ({error.strerror or error})."
        ) from error
    return name


def _take_back(stages: Mapping[str, Path], name: str) -> None:
    """Withdraw a job that nobody has begun; one that is being carried out stays with the app."""
    making = stages["making"] / name
    try:
        (stages["waiting"] / name).rename(making)
    except OSError:
        return
    shutil.rmtree(making, ignore_errors=True)


def _read_answer(done: Path) -> dict[str, Any]:
    try:
        answer = json.loads(done.read_text("utf-8"))
        done.unlink()
    except (OSError, ValueError) as error:
        raise MootError("The app's answer cannot be read; look at its Data page.") from error
    if not isinstance(answer, dict):
        raise MootError("The app's answer cannot be read; look at its Data page.")
    if "error" in answer:
        raise MootError(str(answer["error"]))
    return answer


def _carry_out(database: Database, stages: Mapping[str, Path], working: Path, answer: Answer | None) -> None:
    try:
        if working.is_symlink():
            raise MootError("What lies in the inbox is not a job.")
        if _attempt(working) > MOST_ATTEMPTS:
            raise MootError("Importing these files ended the app more than once; they are set aside.")
        asked = _question(working)
        if asked is None:
            told: dict[str, Any] = {"files": [report.to_json() for report in _import(database, working)]}
        elif answer is None:
            raise MootError("The app has ended; nothing was done. Run the command again.")
        else:
            told = {"answer": answer(asked)}
    except Exception as error:  # whatever it is, the next job must not suffer, nor this one come back for ever
        _log.warning("Inbox job %s is set aside: %s", working.name, error)
        text = str(error) if isinstance(error, MootError) else f"The job could not be done: {error!r}."
        _write_answer(stages["done"], working.name, {"error": text})
        _set_aside(working, stages["failed"])
    else:
        _write_answer(stages["done"], working.name, told)
        shutil.rmtree(working, ignore_errors=True)


def _import(database: Database, working: Path) -> Iterator[FileReport]:
    wish, files = _read_job(database, working)
    for number, file in enumerate(files):
        copy = working / str(number)
        if copy.is_symlink() or not copy.is_file():
            yield refused(file, "file_missing", "The file's copy is not in the inbox.")
        else:
            yield import_file(database, copy, file, replace(wish, job=f"{working.name}/{number}"))


def _question(working: Path) -> Mapping[str, Any] | None:
    """Return what a job asks; None for a job of files."""
    try:
        asked = json.loads((working / JOB).read_text("utf-8")).get(QUESTION)
    except (OSError, ValueError, AttributeError, RecursionError):
        return None  # whatever is wrong with it is said when its files are read
    return asked if isinstance(asked, dict) else None


def _read_job(database: Database, working: Path) -> tuple[Wish, list[str]]:
    try:
        job: Any = json.loads((working / JOB).read_text("utf-8"))
        dataset_name, again, files = job["dataset"], job["again"], job["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise MootError("The inbox job cannot be read; nothing of it was imported.") from error
    texts = isinstance(files, list) and all(isinstance(file, str) for file in files)
    if not texts or not isinstance(again, bool) or not isinstance(dataset_name, (str, type(None))):
        raise MootError("The inbox job is not one that Moot wrote; nothing of it was imported.")
    derivations, name = job.get("derivations", []), job.get("mapping_name", "")
    if not isinstance(derivations, list) or not all(isinstance(key, str) for key in [*derivations, name]):
        raise MootError("The inbox job is not one that Moot wrote; nothing of it was imported.")
    mapping = None
    if isinstance(job.get("mapping"), dict):
        mapping = mapping_of(job["mapping"])
    elif name:
        mapping = MappingRepository(database).get(name)
    derivations_named(derivations)
    return Wish(dataset_name, again, mapping=mapping, mapping_name=name, derivations=tuple(derivations)), files


def _attempt(working: Path) -> int:
    """Count a beginning of a job and return how many there have been."""
    marks = working / ATTEMPTS
    with marks.open("a") as file:
        file.write("x")
    return marks.stat().st_size


def _write_answer(folder: Path, name: str, answer: Mapping[str, Any]) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = folder / f".{name}.part"
    part.write_text(json.dumps(answer), "utf-8")
    part.replace(folder / f"{name}.json")


def _set_aside(working: Path, failed: Path) -> None:
    failed.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        working.rename(failed / working.name)
    except OSError:  # something of that name lies there: then this one goes
        if working.is_dir() and not working.is_symlink():
            shutil.rmtree(working, ignore_errors=True)
        else:
            working.unlink(missing_ok=True)


def _jobs(*stages: Path) -> list[Path]:
    found = [entry for stage in stages if stage.is_dir() for entry in stage.iterdir()]
    return sorted(found, key=lambda entry: entry.name)


def _remove_old(folder: Path) -> None:
    """Remove what command lines left that went away: half-made jobs, and reports that nobody came back for."""
    for entry in _jobs(folder):
        try:
            if time.time() - entry.lstat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        except OSError:
            continue


def _stages(database: Path) -> dict[str, Path]:
    root = database.absolute().parent / "inbox" / database.name
    return {stage: root / stage for stage in STAGES}
