from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.population import FALSE, NONE, TRUE
from core.contestation import Edit, EditKind
from core.debate import Debate, Round, profile
from core.errors import Cancelled, InvalidSetting
from core.judgement import DecisionRule, Judge, JudgementStatus, Verdict
from core.judges import MajorityVote, MeanStance, ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import semantics_judges
from core.judges.weighted_vote import WeightedVote
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.overview import Scored
from core.perturbations import (
    AddArgument,
    AgentOrder,
    Composition,
    Direction,
    DuplicateAgent,
    GivenEdits,
    JudgeEdit,
    JudgeEditKind,
    Noise,
    RemoveArgument,
    RenameAgents,
    ReorderArguments,
    ShiftScores,
    ShiftStances,
)
from core.properties.check import EXACT, PRINTED, check, check_all, measured, usual_tolerance
from core.properties.contestability import Contestability
from core.properties.curves import Curve, along, curve_table
from core.properties.debate_set import DebateSet, seed_of
from core.properties.groundedness import JudgeUnanimity, NonHallucination, StanceSource
from core.properties.measures import Rate, ScoreChanges
from core.properties.outcomes import Outcomes
from core.properties.property import LeftOut
from core.properties.registry import PROPERTIES, property_of, usual_properties
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.result import PropertyResult, Standing
from core.properties.robustness import JudgeRobustness, ProfileRobustness
from core.properties.tables import (
    RESULT_COLUMNS,
    TRIAL_COLUMNS,
    WITNESS_COLUMNS,
    grid,
    result_table,
    trial_table,
    witness_table,
)
from core.properties.trial import Trial
from core.properties.witness import Witness, replayed
from tests.core.comparisons import known
from tests.core.property_judges import (
    RULE,
    SOUND,
    NoisyJudge,
    Scoring,
    TemperedJudge,
    contrarian,
    hallucinating,
    many_debates,
    mean_stance,
    nervous,
    order_biased,
    some_debates,
)
from tests.llm.judging import a_judge

PRO, CON = RelationKind.SUPPORT, RelationKind.ATTACK
DEBATES = some_debates()
MEAN = Scoring("mean", mean_stance)
seven = usual_properties()


def debate(
    stances: list[tuple[float | None, float | None]],
    pros: list[float | None] = (),  # type: ignore[assignment]
    cons: list[float | None] = (),  # type: ignore[assignment]
    label: bool | None = None,
    name: str = "d",
) -> Debate:
    sides = [(f"p{n}", s, PRO) for n, s in enumerate(pros)] + [(f"c{n}", s, CON) for n, s in enumerate(cons)]
    held = tuple(Stance(f"A{n}", *pair) for n, pair in enumerate(stances, 1))
    arguments = tuple(Argument(key, key, None, score) for key, score, _ in sides)
    relations = tuple(Relation(key, TOPIC, kind) for key, _, kind in sides)
    return Debate(name, "a claim", label, rounds=(Round(0, held, arguments, relations),))


def debates(*listed: Debate) -> DebateSet:
    return DebateSet.of([replace(one, id=f"d{number}") for number, one in enumerate(listed)])


# Each property catches the judge that is broken in just its way, and passes a good one.

BROKEN: dict[str, Judge] = {
    "determinism": NoisyJudge(),
    "permutation independence": Scoring("order-biased", order_biased),
    "profile robustness": Scoring("nervous", nervous),
    "judge robustness": TemperedJudge(),
    "non-hallucination": Scoring("hallucinating", hallucinating),
    "judge unanimity": Scoring("hallucinating", hallucinating),
    "contestability": Scoring("contrarian", contrarian),
}


@pytest.mark.parametrize("tested", seven, ids=lambda one: one.key)
def test_each_property_catches_the_judge_that_is_broken_in_its_way(tested):
    result = check(tested, BROKEN[tested.key], DEBATES)
    assert result.violations > 0
    assert result.standing is Standing.VIOLATED
    assert known(result.rate).value < 1
    assert len(result.witnesses) == result.violations


