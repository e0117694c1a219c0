"""The edits of a contestation in progress, with undo and redo."""

from __future__ import annotations

from dataclasses import dataclass

from core.contestation import Edit, EditKind

MERGED = (EditKind.SET_BASE_SCORE, EditKind.SET_TOPIC_BASE_SCORE)  # a second move of the same slider is the same edit


@dataclass(frozen=True)
class History:
    """A list of edits and those undone, newest undone first. Every operation returns a new history."""

    edits: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()

    def push(self, edit: Edit) -> History:
        """Return the history with one more edit; what was undone is forgotten.

        Moving the base score that was moved last replaces that edit, and is dropped when it is back where it began.
        """
        last = self.edits[-1] if self.edits else None
        if last is not None and edit.kind in MERGED and (edit.kind, edit.argument) == (last.kind, last.argument):
            if edit.after == last.before:
                return History(self.edits[:-1])
            merged = Edit(edit.kind, edit.argument, last.before, edit.after, note=edit.note or last.note)
            return History((*self.edits[:-1], merged))
        if edit.kind in MERGED and edit.before == edit.after:
            return self
        return History((*self.edits, edit))

    def undo(self) -> History:
        """Return the history without its last edit, which redo brings back."""
        if not self.edits:
            return self
        return History(self.edits[:-1], (self.edits[-1], *self.undone))

    def redo(self) -> History:
        """Return the history with the edit undone last in place again."""
        if not self.undone:
            return self
        return History((*self.edits, self.undone[0]), self.undone[1:])

    def without(self, position: int) -> History:
        """Return the history without one edit, counted from 0. Later edits may no longer apply: check before use."""
        return History(self.edits[:position] + self.edits[position + 1 :])
