"""Chapter II: preparing a game (R-SET-1 to R-SET-7)."""

from __future__ import annotations

from sim.bits import lowest
from sim.compile import rule
from sim.games.eti.companies import clockwise, free_upgrade, settle_immunities
from sim.games.eti.events import first_event_order
from sim.games.eti.log import LAID_AT_SETUP, PICK_START, UP_FREE, V_FIRST_PRESIDENT, note
from sim.games.eti.offers import clear_offers
from sim.games.eti.projects import lay_out, levels_up_to, pick_project
from sim.games.eti.state import (
    ABILITY_COUNT,
    ALIEN,
    FIELD_COUNT,
    HUMAN,
    IN_PILE,
    LEVELS,
    LOST,
    MAX_HUMAN_CARDS,
    MAX_KINDS,
    MAX_PLAYERS,
    MAX_PORTS,
    NONE,
    PHASE_SETUP,
    THREAT_COUNT,
)
from sim.games.eti.streams import PRESIDENT, PROJECTS, ROLES, STRATEGIES, STREAMS
from sim.random import below, branch, key, shuffle


@rule
def set_up(game, decide, alien_card, president):
    """Everything before the first round. NONE for the alien card or the president: drawn from the seed."""
    clear_table(game)
    set_threshold(game.table)
    fill_decks(game)
    draw_roles(game, alien_card, president)
    first_event_order(game)
    note(game, V_FIRST_PRESIDENT, game.table.president, 0, 0, 0, 0)
    make_free_upgrades(game, decide)
    lay_out_first_projects(game)
    for i in range(game.table.players):
        pick_project(game, decide, clockwise(game.table, i), PICK_START)


@rule
def start_streams(game, seed, index):
    """One stream of luck for each purpose; each seat's dice come from the strategies' stream."""
    secret = game.secret
    for stream in range(STREAMS):
        secret.key[stream] = key(seed, index, stream)
        secret.stream[stream] = secret.key[stream]
    secret.first_key = secret.key[ROLES]
    for p in range(MAX_PLAYERS):
        game.seats[p].dice = branch(secret.key[STRATEGIES], p)


@rule
def reroll_streams(game, seed, luck):
    """Single kinds of luck may be another game's: to see how much of the result hangs on each."""
    secret = game.secret
    for stream in range(STREAMS):
        if luck[stream] != luck[ROLES]:
            secret.key[stream] = key(seed, luck[stream], stream)
            secret.stream[stream] = secret.key[stream]
    secret.first_key = key(seed, luck[PRESIDENT], ROLES)
    for p in range(MAX_PLAYERS):
        game.seats[p].dice = branch(secret.key[STRATEGIES], p)


@rule
def clear_table(game):
    """Nothing of an earlier game is left; cards, rules and the number of players stay."""
    table = game.table
    table.round_no = 0
    table.phase = PHASE_SETUP
    table.claimed = 0
    table.alien = NONE
    table.alien_card = NONE
    table.rounds_left = NONE
    table.event = NONE
    table.face_up_n = 0
    table.tactic_n = 0
    table.base_attack = 0
    table.intel_left = 0
    table.mashes_left = 0
    table.attack_n = 0
    for threat in range(THREAT_COUNT):
        table.tactic[threat] = 0
    for project in range(table.cards.projects):
        table.place[project] = IN_PILE
        table.owner[project] = NONE
        table.moved_fame[project] = 0
    table.moved = 0
    game.acts_n = 0
    clear_offers(table)
    for p in range(MAX_PLAYERS):
        clear_company(game, p)
    game.decisions = 0
    game.forced = 0
    game.log_n = 0
    secret = game.secret
    secret.event_deals = 0
    secret.event_discards = 0
    secret.threshold_round = 0
    secret.reveal_round = 0


@rule
def clear_company(game, p):
    """An empty company board."""
    table, seat = game.table, game.seats[p]
    table.bank[p] = 0
    table.queue_n[p] = 0
    table.studying[p] = NONE
    table.left[p] = NONE
    table.vault[p] = 0
    table.completed[p] = 0
    table.highest[p] = 0
    table.granted[p] = 0
    table.immunity_n[p] = 0
    table.held_n[p] = 0
    table.broken[p] = 0
    table.voted[p] = NONE
    table.votes[p] = 0
    table.mashed[p] = 0
    table.more_defence[p] = 0
    table.more_fame[p] = 0
    table.more_attack[p] = 0
    table.attack[p] = 0
    for field in range(FIELD_COUNT):
        table.field_n[p][field] = 0
    for ability in range(ABILITY_COUNT):
        table.tokens[p][ability] = 0
    for threat in range(THREAT_COUNT):
        table.immune[p][threat] = 0
    for q in range(MAX_PLAYERS):
        table.promised[p][q] = 0
    clear_seat(game, p, seat)


