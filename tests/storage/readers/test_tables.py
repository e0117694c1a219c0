import io
import json

import pandas as pd
import pytest

from core.debate import Agent, DebateProtocol
from core.errors import InvalidSetting
from core.score_text import Scale
from storage.readers import Layout, TableMapping
from storage.readers.guess_mapping import MOST_COLUMNS, guess_mapping
from storage.readers.source import Source
from storage.readers.table_source import _unique, table_of
from tests.storage.readers.reading import arguments, codes, problems, read, relations, stances

X = ("a", "A1", "x", "", "pro", "X", 1)
LONG = ["debate_id", "claim", "label", "agent", "argument_id", "target", "polarity", "argument", "base_score"]


def long(*rows, header=LONG, delimiter=","):
    """Return a long table as text; rows give debate id, agent, argument id, target, polarity, text and score."""
    lines = [delimiter.join(header)]
    for debate_id, agent, name, target, polarity, text, score in rows:
        cells = [debate_id, f"Claim {debate_id}.", "TRUE", agent, name, target, polarity, text, score]
        lines.append(delimiter.join(str(cell) for cell in cells))
    return "\n".join(lines) + "\n"


# -- long --------------------------------------------------------------------------------------------------------


def test_a_long_table_becomes_debates(log):
    file = log("long.csv")
    cork, lead = file.debates
    assert (file.format, problems(file)) == ("table-long", [])
    assert (cork.id, lead.id) == ("0012", "0013")  # ids keep their zeros
    assert (cork.label, lead.label, cork.protocol) == (True, False, DebateProtocol.SINGLE_TURN)
    assert cork.agents == (Agent("A1", model="model-a"), Agent("A2", model="model-b"))
    assert arguments(cork) == [
        ("A1-pro1", "It is full of air,\nand air is light.", 0.9),
        ("A1-con1", "N/A", 0.1),  # a text, not a missing value
        ("A2-con1", "Wet cork is heavier.", 0.3),
    ]
    assert relations(cork) == ["A1-pro1 +", "A1-con1 -", "A2-con1 -A1-pro1"]
    assert stances(cork) == {"A1": (0.8, 0.9), "A2": (0.6, 0.7)}
    assert cork.rounds[0].arguments[2].base_score_raw == "30%"
    assert arguments(lead) == [("A1-con1", "It is dense.", 1.0)]
    assert [debate.provenance["imported_from"]["line"] for debate in file.debates] == [2, 6]


def test_the_same_table_reads_alike_in_every_form(log):
    expected = [(d.id, d.claim, d.label, d.agents, d.rounds) for d in log("long.csv").debates]
    table = pd.read_csv(io.StringIO(csv_of(log)), dtype=str, keep_default_na=False)
    parquet = io.BytesIO()
    table.to_parquet(parquet)
    forms = {
        "semicolons": table.to_csv(index=False, sep=";").encode(),
        "tabs": table.to_csv(index=False, sep="\t").encode(),
        "bars": table.to_csv(index=False, sep="|").encode(),
        "excel": b"sep=;\r\n" + table.to_csv(index=False, sep=";", lineterminator="\r\n").encode(),
        "mark": table.to_csv(index=False).encode("utf-8-sig"),
        "utf-16": table.to_csv(index=False, sep="\t").encode("utf-16"),
        "json lines": table.to_json(orient="records", lines=True).encode(),
        "json list": table.to_json(orient="records", indent=1).encode(),
        "parquet": parquet.getvalue(),
        "renamed": table.rename(columns={"claim": "Statement", "argument": "Argument Text", "base_score": "Weight"})
        .to_csv(index=False)
        .encode(),
        "shuffled columns": table[sorted(table.columns)].to_csv(index=False).encode(),
    }
    for name, data in forms.items():
        file = read(data)
        assert file.format == "table-long", name
        assert problems(file) == [], name
        assert [(d.id, d.claim, d.label, d.agents, d.rounds) for d in file.debates] == expected, name


def csv_of(log):
    from tests.storage.readers.conftest import LOGS

    return (LOGS / "long.csv").read_text()


def test_a_typed_parquet_file_reads_like_its_text(log):
    table = pd.read_csv(io.StringIO(csv_of(log)), keep_default_na=False)
    table["base_score"] = [0.9, 0.1, 0.3, 1.0]
    table["agent"] = table["agent"].astype("category")
    table["label"] = table["label"].astype(bool)
    table.loc[0, "prior"] = float("nan")
    parquet = io.BytesIO()
    table.to_parquet(parquet)
    file = read(parquet.getvalue())
    assert [debate.id for debate in file.debates] == ["12", "13"]
    assert problems(file) == []
    assert stances(file.debates[0])["A1"] == (0.8, 0.9)  # the second row still says it


