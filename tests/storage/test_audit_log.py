from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest

from core.audit import NO_HASH, Action, AuditEntry, Change, Head, Kind, entry_hash
from core.contestation import Contestation, Edit, EditKind
from core.errors import MootError, UnreadableFile
from core.roles import OPERATOR
from storage.audit_log import AuditFilter, AuditLog, check_exported
from storage.audit_trail import COLUMNS, note_path
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.migrations import AUDIT, all_migrations
from storage.ruling_repository import Outcome, RulingRepository
from storage.setting_repository import SettingRepository
from tests.storage.debates import HOSTILE, a_dataset, a_debate
from tests.storage.people import ADMIN, REVIEWER

EDIT = Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.3)
JUDGED = {"DF-QuAD": {"score": 0.6, "verdict": "true", "status": "ok"}}
CHALLENGE = Contestation("", "zoo", 0, (EDIT,), "The score is too high.", "Ada", before=JUDGED, after=JUDGED)


def tampered(database: Database, query: str, *values: object) -> None:
    """Change the database behind the program's back."""
    with database.write() as cursor:
        cursor.execute(query, list(values))


def forged(entry: AuditEntry, **changes) -> AuditEntry:
    """Return an entry with other content and a hash that fits it."""
    changed = replace(entry, **changes)
    return replace(changed, hash=entry_hash(changed))


def put(database: Database, entry: AuditEntry) -> None:
    """Put an entry in the place of the one with its number."""
    values = [getattr(entry, name) for name in COLUMNS]
    tampered(database, "DELETE FROM audit WHERE sequence = ?", entry.sequence)
    tampered(database, f"INSERT INTO audit ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})", *values)


def change_of(name: str) -> Change:
    return Change(OPERATOR, Action.SETTING, Kind.SETTING, name)


def change_and_log(database: Database, change: Change, trouble: BaseException | None = None) -> None:
    with database.log() as logged:
        logged.cursor.execute("INSERT INTO setting VALUES ('x', '1', now())")
        logged.log(change)
        if trouble is not None:
            raise trouble


@pytest.fixture
def filled(path):
    """Return a database whose log has eight entries: begun, imported, three saved, two settings, one ruling."""
    with Database.open(path) as database:
        DebateRepository(database).add(a_dataset(), [a_debate(), a_debate("lake")])
        contestations = ContestationRepository(database, REVIEWER)
        saved = [contestations.save(replace(CHALLENGE, reason=f"Reason number {n} for it.")) for n in range(3)]
        settings = SettingRepository(database, ADMIN)
        settings.set("threshold", 0.5)
        settings.set("threshold", 0.6)
        RulingRepository(database, ADMIN).rule(saved[0].id, Outcome.UPHELD, "The record says otherwise.")
        yield database


@pytest.fixture
def log(filled):
    return AuditLog(filled)


# --- what is in it ----------------------------------------------------------------------------------------------------


def test_a_new_log_has_one_entry_from_its_beginning_and_is_intact(database):
    check = AuditLog(database).check()
    assert check.intact
    assert check.head.count == 1
    (entry,) = AuditLog(database).entries()
    assert (entry.sequence, entry.action, entry.previous) == (1, Action.BEGAN, NO_HASH)


def test_an_entry_says_who_did_what_to_what_and_why(log):
    ruled, setting = log.entries(limit=2)
    assert (ruled.person, ruled.name, ruled.role) == (ADMIN.id, "Ada <ada@example.org>", "admin")
    assert (ruled.action, ruled.before, ruled.after) == (Action.RULED, "null", '"upheld"')
    assert ruled.reason == "The record says otherwise."
    assert (setting.object, setting.before, setting.after) == ("threshold", "0.5", "0.6")
    assert ruled.previous == setting.hash


def test_a_log_that_nobody_touched_is_intact(log):
    check = log.check()
    assert check.problems == check.remarks == ()
    assert check.head == log.head()
    assert check.sentence == f"Log intact, 8 entries, head hash {log.head().hash}"


def test_what_changes_nothing_is_not_logged(filled, log):
    before = log.head()
    SettingRepository(filled).set("threshold", 0.6)
    SettingRepository(filled).remove("absent")
    assert log.head() == before


