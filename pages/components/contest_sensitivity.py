"""How the score answers to what is changed: one base score, two at once, the conservativeness, the semantics."""

from __future__ import annotations

import streamlit as st

from core.contestation import Contested
from core.figures import Chart
from core.judgement import Judgement
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, OpinionProfile
from core.preferences import Preferences
from core.semantics import SEMANTICS
from core.sensitivity import base_score_curves, conservativeness_curve, heat_map
from core.sensitivity_figures import conservativeness_chart, heat_map_chart, semantics_dots, sensitivity_chart
from core.wording import shortened
from pages.components import exports, theme
from pages.components.contest_state import Desk

ONE, TWO, KAPPA, SEMANTIC = "One base score", "Two base scores", "Conservativeness κ", "Semantics"
Point = tuple[float, float]


def show(desk: Desk, contested: Contested, preferences: Preferences) -> None:
    """Draw the score of the contested profile over what is chosen."""
    judges = preferences.pinned_judges()
    key = desk.key
    over = st.segmented_control(
        "Score over", [ONE, TWO, KAPPA, SEMANTIC], default=ONE, required=True, key=f"over|{key}"
    )
    if over == KAPPA:
        _draw(desk, _over_conservativeness(desk, contested, judges), "conservativeness")
    elif over == SEMANTIC:
        results = [(judge, judge.judge(contested.profile)) for judge in preferences.all_judges()]
        _draw(desk, semantics_dots(results, theme.palette()), "semantics")
    elif not contested.profile.arguments:
        st.info("There is no argument whose base score could change.")
    elif over == TWO:
        _two(desk, contested, judges[0])
    else:
        name = _argument(contested, "Argument", f"over.first|{key}|{desk.selected}", desk.selected)
        curves = base_score_curves(judges, contested.profile, name)
        _draw(
            desk,
            sensitivity_chart(
                curves,
                theme.palette(),
                name=name,
                original=_point(judges[0], desk.profile, name, desk.original_judgements(judges)[0]),
                now=_point(judges[0], contested.profile, name, judges[0].judge(contested.profile)),
            ),
            f"score over {name}",
        )


def _two(desk: Desk, contested: Contested, judge: SemanticsJudge) -> None:
    left, right = st.columns(2)
    with left:
        first = _argument(contested, "First", f"over.x|{desk.key}", desk.selected)
    with right:
        second = _argument(contested, "Second", f"over.y|{desk.key}", None, other_than=first)
    if first == second:
        st.info("Choose two different ones.")
        return
    chart = heat_map_chart(
        desk.once(
            "heat map",
            (desk.history.edits, judge, first, second),
            lambda: heat_map(judge, contested.profile, first, second),
        ),
        theme.palette(),
        original=_places(judge, desk.profile, first, second),
        now=_places(judge, contested.profile, first, second),
    )
    st.caption(f"Judge: {judge.name}")
    _draw(desk, chart, f"score over {first} and {second}")


def _over_conservativeness(desk: Desk, contested: Contested, judges: tuple[SemanticsJudge, ...]) -> Chart:
    having = [judge for judge in judges if SEMANTICS[judge.semantics].has_conservativeness]
    curves = [conservativeness_curve(judge, contested.profile) for judge in having]
    if not having:
        return conservativeness_chart(curves, theme.palette())
    main = having[0]
    before, after = main.judge(desk.profile).score, main.judge(contested.profile).score
    return conservativeness_chart(
        curves,
        theme.palette(),
        original=None if before is None else (main.conservativeness, before),
        now=None if after is None else (main.conservativeness, after),
    )


def _draw(desk: Desk, chart: Chart, name: str) -> None:
    exports.chart(chart, f"{desk.debate.id} {name}", f"sensitivity|{desk.key}")


def _argument(contested: Contested, label: str, key: str, preferred: str | None, other_than: str | None = None) -> str:
    texts = {a.id: f"{a.id}: {shortened(a.text, 60)}" for a in contested.profile.arguments} | {TOPIC: "The topic"}
    if st.session_state.get(key) not in texts:
        offered = [name for name in texts if name != other_than]
        st.session_state[key] = preferred if preferred in offered else offered[0]
    return str(st.selectbox(label, list(texts), format_func=lambda name: texts.get(name, name), key=key))


def _point(judge: SemanticsJudge, profile: OpinionProfile, name: str, judgement: Judgement) -> Point | None:
    base = _base_score(judge, profile, name)
    return None if base is None or judgement.score is None else (base, judgement.score)


def _places(judge: SemanticsJudge, profile: OpinionProfile, first: str, second: str) -> Point | None:
    x, y = (_base_score(judge, profile, name) for name in (first, second))
    return None if x is None or y is None else (x, y)


def _base_score(judge: SemanticsJudge, profile: OpinionProfile, name: str) -> float | None:
    """Return the base score that the judge goes by; None where it leaves the argument out or there is none."""
    if name == TOPIC:
        return judge.qbafs(profile)[0].topic_base_score
    argument = profile.by_id.get(name)
    if argument is None:
        return None
    return judge.missing_base_score if argument.base_score is None else argument.base_score
