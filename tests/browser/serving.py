"""Serve Moot, or another Streamlit script, on this machine for a while."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds until a server that does not answer counts as broken


@contextmanager
def served(database: Path, script: Path = ROOT / "app.py", **environment: str) -> Iterator[str]:
    """Serve a script with a database; the address is there as long as the context is open.

    What the server says goes into a file beside the database.

    Raises:
        RuntimeError: If it does not start; the message is what the server said last.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    log = database.with_suffix(".log")
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}", "--server.headless=true"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "MOOT_DB": str(database), **environment},
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        if not _answers(address, process):
            raise RuntimeError(f"The server did not start:\n{log.read_text(errors='replace')[-2000:]}")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def _answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    return False
