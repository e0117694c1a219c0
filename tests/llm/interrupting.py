"""A command of ours, interrupted as by Ctrl and C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

PATIENCE = 60.0


def interrupted(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], begun: threading.Event
) -> tuple[int, str]:
    """Start ``cli.py`` in a folder, interrupt it once it has begun, and return its exit code and its standard error.

    A command hears interrupts even where the tests run in the background of a shell, which has programs ignore them.
    """
    line = [sys.executable, str(Path(__file__).resolve().parents[2] / "cli.py"), *arguments]
    with subprocess.Popen(
        line,
        cwd=folder,
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            assert begun.wait(PATIENCE)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, said
