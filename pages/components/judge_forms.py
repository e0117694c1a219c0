"""Making a judge of any family: a form for each, and the judge that it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.errors import InvalidSetting
from core.judgement import DecisionRule
from core.judges.framing import StanceVariant
from core.judges.llm_judge import Evidence, LlmJudge, Naming, ScoreMode
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge
from core.judges.semantics_judge import ScoreAggregation, SemanticsJudge, Setting
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.llm.circumstances import PromptProtocol
from core.semantics import SEMANTICS
from pages.components import run_form, state
from pages.components.judge_settings import MISSING_WORDS, MOST_CONSERVATIVE, SETTING_WORDS, VARIANT_WORDS
from storage.prompt_files import find_prompts, prompt_sets

LONGEST_NAME = 200
PROTOCOL_WORDS = {
    PromptProtocol.AUTO: "as it was held",
    PromptProtocol.SINGLE_TURN: "single-turn",
    PromptProtocol.PRIVATE: "multi-turn, private",
    PromptProtocol.SHARED: "multi-turn, shared",
}
STANCE_WORDS = {
    StanceVariant.NONE: "none",
    StanceVariant.PRIOR: "before the debate",
    StanceVariant.POSTERIOR: "after the debate",
}
AS_RECORDED, SEEDED = "as recorded", "shuffled by a seed"
RECORDED_KINDS = ("human", "llm", "panel")
VOTES: Mapping[str, Callable[[DecisionRule], AnyJudge]] = {
    "Majority of stances": MajorityVote,
    "Mean stance": MeanStance,
}
WEIGHTED = "Weighted stances"


def show() -> AnyJudge | None:
    """Draw the choice of a family and its form, and return the judge that it says; None while something is missing.

    Raises:
        InvalidSetting: If settings contradict each other or lie outside their range.
    """
    family = st.selectbox("Family", list(_FORMS), key="shelf.family")
    return _FORMS[family]()


def _semantics() -> AnyJudge:
    key = st.selectbox(
        "Semantics", list(SEMANTICS), format_func=lambda name: SEMANTICS[name].label, key="shelf.semantics"
    )
    setting = st.selectbox("Setting", list(SETTING_WORDS), format_func=SETTING_WORDS.__getitem__, key="shelf.setting")
    variant = st.selectbox(
        "Topic base score", list(VARIANT_WORDS), format_func=VARIANT_WORDS.__getitem__, key="shelf.variant"
    )
    conservativeness = 1.0
    if SEMANTICS[key].has_conservativeness:
        conservativeness = float(
            st.number_input("Conservativeness κ", 1.0, MOST_CONSERVATIVE, 1.0, 0.1, key="shelf.kappa")
        )
    missing = st.selectbox(
        "A missing base score counts as",
        list(MISSING_WORDS),
        format_func=MISSING_WORDS.__getitem__,
        key="shelf.missing",
    )
    how = ScoreAggregation.MEAN
    if setting is Setting.SEPARATE:
        ways = [choice.value for choice in ScoreAggregation]
        how = ScoreAggregation(st.selectbox("The agents' scores become one as their", ways, key="shelf.aggregation"))
    return SemanticsJudge(key, conservativeness, setting, variant, _rule(), missing, how)


def _vote() -> AnyJudge:
    kind = st.selectbox("Vote", [*VOTES, WEIGHTED], key="shelf.vote")
    if kind != WEIGHTED:
        return VOTES[kind](_rule())
    said = st.text_input(
        "Weights of agents",
        key="shelf.weights",
        placeholder="Such as A1 2, A2 0.5",
        help="Agents by their ids; one that is not named weighs 1. Without any, who is surer counts more.",
    )
    return WeightedVote.from_weights(_weights(said), _rule())


def _model() -> AnyJudge | None:
    endpoint = run_form.endpoint_choice("shelf")
    model = st.text_input("Model", key="shelf.model", placeholder="Such as gpt-4o, as the endpoint calls it").strip()
    evidence = Evidence(st.selectbox("It reads the", [one.value for one in Evidence], key="shelf.evidence"))
    settings: dict[str, Any] = {"evidence": evidence}
    if evidence is Evidence.DEBATE:
        settings |= {
            "naming": Naming(st.selectbox("Agents are", [one.value for one in Naming], key="shelf.naming")),
            "stance": st.selectbox(
                "Stances shown", list(STANCE_WORDS), format_func=STANCE_WORDS.__getitem__, key="shelf.stance"
            ),
        }
    mode = ScoreMode(st.selectbox("Score", [one.value for one in ScoreMode], key="shelf.mode"))
    settings["score_mode"] = mode
    if mode is ScoreMode.PRINTED:
        settings["reasoning"] = st.toggle("With reasons, kept as its explanation", key="shelf.reasoning")
    with st.expander("Prompt, order and sampling"):
        prompts = st.selectbox(
            "Prompts", prompt_sets(), key="shelf.prompts", help="standard, or a folder in assets/prompts with its own"
        )
        settings |= _finer(evidence, mode)
    if endpoint is None or not model:
        st.caption("Name the endpoint and the model.")
        return None
    return LlmJudge(endpoint, model, find_prompts(prompts), rule=_rule(), **settings)


def _finer(evidence: Evidence, mode: ScoreMode) -> dict[str, Any]:
    """Draw what is seldom changed, and return it."""
    settings: dict[str, Any] = {}
    if evidence is Evidence.DEBATE:
        settings["protocol"] = st.selectbox(
            "The debate is described",
            list(PROTOCOL_WORDS),
            format_func=PROTOCOL_WORDS.__getitem__,
            key="shelf.protocol",
        )
        settings["order"] = _order()
    if mode is ScoreMode.PRINTED:
        settings["example"] = st.number_input(
            "Example number in the prompt", 0.0, 1.0, None, 0.05, key="shelf.example", placeholder="none"
        )
    settings["temperature"] = st.number_input(
        "Temperature", 0.0, 2.0, 0.0, 0.1, key="shelf.temperature", placeholder="the endpoint's own"
    )
    settings["seed"] = st.number_input("Seed", 0, None, None, key="shelf.seed", placeholder="none")
    settings["repeats"] = int(st.number_input("Repeats", 1, 1000, 1, key="shelf.repeats"))
    return settings


def _recorded() -> AnyJudge | None:
    kind = st.selectbox("The records call it", RECORDED_KINDS, key="shelf.kind")
    name = st.text_input(
        "Name in the records",
        max_chars=LONGEST_NAME,
        key="shelf.recorded",
        help="Of the person or system whose verdicts came with the debates, or come with a file on the Data page.",
    ).strip()
    return RecordedJudge(name, kind) if name else None


_FORMS: Mapping[str, Callable[[], AnyJudge | None]] = {
    "Semantics": _semantics,
    "Vote of the agents": _vote,
    "Language model": _model,
    "People, and verdicts from elsewhere": _recorded,
}


def _order() -> int | None:
    if st.selectbox("Agents come", [AS_RECORDED, SEEDED], key="shelf.order") == AS_RECORDED:
        return None
    return int(st.number_input("Seed of the order", 0, None, 0, key="shelf.order.seed"))


def _rule() -> DecisionRule:
    return state.preferences().rule


def _weights(said: str) -> dict[str, float]:
    """Return the weights of a text such as "A1 2, A2 0.5".

    Raises:
        InvalidSetting: If a part is not an agent with a number.
    """
    found: dict[str, float] = {}
    for part in filter(None, map(str.strip, said.split(","))):
        agent, _, weight = part.replace("=", " ").rpartition(" ")
        try:
            found[agent.strip()] = float(weight)
        except ValueError as error:
            raise InvalidSetting(f"{part!r} is no agent with its weight, such as A1 2.") from error
        if not agent.strip():
            raise InvalidSetting(f"{part!r} names no agent.")
    return found


__all__ = ["show"]
