"""Scores out of replies: tolerant about wrapping, strict about meaning. What is not clearly a score is none."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.llm.request import ChatReply

SCORE_KEY = "score"
REASONING_KEY = "reasoning"
LONGEST = 200_000  # characters of a reply that are looked at
MOST_TRIES = 2_000  # opening braces that are tried, so that a hostile reply cannot take long

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_WORDS = re.compile(r"[^a-z]+")
_FENCE = re.compile(r"\s*(?:```)?\s*")


class Problem(StrEnum):
    """Why a reply holds no score."""

    EMPTY = "empty reply"
    REFUSED = "refused"
    CUT_OFF = "cut off"
    NO_JSON = "no JSON object"
    WRONG_KEY = "wrong key"
    REPEATED_KEY = "key given twice"
    NOT_A_NUMBER = "not a number"
    OUT_OF_RANGE = "out of range"
    NO_LOG_PROBABILITIES = "no log-probabilities"
    NO_TRUTH_WORD = "neither true nor false"


@dataclass(frozen=True)
class Reading:
    """What a reply says.

    Attributes:
        score: In [0, 1]; None where there is a problem.
        problem: Why there is no score.
        detail: The problem in a sentence, to show and to ask again with.
        reasoning: The reasons given, where the reply has some.
        mass: The probability that true and false hold together, in [0, 1], in the log-probability mode.
    """

    score: float | None
    problem: Problem | None = None
    detail: str = ""
    reasoning: str = ""
    mass: float | None = None


def read_score(reply: ChatReply, key: str = SCORE_KEY) -> Reading:
    """Return the score that a reply prints as a JSON object with the given key.

    Text around the object, fences and earlier objects do not matter: of several objects with the key the last counts.
    An object inside another does not count, nor does a number that stands in no object.
    """
    found = last_object(reply, key)
    if isinstance(found, Reading):
        return found
    given = [value for name, value in found if name == key]
    if len(given) > 1:
        return Reading(None, Problem.REPEATED_KEY, f'The reply gives the key "{key}" {len(given)} times.')
    reasoning = next((value for name, value in found if name == REASONING_KEY and isinstance(value, str)), "")
    return _checked(given[0], key, reasoning)


def last_object(reply: ChatReply, key: str) -> list[tuple[str, Any]] | Reading:
    """Return the last outermost JSON object with a key in a reply, as names with values; or why there is none.

    Names may come twice, and objects inside it are lists of pairs too: ``plain_json`` makes plain values of them.
    """
    trouble = _trouble(reply)
    if trouble is not None:
        return trouble
    cut = reply.finish_reason == "length"
    text = reply.text[:LONGEST]
    objects, opened = _objects(text)
    with_key = [(pairs, end) for pairs, end in objects if any(name == key for name, _ in pairs)]
    if cut and (not with_key or _FENCE.fullmatch(text[with_key[-1][1] :]) is None):
        # Whatever was found so far need not be what the reply was coming to.
        return Reading(None, Problem.CUT_OFF, "The reply was cut off before it was complete.")
    if with_key:
        return with_key[-1][0]
    if objects:
        return Reading(None, Problem.WRONG_KEY, f'The reply\'s JSON object has no key "{key}".')
    if opened:
        return Reading(None, Problem.NO_JSON, "The reply holds the beginning of a JSON object, but no whole one.")
    return Reading(None, Problem.NO_JSON, "The reply holds no JSON object.")


def plain_json(value: object) -> Any:
    """Return a value of ``last_object`` with its objects as dictionaries.

    Raises:
        ValueError: If an object gives a key twice; its text names the key.
    """
    if isinstance(value, _Pairs):
        names = [name for name, _ in value]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f'the key "{name}" is given {names.count(name)} times')
        return {name: plain_json(entry) for name, entry in value}
    if isinstance(value, list):
        return [plain_json(entry) for entry in value]
    return value


def read_truth(reply: ChatReply) -> Reading:
    """Return P(true) / (P(true) + P(false)) from the log-probabilities of the first token.

    Every way to write the two words counts: case, blanks and marks around them do not matter. A word that is not
    among the alternatives reported counts as nothing.
    """
    if not reply.top:
        trouble = _trouble(reply)
        if trouble is not None and trouble.problem is Problem.REFUSED:
            return trouble
        return Reading(None, Problem.NO_LOG_PROBABILITIES, "The endpoint reported no log-probabilities.")
    held = {"true": 0.0, "false": 0.0}
    for token, logprob in reply.top:
        word = _WORDS.sub("", token.casefold())
        if word in held and not math.isnan(logprob):
            held[word] += math.exp(min(0.0, logprob))
    mass = math.fsum(held.values())
    if mass <= 0.0:
        return Reading(
            None,
            Problem.NO_TRUTH_WORD,
            "Neither true nor false is among the likely first words of the reply.",
            mass=0.0,
        )
    return Reading(held["true"] / mass, mass=min(1.0, mass))


def _trouble(reply: ChatReply) -> Reading | None:
    if reply.refusal or reply.finish_reason == "content_filter":
        return Reading(None, Problem.REFUSED, "The model refused to answer.")
    if not reply.text.strip():
        if reply.finish_reason == "length":
            return Reading(None, Problem.CUT_OFF, "The reply was cut off before it began.")
        return Reading(None, Problem.EMPTY, "The reply was empty.")
    return None


def _objects(text: str) -> tuple[list[tuple[list[tuple[str, Any]], int]], bool]:
    """Return the outermost JSON objects in a text as pairs, each with where it ends; and whether any brace was open.

    A brace that opens no valid object, such as one in prose, is passed over, and the search goes on behind it.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_Pairs, parse_constant=_refuse)
    found: list[tuple[list[tuple[str, Any]], int]] = []
    place, tries = text.find("{"), 0
    opened = place >= 0
    while place >= 0 and tries < MOST_TRIES:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            found.append((list(value), end))
        place = text.find("{", end)
    return found, opened


class _Pairs(list[tuple[str, Any]]):
    """The entries of one JSON object, repeated keys included; a type of its own, to be told from an array."""


def _refuse(name: str) -> None:
    raise ValueError(name)


def _checked(value: object, key: str, reasoning: str) -> Reading:
    number = read_number(value)
    if number is None:
        return Reading(
            None,
            Problem.NOT_A_NUMBER,
            f'The value of "{key}" is {shown_value(value)}, not a number.',
            reasoning=reasoning,
        )
    if not 0.0 <= number <= 1.0:
        return Reading(
            None,
            Problem.OUT_OF_RANGE,
            f'The value of "{key}" is {shown_value(value)}; it must lie between 0 and 1.',
            reasoning=reasoning,
        )
    return Reading(number + 0.0, reasoning=reasoning)


def read_number(value: object) -> float | None:
    """Return a JSON value as a number where it is one, or a text that is nothing else; infinity for one too large."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        return float(value)
    return None


def shown_value(value: object) -> str:
    """Return a JSON value for a sentence, shortened."""
    if isinstance(value, _Pairs):
        return "an object"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


__all__ = [
    "REASONING_KEY",
    "SCORE_KEY",
    "Problem",
    "Reading",
    "last_object",
    "plain_json",
    "read_number",
    "read_score",
    "read_truth",
    "shown_value",
]
