"""What the journeys share: Moot with its sample in a database of their own, and how a person waits for it."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from core.debate import Agent, Debate, DebateProtocol, Round
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.database import Database
from storage.dataset import Dataset
from storage.debate_repository import DebateRepository
from storage.sample import load_sample

HOSTILE = (
    "<script>window.hacked=1</script><img src=x onerror=window.hacked=1> **bold** [link](javascript:alert(1)) "
    '=HYPERLINK("http://example.org","x") $x^2$ :red[x] -> www.example.org \'; DROP TABLE debate; -- '
    "\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd"
)
LONG = "A very long argument. " * 454 + "It ends here."  # 10,001 characters
PAGES = {
    "home": "",
    "browse": "browse",
    "debate": "debate?d=family-outing",
    "rounds": "debate?d=microwave-inside-out&tab=Rounds",
    "changes": "debate?d=microwave-inside-out&tab=Rounds&part=What+changed",
    "contest": "contest?d=family-outing",
    "compare": "compare",
    "properties": "properties",
    "report": "report",
    "run": "run",
    "data": "data",
    "audit": "audit",
    "settings": "settings",
}


def hostile_debate() -> Debate:
    """Return a debate whose every text tries to be more than text."""
    return Debate(
        "hostile",
        HOSTILE,
        False,
        DebateProtocol.SINGLE_TURN,
        title=HOSTILE,
        agents=(Agent("A1", HOSTILE, HOSTILE, HOSTILE, HOSTILE), Agent("A2")),
        rounds=(
            Round(
                0,
                (Stance("A1", 0.5, 0.6), Stance("A2", 0.4, 0.3)),
                (Argument("A1-pro1", HOSTILE, "A1", 0.7), Argument("A2-con1", LONG, "A2", 0.6, source=HOSTILE)),
                (Relation("A1-pro1", TOPIC, RelationKind.SUPPORT), Relation("A2-con1", TOPIC, RelationKind.ATTACK)),
            ),
        ),
        tags=(HOSTILE,),
        note=HOSTILE,
    )


def large_debate(count: int) -> Debate:
    """Return a debate with ``count`` arguments in three levels, for speed and looks."""
    arguments, relations = [], []
    for n in range(count):
        arguments.append(
            Argument(f"a{n}", f"Argument number {n} with a few words to fill its label.", "A1", (n % 9) / 10 + 0.1)
        )
        target = TOPIC if n < max(4, count // 5) else f"a{(n * 7) % max(4, count // 5)}"
        kind = RelationKind.SUPPORT if n % 2 else RelationKind.ATTACK
        relations.append(Relation(f"a{n}", target, kind))
    return Debate(
        f"large-{count}",
        f"A debate may hold {count} arguments and stay readable.",
        None,
        DebateProtocol.OTHER,
        agents=(Agent("A1"),),
        rounds=(Round(0, (Stance("A1", 0.5, 0.5),), tuple(arguments), tuple(relations)),),
    )


def prepared_database(path: Path, *debates: Debate) -> Path:
    """Return a database with the sample, and with debates of the test's own."""
    with Database.open(path) as database:
        load_sample(database)
        if debates:
            DebateRepository(database).add(
                Dataset("test", "Test debates", "test.jsonl", "1" * 64, 1, "moot-debate/1"), debates
            )
    return path


def settled(page: Page) -> Page:
    """Wait until Streamlit has finished its run and nothing is stale."""
    expect(page.locator('[data-testid="stApp"]')).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator('[data-testid="stSkeleton"]')).to_have_count(0)  # parts that the browser loads late
    return page


def visit(page: Page, address: str, path: str = "") -> Page:
    """Open a page and wait until it has been drawn, the map included."""
    page.goto(f"{address}/{path}")
    expect(page.locator("h1").first).to_be_visible()
    settled(page)
    if ("contest?" in path or "debate?" in path) and "tab=" not in path:
        expect(page.locator(".board[data-drawn]").first).to_be_visible()
    if path == "data":
        expect(page.locator('[data-testid="stFileUploaderDropzone"][role="group"]')).to_be_visible()
    return page


def choose_in_map(page: Page, argument: str) -> None:
    """Click an argument in the map."""
    board = page.locator(".board")
    where = board.evaluate(
        """(root, name) => {
            const { looks, network } = root.moot.map, node = looks.get(name);
            return network.canvasToDOM({ x: node.x, y: node.y });
        }""",
        argument,
    )
    board.locator("canvas").click(position={"x": where["x"], "y": where["y"]})


def tile(page: Page, judge: str) -> Locator:
    """Return a judge's tile on the board."""
    return page.locator(".board .tile").filter(has_text=judge).first


def first_row(page: Page, x: int = 18) -> None:
    """Click the first row of the first table: its box, or what is at ``x``."""
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x, box["y"] + 36 + 18)  # below the row of names
