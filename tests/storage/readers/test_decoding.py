import bz2
import gzip
import io
import lzma
import pickle
import random
import sqlite3
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UnreadableFile
from core.import_issue import IssueLog
from storage.readers import read_file
from storage.readers.decoding import decoded, refuse_binary, unpacked
from tests.storage.readers.reading import codes, problems, read

TABLE = "claim,polarity,argument\nCafé’s – shut.,pro,Ça va.\n"


def text_and_codes(data, encoding=""):
    issues = IssueLog()
    return decoded(data, issues, encoding).text, [issue.code for issue in issues.issues]


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", []),
        ("utf-8-sig", []),
        ("utf-16", ["encoding"]),
        ("utf-16-le", ["encoding"]),
        ("utf-16-be", ["encoding"]),
        ("utf-32", ["encoding"]),
        ("cp1252", ["encoding"]),
    ],
)
def test_usual_encodings_are_found(encoding, found):
    assert text_and_codes(TABLE.encode(encoding)) == (TABLE, found)


def test_a_named_encoding_is_used():
    assert text_and_codes("Łódź".encode("cp1250"), "cp1250") == ("Łódź", [])


@pytest.mark.parametrize("name", ["no-such-encoding", "hex", "undefined", "idna\x00"])
def test_an_encoding_that_cannot_be_used_is_reported(name):
    text, found = text_and_codes(b"caf\xc3\xa9", name)
    assert text == "café"
    assert found == ["encoding_unknown"]


def test_bytes_that_fit_no_encoding_are_replaced_and_counted():
    assert text_and_codes(b"a\x81b\xe9") == ("a\ufffdbé", ["undecodable", "encoding"])
    assert text_and_codes(b"\xef\xbb\xbfa\xff") == ("a\ufffd", ["undecodable"])


def test_nul_is_replaced_and_reported():
    assert text_and_codes(b"a\x00b") == ("a\ufffdb", ["nul_replaced"])


@given(st.binary(), st.sampled_from(["", "utf-8", "utf-16", "cp1252", "utf-7"]))
def test_any_bytes_become_a_text_without_nul(data, encoding):
    text, _ = text_and_codes(data, encoding)
    assert "\x00" not in text


def test_gzip_is_unpacked_also_in_several_parts():
    assert unpacked(gzip.compress(b"one ") + gzip.compress(b"two"), IssueLog()) == b"one two"
    assert unpacked(b"plain", IssueLog()) == b"plain"


@given(st.binary())
def test_what_gzip_packs_comes_out_again(data):
    assert unpacked(gzip.compress(data), IssueLog()) == data


def test_a_gzip_file_that_unpacks_to_too_much_is_refused():
    bomb = gzip.compress(bytes(30 << 20))
    assert len(bomb) < 50_000
    with pytest.raises(UnreadableFile, match="more than 4 MB"):
        unpacked(bomb, IssueLog(), largest=4 << 20)
    file = read_file(bomb, "bomb.gz", largest=4 << 20)
    assert (file.refused, codes(file)) == (True, ["file_unreadable"])


def test_a_truncated_gzip_file_gives_what_there_is():
    rows = "claim,polarity,argument\n" + "".join(f"C{n}.,pro,Reason number {n * n}.\n" for n in range(5000))
    file = read(gzip.compress(rows.encode())[:-2000])
    assert not file.refused
    assert 1000 < len(file.debates) < 5000
    assert ("gzip_truncated", None, None) in problems(file)


def test_a_damaged_gzip_file_is_refused_or_read_in_part():
    packed = bytearray(gzip.compress(TABLE.encode() * 50))
    packed[40] ^= 0xFF
    file = read(bytes(packed))
    assert file.refused or "gzip_damaged" in codes(file)
    assert codes(read(b"\x1f\x8b" + bytes(100))) == ["gzip_damaged", "file_unreadable"]


def zip_of(name):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, "x")
    return packed.getvalue()


def sqlite_bytes():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a)")
    data = connection.serialize()
    connection.close()
    return data


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (zip_of("xl/workbook.xml"), "Excel workbook"),
        (pickle.dumps({"claim": "x"}), "Python pickle"),
        (pickle.dumps({"claim": "x"}, protocol=0), "Python pickle"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\xff\xd8\xff\xe0", "JPEG image"),
        (sqlite_bytes(), "SQLite database"),
        (bytes(8) + b"DUCK" + bytes(100), "DuckDB database"),
        (bz2.compress(b"x"), "bzip2"),
        (lzma.compress(b"x"), "xz file"),
        (b"\x28\xb5\x2f\xfd\x00", "Zstandard"),
        (b"ARROW1\x00\x00", "Arrow file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office file"),
        (b"{" + bytes(range(1, 9)) * 50, "binary file"),
    ],
)
def test_a_binary_file_is_refused_by_name_with_advice(data, name):
    file = read(data)
    assert (file.refused, file.format, codes(file)) == (True, None, ["file_unreadable"])
    assert name in file.why
    assert file.why.count(".") >= 2  # what it is, and what to do
    assert "binary" not in name or "JSON Lines" in file.why


def test_a_text_is_no_binary_file():
    refuse_binary(TABLE.encode())
    refuse_binary(b"\x1b[31m\ttab\x0c" + b"x" * 100)


@pytest.mark.parametrize("cut", [20, 5000])
def test_a_damaged_file_that_unpacks_to_blanks_by_the_megabyte_is_refused(cut):
    whole = b" " * (20 << 20) + random.Random(1).randbytes(200_000)
    packed = gzip.compress(whole)
    with pytest.raises(UnreadableFile, match="more than 50 times its size"):
        unpacked(packed[:-cut], IssueLog())
    assert unpacked(packed, IssueLog()) == whole
