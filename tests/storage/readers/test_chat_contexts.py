"""Chats of agents: multiagent debate (Du et al.) and Multi-Agents-Debate (MAD)."""

import json

from core.debate import DebateProtocol
from core.judgement import JudgementStatus, Verdict
from storage.readers import read_file
from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import codes, read, relations


def test_each_question_is_a_debate_of_answers_without_polarity(log):
    file = log("contexts.json")
    first, second = file.debates
    assert (file.format, first.protocol) == ("multiagent-debate", DebateProtocol.TRANSCRIPT)
    assert first.claim == "Ana has 3 nets and buys 4. How many has she?"
    assert first.provenance["final_answers"] == {"agent-1": ["7", "7"], "agent-2": ["12"]}
    assert second.provenance["final_answers"] == {"agent-1": ["B", "A"], "agent-2": ["A", "A"]}
    assert (second.label, second.provenance["reference_answer"]) == (None, "A")
    assert [[a.id for a in r.arguments] for r in first.rounds] == [["agent-1-r0", "agent-2-r0"], ["agent-1-r1"]]
    assert relations(first, 0) == []
    assert {"polarity_missing", "base_scores_missing", "rounds_uneven", "target_no_label"} <= set(codes(file))


def test_only_what_an_agent_said_is_its_own(log):
    speakers = [message.speaker for message in log("contexts.json").debates[0].transcript]
    assert speakers == ["user to agent-1", "agent-1", "user to agent-1", "agent-1", "user to agent-2", "agent-2"]


def test_two_chats_are_not_mistaken_for_one_with_an_answer():
    chat = [{"role": "user", "content": "Who is she?"}, {"role": "assistant", "content": "A painter."}]
    (debate,) = read(json.dumps({"Ana Example": [chat, chat]})).debates
    assert len(debate.agents) == 2
    assert "reference_answer" not in debate.provenance


def test_personas_in_a_files_name_are_kept_and_said():
    data = (LOGS / "contexts.json").read_bytes()
    file = read_file(data, "gsm_model-a_persona_calm+bold_agents2_rounds2.json")
    assert [agent.persona for agent in file.debates[0].agents] == ["calm", "bold"]
    assert "agents_from_name" in codes(file)


def test_the_sides_of_mad_support_and_attack_the_base_answer(log):
    file = log("mad.json")
    (debate,) = file.debates
    assert file.format == "mad"
    assert debate.claim == "“Er hat Schwein gehabt.” — “He had a pig.”"
    assert debate.label is None
    assert debate.provenance["extra"]["correct reference"] == "He was lucky."
    assert relations(debate) == ["affirmative-r0 +", "negative-r0 -", "affirmative-r1 +"]
    assert {"claim_composed", "base_scores_missing"} <= set(codes(file))


def test_a_moderators_python_literal_is_read_and_only_a_side_named_outright_is_a_verdict(log):
    (debate,) = log("mad.json").debates
    assert [(j.judge, j.verdict, j.status) for j in debate.judgements] == [
        ("Moderator round 0", Verdict.UNCERTAIN, JudgementStatus.ABSTAINED),
        ("Moderator round 1", Verdict.FALSE, JudgementStatus.OK),
        ("Judge", None, JudgementStatus.OK),
        ("Moderator round 2", None, JudgementStatus.UNREADABLE),
    ]


def test_mad_as_written_today_and_its_interactive_version_are_read():
    players = {"Affirmative side": [{"role": "assistant", "content": "Yes."}], "Negative side": []}
    for record in (
        {"source": "s", "base_translation": "b", "success": True, "players": players},
        {"debate_topic": "s", "base_answer": "b", "debate_answer": "d", "players": players},
    ):
        file = read(json.dumps(record))
        assert (file.format, file.debates[0].claim) == ("mad", "“s” — “b”")