def test_windows_1252_and_decimal_commas_are_read():
    text = "claim;argument;polarity;score\nCafés close at noon.;It’s said so.;pro;0,72\n"
    file = read(text.encode("cp1252"))
    assert arguments(file.debates[0]) == [("pro1", "It’s said so.", 0.72)]
    assert "encoding" in codes(file)


def test_rows_of_one_debate_need_not_stand_together():
    file = read(
        long(
            ("a", "A1", "x", "", "pro", "X", 1),
            ("b", "A1", "x", "", "pro", "Y", 1),
            ("a", "A1", "y", "x", "con", "Z", 0),
        )
    )
    assert [(debate.id, relations(debate)) for debate in file.debates] == [("a", ["x +", "y -x"]), ("b", ["x +"])]


def test_a_target_may_come_in_a_later_row_or_be_the_claim():
    file = read(long(("a", "A1", "x", "y", "pro", "X", 1), ("a", "A1", "y", "claim", "con", "Y", 1)))
    assert relations(file.debates[0]) == ["x +y", "y -"]
    assert problems(file) == []


def test_ids_that_several_agents_use_name_the_agent():
    rows = [("a", agent, name, target, "con", f"{agent} {name}", 1)
            for agent in ("A1", "A2") for name, target in (("c1", ""), ("c2", "c1"))]  # fmt: skip
    file = read(long(*rows))
    assert relations(file.debates[0]) == ["A1-c1 -", "A1-c2 -A1-c1", "A2-c1 -", "A2-c2 -A2-c1"]
    assert [argument.source_id for argument in file.debates[0].rounds[0].arguments] == ["c1", "c2", "c1", "c2"]
    assert problems(file) == []


def test_a_row_that_repeats_an_argument_adds_a_target():
    file = read(
        long(
            ("a", "A1", "x", "", "pro", "X", 1),
            ("a", "A1", "y", "", "con", "Y", 1),
            ("a", "A1", "y", "x", "con", "Y", 1),
        )
    )
    assert relations(file.debates[0]) == ["x +", "y -", "y -x"]
    assert problems(file) == []


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([X, ("a", "A1", "x", "", "pro", "Y", 1)], ("argument_id_repeated", 3, "argument_id")),
        ([("a", "A1", "topic", "", "pro", "X", 1)], ("argument_id_reserved", 2, "argument_id")),
        ([("a", "A1", "x", "nowhere", "pro", "X", 1)], ("target_unknown", 2, "target")),
        ([("a", "A1", "x", "x", "pro", "X", 1)], ("self_relation", 2, "target")),
        ([X, X], ("relation_repeated", 3, "polarity")),
        ([X, ("a", "A1", "x", "", "con", "X", 1)], ("supports_and_attacks", 3, "polarity")),
        ([X, ("a", "A1", "x", "y", "pro", "X", 0), ("a", "A1", "y", "", "pro", "Y", 1)],
         ("base_score_disagrees", 3, "base_score")),
        ([("a", "A1", "x", "", "maybe", "X", 1)], ("polarity_unreadable", 2, "polarity")),
        ([("a", "A1", "x", "", "pro", "", 1)], ("argument_text_missing", 2, "argument")),
        ([("a", "", "", "", "pro", "", "")], ("row_without_argument", 2, "argument")),
        ([("a", "A1", "x", "", "pro", "X", "high")], ("score_unreadable", 2, "base_score")),
        ([("a", "A1", "x", "", "pro", "X", -0.2)], ("score_out_of_range", 2, "base_score")),
        ([("a", "A1", "x", "", "pro", "X", "NaN")], ("score_not_finite", 2, "base_score")),
        ([("a", "A1", "x", "", "pro", "Error code: 429 - rate limit reached", 1)], ("provider_error", 2, "argument")),
    ],
)  # fmt: skip
def test_a_questionable_row_is_kept_and_named_by_line_and_column(rows, problem):
    file = read(long(*rows, ("z", "A1", "x", "", "pro", "Fine.", 0.5)))
    assert problems(file) == [problem]
    assert [debate.id for debate in file.debates] == ["a", "z"]


