"""Uniformly random legal play: every legal option of every decision is equally likely.

The floor that every other strategy should beat, and the one that visits corners nobody else does.
"""

from __future__ import annotations

from strategies.target_earth.toolbox import (
    INFANTRY,
    TANK,
    building_ground,
    chance,
    lowest,
    mine,
    units_at_home,
)

params: dict[str, float] = {}


def one_of(seat, n):
    """A whole number from 0 to n - 1."""
    return int(chance(seat, 100) * n)


def perhaps(seat, option, share):
    """A random rating; of all options at once, none is wanted in so many cases."""
    return chance(seat, option) if chance(seat, 101) >= share else -1.0


def buy(table, seat, thing):
    return perhaps(seat, thing, 0.1)


def place(table, seat, module):
    """Any of the cells that are free."""
    ground = building_ground(table, mine(seat))
    n, left = 0, ground
    while left != 0:
        left &= left - 1
        n += 1
    for _ in range(one_of(seat, n)):
        ground &= ground - 1
    return lowest(ground)


def research(table, seat, technology):
    return perhaps(seat, technology, 0.2)


def scientist(table, seat, technology):
    return perhaps(seat, technology, 0.5)


def engineer(table, seat, building):
    return perhaps(seat, building, 0.5)


def fortify(table, seat):
    return one_of(seat, 2)


def court(table, seat, country):
    return perhaps(seat, country, 0.1)


def rebellion(table, seat, country):
    return perhaps(seat, country, 0.5)


def diplomat(table, seat, country):
    return perhaps(seat, country, 0.5)


def agent(table, seat, country):
    return one_of(seat, 3) - 1


def intercept(table, seat, slot):
    return perhaps(seat, slot, 0.3)


def bonus(table, seat, group):
    return one_of(seat, 2)


def reroll(table, seat, group):
    return one_of(seat, table.battle.missed + 1)


def withdraw(table, seat, slot):
    return one_of(seat, 2)


def ace(table, seat, slot):
    return one_of(seat, 2)


def diplomacy_card(table, seat, country):
    return one_of(seat, 2)


def mission(table, seat, target):
    return perhaps(seat, target, 0.3)


def load(table, seat, target):
    """Any load that is there."""
    me = mine(seat)
    infantry = min(units_at_home(table, me, INFANTRY), table.rules.carrier_infantry)
    tanks = min(units_at_home(table, me, TANK), table.rules.carrier_tanks)
    pick = 1 + one_of(seat, (infantry + 1) * (tanks + 1) - 1)
    return pick % (infantry + 1) + 3 * (pick // (infantry + 1))


def group(table, seat, group):
    return chance(seat, group)


def retreat(table, seat, group):
    return int(one_of(seat, 4) == 0)


def squad(table, seat, target):
    return one_of(seat, 2)


def crew(table, seat, target):
    return one_of(seat, 2)


def knowledge_card(table, seat, target):
    return one_of(seat, 2)


def free_attempt(table, seat, country):
    return one_of(seat, 2)


def next_mission(table, seat, country):
    return chance(seat, country)


def scarce(table, seat, technology):
    return chance(seat, technology)


def swap_card(table, seat, card):
    return perhaps(seat, card, 0.5)
