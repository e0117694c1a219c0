"""Columns of a table as codes and groups, so that what holds for many rows is found for all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

NONE = -1  # the code of a cell without a value, and the group of a row that is in none


@dataclass(frozen=True)
class Coded:
    """A column of texts: each cell's place among the different texts."""

    codes: np.ndarray
    texts: Sequence[str]

    def code(self, text: str) -> int:
        """Return the code of a text that occurs."""
        return self.texts.index(text)

    def passing(self, test: Callable[[str], bool]) -> np.ndarray:
        """Return for each cell whether its text passes a test; True where there is none."""
        passed = np.array([*map(test, self.texts), True], bool)  # the last is what the code of no text finds
        of_cell: np.ndarray = passed[self.codes]
        return of_cell

    def written(self, write: Callable[[str], str], rows: np.ndarray) -> list[str]:
        """Return what is made of some rows' texts; the empty text where there is none."""
        values = [*map(write, self.texts), ""]
        return [values[code] for code in self.codes[rows].tolist()]

    def of(self, rows: np.ndarray) -> list[str | None]:
        """Return some rows' texts, None where there is none."""
        values = [*self.texts, None]
        return [values[code] for code in self.codes[rows].tolist()]

    def known(self, rows: np.ndarray) -> list[str]:
        """Return the texts of rows that all have one."""
        return [self.texts[code] for code in self.codes[rows].tolist()]


def coded(column: pa.Array) -> Coded:
    """Return a column of texts as codes, which are numbered as the texts first come."""
    found = column.dictionary_encode()
    return Coded(pc.fill_null(found.indices, NONE).to_numpy(zero_copy_only=False), found.dictionary.to_pylist())


@dataclass(frozen=True)
class Groups:
    """Rows that belong together: the group of each row, and the first row of each group."""

    of_row: np.ndarray
    first: np.ndarray

    def only(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the value that each group's rows have, NaN for none, and whether they have no two of them."""
        lowest, highest = (np.full(len(self.first), np.nan) for _ in range(2))
        rows = np.flatnonzero(self.of_row != NONE)
        np.fmin.at(lowest, self.of_row[rows], values[rows])
        np.fmax.at(highest, self.of_row[rows], values[rows])
        return lowest, np.isnan(lowest) | (lowest == highest)

    def in_rows(self, of_group: np.ndarray) -> np.ndarray:
        """Return for each row what holds for its group; True where it is in none."""
        of_row: np.ndarray = np.append(of_group, True)[self.of_row]
        return of_row


def grouped(keys: np.ndarray, among: np.ndarray | None = None) -> Groups:
    """Return the rows with equal keys, groups in the order of their keys."""
    rows = np.arange(len(keys)) if among is None else np.flatnonzero(among)
    _, first, inverse = np.unique(keys[rows], return_index=True, return_inverse=True)
    of_row = np.full(len(keys), NONE)
    of_row[rows] = inverse
    return Groups(of_row, rows[first])


def running(groups: np.ndarray) -> np.ndarray:
    """Return 0, 1, 2, ... for each stretch of equal groups."""
    begins = np.flatnonzero(np.diff(groups, prepend=groups[0] - 1)) if len(groups) else groups
    places: np.ndarray = np.arange(len(groups)) - np.repeat(begins, np.diff([*begins, len(groups)]))
    return places


__all__ = ["NONE", "Coded", "Groups", "coded", "grouped", "running"]
