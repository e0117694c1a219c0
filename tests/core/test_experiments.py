"""Experiments out of YAML, and the layouts of the published tables."""

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.debate import DebateProtocol
from core.errors import InvalidSetting, MootError, UnreadableFile
from core.experiments import Experiment, JudgeChoice, Source, experiment_of, experiment_text
from core.experiments.layout import Own, covered, filled
from core.judges import SemanticsJudge, Setting, StanceVariant
from core.properties.check import check
from core.properties.contestability import Contestability
from core.properties.curves import Curve
from core.properties.groundedness import JudgeUnanimity, NonHallucination
from core.properties.measures import Rate, Right
from core.properties.property import LeftOut
from core.properties.registry import PROPERTIES, usual_properties
from core.properties.reproducibility import PermutationIndependence
from core.properties.robustness import JudgeRobustness, ProfileRobustness
from storage.experiment_files import FOLDER, load_experiment, preset, preset_numbers
from storage.published import published
from tests.core.property_judges import many_debates

TEXT = """
name: A try
data:
  dataset: zoo
  protocols: [single-turn, multi-turn-private]
  limit: 20
judges:
  - kind: semantics
    vary:
      semantics: [df-quad, qe]
  - stored: language model
variants:
  variant: [none, prior]
  naming: [named, anonymised]
properties:
  - determinism
  - property: judge unanimity
    stance: prior
curve: stronger pros
sizes: [0.1, 0.2]
seed: 7
"""
PRIOR = StanceVariant.PRIOR


def test_variants_multiply_the_judges_that_have_the_setting_and_no_others():
    found = experiment_of(TEXT)
    semantics = [one.settings for one in found.judges if not one.stored]
    assert [(one["semantics"], one["variant"]) for one in semantics] == [
        ("df-quad", "none"),
        ("df-quad", "prior"),
        ("qe", "none"),
        ("qe", "prior"),
    ]
    assert [one.changes for one in found.judges if one.stored] == [{"naming": "named"}, {"naming": "anonymised"}]
    assert found.protocols == (DebateProtocol.SINGLE_TURN, DebateProtocol.MULTI_TURN_PRIVATE)
    assert (found.dataset, found.limit, found.seed) == ("zoo", 20, 7)


def test_a_curve_is_tested_as_profile_robustness_with_a_trial_for_each_size():
    *_, curve = experiment_of(TEXT).tested
    assert isinstance(curve, ProfileRobustness)
    assert [trial.label for trial in curve.trials(SemanticsJudge())] == [
        "pros +0.1, within 0 and 1",
        "pros +0.2, within 0 and 1",
    ]


def test_without_properties_the_seven_are_tested():
    found = experiment_of("name: x\njudges: [{kind: mean stance}]\n")
    assert found.tested == usual_properties()


def test_what_is_written_reads_as_the_same_experiment():
    found = experiment_of(TEXT)
    assert experiment_of(experiment_text(found)) == found


