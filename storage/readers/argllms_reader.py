"""The reader of ArgLLMs results: one QBAF a claim, evaluated with the claim's base score 0.5 and with an estimated one.

Both evaluations share their arguments, so they make one debate: the estimated base score of the claim is the model's
prior stance, and both given scores are recorded judgements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.debate import DebateProtocol
from core.errors import MootError, UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.judgement import Verdict
from core.opinion import TOPIC, RelationKind
from core.qbaf import QBAF
from core.semantics import semantics
from storage.readers.draft import DebateDraft, finite, mapping, objects, text_or_none
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "argllms"
SETS = ("base", "estimated")
MOST_COMPARED = 2000  # arguments of a bag whose strengths are worked out again
CLOSE = 1e-6  # given and recomputed strengths may differ by this
_SEMANTICS = {"dfquad": "df-quad", "qe": "qe", "eb": "euler"}
_KINDS = (("supports", RelationKind.SUPPORT), ("attacks", RelationKind.ATTACK))


class ArgllmsReader:
    """Knows the results files of argumentative-llms, and tells its baseline files, which hold no debate."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is a results file: an entry of ``data`` has a bag, or predictions stand beside labels."""
        for record in source.head[:1]:
            whole = mapping(record.value)
            entries = objects(whole.get("data"))
            if any(_bag(entry, name) for entry in entries[:50] for name in SETS):
                return Recognised(FORMAT, "Entries of 'data' hold bags of arguments, attacks and supports.")
            if isinstance(whole.get("predictions"), list) and isinstance(whole.get("labels"), list):
                return Recognised(FORMAT, "It has predictions and labels, as an ArgLLMs baseline file has.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each entry of ``data``."""
        for record in source.values(issues):
            whole = mapping(record.value)
            if "data" not in whole:
                message = (
                    "This holds verdicts only (a baseline of ArgLLMs): no arguments, so there is no debate to load."
                )
                issues.error("no_arguments", message, record.line, "predictions")
                continue
            settings = mapping(whole.get("arguments"))
            data = whole["data"]
            for index, entry in enumerate(data if isinstance(data, list) else [data]):
                issues.locate = record.locate
                try:
                    yield _Entry(issues, record.line, f"data[{index}]", mapping(entry), settings, whole).read(index)
                except UnreadableRecord as error:
                    issues.error("record_unreadable", f"{error} It is left out.", record.line, f"data[{index}]")
                finally:
                    issues.locate = None


class _Entry:
    """One claim of a results file on its way to a debate."""

    def __init__(
        self,
        issues: IssueLog,
        line: int,
        where: str,
        entry: Mapping[str, Any],
        settings: Mapping[str, Any],
        whole: Mapping[str, Any],
    ) -> None:
        self.issues = issues
        self.line = line
        self.where = where
        self.entry = entry
        self.settings = settings
        self.whole = whole

    def read(self, index: int) -> LineAndDebate:
        bags = {name: bag for name in SETS if (bag := _bag(self.entry, name))}
        if not bags:
            raise UnreadableRecord(f"{self.where} has no bag of arguments.")
        first = next(iter(bags))
        root, nodes, edges = self._graph(bags[first], f"{self.where}.{first}.bag")
        draft = DebateDraft(
            self.issues, self.line, f"claim-{index + 1}", nodes[root].get("argument"),
            f"{self.where}.{first}.bag.arguments.{root}.argument",
        )  # fmt: skip
        draft.label(self.entry.get("valid"), f"{self.where}.valid")
        model = text_or_none(self.settings.get("model_name")) or "model"
        draft.agent(model, model=self.settings.get("model_name"), temperature=self.settings.get("temperature"))
        draft.provenance["generation"] = {k: v for k, v in self.settings.items() if v not in (None, "")}
        draft.holds_round(0)
        ids = {root: TOPIC}
        for name, node in nodes.items():
            if name != root:
                ids[name] = self._argument(draft, model, name, node, f"{self.where}.{first}.bag.arguments.{name}")
        for source, target, kind, where in edges:
            if source == root:
                message = f"The claim bears on {quoted(target)}; a claim cannot, so that is left out."
                self.issues.warning("relation_from_claim", message, self.line, where)
            else:
                draft.relation(0, ids.get(source, source), ids.get(target, target), kind, where)
        self._scores(draft, model, bags, root, nodes)
        return self.line, draft.debate(DebateProtocol.SINGLE_TURN)

    def _graph(
        self, bag: Mapping[str, Any], where: str
    ) -> tuple[str, dict[str, Mapping[str, Any]], list[tuple[str, str, RelationKind, str]]]:
        nodes: dict[str, Mapping[str, Any]] = {
            name: node for name, node in mapping(bag.get("arguments")).items() if isinstance(node, dict)
        }
        edges: list[tuple[str, str, RelationKind, str]] = []
        for key, kind in _KINDS:
            listed = bag.get(key)
            for number, pair in enumerate(listed if isinstance(listed, list) else []):
                path = f"{where}.{key}[{number}]"
                if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(end, str) for end in pair)):
                    message = f"A pair of names was expected, not {quoted(pair)}; it is left out."
                    self.issues.warning("relation_unreadable", message, self.line, path)
                elif pair[0] not in nodes:
                    message = f"The relation starts at {quoted(pair[0])}, which is not in the bag; it is left out."
                    self.issues.warning("relation_dangling", message, self.line, path)
                else:
                    edges.append((pair[0], pair[1], kind, path))
        if not nodes:
            raise UnreadableRecord(f"{where} has no arguments.")
        starts = {source for source, _, _, _ in edges}
        sinks = [name for name in nodes if name not in starts]
        root = "db0" if "db0" in nodes else sinks[0] if sinks else next(iter(nodes))
        if "db0" not in nodes and len(sinks) != 1:
            message = f"{len(sinks)} arguments bear on nothing; {quoted(root)} is taken for the claim."
            self.issues.warning("claim_assumed", message, self.line, where)
        return root, nodes, edges

    def _argument(self, draft: DebateDraft, model: str, name: str, node: Mapping[str, Any], where: str) -> str:
        text = node.get("argument")
        if isinstance(text, str) and text.strip().upper() == "N/A":
            message = f"The model gave no argument for {quoted(name)} ('N/A'); it stays, with its base score."
            self.issues.info("argument_declined", message, self.line, f"{where}.argument")
        return draft.argument(
            0, name, text, f"{where}.argument", author=model, score=node.get("initial_weight"),
            score_field=f"{where}.initial_weight",
        )  # fmt: skip

    def _scores(
        self,
        draft: DebateDraft,
        model: str,
        bags: Mapping[str, Mapping[str, Any]],
        root: str,
        nodes: Mapping[str, Mapping[str, Any]],
    ) -> None:
        key = text_or_none(self.settings.get("semantics")) or ""
        for name, bag in bags.items():
            given = {node: mapping(entry) for node, entry in mapping(bag.get("arguments")).items()}
            where = f"{self.where}.{name}"
            others = [
                node for node in nodes
                if node != root and given.get(node, {}).get("initial_weight") != nodes[node].get("initial_weight")
            ]  # fmt: skip
            if others:
                message = (
                    f"{len(others)} arguments have another base score in {name!r} than in {next(iter(bags))!r}, the "
                    f"first is {quoted(others[0])}; the first is kept, the other is in the judgement's settings."
                )
                self.issues.warning("base_score_disagrees", message, self.line, where)
            weight = given.get(root, {}).get("initial_weight")
            if name == "estimated":
                draft.stance(0, model, "prior", weight, f"{where}.bag.arguments.{root}.initial_weight")
            score = mapping(self.entry.get(name)).get("prediction")
            number = finite(score)
            verdict = None if number is None else Verdict.TRUE if number > 0.5 else Verdict.FALSE  # ArgLLMs' rule
            settings: dict[str, Any] = {
                "semantics": key, "claim_base_score": weight, "rule": "true above 0.5",
                "strengths": {node: entry.get("strength") for node, entry in given.items()},
            }  # fmt: skip
            if others:
                settings["base_scores"] = {node: given.get(node, {}).get("initial_weight") for node in others}
            draft.judgement(
                f"ArgLLMs {key or 'semantics'} ({name})", "semantics", score=score, verdict=verdict, settings=settings,
                where=f"{where}.prediction",
            )  # fmt: skip
            self._compare(bag, given, key, f"{where}.bag")

    def _compare(self, bag: Mapping[str, Any], given: Mapping[str, Mapping[str, Any]], key: str, where: str) -> None:
        if key not in _SEMANTICS or len(given) > MOST_COMPARED:
            return
        scores = [(name, finite(entry.get("initial_weight"))) for name, entry in given.items()]
        listed = {name: bag[name] for name, _ in _KINDS if isinstance(bag.get(name), list)}
        pairs = {name: [tuple(pair) for pair in found if isinstance(pair, list)] for name, found in listed.items()}
        try:
            qbaf = QBAF.build(scores, pairs.get("attacks", ()), pairs.get("supports", ()))  # type: ignore[arg-type]
            if not qbaf.acyclic:
                return  # a fixed point depends on how it was looked for
            evaluation = semantics(_SEMANTICS[key]).evaluate(qbaf)
        except (MootError, TypeError, ValueError):
            return  # what is wrong with it has been said
        strengths = {name: float(value) for name, value in zip(qbaf.names, evaluation.strengths, strict=True)}
        wrong = [
            (name, strength) for name, entry in given.items()
            if (strength := finite(entry.get("strength"))) is not None and abs(strength - strengths[name]) > CLOSE
        ]  # fmt: skip
        if wrong:
            name, strength = wrong[0]
            message = (
                f"The file gives {len(wrong)} strengths that {key} does not come to, the first is {strength} for "
                f"{quoted(name)}, where {key} gives {strengths[name]:.6f}; another semantics may have been used."
            )
            self.issues.warning("strength_differs", message, self.line, f"{where}.arguments.{name}.strength")


def _bag(entry: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    bag = mapping(mapping(entry.get(name)).get("bag"))
    return bag if isinstance(bag.get("arguments"), dict) and bag["arguments"] else {}


__all__ = ["ArgllmsReader"]
