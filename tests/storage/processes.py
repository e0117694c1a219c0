"""Other processes, for tests in which two share a database or one is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start Python on a piece of code in Moot's folder; its output can be read line by line."""
    return subprocess.Popen(
        [sys.executable, "-u", "-c", code, *(str(argument) for argument in arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def read_line(process: subprocess.Popen[str]) -> str:
    """Return the next line that a process prints; an empty text when it ended."""
    assert process.stdout is not None
    return process.stdout.readline()


def end(process: subprocess.Popen[str]) -> None:
    """Kill a process, if it still runs, and wait for it."""
    process.kill()
    with process:  # waits, and closes its streams
        pass
