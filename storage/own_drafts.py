"""A person's drafts: nobody's else are in reach, and who may not save keeps none."""

from __future__ import annotations

from collections.abc import Iterable

from core.contestation import Edit
from core.roles import Permission, Person, allowed, require
from storage.draft_keeper import Draft, DraftKeeper, DraftSaved


class OwnDrafts:
    """The drafts of one person."""

    def __init__(self, keeper: DraftKeeper, person: Person) -> None:
        self._keeper = keeper
        self._person = person

    @property
    def kept(self) -> bool:
        """Return whether this person's edits are kept beyond the session."""
        return allowed(self._person, Permission.SAVE)

    @property
    def trouble(self) -> str:
        """Return why unsaved edits cannot be written at present; empty while they can."""
        return self._keeper.trouble if self.kept else ""

    def draft(self, draft_of: str) -> Draft | None:
        """Return the unsaved edits; None if there are none."""
        return self._keeper.draft(self._person.id, draft_of) if self.kept else None

    def all(self) -> tuple[Draft, ...]:
        """Return every draft, the one kept last first."""
        return self._keeper.drafts(self._person.id) if self.kept else ()

    def save(self, draft_of: str, round_number: int | None, edits: Iterable[Edit], version: int = 0) -> DraftSaved:
        """Keep unsaved edits as ``DraftKeeper.save`` does.

        Raises:
            NotAllowed: If the person may not save.
        """
        require(self._person, Permission.SAVE)
        return self._keeper.save(self._person.id, draft_of, round_number, edits, version)

    def drop(self, draft_of: str, version: int | None = None) -> bool:
        """Forget unsaved edits, of one version only where that is given, and return whether that was done."""
        return self._keeper.drop(self._person.id, draft_of, version)


__all__ = ["OwnDrafts"]
