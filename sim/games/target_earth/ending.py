"""Step 9: the end of a turn, and of the game (R-TE-END, R-TE-WIN-1 to R-TE-WIN-3)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.hands import draw_for_played, swap_card
from sim.games.target_earth.state import (
    ALIENS,
    ALLIANCE,
    BY_POINTS,
    FEWER_POINTS,
    FIGHTERS,
    IMPOSSIBLE,
    MAX_TURNS,
    NEITHER,
    NO_SCIENCE,
    RANDOM,
    SCIENCE,
    SIZES,
    SUDDEN,
    TANKS,
    TROOPS,
)


@rule
def check_end(game):
    """Whether the game is over; who won and why."""
    table, secret = game.table, game.secret
    goal = int(table.rules.science_goal)
    if table.turn >= table.rules.turns:  # R-TE-WIN-1
        learned = table.level[SCIENCE] >= goal
        ahead = table.points[ALLIANCE] > table.points[ALIENS]
        secret.winner = ALLIANCE if learned and ahead else ALIENS
        if learned:
            secret.why = BY_POINTS if ahead else FEWER_POINTS
        else:
            secret.why = NO_SCIENCE if ahead else NEITHER
        return True
    most = int(table.rules.sudden_points)  # R-TE-WIN-2: both over it: the aliens
    if table.points[ALIENS] > most or table.points[ALLIANCE] > most:
        secret.winner = ALIENS if table.points[ALIENS] > most else ALLIANCE
        secret.why = SUDDEN
        return True
    if table.level[SCIENCE] + table.rules.turns - table.turn < goal:  # R-TE-WIN-3
        secret.winner = ALIENS
        secret.why = IMPOSSIBLE
        return True
    return False


@rule
def note_turn(game):
    """The state of affairs at a turn's end, for the records."""
    table, counts = game.table, game.secret.counts
    k = int(table.turn) - 1
    if k < MAX_TURNS:
        counts.alliance[k] = table.points[ALLIANCE]
        counts.aliens[k] = table.points[ALIENS]
        counts.science[k] = table.level[SCIENCE]
        counts.levels[k] = table.level[FIGHTERS] + table.level[TROOPS] + table.level[TANKS]
        counts.allied[k] = table.allied_n


@rule
def pass_on(game, decide):
    """R-TE-END: cards are drawn, the officer may swap one, the first player passes on."""
    table = game.table
    for i in range(table.bases):
        p = in_order(table, i)
        draw_for_played(game, p)
        swap_card(game, decide, p)
    table.first = table.order[(table.place[table.first] + 1) % table.bases]


@rule
def change_era(table):
    """R-TE-END: phase II begins after turn 3, phase III after turn 5; its UFOs go into the bag."""
    era = 0
    if table.turn >= table.rules.phase_3_turn:
        era = 2
    elif table.turn >= table.rules.phase_2_turn:
        era = 1
    while table.era < era:
        table.era += 1
        if table.mode != RANDOM:
            for size in range(SIZES):
                table.bag[size] += table.cards.bag[table.era][size]
