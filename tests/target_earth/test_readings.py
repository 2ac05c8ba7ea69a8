"""Where the rulebook is silent or can be read in two ways: our readings, one by one (A-TE-…)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.games.target_earth import countries, diplomacy, groups, missions
from sim.games.target_earth.air import fighters_of, play_diplomacy, withdraw
from sim.games.target_earth.bases import come_home, leave_home
from sim.games.target_earth.battle import add_aliens, add_ally, open_battle
from sim.games.target_earth.dice import ask_bonus, roll_again
from sim.games.target_earth.diplomacy import alien_attempt, attempt, court, diplomacy_step
from sim.games.target_earth.hands import change_hand, draw_card, may_play, swap_card
from sim.games.target_earth.play import make_setting
from sim.games.target_earth.production import fortify, production
from sim.games.target_earth.research import open_technologies, research
from sim.games.target_earth.setup import configure_bases, seat_people, start_streams
from sim.games.target_earth.state import (
    ACE,
    AIR,
    ALLIANCE,
    ALLIED,
    BARRACKS,
    BONUS,
    CARRIER,
    DIPLOMACY,
    ENGINEER,
    FIGHTER,
    FIRST_COUNTRY,
    FORTIFIED,
    GARAGE,
    HANGAR,
    INFANTRY,
    LABORATORY,
    LARGE,
    NEUTRAL,
    NONE,
    OFFICER,
    REBELLION,
    SCIENCE,
    SCIENTIST,
    SMALL,
    SOLDIER,
    SQUAD,
    WAREHOUSE,
)
from sim.games.target_earth.ufos import draw_size
from tests.target_earth.field import Field, Still
from tests.target_earth.test_fights import To, army


@pytest.fixture(autouse=True)
def wrapping() -> Any:
    with np.errstate(over="ignore"):
        yield


def rig(monkeypatch: pytest.MonkeyPatch, dice: list[int]) -> list[int]:
    """These dice, one after the other."""
    left = list(dice)
    monkeypatch.setattr(countries, "below", lambda streams, stream, n: left.pop(0) - 1)
    return left


class Idle(Still):
    """Wants nothing that can be left alone."""

    def buy(table, seat, thing):
        return -1.0

    def research(table, seat, technology):
        return -1.0

    def court(table, seat, country):
        return -1.0

    def engineer(table, seat, building):
        return -1.0

    def fortify(table, seat):
        return 0


# --- before the first turn -------------------------------------------------------------------------------
def test_the_laboratory_of_the_head_start_needs_no_warehouse() -> None:
    """A-TE-17: it is there before anything is bought."""
    field = Field(Idle, variant="advanced")
    configure_bases(field.game, field.decide)
    first = [int(field.table.order[i]) for i in range(4)]
    assert [int(field.table.modules[p][LABORATORY]) for p in first] == [1, 1, 0, 0]
    assert [int(field.table.credits[p]) for p in first] == [10, 10, 12, 12]
    assert field.table.modules[:, WAREHOUSE].sum() == 0


def test_the_first_player_is_drawn_and_begins() -> None:
    """A-TE-20: any of the four, and bases are configured from there clockwise."""
    bought: list[int] = []

    class Shop(Idle):
        def buy(table, seat, thing):
            if not bought or bought[-1] != seat.me:
                bought.append(int(seat.me))
            return -1.0

    firsts = set()
    for index in range(24):
        field = Field(Shop)
        start_streams(field.game, 11, index)
        seat_people(field.game)
        firsts.add(int(field.table.first))
        bought.clear()
        configure_bases(field.game, field.decide)
        assert bought == [(int(field.table.first) + i) % 4 for i in range(4)]
    assert firsts == {0, 1, 2, 3}


@pytest.mark.parametrize("bases", [2, 3, 4])
def test_one_player_may_have_any_number_of_bases(bases: int) -> None:
    """A-TE-21."""
    assert make_setting(["random"], players=1, rules={"solo_bases": bases}).bases == bases
    assert make_setting(["random"], players=1).bases == 4


def test_factions_in_the_base_game_do_not_change_seats() -> None:
    """A-TE-32."""
    field = Field(rules={"factions": 1})
    assert field.table.order.tolist() == [0, 1, 2, 3]
    assert sorted(field.table.faction.tolist()) == [0, 1, 2, 3]
    assert {int(seat.objective) for seat in field.game.seats} == {NONE}


# --- cards -----------------------------------------------------------------------------------------------
def test_a_bonus_card_needs_a_unit_in_the_fight() -> None:
    """A-TE-2: only bases that are in it are asked."""

    class Generous(Still):
        def bonus(table, seat, group):
            return 1

    field = Field(Generous)
    field.give(0, BONUS)
    field.give(1, BONUS)
    assert ask_bonus(field.game, field.decide, 0, 0b01) == 1
    assert [int(field.game.seats[p].hand[BONUS]) for p in (0, 1)] == [0, 1]


def test_any_base_may_play_diplomacy_after_a_victory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-9: one that was not in the fight, too."""

    class Polite(Still):
        def diplomacy_card(table, seat, country):
            return 1

    field = Field(Polite)
    field.give(2, DIPLOMACY)
    country = field.country(NEUTRAL)
    rig(monkeypatch, [6, 6])
    assert play_diplomacy(field.game, field.decide, 2, country)
    assert field.table.status[country] == ALLIED


