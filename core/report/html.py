"""A report as one page that needs nothing else: no script, no address, and a policy that forbids both."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping

import jinja2
from markupsafe import Markup

from core.palette import DARK, LIGHT, css_variables
from core.report.document import Block, Document, Drawing
from core.report.themed import declarations, themed

PAGE, STYLE = "report.html", "report.css"  # templates that are needed

# Control characters, and what changes the direction of the text after it. Marks of one place, which some scripts
# need within words, stay.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")


def to_html(document: Document, templates: Mapping[str, str]) -> str:
    """Return the page. Equal documents and templates give the same page, to the last bit.

    Args:
        document: What to show.
        templates: Texts by name: ``PAGE`` in Jinja, ``STYLE`` in CSS.
    """
    environment = jinja2.Environment(
        loader=jinja2.DictLoader(dict(templates)),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finished,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    colours: dict[str, str] = {}
    drawings = _drawings(document)
    drawn = {id(block): Markup(themed(block.light, block.dark, colours)) for block in drawings}  # noqa: S704
    narrow = {
        id(block): Markup(themed(*block.narrow, colours))  # noqa: S704
        for block in drawings
        if block.narrow is not None
    }
    style = _style(templates[STYLE], colours)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return environment.get_template(PAGE).render(
        document=document,
        kind=lambda block: type(block).__name__,
        svg=lambda block: drawn[id(block)],
        narrow=lambda block: narrow.get(id(block)),
        paragraphs=paragraphs,
        style=Markup(style),  # noqa: S704 - ours alone
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
    )


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text: what blank lines part."""
    return [part for part in (piece.strip("\n") for piece in re.split(r"\n[ \t]*\n", text.strip())) if part.strip()]


def shown(text: str) -> str:
    """Return a text with what cannot be seen, or would turn the text around it, made visible."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))


def _finished(value: object) -> object:
    return shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _drawings(document: Document) -> list[Drawing]:
    blocks: list[Block] = [block for section in document.sections for block in section.blocks]
    return [block for block in blocks if isinstance(block, Drawing)]


def _style(template: str, colours: Mapping[str, str]) -> str:
    light = f"{css_variables(LIGHT)} {declarations(colours, dark=False)}"
    dark = f"{css_variables(DARK)} {declarations(colours, dark=True)}"
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n{template}"
    )


__all__ = ["PAGE", "STYLE", "paragraphs", "shown", "to_html"]
