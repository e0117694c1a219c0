"""Who contributes: single arguments, or groups of them that come and go as one.

A group is one player. What it adds is not the sum of what its members add: two pros that say the same may each add
nothing while the other is there.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.debate import Debate
from core.errors import InvalidSetting
from core.opinion import OpinionProfile

Players = Mapping[str, frozenset[str]]  # by name, the ids of the arguments that come and go together

NO_AUTHOR = "no author"  # the group of arguments that name no author
ADDED = "added"  # the group of arguments that are in no round: a person who contests put them forward


def by_agent(profile: OpinionProfile) -> Players:
    """Return the arguments grouped by author. The agents' stances stay when their arguments go."""
    return _grouped({a.id: NO_AUTHOR if a.author is None else a.author for a in profile.arguments})


def by_round(debate: Debate, profile: OpinionProfile) -> Players:
    """Return a profile's arguments grouped by the round that first had an argument of their id."""
    first: dict[str, str] = {}
    for step in debate.rounds:
        for argument in step.arguments:
            first.setdefault(argument.id, f"round {step.number}")
    return _grouped({a.id: first.get(a.id, ADDED) for a in profile.arguments})


def checked_players(players: Players) -> Players:
    """Return the players.

    Raises:
        InvalidSetting: If an argument belongs to two of them.
    """
    seen: dict[str, str] = {}
    for player, members in players.items():
        for name in members:
            if name in seen:
                raise InvalidSetting(
                    f"The argument {name!r} is in the groups {seen[name]!r} and {player!r}; it can be in one only."
                )
            seen[name] = player
    return players


def _grouped(group_of: Mapping[str, str]) -> Players:
    groups: dict[str, set[str]] = {}
    for name, group in group_of.items():
        groups.setdefault(group, set()).add(name)
    return {group: frozenset(members) for group, members in groups.items()}
