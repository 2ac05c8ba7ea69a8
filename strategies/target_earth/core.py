"""The sensible default of every decision, steered by parameters. Strategies change the parameters or replace single
decisions."""

from __future__ import annotations

from sim.games.target_earth.strategy import Param
from strategies.target_earth.toolbox import (
    ALLIANCE,
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
    alien_dice,
    armies_dice,
    fighter_dice,
    home_dice,
    home_fighters,
    is_base,
    knowledge_for,
    labs_for,
    mine,
    party_dice,
    sent_dice,
    talks_chance,
    threat_of,
    units_at_home,
)

CORE_PARAMS = (
    Param("labs", 10.0, "worth of a laboratory while the Alliance is short of them"),
    Param("radars", 8.0, "worth of a radar while the Alliance is short of them"),
    Param("air", 6.0, "worth of fighters and hangars"),
    Param("ground", 6.0, "worth of carriers, infantry and tanks, and of modules for them"),
    Param("fighters", 3.0, "fighters a base wants"),
    Param("carriers", 1.0, "carriers a base wants"),
    Param("warehouses", 5.0, "worth of a warehouse while one is wanted for a module"),
    Param("science", 10.0, "wish for alien science"),
    Param("fighter_tech", 5.0, "wish for fighter levels"),
    Param("troop_tech", 4.0, "wish for infantry levels"),
    Param("tank_tech", 3.0, "wish for tank levels"),
    Param("income", 0.5, "worth of a country's credit, in points"),
    Param("air_margin", 1.1, "fighters' dice for each of a UFO's"),
    Param("ground_margin", 1.2, "army's dice for each of the aliens'"),
    Param("raids", 4.0, "worth of an alien base destroyed, beside the country's points"),
    Param("base_value", 4.0, "worth of a base that is attacked, in points"),
    Param("stay", 0.6, "stays in a fight with so many dice for each of the aliens'"),
    Param("bonus_need", 0.4, "plays a bonus card when expected hits fall short by less than this"),
    Param("knowledge", 3.0, "worth of a knowledge won, in points"),
    Param("personal", 1.0, "advanced: worth of a personal point, in points of the Alliance"),
)
(LABS, RADARS, AIR_WORTH, GROUND_WORTH, FIGHTER_WISH, CARRIER_WISH, WAREHOUSES, W_SCIENCE, W_FIGHTERS, W_TROOPS,
 W_TANKS, INCOME, AIR_MARGIN, GROUND_MARGIN, RAIDS, BASE_VALUE, STAY, BONUS_NEED, KNOWLEDGE_WORTH,
 PERSONAL) = range(20)  # fmt: skip


# --- bases -----------------------------------------------------------------------------------------------
def labs_wanted(table):
    """Laboratories that the next levels need: six for the first science, ten for the last."""
    turn = table.turn
    if turn <= 1:
        return 2
    return 6 if turn <= 3 else 8 if turn <= 4 else 10


def radars_wanted(table):
    """Radars for most of the slots of this turn and the next."""
    slots = (
        table.rules.ufos_1 if table.turn < 3 else table.rules.ufos_2 if table.turn < 5 else table.rules.ufos_3
    )
    return table.cards.radars[max(0, slots - 1)] - (1 if table.turn >= 4 else 0)


def fights_on_the_ground(table, me):
    """Every other base, from the second on; of two bases both."""
    return table.bases <= 2 or table.place[me] % 2 == 1


def fights_in_the_air(table, me):
    """The others; of two bases both."""
    return table.bases <= 2 or table.place[me] % 2 == 0


def carriers_wanted(table, seat):
    """One for a base that fights on the ground, one more in the second half."""
    if not fights_on_the_ground(table, mine(seat)):
        return 0.0
    return seat.params[CARRIER_WISH] + (1.0 if table.turn >= 4 else 0.0)


def fighters_wanted(table, seat):
    """Few for a base that fights on the ground."""
    return seat.params[FIGHTER_WISH] if fights_in_the_air(table, mine(seat)) else 0.0


def wish(table, seat, module):
    """How much a base would like a module, warehouses apart."""
    me, params = mine(seat), seat.params
    if module == LABORATORY or module == RADAR:
        if table.phase == SETUP and table.bases > 2 and fights_on_the_ground(table, me):
            return -1.0
        if module == LABORATORY:
            return params[LABS] if table.labs < labs_wanted(table) else -1.0
        return params[RADARS] if table.radars < radars_wanted(table) else -1.0
    if module == HANGAR:
        if table.modules[me][HANGAR] < carriers_wanted(table, seat):
            return params[GROUND_WORTH]
        wanted = fighters_wanted(table, seat) + carriers_wanted(table, seat)
        return params[AIR_WORTH] - 0.1 if table.modules[me][HANGAR] < wanted else -1.0
    if module == BARRACKS:
        wanted = 2 * carriers_wanted(table, seat)
        return params[GROUND_WORTH] - 0.2 if table.modules[me][BARRACKS] < wanted else -1.0
    if module == GARAGE:
        return params[GROUND_WORTH] - 0.1 if table.modules[me][GARAGE] < carriers_wanted(table, seat) else -1.0
    return -1.0


