"""PROClaim's output: a folder of files joined by claim and run."""

import io
import zipfile

from core.debate import DebateProtocol
from core.judgement import JudgementStatus, Verdict
from storage.importer import Wish, import_file
from storage.readers import read_file
from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import codes, relations

FOLDER = LOGS / "proclaim"


def by_id(file):
    return {debate.id: debate for debate in file.debates}


def test_the_files_of_a_folder_are_joined_by_claim_and_run(log):
    file = log("proclaim")
    assert (file.format, file.refused) == ("proclaim", False)
    debates = by_id(file)
    assert set(debates) == {
        "c1/run_1",
        "c1/run_1/switched",
        "c2/run_1",
        "A claim that nobody debated./judge evaluation",
    }
    first = debates["c1/run_1"]
    assert (first.protocol, first.claim_id, first.label) == (DebateProtocol.COURTROOM, "c1", False)
    assert first.provenance["switched_run"] == "c1/run_1/switched"
    assert debates["c1/run_1/switched"].provenance["switched_from"] == "c1/run_1"
    assert {e["evidence_id"]: e.get("admitted") for e in first.exhibits} == {"E7": None, "E1": True}
    assert debates["c2/run_1"].provenance["columns"]["figures of a claim"]["token_total"] == 10


def test_counsel_take_sides_and_experts_do_not(log):
    first = by_id(log("proclaim"))["c1/run_1"]
    assert relations(first, 0) == ["proponent-r1 +", "opponent-r1 -"]
    assert [a.id for a in first.rounds[0].arguments] == ["proponent-r1", "opponent-r1", "expert-r1"]
    assert first.rounds[0].arguments[0].source == "PMID 7654321"
    assert len(first.rounds[1].arguments) == 5  # the last round holds what was said before too
    assert {a.base_score for a in first.rounds[1].arguments} == {None}
    assert [a.id for a in first.rounds[1].arguments if a.is_error_text] == ["opponent-r2"]
    assert [m.speaker for m in first.transcript] == ["proponent", "opponent", "expert", "proponent", "opponent"]


def test_a_vote_that_only_stands_in_for_one_is_no_vote(log):
    judgements = by_id(log("proclaim"))["c1/run_1"].judgements
    assert [(j.judge, j.verdict, j.status) for j in judgements] == [
        ("final verdict", Verdict.TRUE, JudgementStatus.OK),
        ("Judge 1", Verdict.TRUE, JudgementStatus.OK),
        ("Judge 2", Verdict.FALSE, JudgementStatus.OK),
        ("Judge 3", None, JudgementStatus.UNREADABLE),
        ("panel of judges", Verdict.TRUE, JudgementStatus.OK),
    ]
    assert {j.score for j in judgements} == {None}  # a confidence is no truth score


def test_every_fault_that_its_writer_hides_is_flagged(log):
    found = {(issue.code, issue.file) for issue in log("proclaim").issues}
    assert found >= {
        ("provider_error", "a.jsonl"),
        ("critic_failed", "a.jsonl"),
        ("reflection_failed", "a.jsonl"),
        ("evidence_repeated", "a.jsonl"),
        ("verdict_missing", "a.jsonl"),
        ("polarity_missing", "a.jsonl"),
        ("base_scores_missing", "a.jsonl"),
        ("vote_failed", "votes.jsonl"),
        ("panel_split", "votes.jsonl"),
        ("transcript_missing", "votes.jsonl"),
        ("consistency_failed", "switch.jsonl"),
        ("constant_figure", "proclaim"),
        ("files_unused", "proclaim"),
    }


def test_an_old_vote_with_a_providers_failure_for_reasons_is_no_vote(log):
    file = log("proclaim_old.json")
    (vote, panel) = file.debates[0].judgements
    assert (vote.verdict, vote.status, panel.verdict) == (None, JudgementStatus.ERROR, Verdict.FALSE)
    assert codes(file) == ["transcript_missing", "vote_failed"]


def test_a_transcript_alone_and_a_bare_older_one_are_read_too(log):
    assert len(log("proclaim/a.jsonl").debates) == 2
    bare = b'{"claim": "C.", "rounds": [{"arguments": [{"role": "proponent", "text": "P."}]}]}'
    (debate,) = read_file(bare, "x").debates
    assert relations(debate) == ["proponent-r1 +"]


def test_a_run_appended_again_gives_debates_of_their_own():
    line = (FOLDER / "a.jsonl").read_bytes().split(b"\n")[0] + b"\n"
    file = read_file(line * 2, "a.jsonl")
    assert [debate.id for debate in file.debates] == ["c1/run_1", "c1/run_1-2"]
    assert "claim_repeated" in codes(file)


def test_a_folder_as_zip_gives_the_same_debates(log):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(FOLDER.iterdir()):
            archive.write(path, f"outputs/{path.name}")
    assert set(by_id(read_file(packed.getvalue(), "run.zip"))) == set(by_id(log("proclaim")))


def test_a_folder_is_stored_like_a_file(database):
    report = import_file(database, FOLDER, str(FOLDER), Wish())
    assert (report.format, report.debates, report.refused) == ("proclaim", 4, False)
    assert import_file(database, FOLDER, str(FOLDER), Wish()).issues[-1].code == "already_here"
