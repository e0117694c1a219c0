from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contestation import Edit, EditKind, contest
from core.errors import InvalidSetting
from core.judges import MajorityVote, SemanticsJudge
from core.judges.many import judge_many
from core.judges.registry import semantics_judges
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.perturbations import (
    PERTURBATIONS,
    AddArgument,
    AgentOrder,
    ArrangeAgents,
    Choice,
    Composition,
    Direction,
    Distance,
    DuplicateAgent,
    GivenEdits,
    JudgeEdit,
    JudgeEditKind,
    Noise,
    Perturbation,
    RemoveArgument,
    RenameAgents,
    ReorderArguments,
    ShiftScores,
    ShiftStances,
    StanceKind,
    perturbation_of,
)
from core.perturbations.profile_arrays import arrays_of, polarity, unclear
from core.supportiveness import direction
from tests.core.generated import profiles
from tests.llm.judging import PROMPTS, a_judge

PRO, CON = RelationKind.SUPPORT, RelationKind.ATTACK
LEAF = (
    ShiftScores(pros=0.1),
    ShiftScores(cons=-0.25),
    ShiftScores(pros=0.1, cons=-0.1),
    ShiftStances(0.1),
    ShiftStances(0.05, StanceKind.POSTERIOR),
    AddArgument(PRO, 0.7),
    RemoveArgument(CON),
    RemoveArgument(CON, Choice.WEAKEST),
    RemoveArgument(CON, Choice.RANDOM),
)
UNDIRECTED = (
    ShiftScores(pros=0.1, cons=0.1),
    *(Noise(0.2, distance) for distance in Distance),
    AgentOrder(1),
    AgentOrder(3, of=4),
    ArrangeAgents((1, 0)),
    ReorderArguments(),
    DuplicateAgent(),
    DuplicateAgent(2),
    RenameAgents(),
    Composition((AgentOrder(2), ShiftScores(pros=0.1), DuplicateAgent(1))),
)
COMPOSED = Composition((ShiftScores(pros=0.1), RemoveArgument(CON), ShiftStances(0.1)))
DIRECTED = (*LEAF, COMPOSED)
EVERY = (*DIRECTED, *UNDIRECTED)


def label(one: Perturbation) -> str:
    return one.label


def a_profile() -> OpinionProfile:
    """Two agents, a pro of 0.95 and a con of 0.3 each by A1 and A2; nobody's pro of unknown score."""
    arguments = (
        Argument("p1", "pro", "A1", 0.95),
        Argument("c1", "con", "A1", 0.3),
        Argument("p2", "pro", "A2", 0.4),
        Argument("c2", "con", "A2", 0.6),
        Argument("q", "pro", None, None),
    )
    kinds = (PRO, CON, PRO, CON, PRO)
    relations = tuple(Relation(a.id, TOPIC, kind) for a, kind in zip(arguments, kinds, strict=True))
    return OpinionProfile("a claim", (Stance("A1", 0.2, 0.97), Stance("A2", 0.5, None)), arguments, relations)


def scores(profile: OpinionProfile) -> dict[str, float | None]:
    return {a.id: a.base_score for a in profile.arguments}


def test_pros_are_raised_and_capped_and_missing_scores_stay_missing():
    after = ShiftScores(pros=0.1).apply(a_profile())
    assert scores(after) == {"p1": 1.0, "c1": 0.3, "p2": 0.5, "c2": 0.6, "q": None}


def test_pros_up_and_cons_down_are_two_edits_of_a_contestation():
    perturbation = ShiftScores(0.1, -0.4)
    edits = perturbation.edits(a_profile())
    assert [(e.kind, e.after) for e in edits] == [(EditKind.SHIFT_PROS, 0.1), (EditKind.SHIFT_CONS, -0.4)]
    assert scores(contest(a_profile(), edits).profile) == {"p1": 1.0, "c1": 0.0, "p2": 0.5, "c2": 0.2, "q": None}


def test_stances_are_moved_and_capped_and_missing_ones_stay_missing():
    after = ShiftStances(0.1).apply(a_profile())
    assert after.stances == (Stance("A1", 0.3, 1.0), Stance("A2", 0.6, None))
    only = ShiftStances(-0.3, StanceKind.PRIOR).apply(a_profile())
    assert only.stances == (Stance("A1", 0.0, 0.97), Stance("A2", 0.2, None))