def warehouse_wish(table, seat):
    """As much as the dearest module that waits for one."""
    me = mine(seat)
    best = -1.0
    for module in range(6):
        if module != WAREHOUSE and table.modules[me][module] >= table.modules[me][WAREHOUSE]:
            if table.supply[module] > 0:
                best = max(best, wish(table, seat, module))
    return best - 0.05 if best > 0 else -1.0


def buy(table, seat, thing):
    """What is wished for most; units as soon as there is room for them."""
    me, params = mine(seat), seat.params
    if thing == WAREHOUSE:
        return warehouse_wish(table, seat)
    if thing < FIRST_UNIT:
        return wish(table, seat, thing)
    unit = thing - FIRST_UNIT
    if unit == FIGHTER:
        return params[AIR_WORTH] + 1.0 if table.units[me][FIGHTER] < fighters_wanted(table, seat) else -1.0
    if unit == CARRIER:
        wanted = table.units[me][CARRIER] < carriers_wanted(table, seat)
        return 12.0 if wanted else -1.0
    return 13.0


def place(table, seat, module):
    """Anywhere: two dice hit every module alike."""
    return -1


def engineer(table, seat, building):
    """A module that its base would wish for; the own base first."""
    module, base = building % 6, building // 6
    if module == WAREHOUSE:
        return 1.0 + 0.1 * (base == mine(seat))
    if module == LABORATORY and table.labs < labs_wanted(table):
        return 3.0 + 0.1 * (base == mine(seat))
    if module == RADAR and table.radars < radars_wanted(table):
        return 2.0
    return -1.0


def fortify(table, seat):
    """Once there is somebody at home to make use of it."""
    return 1 if table.turn >= 3 and home_dice(table, mine(seat)) > 0 else 0


# --- research --------------------------------------------------------------------------------------------
def rate_technology(table, seat, technology):
    """What can be had by the turn's end; alien science first."""
    params = seat.params
    labs = table.labs + (3 if table.turn <= 2 else 2)
    if labs_for(table, technology) > labs:
        return -1.0
    if knowledge_for(table, technology) > table.knowledge + (2 if technology == SCIENCE else 0):
        return -1.0
    if technology == SCIENCE:
        return params[W_SCIENCE]
    if knowledge_for(table, technology) > 0 and table.level[SCIENCE] < table.rules.science_goal:
        if table.knowledge < knowledge_for(table, technology) + knowledge_for(table, SCIENCE):
            return -1.0  # what little is known goes to science
    wish = params[W_FIGHTERS] if technology == FIGHTERS else params[W_TROOPS]
    if technology == TANKS:
        wish = params[W_TANKS]
    return wish - 1.5 * table.level[technology] + 1.5


def research(table, seat, technology):
    """The best that can be had; at least alien science once time is short."""
    rating = rate_technology(table, seat, technology)
    if (
        technology == SCIENCE
        and table.level[SCIENCE] + table.rules.turns - table.turn < table.rules.science_goal
    ):
        return max(rating, seat.params[W_SCIENCE])
    return rating


def scientist(table, seat, technology):
    """A second one, if it can be had and leaves money for production."""
    if table.fund < 12 and table.turn > 1:
        return -1.0
    return rate_technology(table, seat, technology)


def scarce(table, seat, technology):
    """Alien science."""
    return 1.0 if technology == SCIENCE else 0.0


# --- diplomacy -------------------------------------------------------------------------------------------
def worth(table, seat, country):
    """A country's points and what its credits are worth for the rest of the game."""
    left = table.rules.turns - table.turn
    return table.cards.points[country] + seat.params[INCOME] * table.cards.credits[country] * min(left, 3)


def personal_worth(table, seat, country):
    """Advanced: what one's own objective says about a country that joins."""
    objective = seat.objective
    if objective == NONE:
        return 0.0
    cards = table.cards
    before = cards.if_neutral[objective][country]
    points = cards.if_allied[objective][country] - before
    points += cards.by_count[objective][table.allied_n + 1] - cards.by_count[objective][table.allied_n]
    return seat.params[PERSONAL] * points


def court(table, seat, country):
    """Worth times chance."""
    value = worth(table, seat, country) + personal_worth(table, seat, country)
    return talks_chance(table, country, 0) * value


def rebellion(table, seat, country):
    """Where it takes most from the aliens."""
    return talks_chance(table, country, 0) * table.cards.points[country] - 0.5


