"""Saved contestations: the one of the link, and those of a debate."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.contestation import Contestation
from core.debate import Debate
from core.errors import MootError
from core.judgement import JudgementStatus, Verdict
from core.wording import chip, threshold_of
from pages.components import comments, exports, meanwhile, pages, report_basket, rule, state
from pages.components.text import plain
from storage.comment_repository import Remarked
from storage.ruling_repository import Ruling


def chosen(debate: Debate) -> Contestation | None:
    """Return the contestation that the link names, if it is one of this debate; tell what others saved meanwhile."""
    meanwhile.notice(debate)
    name = st.query_params.get(state.CONTESTATION)
    if name is None:
        return None
    try:
        saved = state.contestations().get(name)
    except MootError:
        st.warning("This link points to a contestation that is not in this database; the debate itself is shown.")
        return None
    if saved.debate_id != debate.id:
        st.warning("This link points to a contestation of another debate; the debate itself is shown.")
        return None
    return saved


def banner(saved: Contestation) -> None:
    """Draw who saved it, when and why, what it did, and what was ruled on it."""
    rulings = state.rulings().all_on(saved.id)
    with st.container(border=True):
        st.markdown(
            "**Saved contestation.** It cannot be changed; edits from here on become a new one, forked from it."
        )
        st.text(f"{saved.author} ({saved.role}), {saved.created_at[:16].replace('T', ' ')} UTC")
        st.text(saved.reason)
        rule.history(rulings)
        if saved.tags:
            st.text("Tags: " + ", ".join(saved.tags))
        rows = _effects(saved)
        if rows:
            st.table(pd.DataFrame(rows), border="horizontal", hide_index=True, alt="Judgements before and after")
        with st.container(horizontal=True):
            if saved.parent:
                st.page_link(
                    pages.contest(),
                    label=plain(f"Forked from {saved.parent}"),
                    query_params=state.link(saved.debate_id, saved.parent),
                )
            st.page_link(
                pages.contest(), label="Start from the original debate", query_params=state.link(saved.debate_id)
            )
            report_basket.contestation(saved, "banner")
            rule.ways(saved, rulings)
            comments.show(saved.debate_id, Remarked.CONTESTATION, saved.id, f"banner|{saved.id}")


def of_debate(debate: Debate) -> tuple[Contestation, ...]:
    """Draw the debate's saved contestations as a list of links, and return them."""
    found = state.contestations().for_debate(debate.id)
    if not found:
        return ()
    st.header(f"Saved contestations of this debate ({len(found)})")
    ruled = state.rulings().standing(saved.id for saved in found)
    basket = state.reports().basket()
    for saved in reversed(found):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(pages.contest(), label=plain(f"Open {saved.id}"), query_params=state.link(debate.id, saved.id))
            edits = len(saved.edits)
            st.text(f"{saved.created_at[:16].replace('T', ' ')}  {saved.author}: {saved.reason[:160]}")
            st.caption(f"{edits} edit{'s' if edits != 1 else ''}")
            if saved.id in ruled:
                rule.badge(ruled[saved.id])
            report_basket.contestation(saved, "list", basket)
    exports.table(lambda: _table(found, ruled), f"{debate.id} contestations", "contestations.export")
    return found


def _table(found: tuple[Contestation, ...], ruled: Mapping[str, Ruling]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Id": saved.id,
                "Debate": saved.debate_id,
                "Round": saved.round_number,
                "Saved at": saved.created_at,
                "By": saved.author,
                "Role": saved.role,
                "Reason": saved.reason,
                "Edits": len(saved.edits),
                "Parent": saved.parent,
                "Ruling": ruled[saved.id].outcome.value if saved.id in ruled else None,
                "Ruling's reason": ruled[saved.id].reason if saved.id in ruled else None,
            }
            for saved in found
        ]
    )


def _effects(saved: Contestation) -> list[dict[str, str]]:
    rows = []
    threshold = threshold_of(saved.settings)
    for judge, before in saved.before.items():
        after = saved.after.get(judge)
        if isinstance(before, dict) and isinstance(after, dict):
            turned = before.get("verdict") != after.get("verdict")
            rows.append(
                {
                    "Judge": judge,
                    "Original": _chip(before, threshold),
                    "After": _chip(after, threshold),
                    "": "⇄ flipped" if turned else "",
                }
            )
    return rows


def _chip(record: dict[str, object], threshold: float) -> str:
    verdict, score, status = record.get("verdict"), record.get("score"), record.get("status")
    return chip(
        Verdict(str(verdict)) if verdict else None,
        float(score) if isinstance(score, (int, float)) else None,
        JudgementStatus(str(status)) if status else JudgementStatus.OK,
        threshold,
    )
