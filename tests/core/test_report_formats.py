"""Reports as HTML, Markdown and LaTeX: whatever a text holds, it stays a text."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.report import latex, markdown
from core.report.html import PAGE, STYLE, paragraphs, shown, to_html
from core.table_export import one_line
from tests.core.report_documents import HOSTILE, a_document

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "report"
TEMPLATES = {name: (FOLDER / name).read_text("utf-8") for name in (PAGE, STYLE)}
OURS = {
    "html", "head", "meta", "title", "style", "body", "main", "header", "nav", "section", "figure", "figcaption", "div",
    "p", "h1", "h2", "h3", "ol", "ul", "li", "a", "span", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr",
    "th", "td", "details", "summary", "blockquote", "pre", "code", "svg", "g", "rect", "line", "circle", "text",
    "polygon", "path", "polyline", "tspan",
}  # fmt: skip


class Tags(HTMLParser):
    """The tags of a page with the names of their attributes, pictures left out; and every address."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.outside: list[tuple[str, tuple[str, ...]]] = []
        self.names: set[str] = set()
        self.addresses: list[str] = []
        self.words: list[str] = []
        self.inside = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.inside += tag == "svg"
        if not self.inside:
            self.outside.append((tag, tuple(name for name, _ in attrs)))
        self.addresses += [str(value) for name, value in attrs if name in ("href", "src", "action", "xlink:href")]

    def handle_endtag(self, tag):
        self.inside -= tag == "svg"

    def handle_data(self, data):
        self.words.append(data)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_changes_what_a_page_is_made_of(text):
    usual, page = (Tags(to_html(a_document(words), TEMPLATES)) for words in ("plain words", text))
    assert page.outside == usual.outside
    assert page.names <= OURS
    assert set(page.addresses) == {"#item-1", "#item-2"}


@pytest.mark.parametrize("text", HOSTILE)
def test_every_text_can_be_read_in_the_page(text):
    page = Tags(to_html(a_document(text), TEMPLATES))
    assert page.words.count(shown(text)) >= 20


def test_the_page_forbids_all_but_its_own_style_sheet():
    page = to_html(a_document(), TEMPLATES)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy is not None
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    kept = policy[1].replace("&#39;", "'")
    assert kept == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "<script" not in page
    assert " style=" not in page


def test_a_page_of_harmless_texts_holds_no_address():
    assert "http" not in to_html(a_document(), TEMPLATES).replace("http-equiv", "")
    assert "url(" not in TEMPLATES[STYLE]


def test_equal_documents_give_equal_files():
    for write in (lambda one: to_html(one, TEMPLATES), markdown.to_markdown, latex.to_latex):
        assert write(a_document()) == write(a_document())


def test_signs_that_turn_the_text_around_them_are_made_visible_and_those_of_words_stay():
    assert shown("a\u202eb\u2066c\x1bd") == "a\ufffdb\ufffdc\ufffdd"
    assert shown("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u200f e\u0301") == (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u200f e\u0301"
    )


def test_blank_lines_part_paragraphs():
    assert paragraphs("one\ntwo\n \nthree\n\n\n") == ["one\ntwo", "three"]


# --- Markdown ---------------------------------------------------------------------------------------------------------


def rendered(text):
    """Return Markdown as tokens: each block, and within text each piece."""
    parser = pytest.importorskip("markdown_it").MarkdownIt("gfm-like", {"html": True, "linkify": False}).enable("table")
    tokens: list[Any] = []
    for token in parser.parse(text):
        tokens += token.children if token.children is not None else [token]
    return tokens


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_changes_what_markdown_is_made_of(text):
    kinds = [
        [token.type for token in rendered(markdown.to_markdown(a_document(words))) if token.type != "text"]
        for words in ("plain words", text)
    ]
    assert [kind for kind in kinds[1] if kind != "text_special"] == kinds[0]
    assert not {"html_block", "html_inline", "link_open", "code_inline"} & set(kinds[1])


@given(st.text(max_size=60))
def test_markdown_says_a_text_as_it_was(text):
    escaped = markdown.escaped(text)
    tokens = rendered(f"a\n\n{escaped}\n")
    said = "".join(token.content for token in tokens if token.type in ("text", "text_special"))
    assert said == f"a{one_line(shown(text))}"


@pytest.mark.parametrize("text", ["https://evil.example/", "www.evil.example", "me@evil.example", "mailto:me@x"])
def test_an_address_is_no_link_in_markdown(text):
    parser = pytest.importorskip("markdown_it").MarkdownIt("gfm-like", {"linkify": False})
    assert "<a" not in parser.render(markdown.escaped(text))
    assert not re.search(r"(?:https?://|(?<!\\)@|www\.)", markdown.escaped(text))


