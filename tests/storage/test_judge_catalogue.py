"""Judges that can be picked, presets of them, what they said as material, and judges as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.comparison.population import NONE, STATUSES, VERDICTS
from core.debate import RecordedJudgement
from core.errors import InvalidSetting, MootError, UnreadableFile
from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.judges.framing import Setting, StanceVariant
from core.judges.llm_judge import Naming
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import judge_id, semantics_judges, votes
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MajorityVote
from core.llm.prices import Price, PriceTable
from core.overview import Scored
from core.preferences import Preferences
from storage.comparison_choice import dataset_named, list_choices, picked_judges, published_rows
from storage.comparison_source import material
from storage.content_stamp import content_stamp
from storage.debate_repository import DebateRepository
from storage.judge_catalogue import MOST_PICKED, Candidate, candidates, local_judges, presets
from storage.judge_definition import definition, judges_in
from storage.judged_debate import said_of
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement
from storage.run_estimate import estimate
from tests.llm.judging import a_debate as an_llm_debate
from tests.llm.judging import a_judge
from tests.storage.debates import a_dataset, a_debate

NAMED = replace(a_judge(), stance=StanceVariant.PRIOR)
OTHER = replace(NAMED, naming=Naming.ANONYMISED)


def judged_by(database, judge, scores, origin=""):
    """Store what a judge said of stored debates: a score, or None for a call that failed."""
    repository = JudgementRepository(database)
    name = repository.define(judge)
    dataset = DebateRepository(database).datasets()[0].id
    kept = []
    for debate, score in scores.items():
        verdict = None if score is None else DecisionRule().verdict(score)
        status = JudgementStatus.ERROR if score is None else JudgementStatus.OK
        kept.append(KeptJudgement(name, dataset, debate, Judgement(judge.name, score, verdict, status), origin=origin))
    repository.keep(kept)
    return name


@pytest.fixture
def stored(database):
    recorded = (
        RecordedJudgement("court", "panel", None, Verdict.TRUE),
        RecordedJudgement("court", "panel", 0.1, Verdict.FALSE),  # a second one of the same judge
        RecordedJudgement("a reader", "human", 0.7, Verdict.TRUE),
    )
    DebateRepository(database).add(a_dataset(), [a_debate(judgements=recorded), a_debate("lake", label=False)])
    return database


def named(database, preferences=None):
    return {judge.name: judge for judge in candidates(database, preferences)}


# --- Who can be picked ------------------------------------------------------------------------------------------------


def test_every_semantics_and_vote_can_be_picked_without_anything_stored(database):
    ids = {judge.id for judge in candidates(database)}
    assert {judge_id(judge) for judge in (*semantics_judges(), *votes())} <= ids


def test_the_semantics_of_the_preferences_come_first_with_their_rule():
    kept = Preferences(semantics=("qe", "df-quad"), rule=DecisionRule(0.6))
    first = local_judges(kept)[0]
    assert isinstance(first, SemanticsJudge)
    assert (first.semantics, first.rule.threshold) == ("qe", 0.6)
    assert SemanticsJudge() in local_judges(kept)  # that of the published rule too, so that links mean the same


def test_judges_with_judgements_and_those_of_logs_can_be_picked(stored):
    judged_by(stored, NAMED, {"zoo": 0.9}, "small local model, demonstration")
    found = named(stored)
    assert found[NAMED.name].judged == 1
    assert found[NAMED.name].origin == "small local model, demonstration"
    assert found["a reader (human, as recorded)"].family == "human"
    assert found["court (panel, as recorded)"].family == "recorded"
    assert found["court (panel, as recorded)"].judged == 1


def test_a_language_model_that_has_judged_nothing_cannot_be_picked(stored):
    JudgementRepository(stored).define(NAMED)
    assert NAMED.name not in named(stored)


def test_a_pinned_judge_stands_first_under_the_name_that_people_gave_it(stored):
    JudgementRepository(stored).define(RecordedJudge("a reader"), "Reader", pinned=True)
    first = candidates(stored)[0]
    assert (first.name, first.pinned) == ("Reader", True)


def test_two_judges_called_the_same_can_be_told_apart(stored):
    for judge in (SemanticsJudge(), MajorityVote()):
        JudgementRepository(stored).define(judge, "Mine")
    assert len([name for name in named(stored) if name.startswith("Mine (")]) == 2


# --- Presets ----------------------------------------------------------------------------------------------------------


def test_without_a_language_model_the_presets_are_of_semantics_and_votes(database):
    groups = presets(candidates(database))
    assert next(iter(groups)) == "All semantics"
    assert "LLM vs semantics" not in groups
    assert all(1 < len(ids) <= MOST_PICKED for ids in groups.values())


def test_a_language_models_variants_make_the_published_groups(stored):
    variants = [replace(NAMED, naming=naming, stance=stance) for naming in Naming for stance in StanceVariant]
    for judge in variants:
        judged_by(stored, judge, {"zoo": 0.9})
    judged_by(stored, replace(NAMED, order=(1, 0)), {"zoo": 0.9})
    groups = presets(candidates(stored))
    best = [SemanticsJudge(key, variant=StanceVariant.PRIOR) for key in ("df-quad", "qe")]
    assert groups["LLM vs semantics"] == (judge_id(NAMED), judge_id(OTHER), *(judge_id(judge) for judge in best))
    assert groups["Named vs anonymised"] == (judge_id(NAMED), judge_id(OTHER))
    assert set(groups["All LLM variants"]) == {judge_id(judge) for judge in variants}
    assert set(groups["No, prior and posterior stance"]) == {
        judge_id(replace(NAMED, stance=stance)) for stance in StanceVariant
    }


# --- Material ---------------------------------------------------------------------------------------------------------


def test_material_joins_judges_of_every_family(stored):
    judged_by(stored, NAMED, {"zoo": 0.9, "lake": None})
    found = named(stored)
    picked = [found[name] for name in (NAMED.name, "DF-QuAD, combined, topic 0.5", "court (panel, as recorded)")]
    of = material(stored, picked, None)
    assert of.grid.debates.tolist() == ["lake", "zoo"]
    assert of.grid.verdicts[:, 1].tolist() == [1, 0, 1]  # DF-QuAD gives 0.45; the court's first judgement counts
    assert of.grid.verdicts[:, 0].tolist()[0] == NONE  # an error is no verdict
    assert of.grid.labels.tolist() == [0, 1]
    assert of.claims["lake"]
    assert of.comparison().population.debates.tolist() == ["zoo"]


def test_semantics_say_the_same_side_by_side_as_alone_also_of_arguments_in_a_circle(stored):
    circle = a_debate("circle")
    back = replace(circle.rounds[0].relations[2], source="A1-pro1", target="A2-con1")
    one = replace(circle.rounds[0], relations=(*circle.rounds[0].relations, back))
    DebateRepository(stored).add(a_dataset("more", "cd" * 32), [replace(circle, rounds=(one,))])
    judge = SemanticsJudge(rule=DecisionRule(0.5, 0.05))
    picked = [named(stored)["Mean stance"], Candidate("mine", "Mine", "semantics", judge, judge.settings())]
    grid = material(stored, picked, None).grid
    profiles = DebateRepository(stored).profiles()
    said = {name: Scored.of(judge.judge(held)) for name, held in profiles.items()}
    assert "circle" in said
    assert grid.scores[1].tolist() == [said[name].score for name in grid.debates]
    assert [VERDICTS[code] for code in grid.verdicts[1]] == [said[name].verdict for name in grid.debates]
    assert [STATUSES[code] for code in grid.statuses[1]] == [said[name].status for name in grid.debates]


def test_material_of_one_data_set_has_its_debates_only(stored):
    more = DebateRepository(stored).add(a_dataset("more", "cd" * 32), [a_debate("sea")])
    of = material(stored, list(named(stored).values())[:2], more.id)
    assert of.grid.debates.tolist() == ["sea"]
    assert (of.dataset, of.dataset_hash) == ("more", "cd" * 32)


def test_a_comparison_can_be_of_some_debates_and_without_labels(stored):
    picked = list(named(stored).values())[:2]
    of = material(stored, picked, None).comparison(["zoo"], "words 'zoo'", labels=False)
    assert of.population.debates.tolist() == ["zoo"]
    assert not of.population.labelled
    assert of.filter == "words 'zoo'"


def test_a_judge_with_one_score_for_all_is_called_constant_and_its_origin_told(stored):
    DebateRepository(stored).add(a_dataset("more", "cd" * 32), [a_debate("sea")])
    judged_by(stored, NAMED, {"zoo": 0.5, "lake": 0.5}, "small local model, demonstration")
    of = material(stored, [named(stored)[NAMED.name]], None)
    assert of.remarks[0][0] == "Small local model, demonstration."
    assert of.remarks[0][1].startswith("Constant: 0.50 for all 2 cases.")


def test_the_stamp_changes_with_data_sets_and_judgements(stored):
    before = content_stamp(stored)
    judged_by(stored, NAMED, {"zoo": 0.9})
    between = content_stamp(stored)
    DebateRepository(stored).add(a_dataset("more", "cd" * 32), [a_debate("sea")])
    assert len({before, between, content_stamp(stored)}) == 3


def test_what_every_judge_says_of_one_debate(stored):
    judged_by(stored, NAMED, {"lake": 0.9})
    found = named(stored)
    picked = [found[name] for name in (NAMED.name, "Mean stance", "a reader (human, as recorded)")]
    said = said_of(stored, picked, DebateRepository(stored).get("zoo"))
    assert said[0].judgement is None  # it has judged another one
    assert said[1].judgement is not None
    assert said[2].judgement is not None
    assert said[2].judgement.score == 0.7


# --- What a command line means ----------------------------------------------------------------------------------------


def test_judges_are_meant_by_name_id_part_or_preset(stored):
    semantics = SemanticsJudge(setting=Setting.SEPARATE)
    for name in (semantics.name, judge_id(semantics), judge_id(semantics)[:8]):
        assert [judge.id for judge in picked_judges(stored, [name])] == [judge_id(semantics)]
    assert [judge.name for judge in picked_judges(stored, ["a reader"])] == ["a reader (human, as recorded)"]
    assert len(picked_judges(stored, ["Votes vs semantics", "mean stance"])) == 5  # each once
    assert picked_judges(stored, []) == picked_judges(stored, ["All semantics"])


@pytest.mark.parametrize("name", ["nobody at all", "combined"])
def test_a_name_that_means_no_judge_or_many_is_refused(stored, name):
    with pytest.raises(MootError, match="--list shows all"):
        picked_judges(stored, [name])


def test_more_judges_than_fit_are_refused(stored):
    with pytest.raises(InvalidSetting, match="a comparison has 1 to 6"):
        picked_judges(stored, ["All semantics", "Votes vs semantics"])


def test_choices_are_listed_with_presets_first(stored):
    lines = list_choices(stored)
    assert lines[0].startswith("preset ")
    assert any(line.endswith(" Mean stance") for line in lines)


def test_published_tables_are_meant_by_the_beginning_of_their_title():
    rows = published_rows("A Theory of Post-hoc Debate Judgement, table 1:", "single-turn")
    assert len(rows) == 10
    with pytest.raises(MootError, match="means 0 published tables"):
        published_rows("Nothing of the kind")


def test_a_data_set_is_meant_by_name_or_id(stored):
    one = DebateRepository(stored).datasets()[0]
    assert dataset_named(stored, one.name) == dataset_named(stored, one.id) == one.id
    with pytest.raises(MootError, match="There is no dataset 'elsewhere'"):
        dataset_named(stored, "elsewhere")


# --- Judges as text ---------------------------------------------------------------------------------------------------


def test_judges_come_back_from_the_text_that_they_became():
    judges = (SemanticsJudge("qe", 1.2, Setting.SEPARATE), MajorityVote(DecisionRule(0.6)), RecordedJudge("a reader"))
    assert judges_in(definition([judge.settings() for judge in judges])) == judges


@pytest.mark.parametrize("text", ["judges: [", "x" * 1_000_001, "!!python/object/apply:os.system ['true']"])
def test_a_text_that_is_no_yaml_is_refused(text):
    with pytest.raises(UnreadableFile):
        judges_in(text)


def test_a_text_without_a_judge_is_refused():
    with pytest.raises(InvalidSetting):
        judges_in("just words")


# --- What a run takes -------------------------------------------------------------------------------------------------


def test_a_run_takes_a_call_for_each_repeat_of_what_is_not_stored(stored):
    judged_by(stored, NAMED, {"zoo": 0.9})
    found = estimate(stored, (NAMED, replace(OTHER, repeats=3), SemanticsJudge()), ["zoo", "lake"], PriceTable())
    assert (found.cases, found.stored, found.calls) == (5, 1, 1 + 2 * 3)
    assert found.tokens > 7 * 100  # the prompts alone
    assert found.cost is None  # no price is known


def test_a_known_price_makes_a_cost(database):
    DebateRepository(database).add(a_dataset(), [an_llm_debate(0), an_llm_debate(1)])
    prices = PriceTable((Price("fake-model", 1.0, 0.0),))
    found = estimate(database, (NAMED,), ["debate-0", "debate-1"], prices)
    assert found.cost == pytest.approx((found.tokens - 2 * 12) / 1_000_000, rel=0.01)
    assert estimate(database, (SemanticsJudge(),), ["debate-0"], prices).cost == 0.0
    assert estimate(database, (NAMED,), [], prices).calls == 0
