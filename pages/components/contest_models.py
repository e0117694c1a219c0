"""Language models on the contested debate: asked when a person wants it, beside what they said of the original."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.board import FixedTile
from core.comparison.names import fitted_names
from core.contestation import Contested, Edit
from core.errors import MootError
from core.judgement import Judgement, JudgementStatus
from core.judges.llm_judge import LlmJudge
from core.judges.registry import Family
from core.llm.circumstances import Circumstances
from core.supportiveness import breach, direction
from core.wording import judgement_chip, signed
from pages.components import chips, run_form, state
from pages.components.contest_state import Desk
from pages.components.text import plain
from storage.contested_judging import ContestedJudging
from storage.judgement_repository import StoredJudge

LONGEST_NAME = 70
LONGEST_ON_TILE = 30


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
    names = fitted_names([one.judge.name for one in kept.values()], LONGEST_ON_TILE)
    return tuple(FixedTile(name, one.before, _note(desk, one)) for name, one in zip(names, kept.values(), strict=True))


@dataclass(frozen=True)
class Seen:
    """What is known of the language model that is chosen, for the profile as it stands.

    Attributes:
        judges: The stored judges to choose from.
        judge: The one chosen, and its id; None where there is none, or it cannot be read.
        before, after: What it says of the original and of the contested profile; None where it was not asked yet.
        problem: What went wrong, for a person; empty if nothing did.
    """

    judges: tuple[StoredJudge, ...] = ()
    judge: tuple[LlmJudge, str] | None = None
    before: Judgement | None = None
    after: Judgement | None = None
    problem: str = ""


def look(desk: Desk, contested: Contested) -> Seen | None:
    """Return what is known of the language model chosen, asking it where that was wanted; None where none is shown.

    Before anything is drawn, so that the board's tiles have it at once.
    """
    if not st.session_state.get(f"models|{desk.key}"):
        return None
    judges = _judges(desk)
    chosen = st.session_state.get(f"model|{desk.key}")
    name = next((judge.id for judge in judges if judge.id == chosen), judges[0].id if judges else "")
    if not name:
        return Seen()
    try:
        judge = state.judgements().judge(name)
    except MootError as error:
        return Seen(judges, problem=str(error))
    if not isinstance(judge, LlmJudge):
        return Seen(judges)
    asking, held = state.contested_judging(), Circumstances.of(desk.debate, desk.round_number)
    problem = _asked(desk, contested, asking, judge, name, held)
    try:
        before = _original(desk, asking, judge, name, held)
        after = before if not desk.history.edits else asking.known(judge, contested.profile, held)
    except MootError as error:
        return Seen(judges, problem=str(error))
    if before is not None and after is not None:
        _keep(desk, Modelled(judge, desk.history.edits, before, after))
    return Seen(judges, (judge, name), before, after, problem)


def show(desk: Desk, contested: Contested, seen: Seen | None) -> None:
    """Draw, behind an expander, the choice of a language model and what it says before and after the edits.

    Args:
        desk: What is contested.
        contested: The profile after the edits.
        seen: What ``look`` returned in this run.
    """
    box = st.expander("Language models after your edits", key=f"models|{desk.key}", on_change="rerun")
    if seen is None:
        return
    with box:
        if not seen.judges:
            st.info("No judge that asks a language model is stored yet. Start a run on the Data page first.")
            return
        shown = fitted_names([judge.shown for judge in seen.judges], LONGEST_NAME)
        names = dict(zip((judge.id for judge in seen.judges), shown, strict=True))
        st.selectbox(
            "Judge",
            list(names),
            format_func=names.__getitem__,
            key=f"model|{desk.key}",
        )
        if seen.judge is not None:
            _beside(desk, contested, seen, *seen.judge)
        if seen.problem:
            st.error(plain(seen.problem))


def _asked(
    desk: Desk, contested: Contested, asking: ContestedJudging, judge: LlmJudge, name: str, held: Circumstances
) -> str:
    """Ask a model where that was wanted, and return what went wrong."""
    if st.session_state.pop(f"asked|{desk.key}", None) != name:
        return ""
    with st.spinner("Asking the model"):
        try:
            said = [_original(desk, asking, judge, name, held) or asking.ask(judge, desk.profile, held)]
            if desk.history.edits:
                said.append(asking.ask(judge, contested.profile, held))
        except MootError as error:
            return str(error)
    return " ".join(one.explanation for one in said if one.status is JudgementStatus.ERROR)


def _beside(desk: Desk, contested: Contested, seen: Seen, judge: LlmJudge, name: str) -> None:
    before, after = seen.before, seen.after
    st.text(judge.name)
    left, right = st.columns(2)
    left.markdown(f"Original: {chips.judgement_markdown(before) if before else 'not judged yet'}")
    if after is None:
        count = len(desk.history.edits)
        right.markdown(f"After your edits: not judged yet ({count} edit{'s' if count != 1 else ''})")
    else:
        right.markdown(f"After your edits: {chips.judgement_markdown(after)}")
    if before is not None and after is not None:
        _difference(desk, contested, before, after)
    else:
        _offer(desk, judge, name, calls=judge.repeats * ((before is None) + (after is None)))


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
    run_form.key_lacking(judge.endpoint)
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
    """Return what the model says of the original: as stored for the last round, else from stored replies.

    A call that brought no reply says nothing of it.
    """
    if desk.round_number in (None, *(r.number for r in desk.debate.rounds[-1:])):
        found = state.judgements().find(name, desk.debate.id)
        if found is not None and found.judgement.status is not JudgementStatus.ERROR:
            return found.judgement
    return asking.known(judge, desk.profile, held)


def _judges(desk: Desk) -> tuple[StoredJudge, ...]:
    """Return the stored judges that ask a language model, those that have judged this debate first."""
    here = {found.judge_id for found in state.judgements().for_debate(desk.debate.id)}
    found = [judge for judge in state.judgements().judges() if judge.family is Family.LLM]
    asking = (judge for judge in found if judge.settings.get("kind") == "llm")
    return tuple(sorted(asking, key=lambda one: one.id not in here))


def _note(desk: Desk, one: Modelled) -> str:
    if one.edits == desk.history.edits:
        return f"→ {judgement_chip(one.after)}" if one.edits else ""
    count = len(desk.history.edits)
    return f"stale: {count} edit{'s' if count != 1 else ''} since" if count else ""


def _keep(desk: Desk, found: Modelled) -> None:
    st.session_state.setdefault(_store(desk), {})[found.judge.name] = found


def _store(desk: Desk) -> str:
    return f"desk.models|{desk.key}"


__all__ = ["Modelled", "Seen", "judged", "look", "show", "tiles"]
