"""What strategies use to read the table. Nothing here peeks: what is drawn later is judged by what is in the bags."""

from __future__ import annotations

import math

from sim.bits import lowest
from sim.compile import tool
from sim.games.target_earth.bases import beside
from sim.games.target_earth.research import cost_of, knowledge_for, labs_for
from sim.games.target_earth.state import (
    ADVANCED,
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    BARRACKS,
    CARRIER,
    DIPLOMACY,
    ENGINEER,
    FIGHTER,
    FIGHTERS,
    FIRST_BASE,
    FIRST_COUNTRY,
    FIRST_UNIT,
    GARAGE,
    HANGAR,
    INFANTRY,
    KNOWLEDGE,
    LABORATORY,
    NEUTRAL,
    NONE,
    RADAR,
    REBELLION,
    SCIENCE,
    SCIENTIST,
    SETUP,
    TANK,
    TANKS,
    TROOPS,
    WAREHOUSE,
)
from sim.random import chance

__all__ = [
    "ADVANCED", "ALIEN", "ALIENS", "ALLIANCE", "ALLIED", "BARRACKS", "CARRIER", "DIPLOMACY", "ENGINEER",
    "FIGHTER", "FIGHTERS", "FIRST_BASE", "FIRST_COUNTRY", "FIRST_UNIT", "GARAGE", "HANGAR", "INFANTRY",
    "KNOWLEDGE", "LABORATORY", "NEUTRAL", "NONE", "RADAR", "REBELLION", "SCIENCE", "SCIENTIST", "SETUP",
    "TANK", "TANKS", "TROOPS", "WAREHOUSE", "air_chance", "air_strength", "alien_dice", "alien_units",
    "aliens_at", "allies_at", "allies_now", "ally_dice", "armies_dice", "army", "army_dice", "army_units",
    "attacked_at", "beating_chance", "building_ground", "chance", "cost_of", "dice_in_group",
    "fighter_dice", "ground_chance", "hit_chance", "home_dice", "home_fighters", "is_base", "knowledge_for",
    "labs_for", "last_turn", "likely", "lowest", "may_spare", "mine", "objective_points", "party_dice",
    "race_chance", "round_chance", "sent_dice", "sent_fighters", "slots_due", "spare_dice", "surely_not",
    "talks_chance", "threat_of", "two_dice_chance", "units_at_home", "units_sent",
]  # fmt: skip


@tool
def mine(seat):
    """The own seat's number."""
    return int(seat.me)


@tool
def building_ground(table, base):
    """The set of cells on which a base may build: free ones beside a module, or any for the first."""
    built = int(table.built[base])
    ground = beside(built) if built != 0 else int(table.cells)
    return ground & int(table.cells) & ~built


@tool
def two_dice_chance(needed):
    """The chance that two dice show at least so much."""
    if needed <= 7:
        return 1.0 - max(0, needed - 2) * max(0, needed - 1) / 72.0
    return max(0, 13 - needed) * max(0, 14 - needed) / 72.0


@tool
def talks_chance(table, country, extra):
    """The chance that the Alliance's two dice, its bonus and `extra` win a country over."""
    rules = table.rules
    bonus = extra
    if table.allied_n >= 20:
        bonus += rules.diplomacy_20
    elif table.allied_n >= 15:
        bonus += rules.diplomacy_15
    elif table.allied_n >= 10:
        bonus += rules.diplomacy_10
    needed = table.cards.diplomacy[country] - bonus
    return two_dice_chance(needed)


@tool
def is_base(tile):
    """Whether an objective is a base, not a country."""
    return tile >= FIRST_BASE


@tool
def threat_of(table, slot):
    """The chance that the UFO of a slot takes its country; 1 for a base."""
    tile = table.objective[slot]
    if tile == NONE or table.ufo[slot] == NONE:
        return 0.0
    if tile >= FIRST_BASE:
        return 1.0
    needed = table.cards.diplomacy[tile] - table.cards.ufo_bonus[table.ufo[slot]]
    return two_dice_chance(needed)


# --- in the air --------------------------------------------------------------------------------------------
@tool
def fighter_dice(table):
    """Dice of a plain fighter."""
    return int(table.cards.factor[FIGHTERS][table.level[FIGHTERS]])


