"""Chapter 5: projects are turned up and picked, and banks are carried over."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti.asking import Q_RATE_LEVEL, Q_RATE_PROJECT, choose
from sim.games.eti.companies import clockwise, is_human
from sim.games.eti.log import (
    BANK_SWITCH,
    LAID_BY_CLAIM,
    PICK_CLAIMED,
    PICK_IDLE,
    PICK_SCOOPED,
    PICK_SWITCHED,
    V_BANK,
    V_ITEM,
    V_LAY_OUT,
    V_PICK,
    note,
)
from sim.games.eti.research import discard_queue, log_queue
from sim.games.eti.state import FACE_UP, LEVELS, NONE, SWITCH


@rule
def new_projects(game, decide, claimants, scooped):
    """Phase 5. `claimants` and `scooped` are sets of seats: bit p = seat p."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        if table.agenda[p] == SWITCH and not (scooped >> p) & 1:
            bank_before_switching(game, p)
    if table.alien == NONE:  # R-INV-2: nothing new once the alien is known
        lay_out_for_claims(game, decide, claimants)
    for i in range(table.players):
        p = clockwise(table, i)
        if (claimants >> p) & 1:
            pick_project(game, decide, p, PICK_CLAIMED)
        elif (scooped >> p) & 1:
            pick_project(game, decide, p, PICK_SCOOPED)
        elif table.agenda[p] == SWITCH:
            switch_project(game, decide, p)
        elif table.studying[p] == NONE and is_human(table, p):
            pick_if_idle(game, decide, p)


@rule
def bank_before_switching(game, p):
    """R-NEW-3: a switcher first banks 10 points a card."""
    table = game.table
    before = table.bank[p]
    added = int(table.queue_n[p]) * int(table.rules.safe_points)
    table.bank[p] = before + added
    game.secret.tally[p].banked += added
    game.secret.tally[p].switched += 1
    note(game, V_BANK, p, BANK_SWITCH, added, before, table.bank[p])
    log_queue(game, p)
    discard_queue(game, p)


# --- laying out ------------------------------------------------------------------------------------------
@rule
def lay_out_for_claims(game, decide, claimants):
    """R-NEW-1: each claimant turns up one project; all of them before anybody picks."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        if (claimants >> p) & 1:
            lay_out_own_choice(game, decide, p, LAID_BY_CLAIM)


@rule
def lay_out_own_choice(game, decide, p, why):
    """A company chooses a level under its limit and turns up that pile's top project."""
    limit = int(game.table.highest[p]) + int(game.table.rules.level_step)
    level = choose(game, decide, p, Q_RATE_LEVEL, levels_up_to(game.table, limit))
    lay_out(game, p, level, why)


@rule
def levels_up_to(table, limit):
    """The set of levels with a project left, up to a limit; none there: the lowest level left (R-NEW-1)."""
    levels = 0
    for level in range(1, LEVELS + 1):
        if table.pile_left[level] > 0 and (level <= max(limit, 1) or levels == 0):
            levels |= 1 << level
    return levels


@rule
def lay_out(game, p, level, why):
    """Turn up the top project of a pile; level NONE (nothing left): nothing happens."""
    if level == NONE:
        return
    project = draw_project(game, level)
    table = game.table
    table.place[project] = FACE_UP
    table.face_up[table.face_up_n] = project
    table.face_up_n += 1
    note(game, V_LAY_OUT, p, level, project, why, 0)


@rule
def draw_project(game, level):
    """Take the top project of a pile."""
    table = game.table
    table.pile_left[level] -= 1
    for p in range(table.players):
        game.seats[p].scouted[level] = NONE  # a new one lies on top
    return int(game.secret.pile[level][table.pile_left[level]])


@rule
def take_from_middle(table, project):
    """A project leaves the middle of the table; the others keep their order."""
    target = 0
    for k in range(table.face_up_n):
        if table.face_up[k] != project:
            table.face_up[target] = table.face_up[k]
            target += 1
    table.face_up_n = target


# --- picking ---------------------------------------------------------------------------------------------
@rule
def pick_project(game, decide, p, why):
    """R-NEW-2: choose any face-up project; with none the company idles (A-4)."""
    project = choose(game, decide, p, Q_RATE_PROJECT, face_up_set(game.table))
    study(game, p, project, why)


@rule
def pick_if_idle(game, decide, p):
    """A-26: a company without a project takes one as soon as there is one."""
    if game.table.face_up_n > 0:
        pick_project(game, decide, p, PICK_IDLE)


@rule
def switch_project(game, decide, p):
    """R-AGD-3: a different project; A-4: without another one, the switcher stays."""
    table = game.table
    others = face_up_set(table)
    old = int(table.studying[p])
    if old != NONE:
        others &= ~(1 << old)
    project = choose(game, decide, p, Q_RATE_PROJECT, others)
    if project == NONE:
        project = old
    study(game, p, project, PICK_SWITCHED)


@rule
def face_up_set(table):
    """The face-up projects as a set."""
    projects = 0
    for k in range(table.face_up_n):
        projects |= 1 << int(table.face_up[k])
    return projects


@rule
def study(game, p, project, why):
    """Put the marker on a project (or nowhere) and carry the bank over."""
    table = game.table
    before = table.bank[p]
    left = int(table.left[p])
    if project != NONE:
        if left != NONE:
            table.bank[p] = carried_over(table, before, left, project)
            game.secret.tally[p].lost_to_cap += before - table.bank[p]
        table.left[p] = project
    table.studying[p] = project
    note(game, V_PICK, p, project, left, why, before)
    note(game, V_ITEM, p, 0, table.bank[p], 0, 0)


@rule
def carried_over(table, bank, left, project):
    """R-NEW-4: all of it within one field, else at most half the new difficulty, rounded down to a ten."""
    cards, rules = table.cards, table.rules
    if cards.field[left] == cards.field[project]:
        return int(bank)
    share = int(cards.difficulty[project]) * int(rules.transfer_percent) // 100
    return min(int(bank), share // int(rules.transfer_rounding) * int(rules.transfer_rounding))
