"""Intervals for rates."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959963984540054  # the 97.5 % point of the normal distribution


def wilson(wins: float, n: float, z: float = Z_95) -> tuple[float, float]:
    """Wilson's interval for a rate; (0, 1) when there is no game to judge by.

    Parameters
    ----------
    wins, n
        How often it happened, out of how many. For rows that hang together, `n` is the number of independent
        rows that would tell as much (`analysis.blocks` works it out).
    z
        Normal quantile; the default gives 95 %.

    Example
    -------
    >>> low, high = wilson(50, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    if n == 0:
        return 0.0, 1.0
    rate = wins / n
    centre = rate + z * z / (2 * n)
    half = z * sqrt(max(0.0, rate * (1 - rate)) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)
