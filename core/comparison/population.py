"""Judgements of several judges on many debates as arrays, and the debates that all of the judges judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.errors import InvalidSetting
from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.overview import Scored
from core.wording import HALF

FALSE, TRUE, UNCERTAIN, NONE = 0, 1, 2, -1  # codes of verdicts; labels use FALSE, TRUE and NONE
VERDICTS = (Verdict.FALSE, Verdict.TRUE, Verdict.UNCERTAIN)  # a verdict's code is its place here
STATUSES = tuple(JudgementStatus)  # a status's code is its place here; NONE means not judged
OK, ABSTAINED = STATUSES.index(JudgementStatus.OK), STATUSES.index(JudgementStatus.ABSTAINED)
CLOSE = 1e-9  # to a bound, far more than what a rule rounds away
COLUMNS = ("judge", "debate", "score", "verdict", "status", "repeat", "order", "tokens", "cost")
NEEDED = ("judge", "debate", "score", "verdict", "status")

Codes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.object_]


class Abstention(StrEnum):
    """What an abstention (verdict Uncertain) does to the numbers; it is never taken for True or False."""

    NOT_RIGHT = "not right"
    LEFT_OUT = "left out"


class LeftOut(StrEnum):
    """Why a debate is not in the common population; the first reason that holds is the one that counts."""

    UNLABELLED = "no label"
    NOT_JUDGED = "not judged"
    NO_VERDICT = "no verdict"
    ABSTAINED = "abstained"


@dataclass(frozen=True)
class ComparedJudge:
    """A judge in a comparison.

    Attributes:
        id: Its id in the judgements.
        name: The name to show.
        family: How it is grouped.
        threshold: From which score on it says True.
    """

    id: str
    name: str
    family: str = ""
    threshold: float = HALF


@dataclass(frozen=True, eq=False)
class JudgementGrid:
    """One judgement per judge and debate, of J judges and D debates.

    Attributes:
        judges: The picked judges, J of them; the first is the baseline unless another is named.
        debates: Ids in sorted order, shape (D,), so that no result depends on the order of the input.
        labels: TRUE, FALSE or NONE, shape (D,).
        verdicts: Codes of verdicts, shape (J, D); NONE where a judgement ended without one or there is none.
        statuses: Codes of statuses, shape (J, D); NONE where there is no judgement.
        scores, tokens, costs: Shape (J, D); NaN where unknown.
    """

    judges: tuple[ComparedJudge, ...]
    debates: Ids
    labels: Codes
    verdicts: Codes
    statuses: Codes
    scores: Floats
    tokens: Floats
    costs: Floats

    @property
    def labelled(self) -> bool:
        """Return whether any debate has a gold label."""
        return bool((self.labels != NONE).any())

    def among(self, debates: Iterable[str]) -> JudgementGrid:
        """Return the judgements on some of the debates only; ids that are not here are left out."""
        wanted = set(debates)
        kept = np.fromiter((name in wanted for name in self.debates), dtype=bool, count=len(self.debates))
        return replace(
            self,
            debates=self.debates[kept],
            labels=self.labels[kept],
            verdicts=self.verdicts[:, kept],
            statuses=self.statuses[:, kept],
            scores=self.scores[:, kept],
            tokens=self.tokens[:, kept],
            costs=self.costs[:, kept],
        )


@dataclass(frozen=True, eq=False)
class Population:
    """The debates that every number of a comparison uses.

    Attributes:
        grid: All debates considered.
        members: Which of them count, shape (D,).
        reasons: For each debate the place of its reason in ``LeftOut``, NONE for members, shape (D,).
        labelled: Whether a debate needs a gold label to be a member.
        abstention: What an abstention does.
    """

    grid: JudgementGrid
    members: Mask
    reasons: Codes
    labelled: bool
    abstention: Abstention

    @property
    def judges(self) -> tuple[ComparedJudge, ...]:
        """Return the picked judges."""
        return self.grid.judges

    @cached_property
    def idle(self) -> tuple[int, ...]:
        """Return the places of judges that have judged none of the debates considered."""
        return tuple(int(place) for place in np.flatnonzero((self.grid.statuses == NONE).all(axis=1)))

    @cached_property
    def size(self) -> int:
        """Return n, how many debates count."""
        return int(self.members.sum())

    @cached_property
    def debates(self) -> Ids:
        """Return the members' ids, shape (n,)."""
        return self.grid.debates[self.members]

    @cached_property
    def labels(self) -> Codes:
        """Return the members' labels, shape (n,); none of them NONE where the population is labelled."""
        return self.grid.labels[self.members]

    @cached_property
    def verdicts(self) -> Codes:
        """Return the members' verdicts, shape (J, n); none of them NONE."""
        return self.grid.verdicts[:, self.members]

    @cached_property
    def scores(self) -> Floats:
        """Return the members' scores, shape (J, n); NaN where a judge gives verdicts only."""
        return self.grid.scores[:, self.members]

    @cached_property
    def right(self) -> Mask:
        """Return where a judge's verdict is the label, shape (J, n). An abstention is never right."""
        return np.asarray(self.verdicts == self.labels)

    @cached_property
    def gaps(self) -> Floats:
        """Return how far the judges' scores lie apart on each member, shape (n,); NaN where one is missing."""
        return np.asarray(self.scores.max(axis=0) - self.scores.min(axis=0))

    def places(self, debates: Iterable[str]) -> npt.NDArray[np.intp]:
        """Return where debates stand among the members, in their order; those that are none are left out."""
        wanted = np.array(list(debates), dtype=object)
        if not len(wanted) or not self.size:
            return np.zeros(0, np.intp)
        found = np.minimum(np.searchsorted(self.debates, wanted), self.size - 1)  # ids are in sorted order
        here = np.asarray(self.debates[found] == wanted, dtype=bool)
        return np.asarray(found[here], dtype=np.intp)

    def left_out(self, reason: LeftOut) -> list[str]:
        """Return the ids of the debates left out for a reason."""
        return [str(name) for name in self.grid.debates[self.reasons == list(LeftOut).index(reason)]]


