"""Whether a database is whole: what must hold after any crash."""

from __future__ import annotations

import json

from storage.audit_log import AuditLog
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from storage.debate_repository import DEBATE_TABLES, DebateRepository


def problems(database: Database) -> list[str]:
    """Return what is not whole: datasets without all their debates, debates without all their rows, orphans."""
    found = []
    repository = DebateRepository(database)
    with database.read() as cursor:
        records = cursor.execute("SELECT number, id, dataset_id, record FROM debate").fetchall()
        rows = {
            table: dict(cursor.execute(f"SELECT debate, count(*) FROM {table} GROUP BY debate").fetchall())
            for table in DEBATE_TABLES
        }
        edits = dict(cursor.execute("SELECT contestation_id, count(*) FROM edit GROUP BY contestation_id").fetchall())
        saved = {name for (name,) in cursor.execute("SELECT id FROM contestation").fetchall()}
    for dataset in repository.datasets():
        held = sum(1 for record in records if record[2] == dataset.id)
        if held != dataset.debate_count:
            found.append(f"dataset {dataset.name} says {dataset.debate_count} debates and has {held}")
    known = {dataset.id for dataset in repository.datasets()}
    found += [f"debate {name} is of no dataset" for _, name, dataset, _ in records if dataset not in known]
    for number, name, _, record in records:
        rounds = json.loads(record).get("rounds", ())
        due = {
            "argument": sum(len(one.get("arguments", ())) for one in rounds),
            "stance": sum(len(one.get("stances", ())) for one in rounds),
        }
        found += [
            f"debate {name} has {rows[table].get(number, 0)} {table} rows instead of {count}"
            for table, count in due.items()
            if rows[table].get(number, 0) != count
        ]
    numbers = {record[0] for record in records}
    found += [f"rows of {table} without a debate" for table in DEBATE_TABLES if set(rows[table]) - numbers]
    found += [f"contestation {name} has {edits.get(name, 0)} edits" for name in saved if edits.get(name) != 1]
    found += ["edits without a contestation"] if set(edits) - saved else []
    found += AuditLog(database).check().problems
    return found


def read_everything(database: Database) -> None:
    """Read every debate and contestation; an error says which one cannot be read."""
    repository, contestations = DebateRepository(database), ContestationRepository(database)
    for name in repository.ids():
        repository.get(name)
    for name in contestations.list().id:
        contestations.get(name)
