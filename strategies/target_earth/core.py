"""The sensible default of every decision, steered by parameters. Strategies change the parameters or replace single
decisions."""

from __future__ import annotations

from strategies.target_earth.params import (
    BONUS_NEED,
    CORE_PARAMS,
    LEAST,
    LEVEL_COST,
    PERSONAL,
    RESERVE,
    SURE,
    UNIT,
    W_FIGHTERS,
    W_SCIENCE,
    W_TANKS,
    W_TROOPS,
)
from strategies.target_earth.toolbox import (
    ALLIANCE,
    CARRIER,
    FIGHTER,
    FIGHTERS,
    FIRST_UNIT,
    INFANTRY,
    LABORATORY,
    NEUTRAL,
    SCIENCE,
    TANK,
    TANKS,
    WAREHOUSE,
    air_chance,
    alien_dice,
    aliens_at,
    allies_at,
    allies_now,
    army,
    beating_chance,
    dice_in_group,
    fighter_dice,
    ground_chance,
    home_dice,
    home_fighters,
    knowledge_for,
    labs_for,
    last_turn,
    may_spare,
    mine,
    round_chance,
    sent_dice,
    sent_fighters,
    surely_not,
    talks_chance,
    units_at_home,
)
from strategies.target_earth.wishes import (
    carrier_wish,
    fighter_wish,
    infantry_wish,
    tank_wish,
    warehouse_wish,
    wish,
)
from strategies.target_earth.worth import (
    at_stake,
    gain,
    holds_home,
    knowledge_worth,
    risk,
    science_needs,
    target_worth,
)

# --- bases -----------------------------------------------------------------------------------------------


def buy(table, seat, thing):
    """What is wished for most; units a little before the modules for more of them."""
    if thing == WAREHOUSE:
        return warehouse_wish(table, seat)
    if thing < FIRST_UNIT:
        return wish(table, seat, thing)
    unit = thing - FIRST_UNIT
    if unit == FIGHTER:
        rating = fighter_wish(table, seat)
    elif unit == CARRIER:
        rating = carrier_wish(table, seat)
    else:
        rating = infantry_wish(table, seat) if unit == INFANTRY else tank_wish(table, seat)
    return rating + 1.0 if rating > 0 else -1.0


def place(table, seat, module):
    """Anywhere: two dice hit every module alike."""
    return -1


def engineer(table, seat, building):
    """What the base would wish for, the own base first; a warehouse never harms."""
    module, base = building % 6, building // 6
    if base != mine(seat):
        return 0.1 if module == LABORATORY and table.labs < table.rules.science_labs_4 else -1.0
    if module == WAREHOUSE:
        return max(0.05, warehouse_wish(table, seat))
    return wish(table, seat, module)


def fortify(table, seat):
    """Once there is somebody at home to make use of it."""
    return 1 if home_dice(table, mine(seat)) > 0 and not last_turn(table) else 0


# --- research --------------------------------------------------------------------------------------------


def due(table):
    """Whether alien science comes too late unless it rises this turn."""
    return table.level[SCIENCE] + table.rules.turns - table.turn < table.rules.science_goal


def tech_wish(table, seat, technology):
    """What a unit's next level is wished for."""
    params = seat.params
    wanted = params[W_FIGHTERS] if technology == FIGHTERS else params[W_TROOPS]
    if technology == TANKS:
        wanted = params[W_TANKS]
    return wanted - params[LEVEL_COST] * (table.level[technology] - 1)


def rate_technology(table, seat, technology):
    """What can be had by the turn's end; alien science first."""
    params = seat.params
    urgent = technology == SCIENCE and due(table)
    if last_turn(table) and technology != SCIENCE:
        return -1.0
    if labs_for(table, technology) > table.labs + table.bases and not urgent:
        return -1.0
    missing = knowledge_for(table, technology) - table.knowledge
    if technology == SCIENCE:
        if missing > 1 and not urgent:
            return -1.0
        return params[W_SCIENCE] + (50.0 if urgent else 0.0)
    if knowledge_for(table, technology) > 0:
        missing += int(params[RESERVE] * science_needs(table) + 0.5)
    return -1.0 if missing > 0 else tech_wish(table, seat, technology)


def research(table, seat, technology):
    """The best that can be had."""
    return rate_technology(table, seat, technology)


def scientist(table, seat, technology):
    """A second one, if it can be had."""
    return rate_technology(table, seat, technology)


def scarce(table, seat, technology):
    """Alien science."""
    return 1.0 if technology == SCIENCE else 0.0


# --- diplomacy -------------------------------------------------------------------------------------------


def court(table, seat, country):
    """Worth times chance."""
    return talks_chance(table, country, 0) * gain(table, seat, country)


def rebellion(table, seat, country):
    """Where it takes most from the aliens."""
    return talks_chance(table, country, 0) * table.cards.points[country] - 0.3


def diplomat(table, seat, country):
    """As a further attempt, or where it takes most from the aliens."""
    if table.status[country] == NEUTRAL:
        return talks_chance(table, country, 0) * (2.0 * seat.params[PERSONAL] + gain(table, seat, country))
    return talks_chance(table, country, 0) * (2.0 * seat.params[PERSONAL] + table.cards.points[country])


def agent(table, seat, country):
    """For the Alliance, against the aliens, where it may matter."""
    if table.cards.points[country] < 3 and table.turn < 4:
        return 0
    return 1 if seat.asked == ALLIANCE else -1