def diplomat(table, seat, country):
    """As a further attempt, or where it takes most from the aliens."""
    if table.status[country] == NEUTRAL:
        return court(table, seat, country)
    return talks_chance(table, country, 0) * table.cards.points[country]


def agent(table, seat, country):
    """For the Alliance, against the aliens, where it may matter."""
    if table.cards.points[country] < 3 and table.turn < 4:
        return 0
    return 1 if seat.asked == ALLIANCE else -1


def diplomacy_card(table, seat, country):
    """If it is likely enough."""
    return 1 if talks_chance(table, country, 0) >= 0.3 else 0


def free_attempt(table, seat, country):
    """Always, unless one's own objective is against it."""
    return 1 if worth(table, seat, country) + personal_worth(table, seat, country) > 0 else 0


# --- in the air ------------------------------------------------------------------------------------------
def at_stake(table, seat, slot):
    """What a UFO is about to take, in points."""
    tile = table.objective[slot]
    if tile == NONE:
        return 0.0
    if is_base(tile):
        return seat.params[BASE_VALUE]
    return threat_of(table, slot) * (1.0 + worth(table, seat, tile))


def intercept(table, seat, slot):
    """The dearest target that can still be saved; no more fighters than it takes."""
    attack = table.cards.ufo_attack[table.ufo[slot]]
    sent = sent_dice(table, slot)
    enough = attack * seat.params[AIR_MARGIN] + 1
    if sent >= enough:
        return -1.0
    if sent + home_fighters(table) * fighter_dice(table) < enough:
        return -1.0
    return at_stake(table, seat, slot) / attack + (10.0 if sent > 0 else 0.0)


def bonus(table, seat, group):
    """One, when the fight is close."""
    battle = table.battle
    if battle.bonus > 0:
        return 0
    short = battle.hits_aliens + 1 - battle.factor_allies / 3.0
    gain = battle.units / 3.0
    return 1 if short > -seat.params[BONUS_NEED] and short < gain + seat.params[BONUS_NEED] else 0


def reroll(table, seat, group):
    """All that missed, unless the fight is won as it is."""
    return table.battle.missed if seat.asked <= 0 else 0


def withdraw(table, seat, slot):
    """When the fighters left are too few."""
    attack = table.cards.ufo_attack[table.ufo[slot]]
    return 1 if sent_dice(table, slot) < seat.params[STAY] * attack else 0


def ace(table, seat, slot):
    """Gladly."""
    return 1


# --- on the ground ---------------------------------------------------------------------------------------
def spare_dice(table, me):
    """Dice that carriers can still bring from all bases."""
    dice = 0
    for p in range(table.bases):
        carriers = table.home[p][CARRIER]
        infantry = min(units_at_home(table, p, INFANTRY), 2 * carriers)
        tanks = min(units_at_home(table, p, TANK), carriers)
        if carriers > 0:
            dice += party_dice(table, infantry, 0, tanks, 0)
    return dice


def mission(table, seat, target):
    """The dearest target that can still be won; no more armies than it takes."""
    aliens = alien_dice(table, target)
    sent = armies_dice(table, target)
    enough = aliens * seat.params[GROUND_MARGIN]
    if sent >= enough and sent > 0:
        return -1.0
    if sent + spare_dice(table, mine(seat)) < enough:
        return -1.0
    if target >= FIRST_COUNTRY:
        value = seat.params[RAIDS] + table.cards.points[target - FIRST_COUNTRY]
    else:
        value = at_stake(table, seat, target)
    value += seat.params[KNOWLEDGE_WORTH]
    return value / max(1, aliens) + (10.0 if sent > 0 else 0.0)


def load(table, seat, target):
    """All there is room for."""
    me = mine(seat)
    infantry = min(units_at_home(table, me, INFANTRY), int(table.rules.carrier_infantry))
    return infantry + 3 * min(units_at_home(table, me, TANK), int(table.rules.carrier_tanks))


def group(table, seat, group):
    """Where the fewest stand against the most."""
    return table.battle.aliens_in[group] - 1.5 * table.battle.allies_in[group]


def retreat(table, seat, group):
    """When the group is hopelessly outnumbered."""
    battle = table.battle
    return 1 if battle.allies_in[group] < seat.params[STAY] * battle.aliens_in[group] else 0


def squad(table, seat, target):
    """Gladly."""
    return 1


def crew(table, seat, target):
    """Gladly."""
    return 1


def knowledge_card(table, seat, target):
    """As long as there is something to learn."""
    return 1 if table.level[SCIENCE] < table.rules.science_goal else 0


def next_mission(table, seat, country):
    """The one with the most points."""
    return table.cards.points[country]


def swap_card(table, seat, card):
    """Never: every card is good for something."""
    return -1.0
