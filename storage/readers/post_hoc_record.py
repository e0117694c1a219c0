"""One post-hoc-theory record read into a debate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.debate import Agent, Debate, DebateProtocol, RecordedJudgement, Round
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.native_record import NativeRecord
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.provider_errors import is_provider_error
from core.record_reading import claim_of, free_name, unused_name
from core.score_text import Scale
from storage.readers.protocols import known_protocol

_SIDES = (("pros", "pro", RelationKind.SUPPORT), ("cons", "con", RelationKind.ATTACK))
_PRIOR = ("prior_stance", "prior")
_POSTERIOR = ("posterior_stance", "posterior", "posterior_stance_score")
_TEXT = ("argument", "text")
_COLUMNS = dict.fromkeys(_PRIOR, _PRIOR[0]) | dict.fromkeys(_POSTERIOR, _POSTERIOR[0])

_RECORD_KEYS = frozenset(
    {
        "debate_id", "scenario", "protocol", "claim_id", "claim", "label", "opinions", "rounds", "judgements", "title",
        "note", "tags", "provenance",
    }
)  # fmt: skip
_STANCE_KEYS = frozenset({"agent_id", *_PRIOR, *_POSTERIOR})
_PLAIN_STANCE_KEYS = frozenset({*_STANCE_KEYS, "pros", "cons", "model"})
_OPINION_KEYS = frozenset({*_STANCE_KEYS, "model", "name", "role", "persona", "temperature", "pros", "cons"})
_ROUND_KEYS = frozenset({"round", "opinions", "edits", "framework", "stances"})
_PLAIN_ARGUMENT_KEYS = frozenset({"id", *_TEXT, "base_score", "target"})
_ARGUMENT_KEYS = frozenset({"id", *_TEXT, "base_score", "target", "author", "last_edited_by", "source"})


def scores_of(record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every score of a record with its column's name, for the decision on scales."""
    for holder in (record, *_objects(record.get("rounds"))):
        for opinion in (*_objects(holder.get("opinions")), *_objects(holder.get("stances"))):
            yield _PRIOR[0], _first(opinion, _PRIOR)[1]
            yield _POSTERIOR[0], _first(opinion, _POSTERIOR)[1]
            yield from _base_scores(opinion)
        framework = holder.get("framework")
        if isinstance(framework, dict):
            yield from _base_scores(framework)
    for judgement in _objects(record.get("judgements")):
        yield "score", judgement.get("score")