def test_the_strongest_con_is_removed_with_its_relation():
    after = RemoveArgument(CON).apply(a_profile())
    assert set(after.by_id) == {"p1", "c1", "p2", "q"}
    assert not after.dangling
    assert set(RemoveArgument(CON, Choice.WEAKEST).apply(a_profile()).by_id) == {"p1", "p2", "c2", "q"}
    assert set(RemoveArgument(PRO, Choice.WEAKEST).apply(a_profile()).by_id) == {"p1", "c1", "c2", "q"}


def test_an_added_pro_belongs_to_every_agent():
    after = AddArgument(PRO, 0.7).apply(a_profile())
    assert all("added-0" in {a.id for a in opinion.arguments} for opinion in after.opinions)
    assert AddArgument(PRO, 0.7).apply(after).by_id["added-1"].base_score == 0.7


@pytest.mark.parametrize(
    ("distance", "length"),
    [
        (Distance.L1, lambda d: np.abs(d).sum()),
        (Distance.L2, lambda d: np.sqrt((d**2).sum())),
        (Distance.LINF, lambda d: np.abs(d).max()),
    ],
)
def test_noise_lands_exactly_its_size_away_where_no_bound_is_in_the_way(distance, length):
    middle = np.full(7, 0.5)
    for seed in range(20):
        moved = Noise(0.3, distance).moved(middle, seed)
        assert length(moved - middle) == pytest.approx(0.3)
    assert not np.array_equal(Noise(0.3, distance).moved(middle, 1), Noise(0.3, distance).moved(middle, 2))
    assert length(Noise(3.0, distance).moved(middle, 1) - middle) <= 3.0


def test_three_agents_have_six_orders_and_all_are_looked_at():
    orders = [AgentOrder(number, 6).places(3) for number in range(6)]
    assert len(set(orders)) == 6
    assert orders[0] == (0, 1, 2)
    assert AgentOrder(5, 6).places(2) == (0, 1)  # two agents have no sixth order


@given(st.integers(4, 50), st.integers(0, 2**32 - 1))
def test_sampled_orders_are_distinct_and_never_the_recorded_one(agents, seed):
    orders = [AgentOrder(number, 6).places(agents, seed) for number in range(6)]
    assert len(set(orders)) == 6
    assert all(sorted(order) == list(range(agents)) for order in orders)
    assert orders[0] == tuple(range(agents))


def test_agents_in_another_order_take_their_arguments_along():
    after = ArrangeAgents((1, 0)).apply(a_profile())
    assert [s.agent_id for s in after.stances] == ["A2", "A1"]
    assert [a.id for a in after.arguments] == ["p2", "c2", "p1", "c1", "q"]
    assert ArrangeAgents((2, 0, 1)).apply(a_profile()) == a_profile()


def test_a_duplicated_agent_has_the_same_opinion_under_another_name():
    after = DuplicateAgent(1).apply(a_profile())
    assert after.stances[-1] == Stance("A2 again", 0.5, None)
    first, second = after.opinion("A2"), after.opinion("A2 again")
    assert {(a.text, a.base_score) for a in first.arguments} == {(a.text, a.base_score) for a in second.arguments}
    assert len(first.arguments) == len(second.arguments) == 3
    shared = replace(a_profile(), shared=True)
    assert DuplicateAgent(1).apply(shared).arguments == shared.arguments


def test_renamed_agents_keep_their_arguments():
    after = RenameAgents().apply(a_profile())
    assert [s.agent_id for s in after.stances] == ["Debater 1", "Debater 2"]
    assert [a.author for a in after.arguments] == ["Debater 1", "Debater 1", "Debater 2", "Debater 2", None]
    assert RenameAgents().apply(after) is after


def test_directions_are_those_of_the_supportiveness_order():
    assert {one.direction for one in DIRECTED} == {Direction.MORE_SUPPORTIVE}
    assert {one.direction for one in UNDIRECTED} == {Direction.NEITHER}
    assert ShiftScores().direction is Direction.NEITHER
    assert AddArgument(CON).direction is RemoveArgument(PRO).direction is Direction.LESS_SUPPORTIVE


@pytest.mark.parametrize("perturbation", DIRECTED, ids=label)
def test_a_mirror_points_the_other_way_and_its_own_mirror_is_the_original(perturbation):
    assert perturbation.mirror().direction is perturbation.direction.mirror is Direction.LESS_SUPPORTIVE
    assert perturbation.mirror().mirror() == perturbation


@pytest.mark.parametrize("perturbation", UNDIRECTED, ids=label)
def test_what_points_no_way_has_no_mirror(perturbation):
    with pytest.raises(InvalidSetting, match="no mirror"):
        perturbation.mirror()


