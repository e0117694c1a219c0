from __future__ import annotations

import pytest

from core.contestation import Edit, EditKind, contest
from core.errors import InvalidEdit
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.rebase import rebased

PROFILE = OpinionProfile(
    claim="The family should visit the zoo.",
    stances=(Stance("A1", 0.6, None), Stance("A2", 0.4, None)),
    arguments=(Argument("p", "Fun.", "A1", 0.8), Argument("c", "Rain.", "A2", 0.6)),
    relations=(Relation("p", TOPIC, RelationKind.SUPPORT), Relation("c", TOPIC, RelationKind.ATTACK)),
)


def added(name: str, text: str, target: str = TOPIC) -> Edit:
    return Edit(EditKind.ADD_ARGUMENT, name, after=0.5, text=text, target=target, relation=RelationKind.ATTACK)


def test_own_edits_come_after_the_others():
    base, own = Edit(EditKind.REMOVE_ARGUMENT, "p"), Edit(EditKind.SET_BASE_SCORE, "c", 0.6, 0.2)
    assert rebased(PROFILE, [base], [own]).edits == (base, own)


def test_an_edit_of_what_the_other_removed_is_left_out_and_named():
    own = Edit(EditKind.SET_BASE_SCORE, "p", 0.8, 0.2)
    together = rebased(PROFILE, [Edit(EditKind.REMOVE_ARGUMENT, "p")], [own, Edit(EditKind.SHIFT_CONS, after=0.1)])
    assert together.left_out == (own,)
    assert len(together.edits) == 2


def test_an_added_argument_of_the_same_id_gets_another_and_what_follows_goes_along():
    base = [added("new1", "Theirs.")]
    own = [
        added("new1", "Mine."),
        added("new2", "On mine.", "new1"),
        Edit(EditKind.SET_BASE_SCORE, "new1", 0.5, 0.9),
        Edit(EditKind.RETARGET, "c", TOPIC, "new1", target=TOPIC),
        Edit(EditKind.REMOVE_ARGUMENT, "new2"),
    ]
    together = rebased(PROFILE, base, own)
    assert together.left_out == ()
    after = contest(PROFILE, together.edits)
    texts = {a.text: a for a in after.everything.arguments}
    assert texts["Theirs."].base_score == 0.5
    assert texts["Mine."].base_score == 0.9
    assert Relation("c", texts["Mine."].id, RelationKind.ATTACK) in after.profile.relations
    assert after.removed == {texts["On mine."].id}


def test_with_nothing_of_ones_own_it_is_the_others():
    base = (Edit(EditKind.REMOVE_ARGUMENT, "p"),)
    assert rebased(PROFILE, base, ()).edits == base


def test_others_edits_that_do_not_apply_are_refused():
    with pytest.raises(InvalidEdit):
        rebased(PROFILE, [Edit(EditKind.REMOVE_ARGUMENT, "gone")], [])
