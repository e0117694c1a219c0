"""What PROClaim's many files hold, told apart by their content and gathered by claim and run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.import_issue import IssueLog, quoted
from storage.readers.draft import mapping, objects, text_or_none
from storage.readers.tolerant_json import JsonRecord

_STATE_NAME = re.compile(r"negotiation_state_(.+)\.json$")


class Kind(StrEnum):
    """What a record of PROClaim is."""

    TRANSCRIPT = "transcript"
    EVALUATION = "judge evaluation"
    VERDICT = "final verdict"
    SWITCH = "role switch report"
    REFLECTION = "self reflection"
    RETRIEVAL = "retrieval history"
    VISIBILITY = "judge visibility"
    NEGOTIATION = "negotiation state"
    CLAIM = "figures of a claim"
    RUN = "figures of a run"
    OUTCOME = "outcome"


DEBATES = frozenset({Kind.TRANSCRIPT, Kind.EVALUATION, Kind.VERDICT})


@dataclass(frozen=True)
class ProclaimRecord:
    """One record with what it is about. ``switched`` means that its file says that the roles were switched."""

    kind: Kind
    data: Any
    claim_id: str
    run_id: str
    file: str
    line: int
    switched: bool = False
    bare: bool = False


@dataclass
class Gathered:
    """All records of a folder."""

    by_kind: dict[Kind, list[ProclaimRecord]] = field(default_factory=dict)

    def add(self, record: ProclaimRecord) -> None:
        """Take in a record."""
        self.by_kind.setdefault(record.kind, []).append(record)

    def of(self, kind: Kind) -> list[ProclaimRecord]:
        """Return the records of a kind in their order."""
        return self.by_kind.get(kind, [])


def kind_of(value: Any) -> Kind | None:
    """Return what a value is to PROClaim: with the envelope that it writes today, or bare as older ones are."""
    whole = mapping(value)
    if "shared_pool" in whole and "judge_state" in whole:
        return Kind.NEGOTIATION
    if "claim_id" in whole and "data" in whole and "run_id" in whole:
        return _kind_of_data(whole["data"])
    if "format" in whole:
        return None  # Moot's own records have rounds too
    if "claim" in whole and "rounds" not in whole and "judges" not in whole:
        return None  # a table of somebody's own
    if "run_id" in whole and ("gt_label" in whole or "pred_label" in whole or "judge_votes" in whole):
        return Kind.CLAIM
    if "run_id" in whole and isinstance(whole.get("metrics"), dict):
        return Kind.RUN
    if {"claim_id", "verdict", "ground_truth", "correct"} <= whole.keys():
        return Kind.OUTCOME
    kind = _kind_of_data(value)
    return kind if kind in (Kind.TRANSCRIPT, Kind.EVALUATION) else None


def _kind_of_data(data: Any) -> Kind | None:
    if isinstance(data, list):
        return Kind.REFLECTION if any("total_score" in entry or "scores" in entry for entry in objects(data)) else None
    whole = mapping(data)
    if "query_evolution" in whole:
        return Kind.VISIBILITY
    if "total_retrievals" in whole and "history" in whole:
        return Kind.RETRIEVAL
    if "consistency_score" in whole or "switched_agents" in whole:
        return Kind.SWITCH
    if isinstance(whole.get("judge_verdicts"), list):
        return Kind.EVALUATION
    if any("proponent_scores" in judge or "opponent_scores" in judge for judge in objects(whole.get("judges"))):
        return Kind.EVALUATION
    if "verdict" in whole and ("key_evidence" in whole or "ground_truth_label" in whole or "reasoning" in whole):
        return Kind.VERDICT
    if "claim" in whole and any(map(_is_round, objects(whole.get("rounds")))):
        return Kind.TRANSCRIPT
    return None


def _is_round(entry: Mapping[str, Any]) -> bool:
    return any(argument.get("role") in ("proponent", "opponent") for argument in objects(entry.get("arguments")))


def records_of(found: Iterator[JsonRecord], file: str, issues: IssueLog) -> Iterator[ProclaimRecord]:
    """Yield what a file's JSON records are to PROClaim; others are noted."""
    switched = "switched" in file.rsplit("/", 1)[-1].casefold()  # nothing in a record but its file's name tells
    for record in found:
        kind = kind_of(record.value)
        whole = mapping(record.value)
        if kind is None:
            message = f"This is no record of PROClaim that Moot knows: {quoted(record.value)}; it is left out."
            issues.warning("record_unknown", message, record.line)
            continue
        enveloped = "data" in whole and "run_id" in whole
        data = whole["data"] if enveloped else record.value
        claim_id = text_or_none(whole.get("claim_id")) or ""
        if kind is Kind.NEGOTIATION:
            named = _STATE_NAME.search(file.rsplit("/", 1)[-1])
            claim_id = named[1] if named else ""
        run_id = text_or_none(whole.get("run_id")) or ""
        yield ProclaimRecord(kind, data, claim_id, run_id, file, record.line, switched, not enveloped)


__all__ = ["DEBATES", "Gathered", "Kind", "ProclaimRecord", "kind_of", "records_of"]
