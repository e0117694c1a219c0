"""Documents of every kind of block, for the tests of formats."""

from __future__ import annotations

from core.report.document import (
    Block,
    Check,
    Column,
    Document,
    Drawing,
    Facts,
    Heading,
    JudgeLine,
    Prose,
    Quote,
    Remark,
    Section,
    Tone,
    grid,
)
from core.report.drawings import ScoreLine, SignedBar, bars_drawn, scores_drawn

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "</style></svg></textarea><iframe src='https://evil.example/'></iframe>",
    "{{ 7 * 7 }} {% include 'report.css' %}",
    "# heading **bold** [link](https://evil.example) ![x](https://evil.example/x.png) `code` | cell",
    "- item",
    "1. item",
    "===",
    "---",
    "https://evil.example/ and www.evil.example and me@evil.example",
    "\\input{/etc/passwd} \\write18{rm} $x^2$ % comment & _ ~ ^ # { } \\end{document}",
    "\\end{longtable}}\\catcode`\\%=12",
    "[optional] *star* \\\\ ?` !` --- ``quoted'' ,,low'' <<guillemets>>",
    '=HYPERLINK("http://evil.example","x")',
    "\u202eright to left\u202c \u2066isolated\u2069 \u200b\u200d \x07\x1b[31m",
    "عربي עברית 中文 🙂 e\u0301",
    "x" * 10_000,
    "'; DROP TABLE debate; --",
)


def picture(text: str) -> Drawing:
    return bars_drawn((SignedBar(text, text, 0.5), SignedBar("A2", text, -0.2)), text, text, text)


def a_document(text: str = "plain words") -> Document:
    """Return a document in which a text stands wherever a text can."""
    columns = (Column(text), Column(text, number=True), Column(text, wide=True))
    blocks: tuple[Block, ...] = (
        Heading(text),
        Prose(text),
        *(Remark(text, text, tone) for tone in Tone),
        Quote(text, text),
        Facts(((text, text), (text, text))),
        grid(text, columns, [(text, text, text), ("", "1.0", text)], text),
        grid(text, columns, [(text, text, text)], text, folded=True),
        scores_drawn((ScoreLine(text, 0.6, 0.4), ScoreLine(text, None, 0.5)), 0.5, text, text),
        picture(text),
    )
    checks = (Check(text, text, "ab" * 32, text),)
    sections = tuple(
        Section(f"item-{n}", text, text, blocks, (text, text), checks, text, (JudgeLine(text, text, text, "cd"),))
        for n in (1, 2)
    )
    return Document(text, text, text, "0.1.0", sections, '{"title":' + repr(text) + "}", "ef" * 32, (text,))
