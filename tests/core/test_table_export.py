import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.metrics import SUMMARY_DECIMALS, SUMMARY_SIGNS, summaries, summary_table
from core.errors import InvalidSetting
from core.table_export import (
    Caption,
    Table,
    latex_text,
    markdown_text,
    one_line,
    table_file,
    to_csv,
    to_latex,
    to_markdown,
)
from tests.core.comparisons import population

CAPTION = Caption(
    "Accuracy of judges",
    "zoo & friends",
    ("DF-QuAD", "LLM_named"),
    482,
    500,
    "protocol single-turn",
    "0123456789abcdef",
    ("18 left out.",),
)
FRAME = pd.DataFrame(
    {
        "Judge": ["DF-QuAD", "=cmd|'x'!A1"],
        "Accuracy %": [74.25, 100.0],
        "Difference pp": [np.nan, -1.26],
        "Debates": [482, 482],
        "Empty": [np.nan, np.nan],
    }
)


def table(frame: pd.DataFrame = FRAME, **rest) -> Table:
    return Table(frame, CAPTION, {"Accuracy %": 1, "Difference pp": 1}, frozenset({"Difference pp"}), **rest)


def test_a_caption_holds_data_set_judges_n_filter_and_notes():
    assert CAPTION.text == (
        "Accuracy of judges. Data set: zoo & friends (content 0123456789ab). Judges: DF-QuAD; LLM_named. "
        "n = 482 of 500 debates. Filter: protocol single-turn. 18 left out."
    )


def test_a_caption_without_a_filter_says_so():
    assert Caption("T", "d", (), 1, 1).text == "T. Data set: d. n = 1 of 1 debates. Filter: none."


def test_numbers_are_shown_with_their_decimals_and_signs_and_empty_columns_not_at_all():
    assert table().shown.values.tolist() == [
        ["DF-QuAD", "74.2", "–", "482"],
        ["=cmd|'x'!A1", "100.0", "−1.3", "482"],
    ]
    assert list(table().shown.columns) == ["Judge", "Accuracy %", "Difference pp", "Debates"]


def test_other_values_are_shown_as_words():
    frame = pd.DataFrame({"a": [True, None], "b": [1.23456, np.inf], "c": ["two\nlines", None]})
    assert Table(frame, CAPTION).shown.values.tolist() == [["yes", "1.235", "two lines"], ["–", "inf", "–"]]


def test_a_whole_number_column_of_floats_is_shown_as_asked():
    frame = pd.DataFrame({"Debates": [482.0, np.nan]})
    assert Table(frame, CAPTION, {"Debates": 0}).shown["Debates"].tolist() == ["482", "–"]


def test_markdown_is_a_table_with_its_caption():
    assert to_markdown(Table(FRAME[["Judge", "Debates"]].head(1), CAPTION)) == (
        "**Accuracy of judges**\n"
        "\n"
        "| Judge | Debates |\n"
        "| --- | ---: |\n"
        "| DF-QuAD | 482 |\n"
        "\n"
        "Accuracy of judges. Data set: zoo \\& friends (content 0123456789ab). Judges: DF-QuAD; LLM\\_named. "
        "n = 482 of 500 debates. Filter: protocol single-turn. 18 left out.\n"
    ).replace("(content 0123456789ab)", "\\(content 0123456789ab\\)")


def test_latex_is_a_booktabs_table_with_everything_escaped():
    assert to_latex(table(), "tab:judges") == (
        "% Packages: booktabs, amssymb\n"
        "\\begin{table}[tbp]\n"
        "\\caption{Accuracy of judges. Data set: zoo \\& friends (content 0123456789ab). Judges: DF-QuAD; "
        "LLM\\_named. n = 482 of 500 debates. Filter: protocol single-turn. 18 left out.}\n"
        "\\label{tab:judges}\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "Judge & Accuracy \\% & Difference pp & Debates \\\\\n"
        "\\midrule\n"
        "DF-QuAD & 74.2 & -- & 482 \\\\\n"
        "=cmd\\textbar{}'x'!A1 & 100.0 & $-$1.3 & 482 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\\end{table}\n"
    )


def test_a_wide_table_is_scaled_to_the_text():
    latex = to_latex(Table(pd.DataFrame([range(9)], columns=list("abcdefghi")), CAPTION))
    assert "\\resizebox{\\textwidth}{!}{%\n\\begin{tabular}{rrrrrrrrr}" in latex
    assert "\\end{tabular}}\n" in latex
    assert latex.startswith("% Packages: booktabs, amssymb, graphicx\n")


