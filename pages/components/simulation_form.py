"""Settings of simulated debates that several forms ask for, in the same words and within the same bounds."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from core.simulation.settings import Simulation

STEEPEST = 5.0
MOST_SIDE = 10  # pros or cons of an agent in a round


def accuracy(place: DeltaGenerator, held: Simulation, key: str) -> float:
    """Draw how often an agent is right at first, filled from ``held``; widgets' keys begin with ``key``."""
    return place.slider("Accuracy of the agents", 0.0, 1.0, held.accuracy, 0.01, key=f"{key}.accuracy")


def correlation(place: DeltaGenerator, held: Simulation, key: str) -> float:
    """Draw how much agents err together."""
    return place.slider("Correlation of their mistakes", 0.0, 1.0, held.correlation, 0.01, key=f"{key}.correlation")


def calibration(place: DeltaGenerator, held: Simulation, key: str) -> float:
    """Draw how sure agents say they are."""
    return place.slider(
        "Calibration",
        0.0,
        STEEPEST,
        min(held.confidence_slope, STEEPEST),
        0.1,
        key=f"{key}.slope",
        help="How sure agents say they are against how sure they could be: 1 is calibrated, more is overconfident, "
        "less underconfident, 0 always neutral.",
    )


def pros(place: DeltaGenerator, held: Simulation, key: str) -> int:
    """Draw how many pros there are."""
    return int(place.number_input("Pros of an agent in a round", 0, MOST_SIDE, held.pros, key=f"{key}.pros"))


def cons(place: DeltaGenerator, held: Simulation, key: str) -> int:
    """Draw how many cons there are."""
    return int(place.number_input("Cons of an agent in a round", 0, MOST_SIDE, held.cons, key=f"{key}.cons"))


def seed(place: DeltaGenerator, held: Simulation, key: str) -> int:
    """Draw the seed of all that is drawn."""
    return int(place.number_input("Seed", 0, 2**32 - 1, held.seed, key=f"{key}.seed"))


__all__ = ["accuracy", "calibration", "cons", "correlation", "pros", "seed"]
