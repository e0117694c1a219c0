"""The results that a page shows: worked out at once where a judge judges here, else those that are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.experiments.source import Source
from core.properties.calls import NOTHING
from core.properties.check import check
from core.properties.debate_set import DebateSet
from core.properties.judging import ask
from core.properties.property import Property
from core.properties.result import PropertyResult
from core.properties.trial import BASELINE
from pages.components import state
from storage.content_stamp import content_stamp
from storage.prompt_files import find_prompts
from storage.property_bench import Benched, Described, known_outcomes, seen_whole, without_asking
from storage.property_debates import stamp_of, stamps_within
from storage.property_known import known_answers
from storage.property_repository import KeptResult, Question, incomplete

WITNESSES = 500
SLOW = 2_000  # debates times tests from which progress is shown


@dataclass(frozen=True)
class Cell:
    """One judge and one property.

    Attributes:
        judge: Who.
        checked: What was to be tested.
        result: What it came to; without a rate where it was not tested.
        stale: Whether the debates have changed since; where some were added and all others are as they were, the
            result's note says that instead.
        otherwise: Whether it was tested with other settings than those chosen.
        origin: What is to be said wherever it is shown; empty for nothing.
    """

    judge: Benched
    checked: Property
    result: PropertyResult
    stale: bool = False
    otherwise: bool = False
    origin: str = ""

    @property
    def open(self) -> bool:
        """Return whether a language model has to be asked to fill it."""
        return self.judge.model is not None and (
            self.stale or self.otherwise or self.result.rate is None or incomplete(self.result)
        )


def cells(judges: Sequence[Benched], properties: Sequence[Property], source: Source, seed: int) -> list[Cell]:
    """Return a cell for each judge and property; what is missing is worked out, with its progress on screen.

    Raises:
        MootError: If there is no debate to test on.
    """
    debates = state.tested_debates(source)
    stamp = stamp_of(state.database(), source)
    here = _worked_out(judges, properties, source, seed, debates, stamp)
    others = [one for one in judges if not one.local]
    within = stamps_within(state.database(), source) if others else frozenset()
    kept = state.properties().latest([one.id for one in others], source) if others else ()
    found = []
    for one in judges:
        for tested in properties:
            question = Question(one.id, tested, source, seed)
            if one.local:
                found.append(Cell(one, tested, here[question.key]))
            else:
                found.append(_stored(one, tested, question, kept, debates, stamp, within))
    return found


def result_of(one: Benched, tested: Property, source: Source, seed: int) -> PropertyResult | None:
    """Return the result of one judge and property; None for a judge that would have to be asked and was not."""
    found = cells([one], [tested], source, seed)[0]
    return found.result if found.result.rate is not None and not found.otherwise else None


def _worked_out(
    judges: Sequence[Benched],
    properties: Sequence[Property],
    source: Source,
    seed: int,
    debates: DebateSet,
    stamp: str,
) -> dict[str, PropertyResult]:
    book = state.property_book()
    local = [one for one in judges if one.local]
    questions = {Question(one.id, tested, source, seed).key: (one, tested) for tested in properties for one in local}
    missing = [key for key in questions if (key, stamp) not in book.kept]
    slot = st.empty()
    with book.lock:
        for done, key in enumerate(missing):
            if (key, stamp) in book.kept:  # another visitor was faster
                continue
            one, tested = questions[key]
            if len(debates) * len(missing) > SLOW:
                slot.progress(
                    done / len(missing), f"Testing {tested.label.lower()}: {done} of {len(missing)} tests done"
                )
            book.kept[key, stamp] = _checked(one, tested, debates, seed, source, stamp)
    slot.empty()
    return {key: book.kept[key, stamp] for key in questions}


def _checked(
    one: Benched, tested: Property, debates: DebateSet, seed: int, source: Source, stamp: str
) -> PropertyResult:
    judge = one.judge
    baselines = state.property_book().baselines
    place = (f"{one.id} {source.key}", stamp)
    if place not in baselines:
        baselines[place] = ask(BASELINE, judge, debates, seed, find_prompts).outcomes  # type: ignore[arg-type]
    return check(
        tested,
        judge,  # type: ignore[arg-type]
        debates,
        seed=seed,
        baseline=baselines[place],
        prompts=find_prompts,
        most_witnesses=WITNESSES,
    )


def _stored(
    one: Benched,
    tested: Property,
    question: Question,
    kept: Sequence[KeptResult],
    debates: DebateSet,
    stamp: str,
    within: frozenset[str],
) -> Cell:
    """Return a cell of a judge that is not asked now.

    Args:
        one: Who.
        tested: What.
        question: What was to be asked.
        kept: All that is stored of such judges on these debates.
        debates: As they are now.
        stamp: Of the debates now.
        within: Stamps that they had before some of them were added.
    """
    about = [found for found in kept if _about(found, one, tested)]
    alike = [_as_now(found, debates, stamp) for found in about if found.stamp in within]
    same = [found for found in alike if found.question == question.key]
    if all(incomplete(found.result) for found in same):
        said = _without_asking(one, tested, question, debates)
        if said.rate is not None and said.judged >= max((found.result.judged for found in same), default=0):
            return Cell(one, tested, said, origin=one.origin)
    same.sort(key=lambda found: (incomplete(found.result), -found.result.judged))
    stale = [found for found in about if found.stamp not in within]
    before = [found for found in stale if found.question == question.key]
    for found in (*same, *before, *alike, *stale):
        origin = found.origin or one.origin
        shown = replace(found.result, origin=origin)
        return Cell(one, tested, shown, found.stamp not in within, found.question != question.key, origin)
    return Cell(one, tested, _without_asking(one, tested, question, debates), origin=one.origin)


def _about(found: KeptResult, one: Benched, tested: Property) -> bool:
    return found.judge_id == one.id and found.result.checked.key == tested.key and found.result.rate is not None


def _as_now(found: KeptResult, debates: DebateSet, stamp: str) -> KeptResult:
    """Return a result with what is to be said of it because debates were added since."""
    if found.stamp == stamp or found.result.debates == len(debates):
        return found
    note = f"debates added since: only on {found.result.judged:,} of {len(debates):,}"
    return replace(found, result=replace(found.result, note=note))


def _without_asking(one: Benched, tested: Property, question: Question, debates: DebateSet) -> PropertyResult:
    book = state.property_book()
    place = (f"stored {question.key}", content_stamp(state.database()))
    if place not in book.kept:
        database = state.database()
        said = known_outcomes(database, one, debates)
        known = NOTHING
        if one.model is not None and tested.needs_trials:
            known = known_answers(database, [tested], one.model, debates, question.seed)
        found = without_asking(tested, one, debates, said, question.seed, known=known)
        book.kept[place] = seen_whole(database, one, found)
    return book.kept[place]


__all__ = ["Cell", "Described", "cells", "result_of"]
