"""W-TE-2: the rulebook's example turn, with its cards, decisions and dice (A-TE-5: White plays the bonus card)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.games.target_earth import countries, ufos
from sim.games.target_earth.bases import count_module, recruit
from sim.games.target_earth.countries import give_status
from sim.games.target_earth.ending import pass_on
from sim.games.target_earth.engine import play_turn, seat_strategies
from sim.games.target_earth.hands import change_hand
from sim.games.target_earth.play import Pool, make_setting, new_game
from sim.games.target_earth.setup import clear_table, start_streams
from sim.games.target_earth.state import (
    ACE,
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    BARRACKS,
    BONUS,
    CARRIER,
    CREW,
    DIPLOMACY,
    ENGINEER,
    FIGHTER,
    FIGHTERS,
    FIRST_UNIT,
    FORTIFIED,
    GARAGE,
    HANGAR,
    INFANTRY,
    KNOWLEDGE,
    LABORATORY,
    LARGE,
    MEDIUM,
    NEUTRAL,
    RADAR,
    REBELLION,
    SCIENTIST,
    SMALL,
    SQUAD,
    TANK,
    TROOPS,
    WAREHOUSE,
)
from sim.games.target_earth.strategy import make_strategy

BLUE, RED, WHITE, YELLOW = range(4)
ALLIES = ("Malaysia", "Belgium", "Poland", "Iran", "Italy", "Mexico", "Germany", "United Kingdom")
INVADED = ("South Africa", "Thailand", "Australia", "Netherlands", "Spain", "Canada", "Russia", "Brazil")
HANDS = {
    BLUE: (BONUS, KNOWLEDGE, ENGINEER, REBELLION),
    RED: (SQUAD, ACE, BONUS, FORTIFIED),
    WHITE: (BONUS, BONUS, DIPLOMACY, CREW),
    YELLOW: (ACE, DIPLOMACY, SCIENTIST, BONUS),
}
BASES = {
    BLUE: ((WAREHOUSE, WAREHOUSE, HANGAR, HANGAR), (FIGHTER, FIGHTER)),
    RED: ((WAREHOUSE, HANGAR, LABORATORY, RADAR, BARRACKS), (FIGHTER,)),
    WHITE: ((WAREHOUSE, HANGAR, LABORATORY, RADAR, BARRACKS), (FIGHTER,)),
    YELLOW: ((WAREHOUSE, HANGAR, BARRACKS, GARAGE), (CARRIER, INFANTRY)),
}
SHOPPING = {
    BLUE: WAREHOUSE,
    RED: FIRST_UNIT + INFANTRY,
    WHITE: FIRST_UNIT + INFANTRY,
    YELLOW: FIRST_UNIT + TANK,
}
CHINA, BELGIUM = 3, 1  # slots
DICE = [
    3, 4,  # Argentina: 7
    5, 6, 1, 2, 3,  # the large UFO: two hits of five dice
    5, 5, 6, 6, 1, 1, 2, 2, 3, 3, 4, 4,  # four fighters and a bonus card: four hits of twelve
    5, 5,  # Mexico: 10
    1, 4,  # Belgium: no hit of two dice
    6, 1, 2,  # ... against one of three
    1, 2,  # Saudi Arabia: 3, and 1 for a medium UFO
]  # fmt: skip


class Rulebook:
    """What the four players of the example decide."""

    def research(table, seat, technology):
        return 1.0 if technology == FIGHTERS else -1.0

    def scientist(table, seat, technology):
        return 1.0 if technology == TROOPS else -1.0

    def engineer(table, seat, building):
        return 1.0 if building == 6 * YELLOW + WAREHOUSE else -1.0

    def fortify(table, seat):
        return 0

    def buy(table, seat, thing):
        done = table.units[seat.me][INFANTRY] > 0 and seat.me in (RED, WHITE)
        return 1.0 if thing == SHOPPING[int(seat.me)] and not done else -1.0

    def court(table, seat, country):
        return 1.0 if country == number("Argentina") else -1.0

    def rebellion(table, seat, country):
        return -1.0

    def intercept(table, seat, slot):
        return 1.0 if slot == CHINA else -1.0

    def bonus(table, seat, group):
        return 1 if seat.me == WHITE and table.battle.target == CHINA and table.battle.bonus == 0 else 0

    def ace(table, seat, slot):
        return 1 if seat.me == RED else 0

    def mission(table, seat, target):
        return 1.0 if target == BELGIUM else -1.0

    def load(table, seat, target):
        return 1 + 3


def number(country: str) -> int:
    """A country's number in the card set."""
    return make_setting(["random"]).cards.country_names.index(country)


