"""What happens over rounds as tables, the same on screen and in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.judgement import Judgement
from core.opinion import TOPIC, Argument
from core.rounds.agreement import Spread
from core.rounds.changes import Bearing, ChangeKind, RoundChanges
from core.rounds.persuasion import Drawn, Move
from core.wording import RELATION_VERB, judgement_chip, several

COUNTED = {
    ChangeKind.ADDED: "added",
    ChangeKind.DROPPED: "dropped",
    ChangeKind.REWORDED: "reworded",
    ChangeKind.REPLACED: "replaced by another text",
    ChangeKind.MOVED: "with the base score alone moved",
    ChangeKind.AIMED: "on another side or target",
    ChangeKind.KEPT: "as before",
}
CHANGE_COLUMNS = (
    "Round",
    "Since",
    "Author",
    "Argument",
    "Change",
    "Bears on",
    "Base score before",
    "Base score after",
    "Base score moved",
    "Words in common",
    "Edited by",
    "Another's",
    "Text before",
    "Text after",
)


def change_table(found: Sequence[RoundChanges], names: Mapping[str, str]) -> pd.DataFrame:
    """Return every argument that changed in any round, one a row, with refused edits at the end of their round.

    Args:
        found: The changes of each round.
        names: What to call agents, by id; the id itself where absent.
    """
    rows: list[dict[str, object]] = []
    for step in found:
        for one in step.changed:
            rows.append(
                {
                    "Round": step.number,
                    "Since": step.since,
                    "Author": named(one.argument.author, names),
                    "Argument": one.argument.id,
                    "Change": one.kind.value,
                    "Bears on": bearing_words(one.bearing_before if one.after is None else one.bearing_after),
                    "Base score before": _score(one.before),
                    "Base score after": _score(one.after),
                    "Base score moved": one.move,
                    "Words in common": one.in_common if one.before and one.after else None,
                    "Edited by": ", ".join(named(name, names) for name in one.editors),
                    "Another's": bool(one.by_others),
                    "Text before": one.before.text if one.before else "",
                    "Text after": one.after.text if one.after else "",
                }
            )
        for refused in step.refused:
            rows.append(
                {
                    "Round": step.number,
                    "Since": step.since,
                    "Author": named(refused.owner, names),
                    "Argument": refused.argument,
                    "Change": f"refused: {refused.why}" if refused.why else "refused",
                    "Base score after": refused.base_score,
                    "Edited by": named(refused.agent, names),
                    "Another's": refused.owner is not None and refused.owner != refused.agent,
                    "Text before": "",
                    "Text after": refused.text or "",
                }
            )
    table = pd.DataFrame(rows, columns=list(CHANGE_COLUMNS))
    numbers = ["Since", *(name for name in CHANGE_COLUMNS if name.startswith("Base score")), "Words in common"]
    return table.astype(dict.fromkeys(numbers, "float64") | {"Since": "Int64"})


def counts_sentence(found: RoundChanges) -> str:
    """Return how many arguments changed in which way."""
    told = [f"{found.count(kind)} {words}" for kind, words in COUNTED.items() if found.count(kind)]
    if found.refused:
        told.append(several(len(found.refused), "edit") + " refused")
    return f"{'; '.join(told)}." if told else "No argument is there, before or after."


def spread_table(found: Sequence[Spread]) -> pd.DataFrame:
    """Return how far the stances lie apart at each moment, one a row."""
    return pd.DataFrame(
        {
            "After round": [one.moment for one in found],
            "Stances": [f"{one.known} of {one.agents}" for one in found],
            "Mean": pd.Series([one.mean for one in found], dtype="float64"),
            "Highest less lowest": pd.Series([one.reach for one in found], dtype="float64"),
            "Standard deviation": pd.Series([one.deviation for one in found], dtype="float64"),
            "True": [one.verdicts[0] for one in found],
            "False": [one.verdicts[1] for one in found],
            "Uncertain": [one.verdicts[2] for one in found],
        }
    )


def spread_sentence(found: Sequence[Spread]) -> str:
    """Return how far the stances came together from the first moment to the last one of which two are known."""
    known = [one for one in found if one.reach is not None]
    if not known:
        return "Nowhere are two stances known, so there is no agreement to speak of."
    first, last = known[0], known[-1]
    ending = "all come to one verdict" if last.unanimous else "they come to different verdicts"
    if first is last:
        return f"The stances lie {last.reach:.2f} apart; {ending}."
    return f"From {first.reach:.2f} apart the stances came to {last.reach:.2f} apart; at the end {ending}."


def move_table(found: Sequence[Move], names: Mapping[str, str]) -> pd.DataFrame:
    """Return every agent's move in each round, one a row, with the others to whom it came nearest."""
    rows = []
    for one in found:
        nearest = next((near for near in one.approaches if near.towards in one.nearer), None)
        rows.append(
            {
                "Round": one.number,
                "Agent": named(one.agent, names),
                "Stance before": one.before,
                "Stance after": one.after,
                "Moved": one.change,
                "Moved nearer to": ", ".join(named(name, names) for name in one.nearer),
                "Gap closed %": None if nearest is None or nearest.share is None else 100 * nearest.share,
            }
        )
    columns = ["Round", "Agent", "Stance before", "Stance after", "Moved", "Moved nearer to", "Gap closed %"]
    return pd.DataFrame(rows, columns=columns).astype({"Gap closed %": "float64"})


