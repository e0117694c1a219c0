"""Paths on the server, as people type them."""

from __future__ import annotations

import os

import pytest

from core.errors import UnreadableFile
from pages.components.import_source import on_server


@pytest.mark.parametrize("written", ["~nobody_of_this_name/log.jsonl", "/no/such/place", "a\0b", "x" * 5_000])
def test_a_path_that_leads_nowhere_is_refused_in_a_sentence(written):
    with pytest.raises(UnreadableFile, match="There is nothing to read at this path"):
        on_server(written)


def test_what_never_ends_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(UnreadableFile, match="neither a file nor a folder"):
            on_server(str(path))


def test_files_and_folders_are_taken_by_their_names(tmp_path):
    (tmp_path / "log.jsonl").write_text("{}\n", "utf-8")
    assert on_server(f"  {tmp_path / 'log.jsonl'} ").name == "log.jsonl"
    assert on_server(str(tmp_path)).name == tmp_path.name
