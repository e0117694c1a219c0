"""Open a violation in Contest as it is: its change on the debate as recorded, its judge as the main one."""

from __future__ import annotations

from dataclasses import replace

from core.contestation import Edit
from core.judges.registry import AnyJudge
from core.judges.semantics_judge import SemanticsJudge
from core.preferences import Preferences
from pages.components import state
from pages.components.contest_state import Desk
from pages.components.judge_settings import MISSING_WORDS, MOST_CONSERVATIVE
from storage.property_bench import Described


def preferences_for(judge: AnyJudge | Described, kept: Preferences) -> Preferences | None:
    """Return the preferences under which Contest has a judge as its main one; None where it cannot."""
    if not isinstance(judge, SemanticsJudge):
        return None
    if judge.missing_base_score not in MISSING_WORDS or judge.conservativeness > MOST_CONSERVATIVE:
        return None  # the settings there do not offer it
    changed = replace(
        kept,
        semantics=tuple(dict.fromkeys([judge.semantics, *kept.semantics])),
        conservativeness=judge.conservativeness,
        setting=judge.setting,
        variant=judge.variant,
        missing_base_score=judge.missing_base_score,
        rule=judge.rule,
    )
    return changed if changed.judge() == judge else None


def open_with(desk: Desk, edits: tuple[Edit, ...], preferences: Preferences | None) -> None:
    """Put a change on a debate as its only draft, and use other preferences for this session if there are any."""
    if desk.history.edits != edits:
        desk.forget()
        desk.replace(edits)
        desk.keep()
    if preferences is not None:
        state.keep_preferences(preferences, for_good=False)


__all__ = ["open_with", "preferences_for"]
