"""A table laid out by hand in plain Python, for tests of single rules: who decides what is a class of functions."""

from __future__ import annotations

from typing import Any

from sim.games.target_earth.bases import count_module, stand
from sim.games.target_earth.play import Pool, make_setting, new_game
from sim.games.target_earth.setup import clear_table, deal_countries, fill_deck, seat_people, start_streams
from sim.games.target_earth.state import FIRST_BASE, NONE
from sim.games.target_earth.strategy import make_strategy
from sim.games.target_earth.ufos import clear_slots


class Still:
    """Decides for nothing at all, and stays in every fight."""

    def bonus(table, seat, group):
        return 0

    def reroll(table, seat, group):
        return 0

    def withdraw(table, seat, slot):
        return 0

    def retreat(table, seat, group):
        return 0

    def group(table, seat, group):
        return 0.0

    def ace(table, seat, slot):
        return 0

    def squad(table, seat, target):
        return 0

    def crew(table, seat, target):
        return 0

    def knowledge_card(table, seat, target):
        return 0

    def diplomacy_card(table, seat, country):
        return 0

    def free_attempt(table, seat, country):
        return 0

    def intercept(table, seat, slot):
        return -1.0

    def mission(table, seat, target):
        return -1.0


class Field:
    """A game at a table of four (or as asked), bases empty, nothing in the sky."""

    def __init__(self, who: Any = Still, players: int = 4, **words: Any) -> None:
        strategy = make_strategy(who)
        setting = make_setting([strategy], players=players, **words)
        self.game = new_game(setting)[0]
        self.decide = Pool(setting.strategies).functions.handle
        start_streams(self.game, 11, 0)
        clear_table(self.game)
        deal_countries(self.game)
        seat_people(self.game)
        fill_deck(self.game)
        clear_slots(self.game.table)
        self.table = self.game.table
        self.table.turn = 1
        for p in range(setting.bases):
            self.table.may_play[p] = 9
            self.table.hand_n[p] = 0
            self.game.seats[p].hand[:] = 0  # cards come by `give` alone

    def module(self, p: int, module: int, unit: int = NONE, elite: int = 0) -> int:
        """One more module in a row, perhaps with a unit on it; its cell."""
        table = self.table
        cell = int(table.modules_n[p])
        table.module[p][cell] = module
        table.built[p] |= 1 << cell
        table.cells_of[p][module] |= 1 << cell
        count_module(table, p, module, 1)
        if unit != NONE:
            table.units[p][unit] += 1
            table.elites[p][unit] += elite
            stand(table, p, unit, elite, cell)
        return cell

    def ufo(self, size: int, tile: int) -> int:
        """One more UFO; its slot."""
        table = self.table
        slot = int(table.ufo_n)
        table.ufo[slot], table.objective[slot] = size, tile
        table.ufo_n += 1
        return slot

    def base_tile(self, p: int) -> int:
        """The objective tile of a base."""
        return FIRST_BASE + p

    def country(self, status: int) -> int:
        """The first country of a status."""
        return next(c for c in range(self.table.cards.countries) if self.table.status[c] == status)

    def give(self, p: int, kind: int) -> None:
        """A card for a hand."""
        self.game.seats[p].hand[kind] += 1
        self.table.hand_n[p] += 1
