"""JSON Lines in, JSON Lines out: the strengths of one QBAF a line.

In:  ``{"id", "topic", "arguments": [[name, base score], ...], "attacks": [[from, to], ...], "supports": [...]}``;
``id`` and ``topic`` may be absent, other fields are ignored.
Out: ``{"id", "strengths": {name: value}, "status": "ok" | "not converged" | "refused", "reason"}``.

For "not converged" the strengths are the last ones of the search, for inspection: they are no result. For "refused"
there are none, and the reason names line and field. For "ok" the reason is empty.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from core.qbaf import QBAF
from core.semantics import Evaluation, GradualSemantics
from core.semantics import semantics as semantics_by_key

# They end a line for some readers, though not for JSON.
_LINE_BREAKS = {ord(character): f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}


class _Refused(Exception):  # a result, not an error of the program
    """A line that is no QBAF; the message names the field."""


def evaluate_lines(lines: Iterable[str], semantics: str = "df-quad", conservativeness: float = 1.0) -> Iterator[str]:
    """Return one line of strict JSON, without its line end, for every line that is not blank.

    Args:
        lines: JSON Lines, one QBAF each.
        semantics: A key of ``core.semantics.SEMANTICS``.
        conservativeness: 1 or more; 1 for semantics that have none.

    Raises:
        InvalidSetting: At once, if semantics and conservativeness do not fit. Whatever is wrong with a line is in its
            result, never an exception.
    """
    return _results(lines, semantics_by_key(semantics, conservativeness))


def _results(lines: Iterable[str], gradual: GradualSemantics) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        text = line.strip().removeprefix("\ufeff")  # some editors begin a file with a byte order mark
        if text:
            yield _result(number, text, gradual)


def _result(number: int, text: str, gradual: GradualSemantics) -> str:
    name: object = None
    try:
        record, faults = _record(text)
        name = _readable_id(record)
        qbaf = _qbaf(record)
        if faults:
            raise _Refused(faults[0])
    except _Refused as refusal:
        return _line(name, {}, "refused", f"Line {number}: {refusal}")
    evaluation = gradual.evaluate(qbaf)
    return _line(name, evaluation.by_name, evaluation.status.value, _reason(number, evaluation))


def _reason(number: int, evaluation: Evaluation) -> str:
    if evaluation.converged:
        return ""
    return (
        f"Line {number}: attacks and supports form a cycle without a fixed point that could be found; after "
        f"{evaluation.iterations} steps strengths still moved by {evaluation.residual:.3g}, so they are no result."
    )


def _line(name: object, strengths: dict[str, float], status: str, reason: str) -> str:
    result = {"id": name, "strengths": strengths, "status": status, "reason": reason}
    line = json.dumps(result, ensure_ascii=False, allow_nan=False)
    try:
        line.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which UTF-8 cannot hold
        return json.dumps(result, allow_nan=False)
    return line.translate(_LINE_BREAKS)


def _record(text: str) -> tuple[dict[str, Any], list[str]]:
    """Return the object that a line holds, and what JSON does not allow in it.

    Such faults are reported only after the id has been read, and only if no field has a plainer one.
    """
    faults: list[str] = []

    def constant(word: str) -> float:
        faults.append(f"the line holds {word}, which is no number in JSON.")
        return math.nan

    def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            repeated = next(name for name in found if names.count(name) > 1)
            faults.append(f"field {_quoted(repeated)} is given twice.")
        return found

    try:
        record = json.loads(text, parse_constant=constant, object_pairs_hook=without_repeats)
    except RecursionError:
        raise _Refused("the line is nested too deeply.") from None
    except ValueError as error:
        raise _Refused(f"the line is not valid JSON ({error}).") from error
    if not isinstance(record, dict):
        raise _Refused(f"the line is {_kind(record)}; it must be an object.")
    return record, faults


def _readable_id(record: dict[str, Any]) -> str | int | float | None:
    value = record.get("id")
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return value
    raise _Refused(f"field 'id' is {_kind(value)}; it must be a text or a finite number.")


def _qbaf(record: dict[str, Any]) -> QBAF:
    arguments = _arguments(record)
    attacks, supports = (_relations(record, field, arguments) for field in ("attacks", "supports"))
    topic = record.get("topic")
    if topic is not None and not isinstance(topic, str):
        raise _Refused(f"field 'topic' is {_kind(topic)}; it must be the name of an argument.")
    if topic is not None and topic not in arguments:
        raise _Refused(f"field 'topic' names {_quoted(topic)}, which is no argument.")
    return QBAF.build(list(arguments.items()), attacks, supports)


def _arguments(record: dict[str, Any]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for place, (name, score) in _pairs(record, "arguments", "[name, base score]"):
        where = f"field 'arguments', entry {place}"
        if not isinstance(name, str):
            raise _Refused(f"{where}: the name is {_kind(name)}; it must be a text.")
        if name in scores:
            raise _Refused(f"{where}: {_quoted(name)} is listed twice; names must be unique.")
        if isinstance(score, bool) or not isinstance(score, (int, float)):
            raise _Refused(f"{where}: the base score is {_kind(score)}; it must be a number in [0, 1].")
        if not 0 <= score <= 1:  # NaN fails it too
            raise _Refused(f"{where}: the base score is {repr(score)[:30]}; it must lie in [0, 1].")
        scores[name] = float(score)
    return scores


def _relations(record: dict[str, Any], field: str, arguments: dict[str, float]) -> list[tuple[str, str]]:
    relations: list[tuple[str, str]] = []
    for place, pair in _pairs(record, field, "[from, to]"):
        for end in pair:
            if not isinstance(end, str):
                raise _Refused(f"field '{field}', entry {place}: an end is {_kind(end)}; it must be a name.")
            if end not in arguments:
                raise _Refused(f"field '{field}', entry {place}: {_quoted(end)} is no argument.")
        relations.append((pair[0], pair[1]))
    return relations


def _pairs(record: dict[str, Any], field: str, shape: str) -> Iterator[tuple[int, list[Any]]]:
    if field not in record:
        raise _Refused(f"field '{field}' is missing; it must be a list of {shape}.")
    entries = record[field]
    if not isinstance(entries, list):
        raise _Refused(f"field '{field}' is {_kind(entries)}; it must be a list of {shape}.")
    for place, entry in enumerate(entries, start=1):
        if not isinstance(entry, list) or len(entry) != 2:
            what = f"a list of {len(entry)}" if isinstance(entry, list) else _kind(entry)
            raise _Refused(f"field '{field}', entry {place} is {what}; it must be {shape}.")
        yield place, entry


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text {_quoted(value)}"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"


def _quoted(name: str) -> str:
    return repr(name if len(name) <= 60 else f"{name[:59]}…")
