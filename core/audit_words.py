"""What entries of the audit log say of things, and how that reads in one line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any

from core.audit import AuditEntry
from core.judgement import JudgementStatus, Verdict
from core.strict_json import dumps
from core.wording import chip

LONGEST = 300  # characters of one value in a line


def told_before(before: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an entry says of the judgements that a contestation challenges, by judge."""
    return {"judgements": dict(before)}


def told_after(
    debate_id: str, author: str, parent: str | None, edit_count: int, after: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what an entry says of a contestation.

    Args:
        debate_id: Of which debate.
        author: As it names itself, which is not always who saved it.
        parent: The contestation that it was forked from, if any.
        edit_count: How many edits it has.
        after: The judgements after its edits, by judge.
    """
    told: dict[str, Any] = {"debate": debate_id, "author": author, "edits": edit_count}
    if parent is not None:
        told["parent"] = parent
    return told | {"judgements": dict(after)}


def entry_records(entries: Iterable[AuditEntry], local: tzinfo = UTC) -> list[dict[str, object]]:
    """Return entries as rows of a table for people.

    Columns: Number, Time (UTC), Local time, Who, Role, Action, Object, Change, Reason.

    Args:
        entries: In the order of the rows.
        local: The reader's time zone.
    """
    return [
        {
            "Number": entry.sequence,
            "Time (UTC)": entry.moment[:19].replace("T", " "),
            "Local time": local_time(entry.moment, local),
            "Who": entry.name,
            "Role": entry.role,
            "Action": entry.action,
            "Object": f"{entry.kind} {entry.object}".rstrip(),
            "Change": change_text(entry.before, entry.after),
            "Reason": entry.reason,
        }
        for entry in entries
    ]


def local_time(moment: str, local: tzinfo) -> str:
    """Return an ISO 8601 time as date and time of a time zone; the text itself where it is none."""
    try:
        return datetime.fromisoformat(moment).astimezone(local).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError):
        return moment


def change_text(before: str, after: str) -> str:
    """Return from what to what an entry tells, in one line of plain text.

    Args:
        before, after: JSON texts of an entry.
    """
    was, now = _read(before), _read(after)
    if isinstance(was, dict) and isinstance(now, dict) and "judgements" in was and "judgements" in now:
        return _judged(was["judgements"], now["judgements"]) or _plain(now)
    if isinstance(was, dict) and isinstance(now, dict):
        changed = [key for key in dict.fromkeys([*was, *now]) if was.get(key) != now.get(key)]
        return "; ".join(f"{key}: {_plain(was.get(key))} → {_plain(now.get(key))}" for key in changed)
    if was is None:
        return "" if now is None else _plain(now)
    return f"{_plain(was)} → {'nothing' if now is None else _plain(now)}"


def _judged(was: object, now: object) -> str:
    if not isinstance(was, dict) or not isinstance(now, dict):
        return ""
    return "; ".join(
        f"{judge}: {_chip(was[judge])} → {_chip(now[judge])}"
        for judge in was
        if isinstance(was[judge], dict) and isinstance(now.get(judge), dict)
    )


def _chip(record: Mapping[str, Any]) -> str:
    verdict, score, status = record.get("verdict"), record.get("score"), record.get("status")
    try:
        return chip(
            Verdict(str(verdict)) if verdict else None,
            float(score) if isinstance(score, (int, float)) else None,
            JudgementStatus(str(status)) if status else JudgementStatus.OK,
        )
    except ValueError:  # a judgement of another program
        return _plain(record)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # a changed entry
        return text


def _plain(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, dict):
        text = ", ".join(f"{key} {_plain(entry)}" for key, entry in value.items())
    elif isinstance(value, list):
        text = ", ".join(_plain(entry) for entry in value)
    else:
        text = value if isinstance(value, str) else dumps(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


__all__ = ["change_text", "entry_records", "local_time", "told_after", "told_before"]
