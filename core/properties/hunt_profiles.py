"""Look for a violation among changed profiles: coarse moves first, then drawn ones, then smaller or larger ones."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.contestation import Edit, EditKind
from core.errors import InvalidEdit
from core.opinion import OpinionProfile, RelationKind
from core.overview import Scored
from core.perturbations.arguments import AddArgument, Choice, RemoveArgument
from core.perturbations.combined import GivenEdits
from core.perturbations.direction import Direction
from core.perturbations.profile_arrays import arrays_of, polarity
from core.properties.contestability import Contestability
from core.properties.debate_set import seed_of
from core.properties.hunt import Goal, Hunt, Walk
from core.properties.trial import BASELINE, Trial

Moves = Mapping[str, float]  # new base scores by argument id
Trying = Generator[Trial, Scored | None, bool]

LADDER = (1.0, 0.1, 0.02)  # moves that are tried first, of single arguments and of all together
DECIMALS = 12


@dataclass(frozen=True)
class Dial:
    """A base score that may be moved: between ``low`` and ``high``, from ``at``."""

    argument: str
    at: float
    low: float
    high: float

    def moved(self, size: float) -> float:
        """Return the score moved by a signed size, as far as it may go."""
        return min(self.high, max(self.low, round(self.at + size, DECIMALS)))

    @property
    def ways(self) -> tuple[int, ...]:
        """Return in which directions it may be moved."""
        return tuple(way for way, room in ((1, self.high > self.at), (-1, self.low < self.at)) if room)


def dials(profile: OpinionProfile, toward: Direction) -> tuple[Dial, ...]:
    """Return the base scores that may be moved so that the profile changes in a direction; all of them for NEITHER.

    Arguments that speak both for and against the claim, or do not bear on it at all, are left out of directed changes.
    """
    scored = [
        (place, a) for place, a in enumerate(profile.arguments) if a.base_score is not None and not a.is_error_text
    ]
    if not toward.directed:
        return tuple(Dial(a.id, a.base_score or 0.0, 0.0, 1.0) for _, a in scored)
    positive, negative = (part.tolist() for part in polarity(arrays_of([""], [profile])))
    found = []
    for place, argument in scored:
        if positive[place] == negative[place]:
            continue
        at = argument.base_score or 0.0
        up = positive[place] == (toward is Direction.MORE_SUPPORTIVE)
        found.append(Dial(argument.id, at, at if up else 0.0, 1.0 if up else at))
    return tuple(found)


def hunt_profiles(hunt: Hunt, toward: Direction) -> Walk:
    """Ask about changed profiles until a violation is found and made as small, or as striking, as the budget allows."""
    if not hunt.tested.needs_trials and (yield from hunt.tries(BASELINE, 0.0)) and hunt.goal is Goal.SMALLEST:
        return  # the judgement as recorded violates it: nothing smaller is possible
    movable = dials(hunt.profile, toward)
    search = _Search(hunt, toward, {dial.argument: dial for dial in movable})
    yield from search.fixed()
    for moves in search.coarse():
        shown = yield from search.attempt(moves)
        if shown and hunt.goal is Goal.SMALLEST:
            yield from search.shorten(moves, moves)
    while movable and (hunt.goal is Goal.STRIKING or search.found is None):
        count = len(hunt.asked)
        yield from search.attempt(search.drawn())
        search.idle = 0 if len(hunt.asked) > count else search.idle + 1
        if search.idle > 50:  # all that can be drawn was asked already
            break
    yield from search.refine()


class _Search:
    """One search, with the best moves of base scores so far."""

    def __init__(self, hunt: Hunt, toward: Direction, movable: Mapping[str, Dial]) -> None:
        self.hunt = hunt
        self.toward = toward
        self.dials = movable
        self.found: dict[str, float] | None = None
        self.idle = 0

    def attempt(self, moves: Moves) -> Trying:
        """Return whether moves of base scores show a violation; the best ones are kept."""
        moved = {name: value for name, value in moves.items() if value != self.dials[name].at}
        if not moved:
            return False
        best = self.hunt.best
        shown = yield from self.hunt.tries(self._trial(moved), self._size(moved))
        if self.hunt.best is not best:
            self.found = moved
        return shown

    def fixed(self) -> Walk:
        """Try what the property tries anyway, and whole arguments added and removed."""
        for trial in self.hunt.tested.trials(self.hunt.judge):
            yield from self._whole(trial)
        if not self.hunt.tested.needs_trials:
            return
        for relation in RelationKind:
            for one in (AddArgument(relation, 0.5), AddArgument(relation, 1.0)):
                if self.toward in (one.direction, Direction.NEITHER):
                    yield from self._whole(Trial(one))
            for choice in (Choice.WEAKEST, Choice.STRONGEST):
                without = RemoveArgument(relation, choice)
                clear = not self.toward.directed or self._clear(without)
                if self.toward in (without.direction, Direction.NEITHER) and clear:
                    yield from self._whole(Trial(without))

    def coarse(self) -> Iterator[Moves]:
        """Yield moves of single base scores, and of all together, from far to near."""
        for size in LADDER:
            for way in (1, -1):
                yield {d.argument: d.moved(way * size) for d in self.dials.values() if way in d.ways}
            for dial in self.dials.values():
                for way in dial.ways:
                    yield {dial.argument: dial.moved(way * size)}

    def drawn(self) -> Moves:
        """Return moves at random; near the best ones, once there are any."""
        chance, listed = self.hunt.chance, list(self.dials.values())
        if self.found is not None and chance.random() < 0.7:
            near = dict(self.found)
            dial = listed[int(chance.integers(len(listed)))]
            near[dial.argument] = self._somewhere(dial)
            return near
        chosen = [dial for dial in listed if chance.random() < 0.5] or listed[:1]
        return {dial.argument: self._somewhere(dial) for dial in chosen}

    def refine(self) -> Walk:
        """Make the best moves as small as the violation allows: fewer of them, then each of them shorter."""
        if self.found is None or self.hunt.goal is not Goal.SMALLEST:
            return
        before: Moves | None = None
        while before != self.found:
            before = dict(self.found)
            for name in sorted(before, key=lambda n: -abs(before[n] - self.dials[n].at)):
                if len(self.found) > 1 and name in self.found:
                    yield from self.attempt({n: value for n, value in self.found.items() if n != name})
            yield from self.shorten(self.found, tuple(self.found))
            for name in sorted(self.found):
                yield from self.shorten(self.found, (name,))

    def shorten(self, moves: Moves, names: Iterable[str]) -> Walk:
        """Make some of the moves shorter, all by the same share, as long as they show a violation."""
        shorter = [name for name in names if name in moves]
        longest = max((abs(moves[name] - self.dials[name].at) for name in shorter), default=0.0)
        shown, hidden = 1.0, 0.0
        while (shown - hidden) * longest > self.hunt.step:
            middle = (shown + hidden) / 2
            tried = {**moves, **{name: self._between(name, moves[name], middle) for name in shorter}}
            if (yield from self.attempt(tried)):
                shown = middle
            else:
                hidden = middle

    def _between(self, name: str, value: float, share: float) -> float:
        at = self.dials[name].at
        digits = 2 if self.hunt.step >= 0.01 else DECIMALS
        return round(at + share * (value - at), digits)

    def _somewhere(self, dial: Dial) -> float:
        drawn = dial.low + (dial.high - dial.low) * float(self.hunt.chance.random())
        return round(drawn, 2 if self.hunt.step >= 0.01 else DECIMALS)

    def _whole(self, trial: Trial) -> Trying:
        """Try a perturbation; where it only moves base scores that may be moved, as moves that can be made smaller."""
        if trial.profile is None:
            return False
        seed = seed_of(self.hunt.seed, trial.sample, self.hunt.debate)
        try:
            changed = trial.profile.apply(self.hunt.profile, seed)
        except InvalidEdit:
            return False
        if changed == self.hunt.profile:
            return False
        scores = {a.id: a.base_score for a in changed.arguments}
        moves = {
            n: value for n, dial in self.dials.items() if (value := scores.get(n)) is not None and value != dial.at
        }
        if self._after(moves) == changed:
            return (yield from self.attempt(moves))
        return (yield from self.hunt.tries(trial, _distance(self.hunt.profile, changed)))

    def _after(self, moves: Moves) -> OpinionProfile:
        return GivenEdits(self._edits(moves)).apply(self.hunt.profile)

    def _edits(self, moves: Moves) -> tuple[Edit, ...]:
        return tuple(
            Edit(EditKind.SET_BASE_SCORE, name, self.dials[name].at, value) for name, value in sorted(moves.items())
        )

    def _trial(self, moves: Moves) -> Trial:
        return Trial(GivenEdits(self._edits(moves), self.toward))

    def _size(self, moves: Moves) -> float:
        return sum(abs(value - self.dials[name].at) for name, value in sorted(moves.items()))

    def _clear(self, without: RemoveArgument) -> bool:
        edits = without.edits(self.hunt.profile)
        return bool(edits) and edits[0].argument in self.dials


def _distance(one: OpinionProfile, other: OpinionProfile) -> float:
    """Return the sum of the moves of base scores and stances; an argument that is not there has the score 0."""
    ids = sorted({*one.by_id, *other.by_id})
    scores = [abs((_score(one, name) or 0.0) - (_score(other, name) or 0.0)) for name in ids]
    stances = [
        abs((before or 0.0) - (after or 0.0))
        for old, new in zip(one.stances, other.stances, strict=False)
        for before, after in ((old.prior, new.prior), (old.posterior, new.posterior))
    ]
    return sum(scores) + sum(stances)


def _score(profile: OpinionProfile, name: str) -> float | None:
    return profile.by_id[name].base_score if name in profile.by_id else None


def direction_of(tested: object) -> Direction:
    """Return in which direction profiles may be changed to violate a property."""
    return tested.perturbations[0].direction if isinstance(tested, Contestability) else Direction.NEITHER
