"""The reader of PROClaim's output: a folder of files joined by claim and run, or one of its transcripts alone."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator

from core.errors import UnreadableFile, UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.wording import several
from storage.readers.decoding import decoded
from storage.readers.draft import mapping, text_or_none
from storage.readers.members import Members
from storage.readers.proclaim_debate import ProclaimDebate, matched
from storage.readers.proclaim_records import DEBATES, Gathered, Kind, ProclaimRecord, kind_of, records_of
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.tolerant_json import json_records

FORMAT = "proclaim"
LARGEST_TOGETHER = 256 << 20  # bytes of all files that are joined
MOST_LOOKED_AT = 2000  # files of a folder to recognise it by
HEAD = 1 << 18  # bytes of a file that are looked at to tell what it is
_PASSED_OVER = (".md", ".txt", ".log", ".index", ".npy", ".png", ".csv")


class ProclaimReader:
    """Knows what PROClaim and its predecessor write."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is PROClaim's: records hold a transcript with proponent and opponent, votes or a verdict."""
        if source.members is not None:
            names = source.members.names[:MOST_LOOKED_AT]
            kinds = {name: kind for name in names if (kind := _kind_of_file(source.members, name))}
            if not DEBATES & set(kinds.values()):
                return None
            words = ", ".join(sorted({kind.value for kind in kinds.values()}))
            return Recognised(FORMAT, f"Its files hold records of PROClaim: {words}.")
        kinds_here = {kind for record in source.head[:5] if (kind := kind_of(record.value)) is not None}
        if not kinds_here:
            return None
        return Recognised(FORMAT, f"Records are of PROClaim: {', '.join(sorted(kind.value for kind in kinds_here))}.")

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield a debate for each transcript, then one for each verdict that has none."""
        gathered = Gathered()
        if source.members is None:
            for record in records_of(source.values(issues), source.name, issues):
                gathered.add(record)
        else:
            _gather(source.members, gathered, issues)
        if not any(gathered.of(kind) for kind in DEBATES):
            message = "There is no transcript, evaluation or verdict in it; load it with the other files of its folder."
            issues.error("transcript_missing", message)
        outer = issues.file
        try:
            yield from _Joined(gathered, issues).debates()
        finally:
            issues.file = outer


def _kind_of_file(members: Members, name: str) -> Kind | None:
    if name.casefold().endswith(_PASSED_OVER):
        return None  # consoles' output and notes; they are only named as not used
    try:
        head = members.read(name, HEAD)
    except UnreadableFile:
        return None
    unheard = IssueLog(name)
    record = next(json_records(decoded(head, unheard).text, unheard, 20), None)
    return None if record is None else kind_of(record.value)


def _gather(members: Members, gathered: Gathered, issues: IssueLog) -> None:
    outer, together = issues.file, 0
    unused = []
    for name in members.names:
        if _kind_of_file(members, name) is None:
            unused.append(name)
            continue
        issues.file = name
        try:
            data = members.read(name)
            together += len(data)
            if together > LARGEST_TOGETHER:
                raise UnreadableFile(f"The files come to more than {LARGEST_TOGETHER >> 20} MB together; split them.")
            found = json_records(decoded(data, issues).text, issues)
            for record in records_of(found, name, issues):
                gathered.add(record)
        except UnreadableFile as error:
            issues.error("member_unreadable", str(error))
        finally:
            issues.file = outer
    if unused:
        message = f"{several(len(unused), 'file')} not of PROClaim's records are not used: {quoted(', '.join(unused))}"
        issues.info("files_unused", message)


class _Joined:
    """Records joined by claim and run."""

    def __init__(self, gathered: Gathered, issues: IssueLog) -> None:
        self.gathered = gathered
        self.issues = issues
        self.used: set[int] = set()

    def debates(self) -> Iterator[LineAndDebate]:
        """Yield every debate, those of switched roles after the one that they belong to."""
        if self.gathered.of(Kind.RUN):
            message = (
                "The figure D_t in PROClaim's runs is a constant of its program and no measurement; it is not kept."
            )
            self.issues.info("constant_figure", message)
        transcripts = self.gathered.of(Kind.TRANSCRIPT)
        groups: defaultdict[tuple[str, str, bool], list[ProclaimRecord]] = defaultdict(list)
        for record in transcripts:
            groups[self._key(record)].append(record)
        evaluations = self._evaluations(transcripts)
        for (claim, run, switched), records in groups.items():
            for place, record in enumerate(records):
                yield from self._debate(record, claim, run, switched, place, len(records), evaluations, groups)
        yield from self._orphans(evaluations)

    @staticmethod
    def _key(record: ProclaimRecord) -> tuple[str, str, bool]:
        claim = record.claim_id or text_or_none(mapping(record.data).get("claim_id"))
        return claim or text_or_none(mapping(record.data).get("claim")) or "", record.run_id, record.switched

    def _evaluations(self, transcripts: list[ProclaimRecord]) -> dict[int, ProclaimRecord]:
        """Return each transcript's evaluation: its ``claim_id`` holds the claim's text, so texts are compared."""
        by_text: defaultdict[tuple[str | None, str], list[ProclaimRecord]] = defaultdict(list)
        for record in self.gathered.of(Kind.EVALUATION):
            by_text[_claim_text(record), record.run_id].append(record)
        found: dict[int, ProclaimRecord] = {}
        alike: defaultdict[tuple[str | None, str], list[ProclaimRecord]] = defaultdict(list)
        for record in transcripts:
            if not record.switched:
                alike[_claim_text(record), record.run_id].append(record)
        for key, records in alike.items():
            for place, record in enumerate(records):
                match = matched(by_text[key], place, len(records))
                if match is not None:
                    found[id(record)] = match
                    self.used.add(id(match))
        waiting: defaultdict[str, deque[ProclaimRecord]] = defaultdict(deque)
        for record in self.gathered.of(Kind.EVALUATION):
            if id(record) not in self.used and not _claim_text(record):
                waiting[record.run_id].append(record)
        for record in transcripts:  # an evaluation may lack the claim: the order within the run is all there is
            if not record.switched and id(record) not in found and waiting[record.run_id]:
                found[id(record)] = waiting[record.run_id].popleft()
                self.used.add(id(found[id(record)]))
        return found

    def _of(self, kind: Kind, claim: str, run: str, switched: bool, place: int, of: int) -> ProclaimRecord | None:
        index = self.__dict__.setdefault("_index", {})
        if kind not in index:
            index[kind] = defaultdict(list)
            for record in self.gathered.of(kind):
                index[kind][record.claim_id, record.run_id, record.switched].append(record)
        found = index[kind].get((claim, run, switched)) or index[kind].get((claim, "", switched)) or []
        match = matched(found, place, of) or (found[-1] if found and not found[-1].run_id else None)
        if match is not None:
            self.used.add(id(match))
        return match

    def _debate(
        self,
        record: ProclaimRecord,
        claim: str,
        run: str,
        switched: bool,
        place: int,
        of: int,
        evaluations: dict[int, ProclaimRecord],
        groups: dict[tuple[str, str, bool], list[ProclaimRecord]],
    ) -> Iterator[LineAndDebate]:
        issues = self.issues
        issues.file = record.file
        name = "/".join(part for part in (claim[:200], run if run != "init" else "") if part)
        try:
            made = ProclaimDebate(issues, f"{name}/switched" if switched else name, record)
        except UnreadableRecord as error:
            issues.error("record_unreadable", f"{error} It is left out.", record.line, "data.claim")
            return
        made.draft.claim_id = claim or None
        made.transcript(record)
        if switched:
            made.draft.tags["switched"] = None
            made.kept("switched_from", name)
        elif (claim, run, True) in groups:
            made.kept("switched_run", f"{name}/switched")
        if place < of - 1 or of > 1:
            message = f"Claim {quoted(claim)} has {of} transcripts of one run; each is a debate of its own."
            issues.info("claim_repeated", message, record.line)
        for kind, take in (
            (Kind.VERDICT, made.verdict),
            (Kind.SWITCH, made.switch),
            (Kind.NEGOTIATION, made.negotiation),
            (Kind.CLAIM, made.figures),
            (Kind.OUTCOME, made.figures),
        ):
            found = self._of(kind, claim, run, False, place, of)
            if found is not None and (not switched or kind in (Kind.CLAIM, Kind.OUTCOME)):
                issues.file = found.file
                take(found)
        evaluation = evaluations.get(id(record))
        if evaluation is not None:
            issues.file = evaluation.file
            made.evaluation(evaluation)
        for kind in (Kind.RETRIEVAL,):
            found = self._of(kind, claim, run, switched, place, of)
            if found is not None:
                made.kept("retrieval_history", found.data)
        for kind in (Kind.REFLECTION, Kind.VISIBILITY):
            self._of(kind, claim, run, switched, place, of)  # copies of what the transcript holds
        issues.file = record.file
        if not switched and evaluation is None and self.gathered.of(Kind.EVALUATION):
            message = "This debate has no evaluation by judges; was the run stopped?"
            issues.warning("verdict_missing", message, record.line)
        yield record.line, made.debate()

    def _orphans(self, evaluations: dict[int, ProclaimRecord]) -> Iterator[LineAndDebate]:
        """Yield a debate without arguments for each verdict whose transcript is not there, so that none vanishes."""
        for kind in (Kind.EVALUATION, Kind.VERDICT):
            for record in self.gathered.of(kind):
                if id(record) in self.used:
                    continue
                self.issues.file = record.file
                message = f"There is a {kind.value} without its transcript; it becomes a debate without arguments."
                self.issues.warning("transcript_missing", message, record.line)
                name = record.claim_id[:200] or "claim"
                try:
                    made = ProclaimDebate(self.issues, f"{name}/{kind.value}", record)
                except UnreadableRecord as error:
                    self.issues.error("record_unreadable", f"{error} It is left out.", record.line, "data.claim")
                    continue
                (made.evaluation if kind is Kind.EVALUATION else made.verdict)(record)
                yield record.line, made.debate()


def _claim_text(record: ProclaimRecord) -> str | None:
    return text_or_none(mapping(record.data).get("claim"))


__all__ = ["ProclaimReader"]
