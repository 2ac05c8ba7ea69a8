"""Rates, means and their differences, when rows hang together.

The unit is the block: all rows with the same number in `block` had the same luck, whether they are seats of a
game, games of a rotation, or games of different cells. `estimate` adds up each group within each block, and lets
the blocks vary: the ratio estimator with the sandwich variance. It also keeps how the groups vary together, so
that a difference between two groups that met the same luck gets the narrower interval it deserves.

If no block holds two rows of a group, a rate has Wilson's interval on n rows, as usual. Otherwise Wilson's
interval is taken on the number of independent rows that would tell as much (the rows divided by the design effect).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse, stats

from analysis.intervals import wilson

DIGITS = 9  # of sums: beyond, halves and thirds add up to other digits in another order
FEW = 30  # blocks: with fewer, a table says so instead of showing a figure
CONFIDENCE = 0.95
NOTHING = 1e-12
RARE = 10  # wins: with more, variances speak for themselves
BIG = 10**9  # blocks: Student is normal there
TOO_FEW = "too few games"

WILSON = "Wilson"
WILSON_BLOCKS = "Wilson by blocks"
MEAN_BLOCKS = "mean by blocks"
PAIRED = "difference by blocks"


@dataclass(frozen=True)
class Contrast:
    """A difference, or any other weighted sum of groups, with its interval and p-value."""

    value: float
    low: float
    high: float
    p: float
    error: float  # standard error
    blocks: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out, with enough blocks to say so."""
        return self.blocks >= FEW and (self.low > 0 or self.high < 0)


def least_if_rare(rate: float, wins: float, blocks: int) -> float:
    """The least variance of a difference from a rate where wins are few, and vary too little: as if it were none."""
    return max(0.0, rate * (1 - rate)) / blocks if wins < RARE and blocks else 0.0


def contrast_of(value: float, error: float, blocks: int) -> Contrast:
    """A difference from its standard error: Student's interval and p-value."""
    if abs(value) < NOTHING and error < NOTHING:  # nothing but rounding
        return Contrast(0.0, 0.0, 0.0, 1.0, 0.0, blocks)
    half = quantile(blocks) * error
    p = float(2 * stats.t.sf(abs(value) / error, max(1, blocks - 1))) if error > 0 else float(value == 0)
    return Contrast(value, value - half, value + half, p, error, blocks)


