from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.debate import DebateProtocol, profile
from core.errors import InvalidSetting
from core.import_issue import IssueLog
from core.judges import MajorityVote, MeanStance, SemanticsJudge, StanceVariant
from core.native import debate_to_json
from core.native_record import debate_from_json
from core.perturbations.profile_arrays import arrays_of
from core.properties.check import check_all
from core.properties.contestability import Contestability
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.result import Standing
from core.simulation import Simulation, is_simulated, simulated_debates, simulated_set
from core.simulation.behaviour import COLUMNS, behaviour
from core.simulation.drawing import drawn

MANY = Simulation(debates=20_000, agents=4, seed=11)


def test_the_same_settings_make_the_same_debates():
    once, again = (list(simulated_debates(Simulation(debates=5, rounds=2))) for _ in range(2))
    assert once == again
    assert once != list(simulated_debates(Simulation(debates=5, rounds=2, seed=1)))


@given(
    st.builds(
        Simulation,
        debates=st.integers(1, 4),
        agents=st.integers(1, 5),
        pros=st.integers(0, 3),
        cons=st.integers(0, 3),
        rounds=st.integers(1, 3),
        accuracy=st.floats(0, 1),
        confidence_slope=st.floats(0, 10),
        correlation=st.floats(0, 1),
        openness=st.floats(0, 1),
        noise=st.floats(0, 1),
        true_share=st.floats(0, 1),
        shared=st.booleans(),
        seed=st.integers(0, 99),
    )
)
def test_arrays_and_values_are_the_same_debates(simulation):
    listed = list(simulated_debates(simulation))
    made = simulated_set(simulation)
    wanted = arrays_of(made.ids, [profile(debate) for debate in listed])
    for field in fields(wanted):
        found, expected = getattr(made.arrays, field.name), getattr(wanted, field.name)
        assert list(found) == list(expected) if field.name in ("debates", "agents") else np.array_equal(found, expected)
    assert made.ids == tuple(debate.id for debate in listed)
    assert made.labels.tolist() == [int(bool(debate.label)) for debate in listed]
    assert [made.load(place)[0] for place in range(len(made))] == [profile(debate) for debate in listed]


def test_every_debate_says_that_it_is_simulated_and_how():
    simulation = Simulation(debates=2, rounds=3)
    for debate in simulated_debates(simulation):
        assert is_simulated(debate.provenance)
        assert debate.tags == ("simulated",)
        assert "simulated" in debate.claim.lower()
        assert "simulated" in (debate.note or "")
        assert all("imulated" in a.text for r in debate.rounds for a in r.arguments)
        assert Simulation.from_json(debate.provenance["simulation"]) == simulation
        issues = IssueLog()
        back = debate_from_json(json.loads(json.dumps(debate_to_json(debate))), issues)
        assert back == debate
    assert not is_simulated({})


def test_protocols_follow_rounds_and_sharing():
    assert Simulation().protocol is DebateProtocol.SINGLE_TURN
    assert Simulation(rounds=3).protocol is DebateProtocol.MULTI_TURN_PRIVATE
    assert Simulation(rounds=3, shared=True).protocol is DebateProtocol.MULTI_TURN_SHARED


@pytest.mark.parametrize("accuracy", [0.0, 0.2, 0.5, 0.7, 0.95, 1.0])
@pytest.mark.parametrize("correlation", [0.0, 0.5, 1.0])
def test_agents_are_as_accurate_as_asked_whatever_the_correlation(accuracy, correlation):
    numbers = drawn(replace(MANY, accuracy=accuracy, correlation=correlation))
    said = (numbers.priors >= 0.5) == numbers.labels[:, None]
    assert said.mean() == pytest.approx(accuracy, abs=0.015)
    assert np.array_equal(said, numbers.right)


