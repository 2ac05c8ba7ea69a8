"""Which luck a game meets: usually that of its block; single kinds of it may be another block's (`reroll`)."""

from __future__ import annotations

from collections.abc import Sequence

from sim.line_ups import LINE_UP

#: in the order of the streams (`state.py`); then who sits where
STREAM_NAMES = ("deal", "people", "deck", "bags", "talks", "air", "ground", "strategies", LINE_UP)


def rerolled_set(rerolled: Sequence[str]) -> int:
    """The streams that are another block's, as a set."""
    return sum(1 << k for k, name in enumerate(STREAM_NAMES[:-1]) if name in rerolled)
