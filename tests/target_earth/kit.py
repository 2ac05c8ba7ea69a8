"""Settings of all kinds, and games played step by step, for the tests of Target Earth."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from sim.games.target_earth.cards import MODES
from sim.games.target_earth.ending import pass_on
from sim.games.target_earth.engine import play_turn, seat_strategies
from sim.games.target_earth.options import OPTIONS
from sim.games.target_earth.play import Pool, Setting, make_setting, new_game
from sim.games.target_earth.setup import set_up, start_streams
from sim.registry import STRATEGIES

NAMES = tuple(STRATEGIES["target-earth"])


def some_rules(r: Random) -> dict[str, int]:
    """The optional rules, and now and then a few options anywhere in their ranges."""
    rules = {
        name: r.randint(0, 1)
        for name in ("alien_diplomacy", "factions", "die_picks_module", "alliance_votes")
    }
    if r.random() < 0.4:
        rules |= {o.name: r.randint(o.low, o.high) for o in OPTIONS if r.random() < 0.12}
    return rules


def any_setting(number: int, **fixed: Any) -> Setting:
    """A setting of any kind: players, modes and variants take turns, strategies and rules are random."""
    r = Random(number)
    variant = ("base", "advanced")[number % 2]
    players = (2 + number // 2 % 3) if variant == "advanced" else 1 + number // 2 % 4
    words = {
        "players": players, "mode": MODES[number // 8 % 4], "variant": variant, "rules": some_rules(r),
        "strategies": [r.choice(NAMES) for _ in range(players)],
    }  # fmt: skip
    return make_setting(**(words | fixed))


def turns(setting: Setting, seed: int, index: int) -> Iterator[Any]:
    """Play one game in plain Python; the state after the set-up and after each turn."""
    games = new_game(setting)
    game, pool = games[0], Pool(setting.strategies)
    with np.errstate(over="ignore"):
        seat_strategies(game, pool.params, pool.seats(setting.seated()))
        start_streams(game, seed, index)
        set_up(game, pool.functions.handle)
        yield game
        over = False
        while not over:
            over = play_turn(game, pool.functions.handle)
            yield game
            if not over:
                pass_on(game, pool.functions.handle)
