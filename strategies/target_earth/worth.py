"""What countries, knowledge and fights are worth, in points of the Alliance."""

from __future__ import annotations

from strategies.target_earth.params import INCOME, KNOWLEDGE_WORTH, MODULE, PERSONAL, RAIDS, UNIT
from strategies.target_earth.toolbox import (
    ALLIED,
    FIRST_COUNTRY,
    INFANTRY,
    NEUTRAL,
    NONE,
    SCIENCE,
    TANK,
    alien_dice,
    alien_units,
    attacked_at,
    ground_chance,
    home_dice,
    is_base,
    last_turn,
    mine,
    talks_chance,
    threat_of,
    units_at_home,
)


def science_needs(table):
    """Knowledge for all levels of alien science that are still to come."""
    rules, need = table.rules, 0
    if table.level[SCIENCE] <= 1:
        need += rules.science_knowledge_2
    if table.level[SCIENCE] <= 2 and rules.science_goal >= 3:
        need += rules.science_knowledge_3
    if table.level[SCIENCE] <= 3 and rules.science_goal >= 4:
        need += rules.science_knowledge_4
    return need


def worth(table, seat, country):
    """A country's points and what its credits are worth for the rest of the game."""
    left = table.rules.turns - table.turn
    return table.cards.points[country] + seat.params[INCOME] * table.cards.credits[country] * min(left, 4)


def personal_worth(table, seat, country, status, later):
    """Advanced: what one's own objective says about a country's new status."""
    objective = seat.objective
    if objective == NONE:
        return 0.0
    cards = table.cards
    points = 0
    for step in range(2):
        which = later if step == 0 else status
        sign = 1 if step == 0 else -1
        if which == ALLIED:
            points += sign * cards.if_allied[objective][country]
        elif which == NEUTRAL:
            points += sign * cards.if_neutral[objective][country]
        else:
            points += sign * cards.if_alien[objective][country]
    if later == ALLIED and status != ALLIED:
        points += cards.by_count[objective][table.allied_n + 1] - cards.by_count[objective][table.allied_n]
    return seat.params[PERSONAL] * points


def gain(table, seat, country):
    """What it is worth that a neutral country joins."""
    return worth(table, seat, country) + personal_worth(table, seat, country, NEUTRAL, ALLIED)


def at_stake(table, seat, slot):
    """What a UFO is about to take, in points."""
    tile = table.objective[slot]
    if tile == NONE:
        return 0.0
    if is_base(tile):
        load = table.cards.load[table.era][table.ufo[slot]]
        return seat.params[MODULE] * (load[0] + load[1] + 1)
    value = table.cards.points[tile] + 0.0
    if table.status[tile] == ALLIED:
        value = worth(table, seat, tile)
    return threat_of(table, slot) * value


def knowledge_worth(table, seat):
    """A knowledge is worth little once there is enough for alien science."""
    return seat.params[KNOWLEDGE_WORTH] if table.knowledge < science_needs(table) else 0.3


def target_worth(table, seat, target):
    """What a victory there is worth, in points."""
    value = knowledge_worth(table, seat)
    if target >= FIRST_COUNTRY:
        country = target - FIRST_COUNTRY
        value += seat.params[RAIDS] + table.cards.points[country]
        return value + personal_worth(table, seat, country, 2, NEUTRAL)
    tile = table.objective[target]
    value += at_stake(table, seat, target)
    if not is_base(tile) and table.ufo[target] >= table.rules.free_attempt_size:
        if table.status[tile] == NEUTRAL:
            value += talks_chance(table, tile, 0) * gain(table, seat, tile)
    return value


def holds_home(table, seat):
    """Whether the base is attacked, and its units may do something about it."""
    me = mine(seat)
    slot = attacked_at(table, me)
    if slot == NONE:
        return False
    units = units_at_home(table, me, INFANTRY) + units_at_home(table, me, TANK)
    dice = home_dice(table, me) + units * table.fortified[me] * table.rules.fortified_bonus
    chance = ground_chance(
        table, units, float(dice), alien_units(table, slot), float(alien_dice(table, slot))
    )
    return chance > 0.15


def risk(table, seat, aliens):
    """What a battle against so many is likely to cost."""
    return 0.0 if last_turn(table) else 0.5 * seat.params[UNIT] * aliens
