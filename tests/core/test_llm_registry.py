from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.debate import RecordedJudgement, profile
from core.errors import InvalidSetting
from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.judges.llm_judge import LlmJudge, ScoreMode
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge, Family, family_of, judge_id, judge_of, judges_of, presets
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.llm.prices import Price, PriceTable
from core.llm.request import ChatReply
from core.opinion import OpinionProfile, Stance
from tests.llm.judging import PROMPTS, a_debate, a_judge, an_endpoint


def find(name: str, digest: str | None):
    return PROMPTS


ONE_OF_EACH: list[AnyJudge] = [
    SemanticsJudge("qe", variant=SemanticsJudge().variant, rule=DecisionRule(0.4)),
    MajorityVote(DecisionRule(abstention=0.1)),
    MeanStance(),
    WeightedVote((("A2", 2.0), ("A1", 0.5))),
    RecordedJudge("Reviewer 1"),
    LlmJudge(ENDPOINTS["openai"], "gpt-4o", PROMPTS, repeats=3),
]


@pytest.mark.parametrize("judge", ONE_OF_EACH, ids=lambda judge: type(judge).__name__)
def test_every_kind_of_judge_comes_back_from_its_settings_with_the_same_id(judge):
    back = judge_of(judge.settings(), find)
    assert back == judge
    assert judge_id(back) == judge_id(judge)
    assert len(judge_id(judge)) == 12


def test_a_judge_of_a_preset_is_the_same_in_every_version():
    # Ids stand in stored judgements and links: a change here needs a migration.
    assert judge_id(SemanticsJudge()) == "bb41b8ee03b9"
    assert judge_id(MeanStance()) == "d803b35dd5d2"


def test_a_number_written_as_1_or_as_1_0_makes_the_same_judge():
    assert judge_id(SemanticsJudge(conservativeness=1)) == judge_id(SemanticsJudge(conservativeness=1.0))
    assert judge_id(a_judge(temperature=1)) == judge_id(a_judge(temperature=1.0))
    whole, broken = (a_judge(temperature=t).requests(profile(a_debate()))[0].key for t in (1, 1.0))
    assert whole == broken


def test_families_are_told_apart():
    families = [family_of(judge) for judge in ONE_OF_EACH]
    assert families == [Family.SEMANTICS, Family.VOTE, Family.VOTE, Family.VOTE, Family.HUMAN, Family.LLM]
    assert family_of(RecordedJudge("court", "panel")) is Family.RECORDED


def test_a_short_definition_takes_defaults_and_varies_what_it_lists():
    judges = judges_of(
        {
            "endpoints": [{"name": "mine", "base_url": "http://127.0.0.1:1/v1", "key_variable": ""}],
            "judges": [
                {"kind": "semantics", "vary": {"semantics": ["df-quad", "qe"], "setting": ["combined", "separate"]}},
                {"kind": "llm", "endpoint": "mine", "model": "m", "vary": {"stance": ["none", "prior"]}},
                {"kind": "semantics", "semantics": "qe"},  # again
            ],
        },
        find,
    )
    assert len(judges) == 6
    assert judges[0] == SemanticsJudge()
    assert isinstance(judges[4], LlmJudge)
    assert judges[4].endpoint.key_variable == ""


@pytest.mark.parametrize(
    "definition",
    [
        "df-quad", [], ["df-quad"], {"kind": "oracle"}, {"kind": "semantics", "semantics": "none"},
        {"kind": "semantics", "kappa": 1.2}, {"kind": "mean stance", "weights": {}},
        {"kind": "weighted vote", "weights": 3},
        {"kind": "weighted vote", "weights": {"A1": -1}}, {"kind": "weighted vote", "weights": {"A1": "much"}},
        {"kind": "llm", "model": "m", "vary": {"stance": "prior"}}, {"kind": "llm", "model": "m", "vary": ["stance"]},
        {"kind": "human"}, {"judges": [{"kind": "llm", "model": "m"}], "endpoints": "mine"},
        {"judges": [{"kind": "llm", "model": "m"}], "endpoints": [{"name": "x"}]},
        {"kind": "llm", "model": "m", "vary": {"seed": list(range(501))}}, {"kind": "mean stance", "threshold": 2},
    ],
)  # fmt: skip
def test_a_definition_that_makes_no_sense_is_refused(definition):
    if definition == []:
        assert judges_of(definition, find) == ()
        return
    with pytest.raises(InvalidSetting):
        judges_of(definition, find)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**400), 10**400)
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=2)
    | st.dates()
    | st.frozensets(st.integers(), max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
    max_leaves=6,
)


