from __future__ import annotations

import asyncio
import traceback

import pytest

from core.debate import profile
from core.errors import CallFailed, CallFailure
from core.llm.client import Clients, OpenAIClient
from core.llm.endpoint import ResponseFormat
from core.llm.request import ChatReply, ChatRequest, Message, Parameters, Role
from storage.model_client import key_from_environment
from tests.llm.fault_server import MODEL, Fault, FaultServer, completion
from tests.llm.judging import KEY, a_debate, a_judge, an_endpoint


def ask(server: FaultServer, request: ChatRequest | None = None, key: str | None = KEY, **fields) -> ChatReply:
    """Return a server's reply to one request of a client of its own."""
    endpoint = an_endpoint(server.base_url, **({"retries": 2} | fields))

    async def once() -> ChatReply:
        client = OpenAIClient(endpoint, key)
        try:
            return await client.complete(request or a_request(endpoint))
        finally:
            await client.close()

    return asyncio.run(once())


def a_request(endpoint=None, **fields) -> ChatRequest:
    return a_judge(endpoint or an_endpoint(), **fields).requests(profile(a_debate()))[0]


def failure(server: FaultServer, **fields) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        ask(server, **fields)
    return caught.value


def test_a_reply_comes_with_all_that_was_said_about_it():
    with FaultServer(score=lambda question: "0.25") as server:
        reply = ask(server)
    assert reply.text == '{"score": 0.25}'
    assert reply.model == MODEL  # who answered, not who was asked
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (100, 10, 40)
    assert reply.format is ResponseFormat.JSON_SCHEMA
    assert reply.finish_reason == "stop"
    assert reply.seconds > 0


