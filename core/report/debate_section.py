"""A debate under judge settings in a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.contestation import contest
from core.contributions import removal
from core.debate import profile
from core.judgement import Judgement
from core.preferences import Preferences
from core.report import parts
from core.report.document import Block, Column, Heading, Remark, Section, Tone, grid
from core.report.drawings import ScoreLine, scores_drawn
from core.report.matter import FoundJudgedDebate
from core.report.report import Report
from core.wording import chip, judgement_chip, number, shortened

MOST_RECORDED = 12
LONGEST_REASON = 3_000  # characters of a recorded explanation


def debate_section(matter: FoundJudgedDebate, report: Report) -> Section:
    """Return a debate, judged as the item says, as a section.

    Raises:
        InvalidGraph: If the debate no longer has the round.
    """
    debate, number_of_round = matter.found.debate, matter.item.round_number
    preferences = Preferences.from_json(matter.item.settings)
    held = profile(debate, number_of_round)
    untouched = contest(held, ())
    judges = preferences.pinned_judges()
    judged = [(judge, judge.judge(held)) for judge in judges]
    main, said = judged[0]
    names = parts.agent_names(debate, anonymised=report.anonymised)
    amounts = removal(main, held)
    settings: list[tuple[str, Mapping[str, Any]]] = [(judge.name, judge.settings()) for judge in judges]
    settings += [(one.name, one.settings) for one in matter.recorded]
    taken = parts.stances(debate, held.stances, names)
    blocks: list[Block] = [
        *_verdicts(matter, [(judge.name, judgement) for judge, judgement in judged], preferences.rule.threshold),
        parts.facts([("Decision rule", str(preferences.rule)), ("Main judge", main.name), ("Why", said.explanation)]),
        *([Remark("Noted by the judge", " ".join(said.notes), Tone.NOTE)] if said.notes else []),
        *([taken] if taken is not None else []),
        parts.argument_map(
            untouched,
            said.strengths,
            amounts.amounts,
            main,
            anonymised=report.anonymised,
            caption=f"As recorded, with the strengths of {main.name}.",
        ),
        parts.outline_grid(untouched, names, said.strengths),
        *parts.contributions(main, untouched, names, amounts),
        *_reasons(matter),
    ]
    return Section(
        key="",
        kicker="Debate",
        title=debate.claim,
        blocks=tuple(blocks),
        badges=parts.badges(matter.found, number_of_round, labels=report.labels),
        checks=(*parts.debate_checks(matter.found), *parts.prompt_checks(settings)),
        outcome=judgement_chip(said),
        judges=parts.judge_lines(settings),
    )


def _verdicts(matter: FoundJudgedDebate, judged: list[tuple[str, Judgement]], threshold: float) -> list[Block]:
    debate = matter.found.debate
    rows = [(name, judgement_chip(said), number(said.score, 3), "judged here") for name, said in judged]
    rows += [
        (one.name, judgement_chip(one.judgement), number(one.judgement.score, 3), one.origin or "a stored run")
        for one in matter.recorded
    ]
    rows += [
        (shortened(one.judge, 60), chip(one.verdict, one.score, one.status), number(one.score, 3), "came with the log")
        for one in debate.judgements[:MOST_RECORDED]
    ]
    lines = [ScoreLine(name, None, said.score) for name, said in judged if said.score is not None]
    columns = (Column("Judge", wide=True), Column("Verdict"), Column("Score", number=True), Column("From"))
    blocks: list[Block] = [Heading("Verdicts")]
    if lines:
        blocks.append(scores_drawn(lines, threshold, "Scores"))
    origins = sorted({one.origin for one in matter.recorded if one.origin})
    more = len(debate.judgements) - MOST_RECORDED
    caption = f"{more} more judgements came with the log." if more > 0 else ""
    blocks.append(grid("Judgements", columns, rows, caption))
    return blocks + [Remark("Where judgements are from", f"{origin}.", Tone.ORIGIN) for origin in origins]


def _reasons(matter: FoundJudgedDebate) -> list[Block]:
    told: list[tuple[str, str]] = [
        (f"{one.name}{f' ({one.origin})' if one.origin else ''}", one.judgement.explanation)
        for one in matter.recorded
        if one.judgement.explanation
    ]
    told += [(one.judge, one.explanation) for one in matter.found.debate.judgements[:MOST_RECORDED] if one.explanation]
    if not told:
        return []
    rows = [(name, text if len(text) <= LONGEST_REASON else f"{text[:LONGEST_REASON]}…") for name, text in told]
    columns = (Column("Judge"), Column("Reason", wide=True))
    return [grid("Reasons of recorded judges", columns, rows, "As they gave them.")]


__all__ = ["debate_section"]
