"""Chapter IV, the last step: attack against defence, what is lost, who wins (R-INV-10 to R-INV-12)."""

from __future__ import annotations

import math

import numpy as np

from sim.bits import lowest
from sim.compile import rule
from sim.games.eti.asking import Q_BREAK_TIE, Q_LOSE, choose, choose_or_none
from sim.games.eti.companies import clockwise, is_human
from sim.games.eti.log import (
    TIE_WIN,
    V_BATTLE,
    V_BATTLE_MORE,
    V_ITEM,
    V_STAKE,
    V_TIE,
    V_WINNER,
    note,
)
from sim.games.eti.state import (
    BY_FAME,
    BY_TIE,
    LOST,
    MAX_PLAYERS,
    MULTIPLIER,
    NO_SURVIVOR,
    NONE,
    NUMBER,
    PUBLIC,
    SECRET,
)


@rule
def card_attack(table, p, kind):
    """R-INV-10: what one attack card counts against a company."""
    cards, rules = table.cards, table.rules
    value = int(cards.kind_value[kind])
    if cards.kind_type[kind] == NUMBER:
        return value
    if cards.kind_type[kind] == MULTIPLIER:
        if value == 0:
            return int(rules.attack_x0)
        return int(rules.attack_x2) if value == 2 else int(rules.attack_x3)
    if table.tactic[value]:
        return int(rules.attack_tactic_immune) if table.immune[p][value] else int(rules.attack_tactic_open)
    return int(rules.attack_plain_immune) if table.immune[p][value] else int(rules.attack_plain_open)


@rule
def project_defence(table, project):
    """Printed defence, moved fame, and +5 for a top-secret project."""
    defence = int(table.cards.defence[project]) + int(table.moved_fame[project])
    if table.place[project] == SECRET:
        defence += int(table.rules.secret_defence)
    return defence


@rule
def project_fame(table, project):
    """Printed fame that was not moved, and +10 for a public project."""
    fame = int(table.cards.fame[project]) - int(table.moved_fame[project])
    if table.place[project] == PUBLIC:
        fame += int(table.rules.public_fame)
    return fame


@rule
def vault_defence(table, p):
    """All the defence a company can put up."""
    defence = int(table.more_defence[p])
    vault = int(table.vault[p])
    while vault != 0:
        defence += project_defence(table, lowest(vault))
        vault &= vault - 1
    return defence


@rule
def vault_fame(table, vault):
    """The fame of a set of projects."""
    fame = 0
    while vault != 0:
        fame += project_fame(table, lowest(vault))
        vault &= vault - 1
    return fame


@rule
def turn_all_up(game):
    """All attack cards are turned up and added to the base attack, once a company."""
    table = game.table
    for p in range(table.players):
        table.attack[p] = table.base_attack + table.more_attack[p]
    for card in range(table.attack_n):
        table.attack_seen[card] = game.secret.attack_kind[card]
        p = int(table.attack_on[card])
        if p != NONE:
            table.attack[p] += card_attack(table, p, int(table.attack_seen[card]))
    for p in range(table.players):
        table.attack[p] = max(0, table.attack[p])


# --- losses ----------------------------------------------------------------------------------------------
@rule
def choose_losses(game, decide, p):
    """R-INV-11: the set of projects a surviving company discards.

    A strategy may name projects one by one; as soon as it names none, the rest is the choice that keeps the most
    fame (A-INV-11).
    """
    table = game.table
    needed = int(table.attack[p]) - int(table.more_defence[p])
    kept = int(table.vault[p])
    while needed > 0:
        project = choose_or_none(game, decide, p, Q_LOSE, kept)
        if project == NONE:
            kept &= ~least_fame_lost(table, kept, needed)
            break
        kept &= ~(1 << project)
        needed -= project_defence(table, project)
    return int(table.vault[p]) & ~kept


