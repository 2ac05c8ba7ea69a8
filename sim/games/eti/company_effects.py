"""What the cards do to a company: events in a round, endgame cards and held events in the invasion.

`docs/cards.md` lists the vocabulary; one small function an effect.
"""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.eti import effects as e
from sim.games.eti.asking import (
    Q_ATTACK_OFF,
    Q_MOVE_FAME,
    Q_RATE_LEVEL,
    Q_TAKE_PROJECT,
    Q_VAULT,
    answer,
    choose,
)
from sim.games.eti.companies import (
    clockwise,
    free_upgrade,
    gain_project,
    is_human,
    move_project,
    settle_immunities,
)
from sim.games.eti.log import (
    DEALT_BY_EVENT,
    LAID_BY_EVENT,
    MOVED_BY_EVENT,
    UP_EVENT,
    V_ATTACK_OFF,
    V_BONUS,
    V_DISCARD,
    V_DRAW_PROJECT,
    V_FAME_TO_DEFENCE,
    V_ITEM,
    V_LOOK,
    V_POINTS,
    V_PROJECT_MOVES,
    V_SCOUT,
    note,
)
from sim.games.eti.projects import draw_project, lay_out, lay_out_own_choice, levels_up_to, pick_if_idle
from sim.games.eti.research import deal_cards, discard_last
from sim.games.eti.state import LEVELS, MAX_EFFECTS, NONE, PUBLIC, SECRET, THREAT_COUNT


@rule
def apply_effects(game, decide, p, effects):
    """Carry out a card's effects on a company, in order."""
    for k in range(MAX_EFFECTS):
        if effects[k][0] != e.NOTHING:
            what, amount, argument = int(effects[k][0]), int(effects[k][1]), int(effects[k][2])
            game.seats[p].asked = what
            apply_effect(game, decide, p, what, amount, argument)


@rule
def apply_effect(game, decide, p, what, amount, argument):
    """One effect on one company."""
    if what == e.POINTS:
        change_bank(game, p, amount)
    elif what == e.DRAW:
        if game.table.studying[p] != NONE:
            deal_cards(game, p, amount, DEALT_BY_EVENT)
    elif what == e.DISCARD:
        lose_cards(game, p, amount)
    elif what == e.LOOK:
        look_further(game, p, amount)
    elif what == e.SCOUT:
        scout_piles(game, p)
    elif what == e.LAY_OUT:
        bring_project(game, decide, p, argument)
    elif what == e.UPGRADE:
        for _ in range(amount):
            free_upgrade(game, decide, p, argument, UP_EVENT)
    elif what == e.IMMUNITY:
        grant_immunity(game, decide, p, amount)
    elif what == e.TAKE_PROJECT:
        take_public_project(game, decide, p, argument)
    else:
        apply_invasion_effect(game, decide, p, what, amount, argument)


# --- in a round ------------------------------------------------------------------------------------------
@rule
def change_bank(game, p, amount):
    """Research points gained or lost; A-18: never below 0."""
    table = game.table
    before = table.bank[p]
    table.bank[p] = max(0, before + amount)
    note(game, V_POINTS, p, amount, before, table.bank[p], 0)


@rule
def lose_cards(game, p, amount):
    """The last cards of the queue, unseen."""
    n = min(amount, int(game.table.queue_n[p]))
    if n > 0:
        note(game, V_DISCARD, p, 0, 0, 0, 0)
        discard_last(game, p, n)


@rule
def look_further(game, p, amount):
    """A look at the lowest ports not seen yet."""
    seen = game.seats[p].seen
    note(game, V_LOOK, p, 0, 0, 0, 0)
    for port in range(game.table.queue_n[p]):
        if amount > 0 and seen[port] == NONE:
            seen[port] = game.secret.queue[p][port]
            amount -= 1
            note(game, V_ITEM, p, 0, seen[port], port, 0)


@rule
def scout_piles(game, p):
    """A look at the top project of every pile."""
    note(game, V_SCOUT, p, 0, 0, 0, 0)
    for level in range(1, LEVELS + 1):
        left = int(game.table.pile_left[level])
        top = NONE
        if left > 0:
            top = int(game.secret.pile[level][left - 1])
        game.seats[p].scouted[level] = top
        note(game, V_ITEM, p, 0, top, level, 0)


