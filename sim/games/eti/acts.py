"""What is kept of a game besides its result: every claim and every event, for the analysis of single cards."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti.state import MAX_PLAYERS, THIRDS

#: kinds of act: a claim (detail: the vault), the alien's project at its reveal, an event carried out at once (seat:
#: whom it went to, NONE for several), one kept, one played from the hand (detail: the target)
ACT_CLAIM, ACT_REVEAL, ACT_EVENT, ACT_KEEP, ACT_PLAY = range(5)
ACT_NAMES = ("claim", "reveal", "event", "keep", "play")


@rule
def act(game, what, seat, card, detail):
    """Keep one act. There is room for all: two a round for events, one for each project."""
    entry = game.acts[game.acts_n]
    game.acts_n += 1
    entry[0] = game.table.round_no
    entry[1] = what
    entry[2] = seat
    entry[3] = card
    entry[4] = detail


@rule
def fill_leads(game, row):
    """By how many claimed projects each seat was ahead of the best other one, after each third of the game."""
    rounds = int(game.table.round_no)
    for third in range(THIRDS):
        for p in range(MAX_PLAYERS):
            game.choice[p] = 0
        for k in range(game.acts_n):
            entry = game.acts[k]
            if entry[1] <= ACT_REVEAL and entry[0] * THIRDS <= rounds * (third + 1):
                game.choice[entry[2]] += 1
        for p in range(game.table.players):
            best = 0
            for q in range(game.table.players):
                if q != p:
                    best = max(best, int(game.choice[q]))
            row.seat[p].lead[third] = game.choice[p] - best


@rule
def copy_acts(game, k, acts, n):
    """Append the game's acts, with its place in the chunk, as far as there is room; how many there are now."""
    for i in range(game.acts_n):
        if n < len(acts):
            acts[n][0] = k
            for column in range(5):
                acts[n][column + 1] = game.acts[i][column]
        n += 1
    return n
