from core.judgement import DecisionRule, Verdict
from core.judges.semantics_judge import SemanticsJudge
from core.least import OutcomeStatus, Question, fewest_removals, verdict_goal
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind


def test_nothing_is_called_impossible_that_a_removal_which_pulls_back_would_reach():
    profile = OpinionProfile(
        "A claim.",
        (),
        (Argument("pro", "pro", None, 1.0), Argument("con", "con", None, 0.6)),
        (Relation("pro", TOPIC, RelationKind.SUPPORT), Relation("con", TOPIC, RelationKind.ATTACK)),
    )
    rule = DecisionRule(abstention=0.1)
    judge = SemanticsJudge("df-quad", rule=rule)  # 0.7 is True; without either argument 0.5 is Uncertain
    outcome = fewest_removals(Question(judge, profile, verdict_goal(rule, Verdict.UNCERTAIN)))
    assert outcome.status is OutcomeStatus.LEAST
    assert [edit.argument for edit in outcome.edits] == ["con", "pro"]
