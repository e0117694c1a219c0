"""What an endpoint allows holds for all runs of a process together, in whichever thread each has its event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest

from core.debate import profile
from core.llm.endpoint import Endpoint
from core.runs.plan import RunState
from storage.call_limits import CallLimits
from storage.debate_repository import DebateRepository
from storage.debate_run_worker import DebateRunWorker
from storage.model_client import ModelClient
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from tests.llm.debaters import SINGLE, a_plan, server_answer, some_claims
from tests.llm.fault_server import FaultServer
from tests.llm.judging import a_debate, a_judge, an_endpoint
from tests.storage.debates import a_dataset

PATIENCE = 60.0  # seconds until a test that waits gives up


class Crowd(FaultServer):
    """Answers debaters and judges once it is opened, and counts how many calls are there at once."""

    def __init__(self, full: int) -> None:
        super().__init__(reply=lambda q: server_answer(q) if q.body["model"] != "fake-model" else '{"score": 0.5}')
        self.room = full
        self.under_way = self.most = 0
        self.full, self.opened = threading.Event(), threading.Event()

    async def _answer(self, question, first_attempt, request):
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        if self.under_way == self.room:
            self.full.set()
        await asyncio.to_thread(self.opened.wait, PATIENCE)
        self.under_way -= 1
        return await super()._answer(question, first_attempt, request)


class Watched(CallLimits):
    """Tells when so many calls have come to wait for their turn."""

    def __init__(self, expected: int) -> None:
        super().__init__()
        self.expected = expected
        self.come = 0
        self.all_there = threading.Event()

    @asynccontextmanager
    async def turn(self, endpoint: Endpoint) -> AsyncIterator[None]:
        self.come += 1
        if self.come == self.expected:
            self.all_there.set()
        async with super().turn(endpoint):
            yield


def client_of(limits: CallLimits) -> ModelClient:
    return ModelClient(lambda endpoint: None, limits)


def stored(database, count: int) -> list[str]:
    debates = [a_debate(number) for number in range(count)]
    DebateRepository(database).add(a_dataset(), debates)
    return [debate.id for debate in debates]


def test_as_many_calls_are_under_way_as_the_endpoint_allows_and_no_more():
    under_way, most, three = 0, 0, asyncio.Barrier(3)

    class Counting(FaultServer):
        async def _answer(self, question, first_attempt, request):
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await three.wait()  # nobody is answered before three have come
            under_way -= 1
            return await super()._answer(question, first_attempt, request)

    with Counting() as server:
        endpoint = an_endpoint(server.base_url, concurrency=3)

        async def many() -> None:
            client = client_of(CallLimits())
            await asyncio.gather(
                *(client.complete(a_judge(endpoint, seed=n).requests(profile(a_debate()))[0]) for n in range(12))
            )
            await client.close()

        asyncio.run(many())
    assert most == 3
    assert sum(server.answered.values()) == 12


def test_a_run_of_judges_and_one_of_debates_keep_to_an_endpoints_concurrency_together(database):
    limits = Watched(4)
    with Crowd(2) as server:
        endpoint = an_endpoint(server.base_url, concurrency=2, key_variable="")
        judging = RunWorker(database, client=lambda: client_of(limits))
        debating = DebateRunWorker(database, client=lambda: client_of(limits))
        judged = judging.create([a_judge(endpoint)], stored(database, 12)).id
        debated = debating.create(a_plan(SINGLE, endpoint), some_claims(2)).id
        judging.start(judged)
        debating.start(debated)
        assert server.full.wait(PATIENCE)
        assert limits.all_there.wait(PATIENCE)  # two of each run: as many as each may have under way by itself
        server.opened.set()
        assert judging.wait(judged, PATIENCE)
        assert debating.wait(debated, PATIENCE)
    assert server.most == 2
    assert judging.progress(judged).run.state is debating.progress(debated).run.state is RunState.DONE
    assert sum(server.answered.values()) == 12 + 2 * 3 * 6  # of each debate, six questions to each of three agents


def test_a_run_that_is_cancelled_in_the_line_leaves_it_to_the_others(database):
    limits = Watched(2)
    with Crowd(1) as server:
        endpoint = an_endpoint(server.base_url, concurrency=1, key_variable="")
        ids = stored(database, 3)
        workers = [RunWorker(database, client=lambda: client_of(limits)) for _ in range(2)]
        runs = [worker.create([a_judge(endpoint, seed=seed)], ids).id for seed, worker in enumerate(workers)]
        workers[0].start(runs[0])
        assert server.full.wait(PATIENCE)
        workers[1].start(runs[1])
        assert limits.all_there.wait(PATIENCE)
        workers[1].cancel(runs[1])
        assert workers[1].wait(runs[1], PATIENCE)
        server.opened.set()
        assert workers[0].wait(runs[0], PATIENCE)
        again = workers[1]
        again.start(runs[1])
        assert again.wait(runs[1], PATIENCE)
    assert server.most == 1
    assert [run.state for run in RunRepository(database).all()] == [RunState.DONE, RunState.DONE]
    assert sum(server.answered.values()) == 6


def test_calls_a_minute_are_counted_over_all_event_loops_of_the_process():
    waits: list[float] = []

    async def noted(seconds: float) -> None:
        waits.append(seconds)

    limits = CallLimits(clock=lambda: 100.0, sleep=noted)

    async def three(server: FaultServer, first: int) -> None:
        endpoint = an_endpoint(server.base_url, calls_per_minute=6_000.0)
        client = client_of(limits)
        for number in range(first, first + 3):
            await client.complete(a_judge(endpoint).requests(profile(a_debate(number)))[0])
        await client.close()

    with FaultServer() as server, ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(asyncio.run, three(server, first)) for first in (0, 10)]:
            done.result(PATIENCE)
    # At a clock that stands still, each call begins a hundredth of a second after the one before.
    assert sorted(waits) == pytest.approx([0.0, 0.01, 0.02, 0.03, 0.04, 0.05])


def test_endpoints_at_different_addresses_do_not_wait_for_each_other():
    limits = CallLimits()

    async def both() -> None:
        async with (
            limits.turn(an_endpoint("http://127.0.0.1:9/v1", concurrency=1)),
            limits.turn(an_endpoint("http://127.0.0.1:8/v1", concurrency=1)),
        ):
            pass

    asyncio.run(asyncio.wait_for(both(), PATIENCE))


def test_who_gives_up_waiting_takes_nobody_s_room():
    limits = CallLimits()
    endpoint = an_endpoint(concurrency=1)

    async def entered() -> None:
        async with limits.turn(endpoint):
            pass

    async def given_up() -> None:
        async with limits.turn(endpoint):
            waiting = [asyncio.create_task(entered()) for _ in range(3)]
            await asyncio.sleep(0)
            for task in waiting[:2]:
                task.cancel()
        waiting[2].cancel()  # let in, and cancelled before it could notice
        await asyncio.gather(*waiting, return_exceptions=True)
        await entered()

    asyncio.run(asyncio.wait_for(given_up(), PATIENCE))
