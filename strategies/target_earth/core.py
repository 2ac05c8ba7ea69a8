"""The sensible default of every decision, steered by parameters. Strategies change the parameters or replace single
decisions."""

from __future__ import annotations

from sim.games.target_earth.strategy import Param
from strategies.target_earth.toolbox import (
    ALLIANCE,
    ALLIED,
    BARRACKS,
    CARRIER,
    FIGHTER,
    FIGHTERS,
    FIRST_COUNTRY,
    FIRST_UNIT,
    GARAGE,
    HANGAR,
    INFANTRY,
    LABORATORY,
    NEUTRAL,
    NONE,
    RADAR,
    SCIENCE,
    SETUP,
    TANK,
    TANKS,
    WAREHOUSE,
    air_chance,
    alien_dice,
    alien_units,
    allies_now,
    armies_dice,
    army_dice,
    army_units,
    attacked_at,
    beating_chance,
    dice_in_group,
    fighter_dice,
    ground_chance,
    home_dice,
    home_fighters,
    is_base,
    knowledge_for,
    labs_for,
    last_turn,
    mine,
    round_chance,
    sent_dice,
    sent_fighters,
    slots_due,
    talks_chance,
    threat_of,
    units_at_home,
    units_sent,
)

CORE_PARAMS = (
    Param("labs", 3.6, "worth of laboratories"),
    Param(
        "early_labs",
        0.83,
        "laboratories wanted in turn 1; up to two more than the last level needs in the end",
    ),
    Param("radars", 7.0, "worth of radars"),
    Param("sight", 1.7, "share of the slots that the radars should reach"),
    Param("air", 6.9, "worth of fighters and hangars"),
    Param("fighters", 2.0, "fighters a base wants in turn 1"),
    Param("more_fighters", 0.91, "... and more each turn"),
    Param("ground", 6.8, "worth of carriers, infantry and tanks, and of modules for them"),
    Param("carriers", 1.0, "carriers a base wants in turn 1"),
    Param("more_carriers", 0.08, "... and more each turn"),
    Param("guard", 0.5, "infantry beyond what the carriers take"),
    Param("roles", 0.38, "how far bases share the work at set-up, one in the air, the next on the ground"),
    Param("science", 10.0, "wish for alien science"),
    Param("fighter_tech", 5.0, "wish for fighter levels"),
    Param("troop_tech", 4.2, "wish for infantry levels"),
    Param("tank_tech", 2.9, "wish for tank levels"),
    Param("level_cost", 1.5, "by how much that wish falls with each level"),
    Param("reserve", 4.5, "knowledge that unit levels leave for alien science"),
    Param("income", 0.29, "worth of a country's credit in each turn to come, in points"),
    Param("raids", 3.0, "worth of an alien base destroyed, beside the country's points"),
    Param("module", 1.5, "worth of a module of an attacked base, in points"),
    Param("knowledge", 3.0, "worth of a knowledge, in points"),
    Param("unit", 0.59, "worth of a fighter, infantry or tank, in points"),
    Param("sure", 0.75, "chance with which a fight is provided for"),
    Param("least", 0.21, "no fight with less chance than this"),
    Param("bonus_need", 0.14, "plays a bonus card for so much more chance"),
    Param("personal", 1.0, "advanced: worth of a personal point, in points of the Alliance"),
)
(LABS, EARLY_LABS, RADARS, SIGHT, AIR, FIGHTERS_1, MORE_FIGHTERS, GROUND, CARRIERS_1, MORE_CARRIERS, GUARD, ROLES,
 W_SCIENCE, W_FIGHTERS, W_TROOPS, W_TANKS, LEVEL_COST, RESERVE, INCOME, RAIDS, MODULE, KNOWLEDGE_WORTH, UNIT, SURE,
 LEAST, BONUS_NEED, PERSONAL) = range(27)  # fmt: skip


# --- bases -----------------------------------------------------------------------------------------------
def lacking(have, want):
    """How much is missing, as a share of what is wanted; -1: enough."""
    return 1.0 - have / want if have < want else -1.0


def weighed(weight, share):
    """A wish; -1 stays -1."""
    return weight * share if share > 0.0 else -1.0


def role(table, seat, ground):
    """At set-up some bases think more of the air, the others more of the ground; two bases do both."""
    if table.phase != SETUP or table.bases <= 2:
        return 1.0
    shift = seat.params[ROLES] if table.place[mine(seat)] % 2 == 1 else -seat.params[ROLES]
    return max(0.0, 1.0 + (shift if ground else -shift))


def labs_wanted(table, seat):
    """More each turn, in time for the last level of alien science."""
    first = seat.params[EARLY_LABS]
    goal = table.rules.science_labs_4 + 1.0
    return min(goal, first + (goal - first) * (table.turn - 1) / max(1.0, table.rules.turns - 2.0))


