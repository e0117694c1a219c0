"""Inspect AI logs, as JSON and as .eval archives."""

import json

import pytest

from core.debate import DebateProtocol
from core.judgement import Verdict
from storage.readers import read_file
from tests.storage.readers.archives import zip_of, zstandard_zip_of
from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import arguments, codes, problems, read, relations, stances

LOG = json.loads((LOGS / "inspect.json").read_text())


def members(**changes):
    header = {key: value for key, value in LOG.items() if key != "samples"}
    files = {"_journal/start.json": json.dumps(header).encode()}
    for sample in LOG["samples"]:
        files[f"samples/{sample['id']}_epoch_{sample['epoch']}.json"] = json.dumps(sample).encode()
    summaries = [{"id": sample["id"], "epoch": sample["epoch"]} for sample in LOG["samples"]]
    files |= {"summaries.json": json.dumps(summaries).encode(), "header.json": json.dumps(header).encode()}
    return {name: data for name, data in (files | changes).items() if data is not None}


def test_stored_arguments_make_a_debate(log):
    file = log("inspect.json")
    first = file.debates[0]
    assert (file.format, [debate.id for debate in file.debates]) == ("inspect", ["1_epoch_1", "1_epoch_2"])
    assert (first.claim, first.label, first.protocol) == ("Tides follow the moon.", True, DebateProtocol.OTHER)
    assert arguments(first) == [
        ("pro1", "High water moves with it.", 0.8),
        ("con1", "The sun pulls too.", None),
        ("pro2", "Half as much.", 0.6),
    ]
    assert relations(first) == ["pro1 +", "con1 -", "pro2 -con1"]  # a pro of the other side's argument attacks it
    assert stances(first, 0) == {"pro": (0.7, None), "con": (0.3, None)}
    assert stances(first) == {"pro": (None, 0.8)}
    assert [(m.speaker, m.round) for m in first.transcript] == [("user", None), ("pro", 1), ("CON", 1)]


def test_scores_of_scorers_are_judgements_and_nan_is_missing(log):
    file = log("inspect.json")
    assert [(j.judge, j.kind, j.score, j.verdict) for j in file.debates[0].judgements] == [
        ("judge_score", "llm", 0.75, Verdict.TRUE),
        ("match", "scorer", None, Verdict.TRUE),
        ("shaky", "scorer", None, None),
    ]
    assert ("score_not_finite", 17, "samples[0].scores.shaky.value") in problems(file)


def test_a_talk_that_only_the_events_hold_is_found_in_the_spans_of_agents(log):
    file = log("inspect.json")
    second = file.debates[1]
    assert second.claim == "Tides follow the moon."
    assert (second.label, second.protocol) == (None, DebateProtocol.TRANSCRIPT)
    assert [(m.speaker, m.round, m.text, m.model) for m in second.transcript] == [
        ("optimist", 1, "A long text.", "mock/a"),
        ("sceptic", 1, "attachment://gone", "mock/b"),
    ]
    assert {"sample_failed", "target_no_label", "attachment_missing", "transcript_only"} <= set(codes(file))


@pytest.mark.parametrize("pack", [zip_of, zstandard_zip_of])
def test_an_eval_archive_gives_the_same_debates_whatever_its_packing(log, pack):
    file = read_file(pack(members()), "x")
    assert file.format == "inspect"
    assert [d.rounds for d in file.debates] == [d.rounds for d in log("inspect.json").debates]
    assert {issue.file for issue in file.issues if issue.code == "sample_failed"} == {"samples/1_epoch_2.json"}


def test_an_archive_on_disk_is_not_read_whole(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(zstandard_zip_of(members()))
    file = read_file(path, "x")
    assert (len(file.debates), file.size) == (2, path.stat().st_size)


def test_a_sample_that_is_listed_and_missing_is_named_and_the_rest_opens():
    file = read_file(zip_of(members(**{"samples/1_epoch_1.json": None})), "x")
    assert (len(file.debates), "sample_missing" in codes(file)) == (1, True)


def test_a_log_that_is_still_written_has_only_its_journal():
    file = read_file(zip_of(members(**{"header.json": None, "summaries.json": None})), "x")
    assert (len(file.debates), "log_unfinished" in codes(file)) == (2, True)


def test_a_log_without_samples_and_an_index_of_logs_say_what_they_are():
    header = {key: value for key, value in LOG.items() if key != "samples"}
    assert "samples_missing" in codes(read(json.dumps(header)))
    index = read(json.dumps({"a.eval": header, "b.eval": header}))
    assert (index.refused, "index_of_logs" in codes(index)) == (True, True)


def test_a_damaged_sample_leaves_the_others():
    packed = bytearray(zstandard_zip_of(members()))
    place = packed.index(b"samples/1_epoch_1.json") + 40
    packed[place : place + 20] = bytes(20)
    file = read_file(bytes(packed), "x")
    assert ("member_unreadable" in codes(file), len(file.debates)) == (True, 1)


def test_a_sample_that_unpacks_to_far_more_than_it_weighs_is_refused():
    bomb = zstandard_zip_of(members(**{"samples/1_epoch_1.json": b" " * (64 << 20)}))
    assert len(bomb) < 100_000
    file = read_file(bomb, "x")
    assert [i.code for i in file.issues if "zip bomb" in i.message] == ["member_unreadable"]
    assert len(file.debates) == 1


def test_the_first_logs_with_one_score_and_a_transcript_of_events_are_read():
    old = {"version": 1, "status": "success", "eval": {"task": "t", "model": "m"}}
    sample = {"id": "a", "epoch": 1, "input": "C.", "target": "no", "score": {"value": "I", "answer": "yes"}}
    (debate,) = read(json.dumps(old | {"samples": [sample]})).debates
    assert (debate.label, debate.judgements[0].verdict) == (False, Verdict.TRUE)


REDUCTIONS = [
    {"scorer": "match", "reducer": "mean", "samples": [
        {"value": 0.5, "answer": "", "sample_id": 1}, {"value": float("nan"), "sample_id": "gone"}]},
    {"scorer": "judge_score", "samples": [{"value": 0.75, "explanation": "Twice.", "sample_id": 1}, {"value": 1}]},
]  # fmt: skip


def test_scores_over_all_epochs_are_kept_with_each_epoch_of_the_sample():
    archive = read(zip_of(members(**{"reductions.json": json.dumps(REDUCTIONS).encode()})))
    whole = read(json.dumps(LOG | {"reductions": REDUCTIONS}))
    for file in (archive, whole):
        assert [debate.provenance.get("reductions") for debate in file.debates] == [
            [{"scorer": "match", "reducer": "mean", "value": 0.5},
             {"scorer": "judge_score", "value": 0.75, "explanation": "Twice."}]
        ] * len(file.debates)  # fmt: skip
        assert "reductions_kept" in codes(file)
    assert "reductions" not in read(json.dumps(LOG)).debates[0].provenance