class Estimates:
    """The rate or mean of each group, and how they vary together.

    `groups` has a row for each group; `value`, `n` and `blocks` are in the same order, `covariance` too.
    """

    def __init__(
        self,
        groups: pl.DataFrame,
        value: Any,
        n: Any,
        blocks: Any,
        covariance: Any,
        is_rate: bool,
        is_plain: Any,
    ) -> None:
        self.groups, self.value, self.n, self.blocks = groups, value, n, blocks
        self.covariance, self.is_rate, self.is_plain = covariance, is_rate, is_plain

    def __len__(self) -> int:
        return len(self.value)

    def find(self, **group: Any) -> int:
        """The place of a group: `find(role="alien")`."""
        here = self.groups.select(pl.all_horizontal(pl.col(name) == value for name, value in group.items()))
        places = np.flatnonzero(here.to_series().to_numpy())
        if len(places) != 1:
            raise KeyError(f"{len(places)} groups are {group}")
        return int(places[0])

    def interval(self, place: int) -> tuple[float, float]:
        """95 % interval of one group."""
        value, blocks = float(self.value[place]), int(self.blocks[place])
        variance = float(self.covariance[place, place])
        if not self.is_rate:
            half = quantile(blocks) * sqrt(variance)
            return value - half, value + half
        if self.is_plain[place]:
            return wilson(value * self.n[place], float(self.n[place]))
        spread = value * (1 - value)
        # without any variation nothing tells how far rows hang together: only the blocks count
        rows = spread / variance if variance > 0 and spread > 0 else float(blocks)
        return wilson(value * rows, rows, quantile(blocks))

    def method(self, place: int) -> str:
        """How the interval of a group was made."""
        if not self.is_rate:
            return MEAN_BLOCKS
        return WILSON if self.is_plain[place] else WILSON_BLOCKS

    def table(self, name: str = "rate") -> pl.DataFrame:
        """One row a group: its figure under `name`, low, high, n, blocks, method and a note.

        A group with fewer than 30 blocks has no figure, and the note says why.
        """
        rows = []
        for place in range(len(self)):
            few = self.blocks[place] < FEW
            low, high = (None, None) if few else self.interval(place)
            rows.append(
                (
                    None if few else float(self.value[place]), low, high, int(self.n[place]),
                    int(self.blocks[place]), self.method(place), TOO_FEW if few else "",
                )
            )  # fmt: skip
        schema = {
            name: pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64, "blocks": pl.Int64,
            "method": pl.String, "note": pl.String,
        }  # fmt: skip
        return pl.concat([self.groups, pl.DataFrame(rows, schema, orient="row")], how="horizontal")

    def contrast(self, weights: Sequence[float] | Any, from_value: float = 0.0) -> Contrast:
        """A weighted sum of the groups, less `from_value`; weights that add up to 0 make a comparison."""
        weights = np.asarray(weights, float)
        used = weights != 0
        blocks = int(self.blocks[used].min()) if used.any() else 0
        value = float(weights @ np.where(used, self.value, 0.0)) - from_value
        error = sqrt(max(0.0, float(weights @ self.covariance @ weights)))
        return contrast_of(value, error, blocks)

    def difference(self, one: int, other: int) -> Contrast:
        """How much more the first group has than the second."""
        weights = np.zeros(len(self))
        weights[one] += 1
        weights[other] -= 1
        return self.contrast(weights)

    def equal(self, places: Sequence[int] | None = None) -> tuple[float, int, float]:
        """Are these groups all the same? Wald's chi-square by blocks: statistic, degrees of freedom, p-value."""
        chosen = list(range(len(self))) if places is None else list(places)
        if len(chosen) < 2:
            return 0.0, 0, 1.0
        steps = np.zeros((len(chosen) - 1, len(self)))
        for row, place in enumerate(chosen[1:]):
            steps[row, place], steps[row, chosen[0]] = 1, -1
        distance = steps @ self.value
        spread = steps @ self.covariance @ steps.T
        statistic = float(distance @ np.linalg.pinv(spread, hermitian=True) @ distance)
        # groups that must add up (the seats of a table) vary in one direction less than there are groups
        freedom = int(np.linalg.matrix_rank(spread, hermitian=True))
        return statistic, freedom, _chi_square_p(statistic, freedom, int(self.blocks[chosen].min()))


def estimate(
    rows: pl.LazyFrame | pl.DataFrame,
    by: Sequence[str],
    value: str | pl.Expr,
    is_rate: bool = True,
    block: str = "block",
) -> Estimates:
    """The mean of a value in each group.

    Parameters
    ----------
    rows
        One row a game or a seat, with the columns of `by`, the value and the block.
    by
        Columns that make the groups; none for one group of all.
    value
        What is averaged, a column or an expression; rows where it is empty do not count.
    is_rate
        Whether it is a share between 0 and 1, which gets Wilson's interval, or any other number.

    Example
    -------
    >>> games = pl.DataFrame({"block": range(100), "alien_won": [1, 0, 0, 0] * 25})
    >>> found = estimate(games, [], "alien_won")
    >>> [round(float(x), 3) for x in (found.value[0], *found.interval(0))]
    [0.25, 0.175, 0.343]
    """
    expression = pl.col(value) if isinstance(value, str) else value
    number = expression.cast(pl.Float64)
    sums = (
        rows.lazy()
        .group_by(block, *by)
        .agg(
            w=number.sum().round(DIGITS),
            s=(number * number).sum().round(DIGITS),
            n=expression.count().cast(pl.Float64),
        )
        .filter(pl.col("n") > 0)
        .collect(engine="streaming")
    )
    return from_sums(sums, by, is_rate, block)


