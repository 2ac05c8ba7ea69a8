"""What is kept of a game besides its result: every claim and every event, for the analysis of single cards."""

from __future__ import annotations

from sim.compile import rule
from sim.games.eti.state import NONE

#: kinds of act: a claim (detail: the vault), the alien's project at its reveal, an event carried out at once (seat:
#: whom it went to, NONE for several), one kept, one played from the hand (detail: the target)
ACT_CLAIM, ACT_REVEAL, ACT_EVENT, ACT_KEEP, ACT_PLAY = range(5)
ACT_NAMES = ("claim", "reveal", "event", "keep", "play")
ACT_COLUMNS = 7


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
def copy_acts(game, k, acts, n):
    """Append the game's acts as far as there is room; how many there are now.

    Columns: the game's place in the chunk, round, kind, seat, card, detail, and for projects where they ended up.
    """
    for i in range(game.acts_n):
        if n < len(acts):
            entry = game.acts[i]
            acts[n][0] = k
            for column in range(5):
                acts[n][column + 1] = entry[column]
            acts[n][6] = game.table.place[entry[3]] if entry[1] <= ACT_REVEAL else NONE
        n += 1
    return n
