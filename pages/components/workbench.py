"""The contest workbench: board, editor, every semantics side by side, change log. One fragment, so an edit is quick."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from core.board import LiveTile, board_data
from core.contestation import LONGEST_TEXT, Contested, Edit, EditKind
from core.figures import edit_steps
from core.judgement import Judgement
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, Argument, Relation, RelationKind
from core.outline import outline_records
from core.preferences import Preferences
from core.rejudging import comparison_table, rejudged, scores_by_edit
from core.semantics import SEMANTICS
from core.wording import RELATION_SIGN, RELATION_VERB, edit_sentence, shortened
from pages.components import (
    agent_names,
    board,
    contest_branch,
    contest_flips,
    contest_models,
    contest_sensitivity,
    contest_why,
    exports,
    save_contestation,
    state,
    theme,
)
from pages.components.contest_state import Desk, keep_drafts, unwritten
from pages.components.text import plain

STEP = 0.1  # the paper's perturbation
WRITTEN, OF_A_FILE = "An argument", "A branch from a file"
GIVEN, SETTLED = "workbench.given", "workbench.settled"  # keys of widgets whose value was set, in this run and for good
ECHO_SECONDS = 1.0  # how long a browser may take to hear of a value and to stop reporting the one before


@st.fragment
def show(desk: Desk, preferences: Preferences) -> None:
    """Draw the workbench for one desk under the judge settings in force."""
    if st.session_state.pop(state.WHOLE_PAGE, False):
        st.rerun()  # the settings that were given have changed
    key = desk.key
    _take_from_board(desk)
    contested = desk.contested
    selected = desk.selected
    main = preferences.judge()
    judges = tuple(preferences.all_judges())
    results = rejudged(judges, desk.original_judgements(judges), contested.profile)

    # Both always there, so that a notice that comes or goes moves nothing and takes no focus away.
    notices, above = st.container(), st.container()
    with notices:
        models = contest_models.look(desk, contested)
    board.show(  # first, so that the browser has it while the rest is drawn
        board_data(
            contested,
            desk.profile,
            [LiveTile(r.judge, r.before, r.after, SEMANTICS[r.judge.semantics].label) for r in results],
            fixed=contest_models.tiles(desk),
            selected=selected,
            anonymised=preferences.anonymise,
        ),
        key=f"board|{key}",
    )
    with above:
        _actions(desk, preferences)
    left, right = st.columns(2, gap="medium")
    with left:
        _editor(desk, contested, main, selected)
    with right:
        _everything_at_once(desk, contested, main)
    st.header("Every semantics")
    table = comparison_table(results)
    st.dataframe(
        table,
        hide_index=True,
        column_config=COMPARISON_COLUMNS,
        row_height=35,
        alt="Every semantics: verdict before and after your edits",
        key=f"semantics|{key}",
    )
    exports.table(table, f"{desk.debate.id} semantics", f"semantics.export|{key}")
    contest_models.show(desk, contested, models)
    _details(desk, contested, main, preferences)
    keep_drafts()
    _settle()
    with notices:  # last, because keeping the draft may find that another tab was faster
        _notices(desk)


COMPARISON_COLUMNS = {
    "Original": st.column_config.TextColumn(width="small"),
    "After your edits": st.column_config.TextColumn(width="small"),
    "Score before": st.column_config.NumberColumn(format="%.3f"),
    "Score after": st.column_config.NumberColumn(format="%.3f"),
    "Change": st.column_config.NumberColumn(format="%+.3f"),
}


def _take_from_board(desk: Desk) -> None:
    """Turn what was done on the board since the last run into edits and selection."""
    events = board.pending(f"board|{desk.key}")
    if events.selected is not None:
        desk.select(events.selected)
    if events.commit is not None:
        argument, value, _ = events.commit
        _set_base_score(desk, argument, value)


def _set_base_score(desk: Desk, name: str, value: float) -> None:
    if name == TOPIC:
        desk.push(Edit(EditKind.SET_TOPIC_BASE_SCORE, before=desk.contested.profile.topic_base_score, after=value))
        return
    argument = desk.contested.profile.by_id.get(name)
    if argument is not None:
        desk.push(Edit(EditKind.SET_BASE_SCORE, name, argument.base_score, value))


def _notices(desk: Desk) -> None:
    if desk.problem:
        st.warning(plain(f"Not done: {desk.problem}"))
    trouble = unwritten()
    if trouble:
        st.error(plain(trouble))
    if desk.conflict:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown("**Another tab has changed this draft since.** Your edits here are not kept until you choose.")
            st.button("Take theirs", on_click=desk.take_theirs, key=f"theirs|{desk.key}")
            st.button("Keep mine", on_click=desk.keep_mine, key=f"mine|{desk.key}")
    elif desk.resumed and desk.changed:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Resumed {desk.resumed} unsaved edit{'s' if desk.resumed > 1 else ''} from your last visit.")
            st.button("Start afresh", on_click=desk.reset, key=f"afresh|{desk.key}", type="tertiary")


def _actions(desk: Desk, preferences: Preferences) -> None:
    key, history = desk.key, desk.history
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Undo",
            shortcut="Alt+Z",
            disabled=not history.edits,
            on_click=desk.undo,
            key=f"undo|{key}",
        )
        st.button("Redo", shortcut="Alt+Y", disabled=not history.undone, on_click=desk.redo, key=f"redo|{key}")
        st.button("Reset", disabled=not desk.changed, on_click=desk.reset, key=f"reset|{key}")
        if st.button("Save…", shortcut="Alt+S", type="primary", disabled=not desk.changed, key=f"save|{key}"):
            save_contestation.ask(desk, preferences)


def _editor(desk: Desk, contested: Contested, main: SemanticsJudge, selected: str | None) -> None:
    """Draw the selected argument's editor: every graph action as an ordinary widget."""
    key = desk.key
    arguments = {a.id: a for a in contested.everything.arguments}
    if not arguments:
        st.info("This debate has no arguments. Add one below and the judges will hear it.")
        return
    picker = f"argument|{key}"
    _follow(picker, selected)
    st.selectbox(
        "Argument",
        list(arguments),
        index=None,
        format_func=lambda name: f"{name}: {shortened(arguments[name].text, 70)}" if name in arguments else name,
        placeholder="Choose an argument, or click one in the map",
        key=picker,
        on_change=_unless_echo,
        args=(picker, lambda: desk.select(st.session_state[picker])),
    )
    if selected is None:
        st.caption("Pick an argument to change its base score, its polarity or its target, or to take it out.")
        return
    argument = arguments[selected]
    with st.container(border=True):
        st.text(argument.text)
        removed = selected in contested.removed
        _base_score(desk, argument, removed)
        if not removed:
            st.caption(contest_flips.line(desk, contested, main, selected))
        _bearing(desk, contested, argument, removed)
        counted = f"counted|{key}|{selected}"
        _follow(counted, not removed)
        st.toggle(
            "Counted",
            key=counted,
            help="Off takes the argument out of the debate; it stays in the map as a ghost.",
            on_change=_unless_echo,
            args=(counted, _toggle_counted, desk, selected, counted),
        )


