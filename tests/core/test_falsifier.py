from __future__ import annotations

import json

import pytest

from core.debate import profile
from core.errors import Cancelled, InvalidSetting
from core.judges import MajorityVote, SemanticsJudge
from core.llm.circumstances import Circumstances
from core.overview import Scored
from core.perturbations import Direction, GivenEdits, JudgeEdit, JudgeEditKind
from core.properties.contestability import Contestability
from core.properties.falsifier import Goal, falsify
from core.properties.groundedness import JudgeUnanimity, NonHallucination
from core.properties.hunt_profiles import dials
from core.properties.registry import usual_properties
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.robustness import JudgeRobustness, ProfileRobustness
from core.properties.trial import BASELINE
from core.properties.witness import replayed
from tests.core.comparisons import known
from tests.core.property_judges import (
    SOUND,
    NoisyJudge,
    Scoring,
    TemperedJudge,
    contrarian,
    hallucinating,
    mean_stance,
    order_biased,
    some_debates,
)
from tests.core.test_properties import PRO, debate
from tests.llm.judging import a_judge

DEBATES = some_debates(debates=6)


def loaded(one):
    return profile(one), Circumstances.of(one)


def test_the_smallest_turn_of_a_verdict_is_found_by_hand():
    # A pro of 0.4 against a con of 0.45: level at 0.45, and a level debate is True. 0.05 is the least move there is.
    found = falsify(ProfileRobustness(), SemanticsJudge(), "d", loaded(debate([], [0.4], [0.45])))
    assert found.complete
    assert known(found.size) == pytest.approx(0.05, abs=2e-6)
    witness = known(found.witness)
    assert witness.flipped
    edits = known(witness.edits(profile(debate([], [0.4], [0.45]))))
    assert len(edits) == 1


def test_moves_that_are_not_needed_are_dropped():
    # The one strong con decides; the many weak arguments beside it need not be touched.
    one = debate([], [0.05, 0.04, 0.06, 0.03], [0.3, 0.02, 0.01])
    found = falsify(ProfileRobustness(), SemanticsJudge(), "d", loaded(one))
    assert len(known(known(found.witness).edits(profile(one)))) == 1
    con_alone = falsify(ProfileRobustness(), SemanticsJudge("qe"), "d", loaded(debate([], [0.2], [0.3])))
    assert known(con_alone.size) == pytest.approx(0.1, abs=2e-6)


def test_the_most_striking_violation_turns_the_verdict_and_moves_the_score_furthest():
    one = loaded(debate([], [0.4, 0.3], [0.45, 0.3]))
    striking = falsify(ProfileRobustness(), SemanticsJudge(), "d", one, goal=Goal.STRIKING, budget=400)
    smallest = falsify(ProfileRobustness(), SemanticsJudge(), "d", one)
    assert abs(known(known(striking.witness).change)) > 0.4 > abs(known(known(smallest.witness).change))
    assert known(smallest.size) < known(striking.size)


def test_a_contrarian_is_caught_at_once_with_the_least_move_that_shows():
    found = falsify(Contestability(), Scoring("contrarian", contrarian), "d", DEBATES.load(0), tolerance=0.01)
    witness = known(found.witness)
    assert known(witness.change) < -0.01
    assert known(witness.change) == pytest.approx(-0.01, abs=1e-5)
    assert known(witness.second.profile).direction is Direction.MORE_SUPPORTIVE


def test_no_violation_of_what_is_proved_is_found():
    for place in range(3):
        for tested in (Contestability(), Determinism(), PermutationIndependence()):
            found = falsify(tested, SOUND, "d", DEBATES.load(place), budget=300)
            assert found.witness is None
            assert found.size is None


def test_two_agents_in_each_others_place_are_the_smallest_order():
    found = falsify(PermutationIndependence(), Scoring("order-biased", order_biased), "d", DEBATES.load(1))
    assert found.size == 2.0
    assert found.questions == 2
    many = some_debates(debates=1, agents=9)

    def third(held):
        return mean_stance(held) if [s.agent_id for s in held.stances][2:4] == ["A3", "A4"] else 0.0

    assert falsify(PermutationIndependence(), Scoring("third", third), "d", many.load(0)).size == 2.0


def test_an_order_is_tidied_up_to_the_agents_that_matter():
    many = some_debates(debates=1, agents=8)

    def circle(held):
        ids = [s.agent_id for s in held.stances]
        moved = sum(name != f"A{place + 1}" for place, name in enumerate(ids))
        return 0.2 if moved >= 3 else 0.8

    found = falsify(PermutationIndependence(), Scoring("circle", circle), "d", many.load(0))
    assert found.size == 3.0


