"""Friends before guns: wins countries over, the rich and the big ones first, and hopes for the sudden end.

It keeps the turn's card for an attempt while it holds one, and fights where a victory allows another attempt.
"""

from __future__ import annotations

from strategies.target_earth.core import bonus as core_bonus
from strategies.target_earth.core import engineer as core_engineer
from strategies.target_earth.core import fortify as core_fortify
from strategies.target_earth.core import intercept as core_intercept
from strategies.target_earth.core import mission as core_mission
from strategies.target_earth.params import CORE_PARAMS
from strategies.target_earth.toolbox import (
    DIPLOMACY,
    FIRST_COUNTRY,
    NEUTRAL,
    REBELLION,
    is_base,
    mine,
    talks_chance,
)
from strategies.target_earth.worth import gain

params = {
    "income": 0.5,
    "friends": (1.5, "worth of an attempt that a victory allows, beside chance times the country's worth"),
}
FRIENDS = len(CORE_PARAMS)


def saves_its_card(table, seat):
    """Whether the turn's only card is to be an attempt."""
    me = mine(seat)
    held = seat.hand[DIPLOMACY] + seat.hand[REBELLION]
    return held > 0 and table.may_play[me] - table.played[me] <= 1


def friendly_ground(table, seat, slot):
    """What a victory there is worth to a diplomat: 0 unless the country is neutral."""
    tile = table.objective[slot]
    if tile < 0 or is_base(tile) or table.status[tile] != NEUTRAL:
        return 0.0
    return seat.params[FRIENDS] + talks_chance(table, tile, 0) * gain(table, seat, tile)


def intercept(table, seat, slot):
    """Rather over neutral countries, with a diplomacy card in hand."""
    rating = core_intercept(table, seat, slot)
    if rating < 0.0 or seat.hand[DIPLOMACY] == 0:
        return rating
    return rating + friendly_ground(table, seat, slot)


def mission(table, seat, target):
    """Rather where a large or terror UFO landed in a neutral country."""
    rating = core_mission(table, seat, target)
    if rating < 0.0 or target >= FIRST_COUNTRY:
        return rating
    free = table.ufo[target] >= table.rules.free_attempt_size or seat.hand[DIPLOMACY] > 0
    return rating + friendly_ground(table, seat, target) if free else rating


def rebellion(table, seat, country):
    """At once, where it takes most from the aliens."""
    return talks_chance(table, country, 0) * table.cards.points[country]


def engineer(table, seat, building):
    """Not instead of an attempt."""
    return -1.0 if saves_its_card(table, seat) else core_engineer(table, seat, building)


def fortify(table, seat):
    """Not instead of an attempt."""
    return 0 if saves_its_card(table, seat) else core_fortify(table, seat)


def bonus(table, seat, group):
    """Not instead of an attempt."""
    return 0 if saves_its_card(table, seat) else core_bonus(table, seat, group)


def knowledge_card(table, seat, target):
    """Not before the attempt."""
    return 0 if saves_its_card(table, seat) else 1