@tool
def sent_dice(table, slot):
    """Dice of the fighters already sent to a slot."""
    plain, elite = fighter_dice(table), int(table.rules.elite_bonus)
    dice = 0
    for p in range(table.bases):
        dice += table.sent[slot][p] * plain + table.sent_elites[slot][p] * (plain + elite)
    return dice


@tool
def home_fighters(table):
    """Fighters of all bases that stand ready."""
    n = 0
    for p in range(table.bases):
        n += table.home[p][FIGHTER] + table.home_elites[p][FIGHTER]
    return n


# --- on the ground -----------------------------------------------------------------------------------------
@tool
def alien_dice(table, target):
    """Dice of the aliens at a target: a slot, or 8 and an alien country."""
    cards, era = table.cards, table.era
    if target >= FIRST_COUNTRY:
        n = cards.garrison[era][0] + cards.garrison[era][1]
        dice = (
            cards.garrison[era][0] * cards.factor_alien[era][0]
            + cards.garrison[era][1] * cards.factor_alien[era][1]
        )
        return int(dice + n * table.rules.garrison_bonus)
    dice = 0
    for slot in range(target, table.ufo_n):
        if table.ufo[slot] != NONE and table.joined[slot] == target:
            load = cards.load[era][table.ufo[slot]]
            dice += load[0] * cards.factor_alien[era][0] + load[1] * cards.factor_alien[era][1]
    return int(dice)


@tool
def party_dice(table, infantry, elite_infantry, tanks, elite_tanks):
    """Dice of so many units."""
    elite = int(table.rules.elite_bonus)
    troops = int(table.cards.factor[TROOPS][table.level[TROOPS]])
    armour = int(table.cards.factor[TANKS][table.level[TANKS]])
    dice = (infantry + elite_infantry) * troops + elite_infantry * elite
    return int(dice + (tanks + elite_tanks) * armour + elite_tanks * elite)


@tool
def armies_dice(table, target):
    """Dice of the armies already sent to a target, and of the attacked base's own units."""
    dice = 0
    for k in range(table.armies_n):
        if table.army_target[k] == target:
            dice += party_dice(
                table,
                table.army_infantry[k],
                table.army_elite_infantry[k],
                table.army_tanks[k],
                table.army_elite_tanks[k],
            )
    if target < FIRST_COUNTRY and table.objective[target] >= FIRST_BASE:
        dice += home_dice(table, table.objective[target] - FIRST_BASE)
    return int(dice)


@tool
def home_dice(table, p):
    """Dice of the infantry and tanks that stand at home."""
    return party_dice(
        table,
        table.home[p][INFANTRY],
        table.home_elites[p][INFANTRY],
        table.home[p][TANK],
        table.home_elites[p][TANK],
    )


@tool
def units_at_home(table, p, unit):
    """Units of a kind that stand on their modules."""
    return int(table.home[p][unit] + table.home_elites[p][unit])


@tool
def objective_points(table, objective):
    """Points that a secret objective would bring now."""
    cards = table.cards
    points = int(cards.by_count[objective][table.allied_n])
    for country in range(cards.countries):
        if table.status[country] == ALLIED:
            points += int(cards.if_allied[objective][country])
        elif table.status[country] == NEUTRAL:
            points += int(cards.if_neutral[objective][country])
        else:
            points += int(cards.if_alien[objective][country])
    return points


# --- chances -----------------------------------------------------------------------------------------------
@tool
def hit_chance(table):
    """The chance that a die hits."""
    return min(1.0, max(0.0, (7 - table.rules.hit_from) / 6.0))


@tool
def likely(z):
    """The chance that a normal deviate is below z, to half a point: a parabola either side, a slow rise beyond."""
    far = abs(z)
    beyond = 0.1 * far * (4.4 - far) if far <= 2.2 else min(0.4999, 0.484 + 0.005 * (far - 2.2))
    return 0.5 + beyond if z > 0.0 else 0.5 - beyond


@tool
def round_chance(table, dice, against):
    """The chance, about, that so many dice hit more often than so many others."""
    hit = hit_chance(table)
    if dice <= 0:
        return 0.0
    spread = math.sqrt(max(0.05, (dice + against) * hit * (1.0 - hit)))
    return likely(((dice - against) * hit - 0.5) / spread)


