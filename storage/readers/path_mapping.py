"""Which path of a record means what: how a person reads any JSON, JSON Lines, YAML or table that no reader knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from core.errors import InvalidSetting
from core.import_issue import quoted
from core.score_text import Scale
from storage.readers.record_path import RecordPath, record_path

CONSTANT = "="  # in front of a word that is the same in every record, instead of a path
MOST_GROUPS = 50

DEBATE_FIELDS = ("debate_id", "claim", "label", "title")
"""The paths that say something of a whole debate, from its record downwards."""

STATEMENT_FIELDS = (
    "text", "agent", "polarity", "score", "round", "argument_id", "target", "supports", "attacks", "model", "source",
    "prior", "posterior",
)  # fmt: skip
"""The paths that say something of one statement, from the debate's record downwards."""

WORD_FIELDS = ("true_words", "false_words", "pro_words", "con_words")


@dataclass(frozen=True)
class StatementPaths:
    """Where one kind of statements stands, and what belongs to each.

    A value belongs to the statement with which it shares the entries it comes from: ``turns[].agent`` to
    ``turns[].text`` entry by entry, ``rounds[].number`` to every ``rounds[].turns[].text`` of its round, and in lists
    side by side, such as ``pros[]`` and ``scores[]``, the first to the first. ``=pro`` instead of a path means the word
    itself, for all of them.

    ``polarity`` and ``target`` say how a statement bears on what, on the claim where there is no target; ``supports``
    and ``attacks`` lead to the ids of other statements, to one or to a list of them.
    """

    text: str
    agent: str | None = None
    polarity: str | None = None
    score: str | None = None
    round: str | None = None
    argument_id: str | None = None
    target: str | None = None
    supports: str | None = None
    attacks: str | None = None
    model: str | None = None
    source: str | None = None
    prior: str | None = None
    posterior: str | None = None


