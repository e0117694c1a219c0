"""The charts and tables of a comparison by their names, so that one can be referred to and made again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.comparison.calibration import Binning
from core.comparison_report import (
    Comparison,
    DrawnChart,
    NamedTable,
    accuracy_chart,
    agreement_chart,
    calibration_chart,
    cases_of,
    outcomes_of,
    pairs_of,
    scatter_chart,
    summary_of,
    who_is_right_chart,
)

_PAIR = re.compile(r"(scores|who is right|outcomes) (\d{1,2}) and (\d{1,2})")
_CALIBRATION = re.compile(r"calibration (\d{1,2})(?: (\d{1,2}) bins of ([a-z ]+))?")


def piece_named(
    of: Comparison, name: str, debates: Sequence[str] = (), what: str = ""
) -> DrawnChart | NamedTable | None:
    """Return a chart or a table of a comparison; None where it has none of that name, or lacks labels or judges for it.

    Args:
        of: The comparison.
        name: As charts and tables are named.
        debates: The rows of a table of cases.
        what: Which those are, in words.
    """
    labelled, count = of.population.labelled, len(of.names)
    match name:
        case "summary":
            return summary_of(of)
        case "accuracy":
            return accuracy_chart(of) if labelled else None
        case "agreement":
            return agreement_chart(of) if count > 1 else None
        case "agreement pairs":
            return pairs_of(of) if count > 1 else None
        case "cases":
            return cases_of(of, debates, what)
    pair = _PAIR.fullmatch(name)
    if pair:
        a, b = int(pair[2]) - 1, int(pair[3]) - 1
        if not all(0 <= place < count for place in (a, b)) or (pair[1] == "who is right" and not labelled):
            return None
        match pair[1]:
            case "scores":
                return scatter_chart(of, a, b)
            case "who is right":
                return who_is_right_chart(of, a, b)
        return outcomes_of(of, a, b)
    calibration = _CALIBRATION.fullmatch(name)
    if calibration and labelled and 0 < int(calibration[1]) <= count:
        place = int(calibration[1]) - 1
        if calibration[2] is None:
            return calibration_chart(of, place)
        kinds = {str(kind): kind for kind in Binning}
        if calibration[3] in kinds:
            return calibration_chart(of, place, int(calibration[2]), kinds[calibration[3]])
    return None


__all__ = ["piece_named"]
