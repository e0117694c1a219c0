from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.errors import CallFailed, CallFailure
from core.judges.framing import StanceVariant
from core.judges.llm_judge import LlmJudge
from core.llm.prices import Price, PriceTable
from core.llm.prompts import PromptSet
from core.llm.request import ChatReply, ChatRequest
from core.perturbations import JudgeEdit, JudgeEditKind, RenameAgents
from core.properties.calls import Caller, check_by_calls, requests
from core.properties.contestability import Contestability
from core.properties.debate_set import DebateSet
from core.properties.falsifier import Goal, falsify_by_calls
from core.properties.groundedness import JudgeUnanimity
from core.properties.property import LeftOut
from core.properties.registry import usual_properties
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.result import PropertyResult, Standing
from core.properties.robustness import JudgeRobustness, ProfileRobustness
from core.runs.plan import Budget, Spending
from core.runs.runner import Ledger
from core.simulation import Simulation, simulated_debates
from tests.core.comparisons import known
from tests.llm.judging import PROMPTS, a_judge, an_endpoint

DEBATES = DebateSet.of(list(simulated_debates(Simulation(debates=12, seed=2))))
PRICES = PriceTable((Price("answerer", 1.0, 1.0),))
JUDGE = a_judge(an_endpoint(concurrency=2), stance=StanceVariant.PRIOR)


class Model:
    """Answers every request by a formula of its text, sample and parameters."""

    def __init__(self, formula: Callable[[ChatRequest], float | str]) -> None:
        self.formula = formula
        self.asked: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        await asyncio.sleep(0)
        said = self.formula(request)
        return ChatReply(
            said if isinstance(said, str) else json.dumps({"score": round(said, 2)}),
            "answerer",
            tokens_in=100,
            tokens_out=10,
        )


class Store:
    def __init__(self) -> None:
        self.replies: dict[str, ChatReply] = {}

    async def stored(self, key: str) -> ChatReply | None:
        return self.replies.get(key)

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        assert request.key not in self.replies
        self.replies[request.key] = reply


def caller(model: Model, store: Store | None = None, budget: Budget | None = None) -> Caller:
    return Caller(model, store or Store(), Ledger(budget or Budget(), Spending(), lambda: 0.0), PRICES)


def run(tested, model: Model, judge: LlmJudge = JUDGE, debates: DebateSet = DEBATES, **wishes) -> PropertyResult:
    return asyncio.run(check_by_calls(tested, judge, debates, caller(model, **wishes)))


def numbers(request: ChatRequest) -> list[float]:
    return [float(found) for found in re.findall(r"\b[01]\.\d+", request.messages[-1].text)]


def average(request: ChatRequest) -> float:
    found = numbers(request)
    return sum(sorted(found)) / len(found)


def test_a_model_that_repeats_itself_is_deterministic_and_asked_once_for_each_repeat():
    model = Model(average)
    result = run(Determinism(3), model)
    assert (result.tested, result.violations) == (12, 0)
    assert result.standing is Standing.SATISFIED
    assert result.proof is None
    assert result.tolerance == 0.005
    assert len(model.asked) == 36
    assert {request.sample for request in model.asked} == {0, 1, 2}


def test_a_model_that_says_something_else_each_time_is_caught():
    result = run(Determinism(3), Model(lambda request: average(request) + 0.01 * request.sample))
    assert result.violations == 12
    witness = result.witnesses[0]
    assert {witness.first.repeat, witness.second.repeat} == {0, 2}
    assert [trial.changes.raised for trial in result.trials] == [12, 12]


def test_a_judge_of_several_repeats_is_compared_by_its_means():
    model = Model(lambda request: average(request) + 0.02 * (request.sample % 2))
    steady = run(Determinism(2), model, replace(JUDGE, repeats=2))
    assert steady.violations == 0  # 0 and 1, then 2 and 3: the same means
    assert len(model.asked) == 48


def test_a_model_that_believes_the_first_agent_is_caught_by_other_orders():
    result = run(PermutationIndependence(), Model(lambda request: numbers(request)[0]))
    assert result.violations > 0
    assert len(result.trials) == 5
    assert result.witnesses[0].flipped or abs(known(result.witnesses[0].change)) > 0.005


def test_stored_replies_are_not_asked_for_again():
    store, first, second = Store(), Model(average), Model(average)
    run(PermutationIndependence(), first, store=store)
    result = run(JudgeUnanimity(), second, store=store)
    assert second.asked == []  # the debates as recorded were judged already
    assert result.tested > 0
    run(Contestability(), second, store=store)
    assert len(second.asked) == 12


def test_what_will_be_asked_is_known_before():
    planned = list(requests(usual_properties(), JUDGE, DEBATES))
    store, model = Store(), Model(average)
    for tested in usual_properties():
        run(tested, model, store=store)
    assert {request.key for request in planned} == set(store.replies)
    assert len(planned) == len(model.asked) == len({request.key for request in planned})


def test_a_budget_ends_a_test_and_what_is_missing_is_left_out():
    result = run(Contestability(), Model(average), budget=Budget(calls=15))
    assert "limit of 15 calls" in result.note
    assert result.left_out[LeftOut.NO_SCORE] == 12 - result.tested == 9
    nothing = run(Contestability(), Model(average), budget=Budget(calls=0))
    assert nothing.standing is Standing.NOT_TESTED
    assert "limit" in nothing.cell