class PostHocRecord(NativeRecord):
    """One record on its way to a debate.

    Args:
        scales: What bare numbers mean, by the names ``prior_stance``, ``posterior_stance``, ``base_score`` and (of a
            judgement) ``score``.
    """

    def __init__(self, issues: IssueLog, line: int | None, scales: Mapping[str, Scale | None]) -> None:
        super().__init__(issues, line)
        self._scales = scales
        self._agents: dict[str, Agent] = {}

    def read(self, record: object) -> Debate:
        """Return the debate.

        Raises:
            UnreadableRecord: If the record is no JSON object or has no claim.
        """
        if not isinstance(record, Mapping):
            raise UnreadableRecord(f"A debate must be a JSON object, but this is {quoted(record)}.")
        claim = claim_of(record)
        debate_id = self.text(record, "debate_id")
        if not debate_id:
            debate_id = f"debate-{self.line or 1}"
            self.warn("debate_id_missing", f"The debate has no id; it is called {debate_id!r}.", "debate_id")
        protocol = self._scenario(record)
        self.unknown_keys(record, _RECORD_KEYS, "")
        rounds = self._rounds(record, shared=protocol is DebateProtocol.MULTI_TURN_SHARED)
        return Debate(
            id=debate_id,
            claim=claim,
            label=self.label(record.get("label"), "label"),
            protocol=protocol,
            claim_id=self.text(record, "claim_id"),
            title=self.text(record, "title"),
            agents=tuple(self._agents.values()),
            rounds=rounds,
            judgements=tuple(self.judgement(*entry) for entry in self.objects(record, "judgements")),
            tags=self.texts(record, "tags"),
            note=self.text(record, "note"),
            provenance=self.provenance(record.get("provenance")),  # last: it takes in what the others left over
        )

    def scale(self, key: str) -> Scale | None:
        """Return what a bare number under a key means."""
        return self._scales.get(_COLUMNS.get(key, key), Scale.UNIT)

    def judgement(self, where: str, item: Mapping[str, Any]) -> RecordedJudgement:
        """Return one recorded judgement; a judge named ``llm:gpt-4o`` is the LLM judge gpt-4o."""
        name = item.get("judge")
        if isinstance(name, str) and ":" in name and "kind" not in item:
            kind, _, model = name.partition(":")
            if kind in ("llm", "semantics", "vote", "panel", "human") and model:
                item = {**item, "judge": model, "kind": kind}
        return super().judgement(where, item)

    def _scenario(self, record: Mapping[str, Any]) -> DebateProtocol:
        named = record.get("scenario", record.get("protocol"))
        if named is not None:
            return (known_protocol(named) if isinstance(named, str) else None) or self.protocol(named)
        rounds = _objects(record.get("rounds"))
        shared = any("framework" in entry for entry in rounds)
        private = DebateProtocol.MULTI_TURN_PRIVATE if rounds else DebateProtocol.SINGLE_TURN
        protocol = DebateProtocol.MULTI_TURN_SHARED if shared else private
        message = f"The record names no scenario; by its shape it is read as {protocol.value}."
        self.issues.info("protocol_assumed", message, self.line, "scenario")
        return protocol

    # -- rounds -------------------------------------------------------------------------------------------------

    def _rounds(self, record: Mapping[str, Any], *, shared: bool) -> tuple[Round, ...]:
        rounds: dict[int, Round] = {}
        if record.get("opinions") or not record.get("rounds"):
            rounds[0] = self._opinions_round(0, record, "")
        for position, (where, entry) in enumerate(self.objects(record, "rounds")):
            number = self.round_number(entry.get("round"), position, where, rounds)
            if isinstance(entry.get("framework"), Mapping):
                rounds[number] = self._framework_round(number, entry, where)
            else:
                if shared and "opinions" not in entry:
                    message = "The round has no framework, so its arguments are not known; what it says is kept."
                    self.warn("framework_missing", message, f"{where}.framework")
                rounds[number] = self._opinions_round(number, entry, where)
            self.unknown_keys(entry, _ROUND_KEYS, where)
        if list(rounds) != sorted(rounds):
            self.warn("rounds_out_of_order", f"The rounds come as {quoted(list(rounds))}; they are sorted.", "rounds")
        return tuple(rounds[number] for number in sorted(rounds))

    def _opinions_round(self, number: int, holder: Mapping[str, Any], where: str) -> Round:
        """Return the round that a list of opinions makes up, each agent's arguments under the agent's name."""
        held = _Held(self)
        stances: dict[str, Stance] = {}
        for path, opinion in self.objects(holder, "opinions", where):
            agent = self._agent(opinion, path)
            held.add(opinion, path, agent, agent)
            self._stance(stances, agent, opinion, path)
            self.unknown_keys(opinion, _OPINION_KEYS, path)
        self._stances(stances, holder, where)
        edits = self.free_objects(holder, "edits", where)
        return Round(number, tuple(stances.values()), held.arguments, held.relations(), edits)

    def _framework_round(self, number: int, entry: Mapping[str, Any], where: str) -> Round:
        """Return the round of one shared framework."""
        held = _Held(self)
        framework = entry["framework"]
        held.add(framework, f"{where}.framework", None, None)
        self.unknown_keys(framework, frozenset({"pros", "cons"}), f"{where}.framework")
        stances: dict[str, Stance] = {}
        self._stances(stances, entry, where)
        if entry.get("opinions"):
            self.extra[f"{where}.opinions"] = self.free(entry["opinions"], f"{where}.opinions")
            message = "The round has a framework and opinions; the framework is read, the opinions are kept aside."
            self.warn("opinions_beside_framework", message, f"{where}.opinions")
        for argument in held.arguments:
            if argument.author is not None and argument.author not in self._agents:
                self._agents[argument.author] = Agent(argument.author)
        edits = self.free_objects(entry, "edits", where)
        return Round(number, tuple(stances.values()), held.arguments, held.relations(), edits)

    def _stances(self, stances: dict[str, Stance], holder: Mapping[str, Any], where: str) -> None:
        for path, item in self.objects(holder, "stances", where):
            self._stance(stances, self._agent(item, path), item, path)
            self.unknown_keys(item, _STANCE_KEYS | {"model"}, path)

    def _stance(self, stances: dict[str, Stance], agent: str, item: Mapping[str, Any], where: str) -> None:
        prior_key, prior = _first(item, _PRIOR)
        posterior_key, posterior = _first(item, _POSTERIOR)
        stance = Stance(
            agent,
            self.score(item, prior_key, where, "Prior stance"),
            self.score(item, posterior_key, where, "Posterior stance"),
        )
        if agent in stances:
            before = stances[agent]
            if stance not in (before, Stance(agent)):
                self.extra[where] = {"agent_id": agent, prior_key: prior, posterior_key: posterior}
                self.extra[where] = self.free(self.extra[where], where)
                message = f"{quoted(agent)} has two stances in a round; the first is kept."
                self.warn("stance_repeated", message, where)
            return
        stances[agent] = stance

    def _agent(self, item: Mapping[str, Any], where: str) -> str:
        name = self.text(item, "agent_id", where)
        if name in self._agents and item.get("model") is None and item.keys() <= _PLAIN_STANCE_KEYS:
            return name  # the ordinary case after the first round
        if not name:
            name = free_name("A", self._agents)
            self.warn("agent_id_missing", f"An agent has no id; it is called {name!r}.", f"{where}.agent_id")
        if item.keys() <= _PLAIN_STANCE_KEYS:
            agent = Agent(name, model=self.text(item, "model", where))
        else:
            agent = self._described_agent(name, item, where)
        known = self._agents.get(name)
        if known is None:
            self._agents[name] = agent
        elif agent != known:
            self._agents[name] = self._completed(known, agent, where)
        return name

    def _described_agent(self, name: str, item: Mapping[str, Any], where: str) -> Agent:
        return Agent(
            name,
            self.text(item, "name", where),
            self.text(item, "model", where),
            self.text(item, "role", where),
            self.text(item, "persona", where),
            self.number(item, "temperature", where),
        )

    def _completed(self, known: Agent, agent: Agent, where: str) -> Agent:
        """Return what is known of an agent with what is new, the first where they disagree."""
        if agent.model is not None and known.model is not None and agent.model != known.model:
            message = (
                f"{quoted(known.id)} is {quoted(known.model)} before and {quoted(agent.model)} here; the first is kept."
            )
            self.warn("model_disagrees", message, f"{where}.model")
        return replace(
            known,
            name=known.name or agent.name,
            model=known.model or agent.model,
            role=known.role or agent.role,
            persona=known.persona or agent.persona,
            temperature=agent.temperature if known.temperature is None else known.temperature,
        )

    def held_argument(
        self, item: object, where: str, name: str, source_id: str | None, author: str | None
    ) -> tuple[Argument, object]:
        """Return an argument under the name given, and what it says it bears on."""
        if isinstance(item, str):
            item = {"argument": item}
        if not isinstance(item, Mapping):
            self.warn("wrong_type", f"An argument was expected, not {quoted(item)}; it is kept as text.", where)
            item = {"argument": str(self.free(item, where))}
        key, value = _first(item, _TEXT)
        text = self.argument_text(value, f"{where}.{key}")
        score, raw = self.scored(item, "base_score", where, "Base score")
        is_error = is_provider_error(text)
        if is_error:
            message = f"The text {quoted(text)} is a provider's failure message, not an argument; judges leave it out."
            self.warn("provider_error", message, f"{where}.{key}")
        if item.keys() <= _PLAIN_ARGUMENT_KEYS:  # the ordinary case
            return Argument(name, text, author, score, source_id, raw, None, is_error), item.get("target")
        self.unknown_keys(item, _ARGUMENT_KEYS, where)
        argument = Argument(
            name,
            text,
            self.text(item, "author", where) or author,
            score,
            source_id,
            raw,
            self.text(item, "last_edited_by", where),
            is_error,
            self.text(item, "source", where),
        )
        return argument, item.get("target")


