"""One's own results in the layout of a published table, the published figures beside them and marked as such."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.errors import InvalidSetting
from core.experiments.source import Source
from core.perturbations.agents import AgentOrder
from core.perturbations.judge_edit import JudgeEditKind
from core.properties.measures import Right
from core.properties.result import NOT_ASKED, PropertyResult, TrialResult
from core.property_words import left_out_words
from core.published import PublishedTable

NAMES = {
    "accuracy": "accuracy %",
    "true_accuracy": "true accuracy %",
    "false_accuracy": "false accuracy %",
    "change": "change",
    "satisfied": "satisfied",
    "total": "total",
    "rate": "rate %",
    "not_lower": "not lower",
    "false_to_true": "F→T",
    "true_to_false": "T→F",
}
PROPERTIES = {
    2: "profile robustness", 3: "judge robustness", 4: "non-hallucination", 5: "judge unanimity", 6: "contestability",
    7: "determinism", 8: "permutation independence", 10: "profile robustness", 11: "judge robustness",
    12: "non-hallucination", 13: "judge unanimity", 14: "contestability",
}  # fmt: skip
WORDS = {"llm": "LLM", "df-quad": "DF-QuAD", "qe": "QE"}
OWN, PRINTED = "yours", "published"
REMARK = "remark"
NO_DEBATES, NO_MODEL = "no debates of this protocol here", "no language model is stored here"
NOBODY, NOT_TRIED, NOT_JUDGED = "no such judge was tested", "not asked in this way", "not judged in this way"
COMMAND = "to ask the model: python cli.py properties run table-{:02d}"
NEEDS_LABELS = frozenset({"accuracy", "true_accuracy", "false_accuracy", "change"})

_SHIFTS = {JudgeEditKind.SHIFT_TEMPERATURE: "temperature", JudgeEditKind.SHIFT_CONSERVATIVENESS: "conservativeness"}
_SETS = {JudgeEditKind.SET_TEMPERATURE: "temperature", JudgeEditKind.SET_CONSERVATIVENESS: "conservativeness"}


@dataclass(frozen=True)
class Own:
    """A result of one's own: on which debates, and of which judge by its settings."""

    source: Source
    result: PropertyResult

    @property
    def settings(self) -> Mapping[str, Any]:
        """Return the judge's settings."""
        return self.result.settings


def filled(table: PublishedTable, results: Iterable[Own], *, labels: bool = True) -> pd.DataFrame:
    """Return the table with a row for each published row: what it is of, one's own figures, and the published ones.

    Own figures are missing where nothing was tested; the remark says why. It also says where the judgements are from,
    that a judge does not tell debates apart, and that a test is of some of the debates only. Shares are percentages in
    both.

    Args:
        table: Published; one of properties or accuracies of judges.
        results: One's own; of several that fit a row the first with a figure counts.
        labels: Whether gold labels may be used; else accuracies of one's own stay away.

    Raises:
        InvalidSetting: If the table is of no judges.
    """
    if "judge" not in table.rows.columns or "protocol" not in table.rows.columns:
        raise InvalidSetting(f"Table {table.number} of {table.short_title} has no layout for tests of one's own.")
    listed = list(results)
    values = [name for name in NAMES if name in table.rows.columns]
    rows = []
    for row in table.rows.to_dict("records"):
        place = {str(name): value for name, value in row.items() if name not in NAMES}
        fitting = [own for own in listed if _fits(own, place, table.number)]
        found = next((own for own in fitting if own.result.rate is not None), fitting[0] if fitting else None)
        own = {} if found is None else {key: value for key, value in _own(found.result, place).items() if key in values}
        shown: dict[str, object] = {**place, "judge": WORDS.get(str(row["judge"]), row["judge"])}
        shown["debates"] = None if found is None or not own else found.result.judged
        for name in values:
            shown[f"{OWN}: {NAMES[name]}"] = None if name in NEEDS_LABELS and not labels else own.get(name)
            shown[f"{PRINTED}: {NAMES[name]}"] = row[name]
        shown[REMARK] = _remark(listed, found, place, table.number, figures=bool(own))
        shown["judge tested"] = "" if found is None else found.result.judge
        rows.append(shown)
    made = pd.DataFrame(rows)
    numbers = [name for name in made.columns if name.startswith((OWN, PRINTED)) or name == "debates"]
    return made.astype(dict.fromkeys(numbers, "float64"))


def covered(table: pd.DataFrame) -> int:
    """Return how many rows of a filled table have any figure of one's own."""
    own = [name for name in table.columns if name.startswith(OWN)]
    return int(table[own].notna().any(axis=1).sum())


