"""Moot's command line, run as people run it: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def command(
    folder: Path, *arguments: object, stdin: str | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, on a database in there, and return what it printed."""
    return subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *(str(argument) for argument in arguments)],
        cwd=folder,
        env={**os.environ, "MOOT_DB": str(folder / "moot.duckdb"), **environment},
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
