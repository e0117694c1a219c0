import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contestation import LONGEST_TEXT, REVIEWER, Contestation, Edit, EditKind, contest
from core.errors import InvalidEdit
from core.judges import SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from tests.core.generated import profiles, scores

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK

PROFILE = OpinionProfile(
    "a claim",
    (Stance("A1", 0.4), Stance("A2", 0.6)),
    (
        Argument("pro", "text", "A1", 0.8),
        Argument("con", "text", "A2", 0.6),
        Argument("doubt", "text", "A1", 0.5),
        Argument("bare", "text", "A2"),
    ),
    (
        Relation("pro", TOPIC, SUPPORT),
        Relation("con", TOPIC, ATTACK),
        Relation("doubt", "pro", ATTACK),
        Relation("bare", TOPIC, SUPPORT),
    ),
)


@st.composite
def edit_sequences(draw, profile):
    """Draw edits that each fit the profile as it is by then; cycles may come of them."""
    edits: list[Edit] = []
    for number in range(draw(st.integers(0, 8))):
        contested = contest(profile, edits)
        present, relations = contested.profile.arguments, contested.profile.relations
        options = [
            st.builds(Edit, st.sampled_from([EditKind.SHIFT_PROS, EditKind.SHIFT_CONS]), after=st.floats(-1, 1)),
            st.builds(Edit, st.just(EditKind.SET_TOPIC_BASE_SCORE), after=st.one_of(st.none(), scores)),
            st.builds(
                Edit,
                st.just(EditKind.ADD_ARGUMENT),
                st.just(f"new{number}"),
                after=scores,
                text=st.just("Look again."),
                target=st.sampled_from([TOPIC, *(a.id for a in present)]),
                relation=st.sampled_from(RelationKind),
            ),
        ]
        if present:
            ids = st.sampled_from([a.id for a in present])
            options += [
                st.builds(Edit, st.just(EditKind.SET_BASE_SCORE), ids, after=scores),
                st.builds(Edit, st.just(EditKind.REMOVE_ARGUMENT), ids),
            ]
        if contested.removed:
            gone = st.sampled_from(sorted(contested.removed))
            options.append(st.builds(Edit, st.just(EditKind.RESTORE_ARGUMENT), gone))
        movable = [r for r in relations if r.source != TOPIC]
        if movable:
            relation = draw(st.sampled_from(movable))
            options.append(
                st.just(Edit(EditKind.FLIP_POLARITY, relation.source, relation.kind.value, target=relation.target))
            )
            goals = [TOPIC, *(a.id for a in present if a.id != relation.source)]
            options.append(
                st.builds(
                    Edit,
                    st.just(EditKind.RETARGET),
                    st.just(relation.source),
                    after=st.sampled_from(goals),
                    target=st.just(relation.target),
                )
            )
        edits.append(draw(st.one_of(options)))
    return edits


@given(profile=profiles(acyclic=False, most_arguments=5), data=st.data())
def test_undoing_edits_restores_everything_to_the_last_bit(profile, data):
    edits = data.draw(edit_sequences(profile))
    states = [contest(profile, edits[:count]) for count in range(len(edits) + 1)]
    judge = SemanticsJudge(
        data.draw(st.sampled_from(list(SEMANTICS))),
        setting=data.draw(st.sampled_from(Setting)),
        variant=data.draw(st.sampled_from(StanceVariant)),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 100)
        judgements = [judge.judge(state.profile) for state in states]
        for count in reversed(range(len(edits) + 1)):
            again = contest(profile, edits[:count])
            assert again == states[count]
            assert judge.judge(again.profile) == judgements[count]


@given(profile=profiles(acyclic=False, most_arguments=5), data=st.data())
def test_the_original_is_never_touched(profile, data):
    before = repr(profile)
    contested = contest(profile, data.draw(edit_sequences(profile)))
    assert repr(profile) == before
    assert contested.profile.stances == profile.stances
    assert set(contested.removed).isdisjoint(contested.profile.by_id)
    assert set(contested.everything.by_id) == {*contested.profile.by_id, *contested.removed}