@rule
def bring_project(game, decide, p, level):
    """A-22: a project enters play, also after the reveal; those without one pick at once."""
    table = game.table
    if level == 0:
        lay_out_own_choice(game, decide, p, LAID_BY_EVENT)
    else:
        levels = levels_up_to(table, LEVELS)
        if levels != 0 and not (levels >> level) & 1:
            level = lowest(levels)
        lay_out(game, p, level if levels != 0 else NONE, LAID_BY_EVENT)
    for i in range(table.players):
        q = clockwise(table, i)
        if table.studying[q] == NONE and is_human(table, q):
            pick_if_idle(game, decide, q)


@rule
def grant_immunity(game, decide, p, amount):
    """A-21: beyond those of the security track, at most all four."""
    table = game.table
    table.granted[p] += min(amount, THREAT_COUNT - int(table.immunity_n[p]))
    settle_immunities(game, decide, p)


@rule
def take_public_project(game, decide, p, level):
    """A-23: a public-domain project of another company changes hands."""
    table = game.table
    legal = 0
    for project in range(table.cards.projects):
        owner = int(table.owner[project])
        if table.place[project] == PUBLIC and owner != p and table.cards.level[project] <= level:
            legal |= 1 << project
    project = choose(game, decide, p, Q_TAKE_PROJECT, legal)
    if project != NONE:
        owner = int(table.owner[project])
        note(game, V_PROJECT_MOVES, owner, p, project, MOVED_BY_EVENT, 0)
        move_project(game, decide, owner, p, project)


# --- in the invasion -------------------------------------------------------------------------------------
@rule
def apply_invasion_effect(game, decide, p, what, amount, argument):
    """The effects that only endgame cards and invasion events have."""
    if what == e.DEFENCE or what == e.FAME or what == e.ATTACK:
        add_bonus(game, p, what, amount)
    elif what == e.DEFENCE_EACH:
        add_bonus(game, p, e.DEFENCE, amount * count_projects(game.table, p, argument))
    elif what == e.FAME_EACH:
        add_bonus(game, p, e.FAME, amount * count_projects(game.table, p, argument))
    elif what == e.FAME_TO_DEFENCE:
        for _ in range(amount):
            move_fame(game, decide, p)
    elif what == e.DRAW_PROJECT:
        for _ in range(amount):
            draw_into_vault(game, decide, p)
    elif what == e.ATTACK_OFF:
        for _ in range(amount):
            call_off_attack(game, decide, p)


@rule
def add_bonus(game, p, what, amount):
    """Defence, fame or attack that hangs on no project."""
    table = game.table
    if what == e.DEFENCE:
        table.more_defence[p] += amount
    elif what == e.FAME:
        table.more_fame[p] += amount
    else:
        table.more_attack[p] += amount
    note(game, V_BONUS, p, what, amount, 0, 0)


@rule
def count_projects(table, p, of):
    """How many projects of one kind a company holds: top secret, public, all, or of one field."""
    n = 0
    for project in range(table.cards.projects):
        if (table.vault[p] >> project) & 1:
            if of == e.OF_ALL or of == table.cards.field[project]:
                n += 1
            elif of == e.OF_SECRET and table.place[project] == SECRET:
                n += 1
            elif of == e.OF_PUBLIC and table.place[project] == PUBLIC:
                n += 1
    return n


@rule
def move_fame(game, decide, p):
    """The Survivalist's way: one project's printed fame becomes defence."""
    table = game.table
    project = choose(game, decide, p, Q_MOVE_FAME, int(table.vault[p]) & ~int(table.moved))
    if project != NONE:
        table.moved |= 1 << project
        table.moved_fame[project] = table.cards.fame[project]
        note(game, V_FAME_TO_DEFENCE, p, project, table.cards.fame[project], 0, 0)


@rule
def draw_into_vault(game, decide, p):
    """The Visionary's way: a project from the piles, its upgrades counting at once (A-11)."""
    table = game.table
    limit = int(table.highest[p]) + int(table.rules.draw_limit)
    level = choose(game, decide, p, Q_RATE_LEVEL, levels_up_to(table, limit))
    if level == NONE:
        return
    project = draw_project(game, level)
    place = SECRET + answer(game, decide, p, Q_VAULT, project, 0, PUBLIC - SECRET)
    note(game, V_DRAW_PROJECT, p, level, project, place, 0)
    gain_project(game, decide, p, project, place)


@rule
def call_off_attack(game, decide, p):
    """One attack card lying against the company is discarded."""
    table = game.table
    legal = 0
    for card in range(table.attack_n):
        if table.attack_on[card] == p:
            legal |= 1 << card
    card = choose(game, decide, p, Q_ATTACK_OFF, legal)
    if card != NONE:
        table.attack_on[card] = NONE
        note(game, V_ATTACK_OFF, p, card, game.secret.attack_kind[card], 0, 0)
