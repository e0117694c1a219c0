"""The argument graph as an indented list: the same arguments as the map, readable without it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from core.contestation import Contested
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind
from core.wording import RELATION_SIGN, RELATION_VERB


@dataclass(frozen=True)
class OutlineRow:
    """One line of the outline.

    Attributes:
        argument: The argument shown.
        level: 1 for arguments on the topic, one more for each step down; 0 where it bears on nothing.
        kind: How it bears on ``target``, None where it bears on nothing.
        target: The id of what it bears on, in this line; an argument that bears on several has a line for each.
        repeated: True on every line of an argument but its first; what bears on it is listed at the first.
    """

    argument: Argument
    level: int
    kind: RelationKind | None
    target: str | None
    repeated: bool = False

    @property
    def sign(self) -> str:
        """Return + for support, − for attack, nothing otherwise."""
        return "" if self.kind is None else RELATION_SIGN[self.kind]


def outline(profile: OpinionProfile) -> tuple[OutlineRow, ...]:
    """Return the profile's arguments in reading order: pros before cons, each followed by what bears on it.

    Every argument has at least one row; cycles end at the first repetition. No recursion, so any depth works.
    """
    bearing: dict[str, list[Relation]] = defaultdict(list)
    for relation in profile.relations:
        bearing[relation.target].append(relation)
    rows: list[OutlineRow] = []
    seen: set[str] = set()

    def walk(start: list[Relation], level: int) -> None:
        stack = [(relation, level) for relation in reversed(start)]
        while stack:
            relation, depth = stack.pop()
            argument = profile.by_id.get(relation.source)
            if argument is None:
                continue
            repeated = argument.id in seen
            rows.append(OutlineRow(argument, depth, relation.kind, relation.target, repeated))
            if not repeated:
                seen.add(argument.id)
                stack.extend((child, depth + 1) for child in reversed(_ordered(bearing[argument.id])))

    walk(_ordered(bearing[TOPIC]), 1)
    for argument in profile.arguments:  # what hangs on nothing that reaches the topic
        if argument.id not in seen:
            seen.add(argument.id)
            rows.append(OutlineRow(argument, 0, None, None))
            walk(_ordered(bearing[argument.id]), 1)
    return tuple(rows)


def outline_records(
    contested: Contested,
    strengths: Mapping[str, Mapping[str, float]],
    contributions: Mapping[str, float] | None = None,
    *,
    authors: Mapping[str, str] | None = None,
) -> list[dict[str, object]]:
    """Return the outline as table rows, removed arguments included.

    Args:
        contested: The profile after edits.
        strengths: For each column title, strengths by argument id.
        contributions: Removal contribution to the score by argument id, if wanted as a column.
        authors: Names to show for agent ids; ids themselves where absent.
    """
    records: list[dict[str, object]] = []
    for row in outline(contested.everything):
        argument = row.argument
        marks = [
            mark
            for mark, names in (
                ("added", contested.added),
                ("removed", contested.removed),
                ("changed", contested.changed),
            )
            if argument.id in names
        ]
        author = argument.author or ""
        record: dict[str, object] = {
            "Argument": "\u2003" * max(0, row.level - 1) + argument.text,
            "Relation": "" if row.kind is None else RELATION_VERB[row.kind],
            "Bears on": "topic" if row.target == TOPIC else (row.target or "nothing"),
            "Id": argument.id,
            "By": (authors or {}).get(author, author),
            "Base score": argument.base_score,
        }
        for title, values in strengths.items():
            record[title] = None if argument.id in contested.removed else values.get(argument.id)
        if contributions is not None:
            record["Contribution"] = contributions.get(argument.id)
        record["State"] = ", ".join([*marks, *(["see above"] if row.repeated else [])])
        records.append(record)
    return records


def _ordered(relations: list[Relation]) -> list[Relation]:
    return [r for kind in (RelationKind.SUPPORT, RelationKind.ATTACK) for r in relations if r.kind is kind]