def judgement_rows(judge: str, judgements: Mapping[str, Scored]) -> pd.DataFrame:
    """Return one judge's judgements by debate id in the columns that a grid is built from."""
    return pd.DataFrame(
        {
            "judge": judge,
            "debate": list(judgements),
            "score": [scored.score for scored in judgements.values()],
            "verdict": [scored.verdict.value if scored.verdict else None for scored in judgements.values()],
            "status": [scored.status.value for scored in judgements.values()],
        }
    ).astype({"score": "float64"})


def judgement_grid(
    judgements: pd.DataFrame, labels: Mapping[str, bool | None], judges: Sequence[ComparedJudge]
) -> JudgementGrid:
    """Return the judgements of the picked judges on the debates at hand, one per judge and debate.

    Args:
        judgements: One row a judgement: judge and debate (ids), score (in [0, 1] or missing), verdict (true, false,
            uncertain or missing), status (a JudgementStatus); if known repeat (number), order (of the agents, text),
            tokens and cost. Rows of other judges or debates are ignored.
        labels: The gold label of every debate at hand, None where unknown. These debates are the ones considered.
        judges: The picked judges, in the order to show.

    A judge that judged a debate several times counts with its first repeat, in the debate's own order of agents
    (order missing) or else in the order that sorts first. A verdict counts only with the status ok or abstained.

    Raises:
        InvalidSetting: If a needed column is missing, no judge is picked, or one is picked twice.
    """
    missing = [name for name in NEEDED if name not in judgements.columns]
    if missing:
        raise InvalidSetting(f"The judgements have no column {missing[0]!r}; they need {', '.join(NEEDED)}.")
    ids = [judge.id for judge in judges]
    if not ids:
        raise InvalidSetting("No judge is picked; pick at least one.")
    if len(set(ids)) < len(ids):
        raise InvalidSetting(f"A judge is picked twice among {', '.join(ids)}; pick each once.")
    debates = np.array(sorted(labels), dtype=object)
    rows = pd.Index(ids).get_indexer(pd.Index(judgements["judge"]))
    columns = pd.Index(debates, dtype=object).get_indexer(pd.Index(judgements["debate"], dtype=object))
    wanted = _first_of_each(judgements, rows, columns, len(debates))
    place = rows[wanted], columns[wanted]
    chosen = judgements.iloc[wanted]
    shape = len(ids), len(debates)
    verdicts, statuses = verdict_codes(chosen["verdict"], chosen["status"])
    return JudgementGrid(
        tuple(judges),
        debates,
        label_codes(labels[name] for name in debates),
        _filled(shape, place, verdicts),
        _filled(shape, place, statuses),
        _numbers(shape, place, chosen, "score"),
        _numbers(shape, place, chosen, "tokens"),
        _numbers(shape, place, chosen, "cost"),
    )


@dataclass(frozen=True, eq=False)
class DecidedScores:
    """One judge's scores as arrays, each of which comes to a verdict: N debates.

    Attributes:
        judge: Its place among a grid's judges.
        debates: Ids, N of them, in any order; those that are not in the grid are left out.
        scores: In [0, 1], shape (N,).
        verdicts: Codes, shape (N,).
    """

    judge: int
    debates: Sequence[str]
    scores: Floats
    verdicts: Codes


def with_scores(grid: JudgementGrid, decided: Iterable[DecidedScores]) -> JudgementGrid:
    """Return a grid in which some judges have these scores, without a row of a table for each."""
    verdicts, statuses, scores = grid.verdicts.copy(), grid.statuses.copy(), grid.scores.copy()
    index = pd.Index(grid.debates, dtype=object)
    found: dict[int, npt.NDArray[np.intp]] = {}  # judges mostly share one list of debates
    for said in decided:
        key = id(said.debates)
        if key not in found:
            found[key] = index.get_indexer(pd.Index(said.debates, dtype=object))
        kept = found[key] >= 0
        places = found[key][kept]
        verdicts[said.judge, places] = said.verdicts[kept]
        scores[said.judge, places] = said.scores[kept]
        statuses[said.judge, places] = np.where(said.verdicts[kept] == UNCERTAIN, ABSTAINED, OK)
    return replace(grid, verdicts=verdicts, statuses=statuses, scores=scores)


