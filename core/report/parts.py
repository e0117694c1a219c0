"""What several kinds of sections have in common: the claim, the map, contributions, settings, hashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.board import MOST_DRAWN
from core.comparison.settings import setting_lines
from core.contestation import Contested
from core.contributions import by_agent, removal, shapley
from core.contributions.results import Contributions
from core.debate import Debate
from core.judges.registry import settings_id
from core.judges.semantics_judge import SemanticsJudge
from core.map_svg import svg_map
from core.opinion import TOPIC
from core.origin import origin_words
from core.outline import outline
from core.report.document import (
    Block,
    Check,
    Column,
    Drawing,
    Facts,
    Grid,
    Heading,
    JudgeLine,
    Prose,
    Remark,
    Tone,
    grid,
)
from core.report.drawings import SignedBar, bars_drawn, drawn
from core.report.matter import FoundDebate
from core.wording import label_word, number, shortened, signed

MOST_SHARED = 60  # arguments up to which Shapley values are worked out too
MOST_ROWS = 120  # arguments that a table lists
MOST_BARS = 12
KINDS = {"llm": "language model"}  # words for people
NOTHING = 5e-7  # an amount below this is written as ±0.000 anyway


def badges(found: FoundDebate, round_number: int | None, *, labels: bool) -> tuple[str, ...]:
    """Return what the debate is, in a few words each."""
    debate = found.debate
    known = [*origin_words(debate), debate.protocol.value.replace("-", " ")]
    if len(debate.rounds) > 1:
        last = debate.rounds[-1].number
        known.append(f"round {last if round_number is None else round_number} of {len(debate.rounds)}")
    if labels:
        known.append(f"label: {label_word(debate.label)}")
    return tuple(known)


def agent_names(debate: Debate, *, anonymised: bool) -> dict[str, str]:
    """Return what to call each agent, by id: its name and model, or its number."""
    if anonymised:
        return {agent.id: f"Agent {place}" for place, agent in enumerate(debate.agents, 1)}
    return {
        agent.id: f"{agent.name or agent.id}{f' ({agent.model})' if agent.model else ''}" for agent in debate.agents
    }


def argument_map(
    contested: Contested,
    strengths: Mapping[str, float],
    amounts: Mapping[str, float],
    judge: SemanticsJudge,
    *,
    anonymised: bool,
    caption: str,
) -> Drawing | Remark:
    """Return the map with the judge's strengths, or why there is none."""
    count = len(contested.everything.arguments)
    if not count:
        return Remark("No map", "Nobody put forward an argument in this round.", Tone.NOTE)
    if count > MOST_DRAWN:
        return Remark("No map", f"With {count:,} arguments there is no map; the outline lists them.", Tone.NOTE)
    changes = [
        f"{len(names)} {word}"
        for names, word in ((contested.changed, "changed"), (contested.added, "added"), (contested.removed, "removed"))
        if names
    ]
    alt = f"Argument map with {count} argument{'s' if count > 1 else ''}; topic strength {number(strengths.get(TOPIC))}"
    alt += f"; {', '.join(changes)}." if changes else "."
    return drawn(
        "Argument map",
        lambda palette: svg_map(
            contested,
            strengths,
            alt,
            anonymised=anonymised,
            contributions=amounts,
            palette=palette,
            threshold=judge.rule.threshold,
            columns=5,
        ),
        alt,
        caption,
    )


def outline_grid(contested: Contested, names: Mapping[str, str], strengths: Mapping[str, float]) -> Grid:
    """Return the map as an indented list."""
    rows = []
    lines = outline(contested.everything)
    for row in lines[:MOST_ROWS]:
        argument = row.argument
        fates = ((contested.added, "added"), (contested.removed, "removed"), (contested.changed, "changed"))
        fate = [word for among, word in fates if argument.id in among]
        said = "see above" if row.repeated else argument.text
        author = argument.author or ""
        strength = None if argument.id in contested.removed else strengths.get(argument.id)
        rows.append(
            (
                "\u2003" * max(0, min(row.level, 8) - 1) + (row.sign or "·") + " " + said,
                argument.id,
                names.get(author, author) or "–",
                number(argument.base_score),
                number(strength),
                ", ".join(fate) or "–",
            )
        )
    more = len(lines) - MOST_ROWS
    caption = "+ supports and − attacks the line above it that is indented less; at the left, the topic."
    if more > 0:
        caption += f" The first {MOST_ROWS} lines; {more} more are in the debate."
    columns = (
        Column("Argument", wide=True),
        Column("Id"),
        Column("By"),
        Column("Base score", number=True),
        Column("Strength", number=True),
        Column("State"),
    )
    return grid("The map as a list", columns, rows, caption, folded=True)


