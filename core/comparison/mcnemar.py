"""Who is right when two judges differ, and whether that could be chance."""

from __future__ import annotations

from dataclasses import dataclass

from statsmodels.stats.contingency_tables import mcnemar

from core.comparison.population import ComparedJudge, Population
from core.errors import InvalidSetting

FEW = 25  # below this many discordant debates the chi-squared approximation is poor


@dataclass(frozen=True)
class McNemar:
    """McNemar's test on the debates where exactly one of two judges is right.

    Attributes:
        b: Debates where only the first is right.
        c: Debates where only the second is right.
        exact_p: Two-sided exact binomial p; None if b + c = 0.
        chi_squared: (|b - c| - 1)^2 / (b + c), with 0 as numerator where |b - c| <= 1; None if b + c = 0.
        chi_squared_p: Its p at one degree of freedom; None if b + c = 0.
    """

    b: int
    c: int
    exact_p: float | None
    chi_squared: float | None
    chi_squared_p: float | None

    @property
    def few(self) -> bool:
        """Return whether only the exact p should be read, as there are fewer than 25 discordant debates."""
        return self.b + self.c < FEW

    @property
    def odds_ratio(self) -> float | None:
        """Return b / c: infinite where only c is 0, None where both are."""
        if self.c == 0:
            return float("inf") if self.b else None
        return self.b / self.c

    @property
    def smoothed_odds_ratio(self) -> float:
        """Return (b + 0.5) / (c + 0.5), which is always finite."""
        return (self.b + 0.5) / (self.c + 0.5)


@dataclass(frozen=True)
class WhoIsRight:
    """Which of two judges is right where their verdicts differ.

    ``only_a`` and ``only_b`` are debate ids where exactly one is right, ``neither`` those where the verdicts differ
    and none is right, which takes an abstention; ``same`` counts the debates with equal verdicts.
    """

    judge_a: ComparedJudge
    judge_b: ComparedJudge
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    neither: tuple[str, ...]
    same: int
    test: McNemar

    @property
    def differ(self) -> int:
        """Return on how many debates the verdicts differ."""
        return len(self.only_a) + len(self.only_b) + len(self.neither)

    @property
    def sentence(self) -> str:
        """Return the result in words."""
        a, b = self.judge_a.name, self.judge_b.name
        if not self.differ:
            return f"{a} and {b} come to the same verdict on all {self.same} debates."
        neither = f", neither in {len(self.neither)}" if self.neither else ""
        return (
            f"{a} is right in {len(self.only_a)} of {self.differ} disagreements, {b} in {len(self.only_b)}{neither}; "
            f"{p_text(self.test)}."
        )


def mcnemar_test(b: int, c: int) -> McNemar:
    """Return McNemar's test for b and c discordant pairs, exact and with continuity correction.

    Raises:
        InvalidSetting: If a count is negative.

    Source: McNemar (1947); Edwards (1948) for the correction. Computed by statsmodels.
    """
    if b < 0 or c < 0:
        raise InvalidSetting(f"McNemar's counts are {b} and {c}; they must be 0 or more.")
    if b + c == 0:
        return McNemar(b, c, None, None, None)
    table = [[0, b], [c, 0]]
    # The correction must not turn b = c into a difference: (|0| - 1)^2 would be 1.
    approximate = mcnemar(table, exact=False, correction=b != c)
    exact = float(mcnemar(table, exact=True).pvalue)
    return McNemar(b, c, exact, float(approximate.statistic), float(approximate.pvalue))


def who_is_right(population: Population, a: int, b: int) -> WhoIsRight:
    """Return who is right where judges number a and b differ, on the common population.

    Raises:
        InvalidSetting: If the population was not restricted to labelled debates.
    """
    if not population.labelled:
        raise InvalidSetting("Who is right needs gold labels; take the labelled population.")
    right_a, right_b = population.right[a], population.right[b]
    differ = population.verdicts[a] != population.verdicts[b]
    only_a = tuple(str(name) for name in population.debates[right_a & ~right_b])
    only_b = tuple(str(name) for name in population.debates[right_b & ~right_a])
    neither = tuple(str(name) for name in population.debates[differ & ~right_a & ~right_b])
    judges = population.judges
    test = mcnemar_test(len(only_a), len(only_b))
    return WhoIsRight(judges[a], judges[b], only_a, only_b, neither, int((~differ).sum()), test)


def p_text(test: McNemar) -> str:
    """Return the exact p in words, such as ``exact McNemar p = 0.078``."""
    if test.exact_p is None:
        return "no debate on which exactly one of them is right"
    return "exact McNemar p < 0.001" if test.exact_p < 0.001 else f"exact McNemar p = {test.exact_p:.3f}"