@dataclass(frozen=True)
class PathMapping:
    """Which path means what.

    Attributes:
        record: Where the records are, one debate each: from the file's values downwards; empty for the values.
        debate_id, claim, label, title: Of the whole debate.
        statements: What was said; several kinds where pros and cons, or sides, stand apart.
        joined: Records with the same debate id make up one debate, as where a record is one statement.
        carried: Each round also holds what was said in the rounds before it, so that judges read everything.
        scales: What the bare numbers of a path mean; a path that is not named here is decided by its values.
        true_words, false_words: What a label says beyond the words that Moot knows.
        pro_words, con_words: What a polarity says beyond them.
    """

    claim: str
    statements: tuple[StatementPaths, ...]
    record: str = ""
    debate_id: str | None = None
    label: str | None = None
    title: str | None = None
    joined: bool = False
    carried: bool = True
    scales: Mapping[str, Scale] = field(default_factory=dict)
    true_words: tuple[str, ...] = ()
    false_words: tuple[str, ...] = ()
    pro_words: tuple[str, ...] = ()
    con_words: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the mapping as plain JSON values, without what is empty."""
        values: dict[str, Any] = {"record": self.record}
        for name in DEBATE_FIELDS:
            if getattr(self, name):
                values[name] = getattr(self, name)
        values["statements"] = [
            {name: value for name in STATEMENT_FIELDS if (value := getattr(group, name))} for group in self.statements
        ]
        if self.joined:
            values["joined"] = True
        if not self.carried:
            values["carried"] = False
        if self.scales:
            values["scales"] = {path: scale.value for path, scale in self.scales.items()}
        return values | {name: list(words) for name in WORD_FIELDS if (words := getattr(self, name))}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> PathMapping:
        """Return the mapping that ``to_json``, or a person, wrote; everything in it must be understood.

        Raises:
            InvalidSetting: If it is none, with what is wrong and where.
        """
        _known(record, {item.name for item in fields(cls)}, "The mapping")
        groups = record.get("statements")
        if not isinstance(groups, list) or not groups or not all(isinstance(group, Mapping) for group in groups):
            raise InvalidSetting("A mapping needs a list of statements, each with a path under 'text'.")
        given: dict[str, Any] = {name: _text(record, name) for name in ("record", *DEBATE_FIELDS)}
        for name in ("joined", "carried"):
            given[name] = record.get(name, name == "carried")
            if not isinstance(given[name], bool):
                raise InvalidSetting(f"{name} in the mapping must be true or false; it is {quoted(given[name])}.")
        for name in WORD_FIELDS:
            words = record.get(name) or []
            if not isinstance(words, list) or not all(isinstance(word, (str, int, float)) for word in words):
                raise InvalidSetting(f"{name} in the mapping must be a list of words.")
            given[name] = tuple(map(str, words))
        mapping = cls(
            **given | {"record": given["record"] or "", "claim": given["claim"] or ""},
            statements=tuple(map(_group, groups)),
            scales=_scales(record.get("scales") or {}),
        )
        problem = path_problem(mapping)
        if problem is not None:
            raise InvalidSetting(f"The mapping cannot be used: {problem}.")
        return mapping

    @property
    def is_talk(self) -> bool:
        """Return whether nothing says what statements bear on."""
        return not any(group.polarity or group.supports or group.attacks for group in self.statements)

    @property
    def score_paths(self) -> tuple[str, ...]:
        """Return the paths that hold scores and so need a scale, each once."""
        named = [path for group in self.statements for path in (group.score, group.prior, group.posterior)]
        return tuple(dict.fromkeys(path for path in named if path and not path.startswith(CONSTANT)))

    def scaled(self, scales: Mapping[str, Scale]) -> PathMapping:
        """Return the mapping with other scales."""
        return replace(self, scales=dict(scales))


def path_problem(mapping: PathMapping) -> str | None:
    """Return what keeps a mapping from being used, in words that can follow a colon; None for nothing."""
    if not mapping.claim:
        return "no path leads to the claim"
    if not mapping.statements or not all(group.text for group in mapping.statements):
        return "no path leads to the text of the statements"
    if len(mapping.statements) > MOST_GROUPS:
        return f"there are more than {MOST_GROUPS} kinds of statements"
    try:
        record_path(mapping.record)
        for name in DEBATE_FIELDS:
            _checked(getattr(mapping, name))
        for group in mapping.statements:
            text = record_path(group.text)
            for name in STATEMENT_FIELDS[1:]:
                path = _checked(getattr(group, name))
                if path is not None and not path.fits(text):
                    return (
                        f"{path} leads to several values for one statement of {text}; it must repeat with it or less "
                        "often"
                    )
    except InvalidSetting as error:
        return str(error).rstrip(".")
    if mapping.joined and not mapping.debate_id:
        return "records can be joined only by a path that leads to the debate's id"
    return None


def _checked(written: str | None) -> RecordPath | None:
    return None if not written or written.startswith(CONSTANT) else record_path(written)


def _group(record: Mapping[str, Any]) -> StatementPaths:
    _known(record, set(STATEMENT_FIELDS), "A kind of statements in the mapping")
    given = {name: _text(record, name) for name in STATEMENT_FIELDS[1:]}
    return StatementPaths(_text(record, "text") or "", **given)


def _scales(given: object) -> dict[str, Scale]:
    if not isinstance(given, Mapping):
        raise InvalidSetting("scales in the mapping must be paths with a scale each.")
    try:
        return {str(path): Scale(scale) for path, scale in given.items()}
    except ValueError:
        raise InvalidSetting(f"A scale in the mapping is none of {', '.join(Scale)}.") from None


def _text(record: Mapping[str, Any], name: str) -> str | None:
    value = record.get(name)
    if value is None or isinstance(value, str):
        return value or None
    raise InvalidSetting(f"{name} in the mapping must be a path, which is a text; it is {quoted(value)}.")


def _known(record: Mapping[str, Any], names: set[str], what: str) -> None:
    unknown: Sequence[Any] = [key for key in record if key not in names]
    if unknown:
        raise InvalidSetting(f"{what} has an unknown key {quoted(unknown[0])}; there are {', '.join(sorted(names))}.")


__all__ = ["CONSTANT", "DEBATE_FIELDS", "STATEMENT_FIELDS", "PathMapping", "StatementPaths", "path_problem"]
