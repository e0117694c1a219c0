"""An experiment out of YAML that people write; what is wrong is said with its line and its field."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import yaml

from core.debate import DebateProtocol
from core.errors import InvalidSetting, UnreadableFile
from core.experiments.experiment import MOST_TESTED, Experiment, JudgeChoice
from core.plain_yaml import PlainLoader
from core.properties.curves import SIZES, Curve
from core.properties.registry import property_of, usual_properties
from core.simulation.settings import Simulation

LARGEST = 1_000_000  # characters
MOST_NODES = 50_000
FIELDS = (
    "name", "about", "table", "data", "judges", "variants", "properties", "curve", "sizes", "tolerance", "seed",
)  # fmt: skip
DATA_FIELDS = ("dataset", "protocols", "limit", "simulation")
SEVEN = "all"  # in place of a list of properties

Path = tuple[str | int, ...]
Value = TypeVar("Value")


@dataclass
class _Sheet:
    """A YAML text as plain values, with the line of every field."""

    value: Any
    lines: dict[Path, int] = field(default_factory=dict)

    def refuse(self, path: Path, why: str) -> InvalidSetting:
        """Return an error that names the line and the field."""
        return InvalidSetting(f"Line {self.line(path)}, {_named(path)}: {why}")

    def line(self, path: Path) -> int:
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def told(self, path: Path, make: Callable[[], Value]) -> Value:
        """Return what is made of a field; its error names the line, of the very part that the error is about."""
        try:
            return make()
        except (InvalidSetting, ValueError, TypeError) as error:
            raise self.refuse(self._part(path, str(error)), str(error)) from error

    def _part(self, path: Path, message: str) -> Path:
        value = self.value
        for step in path:
            value = value[step]
        if isinstance(value, Mapping):
            for key, inner in value.items():
                if repr(key) in message or (isinstance(inner, (str, int, float)) and repr(inner) in message):
                    return (*path, str(key))
        return path


def experiment_of(text: str) -> Experiment:
    """Return the experiment that a YAML text describes.

    Raises:
        UnreadableFile: If it is no YAML, or too large.
        InvalidSetting: If it describes none; the message begins with the line and names the field.
    """
    sheet = _sheet(text)
    record = sheet.value
    if not isinstance(record, Mapping):
        raise InvalidSetting("Line 1: an experiment is a mapping with name, judges and properties.")
    _known(sheet, (), record, FIELDS)
    data = record.get("data") or {}
    if not isinstance(data, Mapping):
        raise sheet.refuse(("data",), "the data are a mapping, such as dataset: and the name of a data set.")
    _known(sheet, ("data",), data, DATA_FIELDS)
    simulation = data.get("simulation")
    sizes, curve = record.get("sizes"), record.get("curve")

    def made() -> Experiment:
        return Experiment(
            name=_text(sheet, record, "name") or "Experiment",
            judges=tuple(_judges(sheet, record)),
            properties=_properties(sheet, record),
            about=_text(sheet, record, "about"),
            dataset=_text(sheet, data, "dataset", ("data",)),
            protocols=_protocols(sheet, data),
            limit=_whole(sheet, data, "limit", ("data",), 1),
            simulation=None
            if simulation is None
            else sheet.told(("data", "simulation"), lambda: Simulation.from_json(_mapping(simulation))),
            seed=_whole(sheet, record, "seed", (), 0) or 0,
            tolerance=_number(sheet, record, "tolerance"),
            curve=None if curve is None else sheet.told(("curve",), lambda: _curve(curve)),
            sizes=SIZES if sizes is None else sheet.told(("sizes",), lambda: _sizes(sizes)),
            table=_whole(sheet, record, "table", (), 1),
        )

    try:
        return made()
    except InvalidSetting as error:
        if str(error).startswith("Line "):
            raise
        raise InvalidSetting(f"Line 1: {error}") from error


def experiment_text(experiment: Experiment) -> str:
    """Return an experiment as YAML that ``experiment_of`` reads."""
    return yaml.safe_dump(experiment.to_json(), sort_keys=False, allow_unicode=True, width=110)


def _sheet(text: str) -> _Sheet:
    if len(text) > LARGEST:
        raise UnreadableFile(f"An experiment has at most {LARGEST:,} characters.")
    try:
        return _read(PlainLoader(text, most_repeated=None))
    except InvalidSetting:
        raise
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f"Line {mark.line + 1}: " if mark is not None else ""
        problem = getattr(error, "problem", None) or str(error)
        raise UnreadableFile(f"{line}this is no YAML: {problem}") from error


def _read(loader: PlainLoader) -> _Sheet:
    try:
        node = loader.get_single_node()
        if node is None:
            raise InvalidSetting("Line 1: the file is empty; an experiment has name, judges and properties.")
        lines: dict[Path, int] = {}
        for path, at in _walk(node, (), itertools.count()):
            if path in lines:
                raise InvalidSetting(f"Line {at}, {_named(path)}: the field is there twice.")
            lines[path] = at
        return _Sheet(loader.construct_document(node), lines)
    finally:
        loader.dispose()


def _walk(node: yaml.Node, path: Path, seen: Iterator[int]) -> Iterator[tuple[Path, int]]:
    if next(seen) > MOST_NODES:
        raise InvalidSetting(f"An experiment has at most {MOST_NODES:,} values.")
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*path, str(key.value))
            yield here, key.start_mark.line + 1
            yield from _walk(value, here, seen)
    elif isinstance(node, yaml.SequenceNode):
        for place, value in enumerate(node.value):
            here = (*path, place)
            yield here, value.start_mark.line + 1
            yield from _walk(value, here, seen)


def _judges(sheet: _Sheet, record: Mapping[str, Any]) -> Iterator[JudgeChoice]:
    listed = record.get("judges")
    if not isinstance(listed, list) or not listed:
        raise sheet.refuse(("judges",), "an experiment needs a list of judges.")
    variants = record.get("variants") or {}
    if not isinstance(variants, Mapping) or not all(isinstance(v, list) and v for v in variants.values()):
        raise sheet.refuse(("variants",), "the variants are a mapping from settings to lists of values.")
    if len(listed) * math.prod(map(len, variants.values())) > MOST_TESTED:
        raise sheet.refuse(("variants",), f"there may be {MOST_TESTED:,} judges.")
    used: set[str] = set()
    for place, given in enumerate(listed):
        path: Path = ("judges", place)
        entry: Any = {"stored": given} if isinstance(given, str) else given
        if not isinstance(entry, Mapping) or not (set(entry) & {"kind", "stored"}):
            raise sheet.refuse(path, "a judge has a kind with its settings, or is the name of a stored one.")
        vary: dict[str, Any] = {
            **(entry.get("vary") or {}),
            **{key: v for key, v in variants.items() if _takes(entry, str(key))},
        }
        used |= set(vary)
        if math.prod(map(len, vary.values())) > MOST_TESTED:
            raise sheet.refuse(path, f"there may be {MOST_TESTED:,} judges.")
        fixed = {str(key): value for key, value in entry.items() if key not in ("vary", "stored")}
        for values in itertools.product(*vary.values()):
            settings = {**fixed, **dict(zip(vary, values, strict=True))}
            if "stored" in entry:
                yield JudgeChoice(stored=str(entry["stored"]), changes=settings)
            else:
                yield JudgeChoice(settings)
    for key in variants:
        if key not in used:
            raise sheet.refuse(("variants", str(key)), f"no judge of the experiment has the setting {key!r}.")


_OF_SEMANTICS = {"semantics", "conservativeness", "setting", "variant", "aggregation", "threshold", "abstention"}
_OF_MODELS = {
    "model", "naming", "stance", "protocol", "evidence", "score_mode", "reasoning", "example", "temperature", "top_p",
    "seed", "max_tokens", "order", "repeats", "prompts", "threshold", "abstention",
}  # fmt: skip


def _takes(entry: Mapping[str, Any], setting: str) -> bool:
    """Return whether a judge of that kind has a setting, so that variants of other judges leave it alone."""
    if setting in entry:
        return False
    match entry.get("kind"):
        case "semantics":
            return setting in _OF_SEMANTICS
        case None | "llm":
            return setting in _OF_MODELS
        case _:
            return setting in {"threshold", "abstention"}


def _properties(sheet: _Sheet, record: Mapping[str, Any]) -> tuple[Any, ...]:
    listed = record.get("properties", [] if "curve" in record else SEVEN)
    if listed == SEVEN:
        return usual_properties()
    if not isinstance(listed, list):
        raise sheet.refuse(("properties",), f"the properties are a list, or {SEVEN!r} for the seven.")
    return tuple(
        sheet.told(("properties", place), lambda one=one: property_of(one))  # type: ignore[misc]
        for place, one in enumerate(listed)
    )


def _protocols(sheet: _Sheet, data: Mapping[str, Any]) -> tuple[DebateProtocol, ...]:
    listed = data.get("protocols") or []
    if not isinstance(listed, list):
        raise sheet.refuse(("data", "protocols"), "the protocols are a list.")
    found = []
    for place, one in enumerate(listed):
        if one not in set(DebateProtocol):
            names = ", ".join(DebateProtocol)
            raise sheet.refuse(("data", "protocols", place), f"there is no protocol {one!r}; there are {names}.")
        found.append(DebateProtocol(one))
    return tuple(found)


def _known(sheet: _Sheet, path: Path, record: Mapping[Any, Any], names: tuple[str, ...]) -> None:
    for key in record:
        if key not in names:
            raise sheet.refuse((*path, str(key)), f"there is no field {key!r}; there are {', '.join(names)}.")


def _text(sheet: _Sheet, record: Mapping[str, Any], name: str, path: Path = ()) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, (str, int, float)):
        raise sheet.refuse((*path, name), "this must be a text.")
    return str(value).strip()


def _whole(sheet: _Sheet, record: Mapping[str, Any], name: str, path: Path, least: int) -> int | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise sheet.refuse((*path, name), f"this is {value!r}; it must be a whole number of at least {least}.")
    return value


def _number(sheet: _Sheet, record: Mapping[str, Any], name: str) -> float | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise sheet.refuse((name,), f"this is {value!r}; it must be a number in [0, 1].")
    return float(value)


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidSetting("a simulation is a mapping, such as debates: 500 and agents: 3.")
    return value


def _curve(value: object) -> Curve:
    if value not in set(Curve):
        raise InvalidSetting(f"There is no curve {value!r}; there are {', '.join(Curve)}.")
    return Curve(str(value))


def _sizes(value: object) -> tuple[float, ...]:
    if not isinstance(value, list) or not all(isinstance(one, (int, float)) and 0 < one <= 1 for one in value):
        raise InvalidSetting("The sizes are a list of numbers above 0 and at most 1.")
    return tuple(float(one) for one in value)


def _named(path: Path) -> str:
    """Return a field as people write it, such as ``judges[2].semantics``, counted from 1."""
    text = ""
    for step in path:
        text += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "the file"


__all__ = ["experiment_of", "experiment_text"]