def test_a_change_that_fails_leaves_no_entry(filled, log):
    before = log.head()
    with pytest.raises(MootError):
        ContestationRepository(filled).save(replace(CHALLENGE, parent="nobody"))
    with pytest.raises(KeyboardInterrupt):
        change_and_log(filled, change_of("x"), KeyboardInterrupt())
    assert log.head() == before
    assert SettingRepository(filled).get("x") is None


def test_an_entry_that_cannot_be_written_takes_its_change_with_it(filled, log):
    before = log.head()
    with pytest.raises(ZeroDivisionError):
        change_and_log(filled, replace(change_of("x"), after=Unwritable()))
    assert SettingRepository(filled).get("x") is None
    assert log.head() == before
    SettingRepository(filled).set("y", 1)
    assert log.check().intact


class Unwritable:
    def __str__(self):
        raise ZeroDivisionError


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_kept_as_they_are_and_hash_alike(filled, log, text):
    ContestationRepository(filled).save(replace(CHALLENGE, reason=text, author=text))
    assert log.check().intact
    assert log.entries(limit=1)[0].reason == text
    assert check_exported(log.export()).intact


def test_an_import_does_not_keep_others_from_being_logged_meanwhile(filled, log):
    with filled.log(bulk=True) as slow:
        slow.cursor.execute("INSERT INTO setting VALUES ('slow', '1', now())")
        slow.log(change_of("slow"))
        SettingRepository(filled).set("quick", 1)  # begins later and is committed first
    quick, slow_entry = reversed(log.entries(limit=2))
    assert (quick.object, slow_entry.object) == ("quick", "slow")
    assert log.check().intact


def test_many_threads_write_one_chain(filled, log):
    def write(number: int) -> None:
        for value in range(5):
            SettingRepository(filled).set(f"s{number}", value)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.check().intact
    assert log.head().count == 8 + 40


def test_entries_are_found_by_action_person_and_text(log):
    assert log.count(AuditFilter(actions=(Action.SAVED,))) == 3
    assert log.count(AuditFilter(people=(ADMIN.id,))) == 3
    assert log.count(AuditFilter(text="NUMBER 2")) == 1
    assert log.count(AuditFilter(text="'; DROP TABLE audit; --")) == 0
    assert log.people()[REVIEWER.id] == "Ria <ria@example.org>"
    assert Action.RULED in log.actions()
    assert [entry.sequence for entry in log.entries(limit=2, offset=3)] == [5, 4]


# --- tampering with the log -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", [name for name in COLUMNS if name not in ("sequence", "hash", "previous")])
@pytest.mark.parametrize("number", [1, 4, 8])
def test_a_change_of_any_field_of_any_entry_is_found(filled, log, number, column):
    tampered(filled, f"UPDATE audit SET {column} = {column} || ' ' WHERE sequence = ?", number)
    check = log.check()
    assert not check.intact
    assert check.problems[0].startswith(f"Entry {number} (")
    assert "was changed" in check.problems[0]


@pytest.mark.parametrize("column", ["hash", "previous"])
def test_a_changed_hash_is_found(filled, log, column):
    tampered(filled, f"UPDATE audit SET {column} = ? WHERE sequence = 4", "f" * 64)
    assert "Entry 4" in log.check().problems[0]


def test_a_changed_entry_with_a_fitting_hash_is_found_by_the_next_one(filled, log):
    entry = next(one for one in log.entries() if one.sequence == 4)
    put(filled, forged(entry, reason="Something else."))
    assert log.check().problems[0].startswith("Entry 5 does not follow the entry before it")


@pytest.mark.parametrize(
    ("gone", "said"), [((4,), "Entry 4 is missing before"), ((3, 4, 5), "Entries 3 to 5 are missing before entry 6")]
)
def test_missing_entries_are_named(filled, log, gone, said):
    tampered(filled, f"DELETE FROM audit WHERE sequence IN ({', '.join(map(str, gone))})")
    assert said in log.check().problems[0]


def test_a_missing_beginning_is_named(filled, log):
    tampered(filled, "DELETE FROM audit WHERE sequence = 1")
    assert log.check().problems[0] == "Entry 1 is missing before entry 2."


