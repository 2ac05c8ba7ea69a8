"""Preparing a game (R-TE-SET-1 to R-TE-SET-5, R-TE-ADV-1)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.bases import add_module
from sim.games.target_earth.countries import give_status
from sim.games.target_earth.hands import draw_card, set_limits
from sim.games.target_earth.log import (
    AT_HEAD_START,
    AT_SETUP,
    DRAWN_AT_SETUP,
    V_COUNTRIES,
    V_DEALT,
    V_ORDER,
    V_PERSON,
    note,
    note_item,
)
from sim.games.target_earth.production import buy
from sim.games.target_earth.state import (
    ADVANCED,
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    BARRACKS,
    CARD_KINDS,
    CELLS,
    DEAL,
    DECK,
    FACTIONS,
    GARAGE,
    HANGAR,
    LABORATORY,
    MAX_BASES,
    MAX_TURNS,
    MODULES,
    NEUTRAL,
    NONE,
    OBJECTIVES,
    PEOPLE,
    RADAR,
    SETUP,
    SIZES,
    STRATEGIES,
    STREAMS,
    TECHNOLOGIES,
    UNITS,
    WAREHOUSE,
    WIDTH,
)
from sim.line_ups import ELSEWHERE
from sim.random import below, branch, key, shuffle


@rule
def set_up(game, decide):
    """Everything before the first turn."""
    clear_table(game)
    deal_countries(game)
    seat_people(game)
    fill_deck(game)
    configure_bases(game, decide)


@rule
def start_streams(game, seed, index):
    """One stream of luck for each purpose; each seat's dice come from the strategies' stream."""
    secret = game.secret
    for stream in range(STREAMS):
        elsewhere = ELSEWHERE if (game.rerolled >> stream) & 1 else 0
        secret.key[stream] = key(seed, index + elsewhere, stream)
        secret.stream[stream] = secret.key[stream]
    for p in range(MAX_BASES):
        game.seats[p].dice = branch(secret.key[STRATEGIES], p)


# --- nothing is left of an earlier game ------------------------------------------------------------------
@rule
def clear_table(game):
    """Cards, rules, the number of bases, mode and variant stay."""
    table, secret = game.table, game.secret
    table.turn = 0
    table.era = 0
    table.phase = SETUP
    table.fund = table.rules.fund
    table.knowledge = table.rules.knowledge
    table.bonus_points = 0
    table.modules_lost = 0
    table.labs = 0
    table.radars = 0
    table.ufo_n = 0
    table.armies_n = 0
    table.battle.target = NONE
    for technology in range(TECHNOLOGIES):
        table.level[technology] = 1
        table.sought[technology] = 0
    for size in range(SIZES):
        table.bag[size] = table.cards.bag[0][size]
    game.acts_n = 0
    game.decisions = 0
    game.forced = 0
    game.log_n = 0
    secret.winner = NONE
    clear_cells(table)
    clear_supply(table)
    clear_counts(secret.counts)
    for p in range(MAX_BASES):
        clear_base(game, p)


@rule
def clear_cells(table):
    """R-TE-PRD: the cells of a base's grid, six by six."""
    table.cells = 0
    for cell in range(CELLS):
        if cell % WIDTH < table.rules.columns and cell // WIDTH < table.rules.rows:
            table.cells |= 1 << cell


@rule
def clear_supply(table):
    """R-TE-PRD: the modules of the box."""
    table.supply[HANGAR] = table.rules.hangars
    table.supply[WAREHOUSE] = table.rules.warehouses
    table.supply[BARRACKS] = table.rules.barracks
    table.supply[GARAGE] = table.rules.garages
    table.supply[LABORATORY] = table.rules.laboratories
    table.supply[RADAR] = table.rules.radars


@rule
def clear_counts(counts):
    """Counted for the records."""
    counts.ufos = 0
    counts.shot_down = 0
    counts.beaten = 0
    counts.succeeded = 0
    counts.interceptions = 0
    counts.battles = 0
    counts.battles_won = 0
    counts.bases_destroyed = 0
    counts.attempts = 0
    counts.attempts_won = 0
    for turn in range(MAX_TURNS):
        counts.alliance[turn] = NONE
        counts.aliens[turn] = NONE
        counts.science[turn] = NONE
        counts.levels[turn] = NONE
        counts.allied[turn] = NONE


@rule
def clear_base(game, p):
    """An empty grid, no units, no cards, nobody's faction."""
    table, seat = game.table, game.seats[p]
    for cell in range(CELLS):
        table.module[p][cell] = NONE
        table.unit[p][cell] = NONE
        table.unit_elite[p][cell] = 0
    for module in range(MODULES):
        table.modules[p][module] = 0
        table.cells_of[p][module] = 0
    for unit in range(UNITS):
        table.units[p][unit] = 0
        table.elites[p][unit] = 0
        table.home[p][unit] = 0
        table.home_elites[p][unit] = 0
        game.away[p][unit] = 0
        game.away_elites[p][unit] = 0
    table.modules_n[p] = 0
    table.built[p] = 0
    table.held[p] = 0
    table.credits[p] = 0
    table.fortified[p] = 0
    table.faction[p] = NONE
    table.tokens[p] = 0
    table.token_used[p] = 0
    table.hand_n[p] = 0
    table.played[p] = 0
    seat.me = p
    seat.faction = NONE
    seat.objective = NONE
    seat.points = 0
    seat.asked = 0
    for kind in range(CARD_KINDS):
        table.hand[p][kind] = 0
        seat.hand[kind] = 0
    clear_tally(game.secret.tally[p])


