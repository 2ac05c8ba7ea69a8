"""The Alliance: the order of play, and what is put to the vote, ties to the first player (R-TE-RES, R-TE-DIP)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.asking import answer, choose, choose_or_none
from sim.games.target_earth.log import V_VOTE, note
from sim.games.target_earth.state import NONE


@rule
def in_order(table, i):
    """The seat that is i-th from the first player on, clockwise."""
    return int(table.order[(table.place[table.first] + i) % table.bases])


@rule
def voters(table):
    """How many are asked, from the first player on."""
    return int(table.bases) if table.rules.alliance_votes else 1


@rule
def count_votes(game):
    """The choice with the most votes; of equals, the one named first in player order."""
    table = game.table
    n = voters(table)
    best, most = NONE, 0
    for i in range(n):
        choice = int(game.votes[in_order(table, i)])
        votes = 0
        for k in range(n):
            votes += game.votes[in_order(table, k)] == choice
        if votes > most:
            best, most = choice, votes
    return best


@rule
def vote_or_none(game, decide, question, legal):
    """The option of the set `legal` that the Alliance wants, or NONE."""
    if legal == 0:
        return NONE
    for i in range(voters(game.table)):
        p = in_order(game.table, i)
        game.votes[p] = choose_or_none(game, decide, p, question, legal)
        note(game, V_VOTE, p, question, game.votes[p], 0, 0)
    return count_votes(game)


@rule
def vote_one(game, decide, question, legal):
    """The option of the set `legal` that the Alliance wants; one it is."""
    if legal & (legal - 1) == 0:
        return choose(game, decide, in_order(game.table, 0), question, legal)
    for i in range(voters(game.table)):
        p = in_order(game.table, i)
        game.votes[p] = choose(game, decide, p, question, legal)
        note(game, V_VOTE, p, question, game.votes[p], 0, 0)
    return count_votes(game)


@rule
def vote_yes(game, decide, question, option):
    """Whether the Alliance wants it."""
    for i in range(voters(game.table)):
        p = in_order(game.table, i)
        game.votes[p] = answer(game, decide, p, question, option, 0, 1)
        note(game, V_VOTE, p, question, game.votes[p], option, 0)
    return count_votes(game) == 1
