"""Which luck a game meets: usually that of its block; single kinds of it may be another block's (`reroll`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.games.eti.streams import LUCKS
from sim.line_ups import ELSEWHERE, LINE_UP, seats_of

__all__ = ["ELSEWHERE", "STREAM_NAMES", "luck_of", "seats_of"]

#: in the order of the streams; then the first president, and who sits where
STREAM_NAMES = ("roles", "research", "projects", "events", "attack", "strategies", "president", LINE_UP)


def luck_of(block: Any, rerolled: Sequence[str]) -> Any:
    """For each game a row of indices: one for each stream, and one for the first president."""
    luck = np.tile(np.asarray(block, np.int64)[:, None], (1, LUCKS))
    for name in rerolled:
        place = STREAM_NAMES.index(name) if name in STREAM_NAMES else LUCKS
        if place < LUCKS:
            luck[:, place] = block + ELSEWHERE
    return luck
