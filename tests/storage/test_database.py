from __future__ import annotations

import os

import duckdb
import pytest

from core.errors import (
    DatabaseInUse,
    MootError,
    NewerDatabase,
    UnreadableDatabase,
    UnwritableDatabase,
)
from storage.database import Database, schema_version
from storage.debate_repository import DebateRepository
from storage.lock import Holder, lock_path
from storage.migrations import Migration, all_migrations
from tests.storage import processes
from tests.storage.debates import a_dataset, a_debate

NEWEST = all_migrations()[-1].version
HOLD = """
import sys
from storage.database import Database
from storage.lock import Holder
database = Database.open(sys.argv[1], Holder(sys.argv[2]))
print("open", flush=True)
sys.stdin.readline()
"""
FULL_DISK = """
import resource, signal, sys
from core.errors import UnwritableDatabase
from storage.database import Database
from storage.debate_repository import DebateRepository
from tests.storage.debates import a_dataset, a_debate
repository = DebateRepository(Database.open(sys.argv[1]))
repository.add(a_dataset("before", "a" * 64), [a_debate("before")])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
try:
    repository.add(a_dataset("big", "b" * 64), [a_debate(f"d{n}", pro=f"{n} is " * 200) for n in range(3000)])
except UnwritableDatabase as error:
    print(error)
print(repository.count())
"""


def added(version, name="later", sql="CREATE TABLE later (x INTEGER)"):
    return (*all_migrations(), Migration(version, name, sql))


def test_a_new_file_gets_every_migration_and_opens_again(path):
    with Database.open(path) as database:
        assert schema_version(database) == NEWEST
    with Database.open(path) as database:
        assert schema_version(database) == NEWEST
    assert [migration.version for migration in all_migrations()] == list(range(1, NEWEST + 1))
    assert not list(path.parent.glob("*.backup"))


def test_the_folder_of_a_new_file_is_made(tmp_path):
    Database.open(tmp_path / "a" / "b" / "moot.duckdb").close()
    assert (tmp_path / "a" / "b" / "moot.duckdb").is_file()


def test_an_old_file_is_copied_and_then_migrated_with_its_content(path):
    with Database.open(path) as database:
        DebateRepository(database).add(a_dataset(), [a_debate()])
    with Database.open(path, migrations=added(NEWEST + 1)) as database:
        assert schema_version(database) == NEWEST + 1
        assert DebateRepository(database).get("zoo") == a_debate()
    backup = path.with_name(f"moot.duckdb.schema{NEWEST}.backup")
    with Database.open(backup) as database:  # the copy is a whole database of the old version
        assert schema_version(database) == NEWEST
        assert DebateRepository(database).count() == 1


