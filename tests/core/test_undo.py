"""Undo restores every number to the last bit: judging starts from the base scores and never from old strengths."""

import random
from typing import Any

from core.contestation import Edit, EditKind, contest
from core.errors import InvalidEdit
from core.history import History
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.rejudging import judgements
from core.semantics import SEMANTICS

SEQUENCES = 1_000
LONGEST = 8  # edits in a sequence
JUDGES = tuple(SemanticsJudge(key) for key in SEMANTICS)


def random_profile(chance):
    """Return a profile of up to 7 arguments whose relations may form cycles."""
    names = [f"a{number}" for number in range(chance.randint(1, 7))]
    pairs = {
        (source, target)
        for source in names
        for target in chance.sample([TOPIC, *names], k=min(2, len(names) + 1))
        if source != target
    }
    return OpinionProfile(
        "A claim.",
        (Stance("A1", chance.random(), None), Stance("A2", 0.4, 0.6)),
        tuple(
            Argument(name, name, chance.choice(["A1", "A2"]), chance.choice([None, 0.0, 1.0, chance.random()]))
            for name in names
        ),
        tuple(Relation(*pair, chance.choice(list(RelationKind))) for pair in sorted(pairs)),
    )


def random_edit(chance, contested, number):
    """Return an edit of any kind; it may be one that does not fit."""
    profile, removed = contested.profile, sorted(contested.removed)
    argument = chance.choice(profile.arguments) if profile.arguments else None
    relation = chance.choice(profile.relations) if profile.relations else None
    match chance.randrange(8):
        case 0 if argument:
            return Edit(EditKind.SET_BASE_SCORE, argument.id, argument.base_score, round(chance.random(), 2))
        case 1:
            target = chance.choice([TOPIC, *(a.id for a in profile.arguments)])
            kind = chance.choice(list(RelationKind))
            return Edit(
                EditKind.ADD_ARGUMENT, f"new{number}", after=chance.random(), text="New.", target=target, relation=kind
            )
        case 2 if argument:
            return Edit(EditKind.REMOVE_ARGUMENT, argument.id)
        case 3 if relation:
            kinds = relation.kind.value, relation.kind.opposite.value
            return Edit(EditKind.FLIP_POLARITY, relation.source, *kinds, target=relation.target)
        case 4 if relation:
            aim = chance.choice([TOPIC, *(a.id for a in profile.arguments)])
            return Edit(EditKind.RETARGET, relation.source, relation.target, aim, target=relation.target)
        case 5:
            return Edit(chance.choice([EditKind.SHIFT_PROS, EditKind.SHIFT_CONS]), after=chance.choice([-0.1, 0.1]))
        case 6 if removed:
            return Edit(EditKind.RESTORE_ARGUMENT, chance.choice(removed))
        case _:
            return Edit(EditKind.SET_TOPIC_BASE_SCORE, before=profile.topic_base_score, after=chance.random())


def numbers_by(judges):
    """Return what returns everything that is computed of a profile, each float in full."""

    def numbers(profile):
        return [
            (said.score, said.verdict, said.status, sorted(said.strengths.items()))
            for said in judgements(profile, judges)
        ]

    return numbers


def test_undo_restores_every_number_to_the_last_bit_on_random_edit_sequences_cycles_included():
    cyclic, kinds, taken_back = 0, set(), 0
    for seed in range(SEQUENCES):
        chance = random.Random(seed)
        numbers = numbers_by([JUDGES[seed % len(JUDGES)]])  # each semantics has its turn
        original = random_profile(chance)
        cyclic += not JUDGES[0].qbafs(original)[0].qbaf.acyclic
        history = History()
        trail: dict[tuple[Edit, ...], Any] = {(): numbers(original)}
        for number in range(chance.randint(1, LONGEST)):
            back = bool(history.edits) and chance.random() < 0.15
            if back:  # "Take back" of any edit so far, while the others stay
                edited = history.without(chance.randrange(len(history.edits)))
            else:
                edited = history.push(random_edit(chance, contest(original, history.edits), number))
            try:
                profile = contest(original, edited.edits).profile
            except InvalidEdit:
                continue
            history = edited
            kinds |= {edit.kind for edit in history.edits}
            taken_back += back
            for count in range(len(history.edits)):  # after a take back there are beginnings that never stood before
                early = history.edits[:count]
                if early not in trail:
                    trail[early] = numbers(contest(original, early).profile)
            trail[history.edits] = numbers(profile)
        done = history
        while history.edits:
            history = history.undo()
            assert numbers(contest(original, history.edits).profile) == trail[history.edits]
        assert numbers(contest(original, history.edits).profile) == trail[()]
        while history.undone:
            history = history.redo()
            assert numbers(contest(original, history.edits).profile) == trail[history.edits]
        assert history.edits == done.edits
    assert cyclic > SEQUENCES / 10
    assert taken_back > SEQUENCES / 10
    assert kinds == set(EditKind)


def test_an_argument_put_back_gives_every_number_back_to_the_last_bit():
    restored = 0
    for seed in range(SEQUENCES // 8):
        chance = random.Random(seed)
        numbers = numbers_by([JUDGES[seed % len(JUDGES)]])
        original = random_profile(chance)
        for argument in original.arguments:
            edits = (Edit(EditKind.REMOVE_ARGUMENT, argument.id), Edit(EditKind.RESTORE_ARGUMENT, argument.id))
            assert numbers(contest(original, edits).profile) == numbers(original)
            restored += numbers(contest(original, edits[:1]).profile) != numbers(original)
    assert restored > SEQUENCES / 20