def test_replies_that_cannot_be_read_are_no_scores():
    model = Model(lambda request: "Hm." if "claim 3" in request.messages[1].text else average(request))
    result = run(Determinism(2), model)
    assert result.left_out == {LeftOut.NO_SCORE: 1}
    assert result.tested == 11


def test_calls_that_fail_are_left_out():
    class Broken(Model):
        async def complete(self, request: ChatRequest) -> ChatReply:
            if "claim 3" in request.messages[1].text and request.sample == 1:
                raise CallFailed(CallFailure.BAD_REQUEST, "No.")
            return await super().complete(request)

    result = run(Determinism(2), Broken(average))
    assert result.left_out == {LeftOut.NO_SCORE: 1}


def test_a_model_that_copies_is_never_shown_as_robust():
    result = run(ProfileRobustness(), Model(lambda request: numbers(request)[0]))  # the first agent's prior stance
    assert result.violations == 0
    assert result.standing is Standing.INDISCRIMINATE
    assert "does not discriminate: copies numbers of its prompt (12 of 12)" in result.cell


def test_a_model_that_always_says_the_same_is_never_shown_as_robust():
    for tested in (Determinism(2), PermutationIndependence(2), ProfileRobustness(), Contestability()):
        assert run(tested, Model(lambda request: 0.5)).standing is Standing.INDISCRIMINATE


def test_a_hotter_model_is_another_judge():
    model = Model(lambda request: 1.0 - average(request) if request.parameters.temperature else average(request))
    result = run(JudgeRobustness(), model)
    assert [trial.trial.label for trial in result.trials] == ["temperature +0.1"]  # it cannot be colder than 0
    assert result.violations > 0


def test_other_prompts_are_found_by_name():
    other = PromptSet.from_texts("mine", {**dict(PROMPTS.texts), "instructions": "Say a score."})
    tested = JudgeRobustness((JudgeEdit(JudgeEditKind.SET_PROMPTS, "mine"),))
    model = Model(lambda request: 0.9 if request.messages[0].text.startswith("Say") else average(request))
    made = caller(model)
    result = asyncio.run(check_by_calls(tested, JUDGE, DEBATES, made, prompts=lambda name, digest: other))
    assert result.trials[0].compared == 12
    assert result.violations > 0


def test_renamed_agents_are_shown_under_their_new_names():
    model = Model(average)
    result = run(ProfileRobustness((RenameAgents("Speaker "),)), model)
    assert result.trials[0].compared == 12
    assert sum("Speaker 1" in request.messages[-1].text for request in model.asked) == 12


def test_a_search_asks_no_more_than_it_may_and_its_witness_holds():
    model = Model(lambda request: numbers(request)[0])
    place = next(p for p in range(12) if len({s.prior for s in DEBATES.load(p)[0].stances}) == 3)
    found = asyncio.run(
        falsify_by_calls(PermutationIndependence(), JUDGE, "d", DEBATES.load(place), caller(model), budget=20)
    )
    assert found.size == 2.0
    assert len(model.asked) == found.questions == 2
    striking = asyncio.run(
        falsify_by_calls(
            PermutationIndependence(), JUDGE, "d", DEBATES.load(place), caller(model), goal=Goal.STRIKING, budget=4
        )
    )
    assert (striking.questions, striking.complete) == (4, False)


def test_a_search_among_profiles_moves_by_hundredths():
    model = Model(lambda request: 0.9 - average(request) / 2)  # the higher the base scores, the lower the score
    found = asyncio.run(falsify_by_calls(Contestability(), JUDGE, "d", DEBATES.load(0), caller(model), budget=60))
    assert known(known(found.witness).change) < -0.005
    edits = known(known(found.witness).edits(DEBATES.load(0)[0]))
    assert all(round(float(edit.after or 0), 2) == edit.after for edit in edits)


def test_a_search_ends_with_the_callers_budget():
    found = asyncio.run(
        falsify_by_calls(
            Contestability(), JUDGE, "d", DEBATES.load(0), caller(Model(average), budget=Budget(calls=3)), budget=60
        )
    )
    assert not found.complete
    assert "limit of 3 calls" in found.note


def test_repeats_are_told_apart_in_a_search():
    model = Model(lambda request: 0.6 + 0.1 * (request.sample == 2))
    found = asyncio.run(falsify_by_calls(Determinism(), JUDGE, "d", DEBATES.load(0), caller(model), budget=9))
    assert found.size == 2.0
    assert len(model.asked) == 3


def test_whoever_asks_is_told_how_far_it_is():
    seen: list[tuple[int, int]] = []
    made = replace(caller(Model(average)), watch=lambda done, total: seen.append((done, total)))
    asyncio.run(check_by_calls(Contestability(), JUDGE, DEBATES, made))
    assert seen == [(done, 24) for done in range(1, 25)]


def test_a_cancelled_test_ends_its_calls():
    async def stopped() -> None:
        task = asyncio.create_task(check_by_calls(Determinism(), JUDGE, DEBATES, caller(Model(average))))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stopped())
