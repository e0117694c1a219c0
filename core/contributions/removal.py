"""What is missing when an argument is taken out, as it stands or stripped of what others said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.contributions.definition import Definition
from core.contributions.players import Players, checked_players
from core.contributions.results import Contributions
from core.contributions.variants import first_strengths
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, OpinionProfile
from core.semantics import Evaluation, GradualSemantics

NO_SCORE = "There are no contributions, because the profile has no score: no fixed point was found."
_METHOD = "judged again without each"


def removal(judge: SemanticsJudge, profile: OpinionProfile, players: Players | None = None) -> Contributions:
    """Return by how much the score would fall if one argument, or one group of them, were not there.

    Each amount lies in [-1, 1] and equals, to the last bit, judging the profile without the player's arguments. An
    amount is missing, with a note, where there would be no score.

    Args:
        judge: Whose score.
        profile: What is judged.
        players: Groups of arguments; None for every argument by itself. A group none of whose arguments is judged
            adds 0.

    Raises:
        InvalidSetting: If an argument belongs to two players.
    """
    if players is not None:
        return _of_groups(judge, profile, checked_players(players))
    return _of_arguments(judge, profile, Definition.REMOVAL)


def intrinsic_removal(judge: SemanticsJudge, profile: OpinionProfile) -> Contributions:
    """Return the removal contributions of arguments that count with their own base scores.

    For each argument the relations that end at it are dropped first, and then it is taken out: each amount, in
    [-1, 1], is the fall of the score by the second step.
    """
    return _of_arguments(judge, profile, Definition.INTRINSIC_REMOVAL)


def score(judge: SemanticsJudge, profile: OpinionProfile) -> float | None:
    """Return the judge's score of a profile, without a word of explanation; None where there is none."""
    parts = judge.qbafs(profile)
    evaluations = [judge.gradual.evaluate(part.qbaf) for part in parts]
    if not all(evaluation.converged for evaluation in evaluations):
        return None
    return joined(judge, [float(evaluation.strengths[0]) for evaluation in evaluations], parts[0].agent is None)


def joined(judge: SemanticsJudge, scores: Sequence[float], combined: bool) -> float:
    """Return what the topics' strengths come to: the only one, or the judge's aggregation of the agents'."""
    return scores[0] if combined else judge.final_score(scores)


def _of_arguments(judge: SemanticsJudge, profile: OpinionProfile, definition: Definition) -> Contributions:
    """Return, for each argument, the score before it is taken out minus the score after."""
    parts = judge.qbafs(profile)
    evaluations = [judge.gradual.evaluate(part.qbaf) for part in parts]
    if not all(evaluation.converged for evaluation in evaluations):
        return Contributions(definition, {}, _METHOD, (NO_SCORE,))
    scores = [float(evaluation.strengths[0]) for evaluation in evaluations]  # the topic comes first in every part
    combined = parts[0].agent is None
    places: dict[str, list[tuple[int, int]]] = {}
    for number, part in enumerate(parts):
        for place, name in enumerate(part.qbaf.names):
            if name != TOPIC:
                places.setdefault(name, []).append((number, place))

    def changed(strengths: Sequence[Sequence[float | None]], found: Sequence[tuple[int, int]]) -> float | None:
        after = scores.copy()
        for number, place in found:
            strength = strengths[number][place]
            if strength is None:
                return None
            after[number] = strength
        return joined(judge, after, combined)

    stripping = definition is Definition.INTRINSIC_REMOVAL
    judged_again = [_judged_again(judge.gradual, evaluation, stripping) for evaluation in evaluations]
    without = [strengths for strengths, _ in judged_again]
    stripped = [strengths for _, strengths in judged_again]
    whole = joined(judge, scores, combined)
    amounts: dict[str, float] = {}
    for name, found in places.items():
        before = changed(stripped, found) if stripping else whole
        after = changed(without, found)
        if before is not None and after is not None:
            amounts[name] = before - after
    return Contributions(definition, amounts, _METHOD, _missing([name for name in places if name not in amounts]))


def _judged_again(
    gradual: GradualSemantics, evaluation: Evaluation, stripping: bool
) -> tuple[list[float | None], list[float | None]]:
    """Return the topic's strength without each argument, and without the relations that end at each, by place.

    The second list is empty unless ``stripping``.
    """
    qbaf, places = evaluation.qbaf, range(len(evaluation.qbaf))
    if not qbaf.acyclic:
        variants = [qbaf.without(place) for place in places]
        variants += [qbaf.isolating(place) for place in places if stripping]
        strengths = first_strengths(gradual, variants)
        return strengths[: len(qbaf)], strengths[len(qbaf) :]
    without = [float(gradual.without(evaluation, place).strengths[0]) for place in places]
    stripped = [float(gradual.isolated(evaluation, place).strengths[0]) for place in places if stripping]
    return [*without], [*stripped]


def _of_groups(judge: SemanticsJudge, profile: OpinionProfile, players: Players) -> Contributions:
    whole = score(judge, profile)
    if whole is None:
        return Contributions(Definition.REMOVAL, {}, _METHOD, (NO_SCORE,))
    amounts: dict[str, float] = {}
    for player, members in players.items():
        rest = replace(
            profile,
            arguments=tuple(a for a in profile.arguments if a.id not in members),
            relations=tuple(r for r in profile.relations if r.source not in members and r.target not in members),
        )
        without = score(judge, rest)
        if without is not None:
            amounts[player] = whole - without
    return Contributions(
        Definition.REMOVAL, amounts, _METHOD, _missing([player for player in players if player not in amounts])
    )


def _missing(players: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{player!r} has no number: without it no fixed point was found." for player in sorted(players))
