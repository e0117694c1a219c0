"""What people reported of other tools' logs and viewers, as far as it concerns reading: each test names the report."""

import json
import tracemalloc

import pytest

from core.debate import profile
from core.exporting import EXPORTERS
from core.judgement import JudgementStatus, Verdict
from core.judges.semantics_judge import SemanticsJudge
from storage.contestation_repository import ContestationRepository
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.importer import Wish, import_file
from storage.readers import read_file
from tests.storage.readers.archives import zip_of, zstandard_zip_of
from tests.storage.readers.reading import arguments, codes, problems, read, relations


def native(**changes):
    record = {
        "format": "moot-debate/1",
        "debate_id": "d",
        "claim": "C.",
        "rounds": [{"round": 0, "arguments": [{"id": "a", "text": "A.", "base_score": 0.5, "supports": ["topic"]}]}],
    }
    return json.dumps(record | changes)


def chats(reply):
    """Return a MAD log whose moderator gave one reply."""
    players = {"Affirmative side": [{"role": "assistant", "content": "Yes."}],
               "Moderator": [{"role": "assistant", "content": reply}]}  # fmt: skip
    return json.dumps({"source": "s", "base translation": "b", "players": players})


def ruling(reply):
    file = read(chats(reply))
    return file.debates[0].judgements[0], codes(file)


def test_nan_does_not_stop_a_file(log):
    """inspect_ai PR 3701, METR/vivaria 1059: the sample is imported, the value is missing, and that is said."""
    file = read(native().replace("0.5", "NaN"))
    assert arguments(file.debates[0]) == [("a", "A.", None)]
    assert problems(file) == [("score_not_finite", 1, "rounds[0].arguments[0].base_score")]


@pytest.mark.parametrize("written", ['"base_score": null', '"base_score": ""', '"base_score": "N/A"'])
def test_null_empty_and_absent_all_show_as_none_given(written):
    """inspect_ai 1132."""
    assert arguments(read(native().replace('"base_score": 0.5', written)).debates[0]) == [("a", "A.", None)]


def test_importing_the_same_file_twice_is_noticed_and_an_export_brings_its_ids_back(database):
    """promptfoo 2124."""
    data = native(debate_id="given").encode()
    assert import_file(database, data, "a.jsonl", Wish()).debates == 1
    assert import_file(database, data, "b.jsonl", Wish()).issues[-1].code == "already_here"
    (exported,) = DebateRepository(database).export()
    assert json.loads(exported)["debate_id"] == "given"


def test_debates_of_two_files_with_one_id_are_two_debates(database):
    """promptfoo PR 9305: nothing is merged across files in silence."""
    import_file(database, native().encode(), "a.jsonl", Wish())
    report = import_file(database, native(claim="Another.").encode(), "b.jsonl", Wish())
    assert "debate_id_taken" in [issue.code for issue in report.issues]
    assert DebateRepository(database).count() == 2


def test_rows_with_one_id_in_one_file_are_counted_apart():
    """promptfoo PR 7426, sgl-eval 39."""
    file = read(f"{native()}\n{native(claim='Another.')}")
    assert [debate.id for debate in file.debates] == ["d", "d-2"]
    assert "debate_id_repeated" in codes(file)


def test_text_that_looks_like_json_is_shown_as_text():
    """langfuse 6528."""
    text = '{"a": 1} trailing'
    file = read(json.dumps(json.loads(native()) | {"claim": text}))
    assert file.debates[0].claim == text


def test_an_argument_without_its_target_and_a_verdict_without_its_debate_stay(log):
    """langfuse PR 2477."""
    file = read(native().replace('"topic"', '"gone"'))
    assert relations(file.debates[0]) == ["a +gone"]
    assert "target_unknown" in codes(file)
    assert "transcript_missing" in codes(log("proclaim_old.json"))
    assert len(log("proclaim_old.json").debates) == 1


def test_a_line_of_a_providers_stream_is_no_argument():
    """cli-sub-agent 1685."""
    chat = [{"role": "assistant", "content": '{"type":"thread.started","thread_id":"t"}'}]
    file = read(json.dumps({"source": "s", "base translation": "b", "players": {"Affirmative side": chat}}))
    assert [a.is_error_text for a in file.debates[0].rounds[0].arguments] == [True]
    assert "provider_error" in codes(file)


def test_a_talk_recorded_as_an_argument_is_noticed():
    """swarms PR 2114."""
    first = (
        "Tea slows the rusting of iron, because tannin coats the metal and keeps both air and water away from it. " * 2
    )
    turns = [{"role": "assistant", "content": first}, {"role": "assistant", "content": f"User: debate.\n{first}\nNo."}]
    file = read(json.dumps({"source": "s", "base translation": "b", "players": {"Affirmative side": turns}}))
    assert "earlier_turn_repeated" in codes(file)


