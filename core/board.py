"""What the interactive board needs to draw a debate and to judge it in the browser: numbers and text, as JSON values.

The browser repeats the judging while a base score is dragged, so the data holds each judge's QBAFs and settings along
with Python's own judgements, which count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from core.contestation import REVIEWER, Contested
from core.judgement import Judgement
from core.judges import SemanticsJudge
from core.layout import depths, layered_layout
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind
from core.wording import shortened, threshold_of

MOST_DRAWN = 1_000  # with more arguments there is no map, only the outline
LAYOUT_COLUMNS = (2, 4, 6, 10)  # the browser takes the layout that fits its window best
TEXT_SENT = 300  # characters of an argument; the page shows the whole text beside the board
REVIEWER_TAG = "✎"


class Labels(StrEnum):
    """What is written under an argument in the map."""

    SHORT = "short"
    ID = "id"
    NONE = "none"


@dataclass(frozen=True)
class LiveTile:
    """A judge whose verdict follows every move.

    Attributes:
        judge: The judge; the browser repeats its formulas.
        before: Its judgement of the original profile.
        after: Its judgement of the contested profile.
        label: What to call it; the judge's name if empty.
    """

    judge: SemanticsJudge
    before: Judgement
    after: Judgement
    label: str = ""


@dataclass(frozen=True)
class FixedTile:
    """A judge that is shown beside the live ones and does not follow: a recorded or an LLM judgement.

    Attributes:
        label: What to call it.
        judgement: What it said of the original profile; None where it was not run.
        note: A few words, such as "3 edits since".
    """

    label: str
    judgement: Judgement | None
    note: str = ""


def board_data(
    contested: Contested,
    original: OpinionProfile,
    live: Sequence[LiveTile],
    *,
    fixed: Sequence[FixedTile] = (),
    selected: str | None = None,
    anonymised: bool = False,
    contributions: Mapping[str, float] | None = None,
    labels: Labels = Labels.SHORT,
    focus: Collection[str] | None = None,
) -> dict[str, Any]:
    """Return the board's data, as plain JSON values.

    Args:
        contested: The profile after edits; removed arguments are drawn as ghosts.
        original: The profile before edits.
        live: Judges that follow every move; the map shows the strengths of the first one until another is chosen.
        fixed: Judges that do not follow.
        selected: The id of the argument that is looked at, ``TOPIC`` for the topic.
        anonymised: Leave out who put forward what.
        contributions: What each argument adds to the topic's strength, by id; makes its line wider.
        labels: What is written under an argument.
        focus: Ids of the arguments to draw in full; the others are faded. None fades nothing.
    """
    profile = contested.everything
    names = [TOPIC, *(a.id for a in profile.arguments)]
    index = {name: number for number, name in enumerate(names)}
    relations = sorted({r for r in profile.relations if r.source in index and r.target in index})
    levels, layouts = _places(tuple(names), tuple(relations))
    tags = {} if anonymised else _tags(profile)
    sides = _sides(relations)
    nodes = [_topic_node(profile, original)]
    nodes += [_node(a, contested, original, tags, sides[a.id], levels[a.id]) for a in profile.arguments]
    parts, of_judge = _parts(contested.profile, live, index)
    return {
        "claim": shortened(profile.claim, TEXT_SENT),
        "nodes": nodes,
        "edges": [_edge(r, index, contributions or {}) for r in relations],
        "layouts": layouts,
        "parts": parts,
        "judges": [_judge(tile, number, names) for tile, number in zip(live, of_judge, strict=True)],
        "others": [{"label": t.label, "before": _outcome(t.judgement), "note": t.note} for t in fixed],
        "selected": selected if selected in index else None,
        "labels": labels.value,
        "focus": None if focus is None else [index[name] for name in names if name in focus],
    }


def agent_tags(profile: OpinionProfile) -> dict[str, str]:
    """Return a short tag for each agent, A1, A2 and so on, in the debate's order."""
    return {stance.agent_id: f"A{number}" for number, stance in enumerate(profile.stances, start=1)}


def _tags(profile: OpinionProfile) -> dict[str, str]:
    return {**agent_tags(profile), REVIEWER: REVIEWER_TAG}


def _sides(relations: Sequence[Relation]) -> dict[str, set[RelationKind]]:
    sides: dict[str, set[RelationKind]] = defaultdict(set)
    for relation in relations:
        sides[relation.source].add(relation.kind)
    return sides


