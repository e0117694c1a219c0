"""Debates that are made up by drawing numbers, to study judges at scale; always labelled simulated."""

from __future__ import annotations

from core.simulation.debates import is_simulated, simulated_debates, simulated_set
from core.simulation.settings import Simulation

__all__ = ["Simulation", "is_simulated", "simulated_debates", "simulated_set"]
