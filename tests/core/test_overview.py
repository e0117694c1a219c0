import pandas as pd
import pytest

from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.overview import Agreement, Scored, agreement, breaks_unanimity, overview, worth_a_look

RULE = DecisionRule()


def scored(score: float | None) -> Scored:
    if score is None:
        return Scored(None, None, JudgementStatus.NOT_CONVERGED)
    return Scored(score, RULE.verdict(score), JudgementStatus.OK)


def listed(*rows: dict[str, object]) -> pd.DataFrame:
    base = {
        "claim": "A claim",
        "label": True,
        "stances": [0.6, 0.4],
        "rounds": 1,
        "pros": 2,
        "cons": 1,
        "contestations": 0,
        "protocol": "single-turn",
        "dataset": "d",
    }
    return pd.DataFrame([{**base, **row} for row in rows])


def test_judges_without_a_verdict_neither_agree_nor_disagree():
    assert agreement(scored(0.7), scored(0.9)) is Agreement.AGREE
    assert agreement(scored(0.7), scored(0.2)) is Agreement.DISAGREE
    assert agreement(scored(0.7), scored(None)) is Agreement.NO_VERDICT
    assert agreement(scored(None), scored(None)) is Agreement.NO_VERDICT


@pytest.mark.parametrize(
    ("stances", "verdict", "breach"),
    [
        ([0.6, 0.9, 0.5], Verdict.FALSE, True),
        ([0.6, 0.9, 0.5], Verdict.TRUE, False),
        ([0.6, 0.4], Verdict.FALSE, False),
        ([0.1, 0.2], Verdict.TRUE, True),
        ([0.6, None], Verdict.FALSE, False),
        ([], Verdict.FALSE, False),
        ([0.6], None, False),
        ([0.6], Verdict.UNCERTAIN, False),
    ],
)
def test_unanimity_is_broken_only_against_agents_who_all_agree(stances, verdict, breach):
    assert breaks_unanimity(stances, verdict, RULE) is breach


def test_an_overview_row_says_what_both_judges_say():
    frame = overview(listed({"id": "x"}), {"x": scored(0.7)}, {"x": scored(0.4)}, RULE)
    row = frame.iloc[0]
    assert (row["Judge A"], row["Judge B"]) == ("✓ True 0.70", "✕ False 0.40")
    assert row["Gap"] == pytest.approx(0.3)
    assert row["Stances"] == "T F"
    assert row["Pros/cons"] == "2/1"
    assert row["Flags"] == "judges disagree"
    assert row["Label"] == "True"


def test_missing_labels_stances_and_scores_are_shown_as_missing():
    frame = overview(
        listed({"id": "x", "label": None, "stances": [None, 0.2]}), {"x": scored(None)}, {"x": scored(0.4)}, RULE
    )
    row = frame.iloc[0]
    assert row["Label"] == "Unknown"
    assert row["Stances"] == "– F"
    assert row["Judge A"] == "! Not converged"
    assert pd.isna(row["Gap"])
    assert row["Flags"] == "no verdict"


def test_an_empty_database_gives_an_empty_overview():
    assert overview(listed({"id": "x"}).head(0), {}, {}, RULE).empty


def test_what_is_worth_a_look_comes_once_each_breaches_first():
    frame = overview(
        listed({"id": "breach", "stances": [0.9, 0.8]}, {"id": "differ"}, {"id": "near"}, {"id": "far"}),
        {"breach": scored(0.3), "differ": scored(0.8), "near": scored(0.51), "far": scored(0.95)},
        {"breach": scored(0.6), "differ": scored(0.2), "near": scored(0.52), "far": scored(0.9)},
        RULE,
    )
    chosen = worth_a_look(frame, 3)
    assert list(chosen["Id"]) == ["breach", "differ", "near"]
    assert chosen["Reason"].iloc[0] == "all agents agree, the judge does not"