def _topic_node(profile: OpinionProfile, original: OpinionProfile) -> dict[str, Any]:
    return {
        "id": TOPIC,
        "text": shortened(profile.claim, TEXT_SENT),
        "tag": "",
        "base": profile.topic_base_score,
        "original": original.topic_base_score,
        "side": 0,
        "level": 0,
        "changed": profile.topic_base_score != original.topic_base_score,
    }


def _node(
    argument: Argument,
    contested: Contested,
    original: OpinionProfile,
    tags: Mapping[str, str],
    kinds: set[RelationKind],
    level: int,
) -> dict[str, Any]:
    before = original.by_id.get(argument.id, argument)
    node: dict[str, Any] = {
        "id": argument.id,
        "text": shortened(argument.text, TEXT_SENT),
        "tag": tags.get(argument.author or "", ""),
        "base": argument.base_score,
        "original": before.base_score,
        "side": {True: 1, False: -1}[RelationKind.SUPPORT in kinds] if len(kinds) == 1 else 0,
        "level": level,
    }
    flags = {
        "mixed": len(kinds) > 1,
        "added": argument.id in contested.added,
        "changed": argument.id in contested.changed,
        "gone": argument.id in contested.removed or argument.is_error_text,
    }
    return node | {name: True for name, flag in flags.items() if flag}


def _edge(relation: Relation, index: Mapping[str, int], contributions: Mapping[str, float]) -> list[float]:
    sign = 1 if relation.kind is RelationKind.SUPPORT else -1
    edge: list[float] = [index[relation.source], index[relation.target], sign]
    if relation.source in contributions:
        edge.append(round(contributions[relation.source], 6))
    return edge


@lru_cache(maxsize=64)  # an edit of a score moves nothing
def _places(names: tuple[str, ...], relations: tuple[Relation, ...]) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """Return every argument's level, and the layouts to choose from: x and y of each name in turn."""
    layouts: list[dict[str, Any]] = []
    for columns in LAYOUT_COLUMNS if len(names) - 1 <= MOST_DRAWN else ():
        positions = layered_layout(names, relations, TOPIC, columns=columns)
        xy = [round(value) for name in names for value in positions[name]]
        if not layouts or layouts[-1]["xy"] != xy:
            layouts.append({"columns": columns, "xy": xy})
    return depths(names, relations, TOPIC), layouts


def _parts(
    profile: OpinionProfile, live: Sequence[LiveTile], index: Mapping[str, int]
) -> tuple[list[list[dict[str, Any]]], list[int]]:
    """Return the different ways in which the judges cut the debate into QBAFs, and which one each judge uses.

    Arguments without a base score are always members; the browser leaves them out for judges that do, so that such
    an argument counts as soon as it is given a score.
    """
    ways: list[list[dict[str, Any]]] = []
    chosen: list[int] = []
    for tile in live:
        way: list[dict[str, Any]] = []
        for part in replace(tile.judge, missing_base_score=0.5).qbafs(profile):
            members = sorted(index[name] for name in part.qbaf.names)
            everyone = len(members) == len(index)
            way.append(
                {
                    "agent": part.agent is not None,
                    "topic": part.topic_base_score,
                    "members": None if everyone else members,
                }
            )
        if way not in ways:
            ways.append(way)
        chosen.append(ways.index(way))
    return ways, chosen


def _judge(tile: LiveTile, parts: int, names: Sequence[str]) -> dict[str, Any]:
    judge = tile.judge
    strengths = tile.after.strengths
    return {
        "label": tile.label or judge.name,
        "semantics": judge.semantics,
        "kappa": judge.conservativeness,
        "missing": judge.missing_base_score,
        "aggregation": judge.aggregation.value,
        "rule": [judge.rule.threshold, judge.rule.abstention, judge.rule.strict],
        "parts": parts,
        "before": _outcome(tile.before),
        "after": _outcome(tile.after),
        "strengths": [round(strengths[name], 9) if name in strengths else None for name in names],
    }


def _outcome(judgement: Judgement | None) -> dict[str, Any] | None:
    if judgement is None:
        return None
    verdict = None if judgement.verdict is None else judgement.verdict.value
    return {
        "score": judgement.score,
        "verdict": verdict,
        "status": judgement.status.value,
        "threshold": threshold_of(judgement.settings),
    }
