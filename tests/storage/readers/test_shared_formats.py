"""Every file of the shared folders in another tool's format, with what must come out of it."""

from pathlib import Path

import pytest

from core.native import debates_to_native
from storage.readers import read_file
from tests.storage.readers.reading import codes, read
from tests.storage.readers.test_shared_data import FILES as OTHER_FILES

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
CHATS = "multiagent-debate"
NAMES = "Qwen3-14B_persona_enigma+zen+deep-sea_agents3_rounds3"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data do not lie beside this checkout")

# What each holds: its format, debates, and arguments, of which one that comes back in later rounds counts once.
FILES = {
    "argllms-output-synthetic/AM-chatgpt_UE-chatgpt_V-False_D-1.json": ("argllms", 25, 50),
    "argllms-output-synthetic/AM-chatgpt_UE-chatgpt_V-False_D-2.json": ("argllms", 15, 82),
    "qbaf-bag-synthetic/zoo.bag": ("bag", 1, 4),
    "proclaim-synthetic": ("proclaim", 10, 90),  # 5 claims, each also with roles switched
    "proclaim-synthetic/debate_transcript.jsonl": ("proclaim", 5, 41),
    "proclaim-synthetic/debate_transcript_switched.jsonl": ("proclaim", 5, 49),
    "inspect-debate-synthetic/claim-debate.json": ("inspect", 4, 16),
    "inspect-debate-synthetic/claim-debate_zstd.eval": ("inspect", 4, 16),
    "inspect-logs": ("inspect", 18, 0),
    "inspect-logs/2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval": ("inspect", 10, 0),
    "inspect-logs/2025-05-12T20-28-13-04-00_popularity.json": ("inspect", 3, 0),
    "inspect-logs/log_formats.eval": ("inspect", 1, 0),
    "inspect-logs/log_formats.json": ("inspect", 1, 0),
    "inspect-logs/log_message_deduplication.eval": ("inspect", 1, 0),
    "inspect-logs/log_read_sample.json": ("inspect", 1, 0),
    "inspect-logs/log_tool_call_error.json": ("inspect", 1, 0),
    "mad-du-slm/biography_Qwen3-0.6B_agents1_rounds3.json": (CHATS, 20, 60),
    f"mad-du-slm/biography_{NAMES}.json": (CHATS, 2, 18),
    "mad-du-slm/gsm_Mistral-7B-Instruct-v0.3_persona_kantian+deep-sea+expert_agents3_rounds3.json": (CHATS, 20, 180),
    f"mad-du-slm/gsm_{NAMES}.json": (CHATS, 20, 180),
    f"mad-du-slm/mmlu_{NAMES}.json": (CHATS, 2, 18),
    "mad-du-slm/mmlu_Qwen3-0.6B_persona_quantum+kantian+deep-sea+resource+renaissance_agents5_rounds3.json": (
        CHATS,
        20,
        300,
    ),
    "mad-du-slm/mmlu_Qwen3-14B_temp0.5+0.7+1.0_agents3_rounds3.json": (CHATS, 20, 180),
    "mad-du-slm": (CHATS, 104, 936),
    "mad-skytliang": ("mad", 24, 200),
    "kialo-synthetic/town-charge-single-thesis.txt": ("kialo", 1, 12),  # 14 lines, of which 2 are cross references
    "kialo-synthetic/town-charge-single-thesis_crlf_bom.txt": ("kialo", 1, 12),
    "argdown/argdown-primer.argdown": ("argdown", 1, 9),
    "argdown/greenspan-schefczyk_hardwrap.argdown": ("argdown", 1, 8),
    "argdown/intro.argdown": ("argdown", 3, 11),
    "argdown/legalisation-softdrugs.argdown": ("argdown", 1, 17),
    "argdown/lexer-windows-line-endings.argdown": ("argdown", 1, 1),
    "argdown/state-censorship.argdown": ("argdown", 1, 10),
    "argdown/veggie_debate.argdown": ("argdown", 1, 41),
    "nodelink-synthetic/tree.json": ("node-link", 1, 3),
    "aif-synthetic/nodeset_flat_with_conflicts.json": ("aif", 1, 4),
    "aif/ostruct_paradox_nonconformant.json": ("aif", 1, 5),
    "ucl-dark-synthetic/data0_judgement.csv": ("llm-debate", 4, 14),
    "nyu-debate": ("nyu-debate", 212, 68),  # 12 debates and 200 rows on debates
    "csv-adr-mad/debate_results_with_history.csv": ("table-long", 62, 68),  # 68 rows on 62 topics
    "proclaim-synthetic/final_verdict.jsonl": ("proclaim", 5, 0),  # verdicts without the talk
    "proclaim-synthetic/judge_evaluation.jsonl": ("proclaim", 5, 0),
    "nyu-debate/debates-metadata_first200.jsonl": ("nyu-debate", 200, 0),
}
REFUSED = {
    "inspect-logs/2025-05-12T20-28-13-04-00_no-samples.json": "samples_missing",
    "argdown/lexer-relations.argdown": "not_recognised",  # signs of relations without any statement
    "kialo-synthetic/town-charge_parsed.json": "parent_missing",  # two reasons without their thesis
    "claims-checkcovid/covidCheck_test_data.json": "columns_unclear",
    "claims-feverous/feverous_sample_100.jsonl": "columns_unclear",
    "claims-scifact/scifact_sample_100.jsonl": "columns_unclear",
    "argllms-claims/LICENSE.argumentative-llms.txt": "not_recognised",
    **{
        f"argllms-claims/{name}.{ending}": "columns_unclear"
        for name in (
            "truthfulclaim_experiment", "truthfulclaim_prompt", "strategyclaim_experiment", "strategyclaim_prompt",
            "medclaim_experiment",
        )
        for ending in ("csv", "jsonl")
    },
    "facttrace-jury/Kepler.csv": "columns_unclear",  # claims without arguments
    "facttrace-jury/debate_results_cases_0-2.json": "not_recognised",  # needs a mapping of paths, like the next ones
    "facttrace-jury/visualization_data.json": "not_recognised",
    "facttrace-jury/transcript_schema.json": "not_recognised",
    "freemad-synthetic/transcript.json": "not_recognised",
    "mallm-synthetic/output.json": "not_recognised",
    "ostruct-debate/summary.json": "not_recognised",
    "ostruct-debate/turn.schema.json": "not_recognised",
    "qbaf-vectors/vectors.json": "not_recognised",
    "proclaim-synthetic/runs_added.jsonl": "transcript_missing",
    "proclaim-synthetic/execution_log_60553c886bc088b6d218dc70_0_run_1796038118_e8f65f.txt": "columns_unclear",
    **{
        f"proclaim-synthetic/{name}": "transcript_missing"
        for name in (
            "all_verdicts.jsonl", "claims_added.jsonl", "judge_visibility.jsonl", "judge_visibility_switched.jsonl",
            "prag_history.jsonl", "prag_history_switched.jsonl", "role_switch_report.jsonl", "self_reflection.jsonl",
            "self_reflection_switched.jsonl", "negotiation_state_60553c886bc088b6d218dc70_0.json",
            "negotiation_state_60553c886bc088b6d218dc70_1.json", "negotiation_state_60ac6953f9b9e03ea4d8e692_0.json",
            "negotiation_state_60ac6953f9b9e03ea4d8e692_1.json", "negotiation_state_60b83a22f9b9e03ea4d8e6c0_0.json",
        )
    },
}  # fmt: skip
FOLDERS = sorted(path.name for path in DATA.iterdir()) if DATA.exists() else []


