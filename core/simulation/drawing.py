"""The numbers of simulated debates, all at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm

from core.judges.many import Floats, Mask
from core.simulation.settings import Simulation

CONCENTRATION = 4.0  # of the Beta distribution of how sure agents can be: the larger, the more alike they are
SURE = 0.99  # as sure as anybody says to be
DECIMALS = 2  # as language models print scores


@dataclass(frozen=True, eq=False)
class Drawn:
    """The numbers of D debates of n agents and m rounds.

    Attributes:
        labels: Whether the claims are true, shape (D,).
        chances: How likely each agent was to be right, in [0, 1], shape (D, n).
        right: Whether it was, with its first stance, shape (D, n).
        priors: First stances, to hundredths, shape (D, n).
        stances: Stances at the end of each round, to hundredths, shape (m, D, n).
        pros, cons: Base scores in each round, to hundredths, shape (m, D, n, pros or cons).
    """

    labels: Mask
    chances: Floats
    right: Mask
    priors: Floats
    stances: Floats
    pros: Floats
    cons: Floats


def drawn(simulation: Simulation) -> Drawn:
    """Return the numbers.

    Each agent is given a chance of being right, whose mean is the accuracy. Who is right is decided by normal variables
    with the correlation given (a Gaussian copula), so that the accuracy is kept whatever the correlation. The prior
    stance says the side that the agent is on, as surely as the chance allows, made more or less extreme by the slope.
    In each round base scores follow the stance (pros) or its complement (cons) with noise; after it, stances have moved
    towards the mean of the others.
    """
    chance = np.random.default_rng(simulation.seed)
    shape = (simulation.debates, simulation.agents)
    labels = chance.random(simulation.debates) < simulation.true_share
    chances = _chances(simulation.accuracy, shape, chance)
    common = chance.standard_normal((simulation.debates, 1))
    own = chance.standard_normal(shape)
    weight = simulation.correlation
    luck = norm.cdf(np.sqrt(weight) * common + np.sqrt(1.0 - weight) * own)
    right = luck < chances
    believes = right == labels[:, None]
    priors = _stances(believes, np.maximum(chances, 1.0 - chances), simulation.confidence_slope)

    stances, pros, cons = [], [], []
    current = priors
    for _ in range(simulation.rounds):
        pros.append(_scores(current, simulation.pros, simulation.noise, chance))
        cons.append(_scores(1.0 - current, simulation.cons, simulation.noise, chance))
        current = _moved(current, simulation, chance)
        stances.append(current)
    return Drawn(labels, chances, right, priors, np.stack(stances), np.stack(pros), np.stack(cons))


def _chances(accuracy: float, shape: tuple[int, int], chance: np.random.Generator) -> Floats:
    """Return chances of being right, all on one side of 0.5, with the accuracy as their mean."""
    sure = max(accuracy, 1.0 - accuracy)
    mean = (sure - 0.5) / 0.5
    if mean in (0.0, 1.0):
        found = np.full(shape, sure)
    else:
        found = 0.5 + 0.5 * chance.beta(CONCENTRATION * mean, CONCENTRATION * (1.0 - mean), shape)
    return found if accuracy >= 0.5 else 1.0 - found


def _stances(believes: Mask, sure: Floats, slope: float) -> Floats:
    """Return stances on the side that each agent believes in."""
    said = np.minimum(expit(slope * logit(np.minimum(sure, 1.0 - 1e-12))), SURE)
    said = np.round(said, DECIMALS)
    # 0.50 counts as True, so that who believes in False says at most 0.49, unless all are neutral.
    doubting = np.round(1.0 - said, DECIMALS)
    return np.asarray(np.where(believes, said, doubting if slope == 0 else np.minimum(doubting, 0.49)), np.float64)


def _scores(centre: Floats, count: int, noise: float, chance: np.random.Generator) -> Floats:
    moved = centre[..., None] + noise * chance.standard_normal((*centre.shape, count))
    return np.asarray(np.round(np.clip(moved, 0.0, 1.0), DECIMALS), np.float64)


def _moved(stances: Floats, simulation: Simulation, chance: np.random.Generator) -> Floats:
    agents = simulation.agents
    others = (stances.sum(axis=1, keepdims=True) - stances) / (agents - 1) if agents > 1 else stances
    noise = simulation.noise / 2 * chance.standard_normal(stances.shape)
    moved = stances + simulation.openness * (others - stances) + noise
    return np.asarray(np.round(np.clip(moved, 0.0, 1.0), DECIMALS), np.float64)
