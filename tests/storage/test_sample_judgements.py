from __future__ import annotations

import pytest

from core.debate import profile
from core.judges.registry import judge_id
from core.judges.votes import MeanStance
from core.native import debates_to_native
from storage.database import IN_MEMORY, Database
from storage.debate_repository import DebateRepository
from storage.judgement_file import judgement_lines
from storage.judgement_repository import JudgementRepository, KeptJudgement
from storage.sample import FOLDER, ORIGIN, load_sample
from tests.llm.judging import a_debate
from tests.storage.debates import a_dataset

JUDGE = MeanStance()


@pytest.fixture
def folder(tmp_path):
    """A folder of samples: three debates, and what the mean stance says of them."""
    debates = [a_debate(number) for number in range(3)]
    (tmp_path / "few.jsonl").write_bytes(debates_to_native(debates))
    with Database.open(IN_MEMORY) as database:
        DebateRepository(database).add(a_dataset(), debates)
        repository = JudgementRepository(database)
        name = repository.define(JUDGE)
        (dataset,) = DebateRepository(database).datasets()
        repository.keep(KeptJudgement(name, dataset.id, d.id, JUDGE.judge(profile(d))) for d in debates)
        lines = list(judgement_lines(database, [name], [debate.id for debate in debates]))
    (tmp_path / "judgements").mkdir()
    (tmp_path / "judgements" / "mean.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return tmp_path


def test_shipped_judgements_come_with_the_samples_and_say_where_they_are_from(database, folder):
    load_sample(database, folder)
    (found,) = JudgementRepository(database).for_debate("debate-1")
    assert found.judgement.score == JUDGE.judge(profile(a_debate(1))).score
    assert found.origin == ORIGIN == "small local model, demonstration"
    assert found.run_id == ""


def test_what_a_person_removed_does_not_come_back_until_the_samples_change(database, folder):
    load_sample(database, folder)
    JudgementRepository(database).forget_judge(judge_id(JUDGE))
    load_sample(database, folder)
    assert JudgementRepository(database).for_debate("debate-1") == ()
    file = folder / "judgements" / "mean.jsonl"
    file.write_text(file.read_text("utf-8") + "\n", "utf-8")
    load_sample(database, folder)
    assert len(JudgementRepository(database).for_debate("debate-1")) == 1


def test_the_user_s_own_judgement_is_not_replaced_by_a_shipped_one(database, folder):
    (folder / "judgements").rename(folder / "later")
    load_sample(database, folder)
    (dataset,) = DebateRepository(database).datasets()
    own = KeptJudgement(
        JudgementRepository(database).define(JUDGE),
        dataset.id,
        "debate-1",
        JUDGE.judge(profile(a_debate(2))),
        run_id="r",
    )
    JudgementRepository(database).keep([own])
    (folder / "later").rename(folder / "judgements")
    load_sample(database, folder)
    (found,) = JudgementRepository(database).for_debate("debate-1")
    assert found.run_id == "r"
    assert found.origin == ""


def test_every_shipped_judgement_is_of_a_sample_debate_as_it_is_now(database):
    files = sorted((FOLDER / "judgements").glob("*.jsonl"))
    assert files
    load_sample(database)
    lines = sum(1 for file in files for line in file.read_text("utf-8").splitlines() if '"moot-judgement/1"' in line)
    with database.read() as cursor:
        rows = cursor.execute("SELECT count(*), count(*) FILTER (origin = ?) FROM judgement", [ORIGIN]).fetchall()
    assert rows == [(lines, lines)]
