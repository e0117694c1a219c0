"""The results file of ArgLLMs: one QBAF a claim, evaluated with the claim's base score 0.5 and an estimated one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from core.debate import Agent, Debate, DebateProtocol, RecordedJudgement, Round
from core.errors import NothingToExport
from core.exporting.claim_graph import ClaimGraph, Names, argument_names, claim_graph, mean_prior
from core.exporting.losses import Aspect, Kept, Loss, losses
from core.judgement import Verdict
from core.judges.framing import NEUTRAL
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
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
    entry: dict[str, Any] = {}
    for name, claim_score, qbaf in _evaluated(debate):
        strengths = semantics(OURS).evaluate(qbaf).strengths
        bag = _bag(debate, qbaf, {key: float(value) for key, value in zip(qbaf.names, strengths, strict=True)})
        bag["arguments"][ROOT]["initial_weight"] = claim_score
        entry[name] = {"bag": bag, "prediction": bag["arguments"][ROOT]["strength"]}
    entry["valid"] = debate.label
    return entry


def _evaluated(debate: Debate) -> Iterator[tuple[str, float, QBAF]]:
    """Yield ``base`` and, where there is a prior stance, ``estimated``, each with the claim's score and its QBAF."""
    graph, names = _named(debate)
    prior = mean_prior(debate)
    sides = [("base", NEUTRAL)] if prior is None else [("base", NEUTRAL), ("estimated", prior)]
    ends = {TOPIC: ROOT, **names}
    pairs: dict[RelationKind, list[tuple[str, str]]] = {kind: [] for kind in RelationKind}
    for relation in graph.relations:
        pairs[relation.kind].append((ends[relation.source], ends[relation.target]))
    for name, score in sides:
        arguments = [(ROOT, score), *((names[a.id], _weight(a)) for a in graph.arguments)]
        yield name, score, QBAF.build(arguments, pairs[RelationKind.ATTACK], pairs[RelationKind.SUPPORT])


def _bag(debate: Debate, qbaf: QBAF, strengths: dict[str, float]) -> dict[str, Any]:
    graph, names = _named(debate)
    texts = {ROOT: (debate.claim, NEUTRAL), **{names[a.id]: (a.text, _weight(a)) for a in graph.arguments}}
    ends = {TOPIC: ROOT, **names}
    pairs: dict[RelationKind, list[list[str]]] = {kind: [] for kind in RelationKind}
    for relation in graph.relations:
        pairs[relation.kind].append([ends[relation.source], ends[relation.target]])
    return {
        "arguments": {
            name: {"name": name, "argument": text, "initial_weight": weight, "strength": strengths[name]}
            for name, (text, weight) in texts.items()
        },
        "attacks": pairs[RelationKind.ATTACK],
        "supports": pairs[RelationKind.SUPPORT],
    }


def _kept(debate: Debate, place: int, model: str) -> Kept:
    graph, names = _named(debate)
    arguments = tuple(
        Argument(names[a.id], a.text, model, _weight(a), is_error_text=is_provider_error(a.text))
        for a in graph.arguments
    )
    ends = {TOPIC: TOPIC, **names}
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
                tuple(Relation(ends[r.source], ends[r.target], r.kind) for r in graph.relations),
            ),
        ),
        judgements=_judgements(debate),
    )
    return Kept(back, names)


def _judgements(debate: Debate) -> tuple[RecordedJudgement, ...]:
    """Return the judgements that the reader makes of the file, where the debate's own could be the same."""
    if not all(judgement.judge.startswith(f"ArgLLMs {SEMANTICS}") for judgement in debate.judgements):
        return ()
    found = []
    for side, score, qbaf in _evaluated(debate) if debate.judgements else ():
        strengths = {n: float(s) for n, s in zip(qbaf.names, semantics(OURS).evaluate(qbaf).strengths, strict=True)}
        settings = {"semantics": SEMANTICS, "claim_base_score": score, "rule": RULE, "strengths": strengths}
        verdict = Verdict.TRUE if strengths[ROOT] > NEUTRAL else Verdict.FALSE
        found.append(
            RecordedJudgement(f"ArgLLMs {SEMANTICS} ({side})", "semantics", strengths[ROOT], verdict, settings=settings)
        )
    return tuple(found)


def _named(debate: Debate) -> tuple[ClaimGraph, dict[str, str]]:
    graph = claim_graph(debate)
    return graph, argument_names(graph, Names(taken={TOPIC, ROOT}))


def _weight(argument: Argument) -> float:
    return NEUTRAL if argument.base_score is None else argument.base_score


__all__ = ["ArgllmsExporter"]
