"""Debates over their rounds, on cases worked out by hand and on laws."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from core.comparison.population import FALSE, NONE, TRUE, UNCERTAIN
from core.debate import Agent, Debate, DebateProtocol, RecordedJudgement, Round
from core.judgement import DecisionRule
from core.judges.semantics_judge import SemanticsJudge, Setting
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.rounds.accuracy import VerdictLine, accuracy_by_round
from core.rounds.agreement import spreads
from core.rounds.changes import ChangeKind, changes
from core.rounds.persuasion import drawn, moves
from core.rounds.stances import stance_paths
from core.rounds.trajectory import LineKind, judged_rounds, trajectory
from core.rounds.word_diff import PieceKind, word_diff, words_in_common
from tests.core.generated_debates import debates, texts

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK
KEPT, REMOVED, ADDED = PieceKind.KEPT, PieceKind.REMOVED, PieceKind.ADDED


def pro(name, text, author="A1", base_score=0.5, **more):
    return Argument(name, text, author, base_score, **more)


def step(number, stances=(), arguments=(), edits=(), cons=()):
    relations = tuple(Relation(one.id, TOPIC, ATTACK if one.id in cons else SUPPORT) for one in arguments)
    return Round(number, tuple(Stance(*one) for one in stances), tuple(arguments), relations, tuple(edits))


def held(*rounds, protocol=DebateProtocol.MULTI_TURN_PRIVATE, agents=("A1", "A2"), **more):
    return Debate("d", "A claim.", None, protocol, agents=tuple(map(Agent, agents)), rounds=rounds, **more)


# --- words ------------------------------------------------------------------------------------------------------------


def test_a_changed_word_stands_beside_the_one_it_was():
    found = word_diff("The cat sat down.", "The dog sat down.")
    assert [(one.kind, one.text) for one in found] == [
        (KEPT, "The"),
        (REMOVED, " cat"),
        (ADDED, " dog"),
        (KEPT, " sat down."),
    ]


def test_neighbouring_words_that_change_stay_one_piece():
    found = word_diff("one two three", "one five six three")
    assert [(one.kind, one.text) for one in found if one.kind is not KEPT] == [(REMOVED, " two"), (ADDED, " five six")]


@given(texts, texts)
def test_the_pieces_of_a_diff_make_both_texts_to_the_letter(before, after):
    found = word_diff(before, after)
    assert "".join(one.text for one in found if one.kind is not ADDED) == before
    assert "".join(one.text for one in found if one.kind is not REMOVED) == after
    kinds = [one.kind for one in found]
    assert all(a is not b for a, b in pairwise(kinds))
    assert all(one.text for one in found)


@given(texts)
def test_a_text_that_stays_has_no_change(text):
    assert all(one.kind is KEPT for one in word_diff(text, text))


def test_two_long_texts_are_compared_without_hanging():
    before, after = "start " + "a b " * 20_000 + "end", "start " + "b a " * 20_000 + "end"
    found = word_diff(before, after)
    assert "".join(one.text for one in found if one.kind is not ADDED) == before
    assert found[0].text.startswith("start")


@pytest.mark.parametrize(
    ("before", "after"),
    [("?" * 1_400, "!?" * 700), ("a " * 1_400, "b a " * 700), ("a b c " * 400, "c b a " * 400)],
)
def test_words_that_come_again_and_again_do_not_hold_anybody_up(before, after):
    found = word_diff(before, after)  # a plain search for the longest common parts would take minutes
    assert "".join(one.text for one in found if one.kind is not REMOVED) == after
    assert len(found) <= 4


def test_words_in_common_are_counted_with_their_numbers():
    assert words_in_common("a a b", "A c") == pytest.approx(2 / 5)  # one a of five words, twice
    assert words_in_common("", "!?") == 1.0
    assert words_in_common("a", "") == 0.0


# --- changes ----------------------------------------------------------------------------------------------------------


def kinds(found):
    return {one.argument.id: one.kind for one in found.arguments}


def test_every_kind_of_change_is_told_apart():
    first = step(
        0,
        (),
        [
            pro("p1", "Honey keeps for years."),
            pro("p2", "It has little water."),
            pro("p3", "Jars are sealed."),
            pro("p4", "Sugar draws water out."),
            pro("p5", "Old tombs held some."),
        ],
    )
    second = step(
        1,
        (),
        [
            pro("p1", "Honey keeps for many years."),
            pro("p2", "It has little water.", base_score=0.75),
            pro("p3", "Bees dance to talk to others."),
            pro("p4", "Sugar draws water out."),
            pro("p6", "It may ferment when wet.", "A2"),
        ],
        cons=("p4",),
    )
    found = changes(held(first, second))[1]
    assert kinds(found) == {
        "p1": ChangeKind.REWORDED,
        "p2": ChangeKind.MOVED,
        "p3": ChangeKind.REPLACED,
        "p4": ChangeKind.AIMED,
        "p5": ChangeKind.DROPPED,
        "p6": ChangeKind.ADDED,
    }
    assert found.since == 0
    moved = next(one for one in found.arguments if one.argument.id == "p2")
    assert moved.move == 0.25
    assert [one.argument.id for one in found.of("A2")] == ["p6"]


def test_the_first_round_adds_everything():
    (found,) = changes(held(step(0, (), [pro("p1", "One."), pro("p2", "Two.")])))
    assert found.since is None
    assert found.count(ChangeKind.ADDED) == 2


def test_arguments_numbered_anew_are_known_by_their_words():
    first = step(0, (), [pro("p1", "Dropped altogether."), pro("p2", "Honey keeps for years in a jar.")])
    second = step(1, (), [pro("p1", "Honey keeps for many years in a jar."), pro("p2", "Nothing of the kind before.")])
    found = changes(held(first, second))[1]
    paired = {(one.before.id if one.before else None, one.after.id if one.after else None) for one in found.arguments}
    assert ("p2", "p1") in paired
    reworded = next(one for one in found.arguments if one.after and one.after.id == "p1")
    assert reworded.kind is ChangeKind.REWORDED


def test_two_authors_arguments_are_never_one():
    first = step(0, (), [pro("p1", "The same words.", "A1")])
    second = step(1, (), [pro("p1", "The same words.", "A2")])
    assert sorted(one.kind for one in changes(held(first, second))[1].arguments) == ["added", "dropped"]


def test_a_shared_debate_says_who_edited_whose_argument_and_what_was_refused():
    first = step(0, (), [pro("pro1", "One.", "A1"), pro("pro2", "Two.", "A2")])
    edits = (
        {
            "agent_id": "A2",
            "edits": [{"id": "pro1", "base_score": 0.9}],
            "ignored": [{"id": "pro2", "argument": "Mine.", "owner": "A1", "why": "not yours", "base_score": True}],
        },
        {"agent_id": "A1", "edits": [{"id": "pro1", "base_score": 0.9}, "nonsense"], "ignored": "nonsense"},
        {"agent_id": 5, "edits": [{"id": "pro2"}]},
    )
    second = step(1, (), [pro("pro1", "One.", "A1", 0.9), pro("pro2", "Two.", "A2")], edits)
    found = changes(held(first, second, protocol=DebateProtocol.MULTI_TURN_SHARED))[1]
    edited = found.changed[0]
    assert edited.editors == ("A2", "A1")
    assert edited.by_others == ("A2",)
    (refused,) = found.refused
    assert (refused.agent, refused.argument, refused.owner) == ("A2", "pro2", "A1")
    assert refused.text == "Mine."
    assert refused.base_score is None


def test_where_the_edits_are_not_recorded_the_argument_itself_says_who_edited_it_last():
    first = step(0, (), [pro("pro1", "One.", "A1"), pro("pro2", "Two.", "A1", last_edited_by="A2")])
    second = step(
        1, (), [pro("pro1", "One!", "A1", last_edited_by="A2"), pro("pro2", "Two.", "A1", last_edited_by="A2")]
    )
    found = changes(held(first, second, protocol=DebateProtocol.MULTI_TURN_SHARED))[1]
    assert found.changed[0].by_others == ("A2",)
    assert found.arguments[1].editors == ()  # it was edited before, not in this round


@given(debates())
def test_changes_account_for_every_argument_of_every_round_once(debate):
    found = changes(debate)
    assert len(found) == len(debate.rounds)
    for place, (one, step_) in enumerate(zip(found, debate.rounds, strict=True)):
        after = [pair.after for pair in one.arguments if pair.after is not None]
        assert after == list(step_.arguments)
        before = debate.rounds[place - 1].arguments if place else ()
        gone = [pair.before.id for pair in one.arguments if pair.before is not None]
        assert sorted(gone) == sorted(argument.id for argument in before)
        assert all(pair.kind in ChangeKind for pair in one.arguments)


@given(debates())
def test_a_round_that_repeats_the_one_before_changes_nothing(debate):
    for step_ in debate.rounds:
        again = Debate("d", "c", rounds=(step_, Round(step_.number + 1, (), step_.arguments, step_.relations)))
        assert changes(again)[1].changed == ()


# --- stances and moves ------------------------------------------------------------------------------------------------


def test_stances_are_what_was_stated_and_never_carried_over():
    debate = held(
        step(0, [("A1", 0.2, None), ("A2", None, 0.9)]),
        step(1, [("A1", None, 0.4)]),
        step(2, [("A1", 0.5, 0.6), ("A2", None, 0.8)]),
    )
    one, other = stance_paths(debate)
    assert (one.first, one.after) == (0.2, (None, 0.4, 0.6))
    assert one.entering == (0.2, 0.2, 0.5)  # the prior stance of round 2 counts for more than that of round 1
    assert (other.first, other.after) == (None, (0.9, None, 0.8))
    assert other.entering == (None, 0.9, 0.9)
    assert other.last == 0.8


def test_the_gap_closed_is_measured_to_where_the_others_stood():
    debate = held(
        step(0, [("A1", 0.2, 0.2), ("A2", 0.6, 0.6), ("A3", 0.9, 0.9)]),
        step(1, [("A1", None, 0.5), ("A2", None, 0.6), ("A3", None, 0.95)]),
        agents=("A1", "A2", "A3"),
    )
    move = next(one for one in moves(debate) if one.number == 1 and one.agent == "A1")
    shares = {one.towards: one.share for one in move.approaches}
    # To 0.6 there were 0.4 and 0.1 are left; to 0.9 there were 0.7 and 0.4 are left.
    assert shares == pytest.approx({"A2": 0.75, "A3": 3 / 7})
    assert move.nearer == ("A2",)
    away = next(one for one in moves(debate) if one.number == 1 and one.agent == "A3")
    assert away.nearer == ()
    assert {one.towards: one.closed for one in away.approaches} == pytest.approx({"A1": -0.05, "A2": -0.05})
    still = next(one for one in moves(debate) if one.number == 1 and one.agent == "A2")
    assert still.change == 0.0
    assert still.nearer == ()


def test_agents_that_had_not_seen_each_other_approach_nobody():
    rounds = (step(0, [("A1", 0.2, 0.5), ("A2", 0.6, 0.6)]), step(1, [("A1", None, 0.6), ("A2", None, 0.6)]))
    first, *_ = moves(held(*rounds))
    assert first.approaches == ()
    shared, *_ = moves(held(*rounds, protocol=DebateProtocol.MULTI_TURN_SHARED))
    assert shared.nearer == ("A2",)
    assert all(not one.approaches for one in moves(held(*rounds, protocol=DebateProtocol.SINGLE_TURN)))


def test_an_agents_way_adds_up_over_the_rounds():
    debate = held(
        step(0, [("A1", 0.0, 0.0), ("A2", 1.0, 1.0)]),
        step(1, [("A1", None, 0.5), ("A2", None, 1.0)]),
        step(2, [("A1", None, 0.25), ("A2", None, 0.75)]),
    )
    ways = {(one.agent, one.towards): one for one in drawn(moves(debate))}
    assert ways["A1", "A2"].rounds == 2
    assert ways["A1", "A2"].closed == pytest.approx(0.25)  # 0.5 nearer, then 0.25 away
    assert ways["A1", "A2"].nearest == 1
    assert ways["A2", "A1"].closed == pytest.approx(0.25)  # stays, then from 0.5 away of 0.5 to 0.25


def test_where_there_is_no_gap_no_share_is_told():
    debate = held(step(0, [("A1", None, 0.5), ("A2", None, 0.5)]), step(1, [("A1", None, 0.9), ("A2", None, 0.5)]))
    (approach,) = next(one for one in moves(debate) if one.agent == "A1").approaches
    assert approach.share is None
    assert drawn(moves(debate)) == ()


@given(debates())
def test_no_agent_closes_more_than_the_gap(debate):
    for move in moves(debate):
        assert move.agent not in {one.towards for one in move.approaches}
        for one in move.approaches:
            assert one.share is None or one.share <= 1.0 + 1e-9
            assert abs(one.closed) <= abs(move.change) + 1e-9
        assert set(move.nearer) <= {one.towards for one in move.approaches}


def test_stances_that_meet_have_no_spread():
    debate = held(step(0, [("A1", 0.2, 0.4), ("A2", 0.8, 0.4)]), step(1, [("A1", None, 0.6)]))
    before, met, alone = spreads(debate, DecisionRule())
    assert (before.reach, before.deviation) == pytest.approx((0.6, 0.3))
    assert before.verdicts == (1, 1, 0)
    assert before.unanimous is False
    assert (met.reach, met.deviation, met.unanimous) == (0.0, 0.0, True)
    assert (alone.known, alone.reach, alone.unanimous) == (1, None, None)


# --- judges over rounds -----------------------------------------------------------------------------------------------


def test_a_judge_has_a_score_for_every_round_and_one_for_every_agent_where_it_judges_them_apart():
    debate = held(
        step(0, [("A1", 0.5, 0.5), ("A2", 0.5, 0.5)], [pro("p", "Yes.", "A1", 0.8)]),
        step(
            1,
            [("A1", None, 0.5), ("A2", None, 0.5)],
            [pro("p", "Yes.", "A1", 0.8), pro("q", "No.", "A2", 0.4)],
            cons=("q",),
        ),
        judgements=(
            RecordedJudgement("a person", score=0.7, settings={"round": 1}),
            RecordedJudgement("a person", score=0.1, settings={"round": 9}),
            RecordedJudgement("a model", score=0.3),
        ),
    )
    separate = SemanticsJudge(setting=Setting.SEPARATE)
    found = trajectory(
        debate,
        {"combined": judged_rounds(debate, SemanticsJudge()), "apart": judged_rounds(debate, separate)},
        0.5,
        parts=True,
    )
    assert found.moments == ("before", "0", "1")
    lines: dict[object, object] = {(line.kind, line.name): line.scores for line in found.lines}
    # DF-QuAD from 0.5: with a pro of 0.8 it is 0.9; with a con of 0.4 as well 0.5 + 0.5 * 0.4 = 0.7.
    assert lines[LineKind.JUDGE, "combined"] == (None, pytest.approx(0.9), pytest.approx(0.7))
    assert lines[LineKind.PART, "A2"] == (None, pytest.approx(0.5), pytest.approx(0.3))
    assert lines[LineKind.JUDGE, "apart"] == (None, pytest.approx(0.7), pytest.approx(0.6))
    assert lines[LineKind.RECORDED, "a person"] == (None, None, 0.7)
    assert (LineKind.RECORDED, "a model") not in lines
    assert [line.name for line in found.of(LineKind.STANCE)] == ["A1", "A2"]


@given(debates())
def test_every_line_of_any_debate_has_a_place_for_every_moment(debate):
    judge = SemanticsJudge()
    found = trajectory(debate, {judge.name: judged_rounds(debate, judge)}, 0.5, parts=True)
    assert {len(line.scores) for line in found.lines} <= {len(debate.rounds) + 1}


# --- accuracy ---------------------------------------------------------------------------------------------------------


def test_accuracy_after_each_round_rests_on_the_same_debates():
    labels = np.array([TRUE, TRUE, FALSE, NONE, FALSE], dtype=np.int8)
    agent = VerdictLine(
        "A1",
        LineKind.STANCE,
        np.array(
            [
                [TRUE, FALSE, TRUE, TRUE, NONE],
                [TRUE, TRUE, FALSE, TRUE, FALSE],
                [TRUE, UNCERTAIN, FALSE, TRUE, FALSE],
            ],
            dtype=np.int8,
        ),
    )
    judge = VerdictLine("DF-QuAD", LineKind.JUDGE, np.array([[NONE] * 5, [TRUE] * 5, [FALSE] * 5], dtype=np.int8))
    mute = VerdictLine("nobody", LineKind.STANCE, np.full((3, 5), NONE, dtype=np.int8))
    found = accuracy_by_round([agent, judge, mute], labels, ("before", "0", "1"))
    assert found.debates == 4
    assert found.silent == ("nobody",)
    assert found.left_out == {"A1": 1, "DF-QuAD": 0, "nobody": 4}
    of_agent = found.table[found.table["series"] == "A1"]
    # Right on the first three labelled debates: 1, then 3, then 2, an abstention being never right.
    assert list(of_agent["right"]) == [1, 3, 2]
    assert set(of_agent["n"]) == {3}
    of_judge = found.table[found.table["series"] == "DF-QuAD"]
    assert list(of_judge["moment"]) == ["0", "1"]
    assert list(of_judge["accuracy"]) == [0.5, 0.5]
    # Wilson, 2 of 4 at z = 1.96: 0.5 ± 1.96 * sqrt(1/16 + 1.96² / 64) / (1 + 1.96² / 4) = 0.5 ± 0.35.
    assert float(of_judge["low"].iloc[0]) == pytest.approx(0.15, abs=0.001)
    assert float(of_judge["high"].iloc[0]) == pytest.approx(0.85, abs=0.001)


def test_without_a_label_there_is_no_accuracy():
    line = VerdictLine("A1", LineKind.STANCE, np.zeros((2, 1), dtype=np.int8))
    found = accuracy_by_round([line], np.array([NONE], dtype=np.int8), ("before", "0"))
    assert found.table.empty
    assert found.debates == 0
