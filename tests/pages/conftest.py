"""Pages run by Streamlit's AppTest on a database of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.debate import Agent, Debate, DebateProtocol, RecordedJudgement, Round
from core.judgement import Verdict
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.database import Database
from storage.dataset import Dataset
from storage.debate_repository import DebateRepository

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = (
    '<script>alert(1)</script> **bold** [a](javascript:alert(1)) =HYPERLINK("http://x") $x^2$ :red[x] '
    "'; DROP TABLE debate; -- \u202eright to left\u202c"
)

Open = Callable[..., AppTest]


def zoo(
    name: str = "zoo", claim: str = "The family should visit the zoo.", text: str = "The animals are fun."
) -> Debate:
    """Return a small debate: DF-QuAD with topic 0.5 gives 0.5 + 0.5 * (0.8 - 0.6) = 0.6."""
    return Debate(
        name,
        claim,
        label=True,
        protocol=DebateProtocol.SINGLE_TURN,
        agents=(Agent("A1", "Debater 1"), Agent("A2", "Debater 2")),
        rounds=(
            Round(
                0,
                (Stance("A1", 0.6, 0.7), Stance("A2", 0.4, 0.3)),
                (
                    Argument("A1-pro1", text, "A1", 0.8),
                    Argument("A2-con1", "It may rain.", "A2", 0.6),
                ),
                (
                    Relation("A1-pro1", TOPIC, RelationKind.SUPPORT),
                    Relation("A2-con1", TOPIC, RelationKind.ATTACK),
                ),
            ),
        ),
        judgements=(RecordedJudgement("some model", score=0.4, verdict=Verdict.FALSE, explanation="Rain is likely."),),
        tags=("start here",),
    )


def two_rounds() -> Debate:
    first = zoo("rounds").rounds[0]
    second = Round(
        1,
        (Stance("A1", None, 0.9), Stance("A2", None, 0.6)),
        (*first.arguments, Argument("A2-con2", "The queue is long.", "A2", None)),
        (*first.relations, Relation("A2-con2", "A1-pro1", RelationKind.ATTACK)),
    )
    return Debate(
        "rounds",
        "The zoo is open on Sundays.",
        None,
        DebateProtocol.MULTI_TURN_PRIVATE,
        agents=(Agent("A1"), Agent("A2", model="a-model")),
        rounds=(first, second),
    )


def store(path: Path, *debates: Debate) -> None:
    with Database.open(path) as database:
        DebateRepository(database).add(Dataset("d1", "Test set", "test.jsonl", "0" * 64, 1, "moot-debate/1"), debates)


@pytest.fixture
def database_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "moot.duckdb"
    monkeypatch.setenv("MOOT_DB", str(path))
    st.cache_resource.clear()
    st.cache_data.clear()
    yield path
    st.cache_resource.clear()  # closes the database


@pytest.fixture
def open_page(database_path: Path) -> Open:
    """Return a function that opens a page of the app, as a link to it would."""

    def opened(page: str = "explore/home", *debates: Debate, **query: str) -> AppTest:
        if debates or not database_path.exists():
            store(database_path, *debates)
        app = AppTest.from_file(str(ROOT / "pages" / "navigation" / "main.py"), default_timeout=30)
        for key, value in query.items():
            app.query_params[key] = value
        app.run()
        if page != "explore/home":
            app.switch_page(f"../{page}.py").run()
        assert not app.exception, app.exception
        return app

    return opened