def test_an_empty_deck_is_renewed_from_the_discards() -> None:
    """A-TE-12."""
    field = Field()
    field.game.secret.deck[:] = 0
    field.table.deck_n = 0
    field.table.discards[:] = 0
    field.table.discards[ACE] = 2
    draw_card(field.game, 1, 0)
    assert field.game.seats[1].hand[ACE] == 1
    assert (field.table.deck_n, field.table.discards[ACE]) == (1, 0)


def test_one_scientist_a_turn_and_one_fortification_a_base() -> None:
    """A-TE-22."""

    class Keen(Still):
        def research(table, seat, technology):
            return 1.0

        def scientist(table, seat, technology):
            return 1.0

        def fortify(table, seat):
            return 1

    field = Field(Keen)
    field.table.fund = 60
    for p in (1, 2):
        field.give(p, SCIENTIST)
    research(field.game, field.decide)
    assert field.table.sought.sum() == 2
    assert sum(int(field.game.seats[p].hand[SCIENTIST]) for p in (1, 2)) == 1
    field.give(0, FORTIFIED)
    field.give(0, FORTIFIED)
    fortify(field.game, field.decide, 0)
    fortify(field.game, field.decide, 0)
    assert field.table.fortified[0] == 1
    assert field.game.seats[0].hand[FORTIFIED] == 1
    assert field.table.discards[FORTIFIED] == 0  # it stays in play


def test_only_what_the_fund_can_pay_is_researched() -> None:
    """A-TE-23; A-TE-14: not even science when it must be."""
    field = Field(Idle, variant="advanced")
    field.table.turn, field.table.fund = 5, 4
    assert open_technologies(field.table) == 0
    research(field.game, field.decide)
    assert field.table.sought.sum() == 0
    field.table.fund = 5
    research(field.game, field.decide)
    assert field.table.sought[SCIENCE] == 1


def test_cards_come_before_purchases() -> None:
    """A-TE-6: the first player can use the warehouse that the last one's engineer has built."""

    class Builders(Idle):
        def engineer(table, seat, building):
            return 1.0 if building == WAREHOUSE + 6 * table.first else -1.0

        def buy(table, seat, thing):
            return 1.0 if thing == HANGAR else -1.0

    field = Field(Builders)
    first = int(field.table.first)
    field.table.credits[first] = 2
    field.give((first + 3) % 4, ENGINEER)
    production(field.game, field.decide)
    assert field.table.modules[first].tolist()[:2] == [1, 1]


def test_an_engineer_finds_no_piece_left() -> None:
    """A-TE-6: free modules obey the rules as well: no tile, no module, and the card is kept."""

    class Builders(Idle):
        def engineer(table, seat, building):
            return 1.0

    field = Field(Builders)
    field.table.supply[WAREHOUSE] = 0  # and without a warehouse nothing else may be built
    field.give(1, ENGINEER)
    production(field.game, field.decide)
    assert field.game.seats[1].hand[ENGINEER] == 1


def test_the_officer_swaps_a_card() -> None:
    """A-TE-29: the old one goes to the discards, a new one is drawn."""

    class Swapper(Still):
        def swap_card(table, seat, card):
            return 1.0

    field = Field(Swapper, variant="advanced")
    officer = field.table.faction.tolist().index(OFFICER)
    other = (officer + 1) % 4
    for p in (officer, other):
        field.give(p, ACE)
        swap_card(field.game, field.decide, p)
    assert field.table.discards[ACE] == 1
    assert field.table.hand_n[[officer, other]].tolist() == [1, 1]
    assert field.game.seats[other].hand[ACE] == 1


def test_only_the_size_of_a_hand_is_public() -> None:
    """A-TE-30: in the advanced game; in the base game hands lie open."""
    for variant, shown in (("advanced", 0), ("base", 1)):
        field = Field(variant=variant)
        field.table.hand[:] = 0
        change_hand(field.game, 1, SQUAD, 1)
        assert (field.table.hand_n[1], field.table.hand[1][SQUAD]) == (1, shown)
        assert may_play(field.game, 1, SQUAD) == 1