def test_two_entries_that_changed_places_are_named(filled, log):
    tampered(filled, "UPDATE audit SET sequence = 104 WHERE sequence = 4")
    tampered(filled, "UPDATE audit SET sequence = 4 WHERE sequence = 6")
    tampered(filled, "UPDATE audit SET sequence = 6 WHERE sequence = 104")
    assert log.check().problems[0] == "Entry 4 was number 6 when it was written: the order was changed."


def test_entries_closed_up_over_a_gap_are_named(filled, log):
    tampered(filled, "DELETE FROM audit WHERE sequence = 4")
    tampered(filled, "UPDATE audit SET sequence = 4 WHERE sequence = 5")
    assert log.check().problems[0] == "Entry 4 was number 5 when it was written: the order was changed."


def test_an_emptied_log_is_found(filled, log):
    tampered(filled, "DELETE FROM audit")
    assert "all of them were removed" in log.check().problems[0]


def test_an_entry_put_in_is_found(filled, log):
    last = log.entries(limit=1)[0]
    put(filled, forged(last, sequence=9, previous=NO_HASH))
    assert log.check().problems[0].startswith("Entry 9 does not follow")


@pytest.mark.parametrize("count", [1, 3, 7])
def test_a_cut_off_end_is_found_by_the_note_beside_the_database(filled, log, count):
    tampered(filled, "DELETE FROM audit WHERE sequence > ?", 8 - count)
    assert f"{count} entr" in log.check().problems[0]
    assert "missing at the end: 8 were noted" in log.check().problems[0]


def test_a_cut_off_end_stays_known_when_the_log_has_grown_again(path, filled):
    tampered(filled, "DELETE FROM audit WHERE sequence > 5")
    filled.close()
    with Database.open(path) as database:
        for number in range(5):
            SettingRepository(database).set("threshold", number)
        problems = AuditLog(database).check().problems
    assert problems[0].startswith("Entry 6 tells that the log was altered before it: noted was 8 entries")


def test_a_history_written_anew_is_found_by_the_note(filled, log):
    tampered(filled, "DELETE FROM audit WHERE sequence > 6")
    entry = log.entries(limit=1)[0]
    for number in (7, 8):
        entry = forged(entry, sequence=number, previous=entry.hash, reason="Invented.")
        put(filled, entry)
    assert log.check().problems[0].startswith("Entry 8 is not the one whose hash was noted")


def test_a_head_that_a_person_noted_finds_what_the_lost_note_would_have(filled, log):
    noted = Head.from_text(log.head().text)
    tampered(filled, "DELETE FROM audit WHERE sequence > 7")
    note_path(filled.path).unlink()
    alone = log.check()
    assert not any("missing at the end" in problem for problem in alone.problems)
    assert "is missing or cannot be read" in alone.remarks[0]
    assert "missing at the end: 8 were noted" in log.check(noted).problems[0]


def test_a_lost_note_is_told_of_for_good(path, filled):
    filled.close()
    note_path(path).write_text("rubbish")
    with Database.open(path) as database:
        log = AuditLog(database)
        assert log.check().intact
        assert "cannot be read" in log.check().remarks[0]
        SettingRepository(database).set("threshold", 0.7)
        assert log.check().intact
        assert "Before entry 9, the head's note beside the database was missing" in log.check().remarks[0]


def test_a_note_that_lags_behind_is_no_harm(path, filled):
    """Killed between the commit and the note."""
    older = note_path(path).read_text()
    SettingRepository(filled).set("threshold", 0.9)
    filled.close()
    note_path(path).write_text(older)
    with Database.open(path) as database:
        assert AuditLog(database).check().intact
        SettingRepository(database).set("threshold", 0.7)
        check = AuditLog(database).check()
        assert (check.intact, check.remarks) == (True, ())


# --- tampering with what it vouches for -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("UPDATE contestation SET reason = 'Else' WHERE reason LIKE '%number 1%'", "was changed after entry 4"),
        ("UPDATE contestation SET after = '{}' WHERE reason LIKE '%number 1%'", "was changed after entry 4"),
        ("UPDATE edit SET record = replace(record, '0.3', '0.4')", "was changed after entry"),
        ("DELETE FROM edit", "was changed after entry"),
        ("DELETE FROM contestation WHERE reason LIKE '%number 1%'", "is gone from the database"),
        ("INSERT INTO contestation SELECT 'put in', * EXCLUDE (id) FROM contestation LIMIT 1", "how it came there"),
        ("UPDATE ruling SET outcome = 'overturned'", "was changed after entry 8 (ruling)"),
        ("DELETE FROM ruling", "is gone from the database"),
        ("UPDATE debate SET record = replace(record, '0.8', '0.9')", "or its debates was changed after entry 2"),
        ("DELETE FROM debate WHERE id = 'lake'", "or its debates was changed after entry 2"),
    ],
)  # fmt: skip
def test_a_change_of_what_an_entry_vouches_for_is_found(filled, log, query, said):
    tampered(filled, query)
    problems = log.check().problems
    assert problems
    assert said in problems[0]


