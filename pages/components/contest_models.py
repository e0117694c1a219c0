"""Language models on the contested debate: asked when a person wants it, beside what they said of the original."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.board import FixedTile
from core.contestation import Contested, Edit
from core.errors import MootError
from core.judgement import Judgement, JudgementStatus
from core.judges.llm_judge import LlmJudge
from core.judges.registry import Family
from core.llm.circumstances import Circumstances
from core.supportiveness import breach, direction
from core.wording import judgement_chip, shortened, signed
from pages.components import chips, state
from pages.components.contest_state import Desk
from pages.components.text import plain
from storage.contested_judging import ContestedJudging
from storage.judgement_repository import StoredJudge
from storage.model_client import key_from_environment

LONGEST_NAME = 70


@dataclass(frozen=True)
class Modelled:
    """What one language model says of the original and of the profile after some edits."""

    judge: LlmJudge
    edits: tuple[Edit, ...]
    before: Judgement
    after: Judgement


def judged(desk: Desk) -> tuple[Modelled, ...]:
    """Return what was asked of language models for the edits as they stand."""
    kept: dict[str, Modelled] = st.session_state.get(_store(desk), {})
    return tuple(one for one in kept.values() if one.edits == desk.history.edits)


def tiles(desk: Desk) -> tuple[FixedTile, ...]:
    """Return a tile for each language model that was asked about this debate, saying when it is out of date."""
    kept: dict[str, Modelled] = st.session_state.get(_store(desk), {})
    return tuple(FixedTile(shortened(one.judge.model, 30), one.before, _note(desk, one)) for one in kept.values())


def show(desk: Desk, contested: Contested) -> None:
    """Draw, behind an expander, the choice of a language model and what it says before and after the edits."""
    box = st.expander("Language models after your edits", key=f"models|{desk.key}", on_change="rerun")
    if not box.open:
        return
    with box:
        judges = _judges(desk)
        if not judges:
            st.info("No judge that asks a language model is stored yet. Start a run on the Data page first.")
            return
        names = {judge.id: judge.shown for judge in judges}
        chosen = st.selectbox(
            "Judge",
            list(names),
            format_func=lambda one: shortened(names[one], LONGEST_NAME),
            key=f"model|{desk.key}",
        )
        try:
            judge = state.judgements().judge(chosen)
        except MootError as error:
            st.error(plain(str(error)))
            return
        if isinstance(judge, LlmJudge):
            _beside(desk, contested, judge, chosen)


def _beside(desk: Desk, contested: Contested, judge: LlmJudge, name: str) -> None:
    asking, held = state.contested_judging(), Circumstances.of(desk.debate, desk.round_number)
    problem = ""
    if st.session_state.pop(f"asked|{desk.key}", None) == name:
        with st.spinner("Asking the model"):
            try:
                said = [_original(desk, asking, judge, name, held) or asking.ask(judge, desk.profile, held)]
                if desk.history.edits:
                    said.append(asking.ask(judge, contested.profile, held))
                problem = " ".join(one.explanation for one in said if one.status is JudgementStatus.ERROR)
            except MootError as error:
                problem = str(error)
    try:
        before = _original(desk, asking, judge, name, held)
        after = before if not desk.history.edits else asking.known(judge, contested.profile, held)
    except MootError as error:
        st.error(plain(str(error)))
        return
    st.text(judge.name)
    left, right = st.columns(2)
    left.markdown(f"Original: {chips.judgement_markdown(before) if before else 'not judged yet'}")
    if after is None:
        count = len(desk.history.edits)
        right.markdown(f"After your edits: not judged yet ({count} edit{'s' if count != 1 else ''})")
    else:
        right.markdown(f"After your edits: {chips.judgement_markdown(after)}")
    if before is not None and after is not None:
        _keep(desk, Modelled(judge, desk.history.edits, before, after))
        _difference(desk, contested, before, after)
    else:
        _offer(desk, judge, name, calls=judge.repeats * ((before is None) + (after is None)))
    if problem:
        st.error(plain(problem))


def _difference(desk: Desk, contested: Contested, before: Judgement, after: Judgement) -> None:
    if not desk.history.edits:
        st.caption("No edits yet: this is what the model said of the debate as recorded.")
        return
    if before.score is not None and after.score is not None:
        turned = ", and its verdict flipped" if before.verdict is not after.verdict else ""
        pointed = direction(desk.profile, contested.profile)
        toward = "" if pointed is None else f" The edits make the profile {pointed.value}."
        if pointed is not None and not pointed.directed:
            toward = " The edits pull both ways, so contestability asks for nothing here."
        st.markdown(f"The score changed by **{signed(after.score - before.score)}**{turned}.{toward}")
    broken = breach(desk.profile, contested.profile, before, after)
    if broken:
        st.warning(broken)
    for said, title in ((before, "Original"), (after, "After your edits")):
        if said.explanation:
            st.caption(title)
            st.text(said.explanation)


def _offer(desk: Desk, judge: LlmJudge, name: str, calls: int) -> None:
    variable = judge.endpoint.key_variable
    if variable and key_from_environment(judge.endpoint) is None:
        st.caption(f"The environment variable {plain(variable)} is not set, so this model cannot be asked.")
    st.button(
        f"Re-judge with this model ({calls} call{'s' if calls != 1 else ''})",
        key=f"ask|{desk.key}",
        on_click=_ask,
        args=(f"asked|{desk.key}", name),
    )


def _ask(flag: str, name: str) -> None:
    st.session_state[flag] = name


def _original(
    desk: Desk, asking: ContestedJudging, judge: LlmJudge, name: str, held: Circumstances
) -> Judgement | None:
    """Return what the model says of the original: as stored for the last round, else from stored replies."""
    if desk.round_number in (None, *(r.number for r in desk.debate.rounds[-1:])):
        found = state.judgements().find(name, desk.debate.id)
        if found is not None:
            return found.judgement
    return asking.known(judge, desk.profile, held)


def _judges(desk: Desk) -> list[StoredJudge]:
    """Return the stored judges that ask a language model, those that have judged this debate first."""
    here = {found.judge_id for found in state.judgements().for_debate(desk.debate.id)}
    found = [judge for judge in state.judgements().judges() if judge.family is Family.LLM]
    return sorted((judge for judge in found if judge.settings.get("kind") == "llm"), key=lambda one: one.id not in here)


def _note(desk: Desk, one: Modelled) -> str:
    if one.edits == desk.history.edits:
        return f"→ {judgement_chip(one.after)}" if one.edits else ""
    count = len(desk.history.edits)
    return f"stale: {count} edit{'s' if count != 1 else ''} since" if count else ""


def _keep(desk: Desk, found: Modelled) -> None:
    st.session_state.setdefault(_store(desk), {})[found.judge.name] = found


def _store(desk: Desk) -> str:
    return f"desk.models|{desk.key}"


__all__ = ["Modelled", "judged", "show", "tiles"]
