"""How much of what an experiment asks a stored language model has answered already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.errors import MootError
from core.experiments.experiment import Experiment
from core.experiments.source import Source
from core.judges.llm_judge import LlmJudge
from core.properties.debate_set import DebateSet
from core.properties.known import answered
from storage.database import Database
from storage.property_debates import debates_of, sources_of, stamps_within
from storage.property_known import known_answers
from storage.property_repository import PropertyRepository, Question


@dataclass(frozen=True)
class Coverage:
    """Counts answers to the questions of an experiment.

    Attributes:
        database: Where they are.
        experiment: What is asked.
    """

    database: Database
    experiment: Experiment

    @cached_property
    def parts(self) -> Sequence[tuple[Source, DebateSet, frozenset[str]]]:
        """Return the parts of the data with their debates and the stamps they had; those without debates are left out.

        Raises:
            MootError: If the data set is not here.
        """
        found = []
        for source in sources_of(self.database, self.experiment):
            try:
                found.append((source, debates_of(self.database, source), stamps_within(self.database, source)))
            except MootError:  # no debate
                continue
        return found

    @property
    def most(self) -> int:
        """Return how many answers there would be of one judge: debates times properties."""
        return len(self.experiment.tested) * sum(len(debates) for _, debates, _ in self.parts)

    def of(self, judges: Mapping[str, LlmJudge]) -> int:
        """Return how many debates judges, by id, can be tested on without a call, summed over properties and judges."""
        return sum(self._one(judge, name) for name, judge in judges.items())

    def _one(self, judge: LlmJudge, name: str) -> int:
        asked, repository = self.experiment, PropertyRepository(self.database)
        tested_before = name in self._tested
        total = 0
        for source, debates, within in self.parts:
            known = known_answers(self.database, asked.tested, judge, debates, asked.seed)
            for tested in asked.tested:
                count = answered(tested, judge, debates, known)
                if tested_before and count < len(debates):
                    kept = repository.partial(Question(name, tested, source, asked.seed, asked.tolerance))
                    there = (one.result.judged for one in kept if one.source != source or one.stamp in within)
                    count = max([count, *there])
                total += count
        return total

    @cached_property
    def _tested(self) -> frozenset[str]:
        return frozenset(PropertyRepository(self.database).tested_judges())


__all__ = ["Coverage"]
