"""How fast the database takes and finds debates: ``python -m bench.bench_storage`` prints ``name: value``."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.debate import Agent, Debate, DebateProtocol, Round
from core.native import debates_to_native
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.bulk import no_collection
from storage.database import Database
from storage.debate_filter import DebateFilter, DebateSort, SortColumn
from storage.debate_repository import DebateRepository
from storage.importer import Wish, import_file, import_read_file
from storage.readers import read_file

DEBATES = 10_000  # of 3 pros and 3 cons each
REPEATS = 9
WORDS = ("tides", "honey", "moon", "copper", "river", "record", "measured", "because", "winter", "light", "never")


def some_debates(count: int, seed: int = 1) -> list[Debate]:
    """Return invented debates of three agents, each with one pro and one con of some 15 words."""
    chance = random.Random(seed)
    agents = tuple(Agent(f"A{n}", model=f"model-{n}") for n in (1, 2, 3))
    return [_debate(f"bench-{number}", agents, chance) for number in range(count)]


def _debate(name: str, agents: tuple[Agent, ...], chance: random.Random) -> Debate:
    arguments, relations = [], []
    for agent in agents:
        for side, kind in (("pro", RelationKind.SUPPORT), ("con", RelationKind.ATTACK)):
            argument = Argument(f"{agent.id}-{side}1", _text(chance, 15), agent.id, round(chance.random(), 2))
            arguments.append(argument)
            relations.append(Relation(argument.id, TOPIC, kind))
    stances = tuple(Stance(agent.id, round(chance.random(), 2), round(chance.random(), 2)) for agent in agents)
    one = Round(0, stances, tuple(arguments), tuple(relations))
    return Debate(
        name, _text(chance, 8), chance.random() < 0.5, DebateProtocol.SINGLE_TURN, agents=agents, rounds=(one,)
    )


def _text(chance: random.Random, words: int) -> str:
    return " ".join(f"{chance.choice(WORDS)}{chance.randrange(1000)}" for _ in range(words))


def figures() -> dict[str, float]:
    """Return seconds for importing a file and for the writing in it, milliseconds for finding among its debates."""
    with tempfile.TemporaryDirectory() as folder, Database.open(Path(folder) / "bench.duckdb") as database:
        file = Path(folder) / "bench.jsonl"
        file.write_bytes(debates_to_native(some_debates(DEBATES)))
        with no_collection():
            read = read_file(file, file.name)
        repository = DebateRepository(database)
        result = {
            "storage_import_10k_debates_seconds": _seconds(lambda: import_file(database, file, file.name, Wish())),
            "storage_write_10k_debates_seconds": _seconds(lambda: import_read_file(database, read, again=True)),
        }
        repository.remove_dataset(repository.datasets()[1].id)
        by_claim = DebateSort(SortColumn.CLAIM)
        searched = DebateFilter("honey7 winter")
        for name, action in (
            ("list_10k", lambda: repository.list(sort=by_claim, limit=50)),
            ("search_10k", lambda: repository.list(searched, by_claim, limit=50)),
            ("neighbours_10k", lambda: repository.neighbours("bench-5000", searched, by_claim)),
            ("get", lambda: repository.get("bench-5000")),
            ("profiles_10k", repository.profiles),
        ):
            median = statistics.median(_seconds(action) for _ in range(REPEATS))
            result[f"storage_{name}_milliseconds"] = 1000 * median
        return result


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}: {value:.3f}")
