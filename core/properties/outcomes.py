"""What a judge says of many debates, as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.comparison.population import NONE, STATUSES, VERDICTS, Codes, Floats, Mask
from core.judgement import Verdict
from core.overview import Scored

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
