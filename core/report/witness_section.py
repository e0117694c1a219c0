"""A case that violates a property in a report."""

from __future__ import annotations

from core.contestation import contest
from core.contributions import removal
from core.debate import profile
from core.judges.semantics_judge import SemanticsJudge
from core.properties.registry import PROPERTIES
from core.report import parts
from core.report.document import Block, Column, Heading, Prose, Remark, Section, Tone, grid
from core.report.drawings import ScoreLine, scores_drawn
from core.report.matter import FoundWitness
from core.report.report import Report
from core.wording import edit_sentence, number, signed

MOST_EDITS = 60


def witness_section(matter: FoundWitness, report: Report) -> Section:
    """Return a witness as a section.

    Raises:
        InvalidEdit: If its change no longer fits its debate.
    """
    witness, debate = matter.witness, matter.found.debate
    known = PROPERTIES.get(witness.property_key)
    label = known.label if known is not None else witness.property_key
    rows = [
        (witness.first.label, witness.before.chip, number(witness.before.score, 3)),
        (witness.second.label, witness.after.chip, number(witness.after.score, 3)),
    ]
    columns = (Column("Asked", wide=True), Column("Verdict"), Column("Score", number=True))
    threshold = matter.settings.get("threshold", 0.5)
    at = float(threshold) if isinstance(threshold, (int, float)) else 0.5
    line = ScoreLine(witness.judge, witness.before.score, witness.after.score)
    caption = f"Hollow: {witness.first.label}. Filled: {witness.second.label}. Change {signed(witness.change)}."
    meaning = known.definition if known is not None else "This version of Moot does not know the property."
    settings = [(witness.judge, matter.settings)] if matter.settings else []
    held = profile(debate)
    blocks: list[Block] = [
        Remark(f"{label} is violated", meaning, Tone.WARNING),
        Heading("Two judgements that cannot both stand"),
        scores_drawn([line], at, "Scores", caption),
        grid("Judgements", columns, rows, "As recorded when the property was tested."),
    ]
    edits = witness.edits(held)
    shown = contest(held, edits or ())
    if edits:
        listed = [(str(place), edit_sentence(edit)) for place, edit in enumerate(edits[:MOST_EDITS], 1)]
        more = f" The first {MOST_EDITS} of {len(edits)}." if len(edits) > MOST_EDITS else ""
        order = (Column("No.", number=True), Column("Change", wide=True))
        blocks.append(grid("What was changed", order, listed, f"Drawn with the seed {witness.seed}.{more}"))
    elif edits is None:
        blocks.append(Prose("The change is one of what the judge is told, and not of arguments or their scores."))
    judge = SemanticsJudge.from_settings(matter.settings) if matter.settings.get("kind") == "semantics" else None
    if judge is not None:
        said = judge.judge(shown.profile)
        names = parts.agent_names(debate, anonymised=report.anonymised)
        amounts = removal(judge, shown.profile).amounts
        caption = f"After the change, with the strengths of {judge.name}."
        blocks.append(
            parts.argument_map(shown, said.strengths, amounts, judge, anonymised=report.anonymised, caption=caption)
        )
        blocks.append(parts.outline_grid(shown, names, said.strengths))
    return Section(
        key="",
        kicker="Violated property",
        title=debate.claim,
        blocks=tuple(blocks),
        badges=(label, *parts.badges(matter.found, None, labels=report.labels)),
        checks=(*parts.debate_checks(matter.found), *parts.prompt_checks(settings)),
        outcome=f"{witness.before.chip} → {witness.after.chip}",
        judges=parts.judge_lines(settings),
    )


__all__ = ["witness_section"]
