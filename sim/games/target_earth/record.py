"""What is recorded of a game: who won and why, how it went, what each base did and held."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.state import (
    ADVANCED,
    ALIENS,
    ALLIANCE,
    MAX_TURNS,
    MODULES,
    TECHNOLOGIES,
    UNITS,
)


@rule
def fill_row(game, index, winner, row):
    """The result of a game."""
    table, secret = game.table, game.secret
    row.index = index
    row.won = secret.winner == ALLIANCE
    row.why = secret.why
    row.turns = table.turn
    row.winner = winner
    row.first = secret.first_player
    row.points[ALLIANCE] = table.points[ALLIANCE]
    row.points[ALIENS] = table.points[ALIENS]
    for technology in range(TECHNOLOGIES):
        row.level[technology] = table.level[technology]
    row.knowledge = table.knowledge
    row.fund = table.fund
    row.income = table.income
    row.allied = table.allied_n
    row.aliens = table.aliens_n
    row.neutral = table.cards.countries - table.allied_n - table.aliens_n
    row.modules_lost = table.modules_lost
    row.decisions = game.decisions
    row.forced = game.forced
    fill_counts(secret.counts, row)
    row.modules = 0
    row.cards_played = 0
    for p in range(table.bases):
        fill_seat_row(game, p, row.seat[p])
        row.modules += table.modules_n[p]
        row.cards_played += secret.tally[p].cards_played
        won = p == winner if table.variant == ADVANCED else secret.winner == ALLIANCE
        row.seat[p].won = won


@rule
def fill_counts(counts, row):
    """What was counted over the game."""
    row.ufos = counts.ufos
    row.shot_down = counts.shot_down
    row.beaten = counts.beaten
    row.succeeded = counts.succeeded
    row.interceptions = counts.interceptions
    row.battles = counts.battles
    row.battles_won = counts.battles_won
    row.bases_destroyed = counts.bases_destroyed
    row.attempts = counts.attempts
    row.attempts_won = counts.attempts_won
    for turn in range(MAX_TURNS):
        row.alliance_at[turn] = counts.alliance[turn]
        row.aliens_at[turn] = counts.aliens[turn]
        row.science_at[turn] = counts.science[turn]
        row.levels_at[turn] = counts.levels[turn]
        row.allied_at[turn] = counts.allied[turn]


@rule
def fill_seat_row(game, p, seat):
    """The result of one base."""
    table, tally = game.table, game.secret.tally[p]
    seat.faction = table.faction[p]
    seat.objective = game.seats[p].objective
    seat.personal = game.seats[p].points
    seat.personal_battles = tally.points_battles
    seat.personal_faction = tally.points_faction
    seat.personal_cards = tally.points_cards
    seat.personal_objective = tally.points_objective
    seat.personal_unused = tally.points_unused
    seat.elites = 0
    for unit in range(UNITS):
        seat.lost[unit] = tally.lost[unit]
        seat.units[unit] = table.units[p][unit]
        seat.elites += table.elites[p][unit]
    for module in range(MODULES):
        seat.modules[module] = table.modules[p][module]
    seat.modules_built = tally.modules_built
    seat.modules_lost = tally.modules_lost
    seat.interceptions = tally.interceptions
    seat.missions = tally.missions
    seat.victories = tally.victories
    seat.cards_played = tally.cards_played
    seat.credits = table.credits[p]
    seat.tokens = table.tokens[p]