def test_each_agents_own_messages_are_kept_apart(log):
    """llm_multiagent_debate 4: what an agent saw is shown to it alone; rounds are not taken for simultaneous."""
    heard = [m.speaker for m in log("contexts.json").debates[0].transcript if m.role == "user"]
    assert heard == ["user to agent-1", "user to agent-1", "user to agent-2"]


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"Supported Side": "Negative", "Reason": "r"}\n```',
        'Here is my verdict:\n```\n{"Supported Side": "Negative", "Reason": "r"}',
        "{'Supported Side': 'Negative', 'Reason': 'it isn\\'t'}",
        'The set {a, b} matters. {"note": {}} {"Supported Side": "Negative", "Reason": "with {braces}"}',
    ],
)
def test_a_judges_json_is_found_in_fences_prose_and_among_braces(reply):
    """archipelago 97, lightspeed-evaluation 285, redthread PR 109, G.O.D PR 1199."""
    assert ruling(reply)[0].verdict is Verdict.FALSE


def test_a_field_of_a_reply_that_was_cut_off_is_recovered_and_said():
    """vanguarstew 26."""
    found, noted = ruling('{"Supported Side": "Negative", "Reason": "The ')
    assert (found.verdict, "ruling_recovered" in noted) == (Verdict.FALSE, True)


def test_nothing_is_concluded_from_prose():
    """hermes-agent PR 17980."""
    found, noted = ruling("I would say that the negative side has won this.")
    assert (found.verdict, found.status, found.score) == (None, JudgementStatus.UNREADABLE, None)
    assert "ruling_unreadable" in noted


def test_a_message_gives_file_line_and_key():
    """duckdb 6569, 16437, 7448."""
    file = read_file("\n".join([native()] * 3 + [native().replace("0.5", "7")]).encode(), "/there/log.jsonl")
    (issue,) = [issue for issue in file.issues if issue.code == "score_out_of_range"]
    assert (issue.file, issue.line, issue.field) == ("log.jsonl", 4, "rounds[0].arguments[0].base_score")


def test_text_after_a_record_is_reported():
    """duckdb 23120."""
    assert "trailing_text" in codes(read(f"{native()}TRAILER\n{native(debate_id='e')}"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_odd_encodings_are_read_and_named(encoding):
    """open-apparel-registry 473, streamlit 2608."""
    file = read_file("claim,polarity,argument\nCafé.,pro,Très bon.\n".encode(encoding), "x")
    assert file.debates[0].claim == "Café."
    assert ("encoding" in codes(file)) == (encoding != "utf-8-sig")


def test_parallel_edges_count_once():
    """argdown 57."""
    (debate,) = read("[A]: a\n  + [B]: b\n\n[B]\n  +> [A]\n").debates
    assert relations(debate) == ["B +"]


def test_support_through_a_shared_statement_is_there():
    """argdown 46: a premise that is another argument's conclusion links the two."""
    text = "<One>\n\n(1) x\n----\n(2) [Shared]: s\n\n<Two>\n\n(1) [Shared]\n----\n(2) [Goal]: g\n"
    (debate,) = read(text).debates
    assert (debate.claim, relations(debate)) == ("g", ["One +Shared", "Shared +Two", "Two +"])


def test_agent_and_model_are_on_every_message_or_unknown(log):
    """vscode-acp 21, nimbalyst 1068, pi-extensible-workflows 45."""
    talk = log("inspect.json").debates[1].transcript
    assert [(m.speaker, m.model) for m in talk] == [("optimist", "mock/a"), ("sceptic", "mock/b")]
    assert all(m.speaker for debate in log("contexts.json").debates for m in debate.transcript)


def test_an_imported_debate_needs_nothing_of_where_it_came_from(log):
    """promptfoo 3006: it can be judged and exported with the file gone."""
    debate = log("argllms.json").debates[0]
    assert SemanticsJudge("df-quad").judge(profile(debate)).score is not None
    assert "/" not in json.dumps(debate.provenance["imported_from"])


# -- logs of Inspect -------------------------------------------------------------------------------------------------


def inspect_log(*samples, **changes):
    """Return the members of an Inspect archive with samples of its own."""
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "run_id": "r"}} | changes
    files = {f"samples/{s['id']}_epoch_1.json": json.dumps(s).encode() for s in samples}
    return files | {"header.json": json.dumps(header).encode()}


def sample(number, **changes):
    return {"id": number, "epoch": 1, "input": f"Claim {number}.", "target": "true", "messages": []} | changes