def _remark(listed: Sequence[Own], found: Own | None, row: Mapping[str, Any], number: int, *, figures: bool) -> str:
    """Return what is to be said of a row: why it is empty, or what must be known of its figures."""
    asking = f"; {COMMAND.format(number)}"
    if found is None:
        there = [own for own in listed if own.source.protocol is not None and own.source.protocol == row["protocol"]]
        if listed and not there:
            return NO_DEBATES
        models = any(own.settings.get("kind") == "llm" for own in listed)
        if row["judge"] == "llm":
            return NOT_JUDGED + asking if models else NO_MODEL
        return NOBODY
    if found.result.rate is None:
        if not found.result.judged and not found.result.note:
            return NOT_JUDGED + (asking if row["judge"] == "llm" else "")
        if found.result.note == NOT_ASKED:
            return NOT_ASKED + asking
        return found.result.note or left_out_words(found.result) or NOT_TRIED
    return found.result.remark if figures else "; ".join(filter(None, (NOT_TRIED, found.result.remark)))


def _fits(own: Own, row: Mapping[str, Any], number: int) -> bool:
    settings, kind = own.settings, own.settings.get("kind")
    if own.source.protocol is None or own.source.protocol.value != row["protocol"]:
        return False
    if number in PROPERTIES and own.result.checked.key != PROPERTIES[number]:
        return False
    if row["judge"] == "llm":
        wanted = {"naming": row.get("setting"), "stance": row.get("variant"), "temperature": row.get("temperature")}
        if kind != "llm":
            return False
    else:
        wanted = {"setting": row.get("setting"), "variant": row.get("variant")}
        if kind != "semantics" or settings.get("semantics") != row["judge"]:
            return False
    return all(value is None or settings.get(name) == value for name, value in wanted.items())


def _own(result: PropertyResult, row: Mapping[str, Any]) -> dict[str, float]:
    found: dict[str, float] = {}
    right, before = _rights(result, row)
    if right is not None:
        found["accuracy"] = 100 * right.rate.value
        found |= {
            name: 100 * value
            for name, value in (("true_accuracy", right.on_true), ("false_accuracy", right.on_false))
            if value is not None
        }
        if before is not None:
            found["change"] = 100 * (right.rate.value - before.rate.value)
    if result.rate is None and (result.note or not result.judged):  # not tested: no figure, and not a figure of 0
        return found
    found |= {"satisfied": result.satisfied, "total": result.tested}
    if result.rate is not None:
        found["rate"] = 100 * result.rate.value
    if result.trials:
        trial = result.trials[0]
        found |= {
            "not_lower": trial.changes.count - trial.changes.lowered,
            "false_to_true": trial.flips.false_to_true,
            "true_to_false": trial.flips.true_to_false,
        }
    return found


def _rights(result: PropertyResult, row: Mapping[str, Any]) -> tuple[Right | None, Right | None]:
    """Return the accuracy that a row is about, and that as recorded on the very same debates."""
    recorded = next((one.right_before for one in result.trials if one.right_before is not None), result.right)
    if "profile" in row:
        if row["profile"] == "as is":
            return recorded, recorded
        return _under(result, lambda one: one.trial.profile is not None)
    if "parameter" in row:
        base, value = result.settings.get(row["parameter"]), float(row["value"])
        if isinstance(base, (int, float)) and abs(base - value) < 1e-9:
            return recorded, recorded
        return _under(result, lambda one: _sets(one, str(row["parameter"]), base, value))
    if "repeat" in row:
        if row["repeat"] == 1:
            return recorded, recorded
        return _under(result, lambda one: one.trial.repeat == row["repeat"] - 1)
    if "order" in row:
        place = _order_place(str(row["order"]))
        return (recorded, recorded) if place == 0 else _under(result, lambda one: _ordered(one, place))
    return result.right, result.right


def _under(result: PropertyResult, fits: Callable[[TrialResult], bool]) -> tuple[Right | None, Right | None]:
    return next(((one.right, one.right_before) for one in result.trials if fits(one)), (None, None))


def _sets(one: TrialResult, parameter: str, base: object, value: float) -> bool:
    edit = one.trial.judge
    if edit is None or not isinstance(edit.value, (int, float)):
        return False
    if _SETS.get(edit.kind) == parameter:
        return abs(edit.value - value) < 1e-9
    return (
        _SHIFTS.get(edit.kind) == parameter and isinstance(base, (int, float)) and abs(base + edit.value - value) < 1e-9
    )


def _ordered(one: TrialResult, place: int) -> bool:
    return isinstance(one.trial.profile, AgentOrder) and one.trial.profile.number == place


def _order_place(text: str) -> int:
    """Return which of all orders of the agents a text such as ``A2 A1 A3`` names, as ``AgentOrder`` counts them."""
    places: Sequence[int] = [int(number) - 1 for number in re.findall(r"\d+", text)]
    orders = itertools.permutations(range(len(places)))
    return next(number for number, order in enumerate(orders) if list(order) == list(places))


__all__ = ["NEEDS_LABELS", "OWN", "PRINTED", "REMARK", "Own", "covered", "filled"]