@rule
def least_fame_lost(table, vault, needed):
    """A-INV-11: of all subsets with enough defence, one that costs the least fame (of equals, the fewest projects).

    Exact: `cost[d]` is the cheapest way to discard at least d points of defence with the projects so far, in
    steps of the defences' common divisor. Cost counts fame first and projects second.
    """
    step = needed
    rest = vault
    while rest != 0:
        step = math.gcd(step, project_defence(table, lowest(rest)))
        rest &= rest - 1
    size = needed // step + 1
    cost = np.full(size, 1 << 40, np.int64)
    chosen = np.zeros(size, np.int64)
    cost[0] = 0
    while vault != 0:
        project = lowest(vault)
        vault &= vault - 1
        worth = project_defence(table, project) // step
        price = (project_fame(table, project) << 8) + 1
        if worth > 0:
            for d in range(size - 1, 0, -1):
                before = max(0, d - worth)
                if cost[before] + price < cost[d]:
                    cost[d] = cost[before] + price
                    chosen[d] = chosen[before] | (1 << project)
    return int(chosen[size - 1])


# --- the winner ------------------------------------------------------------------------------------------
@rule
def resolve_battles(game, decide, row):
    """Every human's battle, from the president clockwise, and then the winner."""
    table = game.table
    turn_all_up(game)
    for p in range(MAX_PLAYERS):
        row.seat[p].survived = 0
        row.seat[p].fame = 0
    for i in range(table.players):
        p = clockwise(table, i)
        if is_human(table, p):
            fight(game, decide, p, row.seat[p])
    find_winner(game, decide, row)


@rule
def fight(game, decide, p, seat_row):
    """R-INV-11: a company survives if its defence reaches the attack; then it pays with projects."""
    table = game.table
    defence = vault_defence(table, p)
    survives = defence >= table.attack[p]
    losses = int(table.vault[p])
    if survives:
        losses = choose_losses(game, decide, p)
    kept = int(table.vault[p]) & ~losses
    fame = vault_fame(table, kept) + int(table.more_fame[p]) if survives else 0
    seat_row.survived = survives
    seat_row.attack = table.attack[p]
    seat_row.defence = defence
    seat_row.fame = fame
    log_battle(game, p, defence, survives, losses, fame)
    for project in range(table.cards.projects):
        if (losses >> project) & 1:
            table.place[project] = LOST
            table.owner[project] = NONE
    table.vault[p] = kept


@rule
def log_battle(game, p, defence, survives, losses, fame):
    """The whole arithmetic of one battle."""
    if not game.tracing:
        return
    table = game.table
    note(game, V_BATTLE, p, table.base_attack, table.more_attack[p], table.attack[p], table.more_defence[p])
    note(game, V_BATTLE_MORE, p, defence, survives, fame, 0)
    for card in range(table.attack_n):
        if table.attack_on[card] == p:
            kind = int(table.attack_seen[card])
            note(game, V_ITEM, p, 0, card, kind, card_attack(table, p, kind))
    for project in range(table.cards.projects):
        if (table.vault[p] >> project) & 1:
            lost = (losses >> project) & 1
            note(game, V_STAKE, project, table.place[project], project_defence(table, project),
                 project_fame(table, project), lost)  # fmt: skip


@rule
def find_winner(game, decide, row):
    """R-INV-12: the most fame among survivors; ties: the final president; no survivor: the alien."""
    table = game.table
    best, most, survivors = 0, -(1 << 30), 0
    for p in range(table.players):
        if row.seat[p].survived:
            survivors += 1
            if row.seat[p].fame > most:
                best, most = 0, int(row.seat[p].fame)
            if row.seat[p].fame == most:
                best |= 1 << p
    row.survivors = survivors
    row.tied = 0
    row.why = NO_SURVIVOR
    winner = int(table.alien)
    if survivors > 0:
        winner = lowest(best)
        row.why = BY_FAME
        row.tied = count_bits(best)
        if row.tied > 1:
            president = int(table.president)
            winner = choose(game, decide, president, Q_BREAK_TIE, best)
            row.why = BY_TIE
            note(game, V_TIE, president, TIE_WIN, best, winner, 0)
    row.winner = winner
    note(game, V_WINNER, winner, row.why, row.seat[winner].fame, 0, 0)


@rule
def count_bits(bits):
    """How many are in the set."""
    n = 0
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n
