"""Many comparisons at once, and effects in words."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import (
    BIG,
    DIGITS,
    Contrast,
    Estimates,
    contrast_of,
    contrast_row,
    estimate,
    over_mean,
    quantile,
)
from analysis.intervals import wilson

TINY = 1e-15  # of a variance: none
LEVEL = 0.05  # the chance of any false finding in a table, if nothing were going on


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's correction: p-values that may be compared with 5 % although there are many of them.

    Example
    -------
    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p))
        corrected[place] = highest
    return corrected


def with_holm(table: pl.DataFrame) -> pl.DataFrame:
    """A table with p-values in `p`, and those corrected for all its rows in `p_holm`."""
    return table.with_columns(pl.Series("p_holm", holm(table["p"].to_list()), pl.Float64))


def against(rows: pl.LazyFrame, by: Sequence[str], value: str, expected: pl.Expr) -> pl.DataFrame:
    """The rate of each group, and how far it is from a known figure, like the fair share of its rows.

    Columns: those of `by`; rate, low, high, n, blocks, method, note; expected; difference, difference_low,
    difference_high, by blocks; p, and p_holm: corrected for all rows of the table.
    """
    rows = rows.with_columns(expected=expected)
    rates, usual = estimate(rows, by, value), estimate(rows, by, "expected", is_rate=False)
    over = estimate(rows, by, pl.col(value).cast(pl.Float64) - pl.col("expected"), is_rate=False)
    found = [_score(rates, over, place, float(usual.value[place])) for place in range(len(rates))]
    return _beside(rates, usual.value, found)


def _score(rates: Estimates, over: Estimates, place: int, expected: float) -> Contrast:
    """A rate against a known figure: Wilson's interval and the score test, also right for rare things."""
    rate, blocks = float(rates.value[place]), int(rates.blocks[place])
    variance, spread = float(over.covariance[place, place]), rate * (1 - rate)
    if rates.is_plain[place] or not (variance > TINY and spread > 0):
        independent = float(rates.n[place] if rates.is_plain[place] else blocks)
    else:
        independent = spread / variance
    low, high = wilson(rate * independent, independent, quantile(BIG if rates.is_plain[place] else blocks))
    error = sqrt(max(1e-300, expected * (1 - expected)) / independent)
    p = contrast_of(rate - expected, error, blocks).p
    if variance < TINY:  # the group is everybody: its share cannot be another
        low, high, p = (rate, rate, 1.0) if abs(rate - expected) < TINY else (low, high, p)
    return Contrast(rate - expected, low - expected, high - expected, p, error, blocks)


def against_mean(rows: pl.LazyFrame, by: Sequence[str], value: str, within: Sequence[str]) -> pl.DataFrame:
    """The rate of each group, and how far it is from that of all rows of the same `within`, the cell for one.

    Columns as in `against`; `expected` is what all rows of its cells have on average.
    """
    number = pl.col(value).cast(pl.Float64)
    sums = rows.group_by("block", *dict.fromkeys([*within, *by])).agg(
        w=number.sum().round(DIGITS), n=pl.len()
    )
    over, expected = over_mean(sums.collect(engine="streaming"), by, within)
    rates, places = estimate(rows, by, value), np.arange(len(over))
    # what never or always happened does not vary between blocks, but is not known to the last digit for that
    least = np.where((rates.value <= 0) | (rates.value >= 1), np.diag(rates.covariance), 0.0)
    over.covariance[places, places] = np.maximum(over.covariance[places, places], least)
    return _beside(rates, expected, [over.contrast(places == place) for place in places])


def _beside(rates: Estimates, expected: Any, found: list[Contrast]) -> pl.DataFrame:
    """Rates, and differences beside them."""
    beside = []
    for usual, contrast in zip(expected, found, strict=True):
        row = contrast_row(contrast)
        beside.append((float(usual), row["difference"], row["low"], row["high"], row["p"]))
    names = ("expected", "difference", "difference_low", "difference_high", "p")
    more = pl.DataFrame(beside, dict.fromkeys(names, pl.Float64), orient="row")
    return with_holm(pl.concat([rates.table(), more], how="horizontal"))


def points(value: float, digits: int = 1) -> str:
    """A difference of rates in percentage points: 0.021 is '2.1 points'."""
    number = f"{abs(value) * 100:.{digits}f}"
    return f"{number} point{'' if float(number) == 1 else 's'}"


def more_often(value: float, low: float, high: float) -> str:
    """A difference of win rates in words, with its interval.

    Example
    -------
    >>> more_often(-0.021, -0.030, -0.012)
    '2.1 points less often (95 %: 1.2 to 3.0)'
    """
    if not (low > 0 or high < 0):
        return f"about as often ({signed(value)}, 95 %: {signed(low)} to {signed(high)})"
    ends = sorted((abs(low), abs(high)))
    word = "more" if value > 0 else "less"
    return f"{points(value)} {word} often (95 %: {ends[0] * 100:.1f} to {ends[1] * 100:.1f})"


def signed(value: float) -> str:
    """Percentage points with their sign: '+0.4', '−1.2'; never '−0.0'."""
    number = round(value * 100, 1) + 0.0
    return f"{number:+.1f}".replace("-", "−") if number else "0.0"


def size_word(contrast: Contrast) -> str:
    """How much a difference of win rates matters at the table.

    A difference of 2 points shows once in 50 games: nobody will notice. One of 10 shows within an evening or two.
    """
    size = abs(contrast.value)
    for limit, word in ((0.01, "negligible"), (0.03, "small"), (0.10, "noticeable")):
        if size < limit:
            return word
    return "large"


def trend_weights(x: Sequence[float]) -> list[float]:
    """Weights that turn figures at the places `x` into their least-squares slope."""
    centred = np.asarray(x, float) - np.mean(x)
    spread = float(centred @ centred)
    return [float(w) for w in centred / spread] if spread else [0.0] * len(centred)
