"""Values that hypothesis draws for the tests of core: scores, graphs, profiles."""

from dataclasses import dataclass

import pytest
from hypothesis import strategies as st

from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.qbaf import QBAF
from core.semantics import SEMANTICS

every_semantics = pytest.mark.parametrize("semantics", SEMANTICS.values(), ids=SEMANTICS.keys())

scores = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 100).map(lambda n: n / 100), st.floats(0, 1))
inner_scores = st.floats(0.05, 0.95)


@dataclass(frozen=True)
class Graph:
    """A QBAF before it is built, so that tests can change it."""

    arguments: list[tuple[str, float]]
    attacks: list[tuple[str, str]]
    supports: list[tuple[str, str]]

    @property
    def qbaf(self) -> QBAF:
        return QBAF.build(self.arguments, self.attacks, self.supports)


@st.composite
def graphs(draw, acyclic=True, largest=10):
    """Draw any graph, or one without cycles: then relations go from later arguments to earlier ones."""
    size = draw(st.integers(1, largest))
    names = [f"a{number}" for number in range(size)]
    arguments = [(name, draw(scores)) for name in names]
    pairs = [(s, t) for i, t in enumerate(names) for j, s in enumerate(names) if j > i or not acyclic]
    chosen = st.lists(st.sampled_from(pairs), max_size=3 * size) if pairs else st.just([])
    return Graph(arguments, draw(chosen), draw(chosen))


@st.composite
def flat_graphs(draw, most=12):
    """Draw a topic with pros and cons."""
    pros, cons = draw(st.lists(scores, max_size=most)), draw(st.lists(scores, max_size=most))
    return flat(draw(scores), pros, cons)


def flat(topic, pros, cons):
    """Return the graph of a flat debate; the topic is called t."""
    return Graph(
        [("t", topic), *((f"p{i}", s) for i, s in enumerate(pros)), *((f"c{i}", s) for i, s in enumerate(cons))],
        [(f"c{i}", "t") for i in range(len(cons))],
        [(f"p{i}", "t") for i in range(len(pros))],
    )


def topic_strength(gradual, topic, pros=(), cons=()):
    """Return the topic's strength in a flat debate."""
    return gradual.evaluate(flat(topic, pros, cons).qbaf).by_name["t"]


@st.composite
def profiles(draw, acyclic=True, most_arguments=8, missing=True, shared=None):
    """Draw a profile of up to four agents whose arguments bear on the topic and on each other."""
    agents = [f"A{number}" for number in range(1, draw(st.integers(1, 4)) + 1)]
    maybe = st.one_of(st.none(), scores) if missing else scores
    stances = tuple(Stance(agent, draw(maybe), draw(maybe)) for agent in agents)
    names = [f"x{number}" for number in range(draw(st.integers(0, most_arguments)))]
    arguments = tuple(
        Argument(name, f"text of {name}", draw(st.sampled_from([*agents, None])), draw(maybe)) for name in names
    )
    order = [TOPIC, *names]
    pairs = [(s, t) for i, t in enumerate(order) for j, s in enumerate(order) if j > i or not acyclic]
    relations = draw(
        st.lists(
            st.builds(
                lambda pair, kind: Relation(pair[0], pair[1], kind),
                st.sampled_from(pairs),
                st.sampled_from(RelationKind),
            ),
            max_size=2 * len(names),
        )
        if pairs
        else st.just([])
    )
    is_shared = draw(st.booleans()) if shared is None else shared
    return OpinionProfile("a claim", stances, arguments, tuple(relations), is_shared)
