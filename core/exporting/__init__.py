"""Debates given back in the formats that people's other tools read, each saying what it cannot carry."""

from core.exporting.exporter import Exporter, is_binary
from core.exporting.losses import Aspect, Loss, in_words
from core.exporting.native import debates_of
from core.exporting.registry import EXPORTERS, exporter

__all__ = ["EXPORTERS", "Aspect", "Exporter", "Loss", "debates_of", "exporter", "in_words", "is_binary"]