def test_a_noisy_judge_is_caught_by_the_first_repeat():
    found = falsify(Determinism(), NoisyJudge(), "d", DEBATES.load(0))
    assert (found.size, found.questions) == (1.0, 2)
    spread = falsify(Determinism(), NoisyJudge(), "d", DEBATES.load(0), goal=Goal.STRIKING, budget=20)
    assert abs(known(known(spread.witness).change)) >= 0.03 - 1e-9
    assert not spread.complete


def test_the_smallest_change_of_a_judge_is_narrowed_down():
    judge = TemperedJudge()  # turns as soon as its temperature is above 1
    found = falsify(JudgeRobustness((JudgeEdit(JudgeEditKind.SHIFT_TEMPERATURE, 0.3),)), judge, "d", DEBATES.load(0))
    assert known(found.size) <= 0.001
    # Topic 0.4, a pro of 0.5, a con of 0.32: the energy is 0.18, so the score is 0.4 + 0.6 * 0.18 / k; 0.5 at k = 1.08.
    one = debate([(0.4, None)], [0.5], [0.32])
    found = falsify(JudgeRobustness(), SOUND, "d", loaded(one))
    assert known(found.size) == pytest.approx(0.08, abs=0.001)


def test_a_verdict_that_nobody_holds_needs_no_change_where_it_stands_in_the_record():
    judge = Scoring("hallucinating", hallucinating)
    places = [p for p in range(len(DEBATES)) if falsify(JudgeUnanimity(), judge, "d", DEBATES.load(p)).size == 0.0]
    assert places
    witness = known(falsify(NonHallucination(), judge, "d", DEBATES.load(places[0])).witness)
    assert (witness.first, witness.second, witness.before) == (BASELINE, BASELINE, witness.after)


def test_arguments_are_moved_until_the_judge_leaves_the_agents():
    # All agents say True; the arguments are level until the con outweighs the pro.
    one = debate([(0.8, None), (0.9, None)], [0.5], [0.45])
    found = falsify(JudgeUnanimity(), SemanticsJudge(), "d", loaded(one))
    assert known(found.size) == pytest.approx(0.05, abs=1e-5)
    assert isinstance(known(found.witness).second.profile, GivenEdits)


@pytest.mark.parametrize("goal", Goal)
@pytest.mark.parametrize("tested", usual_properties(), ids=lambda one: one.key)
def test_a_witness_of_a_search_can_be_replayed_and_the_search_repeated(tested, goal):
    for judge in (Scoring("contrarian", contrarian), Scoring("order-biased", order_biased), TemperedJudge(), SOUND):
        held = DEBATES.load(2)
        found = falsify(tested, judge, "d", held, goal=goal, budget=120, seed=3)
        assert found == falsify(tested, judge, "d", held, goal=goal, budget=120, seed=3)
        assert found.questions <= 120
        assert json.loads(json.dumps(found.to_json()))["questions"] == found.questions
        if found.witness is not None:
            before, after = replayed(found.witness, judge, held[0])
            assert (Scored.of(before), Scored.of(after)) == (found.witness.before, found.witness.after)


def test_a_directed_search_moves_only_what_speaks_one_way():
    one = profile(debate([(0.5, None)], [0.5, 0.2], [0.7]))
    more = {dial.argument: (dial.low, dial.high) for dial in dials(one, Direction.MORE_SUPPORTIVE)}
    assert more == {"p0": (0.5, 1.0), "p1": (0.2, 1.0), "c0": (0.0, 0.7)}
    less = {dial.argument: (dial.low, dial.high) for dial in dials(one, Direction.LESS_SUPPORTIVE)}
    assert less == {"p0": (0.0, 0.5), "p1": (0.0, 0.2), "c0": (0.7, 1.0)}
    assert {dial.argument for dial in dials(one, Direction.NEITHER)} == {"p0", "p1", "c0"}
    assert PRO == "support"


def test_a_search_keeps_to_its_budget_and_can_be_stopped():
    with pytest.raises(InvalidSetting, match="questions"):
        falsify(Determinism(), SOUND, "d", DEBATES.load(0), budget=1)
    with pytest.raises(InvalidSetting, match="called"):
        falsify(Determinism(), a_judge(), "d", DEBATES.load(0))

    def stop(done: int, budget: int) -> None:
        raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        falsify(Determinism(), SOUND, "d", DEBATES.load(0), watch=stop)
    nothing = falsify(Contestability(), MajorityVote(), "d", loaded(debate([(0.5, None)])))
    assert (nothing.witness, nothing.complete) == (None, True)
