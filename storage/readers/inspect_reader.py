"""The reader of Inspect AI logs: ``.eval`` archives, read one sample at a time, and the same as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.errors import UnreadableFile, UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.strict_json import strict
from core.wording import several
from storage.readers.decoding import decoded
from storage.readers.draft import mapping, objects, text_or_none
from storage.readers.inspect_json import HEADER, UNFINISHED
from storage.readers.inspect_sample import sample_debate
from storage.readers.members import Members
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.tolerant_json import JsonRecord, json_records

FORMAT = "inspect"
_HEADERS = (HEADER, UNFINISHED)
REDUCTIONS = "reductions.json"
_REDUCED = ("value", "answer", "explanation")


class InspectReader:
    """Knows the logs of Inspect AI, versions 2 and 3, and tells an index of logs from a log."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is an Inspect log: it has ``eval`` with a task and a model, and samples or a status."""
        if source.members is not None:
            name = _header_name(source.members)
            header = {} if name is None else mapping(_value(source.members, name, IssueLog()))
            if name is None or not _is_log({"status": "started", **header}):
                return None
            return Recognised(
                FORMAT, f"It has the header of an Inspect AI log{_version(header)}, and samples one by one."
            )
        for record in source.head[:1]:
            whole = mapping(record.value)
            if _is_log(whole):
                return Recognised(FORMAT, f"It has 'eval' with a task, as an Inspect AI log has{_version(whole)}.")
            if whole and all(_is_log(mapping(entry)) for entry in whole.values()):
                return Recognised(FORMAT, "Every entry is the header of an Inspect AI log.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each sample."""
        if source.members is not None:
            yield from _of_archive(source.members, issues)
            return
        for record in source.values(issues):
            whole = mapping(record.value)
            if not _is_log(whole):
                names = ", ".join(list(whole)[:20])
                message = f"This is an index of logs and holds no samples itself; load the logs that it names: {names}."
                issues.error("index_of_logs", message, record.line)
                continue
            samples = objects(whole.get("samples"))
            if not samples:
                message = "The log holds no samples (a header only); load the log that it belongs to."
                issues.error("samples_missing", message, record.line, "samples")
            issues.locate = record.locate
            try:
                _told(whole, issues, record.line)
                reduced = _reductions(whole.get("reductions"), issues, record.line)
                for index, sample in enumerate(samples):
                    path = f"samples[{index}]"
                    line = record.locate(path) if record.locate is not None else None
                    yield from _sample(sample, whole, line or record.line, path, issues, reduced)
            finally:
                issues.locate = None


def _of_archive(members: Members, issues: IssueLog) -> Iterator[LineAndDebate]:
    name = _header_name(members)
    header = mapping(_value(members, name, issues)) if name is not None else {}
    if name != _HEADERS[0]:
        message = "The log has no header.json; it is still being written or was cut off. What is there is read."
        issues.warning("log_unfinished", message)
    _told(header, issues, None)
    beside = _value(members, REDUCTIONS, IssueLog()) if REDUCTIONS in members.names else header.get("reductions")
    reduced = _reductions(beside, issues, None)
    outer = issues.file
    there = [name for name in members.names if name.startswith("samples/") and name.endswith(".json")]
    for name in there:
        issues.file = name
        try:
            for record in _records(members, name, issues):
                issues.locate = record.locate
                yield from _sample(mapping(record.value), header, record.line, "", issues, reduced)
                issues.locate = None
        except UnreadableFile as error:
            issues.error("member_unreadable", str(error))
        finally:
            issues.locate, issues.file = None, outer
    _missing(members, set(there), issues)
    if not there:
        issues.error("samples_missing", "The log holds no samples yet.")


def _sample(
    sample: Mapping[str, Any],
    log: Mapping[str, Any],
    line: int,
    where: str,
    issues: IssueLog,
    reduced: Mapping[str, list[dict[str, Any]]],
) -> Iterator[LineAndDebate]:
    try:
        debate = sample_debate(sample, log, line, where, issues)
        found = reduced.get(text_or_none(sample.get("id")) or "")
        yield line, replace(debate, provenance={**debate.provenance, "reductions": found}) if found else debate
    except UnreadableRecord as error:
        issues.error("record_unreadable", f"{error} The sample is left out.", line, where or "input")


def _reductions(value: object, issues: IssueLog, line: int | None) -> dict[str, list[dict[str, Any]]]:
    """Return what each scorer makes of all epochs of a sample together, by the sample's id."""
    found: dict[str, list[dict[str, Any]]] = {}
    for reduction in objects(value):
        about = {key: reduction[key] for key in ("scorer", "reducer") if text_or_none(reduction.get(key)) is not None}
        for sample in objects(reduction.get("samples")):
            name = text_or_none(sample.get("sample_id"))
            if name is not None:
                kept = {key: strict(sample[key]) for key in _REDUCED if sample.get(key) not in (None, "")}
                found.setdefault(name, []).append(about | kept)
    if found:
        message = f"Scores over all epochs of {several(len(found), 'sample')} are kept in the debates' provenance."
        issues.info("reductions_kept", message, line, "reductions")
    return found


def _missing(members: Members, there: set[str], issues: IssueLog) -> None:
    """Note samples that the summaries list and the archive does not have."""
    if "summaries.json" not in members.names:
        return
    try:
        summaries = objects(_value(members, "summaries.json", IssueLog()))
    except UnreadableFile as error:
        issues.warning("member_unreadable", str(error))
        return
    for summary in summaries:
        name = f"samples/{summary.get('id')}_epoch_{summary.get('epoch')}.json"
        if name not in there:
            message = f"The summaries list the sample {quoted(name)}, which the archive does not have."
            issues.warning("sample_missing", message)


def _told(log: Mapping[str, Any], issues: IssueLog, line: int | None) -> None:
    """Note what the header says of how the log ended."""
    status = log.get("status")
    if status not in (None, "success"):
        message = f"The log's status is {quoted(status)}; it may not hold everything."
        issues.warning("log_not_whole", message, line, "status")
    if log.get("invalidated"):
        issues.warning("log_invalidated", "The log was marked as invalid by those who made it.", line, "invalidated")


def _is_log(whole: Mapping[str, Any]) -> bool:
    evaluated = mapping(whole.get("eval"))
    return "task" in evaluated and ("samples" in whole or "status" in whole or "version" in whole)


def _version(header: Mapping[str, Any]) -> str:
    version = header.get("version")
    return f" (version {version})" if isinstance(version, int) else ""


def _header_name(members: Members) -> str | None:
    return next((name for name in _HEADERS if name in members.names), None)


def _records(members: Members, name: str, issues: IssueLog) -> Iterator[JsonRecord]:
    return json_records(decoded(members.read(name), issues).text, issues)


def _value(members: Members, name: str, issues: IssueLog) -> Any:
    """Return the value of a JSON file in an archive; of a list of objects all of them, None when there is none."""
    try:
        found = [record.value for record in _records(members, name, issues)]
    except UnreadableFile:
        return None
    return found[0] if len(found) == 1 and name not in ("summaries.json", REDUCTIONS) else found or None


__all__ = ["InspectReader"]
