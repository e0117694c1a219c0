"""Experiments: which properties of which judges are tested on which debates, as a value and as text."""

from __future__ import annotations

from core.experiments.experiment import Experiment, JudgeChoice
from core.experiments.reading import experiment_of, experiment_text
from core.experiments.source import Source

__all__ = ["Experiment", "JudgeChoice", "Source", "experiment_of", "experiment_text"]
