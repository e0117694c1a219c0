"""Debates that hypothesis draws, with every kind of text that a log may hold."""

from __future__ import annotations

from hypothesis import strategies as st

from core.debate import Agent, Debate, DebateProtocol, Message, RecordedJudgement, Round
from core.judgement import JudgementStatus, Verdict
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from tests.core.generated import scores

NASTY = (
    "<script>alert('x')</script>",
    '=HYPERLINK("https://example.org";"look")',
    "\u202eright to left\u202c אבג \u200f",
    "e\u0301 \u200b\ufeff zero width",
    "quotes \" ' ` and \\ and \\u0000 and \\ud800",
    "line\nbreak\r\n\ttab\x0b\x0c\x1b[31m\x7f\x85\u2028\u2029 end",
    "NUL \x00 and half a pair \ud800 and \udfff",
    "😀 \U0010ffff",
    "x" * 10_000,
    "**bold** [link](javascript:1) $x^2$ | a | b |",
    "NaN",
    "  spaces around  ",
)

texts = st.one_of(st.sampled_from(NASTY), st.text(st.characters(exclude_categories=()), max_size=30))
claims = texts.filter(lambda text: text.replace("\x00", "x").strip())
ids = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffd"), min_size=1, max_size=8)
some_text = st.one_of(st.none(), texts.filter(bool))
maybe_score = st.one_of(st.none(), scores)
free_json = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(ids, inner, max_size=3)),
    max_leaves=8,
)
free_objects = st.dictionaries(ids, free_json, max_size=3)


@st.composite
def rounds(draw, number):
    agents = draw(st.lists(ids, max_size=3, unique=True))
    names = draw(st.lists(ids.filter(lambda name: name != TOPIC), max_size=5, unique=True))
    arguments = tuple(
        Argument(
            name,
            draw(texts),
            draw(st.one_of(st.none(), st.just(""), ids)),
            draw(maybe_score),
            draw(st.one_of(st.none(), ids)),
            draw(some_text),
            draw(st.one_of(st.none(), ids)),
            draw(st.booleans()),
            draw(some_text),
        )
        for name in names
    )
    ends = st.sampled_from([TOPIC, *names, "not there"])
    relations = draw(st.lists(st.builds(Relation, ends, ends, st.sampled_from(RelationKind)), max_size=6, unique=True))
    stances = tuple(Stance(agent, draw(maybe_score), draw(maybe_score)) for agent in agents)
    return Round(number, stances, arguments, tuple(relations), tuple(draw(st.lists(free_objects, max_size=2))))


judgements = st.builds(
    RecordedJudgement,
    st.one_of(st.just(""), ids),
    st.sampled_from(["llm", "panel", "human", ""]),
    maybe_score,
    st.one_of(st.none(), st.sampled_from(Verdict)),
    st.sampled_from(JudgementStatus),
    texts,
    free_objects,
)
messages = st.builds(Message, texts, texts, st.one_of(st.none(), st.integers(0, 9)), some_text, some_text)
agents = st.builds(Agent, ids, some_text, some_text, some_text, some_text, st.one_of(st.none(), st.floats(0, 2)))


@st.composite
def debates(draw):
    """Draw any debate."""
    numbers = sorted(draw(st.sets(st.integers(0, 9), max_size=3)))
    return Debate(
        id=draw(ids),
        claim=draw(claims),
        label=draw(st.one_of(st.none(), st.booleans())),
        protocol=draw(st.sampled_from(DebateProtocol)),
        claim_id=draw(st.one_of(st.none(), ids)),
        title=draw(some_text),
        agents=tuple(draw(st.lists(agents, max_size=3, unique_by=lambda agent: agent.id))),
        rounds=tuple(draw(rounds(number)) for number in numbers),
        judgements=tuple(draw(st.lists(judgements, max_size=2))),
        transcript=tuple(draw(st.lists(messages, max_size=2))),
        exhibits=tuple(draw(st.lists(free_objects, max_size=2))),
        contestations=tuple(draw(st.lists(free_objects, max_size=2))),
        provenance=draw(free_objects),
        tags=tuple(draw(st.lists(texts, max_size=2))),
        note=draw(some_text),
    )
