"""Judgements as a file, one a line: to ship, to share, and to bring in what was judged elsewhere.

    {"format": "moot-judgement/1", "debate_id": ..., "content": ..., "judge": {...settings}, "score": 0.62,
     "verdict": "true", "status": "ok", "explanation": ..., "models": [...], ...}

``content`` is a hash of what was judged: a line is taken only for a debate that still says the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.debate import profile
from core.errors import InvalidScore, InvalidSetting, MootError, UnreadableFile
from core.judgement import Judgement, JudgementStatus, Verdict
from core.judges.registry import settings_id
from core.llm.request import canonical
from core.opinion import OpinionProfile, checked_score
from core.strict_json import dumps, storable
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.judgement_repository import FoundJudgement, JudgementRepository

FORMAT = "moot-judgement/1"
HASH_LENGTH = 16


@dataclass(frozen=True)
class Loaded:
    """What became of a file of judgements: how many were stored, and how many lines were left out for which reason."""

    stored: int
    left_out: Mapping[str, int]


def content_hash(judged: OpinionProfile) -> str:
    """Return a hash of what judges read of a debate: claim, stances, arguments and relations."""
    plain = {
        "claim": judged.claim,
        "shared": judged.shared,
        "stances": [[s.agent_id, s.prior, s.posterior] for s in judged.stances],
        "arguments": [[a.id, a.text, a.author, a.base_score] for a in judged.arguments],
        "relations": sorted([r.source, r.target, r.kind.value] for r in judged.relations),
    }
    return hashlib.sha256(canonical(plain).encode()).hexdigest()[:HASH_LENGTH]


def judgement_lines(database: Database, judges: Sequence[str], debates: Sequence[str]) -> Iterator[str]:
    """Return the judgements of judges on debates, one a line, without line ends: judge by judge, debates in order."""
    repository, stored = JudgementRepository(database), DebateRepository(database)
    contents = {name: content_hash(judged) for name, judged in stored.profiles(debates).items()}
    found = {
        (one.judge_id, one.debate_id): one
        for one in repository.on_debates(judges, [d for d in debates if d in contents])
    }
    for judge in judges:
        for debate in debates:
            if (judge, debate) in found:
                yield _line(found[judge, debate], contents[debate])


def load_judgements(database: Database, lines: Iterable[str], origin: str) -> Loaded:
    """Store the judgements of a file's lines on the debates that are here and say the same as those judged.

    Args:
        database: Where they go. What it holds of the same judge on the same debate stays.
        lines: Of the file.
        origin: What is to be said wherever these judgements are shown.
    """
    repository, debates = JudgementRepository(database), DebateRepository(database)
    left_out: dict[str, int] = {}
    known: dict[str, tuple[str, str]] = {}
    rows = []
    for line in lines:
        if not line.strip():
            continue
        try:
            record = _record(line)
            debate_id = storable(str(record["debate_id"]))
            if debate_id not in known:
                known[debate_id] = _here(debates, debate_id)
            dataset, content = known[debate_id]
            if record["content"] != content:
                raise _LeftOut("the debate says something else than the one judged" if dataset else "no such debate")
            rows.append(_found(record, dataset, debate_id, origin))
        except _LeftOut as reason:
            left_out[str(reason)] = left_out.get(str(reason), 0) + 1
    return Loaded(repository.keep_found(rows), left_out)


def load_judgement_file(database: Database, file: Path, origin: str) -> Loaded:
    """Store the judgements of a file.

    Raises:
        UnreadableFile: If it cannot be read.
    """
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{file.name} cannot be read: {error}.") from error
    return load_judgements(database, lines, origin)


class _LeftOut(MootError):
    """A line that is not taken, with the reason."""


def _here(debates: DebateRepository, debate_id: str) -> tuple[str, str]:
    """Return a debate's dataset and content; two empty texts if it is not stored."""
    if not debates.exists(debate_id):
        return "", ""
    listed = debates.list(DebateFilter(ids=(debate_id,)))
    return str(listed["dataset_id"].iloc[0]), content_hash(profile(debates.get(debate_id)))


def _line(found: FoundJudgement, content: str) -> str:
    said = found.judgement
    return dumps(
        {
            "format": FORMAT,
            "debate_id": found.debate_id,
            "content": content,
            "judge": dict(said.settings),
            "judge_name": said.judge,
            "score": said.score,
            "verdict": None if said.verdict is None else said.verdict.value,
            "status": said.status.value,
            "explanation": said.explanation,
            "parts": [_outcome(part) for part in said.parts],
            "notes": list(said.notes),
            "models": list(found.models),
            "calls": found.calls,
            "tokens_in": found.tokens_in,
            "tokens_out": found.tokens_out,
            "cost": found.cost,
            "seconds": round(found.seconds, 3),
        }
    )


def _outcome(said: Judgement) -> dict[str, Any]:
    return {
        "judge": said.judge,
        "score": said.score,
        "verdict": None if said.verdict is None else said.verdict.value,
        "status": said.status.value,
        "explanation": said.explanation,
        "notes": list(said.notes),
    }


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise _LeftOut("no JSON") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise _LeftOut(f"no {FORMAT} record")
    if not {"debate_id", "content", "judge", "status"} <= set(record) or not isinstance(record["judge"], dict):
        raise _LeftOut("a field is missing")
    return record


def _judgement(record: Mapping[str, Any], name: str, settings: Mapping[str, Any]) -> Judgement:
    try:
        score = checked_score("The score", record.get("score"))
        verdict = None if record.get("verdict") is None else Verdict(record["verdict"])
        status = JudgementStatus(record["status"])
        parts = tuple(_judgement(part, str(part.get("judge", "")), {}) for part in record.get("parts") or ())
    except (InvalidScore, ValueError, AttributeError, TypeError, KeyError):
        raise _LeftOut("a score, verdict or status that is none") from None
    if (score is None and verdict is None) == (status in {JudgementStatus.OK, JudgementStatus.ABSTAINED}):
        raise _LeftOut("a verdict without a judgement, or the other way round")
    notes = tuple(str(note) for note in record.get("notes") or ())
    return Judgement(name, score, verdict, status, {}, str(record.get("explanation", "")), settings, parts, notes)


def _found(record: Mapping[str, Any], dataset: str, debate_id: str, origin: str) -> FoundJudgement:
    settings = record["judge"]
    said = _judgement(record, str(record.get("judge_name") or settings.get("judge") or "judge"), settings)
    try:
        return FoundJudgement(
            settings_id(settings),
            dataset,
            debate_id,
            said,
            (),
            "",
            origin,
            tuple(str(model) for model in record.get("models") or ()),
            int(record.get("calls") or 0),
            record.get("tokens_in"),
            record.get("tokens_out"),
            record.get("cost"),
            float(record.get("seconds") or 0.0),
        )
    except (TypeError, ValueError, InvalidSetting):
        raise _LeftOut("a field of the wrong kind") from None


__all__ = ["FORMAT", "Loaded", "content_hash", "judgement_lines", "load_judgement_file", "load_judgements"]
