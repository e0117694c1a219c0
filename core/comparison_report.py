"""Judges side by side as charts and tables, each with its caption: what the page draws and what files hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.calibration_figures import calibration_curve
from core.comparison.agreement import Outcomes, PanelAgreement, case_table, outcomes, pair_table, panel_agreement
from core.comparison.calibration import Binning, calibrate
from core.comparison.coverage import counting_rule, coverage_sentence
from core.comparison.mcnemar import WhoIsRight, who_is_right
from core.comparison.metrics import COST, SUMMARY_DECIMALS, SUMMARY_SIGNS, summaries, summary_table
from core.comparison.population import Population
from core.comparison_figures import REMARKS, accuracy_dots, agreement_squares, judge_scatter
from core.disagreement_figures import who_is_right_bars
from core.figures import Chart
from core.palette import Palette
from core.table_export import Caption, Table

BINS = 10
ALL_DIFFERING = "debates on which the judges differ"


@dataclass(frozen=True)
class DrawnChart:
    """A chart that can be drawn for any background.

    Attributes:
        name: In the names of files.
        draw: Draws it.
        caption: What it is of.
    """

    name: str
    draw: Callable[[Palette], Chart]
    caption: Caption


@dataclass(frozen=True)
class NamedTable:
    """A table that is made when it is asked for.

    Attributes:
        name: In the names of files.
        caption: What it is of.
        make: Makes it.
    """

    name: str
    caption: Caption
    make: Callable[[], Table]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Judges on the debates that all of them judged.

    Attributes:
        population: The debates that count. The first judge is the baseline.
        claims: By debate id.
        dataset, dataset_hash: What the debates are from; the hash is empty for several data sets together.
        whole_names: Each judge's name in full.
        remarks: What is to be said of each judge wherever its figures are shown.
        filter: Which debates were looked at, in words; empty for all.
        published: Published figures to show below one's own, in the columns of a summary table.
        currency: What costs are in; empty if unknown.
    """

    population: Population
    claims: Mapping[str, str]
    dataset: str
    dataset_hash: str
    whole_names: tuple[str, ...]
    remarks: tuple[tuple[str, ...], ...]
    filter: str = ""
    published: pd.DataFrame = field(default_factory=lambda: summary_table(()))
    currency: str = ""
    _drawn: dict[tuple[str, Palette], Chart] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the judges' names as charts and tables have them."""
        return tuple(judge.name for judge in self.population.judges)

    @property
    def pair(self) -> tuple[int, int]:
        """Return the pair to begin with: the baseline and the first judge of another kind, or else the second."""
        families = [judge.family for judge in self.population.judges]
        others = [place for place, family in enumerate(families) if family != families[0]]
        return 0, (others or [len(families[:2]) - 1])[0]

    def marks(self, place: int) -> str:
        """Return in a few words what must be known of a judge, such as "copying; one-sided"; empty for nothing."""
        return "; ".join(map(_mark, self.remarks[place]))

    @cached_property
    def summary(self) -> pd.DataFrame:
        """Return a row of figures per judge, then the published rows; the last column names what is to be known."""
        marks = [self.marks(place) for place in range(len(self.remarks))]
        own = summary_table(summaries(self.population)).assign(**{REMARKS: marks})
        rows = pd.concat([own, self.published], ignore_index=True) if len(self.published) else own
        return rows.astype({REMARKS: "str"}).fillna({REMARKS: ""})

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Return a row per two judges: on how many they agree, and kappa."""
        return pair_table(self.population)

    @cached_property
    def panel(self) -> PanelAgreement | None:
        """Return how all judges agree together; None for one judge alone."""
        return panel_agreement(self.population, self.pairs)

    def drawn(self, name: str, draw: Callable[[Palette], Chart], caption: Caption) -> DrawnChart:
        """Return a chart that is drawn once for each background; the name tells all that it depends on."""

        def once(palette: Palette) -> Chart:
            if (name, palette) not in self._drawn:
                self._drawn[name, palette] = draw(palette)
            return self._drawn[name, palette]

        return DrawnChart(name, once, caption)

    def outcomes(self, a: int, b: int) -> Outcomes:
        """Return which debates give which pair of verdicts of judges number a and b."""
        return outcomes(self.population, a, b)

    def who_is_right(self, a: int, b: int) -> WhoIsRight:
        """Return who is right where judges number a and b differ; the population must be labelled."""
        return who_is_right(self.population, a, b)

    def cases(self, debates: Iterable[str]) -> pd.DataFrame:
        """Return one row per debate: id, claim, verdicts and scores, gap, and the label unless labels are hidden."""
        return case_table(self.population, list(debates), self.claims, gold=self.population.labelled)

    def caption(self, title: str, judges: Sequence[int] | None = None) -> Caption:
        """Return what a chart or table of these judges, all unless places are given, is of."""
        places = range(len(self.names)) if judges is None else judges
        told = [
            self.names[place]
            if self.names[place] == self.whole_names[place]
            else f"{self.names[place]} = {self.whole_names[place]}"
            for place in places
        ]
        said = [f"{self.names[place]}: {remark}" for place in places for remark in self.remarks[place]]
        return Caption(
            title,
            self.dataset,
            tuple(told),
            self.population.size,
            len(self.population.grid.debates),
            self.filter,
            self.dataset_hash,
            (coverage_sentence(self.population), counting_rule(self.population), *said),
        )


def accuracy_chart(of: Comparison) -> DrawnChart:
    """Return every judge's accuracy with its interval."""
    return of.drawn("accuracy", lambda palette: accuracy_dots(of.summary, palette), of.caption("Accuracy"))