def from_sums(sums: pl.DataFrame, by: Sequence[str], is_rate: bool = True, block: str = "block") -> Estimates:
    """The same from sums already made: `w` the sum of values, `s` of their squares, `n` the rows.

    One row a block and group.
    """
    groups, of_group = numbered(sums, by)
    of_block = sums[block].rank("dense").to_numpy().astype(np.int64) - 1
    w, n, s = (sums[name].to_numpy().astype(float) for name in ("w", "n", "s"))
    of_block, of_group, w, n, s = in_order((of_block, of_group), w, n, s)
    count = len(groups)
    total_w, total_n = np.bincount(of_group, w, count), np.bincount(of_group, n, count)
    blocks = np.bincount(of_group, minlength=count)
    value = total_w / total_n
    residual = (w - value[of_group] * n) / total_n[of_group]
    shape = (int(of_block.max()) + 1 if len(sums) else 0, count)
    matrix = sparse.csr_matrix((residual, (of_block, of_group)), shape)
    few = np.sqrt(blocks / np.maximum(blocks - 1, 1))
    covariance = (matrix.T @ matrix).toarray() * np.outer(few, few)
    if is_rate:
        always = np.flatnonzero((value <= 0) | (value >= 1))
        covariance[always, always] = least_variance(value[always], blocks[always])
    largest = np.zeros(count)
    np.maximum.at(largest, of_group, n)
    whole = np.isclose(np.bincount(of_group, s, count), total_w)  # only 0 and 1
    return Estimates(groups, value, total_n, blocks, covariance, is_rate, (largest <= 1) & whole)


def least_variance(rate: Any, blocks: Any) -> Any:
    """Of something that never or always happened: Agresti and Coull's variance for so many blocks."""
    square = quantile(BIG) ** 2
    n = blocks + square
    guess = (rate * blocks + square / 2) / n
    return guess * (1 - guess) / n


def over_mean(
    sums: pl.DataFrame, by: Sequence[str], within: Sequence[str], block: str = "block"
) -> tuple[Estimates, Any]:
    """How much more each group has than all groups of its cells, and what those have.

    A group is part of what it is compared with, and that is estimated too; both are reckoned with. `sums` has a row
    for each block, `within` (the cell, say) and `by`, with `w` and `n` as in `from_sums`. A group's cells count as
    often as it occurs in them.
    """
    groups, of_group = numbered(sums, by)
    cells, of_cell = numbered(sums, within)
    of_block = sums[block].rank("dense").to_numpy().astype(np.int64) - 1
    w, n = (sums[name].to_numpy().astype(float) for name in ("w", "n"))
    of_block, of_cell, of_group, w, n = in_order((of_block, of_cell, of_group), w, n)
    shape = (len(cells), len(groups))
    place = of_cell * len(groups) + of_group
    total_w, total_n = (np.bincount(place, x, shape[0] * shape[1]).reshape(shape) for x in (w, n))
    of_all = total_w.sum(axis=1) / total_n.sum(axis=1)
    size = total_n.sum(axis=0)
    expected = (total_n * of_all[:, None]).sum(axis=0) / size
    value = total_w.sum(axis=0) / size - expected
    residual = w - of_all[of_cell] * n
    count = int(of_block.max(initial=-1)) + 1
    # how many rows a group has in a block is luck as well: its own residuals are from its own difference
    mine = sparse.csr_matrix((residual - value[of_group] * n, (of_block, of_group)), (count, shape[1]))
    everybody = sparse.csr_matrix((residual, (of_block, of_cell)), (count, shape[0]))
    influence = (mine.toarray() - everybody @ (total_n / total_n.sum(axis=1)[:, None])) / size
    blocks = _count_blocks(of_block, of_group, shape[1])
    few = np.sqrt(blocks / np.maximum(blocks - 1, 1))
    covariance = influence.T @ influence * np.outer(few, few)
    return Estimates(groups, value, size, blocks, covariance, False, np.zeros(len(groups), bool)), expected


def _count_blocks(of_block: Any, of_group: Any, groups: int) -> Any:
    """In how many blocks each group occurs."""
    pairs = np.sort(of_block * groups + of_group)  # much faster than np.unique
    first = np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]
    return np.bincount(pairs[first] % max(groups, 1), minlength=groups)


