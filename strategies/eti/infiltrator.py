"""The patient one: a quiet, balanced company; as the alien it never reveals before it must.

Waiting gives the alien more projects, hence more mashes and tokens, and the humans more defence: this strategy
is there to measure what that is worth.
"""

from __future__ import annotations

params = {"push": 1.1, "generosity": 0.5, "loyalty": 1.0, "analysis": 0.8}


def reveal(table, seat):
    """Not before the rules force it."""
    return 0