def diplomacy_card(table, seat, country):
    """If there is something to gain."""
    return 1 if gain(table, seat, country) > 0 and talks_chance(table, country, 0) > 0 else 0


def free_attempt(table, seat, country):
    """Always, unless one's own objective is against it."""
    return 1 if gain(table, seat, country) > 0 else 0


# --- what a fight is about -------------------------------------------------------------------------------


# --- in the air ------------------------------------------------------------------------------------------


def intercept(table, seat, slot):
    """Where one more fighter gains most; only where there are enough of them in all."""
    params = seat.params
    attack = table.cards.ufo_attack[table.ufo[slot]]
    sent = sent_fighters(table, slot)
    each = float(fighter_dice(table))
    if sent > 0:
        each = sent_dice(table, slot) / sent
    before = air_chance(table, sent, each, attack)
    if before >= params[SURE]:
        return -1.0
    stake, price = at_stake(table, seat, slot), 0.0 if last_turn(table) else params[UNIT]
    if stake >= 0.0 and stake * (1.0 - before) < price:  # not worth it, however sure
        return -1.0
    ready = home_fighters(table)
    needed, missed = 0, 1.0 - before
    while needed < ready and missed > 1.0 - params[SURE]:
        needed += 1
        missed *= 1.0 - round_chance(table, each * (sent + needed), attack)
    if missed > 1.0 - params[LEAST]:
        return -1.0
    value = stake * (1.0 - missed - before) - price
    if value < 0:
        return -1.0
    return value / needed + (10.0 if sent > 0 else 0.0)


def bonus(table, seat, group):
    """As few as give a clearly better chance."""
    battle = table.battle
    if battle.bonus > 0:
        return 0
    before = beating_chance(table, battle.factor_allies, battle.hits_aliens)
    after = beating_chance(
        table, battle.factor_allies + battle.units * table.rules.bonus_card, battle.hits_aliens
    )
    return 1 if after - before > seat.params[BONUS_NEED] else 0


def reroll(table, seat, group):
    """All that missed, unless the fight is won as it is."""
    return table.battle.missed if seat.asked <= 0 else 0


def withdraw(table, seat, slot):
    """When a further round risks more than it promises."""
    if last_turn(table):
        return 0
    attack = table.cards.ufo_attack[table.ufo[slot]]
    chance = round_chance(table, float(sent_dice(table, slot)), attack)
    return 1 if chance * at_stake(table, seat, slot) < (1.0 - chance) * seat.params[UNIT] else 0


def ace(table, seat, slot):
    """Gladly."""
    return 1


# --- on the ground ---------------------------------------------------------------------------------------


def mission(table, seat, target):
    """Where an army gains most; where it takes several, only if there are enough."""
    me, params = mine(seat), seat.params
    aliens, against = aliens_at(table, target)
    units, dice = allies_at(table, target)
    if not may_spare(table, 0.85 * against - dice):  # hopeless: no need to reckon
        return -1.0
    value = target_worth(table, seat, target)
    before = ground_chance(table, units, float(dice), aliens, float(against))
    if before >= params[SURE] or value * (1.0 - before) < risk(table, seat, aliens):
        return -1.0
    armies, chance = 0, before
    for i in range(table.bases):
        p = (me + i) % table.bases
        if table.home[p][CARRIER] > 0 and chance < params[SURE]:
            armies += 1
            more_units, more_dice = army(table, p)
            units += more_units
            dice += more_dice
            chance = -1.0  # not reckoned: not enough in any case
            if params[SURE] <= 0.5 or not surely_not(table, units, dice, aliens, against):
                chance = ground_chance(table, units, float(dice), aliens, float(against))
    if chance < 0.0:
        chance = ground_chance(table, units, float(dice), aliens, float(against))
    value = value * (chance - before) - risk(table, seat, aliens)
    if chance < params[LEAST] or armies == 0 or value < 0 or holds_home(table, seat):
        return -1.0
    return value / armies + (5.0 if before > 0 else 0.0)


def load(table, seat, target):
    """All there is room for."""
    me = mine(seat)
    infantry = min(units_at_home(table, me, INFANTRY), int(table.rules.carrier_infantry))
    return infantry + 3 * min(units_at_home(table, me, TANK), int(table.rules.carrier_tanks))


def group(table, seat, group):
    """Where the aliens have most dice more than the Alliance."""
    return dice_in_group(table, group)


def retreat(table, seat, group):
    """When the battle is as good as lost and units are still worth something."""
    if last_turn(table):
        return 0
    battle = table.battle
    aliens, allies = 0, 0
    for k in range(4):
        aliens += battle.aliens_in[k]
        allies += battle.allies_in[k]
    against = alien_dice(table, battle.target) * aliens / max(1, battle.alien_n)
    dice = float(allies_now(table))
    chance = ground_chance(table, allies, dice, aliens, against)
    return (
        1
        if chance * target_worth(table, seat, battle.target) < seat.params[UNIT] * (1.0 - chance) * allies
        else 0
    )


def squad(table, seat, target):
    """Gladly."""
    return 1


def crew(table, seat, target):
    """Gladly."""
    return 1


def knowledge_card(table, seat, target):
    """As long as there is something to learn."""
    return 1 if knowledge_worth(table, seat) > 0.5 else 0


def next_mission(table, seat, country):
    """The one with the most points."""
    return table.cards.points[country]


def swap_card(table, seat, card):
    """Never: every card is good for something."""
    return -1.0


__all__ = ["CORE_PARAMS"]
