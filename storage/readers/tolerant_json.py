"""The JSON records in a text, whatever is around them: one tolerant reader for everything that should be JSON.

It reads one object, a list of objects, JSON Lines, objects one after the other, pretty-printed or not, in Markdown
fences or between prose, and Python's ``repr`` of the same. It guesses nothing: what cannot be read is an error with
its line, and reading goes on at the next record.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from core.import_issue import IssueLog, quoted
from core.strict_json import may_escape_unstorable, storable
from core.wording import several
from storage.readers.field_lines import field_lines
from storage.readers.json_repair import balanced_end, read_with_long_numbers, without_trailing_commas
from storage.readers.python_literal import read_python_literal

DEEPEST = 200  # levels; a debate needs about eight
EFFORT = 8 << 20  # characters looked at in vain before the reader stops trying, so that no file keeps it busy
COST_OF_A_TRY = 2000  # what trying a Python literal in vain costs, in characters
COST_OF_DEPTH = 20_000  # what running out of stack costs
MOST_CANDIDATES = 20  # braces in a line of prose that are tried as the start of a record

_SPACE = re.compile(r"[\s\ufeff\x1e]*+")  # \x1e separates the records of a "JSON text sequence"
_END_OF_LINE = re.compile(r"[ \t\r]*+(?:\n|\Z)")
_END_OF_LINE_OR_WORD = re.compile(r"[\w.+-]{0,16}[ \t\r]*+(?:\n|\Z)")
_FENCE = re.compile(r"(?:```|~~~)[\w+.-]*+")
_LIST_OF_OBJECTS = re.compile(r"\[\s*+\{")
_CANDIDATE = re.compile(r"\{\s*+[\"'}]|\[\s*+\{")
_PYTHON = re.compile(r"[{\[]\s*+[\[{(]*'")
_LINE_WITH_RECORD = re.compile(r"\n(?=[{\[]|```)")
_PIECES = (1 << 16, 1 << 20, 1 << 24)  # characters
_LONGEST_WORD = 16  # a number or word that is cut off is reported where it starts
_NOTHING = object()


@dataclass(frozen=True)
class JsonRecord:
    """One value of a text.

    Attributes:
        value: A plain JSON value; its numbers may still be NaN or infinite.
        line: Where it starts, from 1.
        locate: Gives the line of a field by its path where the record spans several lines; else None.
    """

    value: Any
    line: int
    locate: Callable[[str], int | None] | None = None


def json_records(text: str, issues: IssueLog, patience: int | None = None, first_line: int = 1) -> Iterator[JsonRecord]:
    """Yield the records of a text in their order.

    Args:
        text: A whole file.
        issues: Takes what could not be read and what had to be mended.
        patience: Give up after this many lines and broken records without a good one; None reads on to the end.
        first_line: The line that the text begins on, where it is a piece of a file.
    """
    return _Scanner(text, issues, first_line).records(patience)


class _Objects:
    """Makes the objects of JSON, noting keys that come twice in one."""

    def __init__(self) -> None:
        self.repeated_keys: list[str] = []

    def made(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        read = dict(pairs)
        if len(read) != len(pairs):
            times = Counter(key for key, _ in pairs)
            self.repeated_keys.extend(key for key, count in times.items() if count > 1)
        return read


class _Scanner:
    """Goes through a text once. Places are offsets in it."""

    def __init__(self, text: str, issues: IssueLog, first_line: int = 1) -> None:
        self.text = text
        self.first_line = first_line
        self.issues = issues
        objects = _Objects()  # apart from this scanner: in a cycle, the text would stay until a collection
        self.decode = json.JSONDecoder(object_pairs_hook=objects.made).raw_decode
        self.repeated_keys = objects.repeated_keys
        self.may_be_unstorable = may_escape_unstorable(text)
        self.effort = EFFORT
        self.counted = (0, first_line)  # a place and its line
        self.line_ends = (0, -1)  # a stretch of text without a line's end, and the end after it
        self.records_found = 0
        self.broken = 0
        self.literals = 0
        self.literal: Any = None  # the last one that was read
        self.fences = 0
        self.prose_lines = 0
        self.first_prose: tuple[int, str] | None = None
        self.open_list: int | None = None  # the line on which a list of records began

    def records(self, patience: int | None) -> Iterator[JsonRecord]:
        place = self._after_space(0)
        while place < len(self.text):
            sign = self.text[place]
            if sign == "{" or (sign == "[" and not _LIST_OF_OBJECTS.match(self.text, place)):
                start = place
                value, place = self._value(start)
                if value is _NOTHING:
                    self.broken += 1
                else:
                    self.records_found += 1
                    yield self._record(value, start, place)
                    place = self._after_record(place)
            elif sign == "[":  # the records of a list are read one by one, like those of lines
                self.open_list = self._line(place)
                place += 1
            elif sign == "]" and self.open_list is not None:
                self.open_list = None
                place += 1
            elif sign == "," and self.records_found:
                place += 1
            else:
                place = self._prose(place)
            if patience is not None and not self.records_found and self.prose_lines + self.broken > patience:
                return
            place = self._after_space(place)
        self._report_the_whole()

    def _report_the_whole(self) -> None:
        if self.open_list is not None and self.records_found:
            self.issues.warning(
                "list_not_closed",
                "The list that begins on this line is never closed; was the file cut off?",
                self.open_list,
            )
        if not self.records_found:
            return
        if self.fences:
            self.issues.info(
                "fences_removed", f"{several(self.fences, 'Markdown fence mark')} around the JSON left out."
            )
        if self.literals:
            self.issues.info(
                "python_literal",
                f"{several(self.literals, 'record')} written as Python literal instead of JSON and read as such.",
            )
        if self.first_prose is not None:
            line, beginning = self.first_prose
            self.issues.warning(
                "text_outside_json",
                f"{several(self.prose_lines, 'line')} with text outside the JSON skipped, the first begins with "
                f"{quoted(beginning)}.",
                line,
            )

    # -- one value ----------------------------------------------------------------------------------------------

    def _value(self, start: int) -> tuple[Any, int]:
        """Return the value that starts at a place and where it ends, or ``_NOTHING`` and where to go on."""
        try:
            value, end = self._decoded(start)
        except json.JSONDecodeError as error:
            self.effort -= error.pos
            return self._mended(start, error)
        except RecursionError:
            self.effort -= COST_OF_DEPTH
            return self._refused_as_too_deep(start)
        except ValueError:  # an integer with more digits than Python turns into a number
            return self._with_long_numbers(start)
        return self._checked(value, start, end)

    def _decoded(self, start: int) -> tuple[Any, int]:
        """Return the JSON value at a place and its end; an error's position counts from the place.

        Only a piece of the text is decoded, at first the line, because an error counts the lines of all it was given.
        """
        rest = len(self.text) - start
        line = min(self._line_end(start) - start, _PIECES[0])
        sizes = (line, *_PIECES, rest) if self.effort > 0 else (line,)
        for size in sizes:
            piece = self.text[start : start + size]
            self.repeated_keys.clear()
            try:
                value, end = self.decode(piece)
            except json.JSONDecodeError as error:
                at_the_cut = error.pos >= len(piece) - _LONGEST_WORD or error.msg.startswith("Unterminated string")
                if not at_the_cut or size >= rest or size == sizes[-1]:
                    raise
            else:
                return value, start + end
        raise AssertionError("The last piece either decodes or raises.")

    def _checked(self, value: Any, start: int, end: int) -> tuple[Any, int]:
        if self.text.count("{", start, end) + self.text.count("[", start, end) > DEEPEST and _depth(value) > DEEPEST:
            return self._refused_as_too_deep(start)
        for key in self.repeated_keys:
            self.issues.warning(
                "key_repeated", f"The key {quoted(key)} comes twice in one object; the last counts.",
                self._line(start), key,
            )  # fmt: skip
        if self.may_be_unstorable and may_escape_unstorable(self.text[start:end]):
            value, replaced = _storable(value)
            if replaced:
                self.issues.warning(
                    "character_replaced",
                    f"NUL characters or halves of surrogate pairs in {several(replaced, 'text')} became \ufffd, "
                    "because no database holds them.",
                    self._line(start),
                )
        return value, end

    def _refused_as_too_deep(self, start: int) -> tuple[Any, int]:
        self.issues.error(
            "nested_too_deep",
            f"The record is nested more than {DEEPEST} levels deep; it is left out.",
            self._line(start),
        )
        return _NOTHING, self._next_record(start, self._balanced(start, python=False))

    def _with_long_numbers(self, start: int) -> tuple[Any, int]:
        try:
            value, end = read_with_long_numbers(self.text, start)
        except (ValueError, RecursionError):
            self.issues.error("json_invalid", "The record is no JSON; it is left out.", self._line(start))
            return _NOTHING, self._next_record(start, self._balanced(start, python=False))
        self.issues.warning(
            "number_too_long", "A whole number with thousands of digits is kept as text.", self._line(start)
        )
        return self._checked(value, start, end)

    # -- mending ------------------------------------------------------------------------------------------------

    def _mended(self, start: int, error: json.JSONDecodeError) -> tuple[Any, int]:
        effort = self.effort
        ends = [self._balanced(start, python=False), self._balanced(start, python=True)]
        if _PYTHON.match(self.text, start):
            ends.reverse()
        for end in dict.fromkeys(ends):
            if end is None:
                continue
            value = self._without_trailing_commas(start, end)
            if value is _NOTHING:
                value = self._literal(start, end)
            if value is not _NOTHING:
                self.effort = effort  # it was not in vain
                return self._checked(value, start, end)
        self._report_broken(start, error, ends)
        return _NOTHING, self._next_record(start, ends[0])

    def _without_trailing_commas(self, start: int, end: int) -> Any:
        mended = without_trailing_commas(self.text[start:end])
        if mended is None:
            return _NOTHING
        try:
            value, _ = self.decode(mended)
        except (ValueError, RecursionError):
            return _NOTHING
        self.issues.warning(
            "trailing_comma", "A comma before a closing bracket was removed; JSON allows none.", self._line(start)
        )
        return value

    def _literal(self, start: int, end: int) -> Any:
        if self.effort <= 0 or not self._is_literal(start, end):
            return _NOTHING
        value = self.literal
        self.literals += 1
        return _storable(value)[0]

    def _report_broken(self, start: int, error: json.JSONDecodeError, ends: list[int | None]) -> None:
        line, place = self._line(start), start + error.pos
        cut_off = ends == [None, None] and (
            error.msg.startswith(("Unterminated string", "Invalid control character"))
            or _END_OF_LINE_OR_WORD.match(self.text, place) is not None
            or self.text.find("\n", start, place) >= 0
        )
        if cut_off:
            message = "The record ends in the middle; was the file cut off while it was written? It is left out."
            self.issues.error("record_truncated", message, line)
            return
        column = place - self._line_start(place)
        at = line + self.text.count("\n", start, place)
        message = f"The record is neither JSON ({error.msg}, line {at}, column {column}) nor a Python literal."
        self.issues.error("json_invalid", f"{message} It is left out.", line)

    def _balanced(self, start: int, *, python: bool) -> int | None:
        """Return where the bracket at a place is closed, or None when it is not, as far as the effort allows."""
        line_end = self._line_end(start)
        following = self._after_space(line_end)
        one_a_line = following >= len(self.text) or self.text.startswith(("\n{", "\n["), following - 1)
        within_line = (one_a_line and self.open_list is None) or self.effort <= 0
        limit = min(line_end, start + _PIECES[1]) if within_line else min(len(self.text), start + self.effort)
        end = balanced_end(self.text, start, limit, python=python)
        self.effort -= (limit if end is None else end) - start
        return end

    def _next_record(self, start: int, end: int | None) -> int:
        """Return where to go on after a record that could not be read, whose bracket closes at ``end`` if at all."""
        if end is not None:
            return end
        indentation = self.text[self._line_start(start) + 1 : start]
        if indentation and not indentation.strip():
            found = self.text.find(f"\n{indentation}{self.text[start]}", start)
            return len(self.text) if found < 0 else found + 1
        following = _LINE_WITH_RECORD.search(self.text, start)
        return len(self.text) if following is None else following.end()

    # -- around values ------------------------------------------------------------------------------------------

    def _after_record(self, place: int) -> int:
        """Return where to go on after a record, reporting text that follows it on its line."""
        ended = _END_OF_LINE.match(self.text, place)
        if ended is not None:
            return ended.end()
        place = self._after_space(place)
        if place == len(self.text):  # spaces of other kinds than a line's end has
            return place
        sign = self.text[place]
        if sign in "{[," or (sign == "]" and self.open_list is not None) or _FENCE.match(self.text, place):
            return place
        line_end = self._line_end(place)
        following = self._candidate(place, line_end)
        skipped = self.text[place : line_end if following is None else following].strip()
        self.issues.warning(
            "trailing_text", f"The text {quoted(skipped)} after the record was skipped.", self._line(place)
        )
        return line_end if following is None else following

    def _prose(self, place: int) -> int:
        """Return where to go on from a place that starts no record."""
        fence = _FENCE.match(self.text, place)
        if fence is not None:
            self.fences += 1
            return fence.end()
        line_end = self._line_end(place)
        self.prose_lines += 1
        if self.first_prose is None:
            self.first_prose = (self._line(place), self.text[place : min(line_end, place + 100)])
        following = self._candidate(place, line_end)
        return line_end if following is None else following

    def _candidate(self, place: int, line_end: int) -> int | None:
        """Return where on a line of prose a record starts, if one does."""
        for number, found in enumerate(_CANDIDATE.finditer(self.text, place, line_end)):
            if number == MOST_CANDIDATES or self.effort <= 0:
                break
            try:
                self._decoded(found.start())
            except json.JSONDecodeError as error:
                self.effort -= error.pos
                end = balanced_end(self.text, found.start(), line_end, python=True)
                if end is None or not self._is_literal(found.start(), end):
                    continue
            except (ValueError, RecursionError):
                continue
            return found.start()
        return None

    def _is_literal(self, start: int, end: int) -> bool:
        try:
            self.literal = read_python_literal(self.text[start:end])
        except ValueError:
            self.effort -= max(end - start, COST_OF_A_TRY)
            return False
        return isinstance(self.literal, dict if self.text[start] == "{" else list)

    # -- places and lines ---------------------------------------------------------------------------------------

    def _after_space(self, place: int) -> int:
        space = _SPACE.match(self.text, place)
        return place if space is None else space.end()

    def _line_end(self, place: int) -> int:
        known_from, known_end = self.line_ends
        if known_from <= place <= known_end:  # a line of many records is looked through once
            return known_end
        end = self.text.find("\n", place)
        end = len(self.text) if end < 0 else end
        self.line_ends = (place, end)
        return end

    def _line_start(self, place: int) -> int:
        """Return the place before the line's first character, or one far enough back in a very long line."""
        furthest = max(0, place - _PIECES[0])
        return max(self.text.rfind("\n", furthest, place), furthest - 1)

    def _line(self, place: int) -> int:
        counted, line = self.counted
        if place < counted:
            return self.text.count("\n", 0, place) + self.first_line
        line += self.text.count("\n", counted, place)
        self.counted = (place, line)
        return line

    def _record(self, value: Any, start: int, end: int) -> JsonRecord:
        line = self._line(start)
        if self.text.find("\n", start, end) < 0:
            return JsonRecord(value, line)
        return JsonRecord(value, line, _FieldLocator(self.text, start, end, line))