# --- diplomacy -------------------------------------------------------------------------------------------
def test_what_has_changed_is_not_courted_but_may_be_attacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-4, A-TE-13: attempts of either side leave it alone, a UFO does not."""

    class Court(Still):
        def court(table, seat, country):
            return 1.0

    field = Field(Court)
    table = field.table
    table.changed = int(table.neutral)
    points = table.points.tolist()
    court(field.game, field.decide)
    country = field.country(NEUTRAL)
    monkeypatch.setattr(diplomacy, "draw_objective", lambda game, bag: country)
    alien_attempt(field.game, field.decide)
    assert table.points.tolist() == points
    slot = field.ufo(LARGE, country)
    rig(monkeypatch, [6, 6])
    missions.conquer(field.game, slot, country)
    assert table.points[1] == points[1] + table.cards.points[country]


def test_the_order_of_the_diplomacy_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-7: the Alliance, then each base's rebellions, then the aliens."""

    class Busy(Still):
        def court(table, seat, country):
            return 1.0

        def rebellion(table, seat, country):
            return 1.0

    field = Field(Busy, rules={"alien_diplomacy": 1})
    order = [(int(field.table.first) + i) % 4 for i in range(4)]
    for p in (order[3], order[1]):
        field.give(p, REBELLION)
    who: list[tuple[int, int]] = []

    def attempt_seen(
        game: Any, decide: Any, country: int, why: int, p: int, extra: int, side: int, to: int
    ) -> bool:
        who.append((p, side))
        return False

    monkeypatch.setattr(diplomacy, "attempt", attempt_seen)
    monkeypatch.setattr(diplomacy, "draw_objective", lambda game, bag: field.country(NEUTRAL))
    diplomacy_step(field.game, field.decide)
    assert who == [(NONE, ALLIANCE), (order[1], ALLIANCE), (order[3], ALLIANCE), (NONE, 1)]


def test_an_agent_is_declared_before_the_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-5: the token is gone when the first die falls."""

    class Helper(Still):
        def agent(table, seat, country):
            return 1

    field = Field(Helper, variant="advanced")
    officer = field.table.faction.tolist().index(OFFICER)
    tokens: list[int] = []

    def die(streams: Any, stream: int, n: int) -> int:
        tokens.append(int(field.table.tokens[officer]))
        return 5

    monkeypatch.setattr(countries, "below", die)
    attempt(field.game, field.decide, field.country(NEUTRAL), 0, NONE, 0, ALLIANCE, ALLIED)
    assert tokens == [2, 2]


def test_a_reroll_takes_missed_dice_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-5: hits stay, and so do the dice that were not chosen."""
    field = Field()
    game = field.game
    game.dice[:4] = [6, 1, 2, 3]
    game.dice_from[0], game.dice_of[0] = 0, 4
    left = rig(monkeypatch, [5, 4])
    roll_again(game, AIR, 0, 2)
    assert game.dice[:4].tolist() == [6, 5, 4, 3]
    assert left == []


# --- fights ----------------------------------------------------------------------------------------------
def test_to_withdraw_is_to_withdraw_everything() -> None:
    """A-TE-3: all fighters of the base, elite or not."""

    class Flee(Still):
        def withdraw(table, seat, slot):
            return 1 if seat.me == 0 else 0

    field = Field(Flee)
    field.ufo(LARGE, field.country(NEUTRAL))
    field.table.sent[0][0], field.table.sent_elites[0][0], field.table.sent[0][1] = 2, 1, 1
    withdraw(field.game, field.decide, 0)
    assert [fighters_of(field.table, 0, p) for p in (0, 1)] == [0, 1]
    assert (field.game.away[0][FIGHTER], field.game.away_elites[0][FIGHTER]) == (2, 1)


def drawn_up(field: Field, aliens: list[int], allies: list[int]) -> Any:
    """A battle in which units stand in these groups."""
    open_battle(field.game, FIRST_COUNTRY, 0, NONE)
    battle = field.table.battle
    add_aliens(battle, SOLDIER, len(aliens))
    add_ally(battle, 0, INFANTRY, 0, 0, len(allies))
    battle.alien_group[: len(aliens)] = aliens
    battle.ally_group[: len(allies)] = allies
    for group in range(4):
        battle.aliens_in[group], battle.allies_in[group] = aliens.count(group), allies.count(group)
    return battle


def test_only_units_without_an_opponent_are_regrouped() -> None:
    """A-TE-8: the others stay where they fight; if nobody has an opponent all are placed anew."""
    field = Field()
    battle = drawn_up(field, [0, 1, 1], [1, 3, 3])
    groups.regroup(field.game, field.decide)
    assert battle.alien_group[:3].tolist() == [1, 1, 1]
    assert battle.ally_group[:3].tolist() == [1, 1, 1]
    battle = drawn_up(field, [0, 1], [2, 3])
    groups.regroup(field.game, field.decide)
    assert sorted(battle.ally_group[:2].tolist()) == sorted(battle.alien_group[:2].tolist()) == [0, 1]