@pytest.mark.parametrize("perturbation", [*EVERY, GivenEdits((Edit(EditKind.SHIFT_PROS, after=0.1),))], ids=label)
def test_a_perturbation_travels_as_json(perturbation):
    assert perturbation_of(json.loads(json.dumps(perturbation.to_json()))) == perturbation


def test_every_kind_is_tested_here():
    assert {type(one) for one in EVERY} | {GivenEdits} == set(PERTURBATIONS.values())


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        {"kind": "nonsense"},
        {"kind": ["noise"]},
        {"kind": "noise"},
        {"kind": "noise", "size": -1},
        {"kind": "noise", "size": float("nan")},
        {"kind": "noise", "size": 0.1, "distance": "L7"},
        {"kind": "shift base scores", "pros": 2},
        {"kind": "shift base scores", "pros": True},
        {"kind": "shift base scores", "both": 0.1},
        {"kind": "agent order", "number": 6, "of": 6},
        {"kind": "given agent order", "order": [0, 2]},
        {"kind": "given agent order", "order": 3},
        {"kind": "composition", "parts": []},
        {"kind": "composition", "parts": 3},
        {"kind": "add argument", "text": " "},
        {"kind": "edits", "given": [{"kind": "explode"}]},
        {"kind": "rename agents", "prefix": 3},
    ],
)
def test_what_is_no_perturbation_is_refused_with_a_reason(record):
    with pytest.raises(InvalidSetting):
        perturbation_of(record)


def test_compositions_are_only_read_so_deep():
    record: dict[str, Any] = {"kind": "noise", "size": 0.1}
    for _ in range(2_000):
        record = {"kind": "composition", "parts": [record]}
    with pytest.raises(InvalidSetting, match="deep"):
        perturbation_of(record)


@pytest.mark.parametrize("perturbation", DIRECTED, ids=label)
@given(profiles(missing=True), st.integers(0, 99))
def test_a_monotone_judge_is_only_moved_the_way_a_perturbation_points(perturbation, profile, seed):
    if unclear(arrays_of(["d"], [profile]), perturbation.moves | perturbation.mirror().moves)[0]:
        return
    more, less = perturbation.apply(profile, seed), perturbation.mirror().apply(profile, seed)
    for judge in JUDGES:
        low, middle, high = (judge.judge(one).score for one in (less, profile, more))
        if low is None or middle is None or high is None:  # nobody has a stance to vote with
            assert low == middle == high
            continue
        assert low - 1e-9 <= middle <= high + 1e-9


JUDGES: tuple[SemanticsJudge | MajorityVote, ...] = (
    *semantics_judges()[1::3],
    MajorityVote(),
)  # every semantics, in settings and variants by turns


@pytest.mark.parametrize("perturbation", EVERY, ids=label)
@given(st.lists(profiles(acyclic=False), min_size=1, max_size=4), st.integers(0, 9))
def test_many_profiles_at_once_change_as_each_by_itself(perturbation, listed, seed):
    ids = [f"d{number}" for number in range(len(listed))]
    seeds = [seed + number for number in range(len(listed))]
    one_by_one = [perturbation.apply(profile, own) for profile, own in zip(listed, seeds, strict=True)]
    at_once = perturbation.apply_many(arrays_of(ids, listed), seeds)
    wanted = arrays_of(ids, one_by_one)
    for field in fields(wanted):
        if field.name in ("agents", "relation_debates", "sources", "targets", "supports"):
            continue
        found = getattr(at_once.arrays, field.name)
        assert np.array_equal(found, getattr(wanted, field.name), equal_nan=field.name.endswith(("ors", "scores")))
    # Edits keep every relation once, so relations are compared as sets.
    assert relations(at_once.arrays) == relations(wanted)
    if not isinstance(perturbation, DuplicateAgent | Composition):
        assert list(at_once.arrays.agents) == list(wanted.agents)
    if not isinstance(perturbation, Composition | ReorderArguments):
        assert at_once.changed.tolist() == [a != b for a, b in zip(one_by_one, listed, strict=True)]
    judge = SemanticsJudge()
    for found, profile in zip(judge_many(judge, at_once.arrays), one_by_one, strict=True):
        assert found is None or found.score == judge.judge(profile).score


def relations(arrays):
    return set(zip(*(getattr(arrays, n).tolist() for n in RELATION_FIELDS), strict=True))


RELATION_FIELDS = ("relation_debates", "sources", "targets", "supports")


