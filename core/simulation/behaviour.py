"""How properties and accuracy behave as debates grow: from few agents to many, from one round to several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from core.perturbations.judge_edit import AnyKind
from core.properties.check import check_all
from core.properties.judging import Watch
from core.properties.property import Property
from core.properties.registry import usual_properties
from core.properties.tables import result_row
from core.simulation.debates import MARK, simulated_set
from core.simulation.settings import Simulation

AGENTS = (3, 5, 10, 20, 50)
ROUNDS = (1, 3, 5, 10)
COLUMNS = (
    "judge", "agents", "rounds", "property", "standing", "cell", "tested", "violations", "strict_violations",
    "verdict_changes", "rate", "low", "high", "accuracy", "accuracy_low", "accuracy_high", "on_true", "on_false",
    "debates", "source",
)  # fmt: skip
_NUMBERS = ("rate", "low", "high", "accuracy", "accuracy_low", "accuracy_high", "on_true", "on_false")


def behaviour(
    judges: Sequence[AnyKind],
    base: Simulation,
    *,
    agents: Sequence[int] = AGENTS,
    rounds: Sequence[int] = ROUNDS,
    properties: Sequence[Property] | None = None,
    watch: Watch | None = None,
) -> pd.DataFrame:
    """Return one row per judge, number of agents, number of rounds and property, with the columns ``COLUMNS``.

    Rates and accuracies are shares in [0, 1], missing where there is nothing to tell; ``source`` says "simulated".

    Args:
        judges: None of them may need a language model.
        base: What the debates are like otherwise.
        agents, rounds: How many of each; all combinations.
        properties: The seven as they are usually tested unless given.
        watch: Told how many of the combinations are done; may raise Cancelled.
    """
    tested = usual_properties() if properties is None else tuple(properties)
    combinations = [(few, short) for few in agents for short in rounds]
    rows: list[dict[str, object]] = []
    for done, (count, length) in enumerate(combinations):
        if watch is not None:
            watch(done, len(combinations))
        debates = simulated_set(replace(base, agents=count, rounds=length))
        for result in check_all(tested, judges, debates, seed=base.seed):
            rows.append({"agents": count, "rounds": length, "source": MARK, **result_row(result)})
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(_NUMBERS, "float64"))
