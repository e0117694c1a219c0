"""Results of property tests as tables, for the page, the command line and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from core.properties.registry import PROPERTIES
from core.properties.result import PropertyResult, TrialResult

RESULT_COLUMNS = (
    "judge", "property", "standing", "cell", "debates", "tested", "satisfied", "violations", "strict_violations",
    "rate", "low", "high", "verdict_changes", "score_changes", "strict_score_changes", "tolerance", "accuracy",
    "accuracy_low", "accuracy_high", "on_true", "on_false", "left_out", "warnings", "proof", "note",
    "origin",
)  # fmt: skip
TRIAL_COLUMNS = (
    "judge", "property", "trial", "compared", "unchanged", "false_to_true", "true_to_false", "other_flips", "not_lower",
    "raised", "lowered", "same", "mean_change", "mean_size_of_change", "accuracy", "accuracy_low", "accuracy_high",
    "on_true", "on_false", "accuracy_before", "accuracy_change", "remark",
)  # fmt: skip
WITNESS_COLUMNS = (
    "judge", "property", "debate", "claim", "first", "second", "score_before", "verdict_before", "score_after",
    "verdict_after", "change", "flipped", "remark",
)  # fmt: skip
_WORDS = {
    "judge", "property", "standing", "cell", "left_out", "warnings", "proof", "note", "trial", "debate", "claim",
    "first", "second", "verdict_before", "verdict_after", "origin", "remark",
}  # fmt: skip
_SHARES = {
    "rate", "low", "high", "tolerance", "accuracy", "accuracy_low", "accuracy_high", "on_true", "on_false",
    "mean_change", "mean_size_of_change", "accuracy_before", "accuracy_change", "score_before", "score_after", "change",
}  # fmt: skip


def grid(results: Iterable[PropertyResult]) -> pd.DataFrame:
    """Return one row per judge and one column per property that was tested, in the usual order; cells are texts.

    Of several results of one judge and property the last one counts.
    """
    cells: dict[str, dict[str, str]] = {}
    for result in results:
        cells.setdefault(result.judge, {})[result.checked.key] = result.cell
    present = [key for key in PROPERTIES if any(key in row for row in cells.values())]
    rows = {name: [row.get(key, "not tested") for key in present] for name, row in cells.items()}
    labels = [PROPERTIES[key].label for key in present]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=labels)
    table.index.name = "judge"
    return table


def result_table(results: Iterable[PropertyResult]) -> pd.DataFrame:
    """Return one row per result, with the columns ``RESULT_COLUMNS``; shares lie in [0, 1]."""
    return _table([result_row(result) for result in results], RESULT_COLUMNS)


def trial_table(results: Iterable[PropertyResult]) -> pd.DataFrame:
    """Return one row per trial of each result, with the columns ``TRIAL_COLUMNS``; shares lie in [0, 1]."""
    return _table([_trial_row(result, trial) for result in results for trial in result.trials], TRIAL_COLUMNS)


def witness_table(results: Iterable[PropertyResult], claims: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Return one row per witness, the worst of each result first, with the columns ``WITNESS_COLUMNS``.

    Args:
        results: Of any judges and properties.
        claims: By debate id; those that are not there stay empty. They are untrusted text.
    """
    known = claims or {}
    rows: list[dict[str, object]] = [
        {
            "judge": result.judge,
            "property": result.checked.key,
            "debate": witness.debate,
            "claim": known.get(witness.debate, ""),
            "first": witness.first.label,
            "second": witness.second.label,
            "score_before": witness.before.score,
            "verdict_before": "" if witness.before.verdict is None else witness.before.verdict.value,
            "score_after": witness.after.score,
            "verdict_after": "" if witness.after.verdict is None else witness.after.verdict.value,
            "change": witness.change,
            "flipped": witness.flipped,
            "remark": result.remark,
        }
        for result in results
        for witness in result.witnesses
    ]
    return _table(rows, WITNESS_COLUMNS)


def result_row(result: PropertyResult) -> dict[str, object]:
    """Return a result as one row of a table."""
    rate, right = result.rate, result.right
    return {
        "judge": result.judge,
        "property": result.checked.key,
        "standing": result.standing.value,
        "cell": result.cell,
        "debates": result.debates,
        "tested": result.tested,
        "satisfied": result.satisfied,
        "violations": result.violations,
        "strict_violations": result.strict_violations,
        "rate": None if rate is None else rate.value,
        "low": None if rate is None else rate.low,
        "high": None if rate is None else rate.high,
        "verdict_changes": result.verdict_changes,
        "score_changes": result.score_changes,
        "strict_score_changes": result.strict_score_changes,
        "tolerance": result.tolerance,
        "accuracy": None if right is None else right.rate.value,
        "accuracy_low": None if right is None else right.rate.low,
        "accuracy_high": None if right is None else right.rate.high,
        "on_true": None if right is None else right.on_true,
        "on_false": None if right is None else right.on_false,
        "left_out": "; ".join(f"{count:,}: {reason.value}" for reason, count in result.left_out.items()),
        "warnings": " ".join(result.discrimination.warnings),
        "proof": "" if result.proof is None else result.proof.reason,
        "note": result.note,
        "origin": result.origin,
    }


def _trial_row(result: PropertyResult, trial: TrialResult) -> dict[str, object]:
    right, before, changes = trial.right, trial.right_before, trial.changes
    return {
        "judge": result.judge,
        "property": result.checked.key,
        "trial": trial.trial.label,
        "compared": trial.compared,
        "unchanged": trial.unchanged,
        "false_to_true": trial.flips.false_to_true,
        "true_to_false": trial.flips.true_to_false,
        "other_flips": trial.flips.other,
        "not_lower": changes.count - changes.lowered,
        "raised": changes.raised,
        "lowered": changes.lowered,
        "same": changes.same,
        "mean_change": changes.mean,
        "mean_size_of_change": changes.mean_size,
        "accuracy": None if right is None else right.rate.value,
        "accuracy_low": None if right is None else right.rate.low,
        "accuracy_high": None if right is None else right.rate.high,
        "on_true": None if right is None else right.on_true,
        "on_false": None if right is None else right.on_false,
        "accuracy_before": None if before is None else before.rate.value,
        "accuracy_change": trial.accuracy_change,
        "remark": result.remark,
    }


def _table(rows: list[dict[str, object]], columns: tuple[str, ...]) -> pd.DataFrame:
    kinds = {name: "str" if name in _WORDS else "float64" if name in _SHARES else "int64" for name in columns}
    if "flipped" in kinds:
        kinds["flipped"] = "bool"
    return pd.DataFrame(rows, columns=list(columns)).astype(kinds)