@tool
def beating_chance(table, dice, hits):
    """The chance that so many dice hit more often than `hits` times."""
    hit = hit_chance(table)
    if dice <= hits:
        return 0.0
    if hit >= 1.0:
        return 1.0
    ways, less = (1.0 - hit) ** dice, 0.0
    for k in range(hits + 1):
        less += ways
        ways *= (dice - k) / (k + 1.0) * hit / (1.0 - hit)
    return max(0.0, 1.0 - less)


@tool
def race_chance(chance_each, needed, lives):
    """The chance, about, of `needed` rounds won before `lives` are lost, each won with the same chance."""
    if needed <= 0:
        return 1.0
    if lives <= 0:
        return 0.0
    rounds = needed + lives - 1
    spread = math.sqrt(max(0.02, rounds * chance_each * (1.0 - chance_each)))
    return likely(1.2 * (rounds * chance_each - needed + 0.5) / spread)


@tool
def air_chance(table, fighters, each, attack):
    """The chance that so many fighters of so many dice bring a UFO down, if they fight to the last."""
    lost = 1.0
    for left in range(1, fighters + 1):
        lost *= 1.0 - round_chance(table, each * left, attack)
    return 1.0 - lost


@tool
def ground_chance(table, units, dice, aliens, against):
    """The chance, about, that so many units win a battle: over as many groups as there are aliens."""
    if aliens <= 0:
        return 1.0
    if units <= 0:
        return 0.0
    groups = max(1, min(int(table.rules.groups), min(aliens, units)))
    return race_chance(round_chance(table, dice / groups, against / groups), aliens, units)


@tool
def surely_not(table, units, dice, aliens, against):
    """Whether `ground_chance` cannot be above one half: fewer units, and no group with more dice to speak of."""
    if units <= 0 or units > aliens:
        return units <= 0 < aliens
    groups = min(int(table.rules.groups), units)
    return (dice - against) * hit_chance(table) <= 0.49 * groups


@tool
def alien_units(table, target):
    """Alien units at a target: a slot, or 8 and an alien country."""
    cards, era = table.cards, table.era
    if target >= FIRST_COUNTRY:
        return int(cards.garrison[era][0] + cards.garrison[era][1])
    n = 0
    for slot in range(target, table.ufo_n):
        if table.ufo[slot] != NONE and table.joined[slot] == target:
            load = cards.load[era][table.ufo[slot]]
            n += load[0] + load[1]
    return int(n)


@tool
def units_sent(table, target):
    """Infantry and tanks on their way to a target, and those at home in an attacked base."""
    n = 0
    for k in range(table.armies_n):
        if table.army_target[k] == target:
            n += table.army_infantry[k] + table.army_elite_infantry[k]
            n += table.army_tanks[k] + table.army_elite_tanks[k]
    if target < FIRST_COUNTRY and table.objective[target] >= FIRST_BASE:
        p = table.objective[target] - FIRST_BASE
        n += units_at_home(table, p, INFANTRY) + units_at_home(table, p, TANK)
    return int(n)


@tool
def army(table, p):
    """Units and dice of a full carrier of a base: elites go first."""
    elite_infantry, elite_tanks = int(table.home_elites[p][INFANTRY]), int(table.home_elites[p][TANK])
    infantry = min(int(table.home[p][INFANTRY]) + elite_infantry, int(table.rules.carrier_infantry))
    tanks = min(int(table.home[p][TANK]) + elite_tanks, int(table.rules.carrier_tanks))
    dice = infantry * int(table.cards.factor[TROOPS][table.level[TROOPS]])
    dice += tanks * int(table.cards.factor[TANKS][table.level[TANKS]])
    elites = min(infantry, elite_infantry) + min(tanks, elite_tanks)
    return infantry + tanks, dice + elites * int(table.rules.elite_bonus)


@tool
def army_dice(table, p):
    """Dice of a full carrier of a base."""
    return army(table, p)[1]


@tool
def army_units(table, p):
    """Units on a full carrier of a base."""
    return army(table, p)[0]


@tool
def attacked_at(table, p):
    """The slot from which aliens have landed at a base, or NONE."""
    for slot in range(table.ufo_n):
        if table.objective[slot] == FIRST_BASE + p:
            if table.ufo[slot] != NONE and table.joined[slot] == slot:
                return slot
    return NONE