def test_a_migration_that_fails_changes_nothing(path):
    Database.open(path).close()
    broken = added(NEWEST + 1, sql="CREATE TABLE half (x INTEGER); ALTER TABLE nowhere ADD COLUMN y INTEGER;")
    with pytest.raises(duckdb.CatalogException):
        Database.open(path, migrations=broken)
    with Database.open(path) as database, database.read() as cursor:
        tables = {name for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        assert "half" not in tables
        assert "debate" in tables


def test_a_file_of_a_newer_moot_is_refused_and_left_alone(path):
    Database.open(path, migrations=added(NEWEST + 7)).close()
    before = path.read_bytes()
    with pytest.raises(NewerDatabase, match=rf"schema {NEWEST + 7}.*up to {NEWEST}; update Moot"):
        Database.open(path)
    assert path.read_bytes() == before
    Database.open(path, migrations=added(NEWEST + 7)).close()  # and it is not locked either


@pytest.mark.parametrize("content", [b"x", b"not a database\n" * 1000, b"PAR1" * 4096])
def test_a_file_that_is_no_database_is_refused_readably(path, content):
    path.write_bytes(content)
    with pytest.raises(UnreadableDatabase, match=r"moot.duckdb is damaged or not a database"):
        Database.open(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl", "log.json", "log.parquet", "log.tsv", "log.txt"])
def test_a_log_in_the_databases_place_is_refused_rather_than_served_from_memory(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"{}\n" * 100)
    with pytest.raises(UnreadableDatabase, match=rf"{name} is damaged or not a database"):
        Database.open(path)
    assert path.read_bytes() == b"{}\n" * 100


def test_a_damaged_file_is_refused_readably(path):
    Database.open(path).close()
    content = bytearray(path.read_bytes())
    content[4100:4300] = b"\xff" * 200
    path.write_bytes(content)
    with pytest.raises(UnreadableDatabase, match="damaged"):
        Database.open(path)


def test_another_programs_database_is_refused_and_left_alone(path):
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE theirs (x INTEGER)")
    with pytest.raises(UnreadableDatabase, match="another program"):
        Database.open(path)
    with duckdb.connect(str(path)) as connection:
        assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("theirs",)]


def test_an_empty_file_left_by_a_process_that_died_becomes_a_database(path):
    path.touch()
    with Database.open(path) as database:
        assert schema_version(database) == NEWEST


def test_a_folder_in_the_files_place_is_refused_readably(path):
    path.mkdir()
    with pytest.raises(UnreadableDatabase, match="damaged or not a database"):
        Database.open(path)


def test_a_folder_that_cannot_be_made_is_said_readably(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UnwritableDatabase, match="cannot be made"):
        Database.open(tmp_path / "file" / "moot.duckdb")


def test_a_side_file_that_cannot_be_written_is_said_readably(path):
    lock_path(path).mkdir()
    with pytest.raises(UnwritableDatabase, match=r"moot\.duckdb\.lock cannot be written"):
        Database.open(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_said_readably(path):
    path.parent.chmod(0o500)
    try:
        with pytest.raises(UnwritableDatabase, match="cannot be written"):
            Database.open(path)
    finally:
        path.parent.chmod(0o700)


def test_a_second_process_is_told_who_holds_the_file(path):
    holder = processes.start(HOLD, path, "app")
    try:
        assert processes.read_line(holder) == "open\n"
        with pytest.raises(DatabaseInUse) as caught:
            Database.open(path)
    finally:
        processes.end(holder)
    message = str(caught.value)
    assert f"the Moot app (process {holder.pid}) since 20" in message
    assert "stop the app first" in message


def test_a_second_process_is_told_of_a_command_too(path):
    holder = processes.start(HOLD, path, "command line")
    try:
        processes.read_line(holder)
        with pytest.raises(DatabaseInUse, match=r"a Moot command .*Wait until it has finished"):
            Database.open(path)
    finally:
        processes.end(holder)


def test_opening_waits_for_another_process_when_asked_to(path):
    holder = processes.start(HOLD, path, "command line")
    try:
        processes.read_line(holder)
        assert holder.stdin is not None
        holder.stdin.close()  # ends its readline, and soon the process
        Database.open(path, Holder.APP).close()
    finally:
        processes.end(holder)


def test_a_killed_process_leaves_a_lock_file_but_no_lock(path):
    holder = processes.start(HOLD, path, "app")
    processes.read_line(holder)
    processes.end(holder)
    assert lock_path(path).is_file()
    Database.open(path).close()


def test_one_process_cannot_open_a_file_twice(path):
    with Database.open(path), pytest.raises(DatabaseInUse):
        Database.open(path)


def test_a_lock_file_with_rubbish_in_it_does_no_harm(path):
    lock_path(path).write_bytes(b"\xff\x00{")
    Database.open(path).close()


def test_closing_twice_is_fine_and_a_closed_database_says_so(path):
    database = Database.open(path)
    database.close()
    database.close()
    with pytest.raises(MootError, match="closed"), database.read():
        pass
    with pytest.raises(MootError, match="closed"), database.write():
        pass


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, GeneratorExit])
def test_a_write_that_fails_leaves_nothing(database, error):
    def fail():
        with database.write() as cursor:
            cursor.execute("INSERT INTO setting VALUES ('a', '1', now()::TIMESTAMP)")
            raise error

    with pytest.raises(error):
        fail()
    with database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM setting").fetchall() == [(0,)]
    with database.write() as cursor:  # and the next one is not held up
        cursor.execute("INSERT INTO setting VALUES ('b', '1', now()::TIMESTAMP)")


def test_a_read_sees_one_moment_whatever_is_written_meanwhile(database):
    with database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM setting").fetchall() == [(0,)]
        with database.write() as writer:
            writer.execute("INSERT INTO setting VALUES ('a', '1', now()::TIMESTAMP)")
        assert cursor.execute("SELECT count(*) FROM setting").fetchall() == [(0,)]
    with database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM setting").fetchall() == [(1,)]


def test_what_is_read_through_sql_cannot_reach_other_files(database, tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_text("x\n1\n")
    with database.read() as cursor, pytest.raises(duckdb.PermissionException):
        cursor.execute("SELECT * FROM read_csv(?)", [str(secret)])


def test_a_full_disk_is_said_readably_and_loses_nothing(path):
    process = processes.start(FULL_DISK, path)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert output.splitlines() == [
        "moot.duckdb could not be written; the change was not saved. Is the disk full? "
        "Make room, then start Moot again.",
        "1",
    ]
    with Database.open(path) as database:
        assert DebateRepository(database).ids() == ("before",)