def shared(name):
    return read_file(DATA / name, Path(name).name)


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_its_debates_and_arguments_and_what_was_read_comes_back_to_the_last_byte(name):
    file = shared(name)
    arguments = sum(len({a.id for each in debate.rounds for a in each.arguments}) for debate in file.debates)
    assert (file.format, len(file.debates), arguments) == FILES[name]
    assert not any(issue.severity == "error" for issue in file.issues)
    first = debates_to_native(file.debates)
    assert debates_to_native(read(first).debates) == first


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_without_debates_is_refused_for_the_right_reason(name):
    file = shared(name)
    assert (file.refused, REFUSED[name] in codes(file)) == (True, True)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_of_a_folder_is_forgotten(folder):
    known = {*FILES, *REFUSED, *OTHER_FILES, f"{folder}/PROVENANCE.md"}
    found = {path.relative_to(DATA).as_posix() for path in (DATA / folder).rglob("*") if path.is_file()}
    one_each = {name for name in found if name.startswith(("mad-skytliang/debates/", "nyu-debate/debates/"))}
    assert found - known - one_each == set()
    for name in one_each:
        file = shared(name)
        assert (file.format, len(file.debates)) == ("mad" if folder == "mad-skytliang" else "nyu-debate", 1)


def test_no_score_is_made_up_where_a_format_has_none():
    for name in ("proclaim-synthetic", "mad-skytliang", "argdown", "kialo-synthetic", "nyu-debate", "aif-synthetic"):
        found = shared(name).debates
        assert {a.base_score for debate in found for each in debate.rounds for a in each.arguments} == {None}
        assert not any(debate.rounds and debate.rounds[0].stances for debate in found)


def test_the_faults_that_proclaims_files_hide_are_all_found():
    found = codes(shared("proclaim-synthetic"))
    assert found.count("provider_error") == 3
    assert found.count("vote_failed") == found.count("consistency_failed") == found.count("constant_figure") == 1
    assert found.count("reflection_failed") == 10


def test_both_packings_of_an_inspect_log_hold_the_same_debates():
    one, other = (shared(f"inspect-debate-synthetic/claim-debate{end}") for end in (".json", "_zstd.eval"))
    assert [d.rounds for d in one.debates] == [d.rounds for d in other.debates]
    assert [d.transcript for d in one.debates] == [d.transcript for d in other.debates]


def test_every_moderator_of_mad_is_read():
    file = shared("mad-skytliang")
    assert "ruling_unreadable" not in codes(file)
    assert all(any(j.judge.startswith("Moderator") for j in debate.judgements) for debate in file.debates)