def test_no_edits_change_nothing():
    contested = contest(PROFILE, [])
    assert contested.profile == contested.everything == PROFILE
    assert contested.added == contested.removed == contested.changed == frozenset()


def test_setting_a_base_score_changes_that_argument_alone():
    contested = contest(PROFILE, [Edit(EditKind.SET_BASE_SCORE, "pro", 0.8, 0.3)])
    assert contested.profile.by_id["pro"].base_score == 0.3
    assert contested.changed == {"pro"}
    assert SemanticsJudge().judge(contested.profile).score != SemanticsJudge().judge(PROFILE).score


def test_setting_a_base_score_back_leaves_nothing_changed():
    edits = [Edit(EditKind.SET_BASE_SCORE, "pro", 0.8, 0.3), Edit(EditKind.SET_BASE_SCORE, "pro", 0.3, 0.8)]
    assert contest(PROFILE, edits).profile == PROFILE
    assert contest(PROFILE, edits).changed == frozenset()


def test_an_added_argument_is_the_reviewers_and_bears_on_its_target():
    edit = Edit(EditKind.ADD_ARGUMENT, "mine", after=0.7, text="Look again.", target="con", relation=ATTACK, source="s")
    contested = contest(PROFILE, [edit])
    assert contested.profile.by_id["mine"] == Argument("mine", "Look again.", REVIEWER, 0.7, source="s")
    assert Relation("mine", "con", ATTACK) in contested.profile.relations
    assert contested.added == {"mine"}
    assert contested.changed == frozenset()


def test_a_removed_argument_takes_its_relations_along_and_comes_back_with_them():
    remove = Edit(EditKind.REMOVE_ARGUMENT, "pro")
    contested = contest(PROFILE, [remove])
    assert "pro" not in contested.profile.by_id
    assert contested.profile.relations == (PROFILE.relations[1], PROFILE.relations[3])
    assert contested.everything.relations == PROFILE.relations
    assert contested.removed == {"pro"}
    assert contest(PROFILE, [remove, Edit(EditKind.RESTORE_ARGUMENT, "pro")]).profile == PROFILE


def test_flipping_polarity_twice_gives_back_the_same_profile():
    flip = Edit(EditKind.FLIP_POLARITY, "pro", SUPPORT.value)
    contested = contest(PROFILE, [flip])
    assert contested.profile.relations[0] == Relation("pro", TOPIC, ATTACK)
    assert contested.changed == {"pro"}
    assert contest(PROFILE, [flip, Edit(EditKind.FLIP_POLARITY, "pro", ATTACK.value)]).profile == PROFILE


def test_retargeting_moves_a_relation_and_keeps_its_kind():
    contested = contest(PROFILE, [Edit(EditKind.RETARGET, "doubt", "pro", "con", target="pro")])
    assert contested.profile.relations[2] == Relation("doubt", "con", ATTACK)
    assert contested.changed == {"doubt"}


def test_an_edit_may_close_a_cycle():
    edits = [
        Edit(EditKind.ADD_ARGUMENT, "back", after=0.9, text="And yet.", target="doubt", relation=ATTACK),
        Edit(EditKind.RETARGET, "pro", TOPIC, "back", target=TOPIC),
    ]
    profile = contest(PROFILE, edits).profile
    judgement = SemanticsJudge().judge(profile)  # doubt attacks pro, pro supports back, back attacks doubt
    assert judgement.score is not None


@pytest.mark.parametrize(("kind", "name", "other"), [("shift pros", "pro", "con"), ("shift cons", "con", "pro")])
@pytest.mark.parametrize(("size", "capped"), [(0.1, None), (0.9, 1.0), (-0.9, 0.0), (-0.1, None)])
def test_shifts_move_one_side_and_are_capped(kind, name, other, size, capped):
    profile = contest(PROFILE, [Edit(EditKind(kind), after=size)]).profile
    before = PROFILE.by_id[name].base_score
    expected = capped if capped is not None else pytest.approx(before + size)
    assert profile.by_id[name].base_score == expected
    assert profile.by_id[other] == PROFILE.by_id[other]
    assert profile.by_id["doubt"] == PROFILE.by_id["doubt"]  # it does not bear on the topic
    assert profile.by_id["bare"] == PROFILE.by_id["bare"]  # it has no base score to shift


