"""YAML that people send or write, read safely: plain values, bounded in depth and in what its aliases repeat."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.composer import Composer

DEEPEST = 200  # levels
LONGEST_NUMBER = 100  # characters; what is longer is a text, as numbers of a million parts take hours to work out
MOST_REPEATED = 10_000  # values that aliases may stand for, together, in a file that people write by hand

# LibYAML reads quickly, but would also put nodes together in C, past the checks below: that is done in Python.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_BASES: Any = (_Loader,) if issubclass(_Loader, Composer) else (Composer, _Loader)


class RefusedYaml(yaml.MarkedYAMLError):
    """The text is YAML of a kind that Moot does not read."""

    def __init__(self, why: str, mark: yaml.Mark) -> None:
        super().__init__(problem=why, problem_mark=mark)
        self.why = why
        self.line: int = mark.line + 1

    def __str__(self) -> str:
        return f"{self.why} (line {self.line})"


class PlainLoader(*_BASES):  # type: ignore[misc]  # which of the two loaders is there is known when it runs
    """Makes plain values only. Aliases, which can make a small file endless, may repeat so many values and no more.

    Args:
        stream: The text.
        most_repeated: How many; 0 refuses any alias, and None is for who counts what comes out.
    """

    def __init__(self, stream: str, most_repeated: int | None = 0) -> None:
        _Loader.__init__(self, stream)
        Composer.__init__(self)
        self._most_repeated = most_repeated
        self._depth = self._count = self._repeated = 0
        self._sizes: dict[yaml.Node, int] = {}  # with all that is in a node, aliases followed

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Return the next node."""
        event = self.peek_event()
        mark = event.start_mark
        if isinstance(event, yaml.AliasEvent) and event.anchor in self.anchors:
            self._repeat(self.anchors[event.anchor], mark)
            return super().compose_node(parent, index)
        before, self._count = self._count, self._count + 1
        self._depth += 1
        try:
            if self._depth > DEEPEST:
                raise RefusedYaml(f"it is nested more than {DEEPEST} levels deep", mark)
            node = super().compose_node(parent, index)
        finally:
            self._depth -= 1
        if isinstance(node, yaml.ScalarNode) and node.tag in _NUMBERS and len(node.value) > LONGEST_NUMBER:
            node.tag = "tag:yaml.org,2002:str"
        if self._most_repeated:
            self._sizes[node] = self._count - before
        return node

    def _repeat(self, node: yaml.Node, mark: yaml.Mark) -> None:
        if self._most_repeated is None:
            return
        if not self._most_repeated:
            raise RefusedYaml("it has aliases (*name), which Moot does not follow", mark)
        if node not in self._sizes:
            raise RefusedYaml("an alias (*name) stands for what it is part of", mark)
        self._count += self._sizes[node]
        self._repeated += self._sizes[node]
        if self._repeated > self._most_repeated:
            raise RefusedYaml(f"its aliases (*name) repeat more than {self._most_repeated:,} values", mark)


def yaml_value(text: str, most_repeated: int = MOST_REPEATED) -> Any:
    """Return the value of the one document in a YAML text; JSON is a part of YAML.

    Args:
        text: The text.
        most_repeated: How many values its aliases may repeat; 0 refuses any alias.

    Raises:
        RefusedYaml: If it is of a kind that Moot does not read.
        YAMLError, ValueError, RecursionError: If it is none.
    """
    loader = PlainLoader(text, most_repeated)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


__all__ = ["PlainLoader", "RefusedYaml", "yaml_value"]
