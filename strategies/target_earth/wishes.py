"""What a base would like to buy, and how much: what it lacks, as a share of what it wants, times a weight."""

from __future__ import annotations

from strategies.target_earth.params import (
    AIR,
    CARRIERS_1,
    EARLY_LABS,
    FIGHTERS_1,
    GROUND,
    GUARD,
    LABS,
    MORE_CARRIERS,
    MORE_FIGHTERS,
    RADARS,
    ROLES,
    SIGHT,
)
from strategies.target_earth.toolbox import (
    BARRACKS,
    CARRIER,
    FIGHTER,
    GARAGE,
    HANGAR,
    INFANTRY,
    LABORATORY,
    RADAR,
    SETUP,
    TANK,
    WAREHOUSE,
    labs_for,
    last_turn,
    mine,
    slots_due,
)


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
