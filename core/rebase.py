"""Put one person's edits on top of another's, so that two contestations of one debate become one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.contestation import Edit, EditKind, contest
from core.errors import InvalidEdit
from core.opinion import TOPIC, OpinionProfile


@dataclass(frozen=True)
class Rebased:
    """Edits that go on from another contestation.

    Attributes:
        edits: The other's edits, and then one's own that still apply.
        left_out: Those of one's own that do not, such as a change of an argument that the other removed.
    """

    edits: tuple[Edit, ...]
    left_out: tuple[Edit, ...]


def rebased(original: OpinionProfile, base: Iterable[Edit], own: Iterable[Edit]) -> Rebased:
    """Return one's own edits on top of another's.

    An argument of one's own gets another id where both added one of the same id, and the edits after it follow.

    Raises:
        InvalidEdit: If the other's edits do not apply to the profile.
    """
    edits = list(base)
    everything = contest(original, edits).everything
    taken = {TOPIC, *everything.by_id}
    renamed: dict[str, str] = {}
    left_out: list[Edit] = []
    for edit in own:
        candidate = _following(edit, renamed)
        if edit.kind is EditKind.ADD_ARGUMENT and edit.argument in taken:
            renamed[edit.argument] = _free(edit.argument, taken)
            candidate = replace(candidate, argument=renamed[edit.argument])
        try:
            contest(original, [*edits, candidate])
        except InvalidEdit:
            left_out.append(edit)
            continue
        edits.append(candidate)
        if candidate.kind is EditKind.ADD_ARGUMENT:
            taken.add(candidate.argument)
    return Rebased(tuple(edits), tuple(left_out))


def _following(edit: Edit, renamed: Mapping[str, str]) -> Edit:
    after = renamed.get(str(edit.after), edit.after) if edit.kind is EditKind.RETARGET else edit.after
    return replace(
        edit,
        argument=renamed.get(edit.argument, edit.argument),
        target=renamed.get(edit.target, edit.target),
        after=after,
    )


def _free(name: str, taken: set[str]) -> str:
    stem = name.rstrip("0123456789") or name
    return next(f"{stem}{n}" for n in range(1, len(taken) + 2) if f"{stem}{n}" not in taken)


__all__ = ["Rebased", "rebased"]
