from __future__ import annotations

import random

from storage.contestation_repository import ContestationRepository
from storage.database import Database
from storage.debate_repository import DebateRepository
from tests.storage import integrity, processes

KILLS = 20
SEED = 20

# Imports and saves for ever, and says so: "begun" and "chunk" from within a transaction, the others once it is over.
WRITER = """
import sys
from itertools import count
from core.contestation import Contestation, Edit, EditKind
from storage import debate_repository
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from tests.storage.debates import a_dataset, a_debate

debate_repository.CHUNK = 40
run = int(sys.argv[2])
database = Database.open(sys.argv[1])
debates = debate_repository.DebateRepository(database)
contestations = ContestationRepository(database)
say = lambda *words: print(*words, flush=True)
for turn in count():
    name = f"dataset-{run}-{turn}"
    sha256 = f"{run:032x}{turn:032x}"
    some = [a_debate(f"{name}-{n}", pro=f"It is near. {n} " * 20) for n in range(200)]
    say("begun", name)
    debates.add(a_dataset(name, sha256), some, progress=lambda done, total: say("chunk", done))
    say("imported", name)
    for n in range(6):
        edit = Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, n / 10)
        saved = contestations.save(Contestation("", f"{name}-{n}", 0, (edit,), "Why " * 300, "Ada"))
        say("saved", saved.id)
"""


def test_a_killed_process_leaves_every_committed_debate_whole_and_no_half_import(path):
    chance = random.Random(SEED)
    imported: set[str] = set()
    saved: set[str] = set()
    last_words = set()
    for run in range(KILLS):
        process = processes.start(WRITER, path, run)
        try:
            lines = [processes.read_line(process) for _ in range(chance.randint(1, 24))]
        finally:
            process.kill()
            rest, _ = process.communicate()
        lines += rest.splitlines(keepends=True)
        words = [line.split() for line in lines if line.endswith("\n")]  # the last line may be cut
        assert words, "the writer did not start"
        last_words.add(words[-1][0])
        imported |= {name for kind, name in words if kind == "imported"}
        saved |= {name for kind, name in words if kind == "saved"}
        with Database.open(path) as database:
            assert integrity.problems(database) == []
            names = {dataset.name for dataset in DebateRepository(database).datasets()}
            assert imported <= names
            assert saved <= set(ContestationRepository(database).list().id)
            assert DebateRepository(database).count() == 200 * len(names)
    with Database.open(path) as database:
        integrity.read_everything(database)
    assert last_words >= {"chunk", "saved"}, "the kills did not strike in imports and in saves"