def test_calibrated_agents_are_right_as_often_as_they_say():
    numbers = drawn(replace(MANY, accuracy=0.75))
    sure = np.maximum(numbers.priors, 1 - numbers.priors)
    for low, high in ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.0)):
        chosen = (sure > low) & (sure <= high)
        assert numbers.right[chosen].mean() == pytest.approx(sure[chosen].mean(), abs=0.02)


def test_a_steeper_slope_makes_overconfident_agents_and_a_slope_of_0_neutral_ones():
    sizes = [np.abs(drawn(replace(MANY, confidence_slope=s)).priors - 0.5).mean() for s in (0.0, 0.5, 1.0, 3.0)]
    assert sizes[0] == 0
    assert sizes == sorted(sizes)
    over = drawn(replace(MANY, confidence_slope=3.0))
    sure = np.maximum(over.priors, 1 - over.priors)
    assert over.right.mean() < sure.mean() - 0.1


def test_correlated_agents_err_together():
    shares = []
    for correlation in (0.0, 0.4, 0.9):
        right = drawn(replace(MANY, correlation=correlation)).right
        shares.append(float(right.all(axis=1).mean() + (~right).all(axis=1).mean()))
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.7**4 + 0.3**4, abs=0.02)  # independent


def test_open_agents_come_nearer_to_each_other_from_round_to_round():
    spread = drawn(replace(MANY, rounds=4, noise=0.02)).stances.std(axis=2).mean(axis=1)
    assert spread.tolist() == sorted(spread.tolist(), reverse=True)
    lonely = drawn(Simulation(debates=10, agents=1, rounds=2, noise=0.0))
    assert np.array_equal(lonely.stances[-1], lonely.priors)


def test_the_share_of_true_claims_is_as_asked():
    assert drawn(replace(MANY, true_share=0.2)).labels.mean() == pytest.approx(0.2, abs=0.01)


@pytest.mark.parametrize(
    "record",
    [{"agents": 0}, {"agents": 2.0}, {"debates": True}, {"accuracy": 1.1}, {"noise": float("nan")}, {"shared": 1},
     {"confidence_slope": 11}, {"rounds": 101}, {"seed": -1}, {"mood": 1}],
)  # fmt: skip
def test_what_is_no_simulation_is_refused_with_a_reason(record):
    with pytest.raises(InvalidSetting):
        Simulation.from_json(record)


def test_a_table_tells_how_properties_behave_as_debates_grow():
    judges = (SemanticsJudge("qe"), MajorityVote())
    table = behaviour(judges, Simulation(debates=80), agents=(3, 11), rounds=(1, 2))
    assert list(table.columns) == list(COLUMNS)
    assert len(table) == 2 * 2 * 2 * 7
    assert set(table["source"]) == {"simulated"}
    assert set(table["judge"]) == {judge.name for judge in judges}
    proved = table[table["property"].isin(["determinism", "permutation independence", "contestability"])]
    assert (proved["standing"] == "proved").all()
    assert (proved["violations"] == 0).all()


def test_more_independent_agents_make_a_better_vote():
    table = behaviour(
        (MeanStance(),),
        Simulation(debates=2_000, accuracy=0.65, correlation=0.0, openness=0.0),
        agents=(3, 51),
        rounds=(1,),
        properties=(Determinism(2),),
    )
    few, many = table["accuracy"].tolist()
    assert many > few + 0.1


def test_what_is_proved_holds_on_100_000_simulated_debates():
    made = simulated_set(Simulation(debates=100_000, noise=0.3))
    assert made.arrays.base_scores.min() == 0.0  # bounds are met, so that capped moves are tried
    assert made.arrays.base_scores.max() == 1.0
    judges = [SemanticsJudge(key, variant=StanceVariant.PRIOR) for key in ("df-quad", "qe")]
    properties = (Determinism(2), PermutationIndependence(3), Contestability())
    for result in check_all(properties, judges, made):
        assert (result.standing, result.violations) == (Standing.PROVED, 0)
        assert result.strict_violations == 0
        assert result.tested > 99_000
