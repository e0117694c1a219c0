"""The reader of post-hoc-theory records: opinions, or rounds of opinions, or rounds of one shared framework."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.import_issue import IssueLog
from storage.readers.json_debates import debates_of
from storage.readers.post_hoc_record import PostHocRecord, scores_of
from storage.readers.scales import Scales
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "post-hoc"


class PostHocReader:
    """Knows the records in which "A Theory of Post-hoc Debate Judgement" can be replicated."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why these are post-hoc records: they hold opinions, frameworks or a scenario."""
        for record in source.sample:
            sign = _sign(record.value)
            if sign is not None:
                return Recognised(FORMAT, f"Records have {sign}, as post-hoc records have.", source.mapping)
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the debates. The file is gone through twice: the scale of a score is known from all of them."""
        scales = Scales({} if source.mapping is None else source.mapping.scales)
        for record in source.records(IssueLog()):  # what goes wrong is noted the second time
            if isinstance(record.value, dict):
                for column, value in scores_of(record.value):
                    scales.add(column, value)
        decided = scales.decide(issues)
        yield from debates_of(source, issues, lambda record, line: PostHocRecord(issues, line, decided).read(record))


def _sign(record: Any) -> str | None:
    if not isinstance(record, dict):
        return None
    if isinstance(record.get("opinions"), list):
        return "opinions"
    rounds = record.get("rounds")
    for entry in rounds if isinstance(rounds, list) else ():
        for key in ("opinions", "framework"):
            if isinstance(entry, dict) and key in entry:
                return f"rounds with {'opinions' if key == 'opinions' else 'a framework'}"
    if isinstance(record.get("scenario"), str) and "claim" in record:
        return "a claim and a scenario"
    return None