def test_pictures_stand_at_the_end_as_data():
    text = markdown.to_markdown(a_document())
    pictures = re.findall(r"^\[picture-(\d+)\]: data:image/svg\+xml;base64,(\S+)$", text, re.MULTILINE)
    assert [number for number, _ in pictures] == ["1", "2", "3", "4"]
    assert all(base64.b64decode(data).startswith(b"<svg") for _, data in pictures)
    assert set(re.findall(r"\]\[picture-(\d+)\]", text)) == {number for number, _ in pictures}


# --- LaTeX ------------------------------------------------------------------------------------------------------------

MEANT = {
    r"\textbackslash{}": "\\", r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#", r"\_": "_", r"\{": "{", r"\}": "}",
    r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<", r"\textgreater{}": ">",
    r"\textbar{}": "|", r"\symbol{34}": '"', r"\textasciigrave{}": "`", r"\textquotedblleft{}": "“",
    r"\textquotedblright{}": "”", r"\textquoteright{}": "’", r"\textperiodcentered{}": "·", r"\ldots{}": "…",
    r"$-$": "−", r"$\pm$": "±", r"$\geq$": "≥", r"$\leq$": "≤", r"$\times$": "×", r"$\rightarrow$": "→",
    r"$\downarrow$": "↓", r"$\kappa$": "κ", r"$\Delta$": "Δ", r"$\checkmark$": "✓", r"$\rightleftarrows$": "⇄",
    "--": "–", "{}": "", r"\allowbreak{}": "", r"\quad{}": "\u2003",
}  # fmt: skip
TOKEN = re.compile("|".join(map(re.escape, sorted(MEANT, key=len, reverse=True))) + r"|[^\\{}$&#^_~%]")


def said_by_latex(text):
    """Return what an escaped text says, or None where it holds anything but signs and our own marks for them."""
    at, said = 0, []
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            return None
        said.append(MEANT.get(found.group(), found.group()))
        at = found.end()
    return "".join(said)


@given(st.one_of(st.text(max_size=80), st.text("\\{}$&#^_~%`'-,?!<>|\"[]* ab\u2003", max_size=80)))
def test_latex_finds_no_command_in_a_text_and_says_it_as_it_was(text):
    plain = " ".join(one_line(shown(text)).split()).replace("✕", "×")
    said = said_by_latex(latex.escaped(text))
    assert said is not None
    assert " ".join(said.replace("\u2003", " ").split()) == plain


@pytest.mark.parametrize("text", HOSTILE)
def test_a_whole_latex_document_keeps_its_structure_whatever_a_text_holds(text):
    commands = [
        re.findall(r"\\(?:begin|end|section|subsection|title|author|date|toprule|midrule|bottomrule)\b", one)
        for one in (latex.to_latex(a_document("plain words")), latex.to_latex(a_document(text)))
    ]
    assert commands[0] == commands[1]
    body = latex.to_latex(a_document(text)).removeprefix(latex.PREAMBLE)
    bare = re.sub(r"\\[\\{}%$&#_]", "", body)
    assert bare.count("{") == bare.count("}")
    assert "%" not in bare
    assert "#" not in bare


def test_long_words_can_be_broken_in_latex():
    pieces = latex.escaped("x" * 100).split(r"\allowbreak{}")
    assert [len(piece) for piece in pieces] == [30, 30, 30, 10]


def test_no_ligature_changes_a_text_in_latex():
    assert latex.escaped("--- ?` !` '' ,,") == (r"-{}-{}- ?{}\textasciigrave{} !{}\textasciigrave{} '{}' ,{},")


@pytest.mark.parametrize("text", ["[1em] first", "*"])
def test_no_cell_of_a_latex_report_is_taken_for_an_option_of_the_rule_or_row_before(text):
    written = latex.to_latex(a_document(text))
    rows = re.findall(r"(?:\\\\|\\toprule|\\midrule|\\endhead|L\{[\d.]+\\linewidth\}@\{\})\}?\n(.)", written)
    assert len(rows) > 10
    assert not {"[", "*"} & set(rows)


def test_a_long_word_can_be_broken_where_columns_are_narrow():
    cells = re.findall(r"\{(x[^&\n]*)\} & ", latex.to_latex(a_document("x" * 200)))
    assert cells
    assert max(len(piece) for cell in cells for piece in cell.split(r"\allowbreak{}")) <= 10


def test_a_row_of_a_latex_report_that_is_longer_than_a_page_goes_on_in_the_next_rows():
    words = " ".join(str(number) for number in range(3000))
    lines = latex.to_latex(a_document(words)).splitlines()
    rows = [line.removesuffix(r" \\")[1:-1].split("} & {") for line in lines if line.startswith("{") and " & " in line]
    facts = [row for row in rows if len(row) == 2]
    assert max(len(cell) for row in facts for cell in row) <= 2_500
    assert words in " ".join(cell for _, cell in facts)
