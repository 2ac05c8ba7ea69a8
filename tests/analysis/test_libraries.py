"""The same figures from statsmodels and scipy, which know nothing of ours.

By blocks, the variance is the sandwich of whole blocks (CR0) times B / (B - 1), B the blocks of the group.
statsmodels' `cov_type="cluster"` has CR0 without its correction, and CR0 × B/(B-1) × (N-1)/(N-K) with it; so ours is
compared with CR0 × B/(B-1), and for one mean of blocks with one row each it is the textbook's s²/n.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analysis import alien_strength, win_rates
from analysis.blocks import estimate
from analysis.comparisons import against, holm, trend_weights
from analysis.intervals import wilson
from tests.analysis.kit import Book

BLOCKS = 80


def clustered(values: Any, columns: Any, blocks: Any) -> Any:
    """Least squares with CR0 by blocks."""
    numbers = np.unique(blocks, return_inverse=True)[1]
    kinds = {"groups": numbers, "use_correction": False}
    return sm.OLS(values, columns).fit(cov_type="cluster", cov_kwds=kinds)


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    """Three groups of uneven size, in the same blocks, with luck they share."""
    luck = np.random.default_rng(11)
    blocks, groups, values = [], [], []
    for block in range(BLOCKS):
        shared = luck.normal()
        for group in range(3):
            size = int(luck.integers(1, 5))
            blocks += [block] * size
            groups += [group] * size
            values += list(shared + 0.3 * group + luck.normal(size=size))
    frame = pl.DataFrame({"block": blocks, "group": groups, "value": values})
    return frame.with_columns(won=(pl.col("value") > 0.2).cast(pl.Float64))


def dummies(rows: pl.DataFrame) -> Any:
    return (rows["group"].to_numpy()[:, None] == np.arange(3)).astype(float)


# --- rates ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("wins", [0, 1, 7, 50, 99, 100])
def test_wilson(wins: int) -> None:
    assert wilson(wins, 100) == pytest.approx(proportion_confint(wins, 100, 0.05, "wilson"), abs=1e-12)


def test_plain_rates() -> None:
    rows = pl.DataFrame({"block": range(200), "group": [0, 1] * 100, "won": [0, 1, 0, 0] * 50})
    found = estimate(rows, ["group"], "won")
    assert found.value.tolist() == [0.0, 0.5]
    for place, wins in enumerate((0, 50)):
        expected = proportion_confint(wins, 100, 0.05, "wilson")
        assert found.interval(place) == pytest.approx(expected, abs=1e-12)


def test_wilson_by_blocks_has_the_variance_of_the_sandwich(rows: pl.DataFrame) -> None:
    """Wilson's interval on as many rows as make p(1-p)/n the clustered variance, with Student's quantile."""
    found = estimate(rows, ["group"], "won")
    fit = clustered(rows["won"].to_numpy(), dummies(rows), rows["block"].to_numpy())
    quantile = stats.t.ppf(0.975, BLOCKS - 1)
    for place in range(3):
        rate = fit.params[place]
        n = rate * (1 - rate) / (fit.cov_params()[place, place] * BLOCKS / (BLOCKS - 1))
        # statsmodels takes its quantile from alpha: ask for the alpha that has Student's
        expected = proportion_confint(rate * n, n, 2 * stats.norm.sf(quantile), "wilson")
        assert found.interval(place) == pytest.approx(expected, abs=1e-10)


# --- means, differences, slopes ---------------------------------------------------------------------------
@pytest.mark.parametrize("column", ["value", "won"])
def test_means_and_how_they_vary_together(rows: pl.DataFrame, column: str) -> None:
    found = estimate(rows, ["group"], column, is_rate=column == "won")
    fit = clustered(rows[column].to_numpy(), dummies(rows), rows["block"].to_numpy())
    assert found.value == pytest.approx(fit.params, abs=1e-9)
    assert found.n.tolist() == [rows.filter(pl.col("group") == k).height for k in range(3)]
    expected = fit.cov_params() * BLOCKS / (BLOCKS - 1)
    assert found.covariance == pytest.approx(expected, rel=1e-7, abs=1e-12)


def test_with_the_correction_of_statsmodels(rows: pl.DataFrame) -> None:
    """Its usual correction has (N - 1)/(N - K) besides: with 600 rows and 3 groups 0.3 % more."""
    found = estimate(rows, ["group"], "value", is_rate=False)
    kinds = {"groups": rows["block"].to_numpy()}
    fit = sm.OLS(rows["value"].to_numpy(), dummies(rows)).fit(cov_type="cluster", cov_kwds=kinds)
    more = (len(rows) - 1) / (len(rows) - 3)
    assert found.covariance * more == pytest.approx(fit.cov_params(), rel=1e-7, abs=1e-12)


def test_interval_of_a_mean(rows: pl.DataFrame) -> None:
    found = estimate(rows, [], "value", is_rate=False)
    fit = clustered(rows["value"].to_numpy(), np.ones(len(rows)), rows["block"].to_numpy())
    error = fit.bse[0] * (BLOCKS / (BLOCKS - 1)) ** 0.5
    half = stats.t.ppf(0.975, BLOCKS - 1) * error
    assert found.interval(0) == pytest.approx((fit.params[0] - half, fit.params[0] + half), abs=1e-8)


def test_one_row_a_block_is_the_t_test() -> None:
    values = np.random.default_rng(3).normal(0.2, 1, 50)
    found = estimate(pl.DataFrame({"block": range(50), "v": values}), [], "v", is_rate=False)
    test = stats.ttest_1samp(values, 0.1)
    ends = test.confidence_interval(0.95)
    contrast = found.contrast([1.0], from_value=0.1)
    assert contrast.p == pytest.approx(test.pvalue, rel=1e-6)
    assert found.interval(0) == pytest.approx((ends.low, ends.high), abs=1e-8)


def test_a_pair_in_each_block_is_the_paired_t_test() -> None:
    luck = np.random.default_rng(4)
    one = luck.normal(size=60)
    other = one + luck.normal(0.1, 0.3, 60)
    frame = pl.DataFrame({"block": [*range(60)] * 2, "g": [0] * 60 + [1] * 60, "v": [*one, *other]})
    contrast = estimate(frame, ["g"], "v", is_rate=False).difference(1, 0)
    test = stats.ttest_rel(other, one)
    assert contrast.value == pytest.approx(float(np.mean(other - one)), abs=1e-9)
    assert contrast.p == pytest.approx(test.pvalue, rel=1e-5)
    ends = test.confidence_interval(0.95)
    assert (contrast.low, contrast.high) == pytest.approx((ends.low, ends.high), abs=1e-8)


@pytest.mark.parametrize("column", ["value", "won"])
def test_differences(rows: pl.DataFrame, column: str) -> None:
    found = estimate(rows, ["group"], column, is_rate=False)
    fit = clustered(rows[column].to_numpy(), dummies(rows), rows["block"].to_numpy())
    test = fit.t_test([-1, 0, 1])
    contrast = found.difference(2, 0)
    error = float(test.sd.item()) * (BLOCKS / (BLOCKS - 1)) ** 0.5
    assert contrast.value == pytest.approx(float(test.effect.item()), abs=1e-8)
    assert contrast.error == pytest.approx(error, rel=1e-7)
    p = 2 * stats.t.sf(abs(contrast.value) / error, BLOCKS - 1)
    assert contrast.p == pytest.approx(p, rel=1e-6)


def test_slopes() -> None:
    """Cells of the same size: the slope of the rates is that of the rows."""
    luck = np.random.default_rng(5)
    x = np.repeat([2.0, 3.0, 5.0], 60)
    block = np.tile(np.arange(60), 3)
    won = (np.tile(luck.normal(size=60), 3) + luck.normal(size=180) > 0.2 * x - 0.5).astype(float)
    found = estimate(pl.DataFrame({"block": block, "x": x, "won": won}), ["x"], "won")
    contrast = found.contrast(trend_weights([2, 3, 5]))
    # rates of cells as a line: the residuals are those of the cells' means, so the sandwich is taken of these
    fit = clustered(won, (x[:, None] == np.array([2.0, 3.0, 5.0])).astype(float), block)
    weights = np.array(trend_weights([2, 3, 5]))
    assert contrast.value == pytest.approx(np.polyfit(x, won, 1)[0], abs=1e-9)
    expected = float(fit.t_test(weights).sd.item()) * (60 / 59) ** 0.5
    assert contrast.error == pytest.approx(expected, rel=1e-7)


def test_advice_is_such_a_slope() -> None:
    book, luck = Book(), np.random.default_rng(6)
    y, x, blocks = [], [], []
    for cell, threshold in enumerate((6, 9, 15)):
        for block in range(60):
            won = bool(luck.random() < 0.7 - 0.1 * cell)
            book.game(block, 1 if won else 2, cell=cell, threshold=threshold)
            y.append(float(won))
            x.append(threshold / 3)
            blocks.append(block)
    row = alien_strength.advice(book.tables()).to_dicts()[0]
    assert row["slope"] == pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-9)
    columns = (np.array(x)[:, None] == np.array([2.0, 3.0, 5.0])).astype(float)
    fit = clustered(np.array(y), columns, np.array(blocks))
    error = float(fit.t_test(np.array(trend_weights([2, 3, 5]))).sd.item()) * (60 / 59) ** 0.5
    assert (row["high"] - row["low"]) / 2 == pytest.approx(stats.t.ppf(0.975, 59) * error, rel=1e-6)


def test_against_what_was_expected(rows: pl.DataFrame) -> None:
    table = against(rows.lazy(), ["group"], "won", pl.lit(0.4))
    fit = clustered(rows["won"].to_numpy() - 0.4, dummies(rows), rows["block"].to_numpy())
    assert table["difference"].to_list() == pytest.approx(list(fit.params), abs=1e-8)
    halves = ((table["difference_high"] - table["difference_low"]) / 2).to_list()
    errors = fit.bse * (BLOCKS / (BLOCKS - 1)) ** 0.5
    assert halves == pytest.approx(list(stats.t.ppf(0.975, BLOCKS - 1) * errors), rel=0.03)  # Wilson and Wald
    assert table["p_holm"].to_list() == pytest.approx(
        list(multipletests(table["p"].to_list(), method="holm")[1])
    )


# --- many at once -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(5))
def test_holm(seed: int) -> None:
    p = np.random.default_rng(seed).random(12) ** 3
    p[3] = p[7]
    assert holm(p.tolist()) == pytest.approx(list(multipletests(p, method="holm")[1]))


@pytest.mark.parametrize("players", [3, 6])
def test_seats_against_chi_square(players: int) -> None:
    """With a game a block Wald's statistic is Pearson's but for its variance: that found, not that of no effect.

    Near to no effect they agree within some per cent (here 10 %, in 3000 games). Far from it either may be larger:
    with one seat in six winning 1.3 times as often, Wald's is 24 where Pearson's is 29.
    """
    luck, book = np.random.default_rng(7), Book()
    shares = np.ones(players)
    shares[0] += 0.1
    winners = luck.choice(players, 3000, p=shares / shares.sum())
    for block, winner in enumerate(winners):
        book.game(block, int(winner) + 1, players=players, first_president=1)
    (row,) = win_rates.seat_tests(book.tables()).to_dicts()
    pearson = stats.chisquare(np.bincount(winners, minlength=players))
    assert row["freedom"] == players - 1
    assert row["chi_square"] == pytest.approx(pearson.statistic, rel=0.10)
    assert np.log(row["p"]) == pytest.approx(np.log(pearson.pvalue), rel=0.15)
