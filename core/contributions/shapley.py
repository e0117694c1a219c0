"""Shapley values: what a player adds when players come in one by one, on average over all orders.

Exact where that is affordable: in flat debates whose score is linear in two products there is a closed form for any
number of players; otherwise every coalition's value is worked out once and shared by all players. Beyond, orders are
sampled: each comes with its reverse, and what is left to chance is stated as a standard error.
"""

from __future__ import annotations

import math

from core.contributions.closed_form import closed_form
from core.contributions.definition import Definition
from core.contributions.every_coalition import affordable, from_every_coalition
from core.contributions.game import Game, Shares, games
from core.contributions.players import Players, checked_players
from core.contributions.removal import NO_SCORE, score
from core.contributions.results import ShapleyContributions
from core.contributions.sampled_orders import feasible, sampled
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, OpinionProfile

UNKNOWN = "There are no Shapley values, because for some coalition of arguments no fixed point was found."
TOO_MANY = "There are no Shapley values, because even a few orders of {players:,} players take too long."


def shapley(
    judge: SemanticsJudge,
    profile: OpinionProfile,
    players: Players | None = None,
    *,
    seed: int = 0,
    orders: int | None = None,
) -> ShapleyContributions:
    """Return every player's share of the way from the score without players to the score.

    Args:
        judge: Whose score.
        profile: What is judged.
        players: Groups of arguments, each one player; None for every argument by itself. Arguments in no group are
            always there.
        seed: Of the sampled orders; without effect on exact values.
        orders: How many orders to sample where exact values are not affordable, rounded up to pairs, at least 4; None
            for as many as are affordable.

    Raises:
        InvalidSetting: If an argument belongs to two players.
    """
    parts = judge.qbafs(profile)
    if players is None:
        players = {name: frozenset([name]) for part in parts for name in part.qbaf.names if name != TOPIC}
    player_of = {name: player for player, names in checked_players(players).items() for name in names}
    whole = score(judge, profile)
    if whole is None:
        return ShapleyContributions(Definition.SHAPLEY, {}, "", (NO_SCORE,))
    shares = [_shares(game, seed, orders) for game in games(judge, parts, player_of)]
    known = [share for share in shares if isinstance(share, Shares)]
    if len(known) < len(shares):
        missing = sorted({share for share in shares if isinstance(share, str)})
        return ShapleyContributions(Definition.SHAPLEY, {}, "", tuple(missing))
    weight = 1.0 / len(shares)
    most_orders = max(share.orders for share in known)
    return ShapleyContributions(
        Definition.SHAPLEY,
        {player: weight * math.fsum(share.amounts.get(player, 0.0) for share in known) for player in players},
        "; ".join(dict.fromkeys(sorted(share.method for share in known))),
        (),
        whole,
        weight * math.fsum(share.start for share in known),
        {
            player: weight * math.sqrt(math.fsum(share.variances.get(player, 0.0) for share in known))
            for player in players
        }
        if most_orders
        else {},
        most_orders,
    )


def _shares(game: Game, seed: int, orders: int | None) -> Shares | str:
    """Return a game's Shapley values by the best affordable way, or a sentence that says why there are none."""
    closed = closed_form(game)
    if closed is not None:
        return closed
    if affordable(game):
        found = from_every_coalition(game)
    elif feasible(game):
        found = sampled(game, seed, orders)
    else:
        return TOO_MANY.format(players=len(game.players))
    return UNKNOWN if found is None else found
