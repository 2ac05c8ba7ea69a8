"""Advanced game: a free rider. It saves its own forces and lets the others pay and bleed.

It joins fights that are nearly won, leaves them when they turn, builds no laboratories or radars while others may,
and keeps the cards that count at the end.
"""

from __future__ import annotations

from strategies.target_earth.core import CORE_PARAMS, due
from strategies.target_earth.core import buy as core_buy
from strategies.target_earth.core import engineer as core_engineer
from strategies.target_earth.core import intercept as core_intercept
from strategies.target_earth.core import mission as core_mission
from strategies.target_earth.core import rebellion as core_rebellion
from strategies.target_earth.core import scientist as core_scientist
from strategies.target_earth.toolbox import (
    ADVANCED,
    ENGINEER,
    LABORATORY,
    RADAR,
    REBELLION,
    SCIENTIST,
    air_strength,
    alien_dice,
    alien_units,
    armies_dice,
    army_dice,
    army_units,
    fighter_dice,
    ground_chance,
    last_turn,
    mine,
    round_chance,
    units_sent,
)
from strategies.target_earth.wishes import lab_wish

params = {
    "unit": 1.2, "personal": 1.5, "guard": 1.5,
    "company": (0.6, "joins fights in which this chance of winning is reached with what it brings alone"),
    "keep": (1.0, "1: keeps one starred card of each kind for the end"),
}  # fmt: skip
COMPANY, KEEP = len(CORE_PARAMS), len(CORE_PARAMS) + 1


def keeps(table, seat, kind):
    """Whether its last card of that kind stays in hand."""
    return table.variant == ADVANCED and seat.params[KEEP] > 0.0 and seat.hand[kind] <= 1


def buy(table, seat, thing):
    """Laboratories and radars are for the others to build, unless time runs out."""
    if thing == RADAR or (thing == LABORATORY and not due(table)):
        return -1.0
    return lab_wish(table, seat) if thing == LABORATORY else core_buy(table, seat, thing)


def intercept(table, seat, slot):
    """One fighter at a time, where it makes a round likely to be won."""
    rating = core_intercept(table, seat, slot)
    dice = air_strength(table, slot) + fighter_dice(table)
    enough = round_chance(table, dice, float(table.cards.ufo_attack[table.ufo[slot]])) >= seat.params[COMPANY]
    return rating if enough else -1.0


def withdraw(table, seat, slot):
    """As soon as a round is more likely lost than won."""
    against = float(table.cards.ufo_attack[table.ufo[slot]])
    return 1 if round_chance(table, air_strength(table, slot), against) < 0.5 else 0


def mission(table, seat, target):
    """Where others have gone already, or its own army will do."""
    rating = core_mission(table, seat, target)
    me = mine(seat)
    chance = ground_chance(
        table,
        units_sent(table, target) + army_units(table, me),
        float(armies_dice(table, target) + army_dice(table, me)),
        alien_units(table, target),
        float(alien_dice(table, target)),
    )
    return rating if chance >= seat.params[COMPANY] else -1.0


def engineer(table, seat, building):
    return -1.0 if keeps(table, seat, ENGINEER) else core_engineer(table, seat, building)


def scientist(table, seat, technology):
    return -1.0 if keeps(table, seat, SCIENTIST) else core_scientist(table, seat, technology)


def rebellion(table, seat, country):
    return (
        -1.0
        if keeps(table, seat, REBELLION) and not last_turn(table)
        else core_rebellion(table, seat, country)
    )