@rule
def clear_seat(game, p, seat):
    """What a seat alone knows, and what is counted about it."""
    seat.me = p
    seat.held = 0
    seat.asked = 0
    for port in range(MAX_PORTS):
        seat.seen[port] = NONE
    for level in range(LEVELS + 1):
        seat.scouted[level] = NONE
    tally = game.secret.tally[p]
    tally.safe = 0
    tally.standard = 0
    tally.researched = 0
    tally.switched = 0
    tally.idle = 0
    tally.scoops_given = 0
    tally.scoops_suffered = 0
    tally.banked = 0
    tally.lost_to_cap = 0


@rule
def set_threshold(table):
    """R-SET-1 and R-INV-1: when the alien may, and when it must reveal."""
    rules = table.rules
    table.threshold = max(1, table.players * table.multiplier + rules.threshold_extra)
    forced = table.players * (table.multiplier + rules.must_reveal_extra)
    table.must_reveal = max(table.threshold, forced)


@rule
def fill_decks(game):
    """R-SET-4: research cards into the deck, projects shuffled by level."""
    table, secret, cards = game.table, game.secret, game.table.cards
    for kind in range(MAX_KINDS):
        secret.deck[kind] = cards.kind_count[kind]
        secret.discards[kind] = 0
    secret.deck_n = cards.deck_size
    for level in range(LEVELS + 1):
        table.pile_left[level] = 0
    for project in range(cards.projects):
        level = int(cards.level[project])
        secret.pile[level][table.pile_left[level]] = project
        table.pile_left[level] += 1
    for level in range(1, LEVELS + 1):
        shuffle(secret.stream, PROJECTS, secret.pile[level], table.pile_left[level])
    if cards.absent_projects != 0:
        take_out_projects(game)


@rule
def take_out_projects(game):
    """Absent projects leave their piles after the shuffle: the others lie as they would have."""
    table = game.table
    for level in range(1, LEVELS + 1):
        pile, kept = game.secret.pile[level], 0
        for k in range(table.pile_left[level]):
            if (int(table.cards.absent_projects) >> int(pile[k])) & 1:
                table.place[pile[k]] = LOST
            else:
                pile[kept] = pile[k]
                kept += 1
        table.pile_left[level] = kept


@rule
def draw_roles(game, alien_card, president):
    """R-SET-5: one alien card among players - 1 human ones; R-SET-7: the first president."""
    table, secret = game.table, game.secret
    players = int(table.players)
    secret.alien_seat = below(secret.stream, ROLES, players)
    below(secret.stream, ROLES, players)  # drawn in any case: the luck after it stays the same
    first = draw_first_president(game, players)
    kind = below(secret.stream, ROLES, int(table.cards.aliens))
    table.president = first if president == NONE else president
    secret.first_president = table.president
    if alien_card != NONE:
        kind = alien_card
        table.alien_card = alien_card  # chosen openly: everybody knows the kind
    deal_endgame_cards(game, kind)


@rule
def draw_first_president(game, players):
    """The second draw of the stream of roles, or of another game's (`reroll_streams`)."""
    streams = game.secret.stream
    usual = streams[ROLES]
    streams[ROLES] = game.secret.first_key
    below(streams, ROLES, players)
    first = below(streams, ROLES, players)
    streams[ROLES] = usual
    return first


@rule
def deal_endgame_cards(game, kind):
    """Each seat takes a card, looks at it and knows its role."""
    table, secret = game.table, game.secret
    deck = game.desk.queue
    humans = int(table.cards.humans)
    for card in range(min(humans, MAX_HUMAN_CARDS)):
        deck[card] = card
    shuffle(secret.stream, ROLES, deck, humans)
    top = next_endgame_card(table, deck, 0)
    for p in range(table.players):
        if p == secret.alien_seat:
            secret.role[p] = ALIEN
            secret.endgame[p] = kind
        else:
            secret.role[p] = HUMAN
            secret.endgame[p] = deck[top]
            top = next_endgame_card(table, deck, top + 1)
        game.seats[p].role = secret.role[p]
        game.seats[p].endgame = secret.endgame[p]


@rule
def next_endgame_card(table, deck, top):
    """The next card of the deck that is in the game."""
    while top < table.cards.humans and (int(table.cards.absent_humans) >> int(deck[top])) & 1:
        top += 1
    return top


@rule
def make_free_upgrades(game, decide):
    """R-SET-2, A-16: from the first president clockwise, each company all of its upgrades."""
    table = game.table
    for i in range(table.players):
        p = clockwise(table, i)
        settle_immunities(game, decide, p)  # a track may grant one on its first space
        for _ in range(table.rules.free_upgrades):
            free_upgrade(game, decide, p, NONE, UP_FREE)


@rule
def lay_out_first_projects(game):
    """R-SET-6: players - 1 projects of level I (more than there are: as many as there are)."""
    table = game.table
    level = int(table.rules.starting_level)
    for _ in range(max(1, int(table.players + table.rules.starting_projects))):
        if table.pile_left[level] == 0:
            levels = levels_up_to(table, LEVELS)
            if levels == 0:
                return
            level = lowest(levels)
        lay_out(game, NONE, level, LAID_AT_SETUP)
