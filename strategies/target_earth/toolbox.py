"""What strategies use to read the table. Nothing here peeks: what is drawn later is judged by what is in the bags."""

from __future__ import annotations

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
    FIGHTER,
    FIGHTERS,
    FIRST_BASE,
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
    TROOPS,
    WAREHOUSE,
)
from sim.random import chance

__all__ = [
    "ADVANCED", "ALIEN", "ALIENS", "ALLIANCE", "ALLIED", "BARRACKS", "CARRIER", "FIGHTER", "FIGHTERS", "FIRST_BASE",
    "FIRST_COUNTRY", "FIRST_UNIT", "GARAGE", "HANGAR", "INFANTRY", "LABORATORY", "NEUTRAL", "NONE", "RADAR",
    "SCIENCE", "SETUP", "TANK", "TANKS", "TROOPS", "WAREHOUSE", "alien_dice", "armies_dice", "building_ground",
    "chance", "cost_of", "fighter_dice", "home_dice", "home_fighters", "is_base", "knowledge_for", "labs_for", "lowest",
    "mine", "objective_points", "party_dice", "sent_dice", "talks_chance", "threat_of", "units_at_home",
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
    ways = 0
    for a in range(1, 7):
        for b in range(1, 7):
            ways += a + b >= needed
    return ways / 36.0


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
    ways = 0
    for a in range(1, 7):
        for b in range(1, 7):
            ways += a + b >= needed
    return ways / 36.0


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
