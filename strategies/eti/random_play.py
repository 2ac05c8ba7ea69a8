"""Uniformly random legal play: every legal option of every decision is equally likely.

The floor that every other strategy should beat, and the one that visits corners nobody else does.
"""

from __future__ import annotations

from strategies.eti.toolbox import RESEARCH, SUBMIT, SWITCH, chance, may_submit, mine, ports_full

params: dict[str, float] = {}


def one_of(seat, n):
    """A whole number from 0 to n - 1."""
    return int(chance(seat, 100) * n)


def upgrade(table, seat, ability):
    return chance(seat, ability)


def immunity(table, seat, threat):
    return chance(seat, threat)


def rate_project(table, seat, project):
    return chance(seat, project)


def reveal(table, seat):
    return one_of(seat, 2)


def offer_to(table, seat, company):
    """An offer half of the time."""
    return chance(seat, company) if chance(seat, 101) < 0.5 else -1.0


def offer_points(table, seat, company):
    return one_of(seat, table.bank[mine(seat)] + 1)


def offer_project(table, seat, project):
    return chance(seat, project) if chance(seat, 101) < 0.5 else -1.0


def offer_event(table, seat, event):
    return chance(seat, event) if chance(seat, 101) < 0.5 else -1.0


def offer_promise(table, seat, company):
    return one_of(seat, 2)


def award(table, seat, company):
    return chance(seat, company)


def vote(table, seat, company):
    return chance(seat, company)


def break_tie(table, seat, company):
    return chance(seat, company)


def honour(table, seat, company):
    return one_of(seat, 2)


def play_event(table, seat, event):
    return one_of(seat, 2)


def target(table, seat, company):
    return chance(seat, company)


def take_project(table, seat, project):
    return chance(seat, project)


def agenda(table, seat):
    """Any legal agenda: no research with full ports, no empty submission where that is not allowed."""
    me = mine(seat)
    if ports_full(table, me):
        return SUBMIT + one_of(seat, 2)
    if not may_submit(table, me):
        return SWITCH * one_of(seat, 2) + RESEARCH
    return one_of(seat, 3)


def submission(table, seat):
    return one_of(seat, 2)


def swap(table, seat, number):
    """Any swap, or none, or the best."""
    return one_of(seat, int(table.shown_n[mine(seat)]) + 1) - 1


def vault(table, seat, project):
    return one_of(seat, 2)


def rate_level(table, seat, level):
    return chance(seat, level)


def tactic(table, seat, threat):
    return chance(seat, threat)


def intel(table, seat):
    """Stop, turn up (if something is face down) or move."""
    hidden = 0
    for card in range(table.attack_n):
        hidden += table.attack_seen[card] == -1
    return one_of(seat, 3) if hidden > 0 else 2 * one_of(seat, 2)


def turn_up(table, seat, card):
    return chance(seat, card)


def move_card(table, seat, card):
    return chance(seat, card)


def move_to(table, seat, company):
    return chance(seat, company)


def mash(table, seat, company):
    return chance(seat, company) if chance(seat, 101) < 0.8 else -1.0


def move_fame(table, seat, project):
    return chance(seat, project)


def attack_off(table, seat, card):
    return chance(seat, card)


def lose(table, seat, project):
    return chance(seat, project) if chance(seat, 101) < 0.5 else -1.0