@given(
    seed=st.integers(0, 2**31),
    limit=st.none() | st.integers(1, 1_000),
    keys=st.lists(st.sampled_from(sorted(PROPERTIES)), min_size=1, unique=True),
    curve=st.none() | st.sampled_from(list(Curve)),
    name=st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1).map(str.strip).filter(bool),
)
def test_every_experiment_survives_the_way_through_yaml(seed, limit, keys, curve, name):
    made = Experiment(
        name,
        (JudgeChoice({"kind": "mean stance"}), JudgeChoice(stored="a judge", changes={"temperature": 0.5})),
        tuple(PROPERTIES[key]() for key in keys),
        dataset="zoo",
        limit=limit,
        seed=seed,
        curve=curve,
    )
    assert experiment_of(experiment_text(made)) == made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\njudge: []\n", r"Line 2, judge: there is no field 'judge'; there are name"),
        ("name: x\njudges: []\n", r"Line 2, judges: an experiment needs a list of judges"),
        ("name: x\njudges:\n  - semantics: qe\n", r"Line 3, judges\[1\]: a judge has a kind"),
        (
            "name: x\njudges: [a]\nproperties:\n  - determinism\n  - property: contestability\n    mirrored: 3\n",
            r"Line 6, properties\[2\]\.mirrored: .*must be true or false",
        ),
        (
            "name: x\njudges: [a]\nproperties:\n  - honesty\n",
            r"Line 4, properties\[1\]: There is no property 'honesty'",
        ),
        (
            "name: x\njudges: [a]\ndata:\n  protocols: [chat]\n",
            r"Line 4, data\.protocols\[1\]: there is no protocol 'chat'",
        ),
        (
            "name: x\njudges: [a]\ndata:\n  simulation:\n    agents: 0\n",
            r"Line 5, data\.simulation\.agents: .*'agents' is 0",
        ),
        (
            "name: x\njudges: [a]\nvariants: {kappa: [1]}\n",
            r"Line 3, variants\.kappa: no judge .* has the setting 'kappa'",
        ),
        ("name: x\njudges: [a]\nsizes: [2]\ncurve: noise, L2\n", r"Line 3, sizes: The sizes are a list of numbers"),
        ("name: x\njudges: [a]\nseed: -1\n", r"Line 3, seed: this is -1; it must be a whole number of at least 0"),
        ("name: x\nname: y\njudges: [a]\n", r"Line 2, name: the field is there twice"),
        ("- a\n", r"Line 1: an experiment is a mapping"),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_field(text, message):
    with pytest.raises(InvalidSetting, match=message):
        experiment_of(text)


@pytest.mark.parametrize("text", ["judges: [x\n", "a: b: c\n", "x: !!python/object:os.system {}\n", "", "\x00"])
def test_what_is_no_yaml_is_refused_with_a_message(text):
    with pytest.raises(MootError):
        experiment_of(text)


def test_a_text_that_grows_when_it_is_read_is_refused():
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for number, name in enumerate("bcdefgh"):
        before = "abcdefgh"[number]
        bomb += f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    with pytest.raises(InvalidSetting, match="at most 50,000 values"):
        experiment_of(bomb)


def test_a_text_that_is_too_long_is_not_read():
    with pytest.raises(UnreadableFile, match="at most 1,000,000 characters"):
        experiment_of("#" * 1_000_001)


# --- presets ---------------------------------------------------------------------------------------------------------


def test_every_published_table_of_judges_has_a_preset():
    assert preset_numbers() == tuple(range(1, 15))
    for file in FOLDER.glob("*.yaml"):
        assert load_experiment(file).about


@pytest.mark.parametrize("number", [4, 5, 12, 13])
def test_the_presets_of_stances_compare_with_prior_ones_as_the_published_counts_suggest(number):
    (tested,) = preset(number).properties
    assert isinstance(tested, NonHallucination | JudgeUnanimity)
    assert tested.stance == "prior"


def test_a_preset_can_be_put_on_a_data_set():
    assert preset(6, "zoo").dataset == "zoo"


# --- layouts ---------------------------------------------------------------------------------------------------------


def table(number: int):
    return next(one for one in published() if one.number == number and "protocol" in one.rows.columns)


def own(tested, judge: SemanticsJudge, protocol: DebateProtocol) -> Own:
    return Own(Source(protocol=protocol), check(tested, judge, many_debates(debates=300, noise=0.3)))


def row(frame: pd.DataFrame, **wanted: object) -> pd.Series:
    for name, value in wanted.items():
        frame = frame[frame[name] == value]
    (found,) = frame.to_dict("records")
    return pd.Series(found)


def test_ones_own_figures_stand_beside_the_published_ones_and_the_published_ones_stay_as_printed():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    result = own(NonHallucination(), judge, DebateProtocol.SINGLE_TURN)
    frame = filled(table(12), [result])
    found = row(frame, judge="DF-QuAD", protocol="single-turn", setting="separate")
    assert (found["yours: satisfied"], found["yours: total"]) == (result.result.satisfied, result.result.tested)
    assert (found["published: satisfied"], found["published: total"], found["published: rate %"]) == (489, 500, 97.8)
    assert covered(frame) == 1  # no other setting, protocol or semantics was tested