def test_many_altered_rows_are_not_all_listed(filled, log):
    tampered(filled, "INSERT INTO contestation SELECT 'x' || n, * EXCLUDE (id, n) FROM "
             "(SELECT * FROM (SELECT * FROM contestation LIMIT 1), range(100) AS r(n))")  # fmt: skip
    assert len(log.check().problems) == 21
    assert log.check().problems[-1].startswith("Further rows")


def test_what_was_removed_through_the_program_is_in_order(filled, log):
    contestations = ContestationRepository(filled, ADMIN)
    names = [one.id for one in contestations.for_debate("zoo")]
    contestations.remove(names[0], "It names a private person.")
    removed = log.entries(limit=1)[0]
    assert (removed.action, removed.object, removed.reason) == (Action.REMOVED, names[0], "It names a private person.")
    assert len(removed.vouches_for) == 2  # it, and the ruling on it
    assert log.check().intact
    DebateRepository(filled).remove_dataset(DebateRepository(filled).datasets()[0].id, with_contestations=True)
    assert [entry.action for entry in log.entries(limit=3)] == [Action.DATASET_REMOVED, Action.REMOVED, Action.REMOVED]
    assert log.check().intact


# --- export -----------------------------------------------------------------------------------------------------------


def test_an_exported_log_can_be_checked_without_its_database(log):
    lines = list(log.export())
    assert check_exported(lines, log.head()) == replace(log.check(), remarks=())
    assert AuditEntry.from_json(json.loads(lines[0])) == log.entries()[-1]
    changed = lines[4].replace("Reason number", "Another reason")
    assert "Entry 5" in check_exported([*lines[:4], changed, *lines[5:]]).problems[0]
    assert "missing at the end" in check_exported(lines[:-1], log.head()).problems[0]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"sequence": 1}', "1", "[" * 100_000])
def test_what_is_no_exported_log_is_refused(log, line):
    lines = list(log.export())
    with pytest.raises(UnreadableFile, match="Line 3"):
        check_exported([*lines[:2], line])


def test_the_table_has_every_field(log):
    frame = log.frame(AuditFilter(actions=(Action.SAVED,)))
    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["sequence"]) == [3, 4, 5]


# --- migration --------------------------------------------------------------------------------------------------------


def test_what_was_there_before_the_log_is_recorded_at_migration(path):
    old = tuple(step for step in all_migrations() if step.version < AUDIT)
    with Database.open(path, migrations=old) as database, database.write() as cursor:
        cursor.execute(
            "INSERT INTO contestation VALUES ('old', 'zoo', 0, 'An old reason.', 'Ada', 'reviewer', "
            "'2026-05-01T12:00:00.000000+00:00', NULL, '{}', '{}', '{}', [])"
        )
        cursor.execute("INSERT INTO edit VALUES ('old', 0, 'remove argument', 'A', '{}')")
    with Database.open(path) as database:
        log = AuditLog(database)
        began, found = reversed(log.entries())
        assert began.action == Action.BEGAN
        assert (found.action, found.object, found.reason) == (Action.FOUND, "old", "An old reason.")
        assert json.loads(found.after)["author"] == "Ada"
        assert log.check() == replace(log.check(), problems=(), remarks=())
        tampered(database, "UPDATE contestation SET reason = 'A new reason.'")
        assert "was changed after entry 2" in log.check().problems[0]


@pytest.mark.parametrize("text", ["", "8", "8:", "x:" + "0" * 64, "8:" + "0" * 63, "٣:" + "0" * 64])
def test_a_noted_head_that_is_none_is_refused(text):
    with pytest.raises(MootError, match="no head of an audit log"):
        Head.from_text(text)
