"""YAML as records: safe, bounded, and only where somebody says or shows that a file is YAML."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import yaml

from core.import_issue import IssueLog
from core.plain_yaml import PlainLoader, RefusedYaml
from storage.readers.tolerant_json import JsonRecord

LARGEST = 8 << 20  # characters; YAML is read slowly, and logs of that size are written as JSON Lines
REFUSED = "yaml_refused"


def yaml_records(text: str, issues: IssueLog) -> Iterator[JsonRecord]:
    """Yield the values of a YAML file: its documents, and the entries of a document that is a list.

    What cannot be read is an error among the issues, with its line; what came before it is kept.
    """
    if len(text) > LARGEST:
        issues.error("yaml_invalid", f"A YAML file of more than {LARGEST >> 20} million characters is not read.")
        return
    loader = PlainLoader(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            lines = [item.start_mark.line + 1 for item in node.value] if isinstance(node, yaml.SequenceNode) else []
            value = _plain(loader.construct_document(node))
            if isinstance(value, list) and len(lines) == len(value):
                for line, entry in zip(lines, value, strict=True):
                    yield JsonRecord(entry, line)
            else:
                yield JsonRecord(value, node.start_mark.line + 1)
    except RefusedYaml as error:
        issues.error(REFUSED, f"The file is YAML that is not read from here on: {error.why}.", error.line)
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError, TypeError, AttributeError) as error:
        mark = getattr(error, "problem_mark", None)
        why = str(getattr(error, "problem", None) or error).splitlines()[0][:200] if str(error) else "it is malformed"
        line = None if mark is None else mark.line + 1
        issues.error("yaml_invalid", f"The file is no YAML from here on ({why}); the rest is left out.", line)
    finally:
        loader.dispose()


def looks_like_yaml(text: str) -> bool:
    """Return whether a text begins with a YAML document that is an object or a list of objects.

    That holds too where Moot refuses the document, for its aliases or its depth.
    """
    head = text[:100_000]
    if len(text) > len(head):
        head = head[: head.rfind("\n") + 1]
    issues = IssueLog()
    found = next(yaml_records(head, issues), None)
    if found is None:
        return issues.count(REFUSED) > 0
    return isinstance(found.value, dict) and all(isinstance(key, str) for key in found.value)


def _plain(value: Any) -> Any:
    """Return a value as JSON could hold it: keys are texts, times are written out."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(entry) for entry in value]
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


__all__ = ["looks_like_yaml", "yaml_records"]