def _base_score(desk: Desk, argument: Argument, removed: bool) -> None:
    name, key = argument.id, desk.key
    original = desk.profile.by_id.get(name)
    was = original.base_score if original is not None else None
    slider, typed = f"base|{key}|{name}", f"typed|{key}|{name}"
    now = argument.base_score
    _follow(slider, 0.5 if now is None else now)
    _follow(typed, now)
    wide, narrow = st.columns([3, 1.4], vertical_alignment="bottom")
    wide.slider(
        "Base score",
        0.0,
        1.0,
        step=0.01,
        key=slider,
        disabled=removed,
        help="Release to judge again. The slider under the map judges while you drag.",
        on_change=_unless_echo,
        args=(slider, _from_widget, desk, name, slider),
    )
    narrow.number_input(
        "Exact",
        0.0,
        1.0,
        value=None,
        step=0.01,
        format="%.4g",
        key=typed,
        disabled=removed,
        on_change=_unless_echo,
        args=(typed, _from_widget, desk, name, typed),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if now is None:
            st.caption("The record gives no base score; judges use the setting for missing ones.")
        elif original is not None and was != now:
            st.caption(f"Original {'missing' if was is None else f'{was:.2f}'}, now {now:.2f}")
        else:
            st.caption(f"Base score {now:.2f}")
        base = 0.5 if now is None else now
        for label, size in (("−0.10", -STEP), ("+0.10", STEP)):
            st.button(
                label,
                key=f"nudge{size}|{key}|{name}",
                disabled=removed or not 0.0 <= round(base + size, 12) <= 1.0,
                on_click=_set_base_score,
                args=(desk, name, round(base + size, 12)),
            )
        if was is not None and was != now:
            st.button(
                "Original",
                key=f"original|{key}|{name}",
                disabled=removed,
                help="Set the base score back to the recorded one",
                on_click=_set_base_score,
                args=(desk, name, was),
            )


def _bearing(desk: Desk, contested: Contested, argument: Argument, removed: bool) -> None:
    """Draw polarity and target of each relation of the argument."""
    key, name = desk.key, argument.id
    relations = [r for r in contested.everything.relations if r.source == name]
    if not relations:
        st.caption("Nobody brought this argument to bear on anything: its strength is only its base score.")
    for position, relation in enumerate(relations):
        polarity = f"polarity|{key}|{name}|{position}"
        target = f"target|{key}|{name}|{position}"
        _follow(polarity, relation.kind)
        _follow(target, relation.target)
        first, second = st.columns([1, 1])
        first.segmented_control(
            "Polarity",
            list(RelationKind),
            required=True,
            format_func=lambda kind: f"{RELATION_SIGN[kind]} {RELATION_VERB[kind]}",
            key=polarity,
            disabled=removed,
            on_change=_unless_echo,
            args=(
                polarity,
                desk.push,
                Edit(
                    EditKind.FLIP_POLARITY,
                    name,
                    relation.kind.value,
                    relation.kind.opposite.value,
                    target=relation.target,
                ),
            ),
        )
        options = [TOPIC, *(a.id for a in contested.profile.arguments if a.id != name)]
        if relation.target not in options:
            options.append(relation.target)
        second.selectbox(
            "Target",
            options,
            format_func=lambda other: "the topic" if other == TOPIC else other,
            key=target,
            disabled=removed,
            on_change=_unless_echo,
            args=(target, _retarget, desk, relation, target),
        )


def _everything_at_once(desk: Desk, contested: Contested, main: SemanticsJudge) -> None:
    """Draw what is closed at first; nothing in it is made until it is opened."""
    adding = st.expander("Add an argument, or a branch from a file", key=f"adding|{desk.key}", on_change="rerun")
    if adding.open:
        with adding:
            ways = [WRITTEN, OF_A_FILE]
            way = st.segmented_control("Add", ways, default=WRITTEN, required=True, key=f"add.way|{desk.key}")
            if way == OF_A_FILE:
                contest_branch.show(desk, contested)
            else:
                _add_form(desk, contested)
    together = st.expander(
        "All pros or all cons at once, topic base score", key=f"together|{desk.key}", on_change="rerun"
    )
    if together.open:
        with together:
            _shifts(desk)
            _topic(desk, contested, main)


def _add_form(desk: Desk, contested: Contested) -> None:
    key = desk.key
    with st.form(f"add|{key}", clear_on_submit=True, border=False):
        st.text_area(
            "Text",
            max_chars=LONGEST_TEXT,
            placeholder="One claim with its reason",
            height=80,
            key=f"add.text|{key}",
        )
        st.radio(
            "Polarity",
            list(RelationKind),
            format_func=lambda k: f"{RELATION_SIGN[k]} {RELATION_VERB[k]}",
            horizontal=True,
            key=f"add.kind|{key}",
        )
        st.selectbox(
            "Target",
            [TOPIC, *(a.id for a in contested.profile.arguments)],
            format_func=lambda other: "the topic" if other == TOPIC else other,
            key=f"add.target|{key}",
        )
        st.slider("Base score", 0.0, 1.0, 0.5, 0.01, key=f"add.base|{key}")
        st.text_input("Source (optional)", max_chars=500, key=f"add.source|{key}")
        st.form_submit_button("Add argument", on_click=_add, args=(desk,))


def _shifts(desk: Desk) -> None:
    with st.container(horizontal=True):
        for label, kind, size in (
            ("All pros +0.10", EditKind.SHIFT_PROS, STEP),
            ("All pros −0.10", EditKind.SHIFT_PROS, -STEP),
            ("All cons +0.10", EditKind.SHIFT_CONS, STEP),
            ("All cons −0.10", EditKind.SHIFT_CONS, -STEP),
        ):
            st.button(
                label,
                key=f"{label}|{desk.key}",
                help="Capped at 0 and 1. Adding 0.10 to every pro is the paper's perturbation.",
                on_click=desk.push,
                args=(Edit(kind, after=size),),
            )


def _topic(desk: Desk, contested: Contested, main: SemanticsJudge) -> None:
    key = desk.key
    topic = f"topic|{key}"
    now = contested.profile.topic_base_score
    parts = main.qbafs(contested.profile)
    _follow(topic, parts[0].topic_base_score if now is None and parts else (0.5 if now is None else now))
    st.slider(
        "Topic base score",
        0.0,
        1.0,
        step=0.01,
        key=topic,
        help="Overrides the judge's setting for this debate.",
        on_change=_unless_echo,
        args=(topic, _from_widget, desk, TOPIC, topic),
    )
    if now is not None:
        st.button(
            "Leave it to the judge's setting",
            key=f"topic.reset|{key}",
            on_click=desk.push,
            args=(Edit(EditKind.SET_TOPIC_BASE_SCORE, before=now, after=None),),
        )


def _details(desk: Desk, contested: Contested, main: SemanticsJudge, preferences: Preferences) -> None:
    key = desk.key
    log, flips, why, over, before_after, steps = st.tabs(
        [
            "Change log",
            "What would flip it?",
            "Why: contributions",
            "Sensitivity",
            "Arguments before and after",
            "Score by edit",
        ],
        key=f"details|{key}",
        on_change="rerun",
    )
    if log.open:
        with log:
            _change_log(desk, main)
    if before_after.open:
        with before_after:
            frame = _before_and_after(desk, contested, main, agent_names.of(desk.debate, preferences))
            st.dataframe(frame, hide_index=True, alt="Arguments before and after your edits", key=f"outline|{key}")
            exports.table(frame, f"{desk.debate.id} arguments", f"outline.export|{key}")
    if flips.open:
        with flips:
            contest_flips.show(desk, contested, main)
    if why.open:
        with why:
            contest_why.show(desk, contested, main, preferences)
    if over.open:
        with over:
            contest_sensitivity.show(desk, contested, preferences)
    if steps.open:
        with steps:
            edits = desk.history.edits
            chart = edit_steps(
                scores_by_edit(desk.profile, edits, main),
                [edit_sentence(e) for e in edits],
                main.name,
                theme.palette(),
                main.rule.threshold,
            )
            exports.chart(chart, f"{desk.debate.id} score by edit", f"steps|{key}")


def _change_log(desk: Desk, main: SemanticsJudge) -> None:
    edits = desk.history.edits
    if not edits:
        st.caption("No edits yet. Move a base score and the verdict follows; nothing is saved until you say so.")
        return
    scores = scores_by_edit(desk.profile, edits, main)
    for position, edit in enumerate(edits):
        with st.container(horizontal=True, vertical_alignment="center", key=f"log{position}|{desk.key}"):
            before, after = scores[position], scores[position + 1]
            effect = "" if before is None or after is None else f"   score {before:.3f} → {after:.3f}"
            st.text(f"{position + 1}. {edit_sentence(edit)}{effect}")
            st.button(
                "Take back",
                key=f"drop{position}|{desk.key}",
                type="tertiary",
                on_click=desk.drop,
                args=(position,),
                help="Take this edit out and keep the others",
            )


def _before_and_after(
    desk: Desk, contested: Contested, main: SemanticsJudge, authors: Mapping[str, str]
) -> pd.DataFrame:
    before: Judgement = main.judge(desk.profile)
    after: Judgement = main.judge(contested.profile)
    title = SEMANTICS[main.semantics].label
    frame = pd.DataFrame(
        outline_records(
            contested,
            {f"{title}, original": before.strengths, f"{title}, after": after.strengths},
            authors=authors,
        )
    )
    if len(frame):
        was = {a.id: a.base_score for a in desk.profile.arguments}
        frame.insert(
            list(frame.columns).index("Base score"), "Base score before", [was.get(name) for name in frame["Id"]]
        )
    return frame


def _follow(key: str, value: object) -> None:
    """Give a widget its value where it shows another one.

    A value that is set goes to the browser and overwrites what was done there since; so it is set only when the
    change came from elsewhere, and key presses in quick succession are all kept.

    A run may be cut short before the browser has heard of a first value, and would then show, and report, the widget's
    default. So a first value is given again until a run has come to its end.
    """
    settled: set[str] = st.session_state.setdefault(SETTLED, set())
    st.session_state.setdefault(GIVEN, set()).add(key)
    if key not in st.session_state or key not in settled:
        settled.discard(key)
        st.session_state[key] = value
    elif st.session_state[key] != value:
        now = time.monotonic()
        recent = [entry for entry in st.session_state.get(f"echo|{key}", ()) if now - entry[0] < ECHO_SECONDS]
        st.session_state[f"echo|{key}"] = [*recent, (now, st.session_state[key]), (now, value)]
        st.session_state[key] = value


def _settle() -> None:
    """Note that the run came to its end, and with it every value that ``_follow`` gave."""
    given: set[str] = st.session_state.pop(GIVEN, set())
    st.session_state.setdefault(SETTLED, set()).update(given)


def _unless_echo(key: str, action: Callable[..., None], *arguments: object) -> None:
    """Do what a widget's change asks for, unless its value is only one that ``_follow`` just gave or took.

    Several widgets show one thing: slider and number a base score, list and map the selection. While one of them is
    moved quickly, the browser still reports the others' last values with every message; those are no moves.
    """
    now, value = time.monotonic(), st.session_state[key]
    given = st.session_state.get(f"echo|{key}", ())
    if not any(now - when < ECHO_SECONDS and seen == value for when, seen in given):
        action(*arguments)


# --- what widgets call ------------------------------------------------------------------------------------------------


def _from_widget(desk: Desk, name: str, key: str) -> None:
    value = st.session_state[key]
    if value is not None:
        _set_base_score(desk, name, float(value))


def _toggle_counted(desk: Desk, name: str, key: str) -> None:
    kind = EditKind.RESTORE_ARGUMENT if st.session_state[key] else EditKind.REMOVE_ARGUMENT
    desk.push(Edit(kind, name))


def _retarget(desk: Desk, relation: Relation, key: str) -> None:
    chosen = st.session_state[key]
    desk.push(Edit(EditKind.RETARGET, relation.source, relation.target, chosen, target=relation.target))


def _add(desk: Desk) -> None:
    text, kind, target, base, source = (
        st.session_state[f"add.{name}|{desk.key}"] for name in ("text", "kind", "target", "base", "source")
    )
    contested = desk.contested
    if not text.strip():
        desk.refuse("Write the argument's text first; nothing was added.")
        return
    same = next((a for a in contested.profile.arguments if a.text.strip() == text.strip()), None)
    if same is not None:
        desk.refuse(f"{same.id} says the very same already; nothing was added.")
        return
    taken = {TOPIC, *contested.everything.by_id}
    number = next(n for n in range(1, len(taken) + 2) if f"new{n}" not in taken)
    desk.push(
        Edit(EditKind.ADD_ARGUMENT, f"new{number}", after=base, text=text, target=target, relation=kind, source=source)
    )
    desk.select(f"new{number}")
