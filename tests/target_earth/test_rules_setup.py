"""Chapters 1 and 2 of the rules page, setting up and Alliance cards: R-TE- and W-TE- ids, one rule at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.games.target_earth.ending import pass_on
from sim.games.target_earth.hands import play_card, set_limits
from sim.games.target_earth.play import Pool, make_setting, new_game
from sim.games.target_earth.production import call_engineer, fortify, production, things_to_buy
from sim.games.target_earth.setup import configure_bases, set_up, start_streams
from sim.games.target_earth.state import (
    ACE,
    ALIEN,
    ALLIED,
    BARRACKS,
    BONUS,
    CARRIER,
    ENGINEER,
    FIGHTER,
    FIRST_BASE,
    FIRST_UNIT,
    FORTIFIED,
    GARAGE,
    HANGAR,
    INFANTRY,
    LABORATORY,
    MEDIUM,
    NEUTRAL,
    NONE,
    RADAR,
    SMALL,
    TERROR,
    WAREHOUSE,
)
from sim.games.target_earth.strategy import make_strategy
from sim.games.target_earth.ufos import objective_bag, tile_of
from tests.target_earth.field import Field, Still


@pytest.fixture(autouse=True)
def wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


class Frugal(Still):
    """Buys nothing."""

    def buy(table, seat, thing):
        return -1.0


def started(players: int, who: Any = Frugal, **words: Any) -> Any:
    """A game after its whole set-up."""
    setting = make_setting([make_strategy(who)], players=players, **words)
    game = new_game(setting)[0]
    start_streams(game, 3, 0)
    set_up(game, Pool(setting.strategies).functions.handle)
    return game


# --- setting up ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("players", "words", "bases", "credits", "cards", "tiles"),
    [
        (4, {}, 4, 12, 4, 1), (3, {}, 3, 16, 5, 1), (2, {}, 2, 24, 7, 2), (1, {}, 4, 12, 4, 1),
        (1, {"rules": {"solo_bases": 2}}, 2, 24, 7, 2), (1, {"rules": {"solo_bases": 3}}, 3, 16, 5, 1),
    ],
)  # fmt: skip
def test_bases_by_players(
    players: int, words: dict[str, Any], bases: int, credits: int, cards: int, tiles: int
) -> None:
    """R-TE-SET-3, R-TE-SET-4: credits, hand and objective tiles; one player has several separate bases."""
    game = started(players, **words)
    table = game.table
    assert table.bases == bases
    assert table.credits.tolist() == [credits] * bases + [0] * (4 - bases)
    assert table.hand_n[:bases].tolist() == [cards] * bases
    assert table.deck_n == 46 - bases * cards == game.secret.deck.sum()
    bag = [tile_of(k) for k in range(64) if objective_bag(table) >> k & 1]
    assert sorted(bag) == sorted(
        [c for c in range(30) if table.status[c] != ALIEN]
        + [FIRST_BASE + p for p in range(bases) for _ in range(tiles)]
    )
    assert table.level.tolist() == [1, 1, 1, 1]
    assert (table.knowledge, table.fund, table.turn) == (0, 0, 0)


def test_separate_bases_of_one_player() -> None:
    """R-TE-SET-3: what one base of a lone player spends is its own: the others keep their credits."""

    class One(Still):
        def buy(table, seat, thing):
            return 1.0 if seat.me == 2 and thing == WAREHOUSE else -1.0

    table = started(1, One).table
    assert table.credits.tolist() == [12, 12, 0, 12]
    assert table.modules[2].tolist() == [0, 6, 0, 0, 0, 0]


FIRST_BASES = [
    [WAREHOUSE, WAREHOUSE, HANGAR, HANGAR, FIRST_UNIT + FIGHTER, FIRST_UNIT + FIGHTER],
    [WAREHOUSE, HANGAR, FIRST_UNIT + FIGHTER, LABORATORY, RADAR, BARRACKS],
    [WAREHOUSE, HANGAR, BARRACKS, GARAGE, FIRST_UNIT + CARRIER, FIRST_UNIT + INFANTRY],
]


@pytest.mark.parametrize("plan", FIRST_BASES)
def test_first_bases(plan: list[int]) -> None:
    """W-TE-1, R-TE-PRD, R-TE-SET-3: each of the three can be bought for exactly twelve credits."""

    class Shopper(Still):
        def buy(table, seat, thing):
            at = int(table.modules_n[seat.me] + table.units[seat.me].sum())
            return 1.0 if at < len(plan) and thing == plan[at] else -1.0

    table = started(4, Shopper).table
    assert table.credits.tolist() == [0, 0, 0, 0]
    modules = [sum(thing == module for thing in plan) for module in range(6)]
    units = [sum(thing == FIRST_UNIT + unit for thing in plan) for unit in range(4)]
    for p in range(4):
        assert (table.modules[p].tolist(), table.units[p].tolist()) == (modules, units)


def test_random_mode() -> None:
    """R-TE-SET-2: all tiles in one bag; terror: 3 soldiers, 1 tank; small in phase III: 1 soldier."""
    table = started(4, mode="random").table
    assert table.bag.tolist() == [12, 13, 14, 7]
    assert [table.cards.load[era][TERROR].tolist() for era in range(3)] == [[3, 1]] * 3
    assert table.cards.load[2][SMALL].tolist() == [1, 0]
    cards = make_setting(["random"]).cards.to_dict()["aliens"]
    assert [table.cards.load[era][MEDIUM].tolist() for era in range(3)] == [one["medium"] for one in cards]


def test_the_head_start() -> None:
    """R-TE-ADV-1: the first two players have two credits fewer and a laboratory, and go by initiative."""
    game = started(4, variant="advanced")
    table = game.table
    assert [int(table.faction[p]) for p in table.order] == [0, 1, 2, 3]
    assert [int(table.credits[p]) for p in table.order] == [10, 10, 12, 12]
    assert [table.modules[p].tolist() for p in table.order] == [[0, 0, 0, 0, 1, 0]] * 2 + [[0] * 6] * 2
    objectives = {int(game.seats[p].objective) for p in range(4)}
    assert len(objectives) == 4 and objectives <= set(range(6))


def test_no_head_start_in_the_base_game() -> None:
    """R-TE-ADV-1: nor objectives or tokens."""
    game = started(4)
    assert game.table.modules.sum() == 0 and game.table.tokens.sum() == 0
    assert [int(game.seats[p].objective) for p in range(4)] == [NONE] * 4


def test_bases_are_configured_in_player_order() -> None:
    """R-TE-SET-3, R-TE-ADV-1: first come, first served where pieces run out; the usual rules hold."""

    class Labs(Still):
        def buy(table, seat, thing):
            return 1.0 if thing == WAREHOUSE else -1.0

    field = Field(Labs, rules={"warehouses": 7})
    field.table.first = 2
    configure_bases(field.game, field.decide)
    assert field.table.modules[:, WAREHOUSE].tolist() == [0, 0, 6, 1]
    assert field.table.credits.tolist() == [12, 12, 0, 10]


# --- Alliance cards --------------------------------------------------------------------------------------
def test_cards_drawn_are_cards_played() -> None:
    """R-TE-CARD-1, R-TE-END: as many are drawn as were played, nobody else draws; played ones are discarded."""
    field = Field(Frugal)
    table = field.table
    for _ in range(2):
        field.give(1, BONUS)
        play_card(field.game, 1, BONUS, NONE)
    field.give(3, ACE)
    first, deck = int(table.first), int(table.deck_n)
    pass_on(field.game, field.decide)
    assert table.hand_n.tolist() == [0, 2, 0, 1]
    assert table.deck_n == deck - 2
    assert table.discards[BONUS] == 2
    assert table.first == (first + 1) % 4


class Builder(Still):
    """Every card in production; the engineer builds a warehouse for base 3."""

    def engineer(table, seat, building):
        return 1.0 if building == 6 * 3 + WAREHOUSE else -1.0

    def fortify(table, seat):
        return 1

    def buy(table, seat, thing):
        return -1.0


def test_an_engineer_serves_another_base_for_nothing() -> None:
    """R-TE-CARD-2, R-TE-CARD-1."""
    field = Field(Builder)
    field.table.credits[:] = 5
    field.give(1, ENGINEER)
    call_engineer(field.game, field.decide, 1)
    assert field.table.modules[3][WAREHOUSE] == 1 and field.table.modules_n.sum() == 1
    assert field.table.credits.tolist() == [5, 5, 5, 5]
    assert (field.table.hand_n[1], field.table.discards[ENGINEER]) == (0, 1)


def test_a_fortified_base_stays_in_play() -> None:
    """R-TE-CARD-1, R-TE-CARD-2: it is not discarded, and defends its own base only."""
    field = Field(Builder)
    field.give(2, FORTIFIED)
    fortify(field.game, field.decide, 2)
    assert field.table.fortified.tolist() == [0, 0, 1, 0]
    assert field.table.discards[FORTIFIED] == 0 and field.table.hand_n[2] == 0


@pytest.mark.parametrize(("players", "bought"), [(4, 1), (3, 1), (2, 2)])
def test_no_more_cards_than_allowed(players: int, bought: int) -> None:
    """R-TE-CARD-1, R-TE-SET-3: of three engineers one; two with two bases; of three bases the first player's two."""
    field = Field(Builder, players=players)
    table = field.table
    set_limits(table)
    target = 3 if players == 4 else 0

    class Here(Builder):
        def engineer(table, seat, building):
            return 1.0 if building == 6 * target + WAREHOUSE else -1.0

    decide = Pool((make_strategy(Here),) * players).functions.handle
    for p in range(players):
        for _ in range(3):
            field.give(p, ENGINEER)
    production(field.game, decide)
    expected = [bought] * players
    if players == 3:
        expected[int(table.first)] = 2
    assert table.played[:players].tolist() == expected
    assert table.modules[target][WAREHOUSE] == sum(expected)