@pytest.mark.parametrize(
    ("column", "value", "code"),
    [
        ("label", "FALSE", "label_disagrees"),
        ("claim", "Another claim.", "claim_disagrees"),
        ("model", "other", "model_disagrees"),
        ("prior", "0.1", "prior_disagrees"),
        ("posterior", "0.1", "posterior_disagrees"),
        ("title", "Other", "title_disagrees"),
    ],
)
def test_values_that_differ_between_rows_are_reported_and_the_first_is_kept(column, value, code):
    first = {
        "debate_id": "d",
        "claim": "C.",
        "label": "TRUE",
        "title": "T",
        "agent": "A1",
        "model": "m",
        "prior": "0.5",
    }
    first |= {"posterior": "0.6", "polarity": "pro", "argument": "X.", "base_score": "0.5"}
    rows = [first, first | {column: value, "argument": "Y."}]
    file = read(pd.DataFrame(rows).to_csv(index=False))
    (debate,) = file.debates
    assert problems(file) == [(code, 3, column)]
    assert (debate.claim, debate.label, debate.title, debate.agents) == ("C.", True, "T", (Agent("A1", model="m"),))
    assert stances(debate) == {"A1": (0.5, 0.6)}


def test_a_row_with_stances_and_no_argument_is_an_agent_without_arguments():
    file = read("claim,agent,prior,posterior,polarity,argument\nC.,A1,0.5,0.6,pro,X.\nC.,A2,0.1,0.2,,\n")
    assert stances(file.debates[0]) == {"A1": (0.5, 0.6), "A2": (0.1, 0.2)}
    assert problems(file) == []


def test_rows_without_a_claim_are_errors_and_the_others_load():
    file = read("claim,polarity,argument\n,pro,X.\nC.,pro,Y.\n")
    assert [debate.claim for debate in file.debates] == ["C."]
    assert problems(file) == [("row_without_claim", 2, "claim")]


def test_a_claim_may_stand_in_a_later_row_only():
    file = read("debate_id,claim,polarity,argument\nd,,pro,X.\nd,C.,pro,Y.\ne,,pro,Z.\n")
    assert [(debate.id, debate.claim) for debate in file.debates] == [("d", "C.")]
    assert problems(file) == [("claim_missing", 4, "claim")]


def test_without_a_debate_id_rows_with_one_claim_make_a_debate():
    file = read("claim,polarity,argument\nC.,pro,X.\nD.,pro,Y.\nC.,con,Z.\n")
    assert [(debate.id, debate.claim, relations(debate)) for debate in file.debates] == [
        ("debate-1", "C.", ["pro1 +", "con1 -"]),
        ("debate-2", "D.", ["pro1 +"]),
    ]
    assert codes(file) == ["debate_id_assumed", "round_assumed"]


def test_rounds_are_kept_apart_and_sorted():
    file = read(
        "claim,round,agent,prior,polarity,argument\nC.,Round 2,A1,,pro,Late.\nC.,1,A1,0.4,pro,Early.\n"
        "C.,last,A1,,pro,Odd.\n"
    )
    (debate,) = file.debates
    assert [(r.number, [a.text for a in r.arguments]) for r in debate.rounds] == [
        (0, ["Odd."]),
        (1, ["Early."]),
        (2, ["Late."]),
    ]
    assert debate.protocol is DebateProtocol.MULTI_TURN_PRIVATE
    assert problems(file) == [("round_unreadable", 4, "round")]


def test_a_protocol_column_is_believed():
    file = read("debate_id,claim,scenario,polarity,argument\nd,C.,multi_turn_shared,pro,X.\ne,C.,brawl,pro,X.\n")
    assert [debate.protocol for debate in file.debates] == [DebateProtocol.MULTI_TURN_SHARED, DebateProtocol.OTHER]
    assert problems(file) == [("protocol_unknown", 3, "scenario")]


def test_columns_that_mean_nothing_are_kept_and_named():
    file = read("claim,polarity,argument,weather,tokens\nC.,pro,X.,fine,5\nC.,con,Y.,fine,6\n")
    assert file.debates[0].provenance["columns"] == {"weather": "fine", "tokens": ["5", "6"]}
    assert "columns_unused" in codes(file)


def test_lines_are_counted_over_cells_with_line_breaks_comments_and_blank_rows():
    file = read('# made by hand\nclaim,polarity,argument\n\nC.,pro,"one\ntwo\nthree"\n# note\n,,\nC.,what,Y.\n')
    assert problems(file) == [("polarity_unreadable", 9, "polarity")]
    assert "rows_without_data" in codes(file)


def test_rows_of_another_width_are_reported():
    file = read("claim,polarity,argument,base_score\nC.,pro,X.,1,more\nC.,pro,Y.\nC.,con,Z.,1,,\n")
    assert problems(file) == [("row_too_long", 2, None), ("row_too_short", 3, None)]
    assert len(file.debates[0].rounds[0].arguments) == 3


