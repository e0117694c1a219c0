"""What can be derived where logs lack polarity, scores or stances: by name, and only where somebody chooses it.

Importing never applies one. Each returns a new debate that names the derivation in its provenance, and leaves alone
whatever the log itself gave.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from core.debate import Debate, RecordedJudgement, Round
from core.errors import InvalidSetting
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.readers.draft import finite, mapping

DERIVED = "derived"  # the key in a debate's provenance that lists what was applied


@dataclass(frozen=True)
class Derivation:
    """One way to fill in what a log lacks.

    Attributes:
        key: Its name for programs, kept in the provenance of what it was applied to.
        says: What it takes for what, for the person who chooses.
        derive: Returns the filled-in debate, or the debate itself where there is nothing to fill in.
    """

    key: str
    says: str
    derive: Callable[[Debate], Debate]

    def applies_to(self, debate: Debate) -> bool:
        """Return whether it changes anything."""
        return self.derive(debate) is not debate

    def apply(self, debate: Debate) -> Debate:
        """Return the debate with what is derived, and the derivation's name in its provenance."""
        derived = self.derive(debate)
        if derived is debate:
            return debate
        names = [*debate.provenance.get(DERIVED, ()), self.key]
        return replace(derived, provenance={**derived.provenance, DERIVED: names})


def _scored(debate: Debate, score_of: Callable[[Argument], float | None]) -> Debate:
    """Return the debate with base scores where they are missing and one can be derived."""
    found: dict[str, float] = {}
    for each in debate.rounds:
        for argument in each.arguments:
            score = score_of(argument) if argument.base_score is None and argument.id not in found else None
            if score is not None and 0.0 <= score <= 1.0:
                found[argument.id] = score
    if not found:
        return debate

    def filled(argument: Argument) -> Argument:
        if argument.base_score is not None or argument.id not in found:
            return argument
        return replace(argument, base_score=found[argument.id])

    rounds = tuple(replace(each, arguments=tuple(map(filled, each.arguments))) for each in debate.rounds)
    return replace(debate, rounds=rounds)


def _related(debate: Debate, more: Callable[[Round], list[Relation]]) -> Debate:
    """Return the debate with further relations in each round, those of which are not there yet."""
    rounds = []
    for each in debate.rounds:
        held = {argument.id for argument in each.arguments}
        new = [r for r in dict.fromkeys(more(each)) if r not in each.relations and r.source in held]
        new = [r for r in new if r.target == TOPIC or r.target in held]
        rounds.append(replace(each, relations=(*each.relations, *new)) if new else each)
    return replace(debate, rounds=tuple(rounds)) if tuple(rounds) != debate.rounds else debate


def _round_of(argument_id: str) -> str:
    """Return the round in an id such as ``proponent-r2`` or ``expert-r1-2``."""
    return argument_id.rpartition("-r")[2].partition("-")[0]


def reflection_scores(debate: Debate) -> Debate:
    """Return PROClaim's debate with each counsel's self-reflection total, 0 to 1, as base score of what it said."""
    totals = mapping(debate.provenance.get("reflections"))

    def score(argument: Argument) -> float | None:
        return finite(mapping(totals.get(argument.author or "")).get(_round_of(argument.id)))

    return _scored(debate, score)


def critic_scores(debate: Debate) -> Debate:
    """Return PROClaim's debate with the mean of the critic's logic, evidence and rebuttal as base score."""
    critic = mapping(debate.provenance.get("critic"))
    sides = {"proponent": "plaintiff", "opponent": "defense"}

    def score(argument: Argument) -> float | None:
        given = mapping(mapping(critic.get(_round_of(argument.id))).get(sides.get(argument.author or "", "")))
        numbers = [n for key in ("logic", "evidence", "rebuttal") if (n := finite(given.get(key))) is not None]
        return statistics.fmean(numbers) if numbers else None

    return _scored(debate, score)


def expert_sides(debate: Debate) -> Debate:
    """Return PROClaim's debate with each testimony on the side that called the expert."""
    called = mapping(debate.provenance.get("expert_sides"))
    kinds = {"proponent": RelationKind.SUPPORT, "opponent": RelationKind.ATTACK}
    return _related(
        debate,
        lambda each: [
            Relation(a.id, TOPIC, kinds[side])
            for a in each.arguments
            if isinstance(side := called.get(a.id), str) and side in kinds
            and not any(r.source == a.id for r in each.relations)
        ],
    )  # fmt: skip


def undercuts_attack_premises(debate: Debate) -> Debate:
    """Return the debate with every undercut as an attack on the premise whose bearing it attacks."""
    listed = debate.provenance.get("undercuts")
    pairs = [(entry.get("source"), entry.get("target")) for entry in listed or () if isinstance(entry, Mapping)]
    relations = [
        Relation(source, target, RelationKind.ATTACK)
        for source, target in pairs
        if isinstance(source, str) and isinstance(target, str) and source != target
    ]
    return _related(debate, lambda _: relations)


def unsigned_support(debate: Debate) -> Debate:
    """Return the debate with every relation without a sign as support."""
    listed = debate.provenance.get("unsigned")
    relations = [
        Relation(pair[0], pair[1], RelationKind.SUPPORT)
        for pair in listed or ()
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(end, str) for end in pair)
    ]
    return _related(debate, lambda _: relations)