def contributions(
    judge: SemanticsJudge, contested: Contested, names: Mapping[str, str], found: Contributions
) -> list[Block]:
    """Return what each argument adds to the judge's score of the profile after edits, definitions named.

    Args:
        judge: Whose score.
        contested: The profile after edits.
        names: What to call agents.
        found: The removal contributions to that score.
    """
    profile = contested.profile
    if not profile.arguments:
        return []
    if not found.amounts:
        return [Heading("What each argument adds"), Remark("No contributions", " ".join(found.notes), Tone.WARNING)]
    shared = shapley(judge, profile) if len(profile.arguments) <= MOST_SHARED else None
    ranked = sorted(found.amounts, key=lambda name: (-abs(found.amounts[name]), name))
    texts = {argument.id: argument.text for argument in profile.arguments}
    bases = {argument.id: argument.base_score for argument in profile.arguments}
    moving = [name for name in ranked if abs(found.amounts[name]) >= NOTHING]
    meaning = f"{found.definition.label}: {_sentence(found.definition.meaning)}"
    blocks: list[Block] = [Heading("What each argument adds"), Prose(f"{meaning} The judge is {judge.name}.")]
    if moving:
        bars = [SignedBar(name, texts.get(name, ""), found.amounts[name]) for name in moving[:MOST_BARS]]
        up = sum(found.amounts[name] > 0 for name in moving)
        alt = (
            f"{up} argument{'s' if up != 1 else ''} raise the score and {len(moving) - up} lower it; the largest is "
            f"{moving[0]} with {signed(found.amounts[moving[0]])}."
        )
        more = len(moving) - len(bars)
        caption = (
            f"Plain bars raise the score, hatched ones lower it.{f' {more} more are in the table.' if more else ''}"
        )
        blocks.append(bars_drawn(bars, "Contributions", alt, caption))
    else:
        blocks.append(Prose("No argument changes the score."))
    columns = [Column("Id"), Column("Argument", wide=True), Column("Base score", number=True)]
    columns.append(Column(found.definition.label, number=True))
    notes = list(found.notes)
    if shared is not None and shared.amounts:
        columns.append(Column(shared.definition.label, number=True))
        start, score = number(shared.start, 3), number(shared.score, 3)
        notes.append(
            f"{shared.definition.label}: {_sentence(shared.definition.meaning)} From {start} to {score}; "
            f"{shared.method}{'' if shared.exact else f', {shared.orders:,} orders'}."
        )
    rows = []
    for name in ranked[:MOST_ROWS]:
        row = [name, shortened(texts.get(name, ""), 300), number(bases.get(name)), signed(found.amounts[name])]
        if shared is not None and shared.amounts:
            row.append(signed(shared.amounts.get(name)))
        rows.append(row)
    if len(ranked) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {len(ranked)} arguments.")
    blocks.append(grid("Contributions in numbers", columns, rows, " ".join(notes), folded=True))
    players = by_agent(profile)
    if len(players) > 1:
        grouped = removal(judge, profile, players)
        of_agents = [
            (names.get(player, player), str(len(players[player])), signed(grouped.amounts.get(player)))
            for player in sorted(players, key=lambda one: (-abs(grouped.amounts.get(one, 0.0)), one))
        ]
        columns = [Column("Agent"), Column("Arguments", number=True), Column(found.definition.label, number=True)]
        caption = "All of an agent's arguments are taken out at once; that is not the sum of what each adds."
        blocks.append(grid("What each agent's arguments add together", columns, of_agents, caption))
    return blocks


def judge_lines(settings: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[JudgeLine, ...]:
    """Return judges, given by name and settings, for the list at the end of a report."""
    found = []
    for (name, one), lines in zip(settings, setting_lines([of for _, of in settings], differing=False), strict=True):
        told = "; ".join(f"{key} {value}" for key, value in lines)
        kind = str(one.get("kind", "unknown"))
        found.append(JudgeLine(name, KINDS.get(kind, kind), told, settings_id(one)))
    return tuple(found)


def prompt_checks(settings: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Check]:
    """Return the hashes of the prompts of those judges that have some."""
    return [
        Check("Prompt set", str(one.get("prompts", "")), str(one["prompt_hash"]))
        for _, one in settings
        if one.get("prompt_hash")
    ]


def debate_checks(found: FoundDebate) -> list[Check]:
    """Return the hashes of a debate and of its data set's file."""
    checks = [Check("Debate content", found.debate.id, found.sha256)]
    if found.dataset_sha256:
        checks.append(Check("Data set's file", found.dataset, found.dataset_sha256))
    return checks


def stances(debate: Debate, profile_stances: Sequence[Any], names: Mapping[str, str]) -> Grid | None:
    """Return who holds what; None where nobody takes a stance."""
    rows = [
        (names.get(one.agent_id, one.agent_id), number(one.prior), number(one.posterior)) for one in profile_stances
    ]
    if not any(row[1:] != ("–", "–") for row in rows):
        return None
    columns = (Column("Agent"), Column("Stance before", number=True), Column("Stance after", number=True))
    return grid("Stances of the agents", columns, rows, "From 0, false, to 1, true.")


def facts(rows: Sequence[tuple[str, str | None]], title: str = "") -> Facts:
    """Return names with values; those without a value are left out."""
    return Facts(tuple((name, value) for name, value in rows if value), title)


def _sentence(text: str) -> str:
    return text[:1].lower() + text[1:]


__all__ = [
    "agent_names", "argument_map", "badges", "contributions", "debate_checks", "facts", "judge_lines", "outline_grid",
    "prompt_checks", "stances",
]  # fmt: skip
