"""Step 4: diplomacy of both sides (R-TE-DIP, R-TE-OPT-2), and the attempts that cards and victories allow."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.alliance import in_order, vote_or_none
from sim.games.target_earth.asking import Q_AGENT, Q_COURT, Q_DIPLOMAT, Q_REBELLION, answer, choose_or_none
from sim.games.target_earth.countries import change_status, talks_bonus, two_dice
from sim.games.target_earth.hands import may_play, play_card
from sim.games.target_earth.log import (
    BY_ALIENS,
    BY_COURT,
    BY_DIPLOMAT,
    BY_DIPLOMAT_REBELLION,
    BY_REBELLION,
    FOR_CARD,
    FOR_FACTION,
    V_AGENT,
    V_ALIEN_TARGET,
    V_ATTEMPT,
    note,
    note_dice,
    note_item,
)
from sim.games.target_earth.points import give_personal
from sim.games.target_earth.state import (
    ADVANCED,
    ALIEN,
    ALIENS,
    ALLIANCE,
    ALLIED,
    DIPLOMAT,
    FIRST_BASE,
    NEUTRAL,
    NONE,
    OFFICER,
    REBELLION,
    TALKS,
)
from sim.games.target_earth.ufos import draw_objective, objective_bag


@rule
def diplomacy_step(game, decide):
    """R-TE-DIP: the Alliance's attempt; then rebellions and the diplomat's tokens (A-TE-7); then the aliens'."""
    court(game, decide)
    for i in range(game.table.bases):
        p = in_order(game.table, i)
        rebel(game, decide, p)
        send_diplomat(game, decide, p)
    if game.table.rules.alien_diplomacy:
        alien_attempt(game, decide)


@rule
def court(game, decide):
    """R-TE-DIP: one attempt on a neutral country. R-TE-ADV-1: there the first player alone picks it."""
    table = game.table
    legal = table.neutral & ~table.changed
    if table.variant == ADVANCED:
        country = choose_or_none(game, decide, int(table.first), Q_COURT, legal)
    else:
        country = vote_or_none(game, decide, Q_COURT, legal)
    if country != NONE:
        attempt(game, decide, country, BY_COURT, NONE, 0, ALLIANCE, ALLIED)


@rule
def rebel(game, decide, p):
    """R-TE-CARD-2: an alien country turns neutral. R-TE-DIP-2: it has changed, and is courted no more this turn."""
    table = game.table
    while may_play(game, p, REBELLION) > 0:
        country = choose_or_none(game, decide, p, Q_REBELLION, table.aliens & ~table.changed)
        if country == NONE:
            return
        play_card(game, p, REBELLION, country)
        if attempt(game, decide, country, BY_REBELLION, p, 0, ALLIANCE, NEUTRAL):
            give_personal(game, p, int(table.rules.points_rebellion_card), FOR_CARD)


@rule
def send_diplomat(game, decide, p):
    """R-TE-ADV-2: a token for an attempt more, or for a rebellion; two points if it succeeds."""
    table = game.table
    if table.faction[p] != DIPLOMAT or table.tokens[p] == 0 or table.token_used[p]:
        return
    legal = (table.neutral | table.aliens) & ~table.changed
    country = choose_or_none(game, decide, p, Q_DIPLOMAT, legal)
    if country == NONE:
        return
    table.tokens[p] -= 1
    table.token_used[p] = 1
    if table.status[country] == ALIEN:
        done = attempt(game, decide, country, BY_DIPLOMAT_REBELLION, p, 0, ALLIANCE, NEUTRAL)
    else:
        done = attempt(game, decide, country, BY_DIPLOMAT, p, 0, ALLIANCE, ALLIED)
    if done:
        give_personal(game, p, int(table.rules.points_diplomat), FOR_FACTION)


@rule
def alien_attempt(game, decide):
    """R-TE-OPT-2: an objective is drawn; only a neutral country is attempted (A-TE-13: one that has not changed)."""
    table = game.table
    tile = draw_objective(game, objective_bag(table))
    target = tile != NONE and tile < FIRST_BASE and table.status[tile] == NEUTRAL
    target = target and not (table.changed >> tile) & 1
    note(game, V_ALIEN_TARGET, NONE, tile, target, 0, 0)
    if target:
        attempt(game, decide, tile, BY_ALIENS, NONE, 0, ALIENS, ALIEN)


@rule
def attempt(game, decide, country, why, p, extra, side, status):
    """R-TE-DIP: two dice and the bonus against the country's D; whether the country went over."""
    table = game.table
    agent = ask_agent(game, decide, country, side)
    bonus = talks_bonus(table, table.allied_n if side == ALLIANCE else table.aliens_n)
    total = two_dice(game, TALKS) + bonus + extra + agent
    success = total >= table.cards.diplomacy[country]
    note(game, V_ATTEMPT, p, country, why, bonus, extra)
    note_item(game, NONE, agent, table.cards.diplomacy[country], success, 0)
    note_dice(game, NONE, 0, 2, 0)
    if side == ALLIANCE:
        game.secret.counts.attempts += 1
        game.secret.counts.attempts_won += success
    if success:
        change_status(game, country, status, p)
    if agent != 0 and (agent > 0) == success:
        give_personal(game, officer(table), int(table.rules.points_agent), FOR_FACTION)
    return success


@rule
def officer(table):
    """The officer's seat, or NONE."""
    for p in range(table.bases):
        if table.faction[p] == OFFICER:
            return p
    return NONE


@rule
def ask_agent(game, decide, country, side):
    """R-TE-ADV-2: one agent a turn, declared before the roll (A-TE-5), helps or hinders any side's attempt."""
    table = game.table
    p = officer(table)
    if p == NONE or table.tokens[p] == 0 or table.token_used[p]:
        return 0
    game.seats[p].asked = side
    agent = answer(game, decide, p, Q_AGENT, country, -1, 1)
    if agent != 0:
        table.tokens[p] -= 1
        table.token_used[p] = 1
        note(game, V_AGENT, p, agent, table.tokens[p], 0, 0)
    return agent