@pytest.mark.parametrize("tested", [one for one in seven if one.key != "judge robustness"], ids=lambda one: one.key)
def test_each_property_passes_a_good_judge(tested):
    result = check(tested, MEAN, DEBATES)
    assert result.tested > 0
    assert result.violations == result.strict_violations == 0
    assert result.standing is Standing.SATISFIED  # nothing is proved of a judge known by its protocol only


def test_judge_robustness_passes_a_judge_that_its_temperature_does_not_turn():
    result = check(JudgeRobustness((JudgeEdit(JudgeEditKind.SHIFT_TEMPERATURE, -0.1),)), TemperedJudge(), DEBATES)
    assert result.standing is Standing.SATISFIED


@pytest.mark.parametrize(
    ("judge", "caught"),
    [
        (Scoring("order-biased", order_biased), {"permutation independence"}),
        (Scoring("contrarian", contrarian), {"contestability"}),
        (TemperedJudge(), {"judge robustness"}),
        (Scoring("hallucinating", hallucinating), {"non-hallucination", "judge unanimity"}),
        # What compares scores of two judgements cannot hold where a judge does not even repeat itself.
        (NoisyJudge(), {"determinism", "permutation independence", "contestability"}),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_a_broken_judge_is_caught_by_exactly_the_right_properties(judge, caught):
    results = check_all(seven, (judge,), DEBATES)
    assert {result.checked.key for result in results if result.violations} == caught


# Hand-worked cases.


def test_stronger_pros_raise_df_quad_by_hand():
    # One pro 0.6, one con 0.4, topic 0.5: 0.5 + 0.5 * 0.2 = 0.6; the pro at 0.7 gives 0.5 + 0.5 * 0.3 = 0.65.
    result = check(Contestability(), SemanticsJudge(), debates(debate([(0.5, None)], [0.6], [0.4])))
    (trial,) = result.trials
    assert trial.changes.mean == pytest.approx(0.05)
    assert (trial.changes.raised, trial.changes.lowered, trial.changes.same) == (1, 0, 0)
    assert result.standing is Standing.PROVED
    assert result.cell == "proved · 1/1"


def test_a_turned_verdict_is_a_violation_of_robustness_by_hand():
    # One pro 0.4 against one con 0.45: 0.5 - 0.5 * 0.05 = 0.475, False; the pro at 0.5 gives 0.525, True.
    listed = debates(debate([], [0.4], [0.45], False), debate([], [0.9], [0.1], True), debate([], [], [0.3], True))
    result = check(ProfileRobustness(), SemanticsJudge(), listed)
    (trial,) = result.trials
    assert (result.tested, result.violations, result.verdict_changes) == (2, 1, 1)
    assert result.left_out == {LeftOut.UNCHANGED: 1}
    assert (trial.flips.false_to_true, trial.flips.true_to_false, trial.flips.other) == (1, 0, 0)
    # All three have a label: right were False, True; wrong the third, which says False of a true claim.
    assert known(trial.right_before).rate.count == 2
    assert known(trial.right).rate.count == 1
    assert trial.accuracy_change == pytest.approx(-1 / 3)
    (witness,) = result.witnesses
    assert (witness.debate, known(witness.before.verdict), known(witness.after.verdict)) == (
        "d0", Verdict.FALSE, Verdict.TRUE,
    )  # fmt: skip
    assert witness.change == pytest.approx(0.05)


def test_verdicts_that_no_agent_holds_by_hand():
    unanimous = debate([(0.9, None), (0.8, None)], [0.1], [0.9])  # all say True, the arguments say False
    divided = debate([(0.9, None), (0.2, None)], [0.1], [0.9])
    agreeing = debate([(0.1, None), (0.2, None)], [0.1], [0.9])
    silent = debate([(0.9, None), (None, None)], [0.1], [0.9])  # somebody may hold False
    nobody = debate([], [0.1], [0.9])
    listed = debates(unanimous, divided, agreeing, silent, nobody)
    hallucinated = check(NonHallucination(), SemanticsJudge(), listed)
    assert (hallucinated.tested, hallucinated.violations) == (3, 1)
    assert hallucinated.left_out == {LeftOut.NO_STANCE: 2}
    united = check(JudgeUnanimity(), SemanticsJudge(), listed)
    assert (united.tested, united.violations) == (2, 1)
    assert united.left_out == {LeftOut.NO_STANCE: 2, LeftOut.NOT_UNANIMOUS: 1}
    assert [w.debate for w in united.witnesses] == ["d0"]
    assert united.cell.startswith("1/2 · 50.0 %")


def test_the_stance_that_counts_can_be_chosen():
    moved = debates(debate([(0.9, 0.1)], [0.1], [0.9]))  # True before the arguments, False after them
    violations = {s: check(JudgeUnanimity(s), SemanticsJudge(), moved).violations for s in StanceSource}
    assert violations == {StanceSource.LATEST: 0, StanceSource.POSTERIOR: 0, StanceSource.PRIOR: 1}


def test_an_abstention_is_no_verdict_that_could_be_hallucinated():
    judge = SemanticsJudge(rule=DecisionRule(abstention=0.2))
    listed = debates(debate([(0.9, None)], [0.5], [0.5]), debate([(0.5, None)], [0.9], [0.1]))
    hallucinated = check(NonHallucination(), judge, listed)
    assert hallucinated.left_out == {LeftOut.ABSTAINED: 1}
    assert hallucinated.violations == 1  # the only agent is uncertain, the judge says True
    assert check(JudgeUnanimity(), judge, listed).tested == 0


def test_the_first_speaker_is_believed_by_hand():
    listed = debates(debate([(0.9, None), (0.3, None), (0.4, None)]))
    result = check(PermutationIndependence(), Scoring("first", order_biased), listed)
    (witness,) = result.witnesses
    assert (known(witness.before.score), known(witness.after.score)) == (0.9, 0.3)
    assert len(result.trials) == 5  # all six orders of three agents
    assert result.verdict_changes == result.score_changes == 1


def test_two_agents_have_one_other_order_and_one_agent_has_none():
    listed = debates(debate([(0.9, None), (0.3, None)]), debate([(0.9, None)]))
    result = check(PermutationIndependence(), Scoring("first", order_biased), listed)
    assert [trial.compared for trial in result.trials] == [1, 0, 0, 0, 0]
    assert result.left_out == {LeftOut.UNCHANGED: 1}


def test_repeats_that_differ_among_each_other_are_found_though_each_is_near_the_first():
    result = check(Determinism(), NoisyJudge(), debates(debate([(0.6, None)])), tolerance=0.03)
    (witness,) = result.witnesses
    assert known(witness.before.score) == pytest.approx(0.58)
    assert known(witness.after.score) == pytest.approx(0.62)
    assert (witness.first.repeat, witness.second.repeat) == (2, 1)


def test_a_tolerance_stands_beside_the_strict_count():
    listed = debates(debate([(0.61, None)]))
    result = check(Determinism(), NoisyJudge(), listed, tolerance=0.05)
    assert (result.violations, result.strict_violations) == (0, 1)
    assert (result.score_changes, result.strict_score_changes) == (0, 1)
    with pytest.raises(InvalidSetting, match="tolerance"):
        check(Determinism(), NoisyJudge(), listed, tolerance=1.5)


def test_printed_scores_have_a_wider_tolerance_than_computed_ones():
    assert usual_tolerance(a_judge()) == PRINTED == 0.005
    assert usual_tolerance(SemanticsJudge()) == usual_tolerance(MEAN) == EXACT == 1e-9


def test_a_rate_has_wilsons_interval():
    rate = known(Rate.of(471, 500))  # published: 94.2 %
    assert rate.value == pytest.approx(0.942)
    assert rate.low == pytest.approx(0.9180, abs=1e-4)
    assert rate.high == pytest.approx(0.9594, abs=1e-4)
    assert Rate.of(0, 0) is None


def test_score_changes_are_counted_and_binned():
    changes = ScoreChanges.of(np.array([0.5, 0.5, 0.5, 0.5]), np.array([0.5, 0.52, 0.3, 0.5 + 1e-12]), 1e-9)
    assert (changes.count, changes.raised, changes.lowered, changes.same, changes.moved) == (4, 1, 1, 2, 3)
    assert sum(changes.bins) == 2
    assert changes.bins[20] == 1  # (0, 0.05]
    assert changes.quantiles[0] == pytest.approx(-0.2)
    assert ScoreChanges.of(np.array([]), np.array([]), 1e-9).count == 0


# Honesty.


def test_a_constant_judge_is_never_shown_as_robust():
    constant = Scoring("constant", lambda profile: 0.5)
    for tested in seven:
        result = check(tested, constant, DEBATES)
        assert result.standing in (Standing.INDISCRIMINATE, Standing.VIOLATED, Standing.NOT_TESTED)
        assert "does not discriminate: always 0.50" in result.cell or result.standing is Standing.NOT_TESTED
        assert any("Constant" in warning for warning in result.discrimination.warnings)


def test_a_judge_without_the_setting_is_not_tested_and_says_why():
    result = check(JudgeRobustness(), MEAN, DEBATES)
    assert result.standing is Standing.NOT_TESTED
    assert result.cell == "no setting to change"
    assert result.rate is None


def test_a_judge_that_fails_is_left_out_and_never_counted_as_satisfied():
    class Failing:
        name = "failing"

        def judge(self, profile):
            judgement = MEAN.judge(profile)
            silent = judgement.score is not None and judgement.score < 0.4
            return replace(judgement, score=None, verdict=None, status=JudgementStatus.ERROR) if silent else judgement

    result = check(Determinism(), Failing(), DEBATES)
    assert 0 < result.left_out[LeftOut.NO_SCORE] < len(DEBATES)
    assert result.tested + result.left_out[LeftOut.NO_SCORE] == len(DEBATES)


def test_an_argument_that_speaks_both_ways_leaves_the_direction_open():
    mixed = debate([(0.5, None)], [0.5, 0.5], [0.5])
    both = replace(mixed.rounds[0], relations=(*mixed.rounds[0].relations, Relation("p0", "c0", PRO)))
    result = check(Contestability(), SemanticsJudge(), debates(replace(mixed, rounds=(both,)), mixed))
    assert result.left_out == {LeftOut.UNCLEAR: 1}
    assert result.tested == 1


def test_what_arguments_in_a_circle_come_to_is_tested_and_not_called_proved():
    circle = debate([(0.5, None)], [0.8], [0.3])
    relations = (
        *circle.rounds[0].relations,
        Relation("x", "y", CON),
        Relation("y", "x", CON),
        Relation("x", TOPIC, PRO),
    )
    more = (*circle.rounds[0].arguments, Argument("x", "x", None, 0.6), Argument("y", "y", None, 0.4))
    listed = debates(replace(circle, rounds=(replace(circle.rounds[0], arguments=more, relations=relations),)))
    result = check(Contestability(), SemanticsJudge(), listed)
    assert (result.tested, result.proved_debates) == (1, 0)
    assert result.standing is Standing.SATISFIED
    assert check(Determinism(), SemanticsJudge(), listed).standing is Standing.PROVED


def test_what_is_proved_has_a_reason_and_is_tested():
    every: tuple[Judge, ...] = (*semantics_judges(), MajorityVote(), MeanStance(), WeightedVote())
    for judge in every:
        for tested in (Determinism(), PermutationIndependence(), Contestability()):
            result = check(tested, judge, many_debates())
            assert result.standing is Standing.PROVED, (judge.name, tested.key)
            assert result.violations == 0
            assert known(result.proof).reason.endswith(".")
            assert not result.contradicts_proof


def test_every_aggregation_of_separate_scores_keeps_the_proof_true():
    for aggregation in ScoreAggregation:
        judge = SemanticsJudge("qe", setting=Setting.SEPARATE, variant=StanceVariant.PRIOR, aggregation=aggregation)
        for tested in (Contestability((ShiftStances(0.1),), mirrored=True), PermutationIndependence()):
            assert check(tested, judge, many_debates()).standing is Standing.PROVED


def test_votes_hold_a_verdict_that_somebody_holds():
    rules = (DecisionRule(), DecisionRule(0.3), DecisionRule(0.0), DecisionRule(1.0), DecisionRule(strict=True))
    for rule in rules:
        for judge in (
            MajorityVote(rule),
            MeanStance(rule),
            WeightedVote(rule=rule),
            WeightedVote((("A1", 3.0),), rule),
        ):
            for tested in (NonHallucination(), JudgeUnanimity()):
                result = check(tested, judge, many_debates())
                assert result.violations == 0
                assert result.proof is not None


def test_a_vote_that_weighs_by_distance_is_not_monotone_and_not_called_so():
    # 1.0 weighs 0.5 and 0.6 weighs 0.1: 0.56 / 0.6. 1.0 stays, and 0.7 weighs 0.2: 0.64 / 0.7 is lower.
    result = check(Contestability((ShiftStances(0.1),)), WeightedVote(), debates(debate([(1.0, 1.0), (0.6, 0.6)])))
    assert result.proof is None
    (witness,) = result.witnesses
    assert witness.before.score == pytest.approx(0.56 / 0.6)
    assert witness.after.score == pytest.approx(0.64 / 0.7)


# The published identity: with a binary stance, a verdict that nobody holds is one against all.


@given(st.lists(st.lists(st.integers(0, 100), min_size=1, max_size=5), min_size=1, max_size=8), st.data())
def test_non_hallucination_violations_are_unanimity_violations(stances, data):
    score = data.draw(st.floats(0, 1))
    judge = Scoring("fixed", lambda profile: abs(score - len(profile.arguments) / 3))
    listed = debates(*(debate([(s / 100, None) for s in held], [0.5] * (n % 3)) for n, held in enumerate(stances)))
    hallucinated, united = (check(tested, judge, listed) for tested in (NonHallucination(), JudgeUnanimity()))
    assert hallucinated.violations == united.violations
    assert [w.debate for w in hallucinated.witnesses] == [w.debate for w in united.witnesses]


# Many at once is the same as one by one.


def score_of(judge: Judge) -> Callable[[OpinionProfile], float]:
    return lambda profile: known(judge.judge(profile).score)


def test_many_debates_at_once_give_what_one_by_one_does():
    judges: tuple[Judge, ...] = (SOUND, SemanticsJudge("qe", setting=Setting.SEPARATE), MajorityVote())
    for judge in judges:
        hidden = Scoring(judge.name, score_of(judge))
        for tested in (
            *seven,
            ProfileRobustness((Noise(0.3), RemoveArgument(), AddArgument(), DuplicateAgent(1), ReorderArguments()), 2),
            Contestability((Composition((ShiftScores(0.1, -0.1), ShiftStances(0.1))),), mirrored=True),
            PermutationIndependence(4),
        ):
            if isinstance(tested, JudgeRobustness):
                continue
            fast, slow = check(tested, judge, many_debates()), check(tested, hidden, some_debates())
            assert fast.trials == slow.trials
            assert fast.witnesses == slow.witnesses
            assert (fast.tested, fast.violations, fast.left_out) == (slow.tested, slow.violations, slow.left_out)


def test_all_properties_of_all_judges_come_property_by_property():
    judges = (SOUND, MEAN)
    results = check_all(seven, judges, DEBATES)
    assert [(r.checked.key, r.judge) for r in results] == [(p.key, j.name) for p in seven for j in judges]
    alone = [check(tested, judge, DEBATES) for tested in seven for judge in judges]
    assert list(results) == alone


def test_a_test_can_be_stopped():
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        check(Determinism(), MEAN, DEBATES, watch=stop)
    with pytest.raises(Cancelled):
        check_all(seven, (SOUND,), DEBATES, watch=stop)


# Witnesses.


@pytest.mark.parametrize(
    "judge",
    [
        Scoring("order-biased", order_biased),
        Scoring("nervous", nervous),
        BROKEN["contestability"],
        TemperedJudge(),
        SOUND,
    ],
    ids=lambda one: one.name,
)
def test_a_replayed_witness_gives_the_same_two_judgements(judge):
    tests = (
        *seven,
        ProfileRobustness((Noise(0.4), AgentOrder(2, 3), ReorderArguments(), RenameAgents(), DuplicateAgent()), 3),
        PermutationIndependence(4),
    )
    found = [witness for tested in tests for witness in check(tested, judge, DEBATES, seed=9).witnesses]
    assert found
    places = {name: place for place, name in enumerate(DEBATES.ids)}
    for witness in found:
        travelled = Witness.from_json(json.loads(json.dumps(witness.to_json())))
        assert travelled == witness
        before, after = replayed(travelled, judge, DEBATES.load(places[witness.debate])[0])
        assert (Scored.of(before), Scored.of(after)) == (witness.before, witness.after)


def test_a_witness_opens_in_a_contestation():
    result = check(Contestability(), Scoring("contrarian", contrarian), DEBATES)
    held = DEBATES.load(DEBATES.ids.index(result.witnesses[0].debate))[0]
    edits = known(result.witnesses[0].edits(held))
    assert [(e.kind.value, e.after) for e in edits] == [("shift pros", 0.1)]
    single = check(NonHallucination(), Scoring("hallucinating", hallucinating), DEBATES).witnesses[0]
    assert single.edits(held) == ()


def test_the_worst_witness_comes_first_and_their_number_is_bounded():
    result = check(ProfileRobustness((Noise(0.5),), 3), Scoring("nervous", nervous), DEBATES, most_witnesses=5)
    assert len(result.witnesses) == 5 < result.violations
    assert all(w.flipped for w in result.witnesses)


def test_a_debates_seed_does_not_depend_on_other_debates():
    assert seed_of(1, 0, "d1") == seed_of(1, 0, "d1")
    assert len({seed_of(s, n, d) for s in (0, 1) for n in (0, 1) for d in ("a", "b", "\ud800")}) == 12
    few = DebateSet.of([])
    assert check(Determinism(), MEAN, few).cell == "not tested"


# As plain values.


@pytest.mark.parametrize(
    "tested",
    [
        *seven,
        Determinism(5),
        PermutationIndependence(24),
        ProfileRobustness((Noise(0.1), Composition((ShiftScores(0.1), AgentOrder(1)))), 4),
        JudgeRobustness((JudgeEdit(JudgeEditKind.SET_SEMANTICS, "qe"),)),
        JudgeUnanimity(StanceSource.PRIOR),
        Contestability((AddArgument(), ShiftStances(0.2)), mirrored=True),
    ],
    ids=lambda one: one.key,
)
def test_a_property_and_its_result_travel_as_json(tested):
    assert property_of(json.loads(json.dumps(tested.to_json()))) == tested
    for judge in (SOUND, Scoring("contrarian", contrarian)):
        result = check(tested, judge, DEBATES)
        assert PropertyResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def test_a_property_can_be_named_by_its_key_alone():
    assert [property_of(key) for key in PROPERTIES] == list(seven)
    assert len({one.definition for one in seven}) == len(seven) == 7
    assert all(one.method.endswith(".") for one in seven)


@pytest.mark.parametrize(
    "record",
    [
        None,
        "robustness",
        {"property": "determinism", "repeats": 1},
        {"property": "determinism", "repeats": 101},
        {"property": "determinism", "repeats": "3"},
        {"property": "determinism", "orders": 3},
        {"property": "permutation independence", "orders": 1},
        {"property": "profile robustness", "perturbations": []},
        {"property": "profile robustness", "perturbations": 3},
        {"property": "profile robustness", "perturbations": [{"kind": "noise"}]},
        {"property": "judge robustness", "edits": 3},
        {"property": "judge unanimity", "stance": "last"},
        {"property": "contestability", "perturbations": [{"kind": "noise", "size": 0.1}]},
        {"property": "contestability", "mirrored": "yes"},
    ],
)
def test_what_is_no_property_is_refused_with_a_reason(record):
    with pytest.raises(InvalidSetting):
        property_of(record)


@pytest.mark.parametrize(
    "record", [{}, {"property": "determinism"}, {"property": "determinism", "left_out": 3, "rate": None}]
)
def test_what_is_no_result_is_refused_with_a_reason(record):
    with pytest.raises(InvalidSetting):
        PropertyResult.from_json(record)
    with pytest.raises(InvalidSetting):
        Witness.from_json(record)


def test_a_trial_is_named_by_what_it_changes():
    assert Trial().label == "as recorded"
    assert Trial(ShiftScores(0.1), JudgeEdit(JudgeEditKind.SET_SEED, 3), 1, 2).label == (
        "pros +0.1, within 0 and 1, seed 3, repeat 2, draw 3"
    )
    with pytest.raises(InvalidSetting):
        Trial.from_json({"nonsense": 1})


def test_outcomes_keep_judgements():
    scored = [Scored(0.4, Verdict.FALSE, JudgementStatus.OK), None, Scored(None, None, JudgementStatus.ERROR)]
    found = Outcomes.of(scored)
    assert [found.at(place) for place in range(3)] == scored
    assert found.verdicts.tolist() == [FALSE, NONE, NONE]
    assert found.known.tolist() == [True, False, False]
    assert TRUE == 1


def test_edits_that_do_not_fit_a_debate_leave_it_out():
    edits = GivenEdits(({"kind": "set base score", "argument": "p1", "after": 0.9},))  # type: ignore[arg-type]
    listed = debates(debate([(0.5, None)], [0.2, 0.2], [0.5]), debate([(0.5, None)], [0.2], [0.5]))
    result = check(ProfileRobustness((edits,)), SemanticsJudge(), listed)
    assert (result.tested, result.left_out) == (1, {LeftOut.NO_SCORE: 1})
    assert profile(debate([], [0.2])).arguments


near_borders = st.sampled_from([0.5, 0.5 - 1e-13, 0.5 - 1e-12, 0.3, 0.6, 0.7, 0.7 + 1e-13])
rules = st.builds(
    DecisionRule, st.sampled_from([0.0, 0.3, 0.5, 0.7, 1.0]), st.sampled_from([0.0, 0.1, 0.2]), st.booleans()
)


@given(st.lists(st.one_of(st.floats(0, 1), near_borders), max_size=9), rules)
def test_verdicts_of_many_scores_are_those_of_the_rule(scores, rule):
    found = Outcomes.of_scores(np.array(scores, dtype=np.float64), rule)
    for place, score in enumerate(scores):
        verdict = rule.verdict(score)
        status = JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK
        assert found.at(place) == Scored(score, verdict, status)


def test_judgements_that_came_with_the_debates_can_be_held_against_the_agents():
    listed = debates(debate([(0.9, None)]), debate([(0.9, None)]), debate([(0.2, None)]))
    said = Outcomes.of([Scored(s, RULE.verdict(s), JudgementStatus.OK) for s in (0.8, 0.3)] + [None])
    result = measured(JudgeUnanimity(), RecordedJudge("a panel", "panel"), listed, said, (), ())
    assert (result.tested, result.violations, result.left_out) == (2, 1, {LeftOut.NO_SCORE: 1})
    assert result.settings["kind"] == "recorded"


def test_edits_that_do_not_point_where_they_are_said_to_count_neither_way():
    def edits(after: float) -> GivenEdits:
        return GivenEdits((Edit(EditKind.SET_BASE_SCORE, "p0", 0.2, after),), Direction.MORE_SUPPORTIVE)

    listed = debates(debate([(0.5, None)], [0.2], [0.5]))
    honest, lying = (check(Contestability((edits(after),)), SemanticsJudge(), listed) for after in (0.3, 0.1))
    assert (honest.tested, honest.violations) == (1, 0)
    assert (lying.tested, lying.left_out) == (0, {LeftOut.UNCLEAR: 1})
    assert honest.proof is None  # a person's edits are tested, whatever they are said to do


@pytest.mark.parametrize("curve", Curve)
def test_a_curve_shows_how_verdicts_turn_as_changes_grow(curve):
    sizes = (0.01, 0.2, 1.0)
    result = check(along(curve, sizes), SOUND, many_debates(debates=300))
    table = curve_table(result, sizes)
    assert table["size"].tolist() == list(sizes)
    assert (table["turned_low"] <= table["turned"]).all()
    assert (table["turned"] <= table["turned_high"]).all()
    sizes_of_change = table["mean_size_of_change"].tolist()
    assert sizes_of_change == sorted(sizes_of_change)
    assert sizes_of_change[-1] > sizes_of_change[0] > 0
    up = curve in (Curve.STRONGER_PROS, Curve.WEAKER_CONS, Curve.MORE_SUPPORT, Curve.HIGHER_STANCES)
    down = curve in (Curve.WEAKER_PROS, Curve.STRONGER_CONS, Curve.LESS_SUPPORT, Curve.LOWER_STANCES)
    assert not up or (table["true_to_false"] == 0).all()
    assert not down or (table["false_to_true"] == 0).all()


@pytest.mark.parametrize("sizes", [(), (0.0,), (1.1,), (float("nan"),)])
def test_a_curve_needs_sizes(sizes):
    with pytest.raises(InvalidSetting, match="sizes"):
        along(Curve.NOISE_L2, sizes)


def test_results_become_tables():
    judges = (SOUND, Scoring("contrarian", contrarian))
    results = check_all(seven, judges, DEBATES)
    cells = grid(results)
    assert list(cells.index) == [judge.name for judge in judges]
    assert list(cells.columns) == [one.label for one in seven]
    assert cells.loc["contrarian", "Judge robustness"] == "no setting to change"
    assert cells.loc[SOUND.name, "Determinism"] == "proved · 60/60"
    lines = result_table(results)
    assert list(lines.columns) == list(RESULT_COLUMNS)
    assert (lines["satisfied"] + lines["violations"] == lines["tested"]).all()
    assert lines["rate"].isna().tolist() == [result.tested == 0 for result in results]
    trials = trial_table(results)
    assert list(trials.columns) == list(TRIAL_COLUMNS)
    assert len(trials) == sum(len(result.trials) for result in results)
    assert (trials["raised"] + trials["lowered"] + trials["same"] == trials["compared"]).all()
    found = witness_table(results, {DEBATES.ids[0]: "a claim"})
    assert list(found.columns) == list(WITNESS_COLUMNS)
    assert len(found) == sum(len(result.witnesses) for result in results)
    assert set(found["claim"]) <= {"", "a claim"}
    for empty in (grid(()), result_table(()), trial_table(()), witness_table(())):
        assert empty.empty


def test_the_spread_of_accuracy_is_that_of_all_trials():
    listed = debates(debate([(0.9, None), (0.3, None)], label=True), debate([(0.2, None), (0.4, None)], label=False))
    result = check(PermutationIndependence(2), Scoring("first", order_biased), listed)
    assert result.accuracy_spread == pytest.approx(0.5)  # both right as recorded, one of them in the other order
    assert check(NonHallucination(), MEAN, listed).accuracy_spread is None


def test_a_judge_with_one_verdict_throughout_is_never_shown_as_robust():
    result = check(Determinism(), Scoring("believing", lambda one: 0.6 + 0.3 * mean_stance(one)), DEBATES)
    assert result.standing is Standing.INDISCRIMINATE
    assert result.caveat == "does not discriminate: all its verdicts are True"
    assert result.caveat in result.cell


def test_a_judge_with_hardly_any_different_scores_is_never_shown_as_robust():
    two = Scoring("two scores", lambda profile: 0.8 if mean_stance(profile) >= 0.5 else 0.2)
    result = check(Determinism(), two, DEBATES)
    assert result.standing is Standing.INDISCRIMINATE
    assert result.caveat == "does not discriminate: only 2 different scores"
    vote = check(Determinism(), MajorityVote(), DEBATES)
    assert vote.caveat == ""  # a vote of three agents cannot have more than four


def test_what_is_proved_stays_proved_however_alike_the_verdicts_are():
    believing = debates(*[debate([(0.9, 0.9)] * 3, [0.5 + n / 100], [0.1]) for n in range(20)])
    result = check(Determinism(), SemanticsJudge(variant=StanceVariant.PRIOR), believing)
    assert result.discrimination.failing == "all its verdicts are True"
    assert result.standing is Standing.PROVED
    assert result.cell == "proved · 20/20"
    turned = check(ProfileRobustness(), SemanticsJudge(variant=StanceVariant.PRIOR), believing)
    assert turned.standing is Standing.INDISCRIMINATE  # nothing is proved of this one
