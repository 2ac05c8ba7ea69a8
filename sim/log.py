"""What an engine notes while it plays, if anybody wants to read it: rows of (verb, actor, four numbers).

A game's `trace.py` turns the rows into JSON lines. In batch runs nothing is written.
"""

from __future__ import annotations

from typing import Any

from sim.compile import rule


def log_functions(rows: int) -> tuple[Any, Any]:
    """`note` and `write`, made anew for a game with so many rows a page: compiled for its records only."""

    @rule
    def note(game, verb, actor, a, b, c, d):
        """Write one row, if this game is traced."""
        if game.tracing:
            write(game, verb, actor, a, b, c, d)

    @rule
    def write(game, verb, actor, a, b, c, d):
        """Write one row. Apart from `note`, which is so short that the compiler puts it in place everywhere."""
        row = game.log_n - game.log_from
        game.log_n += 1
        if 0 <= row < rows:
            line = game.log[row]
            line[0] = verb
            line[1] = actor
            line[2] = a
            line[3] = b
            line[4] = c
            line[5] = d

    return note, write
