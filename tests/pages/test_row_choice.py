"""A row is chosen by its box, by a click on its text and by the arrow keys, and unticked by its box."""

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some

from pages.components.row_choice import chosen_row, following, meant

KEY = "a table"
ROWS = some.integers(0, 5)


@pytest.mark.parametrize(
    ("rows", "cells", "before", "row"),
    [
        ([], [], None, None),
        ([3], [], None, 3),  # ticked
        ([], [(2, "Claim")], None, 2),  # its text clicked
        ([3], [(2, "Claim")], 3, 2),  # another row's text clicked
        ([4], [(2, "Claim")], 2, 4),  # another row ticked
        ([2], [(2, "Gap")], 2, 2),  # another cell of the row
        ([], [(2, "Claim")], 2, None),  # unticked
        ([2], [], 2, 2),  # the cell left with Escape
    ],
)
def test_the_row_that_is_new_is_meant(rows, cells, before, row):
    assert meant(rows, cells, before) == row


@given(ROWS, ROWS)
def test_a_clicked_cell_means_its_row_whatever_was_chosen(before, clicked):
    assert meant([before], [(clicked, "Claim")], before) == clicked


def test_a_clicked_cell_ticks_its_row_and_stays_chosen(monkeypatch):
    kept = {KEY: {"selection": {"rows": [1], "columns": [], "cells": [(1, "Claim")]}}}
    monkeypatch.setattr(st, "session_state", kept)
    said = []
    follow = following(KEY, lambda: said.append(chosen_row(kept[KEY])))
    kept[KEY] = {"selection": {"rows": [1], "columns": [], "cells": [(4, "Gap")]}}
    follow()
    assert kept[KEY] == {"selection": {"rows": [4], "columns": [], "cells": [(4, "Gap")]}}
    assert said == [4]


def test_a_choice_left_from_a_longer_table_is_none():
    event = {"selection": {"rows": [7], "columns": [], "cells": []}}
    assert (chosen_row(event, 7), chosen_row(event, 8), chosen_row(None)) == (None, 7, None)
