"""What a comparison of judges is made of: their judgements of stored debates, with claims and labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import pandas as pd

from core.comparison.metrics import summary_table
from core.comparison.names import short_names
from core.comparison.population import (
    COLUMNS,
    Abstention,
    ComparedJudge,
    DecidedScores,
    JudgementGrid,
    common_population,
    decided_codes,
    judgement_grid,
    judgement_rows,
    with_scores,
)
from core.comparison_report import Comparison
from core.diagnostics import Diagnosis
from core.judges.many import ProfileArrays, scores_many
from core.judges.recorded_judge import RecordedJudge
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import OpinionProfile
from core.overview import Scored
from core.wording import threshold_of
from storage.database import Database, first_row
from storage.debate_repository import DebateRepository
from storage.judge_catalogue import Candidate
from storage.judge_remarks import grid_diagnoses, remarks
from storage.judgement_repository import JudgementRepository
from storage.many_judgements import judged
from storage.profile_arrays import profile_arrays
from storage.prompt_files import load_prices

ALL = "All data sets"


@dataclass(frozen=True, eq=False)
class Material:
    """The judgements of some judges on a data set, or on all.

    Attributes:
        judges: In the order picked.
        grid: Their judgements, under short names.
        claims: By debate id.
        dataset: The data set's name.
        dataset_hash: Of its file; empty for all data sets together.
        diagnoses: What each judge's scores look like.
    """

    judges: tuple[Candidate, ...]
    grid: JudgementGrid
    claims: Mapping[str, str]
    dataset: str
    dataset_hash: str
    diagnoses: tuple[Diagnosis, ...]

    @property
    def remarks(self) -> tuple[tuple[str, ...], ...]:
        """Return what is to be said of each judge wherever its figures are shown."""
        return tuple(remarks(judge, found) for judge, found in zip(self.judges, self.diagnoses, strict=True))

    def comparison(
        self,
        debates: Iterable[str] | None = None,
        filter_words: str = "",
        *,
        labels: bool = True,
        abstention: Abstention = Abstention.NOT_RIGHT,
        published: pd.DataFrame | None = None,
    ) -> Comparison:
        """Return the judges side by side.

        Args:
            debates: Only these; all of the data set unless given.
            filter_words: Which those are, in words.
            labels: Whether gold labels may be used; where no debate has one they are not.
            abstention: What an abstention does.
            published: Published figures to show beside, in the columns of a summary table.
        """
        grid = self.grid if debates is None else self.grid.among(debates)
        chosen = common_population(grid, labelled=labels and grid.labelled, abstention=abstention)
        whole = tuple(judge.name for judge in self.judges)
        shown = summary_table(()) if published is None else published
        return Comparison(
            chosen,
            self.claims,
            self.dataset,
            self.dataset_hash,
            whole,
            self.remarks,
            filter_words,
            shown,
            load_prices().currency,
        )


def material(
    database: Database, judges: Sequence[Candidate], dataset: str | None, arrays: ProfileArrays | None = None
) -> Material:
    """Return the judgements of the judges picked on a data set, on all debates unless one is named.

    Args:
        database: Where everything is.
        judges: At least one.
        dataset: A data set's id.
        arrays: The profiles of its debates, where these were read before.
    """
    with database.read() as cursor:
        rows = cursor.execute(
            "SELECT id, claim, label FROM debate WHERE ? IS NULL OR dataset_id = ?", [dataset, dataset]
        ).fetchall()
        named = first_row(cursor.execute("SELECT name, sha256 FROM dataset WHERE id = ?", [dataset]))
    names = short_names([judge.name for judge in judges], [judge.family for judge in judges])
    compared = [
        ComparedJudge(one.id, name, one.family, threshold_of(one.settings))
        for one, name in zip(judges, names, strict=True)
    ]
    labels: dict[str, bool | None] = {name: label for name, _, label in rows}
    if arrays is None and any(one.local is not None for one in judges):
        arrays = profile_arrays(database, list(labels))
    grid = judgement_grid(_judgements(database, judges, dataset, arrays), labels, compared)
    if arrays is not None:
        grid = with_scores(grid, _at_once(judges, arrays))
    name, digest = named or (ALL, "")
    return Material(
        tuple(judges),
        grid,
        {debate: claim for debate, claim, _ in rows},
        name,
        digest,
        grid_diagnoses(database, judges, grid),
    )


def _at_once(judges: Sequence[Candidate], arrays: ProfileArrays) -> Iterator[DecidedScores]:
    """Return what every semantics says of all debates but those of a circular kind."""
    kept = ~arrays.cyclic
    debates = arrays.debates if kept.all() else list(compress(arrays.debates, kept))
    for place, one in enumerate(judges):
        if isinstance(one.judge, SemanticsJudge):
            scores = np.array(scores_many(one.judge, arrays))[kept]
            yield DecidedScores(place, debates, scores, decided_codes(scores, one.judge.rule))


def _judgements(
    database: Database, judges: Sequence[Candidate], dataset: str | None, arrays: ProfileArrays | None
) -> pd.DataFrame:
    """Return the judgements that are not made at once, one a row."""
    frames = []
    circular: dict[str, OpinionProfile] = {}
    if arrays is not None and arrays.cyclic.any() and any(isinstance(one.judge, SemanticsJudge) for one in judges):
        circular = DebateRepository(database).profiles(compress(arrays.debates, arrays.cyclic))
    for one in judges:
        if isinstance(one.judge, RecordedJudge):
            frames.append(_recorded(database, one.id, one.judge, dataset))
        elif isinstance(one.judge, SemanticsJudge):
            said = {name: Scored.of(one.judge.judge(held)) for name, held in circular.items()}
            frames.append(judgement_rows(one.id, said))
        elif one.judge is not None:
            frames.append(judgement_rows(one.id, judged(database, one.judge, arrays=arrays)))
    kept = [one.id for one in judges if one.judge is None]
    if kept:
        frames.append(JudgementRepository(database).frame(kept, None if dataset is None else [dataset]))
    filled = [frame for frame in frames if len(frame)]
    empty = pd.DataFrame({name: pd.Series(dtype="object") for name in COLUMNS})
    return pd.concat(filled, ignore_index=True) if filled else empty


def _recorded(database: Database, name: str, judge: RecordedJudge, dataset: str | None) -> pd.DataFrame:
    """Return the judgements that came with the debates; the first of several by one judge on one debate counts."""
    with database.read() as cursor:
        return cursor.execute(
            "SELECT ? AS judge, d.id AS debate, arg_min(struct_pack(s := r.score), r.position).s AS score, "
            "arg_min(struct_pack(v := r.verdict), r.position).v AS verdict, "
            "arg_min(r.status, r.position) AS status FROM recorded_judgement AS r "
            "JOIN debate AS d ON d.number = r.debate "
            "WHERE r.judge = ? AND r.kind = ? AND (? IS NULL OR d.dataset_id = ?) GROUP BY d.id ORDER BY d.id",
            [name, judge.judge, judge.kind, dataset, dataset],
        ).df()


__all__ = ["ALL", "Material", "material"]
