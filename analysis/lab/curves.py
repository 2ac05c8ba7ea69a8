"""Curves: the figures of arms along a range of values. How much a step does, where it bends, where it has a figure.

Everything is a weighted sum of the arms' figures (`Estimates.contrast`), so that luck that the arms share drops out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from analysis.blocks import NOTHING, Contrast, Estimates, quantile
from analysis.comparisons import LEVEL, holm, trend_weights


@dataclass(frozen=True)
class Bend:
    """A curve as two straight lines that meet at a value: what a step does before it and after it."""

    at: float
    before: Contrast
    after: Contrast
    change: Contrast
    p_holm: float  # of the change, corrected for all values at which it may bend


@dataclass(frozen=True)
class Trend:
    """What one step does on average (the least-squares line), and where the curve bends most."""

    step: float
    slope: Contrast
    bend: Bend | None

    @property
    def bends(self) -> bool:
        """Whether a single straight line is not enough."""
        return self.bend is not None and self.bend.p_holm < LEVEL


def _over(places: Sequence[Sequence[int]], weights: Any, size: int) -> Any:
    """Weights of the values of an axis as weights of all arms; each value's arms count the same."""
    spread = np.zeros(size)
    for mine, weight in zip(places, weights, strict=True):
        spread[list(mine)] += weight / len(mine)
    return spread


def trend(found: Estimates, places: Sequence[Sequence[int]], x: Sequence[float]) -> Trend:
    """The slope of a curve, per step, and its strongest bend.

    `places` has the arms of each value: one, or in a grid those with the same value of this axis.
    """
    step = (x[-1] - x[0]) / (len(x) - 1)
    slope = found.contrast(_over(places, np.array(trend_weights(x)) * step, len(found)))
    return Trend(step, slope, _bend(found, places, np.asarray(x, float), step))


def _bend(found: Estimates, places: Sequence[Sequence[int]], x: Any, step: float) -> Bend | None:
    """Two lines that meet at one of the inner values: the best fit of all."""
    if len(x) < 3:
        return None
    values = np.array([found.value[list(mine)].mean() for mine in places])
    fits = []
    for at in x[1:-1]:
        design = np.column_stack([np.ones(len(x)), np.minimum(x - at, 0), np.maximum(x - at, 0)])
        rows = np.linalg.pinv(design)
        left = float(np.sum((values - design @ (rows @ values)) ** 2))
        before, after = (_over(places, rows[k] * step, len(found)) for k in (1, 2))
        fits.append((left, at, before, after, found.contrast(after - before)))
    corrected = holm([fit[4].p for fit in fits])
    best = min(range(len(fits)), key=lambda k: (round(fits[k][0], 15), k))
    _, at, before, after, change = fits[best]
    return Bend(
        float(at), found.contrast(before), found.contrast(after), change, float(corrected[best] or 0.0)
    )


def interaction(found: Estimates, places: Any, x: Sequence[float], y: Sequence[float]) -> Contrast:
    """How much more a step of x does, for each step of y. `places[i][j]` is the arm of x[i] and y[j]."""
    steps = [(axis[-1] - axis[0]) / (len(axis) - 1) for axis in (x, y)]
    weights = np.zeros(len(found))
    slopes = np.outer(trend_weights(x), trend_weights(y)) * steps[0] * steps[1]
    np.add.at(weights, np.asarray(places), slopes)
    return found.contrast(weights)


@dataclass(frozen=True)
class Stretch:
    """Values between which the curve may have a figure: the 95 % set, and where the estimate has it."""

    low: float
    high: float
    at: float | None  # None: the curve only comes near
    open_low: bool  # the range ends there, the stretch may not
    open_high: bool


def reached(found: Estimates, places: Sequence[int], x: Sequence[float], goal: float) -> list[Stretch]:
    """Where a curve of straight pieces between the values has a figure (Fieller's set, by blocks)."""
    far = quantile(int(found.blocks[list(places)].min())) ** 2
    parts: list[tuple[float, float]] = []
    crossings: list[float] = []
    for k in range(len(x) - 1):
        piece = _Piece(found, places[k], places[k + 1], goal)
        width = x[k + 1] - x[k]
        crossings += [x[k] + part * width for part in piece.zero()]
        for low, high in piece.near(far):
            low, high = x[k] + low * width, x[k] + high * width
            goes_on = parts and low - parts[-1][1] < NOTHING * width
            parts[-1:] = [(parts[-1][0], high)] if goes_on else [*parts[-1:], (low, high)]
    return [
        Stretch(low, high, next((at for at in crossings if low - NOTHING <= at <= high + NOTHING), None),
                low <= x[0], high >= x[-1])
        for low, high in parts
    ]  # fmt: skip


class _Piece:
    """A straight piece between two values, from 0 to 1, less the goal."""

    def __init__(self, found: Estimates, one: int, other: int, goal: float) -> None:
        self.start, self.end = float(found.value[one]) - goal, float(found.value[other]) - goal
        c = found.covariance
        self.variance = float(c[one, one]), float(c[one, other]), float(c[other, other])

    def zero(self) -> list[float]:
        """Where it has the goal."""
        if self.start == self.end or self.start * self.end > 0:
            return []
        return [self.start / (self.start - self.end)]

    def near(self, far: float) -> Iterator[tuple[float, float]]:
        """Where value² <= far × variance: both are parabolas along the piece."""
        a, b, c = self.variance
        rise = self.end - self.start
        square = rise**2 - far * (a - 2 * b + c)
        linear = 2 * self.start * rise - far * 2 * (b - a)
        constant = self.start**2 - far * a
        roots = np.roots([square, linear, constant])
        cuts = [0.0, *sorted(float(r.real) for r in roots if abs(r.imag) < NOTHING and 0 < r.real < 1), 1.0]
        for low, high in pairwise(cuts):
            middle = (low + high) / 2
            if square * middle**2 + linear * middle + constant <= NOTHING**2:
                yield low, high
        if not a + c + abs(b):  # no luck at all: a point
            yield from ((at, at) for at in self.zero())