def test_a_quotation_mark_that_never_closes_is_an_error_with_its_line():
    file = read('claim,polarity,argument\nC.,pro,X.\nC.,con,"open\nC.,pro,lost.\n')
    assert ("quote_unclosed", 3, None) in problems(file)
    assert len(file.debates[0].rounds[0].arguments) == 2


def test_repeated_column_names_are_told_apart():
    file = read("claim,polarity,argument,argument\nC.,pro,X.,Y.\n")
    assert problems(file) == [("column_repeated", 1, "argument")]
    assert file.debates[0].provenance["columns"] == {"argument (2)": "Y."}


# -- wide --------------------------------------------------------------------------------------------------------


def test_a_wide_table_becomes_debates(log):
    file = log("wide.csv")
    wool, glass = file.debates
    assert (file.format, problems(file)) == ("table-wide", [])
    assert (wool.id, wool.label, glass.label) == ("007", True, None)
    assert stances(wool) == {"A1": (0.5, 0.6), "A2": (0.4, 0.7)}
    assert arguments(wool) == [
        ("A1-pro1", "Fibres hold air.", 0.7),
        ("A1-con1", "Wet wool is cold.", 0.4),
        ("A2-pro1", "Seals do without.", 0.2),
        ("A2-pro2", "Divers wear it.", 0.6),
    ]
    assert relations(wool) == ["A1-pro1 +", "A1-con1 -", "A2-pro1 +", "A2-pro2 +"]
    assert stances(glass) == {"A1": (0.2, None)}  # the other agent took no part
    assert relations(glass) == ["A1-con1 -"]
    assert glass.provenance["extra"] == {"label": "NEI"}


@pytest.mark.parametrize(
    "header",
    [
        "Debate,Statement,Gold,A1 prior stance,A1 final stance,A1 pro,A1 pro base score",
        "case_id,Motion,truth,A1-before,A1-after,A1-support,A1-support-likelihood",
        "id,topic,valid,A1.initial,A1.post,A1.pro.argument,A1.pro.weight",
        "id,claim,label,prior_A1,posterior_A1,pro_A1,pro_A1_score",
    ],
)
def test_renamed_wide_headers_are_understood(header):
    file = read(f"{header}\nd,C.,TRUE,0.5,0.6,X.,0.7\n")
    (debate,) = file.debates
    assert (debate.id, debate.claim, debate.label) == ("d", "C.", True)
    assert stances(debate) == {"A1": (0.5, 0.6)}
    assert arguments(debate) == [("A1-pro1", "X.", 0.7)]


def test_a_wide_table_may_name_no_agent():
    file = read("claim,pro,pro_score,con1,con2\nC.,X.,0.7,Y.,Z.\n")
    assert arguments(file.debates[0]) == [("pro1", "X.", 0.7), ("con1", "Y.", None), ("con2", "Z.", None)]
    assert {argument.author for argument in file.debates[0].rounds[0].arguments} == {None}


def test_a_base_score_without_a_text_is_reported_and_kept():
    file = read("id,claim,A1_pro,A1_pro_score\nd,C.,,0.7\n")
    assert problems(file) == [("argument_text_missing", 2, "A1_pro")]
    assert file.debates[0].provenance["columns"] == {"A1_pro_score": "0.7"}


def test_wide_rows_without_claim_or_id_are_reported():
    file = read("id,claim,A1_pro\nd,,X.\n,C.,Y.\nd,D.,Z.\nd,E.,Z.\n")
    assert [debate.id for debate in file.debates] == ["debate-3", "d", "d-2"]
    assert problems(file) == [
        ("row_without_claim", 2, "claim"),
        ("debate_id_missing", 3, "id"),
        ("debate_id_repeated", 5, "id"),
    ]


# -- scales ------------------------------------------------------------------------------------------------------


def test_each_column_has_a_scale_of_its_own():
    file = read(
        "claim,agent,prior,posterior,polarity,argument,base_score\nC.,A1,46 %,0.27,pro,X.,64\nC.,A2,0 %,1,con,Y.,100\n"
    )
    (debate,) = file.debates
    assert stances(debate) == {"A1": (0.46, 0.27), "A2": (0.0, 1.0)}
    assert [a.base_score for a in debate.rounds[0].arguments] == [0.64, 1.0]
    assert debate.provenance["extra"] == {"rounds[0].A1.prior": "46 %", "rounds[0].A2.prior": "0 %"}


