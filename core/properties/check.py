"""Test a property of a judge on debates: ask under every trial, and work out what the answers come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.comparison.population import NONE
from core.errors import InvalidSetting
from core.judgement import DecisionRule
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.perturbations.judge_edit import AnyKind, PromptFinder
from core.properties.debate_set import DebateSet
from core.properties.discrimination import Discrimination, discrimination
from core.properties.judging import Asked, Watch, ask
from core.properties.measures import Flips, Rate, Right, ScoreChanges
from core.properties.outcomes import Outcomes
from core.properties.proof import proof
from core.properties.property import REASONS, Evidence, Examination, Property
from core.properties.result import PropertyResult, TrialResult
from core.properties.trial import BASELINE, Trial
from core.properties.witness import Witness

EXACT = 1e-9  # the tolerance for scores that are computed
PRINTED = 0.005  # the tolerance for scores that a language model prints, to hundredths
MOST_WITNESSES = 1_000
NO_SETTING = "no setting to change"


def usual_tolerance(judge: AnyKind | RecordedJudge) -> float:
    """Return up to which difference two of a judge's scores count as the same."""
    return PRINTED if isinstance(judge, LlmJudge) else EXACT


def check(
    tested: Property,
    judge: AnyKind,
    debates: DebateSet,
    *,
    seed: int = 0,
    tolerance: float | None = None,
    baseline: Outcomes | None = None,
    prompts: PromptFinder | None = None,
    watch: Watch | None = None,
    most_witnesses: int = MOST_WITNESSES,
) -> PropertyResult:
    """Return what a test of a property of a judge that needs no language model comes to.

    Args:
        tested: The property.
        judge: Any judge; those of semantics and votes take many debates at once.
        debates: On which.
        seed: Of everything that is drawn.
        tolerance: Up to which difference two scores are the same; what is usual for the judge unless given.
        baseline: What the judge says of the debates as recorded, where that is known already.
        prompts: Finds other sets of prompts.
        watch: Told how much of a trial is done; may raise Cancelled.
        most_witnesses: How many violations are kept as witnesses.

    Raises:
        InvalidSetting: If the judge is a language model; ``check_by_calls`` is for these.
        Cancelled: If ``watch`` says so.
    """
    before = baseline if baseline is not None else ask(BASELINE, judge, debates, seed, prompts, watch).outcomes
    trials = tested.trials(judge)
    asked = tuple(ask(trial, judge, debates, seed, prompts, watch) for trial in trials)
    return measured(
        tested, judge, debates, before, trials, asked, seed=seed, tolerance=tolerance, most_witnesses=most_witnesses
    )


def check_all(
    properties: Sequence[Property],
    judges: Sequence[AnyKind],
    debates: DebateSet,
    *,
    seed: int = 0,
    prompts: PromptFinder | None = None,
    watch: Watch | None = None,
) -> tuple[PropertyResult, ...]:
    """Return the results of all properties for all judges, property by property; none may need a language model.

    What is common is done once: a judge's judgements as recorded, and changed profiles. ``watch`` is told how many of
    the tests are done.
    """
    found: list[PropertyResult] = []
    baselines: dict[int, Outcomes] = {}
    for tested in properties:
        for place, judge in enumerate(judges):
            if watch is not None:
                watch(len(found), len(properties) * len(judges))
            if place not in baselines:
                baselines[place] = ask(BASELINE, judge, debates, seed, prompts).outcomes
            found.append(check(tested, judge, debates, seed=seed, baseline=baselines[place], prompts=prompts))
    return tuple(found)


