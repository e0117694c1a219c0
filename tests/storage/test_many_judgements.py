"""Many stored debates judged at once are judged as one by one, to the last bit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.debate import Agent, Debate, DebateProtocol, Round
from core.judgement import DecisionRule
from core.judges.many import judge_many
from core.judges.semantics_judge import ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.overview import Scored
from core.semantics import SEMANTICS
from storage.database import IN_MEMORY, Database
from storage.debate_repository import DebateRepository
from storage.many_judgements import judged
from storage.profile_arrays import profile_arrays
from tests.core.generated import profiles
from tests.storage.debates import a_dataset, a_debate, a_long_debate

JUDGES = [
    SemanticsJudge(semantics=key, setting=setting, variant=variant)
    for key in SEMANTICS
    for setting in Setting
    for variant in StanceVariant
]
OTHERS = [
    SemanticsJudge(missing_base_score=None),
    SemanticsJudge(missing_base_score=0.1, setting=Setting.SEPARATE),
    SemanticsJudge(conservativeness=1.3, rule=DecisionRule(0.4, 0.2, True)),
    *(SemanticsJudge(setting=Setting.SEPARATE, aggregation=how) for how in ScoreAggregation),
    MajorityVote(),
    MeanStance(DecisionRule(0.6)),
    WeightedVote(),
    WeightedVote.from_weights({"A1": 2.0, "A2": 0.0}, DecisionRule()),
]


@st.composite
def debates(draw):
    """Draw a debate of one to three rounds, in which not every agent is listed and not every author is known."""
    drawn = draw(st.lists(profiles(acyclic=False, most_arguments=6, shared=False), min_size=1, max_size=3))
    rounds = tuple(
        Round(
            number,
            tuple(draw(st.permutations(held.stances))[: draw(st.integers(0, 4))]),
            tuple(replace(a, is_error_text=draw(st.integers(0, 9)) == 0) for a in held.arguments),
            held.relations,
        )
        for number, held in enumerate(drawn)
    )
    agents = draw(st.lists(st.sampled_from(["A3", "A1", "court", "A2"]), unique=True, max_size=4))
    protocol = draw(st.sampled_from([DebateProtocol.MULTI_TURN_PRIVATE, DebateProtocol.MULTI_TURN_SHARED]))
    return Debate("", "a claim", protocol=protocol, agents=tuple(map(Agent, agents)), rounds=rounds)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(debates(), min_size=1, max_size=6), st.lists(st.sampled_from(JUDGES), min_size=8, max_size=8))
def test_many_at_once_are_judged_as_one_by_one(drawn, judges):
    named = [replace(debate, id=f"d{place}") for place, debate in enumerate(drawn)]
    with Database.open(IN_MEMORY) as database:
        repository = DebateRepository(database)
        repository.add(a_dataset(), named)
        held = repository.profiles()
        arrays = profile_arrays(database)
        assert list(arrays.debates) == list(held)
        for judge in [*judges, *OTHERS]:
            expected = {name: Scored.of(judge.judge(profile)) for name, profile in held.items()}
            assert judged(database, judge, arrays=arrays) == expected, judge.name


@pytest.fixture
def stored(database):
    DebateRepository(database).add(a_dataset(), [a_debate(), a_long_debate(), a_debate("lake")])
    return database


def test_a_cycle_is_left_to_be_judged_by_itself(stored):
    circle = a_debate("circle")
    back = replace(circle.rounds[0].relations[2], source="A1-pro1", target="A2-con1")
    one = replace(circle.rounds[0], relations=(*circle.rounds[0].relations, back))
    DebateRepository(stored).add(a_dataset("more", "cd" * 32), [replace(circle, rounds=(one,))])
    arrays = profile_arrays(stored)
    assert arrays.cyclic.tolist() == [False, False, False, True]
    assert judge_many(SemanticsJudge(), arrays)[3] is None
    assert judged(stored, SemanticsJudge())["circle"] == Scored.of(
        SemanticsJudge().judge(DebateRepository(stored).profiles(["circle"])["circle"])
    )


def test_only_the_debates_asked_for_are_judged(stored):
    assert list(judged(stored, SemanticsJudge(), ["lake", "nowhere"])) == ["lake"]
    assert judged(stored, SemanticsJudge(), []) == {}


def test_a_database_without_debates_has_no_judgements(database):
    for judge in (SemanticsJudge(), SemanticsJudge(setting=Setting.SEPARATE), MajorityVote()):
        assert judged(database, judge) == {}