@given(profile=profiles(most_arguments=6), size=st.floats(-2, 2), kind=st.sampled_from(["shift pros", "shift cons"]))
def test_shifted_scores_stay_in_the_unit_interval(profile, size, kind):
    shifted = contest(profile, [Edit(EditKind(kind), after=size)]).profile
    for argument in shifted.arguments:
        before = profile.by_id[argument.id].base_score
        if argument.base_score is None:
            assert before is None
        elif argument.base_score != before:
            assert argument.base_score == pytest.approx(min(1.0, max(0.0, before + size)), abs=1e-11)


def test_a_shift_of_a_tenth_gives_round_numbers():
    assert contest(PROFILE, [Edit(EditKind.SHIFT_CONS, after=0.1)]).profile.by_id["con"].base_score == 0.7


def test_the_topics_base_score_can_be_set_and_freed():
    set_it = Edit(EditKind.SET_TOPIC_BASE_SCORE, after=0.2)
    assert contest(PROFILE, [set_it]).profile.topic_base_score == 0.2
    assert contest(PROFILE, [set_it, Edit(EditKind.SET_TOPIC_BASE_SCORE)]).profile == PROFILE


@pytest.mark.parametrize(
    "edit",
    [
        Edit(EditKind.SET_BASE_SCORE, "nobody", after=0.5),
        Edit(EditKind.SET_BASE_SCORE, "pro"),
        Edit(EditKind.SET_BASE_SCORE, "pro", after="0.5"),
        Edit(EditKind.SET_BASE_SCORE, "pro", after=True),
        Edit(EditKind.REMOVE_ARGUMENT, "nobody"),
        Edit(EditKind.REMOVE_ARGUMENT, TOPIC),
        Edit(EditKind.RESTORE_ARGUMENT, "pro"),
        Edit(EditKind.ADD_ARGUMENT, "pro", after=0.5, text="Taken."),
        Edit(EditKind.ADD_ARGUMENT, TOPIC, after=0.5, text="Taken."),
        Edit(EditKind.ADD_ARGUMENT, "", after=0.5, text="No id."),
        Edit(EditKind.ADD_ARGUMENT, "new", after=0.5, text="  \n"),
        Edit(EditKind.ADD_ARGUMENT, "new", after=0.5, text="x" * (LONGEST_TEXT + 1)),
        Edit(EditKind.ADD_ARGUMENT, "new", after=0.5, text="Lost.", target="nobody"),
        Edit(EditKind.ADD_ARGUMENT, "new", text="Without a score."),
        Edit(EditKind.FLIP_POLARITY, "nobody", SUPPORT.value),
        Edit(EditKind.FLIP_POLARITY, "pro", SUPPORT.value, target="con"),
        Edit(EditKind.FLIP_POLARITY, "pro", ATTACK.value),
        Edit(EditKind.RETARGET, "pro", TOPIC, "pro", target=TOPIC),
        Edit(EditKind.RETARGET, "pro", TOPIC, "nobody", target=TOPIC),
        Edit(EditKind.RETARGET, "pro", "con", TOPIC, target="con"),
        Edit(EditKind.SHIFT_PROS),
        Edit(EditKind.SHIFT_CONS, after="much"),
    ],
    ids=lambda edit: f"{edit.kind.value} {edit.argument} {edit.after}"[:40],
)
def test_an_edit_that_does_not_fit_is_refused(edit):
    with pytest.raises(InvalidEdit):
        contest(PROFILE, [edit])


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), 10**400], ids=lambda value: str(value)[:9])
@pytest.mark.parametrize("kind", [EditKind.SET_BASE_SCORE, EditKind.SET_TOPIC_BASE_SCORE])
def test_a_score_outside_the_unit_interval_is_refused(kind, value):
    with pytest.raises(InvalidEdit):
        contest(PROFILE, [Edit(kind, "pro", after=value)])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400], ids=lambda value: str(value)[:9])
