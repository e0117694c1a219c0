"""Is a judge judging? A constant judge looks perfectly robust, and a small model often copies a number it was shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.judgement import DecisionRule, Verdict
from core.judges.llm_judge import VisibleNumber

DECIMALS = 2  # scores are printed to hundredths, so that is how they are compared
HUNDREDTHS = 101
FEWEST = 10  # cases below which nothing is said of one-sidedness, copying or few values
ONE_SIDED = 0.95  # share of one verdict from which a judge is called one-sided
FEW_VALUES = 0.1  # share of distinct scores, of all or of the hundredths, up to which a judge is said to use few
MUCH_COPIED = 0.5  # share of scores that stand in the prompt from which a judge is said to copy


@dataclass(frozen=True)
class DiagnosedCase:
    """One score of a judge, with the numbers that its prompt showed; none where scores cannot be copied."""

    score: float
    visible: tuple[VisibleNumber, ...] = ()


@dataclass(frozen=True)
class Diagnosis:
    """What a judge's scores look like, whatever they are worth.

    Attributes:
        count: Scores looked at.
        distinct: Different values among them, to hundredths.
        constant: The one value that all have; None where they differ, or there are fewer than two.
        true_share: Share of True verdicts among the decided ones, in [0, 1]; None where none is decided.
        copied: How many scores equal a number visible in their prompt, by what that number was; where several are
            equal, the one that comes first in the prompt.
        comparable: Scores whose prompt showed numbers.
        by_chance: How many scores would equal a visible number if every hundredth were equally likely.
    """

    count: int
    distinct: int
    constant: float | None
    true_share: float | None
    copied: Mapping[str, int] = field(default_factory=dict)
    comparable: int = 0
    by_chance: float = 0.0

    @property
    def distinct_share(self) -> float | None:
        """Return the share of distinct scores, in (0, 1]; None where there are none."""
        return self.distinct / self.count if self.count else None

    @property
    def copied_share(self) -> float | None:
        """Return the share of scores that stand in their prompt, in [0, 1]; None where no prompt showed numbers."""
        return sum(self.copied.values()) / self.comparable if self.comparable else None

    def warnings(self) -> tuple[str, ...]:
        """Return what should be said wherever this judge's figures are shown; nothing for an inconspicuous judge."""
        found = []
        if self.constant is not None and self.count > 1:
            found.append(
                f"Constant: {self.constant:.2f} for all {self.count:,} cases. A judge that never changes its score "
                "passes tests of robustness without judging."
            )
        elif self.count >= FEWEST and self.distinct <= FEW_VALUES * min(self.count, HUNDREDTHS):
            found.append(f"Few values: {self.distinct:,} different scores in {self.count:,} cases.")
        if self.copied_share is not None and self.comparable >= FEWEST and self.copied_share >= MUCH_COPIED:
            kind, most = max(self.copied.items(), key=lambda entry: (entry[1], entry[0]))
            found.append(
                f"Copying: {sum(self.copied.values()):,} of {self.comparable:,} scores are numbers that stand in the "
                f"prompt (about {self.by_chance:.0f} would be by chance), most often the {kind} ({most})."
            )
        if self.true_share is not None and self.count >= FEWEST:
            if self.true_share >= ONE_SIDED:
                found.append(f"One-sided: {self.true_share:.0%} of the verdicts are True.")
            elif self.true_share <= 1 - ONE_SIDED:
                found.append(f"One-sided: {1 - self.true_share:.0%} of the verdicts are False.")
        return tuple(found)


def diagnosis(cases: Iterable[DiagnosedCase], rule: DecisionRule | None = None) -> Diagnosis:
    """Return what a judge's scores look like.

    Args:
        cases: Its scores.
        rule: From score to verdict; the published rule unless given.
    """
    listed = list(cases)
    values = {round(case.score, DECIMALS) for case in listed}
    verdicts = Counter((rule or DecisionRule()).verdict(case.score) for case in listed)
    decided = verdicts[Verdict.TRUE] + verdicts[Verdict.FALSE]
    comparable = [case for case in listed if case.visible]
    sources = [source for case in comparable if (source := copied_from(case)) is not None]
    return Diagnosis(
        len(listed),
        len(values),
        values.copy().pop() if len(values) == 1 and len(listed) > 1 else None,
        verdicts[Verdict.TRUE] / decided if decided else None,
        dict(Counter(sources).most_common()),
        len(comparable),
        sum(len({round(number.value, DECIMALS) for number in case.visible}) for case in comparable) / HUNDREDTHS,
    )


def diagnosis_of_scores(scores: Sequence[float], verdicts: Iterable[Verdict]) -> Diagnosis:
    """Return what many scores look like that no prompt could have shown; quick, as equal ones are looked at once.

    Args:
        scores: In [0, 1].
        verdicts: What they came to, abstentions included.
    """
    counts = Counter(verdicts)
    return diagnosis_of_counts(scores, counts[Verdict.TRUE], counts[Verdict.FALSE])


def diagnosis_of_counts(scores: Sequence[float], true: int, false: int) -> Diagnosis:
    """Return what many scores look like that came to so many verdicts True and so many False."""
    values = {round(score, DECIMALS) for score in set(scores)}
    return Diagnosis(
        len(scores),
        len(values),
        values.copy().pop() if len(values) == 1 and len(scores) > 1 else None,
        true / (true + false) if true + false else None,
    )


def copied_from(case: DiagnosedCase) -> str | None:
    """Return which number of the prompt a score equals, to hundredths, the first of several; None where none does."""
    score = round(case.score, DECIMALS)
    return next((number.what for number in case.visible if round(number.value, DECIMALS) == score), None)


@dataclass(frozen=True)
class ExampleEffect:
    """What a judge says when its prompt shows an example number.

    Attributes:
        example: The number; None for a prompt without one.
        count: Debates that were judged with every example.
        equal: Scores that are the example itself.
        mean: The mean score.
        moved: The mean change against the first example listed, towards this one where positive; None for the first.
    """

    example: float | None
    count: int
    equal: int
    mean: float
    moved: float | None


def example_effects(scores: Sequence[tuple[float | None, Mapping[str, float]]]) -> tuple[ExampleEffect, ...]:
    """Return the effect of the example number in a prompt, on the debates that were judged with all of them.

    Args:
        scores: For each example its scores by debate; the first is what the others are compared with.
    """
    shared = sorted(set.intersection(*(set(by_debate) for _, by_debate in scores))) if scores else []
    if not shared:
        return ()
    base = scores[0][1]
    effects = []
    for place, (example, by_debate) in enumerate(scores):
        values = [by_debate[debate] for debate in shared]
        equal = 0 if example is None else sum(round(value - example, DECIMALS) == 0 for value in values)
        moved = None
        if place and example is not None:
            towards = [(by_debate[debate] - base[debate]) * (1 if example >= base[debate] else -1) for debate in shared]
            moved = sum(towards) / len(shared)
        effects.append(ExampleEffect(example, len(shared), equal, sum(values) / len(shared), moved))
    return tuple(effects)


__all__ = [
    "DiagnosedCase",
    "Diagnosis",
    "ExampleEffect",
    "copied_from",
    "diagnosis",
    "diagnosis_of_counts",
    "diagnosis_of_scores",
    "example_effects",
]
