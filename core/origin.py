"""Where a debate comes from, in the few words that stand beside it wherever it is shown."""

from __future__ import annotations

from core.debate import Debate
from core.debating.outcome import DEMONSTRATION, KIND
from core.wording import SAMPLE, shortened

MOST_CHARACTERS = 60  # of the models' names


def origin_words(debate: Debate) -> tuple[str, ...]:
    """Return how a debate came about, in a few words each; empty where its record does not say.

    They hold names of models, which come with the record: text for people, never markup.
    """
    kind = debate.provenance.get("kind")
    if kind == SAMPLE:
        return (SAMPLE,)
    if kind != KIND:
        return ()
    told = debate.provenance.get("models")
    models = ", ".join(str(model) for model in told) if isinstance(told, (list, tuple)) else ""
    words = f"debated by {shortened(models, MOST_CHARACTERS)}" if models else KIND
    return (words, DEMONSTRATION) if debate.provenance.get("remark") == DEMONSTRATION else (words,)
