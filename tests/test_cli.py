from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from core.native import debates_to_native
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.mapping_file import NamedMapping, load_mapping
from storage.mapping_repository import MappingRepository
from tests.command import command
from tests.storage import processes
from tests.storage.debates import a_debate, a_long_debate
from tests.storage.test_inbox import APP

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
ISSUE_KEYS = {"severity", "code", "line", "field", "message"}
ONE_QBAF = (
    '{"id": "q", "topic": "t", "arguments": [["t", 0.5], ["p", 0.8], ["c", 0.6]], '
    '"supports": [["p", "t"]], "attacks": [["c", "t"]]}\n'
)


@pytest.fixture
def moot(tmp_path):
    """Return a function that runs a command on a database of its own and returns what it printed."""

    return partial(command, tmp_path)


@pytest.fixture
def two(tmp_path):
    path = tmp_path / "two.jsonl"
    path.write_bytes(debates_to_native([a_debate(), a_long_debate()]))
    return path


def test_evaluate_reads_a_file_and_standard_input_alike(moot, tmp_path):
    (tmp_path / "q.jsonl").write_text(ONE_QBAF)
    from_file = moot("evaluate", "q.jsonl")
    from_stdin = moot("evaluate", "--semantics", "df-quad", "-", stdin=ONE_QBAF)
    assert from_file.returncode == from_stdin.returncode == 0
    assert from_file.stdout == from_stdin.stdout
    result = json.loads(from_file.stdout)
    assert result["id"] == "q"
    assert result["status"] == "ok"
    assert result["strengths"]["t"] == pytest.approx(0.6)  # 0.5 + (1 - 0.5) * (0.8 - 0.6)


def test_evaluate_damps_by_its_conservativeness(moot):
    result = json.loads(moot("evaluate", "--conservativeness", "2", "-", stdin=ONE_QBAF).stdout)
    assert result["strengths"]["t"] == pytest.approx(0.55)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--semantics", "magic", "-"),
        ("--conservativeness", "0.5", "-"),
        ("--conservativeness", "nan", "-"),
        ("--conservativeness", "much", "-"),
        ("absent.jsonl",),
        (".",),
        (),
    ],
)
def test_evaluate_refuses_wrong_usage_with_a_message(moot, arguments):
    done = moot("evaluate", *arguments, stdin=ONE_QBAF)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_evaluate_answers_a_line_that_is_no_qbaf_with_a_refusal(moot):
    done = moot("evaluate", "-", stdin=f"rubbish\n{ONE_QBAF}")
    assert done.returncode == 0
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["refused", "ok"]


def test_evaluate_loads_neither_database_nor_web_server(tmp_path):
    (tmp_path / "q.jsonl").write_text(ONE_QBAF)
    code = (
        "import sys; sys.argv = ['cli.py', 'evaluate', sys.argv[1]]; import cli\n"
        "try: cli.main()\n"
        "except SystemExit as end: print(end.code, [m for m in ('duckdb', 'streamlit', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "q.jsonl")], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "0 []", done.stderr


def test_output_that_nobody_reads_to_the_end_is_no_error(tmp_path):
    command = [sys.executable, str(ROOT / "cli.py"), "evaluate", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, complaints = process.communicate(ONE_QBAF.encode() * 2000, timeout=60)
    assert complaints == b""


def test_import_reports_as_json_in_exactly_the_documented_shape(moot, two):
    done = moot("import", "--json", two, "absent.jsonl")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    assert set(report) == {"files"}
    assert all(set(file) == {"file", "format", "debates", "arguments", "issues"} for file in report["files"])
    stored, refused = report["files"]
    assert stored == {"file": str(two), "format": "moot-debate/1", "debates": 2, "arguments": 5, "issues": []}
    assert (refused["file"], refused["format"], refused["debates"]) == ("absent.jsonl", None, 0)
    assert [set(issue) for issue in refused["issues"]] == [ISSUE_KEYS]
    assert refused["issues"][0]["code"] == "file_missing"


def test_import_succeeds_when_every_file_came_in(moot, two):
    assert moot("import", "--json", two).returncode == 0
    again = moot("import", "--json", two)
    assert again.returncode == 0
    (file,) = json.loads(again.stdout)["files"]
    assert [issue["code"] for issue in file["issues"]] == ["already_here"]
    assert moot("import", "--again", two).returncode == 0
    assert len(moot("export").stdout.splitlines()) == 4


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch, lambda path: path.write_bytes(b"\x00\x01\xff" * 99)])
def test_import_refuses_what_is_no_log(moot, tmp_path, make):
    make(tmp_path / "log")
    done = moot("import", "--json", "log")
    assert done.returncode == 3
    (file,) = json.loads(done.stdout)["files"]
    assert file["format"] is None
    assert file["issues"]
    assert "Traceback" not in done.stderr