def measured(
    tested: Property,
    judge: AnyKind | RecordedJudge,
    debates: DebateSet,
    before: Outcomes,
    trials: tuple[Trial, ...],
    asked: tuple[Asked, ...],
    *,
    seed: int = 0,
    tolerance: float | None = None,
    most_witnesses: int = MOST_WITNESSES,
    note: str = "",
) -> PropertyResult:
    """Return what a judge's answers come to.

    Whoever has the answers from elsewhere, such as stored judgements or those that came with the debates, can hand them
    over here.

    Args:
        tested: The property.
        judge: Who was asked.
        debates: About what.
        before: The judgements as recorded.
        trials, asked: What was tried, and what came of it.
        seed: Of what was drawn.
        tolerance: Up to which difference two scores are the same; what is usual for the judge unless given.
        most_witnesses: How many violations are kept as witnesses.
        note: Why answers are missing.

    Raises:
        InvalidSetting: If the tolerance lies outside [0, 1].
    """
    usual = usual_tolerance(judge) if tolerance is None else tolerance
    if not 0.0 <= usual <= 1.0:
        raise InvalidSetting(f"The tolerance is {usual!r}; it must lie in [0, 1].")
    rule = getattr(judge, "rule", None) or DecisionRule()
    evidence = Evidence(debates, rule, usual, before, trials, asked)
    seen = tested.examine(evidence)
    known = proof(tested, judge)
    scores_moved = _moved(evidence, usual), _moved(evidence, 0.0)
    turned = seen.violated
    if trials:
        turned = np.zeros(len(debates), dtype=bool)
        for place, one in enumerate(asked):
            turned |= evidence.compared(place) & (one.outcomes.verdicts != before.verdicts)
    count = int(seen.tested.sum())
    violations = int(seen.violated.sum())
    no_trial = tested.needs_trials and not trials
    return PropertyResult(
        checked=tested,
        judge=judge.name,
        settings=_settings(judge),
        debates=len(debates),
        seed=seed,
        tolerance=usual,
        tested=count,
        violations=violations,
        strict_violations=int(seen.strict.sum()),
        verdict_changes=int((turned & seen.tested).sum()),
        score_changes=int((scores_moved[0] & seen.tested).sum()),
        strict_score_changes=int((scores_moved[1] & seen.tested).sum()),
        left_out={r: number for code, r in enumerate(REASONS) if (number := int((seen.reasons == code).sum()))},
        rate=Rate.of(count - violations, count),
        right=Right.of(before.verdicts, debates.labels, before.known),
        trials=tuple(_trial_result(evidence, place) for place in range(len(trials))),
        witnesses=_witnesses(tested, judge, evidence, seen, seed, most_witnesses),
        discrimination=discrimination(judge, debates, before, rule) if len(debates) else Discrimination(),
        proof=known,
        proved_debates=0 if known is None else int((seen.tested & known.covers(debates)).sum()),
        note=note or (NO_SETTING if no_trial else ""),
    )


def _trial_result(evidence: Evidence, place: int) -> TrialResult:
    asked, before = evidence.asked[place], evidence.before
    compared = evidence.compared(place)
    both = asked.outcomes.known & before.known
    labels = evidence.debates.labels
    return TrialResult(
        evidence.trials[place],
        int(compared.sum()),
        int((both & ~asked.changed).sum()),
        ScoreChanges.of(before.scores[compared], asked.outcomes.scores[compared], evidence.tolerance),
        Flips.of(before.verdicts[compared], asked.outcomes.verdicts[compared]),
        Right.of(asked.outcomes.verdicts, labels, both),
        Right.of(before.verdicts, labels, both),
    )


def _moved(evidence: Evidence, tolerance: float) -> np.ndarray:
    moved = np.zeros(len(evidence.debates), dtype=bool)
    for place, asked in enumerate(evidence.asked):
        change = np.abs(np.nan_to_num(asked.outcomes.scores - evidence.before.scores))
        moved |= evidence.compared(place) & (change > tolerance)
    return moved


def _witnesses(
    tested: Property, judge: AnyKind | RecordedJudge, evidence: Evidence, seen: Examination, seed: int, most: int
) -> tuple[Witness, ...]:
    found = []
    for place in np.flatnonzero(seen.violated).tolist():
        pairs = [_pick(evidence, int(which[place]), place) for which in (seen.first, seen.second)]
        (first, before), (second, after) = pairs
        if before is None or after is None:
            continue
        found.append(Witness(tested.key, judge.name, evidence.debates.ids[place], first, second, before, after, seed))
    found.sort(key=lambda one: (not one.flipped, -abs(one.change or 0.0), one.debate))
    return tuple(found[:most])


def _pick(evidence: Evidence, which: int, place: int) -> tuple[Trial, Any]:
    if which == NONE:
        return BASELINE, evidence.before.at(place)
    return evidence.trials[which], evidence.asked[which].outcomes.at(place)


def _settings(judge: AnyKind | RecordedJudge) -> dict[str, Any]:
    """Return a judge's settings; only the protocol's name and judge are sure to be there."""
    settings = getattr(judge, "settings", None)
    return dict(settings()) if callable(settings) else {}
