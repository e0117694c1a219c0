"""Mappings are kept under a name, travel as small files, and are used by the command line."""

import json

import pytest

from core.errors import InvalidSetting, MootError, NotAllowed, UnreadableFile
from core.score_text import Scale
from storage.debate_repository import DebateRepository
from storage.importer import Wish, import_file
from storage.mapping_file import NamedMapping, mapping_text, read_mapping
from storage.mapping_repository import MappingRepository, mapping_named
from storage.readers import Layout, PathMapping, StatementPaths, TableMapping
from tests.storage.people import VIEWER

PATHS = PathMapping(
    "claim",
    (StatementPaths("turns[].text", agent="turns[].by", score="turns[].sure"),),
    debate_id="id",
    scales={"turns[].sure": Scale.TEN},
)
TABLE = TableMapping(Layout.LONG, claim="c", text="t", polarity="p", scales={"s": Scale.FIVE}, why={"c": "a guess"})
LOG = b'{"id": "bees", "claim": "Bees can count.", "turns": [{"text": "To four.", "by": "ann", "sure": 7}]}'


@pytest.mark.parametrize("mapping", [PATHS, TABLE])
def test_a_mapping_comes_back_from_its_file_in_yaml_and_in_json(mapping):
    named = NamedMapping("Our «own» logs: 1", mapping)
    text = mapping_text(named)
    again = read_mapping(text)
    assert again.name == named.name
    assert again.mapping.to_json() | {"why": None} == mapping.to_json() | {"why": None}
    as_json = {"moot_mapping": 1, "kind": named.kind, **json.loads(json.dumps(mapping.to_json()))}
    assert read_mapping(json.dumps(as_json), "fallback").name == "fallback"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no mapping"),
        ("claim: x", "begins with moot_mapping"),
        ("moot_mapping: 2", "version"),
        ("moot_mapping: 1\nkind: dance", "kind"),
        ("moot_mapping: 1\nclaim: c\nstatements: 3", "list of statements"),
        ("moot_mapping: 1\nclaim: c\nstatements: [{text: 't['}]", "no path"),
        ("moot_mapping: 1\nclaim: c\nstatements: [{text: t}]\nmood: good", "unknown key 'mood'"),
        ("moot_mapping: 1\nclaim: c\nstatements: [{text: t}]\nscales: {t: many}", "none of"),
        ("moot_mapping: &a [*a]", "aliases"),
        ("moot_mapping: 1\nkind: table\nlayout: round", "not a table mapping"),
        ("moot_mapping: 1\nkind: table\nlayout: long\nclaim: [1]", "are texts"),
        ("{", "neither YAML nor JSON"),
    ],
)
def test_what_is_no_mapping_is_refused_with_the_reason(text, why):
    with pytest.raises((UnreadableFile, InvalidSetting), match=why):
        read_mapping(text)


def test_a_mapping_is_kept_replaced_found_and_forgotten(database):
    repository = MappingRepository(database)
    repository.save(NamedMapping("ours", PATHS))
    repository.save(NamedMapping("ours", TABLE))
    repository.save(NamedMapping("  other\n one ", PATHS))
    assert repository.names() == ("other one", "ours")
    assert isinstance(repository.get("ours"), TableMapping)
    assert repository.get("other one") == PATHS
    repository.remove("ours")
    assert [named.name for named in repository.all()] == ["other one"]
    with pytest.raises(MootError, match="there are: 'other one'"):
        repository.get("ours")


def test_viewers_keep_no_mappings(database):
    with pytest.raises(NotAllowed):
        MappingRepository(database, VIEWER).save(NamedMapping("ours", PATHS))
    with pytest.raises(NotAllowed):
        MappingRepository(database, VIEWER).remove("ours")


def test_a_mapping_is_found_by_name_or_file(database, tmp_path):
    MappingRepository(database).save(NamedMapping("ours", PATHS))
    assert mapping_named(database, "ours").mapping == PATHS
    file = tmp_path / "theirs.yaml"
    file.write_text(mapping_text(NamedMapping("theirs", PATHS)))
    assert mapping_named(database, str(file)).name == "theirs"
    with pytest.raises(MootError, match=r"neither a mapping's file nor a saved mapping; saved are: 'ours'"):
        mapping_named(database, "nobody's")


def test_a_file_is_imported_by_a_mapping_which_the_data_set_keeps(database):
    wish = Wish(mapping=PATHS, mapping_name="ours")
    report = import_file(database, LOG, "bees.json", wish)
    assert (report.format, report.debates, report.arguments) == ("paths", 1, 1)
    assert DebateRepository(database).get("bees").rounds[0].arguments[0].base_score == 0.7
    (dataset,) = DebateRepository(database).datasets()
    kept = json.loads(dataset.mapping)
    assert (kept["name"], kept["kind"], kept["claim"]) == ("ours", "paths", "claim")


def test_a_derivation_is_applied_only_where_chosen_and_kept_with_the_data_set(database):
    record = {
        "nodes": [{"id": "c", "claim": "C."}, {"id": "a", "claim": "A."}],
        "links": [{"source": "a", "target": "c"}],
    }
    data = json.dumps(record).encode()
    import_file(database, data, "plain.json", Wish())
    import_file(database, data, "derived.json", Wish(again=True, derivations=("unsigned-support",)))
    plain, derived = DebateRepository(database).datasets()
    assert (plain.derivations, derived.derivations) == ("", "unsigned-support")
    repository = DebateRepository(database)
    frame = repository.list()
    by_dataset = dict(zip(frame["dataset_id"], frame["id"], strict=True))
    assert repository.get(by_dataset[plain.id]).rounds[0].relations == ()
    with_support = repository.get(by_dataset[derived.id])
    assert [r.kind for r in with_support.rounds[0].relations] == ["support"]
    assert with_support.provenance["derived"] == ["unsigned-support"]