def within_cells(
    sums: pl.DataFrame, within: Sequence[str], block: str = "block"
) -> tuple[Contrast, float, float]:
    """How much more rows with `group` 1 have than those with 0 in the same cell; and what both have.

    Cells count as often as group 1 occurs in them; one that has only one of the groups says nothing, and is left
    out. `sums` has a row for each block, `within` and group, with `w` and `n` as in `from_sums`.
    """
    whole = sums.group_by(*within, "group").agg(pl.col("w", "n").sum().round(DIGITS)).sort(*within, "group")
    sides = [
        whole.filter(pl.col("group") == group).select(*within, f=pl.col("w") / pl.col("n"), k="n")
        for group in (1, 0)
    ]
    both = sides[0].join(sides[1], on=list(within), suffix="_0", nulls_equal=True, maintain_order="left")
    size = float(both["k"].sum())
    if not size:
        return Contrast(0.0, 0.0, 0.0, 1.0, 0.0, 0), 0.0, 0.0
    first, second = (float(both[name].to_numpy() @ both["k"].to_numpy() / size) for name in ("f", "f_0"))
    is_first = pl.col("group") == 1
    # how many rows with it a cell has is luck as well: their residuals are from the difference of all cells
    mean = pl.when(is_first).then(pl.col("f_0") + (first - second)).otherwise("f_0")
    scale = pl.when(is_first).then(1 / size).otherwise(-pl.col("k") / pl.col("k_0") / size)
    rows = sums.join(both, on=list(within), nulls_equal=True).sort(block, *within, "group")
    parts = rows.select(block, first=is_first, part=(pl.col("w") - mean * pl.col("n")) * scale)
    of_block = parts[block].rank("dense").to_numpy().astype(np.int64) - 1
    influence = np.bincount(of_block, parts["part"].to_numpy())
    blocks = min(parts.filter(pl.col("first") == side)[block].n_unique() for side in (True, False))
    variance = float(influence @ influence) * blocks / max(blocks - 1, 1)
    return (
        contrast_of(first - second, sqrt(max(variance, least_if_rare(second, first * size, blocks))), blocks),
        first,
        second,
    )


def in_order(keys: Sequence[Any], *columns: Any) -> list[Any]:
    """Keys and columns sorted by the keys: the same bytes, in whatever order polars gave the rows."""
    place = np.zeros(len(keys[0]), np.int64)
    for key in keys:
        place = place * (int(key.max(initial=0)) + 1) + key
    order = np.argsort(place, kind="stable")
    return [column[order] for column in (*keys, *columns)]


def numbered(sums: pl.DataFrame, by: Sequence[str]) -> tuple[pl.DataFrame, Any]:
    """The groups in order, with words as texts, and each row's group."""
    if not by:
        return pl.DataFrame([{}] * min(1, len(sums))), np.zeros(len(sums), np.int64)
    groups = sums.select(by).unique().sort(by)
    places = sums.select(by).join(
        groups.with_row_index("_place"), on=list(by), how="left", maintain_order="left", nulls_equal=True
    )
    return as_text(groups), places["_place"].to_numpy().astype(np.int64)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Words as texts."""
    return frame.with_columns(pl.col(pl.Enum).cast(pl.String)) if _words(frame) else frame


def _words(frame: pl.DataFrame) -> list[str]:
    return [name for name, kind in frame.schema.items() if isinstance(kind, pl.Enum)]


def _chi_square_p(statistic: float, freedom: int, blocks: int) -> float:
    """Hotelling's correction: how groups vary is itself estimated from the blocks."""
    if not freedom:
        return 1.0
    if blocks <= freedom:
        return float(stats.chi2.sf(statistic, freedom))
    scaled = statistic * (blocks - freedom) / (freedom * max(blocks - 1, 1))
    return float(stats.f.sf(scaled, freedom, blocks - freedom))


def quantile(blocks: int) -> float:
    """Student's quantile for a 95 % interval from so many blocks."""
    return float(stats.t.ppf(0.5 + CONFIDENCE / 2, max(1, blocks - 1)))


def contrast_row(contrast: Contrast, name: str = "difference") -> dict[str, Any]:
    """A contrast as a row of a table; too few blocks give no figure."""
    few = contrast.blocks < FEW
    return {
        name: None if few else contrast.value,
        "low": None if few else contrast.low,
        "high": None if few else contrast.high,
        "p": None if few else contrast.p,
        "blocks": contrast.blocks,
        "method": PAIRED,
        "note": TOO_FEW if few else "",
    }