@pytest.mark.parametrize(
    ("scale", "values"),
    [(None, [None, None]), (Scale.FIVE, [0.75, 0.25]), (Scale.TEN, [0.4, 0.2]), (Scale.PERCENT, [0.04, 0.02])],
)
def test_ratings_wait_for_a_person(scale, values):
    table = "claim,polarity,argument,confidence\nC.,pro,X.,4\nC.,con,Y.,2\n"
    guessed = read(table).mapping
    file = read(table, TableMapping(**(vars(guessed) | {"scales": {} if scale is None else {"confidence": scale}})))
    assert [a.base_score for a in file.debates[0].rounds[0].arguments] == pytest.approx(values)
    assert problems(file) == ([("score_scale_unknown", None, "confidence")] if scale is None else [])


# -- mappings ----------------------------------------------------------------------------------------------------


def test_the_guess_comes_back_with_reasons_and_reads_the_same(log):
    guess = log("long.csv").mapping
    assert set(guess.why) == set(guess.columns)
    assert guess.delimiter == ","
    again = read(csv_of(log), guess)
    assert [debate.rounds for debate in again.debates] == [debate.rounds for debate in log("long.csv").debates]


@pytest.mark.parametrize("name", ["long.csv", "wide.csv"])
def test_a_mapping_survives_json(log, name):
    mapping = log(name).mapping
    assert TableMapping.from_json(json.loads(json.dumps(mapping.to_json()))) == mapping


@pytest.mark.parametrize(
    "record", [{}, {"layout": "tall"}, {"layout": "long", "colour": "red"}, {"layout": "long", "scales": 5}]
)
def test_what_is_no_mapping_is_refused(record):
    with pytest.raises(InvalidSetting):
        TableMapping.from_json(record)


def test_a_person_may_say_which_column_means_what():
    table = "w,x,y,z\nC.,X.,plus,pro\n"
    refused = read(table)
    assert refused.refused
    assert codes(refused) == ["columns_unclear"]
    assert "'w', 'x', 'y', 'z'" in refused.why
    file = read(table, TableMapping(Layout.LONG, claim="w", text="x", polarity="z"))
    assert relations(file.debates[0]) == ["pro1 +"]


def test_a_mapping_to_columns_that_are_not_there_is_an_error():
    table = "claim,argument,polarity\nC.,X.,pro\n"
    file = read(table, TableMapping(Layout.LONG, claim="claim", text="argument", polarity="polarity", agent="who"))
    assert problems(file) == [("column_missing", None, "who")]
    assert len(file.debates) == 1
    lost = read(table, TableMapping(Layout.LONG, claim="thesis", text="argument", polarity="polarity"))
    assert lost.refused
    assert ("column_missing", None, "thesis") in problems(lost)


def test_a_column_first_seen_late_in_json_is_read():
    rows = [{"claim": "C.", "argument": f"X{n}.", "polarity": "pro"} for n in range(100)]
    rows.append({"claim": "C.", "argument": "Last.", "polarity": "pro", "mood": "late"})
    file = read("\n".join(json.dumps(row) for row in rows))
    assert file.debates[0].provenance["columns"]["mood"][-1] == "late"
    assert len(file.debates[0].rounds[0].arguments) == 101


def test_a_table_of_claims_alone_is_refused_with_its_columns():
    file = read("claim,valid\nC.,TRUE\nD.,FALSE\n")
    assert (file.refused, codes(file)) == (True, ["columns_unclear"])
    assert file.mapping.claim == "claim"


def test_a_column_name_that_comes_again_and_again_gets_numbers_without_going_through_those_before():
    many = 100_000
    names = list(_unique(["a", "a (2)", *["a"] * many]))
    assert len(names) == len(set(names)) == many + 2
    assert names[:4] == ["a", "a (2)", "a (3)", "a (4)"]


def test_of_a_table_with_hundreds_of_thousands_of_columns_only_the_first_are_guessed():
    columns = [f"c{number}" for number in range(300_000)]
    columns[MOST_COLUMNS - 1], columns[MOST_COLUMNS] = "argument", "claim"
    guess = guess_mapping(columns, [["pro"] * len(columns)] * 3)
    assert (guess.text, guess.claim, guess.polarity) == ("argument", None, "c0")


def test_a_line_of_a_million_commas_is_no_table():
    assert table_of(Source("commas.csv", b"claim,polarity,argument" + b"," * 1_000_000 + b"\nC.,pro,A.\n")) is None
    assert table_of(Source("blanks.csv", b"claim,polarity," + b" " * 20_000 + b"\nC.,pro,A.\n")) is None
    assert table_of(Source("many.csv", b"claim,polarity,argument" + b"," * 99_000 + b"\nC.,pro,A.\n")) is not None
