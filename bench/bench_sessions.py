"""Twenty people edit at once: time from sending an edit to the end of its run, over the app's own websocket protocol.

Run it with ``python -m bench.bench_sessions``. A person is a websocket that opens the Contest page and then moves one
base score about once a second, as a browser would tell the server.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from storage.database import Database
from tests.browser.journey import large_debate, prepared_database
from tests.browser.serving import served

SESSIONS = 20
EDITS = 10
SIZE = 50  # arguments of the debate that is contested
WARM_UP = 8.0  # seconds; a server that has just started still loads what other pages will need


@dataclass
class Person:
    """One session: its connection and what the page told it about its widgets."""

    socket: ClientConnection
    widgets: dict[str, WidgetState] = field(default_factory=dict)
    fragment: str = ""
    picker: str = ""
    slider: str = ""
    page: str = ""

    async def run(self, query: str, fragment: str = "") -> float:
        """Send a run and return the seconds until it has finished."""
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = "contest"
        if self.page:
            message.rerun_script.page_script_hash = self.page
        if fragment:
            message.rerun_script.fragment_id = fragment
        message.rerun_script.widget_states.widgets.extend(self.widgets.values())
        begun = time.perf_counter()
        await self.socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(await self.socket.recv())
            kind = answer.WhichOneof("type")
            if kind == "delta":
                self._learn(answer)
            elif kind == "new_session":
                self.page = answer.new_session.page_script_hash
            elif kind == "script_finished":
                return time.perf_counter() - begun

    def _learn(self, answer: ForwardMsg) -> None:
        element = answer.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "slider" and element.slider.label == "Base score" and not element.slider.form_id:
            self.slider = element.slider.id
            self.fragment = answer.delta.fragment_id
        if kind == "selectbox" and element.selectbox.label == "Argument":
            self.picker = element.selectbox.id
            self.fragment = answer.delta.fragment_id

    def set(self, name: str, **value: object) -> None:
        """Set a widget's value as the browser would send it with the next run."""
        state = WidgetState(id=name)
        for key, given in value.items():
            if key == "double_array_value":
                state.double_array_value.data[:] = given
            else:
                setattr(state, key, given)
        self.widgets[name] = state


async def _person(address: str, debate: str, number: int, results: list[float]) -> None:
    rng = random.Random(number)
    uri = address.replace("http", "ws") + "/_stcore/stream"
    async with connect(uri, max_size=None, origin=Origin(address)) as socket:
        person = Person(socket)
        await person.run(f"d={debate}")
        person.set(
            person.picker, string_value=f"a{number}: Argument number {number} with a few words to fill its label."
        )
        await person.run(f"d={debate}", person.fragment)
        for _ in range(EDITS):
            await asyncio.sleep(rng.uniform(0.6, 1.4))
            person.set(person.slider, double_array_value=[round(rng.uniform(0.05, 0.95), 2)])
            results.append(await person.run(f"d={debate}", person.fragment))


async def _everybody(address: str, debate: str) -> list[float]:
    results: list[float] = []
    async with connect(address.replace("http", "ws") + "/_stcore/stream", max_size=None, origin=Origin(address)) as one:
        await Person(one).run(f"d={debate}")
    await asyncio.sleep(WARM_UP)
    await asyncio.gather(*(_person(address, debate, number, results) for number in range(SESSIONS)))
    return results


def figures() -> dict[str, float]:
    """Return the median and the 95th percentile, in milliseconds, of an edit among twenty sessions."""
    with tempfile.TemporaryDirectory() as place:
        debates = [large_debate(SIZE)]
        path = prepared_database(Path(place) / "moot.duckdb", *debates)
        Database.open(path).close()
        with served(path) as address:
            results = asyncio.run(_everybody(address, debates[0].id))
    return {
        "sessions_20_edits": float(len(results)),
        "sessions_20_median_ms": statistics.median(results) * 1000,
        "sessions_20_p95_ms": statistics.quantiles(results, n=20)[-1] * 1000,
    }


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}: {value:.4g}")
