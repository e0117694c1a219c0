"""The browser judges as Python does: on the reference vectors, on generated graphs, and on whole debates."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from core.board import LiveTile, board_data
from core.contestation import Contested, Edit, EditKind, contest
from core.judgement import DecisionRule
from core.judges import ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.qbaf import QBAF
from core.semantics import SEMANTICS, semantics
from core.wording import score_text

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "assets" / "board" / "semantics.js").read_text(encoding="utf-8")
VECTORS = ROOT.parent / "shared" / "data" / "qbaf-vectors" / "vectors.json"
KEYS = {
    "dfquad": "df-quad",
    "qe": "qe",
    "euler": "euler",
    "mlp": "mlp",
    "euler_top": "euler-top",
    "product_1max1": "product-1max",
    "sqdfquad_squared_factors": "squared-product-linear",
    "squared_energy": "squared-sum-1max",
}

IMPORT = "const m = await import(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));"
EVALUATE = f"""async ({{source, cases}}) => {{ {IMPORT}
  return cases.map(({{bases, edges, semantics, kappa}}) => {{
    const found = m.evaluate(m.compile(bases.length, edges), bases, semantics, kappa);
    return {{status: found.status, strengths: Array.from(found.strengths)}};
  }});
}}"""
JUDGE = f"""async ({{source, cases}}) => {{ {IMPORT}
  return cases.map(({{data, bases}}) => {{
    const ways = m.prepare(data);
    return data.judges.map((settings) => m.judge(settings, ways[settings.parts], bases));
  }});
}}"""


def graph_case(arguments, attacks, supports, key, kappa):
    index = {name: number for number, (name, _) in enumerate(arguments)}
    edges = [[index[s], index[t], -1] for s, t in attacks] + [[index[s], index[t], 1] for s, t in supports]
    return {"bases": [base for _, base in arguments], "edges": edges, "semantics": key, "kappa": kappa}


def some_graph(chance: random.Random, cyclic: bool):
    size = chance.choice([1, 2, 3, 7, 20, 70])
    names = [f"a{number}" for number in range(size)]
    arguments = [(name, chance.choice([0.0, 1.0, 0.5, chance.random(), chance.random()])) for name in names]
    pairs = {
        (chance.choice(names), chance.choice(names[: max(1, size // chance.choice([1, 1, 20]))]))
        for _ in range(chance.randrange(3 * size + 1))
    }
    if not cyclic:
        pairs = {(s, t) for s, t in pairs if int(s[1:]) > int(t[1:])}
    attacks = sorted(pair for pair in pairs if chance.random() < 0.5)
    supports = sorted(pair for pair in pairs if pair not in attacks or chance.random() < 0.1)
    return arguments, attacks, supports


def test_the_browser_writes_a_score_as_python_does(browser_page):
    chance = random.Random(5)
    thresholds = [0.0, 0.25, 0.5, 0.625, 0.7, 1 / 3, 1.0]
    near = [t + d for t in thresholds for d in (0, 1e-7, -1e-7, 0.004, -0.004, 0.0049, -0.0049)]
    cases = [
        (min(1.0, max(0.0, score)), t) for t in thresholds for score in [*near, *(chance.random() for _ in range(50))]
    ]
    drawing = (ROOT / "assets" / "board" / "drawing.js").read_text(encoding="utf-8")
    write = f"async ({{source, cases}}) => {{ {IMPORT} return cases.map(([score, t]) => m.scoreText(score, t)); }}"
    found = browser_page.evaluate(write, {"source": drawing, "cases": cases})
    assert found == [score_text(score, threshold) for score, threshold in cases]


def test_every_semantics_is_there_twice(browser_page):
    names = browser_page.evaluate(f"async (source) => {{ {IMPORT} return Object.keys(m.SEMANTICS); }}", SOURCE)
    assert names == list(SEMANTICS)


@pytest.mark.skipif(not VECTORS.exists(), reason="the reference vectors are not beside this checkout")
def test_the_browser_agrees_with_the_reference_vectors(browser_page):
    cases, wanted = [], []
    for graph in json.loads(VECTORS.read_text(encoding="utf-8"))["acyclic"]:
        for name, strengths in graph["strengths"].items():
            key, _, kappa = name.partition("@")
            if key in KEYS and strengths is not None:
                cases.append(
                    graph_case(graph["args"], graph["attacks"], graph["supports"], KEYS[key], float(kappa or 1))
                )
                wanted.append(strengths)
    found = browser_page.evaluate(EVALUATE, {"source": SOURCE, "cases": cases})
    assert len(found) > 1000
    for result, strengths in zip(found, wanted, strict=True):
        assert result["strengths"] == pytest.approx(strengths, abs=1e-12)


@pytest.mark.parametrize("cyclic", [False, True], ids=["acyclic", "cyclic"])
def test_the_browser_agrees_with_python_on_generated_graphs(browser_page, cyclic):
    chance = random.Random(20)
    cases, wanted = [], []
    for _ in range(40 if cyclic else 150):
        arguments, attacks, supports = some_graph(chance, cyclic)
        qbaf = QBAF.build(arguments, attacks, supports)
        for key, family in SEMANTICS.items():
            kappa = chance.choice([1.0, 1.2, 3.0]) if family.has_conservativeness else 1.0
            cases.append(graph_case(arguments, attacks, supports, key, kappa))
            wanted.append(semantics(key, kappa).evaluate(qbaf))
    found = browser_page.evaluate(EVALUATE, {"source": SOURCE, "cases": cases})
    for result, evaluation in zip(found, wanted, strict=True):
        assert result["status"] == evaluation.status.value
        if evaluation.converged:
            assert result["strengths"] == pytest.approx(evaluation.strengths.tolist(), abs=1e-12)


def some_profile(chance: random.Random) -> OpinionProfile:
    agents = [f"m{number}" for number in range(chance.randrange(4))]
    names = [f"a{number}" for number in range(chance.randrange(1, 14))]
    arguments = [
        Argument(
            name,
            f"text of {name}",
            chance.choice([None, *agents]),
            chance.choice([None, round(chance.random(), 3), round(chance.random(), 3), 1.0]),
            is_error_text=chance.random() < 0.1,
        )
        for name in names
    ]
    relations = {
        Relation(source, chance.choice([TOPIC, TOPIC, *names, "nowhere"]), chance.choice(list(RelationKind)))
        for source in names
        for _ in range(chance.randrange(1, 3))
    }
    stances = tuple(Stance(a, chance.choice([None, chance.random()]), chance.random()) for a in agents)
    return OpinionProfile("A claim", stances, tuple(arguments), tuple(sorted(relations)), shared=chance.random() < 0.3)


def some_judge(chance: random.Random) -> SemanticsJudge:
    key = chance.choice(list(SEMANTICS))
    return SemanticsJudge(
        key,
        chance.choice([1.0, 1.1, 2.0]) if SEMANTICS[key].has_conservativeness else 1.0,
        chance.choice(list(Setting)),
        chance.choice(list(StanceVariant)),
        chance.choice([DecisionRule(), DecisionRule(0.6, 0.05), DecisionRule(strict=True)]),
        chance.choice([0.5, 0.2, None]),
        chance.choice(list(ScoreAggregation)),
    )


def as_seen(contested: Contested, original: OpinionProfile, judges: list[SemanticsJudge]) -> dict[str, Any]:
    live = [LiveTile(judge, judge.judge(original), judge.judge(contested.profile)) for judge in judges]
    return board_data(contested, original, live)


def test_a_move_in_the_browser_comes_to_the_judgement_that_python_gives_for_the_edit(browser_page):
    chance = random.Random(8)
    cases, wanted = [], []
    for _ in range(150):
        original = some_profile(chance)
        judges = [some_judge(chance) for _ in range(4)]
        edits = []
        if len(original.arguments) > 2:
            edits.append(Edit(EditKind.REMOVE_ARGUMENT, original.arguments[-1].id))
        before = contest(original, edits)
        data = as_seen(before, original, judges)
        moved = chance.choice([TOPIC, *(a.id for a in before.profile.arguments)])
        value = round(chance.random(), 2)
        kind = EditKind.SET_TOPIC_BASE_SCORE if moved == TOPIC else EditKind.SET_BASE_SCORE
        after = contest(original, [*edits, Edit(kind, "" if moved == TOPIC else moved, after=value)])
        names = [node["id"] for node in data["nodes"]]
        bases = [value if node["id"] == moved else node["base"] for node in data["nodes"]]
        cases.append({"data": data, "bases": bases})
        wanted.append([(names, judge.judge(after.profile)) for judge in judges])
    found = browser_page.evaluate(JUDGE, {"source": SOURCE, "cases": cases})
    for results, judgements in zip(found, wanted, strict=True):
        for result, (names, judgement) in zip(results, judgements, strict=True):
            assert result["status"] == judgement.status.value
            assert result["verdict"] == judgement.verdict
            assert result["score"] == (None if judgement.score is None else pytest.approx(judgement.score, abs=1e-12))
            strengths = {n: s for n, s in zip(names, result["strengths"], strict=True) if s is not None}
            assert strengths == pytest.approx(dict(judgement.strengths), abs=1e-12)


def test_a_verdict_on_the_threshold_is_the_same_on_both_sides(browser_page):
    rules = [
        DecisionRule(),
        DecisionRule(strict=True),
        DecisionRule(0.6, 0.1),
        DecisionRule(0.5, 0.25),
        DecisionRule(0.3),
    ]
    scores = [0.0, 0.25, 0.3, 0.1 + 0.2, 0.5 - 1e-13, 0.5, 0.5 + 1e-13, 0.5 - 1e-11, 0.7, 0.75, 1.0, 0.49999999999950]
    asked = [[score, [r.threshold, r.abstention, r.strict]] for r in rules for score in scores]
    found = browser_page.evaluate(
        f"async ({{source, asked}}) => {{ {IMPORT} return asked.map(([score, rule]) => m.verdict(score, rule)); }}",
        {"source": SOURCE, "asked": asked},
    )
    assert found == [rule.verdict(score) for rule in rules for score in scores]


def test_the_search_in_a_cycle_stops_when_the_frame_is_over(browser_page):
    case = graph_case([("a", 0.5), ("b", 0.5)], [], [("a", "b"), ("b", "a")], "df-quad", 1.0)  # about 100 rounds
    statuses = browser_page.evaluate(
        f"""async ({{source, one}}) => {{ {IMPORT}
          const graph = m.compile(2, one.edges);
          const until = (end) => m.evaluate(graph, one.bases, one.semantics, 1, end).status;
          return [Infinity, performance.now() - 1].map(until);
        }}""",
        {"source": SOURCE, "one": case},
    )
    assert statuses == ["ok", "later"]