def approach_table(found: Sequence[Move], names: Mapping[str, str]) -> pd.DataFrame:
    """Return every agent's approach to every other agent in each round, one a row."""
    rows = [
        {
            "Round": move.number,
            "Agent": named(move.agent, names),
            "Towards": named(one.towards, names),
            "Stance before": move.before,
            "Stance after": move.after,
            "The other stood at": one.stood,
            "Gap before": one.gap_before,
            "Gap after": one.gap_after,
            "Gap closed %": None if one.share is None else 100 * one.share,
        }
        for move in found
        for one in move.approaches
    ]
    columns = [
        "Round", "Agent", "Towards", "Stance before", "Stance after", "The other stood at", "Gap before", "Gap after",
        "Gap closed %",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns).astype({"Gap closed %": "float64"})


def drawn_table(found: Sequence[Drawn], names: Mapping[str, str]) -> pd.DataFrame:
    """Return each agent's way towards each other agent over all rounds, one a row."""
    return pd.DataFrame(
        [
            {
                "Agent": named(one.agent, names),
                "Towards": named(one.towards, names),
                "Came nearer by": one.closed,
                "Rounds": one.rounds,
                "Nearest in": one.nearest,
            }
            for one in found
        ],
        columns=["Agent", "Towards", "Came nearer by", "Rounds", "Nearest in"],
    )


def judged_table(numbers: Sequence[int], judged: Mapping[str, Sequence[Judgement]]) -> pd.DataFrame:
    """Return what judges say of each round, a round a row: each judge's verdict, and its score in a column beside."""
    columns: dict[str, object] = {"Round": list(numbers)}
    for name, listed in judged.items():
        columns[name] = [judgement_chip(said) for said in listed]
        columns[f"{name}, score"] = pd.Series([said.score for said in listed], dtype="float64")
    return pd.DataFrame(columns)


def bearing_words(bearing: Bearing) -> str:
    """Return on what an argument bears, and how."""
    aims = (f"{RELATION_VERB[kind]} {'the topic' if target == TOPIC else target}" for target, kind in bearing)
    return ", ".join(aims)


def named(agent: str | None, names: Mapping[str, str]) -> str:
    """Return what to call an agent; nobody in particular is unknown."""
    return "unknown" if agent is None else names.get(agent, agent)


def _score(argument: Argument | None) -> float | None:
    return None if argument is None else argument.base_score


__all__ = [
    "CHANGE_COLUMNS",
    "approach_table",
    "bearing_words",
    "change_table",
    "counts_sentence",
    "drawn_table",
    "judged_table",
    "move_table",
    "named",
    "spread_sentence",
    "spread_table",
]
