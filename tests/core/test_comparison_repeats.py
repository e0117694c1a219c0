import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.population import common_population, judgement_grid
from core.comparison.repeats import VariedBy, summary_text, variation
from core.errors import InvalidSetting
from tests.core.comparisons import judge, labels, rows


def vary(frame: pd.DataFrame, gold: str, by: VariedBy, *, labelled: bool = True):
    grid = judgement_grid(frame, labels(gold), [judge("A")])
    return variation(frame, common_population(grid, labelled=labelled), 0, by)


def repeated(*texts: str) -> pd.DataFrame:
    return pd.concat([rows(text, "A", repeat=number) for number, text in enumerate(texts)], ignore_index=True)


def test_three_repeats_by_hand():
    found = vary(repeated("TTF", "TFF", "TTF"), "TTF", VariedBy.REPEAT)
    assert found.values == ("1", "2", "3")
    assert found.table["summary"].tolist() == ["3 of 3 True", "2 of 3 True", "0 of 3 True"]
    assert found.changed["debate"].tolist() == ["d1"]
    # labels TTF: repeat 1 right on all 3, repeat 2 on d0 and d2, repeat 3 on all
    assert found.accuracy["right"].tolist() == [3, 2, 3]
    assert found.spread == pytest.approx(1 / 3)
    assert found.score_changes == 1
    assert found.sentence == (
        "Over 3 repeats, A changes its verdict on 1 of 3 debates and its score on 1; accuracy spreads over 33.3 points."
    )


def test_an_error_in_a_repeat_is_no_change_of_verdict_and_the_debate_counts_in_no_accuracy():
    found = vary(repeated("TT", "Tu", "T?"), "TT", VariedBy.REPEAT)
    assert found.table["summary"].tolist() == ["3 of 3 True", "1 of 3 True, 1 Uncertain, 1 without a verdict"]
    assert found.table["verdict_changed"].tolist() == [False, True]  # True, then Uncertain
    assert found.complete == 1
    assert found.accuracy["n"].tolist() == [1, 1, 1]


def test_a_verdict_that_an_error_follows_has_not_changed():
    found = vary(repeated("T", "e"), "T", VariedBy.REPEAT)
    assert found.changed.empty
    assert found.complete == 0
    assert found.accuracy.empty
    assert found.spread is None


def test_a_debate_judged_once_is_not_among_the_repeats():
    found = vary(repeated("TT", "T."), "TT", VariedBy.REPEAT)
    assert found.table["debate"].tolist() == ["d0"]


def test_a_judge_without_repeats_says_so():
    found = vary(repeated("TF"), "TF", VariedBy.REPEAT)
    assert found.table.empty
    assert found.sentence == "A has one repeat only."


def test_orders_are_read_in_their_first_repeat_and_named():
    frame = pd.concat(
        [
            rows("TF", "A", repeat=0, order=None),
            rows("TT", "A", repeat=0, order="A2 A1"),
            rows("FF", "A", repeat=1, order="A2 A1"),
        ],
        ignore_index=True,
    )
    orders = vary(frame, "TF", VariedBy.ORDER)
    assert orders.values == ("as recorded", "A2 A1")
    assert orders.table["summary"].tolist() == ["2 of 2 True", "1 of 2 True"]
    assert "orders of the agents" in orders.sentence
    assert vary(frame, "TF", VariedBy.REPEAT).values == ("1",)  # in the debate's own order there is one repeat


def test_hidden_labels_leave_no_accuracy():
    found = vary(repeated("TF", "TT"), "--", VariedBy.REPEAT, labelled=False)
    assert found.accuracy.empty
    assert found.table["label"].isna().all()
    assert len(found.changed) == 1


def test_repeats_of_debates_outside_the_population_do_not_count():
    assert vary(repeated("TF", "TT"), "T-", VariedBy.REPEAT).table["debate"].tolist() == ["d0"]


def test_a_table_without_the_column_is_refused():
    with pytest.raises(InvalidSetting, match="'order'"):
        vary(repeated("T", "T"), "T", VariedBy.ORDER)


def test_words_for_counts():
    assert summary_text(2, 3) == "2 of 3 True"
    assert summary_text(0, 4, 1, 2) == "0 of 4 True, 1 Uncertain, 2 without a verdict"


@given(st.lists(st.text("TF?ue", min_size=5, max_size=5), min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_variation_does_not_depend_on_the_order_of_rows_and_counts_add_up(texts, chance):
    frame = repeated(*texts)
    order = list(range(len(frame)))
    chance.shuffle(order)
    one, two = (vary(each, "TFTFT", VariedBy.REPEAT) for each in (frame, frame.iloc[order]))
    pd.testing.assert_frame_equal(one.table, two.table)
    pd.testing.assert_frame_equal(one.accuracy, two.accuracy)
    counts = one.table[["true", "false", "uncertain", "no_verdict"]].sum(axis=1)
    assert (counts == one.table["judgements"]).all()
    assert one.complete <= len(one.table)
