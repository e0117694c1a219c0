"""The results file of ArgLLMs: one QBAF a claim, evaluated with the claim's base score 0.5 and an estimated one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.debate import Agent, Debate, DebateProtocol, RecordedJudgement, Round
from core.errors import NothingToExport
from core.exporting.claim_graph import ClaimGraph, Names, argument_names, claim_graph, mean_prior, renamed, weight
from core.exporting.losses import Aspect, Kept, Loss, losses
from core.judgement import Verdict
from core.judges.framing import NEUTRAL
from core.opinion import TOPIC, Argument, RelationKind, Stance
from core.provider_errors import is_provider_error
from core.qbaf import QBAF
from core.semantics import semantics
from core.strict_json import dumps, storable

ROOT = "db0"
SEMANTICS, OURS = "dfquad", "df-quad"
RULE = "true above 0.5"  # what ArgLLMs decides by
UNKNOWN_MODEL = "model"  # what the reader calls a model that no file names
_WORDS = {
    Aspect.DEBATE_IDS: "Debates are told apart by their order alone",
    Aspect.AGENTS: "Agents become one, called by their models",
    Aspect.AUTHORS: "All arguments count as put forward by that one",
    Aspect.BASE_SCORES: "A missing base score is written as 0.5, since every argument must have a weight",
    Aspect.STANCES: "Of agents' stances only their mean prior is written, as the claim's estimated score",
    Aspect.PROTOCOLS: "The debate counts as single-turn",
    Aspect.JUDGEMENTS: "DF-QuAD's strengths stand in the place of recorded judgements",
}


@dataclass(frozen=True)
class _Held:
    """What the file holds of a debate, and what arguments are called in it."""

    graph: ClaimGraph
    names: dict[str, str]

    def pairs(self, kind: RelationKind) -> list[tuple[str, str]]:
        """Return the relations of a kind, from source to target."""
        listed = renamed(self.graph.relations, self.names, ROOT)
        return [(one.source, one.target) for one in listed if one.kind is kind]


class ArgllmsExporter:
    """Writes one results file for any number of debates."""

    name = "argllms"
    title = "ArgLLMs results JSON"

    def suffix(self, several: bool) -> str:
        """Return the ending of the file's name."""
        return "json"

    def media_type(self, several: bool) -> str:
        """Return the file's media type."""
        return "application/json"

    def returned(self, debates: Iterable[Debate]) -> Iterator[tuple[Debate, Kept | None]]:
        """Yield every debate with what comes back of it; models are named once for all, so all are looked at first."""
        all_of_them = list(debates)
        model = _model(name for debate in all_of_them if debate.claim.strip() for name in _models(debate))
        place = 0
        for debate in all_of_them:
            held = bool(debate.claim.strip())
            place += held
            yield debate, _kept(debate, place, model) if held else None

    def losses(self, debates: Iterable[Debate]) -> tuple[Loss, ...]:
        """Return what the file does not carry."""
        return losses(self.returned(debates), _WORDS)

    def write(self, debates: Iterable[Debate]) -> Iterator[bytes]:
        """Yield the file, one debate a piece; the options, which name the models, come last."""
        models: dict[str, None] = {}
        before = b'{"data": [\n'
        for debate in debates:
            if not debate.claim.strip():
                continue
            models.update(dict.fromkeys(_models(debate)))
            yield before + dumps(_entry(debate)).encode()
            before = b",\n"
        if before != b",\n":
            raise NothingToExport(self.title)
        options = {"model_name": _model(models), "semantics": SEMANTICS, "baselines": False, "verbal": False}
        yield b'\n],\n"arguments": ' + dumps(options).encode() + b',\n"eval_results": {}}\n'


def _models(debate: Debate) -> Iterator[str]:
    return (named for agent in debate.agents if (named := storable(agent.model or agent.id)).strip())


def _model(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names)) or UNKNOWN_MODEL


def _entry(debate: Debate) -> dict[str, Any]:
    held = _held(debate)
    entry: dict[str, Any] = {}
    for name, claim_score, strengths in _evaluated(debate, held):
        texts = {ROOT: (debate.claim, claim_score)}
        texts |= {held.names[a.id]: (a.text, weight(a)) for a in held.graph.arguments}
        bag = {
            "arguments": {
                key: {"name": key, "argument": text, "initial_weight": score, "strength": strengths[key]}
                for key, (text, score) in texts.items()
            },
            "attacks": held.pairs(RelationKind.ATTACK),
            "supports": held.pairs(RelationKind.SUPPORT),
        }
        entry[name] = {"bag": bag, "prediction": strengths[ROOT]}
    entry["valid"] = debate.label
    return entry


def _evaluated(debate: Debate, held: _Held) -> Iterator[tuple[str, float, dict[str, float]]]:
    """Yield ``base`` and, where there is a prior stance, ``estimated``, each with the claim's score and strengths."""
    prior = mean_prior(debate)
    for name, score in (("base", NEUTRAL), ("estimated", prior)):
        if score is not None:
            arguments = [(ROOT, score), *((held.names[a.id], weight(a)) for a in held.graph.arguments)]
            qbaf = QBAF.build(arguments, held.pairs(RelationKind.ATTACK), held.pairs(RelationKind.SUPPORT))
            strengths = semantics(OURS).evaluate(qbaf).strengths
            yield name, score, {key: float(value) for key, value in zip(qbaf.names, strengths, strict=True)}


def _kept(debate: Debate, place: int, model: str) -> Kept:
    held = _held(debate)
    arguments = tuple(
        Argument(held.names[a.id], a.text, model, weight(a), is_error_text=is_provider_error(a.text))
        for a in held.graph.arguments
    )
    prior = mean_prior(debate)
    back = Debate(
        f"claim-{place}",
        debate.claim,
        debate.label,
        DebateProtocol.SINGLE_TURN,
        agents=(Agent(model, model=model),),
        rounds=(
            Round(
                0,
                () if prior is None else (Stance(model, prior),),
                arguments,
                renamed(held.graph.relations, held.names),
            ),
        ),
        judgements=_judgements(debate, held),
    )
    return Kept(back, held.names)


def _judgements(debate: Debate, held: _Held) -> tuple[RecordedJudgement, ...]:
    """Return the judgements that the reader makes of the file, where the debate's own could be the same."""
    if not all(judgement.judge.startswith(f"ArgLLMs {SEMANTICS}") for judgement in debate.judgements):
        return ()
    found = []
    for side, score, strengths in _evaluated(debate, held) if debate.judgements else ():
        settings = {"semantics": SEMANTICS, "claim_base_score": score, "rule": RULE, "strengths": strengths}
        verdict = Verdict.TRUE if strengths[ROOT] > NEUTRAL else Verdict.FALSE
        found.append(
            RecordedJudgement(f"ArgLLMs {SEMANTICS} ({side})", "semantics", strengths[ROOT], verdict, settings=settings)
        )
    return tuple(found)


def _held(debate: Debate) -> _Held:
    graph = claim_graph(debate)
    return _Held(graph, argument_names(graph, Names(taken={TOPIC, ROOT})))


__all__ = ["ArgllmsExporter"]
