"""Simulated blocks: a win more, a win less, or mostly no difference; thousands of repetitions at once, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from analysis.sequential import Sprt, Tally, _variance, look_totals

REPETITIONS = 4000
POINTS = Sprt(0.0, 0.03)  # three points of win rate
LOOKS = {"every 50": list(range(50, 60_001, 50)), "growing": look_totals(500, 60_000)}


def chances(differing: float, mean: float) -> list[float]:
    """How often a block is a win less, the same, a win more."""
    return [(differing - mean) / 2, 1 - differing, (differing + mean) / 2]


def tally(less: int, same: int, more: int) -> Tally:
    return Tally(less + same + more, more - less, more + less, more, same, less)


@dataclass
class Ended:
    """How thousands of tests ended."""

    decision: Any  # 1: H1, -1: H0, 0: open
    blocks: Any
    mean: Any
    variance: Any

    def share(self, decision: int) -> float:
        return float((self.decision == decision).mean())


def ended(test: Sprt, differing: float, mean: float, totals: list[int], seed: int = 1) -> Ended:
    """Tests on blocks of that kind, with a look at each of `totals`."""
    luck = np.random.default_rng(seed)
    wins, losses = np.zeros((2, REPETITIONS), np.int64)
    end = Ended(*np.zeros((4, REPETITIONS)))
    for before, blocks in zip([0, *totals], totals, strict=False):
        less, _, more = luck.multinomial(blocks - before, chances(differing, mean), REPETITIONS).T
        wins, losses = wins + more, losses + less
        variance = _variance(blocks, wins - losses, wins + losses, 1)
        llr = test.llr((wins - losses) / blocks, variance, blocks)
        side = np.where(llr >= test.upper, 1, np.where(llr <= test.lower, -1, 0)) * (blocks >= test.least)
        here = (end.decision == 0) & ((side != 0) | (blocks == totals[-1]))
        for column, values in (
            (end.blocks, blocks),
            (end.mean, (wins - losses) / blocks),
            (end.variance, variance),
        ):
            column[here] = np.broadcast_to(values, REPETITIONS)[here]
        end.decision[here] = side[here]
        if (end.decision != 0).all():
            break
    return end


def at_most(rate: float, repetitions: int = REPETITIONS) -> float:
    """A share that a rate of at most this hardly ever goes beyond."""
    return rate + 3 * sqrt(rate * (1 - rate) / repetitions)
