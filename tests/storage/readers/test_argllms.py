"""ArgLLMs results and .bag files."""

import pytest

from core.debate import profile
from core.judgement import Verdict
from core.judges.framing import StanceVariant
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC
from tests.storage.readers.reading import arguments, codes, problems, read, relations, stances


def test_both_evaluations_of_a_claim_make_one_debate(log):
    file = log("argllms.json")
    first = file.debates[0]
    assert (file.format, len(file.debates)) == ("argllms", 2)
    assert (first.claim, first.label, first.agents[0].model) == ("The harbour has gulls.", True, "model-a")
    assert arguments(first) == [("Sdb0←d1b1", "Gulls nest on the roof.", 0.8), ("Adb0←d1b1", "N/A", 0.4)]
    assert relations(first) == ["Sdb0←d1b1 +", "Adb0←d1b1 -"]
    assert stances(first) == {"model-a": (0.9, None)}
    assert [(j.score, j.verdict) for j in first.judgements] == [(0.7, Verdict.TRUE), (0.94, Verdict.TRUE)]


@pytest.mark.parametrize(("variant", "place"), [(StanceVariant.NONE, 0), (StanceVariant.PRIOR, 1)])
def test_judging_again_comes_to_the_scores_that_the_file_gives(log, variant, place):
    debate = log("argllms.json").debates[0]
    judged = SemanticsJudge("df-quad", variant=variant).judge(profile(debate))
    assert judged.score == pytest.approx(debate.judgements[place].score)


def test_what_is_wrong_in_a_bag_is_reported_where_it_stands(log):
    where = "data[1].base.bag"
    assert problems(log("argllms.json")) == [
        ("score_unreadable", 16, f"{where}.arguments.Sdb0←d1b1.initial_weight"),
        ("relation_unreadable", 18, f"{where}.supports[1]"),
        ("relation_dangling", 18, f"{where}.attacks[0]"),
    ]


def test_a_score_of_exactly_half_is_false_by_the_rule_of_argllms(log):
    (judgement,) = log("argllms.json").debates[1].judgements
    assert (judgement.score, judgement.verdict) == (0.5, Verdict.FALSE)


def test_strengths_that_the_named_semantics_does_not_give_are_reported():
    bag = """{"arguments": {"db0": {"argument": "C.", "initial_weight": 0.5, "strength": 0.9},
              "a": {"argument": "Because.", "initial_weight": 0.8, "strength": 0.8}},
              "attacks": [], "supports": [["a", "db0"]]}"""
    file = read(f'{{"arguments": {{"semantics": "eb"}}, "data": [{{"base": {{"bag": {bag}, "prediction": 0.9}}}}]}}')
    assert "strength_differs" in codes(file)


def test_a_baseline_file_is_refused_because_it_holds_no_debate():
    file = read('{"arguments": {}, "predictions": [true], "labels": [1], "eval_results": {}}')
    assert file.refused
    assert set(codes(file)) == {"no_arguments", "no_debates"}


def test_a_bag_gives_one_debate_for_each_argument_that_bears_on_nothing(log):
    file = log("two_claims.bag")
    assert [debate.claim for debate in file.debates] == ["harbour is deep", "trade grows"]
    assert relations(file.debates[0]) == ["shipscall +", "surveyold -"]
    assert arguments(file.debates[1]) == [("shipscall", "ships call", 0.9)]
    assert stances(file.debates[1]) == {"bag": (0.6, None)}


def test_what_the_usual_reader_of_bags_takes_in_silence_is_reported(log):
    assert problems(log("two_claims.bag")) == [
        ("relation_dangling", None, None),
        ("score_out_of_range", 4, "arg(surveyold)"),
        ("argument_id_repeated", 10, "arg"),
        ("line_unreadable", 11, None),
    ]


def test_a_cycle_in_a_bag_loads_with_its_first_argument_as_the_claim():
    file = read("arg(a, 0.5)\narg(b, 0.5)\natt(a, b)\natt(b, a)\n")
    (debate,) = file.debates
    assert (debate.claim, [r.target for r in debate.rounds[0].relations]) == ("a", [TOPIC])
    assert {"claim_assumed", "relation_from_claim"} <= set(codes(file))
