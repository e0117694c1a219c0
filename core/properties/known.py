"""Test a property of a language model on what it said before, without a call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.errors import MootError
from core.judges.llm_judge import LlmJudge
from core.properties.calls import Known
from core.properties.check import measured
from core.properties.debate_set import DebateSet
from core.properties.discrimination import discrimination
from core.properties.judging import Asked, changes, profile_under
from core.properties.outcomes import Outcomes
from core.properties.property import Property
from core.properties.result import PropertyResult
from core.properties.trial import BASELINE, Trial


def check_known(
    tested: Property,
    judge: LlmJudge,
    debates: DebateSet,
    known: Known,
    *,
    seed: int = 0,
    tolerance: float | None = None,
) -> PropertyResult | None:
    """Return what a test comes to on the debates of which enough is known; None without any.

    These are the debates of which the answers under all trials are known, or, where there is none, those with an answer
    under any. The note says how many of how many they are, so that the test counts as incomplete.

    Args:
        tested: A property that needs trials.
        judge: The language model.
        debates: On which, as far as they go.
        known: What the judge said.
        seed: Of everything that is drawn.
        tolerance: Up to which difference two scores are the same; half a hundredth unless given.
    """
    trials = tested.trials(judge)
    places = _known_places(trials, debates, known)
    if not places:
        return None
    some = debates if len(places) == len(debates) else debates.only(places)
    whole = len(places) == len(debates) and all((trial, name) in known for trial in trials for name in debates.ids)
    found = measured(
        tested,
        judge,
        some,
        Outcomes.of(known.get((BASELINE, name)) for name in some.ids),
        trials,
        tuple(_asked(trial, some, known, seed) for trial in trials),
        seed=seed,
        tolerance=tolerance,
        note="" if whole else f"only on {len(places):,} of {len(debates):,} debates, those with stored answers",
    )
    # Whether it tells debates apart shows on all that it judged, however few of them can be tested.
    judged = [place for place, name in enumerate(debates.ids) if (BASELINE, name) in known]
    wider = debates if len(judged) == len(debates) else debates.only(judged)
    said = Outcomes.of(known[BASELINE, name] for name in wider.ids)
    return replace(found, discrimination=discrimination(judge, wider, said, judge.rule))


def answered(tested: Property, judge: LlmJudge, debates: DebateSet, known: Known) -> int:
    """Return on how many debates a property can be tested by what is known."""
    if not tested.needs_trials:
        return sum((BASELINE, name) in known for name in debates.ids)
    return len(_known_places(tested.trials(judge), debates, known))


def _known_places(trials: Sequence[Trial], debates: DebateSet, known: Known) -> list[int]:
    found = [(place, name) for place, name in enumerate(debates.ids) if (BASELINE, name) in known] if trials else []
    for enough in (all, any):
        places = [place for place, name in found if enough((trial, name) in known for trial in trials)]
        if places:
            return places
    return []


def _asked(trial: Trial, debates: DebateSet, known: Known, seed: int) -> Asked:
    changed = np.ones(len(debates), dtype=bool)
    for place, name in enumerate(debates.ids):
        loaded = debates.load(place)
        try:
            changed[place] = changes(trial, loaded[0], profile_under(trial, loaded, name, seed)[0])
        except MootError:
            changed[place] = False
    return Asked(Outcomes.of(known.get((trial, name)) for name in debates.ids), changed)


__all__ = ["answered", "check_known"]