def test_a_shift_by_no_number_is_refused(value):
    with pytest.raises(InvalidEdit, match="finite number"):
        contest(PROFILE, [Edit(EditKind.SHIFT_PROS, after=value)])


def test_what_is_removed_cannot_be_edited():
    remove = Edit(EditKind.REMOVE_ARGUMENT, "pro")
    for edit in (
        remove,
        Edit(EditKind.SET_BASE_SCORE, "pro", after=0.5),
        Edit(EditKind.FLIP_POLARITY, "pro", SUPPORT.value),
        Edit(EditKind.ADD_ARGUMENT, "new", after=0.5, text="About it.", target="pro"),
    ):
        with pytest.raises(InvalidEdit):
            contest(PROFILE, [remove, edit])


@given(profile=profiles(most_arguments=5), data=st.data())
def test_edits_survive_json(profile, data):
    edits = data.draw(edit_sequences(profile))
    stored = json.loads(json.dumps([edit.to_json() for edit in edits]))
    restored = [Edit.from_json(record) for record in stored]
    assert contest(profile, restored) == contest(profile, edits)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"kind": "explode"},
        {"kind": ["set base score"]},
        {"kind": "set base score", "unknown": 1},
        {"kind": "add argument", "relation": "loves"},
    ],
)
def test_a_record_that_is_no_edit_is_refused(record):
    with pytest.raises(InvalidEdit, match="not an edit"):
        Edit.from_json(record)


@given(profiles(), st.data())
def test_contestations_survive_json_under_any_debate(profile, data):
    texts = st.text(max_size=10)
    free = st.dictionaries(texts, st.floats(allow_nan=False, allow_infinity=False) | texts, max_size=2)
    value = Contestation(
        data.draw(st.text(min_size=1, max_size=10)),
        "debate",
        data.draw(st.none() | st.integers(0, 9)),
        tuple(data.draw(edit_sequences(profile))),
        data.draw(texts),
        data.draw(texts),
        data.draw(texts),
        data.draw(texts),
        data.draw(st.none() | texts),
        data.draw(free),
        data.draw(free),
        data.draw(free),
        tuple(data.draw(st.lists(texts, max_size=2))),
    )
    record = json.loads(json.dumps(value.to_json()))
    assert Contestation.from_json(record, "debate") == value
    assert list(Contestation.from_json(record, "other").to_json()) == list(record)


def test_a_contestation_leaves_its_debate_and_defaults_out():
    value = Contestation("c1", "debate", 0, (), "Too high.", "Ada")
    assert value.to_json() == {"id": "c1", "round": 0, "author": "Ada", "reason": "Too high.", "edits": []}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"surprise": 1}, "no field 'surprise'"),
        ({"author": 1}, "'author' holds a int"),
        ({"round": False}, "'round' holds a bool"),
        ({"id": ""}, "id is empty"),
        ({"edits": ["x"]}, "edits are not all objects"),
        ({"edits": [{"kind": "remove argument", "argument": 3}]}, "not an edit"),
        ({"edits": [{"kind": "set base score", "after": [0.5]}]}, "not an edit"),
        ({"tags": [None]}, "tags are not all texts"),
        ({"before": {"judge": {"verdict": "perhaps"}}}, "verdict"),
        ({"after": {"judge": {"status": "lost"}}}, "status"),
        ({"after": {"judge": {"score": "high"}}}, "score"),
    ],
)
def test_a_record_that_is_no_contestation_is_refused(change, why):
    good = {"id": "c1", "author": "Ada", "reason": "", "edits": []}
    with pytest.raises(InvalidEdit, match=why):
        Contestation.from_json(good | change, "debate")
    with pytest.raises(InvalidEdit, match="has no field 'id'"):
        Contestation.from_json({}, "debate")