def lab_wish(table, seat):
    """Those for what was paid for this turn are dear."""
    for technology in range(4):
        if table.sought[technology] and table.labs < labs_for(table, technology):
            return 30.0
    want = labs_wanted(table, seat)
    if last_turn(table) or table.modules[mine(seat)][LABORATORY] >= want / table.bases + 1.0:
        return -1.0
    return weighed(seat.params[LABS], lacking(table.labs, want))


def radar_wish(table, seat):
    """As many as reach that share of this turn's slots."""
    slots = int(seat.params[SIGHT] * slots_due(table) + 0.5)
    if slots <= 0:
        return -1.0
    return weighed(seat.params[RADARS], lacking(table.radars, float(table.cards.radars[min(slots, 8) - 1])))


def fighter_wish(table, seat):
    """More each turn."""
    want = seat.params[FIGHTERS_1] + seat.params[MORE_FIGHTERS] * max(0, table.turn - 1)
    share = lacking(table.units[mine(seat)][FIGHTER], want)
    return weighed(seat.params[AIR] * role(table, seat, False), share)


def carrier_wish(table, seat):
    """More each turn."""
    want = seat.params[CARRIERS_1] + seat.params[MORE_CARRIERS] * max(0, table.turn - 1)
    share = lacking(table.units[mine(seat)][CARRIER], want)
    return weighed(seat.params[GROUND] * role(table, seat, True), share)


def infantry_wish(table, seat):
    """What the carriers take, and a guard."""
    me = mine(seat)
    want = table.rules.carrier_infantry * table.units[me][CARRIER] + seat.params[GUARD]
    return weighed(seat.params[GROUND] * role(table, seat, True), lacking(table.units[me][INFANTRY], want))


def tank_wish(table, seat):
    """One a carrier."""
    me = mine(seat)
    want = table.rules.carrier_tanks * table.units[me][CARRIER] + 0.3 * seat.params[GUARD]
    return weighed(seat.params[GROUND] * role(table, seat, True), lacking(table.units[me][TANK], want))


def wish(table, seat, module):
    """How much a base would like a module, warehouses apart: as much as the unit that waits for it."""
    me = mine(seat)
    if module == LABORATORY:
        return lab_wish(table, seat)
    if module == RADAR:
        return radar_wish(table, seat)
    if module == HANGAR:
        full = table.units[me][FIGHTER] + table.units[me][CARRIER] >= table.modules[me][HANGAR]
        return max(fighter_wish(table, seat), carrier_wish(table, seat)) if full else -1.0
    if module == BARRACKS:
        return (
            infantry_wish(table, seat) if table.units[me][INFANTRY] >= table.modules[me][BARRACKS] else -1.0
        )
    if module == GARAGE:
        return tank_wish(table, seat) if table.units[me][TANK] >= table.modules[me][GARAGE] else -1.0
    return -1.0


def warehouse_wish(table, seat):
    """As much as the dearest module that waits for one."""
    me = mine(seat)
    best = -1.0
    for module in range(6):
        if module != WAREHOUSE and table.modules[me][module] >= table.modules[me][WAREHOUSE]:
            if table.supply[module] > 0:
                best = max(best, wish(table, seat, module))
    return best - 0.01 if best > 0 else -1.0


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
        missing += int(params[RESERVE])
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
    """A knowledge is worth nothing once alien science is complete."""
    rules = table.rules
    level = int(table.level[SCIENCE])
    if level >= rules.science_goal or level >= 4:
        return 0.3
    need = rules.science_knowledge_4
    if level <= 2:
        need += rules.science_knowledge_3
    if level <= 1:
        need += rules.science_knowledge_2
    return seat.params[KNOWLEDGE_WORTH] if table.knowledge < need else 0.3


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
    ready = home_fighters(table)
    needed, missed = 0, 1.0 - before
    while needed < ready and missed > 1.0 - params[SURE]:
        needed += 1
        missed *= 1.0 - round_chance(table, each * (sent + needed), attack)
    if missed > 1.0 - params[LEAST]:
        return -1.0
    value = at_stake(table, seat, slot) * (1.0 - missed - before) - (
        0.0 if last_turn(table) else params[UNIT]
    )
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


def mission(table, seat, target):
    """Where an army gains most; where it takes several, only if there are enough."""
    me, params = mine(seat), seat.params
    if holds_home(table, seat):
        return -1.0
    aliens, against = alien_units(table, target), float(alien_dice(table, target))
    units, dice = units_sent(table, target), armies_dice(table, target)
    before = ground_chance(table, units, float(dice), aliens, against)
    if before >= params[SURE]:
        return -1.0
    armies, chance = 0, before
    for i in range(table.bases):
        p = (me + i) % table.bases
        if (i == 0 or table.place[p] != NONE) and table.home[p][CARRIER] > 0 and chance < params[SURE]:
            armies += 1
            units += army_units(table, p)
            dice += army_dice(table, p)
            chance = ground_chance(table, units, float(dice), aliens, against)
    if chance < params[LEAST] or armies == 0:
        return -1.0
    value = target_worth(table, seat, target) * (chance - before)
    if not last_turn(table):
        value -= params[UNIT] * aliens * 0.5
    if value < 0:
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
