from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from core.errors import InvalidSetting, MootError, UnreadableFile
from core.judges.registry import presets
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MeanStance
from core.llm.endpoint import ENDPOINTS
from core.llm.prompts import TEMPLATES
from storage import prompt_files
from storage.prompt_files import PROMPTS, find_prompts, judges_text, load_judges, load_prices, load_prompts, prompt_sets
from tests.llm.judging import a_judge, an_endpoint


def test_judges_written_to_a_file_come_back_the_same(tmp_path):
    judges = [judge for group in presets(a_judge(an_endpoint(concurrency=7))).values() for judge in group]
    judges = [*dict.fromkeys(judges), a_judge(ENDPOINTS["local"], order=(1, 0), extra='{"a": "\u00e9"}')]
    file = tmp_path / "judges.yaml"
    file.write_text(judges_text(judges), "utf-8")
    assert load_judges(file) == tuple(judges)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"judges: [",
        b"[]]",
        b"\x00",
        b"\xff\xfe",
        b"[" * 20_000,
        b"a: 2020-99-99",
        b"kind: nonsense",
        b"!!python/x 1",
    ],
)
def test_a_file_that_defines_no_judge_is_named_on_one_line(tmp_path, content):
    file = tmp_path / "mine.yaml"
    file.write_bytes(content)
    with pytest.raises(MootError, match=r"\Amine\.yaml[^\n]*\Z"):
        load_judges(file)


def test_a_definition_may_begin_with_a_byte_order_mark(tmp_path):
    for name, content in (("mine.json", '{"kind": "mean stance"}'), ("mine.yaml", "kind: mean stance")):
        (tmp_path / name).write_text(content, "utf-8-sig")
        assert load_judges(tmp_path / name) == (MeanStance(),)


def test_a_judge_without_an_endpoint_is_a_short_file():
    assert "endpoints" not in judges_text([SemanticsJudge()])
    assert "endpoints" not in judges_text([a_judge(ENDPOINTS["openai"])])


def test_edited_templates_are_another_prompt_set_and_make_other_judges(tmp_path, monkeypatch):
    folder = tmp_path / "judge"
    shutil.copytree(PROMPTS, folder)
    mine = tmp_path / "mine"
    shutil.copytree(PROMPTS, mine)
    (mine / "claim.txt").write_text("Say of {{ claim | quoted }} what you think.", "utf-8")
    monkeypatch.setattr(prompt_files, "PROMPTS", folder)
    assert find_prompts("mine").hash != find_prompts("standard").hash
    assert find_prompts("standard") == load_prompts(PROMPTS)


def test_the_standard_templates_are_those_that_judges_are_named_by():
    assert load_prompts().name == "standard", "write the new STANDARD_HASH beside the templates' loader"


def test_standard_templates_that_somebody_edited_are_called_that(tmp_path, monkeypatch):
    folder = tmp_path / "judge"
    shutil.copytree(PROMPTS, folder)
    (folder / "claim.txt").write_text("{{ claim | quoted }}?", "utf-8")
    monkeypatch.setattr(prompt_files, "PROMPTS", folder)
    edited = find_prompts("standard")
    assert edited.name == "edited"
    assert find_prompts("edited") == edited
    assert replace(a_judge(), prompts=edited).name != a_judge().name


@pytest.mark.parametrize("name", ["absent", "../judge", "/etc", "", ".", "judge/.."])
def test_a_prompt_set_is_a_folder_of_that_name_and_nothing_else(name):
    with pytest.raises(InvalidSetting, match="no prompt set"):
        find_prompts(name)


def test_the_prompt_sets_to_choose_from_are_those_that_can_be_loaded(tmp_path):
    for name in ("judge", "terse", "a b", "half"):
        shutil.copytree(PROMPTS, tmp_path / name)
    (tmp_path / "half" / f"{TEMPLATES[0]}.txt").unlink()
    assert prompt_sets(standard=tmp_path / "judge") == ("standard", "terse")


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_that_is_missing_is_named(tmp_path, template):
    shutil.copytree(PROMPTS, tmp_path / "p")
    (tmp_path / "p" / f"{template}.txt").unlink()
    with pytest.raises(UnreadableFile, match=f"{template}.txt"):
        load_prompts(tmp_path / "p")


def test_the_price_table_that_comes_with_moot_is_one_and_says_how_far_to_trust_it():
    table = load_prices()
    assert table.as_of
    assert table.price("local", ["anything"]) is not None
    assert table.price("openai", ["a-model-that-nobody-listed"]) is None


def test_a_price_table_that_is_none_is_refused(tmp_path):
    (tmp_path / "prices.yaml").write_text("- 1", "utf-8")
    with pytest.raises(InvalidSetting):
        load_prices(tmp_path / "prices.yaml")
    with pytest.raises(UnreadableFile):
        load_prices(tmp_path / "absent.yaml")
