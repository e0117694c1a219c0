"""Which debates a list shows, and in what order: values that become SQL with parameters only."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.debate import DebateProtocol
from core.strict_json import storable
from core.wording import several

SEARCH_WORD = re.compile(r'"([^"]+)"|(\S+)')


class SortColumn(StrEnum):
    """What debates can be put in order by."""

    IMPORTED = "imported"
    CLAIM = "claim"
    ID = "id"
    DATASET = "dataset"
    PROTOCOL = "protocol"
    LABEL = "label"
    ROUNDS = "rounds"
    ARGUMENTS = "arguments"
    CONTESTATIONS = "contestations"


@dataclass(frozen=True)
class DebateSort:
    """An order; debates that are equal in it stay in the order of their import."""

    column: SortColumn = SortColumn.IMPORTED
    descending: bool = False

    def sql(self) -> str:
        """Return the ORDER BY list; it is made of nothing but names from here."""
        expression = _SORT_SQL[self.column]
        way = "DESC" if self.descending else "ASC"
        return f"{expression} {way} NULLS LAST, d.number ASC"


_SORT_SQL = {
    SortColumn.IMPORTED: "d.number",
    SortColumn.CLAIM: "lower(d.claim)",
    SortColumn.ID: "d.id",
    SortColumn.DATASET: "lower(s.name)",
    SortColumn.PROTOCOL: "d.protocol",
    SortColumn.LABEL: "d.label",
    SortColumn.ROUNDS: "d.round_count",
    SortColumn.ARGUMENTS: "d.argument_count",
    SortColumn.CONTESTATIONS: "coalesce(c.contestations, 0)",
}


@dataclass(frozen=True)
class DebateFilter:
    """Which debates to show: every field that is set narrows the list; within a field any value will do.

    Attributes:
        text: Words that must all occur somewhere in a debate's id, title, claim, arguments or transcript, whatever
            the case; words between double quotes must occur side by side. No character is a wild card.
        datasets: Ids of datasets.
        protocols: How the agents debated.
        labels: Gold truths; None stands for an unknown one.
        tags: Any of these.
        models: An agent runs on any of these.
        fewest_rounds, most_rounds, fewest_arguments, most_arguments: Inclusive; arguments are the last round's.
        contested: Whether somebody saved a contestation; None does not ask.
        ids: Only these debates; None does not ask, an empty tuple shows none.
    """

    text: str = ""
    datasets: tuple[str, ...] = ()
    protocols: tuple[DebateProtocol, ...] = ()
    labels: tuple[bool | None, ...] = ()
    tags: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    fewest_rounds: int | None = None
    most_rounds: int | None = None
    fewest_arguments: int | None = None
    most_arguments: int | None = None
    contested: bool | None = None
    ids: tuple[str, ...] | None = None

    def sql(self) -> tuple[str, list[Any]]:
        """Return the WHERE condition and its parameters."""
        terms: list[tuple[str, list[Any]]] = [("contains(d.search_text, ?)", [word]) for word in self.words]
        terms += [
            (condition, [[storable(value) for value in values]])
            for condition, values in (
                ("d.dataset_id IN (SELECT unnest(?::VARCHAR[]))", self.datasets),
                ("d.protocol IN (SELECT unnest(?::VARCHAR[]))", [str(protocol) for protocol in self.protocols]),
                ("list_has_any(d.tags, ?::VARCHAR[])", self.tags),
                ("list_has_any(d.models, ?::VARCHAR[])", self.models),
            )
            if values
        ]
        if self.labels:
            known = [label for label in self.labels if label is not None]
            terms.append(
                ("(d.label IN (SELECT unnest(?::BOOLEAN[])) OR (d.label IS NULL AND ?))", [known, None in self.labels])
            )
        terms += [
            (condition, [bound])
            for condition, bound in (
                ("d.round_count >= ?", self.fewest_rounds),
                ("d.round_count <= ?", self.most_rounds),
                ("d.argument_count >= ?", self.fewest_arguments),
                ("d.argument_count <= ?", self.most_arguments),
                ("(coalesce(c.contestations, 0) > 0) = ?", self.contested),
            )
            if bound is not None
        ]
        if self.ids is not None:
            terms.append(("d.id IN (SELECT unnest(?::VARCHAR[]))", [[storable(name) for name in self.ids]]))
        condition = " AND ".join(term for term, _ in terms) or "true"
        return condition, [value for _, values in terms for value in values]

    @property
    def described(self) -> str:
        """Return what is asked for in words for people, but for the datasets; empty where nothing is."""
        labels = [str(label) if label is not None else "Unknown" for label in self.labels]
        parts = [f"words {self.text!r}"] if self.text else []
        parts += [
            f"{name} {' or '.join(values)}"
            for name, values in (
                ("protocol", [protocol.value for protocol in self.protocols]),
                ("tag", self.tags),
                ("model", self.models),
                ("label", labels),
            )
            if values
        ]
        parts += [
            f"{sign} {bound} {what}"
            for sign, bound, what in (
                ("at least", self.fewest_rounds, "rounds"),
                ("at most", self.most_rounds, "rounds"),
                ("at least", self.fewest_arguments, "arguments"),
                ("at most", self.most_arguments, "arguments"),
            )
            if bound is not None
        ]
        if self.contested is not None:
            parts.append("contested" if self.contested else "not contested")
        if self.ids is not None:
            parts.append(f"{several(len(self.ids), 'debate')} by their ids")
        return "; ".join(parts)

    @property
    def words(self) -> tuple[str, ...]:
        """Return the words and quoted phrases to search for, case folded."""
        found = SEARCH_WORD.finditer(self.text)
        return tuple(folded(match[1] or match[2]) for match in found)


def folded(text: str) -> str:
    """Return a text such that two that differ in case only, or in how accents are written, become equal."""
    if text.isascii() and "\0" not in text:  # nothing to compose, and a million texts are quick
        return text.lower()
    return unicodedata.normalize("NFC", storable(text)).casefold()
