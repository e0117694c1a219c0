"""Why this verdict: what arguments, agents and rounds add to the score, by the definition that is named."""

from __future__ import annotations

import streamlit as st

from core.contestation import Contested
from core.contributions import (
    Contributions,
    Definition,
    GradientContributions,
    Players,
    ShapleyContributions,
    by_agent,
    by_round,
    gradient,
    intrinsic_removal,
    removal,
    shapley,
)
from core.figures import contribution_bars
from core.judges.semantics_judge import SemanticsJudge
from core.preferences import Preferences
from core.wording import signed
from pages.components import agent_names, exports, theme
from pages.components.contest_state import Desk
from pages.components.text import plain

ARGUMENTS, AGENTS, ROUNDS = "Arguments", "Agents", "Rounds"
ONE = {AGENTS: "an agent", ROUNDS: "a round"}
IN_GROUPS = {
    Definition.REMOVAL: "By how much the score falls when they are taken out.",
    Definition.SHAPLEY: (
        "Their share of the way from the score without any argument to the score: the mean of what they add when "
        "{many} come in one by one, over all orders; the shares sum up to that way."
    ),
}  # what the definitions in TOGETHER mean where a group of arguments is one player
WORDS = {ARGUMENTS: ("argument", "arguments"), AGENTS: ("agent", "agents"), ROUNDS: ("round", "rounds")}
TOGETHER = (Definition.REMOVAL, Definition.SHAPLEY)  # definitions under which a group can be one player


def show(desk: Desk, contested: Contested, judge: SemanticsJudge, preferences: Preferences) -> None:
    """Draw what each player adds to the main judge's score of the contested profile."""
    key = desk.key
    profile = contested.profile
    groups = [ARGUMENTS]
    if len(by_agent(profile)) > 1:
        groups.append(AGENTS)
    if len(by_round(desk.debate, profile)) > 1:
        groups.append(ROUNDS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        who = str(st.segmented_control("Of", groups, default=ARGUMENTS, required=True, key=f"players|{key}"))
        definitions = list(Definition) if who == ARGUMENTS else list(TOGETHER)
        chosen = f"definition|{key}"
        if st.session_state.get(chosen) not in definitions:
            st.session_state[chosen] = definitions[0]
        picked = st.segmented_control(
            "Definition", definitions, format_func=lambda one: one.label, required=True, key=chosen
        )
    definition = definitions[0] if picked is None else picked
    players = {ARGUMENTS: None, AGENTS: by_agent(profile), ROUNDS: by_round(desk.debate, profile)}[who]
    found = desk.once(
        "contributions",
        (desk.history.edits, judge, definition, who),
        lambda: _contributions(desk, contested, judge, definition, players),
    )
    st.caption(_meaning(definition, who))
    if not found.amounts and not isinstance(found, GradientContributions):
        st.info("No argument bears on the topic, so nothing adds to the score.")
    else:
        texts, names = _labels(desk, contested, players, preferences)
        bars = contribution_bars(found, texts, judge.name, theme.palette(), WORDS[who], names)
        exports.chart(
            bars,
            f"{desk.debate.id} {definition.value} {who.lower()}",
            f"contributions|{key}",
            on_click=desk.select_first if who == ARGUMENTS else None,
        )
    st.caption(plain(_how(found)))
    for note in found.notes:
        st.caption(plain(note))


def _contributions(
    desk: Desk, contested: Contested, judge: SemanticsJudge, definition: Definition, players: Players | None
) -> Contributions:
    match definition:
        case Definition.REMOVAL:
            return removal(judge, contested.profile, players)
        case Definition.INTRINSIC_REMOVAL:
            return intrinsic_removal(judge, contested.profile)
        case Definition.GRADIENT:
            return gradient(judge, contested.profile)
        case Definition.SHAPLEY:
            return shapley(judge, contested.profile, players)


def _meaning(definition: Definition, who: str) -> str:
    if who == ARGUMENTS:
        return f"**{definition.label}.** {definition.meaning}"
    return (
        f"**{definition.label}**, with all arguments of {ONE[who]} coming and going as one. "
        f"{IN_GROUPS[definition].format(many=WORDS[who][1])} "
        "This is not the sum of the bars of its arguments."
    )


def _labels(
    desk: Desk, contested: Contested, players: Players | None, preferences: Preferences
) -> tuple[dict[str, str], dict[str, str]]:
    """Return what to show of each player when it is pointed at, and what to call it."""
    if players is None:
        return {a.id: a.text for a in contested.profile.arguments}, {}
    known = agent_names.of(desk.debate, preferences)
    counts = {name: f"{len(members)} argument{'s' if len(members) != 1 else ''}" for name, members in players.items()}
    return counts, {name: known.get(name, name) for name in players}


def _how(found: Contributions) -> str:
    """Return how the amounts were found, as a sentence, and what Shapley values sum up to."""
    how = f"{found.method[:1].upper()}{found.method[1:].removesuffix('.')}." if found.method else ""
    if isinstance(found, ShapleyContributions) and found.score is not None and found.start is not None:
        sums = f"They sum up to {signed(found.score - found.start)}: from {found.start:.3f} to {found.score:.3f}."
        return f"{how} {sums}"
    return how
