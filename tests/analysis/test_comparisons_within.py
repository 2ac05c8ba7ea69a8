"""Comparisons within cells, against least squares with cell dummies, the jackknife over blocks, and each other."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.blocks import _chi_square_p, least_variance, over_mean, within_cells
from analysis.cards import _over_rest
from analysis.comparisons import against, against_mean

CELLS, BLOCKS, CARDS = 4, 60, 5
#: how often a seat has a card; the last is in every hand of the first cell
OFTEN = np.array([0.05, 0.2, 0.4, 0.8, 0.5])


def seats(seed: int, cells: int = CELLS, blocks: int = BLOCKS) -> pl.DataFrame:
    """Seats of some games, with luck their block shares in all cells, and a card more often in some cells."""
    luck, rows = np.random.default_rng(seed), []
    for block in range(blocks):
        shared = luck.normal()
        for cell in range(cells):
            for _ in range(int(luck.integers(0, 4))):
                group = int(luck.random() < 0.1 + 0.2 * cell)
                own = shared * 0.6 + luck.normal() * 0.8
                rows.append((block, cell, group, float(own < 0.2 * cell - 0.6 + 0.5 * group)))
    return pl.DataFrame(rows, ["block", "cell", "group", "v"], orient="row")


def summed(rows: pl.DataFrame, *by: str) -> pl.DataFrame:
    return rows.group_by("block", *by).agg(w=pl.col("v").sum(), n=pl.len().cast(pl.Float64))


def jackknife(rows: pl.DataFrame, figure: Callable[[Any, Any, Any], float]) -> float:
    """The standard error of a figure from leaving out one block after the other."""
    block, cell, group, value = rows.to_numpy().T
    left = [figure(cell[block != b], group[block != b], value[block != b]) for b in np.unique(block)]
    return sqrt((len(left) - 1) * float(np.var(left)))


# --- against all rows of the cell -------------------------------------------------------------------------
def over_all(cell: Any, group: Any, value: Any) -> float:
    """How much more group 1 has than all, row by row."""
    usual = np.array([value[cell == c].mean() for c in np.unique(cell)])
    return float((value - usual[cell.astype(int)])[group == 1].mean())


@pytest.mark.parametrize("seed", range(4))
def test_over_mean_is_as_far_off_as_the_jackknife_says(seed: int) -> None:
    rows = seats(seed)
    found, expected = over_mean(summed(rows, "cell", "group"), ["group"], ["cell"])
    _, cell, group, value = rows.to_numpy().T
    mine = rows.filter(pl.col("group") == 1)
    assert found.value[1] == pytest.approx(over_all(cell, group, value), abs=1e-12)
    assert expected[1] == pytest.approx(mine["v"].mean() - found.value[1], abs=1e-12)
    assert found.blocks[1] == mine["block"].n_unique()
    assert sqrt(found.covariance[1, 1]) == pytest.approx(jackknife(rows, over_all), rel=0.05)


def test_over_mean_reckons_with_how_often_a_group_occurs() -> None:
    """In one cell group 1 has everything, in the other nothing more than others: how often it is in which is luck."""
    luck = np.random.default_rng(1)
    cell = luck.integers(0, 2, 400)
    group = (luck.random(400) < 0.3).astype(int)
    value = np.where(cell == 1, group, 0.0)
    rows = pl.DataFrame({"block": range(400), "cell": cell, "group": group, "v": value})
    found = over_mean(summed(rows, "cell", "group"), ["group"], ["cell"])[0]
    assert sqrt(found.covariance[1, 1]) == pytest.approx(jackknife(rows, over_all), rel=0.02)


def test_over_mean_has_the_correction_for_few_blocks() -> None:
    """Two rows a block, one of each group, in one cell: half of the paired t-test."""
    luck = np.random.default_rng(2)
    first, second = luck.normal(size=(2, 12))
    rows = {"block": [*range(12)] * 2, "cell": [0] * 24, "group": [1] * 12 + [0] * 12, "v": [*first, *second]}
    found = over_mean(summed(pl.DataFrame(rows), "cell", "group"), ["group"], ["cell"])[0]
    test = stats.ttest_rel(first, second)
    assert found.contrast([0, 1]).p == pytest.approx(test.pvalue, rel=1e-9)


def test_never_against_the_mean_is_not_certain() -> None:
    rows = pl.DataFrame({"block": range(400), "g": [0] * 40 + [1] * 360, "v": [0.0] * 40 + [1.0, 0, 0] * 120})
    row = against_mean(rows.lazy().with_columns(cell=0), ["g"], "v", ["cell"]).to_dicts()[0]
    half = stats.t.ppf(0.975, 39) * sqrt(least_variance(0.0, 40))
    assert row["difference_high"] == pytest.approx(row["difference"] + half, rel=1e-9)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def testleast_variance_is_that_of_agresti_and_coull(rate: float) -> None:
    """That of the centre of Wilson's interval, in n + z² rows."""
    square = stats.norm.ppf(0.975) ** 2
    low, high = proportion_confint(rate * 50, 50, 0.05, "wilson")
    centre = (low + high) / 2
    assert least_variance(rate, 50) == pytest.approx(centre * (1 - centre) / (50 + square), rel=1e-6)


