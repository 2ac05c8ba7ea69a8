"""Alliance cards: playing, drawing, the officer's swap (R-TE-CARD-1)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.acts import ACT_CARD, act
from sim.games.target_earth.asking import Q_SWAP_CARD, choose_or_none
from sim.games.target_earth.log import (
    DRAWN,
    SWAPPED,
    V_CARD,
    V_DISCARD,
    V_DRAW,
    V_RESHUFFLE,
    note,
    note_item,
)
from sim.games.target_earth.state import ADVANCED, CARD_KINDS, DECK, NONE, OFFICER
from sim.random import below


@rule
def change_hand(game, p, kind, by):
    """A card comes or goes. In the base game hands are open, in the advanced game their size is."""
    table = game.table
    game.seats[p].hand[kind] += by
    table.hand_n[p] += by
    if table.variant != ADVANCED:
        table.hand[p][kind] += by


@rule
def may_play(game, p, kind):
    """How many cards of a kind seat p may play now."""
    if game.table.cards.blank[kind]:
        return 0
    left = int(game.table.may_play[p] - game.table.played[p])
    return max(0, min(left, int(game.seats[p].hand[kind])))


@rule
def play_card(game, p, kind, target):
    """R-TE-CARD-1: a card leaves the hand; a fortified base stays on the table."""
    table = game.table
    change_hand(game, p, kind, -1)
    table.played[p] += 1
    table.discards[kind] += 1
    game.secret.tally[p].cards_played += 1
    note(game, V_CARD, p, kind, game.seats[p].hand[kind], table.played[p], 0)
    act(game, ACT_CARD, kind, p, target)


@rule
def draw_card(game, p, why):
    """The top card of the Alliance deck; an empty one is renewed from the discards (A-TE-12)."""
    table, deck = game.table, game.secret.deck
    if table.deck_n == 0:
        renew_deck(game)
    if table.deck_n == 0:
        return
    at = below(game.secret.stream, DECK, table.deck_n)
    kind = 0
    while at >= deck[kind]:
        at -= deck[kind]
        kind += 1
    deck[kind] -= 1
    table.deck_n -= 1
    change_hand(game, p, kind, 1)
    note(game, V_DRAW, p, kind, why, 0, 0)


@rule
def renew_deck(game):
    """A-TE-12: the discards become the deck, if there are any."""
    table, deck = game.table, game.secret.deck
    left = 0
    for kind in range(CARD_KINDS):
        left += table.discards[kind]
    if left == 0:
        return
    note(game, V_RESHUFFLE, NONE, 0, 0, 0, 0)
    for kind in range(CARD_KINDS):
        if table.discards[kind] > 0:
            note_item(game, NONE, kind, table.discards[kind], 0, 0)
        deck[kind] += table.discards[kind]
        table.deck_n += table.discards[kind]
        table.discards[kind] = 0


@rule
def set_limits(table):
    """R-TE-SET-3: how many cards each base may play this turn."""
    rules = table.rules
    for p in range(table.bases):
        table.played[p] = 0
        if table.bases >= 4:
            table.may_play[p] = rules.cards_turn_4
        elif table.bases == 3:
            table.may_play[p] = rules.cards_turn_3 + (rules.first_extra_3 if p == table.first else 0)
        else:
            table.may_play[p] = rules.cards_turn_2


@rule
def draw_for_played(game, p):
    """R-TE-CARD-1: as many are drawn as were played."""
    for _ in range(game.table.played[p]):
        draw_card(game, p, DRAWN)


@rule
def swap_card(game, decide, p):
    """R-TE-ADV-2: at a turn's end the officer may change a card for a new one."""
    table, seat = game.table, game.seats[p]
    if table.faction[p] != OFFICER:
        return
    legal = 0
    for kind in range(CARD_KINDS):
        if seat.hand[kind] > 0:
            legal |= 1 << kind
    kind = choose_or_none(game, decide, p, Q_SWAP_CARD, legal)
    if kind != NONE:
        change_hand(game, p, kind, -1)
        table.discards[kind] += 1
        note(game, V_DISCARD, p, kind, 0, 0, 0)
        draw_card(game, p, SWAPPED)
