"""Experiments that come with Moot: the layouts of the published tables, and some to begin with."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from core.errors import UnreadableFile
from core.experiments.experiment import Experiment
from core.experiments.reading import LARGEST, experiment_of

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "experiments"


def load_experiment(file: Path) -> Experiment:
    """Return the experiment in a file.

    Raises:
        UnreadableFile: If it cannot be read.
        InvalidSetting: If it describes none; the message names file, line and field.
    """
    try:
        if file.stat().st_size > LARGEST:
            raise UnreadableFile(f"{file.name} is larger than {LARGEST:,} bytes.")
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{file.name} cannot be read: {error}") from error
    return experiment_of(text)


@cache
def preset_names() -> dict[str, str]:
    """Return the experiments that come with Moot, by the names of their files, with what each is called."""
    return {file.stem: load_experiment(file).name for file in sorted(FOLDER.glob("*.yaml"))}


def preset_text(name: str) -> str:
    """Return the text of one of them."""
    return (FOLDER / f"{name}.yaml").read_text("utf-8")


@cache
def preset_numbers() -> tuple[int, ...]:
    """Return the numbers of the published tables that have a preset."""
    return tuple(sorted(_by_number()))


def preset(number: int, dataset: str = "") -> Experiment:
    """Return the experiment that fills a published table, on a data set; on all of them unless one is named."""
    return replace(_by_number()[number], dataset=dataset)


@cache
def _by_number() -> dict[int, Experiment]:
    found = (load_experiment(file) for file in sorted(FOLDER.glob("*.yaml")))
    return {one.table: one for one in found if one.table is not None}


__all__ = ["load_experiment", "preset", "preset_names", "preset_numbers", "preset_text"]