# --- with and without -------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(4))
def test_within_cells_is_least_squares_with_cells(seed: int) -> None:
    """A mean for each cell and group, weighted by how often group 1 occurs; near the jackknife, too."""
    rows = seats(seed)
    contrast, more, less = within_cells(summed(rows, "cell", "group"), ["cell"])
    block, cell, group, value = rows.to_numpy().T
    columns = (2 * cell + group)[:, None] == np.arange(2 * CELLS)
    fit = sm.OLS(value, columns.astype(float)).fit()
    often = columns[:, 1::2].sum(axis=0)
    weights = np.stack([-often, often], axis=1).ravel() / often.sum()
    assert contrast.value == pytest.approx(float(weights @ fit.params), abs=1e-10)
    assert more - less == pytest.approx(contrast.value, abs=1e-12)
    assert contrast.blocks == min(len(np.unique(block[group == side])) for side in (0, 1))

    def figure(cell: Any, group: Any, value: Any) -> float:
        mean = np.array([[value[(cell == c) & (group == g)].mean() for g in (0, 1)] for c in range(CELLS)])
        often = np.array([((cell == c) & (group == 1)).sum() for c in range(CELLS)])
        return float(often @ (mean[:, 1] - mean[:, 0]) / often.sum())

    assert contrast.error == pytest.approx(jackknife(rows, figure), rel=0.08)


def test_a_cell_with_one_side_only_says_nothing() -> None:
    rows = seats(7)
    more = pl.DataFrame({"block": range(500), "cell": [9] * 500, "group": [1] * 500, "v": [1.0] * 500})
    without, with_it = (
        within_cells(summed(some, "cell", "group"), ["cell"]) for some in (rows, pl.concat([rows, more]))
    )
    assert with_it[0].blocks == without[0].blocks
    assert (*with_it[1:], with_it[0].error) == pytest.approx((*without[1:], without[0].error), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rest", ["everybody", "other cards"])
def test_cards_at_once_are_cards_one_by_one(seed: int, rest: str) -> None:
    luck, rows = np.random.default_rng(seed), seats(seed, cells=1 + seed, blocks=10 + 10 * seed)
    has = luck.random((len(rows), CARDS)) < OFTEN
    has[rows["cell"].to_numpy() == 0, CARDS - 1] = True
    cards = [rows.filter(pl.Series(has[:, k])).with_columns(card=pl.lit(k)) for k in range(CARDS)]
    held = pl.concat(cards)
    whole = rows if rest == "everybody" else held
    found = _over_rest(summed(held, "cell", "card"), summed(whole, "cell"))
    for place, card in enumerate(sorted(held["card"].unique())):
        group = pl.Series("group", has[:, card]) if rest == "everybody" else pl.col("card") == card
        one = within_cells(summed(whole.with_columns(group=group.cast(pl.Int8)), "cell", "group"), ["cell"])[
            0
        ]
        assert found[place].blocks == one.blocks
        assert (found[place].value, found[place].error) == pytest.approx((one.value, one.error), abs=1e-12)


# --- known figures, and all the same ----------------------------------------------------------------------
@pytest.mark.parametrize("in_block", [1, 4])
def test_score(in_block: int) -> None:
    """The error is that of the figure tested, on the rows that would tell as much; Student's quantile by blocks."""
    luck = np.random.default_rng(3)
    value = (luck.normal(size=(40, 1)) + luck.normal(size=(40, in_block)) < -0.9).astype(float)
    rows = pl.DataFrame({"block": np.repeat(np.arange(40), in_block), "v": value.ravel()})
    (row,) = against(rows.lazy().with_columns(g=0), ["g"], "v", pl.lit(0.4)).to_dicts()
    rate = value.mean()
    n = 40 if in_block == 1 else rate * (1 - rate) / (value.mean(axis=1).var(ddof=1) / 40)
    p = 2 * stats.t.sf(abs(rate - 0.4) / sqrt(0.24 / n), 39)
    assert row["p"] == pytest.approx(p, rel=1e-6)
    tail = 0.05 if in_block == 1 else 2 * stats.norm.sf(stats.t.ppf(0.975, 39))
    low, high = proportion_confint(rate * n, n, tail, "wilson")
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((low - 0.4, high - 0.4), abs=1e-9)


def test_chi_square_is_hotellings() -> None:
    """From means of 20 draws in three dimensions, p-values are even: 5 % below 5 %."""
    draws = np.random.default_rng(4).normal(size=(2000, 20, 3))
    found = []
    for one in draws:
        mean, spread = one.mean(axis=0), np.cov(one.T) / 20
        found.append(_chi_square_p(float(mean @ np.linalg.solve(spread, mean)), 3, 20))
    assert stats.kstest(found, "uniform").pvalue > 0.001
    assert _chi_square_p(7.0, 0, 20) == 1.0


# --- faults found: each fails until it is mended -----------------------------------------------------------
def test_one_holder_in_each_of_many_cells() -> None:
    luck = np.random.default_rng(0)
    block, cell = (part.ravel() for part in np.meshgrid(range(100), range(40)))
    rows = {"block": block, "cell": cell, "group": block == 2 * cell, "v": (luck.random(4000) < 0.3) * 1.0}
    sums = summed(pl.DataFrame(rows).with_columns(pl.col("group").cast(pl.Int8)), "cell", "group")
    assert within_cells(sums, ["cell"])[0].error > 0.6 * sqrt(0.21 / 40)


def test_a_card_that_never_won_is_not_certain() -> None:
    group, value = [1] * 35 + [0] * 400, [0.0] * 35 + [1.0, 0, 0, 0] * 100
    rows = pl.DataFrame({"block": range(435), "cell": [0] * 435, "group": group, "v": value})
    assert within_cells(summed(rows, "cell", "group"), ["cell"])[0].error ** 2 > least_variance(0.0, 35)
