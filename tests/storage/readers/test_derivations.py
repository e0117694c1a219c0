"""Derivations fill in what a log lacks only where chosen, and say so."""

import pytest

from core.native import debates_to_native
from storage.readers.derivations import DERIVATIONS
from tests.storage.readers.reading import arguments, read, relations, stances


def of(log, name, place=0):
    return log(name).debates[place]


def base_scores(debate):
    return {a.id: a.base_score for a in debate.rounds[-1].arguments}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("reflection-scores", {"proponent-r1": 0.55, "opponent-r1": None, "expert-r1": None}),
        ("critic-scores", {"proponent-r1": pytest.approx(0.7), "opponent-r1": pytest.approx(0.4), "expert-r1": None}),
    ],
)
def test_proclaims_own_marks_can_stand_in_for_base_scores(log, key, expected):
    (debate,) = [d for d in log("proclaim").debates if d.id == "c1/run_1"]
    derived = DERIVATIONS[key].apply(debate)
    assert set(base_scores(debate).values()) == {None}
    assert {name: base_scores(derived)[name] for name in expected} == expected
    assert derived.provenance["derived"] == [key]


def test_an_experts_testimony_can_count_for_the_side_that_called(log):
    (debate,) = [d for d in log("proclaim").debates if d.id == "c1/run_1"]
    assert "expert-r1 +" in relations(DERIVATIONS["expert-sides"].apply(debate))
    assert "expert-r1 +" not in relations(debate)


def test_an_undercut_can_count_as_an_attack_on_the_premise(log):
    derived = DERIVATIONS["undercuts-attack-premises"].apply(of(log, "aif.json"))
    assert relations(derived) == ["2 +", "13 +", "4 -", "6 -2", "6 -13"]


def test_a_relation_without_a_sign_can_count_as_support(log):
    assert "2 +1" in relations(DERIVATIONS["unsigned-support"].apply(of(log, "nodelink.json")))


def test_answers_can_be_compared_with_one_another_and_with_the_reference(log):
    first = of(log, "contexts.json")
    (vote,) = DERIVATIONS["majority-vote"].apply(first).judgements
    assert (vote.kind, vote.score, dict(vote.settings)) == ("vote", None, {"answer": "7", "votes": 1, "of": 2})
    agreed = DERIVATIONS["agreement-with-reference"].apply(first)
    assert stances(agreed, 0) == {"agent-1": (None, 1.0), "agent-2": (None, 0.0)}


@pytest.mark.parametrize("key", DERIVATIONS)
def test_a_derivation_leaves_alone_what_the_log_gave_and_does_nothing_twice(log, key):
    derivation = DERIVATIONS[key]
    for name in ("proclaim", "aif.json", "nodelink.json", "contexts.json", "ferry.argdown", "argllms.json"):
        for debate in log(name).debates:
            derived = derivation.apply(debate)
            assert derivation.apply(derived) is derived
            assert not derivation.applies_to(derived)
            given = {(a[0], a[2]) for a in arguments(debate) if a[2] is not None} if debate.rounds else set()
            assert given <= ({(a[0], a[2]) for a in arguments(derived)} if debate.rounds else set())
            written = debates_to_native([derived])
            assert debates_to_native(read(written).debates) == written