def test_csv_keeps_full_precision_below_the_caption_and_runs_no_formula():
    data = to_csv(table())
    assert data.startswith(b"\xef\xbb\xbf# Accuracy of judges. Data set:")
    read = pd.read_csv(io.BytesIO(data), comment="#", encoding="utf-8-sig")
    assert read["Accuracy %"].tolist() == FRAME["Accuracy %"].tolist()
    assert read["Judge"].tolist()[1].startswith("'=")
    assert list(read.columns) == list(FRAME.columns)


def test_a_summary_of_judges_is_shown_as_on_screen():
    frame = summary_table(summaries(population("TTFF", {"A": "TTFF", "B": "TTFT"})))
    shown = Table(frame, CAPTION, SUMMARY_DECIMALS, SUMMARY_SIGNS).shown.to_dict("records")[1]
    assert shown == {
        "Judge": "B",
        "Family": "semantics",
        "Debates": "4",
        "Accuracy %": "75.0",
        "Accuracy low %": "30.1",  # Wilson: (3/4 + z^2/8 - z * sqrt(3/64 + z^2/64)) / (1 + z^2/4), z = 1.96
        "Accuracy high %": "95.4",
        "True accuracy %": "100.0",
        "False accuracy %": "50.0",
        "Macro-F1": "0.733",  # (4/5 + 2/3) / 2
        "Difference pp": "−25.0",
        "Difference low pp": "−75.0",
        "Difference high pp": "±0.0",
        "Agreement %": "75.0",
        "Kappa": "0.50",
        "Abstained %": "0.0",
        "Errors %": "0.0",
        "Source": "measured here",
    }


def test_files_come_in_three_kinds():
    assert table_file(table(), "csv") == to_csv(table())
    assert table_file(table(), "markdown").decode() == to_markdown(table())
    assert table_file(table(), "latex").decode() == to_latex(table())
    with pytest.raises(InvalidSetting, match="'xls'"):
        table_file(table(), "xls")


def test_an_empty_table_keeps_its_head():
    latex = to_latex(Table(FRAME.head(0), CAPTION))
    assert "Judge & Accuracy" in latex
    assert "| Judge |" in to_markdown(Table(FRAME.head(0), CAPTION))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("50 % & $x_1^2$ #1 ~", r"50 \% \& \$x\_1\textasciicircum{}2\$ \#1 \textasciitilde{}"),
        ("κ ≥ −1 ±0", r"$\kappa$ $\geq$ $-$1 $\pm$0"),
        ("<b>", r"\textless{}b\textgreater{}"),
    ],
)
def test_latex_finds_no_command(text, expected):
    assert latex_text(text) == expected


def test_markdown_finds_no_markup():
    assert markdown_text("| [x](y) <b> `c` *d*") == r"\| \[x\]\(y\) \<b\> \`c\` \*d\*"


@given(st.text())
def test_hostile_text_cannot_break_out_of_a_cell(text):
    frame = pd.DataFrame({"a": [text], "b": ["x"]})
    lines = to_markdown(Table(frame, CAPTION)).split("\n")
    assert lines[4].count("|") - lines[4].count(r"\|") == 3
    latex = to_latex(Table(frame, CAPTION))
    assert latex.count("\\begin{") == latex.count("\\end{") == 2
    cell = latex_text(text)
    stripped = cell.replace(r"\textbackslash{}", "").replace(r"\&", "").replace(r"\%", "")
    assert "&" not in stripped
    assert "%" not in stripped


@given(st.text())
def test_one_line_is_one_line_of_printable_signs(text):
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert line.isprintable()


@pytest.mark.parametrize("text", ["[1em] first", "*", "*[2em]"])
def test_no_row_of_a_latex_table_is_taken_for_an_option_of_the_rule_or_row_before(text):
    latex = to_latex(table(pd.DataFrame({text: [text, "x", text], "n": [1, 2, 3]})))
    for before in (r"\toprule", r"\midrule", "x & 2 \\\\"):
        after = latex.split(before, 1)[1].lstrip()
        assert after.startswith("{}" + text[0])


def test_a_latex_table_says_when_it_needs_more_than_pdflatex():
    assert "XeLaTeX" not in to_latex(table(pd.DataFrame({"a": ["“é” – ½ → κ ✓ ⇄ \x07"]})))
    assert "Typeset with XeLaTeX" in to_latex(table(pd.DataFrame({"a": ["中文"]}))).splitlines()[0]
