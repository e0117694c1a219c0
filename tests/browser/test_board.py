"""The board in a real browser: it follows the pointer, keeps its view, and shows text as text."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from core.contestation import Edit, EditKind, contest
from core.graph_map import standalone_html, svg_map
from core.judges import SemanticsJudge
from core.palette import DARK, LIGHT
from core.wording import judgement_chip
from tests.browser.board_app import HOSTILE, judges, profile

pytestmark = pytest.mark.browser

APP = Path(__file__).with_name("board_app.py")
TITLES = [judge.name for judge in judges()]


@pytest.fixture(scope="module")
def address(serve):
    return serve(APP)


def open_board(page: Page, address: str, **options: object) -> Locator:
    query = "&".join(f"{name}={value}" for name, value in options.items())
    page.goto(f"{address}/?{query}")
    board = page.locator(".board")
    expect(board).to_have_attribute("data-drawn", re.compile(r"\d+"))
    return board


def in_board(board: Locator, expression: str) -> Any:
    """Return what an expression over ``b``, the board's object, comes to."""
    return board.evaluate(f"(root) => {{ const b = root.moot; return {expression}; }}")


def place(board: Locator, name: str) -> dict[str, float]:
    """Return where an argument's disc stands on the screen, relative to the canvas."""
    found = in_board(
        board, f"b.map.network.canvasToDOM({{x: b.map.looks.get('{name}').x, y: b.map.looks.get('{name}').y}})"
    )
    return dict(found)


def choose(page: Page, board: Locator, name: str) -> None:
    board.locator("canvas").click(position=place(board, name))  # type: ignore[arg-type]
    expect(page.get_by_text(f"chosen {name},")).to_be_visible()


def tile(board: Locator, number: int) -> Locator:
    return board.locator(".tile").nth(number)


def contested_score(value: float, name: str = "a1", count: int = 6) -> float:
    edits = [Edit(EditKind.SET_BASE_SCORE, name, after=value)]
    score = SemanticsJudge().judge(contest(profile(count), edits).profile).score
    assert score is not None
    return score


def move_slider(board: Locator, value: float) -> None:
    """Drag the slider as the pointer does: input events, no change event yet."""
    board.locator("[type=range]").evaluate(
        "(range, value) => { range.value = value; range.dispatchEvent(new Event('input', {bubbles: true})); }", value
    )


def release_slider(board: Locator) -> None:
    board.locator("[type=range]").evaluate("(range) => range.dispatchEvent(new Event('change', {bubbles: true}))")


def test_every_judge_has_a_tile_with_its_verdict(browser_page, address):
    board = open_board(browser_page, address)
    expect(board.locator(".tile")).to_have_count(len(TITLES) + 1)
    for number, judge in enumerate(judges()):
        expect(tile(board, number).locator(".chip.after")).to_have_text(judgement_chip(judge.judge(profile(6))))
    expect(tile(board, len(TITLES))).to_contain_text("– Not run")


