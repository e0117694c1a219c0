"""The board's data say everything that the browser needs, and nothing more."""

import json

import pytest

from core.board import FixedTile, Labels, LiveTile, agent_tags, board_data
from core.contestation import Edit, EditKind, contest
from core.judgement import Judgement, JudgementStatus
from core.judges import SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance

PRO, CON = RelationKind.SUPPORT, RelationKind.ATTACK

SMALL = OpinionProfile(
    "Tides follow the moon.",
    (Stance("x", 0.8), Stance("y", 0.4)),
    (
        Argument("p", "High water comes twice a day.", "x", 0.8),
        Argument("c", "Some coasts have one tide a day.", "y", 0.6),
        Argument("r", "Those coasts resonate with another period.", "x", None),
        Argument("e", "Error: rate limit reached", "y", 0.5, is_error_text=True),
    ),
    (
        Relation("p", TOPIC, PRO),
        Relation("c", TOPIC, CON),
        Relation("r", "c", CON),
        Relation("e", TOPIC, CON),
        Relation("r", "nowhere", PRO),
    ),
)


DF_QUAD = SemanticsJudge()


def seen(profile=SMALL, edits=(), judges=(DF_QUAD,), **options):
    contested = contest(profile, edits)
    live = [LiveTile(judge, judge.judge(profile), judge.judge(contested.profile)) for judge in judges]
    return board_data(contested, profile, live, **options)


def nodes(data):
    return {node["id"]: node for node in data["nodes"]}


def wide(count: int) -> OpinionProfile:
    text = "An argument of about a hundred and twenty characters, which is what agents usually write when asked to."
    arguments = tuple(Argument(f"a{n}", text, "x", 0.5) for n in range(count))
    return OpinionProfile(
        "A claim", (Stance("x", 0.5),), arguments, tuple(Relation(a.id, TOPIC, PRO) for a in arguments)
    )


def test_the_topic_comes_first_and_edges_are_numbers():
    data = seen()
    assert [node["id"] for node in data["nodes"]] == [TOPIC, "p", "c", "r", "e"]
    assert data["edges"] == [[2, 0, -1], [4, 0, -1], [1, 0, 1], [3, 2, -1]]


def test_a_relation_to_nothing_is_not_drawn():
    assert all(0 <= end < 5 for edge in seen()["edges"] for end in edge[:2])


def test_every_argument_has_its_side_level_and_base_score():
    found = nodes(seen())
    assert (found["p"]["side"], found["p"]["level"], found["p"]["base"]) == (1, 1, 0.8)
    assert (found["r"]["side"], found["r"]["level"], found["r"]["base"]) == (-1, 2, None)
    assert found["c"]["side"] == -1


def test_an_argument_that_supports_one_thing_and_attacks_another_is_marked():
    assert "mixed" not in nodes(seen())["r"]  # what it supports is not there
    profile = OpinionProfile("A claim", (), SMALL.arguments[:2], (Relation("p", TOPIC, PRO), Relation("p", "c", CON)))
    assert nodes(seen(profile))["p"]["mixed"] is True


def test_removed_added_and_changed_arguments_are_marked():
    edits = [
        Edit(EditKind.REMOVE_ARGUMENT, "p"),
        Edit(EditKind.SET_BASE_SCORE, "c", after=0.2),
        Edit(EditKind.ADD_ARGUMENT, "n", after=0.7, text="New", target="c", relation=CON),
        Edit(EditKind.SET_TOPIC_BASE_SCORE, after=0.4),
    ]
    found = nodes(seen(edits=edits))
    assert found["p"]["gone"] is True
    assert (found["c"]["changed"], found["c"]["base"], found["c"]["original"]) == (True, 0.2, 0.6)
    assert (found["n"]["added"], found["n"]["level"], found["n"]["tag"]) == (True, 2, "✎")
    assert (found[TOPIC]["changed"], found[TOPIC]["base"], found[TOPIC]["original"]) == (True, 0.4, None)


def test_a_failure_message_is_drawn_as_gone_because_judges_leave_it_out():
    data = seen()
    assert nodes(data)["e"]["gone"] is True
    assert data["judges"][0]["strengths"][4] is None


def test_agents_have_tags_in_the_order_of_the_debate_unless_anonymised():
    assert agent_tags(SMALL) == {"x": "A1", "y": "A2"}
    assert [node["tag"] for node in seen()["nodes"]] == ["", "A1", "A2", "A1", "A2"]
    assert {node["tag"] for node in seen(anonymised=True)["nodes"]} == {""}


