"""Transcripts of real logs, as turns. The logs lie beside the project; without them these tests are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.statements.beliefs import beliefs_of, standing
from core.statements.marks import without_marks
from core.statements.proposing import batches
from core.statements.turns import TurnKind, is_talk, turns_of
from storage.readers import read_file

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def debates(folder, pattern):
    found = sorted((DATA / folder).glob(pattern))
    if not found:
        pytest.skip(f"no {folder} beside the project")
    return [debate for file in found[:3] for debate in read_file(file, file.name).debates]


def test_nyu_debates_are_talk_whose_judge_has_a_belief_after_every_round():
    for debate in debates("nyu-debate", "debates/*.json"):
        assert is_talk(debate)
        assert len(turns_of(debate)) == len(debate.transcript)
        (judge,) = {belief.judge for belief in beliefs_of(debate) if "offline" not in belief.judge}
        own = [belief for belief in beliefs_of(debate) if belief.judge == judge]
        assert [belief.round for belief in own] == list(range(len(own)))
        assert sum(one.judge.startswith(judge) and "offline" not in one.judge for one in standing(debate)) == 1


def test_chats_that_lie_one_after_another_are_read_round_by_round():
    for debate in debates("mad-du-slm", "gsm_*agents3*.json"):
        turns = turns_of(debate)
        rounds = [turn.round for turn in turns if turn.round is not None]
        assert rounds == sorted(rounds)
        assert len(rounds) == len(turns)
        spoken = [turn.speaker for turn in turns if turn.kind is TurnKind.SPOKEN]
        assert spoken[:3] == ["agent-1", "agent-2", "agent-3"]
        assert all(turn.speaker.startswith("user to") for turn in turns if turn.kind is TurnKind.PROMPT)


def test_failures_in_a_court_s_record_are_no_material():
    turns = [turn for debate in debates("proclaim-synthetic", "debate_transcript.jsonl") for turn in turns_of(debate)]
    failed = [turn for turn in turns if turn.failed]
    assert failed
    assert all(turn.text.startswith("Error") for turn in failed)
    assert not {turn.text for turn in failed} & {t.text for part in batches(turns) for t in part.turns}


def test_marks_of_quotations_are_read_as_llm_debate_writes_them():
    turns = [turn for debate in debates("ucl-dark-synthetic", "*.csv") for turn in turns_of(debate)]
    assert any("<v_quote>" in turn.text for turn in turns)
    assert all("quote>" not in without_marks(turn.text) for turn in turns)
