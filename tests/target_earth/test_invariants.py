"""What is true at the end of every turn, whoever plays and whatever the options."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.target_earth.bases import module_for
from sim.games.target_earth.state import (
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    LABORATORY,
    MODULES,
    NONE,
    RADAR,
    RANDOM,
    UNITS,
)
from tests.target_earth.kit import any_setting, turns

BOX = ("hangars", "warehouses", "barracks", "garages", "laboratories", "radars")


def members(bits: int) -> list[int]:
    return [k for k in range(64) if int(bits) >> k & 1]


def check_countries(game: Any) -> None:
    """Sets, points and income follow from who holds what."""
    table, cards = game.table, game.table.cards
    n = int(cards.countries)
    held = {status: [c for c in range(n) if table.status[c] == status] for status in range(3)}
    assert held == {0: members(table.neutral), 1: members(table.allied), 2: members(table.aliens)}
    assert (table.allied_n, table.aliens_n) == (len(held[ALLIED]), len(held[ALIEN]))
    assert table.income == sum(int(cards.credits[c]) for c in held[ALLIED])
    assert table.points[ALLIANCE] == sum(int(cards.points[c]) for c in held[ALLIED]) + table.bonus_points
    lost = table.modules_lost * table.rules.module_points
    assert table.points[ALIENS] == sum(int(cards.points[c]) for c in held[ALIEN]) + lost


def check_base(table: Any, p: int) -> None:
    """Grid, counts and units of a base say the same."""
    cells = [int(module) for module in table.module[p]]
    assert members(table.built[p]) == [c for c, module in enumerate(cells) if module != NONE]
    assert int(table.built[p]) & ~int(table.cells) == 0
    for module in range(MODULES):
        assert table.modules[p][module] == cells.count(module)
        assert members(table.cells_of[p][module]) == [c for c, m in enumerate(cells) if m == module]
    standing = [(int(table.unit[p][c]), int(table.unit_elite[p][c])) for c in members(table.held[p])]
    for c in range(36):
        assert (table.unit[p][c] != NONE) == bool(int(table.held[p]) >> c & 1)
        if table.unit[p][c] != NONE:
            assert table.module[p][c] == module_for(table.unit[p][c])
    for unit in range(UNITS):
        assert table.home[p][unit] == standing.count((unit, 0))
        assert table.home_elites[p][unit] == standing.count((unit, 1)) == table.elites[p][unit]
        assert table.units[p][unit] == table.home[p][unit] + table.home_elites[p][unit]
    assert table.credits[p] >= 0
    assert table.played[p] <= table.may_play[p]


def check_box(game: Any) -> None:
    """Modules, cards and UFO tiles are conserved."""
    table, rules, n = game.table, game.table.rules, int(game.table.bases)
    for module in range(MODULES):
        used = sum(int(table.modules[p][module]) for p in range(n))
        assert table.supply[module] + used == rules[BOX[module]]
    assert table.labs == sum(int(table.modules[p][LABORATORY]) for p in range(n))
    assert table.radars == sum(int(table.modules[p][RADAR]) for p in range(n))
    for kind in range(10):
        hands = sum(int(game.seats[p].hand[kind]) for p in range(n))
        laid = sum(int(table.fortified[p]) for p in range(n)) if kind == 8 else 0
        total = game.secret.deck[kind] + table.discards[kind] + hands + laid
        assert total == table.cards.card_count[kind]
    bags = 1 if table.mode == RANDOM else int(table.era) + 1
    tiles = sum(int(table.cards.bag[era].sum()) for era in range(bags))
    assert int(table.bag.sum()) + game.secret.counts.ufos == tiles
    assert table.fund >= 0 and table.knowledge >= 0
    assert not any(game.away.reshape(-1)) and not any(game.away_elites.reshape(-1))


@pytest.mark.parametrize("number", range(40))
def test_every_turn(number: int) -> None:
    """Random tables, options and modes: whole games, every turn checked; every game ends."""
    setting = any_setting(number)
    seen = 0
    for game in turns(setting, 5, number):
        check_countries(game)
        for p in range(setting.bases):
            check_base(game.table, p)
        check_box(game)
        seen += 1
    assert 2 <= seen <= setting.rules["turns"] + 1
    assert game.secret.winner in (ALLIANCE, ALIENS)


@pytest.mark.parametrize("number", [0, 3, 8, 14])
def test_hands_are_open_in_the_base_game_only(number: int) -> None:
    setting = any_setting(number)
    for game in turns(setting, 6, number):
        for p in range(setting.bases):
            shown = [int(n) for n in game.table.hand[p]]
            assert shown == (
                [0] * 10 if setting.variant == "advanced" else [int(n) for n in game.seats[p].hand]
            )
            assert game.table.hand_n[p] == sum(int(n) for n in game.seats[p].hand)