@rule
def clear_tally(tally):
    """Counted for the records."""
    tally.points_battles = 0
    tally.points_faction = 0
    tally.points_cards = 0
    tally.points_objective = 0
    tally.points_unused = 0
    tally.modules_built = 0
    tally.modules_lost = 0
    tally.interceptions = 0
    tally.missions = 0
    tally.victories = 0
    tally.cards_played = 0
    tally.faction_turn = 0
    for unit in range(UNITS):
        tally.lost[unit] = 0


# --- countries and people --------------------------------------------------------------------------------
@rule
def deal_countries(game):
    """R-TE-SET-1: of each class two countries turn alien, then two of the rest allied."""
    table = game.table
    table.allied, table.aliens, table.neutral = 0, 0, 0
    table.allied_n, table.aliens_n, table.income, table.changed = 0, 0, 0, 0
    table.points[ALLIANCE] = 0
    table.points[ALIENS] = 0
    for country in range(table.cards.countries):
        table.status[country] = NEUTRAL
        table.neutral |= 1 << country
    deal_to(game, ALIEN)
    deal_to(game, ALLIED)
    note(game, V_COUNTRIES, NONE, table.points[ALLIANCE], table.points[ALIENS], table.income, 0)


@rule
def deal_to(game, status):
    """Two of each class, the richest class first."""
    table = game.table
    for step in range(table.rules.classes):
        credits = table.rules.classes - step
        for _ in range(table.rules.dealt_each):
            n = 0
            for country in range(table.cards.countries):
                n += table.status[country] == NEUTRAL and table.cards.credits[country] == credits
            if n > 0:
                country = nth_of_class(table, credits, below(game.secret.stream, DEAL, n))
                give_status(table, country, status)
                note(game, V_DEALT, NONE, country, status, 0, 0)


@rule
def nth_of_class(table, credits, n):
    """The n-th neutral country of a class."""
    for country in range(table.cards.countries):
        if table.status[country] == NEUTRAL and table.cards.credits[country] == credits:
            if n == 0:
                return country
            n -= 1
    return NONE


@rule
def seat_people(game):
    """Factions, objectives, the order of seats and the first player (R-TE-ADV-1, R-TE-OPT-3)."""
    table = game.table
    for p in range(table.bases):
        table.order[p] = p
    if table.variant == ADVANCED or table.rules.factions:
        deal_factions(game)
    if table.variant == ADVANCED:
        deal_objectives(game)
        sit_by_initiative(table)
        table.first = table.order[0]
    else:
        table.first = below(game.secret.stream, PEOPLE, table.bases)
    for i in range(table.bases):
        table.place[table.order[i]] = i
    game.secret.first_player = table.first
    for p in range(table.bases):
        note(game, V_PERSON, p, table.faction[p], game.seats[p].objective, 0, 0)
    note(game, V_ORDER, table.first, 0, 0, 0, 0)
    for i in range(table.bases):
        note_item(game, table.order[i], i, 0, 0, 0)


@rule
def deal_factions(game):
    """One each, at random."""
    table, order = game.table, game.order
    for faction in range(FACTIONS):
        order[faction] = faction
    shuffle(game.secret.stream, PEOPLE, order, FACTIONS)
    for p in range(table.bases):
        table.faction[p] = order[p]
        game.seats[p].faction = order[p]
        table.tokens[p] = table.cards.tokens[order[p]]


@rule
def deal_objectives(game):
    """One each, in secret."""
    order = game.order
    for objective in range(OBJECTIVES):
        order[objective] = objective
    shuffle(game.secret.stream, PEOPLE, order, OBJECTIVES)
    for p in range(game.table.bases):
        game.seats[p].objective = order[p]


@rule
def sit_by_initiative(table):
    """R-TE-ADV-1: the lowest initiative sits first, the others follow clockwise."""
    n = 0
    for faction in range(FACTIONS):
        for p in range(table.bases):
            if table.faction[p] == faction:
                table.order[n] = p
                n += 1


# --- cards and bases -------------------------------------------------------------------------------------
@rule
def fill_deck(game):
    """R-TE-SET-5, R-TE-SET-3: the Alliance deck is shuffled, each base gets its hand."""
    table, deck = game.table, game.secret.deck
    table.deck_n = 0
    for kind in range(CARD_KINDS):
        deck[kind] = table.cards.card_count[kind]
        table.deck_n += deck[kind]
        table.discards[kind] = 0
    game.secret.stream[DECK] = branch(game.secret.key[DECK], 0)
    for i in range(table.bases):
        for _ in range(by_bases(table, table.rules.hand_4, table.rules.hand_3, table.rules.hand_2)):
            draw_card(game, in_order(table, i), DRAWN_AT_SETUP)


@rule
def by_bases(table, four, three, two):
    """What the rules say for this number of bases."""
    if table.bases >= 4:
        return int(four)
    return int(three) if table.bases == 3 else int(two)


@rule
def configure_bases(game, decide):
    """R-TE-SET-3: each base spends its first credits as it likes; R-TE-ADV-1: the first two have a laboratory."""
    table, rules = game.table, game.table.rules
    set_limits(table)
    for i in range(table.bases):
        p = in_order(table, i)
        table.credits[p] = by_bases(table, rules.credits_4, rules.credits_3, rules.credits_2)
        if table.variant == ADVANCED and i < rules.head_start_bases:
            table.credits[p] = max(0, table.credits[p] - rules.head_start_credits)
            if table.supply[LABORATORY] > 0:
                add_module(game, decide, p, LABORATORY, 0, AT_HEAD_START)
        buy(game, decide, p, AT_SETUP)
