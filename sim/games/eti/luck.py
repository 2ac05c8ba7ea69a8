"""Which luck a game meets: usually that of its block; single kinds of it may be another block's (`reroll`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.line_ups import POOL, line_ups
from sim.random import LUCKS

#: in the order of the streams; then the first president, and who sits where
STREAM_NAMES = ("roles", "research", "projects", "events", "attack", "strategies", "president", "line-up")
ELSEWHERE = 1 << 61  # the other block of a block: one that no run ever plays


def luck_of(block: Any, rerolled: Sequence[str]) -> Any:
    """For each game a row of indices: one for each stream, and one for the first president."""
    luck = np.tile(np.asarray(block, np.int64)[:, None], (1, LUCKS))
    for name in rerolled:
        place = STREAM_NAMES.index(name) if name in STREAM_NAMES else LUCKS
        if place < LUCKS:
            luck[:, place] = block + ELSEWHERE
    return luck


def seats_of(
    way: str, size: int, players: int, seed: int, first: int, count: int, rerolled: Sequence[str]
) -> tuple[Any, Any]:
    """Who sits where, and the block: as `sim.line_ups`, with single seats or all drawn from the other block."""
    places, block = line_ups(way, size, players, seed, first, count)
    chosen = [name.rpartition("-")[2] for name in rerolled if name.startswith("line-up")]
    if way == POOL and chosen:
        other = line_ups(way, size, players, seed, first + ELSEWHERE, count)[0]
        for seat in range(players):
            if "up" in chosen or str(seat + 1) in chosen:
                places[:, seat] = other[:, seat]
    return places, block
