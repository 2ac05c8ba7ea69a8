"""A whole game, turn by turn, and the kernel that plays many of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
from numba import types

from sim.compile import PLAIN, entry, fix_signature, rule
from sim.games.target_earth.acts import act, copy_acts
from sim.games.target_earth.air import intercept
from sim.games.target_earth.alliance import in_order
from sim.games.target_earth.asking import answer, choose, choose_or_none, fault, rating
from sim.games.target_earth.bases import add_module, come_home
from sim.games.target_earth.countries import change_status, give_status
from sim.games.target_earth.dice import ask_bonus, ask_reroll, roll, roll_aliens, roll_allies
from sim.games.target_earth.diplomacy import attempt, diplomacy_step
from sim.games.target_earth.ending import change_era, check_end, note_turn, pass_on
from sim.games.target_earth.hands import play_card, set_limits
from sim.games.target_earth.log import V_END, V_STOP, V_TURN, V_TURN_MORE, note, note_dice, note_item
from sim.games.target_earth.missions import missions
from sim.games.target_earth.points import count_personal
from sim.games.target_earth.production import production
from sim.games.target_earth.record import fill_row
from sim.games.target_earth.research import income, research, resolve_research
from sim.games.target_earth.setup import set_up, start_streams
from sim.games.target_earth.state import (
    ADVANCED,
    ALIENS,
    ALLIANCE,
    BAGS,
    DECK,
    DIPLOMACY_STEP,
    END,
    GAME_ROW,
    GAME_TYPE,
    INCOME,
    INTERCEPTION,
    MAX_BASES,
    MAX_PARAMS,
    MISSIONS,
    NONE,
    PRODUCTION,
    RESEARCH,
    RETURN,
    SCIENCE,
    SEAT_TYPE,
    TABLE_TYPE,
    TALKS,
    UFOS,
)
from sim.games.target_earth.ufos import draw_ufos
from sim.random import branch


@rule
def play_game(game, decide, seed, index, row):
    """One complete game; its result goes into `row`."""
    start_streams(game, seed, index)
    set_up(game, decide)
    while not play_turn(game, decide):
        pass_on(game, decide)
    note(game, V_END, NONE, game.table.turn, game.secret.winner, game.secret.why, game.table.level[SCIENCE])
    note_item(game, NONE, game.table.points[ALLIANCE], game.table.points[ALIENS], 0, 0)
    winner = NONE
    if game.table.variant == ADVANCED:
        winner = count_personal(game)
    note(game, V_STOP, NONE, game.decisions, game.forced, 0, 0)
    fill_row(game, index, winner, row)


@rule
def play_turn(game, decide):
    """The nine steps of a turn; whether the game is over."""
    table = game.table
    begin_turn(game)
    table.phase = INCOME
    income(game)
    table.phase = RESEARCH
    research(game, decide)
    table.phase = PRODUCTION
    production(game, decide)
    table.phase = DIPLOMACY_STEP
    diplomacy_step(game, decide)
    table.phase = UFOS
    draw_ufos(game)
    table.phase = INTERCEPTION
    intercept(game, decide)
    table.phase = MISSIONS
    missions(game, decide)
    table.phase = RETURN
    come_home(game)
    table.phase = END
    resolve_research(game, decide)
    note_turn(game)
    return check_end(game)


@rule
def begin_turn(game):
    """Nothing of the last turn's doings counts any more."""
    table, secret = game.table, game.secret
    table.turn += 1
    change_era(table)
    table.changed = 0
    table.battle.target = NONE
    set_limits(table)
    for p in range(table.bases):
        table.token_used[p] = 0
    for stream in (DECK, BAGS, TALKS):
        secret.stream[stream] = branch(secret.key[stream], table.turn)
    note(game, V_TURN, table.first, table.turn, table.era, table.fund, table.knowledge)
    note(game, V_TURN_MORE, NONE, table.points[ALLIANCE], table.points[ALIENS], table.income, 0)
    for i in range(table.bases):
        p = in_order(table, i)
        note_item(game, p, table.credits[p], table.may_play[p], 0, 0)
    for technology in range(4):
        note_item(game, NONE, technology, table.level[technology], 0, 0)


def play_games(
    games: Any, decide: Any, params: Any, line_ups: Any, luck: Any, seed: int, rows: Any, acts: Any
) -> int:
    """Play one game a row in the (reused) state `games[0]`; returns how many acts there are.

    Parameters
    ----------
    decide, params
        The pool: its strategies (`sim.calling.Functions`), and a row of parameters for each.
    line_ups
        For each game, which strategy of the pool plays each seat.
    luck
        For each game the index its luck is drawn from.
    acts
        What happened to countries, cards and UFOs goes here, as far as there is room.
    """
    game = games[0]
    n = 0
    for k in range(len(rows)):
        game.number = k
        seat_strategies(game, params, line_ups[k])
        play_game(game, decide, seed, luck[k], rows[k])
        if len(acts) > 0:
            n = copy_acts(game, k, acts, n)
    return n


@rule
def seat_strategies(game, params, line_up):
    """Who plays where, and with which parameters."""
    for p in range(MAX_BASES):
        game.who[p] = line_up[p]
        for k in range(MAX_PARAMS):
            game.seats[p].params[k] = params[line_up[p]][k]


#: what every strategy is compiled to: (table, seat, question, option) -> number
DECIDE_SIGNATURE = types.float64(TABLE_TYPE, SEAT_TYPE, types.int64, types.int64)


@cache
def kernel() -> Any:
    """`play_games`, compiled once and kept on disk; the plain function without JIT."""
    if PLAIN:
        return play_games
    strategies = types.int64  # see sim.calling
    fix_signatures(strategies)
    signature = types.int64(
        types.Array(GAME_TYPE, 1, "C"),
        strategies,
        types.Array(types.float64, 2, "C"),
        types.Array(types.int64, 2, "C"),
        types.Array(types.int64, 1, "C"),
        types.uint64,
        types.Array(numba.from_dtype(GAME_ROW), 1, "C"),
        types.Array(types.int32, 2, "C"),
    )
    return entry(play_games, signature)


def fix_signatures(strategies: Any) -> None:
    """The functions called from many places, each compiled for one signature only."""
    number, seat = types.int64, (GAME_TYPE, strategies)
    fix_signature(note, (GAME_TYPE, *[number] * 6))
    fix_signature(note_item, (GAME_TYPE, *[number] * 5))
    fix_signature(note_dice, (GAME_TYPE, *[number] * 4))
    fix_signature(act, (GAME_TYPE, *[number] * 4))
    fix_signature(fault, (GAME_TYPE, *[number] * 3, types.float64))
    fix_signature(rating, (*seat, *[number] * 3))
    fix_signature(choose, (*seat, *[number] * 3))
    fix_signature(choose_or_none, (*seat, *[number] * 3))
    fix_signature(answer, (*seat, *[number] * 5))
    fix_signature(in_order, (TABLE_TYPE, number))
    fix_signature(play_card, (GAME_TYPE, *[number] * 3))
    fix_signature(add_module, (*seat, *[number] * 4))
    fix_signature(give_status, (TABLE_TYPE, number, number))
    fix_signature(change_status, (GAME_TYPE, *[number] * 3))
    fix_signature(attempt, (*seat, *[number] * 6))
    fix_signature(roll, (GAME_TYPE, *[number] * 3))
    fix_signature(roll_aliens, (GAME_TYPE, number, number))
    fix_signature(roll_allies, (GAME_TYPE, number))
    fix_signature(ask_bonus, (*seat, number, number))
    fix_signature(ask_reroll, (*seat, *[number] * 3))