@tool
def slots_due(table):
    """UFOs of this turn."""
    if table.turn >= table.rules.phase_3_turn:
        return int(table.rules.ufos_3)
    return int(table.rules.ufos_2 if table.turn >= table.rules.phase_2_turn else table.rules.ufos_1)


@tool
def last_turn(table):
    """Whether nothing comes after this turn."""
    return table.turn >= table.rules.turns


@tool
def sent_fighters(table, slot):
    """Fighters already sent to a slot."""
    n = 0
    for p in range(table.bases):
        n += table.sent[slot][p] + table.sent_elites[slot][p]
    return int(n)


@tool
def ally_dice(table, k):
    """Dice of a unit in the battle."""
    battle = table.battle
    technology = TROOPS if battle.ally_kind[k] == INFANTRY else TANKS
    dice = table.cards.factor[technology][table.level[technology]] + battle.bonus_allies
    return int(dice + battle.ally_elite[k] * table.rules.elite_bonus)


@tool
def allies_now(table):
    """Dice of all units that are still in the battle."""
    dice = 0
    for k in range(table.battle.ally_n):
        if table.battle.ally_group[k] != NONE:
            dice += ally_dice(table, k)
    return int(dice)


@tool
def dice_in_group(table, group):
    """Dice that the aliens have more than the Alliance in a group."""
    battle = table.battle
    dice = 0
    for k in range(battle.alien_n):
        if battle.alien_group[k] == group:
            dice += table.cards.factor_alien[table.era][battle.alien_kind[k]] + battle.bonus_aliens
    for k in range(battle.ally_n):
        if battle.ally_group[k] == group:
            dice -= ally_dice(table, k)
    return int(dice)


@tool
def air_strength(table, slot):
    """Dice of the fighters at a slot, as a number to reckon with."""
    return float(sent_dice(table, slot))


@tool
def aliens_at(table, target):
    """Units and dice of the aliens at a target."""
    cards, era = table.cards, table.era
    if target >= FIRST_COUNTRY:
        soldiers, tanks = int(cards.garrison[era][0]), int(cards.garrison[era][1])
        bonus = (soldiers + tanks) * int(table.rules.garrison_bonus)
    else:
        soldiers, tanks, bonus = 0, 0, 0
        for slot in range(target, table.ufo_n):
            if table.joined[slot] == target and table.ufo[slot] != NONE:
                soldiers += int(cards.load[era][table.ufo[slot]][0])
                tanks += int(cards.load[era][table.ufo[slot]][1])
    dice = soldiers * int(cards.factor_alien[era][0]) + tanks * int(cards.factor_alien[era][1])
    return soldiers + tanks, dice + bonus


@tool
def allies_at(table, target):
    """Units and dice of the armies already sent to a target, and of the attacked base's own units."""
    infantry, tanks, elites = 0, 0, 0
    for k in range(table.armies_n):
        if table.army_target[k] == target:
            infantry += int(table.army_infantry[k] + table.army_elite_infantry[k])
            tanks += int(table.army_tanks[k] + table.army_elite_tanks[k])
            elites += int(table.army_elite_infantry[k] + table.army_elite_tanks[k])
    if target < FIRST_COUNTRY and table.objective[target] >= FIRST_BASE:
        p = table.objective[target] - FIRST_BASE
        infantry += int(table.home[p][INFANTRY] + table.home_elites[p][INFANTRY])
        tanks += int(table.home[p][TANK] + table.home_elites[p][TANK])
        elites += int(table.home_elites[p][INFANTRY] + table.home_elites[p][TANK])
    if infantry + tanks == 0:
        return 0, 0
    dice = infantry * int(table.cards.factor[TROOPS][table.level[TROOPS]])
    dice += tanks * int(table.cards.factor[TANKS][table.level[TANKS]])
    return infantry + tanks, dice + elites * int(table.rules.elite_bonus)


@tool
def may_spare(table, wanted):
    """Whether the next armies of all bases have so many dice together."""
    dice = 0
    for p in range(table.bases):
        if dice >= wanted:
            return True
        if table.home[p][CARRIER] > 0:
            dice += army(table, p)[1]
    return dice >= wanted


@tool
def spare_dice(table):
    """Dice of the next army of each base that has a carrier ready."""
    dice = 0
    for p in range(table.bases):
        if table.home[p][CARRIER] > 0:
            dice += army_dice(table, p)
    return float(dice)