def test_a_result_of_another_protocol_or_without_one_fills_no_row():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    anywhere = Own(Source(), own(NonHallucination(), judge, DebateProtocol.SINGLE_TURN).result)
    assert covered(filled(table(12), [anywhere])) == 0


def test_contestability_is_laid_out_as_scores_that_are_not_lower_and_verdicts_that_turned():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    result = own(Contestability(), judge, DebateProtocol.SINGLE_TURN)
    found = row(filled(table(14), [result]), judge="DF-QuAD", protocol="single-turn")
    trial = result.result.trials[0]
    assert found["yours: not lower"] == trial.compared
    assert found["yours: F→T"] == trial.flips.false_to_true > 0
    assert found["yours: T→F"] == 0
    assert found["published: F→T"] == 15


def test_accuracies_under_other_settings_stand_in_the_row_of_their_value():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    result = own(JudgeRobustness(), judge, DebateProtocol.SINGLE_TURN)
    frame = filled(table(11), [result])
    rows = {
        value: row(frame, judge="DF-QuAD", protocol="single-turn", value=value)["yours: accuracy %"]
        for value in (1.0, 1.1, 1.2)
    }
    right = result.result.right
    trials = [100 * one.right.rate.value for one in result.result.trials if one.right is not None]
    assert right is not None
    assert rows == {1.0: 100 * right.rate.value, 1.1: trials[0], 1.2: trials[1]}


def test_orders_of_agents_stand_in_the_row_of_their_order():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    result = own(PermutationIndependence(), judge, DebateProtocol.SINGLE_TURN).result
    relabelled = {**result.settings, "kind": "llm", "temperature": 1.0}
    like_a_model = Own(Source(protocol=DebateProtocol.SINGLE_TURN), _with(result, relabelled))
    frame = filled(table(8), [like_a_model])
    assert covered(frame) == 6  # all six orders of three agents, of the one protocol
    assert frame["yours: accuracy %"].nunique(dropna=True) == 1  # no order changes anything


def test_a_change_of_accuracy_is_against_the_same_debates_as_recorded():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    whole = own(ProfileRobustness(), judge, DebateProtocol.SINGLE_TURN)
    few = Right(Rate(5, 10, 0.2, 0.8), None, None), Right(Rate(6, 10, 0.3, 0.9), None, None)
    (trial,) = whole.result.trials
    part = replace(whole.result, trials=(replace(trial, right_before=few[0], right=few[1]),))
    frame = filled(table(10), [Own(whole.source, part)])
    rows = frame[(frame["judge"] == "DF-QuAD") & (frame["protocol"] == "single-turn")].set_index("profile")
    assert rows["yours: accuracy %"].to_dict() == {"as is": 50.0, "pros +0.1": 60.0}
    assert rows["yours: change"].to_dict() == {"as is": 0.0, "pros +0.1": pytest.approx(10.0)}


def test_a_property_that_no_debate_says_anything_about_has_a_total_of_0_and_says_why():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    result = own(NonHallucination(), judge, DebateProtocol.SINGLE_TURN).result
    nothing = replace(result, tested=0, violations=0, rate=None, left_out={LeftOut.NOT_UNANIMOUS: result.debates})
    found = row(
        filled(table(12), [Own(Source(protocol=DebateProtocol.SINGLE_TURN), nothing)]),
        judge="DF-QuAD",
        protocol="single-turn",
        setting="separate",
    )
    assert (found["yours: satisfied"], found["yours: total"], found["debates"]) == (0, 0, result.debates)
    assert found["remark"] == f"{result.debates} debates: the agents do not agree"


def test_without_labels_accuracies_of_ones_own_stay_away():
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=PRIOR)
    result = own(ProfileRobustness(), judge, DebateProtocol.SINGLE_TURN)
    frame = filled(table(10), [result], labels=False)
    assert covered(frame) == 0
    assert frame["published: accuracy %"].notna().all()


def _with(result, settings):
    return replace(result, settings=settings)