class _FieldLocator:
    """Finds the lines of a record's fields when the first is asked for; few records have issues."""

    def __init__(self, text: str, start: int, end: int, line: int) -> None:
        self._where = (text, start, end, line)
        self._lines: dict[str, int] | None = None

    def __call__(self, path: str) -> int | None:
        if self._lines is None:
            self._lines = field_lines(*self._where)
        while path not in self._lines:  # a field that is missing stands where its owner stands
            cut = max(path.rfind("."), path.rfind("["))
            if cut <= 0:
                return None
            path = path[:cut]
        return self._lines[path]


def _depth(value: Any) -> int:
    """Return how many levels a plain JSON value has, up to one more than is allowed."""
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        inner: list[Any] = []
        for entry in level:
            if isinstance(entry, dict):
                inner.extend(entry.values())
            elif isinstance(entry, list):
                inner.extend(entry)
        level, depth = inner, depth + 1
    return depth


def _storable(value: Any) -> tuple[Any, int]:
    """Return a plain JSON value with texts that a database can hold, and how many had to be changed."""
    if isinstance(value, str):
        text = storable(value)
        return text, int(text != value)
    if isinstance(value, list):
        read = [_storable(entry) for entry in value]
        return [entry for entry, _ in read], sum(count for _, count in read)
    if isinstance(value, dict):
        items = [(_storable(key), _storable(entry)) for key, entry in value.items()]
        return {key: entry for (key, _), (entry, _) in items}, sum(a + b for (_, a), (_, b) in items)
    return value, 0


__all__ = ["JsonRecord", "json_records"]