def decided_codes(scores: Floats, rule: DecisionRule) -> Codes:
    """Return the codes of the verdicts that a rule comes to for scores in [0, 1], shape (n,); equal to the rule's own.

    Only scores where rounding could decide are given to the rule one by one.
    """
    distances = scores - rule.threshold
    codes = np.where(distances > 0, TRUE, FALSE).astype(np.int8)
    codes[np.abs(distances) < rule.abstention] = UNCERTAIN
    close = (np.abs(distances) < CLOSE) | (np.abs(np.abs(distances) - rule.abstention) < CLOSE)
    for place in np.flatnonzero(close).tolist():
        codes[place] = VERDICTS.index(rule.verdict(float(scores[place])))
    return codes


def common_population(
    grid: JudgementGrid, *, labelled: bool = True, abstention: Abstention = Abstention.NOT_RIGHT
) -> Population:
    """Return the debates on which every picked judge came to a verdict.

    Args:
        grid: The judgements.
        labelled: Leave out debates without a gold label; False where labels are hidden or there are none.
        abstention: NOT_RIGHT keeps a debate on which a judge abstains, LEFT_OUT leaves it out for all judges.
    """
    reasons = np.full(len(grid.debates), NONE, np.int8)
    holds = {
        LeftOut.UNLABELLED: (grid.labels == NONE) & labelled,
        LeftOut.NOT_JUDGED: (grid.statuses == NONE).any(axis=0),
        LeftOut.NO_VERDICT: (grid.verdicts == NONE).any(axis=0),
        LeftOut.ABSTAINED: (grid.verdicts == UNCERTAIN).any(axis=0) & (abstention is Abstention.LEFT_OUT),
    }
    for place, reason in enumerate(LeftOut):
        reasons[(reasons == NONE) & holds[reason]] = place
    return Population(grid, reasons == NONE, reasons, labelled, abstention)


def verdict_codes(verdicts: pd.Series, statuses: pd.Series) -> tuple[Codes, Codes]:
    """Return the codes of verdicts and of statuses; a verdict under any status but ok or abstained is none.

    Raises:
        InvalidSetting: If a verdict or status is not one of the known ones.
    """
    status_codes = _codes(statuses, STATUSES, "status")
    decided = (status_codes == OK) | (status_codes == ABSTAINED)
    return np.where(decided, _codes(verdicts, VERDICTS, "verdict"), NONE).astype(np.int8), status_codes


def label_codes(labels: Iterable[bool | None]) -> Codes:
    """Return labels as TRUE, FALSE and NONE."""
    return np.array([NONE if label is None else int(label) for label in labels], np.int8)


def _codes(values: pd.Series, known: Sequence[StrEnum], what: str) -> Codes:
    present, uniques = pd.factorize(values)
    names = [str(member) for member in known]
    unknown = [value for value in uniques if str(value) not in names]
    if unknown:
        raise InvalidSetting(f"The {what} {str(unknown[0])!r} is unknown; there are {', '.join(names)}.")
    table = np.array([*(names.index(str(value)) for value in uniques), NONE], np.int8)
    return np.asarray(table[present])  # a missing value has the code -1, which reads the last entry


def _first_of_each(
    judgements: pd.DataFrame, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], width: int
) -> npt.NDArray[np.intp]:
    """Return the positions of the rows to use: the first repeat and order of every judge and debate."""
    wanted = np.flatnonzero((rows >= 0) & (columns >= 0))
    keys = rows[wanted] * width + columns[wanted]
    later: list[npt.NDArray[np.float64]] = []  # what decides between several judgements, most important last
    if "order" in judgements.columns:
        later.append(order_ranks(judgements["order"])[wanted])
    if "repeat" in judgements.columns:
        later.append(judgements["repeat"].to_numpy(dtype="float64", na_value=-np.inf)[wanted])
    sequence = np.lexsort([*later, keys])
    first = np.ones(len(sequence), dtype=bool)
    first[1:] = keys[sequence][1:] != keys[sequence][:-1]
    return wanted[sequence[first]]


def order_ranks(orders: pd.Series) -> Floats:
    """Return where each order of agents stands when sorted; -1 for a missing one, the debate's own order."""
    codes, _ = pd.factorize(orders, sort=True)
    return codes.astype(np.float64)


def _filled(shape: tuple[int, int], place: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], values: Codes) -> Codes:
    grid = np.full(shape, NONE, np.int8)
    grid[place] = values
    return grid


def _numbers(
    shape: tuple[int, int], place: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], rows: pd.DataFrame, column: str
) -> Floats:
    grid = np.full(shape, np.nan)
    if column in rows.columns:
        grid[place] = rows[column].to_numpy(dtype="float64", na_value=np.nan)
    return grid
