"""Ask a judge that needs no language model about many debates, under one trial."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.comparison.population import Mask
from core.errors import InvalidSetting, MootError
from core.judgement import Judge, JudgementStatus
from core.judges.llm_judge import LlmJudge
from core.judges.many import judge_many, scores_many
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.llm.circumstances import Circumstances
from core.opinion import OpinionProfile
from core.overview import Scored
from core.perturbations.judge_edit import AnyKind, PromptFinder
from core.properties.debate_set import DebateSet, Loaded, seed_of
from core.properties.outcomes import Outcomes
from core.properties.trial import Trial

Watch = Callable[[int, int], None]  # told how much of how much is done; may raise Cancelled


@dataclass(frozen=True, eq=False)
class Asked:
    """What came of a trial.

    Attributes:
        outcomes: The judgements.
        changed: Where the trial asks something else than was recorded, shape (D,): a profile without any pro, say, is
            not changed by stronger pros. A change of the judge, or a repeat, applies everywhere.
    """

    outcomes: Outcomes
    changed: Mask


def judge_under(trial: Trial, judge: AnyKind, prompts: PromptFinder | None = None) -> AnyKind:
    """Return the judge as a trial has it.

    Raises:
        InvalidSetting: If it cannot be changed in that way.
    """
    return judge if trial.judge is None else trial.judge.apply(judge, prompts)


def profile_under(trial: Trial, loaded: Loaded, debate_id: str, seed: int) -> Loaded:
    """Return a profile, and how its debate was held, as a trial has them.

    Raises:
        InvalidEdit: If the trial's edits do not fit the profile.
    """
    profile, held = loaded
    if trial.profile is None:
        return loaded
    own = seed_of(seed, trial.sample, debate_id)
    names = trial.profile.renamed(profile, own)
    if names:
        turns = tuple(names.get(agent, agent) for agent in held.turns)
        called = {names.get(agent, agent): names.get(agent, name) for agent, name in held.names.items()}
        held = Circumstances(held.protocol, held.rounds, called, turns)
    return trial.profile.apply(profile, own), held


def ask(
    trial: Trial,
    judge: AnyKind,
    debates: DebateSet,
    seed: int = 0,
    prompts: PromptFinder | None = None,
    watch: Watch | None = None,
) -> Asked:
    """Return what a judge says of all debates under a trial.

    Raises:
        InvalidSetting: If the judge is a language model, which has to be called, or cannot be changed in that way.
        Cancelled: If ``watch`` says so.
    """
    changed_judge = judge_under(trial, judge, prompts)
    if isinstance(changed_judge, LlmJudge):
        raise InvalidSetting(f"{judge.name} is a language model; it has to be called.")
    many = _many(trial, changed_judge, debates, seed)
    return many if many is not None else _one_by_one(trial, changed_judge, debates, seed, watch)


def _many(trial: Trial, judge: Judge, debates: DebateSet, seed: int) -> Asked | None:
    if not isinstance(judge, SemanticsJudge | MajorityVote | MeanStance | WeightedVote):
        return None
    arrays, changed = debates.arrays, np.ones(len(debates), dtype=bool)
    if trial.profile is not None:
        done = debates.perturbed(trial.profile, seed, trial.sample)
        if done is None:
            return None
        arrays = done.arrays
        if trial.judge is None and not trial.repeat:
            changed = done.changed
    if not isinstance(judge, SemanticsJudge):
        return Asked(Outcomes.of(judge_many(judge, arrays)), changed)
    alone = {}
    for place in np.flatnonzero(arrays.cyclic).tolist():  # arguments bear on each other in a circle
        profile, _ = profile_under(trial, debates.load(place), debates.ids[place], seed)
        alone[place] = Scored.of(judge.judge(profile))
    scores = np.array(scores_many(judge, arrays), dtype=np.float64)
    return Asked(Outcomes.of_scores(scores, judge.rule).replaced(alone), changed)


def _one_by_one(trial: Trial, judge: Judge, debates: DebateSet, seed: int, watch: Watch | None) -> Asked:
    scored: list[Scored | None] = []
    changed = np.ones(len(debates), dtype=bool)
    for place, name in enumerate(debates.ids):
        if watch is not None:
            watch(place, len(debates))
        loaded = debates.load(place)
        try:
            profile, _ = profile_under(trial, loaded, name, seed)
        except MootError:
            scored.append(Scored(None, None, JudgementStatus.ERROR))
            continue
        changed[place] = changes(trial, loaded[0], profile)
        scored.append(Scored.of(judge.judge(profile)))
    return Asked(Outcomes.of(scored), changed)


def changes(trial: Trial, before: OpinionProfile, after: OpinionProfile) -> bool:
    """Return whether a trial asks something else than was recorded."""
    return trial.profile is None or trial.judge is not None or trial.repeat > 0 or before != after
