"""Advanced game: personal points before the Alliance's. The world may just be saved, by the others.

Its objective steers diplomacy and votes, agents bet on what is likelier (spoiling others' rolls), tokens go where
they are likeliest to succeed. It fights where it can win alone, for two points, and keeps cards that count.
"""

from __future__ import annotations

from strategies.target_earth.core import court as core_court
from strategies.target_earth.core import engineer as core_engineer
from strategies.target_earth.core import intercept as core_intercept
from strategies.target_earth.core import knowledge_card as core_knowledge_card
from strategies.target_earth.core import mission as core_mission
from strategies.target_earth.core import scientist as core_scientist
from strategies.target_earth.params import CORE_PARAMS
from strategies.target_earth.toolbox import (
    ADVANCED,
    ALLIANCE,
    ENGINEER,
    KNOWLEDGE,
    NEUTRAL,
    SCIENTIST,
    air_chance,
    alien_dice,
    alien_units,
    army_dice,
    army_units,
    fighter_dice,
    ground_chance,
    mine,
    sent_fighters,
    talks_chance,
    units_sent,
)

params = {
    "personal": 5.0,
    "alone": (1.5, "worth of a fight it can win alone, in points"),
    "together": (-0.5, "worth of a fight that others are in"),
    "keep_from": (4.0, "the turn from which it keeps a starred card of each kind"),
}
ALONE, TOGETHER, KEEP_FROM = len(CORE_PARAMS), len(CORE_PARAMS) + 1, len(CORE_PARAMS) + 2


def keeps(table, seat, kind):
    """Whether its last card of that kind stays in hand."""
    return table.variant == ADVANCED and table.turn >= seat.params[KEEP_FROM] and seat.hand[kind] <= 1


def agent(table, seat, country):
    """On the likelier side: two dice are known to everybody."""
    side = 1 if seat.asked == ALLIANCE else 0
    chance = talks_chance(table, country, 0) if side else 0.5
    helped, spoiled = talks_chance(table, country, 1), 1.0 - talks_chance(table, country, -1)
    if side == 0:
        return -1
    if max(helped, spoiled) < 0.6 and table.turn < 5:
        return 0
    return 1 if helped >= spoiled and chance > 0.0 else -1


def diplomat(table, seat, country):
    """Two points are two points: the likeliest country."""
    chance = talks_chance(table, country, 0)
    if table.status[country] == NEUTRAL:
        return chance * 10.0 + 0.3 * core_court(table, seat, country)
    return chance * 10.0 + 0.1 * table.cards.points[country]


def intercept(table, seat, slot):
    """Alone, or not at all if it can be helped."""
    rating = core_intercept(table, seat, slot)
    if rating < 0.0:
        return -1.0
    me = mine(seat)
    own = table.sent[slot][me] + table.sent_elites[slot][me]
    if sent_fighters(table, slot) > own:
        return rating + seat.params[TOGETHER]
    fighters = own + table.home[me][0] + table.home_elites[me][0]
    chance = air_chance(
        table, fighters, float(fighter_dice(table)), float(table.cards.ufo_attack[table.ufo[slot]])
    )
    return rating + seat.params[ALONE] if chance >= 0.6 else rating


def mission(table, seat, target):
    """Alone, or not at all if it can be helped."""
    rating = core_mission(table, seat, target)
    if rating < 0.0:
        return -1.0
    if units_sent(table, target) > 0:
        return rating + seat.params[TOGETHER]
    me = mine(seat)
    units, dice = army_units(table, me), float(army_dice(table, me))
    chance = ground_chance(table, units, dice, alien_units(table, target), float(alien_dice(table, target)))
    return rating + seat.params[ALONE] if chance >= 0.6 else rating


def engineer(table, seat, building):
    return -1.0 if keeps(table, seat, ENGINEER) else core_engineer(table, seat, building)


def scientist(table, seat, technology):
    return -1.0 if keeps(table, seat, SCIENTIST) else core_scientist(table, seat, technology)


def knowledge_card(table, seat, target):
    return 0 if keeps(table, seat, KNOWLEDGE) else core_knowledge_card(table, seat, target)
