import re
from html.parser import HTMLParser

import pandas as pd
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs

from core.chart_export import KINDS, chart_file, chart_file_name, chart_html, dressed, stable_svg
from core.errors import InvalidSetting, NoBrowser
from core.figures import Chart
from core.palette import DARK, LIGHT
from core.table_export import Caption

HOSTILE = "</script><script>fetch('https://evil.example')</script><img src=https://evil.example/x>"
CAPTION = Caption("Accuracy", "zoo", ("A", "B"), 2, 3)


def some_chart(text: str = "one") -> Chart:
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 4], text=[text, text]))
    return Chart(figure, f"Two marks of {text}.", pd.DataFrame({"name": [text, "two"], "value": [3.0, 4.0]}))


class Addresses(HTMLParser):
    """Collect every address that a page would load, and its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found += [value or "" for name, value in attrs if name in {"src", "href", "action", "data", "poster"}]


def page(chart: Chart, caption: Caption = CAPTION) -> str:
    return chart_html(chart, caption, LIGHT)


def test_a_page_stands_alone_and_may_load_nothing():
    html = page(some_chart())
    parser = Addresses()
    parser.feed(html)
    assert parser.found == []
    assert "link" not in parser.tags
    assert "default-src 'none'" in html
    without_library = html.replace(get_plotlyjs(), "")
    assert len(without_library) < 20_000
    assert not re.search(r"https?://", without_library)


def test_a_page_says_in_words_what_it_shows_and_of_what():
    html = page(some_chart())
    assert 'role="img" aria-label="Two marks of one."' in html
    assert "Data set: zoo. Judges: A; B. n = 2 of 3 debates. Filter: none." in html
    assert "<td>one</td><td>3.000</td>" in html


def test_hostile_text_stays_text():
    html = page(some_chart(HOSTILE), Caption(HOSTILE, HOSTILE, (HOSTILE,), 2, 3))
    parser = Addresses()
    parser.feed(html)
    assert parser.found == []
    assert "img" not in parser.tags
    assert parser.tags.count("script") == page(some_chart()).count("<script")


def test_equal_charts_give_equal_pages():
    assert page(some_chart()) == page(some_chart())


def test_a_long_table_is_cut_in_the_page_but_not_in_the_csv():
    chart = Chart(go.Figure(), "Many.", pd.DataFrame({"value": range(600)}))
    assert "The first 500 of 600 rows." in page(chart)
    assert chart_file(chart, "csv", CAPTION, LIGHT).count(b"\r\n") == 602  # caption, head and 600 rows


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_a_dressed_figure_has_the_palettes_ground_and_ink_and_leaves_the_original_alone(palette):
    chart = some_chart()
    figure = dressed(chart.figure, palette)
    assert (figure.layout.paper_bgcolor, figure.layout.font.color) == (palette.background, palette.ink)
    assert chart.figure.layout.paper_bgcolor is None
    assert chart.figure.data[0].uid is None


def test_images_are_drawn_by_what_is_handed_in():
    asked = []

    def draw(figure: go.Figure, kind: str) -> bytes:
        asked.append((kind, figure.layout.width, figure.layout.height))
        return b'<svg><defs id="defs-abc123"/><g clip-path="url(#clipabc123xy)" fill="#abc123"/></svg>'

    assert chart_file(some_chart(), "png", CAPTION, LIGHT, draw).startswith(b"<svg>")
    svg = chart_file(some_chart(), "svg", CAPTION, LIGHT, draw)
    assert svg == b'<svg><defs id="defs-moot"/><g clip-path="url(#clipmootxy)" fill="#abc123"/></svg>'
    assert asked == [("png", 820, 420), ("svg", 820, 420)]


def test_an_svg_without_random_ids_is_left_alone():
    assert stable_svg('<svg id="x"/>') == '<svg id="x"/>'


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_without_a_browser_an_image_is_refused_with_what_to_do(kind):
    with pytest.raises(NoBrowser, match=f"as {kind.upper()} here.*BROWSER_PATH"):
        chart_file(some_chart(), kind, CAPTION, LIGHT)


def test_an_unknown_kind_is_refused():
    with pytest.raises(InvalidSetting, match="'gif'"):
        chart_file(some_chart(), "gif", CAPTION, LIGHT)
    assert KINDS == ("html", "csv", "svg", "png", "pdf")


def test_a_file_is_named_by_data_set_chart_and_day():
    assert chart_file_name("My zoo/1", "accuracy", "20260131", "svg") == "debates_My-zoo-1_accuracy_20260131.svg"
