"""How fast logs become debates, without the database: ``python -m bench import`` prints ``name: value``."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from bench.bench_storage import some_debates
from core.debate import Debate
from core.native import debates_to_native
from storage.readers import read_file

DEBATES = 20_000  # of 3 pros and 3 cons each
MILLION = 1_000_000


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
    return result


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
    header = "debate_id,claim,label,agent,round,prior,posterior,argument_id,target,polarity,argument,base_score"
    writer.writerow(header.split(","))
    for debate in debates:
        (only,) = debate.rounds
        stances = {stance.agent_id: stance for stance in only.stances}
        for argument, relation in zip(only.arguments, only.relations, strict=True):
            stance = stances[argument.author or ""]
            whole = [debate.id, debate.claim, debate.label, argument.author, 0, stance.prior, stance.posterior]
            writer.writerow([*whole, argument.id, "", relation.kind.value, argument.text, argument.base_score])
    return table.getvalue().encode()
