"""Chapter 1, the negotiations: offers before a decision, trades after it (R-EVT-2, R-EVT-7, A-13 to A-15)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti.asking import (
    Q_HONOUR,
    Q_OFFER_EVENT,
    Q_OFFER_POINTS,
    Q_OFFER_PROJECT,
    Q_OFFER_PROMISE,
    Q_OFFER_TO,
    answer,
    choose_or_none,
)
from sim.games.eti.companies import clockwise, is_human, move_project
from sim.games.eti.log import (
    MOVED_BY_TRADE,
    V_BANK_MOVES,
    V_DUE,
    V_EVENT_MOVES,
    V_ITEM,
    V_OFFER,
    V_PROJECT_MOVES,
    note,
)
from sim.games.eti.state import MAX_PLAYERS, NONE


@rule
def clear_offers(table):
    """A new event: nothing is on offer."""
    for p in range(MAX_PLAYERS):
        for q in range(MAX_PLAYERS):
            table.offers[p][q].made = 0


@rule
def collect_offers(game, decide, deciders):
    """From the president clockwise, everybody may try to win over the deciders (a set of seats)."""
    table = game.table
    clear_offers(table)
    if table.rules.offers_per_player == 0:
        return
    for i in range(table.players):
        p = clockwise(table, i)
        if is_human(table, p):
            make_offers(game, decide, p, deciders & ~(1 << p))


@rule
def make_offers(game, decide, p, deciders):
    """One company's offers, at most one to each decider (A-13)."""
    for _ in range(game.table.rules.offers_per_player):
        to = choose_or_none(game, decide, p, Q_OFFER_TO, deciders)
        if to == NONE:
            return
        deciders &= ~(1 << to)
        make_offer(game, decide, p, to)


@rule
def make_offer(game, decide, p, to):
    """Points, a project, a held event, the promise of a vote; an empty offer is none."""
    table = game.table
    offer = table.offers[p][to]
    bank = int(table.bank[p])
    points = answer(game, decide, p, Q_OFFER_POINTS, to, 0, bank)
    project = choose_or_none(game, decide, p, Q_OFFER_PROJECT, int(table.vault[p]))
    event = choose_or_none(game, decide, p, Q_OFFER_EVENT, int(game.seats[p].held))
    promise = answer(game, decide, p, Q_OFFER_PROMISE, to, 0, 1)
    if points == 0 and project == NONE and event == NONE and promise == 0:
        return
    offer.made = 1
    offer.points = points
    offer.project = project
    offer.event = event
    offer.promise = promise
    note(game, V_OFFER, p, to, points, project, event)
    note(game, V_ITEM, p, 0, promise, 0, 0)


@rule
def settle_offers(game, decide, elected, is_vote):
    """R-EVT-7: after the award, before agendas, every offer that fell due is honoured or broken."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        for k in range(table.players):
            to = clockwise(table, k)
            if table.offers[p][to].made and is_due(table, p, to, elected, is_vote):
                honour_or_break(game, decide, p, to)


@rule
def is_due(table, p, to, elected, is_vote):
    """A-13: the decider did what the offer asked: named the one who offers, or with a bad event spared them.

    By option, an offer to a voter also needs the election to end that way.
    """
    good = table.cards.event_good[table.event] == 1
    if is_vote and (int(table.voted[to]) == p) != good:
        return False
    if is_vote and not table.rules.offers_due_when_won:
        return True
    return (elected == p) == good


@rule
def honour_or_break(game, decide, p, to):
    """One decision for the whole offer; a broken one is remembered by all."""
    table = game.table
    offer = table.offers[p][to]
    if answer(game, decide, p, Q_HONOUR, to, 0, 1) == 0:
        table.broken[p] += 1
        note(game, V_DUE, p, to, 0, 0, NONE)
        note(game, V_ITEM, p, 0, NONE, 0, 0)
        return
    points = min(int(offer.points), int(table.bank[p]))
    project = int(offer.project)
    if project != NONE and not (table.vault[p] >> project) & 1:
        project = NONE
    event = int(offer.event)
    if event != NONE and not (game.seats[p].held >> event) & 1:
        event = NONE
    note(game, V_DUE, p, to, 1, points, project)
    note(game, V_ITEM, p, 0, event, offer.promise, 0)
    if offer.promise:
        table.promised[p][to] = 1
    hand_over(game, decide, p, to, points, project, event)


@rule
def hand_over(game, decide, p, to, points, project, event):
    """A-15: what the offer held, as far as it is still there."""
    table = game.table
    if points > 0:
        table.bank[p] -= points
        table.bank[to] += points
        note(game, V_BANK_MOVES, p, to, points, table.bank[p], table.bank[to])
    if project != NONE:
        note(game, V_PROJECT_MOVES, p, to, project, MOVED_BY_TRADE, 0)
        move_project(game, decide, p, to, project)
    if event != NONE:
        note(game, V_EVENT_MOVES, p, to, event, 0, 0)
        game.seats[p].held &= ~(1 << event)
        game.seats[to].held |= 1 << event
        table.held_n[p] -= 1
        table.held_n[to] += 1
