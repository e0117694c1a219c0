import pytest

from storage.readers import AgentColumns, ArgumentColumns, Layout, guess_mapping, mapping_problem


@pytest.mark.parametrize(
    ("field", "column"),
    [
        ("claim", "Statement"),
        ("claim", "motion"),
        ("label", "Ground Truth"),
        ("label", "gold"),
        ("label", "GoldLabel"),
        ("agent", "Speaker"),
        ("round", "turn"),
        ("prior", "Initial Stance"),
        ("posterior", "final_stance"),
        ("text", "Argument Text"),
        ("base_score", "Weight"),
        ("base_score", "score"),
        ("base_score", "baseScore"),
        ("polarity", "+/-"),
        ("polarity", "pro/con"),
        ("target", "parent_id"),
        ("source", "URL"),
    ],
)
def test_usual_names_are_known(field, column):
    mapping = guess_mapping([column, "other"], [["x", "y"]])
    assert getattr(mapping, field) == column
    assert column in mapping.why


@pytest.mark.parametrize(
    ("cells", "polarity"), [(["pro", "con"], "stance"), (["1", "-1"], "stance"), (["0.4", "0.7"], None)]
)
def test_a_stance_is_a_polarity_only_when_its_cells_say_so(cells, polarity):
    assert guess_mapping(["claim", "argument", "stance"], [["c", "a", cell] for cell in cells]).polarity == polarity


def test_an_id_counts_arguments_when_each_row_has_its_own_and_debates_otherwise():
    columns = ["id", "claim", "argument", "polarity"]
    own = guess_mapping(columns, [["1", "c", "a", "pro"], ["2", "c", "b", "con"]])
    shared = guess_mapping(columns, [["1", "c", "a", "pro"], ["1", "c", "b", "con"]])
    assert (own.argument_id, own.debate_id) == ("id", None)
    assert (shared.argument_id, shared.debate_id) == (None, "id")


def test_columns_with_unusual_names_are_found_by_their_cells():
    rows = [["It is so.", "a reason here", "for"], ["It is so.", "other words there", "against"]]
    mapping = guess_mapping(["q", "r", "s"], rows)
    assert (mapping.claim, mapping.text, mapping.polarity) == ("q", "r", "s")
    assert all(column in mapping.why for column in ("q", "r", "s"))


def test_agents_of_a_wide_table_are_grouped_in_order():
    columns = [
        "claim",
        "A1_prior",
        "gpt_final",
        "A1_pro",
        "A1_pro_score",
        "gpt_con2",
        "gpt_con2_text_score",
        "A1_model",
    ]
    mapping = guess_mapping(columns, [])
    assert mapping.layout is Layout.WIDE
    assert mapping.agents == (
        AgentColumns("A1", "A1_model", "A1_prior", None, (ArgumentColumns("A1_pro", "pro", "A1_pro_score"),)),
        AgentColumns("gpt", None, None, "gpt_final", (ArgumentColumns("gpt_con2", "con", "gpt_con2_text_score"),)),
    )


def test_a_verdict_column_is_no_agent():
    mapping = guess_mapping(["claim", "A1_pro", "final_verdict"], [])
    assert [group.agent for group in mapping.agents] == ["A1"]


def test_target_columns_called_supports_do_not_make_a_table_wide():
    assert guess_mapping(["claim", "argument", "agent", "supports", "attacks"], []).layout is Layout.LONG


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        (["claim", "argument", "polarity"], None),
        (["claim", "A1_pro"], None),
        (["argument", "polarity"], "no column holds the claim"),
        (["claim", "label"], "no column holds the arguments' texts"),
    ],
)
def test_what_a_mapping_lacks_is_said(columns, problem):
    assert mapping_problem(guess_mapping(columns, [])) == problem


def test_a_text_column_alone_makes_no_debate():
    mapping = guess_mapping(["claim", "text"], [])
    assert "no polarity" in (mapping_problem(mapping) or "")
