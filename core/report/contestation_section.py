"""A saved contestation in a report: what was judged, what was changed, what the judges say then, and why it matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.contestation import Contestation, EditKind, contest
from core.contributions import removal
from core.debate import profile
from core.judgement import JudgementStatus, Verdict
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import OpinionProfile
from core.preferences import Preferences
from core.rejudging import judgement_record, scores_by_edit
from core.report import parts
from core.report.document import Block, Check, Column, Heading, Prose, Quote, Remark, Section, Tone, grid
from core.report.drawings import ScoreLine, scores_drawn
from core.report.matter import AskedAgain, FoundContestation
from core.report.report import Report
from core.wording import chip, edit_sentence, judgement_chip, number, shortened, signed


def contestation_section(matter: FoundContestation, report: Report) -> Section:
    """Return a saved contestation as a section.

    Raises:
        InvalidEdit: If its edits no longer fit its debate.
        InvalidGraph: If the debate no longer has its round.
    """
    saved, debate = matter.contestation, matter.found.debate
    preferences = Preferences.from_json(saved.settings)
    held = profile(debate, saved.round_number)
    contested = contest(held, saved.edits)
    main = preferences.judge()
    names = parts.agent_names(debate, anonymised=report.anonymised)
    after = main.judge(contested.profile)
    amounts = removal(main, contested.profile)
    settings: list[tuple[str, Mapping[str, Any]]] = [
        (judge.name, judge.settings()) for judge in preferences.pinned_judges()
    ]
    settings += [(model.name, model.settings) for model in matter.models]
    blocks: list[Block] = [
        *_verdicts(saved, preferences, matter.origins),
        Quote(saved.reason, f"{saved.author}, {saved.role}, {_moment(saved.created_at)}"),
        parts.facts(
            [
                ("Decision rule", str(preferences.rule)),
                ("Main judge", main.name),
                ("Forked from", saved.parent),
                ("Tags", ", ".join(saved.tags)),
            ]
        ),
        *_ruling(matter),
        parts.argument_map(
            contested,
            after.strengths,
            amounts.amounts,
            main,
            anonymised=report.anonymised,
            caption=f"After the edits, with the strengths of {main.name}.",
        ),
        parts.outline_grid(contested, names, after.strengths),
        *_edits(saved, held, main),
        *_models(matter.models, saved),
        *parts.contributions(main, contested, names, amounts),
    ]
    again = _judged_again(saved, preferences, held, contested.profile)
    return Section(
        key="",
        kicker="Saved contestation",
        title=debate.claim,
        blocks=tuple(blocks),
        badges=parts.badges(matter.found, saved.round_number, labels=report.labels),
        checks=(
            *_digest(matter),
            *again,
            *parts.debate_checks(matter.found),
            *parts.prompt_checks(settings),
        ),
        outcome=_outcome(saved),
        judges=parts.judge_lines(settings),
    )


def _verdicts(saved: Contestation, preferences: Preferences, origins: Mapping[str, str]) -> list[Block]:
    rows, lines, flipped = [], [], 0
    for name, before in saved.before.items():
        after = saved.after.get(name)
        if not isinstance(before, Mapping) or not isinstance(after, Mapping):
            continue
        old, new = _score(before), _score(after)
        turned = bool(before.get("verdict")) and bool(after.get("verdict")) and before["verdict"] != after["verdict"]
        flipped += turned
        change = None if old is None or new is None else new - old
        rows.append((name, _chip(before), _chip(after), signed(change), "⇄ flipped" if turned else "–"))
        lines.append(ScoreLine(name, old, new))
    if not rows:
        return [Remark("No judgements", "The contestation holds no judgements before and after.", Tone.WARNING)]
    many = len(rows)
    if flipped:
        said = f"{flipped} of {many} verdicts turned." if many > 1 else "The verdict turned."
    else:
        said = "No verdict turned." if many > 1 else "The verdict did not turn."
    columns = (Column("Judge"), Column("Original"), Column("After"), Column("Change", number=True), Column("Verdict"))
    blocks: list[Block] = [Heading("Verdicts before and after"), Prose(said)]
    if any(line.before is not None or line.after is not None for line in lines):
        caption = "Hollow: the original judgement. Filled: after the edits. A dashed line moves towards False."
        blocks.append(scores_drawn(lines, preferences.rule.threshold, "Scores before and after", caption))
    blocks.append(grid("Judgements", columns, rows, "As recorded when the contestation was saved."))
    told = [(name, origins[name]) for name, *_ in rows if origins.get(name)]
    return blocks + [Remark(name, f"{origin}.", Tone.ORIGIN) for name, origin in told]


def _outcome(saved: Contestation) -> str:
    told = [
        f"{_chip(before)} → {_chip(saved.after[name])}"
        for name, before in saved.before.items()
        if isinstance(before, Mapping) and isinstance(saved.after.get(name), Mapping)
    ]
    return told[0] if told else ""


def _edits(saved: Contestation, held: OpinionProfile, judge: SemanticsJudge) -> list[Block]:
    scores = scores_by_edit(held, saved.edits, judge)
    texts = {argument.id: argument.text for argument in held.arguments}
    texts |= {edit.argument: edit.text for edit in saved.edits if edit.kind is EditKind.ADD_ARGUMENT}
    rows = [("0", "As recorded", "–", number(scores[0], 3), "–")]
    for place, edit in enumerate(saved.edits, 1):
        remarks = "; ".join(part for part in (edit.note, f"Source: {edit.source}" if edit.source else "") if part)
        text = texts.get(edit.argument, "")
        whole = text if edit.kind is EditKind.ADD_ARGUMENT else shortened(text, 200)
        said = f"{whole} ({remarks})" if remarks and whole else whole or remarks or "–"
        step = None
        if scores[place] is not None and scores[place - 1] is not None:
            step = float(scores[place] or 0.0) - float(scores[place - 1] or 0.0)
        rows.append((str(place), edit_sentence(edit), said, number(scores[place], 3), signed(step)))
    columns = (
        Column("No.", number=True),
        Column("Edit", wide=True),
        Column("Argument", wide=True),
        Column("Score", number=True),
        Column("Step", number=True),
    )
    count = len(saved.edits)
    caption = f"{count} edit{'s' if count != 1 else ''} in order, with the score of {judge.name} after each."
    return [grid("What was changed", columns, rows, f"{caption} The recorded debate is unchanged.")]


def _models(models: Sequence[AskedAgain], saved: Contestation) -> list[Block]:
    """Return what language models said that is not among the judgements saved, and how any breaks contestability."""
    rows = []
    for one in models:
        if one.name in saved.before:
            continue
        change = None
        if one.before.score is not None and one.after.score is not None:
            change = one.after.score - one.before.score
        row = (one.name, judgement_chip(one.before), judgement_chip(one.after), signed(change), one.origin or "–")
        rows.append(row)
    columns = (
        Column("Judge", wide=True),
        Column("Original"),
        Column("After"),
        Column("Change", number=True),
        Column("From"),
    )
    caption = "From stored replies: nothing was asked for this report."
    blocks: list[Block] = [grid("Language models before and after", columns, rows, caption)] if rows else []
    return blocks + [Remark(one.name, one.breach, Tone.WARNING) for one in models if one.breach]


def _ruling(matter: FoundContestation) -> list[Block]:
    if matter.ruled is None:
        return []
    ruled = matter.ruled
    return [Quote(f"{ruled.outcome.capitalize()}. {ruled.reason}", f"Ruling by {ruled.name}, {_moment(ruled.moment)}")]


def _digest(matter: FoundContestation) -> list[Check]:
    name = matter.contestation.id
    if matter.logged is None:
        outcome = "The audit log says nothing of it."
    elif matter.logged.sha256 == matter.digest:
        outcome = f"As entry {matter.logged.entry} of the audit log vouches for it."
    else:
        outcome = f"CHANGED since entry {matter.logged.entry} of the audit log vouched for it."
    return [Check("Contestation", name, matter.digest, outcome)]


def _judged_again(
    saved: Contestation, preferences: Preferences, held: OpinionProfile, contested: OpinionProfile
) -> Sequence[Check]:
    """Return whether judging once more gives what was recorded, to the last bit."""
    judges = {judge.name: judge for judge in preferences.pinned_judges()}
    checks = []
    for name, before in saved.before.items():
        judge = judges.get(name)
        if judge is None:
            continue
        now = [judgement_record(judge.judge(one)) for one in (held, contested)]
        same = now == [before, saved.after.get(name)]
        value = " → ".join(repr(one["score"]) for one in now)
        outcome = "Same to the last bit as recorded." if same else "DIFFERS from what was recorded."
        checks.append(Check("Judged again", name, value, outcome))
    return checks


def _chip(record: Mapping[str, Any]) -> str:
    verdict, status = record.get("verdict"), record.get("status")
    return chip(
        Verdict(str(verdict)) if verdict else None,
        _score(record),
        JudgementStatus(str(status)) if status else JudgementStatus.OK,
    )


def _score(record: Mapping[str, Any]) -> float | None:
    score = record.get("score")
    return float(score) if isinstance(score, (int, float)) and not isinstance(score, bool) else None


def _moment(text: str) -> str:
    return f"{text[:16].replace('T', ' ')} UTC" if text else "time unknown"


__all__ = ["contestation_section"]
