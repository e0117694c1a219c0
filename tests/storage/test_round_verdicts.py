"""How often agents and judges are right after each round, over stored debates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.comparison.population import NONE, VERDICTS, label_codes
from core.debate import RecordedJudgement, profile
from core.judgement import DecisionRule, Verdict
from core.judges.recorded_judge import RecordedJudge
from core.judges.semantics_judge import SemanticsJudge, Setting, StanceVariant
from core.judges.votes import MajorityVote
from core.rounds.accuracy import VerdictLine, accuracy_by_round
from core.rounds.trajectory import LineKind
from storage.database import IN_MEMORY, Database
from storage.debate_repository import DebateRepository
from storage.judge_catalogue import Candidate
from storage.round_verdicts import NamedJudge, accuracy_of, round_counts
from tests.storage.debates import a_dataset, a_debate, a_long_debate
from tests.storage.test_many_judgements import debates

JUDGES = (
    SemanticsJudge(),
    SemanticsJudge(setting=Setting.SEPARATE, variant=StanceVariant.PRIOR),
    SemanticsJudge(semantics="qe", variant=StanceVariant.POSTERIOR),
    MajorityVote(),
)


def named(judge):
    return NamedJudge(judge.name, Candidate(judge.name, judge.name, "", judge, {}))


def expected_line(judge, drawn, rounds):
    verdicts = np.full((rounds + 1, len(drawn)), NONE, np.int8)
    for column, debate in enumerate(drawn):
        for place, step in enumerate(debate.rounds):
            said = judge.judge(profile(debate, step.number)).verdict
            verdicts[place + 1, column] = NONE if said is None else VERDICTS.index(said)
    return VerdictLine(judge.name, LineKind.JUDGE, verdicts)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(debates(), min_size=1, max_size=5), st.integers(2, 3))
def test_every_round_of_many_debates_is_judged_as_one_by_one(drawn, rounds):
    numbered = [replace(one, id=f"d{at}", label=at % 2 == 0) for at, one in enumerate(drawn)]
    of_length = [one for one in numbered if len(one.rounds) == rounds]
    with Database.open(IN_MEMORY) as database:
        DebateRepository(database).add(a_dataset(), numbered)
        found = accuracy_of(database, [one.id for one in numbered], rounds, [named(j) for j in JUDGES], DecisionRule())
    lines = [expected_line(judge, of_length, rounds) for judge in JUDGES]
    moments = ("before", *map(str, range(rounds)))
    expected = accuracy_by_round(lines, label_codes(one.label for one in of_length), moments)
    judged = found.found.table[found.found.table["kind"] == "judge"].reset_index(drop=True)
    pd.testing.assert_frame_equal(
        judged.drop(columns="moment"), expected.table.drop(columns="moment"), check_dtype=False
    )
    assert found.debates == len(of_length)


@pytest.fixture
def stored(database):
    long = replace(a_long_debate(), label=True)
    said = tuple(
        RecordedJudgement("a person", score=score, verdict=verdict, settings={"round": number})
        for number, score, verdict in ((0, 0.2, Verdict.FALSE), (1, 0.8, Verdict.TRUE), (2, 0.9, Verdict.TRUE))
    )
    other = replace(long, id="other", label=False, judgements=(*said, RecordedJudgement("a person", score=0.1)))
    DebateRepository(database).add(a_dataset(), [a_debate(), replace(long, judgements=said), other])
    return database


def test_the_debates_are_counted_by_their_rounds(stored):
    assert round_counts(stored, ["zoo", "long", "other"]) == {3: 2}
    assert round_counts(stored, ["zoo"]) == {}


def test_agents_are_right_by_their_own_stances_in_each_round(stored):
    found = accuracy_of(stored, ["long", "other", "zoo"], 3, [], DecisionRule()).found
    # A1 states 0.4 before, then 0.5, 0.6, 0.7: False, then True; one label is True, the other False. A2 says False.
    assert found.moments == ("before", "0", "1", "2")
    assert list(found.table["series"].unique()) == ["A1 (left)", "A2"]
    assert list(found.table.loc[found.table["series"] == "A1 (left)", "accuracy"]) == [0.5] * 4
    assert list(found.table.loc[found.table["series"] == "A2", "moment"]) == ["0", "1", "2"]
    assert set(found.table["n"]) == {2}
    only_true = accuracy_of(stored, ["long"], 3, [], DecisionRule()).found.table
    assert list(only_true.loc[only_true["series"] == "A1 (left)", "right"]) == [0, 1, 1, 1]


def test_a_recorded_judge_has_a_line_where_the_log_names_the_rounds(stored):
    judge = named(RecordedJudge("a person", "llm"))
    table = accuracy_of(stored, ["long", "other"], 3, [judge], DecisionRule()).found.table
    assert list(table.loc[table["kind"] == "recorded judgement", "right"]) == [1, 1, 1]
    model = NamedJudge("a model", Candidate("m", "a model", "", None, {}))
    assert accuracy_of(stored, ["long"], 3, [model], DecisionRule()).last_round_only == ("a model",)


def test_anonymised_agents_have_numbers(stored):
    found = accuracy_of(stored, ["long"], 3, [], DecisionRule(), anonymise=True).found
    assert list(found.table["series"].unique()) == ["Agent 1", "Agent 2"]


def test_no_debate_of_that_length_makes_no_accuracy(stored):
    found = accuracy_of(stored, ["long"], 2, [named(SemanticsJudge())], DecisionRule())
    assert found.debates == 0
    assert found.found.table.empty