@pytest.mark.parametrize("perturbation", EVERY, ids=label)
@given(profiles(acyclic=False), st.integers(0, 9))
def test_edits_say_what_a_perturbation_does(perturbation, profile, seed):
    edits = perturbation.edits(profile, seed)
    after = perturbation.apply(profile, seed)
    if edits is not None:
        assert contest(profile, edits).profile.arguments == after.arguments
        assert set(contest(profile, edits).profile.relations) == set(after.relations)
        assert after.stances == profile.stances


def test_polarity_follows_every_path():
    profile = OpinionProfile(
        "a claim",
        (),
        tuple(Argument(name, name, None, 0.5) for name in "pcxyz"),
        (
            Relation("p", TOPIC, PRO),
            Relation("c", TOPIC, CON),
            Relation("x", "c", CON),  # attacks a con: speaks for the claim
            Relation("y", "x", PRO),  # and so does its supporter
            Relation("p", "c", PRO),  # the pro also strengthens the con: both
        ),
    )
    positive, negative = polarity(arrays_of(["d"], [profile]))
    assert positive.tolist() == [True, False, True, True, False]
    assert negative.tolist() == [True, True, False, False, False]
    assert unclear(arrays_of(["d"], [profile]), frozenset({PRO})).tolist() == [True]
    assert unclear(arrays_of(["d"], [profile]), frozenset({CON})).tolist() == [False]


def test_a_judge_is_changed_in_one_setting():
    llm, semantics = a_judge(), SemanticsJudge()
    assert JudgeEdit(JudgeEditKind.SHIFT_TEMPERATURE, 0.1).apply(llm).temperature == 0.1
    assert JudgeEdit(JudgeEditKind.SET_SEED, 7).apply(llm).seed == 7
    assert JudgeEdit(JudgeEditKind.SET_NAMING, "anonymised").apply(llm).naming.value == "anonymised"
    assert JudgeEdit(JudgeEditKind.SHIFT_CONSERVATIVENESS, 0.2).apply(semantics).conservativeness == 1.2
    assert JudgeEdit(JudgeEditKind.SET_SEMANTICS, "qe").apply(semantics) == SemanticsJudge("qe")
    assert JudgeEdit(JudgeEditKind.SET_VARIANT, "prior").apply(semantics).variant.value == "prior"
    other = JudgeEdit(JudgeEditKind.SET_PROMPTS, "mine").apply(llm, lambda name, _: replace(PROMPTS, name=name))
    assert other.prompts.name == "mine"


@pytest.mark.parametrize(
    ("kind", "value", "judge"),
    [
        (JudgeEditKind.SHIFT_TEMPERATURE, -0.1, a_judge()),  # below 0
        (JudgeEditKind.SHIFT_TEMPERATURE, 0.1, replace(a_judge(), temperature=None)),
        (JudgeEditKind.SHIFT_TEMPERATURE, 0.1, SemanticsJudge()),
        (JudgeEditKind.SHIFT_CONSERVATIVENESS, -0.1, SemanticsJudge()),  # below 1
        (JudgeEditKind.SHIFT_CONSERVATIVENESS, 0.1, SemanticsJudge("euler")),  # has none
        (JudgeEditKind.SET_SEMANTICS, "nonsense", SemanticsJudge()),
        (JudgeEditKind.SET_NAMING, "shouted", a_judge()),
        (JudgeEditKind.SET_PROMPTS, "mine", a_judge()),
        (JudgeEditKind.SET_SEMANTICS, "df-quad", SemanticsJudge()),  # the same judge
    ],
)
def test_a_change_that_a_judge_cannot_take_does_not_fit_it(kind, value, judge):
    assert not JudgeEdit(kind, value).fits(judge)


def test_a_change_of_a_judge_travels_as_json():
    for edit in (JudgeEdit(JudgeEditKind.SHIFT_TEMPERATURE, 0.1), JudgeEdit(JudgeEditKind.SET_NAMING, "anonymised")):
        assert JudgeEdit.from_json(json.loads(json.dumps(edit.to_json()))) == edit
    for record in (
        {},
        {"kind": "set mood", "value": 1},
        {"kind": "set seed", "value": [1]},
        {"kind": "shift temperature", "value": "x"},
    ):
        with pytest.raises(InvalidSetting):
            JudgeEdit.from_json(record)


@pytest.mark.parametrize("perturbation", DIRECTED, ids=label)
@given(profiles(acyclic=False), st.integers(0, 9))
def test_a_changed_profile_is_as_much_more_supportive_as_the_perturbation_says(perturbation, profile, seed):
    for one in (perturbation, perturbation.mirror()):
        if not unclear(arrays_of(["d"], [profile]), one.moves)[0]:
            assert direction(profile, one.apply(profile, seed)) in (one.direction, None)
