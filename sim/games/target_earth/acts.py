"""What happened to countries, cards and UFOs, kept for the records: rows of (turn, act, card, seat, target)."""

from __future__ import annotations

from sim.compile import rule
from sim.games.target_earth.state import MAX_ACTS

ACT_NAMES = ("card", "joined", "left", "fell", "freed", "shot down", "beaten", "succeeded", "raid")
(ACT_CARD, ACT_JOINED, ACT_LEFT, ACT_FELL, ACT_FREED, ACT_SHOT_DOWN, ACT_BEATEN, ACT_SUCCEEDED,
 ACT_RAID) = range(9)  # fmt: skip
ACT_COLUMNS = 6  # in the array that a batch of games fills: the game's number comes first


@rule
def act(game, what, card, seat, target):
    """Keep one, as long as there is room."""
    n = int(game.acts_n)
    if n < MAX_ACTS:
        row = game.acts[n]
        row[0] = game.table.turn
        row[1] = what
        row[2] = card
        row[3] = seat
        row[4] = target
        game.acts_n = n + 1


@rule
def copy_acts(game, number, acts, n):
    """Append a game's acts to those of the batch, as far as there is room; how many there are now."""
    for k in range(game.acts_n):
        if n < len(acts):
            row = acts[n]
            row[0] = number
            for c in range(5):
                row[c + 1] = game.acts[k][c]
        n += 1
    return n
