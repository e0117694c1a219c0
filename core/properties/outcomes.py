"""What a judge says of many debates, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.comparison.population import FALSE, NONE, STATUSES, TRUE, UNCERTAIN, VERDICTS, Codes, Floats, Mask
from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.overview import Scored

NEAR = 1e-9  # of a border between verdicts; rules round to 12 decimals

_VERDICT_CODES: dict[Verdict | None, int] = {None: NONE} | {verdict: code for code, verdict in enumerate(VERDICTS)}
_STATUS_CODES = {status: code for code, status in enumerate(STATUSES)}


@dataclass(frozen=True, eq=False)
class Outcomes:
    """One judgement per debate.

    Attributes:
        scores: In [0, 1], NaN where there is none, shape (D,).
        verdicts: Codes, NONE where there is none, shape (D,).
        statuses: Codes, NONE where the debate was not judged, shape (D,).
    """

    scores: Floats
    verdicts: Codes
    statuses: Codes

    @classmethod
    def of(cls, judged: Iterable[Scored | None]) -> Outcomes:
        """Return judgements as arrays; None stands for a debate that was not judged."""
        listed = list(judged)
        return cls(
            np.array([np.nan if s is None or s.score is None else s.score for s in listed], dtype=np.float64),
            np.array([NONE if s is None else _VERDICT_CODES[s.verdict] for s in listed], dtype=np.int8),
            np.array([NONE if s is None else _STATUS_CODES[s.status] for s in listed], dtype=np.int8),
        )

    @classmethod
    def of_scores(cls, scores: Floats, rule: DecisionRule) -> Outcomes:
        """Return known scores, shape (D,), with the verdicts that a rule brings them to, exactly as the rule has it."""
        distance = scores - rule.threshold
        verdicts = np.where(distance > 0, TRUE, FALSE).astype(np.int8)
        if rule.abstention:
            verdicts[np.abs(distance) < rule.abstention] = UNCERTAIN
        # Near a border the rule's own rounding decides, so the rule itself is asked.
        for border in (0.0, rule.abstention):
            for place in np.flatnonzero(np.abs(np.abs(distance) - border) < NEAR).tolist():
                verdicts[place] = _VERDICT_CODES[rule.verdict(float(scores[place]))]
        abstained, ok = (_STATUS_CODES[status] for status in (JudgementStatus.ABSTAINED, JudgementStatus.OK))
        return cls(scores, verdicts, np.where(verdicts == UNCERTAIN, abstained, ok).astype(np.int8))

    def replaced(self, judged: Mapping[int, Scored]) -> Outcomes:
        """Return the same with some places judged otherwise."""
        if not judged:
            return self
        places = list(judged)
        others = Outcomes.of(judged.values())
        scores, verdicts, statuses = self.scores.copy(), self.verdicts.copy(), self.statuses.copy()
        scores[places], verdicts[places], statuses[places] = others.scores, others.verdicts, others.statuses
        return Outcomes(scores, verdicts, statuses)

    @cached_property
    def known(self) -> Mask:
        """Return where there are a score and a verdict, shape (D,)."""
        return np.asarray(~np.isnan(self.scores) & (self.verdicts != NONE))

    def at(self, place: int) -> Scored | None:
        """Return one judgement; None for a debate that was not judged."""
        if self.statuses[place] == NONE:
            return None
        score, verdict = float(self.scores[place]), int(self.verdicts[place])
        return Scored(
            None if np.isnan(score) else score,
            None if verdict == NONE else VERDICTS[verdict],
            STATUSES[int(self.statuses[place])],
        )
