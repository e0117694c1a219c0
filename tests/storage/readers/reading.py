"""Short ways to say what was read."""

from __future__ import annotations

from core.opinion import TOPIC
from storage.readers import ReadFile, read_file


def read(text, mapping=None):
    """Read a text as a file."""
    return read_file(text.encode() if isinstance(text, str) else text, "log", mapping)


def problems(file: ReadFile):
    """Return the issues as (code, line, field), without those that only tell of a choice."""
    return [(i.code, i.line, i.field) for i in file.issues if i.severity != "info"]


def codes(file: ReadFile):
    """Return the codes of all issues."""
    return [issue.code for issue in file.issues]


def arguments(debate, position=-1):
    """Return a round's arguments as (id, text, base score)."""
    return [(a.id, a.text, a.base_score) for a in debate.rounds[position].arguments]


def relations(debate, position=-1):
    """Return a round's relations as signs: ``a +b`` for a supports b, ``a -`` for a attacks the topic."""
    return [
        f"{r.source} {'+' if r.kind == 'support' else '-'}{'' if r.target == TOPIC else r.target}"
        for r in debate.rounds[position].relations
    ]


def stances(debate, position=-1):
    """Return a round's stances as {agent: (prior, posterior)}."""
    return {s.agent_id: (s.prior, s.posterior) for s in debate.rounds[position].stances}