def table_of_the_example() -> tuple[Any, Any]:
    """The game after its set-up, and who decides."""
    strategy = make_strategy(Rulebook)
    setting = make_setting([strategy], players=4)
    game, pool = new_game(setting)[0], Pool(setting.strategies)
    seat_strategies(game, pool.params, pool.seats(setting.seated()))
    start_streams(game, 1, 0)
    clear_table(game)
    lay_countries(game)
    table = game.table
    for kind in range(10):
        game.secret.deck[kind] = table.cards.card_count[kind]
        table.discards[kind] = 0
    table.deck_n = 46
    for p in range(4):
        table.order[p] = table.place[p] = p
        for kind in HANDS[p]:
            change_hand(game, p, kind, 1)
            game.secret.deck[kind] -= 1
            table.deck_n -= 1
        lay_base(game, p)
    table.first = BLUE
    return game, pool.functions.handle


def lay_countries(game: Any) -> None:
    """The sixteen countries of the example."""
    table = game.table
    table.allied, table.aliens, table.neutral = 0, 0, 0
    table.allied_n, table.aliens_n, table.income, table.changed = 0, 0, 0, 0
    table.points[:] = 0
    for country in range(table.cards.countries):
        table.status[country] = NEUTRAL
        table.neutral |= 1 << country
    for status, names in ((ALLIED, ALLIES), (ALIEN, INVADED)):
        for name in names:
            give_status(table, number(name), status)


def lay_base(game: Any, p: int) -> None:
    """A base as it was configured for 12 credits."""
    table = game.table
    modules, units = BASES[p]
    table.credits[p] = 12 - 2 * len(modules)
    for cell, module in enumerate(modules):
        table.module[p][cell] = module
        table.built[p] |= 1 << cell
        table.cells_of[p][module] |= 1 << cell
        count_module(table, p, module, 1)
    for unit in units:
        recruit(game, p, unit, {FIGHTER: 2, CARRIER: 3, INFANTRY: 1}[unit])
    assert table.credits[p] == 0


@pytest.fixture
def rigged(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[int]]:
    """The dice and tiles of the example instead of luck."""
    left = {
        "dice": list(DICE),
        "sizes": [SMALL, SMALL, MEDIUM, LARGE],
        "tiles": [number(name) for name in ("Mexico", "Belgium", "Saudi Arabia", "China")],
    }

    def size(game: Any) -> int:
        game.table.bag[left["sizes"][0]] -= 1
        return left["sizes"].pop(0)

    monkeypatch.setattr(countries, "below", lambda streams, stream, n: left["dice"].pop(0) - 1)
    monkeypatch.setattr(ufos, "draw_size", size)
    monkeypatch.setattr(ufos, "draw_tile", lambda game, bag: left["tiles"].pop(0))
    return left


def test_the_example_turn(rigged: dict[str, list[int]]) -> None:
    """W-TE-2: fund, levels, points, units and bag as the rulebook has them at the end of turn 1."""
    game, decide = table_of_the_example()
    table = game.table
    assert (table.points.tolist(), table.income, table.fund) == ([24, 24], 20, 0)
    with np.errstate(over="ignore"):
        assert not play_turn(game, decide)
    assert rigged == {"dice": [], "sizes": [], "tiles": []}
    assert table.fund == 2
    assert table.credits.tolist() == [0, 1, 1, 0]
    assert table.level.tolist() == [2, 2, 1, 1]
    assert table.points[ALLIANCE] == table.points[ALIENS] == 24
    assert table.bag.tolist() == [4, 3, 1, 0]
    assert table.knowledge == 1
    assert [int(table.status[number(name)]) for name in ("Argentina", "Mexico", "Belgium", "China", "Saudi Arabia")] \
        == [ALLIED, NEUTRAL, ALLIED, NEUTRAL, NEUTRAL]  # fmt: skip
    assert table.income == 20 + 1 - int(table.cards.credits[number("Mexico")])
    assert table.elites[RED][FIGHTER] == 1 and int(table.elites.sum()) == 1
    assert table.played.tolist() == [1, 1, 1, 1]
    assert table.modules[YELLOW][WAREHOUSE] == 2 and table.modules[BLUE][WAREHOUSE] == 3
    assert table.units.tolist() == [[2, 0, 0, 0], [1, 0, 1, 0], [1, 0, 1, 0], [0, 1, 1, 1]]
    assert table.home[YELLOW].tolist() == [0, 1, 1, 1]


def test_after_the_example_turn(rigged: dict[str, list[int]]) -> None:
    """R-TE-END: everybody draws the one card played, and Red becomes the first player."""
    game, decide = table_of_the_example()
    with np.errstate(over="ignore"):
        play_turn(game, decide)
        pass_on(game, decide)
    assert game.table.hand_n[:4].tolist() == [4, 4, 4, 4]
    assert game.table.first == RED
