"""Step 3: production (R-TE-PRD), and the configuration of the bases before the first turn (R-TE-SET-3)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.asking import Q_BUY, Q_ENGINEER, Q_FORTIFY, answer, choose_or_none
from sim.games.target_earth.bases import add_module, free_cells, may_build, recruit
from sim.games.target_earth.hands import may_play, play_card
from sim.games.target_earth.log import BY_ENGINEER, IN_PRODUCTION, V_FORTIFIED, V_SHARE, note
from sim.games.target_earth.state import (
    CARRIER,
    ENGINEER,
    FIGHTER,
    FIRST_UNIT,
    FORTIFIED,
    INFANTRY,
    MODULES,
    NONE,
    UNITS,
)


@rule
def production(game, decide):
    """R-TE-PRD: the fund is shared out; cards are played (A-TE-6), then each base buys, in player order."""
    table = game.table
    share = table.fund // table.bases
    table.fund -= share * table.bases
    for p in range(table.bases):
        table.credits[p] += share
    note(game, V_SHARE, NONE, share, table.fund, 0, 0)
    for i in range(table.bases):
        p = in_order(table, i)
        call_engineer(game, decide, p)
        fortify(game, decide, p)
    for i in range(table.bases):
        buy(game, decide, in_order(table, i), IN_PRODUCTION)


@rule
def call_engineer(game, decide, p):
    """R-TE-CARD-2: a free module on any base."""
    table = game.table
    while may_play(game, p, ENGINEER) > 0:
        legal = 0
        for base in range(table.bases):
            for module in range(MODULES):
                if may_build(table, base, module):
                    legal |= 1 << (MODULES * base + module)
        building = choose_or_none(game, decide, p, Q_ENGINEER, legal)
        if building == NONE:
            return
        play_card(game, p, ENGINEER, building // MODULES)
        add_module(game, decide, building // MODULES, building % MODULES, 0, BY_ENGINEER)


@rule
def fortify(game, decide, p):
    """R-TE-CARD-2: a fortified base stays in play."""
    table = game.table
    if not table.fortified[p] and may_play(game, p, FORTIFIED) > 0:
        if answer(game, decide, p, Q_FORTIFY, 0, 0, 1):
            play_card(game, p, FORTIFIED, p)
            table.discards[FORTIFIED] -= 1
            table.fortified[p] = 1
            note(game, V_FORTIFIED, p, 0, 0, 0, 0)


@rule
def price_of(table, thing):
    """R-TE-PRD."""
    rules = table.rules
    if thing < FIRST_UNIT:
        return int(rules.module_price)
    if thing == FIRST_UNIT + FIGHTER:
        return int(rules.fighter_price)
    if thing == FIRST_UNIT + CARRIER:
        return int(rules.carrier_price)
    return int(rules.infantry_price) if thing == FIRST_UNIT + INFANTRY else int(rules.tank_price)


@rule
def most_units(table, unit):
    """R-TE-PRD: the pieces of a colour."""
    rules = table.rules
    if unit == FIGHTER:
        return int(rules.max_fighters)
    if unit == CARRIER:
        return int(rules.max_carriers)
    return int(rules.max_infantry) if unit == INFANTRY else int(rules.max_tanks)


@rule
def things_to_buy(table, p):
    """The set of what a base can afford and has room for."""
    legal = 0
    credits = int(table.credits[p])
    if table.rules.module_price <= credits:
        for module in range(MODULES):
            if may_build(table, p, module):
                legal |= 1 << module
    for unit in range(UNITS):
        if price_of(table, FIRST_UNIT + unit) <= credits and table.units[p][unit] < most_units(table, unit):
            if free_cells(table, p, unit) != 0:
                legal |= 1 << (FIRST_UNIT + unit)
    return legal


@rule
def buy(game, decide, p, why):
    """One thing after the other, as long as the base likes."""
    table = game.table
    while True:
        thing = choose_or_none(game, decide, p, Q_BUY, things_to_buy(table, p))
        if thing == NONE:
            return
        if thing < FIRST_UNIT:
            add_module(game, decide, p, thing, price_of(table, thing), why)
        else:
            recruit(game, p, thing - FIRST_UNIT, price_of(table, thing))