def test_nothing_is_bought_on_credit() -> None:
    """R-TE-PRD: neither debts nor the credits of another base."""
    field = Field()
    field.table.credits[:] = [1, 99, 99, 99]
    assert things_to_buy(field.table, 0) == 0


def test_countries_of_the_start() -> None:
    """R-TE-SET-1: two of each class C 4 to C 1 on either side, all of C 5 and more neutral."""
    table = started(4).table
    for credits in (1, 2, 3, 4):
        of_class = [c for c in range(30) if table.cards.credits[c] == credits]
        statuses = [int(table.status[c]) for c in of_class]
        assert statuses.count(ALIEN) == statuses.count(ALLIED) == 2
    rich = [c for c in range(30) if table.cards.credits[c] >= 5]
    assert rich and {int(table.status[c]) for c in rich} == {NEUTRAL}


def test_factions_are_dealt_once() -> None:
    """R-TE-ADV-1, R-TE-ADV-2: one each, with three tokens."""
    for index in range(5):
        field = Field(variant="advanced", players=2 + index % 3)
        n = int(field.table.bases)
        dealt = [int(f) for f in field.table.faction[:n]]
        assert len(set(dealt)) == n and set(dealt) <= set(range(4))
        assert field.table.tokens[:n].tolist() == [3] * n
