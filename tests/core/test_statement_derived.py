"""The debate that arguments taken from a transcript make."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.debate import Agent, Debate, DebateProtocol, Message, RecordedJudgement, Round, profile
from core.errors import InvalidGraph, InvalidScore
from core.import_issue import IssueLog
from core.judgement import JudgementStatus
from core.judges.semantics_judge import SemanticsJudge
from core.native import debate_from_json, debate_to_json
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.statements.derived import ORIGINS, derived_debate
from core.statements.taken import BY_HAND, TakenArgument, apart, problems
from core.statements.turns import turns_of
from tests.core.generated import scores
from tests.core.generated_debates import debates

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK
TALK = Debate(
    "talk",
    "Honey never spoils.",
    True,
    DebateProtocol.TRANSCRIPT,
    agents=(Agent("pro", model="left"), Agent("con")),
    rounds=(
        Round(1, (Stance("pro", 0.6, 0.7),), (Argument("pro-r1", "It is dry.", "pro"),)),
        Round(2, (Stance("pro", None, 0.8),), (Argument("pro-r1", "It is dry.", "pro"),)),
    ),
    judgements=(RecordedJudgement("Ann", "human", 0.75),),
    transcript=(
        Message("pro", "It is dry.", 1),
        Message("con", "Water gets in. Jars leak.", 1),
        Message("pro", "Not into sealed jars.", 2),
        Message("Judge", "Hm.", 2),
    ),
    provenance={"imported_from": "x.json"},
    contestations=({"id": "c"},),
)
TAKEN = (
    TakenArgument("S1", "It is dry.", (1,), SUPPORT, author="pro", base_score=0.8),
    TakenArgument("S2", "Water gets in.", (2,), ATTACK, "S1", "con"),
    TakenArgument(
        "P1-1", "Sealed jars keep it out.", (3,), ATTACK, "S2", "pro", model="m-1", edited=True, quote="sealed jars"
    ),
    TakenArgument("S3", "The judge doubts.", (4,), ATTACK, author="Judge"),
)


def test_the_debate_has_the_arguments_taken_and_nothing_of_the_originals_graph():
    made = derived_debate(TALK, TAKEN, "Ria", "Set")
    held = profile(made)
    assert [argument.id for argument in held.arguments] == ["S1", "S2", "P1-1", "S3"]
    assert held.relations == (
        Relation("S1", TOPIC, SUPPORT),
        Relation("S2", "S1", ATTACK),
        Relation("P1-1", "S2", ATTACK),
        Relation("S3", TOPIC, ATTACK),
    )
    assert [argument.base_score for argument in held.arguments] == [0.8, None, None, None]  # missing, not 0.5
    assert held.by_id["S2"].author == "con"
    assert held.by_id["S2"].source == "Turn 2 of the transcript"
    assert held.dangling == ()


def test_what_the_original_says_besides_stays():
    made = derived_debate(TALK, TAKEN, "Ria", "Set")
    for name in ("claim", "label", "protocol", "transcript", "judgements", "exhibits", "title"):
        assert getattr(made, name) == getattr(TALK, name)
    assert made.agents == (*TALK.agents, Agent("Judge"))
    assert made.contestations == ()
    assert turns_of(replace(made, rounds=())) == turns_of(replace(TALK, rounds=()))


def test_provenance_says_of_each_argument_how_it_came_about():
    told = derived_debate(TALK, TAKEN, "Ria", "Set").provenance
    assert told["imported_from"] == "x.json"
    assert (told["from_debate"], told["from_data_set"], told["taken_by"]) == ("talk", "Set", "Ria")
    assert [entry["origin"] for entry in told[ORIGINS]] == [
        BY_HAND,
        BY_HAND,
        "proposed by m-1, edited and accepted by Ria",
        BY_HAND,
    ]
    assert told[ORIGINS][2] == {
        "argument": "P1-1",
        "origin": "proposed by m-1, edited and accepted by Ria",
        "turns": [3],
        "quote": "sealed jars",
    }
    accepted = replace(TAKEN[2], edited=False)
    assert accepted.origin("Ria") == "proposed by m-1, accepted by Ria"


def test_an_argument_stands_from_the_round_of_its_first_turn_on():
    made = derived_debate(TALK, TAKEN, "Ria")
    assert [(step.number, [a.id for a in step.arguments]) for step in made.rounds] == [
        (1, ["S1", "S2"]),
        (2, ["S1", "S2", "P1-1", "S3"]),
    ]
    assert made.rounds[0].stances == TALK.rounds[0].stances
    answered_before_it_is_said = (replace(TAKEN[2], id="S9", target=TOPIC), replace(TAKEN[0], target="S9"))
    first, last = derived_debate(TALK, answered_before_it_is_said, "Ria").rounds
    assert first.relations == ()
    assert Relation("S1", "S9", SUPPORT) in last.relations


def test_the_debate_can_be_judged_and_written_and_read():
    made = derived_debate(TALK, TAKEN, "Ria")
    assert SemanticsJudge("df-quad").judge(profile(made)).status is JudgementStatus.OK
    issues = IssueLog()
    assert debate_from_json(debate_to_json(made), issues) == made
    assert not issues.issues


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"text": " "}, "has no text"),
        ({"text": "x" * 10_001}, "10,001 characters"),
        ({"id": TOPIC}, "other than"),
        ({"id": ""}, "other than"),
        ({"turns": ()}, "no turn"),
        ({"target": "S1"}, "itself"),
    ],
)
def test_what_cannot_be_an_argument_is_refused_when_it_is_made(changes, why):
    with pytest.raises(InvalidGraph, match=why):
        replace(TAKEN[0], **changes)


def test_a_base_score_outside_0_to_1_is_refused():
    with pytest.raises(InvalidScore):
        replace(TAKEN[0], base_score=1.01)


def test_what_cannot_be_a_debate_is_refused_with_every_reason():
    assert problems((), 4) == ("No argument was taken yet.",)
    wrong = (TAKEN[1], replace(TAKEN[1], target="S2", id="S5"), replace(TAKEN[3], turns=(5,)), TAKEN[3])
    assert problems(wrong, 4) == (
        "Two arguments have one id.",
        "S2 bears on S1, which was not taken: take that too, or change what it is on.",
        "S3 comes from a turn that the transcript has not.",
    )
    with pytest.raises(InvalidGraph, match="which was not taken"):
        derived_debate(TALK, TAKEN[1:2], "Ria")


def test_arguments_that_lead_nowhere_are_named():
    ring = (replace(TAKEN[0], target="S2"), TAKEN[1], TAKEN[3])
    assert apart(ring) == ("S1", "S2")
    assert apart(TAKEN) == ()


@pytest.mark.parametrize("one", TAKEN)
def test_an_argument_taken_is_written_and_read(one):
    assert TakenArgument.from_json(json.loads(json.dumps(one.to_json()))) == one


@pytest.mark.parametrize(
    "record", [{}, {"turns": 3}, {"turns": [1], "kind": "like"}, {**TAKEN[0].to_json(), "more": 1}, [], None]
)
def test_what_is_no_argument_taken_is_refused(record):
    with pytest.raises(InvalidGraph, match="no argument that was taken"):
        TakenArgument.from_json(record)


@st.composite
def takings(draw, debate):
    turns = len(debate.transcript)
    names = [f"S{number}" for number in range(1, draw(st.integers(1, 5)) + 1)]
    return tuple(
        TakenArgument(
            name,
            f"text of {name}",
            tuple(draw(st.lists(st.integers(1, turns), min_size=1, max_size=2, unique=True))),
            draw(st.sampled_from(RelationKind)),
            draw(st.sampled_from([TOPIC, *(other for other in names if other != name)])),
            draw(st.sampled_from([None, *(m.speaker for m in debate.transcript if m.speaker)])),
            draw(st.one_of(st.none(), scores)),
            draw(st.sampled_from(["", "m"])),
        )
        for name in names
    )


@given(st.data(), debates().filter(lambda debate: debate.transcript))
def test_the_original_never_changes_and_the_last_round_holds_all_that_was_taken(data, debate):
    before = debate_to_json(debate)
    taken = data.draw(takings(debate))
    made = derived_debate(debate, taken, "Ria")
    assert debate_to_json(debate) == before
    held = profile(made)
    assert [(a.id, a.text, a.author, a.base_score) for a in held.arguments] == [
        (one.id, one.text, one.author, one.base_score) for one in taken
    ]
    assert {(r.source, r.target, r.kind) for r in held.relations} == {(one.id, one.target, one.kind) for one in taken}
    assert made.label == debate.label
    assert SemanticsJudge("df-quad").judge(held).status in {JudgementStatus.OK, JudgementStatus.NOT_CONVERGED}
