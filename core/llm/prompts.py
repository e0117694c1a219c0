"""Prompts: templates that people may edit, filled with a debate's texts as quoted data."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from core.errors import InvalidSetting
from core.llm.request import canonical
from core.strict_json import dumps

TEMPLATES = ("instructions", "debate", "claim", "ask_again")

_BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")  # never inside a quoted text, which is one line


@dataclass(frozen=True)
class PromptSet:
    """The templates of one kind of judge, by name; other kinds of prompts have other ``templates``.

    Attributes:
        name: For people.
        texts: A Jinja template for each of ``templates``. Values reach them as data only: nothing in a debate is
            ever read as a template.

    Raises:
        InvalidSetting: If a template is missing or is no valid template.
    """

    templates: ClassVar[tuple[str, ...]] = TEMPLATES

    name: str
    texts: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        missing = [name for name in self.templates if name not in dict(self.texts)]
        if missing:
            raise InvalidSetting(f"Prompt set {self.name!r} has no template {missing[0]!r}.")
        object.__setattr__(self, "texts", tuple((name, dict(self.texts)[name]) for name in self.templates))
        for name in self.templates:
            self._template(name)

    @classmethod
    def from_texts(cls, name: str, texts: Mapping[str, str]) -> Self:
        """Return the set with these templates; others than ``templates`` are left out."""
        return cls(name, tuple((key, text) for key, text in texts.items() if key in cls.templates))

    @cached_property
    def hash(self) -> str:
        """Return the SHA-256 of all templates, as 64 hexadecimal digits."""
        return hashlib.sha256(canonical(list(self.texts)).encode()).hexdigest()

    def render(self, template: str, **values: Any) -> str:
        """Return a template filled in.

        Raises:
            InvalidSetting: If it uses a value that there is not, or otherwise cannot be filled in.
        """
        try:
            text = self._template(template).render(**values)
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError) as error:
            raise self._wrong(template, error) from error
        return _BLANK_LINES.sub("\n\n", text).strip()

    def _template(self, name: str) -> jinja2.Template:
        try:
            return self._environment.get_template(name)
        except jinja2.TemplateError as error:
            raise self._wrong(name, error) from error

    def _wrong(self, template: str, error: Exception) -> InvalidSetting:
        line = f", line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else ""
        return InvalidSetting(f"Prompt template {template!r} of set {self.name!r}{line}: {error}.")

    @cached_property
    def _environment(self) -> jinja2.Environment:
        environment = ImmutableSandboxedEnvironment(
            loader=jinja2.DictLoader(dict(self.texts)),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # prompts are no HTML; debate texts are quoted by ``quoted``
        )
        environment.filters |= {"quoted": quoted, "number": shown_number}
        return environment


def quoted(text: str) -> str:
    """Return a text as a JSON string on one line: it can neither end its quotation nor begin a line of its own."""
    return dumps(text)


def shown_number(value: float | None) -> str:
    """Return a score as it stands in a prompt: two decimals, more only where it has more."""
    if value is None:
        return "not given"
    short = f"{value:.2f}"
    return short if float(short) == value else f"{value:.4g}"


__all__ = ["TEMPLATES", "PromptSet", "quoted", "shown_number"]
