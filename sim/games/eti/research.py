"""Chapter 3: research cards, dealt and put away. The deck is shuffled before every deal (R-BDG-2), so drawing
from it is drawing one of its cards at random; deck and discards are simply counts by kind."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti.companies import clockwise, look_at_ports, track_value
from sim.games.eti.log import DEALT_BY_EVENT, DEALT_FOR_RESEARCH, V_DEAL, V_ITEM, V_RESHUFFLE, note
from sim.games.eti.state import MAX_KINDS, MAX_PLAYERS, NONE, RESEARCH, STAFFING
from sim.games.eti.streams import RESEARCH as RESEARCH_STREAM
from sim.random import below, branch


@rule
def deal_research(game):
    """R-RES-1: from the president's left clockwise, everybody who researches gets cards."""
    table = game.table
    for i in range(1, int(table.players) + 1):
        p = clockwise(table, i)
        if table.agenda[p] == RESEARCH:
            wanted = cards_due(table, p)
            table.dealt[p] = wanted
            game.secret.tally[p].researched += 1
            deal_cards(game, p, wanted, DEALT_FOR_RESEARCH)


@rule
def cards_due(table, p):
    """R-RES-2: staffing, and one more for each own project of the field studied."""
    field = table.cards.field[table.studying[p]]
    return track_value(table, p, STAFFING) + int(table.rules.field_bonus) * int(table.field_n[p][field])


@rule
def deal_cards(game, p, wanted, why):
    """R-RES-3, R-RES-5: to the lowest free ports, face down; what finds no port is discarded unseen."""
    table = game.table
    note(game, V_DEAL, p, why, wanted, 0, 0)
    begin_deal(game, p, why)
    for _ in range(wanted):
        kind = draw_card(game, RESEARCH_STREAM)
        if kind == NONE:
            break
        port = int(table.queue_n[p])
        if port < table.rules.ports:
            game.secret.queue[p][port] = kind
            game.seats[p].seen[port] = NONE
            table.queue_n[p] = port + 1
            note(game, V_ITEM, p, 0, kind, port, 0)
        else:
            game.secret.discards[kind] += 1
            note(game, V_ITEM, p, 1, kind, NONE, 0)
    look_at_ports(game, p)


@rule
def begin_deal(game, p, why):
    """Luck of its own for each seat and round: a change elsewhere at the table leaves it as it is."""
    secret = game.secret
    number = int(game.table.round_no) * MAX_PLAYERS + p
    if why == DEALT_BY_EVENT:  # several may come in one round
        secret.event_deals += 1
        number -= int(secret.event_deals) << 16
    secret.stream[RESEARCH_STREAM] = branch(secret.key[RESEARCH_STREAM], number)


@rule
def cards_left(game):
    """Whether a card can still be drawn."""
    secret = game.secret
    if secret.deck_n > 0:
        return True
    for kind in range(game.table.cards.kinds):
        if secret.discards[kind] > 0:
            return game.table.rules.reshuffle_when_dry != 0
    return False


@rule
def draw_card(game, stream):
    """One card at random from the deck; NONE if there is none (A-5: a dry deck takes in the discards)."""
    secret = game.secret
    if secret.deck_n == 0:
        if game.table.rules.reshuffle_when_dry:
            shuffle_discards_in(game)
        if secret.deck_n == 0:
            return NONE
        note(game, V_RESHUFFLE, NONE, 1, 0, 0, 0)
    rest = below(secret.stream, stream, int(secret.deck_n))
    kind, cards = 0, 0
    for k in range(game.table.cards.kinds - 1):  # no early end: a jump that cannot be foreseen costs more
        cards += secret.deck[k]
        kind += 1 if rest >= cards else 0
    secret.deck[kind] -= 1
    secret.deck_n -= 1
    return kind


@rule
def shuffle_discards_in(game):
    """R-BDG-2: all discards go back into the deck."""
    secret = game.secret
    for kind in range(MAX_KINDS):
        secret.deck[kind] += secret.discards[kind]
        secret.deck_n += secret.discards[kind]
        secret.discards[kind] = 0


@rule
def discard_last(game, p, n):
    """The last n cards of a queue go to the discards, unseen; an entry in the log for each."""
    table = game.table
    for _ in range(n):
        port = int(table.queue_n[p]) - 1
        kind = int(game.secret.queue[p][port])
        game.secret.discards[kind] += 1
        game.seats[p].seen[port] = NONE
        table.queue_n[p] = port
        note(game, V_ITEM, p, 0, kind, port, 0)


@rule
def discard_queue(game, p):
    """The whole queue goes to the discards."""
    for port in range(game.table.queue_n[p]):
        game.secret.discards[game.secret.queue[p][port]] += 1
        game.seats[p].seen[port] = NONE
    game.table.queue_n[p] = 0


@rule
def log_cards(game, p, cards, n, tag):
    """A list of cards as entries of the row before."""
    if game.tracing:
        for port in range(n):
            note(game, V_ITEM, p, tag, cards[port], port, 0)


@rule
def log_queue(game, p):
    """A queue as it lies."""
    log_cards(game, p, game.secret.queue[p], game.table.queue_n[p], 0)