def test_a_large_log_is_read_one_sample_at_a_time(tmp_path):
    """inspect_ai 1375: what is held at once does not grow with the log."""
    path = tmp_path / "large.eval"
    noise = [{"event": "info", "data": f"{number} {word}"} for number in range(500) for word in ("ebb", "flow")]
    path.write_bytes(zip_of(inspect_log(*(sample(number, events=noise) for number in range(60)))))
    tracemalloc.start()
    try:
        file = read_file(path, "large.eval")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(file.debates) == 60
    whole = 60 * len(json.dumps(sample(1, events=noise)))
    assert peak < whole  # one sample after the other; all of them as values take many times the size of their text


def test_a_sample_with_thousands_of_events_and_of_values_loads():
    """inspect_ai 2249."""
    events = [{"event": "info", "data": str(number)} for number in range(6700)]
    told = {"value": 0.5, "metadata": {f"key{number}": number for number in range(6700)}}
    (debate,) = read(zip_of(inspect_log(sample(1, events=events, scores={"s": told})))).debates
    assert (debate.judgements[0].score, len(debate.judgements[0].settings)) == (0.5, 6700)


@pytest.mark.parametrize("pack", [zip_of, zstandard_zip_of])
def test_members_in_zstandard_and_in_deflate_are_read_on_every_python(pack):
    """inspect_ai 4553 and PR 3145."""
    assert [debate.claim for debate in read(pack(inspect_log(sample(1)))).debates] == ["Claim 1."]


def test_a_sample_that_the_summaries_name_and_the_archive_lacks_is_missing_and_the_rest_opens():
    """inspect-action 274."""
    summaries = json.dumps([{"id": 1, "epoch": 1}, {"id": 2, "epoch": 1}]).encode()
    file = read(zip_of(inspect_log(sample(1)) | {"summaries.json": summaries}))
    assert (len(file.debates), "sample_missing" in codes(file)) == (1, True)


def test_an_index_of_logs_says_what_it_is_and_which_logs_it_names():
    """inspect_ai 1466."""
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
    file = read(json.dumps({"logs/a.eval": header, "logs/b.eval": header}))
    (issue,) = [issue for issue in file.issues if issue.code == "index_of_logs"]
    assert file.refused
    assert "logs/a.eval, logs/b.eval" in issue.message


# -- giving back -----------------------------------------------------------------------------------------------------


def test_a_large_debate_comes_back_whole_and_an_export_is_written_line_by_line(database):
    """inspect_ai 2417."""
    large = native(note="x" * (4 << 20))
    import_file(database, f"{large}\n{native(debate_id='e')}".encode(), "a.jsonl", Wish())
    lines = DebateRepository(database).export()
    assert iter(lines) is lines
    assert json.loads(next(lines))["note"] == "x" * (4 << 20)
    assert json.loads(next(lines))["debate_id"] == "e"


def test_a_filter_tells_how_many_debates_it_hides(database):
    """langfuse 3451: the number of all debates is known beside that of those found."""
    import_file(database, f"{native()}\n{native(debate_id='e', claim='Another.')}".encode(), "a.jsonl", Wish())
    repository = DebateRepository(database)
    assert (repository.total(DebateFilter(text="Another")), repository.count()) == (1, 2)


def test_argument_maps_go_out_as_aif_and_node_link_and_come_in_again(log):
    """argdown 219, debate-map 30, carneades-4 19 and 47; test_round_trips holds every other pair."""
    (first, *_) = log("ferry.argdown").debates
    for name in ("aif", "node-link"):
        (back,) = read(b"".join(EXPORTERS[name].write([first]))).debates
        assert sorted(relations(back)) == sorted(relations(first))


def test_a_contested_score_is_kept_here_and_exported_and_the_file_is_not_touched(database, tmp_path):
    """promptfoo 392."""
    path = tmp_path / "a.jsonl"
    path.write_text(native())
    before = path.stat().st_mtime_ns, path.read_bytes()
    import_file(database, path, str(path), Wish())
    challenge = {"id": "c1", "round": 0, "author": "P", "reason": "Too high.", "edits": [
        {"kind": "set base score", "argument": "a", "before": 0.5, "after": 0.1}]}  # fmt: skip
    contested = native(debate_id="other", contestations=[challenge])
    import_file(database, contested.encode(), "b.jsonl", Wish())
    (saved,) = ContestationRepository(database).for_debate("other")
    assert saved.edits[0].after == 0.1
    (line,) = DebateRepository(database).export(DebateFilter(ids=("other",)))
    assert json.loads(line)["contestations"][0]["edits"] == challenge["edits"]
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before
