"""One debate before up to four judges: verdict, score, settings and reasons in columns side by side."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.comparison.repeats import summary_text
from core.comparison.settings import setting_lines
from core.comparison_report import Comparison, by_gap
from core.debate import Debate, profile
from core.judgement import Judgement, Verdict
from core.judges.semantics_judge import SemanticsJudge
from core.semantics import SEMANTICS
from core.wording import VERDICT_SIGN, judgement_chip, label_word
from pages.components import chips, compare_summary, pages, score_bar, state
from pages.components.compare_cases import Cases
from pages.components.compare_debate_link import CASE
from pages.components.text import plain
from storage.judge_catalogue import Candidate
from storage.judged_debate import Said, said_of
from storage.prompt_files import load_prices

MOST_COLUMNS = 4
EVERY_SETTING = "compare.every_setting"
MAP = "compare.map"


def show(of: Comparison, cases: Cases, judges: Sequence[Candidate]) -> None:
    """Draw the debate of the address, or the first of the cases, before the judges picked."""
    if not cases.debates:
        cases = Cases(by_gap(of, of.population.debates), "all debates")
    debate = _chosen(cases)
    if debate is None:
        st.info("There is no debate to show; choose other cases under Across debates.")
        return
    _way(cases, debate)
    with st.container(key="claim.compared"):
        st.text(debate.claim)
    if not state.labels_hidden():
        st.caption(f"Recorded label: {label_word(debate.label)}")
    shown = judges[:MOST_COLUMNS]
    if len(judges) > MOST_COLUMNS:
        st.caption(f"The first {MOST_COLUMNS} of {len(judges)} judges; another baseline comes first.")
    said = said_of(state.database(), shown, debate)
    with st.container(horizontal=True):
        every = st.toggle("Also settings that all have in common", key=EVERY_SETTING)
        mapped = st.toggle("Argument map", key=MAP, disabled=not profile(debate).arguments)
    if mapped:
        _map(debate, said)
    lines = setting_lines([judge.settings for judge in shown], differing=not every)
    for place, (column, one) in enumerate(zip(st.columns(len(shown), border=True), said, strict=True)):
        with column:
            _judge(of.names[place], one, lines[place])
    compare_summary.remarks(of)


def _chosen(cases: Cases) -> Debate | None:
    wanted = st.query_params.get(CASE)
    if wanted is not None:
        debate = state.debate_or_none(wanted)
        if debate is not None:
            return debate
        st.warning("This link points to a debate that is not in this database.")
    return state.debate_or_none(cases.debates[0]) if cases.debates else None


def _way(cases: Cases, debate: Debate) -> None:
    at = cases.debates.index(debate.id) if debate.id in cases.debates else None
    with st.container(horizontal=True, vertical_alignment="center"):
        before = None if at is None or at == 0 else cases.debates[at - 1]
        after = cases.debates[at + 1] if at is not None and at + 1 < len(cases.debates) else None
        if at is None and cases.debates:
            after = cases.debates[0]
        for word, keys, there in (("Previous", "Alt+K", before), ("Next", "Alt+J", after)):
            st.button(
                word,
                key=f"case|{word}",
                shortcut=keys,
                disabled=there is None,
                on_click=_go,
                args=(there,),
                type="tertiary",
            )
        position = "not among" if at is None else f"{at + 1:,} of"
        st.caption(f"{position} {len(cases.debates):,}: {plain(cases.what)}")
        st.space("stretch")
        # Links and not buttons, so that one step back in the browser comes back here.
        st.page_link(pages.contest(), label="Contest", query_params=state.link(debate.id))
        st.page_link(pages.debate(), label="Read the debate", query_params=state.link(debate.id))


def _go(debate: str | None) -> None:
    if debate is not None:
        st.query_params[CASE] = debate


def _map(debate: Debate, said: Sequence[Said]) -> None:
    # The map's libraries take a while to load, and most visits do without it.
    from core.board import LiveTile, board_data
    from core.contestation import contest
    from pages.components import board

    held = profile(debate)
    judges = [one.judge.judge for one in said if isinstance(one.judge.judge, SemanticsJudge)]
    judges = judges or [state.preferences().judge()]
    tiles = [(judge, judge.judge(held)) for judge in judges]
    board.load_library()
    board.show(
        board_data(
            contest(held, ()),
            held,
            [LiveTile(judge, found, found, SEMANTICS[judge.semantics].label) for judge, found in tiles],
            selected=None,
            anonymised=state.preferences().anonymise,
            contributions={},
        ),
        key=f"compared|{debate.id}",
        read_only=True,
    )


def _judge(name: str, said: Said, settings: Sequence[tuple[str, str]]) -> None:
    judgement = said.judgement
    with st.container(key=f"compared-name|{said.judge.id}"):
        st.header(plain(name))
    st.markdown(chips.judgement_markdown(judgement))
    score_bar.show(judgement.score if judgement else None, float(said.judge.settings.get("threshold", 0.5)))
    if said.origin:
        st.badge(plain(said.origin), color="gray")
    if settings:
        with st.container(key=f"quiet.settings|{said.judge.id}"):
            st.text("\n".join(f"{key}: {value}" for key, value in settings))
    if judgement is None:
        st.caption("This judge has not judged the debate.")
        return
    if judgement.explanation:
        st.text(judgement.explanation)
    if judgement.parts:
        with st.container(key=f"quiet.parts|{said.judge.id}"):
            st.text(_strip(judgement))
    quiet = [*judgement.notes, *_took(said)]
    if quiet:
        with st.container(key=f"quiet.notes|{said.judge.id}"):
            st.text("\n".join(quiet))


def _strip(judgement: Judgement) -> str:
    """Return the parts' verdicts as a row of signs with a count, then each with its score."""
    signs = [VERDICT_SIGN[part.verdict] if part.verdict else "!" for part in judgement.parts]
    verdicts = [part.verdict for part in judgement.parts]
    count = summary_text(
        verdicts.count(Verdict.TRUE), len(verdicts), verdicts.count(Verdict.UNCERTAIN), verdicts.count(None)
    )
    rows = [f"{part.judge}: {judgement_chip(part)}" for part in judgement.parts]
    return "\n".join([f"{' '.join(signs)}  {count}", *rows])


def _took(said: Said) -> list[str]:
    parts = [f"answered by {', '.join(said.models)}"] if said.models else []
    if said.calls:
        parts.append(f"{said.calls} call{'s' if said.calls > 1 else ''}")
        parts.append("tokens unknown" if said.tokens is None else f"{said.tokens:,} tokens")
        cost = "unknown" if said.cost is None else f"{load_prices().currency} {said.cost:.4f}".rstrip("0").rstrip(".")
        parts.append(f"cost {cost}")
        parts.append(f"{said.seconds or 0.0:.1f} s")
    return [", ".join(parts)] if parts else []
