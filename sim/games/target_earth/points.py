"""Personal points of the advanced game (R-TE-ADV-2 to R-TE-ADV-5)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.log import (
    FOR_BATTLE,
    FOR_CARD,
    FOR_FACTION,
    V_PERSONAL,
    V_PERSONAL_END,
    V_WINNER,
    note,
)
from sim.games.target_earth.state import (
    ADVANCED,
    AIR_GENERAL,
    ALLIANCE,
    ALLIED,
    ARMY_GENERAL,
    CARD_KINDS,
    NEUTRAL,
    NONE,
    OFFICER,
)


@rule
def give_personal(game, p, points, why):
    """Points for a seat, known to itself alone."""
    if game.table.variant != ADVANCED or points == 0:
        return
    tally = game.secret.tally[p]
    game.seats[p].points += points
    if why == FOR_BATTLE:
        tally.points_battles += points
    elif why == FOR_FACTION:
        tally.points_faction += points
    else:
        tally.points_cards += points
    note(game, V_PERSONAL, p, points, why, game.seats[p].points, 0)


@rule
def reward_fighters(game, general):
    """R-TE-ADV-3: 2 points alone, 1 each together (A-TE-11), none after a retreat; and the general's own point."""
    table = game.table
    took_part, left = int(table.battle.took_part), int(table.battle.left)
    alone = took_part & (took_part - 1) == 0
    for i in range(table.bases):
        p = int(table.order[i])
        if (took_part >> p) & 1 and not (left >> p) & 1:
            tally = game.secret.tally[p]
            tally.victories += 1
            give_personal(
                game, p, int(table.rules.points_alone if alone else table.rules.points_together), FOR_BATTLE
            )
            if table.faction[p] == general and tally.faction_turn != table.turn:
                tally.faction_turn = int(table.turn)
                give_personal(game, p, int(table.rules.points_general), FOR_FACTION)


@rule
def objective_points(table, objective):
    """R-TE-ADV-4."""
    cards = table.cards
    points = int(cards.by_count[objective][table.allied_n])
    for country in range(cards.countries):
        if table.status[country] == ALLIED:
            points += int(cards.if_allied[objective][country])
        elif table.status[country] == NEUTRAL:
            points += int(cards.if_neutral[objective][country])
        else:
            points += int(cards.if_alien[objective][country])
    return points


@rule
def unused_points(game, p):
    """R-TE-ADV-3: a point for each type of starred card in hand; the officer's count double."""
    table = game.table
    types = 0
    for kind in range(CARD_KINDS):
        types += game.seats[p].hand[kind] > 0 and table.cards.starred[kind] > 0
    points = types * int(table.rules.points_starred)
    return points * int(table.rules.officer_factor) if table.faction[p] == OFFICER else points


@rule
def count_personal(game):
    """R-TE-ADV-5: all add up their points; if the Alliance won, most win, ties to the higher initiative."""
    table = game.table
    best, most = NONE, -1
    for i in range(table.bases):
        p = int(table.order[i])
        tally = game.secret.tally[p]
        tally.points_objective = objective_points(table, game.seats[p].objective)
        tally.points_unused = unused_points(game, p)
        game.seats[p].points += tally.points_objective + tally.points_unused
        total = int(game.seats[p].points)
        note(
            game,
            V_PERSONAL_END,
            p,
            game.seats[p].objective,
            tally.points_objective,
            tally.points_unused,
            total,
        )
        if total >= most:  # in the order of initiative: a later one beats an equal one
            best, most = p, total
    if game.secret.winner == ALLIANCE:
        note(game, V_WINNER, best, most, 0, 0, 0)
        return best
    note(game, V_WINNER, NONE, most, 0, 0, 0)
    return NONE


__all__ = ["AIR_GENERAL", "ARMY_GENERAL", "FOR_CARD"]