def test_import_tells_people_what_happened(moot, two, tmp_path):
    (tmp_path / "empty.jsonl").touch()
    done = moot("import", two, "empty.jsonl")
    assert done.returncode == 3
    assert f"{two}: 2 debates, 5 arguments (moot-debate/1)" in done.stdout
    assert "empty.jsonl: refused, nothing was stored" in done.stdout


def test_import_prints_nothing_that_a_terminal_would_obey(moot, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(debates_to_native([a_debate()])[:-1].replace(b'"label": true', b'"label": "\\u001b[2J maybe"'))
    done = moot("import", path)
    assert "\x1b" not in done.stdout
    assert "maybe" in done.stdout


def test_import_reads_standard_input(moot, two):
    done = moot("import", "--json", "-", stdin=two.read_text())
    assert json.loads(done.stdout)["files"][0]["debates"] == 2
    assert done.returncode == 0


MAPPING = "moot_mapping: 1\nclaim: thesis\nstatements: [{text: 'turns[].says', agent: 'turns[].who', polarity: =pro}]\n"
TURNS = '{"thesis": "Bees can count.", "turns": [{"who": "ann", "says": "To four."}]}'


def test_import_reads_by_a_mapping_out_of_a_file_or_by_its_name(moot, tmp_path):
    (tmp_path / "ours.yaml").write_text(MAPPING)
    (tmp_path / "turns.json").write_text(TURNS)
    (tmp_path / "more.json").write_text(TURNS.replace("Bees", "Wasps"))
    by_file = moot("import", "--json", "--mapping", "ours.yaml", "turns.json")
    assert json.loads(by_file.stdout)["files"][0]["format"] == "paths"
    with Database.open(tmp_path / "moot.duckdb") as database:
        MappingRepository(database).save(NamedMapping("ours", load_mapping(tmp_path / "ours.yaml").mapping))
    by_name = moot("import", "--json", "--mapping", "ours", "more.json")
    assert json.loads(by_name.stdout)["files"][0]["arguments"] == 1
    unknown = moot("import", "--mapping", "theirs", "more.json")
    assert unknown.returncode == 1
    assert "saved are: 'ours'" in unknown.stderr


def test_import_derives_what_is_asked_for_by_name_only(moot, tmp_path):
    nodes = [{"id": "c", "claim": "It is so."}, {"id": "a", "claim": "It must be."}]
    (tmp_path / "map.json").write_text(json.dumps({"nodes": nodes, "links": [{"source": "a", "target": "c"}]}))
    assert moot("import", "--derive", "unsigned-support", "map.json").returncode == 0
    exported = json.loads(moot("export").stdout)
    assert exported["provenance"]["derived"] == ["unsigned-support"]
    wrong = moot("import", "--derive", "magic", "map.json")
    assert wrong.returncode == 1
    assert "There is no derivation 'magic'; there are" in wrong.stderr


def test_import_through_a_running_app_finds_mappings_saved_there(moot, tmp_path):
    (tmp_path / "ours.yaml").write_text(MAPPING)
    (tmp_path / "turns.json").write_text(TURNS)
    (tmp_path / "more.json").write_text(TURNS.replace("Bees", "Wasps"))
    with Database.open(tmp_path / "moot.duckdb") as database:
        MappingRepository(database).save(NamedMapping("ours", load_mapping(tmp_path / "ours.yaml").mapping))
    app = processes.start(APP, tmp_path / "moot.duckdb", "looks")
    try:
        assert processes.read_line(app) == "open\n"
        for mapping, file in (("ours", "turns.json"), ("ours.yaml", "more.json")):
            report = json.loads(moot("import", "--json", "--mapping", mapping, file).stdout)
            assert report["files"][0]["format"] == "paths"
    finally:
        processes.end(app)


def test_import_names_the_dataset_as_asked(moot, two):
    moot("import", "--dataset", "Mine", two)
    assert moot("export", "--dataset", "Mine").stdout.encode() == two.read_bytes()
    assert moot("export", "--dataset", "two").returncode == 1


def test_the_database_option_goes_before_the_command(moot, two, tmp_path):
    moot("--db", "other.duckdb", "import", two)
    assert (tmp_path / "other.duckdb").is_file()
    assert not (tmp_path / "moot.duckdb").exists()


def test_export_writes_what_was_imported(moot, two, tmp_path):
    moot("import", two)
    done = moot("export", "-o", "out.jsonl")
    assert done.returncode == 0
    assert done.stdout == ""
    assert (tmp_path / "out.jsonl").read_bytes() == two.read_bytes()
    one = moot("export", "--debate", "long")
    assert [json.loads(line)["debate_id"] for line in one.stdout.splitlines()] == ["long"]
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


def test_export_names_a_debate_that_is_not_there(moot, two, tmp_path):
    moot("import", two)
    done = moot("export", "--debate", "absent", "-o", "out.jsonl")
    assert done.returncode == 1
    assert "'absent'" in done.stderr
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("output", [".", "", "folder", "absent/out.jsonl", "file/out.jsonl"])
@pytest.mark.parametrize("command", [("export",), ("judge", "--judge", "votes")], ids=["export", "judge"])
def test_a_place_that_cannot_be_written_to_is_said_before_any_work(moot, tmp_path, command, output):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    done = moot(*command, "-o", output)
    assert done.returncode == 2
    assert done.stderr.startswith("moot: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "moot.duckdb").exists()  # it was not even opened


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_an_export_that_fails_names_the_file_that_was_asked_for(moot, two, tmp_path):
    moot("import", two)
    (tmp_path / ".out.jsonl.part").symlink_to("/dev/full")
    done = moot("export", "-o", "out.jsonl")
    assert done.returncode == 1
    assert done.stderr == "moot: out.jsonl: No space left on device\n"
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("command", [("export",), ("sample",), ("import", "-"), ("serve",)])
def test_a_database_of_something_else_is_one_readable_line(moot, tmp_path, command):
    (tmp_path / "moot.duckdb").write_bytes(b"nonsense" * 1000)
    done = moot(*command, stdin="{}")
    assert done.returncode == 1
    assert done.stderr.startswith("moot: moot.duckdb is damaged or not a database")
    assert len(done.stderr.splitlines()) == 1


def test_the_sample_loads_once(moot):
    first = moot("sample")
    second = moot("sample")
    assert first.returncode == second.returncode == 0
    assert " 0 already here" in first.stdout
    assert " 0 loaded" in second.stdout
    assert moot("export").stdout.count("\n") >= 1


def test_the_version_is_printed(moot):
    done = moot("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("Moot 0.")


def test_import_goes_through_a_running_app(moot, two, tmp_path):
    app = processes.start(APP, tmp_path / "moot.duckdb", "looks")
    try:
        assert processes.read_line(app) == "open\n"
        done = moot("import", "--json", "absent.jsonl", two)
        assert done.returncode == 3
        absent, stored = json.loads(done.stdout)["files"]
        assert absent["issues"][0]["code"] == "file_missing"
        assert stored == {"file": str(two), "format": "moot-debate/1", "debates": 2, "arguments": 5, "issues": []}
        assert "the Moot app" in moot("export").stderr
    finally:
        processes.end(app)
    with Database.open(tmp_path / "moot.duckdb") as database:
        assert DebateRepository(database).count() == 2


def test_import_says_so_when_another_command_holds_the_database(moot, two, tmp_path):
    with Database.open(tmp_path / "moot.duckdb"):
        done = moot("import", "--json", two)
    assert done.returncode == 1
    assert "is held by a Moot command (process" in done.stderr
    assert not (tmp_path / "inbox").exists()


@pytest.mark.parametrize("folder", ["posthoc-theory-synthetic", "tables-synthetic", "malformed-synthetic"])
def test_every_shared_file_comes_in_or_is_refused_without_a_traceback(moot, folder):
    files = sorted(path for path in (DATA / folder).glob("*") if path.suffix != ".md")
    if not files:
        pytest.skip(f"{DATA.name}/{folder} is not beside this checkout")
    done = moot("import", "--json", *files)
    report = json.loads(done.stdout)["files"]
    assert [file["file"] for file in report] == [str(path) for path in files]
    assert "Traceback" not in done.stderr
    refused = [file for file in report if file["format"] is None]
    assert done.returncode == (3 if refused else 0)
    assert all(file["issues"] for file in refused)
    assert all(file["debates"] > 0 for file in report if file not in refused)


def test_judgements_written_by_judge_are_imported_elsewhere_also_through_the_app(moot, two, tmp_path):
    assert moot("import", two).returncode == 0
    written = moot("judge", "--judge", "votes", "-o", tmp_path / "said.jsonl")
    assert written.returncode == 0, written.stderr
    lines = (tmp_path / "said.jsonl").read_text().count('"moot-judgement/1"')
    other = tmp_path / "other.duckdb"
    both = moot("--db", other, "import", two, tmp_path / "said.jsonl")
    assert both.returncode == 0, both.stderr
    assert f"{lines} judgements (moot-judgement/1)" in both.stdout
    third = tmp_path / "third.duckdb"
    assert moot("--db", third, "import", two).returncode == 0
    app = processes.start(APP, third, "looks")
    try:
        assert processes.read_line(app) == "open\n"
        handed = moot("--db", third, "import", "--json", tmp_path / "said.jsonl")
    finally:
        processes.end(app)
    assert "The app is open" in handed.stderr
    (report,) = json.loads(handed.stdout)["files"]
    assert (report["format"], report["judgements"]) == ("moot-judgement/1", lines)


def test_a_judgement_file_without_its_debates_is_refused_with_line_and_field(moot, two, tmp_path):
    moot("import", two)
    moot("judge", "--judge", "votes", "-o", tmp_path / "said.jsonl")
    refused = moot("--db", tmp_path / "empty.duckdb", "import", tmp_path / "said.jsonl")
    assert refused.returncode == 3
    assert "line 2, debate_id: Left out: no such debate" in refused.stdout
