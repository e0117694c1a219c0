"""A transcript as turns, statements, quotations and beliefs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.debate import Agent, Debate, DebateProtocol, Message, RecordedJudgement, Round
from core.opinion import TOPIC, Argument, Relation, RelationKind
from core.palette import LIGHT
from core.statements.belief_chart import belief_lines, belief_sentence
from core.statements.beliefs import Belief, beliefs_of, standing
from core.statements.marks import Mark, Piece, has_marks, pieces
from core.statements.splitting import MOST, statements_in
from core.statements.turns import TurnKind, excerpt, holding, is_talk, numbers_of_rounds, turns_of
from tests.core.generated_debates import NASTY, debates

FAILURE = "Error: Empty response from the provider. Raw: {'error': {'code': 502}}"
prose = st.one_of(
    st.sampled_from(NASTY),
    st.lists(
        st.sampled_from(["A b.", "c? ", "D!\n", "e.g. f", " 1. g", "“H.” ", "\n\n", "。ö", "ß" * 3, "İ", "x" * 50]),
        max_size=30,
    ).map("".join),
    st.text(max_size=200),
)


def talk(*messages: Message, **fields) -> Debate:
    return Debate("talk", "Honey never spoils.", protocol=DebateProtocol.TRANSCRIPT, transcript=messages, **fields)


# --- turns ------------------------------------------------------------------------------------------------------------


def test_one_chat_after_another_is_read_round_by_round():
    debate = talk(*(Message(f"agent-{n}", f"{n} in {r}", r) for n in (1, 2) for r in (0, 1)))
    assert [turn.text for turn in turns_of(debate)] == ["1 in 0", "2 in 0", "1 in 1", "2 in 1"]
    assert [turn.number for turn in turns_of(debate)] == [1, 2, 3, 4]


def test_a_turn_without_a_round_belongs_to_the_one_before_and_the_first_ones_come_first():
    debate = talk(Message("user", "Begin."), Message("a", "x", 1), Message("judge", "Hm."), Message("a", "y", 2))
    assert [(turn.text, turn.round) for turn in turns_of(debate)] == [("Begin.", None), ("x", 1), ("Hm.", 1), ("y", 2)]
    assert numbers_of_rounds(turns_of(debate)) == (None, 1, 2)


@pytest.mark.parametrize(
    ("speaker", "role", "kind"),
    [
        ("system", "system", TurnKind.PROMPT),
        ("user to agent-1", "user", TurnKind.PROMPT),
        ("tool", "tool", TurnKind.PROMPT),
        ("pro", "user", TurnKind.SPOKEN),  # an agent of the debate speaks in the user's role
        ("agent-1", "assistant", TurnKind.SPOKEN),
        ("Moderator", None, TurnKind.SPOKEN),
    ],
)
def test_prompts_and_tools_are_told_from_speech(speaker, role, kind):
    (turn,) = turns_of(talk(Message(speaker, "Hello.", 0, role), agents=(Agent("pro"),)))
    assert turn.kind is kind
    assert turn.usable == (kind is TurnKind.SPOKEN)


def test_a_providers_failure_is_marked_and_is_no_material_for_arguments():
    (turn,) = turns_of(talk(Message("a", FAILURE, 1)))
    assert turn.failed
    assert not turn.usable


def test_a_turn_knows_the_argument_that_says_just_this_and_where_it_comes_from():
    step = Round(1, (), (Argument("a-r1", "Said.", "a", source="PMID 7"), Argument("b-r1", "Said.", "b")))
    first, second = turns_of(talk(Message("a", "Said.", 1), Message("a", "Else.", 1), rounds=(step,)))
    assert (first.argument, first.source) == ("a-r1", "PMID 7")
    assert (second.argument, second.source) == (None, None)


def test_who_says_the_same_again_does_so_by_the_next_argument():
    said = tuple(Argument(f"a-r{number}", "Said.", "a") for number in (1, 2))
    debate = talk(
        *(Message("a", "Said.", number) for number in (1, 2, 3)), rounds=(Round(1, (), said[:1]), Round(2, (), said))
    )
    assert [turn.argument for turn in turns_of(debate)] == ["a-r1", "a-r2", "a-r2"]


def test_talk_is_what_has_no_arguments_but_its_turns():
    said, step = Message("a", "Said.", 1), Round(1, (), (Argument("a-r1", "Said.", "a"),))
    other = Round(1, (), (Argument("x", "Another thought.", "a"),), (Relation("x", TOPIC, RelationKind.SUPPORT),))
    assert is_talk(talk(said))
    assert is_talk(talk(said, rounds=(step,)))
    assert not is_talk(talk(said, rounds=(other,)))
    assert not is_talk(talk(rounds=(step,)))


@given(debates())
def test_every_message_of_any_debate_is_one_turn_in_order_of_the_rounds(debate):
    turns = turns_of(debate)
    assert sorted((t.speaker, t.text) for t in turns) == sorted((m.speaker, m.text) for m in debate.transcript)
    known = [turn.round for turn in turns if turn.round is not None]
    assert known == sorted(known)
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))


# --- finding ----------------------------------------------------------------------------------------------------------


def test_words_are_found_in_texts_and_speakers_whatever_their_case_and_blanks():
    turns = turns_of(talk(Message("Judge", "The  HIVE\nis warm.", 1), Message("a", "No.", 1)))
    assert [turn.number for turn in holding(turns, "hive is")] == [1]
    assert [turn.number for turn in holding(turns, "JUDGE")] == [1]
    assert holding(turns, "  ") == turns
    assert holding(turns, "wasp") == ()


def test_an_excerpt_shows_where_words_stand():
    assert excerpt("one two THREE four five", "three", around=4) == ("… two ", "THREE", " fou …")
    assert excerpt("one", "two") is None
    assert excerpt("one", " ") is None


@given(prose, st.text(min_size=1, max_size=5))
def test_an_excerpt_is_cut_out_of_the_text(text, words):
    found = excerpt(text, words)
    line = " ".join(text.split())
    wanted = " ".join(words.split()).casefold()
    assert (found is not None) == bool(wanted and wanted in line.casefold())
    if found is not None:
        before, at, after = found
        assert before.removeprefix("… ") + at + after.removesuffix(" …") in line
        assert wanted in at.casefold()


# --- statements -------------------------------------------------------------------------------------------------------


def test_a_turn_is_split_at_the_ends_of_sentences_and_lines():
    text = 'Bees store it dry. "It keeps," says Dr. Smith.\n- Sealed jars last, e.g. for years!  Do they? Yes'
    assert statements_in(text) == (
        "Bees store it dry.",
        '"It keeps," says Dr. Smith.',
        "- Sealed jars last, e.g. for years!",
        "Do they?",
        "Yes",
    )


def test_a_number_with_a_point_and_a_list_number_end_no_sentence():
    assert statements_in("It holds 17.5 percent water. 2. It is sour.") == (
        "It holds 17.5 percent water.",
        "2. It is sour.",
    )


@given(prose)
def test_statements_together_are_the_text_but_for_blanks(text):
    found = statements_in(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(one and one == one.strip() and one in text for one in found)
    assert len(found) <= MOST


def test_a_very_long_turn_has_only_so_many_statements_and_loses_nothing():
    text = "Yes. " * 50_000
    found = statements_in(text)
    assert len(found) == MOST
    assert sum(len("".join(one.split())) for one in found) == 200_000


# --- quotations -------------------------------------------------------------------------------------------------------


def test_quotations_are_told_apart_as_the_log_marks_them():
    text = "He wrote <v_quote>it rained</v_quote>, <u_quote>it snowed</u_quote> and <quote>it blew</quote>."
    assert pieces(text) == (
        Piece("He wrote "),
        Piece("it rained", Mark.FOUND),
        Piece(", "),
        Piece("it snowed", Mark.NOT_FOUND),
        Piece(" and "),
        Piece("it blew", Mark.UNCHECKED),
        Piece("."),
    )


@pytest.mark.parametrize("text", ["<v_quote>open", "shut</quote>", "<v_quote>x</u_quote>", "<V_QUOTE>x</V_QUOTE>"])
def test_a_tag_that_opens_or_closes_nothing_stays_text(text):
    assert pieces(text) == (Piece(text),)
    assert not has_marks(text)


@given(
    st.lists(st.sampled_from(["<quote>", "</quote>", "<v_quote>", "</v_quote>", "a", " "]), max_size=30).map("".join)
)
def test_no_letter_of_a_text_is_lost_with_its_tags(text):
    found = pieces(text)
    tags = {None: 0, Mark.FOUND: len("<v_quote></v_quote>"), Mark.UNCHECKED: len("<quote></quote>")}
    assert sum(len(piece.text) + tags[piece.mark] for piece in found) == len(text)


# --- beliefs ----------------------------------------------------------------------------------------------------------


def test_a_judges_beliefs_are_one_series_however_the_log_names_the_round():
    debate = talk(
        judgements=(
            RecordedJudgement("Ann, after round 0", "human", 0.5, settings={"round": 0}),
            RecordedJudgement("Ann, after round 2", "human", 0.25),
            RecordedJudgement("Ann", "human", 0.125, settings={"round": 3}),
            RecordedJudgement("Moderator round 1", "llm", 0.75),
            RecordedJudgement("Moderator round 2", "llm", None),
            RecordedJudgement(
                "Bo, offline", "human", 0.25, settings={"steps": [[0.5, 0.5], None, [0.25, 0.75], ["x"]]}
            ),
            RecordedJudgement("final verdict", "panel", 0.9),
        )
    )
    assert beliefs_of(debate) == (
        Belief("Ann", 0, 0.5),
        Belief("Ann", 2, 0.25),
        Belief("Ann", 3, 0.125),
        Belief("Moderator", 1, 0.75),
        Belief("Bo, offline", 0, 0.5),
        Belief("Bo, offline", 2, 0.25),
    )


def test_of_what_a_judge_said_round_after_round_the_last_stands():
    first = RecordedJudgement("Ann, after round 1", score=0.5)
    final = RecordedJudgement("Ann", score=0.25, settings={"round": 2})
    other, moderator = RecordedJudgement("panel", score=0.9), RecordedJudgement("Moderator round 1")
    late = RecordedJudgement("Ann, after round 0", score=0.1)
    assert standing(talk(judgements=(first, other, final, moderator, late))) == (final, other, moderator)


@given(debates())
def test_beliefs_of_any_debate_lie_between_0_and_1(debate):
    assert all(0.0 <= belief.score <= 1.0 for belief in beliefs_of(debate))


def test_the_chart_of_beliefs_says_in_words_how_each_judges_moved():
    beliefs = (Belief("Ann", 0, 0.5), Belief("Ann", 3, 0.125), Belief("Bo", 2, 0.75))
    chart = belief_lines(beliefs, LIGHT)
    assert chart.alt == (
        "Belief that the claim is true: Ann from 0.50 before the debate to 0.12 after round 3; "
        "Bo at 0.75 after round 2."
    )
    assert [list(trace.y) for trace in chart.figure.data] == [[0.5, 0.125], [0.75]]
    assert list(chart.data.belief) == [0.5, 0.125, 0.75]
    many = tuple(Belief(f"J{n}", 1, 0.5) for n in range(5))
    assert belief_sentence(many).endswith("J2 at 0.50 after round 1, and 2 more judges.")