@given(data=st.data())
def test_whatever_a_file_holds_defines_judges_or_is_refused_and_never_fails_otherwise(data):
    settings = dict(data.draw(st.sampled_from([judge.settings() for judge in ONE_OF_EACH])))
    for key in data.draw(st.lists(st.sampled_from([*settings, "vary", "weights", "endpoint", 7]), max_size=2)):
        settings[key] = data.draw(ANYTHING)
    definition = data.draw(
        st.just(settings)
        | st.just([settings])
        | st.builds(lambda endpoints: {"judges": settings, "endpoints": endpoints}, ANYTHING)
        | ANYTHING
    )
    try:
        judges = judges_of(definition, find)
    except InvalidSetting:
        return
    for judge in judges:
        assert judge_of(judge.settings(), find) == judge


def test_lists_of_values_that_come_to_too_many_judges_are_refused_before_they_are_made():
    lists = {name: [0.5] * 10_000 for name in ("threshold", "abstention", "strict")}
    with pytest.raises(InvalidSetting, match="more than 500 judges"):
        judges_of({"kind": "mean stance", "vary": lists}, find)


def test_presets_need_a_model_only_where_they_ask_one():
    assert set(presets(None)) == {"all-semantics", "votes"}
    groups = presets(a_judge())
    assert {len(groups["llm-printed"]), len(groups["llm-log-probability"])} == {6}
    assert {judge.score_mode for judge in groups["llm-log-probability"] if isinstance(judge, LlmJudge)} == {
        ScoreMode.LOG_PROBABILITY
    }
    assert len(groups["llm-vs-semantics"]) == 4
    for judges in groups.values():
        assert len({judge_id(judge) for judge in judges}) == len({judge.name for judge in judges}) == len(judges)


def test_a_weighted_vote_weighs_by_agent_or_by_distance_from_the_middle():
    one = OpinionProfile("c", (Stance("A1", 0.9), Stance("A2", 0.4), Stance("A3")))
    # distances 0.4 and 0.1: (0.4 * 0.9 + 0.1 * 0.4) / 0.5 = 0.8
    assert WeightedVote().judge(one).score == pytest.approx(0.8)
    assert WeightedVote((("A1", 1.0), ("A2", 4.0))).judge(one).score == pytest.approx(0.5)  # (0.9 + 1.6) / 5
    assert WeightedVote((("A1", 0.0), ("A2", 0.0))).judge(one).status is JudgementStatus.REFUSED
    assert WeightedVote().judge(OpinionProfile("c")).status is JudgementStatus.REFUSED
    assert WeightedVote().judge(OpinionProfile("c", (Stance("A1", 0.5),))).score == 0.5


def test_a_recorded_judge_says_what_the_record_says():
    said = RecordedJudgement("Reviewer 1", "human", None, Verdict.FALSE, explanation="The cons are better.")
    judgement = RecordedJudge("Reviewer 1").judgement(a_debate(judgements=(said,)))
    assert judgement is not None
    assert (judgement.score, judgement.verdict, judgement.explanation) == (None, Verdict.FALSE, "The cons are better.")
    assert RecordedJudge("Reviewer 2").judgement(a_debate(judgements=(said,))) is None


def test_a_cost_is_what_the_table_says_of_who_answered():
    table = PriceTable(
        (
            Price("gpt-4o", 2.5, 10.0, 1.25, "openai"),
            Price("gpt-4o-mini", 0.15, 0.6),
            Price("*", 0.0, 0.0, endpoint="local"),
        )
    )

    def cost(endpoint: Endpoint, model: str, **fields):
        request = replace(a_judge(endpoint), model="gpt-4o").requests(profile(a_debate()))[0]
        values = {"tokens_in": 1000, "tokens_out": 100, "tokens_cached": 400} | fields
        return table.cost(request, ChatReply("", model, **values))

    openai = ENDPOINTS["openai"]
    assert cost(openai, "gpt-4o") == pytest.approx((600 * 2.5 + 400 * 1.25 + 100 * 10) / 1e6)
    assert cost(openai, "gpt-4o-mini") == pytest.approx((1000 * 0.15 + 100 * 0.6) / 1e6)
    assert cost(openai, "gpt-4o-2099") == cost(openai, "gpt-4o")  # not listed: the name asked for
    assert cost(ENDPOINTS["local"], "anything") == 0.0
    assert cost(an_endpoint(), "gpt-4o") is None  # that price is of another endpoint
    assert cost(openai, "gpt-4o", tokens_out=None) is None
    assert cost(openai, "gpt-4o", tokens_cached=None) == pytest.approx((1000 * 2.5 + 100 * 10) / 1e6)


@pytest.mark.parametrize(
    "record",
    [
        {"prices": [{"model": "m"}]},
        {"prices": [{"model": "m", "input": -1, "output": 1}]},
        {"prices": [{"model": "m", "input": "1", "output": 1}]},
        {"prices": [{"model": "*", "input": 1, "output": 1}]},
        {"prices": ["m"]},
    ],
)
def test_a_price_table_that_makes_no_sense_is_refused(record):
    with pytest.raises(InvalidSetting):
        PriceTable.from_json(record)
