import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contestation import Edit, EditKind, contest
from core.least.scorer import Scorer
from core.opinion import TOPIC
from core.semantics import semantics
from tests.core.generated import profiles, scores
from tests.core.least_questions import CIRCLE, judges, open_arguments, questions, with_scores


def names_of(scorer):
    return [name for name in scorer.names if name != TOPIC]


@given(question=questions(), data=st.data())
def test_scores_of_many_variants_are_the_judges_to_the_last_bit(question, data):
    judge, profile = question.judge, question.profile
    scorer = Scorer(judge, profile)
    columns = np.repeat(scorer.base[:, None], 3, axis=1)
    absent = np.zeros(columns.shape, dtype=bool)
    variants = [profile]
    for column in (1, 2):
        chosen = data.draw(st.dictionaries(st.sampled_from(scorer.names), scores, max_size=4))
        for name, value in chosen.items():
            columns[scorer.row[name], column] = value
        variants.append(with_scores(profile, chosen))
    gone = data.draw(st.lists(st.sampled_from(names_of(scorer)), unique=True, max_size=3)) if names_of(scorer) else []
    absent[[scorer.row[name] for name in gone], 2] = True
    variants[2] = contest(variants[2], [Edit(EditKind.REMOVE_ARGUMENT, name) for name in gone]).profile
    assert scorer.scores(columns, absent).tolist() == [judge.judge(variant).score for variant in variants]


@given(judge=judges, profile=profiles(acyclic=False, most_arguments=4))
@settings(max_examples=20)
def test_they_are_so_in_cyclic_debates_too(judge, profile):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 300)
        score = judge.judge(profile).score
        found = Scorer(judge, profile).score
        assert (score is None and np.isnan(found)) or found == pytest.approx(score, abs=1e-15)


@given(question=questions(), data=st.data())
def test_bounds_hold_every_score_between(question, data):
    scorer = Scorer(question.judge, question.profile)
    low, high, inside = (scorer.base[:, None].copy() for _ in range(3))
    for row in range(1, len(scorer.names)):
        one, two, three = sorted(data.draw(st.tuples(scores, scores, scores)))
        low[row], inside[row], high[row] = one, two, three
    below, above = scorer.bounds(low, high)
    assert below[0] - 1e-12 <= scorer.scores(inside)[0] <= above[0] + 1e-12


@given(question=questions(), data=st.data())
def test_bounds_hold_the_scores_without_some_arguments(question, data):
    scorer = Scorer(question.judge, question.profile)
    removable = np.array([False] + [data.draw(st.booleans()) for _ in names_of(scorer)])
    gone = removable & np.array([data.draw(st.booleans()) for _ in scorer.names])
    column = scorer.base[:, None]
    below, above = scorer.bounds(column, column, removable)
    assert below[0] - 1e-12 <= scorer.scores(column, gone[:, None])[0] <= above[0] + 1e-12


@given(question=questions(), between=st.floats(1, 3))
def test_bounds_hold_the_scores_at_every_conservativeness_between(question, between):
    if question.judge.semantics not in ("df-quad", "qe", "product-1max"):
        return
    scorer = Scorer(question.judge, question.profile)
    column = scorer.base[:, None]
    ends = [semantics(question.judge.semantics, kappa) for kappa in (1.0, 3.0)]
    below, above = scorer.bounds(column, column, semantics=ends)
    score = scorer.scores(column, gradual=semantics(question.judge.semantics, between))[0]
    assert below[0] - 1e-12 <= score <= above[0] + 1e-12


@given(question=questions(), data=st.data())
def test_a_base_score_moves_the_score_only_as_its_signs_say(question, data):
    scorer = Scorer(question.judge, question.profile)
    for argument in open_arguments(question):
        low, high = sorted(data.draw(st.tuples(scores, scores)))
        columns = np.repeat(scorer.base[:, None], 2, axis=1)
        columns[scorer.row[argument.id]] = low, high
        change = np.diff(scorer.scores(columns))[0]
        signs = scorer.signs[argument.id]
        assert change < 1e-12 or 1 in signs
        assert change > -1e-12 or -1 in signs


def test_a_search_for_fixed_points_can_be_stopped():
    judge, profile = CIRCLE
    stopped = Scorer(judge, profile, lambda: True)
    assert np.isnan(stopped.score)
    assert not np.isnan(Scorer(judge, profile).score)