def test_the_body_says_what_the_judge_is_and_nothing_else():
    with FaultServer() as server:
        ask(server, a_request(seed=7, temperature=0.5, top_p=0.9, max_tokens=20, extra='{"cache_prompt": false}'))
    (question,) = server.questions.values()
    body = dict(question.body)
    schema = body.pop("response_format")["json_schema"]
    assert [message["role"] for message in body.pop("messages")] == ["system", "user"]
    assert body == {
        "model": "fake-model", "temperature": 0.5, "top_p": 0.9, "seed": 7, "max_tokens": 20, "cache_prompt": False,
    }  # fmt: skip
    assert schema["strict"] is True
    assert schema["schema"]["properties"]["score"]["enum"] == [hundredth / 100 for hundredth in range(101)]
    assert schema["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("fault", [Fault.RATE_LIMITED, Fault.BROKEN_ONCE, Fault.CUT_CONNECTION_ONCE])
def test_what_passes_is_tried_again(fault):
    with FaultServer(lambda question: fault) as server:
        assert ask(server).text == '{"score": 0.75}'
    assert list(server.attempts.values()) == [2]


def test_a_server_that_hangs_is_given_up_after_the_retries():
    with FaultServer(lambda question: Fault.HANGING) as server:
        failed = failure(server, timeout=0.05, retries=1)
    assert failed.kind is CallFailure.TIMEOUT
    assert list(server.attempts.values()) == [2]


def test_a_server_that_stays_broken_is_given_up_after_the_retries():
    with FaultServer(lambda question: Fault.BROKEN) as server:
        failed = failure(server)
    assert failed.kind is CallFailure.SERVER
    assert "Something is broken." in str(failed)
    assert list(server.attempts.values()) == [3]


def test_a_request_that_is_turned_down_is_not_tried_again():
    with FaultServer(lambda question: Fault.BAD_REQUEST) as server:
        failed = failure(server)
    assert failed.kind is CallFailure.BAD_REQUEST
    assert "exceeds the available context size" in str(failed)
    assert list(server.attempts.values()) == [1]


def test_half_a_response_is_no_reply():
    with FaultServer(lambda question: Fault.CUT_BODY) as server:
        assert failure(server).kind is CallFailure.MALFORMED


@pytest.mark.parametrize(
    "sent",
    [
        {"choices": []},
        {"choices": None},
        {"choices": [{}]},
        {"choices": [{"index": 0, "message": None, "finish_reason": "stop"}]},
        {"error": "busy"},
        [],
        "text",
    ],
)
def test_a_response_that_is_no_chat_completion_is_no_reply(sent, monkeypatch):
    monkeypatch.setattr("tests.llm.fault_server.completion", lambda *_: sent)
    with FaultServer() as server:
        assert failure(server).kind is CallFailure.MALFORMED


@pytest.mark.parametrize(
    "changes",
    [
        {"usage": None},
        {"usage": {"prompt_tokens": None, "completion_tokens": "ten"}},
        {"usage": {"prompt_tokens": 5, "completion_tokens": -1, "prompt_tokens_details": None}},
    ],
)
def test_tokens_that_are_not_told_are_unknown_and_not_0(changes, monkeypatch):
    monkeypatch.setattr("tests.llm.fault_server.completion", lambda *_: completion('{"score": 0.5}', **changes))
    with FaultServer() as server:
        reply = ask(server)
    assert reply.text == '{"score": 0.5}'
    assert reply.tokens_out is None


def test_nobody_listening_is_no_connection():
    endpoint = an_endpoint(retries=0)  # port 9 of this machine, where nothing is

    async def once() -> None:
        await OpenAIClient(endpoint).complete(a_request(endpoint))

    with pytest.raises(CallFailed) as caught:
        asyncio.run(once())
    assert caught.value.kind is CallFailure.CONNECTION


class Refusing(FaultServer):
    """A server that turns some response formats down, as servers of different ages do."""

    def __init__(self, status: int, message: str, *refused: str) -> None:
        super().__init__()
        self.refused, self.status, self.message = refused, status, message
        self.asked: list[str | None] = []

    async def _answer(self, question, first_attempt, request):
        from tests.llm.fault_server import _error

        wanted = (question.body.get("response_format") or {}).get("type")
        self.asked.append(wanted)
        if wanted in self.refused:
            return _error(self.status, self.message, {"retry-after": "0.01"})
        return await super()._answer(question, first_attempt, request)


@pytest.mark.parametrize(
    ("status", "message", "refused", "used"),
    [
        (400, "Unknown response_format type", ("json_schema",), ResponseFormat.JSON_OBJECT),
        (500, "Input should be 'text' or 'json_object'", ("json_schema",), ResponseFormat.JSON_OBJECT),
        (422, "json_schema is not supported", ("json_schema", "json_object"), ResponseFormat.PLAIN),
    ],
)
def test_the_response_format_falls_back_and_the_reply_says_to_which(status, message, refused, used):
    with Refusing(status, message, *refused) as server:
        assert ask(server, retries=0).format is used


def test_a_format_that_was_turned_down_is_not_tried_with_every_call():
    with Refusing(400, "json_schema: unknown", "json_schema") as server:
        endpoint = an_endpoint(server.base_url)

        async def several() -> None:
            client = OpenAIClient(endpoint)
            for sample in range(3):
                await client.complete(a_request(endpoint, seed=sample))
            await client.close()

        asyncio.run(several())
    assert server.asked == ["json_schema", "json_object", "json_object", "json_object"]


def test_an_endpoint_may_leave_formats_out():
    with FaultServer() as server:
        reply = ask(server, formats=(ResponseFormat.PLAIN,))
    (question,) = server.questions.values()
    assert "response_format" not in question.body
    assert reply.format is ResponseFormat.PLAIN


def test_a_model_that_knows_the_token_limit_by_its_newer_name_gets_that():
    class Newer(FaultServer):
        async def _answer(self, question, first_attempt, request):
            from tests.llm.fault_server import _error

            if "max_tokens" in question.body:
                return _error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
            return await super()._answer(question, first_attempt, request)

    with Newer() as server:
        assert ask(server).text == '{"score": 0.75}'
    assert sum(server.answered.values()) == 1


def test_log_probabilities_of_the_first_token_are_kept(monkeypatch):
    top = [{"token": "true", "logprob": -0.25, "bytes": None}, {"token": "false", "logprob": -1.75, "bytes": None}]
    sent = completion("true")
    sent["choices"][0]["logprobs"] = {
        "content": [{"token": "true", "logprob": -0.25, "bytes": None, "top_logprobs": top}]
    }
    monkeypatch.setattr("tests.llm.fault_server.completion", lambda *_: sent)
    with FaultServer() as server:
        request = ChatRequest(
            an_endpoint(server.base_url), "m", (Message(Role.USER, "?"),), Parameters(max_tokens=1, top_logprobs=20)
        )
        reply = ask(server, request)
    (question,) = server.questions.values()
    assert (question.body["logprobs"], question.body["top_logprobs"]) == (True, 20)
    assert reply.top == (("true", -0.25), ("false", -1.75))


@pytest.mark.parametrize("fault", [Fault.KEY_REFUSED, Fault.BAD_REQUEST, Fault.BROKEN, Fault.CUT_BODY, Fault.NO_MODEL])
def test_no_error_or_traceback_holds_the_key(fault, caplog):
    caplog.set_level("DEBUG")
    with FaultServer(lambda question: fault) as server:
        failed = failure(server, retries=0)
    told = traceback.TracebackException.from_exception(failed, capture_locals=True)
    ours = [frame for frame in told.stack if "/core/" in frame.filename]  # the test itself knows the key
    assert server.keys == {f"Bearer {KEY}"}
    assert ours
    assert KEY not in str([frame.locals for frame in ours])
    assert KEY not in "".join(told.format_exception_only())
    assert failed.__cause__ is None
    assert KEY not in caplog.text


def test_a_key_that_is_refused_ends_hope_and_names_the_variable():
    with FaultServer(lambda question: Fault.KEY_REFUSED) as server:
        failed = failure(server)
    assert failed.kind is CallFailure.KEY_REFUSED
    assert failed.hopeless
    assert "MOOT_TEST_KEY" in str(failed)
    assert "[key]" in str(failed)


def test_no_client_shows_its_key():
    endpoint = an_endpoint()
    clients = Clients(lambda _: KEY)
    with pytest.raises(CallFailed):
        asyncio.run(clients.complete(a_request(an_endpoint(retries=0))))
    for shown in (repr(OpenAIClient(endpoint, KEY)), str(clients), repr(clients)):
        assert KEY not in shown
    assert "fake" in repr(OpenAIClient(endpoint, KEY))


def test_an_endpoint_without_a_key_variable_is_asked_without_a_key():
    with FaultServer() as server:
        ask(server, key=None)
    assert server.keys == {"Bearer none"}


@pytest.mark.parametrize("key", ["sk-sécret", "sk-two\nlines", "sk-tab\t"])
def test_a_key_that_no_header_can_hold_is_refused_without_showing_it(key):
    with pytest.raises(CallFailed) as caught:
        OpenAIClient(an_endpoint(), key)
    assert caught.value.hopeless
    assert key not in str(caught.value)
    assert "MOOT_TEST_KEY" in str(caught.value)


def test_a_key_in_the_environment_may_end_in_a_line_break(monkeypatch):
    monkeypatch.setenv("MOOT_TEST_KEY", f"{KEY}\n")
    assert key_from_environment(an_endpoint()) == KEY
    assert key_from_environment(an_endpoint(key_variable="")) is None
    monkeypatch.setenv("MOOT_TEST_KEY", " ")
    assert key_from_environment(an_endpoint()) is None
