"""A record of the native format read into a debate, mending what can be mended and reporting every bit of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.debate import Agent, Debate, Message, RecordedJudgement, Round
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.judgement import JudgementStatus, Verdict
from core.label_text import read_label
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.record_reading import RecordReading, claim_of, free_name, plain_text, unused_name
from core.wording import RELATION_VERB

FORMAT = "moot-debate/1"
UNKNOWN_JUDGE = "unknown"
DEFAULT_KIND = "llm"

_DEBATE_KEYS = frozenset(
    {
        "format", "debate_id", "protocol", "claim_id", "claim", "label", "title", "note", "tags", "agents", "rounds",
        "judgements", "transcript", "exhibits", "contestations", "provenance",
    }
)  # fmt: skip
_NUMBERS = (float, int)  # exact types, so that true and false are no numbers

_HIGHEST_ROUND = 10**9

_PLAIN_AGENT_KEYS = frozenset({"agent_id", "model"})
_AGENT_KEYS = frozenset({"agent_id", "name", "model", "role", "persona", "temperature"})
_ROUND_KEYS = frozenset({"round", "stances", "arguments", "relations", "edits"})
_STANCE_KEYS = frozenset({"agent_id", "prior", "posterior"})
_ARGUMENT_KEYS = frozenset(
    {
        "id", "author", "text", "base_score", "base_score_raw", "supports", "attacks", "source_id", "last_edited_by",
        "is_error_text", "source",
    }
)  # fmt: skip
_PLAIN_ARGUMENT_KEYS = frozenset({"id", "author", "text", "base_score", "supports", "attacks"})
_RELATION_KEYS = frozenset({"source", "target", "kind"})
_MESSAGE_KEYS = frozenset({"speaker", "round", "role", "model", "text"})
_JUDGEMENT_KEYS = frozenset({"judge", "kind", "score", "verdict", "status", "explanation", "settings"})


def debate_from_json(record: object, issues: IssueLog, line: int | None = None) -> Debate:
    """Return the debate that a record in the native format holds.

    What is missing, repeated or out of range is mended and noted; what has no place in a debate is kept under
    ``provenance["extra"]`` by its path, and noted too.

    Args:
        record: What one line of the file says, as plain JSON values.
        issues: Takes what had to be mended, each with a path such as ``rounds[0].arguments[3].base_score``.
        line: The record's line in the file, for the issues.

    Raises:
        UnreadableRecord: If the record is no JSON object or has no claim.
    """
    if not isinstance(record, Mapping):
        raise UnreadableRecord(f"A debate must be a JSON object, but this is {quoted(record)}.")
    return NativeRecord(issues, line).debate(record)


class NativeRecord(RecordReading):
    """One native record on its way to a debate."""

    def debate(self, record: Mapping[str, Any]) -> Debate:
        """Return the debate of a native record."""
        claim = claim_of(record)
        version = record.get("format", FORMAT)
        if version != FORMAT:
            self.warn("format_version", f"The record's format is {quoted(version)}; it is read as {FORMAT}.", "format")
        debate_id = self.text(record, "debate_id")
        if not debate_id:
            debate_id = f"debate-{self.line or 1}"
            self.warn("debate_id_missing", f"The debate has no id; it is called {debate_id!r}.", "debate_id")
        self.unknown_keys(record, _DEBATE_KEYS, "")
        return Debate(
            id=debate_id,
            claim=claim,
            label=self.label(record.get("label"), "label"),
            protocol=self.protocol(record.get("protocol")),
            claim_id=self.text(record, "claim_id"),
            title=self.text(record, "title"),
            agents=self.agents(record),
            rounds=self.rounds(record),
            judgements=tuple(self.judgement(*entry) for entry in self.objects(record, "judgements")),
            transcript=tuple(self.message(*entry) for entry in self.objects(record, "transcript")),
            exhibits=self.free_objects(record, "exhibits"),
            contestations=self.free_objects(record, "contestations"),
            tags=self.texts(record, "tags"),
            note=self.text(record, "note"),
            provenance=self.provenance(record.get("provenance")),  # last: it takes in what the others left over
        )

    # -- agents, rounds, arguments ------------------------------------------------------------------------------

    def agents(self, record: Mapping[str, Any]) -> tuple[Agent, ...]:
        """Return the agents listed."""
        agents: dict[str, Agent] = {}
        for index, item in enumerate(self.list_of(record, "agents")):
            if type(item) is dict and item.keys() <= _PLAIN_AGENT_KEYS:
                name, model = item.get("agent_id"), item.get("model")
                if type(name) is str and name and name not in agents and (model is None or type(model) is str):
                    agents[name] = Agent(name, model=model or None)  # the ordinary case
                    continue
            where = f"agents[{index}]"
            entry = {"agent_id": item} if isinstance(item, str) else item
            if not isinstance(entry, Mapping):
                self.no_object(where, item)
                continue
            name = self.text(entry, "agent_id", where)
            if not name:
                name = free_name("A", agents)
                self.warn("agent_id_missing", f"An agent has no id; it is called {name!r}.", f"{where}.agent_id")
            elif name in agents:
                self.extra[where] = self.free(entry, where)
                self.warn("agent_repeated", f"Agent {quoted(name)} is listed twice; the first is kept.", where)
                continue
            agents[name] = Agent(
                name,
                self.text(entry, "name", where),
                self.text(entry, "model", where),
                self.text(entry, "role", where),
                self.text(entry, "persona", where),
                self.number(entry, "temperature", where),
            )
            self.unknown_keys(entry, _AGENT_KEYS, where)
        return tuple(agents.values())

    def rounds(self, record: Mapping[str, Any]) -> tuple[Round, ...]:
        """Return the rounds in the order of their numbers."""
        rounds: dict[int, Round] = {}
        for position, (where, entry) in enumerate(self.objects(record, "rounds")):
            number = self.round_number(entry.get("round"), position, where, rounds)
            arguments, relations = self.arguments(entry, where)
            rounds[number] = Round(
                number, self.stances(entry, where), arguments, relations, self.free_objects(entry, "edits", where)
            )
            if entry.keys() - _ROUND_KEYS:
                self.unknown_keys(entry, _ROUND_KEYS, where)
        if list(rounds) != sorted(rounds):
            self.warn("rounds_out_of_order", f"The rounds come as {quoted(list(rounds))}; they are sorted.", "rounds")
        return tuple(rounds[number] for number in sorted(rounds))

    def round_number(self, value: object, position: int, where: str, taken: Mapping[int, Round]) -> int:
        """Return the number of a round, one that is not taken yet."""
        number = self._whole_number(value, where)
        if number is None:
            number = position
        if number in taken:
            free = max(taken) + 1
            self.warn("round_repeated", f"Round {number} comes twice; the second is called {free}.", f"{where}.round")
            number = free
        return number

    def _whole_number(self, value: object, where: str) -> int | None:
        if type(value) is int and abs(value) <= _HIGHEST_ROUND:
            return value
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
            return int(value)
        if isinstance(value, float) and value.is_integer() and abs(value) <= _HIGHEST_ROUND:
            return int(value)
        if value is not None:
            self.extra[f"{where}.round"] = self.free(value, f"{where}.round")
            self.warn("round_unreadable", f"The round's number is {quoted(value)}.", f"{where}.round")
        return None

    def stances(self, entry: Mapping[str, Any], where: str) -> tuple[Stance, ...]:
        """Return the stances listed in a round, one per agent."""
        items = entry.get("stances")
        if not items:
            return ()
        stances: dict[str, Stance] = {}
        for index, item in enumerate(self.list_of(entry, "stances", where)):
            path = ""  # made only where something is wrong
            if type(item) is not dict or not item.keys() <= _STANCE_KEYS:
                path = f"{where}.stances[{index}]"
                if not isinstance(item, Mapping):
                    self.no_object(path, item)
                    continue
                self.unknown_keys(item, _STANCE_KEYS, path)
            name: Any = item.get("agent_id")
            prior: Any = item.get("prior")
            posterior: Any = item.get("posterior")
            if type(name) is not str or not name or name in stances:
                path = path or f"{where}.stances[{index}]"
                name = self.text(item, "agent_id", path)
                if not name or name in stances:
                    self.extra[path] = self.free(item, path)
                    self._stance_left_out(name, path)
                    continue
            if prior is not None and (type(prior) not in _NUMBERS or not 0.0 <= prior <= 1.0):
                path = path or f"{where}.stances[{index}]"
                prior = self.score(item, "prior", path, "Prior stance")
            if posterior is not None and (type(posterior) not in _NUMBERS or not 0.0 <= posterior <= 1.0):
                path = path or f"{where}.stances[{index}]"
                posterior = self.score(item, "posterior", path, "Posterior stance")
            stances[name] = Stance(name, prior, posterior)
        return tuple(stances.values())

    def _stance_left_out(self, name: str | None, where: str) -> None:
        if name:
            self.warn("stance_repeated", f"{quoted(name)} has two stances in a round; the first is kept.", where)
        else:
            self.warn("agent_id_missing", "A stance names no agent; it is left out.", f"{where}.agent_id")

    def arguments(self, entry: Mapping[str, Any], where: str) -> tuple[tuple[Argument, ...], tuple[Relation, ...]]:
        """Return the arguments of a round and how they bear on one another."""
        arguments: dict[str, Argument] = {}
        relations: list[Relation] = []
        targets = {TOPIC}
        numbers: dict[str, int] = {}
        places: dict[str, int] = {}
        for index, item in enumerate(self.list_of(entry, "arguments", where)):
            if type(item) is not dict:
                if not isinstance(item, Mapping):
                    self.no_object(f"{where}.arguments[{index}]", item)
                    continue
                item = dict(item)
            get = item.get
            name, text, author, score = get("id"), get("text"), get("author"), get("base_score")
            if (
                type(name) is str
                and name
                and name not in arguments
                and name != TOPIC
                and type(text) is str
                and (author is None or type(author) is str)
                and (score is None or (type(score) in _NUMBERS and 0.0 <= score <= 1.0))
                and item.keys() <= _PLAIN_ARGUMENT_KEYS
            ):  # the ordinary case, kept free of everything that only the others need
                arguments[name] = Argument(name, text, author or None, score)
            else:
                argument = self.argument(item, f"{where}.arguments[{index}]", arguments, numbers)
                name = argument.id
                arguments[name] = argument
            places[name] = index
            supports, attacks = get("supports"), get("attacks")
            if type(supports) is list and len(supports) == 1 and not attacks and type(supports[0]) is str:
                attacks = ()
            elif type(attacks) is list and len(attacks) == 1 and not supports and type(attacks[0]) is str:
                supports = ()
            elif supports or attacks:
                path = f"{where}.arguments[{index}]"
                supports = self.targets(supports, f"{path}.supports")
                attacks = self.targets(attacks, f"{path}.attacks")
                if set(supports) & set(attacks):
                    self.both(name, set(supports) & set(attacks), path)
            else:
                continue
            for target in supports:
                relations.append(Relation(name, target, RelationKind.SUPPORT))
            for target in attacks:
                relations.append(Relation(name, target, RelationKind.ATTACK))
            targets.update(supports, attacks)
            if name in supports or name in attacks:
                self.self_relation(name, f"{where}.arguments[{index}]")
        if entry.get("relations"):
            relations.extend(self.relations(entry, where, relations))
            targets.update(relation.target for relation in relations)
        if not targets <= arguments.keys() | {TOPIC}:
            self.dangling(relations, places, where)
        return tuple(arguments.values()), tuple(relations)

    def argument(
        self, item: Mapping[str, Any], where: str, taken: Mapping[str, Argument], numbers: dict[str, int]
    ) -> Argument:
        """Return one argument that is not of the ordinary kind, under an id that is not taken yet."""
        name = self.text(item, "id", where)
        source_id = self.text(item, "source_id", where)
        if not name:
            name = free_name("argument-", taken)
            self.warn("argument_id_missing", f"An argument has no id; it is called {name!r}.", f"{where}.id")
        elif name in taken or name == TOPIC:
            given, name = name, unused_name(name, taken, numbers)
            source_id = source_id or given
            code = "argument_id_reserved" if given == TOPIC else "argument_id_repeated"
            why = "stands for the claim" if given == TOPIC else "is taken in this round"
            self.warn(code, f"The id {quoted(given)} {why}; this argument is called {quoted(name)}.", f"{where}.id")
        score, raw = self.scored(item, "base_score", where, "Base score")
        known_raw = self.text(item, "base_score_raw", where)
        if raw is not None and known_raw is not None and raw != known_raw:
            self.extra[f"{where}.base_score"] = raw
        error_text = item.get("is_error_text")
        if error_text not in (None, False, True):
            self.warn("wrong_type", f"is_error_text is {quoted(error_text)}; taken as false.", f"{where}.is_error_text")
            self.extra[f"{where}.is_error_text"] = self.free(error_text, where)
        if not item.keys() <= _ARGUMENT_KEYS:
            self.unknown_keys(item, _ARGUMENT_KEYS, where)
        return Argument(
            name,
            self.argument_text(item.get("text"), f"{where}.text"),
            self.text(item, "author", where),
            score,
            source_id,
            known_raw or raw,
            self.text(item, "last_edited_by", where),
            error_text is True,
            self.text(item, "source", where),
        )

    def argument_text(self, value: object, where: str) -> str:
        """Return an argument's text, empty when it has none."""
        if isinstance(value, str):
            return value
        if value is None:
            self.warn("argument_text_missing", "An argument has no text.", where)
            return ""
        self.warn("wrong_type", f"An argument's text is {quoted(value)}; it is kept as text.", where)
        return plain_text(value)

    def targets(self, value: object, where: str) -> list[str]:
        """Return the ids in a list of targets, each once."""
        if value is None:
            return []
        listed = value if isinstance(value, list) else [value]
        if not isinstance(value, list):
            self.warn("wrong_type", f"A list of ids was expected, not {quoted(value)}.", where)
        targets: dict[str, None] = {}
        for index, target in enumerate(listed):
            if isinstance(target, bool) or not isinstance(target, (str, int)):
                self.extra[f"{where}[{index}]"] = self.free(target, where)
                self.warn(
                    "wrong_type", f"An id was expected, not {quoted(target)}; it is left out.", f"{where}[{index}]"
                )
                continue
            name = plain_text(target)
            if name in targets:
                self.warn("relation_repeated", f"{quoted(name)} is named twice; it counts once.", f"{where}[{index}]")
            targets[name] = None
        return list(targets)

    def relations(self, entry: Mapping[str, Any], where: str, before: list[Relation]) -> list[Relation]:
        """Return the relations that a round lists on their own, without those already known."""
        known = dict.fromkeys(before)
        added: list[Relation] = []
        for path, item in self.objects(entry, "relations", where):
            source, target = self.text(item, "source", path), self.text(item, "target", path)
            kind = _relation_kind(item.get("kind"))
            if not source or not target or kind is None:
                self.extra[path] = self.free(item, path)
                self.warn(
                    "relation_unreadable", "A relation needs a source, a target and a kind; it is left out.", path
                )
                continue
            relation = Relation(source, target, kind)
            if relation in known:
                self.warn("relation_repeated", f"{quoted(source)} has this relation already; it counts once.", path)
                continue
            if Relation(source, target, kind.opposite) in known:
                self.both(source, {target}, path)
            if source == target:
                self.self_relation(source, path)
            known[relation] = None
            added.append(relation)
            self.unknown_keys(item, _RELATION_KEYS, path)
        return added

    def both(self, name: str, targets: set[str], where: str) -> None:
        """Note an argument that supports and attacks the same target, which a QBAF does not allow."""
        for target in sorted(targets):
            self.warn(
                "supports_and_attacks",
                f"{quoted(name)} both supports and attacks {quoted(target)}, which a QBAF does not allow; "
                "both relations are kept.",
                where,
            )

    def self_relation(self, name: str, where: str) -> None:
        """Note an argument that bears on itself."""
        self.warn("self_relation", f"{quoted(name)} bears on itself; the relation is kept.", where)

    def dangling(self, relations: list[Relation], places: Mapping[str, int], where: str) -> None:
        """Note the relations whose target is not among the arguments, of which the places in the list are given."""
        for relation in relations:
            if relation.target != TOPIC and relation.target not in places:
                verb = RELATION_VERB[relation.kind]
                index = places.get(relation.source)
                path = f"{where}.relations" if index is None else f"{where}.arguments[{index}].{verb}"
                self.warn(
                    "target_unknown",
                    f"{quoted(relation.source)} {verb} {quoted(relation.target)}, which is not in this round; "
                    "the relation is kept and judges leave it out.",
                    path,
                )

    # -- judgements and messages --------------------------------------------------------------------------------

    def judgement(self, where: str, item: Mapping[str, Any]) -> RecordedJudgement:
        """Return one recorded judgement; what it says beyond the known keys becomes settings."""
        settings = self.free(item.get("settings"), f"{where}.settings")
        if settings is None:
            settings = {}
        elif not isinstance(settings, dict):
            self.warn("wrong_type", f"Settings are {quoted(settings)}; an object was expected.", f"{where}.settings")
            settings = {"settings": settings}
        else:
            settings = dict(settings)
        score, raw = self.scored(item, "score", where, "Score")
        if raw is not None:
            settings["score_raw"] = raw
        verdict, status = item.get("verdict"), item.get("status")
        read_verdict = _verdict(verdict)
        if verdict is not None and verdict != read_verdict:
            settings["verdict_raw"] = self.free(verdict, where)
        if verdict is not None and read_verdict is None:
            self.warn("verdict_unreadable", f"The verdict is {quoted(verdict)}; none is kept.", f"{where}.verdict")
        read_status = _status(status)
        if read_status is None:
            settings["status_raw"] = self.free(status, where)
            self.warn("status_unknown", f"The status is {quoted(status)}; taken as unreadable.", f"{where}.status")
        for key in item:
            if key not in _JUDGEMENT_KEYS:
                settings.setdefault(key, self.free(item[key], f"{where}.{key}"))
        judge = self.text(item, "judge", where)
        if not judge:
            judge = UNKNOWN_JUDGE
            self.warn("judge_missing", "A judgement names no judge.", f"{where}.judge")
        return RecordedJudgement(
            judge,
            self.text(item, "kind", where) or DEFAULT_KIND,
            score,
            read_verdict,
            read_status or JudgementStatus.UNREADABLE,
            self.text(item, "explanation", where) or "",
            settings,
        )

    def message(self, where: str, item: Mapping[str, Any]) -> Message:
        """Return one turn of a transcript."""
        number = self._whole_number(item.get("round"), where)
        text = item.get("text")
        if not isinstance(text, str):
            text = self.argument_text(text, f"{where}.text")
        self.unknown_keys(item, _MESSAGE_KEYS, where)
        speaker = self.text(item, "speaker", where) or ""
        return Message(speaker, text, number, self.text(item, "role", where), self.text(item, "model", where))


def _relation_kind(value: object) -> RelationKind | None:
    try:
        return RelationKind(str(value).strip().casefold())
    except ValueError:
        return None


def _verdict(value: object) -> Verdict | None:
    label, readable = read_label(value)
    if label is not None:
        return Verdict.TRUE if label else Verdict.FALSE
    if isinstance(value, str) and readable and value.strip():
        return Verdict.UNCERTAIN
    return None


def _status(value: object) -> JudgementStatus | None:
    if value is None:
        return JudgementStatus.OK
    try:
        return JudgementStatus(str(value).strip().casefold().replace("_", " "))
    except ValueError:
        return None


__all__ = ["FORMAT", "NativeRecord", "debate_from_json"]