def test_python_s_own_judgements_are_in_the_data():
    judge = SemanticsJudge()
    edit = Edit(EditKind.SET_BASE_SCORE, "p", after=0.1)
    shown = seen(edits=[edit], judges=[judge])["judges"][0]
    before, after = judge.judge(SMALL), judge.judge(contest(SMALL, [edit]).profile)
    assert shown["before"] == {"score": before.score, "verdict": "true", "status": "ok", "threshold": 0.5}
    assert shown["after"] == {"score": after.score, "verdict": "false", "status": "ok", "threshold": 0.5}
    assert shown["strengths"][1] == 0.1
    assert shown["label"] == judge.name


def test_judges_that_cut_the_debate_alike_share_their_parts():
    separate = SemanticsJudge(setting=Setting.SEPARATE, variant=StanceVariant.PRIOR)
    data = seen(judges=[SemanticsJudge(), SemanticsJudge("qe"), separate])
    assert [judge["parts"] for judge in data["judges"]] == [0, 0, 1]
    assert data["parts"][0] == [{"agent": False, "topic": 0.5, "members": [0, 1, 2, 3]}]
    assert data["parts"][1] == [
        {"agent": True, "topic": 0.8, "members": [0, 1, 3]},
        {"agent": True, "topic": 0.4, "members": [0, 2]},
    ]


def test_an_argument_without_a_base_score_is_a_member_even_for_judges_that_leave_it_out():
    # So that it counts at once when the person gives it a score in the browser.
    data = seen(judges=[SemanticsJudge(missing_base_score=None)])
    assert data["parts"][0][0]["members"] == [0, 1, 2, 3]
    assert data["judges"][0]["missing"] is None
    assert data["judges"][0]["strengths"][3] is None


def test_contributions_go_with_the_line_of_the_argument():
    edges = seen(contributions={"p": 0.25, "c": -0.125})["edges"]
    assert [1, 0, 1, 0.25] in edges
    assert [2, 0, -1, -0.125] in edges
    assert [3, 2, -1] in edges


def test_a_judge_that_does_not_follow_keeps_its_first_judgement():
    failed = Judgement("Model", None, None, JudgementStatus.UNREADABLE)
    others = seen(fixed=[FixedTile("Model", failed, "1 edit since"), FixedTile("Other", None)])["others"]
    assert others[0] == {
        "label": "Model",
        "before": {"score": None, "verdict": None, "status": "unreadable", "threshold": 0.5},
        "note": "1 edit since",
    }
    assert others[1]["before"] is None


def test_a_selection_that_is_not_there_is_dropped():
    assert seen(selected="p")["selected"] == "p"
    assert seen(selected=TOPIC)["selected"] == TOPIC
    assert seen(selected="nobody")["selected"] is None


def test_focus_names_arguments_by_number():
    assert seen(focus={"c", "r"})["focus"] == [2, 3]
    assert seen()["focus"] is None
    assert seen(labels=Labels.ID)["labels"] == "id"


def test_a_long_text_is_cut_for_the_map():
    profile = OpinionProfile("c" * 10_000, (), (Argument("a", "word " * 2000),), ())
    data = seen(profile)
    assert len(data["claim"]) == 300
    assert len(nodes(data)["a"]["text"]) <= 300
    assert nodes(data)["a"]["text"].endswith("…")


def test_layouts_of_the_same_picture_are_sent_once():
    assert [layout["columns"] for layout in seen(wide(2))["layouts"]] == [2]
    assert len(seen(wide(30))["layouts"]) > 1


def test_a_removed_argument_leaves_the_others_where_they_were():
    before = seen()
    after = seen(edits=[Edit(EditKind.REMOVE_ARGUMENT, "c"), Edit(EditKind.SET_BASE_SCORE, "p", after=0.1)])
    assert before["layouts"] == after["layouts"]


@pytest.mark.parametrize(("count", "maps"), [(1000, True), (1001, False)])
def test_beyond_a_thousand_arguments_there_is_no_map(count, maps):
    assert bool(seen(wide(count))["layouts"]) is maps


def test_fifty_arguments_under_eight_judges_take_about_twenty_kilobytes():
    judges = [SemanticsJudge(key) for key in ("df-quad", "qe", "euler", "mlp", "euler-top", "product-1max")]
    size = len(json.dumps(seen(wide(50), judges=judges), allow_nan=False, separators=(",", ":")))
    assert size < 22_000


def test_the_data_do_not_depend_on_the_order_of_relations():
    turned = OpinionProfile(SMALL.claim, SMALL.stances, SMALL.arguments, SMALL.relations[::-1])
    assert seen(turned) == seen()
