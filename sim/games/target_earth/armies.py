"""Step 7, first half: armies are formed and sent (R-TE-MIS)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.asking import Q_LOAD, Q_MISSION, answer, choose_or_none, fault
from sim.games.target_earth.bases import leave_home
from sim.games.target_earth.log import V_ARMY_CELL, V_MISSION, note
from sim.games.target_earth.state import (
    CARRIER,
    FIRST_BASE,
    FIRST_COUNTRY,
    INFANTRY,
    MAX_ARMIES,
    NONE,
    TANK,
)


@rule
def send_armies(game, decide):
    """R-TE-MIS: all armies are placed in player order, carrier by carrier."""
    table = game.table
    table.armies_n = 0
    for i in range(table.bases):
        p = in_order(table, i)
        legal = targets(table, p)
        carriers = int(table.home[p][CARRIER])
        for _ in range(carriers):
            if ready(table, p, INFANTRY) + ready(table, p, TANK) == 0 or table.armies_n >= MAX_ARMIES:
                break
            target = choose_or_none(game, decide, p, Q_MISSION, legal)
            if target == NONE:
                break
            send_army(game, decide, p, target)


@rule
def ready(table, p, unit):
    """Units at home that a carrier has room for."""
    n = int(table.home[p][unit] + table.home_elites[p][unit])
    return min(n, int(table.rules.carrier_infantry if unit == INFANTRY else table.rules.carrier_tanks))


@rule
def targets(table, p):
    """R-TE-MIS: countries and bases under attack, alien countries; never the own base (A-TE-15)."""
    legal = int(table.aliens) << FIRST_COUNTRY
    for slot in range(table.ufo_n):
        tile = table.objective[slot]
        landed = table.ufo[slot] != NONE and tile != NONE and table.joined[slot] == slot
        if landed and tile != FIRST_BASE + p:
            legal |= 1 << slot
    return legal


@rule
def choose_load(game, decide, p, target):
    """What the carrier takes: infantry, and 3 for a tank."""
    infantry, tank = ready(game.table, p, INFANTRY), ready(game.table, p, TANK)
    if infantry + tank == 1:
        game.forced += 1
        return infantry + 3 * tank
    load = answer(game, decide, p, Q_LOAD, target, 1, infantry + 3 * tank)
    if load % 3 > infantry:
        fault(game, p, Q_LOAD, target, float(load))
    return load


@rule
def send_army(game, decide, p, target):
    """A carrier with one or two infantry, a tank, or both, of one base; elites go first."""
    table = game.table
    load = choose_load(game, decide, p, target)
    k = int(table.armies_n)
    table.armies_n += 1
    table.army_base[k] = p
    table.army_target[k] = target
    elite_infantry = min(load % 3, int(table.home_elites[p][INFANTRY]))
    elite_tanks = min(load // 3, int(table.home_elites[p][TANK]))
    table.army_elite_infantry[k] = elite_infantry
    table.army_infantry[k] = load % 3 - elite_infantry
    table.army_elite_tanks[k] = elite_tanks
    table.army_tanks[k] = load // 3 - elite_tanks
    game.secret.tally[p].missions += 1
    note(game, V_MISSION, p, target, load, elite_infantry, elite_tanks)
    board(game, p, CARRIER, 0, 1)
    board(game, p, INFANTRY, 0, load % 3 - elite_infantry)
    board(game, p, INFANTRY, 1, elite_infantry)
    board(game, p, TANK, 0, load // 3 - elite_tanks)
    board(game, p, TANK, 1, elite_tanks)


@rule
def board(game, p, unit, elite, n):
    """Units leave their modules."""
    for _ in range(n):
        cell = leave_home(game.table, p, unit, elite)
        note(game, V_ARMY_CELL, p, unit, elite, cell, 0)