def test_each_base_places_its_own_units_in_player_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-25."""
    field = Field(To)
    order = [(int(field.table.first) + i) % 4 for i in range(4)]
    for p in order[::-1]:
        army(field, p, 2, 0)
    field.ufo(LARGE, field.country(ALLIED))
    asked: list[int] = []
    choose = groups.choose

    def choose_seen(game: Any, decide: Any, p: int, question: int, legal: int) -> int:
        asked.append(p)
        return int(choose(game, decide, p, question, legal))

    monkeypatch.setattr(groups, "choose", choose_seen)
    missions.missions(field.game, field.decide)
    assert asked[:8] == [p for p in order for _ in range(2)]


def test_a_base_that_was_defended_loses_no_module_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-26, A-TE-27: even if the helpers retreat; then their carrier comes back."""

    class Flee(To):
        def retreat(table, seat, group):
            return 1

    field = Field(Flee)
    army(field, 0, 2, 0)
    for _ in range(6):
        field.module(1, WAREHOUSE)
    field.ufo(SMALL, field.base_tile(1))
    lost: list[int] = []
    monkeypatch.setattr(missions, "raid", lambda game, slot, p, modules: lost.append(modules))
    rig(monkeypatch, [1, 1, 1, 1])  # a tie: one infantry falls, the other leaves
    missions.missions(field.game, field.decide)
    assert lost == [1]
    assert field.game.away[0].tolist() == [0, 1, 1, 0]


def test_what_comes_after_a_victory_comes_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-16: knowledge, the free attempt, then each base's elite cards, knowledge card, diplomacy card."""
    field = Field(To)
    army(field, 0, 2, 1)
    field.ufo(LARGE, field.country(NEUTRAL))
    done: list[object] = []
    known = field.table.knowledge
    monkeypatch.setattr(missions, "fight_battle", lambda game, decide: True)
    monkeypatch.setattr(
        missions,
        "try_free_attempt",
        lambda game, decide, tile: done.append(("free", field.table.knowledge - known)),
    )
    monkeypatch.setattr(
        missions, "promote", lambda game, decide, p, card, unit, question: done.append((p, card))
    )
    monkeypatch.setattr(missions, "play_knowledge", lambda game, decide, p: done.append((p, "knowledge")))
    monkeypatch.setattr(
        missions, "play_diplomacy", lambda game, decide, p, tile: done.append((p, "diplomacy"))
    )
    missions.missions(field.game, field.decide)
    first = int(field.table.first)
    assert done[:5] == [
        ("free", 1),
        (first, SQUAD),
        (first, SQUAD + 1),
        (first, "knowledge"),
        (first, "diplomacy"),
    ]
    assert len(done) == 1 + 4 * 4


def test_a_ufo_without_tile_or_objective() -> None:
    """A-TE-24: it does not come, or does nothing."""
    field = Field()
    field.table.bag[:] = 0
    assert draw_size(field.game) == NONE
    field.ufo(LARGE, NONE)
    points = field.table.points.tolist()
    missions.missions(field.game, field.decide)
    assert field.table.points.tolist() == points


def test_the_kind_on_the_die_and_its_emptiest_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """A-TE-31: again if there is none of that kind; of several the one without a unit."""
    field = Field(rules={"die_picks_module": 1})
    field.module(0, BARRACKS, INFANTRY)
    field.module(0, GARAGE)
    empty = field.module(0, BARRACKS)
    left = rig(monkeypatch, [6, 3])
    assert missions.die_module(field.game, 0) == empty
    assert left == []


# --- at home ---------------------------------------------------------------------------------------------
def test_units_leave_from_and_return_to_the_lowest_cells() -> None:
    """A-TE-10: and carriers come before fighters, elite ones before plain ones."""
    field = Field()
    table, game = field.table, field.game
    cells = [field.module(0, HANGAR, FIGHTER) for _ in range(3)]
    assert [leave_home(table, 0, FIGHTER, 0) for _ in range(3)] == cells
    table.units[0][CARRIER], table.elites[0][FIGHTER] = 1, 1
    table.units[0][FIGHTER] = 3
    game.away[0][FIGHTER], game.away_elites[0][FIGHTER], game.away[0][CARRIER] = 2, 1, 1
    come_home(game)
    assert table.unit[0][:3].tolist() == [CARRIER, FIGHTER, FIGHTER]
    assert table.unit_elite[0][:3].tolist() == [0, 1, 0]
    assert table.units[0].tolist() == [2, 1, 0, 0]  # one fighter found no hangar
