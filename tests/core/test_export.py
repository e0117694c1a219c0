import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.export import FORMULA_SIGNS, TableKind, file_name, harmless, table_bytes
from tests.core.generated_debates import NASTY, texts


def frame():
    table = pd.DataFrame(
        {
            "text": pd.Series(["=1+1", "plain", None, "-5", "@x"], dtype=object),
            "score": [0.1 + 0.2, -0.5, np.nan, 1.0, 0.0],
            "count": [1, -2, 3, 4, 5],
            "flag": [True, False, True, False, True],
            "mixed": pd.Series(["a", 1, None, [1, "=x"], {"k": 2}], dtype=object),
        }
    )
    return table.set_index(pd.Index([9, 8, 7, 6, 5]))


def csv_rows(data):
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_makes_formulas_harmless_and_leaves_numbers_alone():
    rows = csv_rows(table_bytes(frame(), "csv"))
    assert rows[0] == ["text", "score", "count", "flag", "mixed"]
    assert [row[0] for row in rows[1:]] == ["'=1+1", "plain", "", "'-5", "'@x"]
    assert [row[1] for row in rows[1:]] == ["0.30000000000000004", "-0.5", "", "1.0", "0.0"]
    assert [row[2] for row in rows[1:]] == ["1", "-2", "3", "4", "5"]


def test_csv_begins_with_the_mark_that_excel_needs():
    assert table_bytes(frame(), "csv").startswith(b"\xef\xbb\xbf")


@given(st.lists(texts, min_size=1), st.sampled_from(["a", "=a", "\t"]))
def test_no_csv_cell_begins_like_a_formula(cells, name):
    rows = csv_rows(table_bytes(pd.DataFrame({name: pd.Series(cells, dtype=object)}), "csv"))
    assert len(rows) == len(cells) + 1 or any("\r" in cell or "\n" in cell for cell in cells) or "" in cells
    assert not any(cell.startswith(FORMULA_SIGNS) for row in rows for cell in row)


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_json_lines_and_parquet_carry_a_text_as_it_is(text):
    table = pd.DataFrame({"text": pd.Series([text], dtype=object)})
    kept = "".join("\ufffd" if c == "\x00" or "\ud800" <= c <= "\udfff" else c for c in text)
    assert json.loads(table_bytes(table, "jsonl")) == {"text": kept}
    assert pd.read_parquet(io.BytesIO(table_bytes(table, "parquet"))).text[0] == kept


def test_json_lines_are_strict_and_tell_nothing_from_zero():
    lines = table_bytes(frame(), "jsonl").decode().splitlines()
    rows = [json.loads(line, parse_constant=pytest.fail) for line in lines]
    assert [row["score"] for row in rows] == [0.1 + 0.2, -0.5, None, 1.0, 0.0]
    assert rows[3]["mixed"] == [1, "=x"]


def test_parquet_keeps_numbers_and_writes_mixed_columns_as_text():
    back = pd.read_parquet(io.BytesIO(table_bytes(frame(), "parquet")))
    assert back["count"].dtype == np.int64
    assert back["score"][0] == 0.1 + 0.2
    assert list(back["mixed"].fillna("")) == ["a", "1", "", '[1, "=x"]', '{"k": 2}']
    assert list(back.columns) == list(frame().columns)


@pytest.mark.parametrize("kind", TableKind)
def test_a_table_without_rows_or_columns_is_a_file_too(kind):
    assert isinstance(table_bytes(frame().iloc[:0], kind), bytes)
    assert isinstance(table_bytes(pd.DataFrame(), kind), bytes)


@pytest.mark.parametrize("kind", TableKind)
def test_the_same_numbers_come_back_from_every_kind(kind):
    data = io.BytesIO(table_bytes(frame()[["score", "count"]], kind))
    match kind:
        case TableKind.CSV:
            back = pd.read_csv(data)
        case TableKind.JSONL:
            back = pd.read_json(data, lines=True)
        case TableKind.PARQUET:
            back = pd.read_parquet(data)
    pd.testing.assert_frame_equal(back, frame()[["score", "count"]].reset_index(drop=True))


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="xlsx"):
        table_bytes(frame(), "xlsx")


@pytest.mark.parametrize("cell", [None, 5, -5, -0.5, True, np.float64(-1)])
def test_what_is_no_text_is_left_alone(cell):
    assert harmless(cell) is cell


@given(texts)
def test_a_file_name_is_safe_whatever_the_debate_is_called(stem):
    name = file_name(stem, "csv")
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,90}\.csv", name)
    assert ".." not in name.removesuffix(".csv") or "/" not in name


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("Honey keeps", "Honey-keeps.jsonl"),
        ("../../etc/passwd", "etc-passwd.jsonl"),
        ("C:\\temp\\x", "C-temp-x.jsonl"),
        ("CON", "moot-CON.jsonl"),
        ("", "moot.jsonl"),
        ("日本", "moot.jsonl"),
        ("Café", "Cafe.jsonl"),
    ],
)
def test_a_file_name_says_what_it_is_about(stem, name):
    assert file_name(stem, "jsonl") == name
