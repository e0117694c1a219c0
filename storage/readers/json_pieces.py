"""The objects of a JSON list that comes in pieces, each sign looked at once however the pieces are cut."""

from __future__ import annotations

import re

# A whole text, a bracket, or a quotation mark whose partner is not there (yet).
_TOKEN = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|[{}\[\]"]', re.DOTALL)

Span = tuple[int, int]


class ObjectScanner:
    """Finds the objects that are whole; what lies before the end of the last one is to be cut off between two calls.

    Args:
        to_its_end: Whether objects behind the end of the list do not count.
    """

    def __init__(self, *, to_its_end: bool = False) -> None:
        self._to_its_end = to_its_end
        self._depth = 0
        self._start = 0  # of the object that is open
        self._place = 0  # how far was looked
        self.ended: int | None = None  # the place of the bracket that ends the list

    def objects(self, text: str) -> list[Span]:
        """Return where the objects that are whole now begin and end.

        Args:
            text: What was left over last time, and the next piece.
        """
        found: list[Span] = []
        place = len(text)
        for token in _TOKEN.finditer(text, self._place):
            sign = token.group()
            if sign == '"':
                if text.find("\n", token.end()) < 0:  # no text goes over lines, so this one may end in the next piece
                    place = token.start()
                    break
            elif sign == "{" or (sign == "[" and self._depth):
                if not self._depth:
                    self._start = token.start()
                self._depth += 1
            elif sign in ("}", "]") and self._depth:
                self._depth -= 1
                if not self._depth:
                    found.append((self._start, token.end()))
            elif sign == "]" and self._to_its_end:
                self.ended = token.start()
                break
        cut = found[-1][1] if found else 0
        self._place, self._start = place - cut, self._start - cut
        return found


__all__ = ["ObjectScanner"]
