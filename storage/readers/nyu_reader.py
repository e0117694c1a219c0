"""The reader of the NYU debates: debate files, the metadata on them, and the flattened form for modelling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.debate import Debate, DebateProtocol
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from storage.readers.draft import DebateDraft, finite, mapping, objects, text_or_none, texts
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.two_debaters import NAMES, TwoDebaters

FORMAT = "nyu-debate"
_SIDES = {"0": "A", "1": "B"}
_SPEECHES = ("SimultaneousSpeeches", "SequentialSpeeches")
LONGEST_QUOTE = 1000  # words of the story in one quotation
MOST_QUOTED = 100_000  # words of the story that all quotations of a debate hold


class NyuReader:
    """Knows the logs of the NYU debate platform."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is one: rounds of speeches and a judge's feedback, rows on debates, or flattened turns."""
        for record in source.head[:3]:
            kind = _kind(mapping(record.value))
            if kind is not None:
                return Recognised(FORMAT, f"It has {kind}, as the NYU debates have.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the debates."""
        for record in source.values(issues):
            whole = mapping(record.value)
            issues.locate = record.locate
            try:
                if "setup" in whole:
                    yield record.line, _debate(whole, record.line, source.name, issues)
                elif "turns" in whole:
                    yield record.line, _flattened(whole, record.line, issues)
                else:
                    yield record.line, _described(whole, record.line, issues)
            except UnreadableRecord as error:
                issues.error("record_unreadable", f"{error} It is left out.", record.line, "question")
            finally:
                issues.locate = None


def _kind(whole: Mapping[str, Any]) -> str | None:
    setup = mapping(whole.get("setup"))
    if "question" in setup and "answers" in setup and isinstance(whole.get("rounds"), list):
        return "a set-up with a question and answers, and rounds"
    if "roleAssignments" in whole and "sourceMaterialId" in whole:
        return "role assignments and a source"
    turns = objects(whole.get("turns"))
    if "question" in whole and "answers" in whole and any({"role", "text"} <= turn.keys() for turn in turns):
        return "a question, answers and turns"
    return None


def _answers(value: object) -> tuple[object, object]:
    given = value if isinstance(value, list) else []
    return (given[0] if given else None, given[1] if len(given) > 1 else None)


def _label(draft: DebateDraft, index: object, where: str) -> None:
    if index in (0, 1) and not isinstance(index, bool):
        draft.label(index == 0, where)


# -- debate files ------------------------------------------------------------------------------------------------


def _debate(whole: Mapping[str, Any], line: int, file: str, issues: IssueLog) -> Debate:
    setup = mapping(whole.get("setup"))
    made = TwoDebaters(
        issues,
        line,
        file.removesuffix(".json"),
        setup.get("question"),
        _answers(setup.get("answers")),
        "setup.question",
    )
    draft, source = made.draft, mapping(setup.get("sourceMaterial"))
    story = next((mapping(entry) for entry in source.values() if isinstance(entry, dict)), {})
    tokens = texts(story.get("contents"))
    draft.provenance["story"] = {key: story.get(key) for key in ("title", "articleId") if story.get(key) is not None}
    _label(draft, setup.get("correctAnswerIndex"), "setup.correctAnswerIndex")
    roles = mapping(setup.get("roles"))
    for role, person in roles.items():
        name = text_or_none(person) or "unknown"
        if role in NAMES.values():
            draft.agent(role, name=name, model=name if name.startswith("GPT") else None, role="debater")
    text = _Text(tokens, issues, line)
    number = 0
    judge = text_or_none(roles.get("Judge")) or "judge"
    feedback = [e for e in objects(whole.get("rounds")) if "JudgeFeedback" in e]
    heard = 0
    for place, entry in enumerate(objects(whole.get("rounds"))):
        where = f"rounds[{place}]"
        for kind in _SPEECHES:
            if kind not in entry:
                continue
            number += 1
            for index, speech in mapping(mapping(entry[kind]).get("speeches")).items():
                if index in _SIDES:
                    path = f"{where}.{kind}.speeches.{index}"
                    made.speech(_SIDES[index], number, text.of(mapping(speech).get("content"), path), path)
        if "JudgeFeedback" in entry:
            heard += 1
            given = mapping(entry["JudgeFeedback"])
            path = f"{where}.JudgeFeedback"
            said = text.of(mapping(given.get("feedback")).get("content"), path)
            made.aside(judge, number, said, "judge")
            last = heard == len(feedback) and given.get("endDebate") is True
            _belief(made, judge if last else f"{judge}, after round {number}", given, said, path, number)
        if "OfflineJudgments" in entry:
            offline = mapping(mapping(entry["OfflineJudgments"]).get("judgments"))
            _offline(made, offline, text, f"{where}.OfflineJudgments")
    if feedback and mapping(feedback[-1]["JudgeFeedback"]).get("endDebate") is not True:
        issues.info("debate_unfinished", "The judge did not end the debate; it is loaded as it stands.", line, "rounds")
    missing = [name for name in NAMES.values() if name not in roles]
    if missing:
        message = f"{' and '.join(missing)} took no part: a consultancy, in which one side is heard."
        issues.info("one_side_only", message, line, "setup.roles")
    return made.debate()


def _belief(made: TwoDebaters, judge: str, given: Mapping[str, Any], said: str, where: str, number: int) -> None:
    distribution = given.get("distribution")
    share = distribution[0] if isinstance(distribution, list) and distribution else None
    made.belief(judge, "human", share, f"{where}.distribution", reason=said, settings={"round": number})


def _offline(made: TwoDebaters, judgements: Mapping[str, Any], text: _Text, where: str) -> None:
    for judge, given in judgements.items():
        steps = objects(mapping(given).get("judgments"))
        single = mapping(mapping(given).get("judgment", mapping(given).get("result")))
        last = steps[-1] if steps else single
        distribution = last.get("distribution")
        if not isinstance(distribution, list) or not distribution:
            continue
        said = text.of(mapping(last.get("feedback")).get("content"), where)
        settings = {"mode": mapping(given).get("mode"), "steps": [step.get("distribution") for step in steps]}
        made.belief(f"{judge}, offline", "human", distribution[0], where, reason=said, settings=settings)


class _Text:
    """Turns a speech's parts into text; a quotation is a span of the story's words."""

    def __init__(self, tokens: list[str], issues: IssueLog, line: int) -> None:
        self._tokens = tokens
        self._issues = issues
        self._line = line
        self._left = MOST_QUOTED

    def of(self, content: object, where: str) -> str:
        parts = []
        for part in objects(content):
            if "Text" in part:
                parts.append(text_or_none(mapping(part["Text"]).get("text")) or "")
            elif "Quote" in part:
                parts.append(self._quote(mapping(part["Quote"]).get("span"), where))
        return "".join(parts).strip()

    def _quote(self, span: object, where: str) -> str:
        ends = [int(end) for end in span if finite(end) is not None] if isinstance(span, list) else []
        if len(ends) != 2 or not 0 <= ends[0] <= ends[1] <= len(self._tokens):
            message = f"The quotation {quoted(span)} lies outside the story; its place is kept instead of its words."
            self._issues.warning("quote_dangling", message, self._line, where)
            return f" “[{ends[0]}-{ends[1]}]” " if len(ends) == 2 else " “[?]” "
        words = self._tokens[ends[0] : min(ends[1], ends[0] + min(LONGEST_QUOTE, self._left))]
        self._left -= len(words)
        cut = " …" if len(words) < ends[1] - ends[0] else ""
        return f" “{' '.join(words)}{cut}” "


# -- other forms -------------------------------------------------------------------------------------------------


def _described(row: Mapping[str, Any], line: int, issues: IssueLog) -> Debate:
    """Return a debate of which only the metadata are here: who, on what, and what the judge came to."""
    answers = ("the first answer", "the second answer")
    made = TwoDebaters(issues, line, row.get("name"), row.get("question"), answers, "question")
    draft = made.draft
    message = "This row describes a debate without its text and its answers; the debate's own file holds them."
    issues.warning("transcript_missing", message, line)
    for role, person in mapping(row.get("roleAssignments")).items():
        name = text_or_none(person) or "unknown"
        if role in NAMES.values():
            draft.agent(role, name=name, model=name if name.startswith("GPT") else None, role="debater")
    draft.provenance["story"] = {"title": row.get("storyTitle")}
    draft.provenance["setting"] = mapping(row.get("setting"))
    complete = mapping(mapping(row.get("status")).get("Complete"))
    if not complete:
        state = next(iter(mapping(row.get("status"))), "unknown")
        issues.info("debate_unfinished", f"The debate's status is {quoted(state)}.", line, "status")
    result = mapping(complete.get("result"))
    _label(draft, result.get("correctAnswerIndex"), "status.Complete.result.correctAnswerIndex")
    final = mapping(result.get("judgingInfo")).get("finalJudgement")
    if isinstance(final, list) and final:
        judge = text_or_none(mapping(row.get("roleAssignments")).get("Judge")) or "judge"
        ended = next(iter(mapping(result.get("endedBy"))), None)
        made.belief(judge, "human", final[0], "status.Complete.result.judgingInfo", settings={"ended_by": ended})
    for judge, given in mapping(complete.get("offlineJudgingResults")).items():
        steps = objects(mapping(mapping(given).get("result")).get("judgments"))
        found = steps[-1].get("distribution") if steps else mapping(given).get("distribution")
        if isinstance(found, list) and found:
            made.belief(f"{judge}, offline", "human", found[0], "status.Complete.offlineJudgingResults")
    return draft.debate(DebateProtocol.TRANSCRIPT)


def _flattened(row: Mapping[str, Any], line: int, issues: IssueLog) -> Debate:
    made = TwoDebaters(issues, line, row.get("debateId"), row.get("question"), _answers(row.get("answers")), "question")
    draft = made.draft
    draft.provenance["story"] = {"title": row.get("storyTitle")}
    correct, answers = row.get("correctAnswer"), _answers(row.get("answers"))
    _label(draft, answers.index(correct) if correct in answers else correct, "correctAnswer")
    number = 1
    turns = objects(row.get("turns"))
    for place, turn in enumerate(turns):
        where, role = f"turns[{place}]", text_or_none(turn.get("role")) or ""
        side = next((side for side, name in NAMES.items() if name == role), None)
        if side is None and "debater" in role.casefold():
            side = _SIDES.get(text_or_none(turn.get("index")) or "")
        if side is not None:
            made.speech(side, number, turn.get("text"), f"{where}.text")
            continue
        made.aside(role or "judge", number, turn.get("text"), "judge")
        share = turn.get("probabilities")
        if isinstance(share, list) and share:
            last = not any(isinstance(later.get("probabilities"), list) for later in turns[place + 1 :][:10])
            name = "judge" if last else f"judge, after turn {place}"
            made.belief(name, "human", share[0], f"{where}.probabilities", settings={"round": number})
            number += 1
    return made.debate()


__all__ = ["NyuReader"]
