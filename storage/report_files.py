"""A report as the bytes of a file, in each format."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

from core.errors import InvalidSetting, UnreadableFile
from core.export import file_name, file_stem
from core.report.html import PAGE, STYLE, to_html
from core.report.latex import to_latex
from core.report.markdown import to_markdown
from core.report.report import Report
from storage.database import Database
from storage.report_source import report_document

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "assets" / "report"
KINDS = {"html": "html", "md": "md", "latex": "tex"}  # format and the ending of its file
MIME = {"html": "text/html", "md": "text/markdown", "latex": "application/x-tex", "recipe": "application/json"}


def report_file(database: Database, report: Report, kind: str) -> bytes:
    """Return a report in one format; the same report, database and version of Moot give the same bytes.

    Raises:
        InvalidSetting: If there is no such format.
        UnreadableFile: If a template is missing.
    """
    if kind not in KINDS:
        raise InvalidSetting(f"There is no report format {kind!r}; there are {', '.join(KINDS)}.")
    made = report_document(database, report, version())
    text = {
        "html": lambda: to_html(made, templates()),
        "md": lambda: to_markdown(made),
        "latex": lambda: to_latex(made),
    }
    return text[kind]().encode("utf-8", "replace")


def report_file_name(report: Report, kind: str) -> str:
    """Return what a report's file, or its recipe's, is called."""
    stem = "-".join(part for part in (file_stem(report.title.strip() or "report"), report.date) if part)
    return file_name(stem, "recipe.json" if kind == "recipe" else KINDS[kind])


def templates() -> dict[str, str]:
    """Return the templates of pages by name.

    Raises:
        UnreadableFile: If one is missing.
    """
    try:
        return {name: (TEMPLATES / name).read_text("utf-8") for name in (PAGE, STYLE)}
    except OSError as error:
        raise UnreadableFile(f"A template of reports cannot be read: {error}.") from error


@lru_cache(maxsize=1)
def version() -> str:
    """Return Moot's version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


__all__ = ["KINDS", "MIME", "report_file", "report_file_name"]
