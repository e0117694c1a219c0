"""From an opinion profile to the QBAFs that a semantics judge evaluates, with notes on what had to be decided."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.opinion import TOPIC, OpinionProfile, Relation, RelationKind, Stance
from core.qbaf import QBAF
from core.wording import RELATION_VERB, several

NEUTRAL = 0.5  # base score of a topic that nobody has a stance on
MOST_NAMED = 3  # ids that one note names before it counts the rest


class Setting(StrEnum):
    """Which QBAFs are judged."""

    COMBINED = "combined"  # one with all agents' arguments
    SEPARATE = "separate"  # one for each agent


class StanceVariant(StrEnum):
    """Where the topic's base score comes from."""

    NONE = "none"  # 0.5
    PRIOR = "prior"  # the agent's stance before the arguments; the agents' mean when combined
    POSTERIOR = "posterior"  # the stance after them; beyond the paper


@dataclass(frozen=True)
class JudgedPart:
    """One QBAF of a profile. Its first argument is ``TOPIC``.

    Attributes:
        agent: Whose opinion it is; None for all agents'.
        qbaf: Arguments by their ids.
        topic_base_score: The topic's base score in it.
    """

    agent: str | None
    qbaf: QBAF
    topic_base_score: float


@dataclass(frozen=True)
class Framing:
    """The QBAFs of a profile, with notes for the reader."""

    parts: tuple[JudgedPart, ...]
    notes: tuple[str, ...]


def framing(
    profile: OpinionProfile, setting: Setting, variant: StanceVariant, missing_base_score: float | None
) -> Framing:
    """Return the QBAFs to judge.

    Arguments that are a provider's failure message are left out, and so are those without a base score where
    ``missing_base_score`` is None. A topic base score that the profile sets itself overrides the variant.
    """
    scores, notes = _base_scores(profile, missing_base_score)
    relations = [r for r in profile.relations if _within(r, scores)]
    if profile.dangling:
        notes.append(
            f"{several(len(profile.dangling), 'relation is', 'relations are')} left out because an end is missing: "
            f"{_listed(_sentence(r) for r in profile.dangling)}."
        )
    if setting is Setting.SEPARATE and profile.stances:
        return _separate(profile, variant, scores, relations, notes)
    if setting is Setting.SEPARATE:
        notes.append("The profile names no agents, so all its arguments are judged together.")
    topic = _mean_stance(profile, variant, notes)
    return Framing((_part(None, topic, scores, relations),), tuple(notes))


def _separate(
    profile: OpinionProfile,
    variant: StanceVariant,
    scores: dict[str, float],
    relations: Sequence[Relation],
    notes: list[str],
) -> Framing:
    parts: list[JudgedPart] = []
    kept: set[Relation] = set()
    for stance in profile.stances:
        own = {a.id: scores[a.id] for a in profile.opinion(stance.agent_id).arguments if a.id in scores}
        among = [r for r in relations if _within(r, own)]
        kept.update(among)
        parts.append(_part(stance.agent_id, _topic_base_score(profile, variant, stance), own, among))
    lost = [r for r in relations if r not in kept]
    if lost:
        notes.append(
            f"{several(len(lost), 'relation is', 'relations are')} left out because different agents' arguments are "
            "judged separately: "
            f"{_listed(_sentence(r) for r in lost)}."
        )
    _note_missing_stances(profile, variant, notes)
    return Framing(tuple(parts), tuple(notes))


def _part(agent: str | None, topic: float, scores: dict[str, float], relations: Iterable[Relation]) -> JudgedPart:
    pairs: dict[RelationKind, list[tuple[str, str]]] = {kind: [] for kind in RelationKind}
    for relation in relations:
        pairs[relation.kind].append((relation.source, relation.target))
    qbaf = QBAF.build([(TOPIC, topic), *scores.items()], pairs[RelationKind.ATTACK], pairs[RelationKind.SUPPORT])
    return JudgedPart(agent, qbaf, topic)


def _base_scores(profile: OpinionProfile, missing: float | None) -> tuple[dict[str, float], list[str]]:
    notes: list[str] = []
    failures = [a.id for a in profile.arguments if a.is_error_text]
    if failures:
        many = several(len(failures), "argument is", "arguments are")
        notes.append(f"{many} left out as a failure message: {_listed(map(repr, failures))}.")
    usable = [a for a in profile.arguments if not a.is_error_text]
    unscored = [a.id for a in usable if a.base_score is None]
    if unscored:
        what = "left out for want of a base score" if missing is None else f"given the missing base score, {missing:g}"
        many = several(len(unscored), "argument is", "arguments are")
        notes.append(f"{many} {what}: {_listed(map(repr, unscored))}.")
    given = {a.id: missing if a.base_score is None else a.base_score for a in usable}
    return {name: score for name, score in given.items() if score is not None}, notes


def _topic_base_score(profile: OpinionProfile, variant: StanceVariant, stance: Stance) -> float:
    if profile.topic_base_score is not None:
        return profile.topic_base_score
    value = _value(stance, variant)
    return NEUTRAL if value is None else value


def _mean_stance(profile: OpinionProfile, variant: StanceVariant, notes: list[str]) -> float:
    if profile.topic_base_score is not None:
        return profile.topic_base_score
    _note_missing_stances(profile, variant, notes)
    if variant is StanceVariant.NONE:
        return NEUTRAL
    if not profile.stances:
        notes.append(f"No agent has a {variant.value} stance, so the topic's base score is {NEUTRAL}.")
        return NEUTRAL
    return mean([_topic_base_score(profile, variant, stance) for stance in profile.stances])


def mean(values: Sequence[float]) -> float:
    """Return the mean of at least one value, whatever their order, to the last bit; never outside their range."""
    return min(max(math.fsum(values) / len(values), min(values)), max(values))


def _value(stance: Stance, variant: StanceVariant) -> float | None:
    match variant:
        case StanceVariant.NONE:
            return NEUTRAL
        case StanceVariant.PRIOR:
            return stance.prior
        case StanceVariant.POSTERIOR:
            return stance.posterior


def _note_missing_stances(profile: OpinionProfile, variant: StanceVariant, notes: list[str]) -> None:
    missing = [s.agent_id for s in profile.stances if _value(s, variant) is None]
    if missing and profile.topic_base_score is None:
        notes.append(f"No {variant.value} stance, {NEUTRAL} used instead: {_listed(map(repr, missing))}.")


def _within(relation: Relation, names: dict[str, float]) -> bool:
    return all(name == TOPIC or name in names for name in (relation.source, relation.target))


def _sentence(relation: Relation) -> str:
    verb = RELATION_VERB[relation.kind]
    target = "the topic" if relation.target == TOPIC else repr(relation.target)
    return f"{relation.source!r} {verb} {target}"


def _listed(items: Iterable[str]) -> str:
    """Return the items in alphabetical order, so that notes do not depend on the profile's order either."""
    ordered = sorted(items)
    more = len(ordered) - MOST_NAMED
    return ", ".join(ordered[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
