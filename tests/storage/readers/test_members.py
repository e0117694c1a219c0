"""Folders and ZIP archives: what is in them is read within limits, whatever they promise."""

import io
import struct
import zipfile

import pytest

from core.errors import UnreadableFile
from storage.readers import read_file
from storage.readers.members import FolderMembers
from tests.storage.readers.archives import zip_of, zstandard_zip_of
from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import codes

TABLE = b"claim,polarity,argument\nC.,pro,A.\n"


def test_logs_beside_one_another_are_read_one_by_one_and_others_are_named():
    files = {"a/t.csv": TABLE, "b/n.bag": (LOGS / "two_claims.bag").read_bytes(), "notes.md": b"# Notes\n"}
    file = read_file(zip_of(files), "logs.zip")
    assert (file.format, len(file.debates)) == ("several", 3)
    assert [debate.provenance["imported_from"]["file"] for debate in file.debates] == ["a/t.csv", "b/n.bag", "b/n.bag"]
    assert [i.code for i in file.issues if "notes.md" in i.message] == ["member_not_read"]
    assert all(i.message.startswith("b/n.bag: ") for i in file.issues if i.code == "argument_id_repeated")


def test_an_archive_in_an_archive_is_read_and_one_in_that_is_not():
    inner = zip_of({"t.csv": TABLE})
    assert len(read_file(zip_of({"inner.zip": inner}), "x").debates) == 1
    assert read_file(zip_of({"outer.zip": zip_of({"inner.zip": inner})}), "x").refused


@pytest.mark.parametrize("pack", [zip_of, zstandard_zip_of])
def test_what_unpacks_to_far_more_than_it_weighs_is_left_out(pack):
    file = read_file(pack({"bomb.json": b" " * (50 << 20), "t.csv": TABLE}), "x")
    assert len(file.debates) == 1
    assert any("zip bomb" in issue.message for issue in file.issues)


def test_files_that_overlap_in_an_archive_are_refused():
    data = bytearray(zip_of({"t.csv": TABLE}))
    place = data.rfind(b"PK\x01\x02")
    data[place + 20 : place + 24] = struct.pack("<I", 10**6)
    file = read_file(bytes(data), "x")
    assert (file.refused, codes(file)) == (True, ["file_unreadable"])


def test_an_archive_that_was_cut_off_is_refused_with_the_reason():
    file = read_file(zip_of({"t.csv": TABLE})[:-30], "x")
    assert (file.refused, "damaged or was cut off" in file.why) == (True, True)


def test_a_member_without_a_name_is_left_out():
    record = (LOGS / "post_hoc_private.jsonl").read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.jsonl", record)
        archive.writestr(zipfile.ZipInfo(""), b"{}")
    file = read_file(packed.getvalue(), "x")
    assert not file.refused
    assert len(file.debates) == len(read_file(record, "a.jsonl").debates)


def test_names_that_point_out_of_the_archive_are_only_names(tmp_path):
    file = read_file(zip_of({"../../up.csv": TABLE, "/root.csv": TABLE}), "x")
    assert len(file.debates) == 2
    assert list(tmp_path.iterdir()) == []


def test_links_and_hidden_files_in_a_folder_are_left_out(tmp_path):
    (tmp_path / "t.csv").write_bytes(TABLE)
    (tmp_path / ".hidden.csv").write_bytes(TABLE)
    (tmp_path / "link.csv").symlink_to(tmp_path / "t.csv")
    assert FolderMembers(tmp_path).names == ("t.csv",)


def test_a_file_too_large_for_memory_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("storage.readers.members.LARGEST_MEMBER", 10)
    (tmp_path / "t.csv").write_bytes(TABLE)
    with pytest.raises(UnreadableFile, match="larger than"):
        FolderMembers(tmp_path).read("t.csv")


def test_a_folder_has_the_same_identity_wherever_it_lies(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.csv").write_bytes(TABLE)
    one, two = (read_file(tmp_path / name, name) for name in ("one", "two"))
    assert (one.sha256, one.size) == (two.sha256, len(TABLE))
