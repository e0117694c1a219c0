"""Which debates the numbers of a comparison use, and how abstentions and errors count, in words."""

from __future__ import annotations

import numpy as np

from core.comparison.population import NONE, STATUSES, UNCERTAIN, Abstention, LeftOut, Population
from core.judgement import JudgementStatus
from core.wording import several


def coverage_sentence(population: Population) -> str:
    """Return how many debates are in the common population, how many are not, and why."""
    total, size = len(population.grid.debates), population.size
    judged = f"judged by {population.judges[0].name}" if len(population.judges) == 1 else "judged by every picked judge"
    if size == total:
        return f"All numbers use all {several(total, 'debate')}, each {judged}."
    reasons = [_reason(population, reason) for reason in LeftOut]
    return (
        f"All numbers use the {size:,} of {several(total, 'debate')} {judged}; "
        f"{total - size:,} left out: {'; '.join(text for text in reasons if text)}."
    )


def counting_rule(population: Population) -> str:
    """Return how abstentions and errors count, so that nobody has to guess."""
    abstained = (
        "An abstention is neither True nor False: it counts as not right, and in agreement as a verdict of its own."
        if population.abstention is Abstention.NOT_RIGHT
        else "A debate on which a picked judge abstains is left out for all judges."
    )
    return (
        f"{abstained} An error is never a verdict: a debate with one is left out. The shares of abstentions and of "
        "errors are of all debates that the judge was given. Of "
        "several repeats the mean score counts."
    )


def _reason(population: Population, reason: LeftOut) -> str:
    names = population.left_out(reason)
    if not names:
        return ""
    count = len(names)
    match reason:
        case LeftOut.UNLABELLED:
            return f"{count:,} without a label"
        case LeftOut.NOT_JUDGED:
            return f"{count:,} not judged by every judge{_not_judged(population)}"
        case LeftOut.NO_VERDICT:
            return f"{count:,} with a judgement that ended without a verdict{_statuses(population)}"
        case LeftOut.ABSTAINED:
            return f"{count:,} with an abstention{_abstained(population)}"


def _not_judged(population: Population) -> str:
    chosen = _of(population, LeftOut.NOT_JUDGED)
    counts = (population.grid.statuses[:, chosen] == NONE).sum(axis=1)
    return _by_judge(population, [str(count) if count else "" for count in counts])


def _statuses(population: Population) -> str:
    chosen = _of(population, LeftOut.NO_VERDICT)
    texts = []
    for verdicts, statuses in zip(population.grid.verdicts, population.grid.statuses, strict=True):
        codes, counts = np.unique(statuses[chosen & (verdicts == NONE) & (statuses != NONE)], return_counts=True)
        texts.append(", ".join(f"{count} {_ending(code)}" for code, count in zip(codes, counts, strict=True)))
    return _by_judge(population, texts)


def _ending(code: int) -> str:
    status = STATUSES[code]
    return "without one" if status in (JudgementStatus.OK, JudgementStatus.ABSTAINED) else status.value


def _abstained(population: Population) -> str:
    chosen = _of(population, LeftOut.ABSTAINED)
    counts = (population.grid.verdicts[:, chosen] == UNCERTAIN).sum(axis=1)
    return _by_judge(population, [str(count) if count else "" for count in counts])


def _of(population: Population, reason: LeftOut) -> np.ndarray:
    return np.asarray(population.reasons == list(LeftOut).index(reason))


def _by_judge(population: Population, texts: list[str]) -> str:
    parts = [f"{judge.name}: {text}" for judge, text in zip(population.judges, texts, strict=True) if text]
    return f" ({'; '.join(parts)})" if parts else ""
