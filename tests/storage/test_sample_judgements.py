from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from core.debate import profile
from core.errors import InvalidSetting
from core.judgement import Judgement, Verdict
from core.judges.llm_judge import LlmJudge
from core.judges.registry import Family, judge_id
from core.judges.votes import MeanStance
from core.native import debates_to_native
from storage import prompt_files
from storage.database import IN_MEMORY, Database
from storage.debate_repository import DebateRepository
from storage.judgement_file import judgement_lines
from storage.judgement_repository import JudgementRepository, KeptJudgement
from storage.judgement_rows import FoundJudgement
from storage.prompt_files import find_prompts
from storage.sample import FOLDER, ORIGIN, load_sample
from tests.llm.judging import a_debate, a_judge
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


def test_every_judge_that_came_with_the_samples_can_be_read_and_is_itself(database):
    load_sample(database)
    repository = JudgementRepository(database)
    models = [judge for judge in repository.judges() if judge.family is Family.LLM]
    assert models
    for stored in models:
        assert judge_id(repository.judge(stored.id)) == stored.id


@pytest.fixture
def own_prompts(monkeypatch, tmp_path):
    """A folder of prompts with a set of the user's own, called "mine", beside the standard one."""
    prompts = tmp_path / "prompts"
    for name in ("judge", "mine"):
        shutil.copytree(prompt_files.PROMPTS, prompts / name)
    claim = prompts / "mine" / "claim.txt"
    claim.write_text(claim.read_text("utf-8") + "\nTake your time.\n", "utf-8")
    monkeypatch.setattr(prompt_files, "PROMPTS", prompts / "judge")
    return prompts


def brought(database, judge):
    """Store a judge as a file of judgements brings it: its settings without its prompts."""
    DebateRepository(database).add(a_dataset(), [a_debate(1)])
    (dataset,) = DebateRepository(database).datasets()
    said = Judgement(judge.name, 0.6, Verdict.TRUE, settings=judge.settings())
    found = FoundJudgement(judge_id(judge), dataset.id, "debate-1", said, (), "", "", (), 0, None, None, None, 0.0)
    JudgementRepository(database).keep_found([found])
    return found.judge_id


def test_a_judge_with_prompts_of_the_user_s_own_folder_is_read_with_them(database, own_prompts):
    judge = replace(a_judge(), prompts=find_prompts("mine"))
    found = JudgementRepository(database).judge(brought(database, judge))
    assert isinstance(found, LlmJudge)
    assert found.prompts == judge.prompts


def test_a_judge_whose_prompts_were_edited_since_is_not_read_with_the_edited_ones(database, own_prompts):
    name = brought(database, replace(a_judge(), prompts=find_prompts("mine")))
    (own_prompts / "mine" / "claim.txt").write_text("Is this so: {{ claim | quoted }}", "utf-8")
    with pytest.raises(InvalidSetting, match="templates in the folder of that name are others"):
        JudgementRepository(database).judge(name)


def test_a_judge_whose_prompts_are_nowhere_is_refused_with_the_reason(database, own_prompts):
    name = brought(database, replace(a_judge(), prompts=find_prompts("mine")))
    shutil.rmtree(own_prompts / "mine")
    with pytest.raises(InvalidSetting, match=r"'mine' of this judge is not in the database\. There is no prompt set"):
        JudgementRepository(database).judge(name)
