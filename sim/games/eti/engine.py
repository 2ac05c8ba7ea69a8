"""A whole game, round by round, and the kernel that plays many of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
from numba import types

from sim.compile import PLAIN, entry, fix_signature, rule
from sim.games.eti.acts import copy_acts
from sim.games.eti.asking import Q_AGENDA, answer, choose, choose_or_none, fault, rating
from sim.games.eti.battle import resolve_battles
from sim.games.eti.companies import clockwise, gain_project, is_human, track_value, upgrade_ability
from sim.games.eti.events import event_phase, renew_events
from sim.games.eti.invasion import prepare_invasion, reveal_phase
from sim.games.eti.log import BADGE_ROUND, V_AGENDAS, V_BADGE, V_END, V_ITEM, V_ROUND, note
from sim.games.eti.projects import lay_out, new_projects, pick_project, study
from sim.games.eti.record import count_vaults, fill_row
from sim.games.eti.research import deal_research, shuffle_discards_in
from sim.games.eti.setup import reroll_streams, set_up, start_streams
from sim.games.eti.state import (
    GAME_ROW,
    GAME_TYPE,
    MAX_PARAMS,
    MAX_PLAYERS,
    NONE,
    PHASE_AGENDA,
    PHASE_EVENT,
    PHASE_PROJECTS,
    PHASE_RESEARCH,
    PHASE_SUBMISSION,
    RESEARCH,
    SEAT_TYPE,
    SUBMIT,
    SWITCH,
    TABLE_TYPE,
)
from sim.games.eti.submission import choose_ways, scoop, settle_submissions, submit_results


@rule
def play_game(game, decide, seed, luck, alien_card, president, row):
    """One complete game; its result goes into `row`. `luck` has an index for each stream."""
    start_streams(game, seed, luck[0])
    reroll_streams(game, seed, luck)
    set_up(game, decide, alien_card, president)
    why = NONE
    while why == NONE:
        why = play_round(game, decide)
    prepare_invasion(game, decide, why)
    count_vaults(game, row)
    resolve_battles(game, decide, row)
    fill_row(game, luck[0], why, row)
    note(game, V_END, NONE, game.table.round_no, why, game.decisions, game.forced)


@rule
def play_round(game, decide):
    """One round; returns why the invasion comes instead, or NONE."""
    table = game.table
    begin_round(game)
    why = reveal_phase(game, decide)
    if why != NONE:
        return why
    table.phase = PHASE_EVENT
    event_phase(game, decide)
    choose_agendas(game, decide)
    table.phase = PHASE_RESEARCH
    deal_research(game)
    table.phase = PHASE_SUBMISSION
    choose_ways(game, decide)
    submit_results(game, decide)
    claimants, scooped = settle_submissions(game, decide)
    if table.claimed >= table.threshold and game.secret.threshold_round == 0:
        game.secret.threshold_round = table.round_no
    table.phase = PHASE_PROJECTS
    new_projects(game, decide, claimants, scooped)
    pass_badge(game)
    return NONE


@rule
def begin_round(game):
    """Nothing of the last round's doings lies on the table any more."""
    table = game.table
    table.round_no += 1
    note(game, V_ROUND, table.president, table.round_no, table.claimed, 0, 0)
    for p in range(table.players):
        table.agenda[p] = NONE
        table.way[p] = NONE
        table.total[p] = NONE
        table.dealt[p] = 0
        table.shown_n[p] = 0


@rule
def choose_agendas(game, decide):
    """R-AGD-1: all choose in secret and reveal at once. Idle companies have no agenda (A-26)."""
    table = game.table
    table.phase = PHASE_AGENDA
    for i in range(table.players):
        p = clockwise(table, i)
        game.choice[p] = NONE
        if is_human(table, p):
            if table.studying[p] == NONE:
                game.secret.tally[p].idle += 1
            else:
                game.choice[p] = choose_agenda(game, decide, p)
    note(game, V_AGENDAS, NONE, 0, 0, 0, 0)
    for p in range(table.players):
        table.agenda[p] = game.choice[p]
        note(game, V_ITEM, p, 0, table.agenda[p], 0, 0)


@rule
def choose_agenda(game, decide, p):
    """R-AGD-2: no research with all ports full; A-8: an empty queue may be submitted (option)."""
    table = game.table
    agenda = answer(game, decide, p, Q_AGENDA, 0, RESEARCH, SWITCH)
    if agenda == RESEARCH and table.queue_n[p] >= table.rules.ports:
        fault(game, p, Q_AGENDA, 0, float(agenda))
    if agenda == SUBMIT and table.queue_n[p] == 0 and not table.rules.empty_submission:
        fault(game, p, Q_AGENDA, 0, float(agenda))
    return agenda


@rule
def pass_badge(game):
    """R-BDG-1 to R-BDG-3: the badge passes left, discards are shuffled in, the claimed count is announced."""
    table = game.table
    step = 2 if clockwise(table, 1) == table.alien else 1  # a revealed alien is skipped
    table.president = clockwise(table, step)
    shuffle_discards_in(game)
    note(game, V_BADGE, table.president, BADGE_ROUND, table.claimed, 0, 0)
    renew_events(game)


def play_games(
    games: Any,
    decide: Any,
    params: Any,
    line_ups: Any,
    luck: Any,
    seed: int,
    alien_card: int,
    president: int,
    rows: Any,
    acts: Any,
) -> int:
    """Play one game a row in the (reused) state `games[0]`; returns how many acts there are.

    Parameters
    ----------
    decide, params
        The pool: its strategies (`sim.calling.Functions`), and a row of parameters for each.
    line_ups
        For each game, which strategy of the pool plays each seat.
    luck
        For each game the indices its luck is drawn from, one for each stream and one for the first president;
        usually all are the same. Games with the same ones meet the same luck.
    acts
        Claims and events of all games go here, as far as there is room.
    """
    game = games[0]
    n = 0
    for k in range(len(rows)):
        game.number = k
        seat_strategies(game, params, line_ups[k])
        play_game(game, decide, seed, luck[k], alien_card, president, rows[k])
        if len(acts) > 0:
            n = copy_acts(game, k, acts, n)
    return n


@rule
def seat_strategies(game, params, line_up):
    """Who plays where, and with which parameters."""
    for p in range(MAX_PLAYERS):
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
        types.Array(types.int64, 2, "C"),
        types.uint64,
        types.int64,
        types.int64,
        types.Array(numba.from_dtype(GAME_ROW), 1, "C"),
        types.Array(types.int32, 2, "C"),
    )
    return entry(play_games, signature)


def fix_signatures(strategies: Any) -> None:
    """The functions called from many places, each compiled for one signature only."""
    number, seat = types.int64, (GAME_TYPE, strategies)
    fix_signature(note, (GAME_TYPE, *[number] * 6))
    fix_signature(fault, (GAME_TYPE, *[number] * 3, types.float64))
    fix_signature(rating, (*seat, *[number] * 3))
    fix_signature(choose, (*seat, *[number] * 3))
    fix_signature(choose_or_none, (*seat, *[number] * 3))
    fix_signature(answer, (*seat, *[number] * 5))
    fix_signature(track_value, (TABLE_TYPE, number, number))
    fix_signature(lay_out, (GAME_TYPE, *[number] * 3))
    fix_signature(study, (GAME_TYPE, *[number] * 3))
    fix_signature(scoop, (GAME_TYPE, *[number] * 4))
    fix_signature(upgrade_ability, (*seat, *[number] * 4))
    fix_signature(gain_project, (*seat, *[number] * 3))
    fix_signature(pick_project, (*seat, *[number] * 2))
