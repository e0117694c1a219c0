"""The views of one debate, as the tabs of the Debate page."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from core.board import LiveTile, board_data
from core.contestation import contest
from core.contributions import removal
from core.debate import Debate, profile
from core.figures import contribution_bars
from core.judgement import Judge
from core.judges.votes import MajorityVote, MeanStance
from core.opinion import TOPIC, Argument, OpinionProfile, RelationKind
from core.outline import outline_records
from core.preferences import Preferences
from core.semantics import SEMANTICS
from core.statements.beliefs import standing
from core.unlabelled import unlabelled_provenance
from core.wording import RELATION_VERB, chip, judgement_chip, number, shortened, threshold_of
from pages.components import agent_names, board, chips, comments, exports, map_files, row_choice, state, theme
from pages.components.text import plain
from storage.comment_repository import Remarked

MOST_RECORDS = 5  # records of the provenance that a table shows


def verdicts(debate: Debate, held: OpinionProfile, preferences: Preferences) -> None:
    """Draw the verdict chips of the judges shown first, and of the judgements that came with the log.

    Of a judge that was asked after every round, the last judgement is drawn.

    The map has the judges' chips itself, so there this line is not needed.
    """
    parts = [
        f"{plain(SEMANTICS[judge.semantics].label)} {chips.judgement_markdown(judge.judge(held))}"
        for judge in preferences.pinned_judges()
    ]
    for recorded in standing(debate)[:6]:
        said = chips.chip_markdown(recorded.verdict, recorded.score, recorded.status, threshold_of(recorded.settings))
        parts.append(f"{plain(shortened(recorded.judge, 30))} {said}")
    st.markdown("  ·  ".join(parts))


def map_and_outline(debate: Debate, held: OpinionProfile, preferences: Preferences) -> None:
    """Draw the argument graph, the chosen argument, and the same as an indented table."""
    if not held.arguments:
        said = "What was said is under Transcript." if debate.transcript else "Nothing else that was said is recorded."
        st.info(f"Nobody put forward an argument in this round, so judges go by stances or the topic alone. {said}")
        return
    untouched = contest(held, ())
    judges = preferences.pinned_judges()
    judged = [(judge, judge.judge(held)) for judge in judges]
    key = f"read|{debate.id}"
    contributions = removal(judges[0], held).amounts
    events = board.pending(key)
    chosen = events.selected or st.session_state.get(f"{key}.chosen")
    st.session_state[f"{key}.chosen"] = chosen
    left, right = st.columns([8, 4], gap="medium")
    with left:
        board.show(
            board_data(
                untouched,
                held,
                [LiveTile(j, said, said, SEMANTICS[j.semantics].label) for j, said in judged],
                selected=chosen,
                anonymised=preferences.anonymise,
                contributions=contributions,
            ),
            key=key,
            read_only=True,
        )
    with right:
        argument = held.by_id.get(chosen or "")
        if argument is None:
            st.caption("Choose an argument in the map or in the table below to read it in full.")
        else:
            _argument(debate, held, preferences, argument, contributions.get(argument.id))
    strengths = {SEMANTICS[j.semantics].label: said.strengths for j, said in judged}
    frame = pd.DataFrame(
        outline_records(untouched, strengths, contributions, authors=agent_names.of(debate, preferences))
    )
    event = st.dataframe(
        frame,
        hide_index=True,
        column_order=[name for name in frame.columns if name != "State" or frame["State"].any()],
        column_config={
            "Argument": st.column_config.TextColumn(width="large"),
            "Base score": st.column_config.NumberColumn(format="%.2f"),
            "Contribution": st.column_config.NumberColumn(
                format="%+.3f", help=f"Score of {judges[0].name} minus its score without the argument"
            ),
            **{title: st.column_config.NumberColumn(format="%.2f") for title in strengths},
        },
        on_select=row_choice.following(f"outline|{key}"),
        selection_mode=row_choice.MODE,
        key=f"outline|{key}",
        alt=f"The {len(held.arguments)} arguments as an indented list",
    )
    row = row_choice.chosen_row(event, len(frame))
    if row is not None and row != st.session_state.get(f"{key}.row"):
        st.session_state[f"{key}.row"] = row
        st.session_state[f"{key}.chosen"] = str(frame["Id"].iloc[row])
        st.rerun()
    with st.container(horizontal=True):
        exports.table(frame, f"{debate.id} arguments", f"outline.export|{key}")
        exports.debate(debate, "debate")
        map_files.show(
            untouched,
            lambda: judged[0][1].strengths,
            shortened(debate.claim, 80),
            f"{debate.id} map",
            "debate.map",
            preferences,
            contributions,
        )


def rounds(debate: Debate, preferences: Preferences) -> None:
    """Draw what every agent held in each round."""
    authors = agent_names.of(debate, preferences)
    if not debate.rounds:
        st.info("This record has no rounds.")
    words = st.text_input("Find in this debate", key=f"find|{debate.id}", placeholder="A word in an argument")
    for step in debate.rounds:
        st.header(f"Round {step.number}")
        held = profile(debate, step.number)
        kinds = {r.source: r.kind for r in held.relations if r.target == TOPIC}
        for stance in held.stances:
            with st.container(border=True):
                st.markdown(f"**{plain(authors.get(stance.agent_id, stance.agent_id))}**")
                st.caption(f"Stance {number(stance.prior)} → {number(stance.posterior)}")
                for argument in step.arguments:
                    if argument.author == stance.agent_id:
                        _line(argument, kinds.get(argument.id), words)
        for argument in step.arguments:
            if argument.author not in {s.agent_id for s in held.stances}:
                _line(argument, kinds.get(argument.id), words)
        if step.edits:
            with st.expander(f"Edits recorded in round {step.number}"):
                st.json(json.loads(json.dumps(step.edits)), expanded=False)
    if debate.transcript:
        st.caption("What was said, turn by turn, is under Transcript.")


def judges(debate: Debate, held: OpinionProfile, preferences: Preferences) -> None:
    """Draw every semantics judge, the votes, and the judgements that came with the log."""
    judgements = [
        (SEMANTICS[j.semantics].label, SEMANTICS[j.semantics].description, j.judge(held))
        for j in preferences.all_judges()
    ]
    votes: tuple[Judge, ...] = (MajorityVote(rule=preferences.rule), MeanStance(rule=preferences.rule))
    judgements += [(vote.name, "Baseline: looks at the agents' stances only", vote.judge(held)) for vote in votes]
    frame = pd.DataFrame(
        [
            {
                "Judge": name,
                "Verdict": judgement_chip(judgement),
                "Score": judgement.score,
                "What it is": text,
                "Note": " ".join(judgement.notes),
                "Why": judgement.explanation,
            }
            for name, text, judgement in judgements
        ]
    )
    st.dataframe(
        frame.drop(columns=["Note", "Why"]),
        hide_index=True,
        column_config={
            "Score": st.column_config.NumberColumn(format="%.3f"),
            "What it is": st.column_config.TextColumn(width="large"),
        },
        alt="What each judge says of this debate",
    )
    exports.table(frame, f"{debate.id} judges", "judges.export")
    st.header("Why")
    for name, _, judgement in judgements:
        chips.show(f"**{plain(name)}**", judgement)
        st.text("\n".join(part for part in (judgement.explanation, *judgement.notes) if part))  # whole, however long
    main = preferences.judge()
    if held.arguments:
        st.header("What each argument adds")
        texts = {a.id: a.text for a in held.arguments}
        bars = contribution_bars(removal(main, held), texts, main.name, theme.palette())
        exports.chart(bars, f"{debate.id} contributions", f"debate.contributions|{debate.id}")
    if debate.judgements:
        st.header("Judgements that came with the log")
        for recorded in debate.judgements:
            with st.container(border=True):
                threshold = threshold_of(recorded.settings)
                st.text(f"{recorded.judge}: {chip(recorded.verdict, recorded.score, recorded.status, threshold)}")
                if recorded.settings:
                    st.text("  ".join(f"{name}: {value}" for name, value in recorded.settings.items()))
                if recorded.explanation:
                    st.text(recorded.explanation)


def provenance(debate: Debate, preferences: Preferences) -> None:
    """Draw where the debate comes from and the whole record."""
    hidden = state.labels_hidden()
    shown = unlabelled_provenance(debate.provenance) if hidden else debate.provenance
    if hidden and len(shown) < len(debate.provenance):
        st.caption("Some of what the source says is not shown, since it might tell the gold label.")
    if shown:
        st.table(
            pd.DataFrame([{"What": plain(str(k)), "Value": plain(_brief(v))} for k, v in shown.items()]),
            border="horizontal",
            hide_index=True,
            alt="Provenance",
        )
    elif not debate.provenance:
        st.caption("The record does not say where it comes from.")
    if preferences.anonymise:
        st.caption("Debaters are shown without their names and models, as the settings say.")
    agents = [
        {
            "Id": agent.id,
            "Name": agent.name or "–",
            "Model": agent.model or "unknown",
            "Role": agent.role or "–",
            "Persona": agent.persona or "–",
        }
        for agent in debate.agents
        if not preferences.anonymise
    ]
    if agents:
        st.header("Agents")
        st.dataframe(pd.DataFrame(agents), hide_index=True, alt="Agents of this debate")
    exports.debate(debate, "provenance")


def _brief(value: object) -> str:
    """Return what a table says of a value; a long list of records, such as the calls of a run, by its length."""
    if isinstance(value, list) and len(value) > MOST_RECORDS and all(isinstance(entry, dict) for entry in value):
        return f"{len(value):,} entries, in the debate's file"
    return str(value)


def _argument(
    debate: Debate, held: OpinionProfile, preferences: Preferences, argument: Argument, contribution: float | None
) -> None:
    with st.container(border=True):
        st.text(argument.text)
        author = agent_names.of(debate, preferences).get(argument.author or "", argument.author or "unknown")
        facts = [f"{argument.id}, by {author}", f"Base score {number(argument.base_score)}"]
        if argument.base_score_raw is not None:
            facts.append(f"Base score as recorded: {argument.base_score_raw}")
        for relation in held.relations:
            if relation.source == argument.id:
                verb = RELATION_VERB[relation.kind]
                facts.append(f"{verb} {'the topic' if relation.target == TOPIC else relation.target}")
        if contribution is not None:
            facts.append(f"Contribution to the score of {preferences.judge().name}: {contribution:+.3f}")
        if argument.source:
            facts.append(f"Source: {argument.source}")
        if argument.is_error_text:
            facts.append("This is a provider's failure message, not an argument; judges leave it out.")
        with st.container(key=f"quiet.facts|{argument.id}"):
            st.text("\n".join(facts))
        comments.show(debate.id, Remarked.ARGUMENT, argument.id, f"argument|{debate.id}|{argument.id}")
        st.table(
            pd.DataFrame(
                [
                    {
                        "Semantics": SEMANTICS[j.semantics].label,
                        "Strength": number(j.judge(held).strengths.get(argument.id), 3),
                    }
                    for j in preferences.all_judges()
                ]
            ),
            border="horizontal",
            hide_index=True,
            alt=f"Strength of {argument.id} under every semantics",
        )


def _line(argument: Argument, kind: RelationKind | None, words: str) -> None:
    if words and words.lower() not in argument.text.lower():
        return
    sign = {RelationKind.SUPPORT: "+", RelationKind.ATTACK: "−", None: "·"}[kind]
    st.text(f"{sign} {argument.text}  [{number(argument.base_score)}]")
