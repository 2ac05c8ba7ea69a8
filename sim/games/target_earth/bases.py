"""Bases: modules on a grid of up to 6x6 cells, and the units that stand on them (R-TE-PRD, R-TE-RET)."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.target_earth.asking import Q_PLACE, answer, fault
from sim.games.target_earth.log import V_BUILD, V_HOME, V_RECRUIT, note, note_item
from sim.games.target_earth.state import (
    BARRACKS,
    CARRIER,
    CELLS,
    FIGHTER,
    GARAGE,
    HANGAR,
    INFANTRY,
    LABORATORY,
    NONE,
    RADAR,
    TANK,
    WAREHOUSE,
)

_NOT_FIRST_COLUMN = sum(1 << cell for cell in range(CELLS) if cell % 6 != 0)
_NOT_LAST_COLUMN = sum(1 << cell for cell in range(CELLS) if cell % 6 != 5)


@rule
def module_for(unit):
    """The module on which a unit stands."""
    if unit == INFANTRY:
        return BARRACKS
    return GARAGE if unit == TANK else HANGAR


@rule
def beside(cells):
    """The cells next to a set of cells."""
    across = ((cells & _NOT_LAST_COLUMN) << 1) | ((cells & _NOT_FIRST_COLUMN) >> 1)
    return across | (cells << 6) | (cells >> 6)


@rule
def building_ground(table, p):
    """R-TE-PRD: the free cells next to a module; all of them for the first."""
    built = int(table.built[p])
    ground = beside(built) if built != 0 else int(table.cells)
    return ground & int(table.cells) & ~built


@rule
def may_build(table, p, module):
    """R-TE-PRD: a tile is left, a place is free, and there are warehouses enough for one more."""
    if table.supply[module] <= 0 or building_ground(table, p) == 0:
        return False
    return module == WAREHOUSE or table.modules[p][module] < table.modules[p][WAREHOUSE]


@rule
def free_cells(table, p, unit):
    """The cells where such a unit could stand."""
    return int(table.cells_of[p][module_for(unit)]) & ~int(table.held[p])


@rule
def add_module(game, decide, p, module, price, why):
    """A module is put where its owner likes."""
    table = game.table
    ground = building_ground(table, p)
    cell = answer(game, decide, p, Q_PLACE, module, NONE, CELLS - 1)
    if cell == NONE:
        cell = lowest(ground)
    elif not (ground >> cell) & 1:
        fault(game, p, Q_PLACE, module, float(cell))
    table.module[p][cell] = module
    table.built[p] |= 1 << cell
    table.cells_of[p][module] |= 1 << cell
    count_module(table, p, module, 1)
    table.credits[p] -= price
    game.secret.tally[p].modules_built += 1
    note(game, V_BUILD, p, module, cell, price, why)
    note_item(game, p, table.credits[p], 0, 0, 0)


@rule
def count_module(table, p, module, by):
    """One module more or less."""
    table.modules[p][module] += by
    table.modules_n[p] += by
    table.supply[module] -= by
    table.labs += by * (module == LABORATORY)
    table.radars += by * (module == RADAR)


@rule
def remove_module(game, p, cell):
    """R-TE-MIS-3: a module is lost with the unit on it: which, or NONE. R-TE-PRD-2: nothing else goes."""
    table = game.table
    unit = int(table.unit[p][cell])
    if unit != NONE:
        elite = int(table.unit_elite[p][cell])
        clear_cell(table, p, cell)
        bury(game, p, unit, elite)
    module = int(table.module[p][cell])
    table.module[p][cell] = NONE
    table.built[p] ^= 1 << cell
    table.cells_of[p][module] ^= 1 << cell
    count_module(table, p, module, -1)
    table.modules_lost += 1
    game.secret.tally[p].modules_lost += 1
    return unit


# --- units -----------------------------------------------------------------------------------------------
@rule
def stand(table, p, unit, elite, cell):
    """A unit takes its place on a module."""
    table.unit[p][cell] = unit
    table.unit_elite[p][cell] = elite
    table.held[p] |= 1 << cell
    if elite:
        table.home_elites[p][unit] += 1
    else:
        table.home[p][unit] += 1


@rule
def clear_cell(table, p, cell):
    """A unit leaves its module."""
    unit = int(table.unit[p][cell])
    if table.unit_elite[p][cell]:
        table.home_elites[p][unit] -= 1
    else:
        table.home[p][unit] -= 1
    table.unit[p][cell] = NONE
    table.unit_elite[p][cell] = 0
    table.held[p] ^= 1 << cell


@rule
def cell_with(table, p, unit, elite):
    """A-TE-10: the lowest cell on which such a unit stands."""
    cells = int(table.cells_of[p][module_for(unit)]) & int(table.held[p])
    while cells != 0:
        cell = lowest(cells)
        cells &= cells - 1
        if table.unit[p][cell] == unit and table.unit_elite[p][cell] == elite:
            return cell
    return NONE


@rule
def leave_home(table, p, unit, elite):
    """A unit sets out; the cell it stood on."""
    cell = cell_with(table, p, unit, elite)
    clear_cell(table, p, cell)
    return cell


@rule
def bury(game, p, unit, elite):
    """A unit is lost for good."""
    table = game.table
    table.units[p][unit] -= 1
    table.elites[p][unit] -= elite
    game.secret.tally[p].lost[unit] += 1


@rule
def recruit(game, p, unit, price):
    """R-TE-PRD: a new unit on a free module."""
    table = game.table
    cell = lowest(free_cells(table, p, unit))
    table.units[p][unit] += 1
    stand(table, p, unit, 0, cell)
    table.credits[p] -= price
    note(game, V_RECRUIT, p, unit, cell, price, table.credits[p])


@rule
def come_home(game):
    """R-TE-RET: units go back to free modules; for want of one they are lost."""
    for i in range(game.table.bases):
        p = int(game.table.order[i])
        for elite in range(1, -1, -1):
            return_units(game, p, CARRIER, elite)
        for elite in range(1, -1, -1):
            return_units(game, p, FIGHTER, elite)
        for elite in range(1, -1, -1):
            return_units(game, p, INFANTRY, elite)
            return_units(game, p, TANK, elite)


@rule
def return_units(game, p, unit, elite):
    """All units of a sort that wait beside a base."""
    table = game.table
    waiting = int(game.away_elites[p][unit] if elite else game.away[p][unit])
    for _ in range(waiting):
        free = free_cells(table, p, unit)
        cell = NONE
        if free != 0:
            cell = lowest(free)
            stand(table, p, unit, elite, cell)
        else:
            bury(game, p, unit, elite)
        note(game, V_HOME, p, unit, elite, cell, 0)
    if elite:
        game.away_elites[p][unit] = 0
    else:
        game.away[p][unit] = 0


@rule
def send_away(game, p, unit, elite):
    """A unit waits beside its base for the return."""
    if elite:
        game.away_elites[p][unit] += 1
    else:
        game.away[p][unit] += 1