class _Held:
    """The arguments of one round while they are gathered, and what each bears on once all are known."""

    def __init__(self, record: PostHocRecord) -> None:
        self._record = record
        self._arguments: dict[str, Argument] = {}
        self._numbers: dict[str, int] = {}
        self._bearings: list[tuple[str, str | None, object, RelationKind, str]] = []

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return tuple(self._arguments.values())

    def add(self, holder: Mapping[str, Any], where: str, prefix: str | None, author: str | None) -> None:
        """Take in the pros and cons of an opinion or a framework; a prefix makes their ids unique in the round."""
        for key, stem, kind in _SIDES:
            for index, item in enumerate(self._record.list_of(holder, key, where)):
                path = f"{where}.{key}[{index}]" if where else f"{key}[{index}]"
                given = self._record.text(item, "id", path) if isinstance(item, Mapping) else None
                name, source_id = self._name(given, stem, index, prefix, path)
                argument, target = self._record.held_argument(item, path, name, source_id, author)
                self._arguments[name] = argument
                self._bearings.append((name, prefix, target, kind, path))

    def _name(self, given: str | None, stem: str, index: int, prefix: str | None, where: str) -> tuple[str, str | None]:
        own = given or f"{stem}{index + 1}"
        name = own if prefix is None or own.startswith(f"{prefix}-") else f"{prefix}-{own}"
        if name == TOPIC or name in self._arguments:
            taken, name = name, unused_name(name, self._arguments, self._numbers)
            if given is not None:
                why = "stands for the claim" if taken == TOPIC else "is taken"
                self._record.warn(
                    "argument_id_reserved" if taken == TOPIC else "argument_id_repeated",
                    f"The id {quoted(given)} {why}; this argument is called {quoted(name)}.",
                    f"{where}.id",
                )
        return name, given if given is not None and given != name else None

    def relations(self) -> tuple[Relation, ...]:
        """Return what each argument bears on; a target that is not there is kept and noted."""
        relations: dict[Relation, None] = {}
        for name, prefix, target, kind, where in self._bearings:
            if target is None or target == "":
                self._relate(relations, Relation(name, TOPIC, kind), where)
                continue
            for each in self._record.targets(target, f"{where}.target") if isinstance(target, list) else [target]:
                self._relate(relations, Relation(name, self._resolved(each, prefix, where), kind), where)
        return tuple(relations)

    def _relate(self, relations: dict[Relation, None], relation: Relation, where: str) -> None:
        if relation.source == relation.target:
            self._record.self_relation(relation.source, f"{where}.target")
        if Relation(relation.source, relation.target, relation.kind.opposite) in relations:
            self._record.both(relation.source, {relation.target}, where)
        relations[relation] = None

    def _resolved(self, target: object, prefix: str | None, where: str) -> str:
        if target == TOPIC:
            return TOPIC
        wanted = str(target)
        joined = wanted.replace("/", "-", 1) if "/" in wanted else wanted.replace(":", "-", 1)
        candidates = [wanted, joined] if prefix is None else [f"{prefix}-{wanted}", wanted, joined]
        for candidate in candidates:
            if candidate in self._arguments:
                return candidate
        self._record.warn(
            "target_unknown",
            f"The target {quoted(target)} is not in this round; the relation is kept and judges leave it out.",
            f"{where}.target",
        )
        return wanted


def _objects(value: object) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _base_scores(holder: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, _, _ in _SIDES:
        for item in _objects(holder.get(key)):
            yield "base_score", item.get("base_score")


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> tuple[str, Any]:
    """Return the first of the keys that has a value, and the value; the first key and None when none has."""
    for key in keys:
        if item.get(key) is not None:
            return key, item[key]
    return keys[0], None


__all__ = ["PostHocRecord", "scores_of"]
