"""One PROClaim debate out of the records on its claim and run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.debate import Debate, DebateProtocol
from core.import_issue import IssueLog, quoted
from core.judgement import JudgementStatus, Verdict
from core.label_text import read_label
from core.opinion import TOPIC, RelationKind
from core.provider_errors import is_provider_error
from core.score_text import Scale
from storage.readers.draft import DebateDraft, finite, mapping, objects, text_or_none, texts
from storage.readers.proclaim_records import Kind, ProclaimRecord

_SIDES = {"proponent": RelationKind.SUPPORT, "opponent": RelationKind.ATTACK}
_JUDGE_FAILURE = "unable to parse structured evaluation"  # what its writer puts in where a judge's reply is no JSON
_CITED = re.compile(r"Source:\s*+(?:PMID:?\s*)?(\d{5,9})")
_SCORES = ("evidence_strength", "argument_validity", "scientific_reliability")
_CRITIC = {"plaintiff": "proponent", "defense": "opponent"}


class ProclaimDebate:
    """A debate on its way from PROClaim's records to the model.

    Args:
        issues: Takes what was found wrong.
        debate_id: From claim and run.
        first: The record that says what the claim is.
    """

    def __init__(self, issues: IssueLog, debate_id: str, first: ProclaimRecord) -> None:
        self.issues = issues
        self.first = first
        claim = mapping(first.data).get("claim")
        self.draft = DebateDraft(issues, first.line, debate_id, claim, "data.claim")
        self.draft.claim_id = first.claim_id if first.kind is Kind.TRANSCRIPT else None
        self.draft.provenance["run"] = first.run_id or None

    def transcript(self, record: ProclaimRecord) -> None:
        """Take in the rounds of a transcript."""
        data, draft = mapping(record.data), self.draft
        titles = mapping(data.get("agents"))
        for role in (*_SIDES, "the_court"):
            if role in titles:
                draft.agent(role, name=titles.get(role), role=role.replace("the_", ""))
        prefix = "" if record.bare else "data."
        for place, entry in enumerate(objects(data.get("rounds"))):
            self._round(entry, place, f"{prefix}rounds[{place}]")
        draft.carry_forward()
        stop = mapping(data.get("convergence_metrics")).get("stop_reason")
        if stop is not None:
            draft.provenance["stop_reason"] = stop
        draft.missing_scores("PROClaim records neither base scores nor stances")

    def _round(self, entry: Mapping[str, Any], place: int, where: str) -> None:
        given = finite(entry.get("round_number"))
        number = int(given) if given is not None and abs(given) < 1e6 else place + 1
        draft = self.draft
        draft.holds_round(number)
        counts: dict[str, int] = {}
        for index, spoken in enumerate(objects(entry.get("arguments"))):
            role = text_or_none(spoken.get("role")) or "counsel"
            self._spoken(spoken, role, number, counts, f"{where}.arguments[{index}]")
        for index, spoken in enumerate(objects(entry.get("expert_testimonies"))):
            name = self._spoken(spoken, "expert", number, counts, f"{where}.expert_testimonies[{index}]")
            draft.provenance.setdefault("expert_sides", {})[name] = text_or_none(spoken.get("requesting_side"))
        for side, reflection in mapping(entry.get("reflection_scores")).items():
            self._reflection(side, number, mapping(reflection), f"{where}.reflection_scores.{side}")
        critic = mapping(entry.get("critic_evaluation"))
        if "critic_evaluation" in entry and not critic:
            message = "The critic's evaluation is empty, which is what its writer leaves where the critic failed."
            self.issues.info("critic_failed", message, draft.line, f"{where}.critic_evaluation")
        elif critic:
            draft.provenance.setdefault("critic", {})[str(number)] = critic
        for index, metrics in enumerate(objects(entry.get("prag_metrics"))):
            draft.provenance.setdefault("retrieval", {})[f"{number}.{index}"] = metrics
        self._evidence(entry, number, where)

    def _spoken(self, spoken: Mapping[str, Any], role: str, number: int, counts: dict[str, int], where: str) -> str:
        draft = self.draft
        draft.agent(role, name=spoken.get("agent"), role=role)
        counts[role] = counts.get(role, 0) + 1
        suffix = "" if counts[role] == 1 else f"-{counts[role]}"
        text = spoken.get("text")
        cited = dict.fromkeys(_CITED.findall(text)) if isinstance(text, str) else {}
        source = ", ".join(f"PMID {cite}" for cite in cited)
        name = draft.argument(number, f"{role}-r{number}{suffix}", text, f"{where}.text", author=role, source=source)
        draft.message(role, text, round=number, role=role)
        if role in _SIDES:
            draft.relation(number, name, TOPIC, _SIDES[role], f"{where}.role")
        else:
            message = "Testimony of an expert says not whom it supports; it has no polarity until somebody decides."
            self.issues.info("polarity_missing", message, draft.line, where)
        return name

    def _reflection(self, side: str, number: int, reflection: Mapping[str, Any], where: str) -> None:
        total = reflection.get("total_score")
        if total is None:
            return
        if "flaws_identified" not in reflection and total == 0.5:
            message = "A reflection of 0.5 without flaws is what its writer puts in where the reflection failed."
            self.issues.info("reflection_failed", message, self.draft.line, where)
            return
        self.draft.provenance.setdefault("reflections", {}).setdefault(side, {})[str(number)] = total

    def _evidence(self, entry: Mapping[str, Any], number: int, where: str) -> None:
        seen: set[str] = set()
        for index, item in enumerate(objects(entry.get("new_evidence"))):
            name = text_or_none(item.get("id"))
            if name is None:
                continue
            if name in seen:
                message = f"The evidence {quoted(name)} comes twice in this round; it is kept once."
                self.issues.info("evidence_repeated", message, self.draft.line, f"{where}.new_evidence[{index}]")
                continue
            seen.add(name)
            self.draft.exhibits.append({"evidence_id": name, "round": number, **_rest(item, "id")})

    # -- what stands in the other files --------------------------------------------------------------------------

    def evaluation(self, record: ProclaimRecord) -> None:
        """Take in the panel's votes; what only stands in for a vote is none."""
        data = mapping(record.data)
        judges = objects(data.get("judge_verdicts"))
        for index, judge in enumerate(judges):
            self._vote(judge, f"data.judge_verdicts[{index}]")
        for index, judge in enumerate(objects(data.get("judges"))):
            self._old_vote(judge, f"judges[{index}]")
        verdicts = [text_or_none(judge.get("verdict")) for judge in judges]
        if len(verdicts) > 2 and len(set(verdicts)) == len(verdicts):
            message = "The panel is split all ways; its writer then takes the first judge's verdict for the panel's."
            self.issues.warning("panel_split", message, record.line, "data.final_verdict")
        opinions = {k: data[k] for k in ("majority_opinion", "dissenting_opinion", "vote_breakdown") if data.get(k)}
        final = data.get("final_verdict") or data.get("provisional_winner")
        if final is not None or opinions:
            verdict = _verdict(final) or _winner(final)
            self.draft.judgement(
                "panel of judges", "panel", verdict=verdict, settings={**opinions, "verdict_raw": final},
                explanation=data.get("majority_opinion"), where="data.final_verdict",
            )  # fmt: skip

    def _vote(self, judge: Mapping[str, Any], where: str) -> None:
        reason = text_or_none(judge.get("reasoning")) or ""
        scores = {name: judge.get(name) for name in _SCORES}
        verdict = _verdict(judge.get("verdict"))
        status = JudgementStatus.OK if verdict is not Verdict.UNCERTAIN else JudgementStatus.ABSTAINED
        if reason.casefold().startswith(_JUDGE_FAILURE):
            message = "The judge's reply could not be read, and its writer put in 5, 5, 5 and INCONCLUSIVE: no vote."
            self.issues.warning("vote_failed", message, self.draft.line, where)
            verdict, status = None, JudgementStatus.UNREADABLE
        elif is_provider_error(reason):
            message = f"The judge's reasons are a provider's failure message, {quoted(reason)}: no vote."
            self.issues.warning("vote_failed", message, self.draft.line, where)
            verdict, status = None, JudgementStatus.ERROR
        elif verdict is None:
            message = f"The verdict is {quoted(judge.get('verdict'))}; none is kept."
            self.issues.warning("verdict_unreadable", message, self.draft.line, f"{where}.verdict")
            status = JudgementStatus.UNREADABLE
        settings = {**scores, "model": judge.get("model"), "verdict_raw": judge.get("verdict")}
        self.draft.judgement(
            judge.get("judge_name"), "panel", verdict=verdict, status=status, explanation=reason, settings=settings,
            where=where,
        )  # fmt: skip

    def _old_vote(self, judge: Mapping[str, Any], where: str) -> None:
        reason = text_or_none(judge.get("reasoning")) or ""
        sides = {side: mapping(judge.get(f"{side}_scores")) for side in _SIDES}
        totals = {side: scores.get("total") for side, scores in sides.items()}
        verdict: Verdict | None = _winner(judge.get("winner"))
        status = JudgementStatus.OK
        if is_provider_error(reason):
            message = (
                f"The judge's reasons are a provider's failure message, {quoted(reason)}; the scores "
                f"({quoted(totals)}) and the winner stand in for a vote and are none."
            )
            self.issues.warning("vote_failed", message, self.draft.line, where)
            verdict, status = None, JudgementStatus.ERROR
        elif totals["proponent"] is not None and totals["proponent"] == totals["opponent"]:
            message = (
                f"The totals tie at {quoted(totals['proponent'])}, but the winner is {quoted(judge.get('winner'))}."
            )
            self.issues.warning("vote_ties", message, self.draft.line, f"{where}.winner")
        settings = {**sides, "model": judge.get("model"), "winner": judge.get("winner"), "totals_of": 40}
        self.draft.judgement(
            judge.get("judge_name"), "panel", verdict=verdict, status=status, explanation=reason, settings=settings,
            where=where,
        )  # fmt: skip

    def verdict(self, record: ProclaimRecord) -> None:
        """Take in the final verdict and the gold label beside it."""
        data = mapping(record.data)
        self.draft.label(data.get("ground_truth_label"), "data.ground_truth_label")
        self.draft.keep("data.correct", data.get("correct"))
        reasons = mapping(data.get("reasoning"))
        settings = {
            "confidence": data.get("confidence"),
            "verdict_raw": data.get("verdict"),
            **mapping(data.get("metadata")),
            "winner": reasons.get("winner"),
            "decision_factors": reasons.get("decision_factors"),
        }
        self.draft.judgement(
            "final verdict", "panel", verdict=_verdict(data.get("verdict")), settings=settings, where="data.verdict",
            explanation="\n".join(texts(reasons.get("decision_factors"))),
        )  # fmt: skip
        confidence = data.get("confidence")
        if confidence is not None:
            self.draft.score(confidence, "The panel's confidence", "data.confidence", Scale.UNIT, record.line)

    def switch(self, record: ProclaimRecord) -> None:
        """Take in what came of switching the roles."""
        data = mapping(record.data)
        analysis = data.get("analysis")
        if isinstance(analysis, str) and data.get("consistency_score") == 5:
            message = "The analysis is unread text and the score 5, which is what its writer puts in where it failed."
            self.issues.warning("consistency_failed", message, self.draft.line, "data.consistency_score")
        self.draft.provenance["role_switch"] = {
            key: data.get(key) for key in ("consistency_score", "is_consistent", "reasoning", "analysis")
        }

    def negotiation(self, record: ProclaimRecord) -> None:
        """Take in the evidence that was admitted and disputed."""
        state = mapping(record.data)
        judged = mapping(state.get("judge_state"))
        relevance = {
            text_or_none(item.get("source_id")): item.get("relevance_score")
            for pool in ("shared_pool", "proponent_pool", "opponent_pool")
            for item in objects(state.get(pool))
        }
        known: set[str] = set()
        for key, admitted in (("admissible_evidence", True), ("disputed_items", False)):
            for item in objects(judged.get(key)):
                name = text_or_none(item.get("id")) or ""
                known.add(name)
                self.draft.exhibits.append({"evidence_id": name, "admitted": admitted, **_rest(item, "id")})
        for pool in ("shared_pool", "proponent_pool", "opponent_pool"):
            for item in objects(state.get(pool)):
                name = text_or_none(item.get("source_id")) or ""
                if name not in known:
                    known.add(name)
                    self.draft.exhibits.append(
                        {"evidence_id": name, "pool": pool, "relevance": relevance.get(name), "text": item.get("text")}
                    )

    def figures(self, record: ProclaimRecord) -> None:
        """Take in what is counted of a claim: label, votes, tokens."""
        data = mapping(record.data)
        label = data.get("gt_label", data.get("ground_truth"))
        if self.draft.unlabelled and label is not None:
            self.draft.label(label, "gt_label" if "gt_label" in data else "ground_truth")
        columns = self.draft.provenance.setdefault("columns", {})
        columns[record.kind.value] = _rest(data, "claim_id")

    def kept(self, key: str, value: Any) -> None:
        """Keep what stands in another file and has no place in a debate."""
        self.draft.provenance[key] = value

    def debate(self) -> Debate:
        """Return the debate."""
        return self.draft.debate(DebateProtocol.COURTROOM)


def _rest(item: Mapping[str, Any], left_out: str) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key != left_out}


def _verdict(value: object) -> Verdict | None:
    label, readable = read_label(value)
    if label is not None:
        return Verdict.TRUE if label else Verdict.FALSE
    return Verdict.UNCERTAIN if isinstance(value, str) and readable and value.strip() else None


def _winner(value: object) -> Verdict | None:
    word = (text_or_none(value) or "").casefold()
    if "proponent" in word or "plaintiff" in word:
        return Verdict.TRUE
    if "opponent" in word or "defen" in word:
        return Verdict.FALSE
    return Verdict.UNCERTAIN if word in ("tie", "draw") else None


def matched(records: Sequence[ProclaimRecord], place: int, of: int) -> ProclaimRecord | None:
    """Return the record for one of several debates with one claim and run; as runs append, the last belong together."""
    index = place - (of - len(records))
    return records[index] if 0 <= index < len(records) else None


__all__ = ["ProclaimDebate", "matched"]
