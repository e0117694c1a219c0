"""The layers point one way: pages -> storage, core; storage -> core; core -> nothing of ours above it."""

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FORBIDDEN = {
    "core": {"streamlit", "duckdb", "pages", "storage", "cli", "app", "requests", "urllib.request", "socket", "openai"},
    "storage": {"streamlit", "pages", "cli", "app"},
    "pages": {"duckdb", "cli", "app"},
}
LLM_DOOR = "core/llm/client.py"  # the one module of core that may speak to the outside


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.append((node.lineno, node.module or ""))
    return found


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_no_module_imports_a_layer_above_its_own(folder):
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sources(folder)
        for line, name in imported(path)
        if {name, name.split(".")[0]} & FORBIDDEN[folder] and str(path.relative_to(ROOT)) != LLM_DOOR
    ]
    assert wrong == []
    assert len(sources(folder)) > 5


def test_core_reads_no_file_clock_or_environment():
    calls = {"open", "input", "print"}
    wrong = []
    for path in sources("core"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.id}")
        wrong += [
            f"{path.relative_to(ROOT)}:{line} imports {name}"
            for line, name in imported(path)
            if name.split(".")[0] in {"os", "time", "random", "subprocess", "threading", "tempfile", "shutil"}
            and str(path.relative_to(ROOT)) != LLM_DOOR
        ]
    assert wrong == []


def test_no_page_lies_directly_in_pages_where_it_could_run_without_app_py():
    assert sorted((ROOT / "pages").glob("*.py")) == []


def test_every_page_begins_with_the_guard():
    for folder in ("explore", "judge", "records"):
        for path in (ROOT / "pages" / folder).glob("*.py"):
            statements = [
                node
                for node in ast.parse(path.read_text(encoding="utf-8")).body
                if not isinstance(node, (ast.Import, ast.ImportFrom))
            ]
            assert ast.unparse(statements[1]) == "shell.guard()", path  # statements[0] is the docstring


def test_cached_resources_stand_in_state_alone():
    users = [path for path in sources("pages") if "cache_resource" in path.read_text(encoding="utf-8")]
    assert users == [ROOT / "pages" / "components" / "state.py"]


def test_nothing_names_this_machine_or_a_package_registry():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if not tracked:
        pytest.skip("not a git checkout, so there is no list of the project's files")
    # In two halves each, so that this file does not name them itself.
    halves = (("py", "pi.org"), ("python", "hosted.org"), ("npm", "js.org"), ("deb", "ian.org"), ("/wo", "rk/"))
    hosts = [first + second for first, second in (*halves, ("/ro", "ot/"))]
    texts = {".py", ".md", ".txt", ".toml", ".js", ".css", ".html", ".sql", ".json", ".jsonl", ".yml", ".yaml", ""}
    wrong = []
    for name in tracked:
        path = ROOT / name
        if path.suffix in texts and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            wrong += [f"{name} names {host}" for host in hosts if host in text]
    assert wrong == []
