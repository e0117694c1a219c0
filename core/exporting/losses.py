"""What a file cannot carry of debates: found by comparing each debate with what reading the file back would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.debate import Debate, Round, profile
from core.native_record import DEFAULT_KIND, UNKNOWN_JUDGE
from core.opinion import TOPIC, Argument
from core.strict_json import dumps, storable
from core.wording import several


class Aspect(StrEnum):
    """One thing that a debate says, in words that fit behind "Left out:"."""

    DEBATES = "debates without an argument that bears on the claim"
    DEBATE_IDS = "debates' ids"
    CLAIMS = "the claim's text"
    CLAIM_IDS = "claim ids"
    LABELS = "gold labels"
    TITLES = "titles"
    PROTOCOLS = "the protocol"
    NOTES = "notes for the reader"
    TAGS = "tags"
    AGENTS = "agents' names, models and roles"
    AUTHORS = "who put an argument forward"
    ROUNDS = "rounds before the last one"
    STANCES = "agents' stances"
    ARGUMENTS = "arguments that do not bear on the claim, directly or through others"
    ARGUMENT_IDS = "arguments' ids"
    TEXTS = "arguments' texts"
    BASE_SCORES = "base scores"
    RELATIONS = "relations from the claim, or with arguments that are not there"
    SOURCES = "sources of arguments"
    FAILURES = "that a text is a provider's failure message"
    ORIGINALS = "the source's own ids and scores as written"
    EDITS = "who changed an argument"
    JUDGEMENTS = "recorded judgements"
    TRANSCRIPT = "the transcript"
    EXHIBITS = "exhibits"
    CONTESTATIONS = "contestations"
    PROVENANCE = "where the debate comes from"
    ASIDE = "attacks on relations, and relations without a sign"


_CHANGED = {
    Aspect.DEBATE_IDS: "Debates' ids change",
    Aspect.CLAIMS: "The claim's text changes",
    Aspect.ROUNDS: "Only the last round is written, without its number",
    Aspect.ARGUMENT_IDS: "Arguments' ids change",
    Aspect.TEXTS: "Arguments' texts change",
    Aspect.FAILURES: "Whether a text is a provider's failure message is found out only when it is read",
}
_ASIDE = ("undercuts", "unsigned", "rephrases")  # what importers put beside a debate, as no QBAF has a place for it


@dataclass(frozen=True)
class Kept:
    """A debate as it comes back from a file.

    Attributes:
        debate: What reading the file gives.
        names: The id of every argument that is in the file, by its id in the debate.
    """

    debate: Debate
    names: Mapping[str, str]


@dataclass(frozen=True)
class Loss:
    """One thing that a file does not carry.

    Attributes:
        aspect: What it is.
        sentence: What becomes of it, in plain words without the full stop; empty where it is just left out.
        debates: How many of the debates it concerns.
        of: How many there are.
    """

    aspect: Aspect
    sentence: str
    debates: int
    of: int

    @property
    def extent(self) -> str:
        """Return in how many of the debates, empty for all of them."""
        return "" if self.debates == self.of else f"{self.debates:,} of {several(self.of, 'debate')}"


def losses(returned: Iterable[tuple[Debate, Kept | None]], words: Mapping[Aspect, str]) -> tuple[Loss, ...]:
    """Return what is lost between debates and what comes back of them, in the order of the aspects.

    Args:
        returned: Every debate with what comes back of it, None for nothing.
        words: What to say of an aspect that is not just left out.
    """
    found: Counter[Aspect] = Counter()
    count = 0
    for debate, kept in returned:
        count += 1
        found.update({Aspect.DEBATES} if kept is None else differing(debate, kept))
    said = _CHANGED | dict(words)
    return tuple(Loss(aspect, said.get(aspect, ""), found[aspect], count) for aspect in Aspect if found[aspect])


def in_words(lost: Iterable[Loss]) -> tuple[str, ...]:
    """Return losses as sentences for people: what is left out together, then what changes."""
    left_out: dict[str, list[str]] = {}
    changes = []
    for loss in lost:
        if loss.sentence:
            changes.append(f"{loss.sentence}{f' ({loss.extent})' if loss.extent else ''}.")
        else:
            left_out.setdefault(loss.extent, []).append(loss.aspect.value)
    groups = sorted(left_out.items(), key=lambda group: group[0] != "")
    return (*(f"Left out{f' of {extent}' if extent else ''}: {'; '.join(what)}." for extent, what in groups), *changes)


def differing(debate: Debate, kept: Kept) -> set[Aspect]:
    """Return the aspects in which a debate and what comes back of it differ.

    NUL characters and lone surrogates, which no file holds, count as the replacement character they become.
    Judgements, a transcript and where a record comes from count only where the debate has them, as a reader may add
    its own.
    """
    back = kept.debate
    pairs = {
        Aspect.DEBATE_IDS: (_text(debate.id), _text(back.id)),
        Aspect.CLAIMS: (_text(debate.claim), _text(back.claim)),
        Aspect.CLAIM_IDS: (_text(debate.claim_id), _text(back.claim_id)),
        Aspect.LABELS: (debate.label, back.label),
        Aspect.TITLES: (_text(debate.title), _text(back.title)),
        Aspect.PROTOCOLS: (debate.protocol, back.protocol),
        Aspect.NOTES: (_text(debate.note), _text(back.note)),
        Aspect.TAGS: ([_text(tag) for tag in debate.tags], [_text(tag) for tag in back.tags]),
        Aspect.AGENTS: (_agents(debate), _agents(back)),
        Aspect.EXHIBITS: (_free(debate.exhibits), _free(back.exhibits)),
        Aspect.CONTESTATIONS: (_free(debate.contestations), _free(back.contestations)),
    }
    found = {aspect for aspect, (given, returned) in pairs.items() if given != returned}
    for aspect, listed in ((Aspect.JUDGEMENTS, _judgements), (Aspect.TRANSCRIPT, _transcript)):
        if listed(debate) and listed(debate) != listed(back):
            found.add(aspect)
    for aspect, said in ((Aspect.PROVENANCE, _origin(debate)), (Aspect.ASIDE, _aside(debate))):
        returned = _origin(back) if aspect is Aspect.PROVENANCE else _aside(back)
        if any(returned.get(key) != value for key, value in said.items()):
            found.add(aspect)
    return found | _rounds_differing(debate, back, kept.names)


# -- rounds --------------------------------------------------------------------------------------------------------


def _rounds_differing(debate: Debate, back: Debate, names: Mapping[str, str]) -> set[Aspect]:
    given, returned = _numbers(debate), _numbers(back)
    if given == returned:
        before, after = debate.rounds or (Round(0),), back.rounds or (Round(0),)
        found = {Aspect.STANCES} if list(map(_stances, before)) != list(map(_stances, after)) else set()
        pairs = list(zip(before, after, strict=True))
    else:
        found = {Aspect.ROUNDS}
        if _stances(profile(debate)) != _stances(profile(back)):
            found.add(Aspect.STANCES)
        pairs = [((debate.rounds or (Round(0),))[-1], (back.rounds or (Round(0),))[-1])]
        if any(r.edits for r in debate.rounds):
            found.add(Aspect.EDITS)
    for one, other in pairs:
        found |= _round_differing(one, other, names)
    return found


def _numbers(debate: Debate) -> list[int]:
    return [r.number for r in debate.rounds] or [0]


def _round_differing(one: Round, other: Round, names: Mapping[str, str]) -> set[Aspect]:
    found: set[Aspect] = set()
    returned = {argument.id: argument for argument in other.arguments}
    for argument in one.arguments:
        name = names.get(argument.id)
        same = None if name is None else returned.pop(name, None)
        if same is None:
            found.add(Aspect.ARGUMENTS)
            continue
        if name != storable(argument.id):
            found.add(Aspect.ARGUMENT_IDS)
        found |= _argument_differing(argument, same)
    if returned:
        found.add(Aspect.ARGUMENTS)
    if _relations_differ(one, other, names):
        found.add(Aspect.RELATIONS)
    if _free(one.edits) != _free(other.edits):
        found.add(Aspect.EDITS)
    return found


def _argument_differing(argument: Argument, same: Argument) -> set[Aspect]:
    pairs = {
        Aspect.TEXTS: (_text(argument.text) or "", _text(same.text) or ""),
        Aspect.AUTHORS: (_text(argument.author), _text(same.author)),
        Aspect.BASE_SCORES: (argument.base_score, same.base_score),
        Aspect.SOURCES: (_text(argument.source), _text(same.source)),
        Aspect.FAILURES: (argument.is_error_text, same.is_error_text),
        Aspect.EDITS: (_text(argument.last_edited_by), _text(same.last_edited_by)),
        Aspect.ORIGINALS: (
            (_text(argument.source_id), _text(argument.base_score_raw)),
            (_text(same.source_id), _text(same.base_score_raw)),
        ),
    }
    return {aspect for aspect, (given, returned) in pairs.items() if given != returned}


def _relations_differ(one: Round, other: Round, names: Mapping[str, str]) -> bool:
    """Return whether relations differ, those of arguments that are not in the file left aside."""
    within = {argument.id for argument in one.arguments}
    ends = {TOPIC: TOPIC, **names}
    wanted = set()
    for relation in one.relations:
        if relation.source in within - names.keys() or relation.target in within - names.keys():
            continue
        source, target = relation.source, relation.target
        wanted.add((ends.get(source, source), ends.get(target, target), relation.kind))
    return wanted != {(r.source, r.target, r.kind) for r in other.relations}


# -- what is compared ----------------------------------------------------------------------------------------------


def _text(text: str | None) -> str | None:
    return storable(text) if text else None


def _free(values: Sequence[Mapping[str, Any]]) -> list[str]:
    return [dumps(dict(value)) for value in values]


def _agents(debate: Debate) -> dict[str | None, tuple[object, ...]]:
    return {
        _text(a.id): (_text(a.name), _text(a.model), _text(a.role), _text(a.persona), a.temperature)
        for a in debate.agents
    }


def _stances(held: Any) -> dict[str | None, tuple[float | None, float | None]]:
    """Return the stances of a round or a profile by agent; one with nothing in it says nothing."""
    return {_text(s.agent_id): (s.prior, s.posterior) for s in held.stances if (s.prior, s.posterior) != (None, None)}


def _judgements(debate: Debate) -> list[tuple[object, ...]]:
    return [
        (
            _text(j.judge) or UNKNOWN_JUDGE,
            _text(j.kind) or DEFAULT_KIND,
            j.score,
            j.verdict,
            j.status,
            _text(j.explanation),
            dumps(dict(j.settings)),
        )
        for j in debate.judgements
    ]


def _transcript(debate: Debate) -> list[tuple[object, ...]]:
    return [(_text(m.speaker), _text(m.text), m.round, _text(m.role), _text(m.model)) for m in debate.transcript]


def _origin(debate: Debate) -> dict[str, str]:
    return {key: dumps(value) for key, value in debate.provenance.items() if key not in _ASIDE}


def _aside(debate: Debate) -> dict[str, str]:
    """Return what stands beside a debate; its order says nothing."""
    found = {}
    for key in _ASIDE:
        value = debate.provenance.get(key)
        if value:
            found[key] = dumps(sorted(map(dumps, value)) if isinstance(value, (list, tuple)) else value)
    return found


__all__ = ["Aspect", "Kept", "Loss", "differing", "in_words", "losses"]