def agreement_chart(of: Comparison) -> DrawnChart:
    """Return a square per two judges, its area the share of debates on which they differ."""
    caption = of.caption("Disagreement of judges, pair by pair")
    return of.drawn("agreement", lambda palette: agreement_squares(of.pairs, of.names, palette), caption)


def scatter_chart(of: Comparison, a: int, b: int) -> DrawnChart:
    """Return the scores of two judges against each other."""
    return of.drawn(
        f"scores {a + 1} and {b + 1}",
        lambda palette: judge_scatter(of.population, a, b, of.claims, palette),
        of.caption("Scores of two judges", (a, b)),
    )


def who_is_right_chart(of: Comparison, a: int, b: int) -> DrawnChart:
    """Return who is right where two judges differ; the population must be labelled."""
    return of.drawn(
        f"who is right {a + 1} and {b + 1}",
        lambda palette: who_is_right_bars([of.who_is_right(a, b)], palette),
        of.caption("Who is right where two judges differ", (a, b)),
    )


def calibration_chart(
    of: Comparison, judge: int, bins: int = BINS, binning: Binning = Binning.EQUAL_WIDTH
) -> DrawnChart:
    """Return how far a judge's scores and the truth lie apart; the population must be labelled."""
    usual = (bins, binning) == (BINS, Binning.EQUAL_WIDTH)
    return of.drawn(
        f"calibration {judge + 1}" if usual else f"calibration {judge + 1} {bins} bins of {binning.value}",
        lambda palette: calibration_curve(calibrate(of.population, judge, bins, binning), palette),
        of.caption("Calibration", (judge,)),
    )


def summary_of(of: Comparison) -> NamedTable:
    """Return the table of figures, a row per judge."""
    caption = of.caption("Judges side by side")
    if of.currency and of.summary[COST].notna().any():
        caption = replace(caption, notes=(*caption.notes, f"Cost in {of.currency}."))
    return NamedTable("summary", caption, lambda: Table(of.summary, caption, SUMMARY_DECIMALS, SUMMARY_SIGNS))


def pairs_of(of: Comparison) -> NamedTable:
    """Return the table of agreement, a row per two judges."""
    caption = of.caption("Agreement of judges")
    return NamedTable("agreement pairs", caption, lambda: Table(of.pairs, caption, {"kappa": 2}))


def outcomes_of(of: Comparison, a: int, b: int) -> NamedTable:
    """Return the counts of every pair of verdicts of two judges."""
    caption = of.caption("Verdicts of two judges", (a, b))
    return NamedTable(f"outcomes {a + 1} and {b + 1}", caption, lambda: Table(of.outcomes(a, b).table, caption))


def cases_of(of: Comparison, debates: Sequence[str], what: str) -> NamedTable:
    """Return a table of debates; ``what`` says which ones."""
    caption = of.caption(f"Cases: {what}")
    return NamedTable("cases", caption, lambda: Table(of.cases(debates), caption))


def differing(of: Comparison) -> list[str]:
    """Return the debates on which not all judges come to one verdict, those with the widest gap of scores first."""
    verdicts = of.population.verdicts
    return _widest_first(of, np.flatnonzero((verdicts != verdicts[0]).any(axis=0)))


def by_gap(of: Comparison, debates: Iterable[str]) -> list[str]:
    """Return debates in the order of the gap between the judges' scores, the widest first."""
    return _widest_first(of, of.population.places(debates))


def every_chart(of: Comparison, pair: tuple[int, int]) -> list[DrawnChart]:
    """Return all charts that the judges and labels at hand allow, with those of one pair of judges."""
    labelled, several = of.population.labelled, len(of.names) > 1
    charts = [accuracy_chart(of)] if labelled else []
    if several:
        charts += [agreement_chart(of), scatter_chart(of, *pair)]
        charts += [who_is_right_chart(of, *pair)] if labelled else []
    return charts + ([calibration_chart(of, place) for place in range(len(of.names))] if labelled else [])


def every_table(of: Comparison, pair: tuple[int, int]) -> list[NamedTable]:
    """Return all tables that the judges at hand allow, with those of one pair of judges."""
    tables = [summary_of(of)]
    if len(of.names) > 1:
        tables += [pairs_of(of), outcomes_of(of, *pair), cases_of(of, differing(of), ALL_DIFFERING)]
    return tables


def _widest_first(of: Comparison, places: npt.NDArray[np.intp]) -> list[str]:
    order = np.argsort(-of.population.gaps[places], kind="stable")  # a missing gap comes last
    return [str(name) for name in of.population.debates[places[order]]]


def _mark(remark: str) -> str:
    """Return the word or words that a remark begins with: "constant", "copying"."""
    mark = remark.split(":")[0].split(".")[0]
    return mark[:1].lower() + mark[1:]


__all__ = [
    "ALL_DIFFERING", "BINS", "REMARKS", "Comparison", "DrawnChart", "NamedTable", "accuracy_chart", "agreement_chart",
    "by_gap", "calibration_chart", "cases_of", "differing", "every_chart", "every_table", "outcomes_of", "pairs_of",
    "scatter_chart", "summary_of", "who_is_right_chart",
]  # fmt: skip
