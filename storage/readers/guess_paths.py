"""A first guess at which path means what; a person looks at it, and at the debates it would give, before it counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.label_text import read_label
from core.score_text import bare_number
from storage.readers.cells import CON_WORDS, PRO_WORDS, polarity_of, round_of
from storage.readers.guess_mapping import SYNONYMS
from storage.readers.path_choices import PathChoice, list_paths, path_choices
from storage.readers.path_mapping import PathMapping, StatementPaths, path_problem
from storage.readers.path_records import records_below
from storage.readers.record_path import Every, RecordPath, find, record_path

# In each list the likeliest name comes first, after those of tables; names are compared without case and marks.
_MORE: dict[str, tuple[str, ...]] = {
    "debate_id": ("id", "uid", "uuid", "name"),
    "claim": (
        "input", "prompt", "problem", "task", "instruction", "goal", "conclusion", "subject", "title", "final_solution",
    ),
    "text": (
        "arguments", "pros", "cons", "statements", "says", "said", "speech", "reasoning", "statement", "solution",
        "output", "answer", "contribution", "msg", "rationale", "explanation",
    ),
    "agent": ("agent_role", "who", "by", "debater_name", "persona", "role", "from", "sender", "name"),
    "polarity": ("supports_claim", "valence"),
    "base_score": ("sure", "certainty", "credence"),
}  # fmt: skip
_SIDES = {
    "=pro": PRO_WORDS | {"affirmative side", "proponents", "defense", "defence"},
    "=con": CON_WORDS | {"negative side", "opponents", "prosecutor", "prosecution"},
}
MOST_KINDS = 6


@dataclass(frozen=True)
class Guess:
    """A mapping to begin with, and how much speaks for it."""

    mapping: PathMapping
    weight: float


def guess_paths(values: Sequence[Any]) -> PathMapping | None:
    """Return which path seems to mean what in sampled values; None where no path leads to texts."""
    best: Guess | None = None
    for path in list_paths(values)[:20]:
        guess = _guess(path, records_below(list(values), path))
        if guess is not None and (best is None or guess.weight > best.weight):
            best = guess
    return None if best is None else best.mapping


def _guess(record: RecordPath, records: list[Any]) -> Guess | None:
    every = path_choices(records)
    choices = [choice for choice in every if choice.is_single]
    choices.sort(key=lambda c: -sum(step is Every.VALUE for step in c.path.steps))  # names before this or that name
    claim, claim_rank = _named("claim", [c for c in choices if not c.path.repeats], lambda c: bool(c.texts))
    texts = _text_paths(choices, claim)
    if not texts:
        return None
    if claim is None:
        claim = _longest([c for c in choices if not c.path.repeats and c.path != texts[0].path])
    flat = not any(choice.path.repeats for choice in texts)
    once = [c for c in choices if not c.path.repeats and c.path not in {claim, *(t.path for t in texts)}]
    debate_id, _ = _named("debate_id", once, lambda c: not _is_long(c))
    label, _ = _named("label", [c for c in once if len(c.path.steps) == 1], _says_label)
    groups = tuple(_statements(choice, choices, {claim, debate_id, label}) for choice in texts)
    groups = tuple(_with_relations(group, every) for group in groups)
    mapping = PathMapping(
        claim=str(claim) if claim is not None else "",
        statements=groups,
        record=str(record),
        debate_id=None if debate_id is None else str(debate_id),
        label=None if label is None else str(label),
        joined=flat and debate_id is not None and _repeats(records, debate_id),
    )
    if path_problem(mapping) not in (None, "no path leads to the claim"):
        mapping = replace(mapping, statements=tuple(StatementPaths(group.text) for group in groups))
    found = sum(bool(value) for group in groups for value in (group.agent, group.polarity, group.score, group.round))
    weight = 10.0 * (claim is not None) + 5.0 * (claim_rank is not None) + 3.0 * (not flat) + found / len(groups)
    return Guess(mapping, weight - 0.5 * record.repeats)


def _text_paths(choices: list[PathChoice], claim: RecordPath | None) -> list[PathChoice]:
    """Return the paths to what was said: the likeliest one, and those that differ from it by their side only."""
    texts = [c for c in choices if _is_long(c) and c.path != claim and not c.path.name and c.path.steps]
    repeated = [c for c in texts if c.path.repeats] or texts
    for one in repeated:
        other_sides = [c for c in repeated if len(c.path.steps) == len(one.path.steps) and _apart(c.path, one.path)]
        if _side_of(one.path) is not None and other_sides:
            return [c for c in repeated if c is one or c in other_sides][:MOST_KINDS]
    best, _ = _named("text", repeated, lambda _: True)
    best = best or _longest(repeated)
    return [choice for choice in repeated if choice.path == best]


def _apart(path: RecordPath, other: RecordPath) -> bool:
    """Return whether two paths of one length differ by one key, which names two sides."""
    differing = [(one, two) for one, two in zip(path.steps, other.steps, strict=True) if one != two]
    return len(differing) == 1 and isinstance(differing[0][0], str) and _side_of(path) not in (None, _side_of(other))


def _statements(text: PathChoice, choices: list[PathChoice], taken: set[RecordPath | None]) -> StatementPaths:
    near = [c for c in choices if c.path != text.path and c.path not in taken and _belongs(c.path, text.path)]
    used: set[RecordPath] = set()

    def named(field: str, fits: Callable[[PathChoice], bool]) -> str | None:
        for depth in sorted({c.path.together(text.path) for c in near}, reverse=True):
            close = [c for c in near if c.path.together(text.path) == depth and c.path not in used]
            path, _ = _named(field, close, fits)
            if path is not None:
                used.add(path)
                return str(path)
        return None

    polarity = named("polarity", _says_polarity) or _side_of(text.path)
    return StatementPaths(
        str(text.path),
        polarity=polarity,
        agent=named("agent", lambda c: bool(c.values) and not _is_long(c)) or _name_of(text.path),
        model=named("model", lambda c: bool(c.texts)),
        score=named("base_score", lambda c: _share(c, lambda v: bare_number(v) is not None) > 0.5),
        round=named("round", lambda c: _share(c, lambda v: round_of(v) is not None) > 0.5),
        argument_id=named("argument_id", lambda c: not _is_long(c)),
    )


def _with_relations(group: StatementPaths, choices: Sequence[PathChoice]) -> StatementPaths:
    """Return a kind of statements with the lists of what each supports and attacks, where there are such lists."""
    text = record_path(group.text)
    listed = [choice for choice in choices if choice.lists and text.repeats and _belongs(choice.path, text)]
    found = {
        name: next((str(c.path) for c in listed if c.path.steps and _plain(str(c.path.steps[-1])) == name), None)
        for name in ("supports", "attacks")
    }
    if not any(found.values()):
        return group
    name = group.argument_id or group.round  # where statements point to turns, a turn goes by its number
    return replace(group, argument_id=name, supports=found["supports"], attacks=found["attacks"])


def _name_of(path: RecordPath) -> str | None:
    """Return the path to the key under which a text was found, where such keys are names."""
    places = [place for place, step in enumerate(path.steps) if step is Every.VALUE]
    if places:
        return str(RecordPath(path.steps[: places[-1] + 1], name=True))
    key = next((step for step in reversed(path.steps[:-1]) if isinstance(step, str) and _side(step) is not None), None)
    return None if key is None else f"={key}"


def _side_of(path: RecordPath) -> str | None:
    """Return the side that a path names, as a constant."""
    return next((side for step in reversed(path.steps) if isinstance(step, str) and (side := _side(step))), None)


def _side(key: str) -> str | None:
    word = _plain(key).replace("_", " ")
    return next((side for side, words in _SIDES.items() if word in words and not word.isdigit()), None)


def _belongs(path: RecordPath, text: RecordPath) -> bool:
    """Return whether a path can lead to one value for each text: and not to one that has nothing to do with it."""
    return path.fits(text) and (not text.repeats or path.together(text) > 0)


def _named(
    field: str, choices: list[PathChoice], fits: Callable[[PathChoice], bool]
) -> tuple[RecordPath | None, int | None]:
    """Return the path whose last key is the likeliest name of a field, and how likely: 0 is best."""
    for rank, synonym in enumerate((*SYNONYMS[field], *_MORE.get(field, ()))):
        for choice in choices:
            if _last_key(choice.path) == synonym and not choice.path.name and fits(choice):
                return choice.path, rank
    return None, None


def _longest(choices: list[PathChoice]) -> RecordPath | None:
    fitting = [choice for choice in choices if _is_long(choice)]
    return max(fitting, key=lambda c: sum(map(len, c.texts)) / len(c.texts)).path if fitting else None


def _is_long(choice: PathChoice) -> bool:
    """Return whether a path leads to texts of several words."""
    return bool(choice.texts) and _share(choice, lambda value: isinstance(value, str) and " " in value.strip()) > 0.5


def _says_polarity(choice: PathChoice) -> bool:
    return _share(choice, lambda value: polarity_of(value) is not None) >= 0.5 and not all(
        isinstance(value, (int, float)) for value in choice.values
    )


def _says_label(choice: PathChoice) -> bool:
    return _share(choice, lambda value: read_label(value)[1]) > 0.5


def _share(choice: PathChoice, fits: Callable[[Any], bool]) -> float:
    given = [value for value in choice.values if value is not None]
    return sum(map(fits, given)) / len(given) if given else 0.0


def _repeats(records: list[Any], path: RecordPath) -> bool:
    values = [repr(found.value) for record in records for found in find(record, path)]
    return len(set(values)) < len(values)


def _last_key(path: RecordPath) -> str:
    keys = [step for step in path.steps if isinstance(step, str)]
    return _plain(keys[-1]) if keys else ""


def _plain(key: str) -> str:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key)
    return re.sub(r"[\W_]+", "_", spaced.casefold()).strip("_")


__all__ = ["guess_paths"]
