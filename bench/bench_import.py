"""How fast logs become debates, and a million arguments rows of a database: ``python -m bench.bench_import``.

Prints ``name: value``. Beside the seconds on the clock stand those of the processors, which other work on the machine
lengthens less, and the most memory that the largest process has taken.
"""

from __future__ import annotations

import csv
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from bench.bench_storage import some_debates
from core.debate import Debate
from core.native import debate_to_line, debates_to_native
from storage.database import Database
from storage.debate_filter import DebateFilter, DebateSort, SortColumn
from storage.debate_repository import DebateRepository
from storage.importer import Wish, import_file
from storage.readers import read_file

DEBATES = 20_000  # of 3 pros and 3 cons each
MILLION = 1_000_000
REPEATS = 5
COLUMNS = (
    "debate_id", "claim", "label", "agent", "round", "prior", "posterior", "argument_id", "target", "polarity",
    "argument", "base_score",
)  # fmt: skip


def figures() -> Mapping[str, float]:
    """Return arguments read a second for each format, and the seconds that a million arguments in JSON Lines take."""
    debates = some_debates(DEBATES)
    files: dict[str, Callable[[list[Debate]], bytes]] = {
        "native": debates_to_native,
        "post_hoc": _post_hoc,
        "long_table": _long_table,
    }
    result: dict[str, float] = {}
    for name, written in files.items():
        data = written(debates)
        start = time.perf_counter()
        file = read_file(data, name)
        seconds = time.perf_counter() - start
        assert file.arguments == 6 * DEBATES
        assert not file.refused
        result[f"read_{name}_arguments_per_second"] = file.arguments / seconds
    result["read_native_1m_arguments_seconds"] = MILLION / result["read_native_arguments_per_second"]
    start = time.perf_counter()
    debates_to_native(debates)
    result["write_native_arguments_per_second"] = 6 * DEBATES / (time.perf_counter() - start)
    return result | million()


def million() -> dict[str, float]:
    """Return what importing a million arguments takes, from JSON Lines and from Parquet, and Browse afterwards."""
    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        debates = some_debates(MILLION // 6 + 1)
        lines, table = Path(folder) / "million.jsonl", Path(folder) / "million.parquet"
        with lines.open("w", encoding="utf-8") as file:
            file.writelines(f"{debate_to_line(debate)}\n" for debate in debates)
        columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        for debate in debates:
            for row in _rows(debate):
                for name, cell in zip(COLUMNS, row, strict=True):
                    columns[name].append(cell)
        pyarrow.parquet.write_table(pyarrow.table(columns), table)
        del debates, columns
        for path in (lines, table):  # each in a process of its own, whose memory is its own
            command = [sys.executable, "-m", "bench.bench_import", str(path)]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            result |= {f"import_1m_{path.suffix[1:]}_{name}": value for name, value in json.loads(told).items()}
    return result


def imported(path: Path) -> dict[str, float]:
    """Return what importing one file into a database of its own takes, and what finding among its debates does."""
    with tempfile.TemporaryDirectory() as folder, Database.open(Path(folder) / "bench.duckdb") as database:
        start, used = time.perf_counter(), _processor_seconds()
        report = import_file(database, path, path.name, Wish())
        assert report.arguments >= MILLION
        result = {"seconds": time.perf_counter() - start, "processor_seconds": _processor_seconds() - used}
        own, others = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        unit = 2**20 if sys.platform == "darwin" else 2**10
        result |= {"megabytes": own / unit, "megabytes_of_a_reader": others / unit}
        repository = DebateRepository(database)
        by_claim = DebateSort(SortColumn.CLAIM)
        searched = DebateFilter("honey7 winter")
        actions: dict[str, Callable[[], object]] = {
            "browse_list": lambda: repository.list(sort=by_claim, limit=50),
            "browse_search": lambda: repository.list(searched, by_claim, limit=50),
        }
        for name, action in actions.items():
            seconds = []
            for _ in range(REPEATS):
                start = time.perf_counter()
                action()
                seconds.append(time.perf_counter() - start)
            result[f"{name}_milliseconds"] = 1000 * statistics.median(seconds)
        return result


def _processor_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _post_hoc(debates: list[Debate]) -> bytes:
    return "".join(json.dumps(_post_hoc_record(debate)) + "\n" for debate in debates).encode()


def _post_hoc_record(debate: Debate) -> dict[str, Any]:
    (only,) = debate.rounds
    opinions = []
    for stance in only.stances:
        own = [argument for argument in only.arguments if argument.author == stance.agent_id]
        written = [{"id": a.id.split("-")[1], "argument": a.text, "base_score": a.base_score} for a in own]
        opinions.append(
            {
                "agent_id": stance.agent_id,
                "prior_stance": stance.prior,
                "pros": written[:1],
                "cons": written[1:],
                "posterior_stance": stance.posterior,
            }
        )
    return {
        "debate_id": debate.id,
        "scenario": "single_turn",
        "claim": debate.claim,
        "label": debate.label,
        "opinions": opinions,
    }


def _long_table(debates: list[Debate]) -> bytes:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(COLUMNS)
    for debate in debates:
        writer.writerows(_rows(debate))
    return table.getvalue().encode()


def _rows(debate: Debate) -> list[list[Any]]:
    (only,) = debate.rounds
    stances = {stance.agent_id: stance for stance in only.stances}
    rows = []
    for argument, relation in zip(only.arguments, only.relations, strict=True):
        stance = stances[argument.author or ""]
        whole = [debate.id, debate.claim, debate.label, argument.author, 0, stance.prior, stance.posterior]
        rows.append([*whole, argument.id, "", relation.kind.value, argument.text, argument.base_score])
    return rows


def main() -> None:
    """Print every figure, or as JSON those of importing the file that is named."""
    if len(sys.argv) > 1:
        print(json.dumps(imported(Path(sys.argv[1]))))
        return
    for name, value in figures().items():
        print(f"{name}: {value:.6g}")


if __name__ == "__main__":
    main()