def test_a_click_on_a_disc_chooses_the_argument_in_python(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a2")
    expect(board.locator(".text")).to_have_text(profile(6).by_id["a2"].text)
    expect(board.locator("[type=number]")).to_have_value(f"{profile(6).by_id['a2'].base_score:g}")


def test_dragging_shows_the_new_verdict_before_python_knows(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a1")
    before = in_board(board, "b.map.looks.get('topic').strength")
    move_slider(board, 0.03)
    score = contested_score(0.03)
    change = score - (SemanticsJudge().judge(profile(6)).score or 0)
    expect(tile(board, 0).locator(".chip.after")).to_contain_text(f"{score:.2f}")
    expect(tile(board, 0).locator(".delta")).to_have_text(f"{change:+.3f}".replace("-", "−"))
    assert in_board(board, "b.map.looks.get('topic').strength") == pytest.approx(score, abs=1e-12) != before
    expect(browser_page.get_by_text("edits 0,")).to_be_visible()


def test_letting_go_makes_one_edit_and_python_s_score_stands(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a1")
    move_slider(board, 0.5)
    move_slider(board, 0.03)
    release_slider(board)
    expect(browser_page.get_by_text(f"edits 1, chosen a1, score {contested_score(0.03)!r}")).to_be_visible()
    assert in_board(board, "b.moves.size") == 0
    assert in_board(board, "b.results[0].score") == contested_score(0.03)
    assert in_board(board, "b.map.looks.get('a1').state") == "changed"


def test_the_slider_works_with_the_keyboard(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a1")
    base = profile(6).by_id["a1"].base_score
    assert base is not None
    board.locator("[type=range]").focus()
    browser_page.keyboard.press("ArrowLeft")
    expect(browser_page.get_by_text(f"edits 1, chosen a1, score {contested_score(base - 0.01)!r}")).to_be_visible()


def test_buttons_and_the_number_set_a_base_score_too(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a1")
    board.get_by_label("Base score, exact value").fill("0.125")
    board.get_by_label("Base score, exact value").press("Enter")
    expect(browser_page.get_by_text(f"edits 1, chosen a1, score {contested_score(0.125)!r}")).to_be_visible()
    board.get_by_label("Raise the base score by 0.10").click()
    expect(browser_page.get_by_text(f"edits 2, chosen a1, score {contested_score(0.225)!r}")).to_be_visible()
    board.get_by_text("Reset", exact=True).click()
    original = SemanticsJudge().judge(profile(6)).score
    expect(browser_page.get_by_text(f"edits 3, chosen a1, score {original!r}")).to_be_visible()
    expect(board.get_by_text("Reset", exact=True)).to_be_disabled()


def test_a_number_outside_the_range_is_brought_inside(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a1")
    board.get_by_label("Base score, exact value").fill("7")
    board.get_by_label("Base score, exact value").press("Enter")
    expect(browser_page.get_by_text(f"edits 1, chosen a1, score {contested_score(1.0)!r}")).to_be_visible()
    expect(board.get_by_label("Base score, exact value")).to_have_value("1")


def test_a_flip_is_said_in_words_and_announced(browser_page, address):
    board = open_board(browser_page, address)
    was_true = (SemanticsJudge().judge(profile(6)).score or 0) >= 0.5
    name, value = next(
        (f"a{n}", extreme)
        for n in range(1, 7)
        for extreme in (0.0, 1.0)
        if (contested_score(extreme, f"a{n}") >= 0.5) is not was_true
    )
    choose(browser_page, board, name)
    move_slider(board, value)
    expect(tile(board, 0)).to_contain_text("⇄ flipped")
    release_slider(board)
    expect(board.locator(".said")).to_contain_text("flipped from")


def test_an_old_answer_does_not_undo_a_newer_drag(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a1")
    move_slider(board, 0.03)
    expect(tile(board, 0).locator(".chip.after")).to_contain_text(f"{contested_score(0.03):.2f}")
    in_board(board, "b.update({...b.data, seq: b.moves.get('a1').seq - 1}, b.send)")  # what Python knew before the drag
    expect(tile(board, 0).locator(".chip.after")).to_contain_text(f"{contested_score(0.03):.2f}")
    in_board(
        board, "b.update({...b.data, seq: b.moves.get('a1').seq}, b.send)"
    )  # Python's answer to the drag itself stands
    assert in_board(board, "b.results[0].score") == SemanticsJudge().judge(profile(6)).score


def test_a_slider_dragged_away_and_back_changes_nothing(browser_page, address):
    board = open_board(browser_page, address)
    choose(browser_page, board, "a1")
    move_slider(board, 0.03)
    move_slider(board, profile(6).by_id["a1"].base_score or 0)
    board.locator("[type=range]").evaluate("(range) => range.dispatchEvent(new Event('pointerup'))")
    assert in_board(board, "b.moves.size") == 0
    original = SemanticsJudge().judge(profile(6)).score
    expect(tile(board, 0).locator(".chip.after")).to_contain_text(f"{original:.2f}")
    expect(browser_page.get_by_text("edits 0,")).to_be_visible()


def test_edits_keep_the_canvas_the_zoom_and_the_positions(browser_page, address):
    board = open_board(browser_page, address, n=20)
    choose(browser_page, board, "a1")
    in_board(
        board, "(b.mark = 'same', b.map.network.moveTo({scale: 1.7, position: {x: 31, y: 77}}), b.map.touched = true)"
    )
    view = "[b.mark, b.map.network.getScale(), b.map.network.getViewPosition(), b.map.network.getPositions()]"
    before = in_board(board, view)
    move_slider(board, 0.9)
    release_slider(board)
    expect(browser_page.get_by_text("edits 1,")).to_be_visible()
    browser_page.get_by_role("button", name="Remove a2").click()
    expect(browser_page.get_by_text("edits 2,")).to_be_visible()
    assert in_board(board, "b.map.looks.get('a2').state") == "removed"
    after = in_board(board, view)
    assert after == pytest.approx(before) if isinstance(after, float) else after == before


def test_an_added_argument_appears_without_a_new_map(browser_page, address):
    board = open_board(browser_page, address)
    in_board(board, "b.mark = 'same'")
    browser_page.get_by_role("button", name="Add one").click()
    expect(browser_page.get_by_text("edits 1,")).to_be_visible()
    assert in_board(board, "[b.mark, b.map.looks.get('x0').state, b.map.network.body.nodes.x0 !== undefined]") == [
        "same",
        "added",
        True,
    ]


def test_a_tile_shows_its_judge_s_strengths_in_the_map(browser_page, address):
    board = open_board(browser_page, address)
    tile(board, 1).click()
    expect(tile(board, 1)).to_have_attribute("aria-pressed", "true")
    expect(tile(board, 0)).to_have_attribute("aria-pressed", "false")
    assert in_board(board, "b.map.looks.get('topic').strength") == pytest.approx(
        SemanticsJudge("qe").judge(profile(6)).score, abs=1e-8
    )


def test_the_topic_s_base_score_can_be_moved_too(browser_page, address):
    board = open_board(browser_page, address)
    board.get_by_label("Argument to change").select_option("topic")
    expect(browser_page.get_by_text("chosen topic,")).to_be_visible()
    move_slider(board, 0.9)
    release_slider(board)
    edit = Edit(EditKind.SET_TOPIC_BASE_SCORE, after=0.9)
    score = SemanticsJudge().judge(contest(profile(6), [edit]).profile).score
    expect(browser_page.get_by_text(f"edits 1, chosen topic, score {score!r}")).to_be_visible()


def test_without_editing_there_is_no_what_if_bar_and_no_comparison(browser_page, address):
    board = open_board(browser_page, address, ro=1)
    expect(board.locator(".whatif")).to_be_hidden()
    expect(board.locator(".legend .of-edits").first).to_be_hidden()
    expect(board.locator(".chip.before:visible")).to_have_count(0)
    choose(browser_page, board, "a1")


def test_hostile_text_is_text(browser_page, address):
    board = open_board(browser_page, address, hostile=1)
    choose(browser_page, board, "a1")
    shown = " ".join(HOSTILE.split())
    expect(board.locator(".text")).to_have_text(shown)
    expect(board.locator("select option").nth(1)).to_contain_text("<img src=x onerror=")
    board.locator("canvas").hover(position=place(board, "a1"))  # type: ignore[arg-type]
    expect(board.locator(".tip-text")).to_have_text(shown)
    assert board.locator("img, script").count() == 0
    assert browser_page.evaluate("window.broken") is None


def test_a_cycle_is_judged_like_in_python(browser_page, address):
    board = open_board(browser_page, address, n=8, cycle=1)
    choose(browser_page, board, "a1")
    move_slider(board, 0.31)
    edits = [Edit(EditKind.SET_BASE_SCORE, "a1", after=0.31)]
    judgement = SemanticsJudge().judge(contest(profile(8, cycle=True), edits).profile)
    browser_page.wait_for_function(
        "([root, score]) => Math.abs(root.moot.results[0].score - score) <= 1e-12",
        arg=[board.element_handle(), judgement.score],
    )


def test_more_than_three_hundred_arguments_start_with_the_first_levels(browser_page, address):
    board = open_board(browser_page, address, n=320)
    expect(board.locator(".note")).to_contain_text("of 320 arguments lie deeper and are not shown")
    shown = in_board(board, "b.map.nodeSet.length")
    assert isinstance(shown, int)
    assert shown < 321
    board.get_by_role("button", name="Show all").click()
    expect(board.locator(".note")).to_be_hidden()
    assert in_board(board, "b.map.nodeSet.length") == 321


def test_more_than_a_thousand_arguments_have_tiles_but_no_map(browser_page, address):
    browser_page.goto(f"{address}/?n=1001")
    board = browser_page.locator(".board")
    expect(board.locator(".note")).to_contain_text("1001 arguments are too many for a map")
    expect(board.locator(".tile").first).to_be_visible()
    assert board.locator("canvas").count() == 0


def test_colours_follow_the_theme_without_a_new_map(browser_page, address):
    board = open_board(browser_page, address)
    expect(board).to_have_attribute("data-theme", "light")
    in_board(board, "b.mark = 'same'")
    assert in_board(board, "b.colours.support") == LIGHT.support
    browser_page.emulate_media(color_scheme="dark")
    expect(board).to_have_attribute("data-theme", "dark")
    assert in_board(board, "[b.mark, b.colours.support, b.colours.background]") == [
        "same",
        DARK.support,
        DARK.background,
    ]


def test_zoom_buttons_and_keys_move_the_map(browser_page, address):
    board = open_board(browser_page, address, n=20)
    in_board(board, "b.map.animation = () => false")
    scale = in_board(board, "b.map.network.getScale()")
    board.get_by_label("Zoom in").click()
    assert in_board(board, "b.map.network.getScale()") == pytest.approx(1.25 * scale)
    board.get_by_label("Zoom out").click()
    assert in_board(board, "b.map.network.getScale()") == pytest.approx(scale)
    board.get_by_role("img", name=re.compile("Argument map of the claim")).focus()
    left = in_board(board, "b.map.network.getViewPosition().x")
    browser_page.keyboard.press("ArrowRight")
    assert in_board(board, "b.map.network.getViewPosition().x") > left
    browser_page.keyboard.press("+")
    assert in_board(board, "b.map.network.getScale()") == pytest.approx(1.25 * scale)
    board.get_by_label("Fit the whole map").click()
    corners = """[-1, 1].map((side) => {
      const {left, right, top, bottom} = b.map.bounds(b.data.layouts[b.map.layout].xy);
      const at = b.map.network.canvasToDOM(side < 0 ? {x: left, y: top} : {x: right, y: bottom});
      return [at.x, at.y];
    })"""
    (left, top), (right, bottom) = in_board(board, corners)
    assert left >= -1
    assert top >= -1
    assert right <= in_board(board, "b.map.stage.clientWidth") + 1
    assert bottom <= in_board(board, "b.map.stage.clientHeight") + 1


def test_nothing_is_animated_for_people_who_want_no_motion(open_context, address):
    page = open_context(reduced_motion="reduce").pages[0]
    board = open_board(page, address)
    scale = in_board(board, "b.map.network.getScale()")
    zoomed = board.evaluate(
        "(root) => { root.querySelector('.zoom-in').click(); return root.moot.map.network.getScale(); }"
    )
    assert zoomed == pytest.approx(1.25 * scale)


def test_the_map_says_in_words_what_it_shows(browser_page, address):
    board = open_board(browser_page, address)
    name = board.locator(".vis-network").get_attribute("aria-label") or ""
    assert "6 arguments, 3 supporting and 3 attacking the topic" in name
    assert "DF-QuAD" in name
    assert board.locator(".vis-network").get_attribute("role") == "img"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_the_board_fits_its_window_and_controls_are_large_enough(open_context, address, width, scheme):
    page = open_context(viewport={"width": width, "height": 900}, color_scheme=scheme).pages[0]
    board = open_board(page, address)
    board.get_by_label("Argument to change").select_option("a1")
    expect(page.get_by_text("chosen a1,")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for control in board.locator("button:visible, select:visible, input:visible, summary:visible").all():
        box = control.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24, control.inner_text()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_the_board_asks_for_nothing_outside_the_machine(open_context, address):
    page = open_context().pages[0]
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url))
    board = open_board(page, address, n=20)
    choose(page, board, "a1")
    assert [url for url in outside if not re.match(rf"({address}|ws://127\.0\.0\.1|blob:|data:)", url)] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_board(open_context, address, scheme):
    from axe_playwright_python.sync_playwright import Axe

    page = open_context(color_scheme=scheme).pages[0]
    board = open_board(page, address)
    choose(page, board, "a1")
    board.get_by_label("Raise the base score by 0.10").click()
    expect(page.get_by_text("edits 1,")).to_be_visible()
    found = Axe().run(
        page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    )
    ours = [
        (violation["id"], node["html"])
        for violation in found.response["violations"]
        for node in violation["nodes"]
        if isinstance(node["target"][0], list)  # inside a shadow root: the board's
    ]
    assert ours == []
    assert any(isinstance(node["target"][0], list) for rule in found.response["passes"] for node in rule["nodes"])


@pytest.mark.parametrize("name", ["map.html", "map.svg"])
def test_an_exported_map_opens_from_a_file_and_asks_for_nothing(open_context, tmp_path, name):
    debate = profile(12, hostile=True)
    strengths = SemanticsJudge().judge(debate).strengths
    make = standalone_html if name.endswith("html") else svg_map
    (tmp_path / name).write_text(make(debate, strengths, debate.claim), encoding="utf-8")
    page = open_context(offline=True).pages[0]
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto((tmp_path / name).as_uri())
    if name.endswith("html"):
        expect(page.locator("#mynetwork canvas")).to_be_visible()
        assert page.evaluate("network.body.nodeIndices.length") == 13
        expect(page.locator("tbody tr")).to_have_count(12)
        assert page.title().startswith("<img src=x onerror=")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert wrong == []
    assert page.evaluate("window.broken") is None
