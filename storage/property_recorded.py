"""Language models whose judgements came with the debates, by the variant of the prompt that the records name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.overview import Scored
from core.strict_json import storable
from storage.database import Database

RECORDED = "recorded"  # the setting that names the judge in the records
NAMINGS = {"named": False, "anonymised": True}
_VARIANT = "json_extract_string(r.settings, '$.variant')"
_ANONYMISED = "TRY_CAST(json_extract_string(r.settings, '$.anonymised') AS BOOLEAN)"


def recorded_variants(database: Database, changes: Mapping[str, Any], dataset: str = "") -> list[dict[str, Any]]:
    """Return the settings of each recorded language model with judgements of a variant; none if that is not named.

    Args:
        database: Where the records are.
        changes: ``naming`` and ``stance``, and nothing that records do not tell, such as a temperature.
        dataset: Only in this data set, by id or name; empty for any.
    """
    naming, stance = changes.get("naming"), changes.get("stance")
    if naming not in NAMINGS or stance is None or set(changes) != {"naming", "stance"}:
        return []
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT DISTINCT r.judge FROM recorded_judgement AS r JOIN debate AS d ON d.number = r.debate "  # noqa: S608
            f"JOIN dataset AS s ON s.id = d.dataset_id WHERE r.kind = 'llm' AND {_VARIANT} = ? AND {_ANONYMISED} = ? "
            "AND (? = '' OR s.id = ? OR s.name = ?) ORDER BY 1",
            [storable(str(stance)), NAMINGS[str(naming)], *[storable(dataset)] * 3],
        ).fetchall()
    return [
        {"kind": "llm", RECORDED: judge, "model": judge, "naming": naming, "stance": str(stance)} for (judge,) in rows
    ]


def recorded_said(database: Database, settings: Mapping[str, Any]) -> dict[str, Scored]:
    """Return what such a judge said, by debate id; a score without a verdict gets that of the published rule."""
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT d.id, r.score, r.verdict, r.status FROM recorded_judgement AS r "  # noqa: S608
            f"JOIN debate AS d ON d.number = r.debate WHERE r.kind = 'llm' AND r.judge = ? AND {_VARIANT} = ? "
            f"AND {_ANONYMISED} = ?",
            [storable(str(settings[RECORDED])), settings["stance"], NAMINGS[settings["naming"]]],
        ).fetchall()
    return {name: decided(score, verdict, status) for name, score, verdict, status in rows}


def decided(score: float | None, verdict: str | None, status: str) -> Scored:
    """Return a recorded judgement; one that has a score alone gets the verdict of the published rule."""
    said = Verdict(verdict) if verdict else None
    if said is None and score is not None and status == JudgementStatus.OK:
        said = DecisionRule().verdict(score)
    return Scored(score, said, JudgementStatus(status))


__all__ = ["RECORDED", "decided", "recorded_said", "recorded_variants"]
