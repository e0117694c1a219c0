"""One debate while an importer gathers it: whatever is added, what comes out keeps to the model.

Readers of foreign formats say what they found and where; ids are made unique, scores kept within [0, 1] or missing,
relations checked at the end, and everything mended is noted with its line and field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from core.debate import Agent, Debate, DebateProtocol, Message, RecordedJudgement, Round
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.judgement import JudgementStatus, Verdict
from core.label_text import plain_label, read_label
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.provider_errors import is_provider_error
from core.record_reading import plain_text, unused_name
from core.score_text import Scale, read_score
from core.strict_json import strict

UNKNOWN = "unknown"  # whoever has no name
MOST_COMPARED = 100  # arguments of a debate that are looked through for one another
LONG_ENOUGH = 120  # characters of an argument that says something of its own
LONGEST_COMPARED = 20_000  # characters
LONGEST_HOLDING = 100_000  # characters of an argument that may hold others
MOST_CARRIED = 200_000  # arguments and relations that all rounds of a debate hold together


@dataclass
class _DraftRound:
    arguments: dict[str, Argument] = field(default_factory=dict)
    relations: dict[Relation, str] = field(default_factory=dict)  # with the field each comes from
    stances: dict[str, dict[str, float]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)


class DebateDraft:
    """Takes in what a log says of one debate.

    Args:
        issues: Takes what had to be mended.
        line: Where the debate begins.
        debate_id: The source's id, or one made of what there is.
        claim: The text to judge.
        claim_field: Where the claim stands.

    Raises:
        UnreadableRecord: If the claim is no text, or an empty one.
    """

    def __init__(
        self, issues: IssueLog, line: int | None, debate_id: object, claim: object, claim_field: str = "claim"
    ) -> None:
        self.issues = issues
        self.line = line
        if isinstance(claim, (int, float)) and not isinstance(claim, bool):
            claim = plain_text(claim)
        if not isinstance(claim, str) or not claim.strip():
            found = "there is none" if claim is None else f"it is {quoted(claim)}"
            raise UnreadableRecord(f"A debate needs a claim, a text under {claim_field!r}; {found}.")
        self.id = text_or_none(debate_id) or f"debate-{line or 1}"
        self.claim = claim
        self.provenance: dict[str, Any] = {}
        self.title: str | None = None
        self.claim_id: str | None = None
        self.note: str | None = None
        self.tags: dict[str, None] = {}
        self.exhibits: list[Mapping[str, Any]] = []
        self._label: bool | None = None
        self._agents: dict[str, Agent] = {}
        self._rounds: dict[int, _DraftRound] = {}
        self._judgements: list[RecordedJudgement] = []
        self._messages: list[Message] = []
        self._noted: set[tuple[Relation, str]] = set()

    @property
    def unlabelled(self) -> bool:
        """Return whether no gold label is known."""
        return self._label is None

    def label(self, value: object, where: str) -> None:
        """Take in the gold label; one that is neither true nor false is noted and unknown."""
        self._label, readable = read_label(value)
        if not plain_label(value):
            self.provenance["label"] = strict(value)
        if not readable:
            message = f"The label is {quoted(value)}; it is neither true nor false, so it is unknown."
            self.issues.warning("label_unreadable", message, self.line, where)

    def agent(
        self,
        agent_id: str,
        *,
        name: object = None,
        model: object = None,
        role: object = None,
        persona: object = None,
        temperature: object = None,
    ) -> str:
        """Take in an agent, or what else is known of one; the first value of each kind is kept. Returns its id."""
        agent_id = text_or_none(agent_id) or UNKNOWN
        known = self._agents.get(agent_id) or Agent(agent_id)
        self._agents[agent_id] = Agent(
            agent_id,
            known.name or text_or_none(name),
            known.model or text_or_none(model),
            known.role or text_or_none(role),
            known.persona or text_or_none(persona),
            known.temperature if known.temperature is not None else finite(temperature),
        )
        return agent_id

    @property
    def round_numbers(self) -> list[int]:
        """Return the numbers of the rounds in order; there is at least one."""
        return sorted(self._rounds) or [0]

    def argument_ids(self, number: int) -> set[str]:
        """Return the ids of a round's arguments."""
        return set(self._rounds[number].arguments) if number in self._rounds else set()

    def holds_round(self, number: int) -> None:
        """Take in that a round exists, even without arguments."""
        self._rounds.setdefault(number, _DraftRound())

    def argument(
        self,
        number: int,
        wished: object,
        text: object,
        where: str,
        *,
        author: str | None = None,
        score: object = None,
        score_field: str = "",
        scale: Scale | None = Scale.UNIT,
        source: str | None = None,
        line: int | None = None,
    ) -> str:
        """Take in an argument and return the id it has got: another one than wished for where that is taken.

        Args:
            number: The round.
            wished: The id in the source.
            text: As written; anything that is no text becomes one.
            where: The field that holds the text.
            author: Who put it forward.
            score: The base score as written; None is a missing one.
            score_field: Where it stands.
            scale: What a bare number there means.
            source: Where the argument comes from.
            line: Where it stands, if not where the debate does.
        """
        at = self.line if line is None else line
        author = text_or_none(author)
        held = self._rounds.setdefault(number, _DraftRound())
        name = text_or_none(wished) or f"argument-{len(held.arguments) + 1}"
        source_id = None
        if name in held.arguments or name == TOPIC:
            source_id = name
            name = unused_name(name, held.arguments, held.numbers)
            code = "argument_id_reserved" if source_id == TOPIC else "argument_id_repeated"
            why = "stands for the claim" if source_id == TOPIC else "is taken in this round"
            message = f"The id {quoted(source_id)} {why}; this argument is called {quoted(name)}."
            self.issues.warning(code, message, at, where)
        written = text if isinstance(text, str) else "" if text is None else plain_text(text)
        if not written.strip():
            self.issues.warning("argument_text_missing", f"Argument {quoted(name)} has no text.", at, where)
        failed = is_provider_error(written)
        if failed:
            message = f"{quoted(written)} is a provider's failure message, not an argument; judges leave it out."
            self.issues.warning("provider_error", message, at, where)
        value, raw = self.score(score, f"The base score of {quoted(name)}", score_field or where, scale, at)
        held.arguments[name] = Argument(
            name, written, author, value, source_id, raw, is_error_text=failed, source=source or None
        )
        return name

    def relation(self, number: int, source: str, target: str, kind: RelationKind, where: str) -> None:
        """Take in that an argument bears on another one or on the topic; what is odd about it is noted at the end."""
        held = self._rounds.setdefault(number, _DraftRound())
        relation = Relation(source, target, kind)
        if relation in held.relations:
            message = f"{quoted(source)} bears on {quoted(target)} already; it counts once."
            self.issues.warning("relation_repeated", message, self.line, where)
        held.relations.setdefault(relation, where)

    def stance(
        self, number: int, agent: str, kind: str, value: object, where: str, scale: Scale | None = Scale.UNIT
    ) -> None:
        """Take in a ``prior`` or ``posterior`` stance; a missing or unreadable one stays missing."""
        if value is None:
            return
        agent = text_or_none(agent) or UNKNOWN
        held = self._rounds.setdefault(number, _DraftRound()).stances.setdefault(agent, {})
        read, raw = self.score(value, f"The {kind} stance of {quoted(agent)}", where, scale, self.line)
        if raw is not None:
            self.keep(where, raw)
        if read is not None:
            held.setdefault(kind, read)

    def judgement(
        self,
        judge: object,
        kind: str,
        *,
        score: object = None,
        verdict: Verdict | None = None,
        status: JudgementStatus = JudgementStatus.OK,
        explanation: object = "",
        settings: Mapping[str, Any] | None = None,
        where: str = "",
        scale: Scale | None = Scale.UNIT,
    ) -> None:
        """Take in a judgement that came with the log; a score that is none is kept among its settings."""
        kept = {key: strict(value) for key, value in (settings or {}).items() if value not in (None, "", [], {})}
        read, raw = self.score(score, "The judge's score", where, scale, self.line)
        if raw is not None:
            kept["score_raw"] = raw
        name = text_or_none(judge) or UNKNOWN
        reason = explanation if isinstance(explanation, str) else "" if explanation is None else plain_text(explanation)
        self._judgements.append(RecordedJudgement(name, kind, read, verdict, status, reason, kept))

    def message(
        self, speaker: object, text: object, *, round: int | None = None, role: object = None, model: object = None
    ) -> None:
        """Take in one turn of the talk."""
        written = text if isinstance(text, str) else "" if text is None else plain_text(text)
        who = text_or_none(speaker) or UNKNOWN
        self._messages.append(Message(who, written, round, text_or_none(role), text_or_none(model)))

    def keep(self, where: str, value: object) -> None:
        """Keep what has no place in a debate, by where it stood."""
        if value not in (None, "", [], {}):
            self.provenance.setdefault("extra", {})[where] = strict(value)

    def carry_forward(self) -> None:
        """Let each round hold what was said in the rounds before it too, as judges read the last round.

        Where that would be more than a debate can hold, rounds stay as they are, with a warning.
        """
        numbers = sorted(self._rounds)
        sizes = [len(self._rounds[number].arguments) + len(self._rounds[number].relations) for number in numbers]
        if sum(size * (len(sizes) - place) for place, size in enumerate(sizes)) > MOST_CARRIED:
            message = "There are so many rounds that each keeps only what was said in it; the last is what judges read."
            self.issues.warning("rounds_not_carried", message, self.line, "rounds")
            return
        for earlier, later in pairwise(numbers):
            before, after = self._rounds[earlier], self._rounds[later]
            after.arguments = before.arguments | after.arguments
            after.relations = before.relations | after.relations

    def missing_scores(self, why: str) -> None:
        """Note once that the format gives no base scores."""
        message = f"{why}; base scores are kept as missing. How to fill them in is chosen when judging."
        self.issues.info("base_scores_missing", message, self.line)

    def score(
        self, value: object, what: str, where: str, scale: Scale | None, line: int | None
    ) -> tuple[float | None, str | None]:
        """Return a score in [0, 1] or None, and what stood there if it is not that number."""
        read = read_score(value, scale)
        if read.problem is not None and read.problem != "score_scale_unknown":
            message = f"{what} is {quoted(value)}: {read.why}; it is kept as missing."
            self.issues.warning(read.problem, message, line, where)
        return read.value, read.raw

    def _note_repeats(self) -> None:
        """Note an argument that holds earlier ones word for word, as where a whole talk was recorded as one."""
        told: dict[str, str] = {}
        for held in self._rounds.values():
            told |= {name: argument.text for name, argument in held.arguments.items()}
        texts_so_far: list[tuple[str, str]] = []
        for name, text in list(told.items())[:MOST_COMPARED]:
            for other, earlier in texts_so_far if LONG_ENOUGH < len(text) <= LONGEST_HOLDING else ():
                if len(earlier) < len(text) and earlier in text:
                    message = (
                        f"{quoted(name)} holds all of {quoted(other)} word for word; is it more than one argument?"
                    )
                    self.issues.warning("earlier_turn_repeated", message, self.line)
                    break
            if LONG_ENOUGH <= len(text) <= LONGEST_COMPARED:
                texts_so_far.append((name, text))

    def debate(self, protocol: DebateProtocol) -> Debate:
        """Return the debate as gathered."""
        self._note_repeats()
        return Debate(
            id=self.id,
            claim=self.claim,
            label=self._label,
            protocol=protocol,
            claim_id=self.claim_id,
            title=self.title,
            agents=tuple(self._agents.values()),
            rounds=tuple(self._round(number, self._rounds[number]) for number in sorted(self._rounds)),
            judgements=tuple(self._judgements),
            transcript=tuple(self._messages),
            exhibits=tuple(strict(exhibit) for exhibit in self.exhibits),
            provenance={key: strict(value) for key, value in self.provenance.items()},
            tags=tuple(self.tags),
            note=self.note,
        )

    def _round(self, number: int, held: _DraftRound) -> Round:
        for relation, where in held.relations.items():
            if (relation, where) in self._noted:
                continue  # it comes from an earlier round
            self._noted.add((relation, where))
            if relation.source == relation.target:
                message = f"{quoted(relation.source)} bears on itself; the relation is kept."
                self.issues.warning("self_relation", message, self.line, where)
            elif relation.target != TOPIC and relation.target not in held.arguments:
                message = (
                    f"{quoted(relation.source)} bears on {quoted(relation.target)}, which is not in this round; the "
                    "relation is kept and judges leave it out."
                )
                self.issues.warning("target_unknown", message, self.line, where)
            opposite = Relation(relation.source, relation.target, relation.kind.opposite)
            if relation.kind is RelationKind.SUPPORT and opposite in held.relations:
                message = (
                    f"{quoted(relation.source)} both supports and attacks {quoted(relation.target)}, which a QBAF does "
                    "not allow; both relations are kept."
                )
                self.issues.warning("supports_and_attacks", message, self.line, where)
        stances = tuple(
            Stance(agent, given.get("prior"), given.get("posterior")) for agent, given in held.stances.items()
        )
        return Round(number, stances, tuple(held.arguments.values()), tuple(held.relations))


def text_or_none(value: object) -> str | None:
    """Return any value as a text, None for nothing, and for an empty or blank text."""
    if value is None:
        return None
    written = plain_text(value)
    return written if written.strip() else None


def finite(value: object) -> float | None:
    """Return a finite number as float, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number + 0.0 if abs(number) < float("inf") else None


def objects(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a list, none when it is no list."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def mapping(value: object) -> Mapping[str, Any]:
    """Return the object itself, an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def texts(value: object) -> list[str]:
    """Return the texts in a list, none when it is no list."""
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


__all__ = ["DebateDraft", "finite", "mapping", "objects", "text_or_none", "texts"]
