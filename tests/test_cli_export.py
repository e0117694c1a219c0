"""``export --format``: the same files as on the pages, and what they lose on standard error."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from core.exporting import EXPORTERS
from storage.readers import read_file

ROOT = Path(__file__).resolve().parents[1]
LOGS = ROOT / "tests" / "fixtures" / "logs"


@pytest.fixture
def moot(tmp_path):
    """Return a function that runs a command on a database of its own, in which two logs are."""

    def run(*arguments):
        command = [sys.executable, str(ROOT / "cli.py"), "--db", "moot.duckdb", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120)

    assert run("import", LOGS / "long.csv", LOGS / "contexts.json").returncode == 0
    return run


def test_a_format_is_written_and_read_again(moot, tmp_path):
    for name, made in ((name, EXPORTERS[name]) for name in ("table-parquet", "bag")):
        done = moot("export", "--dataset", "long", "--format", name, "-o", f"out.{made.suffix(several=True)}")
        assert (done.returncode, done.stdout) == (0, b""), done.stderr
        path = tmp_path / f"out.{made.suffix(several=True)}"
        assert len(read_file(path, path.name).debates) == len(read_file(LOGS / "long.csv", "long.csv").debates)
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


def test_what_is_lost_is_said_beside_the_file(moot):
    done = moot("export", "--dataset", "long", "--format", "argdown")
    assert zipfile.ZipFile(BytesIO(done.stdout)).testzip() is None
    assert "gold labels" in done.stderr.decode()
    assert moot("export", "--dataset", "long").stderr == b""


def test_a_format_that_can_hold_none_of_the_debates_says_so_and_writes_nothing(moot, tmp_path):
    done = moot("export", "--dataset", "contexts", "--format", "node-link", "-o", "out.zip")
    assert done.returncode == 1
    assert b"cannot hold any of these debates" in done.stderr
    assert not (tmp_path / "out.zip").exists()


@pytest.mark.parametrize(("name", "code"), [("table-parquet", 2), ("bag", 2), ("table-csv", 0)])
def test_a_terminal_is_shown_text_alone(moot, tmp_path, name, code):
    ours, theirs = os.openpty()
    command = [sys.executable, str(ROOT / "cli.py"), "--db", "moot.duckdb", "export", "--dataset", "long"]
    with subprocess.Popen(
        [*command, "--format", name], cwd=tmp_path, stdout=theirs, stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that nobody has the terminal any more
            while part := os.read(ours, 1 << 16):
                shown += part
        _, said = process.communicate(timeout=120)
    os.close(ours)
    assert process.returncode == code, said
    assert ("name a file, such as --output debates." in said) is (code != 0)
    assert bool(shown) is (code == 0)


def test_an_unknown_format_is_wrong_usage(moot):
    done = moot("export", "--format", "pdf")
    assert (done.returncode, b"there are moot-debate/1, table-csv" in done.stderr) == (2, True)
