from __future__ import annotations

import pandas as pd
import pytest

from core.properties.measures import Rate
from storage.published import published
from tests.core.comparisons import known

TABLES = {table.number: table.rows for table in published() if "Post-hoc" in table.title}


@pytest.mark.parametrize(("grounded", "unanimous"), [(4, 5), (12, 13)])
def test_tables_4_and_5_and_12_and_13_hold_the_same_violations(grounded, unanimous):
    keys = ["judge", "protocol", "setting"]
    both = pd.merge(TABLES[grounded], TABLES[unanimous], on=keys, suffixes=("_4", "_5"))
    assert len(both) == len(TABLES[grounded]) == len(TABLES[unanimous]) == 12
    hallucinated = both["total_4"] - both["satisfied_4"]
    against_all = both["total_5"] - both["satisfied_5"]
    assert hallucinated.tolist() == against_all.tolist()  # a verdict that nobody holds is one against all


@pytest.mark.parametrize("number", [4, 5, 12, 13])
def test_the_rates_of_tables_4_5_12_and_13_follow_from_their_counts(number):
    for row in TABLES[number].to_dict("records"):
        rate = known(Rate.of(int(row["satisfied"]), int(row["total"])))
        assert 100 * rate.value == pytest.approx(row["rate"], abs=0.0051)
        assert rate.low < rate.value < rate.high
