"""Who plays which seat in which game of a cell: given, rotated, or drawn from a pool.

Everything here depends on the seed and the game's index alone, as the game itself does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

SEATS, ROTATED, POOL = "seats", "rotated", "pool"
#: word -> what it means
LINE_UPS = {
    SEATS: "each strategy keeps its seat; one strategy plays all seats",
    ROTATED: "a block of games with the same luck, the line-up moved on by one seat from game to game",
    POOL: "each seat of each game draws its strategy from the pool, with repetition",
}

LINE_UP = "line-up"  # the kind of luck that says who sits where: `reroll line-up`, `reroll line-up-2`
ELSEWHERE = 1 << 61  # the other block of a block: one that no run ever plays

Numbers = np.ndarray[Any, np.dtype[np.int64]]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = (np.uint64(n) for n in (27, 30, 31, 32))
_DRAWN = np.uint64(0x6C696E652D757073)  # 'line-ups' in ASCII: apart from every stream of a game


def line_ups(way: str, size: int, players: int, seed: int, first: int, count: int) -> tuple[Numbers, Numbers]:
    """For games `first` to `first + count - 1`: the places in the list of strategies by seat, and the block.

    Parameters
    ----------
    way
        A key of `LINE_UPS`.
    size, players
        How many strategies there are, and how many seats. With `seats` and `rotated` they are the same.
    seed
        Of the run; only `pool` draws anything.

    Example
    -------
    >>> places, block = line_ups("rotated", 3, 3, seed=1, first=0, count=4)
    >>> places.tolist(), block.tolist()
    ([[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]], [0, 0, 0, 1])
    """
    index = np.arange(first, first + count, dtype=np.int64)
    seats = np.arange(players, dtype=np.int64)
    if way == ROTATED:
        return (seats[None, :] + index[:, None]) % players, index // players
    if way == POOL:
        return _drawn(seed, index, players, size), index
    return np.tile(seats, (count, 1)), index


def _drawn(seed: int, index: Numbers, players: int, size: int) -> Numbers:
    """A place from 0 to size - 1 for each game and seat; of 2**32 draws, at most size are too many for one place."""
    with np.errstate(over="ignore"):  # 64-bit numbers wrap around on purpose
        state = _mix(np.full(len(index), seed, np.uint64) + _DRAWN)
        state = _mix(state ^ (index.astype(np.uint64) * _MIX_1 + _GOLDEN))
        steps = np.arange(1, players + 1, dtype=np.uint64) * _GOLDEN
        draws = _mix(state[:, None] + steps[None, :])
    places: Numbers = (((draws >> _S32) * np.uint64(size)) >> _S32).astype(np.int64)
    return places


def _mix(z: Any) -> Any:
    """Scramble 64 bits, a whole array at once (as `sim.random.mix` does one by one)."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


def whole_blocks(way: str, players: int, games: int) -> int:
    """How many games are played: `rotated` fills its last block."""
    return -(-games // players) * players if way == ROTATED else games


def seats_of(
    way: str, size: int, players: int, seed: int, first: int, count: int, rerolled: Sequence[str]
) -> tuple[Numbers, Numbers]:
    """As `line_ups`, with single seats or all drawn from the other block (`reroll line-up`)."""
    places, block = line_ups(way, size, players, seed, first, count)
    chosen = [name.rpartition("-")[2] for name in rerolled if name.startswith(LINE_UP)]
    if way == POOL and chosen:
        other = line_ups(way, size, players, seed, first + ELSEWHERE, count)[0]
        for seat in range(players):
            if "up" in chosen or str(seat + 1) in chosen:
                places[:, seat] = other[:, seat]
    return places, block