def majority_vote(debate: Debate) -> Debate:
    """Return a debate of chats with the answer that most agents gave last as a judgement without a score."""
    given = mapping(debate.provenance.get("final_answers"))
    last = [answers[-1] for answers in given.values() if isinstance(answers, list) and answers and answers[-1]]
    if not last or any(judgement.judge == "majority of final answers" for judgement in debate.judgements):
        return debate
    (answer, votes), *_ = Counter(map(str, last)).most_common(1)
    settings: dict[str, Any] = {"answer": answer, "votes": votes, "of": len(given)}
    vote = RecordedJudgement("majority of final answers", "vote", settings=settings)
    return replace(debate, judgements=(*debate.judgements, vote))


def agreement_with_reference(debate: Debate) -> Debate:
    """Return a debate of chats with stance 1 for an agent whose final answer is the reference, else 0, by round."""
    reference = debate.provenance.get("reference_answer")
    if not isinstance(reference, (str, int, float)) or not str(reference).strip():
        return debate
    wanted = _plain_answer(str(reference))
    given = mapping(debate.provenance.get("final_answers"))
    rounds = []
    for place, each in enumerate(debate.rounds):
        stances = tuple(
            Stance(agent, posterior=1.0 if _plain_answer(str(answers[place])) == wanted else 0.0)
            for agent, answers in given.items()
            if isinstance(answers, list) and place < len(answers) and answers[place] is not None
        )
        rounds.append(replace(each, stances=stances) if stances and not each.stances else each)
    return replace(debate, rounds=tuple(rounds)) if tuple(rounds) != debate.rounds else debate


def _plain_answer(text: str) -> str:
    """Return an answer without what surrounds it: the end of a worked solution, currency, separators, brackets."""
    end = text.rpartition("####")[2]
    return end.strip().strip("()$ .").replace(",", "").casefold()


DERIVATIONS: dict[str, Derivation] = {
    derivation.key: derivation
    for derivation in (
        Derivation("reflection-scores", "PROClaim: a counsel's own reflection total as base score", reflection_scores),
        Derivation("critic-scores", "PROClaim: the mean of the critic's marks as base score", critic_scores),
        Derivation("expert-sides", "PROClaim: testimony counts for the side that called the expert", expert_sides),
        Derivation(
            "undercuts-attack-premises",
            "AIF and Argdown: an attack on a relation counts as an attack on its premise",
            undercuts_attack_premises,
        ),
        Derivation("unsigned-support", "Graphs: a relation without a sign counts as support", unsigned_support),
        Derivation("majority-vote", "Chats: the answer that most agents end with, as a vote", majority_vote),
        Derivation(
            "agreement-with-reference",
            "Chats: stance 1 where an agent's answer is the reference, else 0",
            agreement_with_reference,
        ),
    )
}
"""Every derivation by its key."""


def derived(debates: Sequence[Debate], keys: Sequence[str]) -> Sequence[Debate]:
    """Return debates with what was chosen to be derived, each worked out when it is asked for.

    Raises:
        InvalidSetting: If there is no derivation of a key.
    """
    chosen = derivations_named(keys)
    return _Derived(debates, chosen) if chosen else debates


def applied(chosen: Iterable[Derivation], debate: Debate) -> Debate:
    """Return a debate with what derivations add to it, one after the other."""
    for derivation in chosen:
        debate = derivation.apply(debate)
    return debate


def derivations_named(keys: Sequence[str]) -> tuple[Derivation, ...]:
    """Return derivations by their keys.

    Raises:
        InvalidSetting: If there is none of a key.
    """
    unknown = [key for key in keys if key not in DERIVATIONS]
    if unknown:
        raise InvalidSetting(f"There is no derivation {unknown[0]!r}; there are {', '.join(DERIVATIONS)}.")
    return tuple(DERIVATIONS[key] for key in dict.fromkeys(keys))


def offered(debates: Iterable[Debate]) -> tuple[Derivation, ...]:
    """Return the derivations that would change something in one of some debates."""
    looked = list(debates)
    return tuple(one for one in DERIVATIONS.values() if any(one.applies_to(debate) for debate in looked))


class _Derived(Sequence[Debate]):
    def __init__(self, debates: Sequence[Debate], chosen: Sequence[Derivation]) -> None:
        self._debates = debates
        self._chosen = chosen

    def __len__(self) -> int:
        return len(self._debates)

    @overload
    def __getitem__(self, place: int) -> Debate: ...
    @overload
    def __getitem__(self, place: slice) -> list[Debate]: ...
    def __getitem__(self, place: int | slice) -> Debate | list[Debate]:
        if isinstance(place, slice):
            return [applied(self._chosen, debate) for debate in self._debates[place]]
        return applied(self._chosen, self._debates[place])

    def __iter__(self) -> Iterator[Debate]:
        return (applied(self._chosen, debate) for debate in self._debates)


__all__ = ["DERIVATIONS", "Derivation", "applied", "derivations_named", "derived", "offered"]
