"""What people reported of other tools' logs and viewers, as far as it concerns reading: each test names the report."""

import json

import pytest

from core.debate import profile
from core.judgement import JudgementStatus, Verdict
from core.judges.semantics_judge import SemanticsJudge
from storage.debate_repository import DebateRepository
from storage.importer import Wish, import_file
from storage.readers import read_file
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
