"""What would flip it: the least contestation of every kind for a wanted verdict or score, ready to be applied."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from core.contestation import Contested
from core.judgement import Verdict
from core.judges.semantics_judge import SemanticsJudge
from core.least.addition import least_addition
from core.least.conservativeness import least_conservativeness
from core.least.fewest import fewest_scores
from core.least.goal import Goal, flip_goals, strength_goal, verdict_goal
from core.least.one_score import ScoreFlip, least_topic_score, one_score_flips, ordered
from core.least.outcome import ChangeKind, Locks, Outcome, OutcomeStatus, Question
from core.least.removal import fewest_removals
from core.least.several import least_squares, least_sum
from core.opinion import TOPIC
from core.semantics import SEMANTICS
from core.sensitivity_figures import flip_lollipop
from core.wording import VERDICT_WORD, chip, edit_sentence, judgement_chip, number, score_text, shortened, signed
from pages.components import exports, state, theme
from pages.components.contest_state import Desk
from pages.components.text import plain

LINE_SECONDS = 0.25  # for one argument, beside the slider; only searches in cyclic debates come near
TABLE_SECONDS = 2.0
SECONDS = 8.0  # for all searches together; each says whether it came to its end
A_SCORE = "A score"
SEARCHES = {
    ChangeKind.FEWEST_SCORES: fewest_scores,
    ChangeKind.LEAST_SUM: least_sum,
    ChangeKind.LEAST_SQUARES: least_squares,
    ChangeKind.REMOVAL: fewest_removals,
    ChangeKind.ADDITION: least_addition,
    ChangeKind.TOPIC: least_topic_score,
    ChangeKind.CONSERVATIVENESS: least_conservativeness,
}
TITLES = {
    ChangeKind.FEWEST_SCORES: "Fewest base scores",
    ChangeKind.LEAST_SUM: "Several base scores, least sum of changes (L1)",
    ChangeKind.LEAST_SQUARES: "Several base scores, least sum of squares (L2)",
    ChangeKind.REMOVAL: "Fewest arguments taken out",
    ChangeKind.ADDITION: "One argument added",
    ChangeKind.TOPIC: "The topic's base score",
    ChangeKind.CONSERVATIVENESS: "The judge's conservativeness κ",
}
COSTS = {
    ChangeKind.FEWEST_SCORES: "{:.0f} changed",
    ChangeKind.LEAST_SUM: "sum {:.3f}",
    ChangeKind.LEAST_SQUARES: "root of squares {:.3f}",
    ChangeKind.REMOVAL: "{:.0f} taken out",
    ChangeKind.ADDITION: "base score {:.3f}",
    ChangeKind.TOPIC: "change {:.3f}",
    ChangeKind.CONSERVATIVENESS: "change {:.3f}",
}


def show(desk: Desk, contested: Contested, judge: SemanticsJudge) -> None:
    """Draw what it takes to reach a wanted outcome from where the desk stands, under the main judge."""
    present = judge.judge(contested.profile)
    if present.verdict is None:
        st.info(plain(f"{judge.name} comes to no verdict here, so there is nothing to flip. {present.explanation}"))
        return
    goal = _goal(desk, judge, present.verdict, present.score)
    locks = _locks(desk, contested)
    st.caption(f"Judge: {judge.name}, now {judgement_chip(present)}. Wanted: {goal.words}.")
    if goal.reached(present.score):
        st.success(f"It has {goal.words} already; nothing needs to change.")
        return
    if goal.empty:
        st.warning(f"No score gives {goal.words} under the decision rule in force.")
        return
    _one_score(desk, contested, judge, goal, locks)
    _other_kinds(desk, contested, judge, goal, locks)


def line(desk: Desk, contested: Contested, judge: SemanticsJudge, argument: str) -> str:
    """Return in a sentence what base score of one argument alone would give another verdict."""
    edits = desk.history.edits
    flip = desk.once(f"flip of {argument}", (edits, judge), lambda: _flip_of(contested, judge, argument))
    if flip is None:
        return ""
    name = SEMANTICS[judge.semantics].label
    if flip.needed is None:
        proved = flip.status is OutcomeStatus.IMPOSSIBLE
        start = "No base score of this argument alone flips" if proved else "No base score was found that alone flips"
        return f"{start} the verdict of {name}."
    return f"Flips {name} at {_score(flip.needed)} ({signed(flip.change, 2)})."


def _flip_of(contested: Contested, judge: SemanticsJudge, argument: str) -> ScoreFlip | None:
    verdict = judge.judge(contested.profile).verdict
    if verdict is None:
        return None
    locks = Locks(frozenset(a.id for a in contested.profile.arguments if a.id != argument))
    stop = _within(LINE_SECONDS)
    found = [
        flip
        for goal in flip_goals(judge.rule, verdict)
        for flip in one_score_flips(judge, contested.profile, goal, locks, stop)
        if flip.argument == argument
    ]
    return ordered(found)[0] if found else None


def _goal(desk: Desk, judge: SemanticsJudge, verdict: Verdict, score: float | None) -> Goal:
    key = desk.key
    verdicts = [one for one in Verdict if one is not Verdict.UNCERTAIN or judge.rule.abstention]
    options = [*(one.value for one in verdicts), A_SCORE]
    wanted = f"wanted|{key}"
    if st.session_state.get(wanted) not in options:
        other = Verdict.TRUE if verdict is Verdict.FALSE else Verdict.FALSE
        st.session_state[wanted] = other.value
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choice = st.segmented_control(
            "Wanted",
            options,
            format_func=lambda name: name if name == A_SCORE else VERDICT_WORD[Verdict(name)],
            required=True,
            key=wanted,
        )
        if choice != A_SCORE:
            return verdict_goal(judge.rule, Verdict(str(choice)))
        strength = st.number_input("Score", 0.0, 1.0, 0.5, 0.01, format="%.4g", key=f"wanted.score|{key}", width=160)
    return strength_goal(float(strength), score)


def _locks(desk: Desk, contested: Contested) -> Locks:
    key = desk.key
    texts = {a.id: f"{a.id}: {shortened(a.text, 60)}" for a in contested.profile.arguments}
    agents = list(dict.fromkeys(a.author for a in contested.profile.arguments if a.author is not None))
    with st.expander("What must stay as it is"):
        arguments = st.multiselect(
            "Arguments", list(texts), format_func=lambda name: texts.get(name, name), key=f"locked.arguments|{key}"
        )
        names = st.multiselect("Agents, with all their arguments", agents, key=f"locked.agents|{key}")
        topic = st.toggle(
            "The topic's base score",
            value=True,
            key=f"locked.topic|{key}",
            help="No change of the topic's base score is offered, neither alone nor with others, unless this is off.",
        )
    return Locks(frozenset(arguments), frozenset(names), topic)


def _one_score(desk: Desk, contested: Contested, judge: SemanticsJudge, goal: Goal, locks: Locks) -> None:
    given = (desk.history.edits, judge, goal, locks)
    arguments = replace(locks, topic=True)
    flips = desk.once(
        "flips", given, lambda: one_score_flips(judge, contested.profile, goal, arguments, _within(TABLE_SECONDS))
    )
    st.subheader("One base score")
    able = [flip for flip in flips if flip.edit is not None]
    if not able:
        proved = all(flip.status is OutcomeStatus.IMPOSSIBLE for flip in flips)
        st.write(
            f"No single base score that may change gives {goal.words}; every one was judged at its extremes."
            if proved
            else f"No single base score that gives {goal.words} was found; that is not a proof that there is none."
        )
    else:
        _apply_one(desk, able, judge.rule.threshold)
        drawn = flip_lollipop(flips, theme.palette(), texts={a.id: a.text for a in contested.profile.arguments})
        exports.chart(drawn, f"{desk.debate.id} flips", f"flips.chart|{desk.key}", on_click=desk.select_first)
    frame = _flip_table(flips, {a.id: a.text for a in contested.profile.arguments})
    with st.expander(f"All {len(frame)} arguments", key=f"flips.all|{desk.key}", on_change="rerun") as everything:
        if everything.open:
            # As text, for a score just under the threshold must not read like one that reaches it.
            then = ["" if flip.after is None else score_text(flip.after, judge.rule.threshold) for flip in flips]
            st.dataframe(
                frame.assign(**{"Score then": then}),
                hide_index=True,
                column_config={
                    name: st.column_config.NumberColumn(format="%+.3f" if name == "Change" else "%.3f")
                    for name in ("Base score", "Needed", "Change")
                },
                alt="The least change of each argument's base score",
                key=f"flips.table|{desk.key}",
            )
            exports.table(frame, f"{desk.debate.id} flips", f"flips.export|{desk.key}")


def _apply_one(desk: Desk, able: list[ScoreFlip], threshold: float) -> None:
    by_name = {flip.argument: flip for flip in able}
    key = f"flip|{desk.key}"
    if st.session_state.get(key) not in by_name:
        st.session_state[key] = able[0].argument
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Smallest change first", list(by_name), format_func=lambda name: _flip_words(by_name[name]), key=key
        )
        flip = by_name[chosen]
        st.button("Apply", key=f"flip.apply|{desk.key}", on_click=desk.push_all, args=((flip.edit,),))
    st.caption(f"Then {chip(flip.verdict, flip.after, threshold=threshold)}.")


def _other_kinds(desk: Desk, contested: Contested, judge: SemanticsJudge, goal: Goal, locks: Locks) -> None:
    st.subheader("Other kinds of change")
    given = (desk.history.edits, judge, goal, locks)
    key = f"outcomes|{desk.key}"
    kept: tuple[object, Mapping[ChangeKind, Outcome]] | None = st.session_state.get(key)
    asked = st.session_state.pop(f"searching|{desk.key}", False)
    if kept is None or kept[0] != given:
        if not asked:
            topic = "" if locks.topic else "the topic, "
            st.caption(
                f"Several base scores at once, arguments taken out or added, {topic}the judge's conservativeness: "
                f"at most {SECONDS:.0f} seconds."
            )
            st.button("Search", key=f"search|{desk.key}", on_click=_ask, args=(f"searching|{desk.key}",))
            return
        with st.spinner("Searching for the least changes"):
            taken = frozenset(contested.everything.by_id)
            question = Question(judge, contested.profile, goal, locks)
            kept = st.session_state[key] = (given, _searched(question, taken))
    for kind in SEARCHES:
        if kind is ChangeKind.TOPIC and locks.topic:
            _locked(kind)
        elif kind in kept[1]:
            _outcome(desk, kind, kept[1][kind], judge.rule.threshold)


def _ask(flag: str) -> None:
    st.session_state[flag] = True


def _searched(question: Question, taken: frozenset[str]) -> dict[ChangeKind, Outcome]:
    found: dict[ChangeKind, Outcome] = {}
    begun = time.monotonic()
    for position, (kind, search) in enumerate(SEARCHES.items(), start=1):
        if kind is ChangeKind.CONSERVATIVENESS and not SEMANTICS[question.judge.semantics].has_conservativeness:
            continue
        if kind is ChangeKind.TOPIC and question.locks.topic:
            continue
        end = begun + SECONDS * position / len(SEARCHES)  # what one leaves over is the next one's
        limited = replace(question, stop=partial(_past, end))
        # An added argument may not take the id of one that was taken out, which is still there as a ghost.
        found[kind] = least_addition(limited, taken=taken) if kind is ChangeKind.ADDITION else search(limited)
    return found


def _past(end: float) -> bool:
    return time.monotonic() > end


def _within(seconds: float) -> Callable[[], bool]:
    """Return what says that the time for a search is over."""
    return partial(_past, time.monotonic() + seconds)


def _outcome(desk: Desk, kind: ChangeKind, outcome: Outcome, threshold: float) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{TITLES[kind]}**")
            early = ", stopped early" if outcome.stopped else ""
            st.caption(f"{outcome.status.value}{early}")
        if outcome.found:
            if outcome.judge is not None:
                st.text(f"κ {number(outcome.judge.conservativeness, 4)}")
            for edit in outcome.edits:
                st.text(f"• {edit_sentence(edit)}")
            cost = "" if outcome.cost is None else COSTS[kind].format(outcome.cost) + ", then "
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(f"{cost}{chip(outcome.verdict_after, outcome.after, threshold=threshold)}")
                if outcome.judge is not None and desk.base is not None:
                    st.caption("A saved contestation is judged with the settings it was saved under.")
                elif outcome.judge is None:
                    st.button(
                        "Apply", key=f"apply {kind}|{desk.key}", on_click=desk.push_all, args=(tuple(outcome.edits),)
                    )
                else:
                    st.button(
                        "Use this κ",
                        key=f"apply {kind}|{desk.key}",
                        on_click=_use_conservativeness,
                        args=(outcome.judge.conservativeness,),
                        help="For this session, for all judges that have it",
                    )
        if outcome.proof:
            st.caption(plain(outcome.proof))


def _locked(kind: ChangeKind) -> None:
    """Draw that one kind of change is not offered, and where to allow it."""
    with st.container(border=True), st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{TITLES[kind]}**")
        st.caption('locked under "What must stay as it is"')


def _use_conservativeness(value: float) -> None:
    state.keep_preferences(replace(state.preferences(), conservativeness=value), for_good=False)
    st.session_state["contest.judges.conservativeness"] = value  # the widget of the judge settings
    st.session_state[state.WHOLE_PAGE] = True


def _flip_words(flip: ScoreFlip) -> str:
    return f"{flip.argument}: {_score(flip.base_score)} → {_score(flip.needed)} ({signed(flip.change, 3)})"


def _flip_table(flips: tuple[ScoreFlip, ...], texts: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Argument": [flip.argument for flip in flips],
            "Base score": [flip.base_score for flip in flips],
            "Needed": pd.array([flip.needed for flip in flips], dtype="Float64"),
            "Change": pd.array([flip.change for flip in flips], dtype="Float64"),
            "Score then": pd.array([flip.after for flip in flips], dtype="Float64"),
            "Outcome": [flip.status.value for flip in flips],
            "Text": ["the topic" if flip.argument == TOPIC else texts[flip.argument] for flip in flips],
        }
    )


def _score(value: float | None) -> str:
    """Return a base score with four digits at most; the edit has all of them."""
    return "–" if value is None else f"{value:.4g}"
