"""A reviewer cannot have a key of the server's sent to an address of their own choice."""

import pytest

from core.debate import DebateProtocol, profile
from core.errors import InvalidSetting, NotAllowed
from core.llm.circumstances import Circumstances
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.llm.prices import PriceTable
from core.llm.request import Parameters
from storage.contested_judging import ContestedJudging
from storage.debate_run_worker import DebateRunWorker
from storage.endpoint_rights import guarded, require_endpoints
from storage.run_worker import RunWorker
from tests.llm.debaters import a_plan, some_claims
from tests.llm.judging import a_debate, a_judge
from tests.storage.people import ADMIN, REVIEWER

ELSEWHERE = Endpoint("mine", "https://collector.example/v1", "DATABASE_PASSWORD")


def test_only_an_admin_sends_a_key_to_another_address():
    require_endpoints(ADMIN, [ELSEWHERE])
    require_endpoints(REVIEWER, [*ENDPOINTS.values(), Endpoint("open", "http://127.0.0.1:9/v1", "")])
    with pytest.raises(NotAllowed, match="Only an admin"):
        require_endpoints(REVIEWER, [ELSEWHERE])
    with pytest.raises(NotAllowed):  # nor another variable to a known address
        require_endpoints(REVIEWER, [Endpoint("openai", "https://api.openai.com/v1", "DATABASE_PASSWORD")])


def test_every_way_of_asking_models_is_closed_to_it(database):
    judge, debate = a_judge(ELSEWHERE), a_debate()
    handed_out: list[Endpoint] = []
    asking = ContestedJudging(database, PriceTable(), person=REVIEWER)
    with pytest.raises(NotAllowed):
        RunWorker(database, person=REVIEWER).create([judge], ["any"])
    with pytest.raises(NotAllowed):
        DebateRunWorker(database, person=REVIEWER).create(a_plan(DebateProtocol.SINGLE_TURN, ELSEWHERE), some_claims(1))
    with pytest.raises(NotAllowed):
        asking.ask(judge, profile(debate), Circumstances.of(debate))
    with pytest.raises(NotAllowed):
        guarded(REVIEWER, handed_out.append)(ELSEWHERE)
    assert handed_out == []


@pytest.mark.parametrize(
    "given",
    [
        {"key_variable": "gsk_abcdefghijkl1234567890"},
        {"key_variable": "sk_lowercase"},
        {"base_url": "https://host/v1/sk-abcdefghijklmnop"},
    ],
)
def test_a_key_in_the_place_of_a_name_or_address_is_refused(given):
    with pytest.raises(InvalidSetting, match="key") as refused:
        Endpoint(**{"name": "n", "base_url": "https://host/v1", **given})
    assert not any(value in str(refused.value) for value in given.values())


@pytest.mark.parametrize(
    "extra",
    [
        '{"api_key": "x"}',
        '{"extra_headers": {"Authorization": "x"}}',
        '{"a": [{"b": "sk-abcdefghijklmnop"}]}',
        '{"apiKey": "x"}',
    ],
)
def test_credentials_among_the_extra_fields_are_refused(extra):
    with pytest.raises(InvalidSetting, match="credential"):
        Parameters(extra=extra)


def test_ordinary_extra_fields_are_taken():
    assert Parameters(extra='{"cache_prompt": false, "stop_token_ids": [1], "logit_bias": {"5": 1}}').extra_fields
    assert Endpoint("plain", "http://api.openai.com/v1").key_variable == ""  # no key over an open line
