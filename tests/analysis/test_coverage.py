"""95 % intervals hold the truth in 95 % of all repetitions, whatever hangs together.

Each repetition is a group of its own; the allowed distance from 95 % is 4 standard errors of that share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from analysis.blocks import Estimates, estimate
from analysis.comparisons import against_mean

REPETITIONS = 1500
NEAR = 4 * (0.95 * 0.05 / REPETITIONS) ** 0.5  # 0.0225


def frame(values: Any, in_block: int, **more: Any) -> pl.DataFrame:
    """An array of repetitions × rows, of which so many in a row are a block."""
    repetitions, rows = values.shape
    block = np.arange(rows) // in_block
    numbers = np.arange(repetitions)[:, None]
    columns = {
        "rep": np.repeat(np.arange(repetitions), rows),
        "block": (numbers * (block[-1] + 1) + block).ravel(),
        "value": values.astype(float).ravel(),
    }
    return pl.DataFrame(columns | {name: np.tile(column, repetitions) for name, column in more.items()})


def coverage(found: Estimates, truth: float) -> float:
    ends = np.array([found.interval(place) for place in range(len(found))])
    return float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())


def lucky(seed: int, rate: float, blocks: int, games: int, together: float) -> Any:
    """Games that win at a rate, of which those in a block share a part of their luck."""
    luck = np.random.default_rng(seed)
    shared = luck.normal(size=(REPETITIONS, blocks, 1)) * together**0.5
    own = luck.normal(size=(REPETITIONS, blocks, games)) * (1 - together) ** 0.5
    return (shared + own < stats.norm.ppf(rate)).reshape(REPETITIONS, -1)


# --- rates ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rate", [0.05, 0.5, 0.9])
def test_plain_rates(rate: float) -> None:
    found = estimate(frame(lucky(1, rate, 200, 1, 0.0), 1), ["rep"], "value")
    assert found.method(0) == "Wilson"
    assert coverage(found, rate) == pytest.approx(0.95, abs=NEAR)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("together", [0.0, 0.5, 0.95])
def test_rotated(rate: float, together: float) -> None:
    """100 blocks of four games with the same luck."""
    found = estimate(frame(lucky(2, rate, 100, 4, together), 4), ["rep"], "value")
    assert found.method(0) == "Wilson by blocks"
    assert coverage(found, rate) == pytest.approx(0.95, abs=NEAR)


def test_games_for_independent_would_be_too_narrow() -> None:
    """The same intervals without blocks miss far too often: the test above can fail."""
    rows = frame(lucky(2, 0.5, 100, 4, 0.95), 4).with_columns(block=pl.int_range(pl.len()))
    assert coverage(estimate(rows, ["rep"], "value"), 0.5) < 0.8


@pytest.mark.parametrize("blocks", [30, 60])
def test_few_blocks(blocks: int) -> None:
    """As few as a table shows at all."""
    found = estimate(frame(lucky(3, 0.3, blocks, 4, 0.5), 4), ["rep"], "value")
    assert coverage(found, 0.3) == pytest.approx(0.95, abs=NEAR)


def test_rotation_takes_away_the_luck_of_seats() -> None:
    """A strategy sits once in each of four seats that win 0.7, 0.2, 0.1 and 0: it varies less than four games."""
    luck = np.random.default_rng(4)
    rows = luck.random((REPETITIONS, 60, 4)) < np.array([0.7, 0.2, 0.1, 0.0])
    found = estimate(frame(rows.reshape(REPETITIONS, -1), 4), ["rep"], "value")
    assert coverage(found, 0.25) == pytest.approx(0.95, abs=NEAR)
    widths = [high - low for low, high in map(found.interval, range(200))]
    assert np.mean(widths) < 0.9 * 2 * 1.96 * (0.25 * 0.75 / 240) ** 0.5


def test_the_same_block_in_many_cells() -> None:
    """Twelve cells of 50 blocks each, at rates of their own, with much the same luck: the rate of all games."""
    luck = np.random.default_rng(5)
    rates = np.linspace(0.2, 0.75, 12)
    shared = luck.normal(size=(REPETITIONS, 50, 1)) * 0.8
    own = luck.normal(size=(REPETITIONS, 50, 12)) * 0.6
    won = (shared + own < stats.norm.ppf(rates)).reshape(REPETITIONS, -1)
    found = estimate(frame(won, 12), ["rep"], "value")
    assert coverage(found, float(rates.mean())) == pytest.approx(0.95, abs=NEAR)


def test_shared_points() -> None:
    """A seat of three that wins or ties: 0, 1/2 or 1 point; two such seats a game."""
    luck = np.random.default_rng(6)
    kind = luck.choice(4, (REPETITIONS, 80), p=[0.4, 0.2, 0.2, 0.2])
    points = np.array([[0, 0], [1, 0], [0, 1], [0.5, 0.5]])[kind].reshape(REPETITIONS, -1)
    found = estimate(frame(points, 2), ["rep"], "value")
    assert coverage(found, 0.3) == pytest.approx(0.95, abs=NEAR)


# --- means and differences --------------------------------------------------------------------------------
@pytest.mark.parametrize("in_block", [1, 4])
def test_means(in_block: int) -> None:
    """Somewhat skewed, as rounds are; those of a block share half of their variance."""
    luck = np.random.default_rng(7)
    shared = luck.gamma(4, 1, (REPETITIONS, 80, 1))
    rows = (shared + luck.gamma(4, 1, (REPETITIONS, 80, in_block))).reshape(REPETITIONS, -1)
    found = estimate(frame(rows, in_block), ["rep"], "value", is_rate=False)
    assert coverage(found, 8.0) == pytest.approx(0.95, abs=NEAR)


def contrasts(rows: pl.DataFrame, pick: Callable[[Estimates, int], Any]) -> list[Any]:
    """A contrast of each repetition, fifty at a time."""
    found = []
    for start in range(0, REPETITIONS, 50):
        part = rows.filter(pl.col("rep").is_between(start, start + 49))
        estimates = estimate(part, ["rep", "cell"], "value")
        found += [pick(estimates, 2 * k) for k in range(50)]
    return found


def paired(together: float) -> pl.DataFrame:
    """Two cells of 100 games with the same luck, at rates of 0.4 and 0.55."""
    luck = np.random.default_rng(8)
    shared = luck.normal(size=(REPETITIONS, 100, 1)) * together**0.5
    own = luck.normal(size=(REPETITIONS, 100, 2)) * (1 - together) ** 0.5
    won = (shared + own < stats.norm.ppf([0.4, 0.55])).reshape(REPETITIONS, -1)
    return frame(won, 2, cell=np.tile([0, 1], 100))


@pytest.mark.parametrize("together", [0.0, 0.8])
def test_differences_of_cells_with_the_same_luck(together: float) -> None:
    found = contrasts(paired(together), lambda estimates, place: estimates.difference(place + 1, place))
    covered = np.mean([contrast.low <= 0.15 <= contrast.high for contrast in found])
    assert covered == pytest.approx(0.95, abs=NEAR)


def test_pairs_are_sharper_than_strangers() -> None:
    """Without the blocks the interval is half as wide again, and holds the truth nearly always."""
    rows = paired(0.8)
    strangers = rows.with_columns(block=pl.col("block") * 2 + pl.col("cell"))
    pairs, others = (
        contrasts(some, lambda estimates, place: estimates.difference(place + 1, place))
        for some in (rows, strangers)
    )
    assert [c.value for c in pairs] == pytest.approx([c.value for c in others])
    widths = np.array([[one.error, other.error] for one, other in zip(pairs, others, strict=True)])
    assert (widths[:, 0] < widths[:, 1]).all()
    assert np.mean(widths[:, 0] / widths[:, 1]) < 0.75
    assert np.mean([c.low <= 0.15 <= c.high for c in others]) > 0.98


def test_p_values_without_any_difference() -> None:
    """Two cells at the same rate: 5 % are below 5 %."""
    luck = np.random.default_rng(9)
    shared = luck.normal(size=(REPETITIONS, 100, 1))
    won = (shared + luck.normal(size=(REPETITIONS, 100, 2)) < 0).reshape(REPETITIONS, -1)
    rows = frame(won, 2, cell=np.tile([0, 1], 100))
    found = contrasts(rows, lambda estimates, place: estimates.difference(place + 1, place).p)
    assert np.mean(np.array(found) < 0.05) == pytest.approx(0.05, abs=NEAR)
    assert np.mean(np.array(found) < 0.5) == pytest.approx(0.5, abs=4 * (0.25 / REPETITIONS) ** 0.5)


def seat_p_values(players: int, blocks: int) -> Any:
    """P-values of the test of seats, when all seats are the same."""
    luck = np.random.default_rng(10)
    found = []
    for _ in range(600):
        winner = luck.integers(0, players, blocks)
        won = (winner[:, None] == np.arange(players)).astype(float)
        rows = {
            "block": np.repeat(np.arange(blocks), players),
            "seat": np.tile(np.arange(players), blocks),
            "won": won.ravel(),
        }
        found.append(estimate(pl.DataFrame(rows), ["seat"], "won").equal()[2])
    return np.array(found)


def test_seats_that_are_the_same() -> None:
    share = np.mean(seat_p_values(4, 500) < 0.05)
    assert share == pytest.approx(0.05, abs=4 * (0.05 * 0.95 / 600) ** 0.5)


def test_seats_that_are_the_same_in_few_blocks() -> None:
    share = np.mean(seat_p_values(6, 60) < 0.05)
    assert share <= 0.05 + 4 * (0.05 * 0.95 / 600) ** 0.5


def test_differences_from_the_mean_of_all() -> None:
    """Whoever leads wins 0.9, others 0.1, and half of them lead: 0.4 more than all."""
    luck, held = np.random.default_rng(12), []
    for _ in range(400):
        leads = luck.random(200) < 0.5
        won = luck.random(200) < np.where(leads, 0.9, 0.1)
        rows = pl.DataFrame({"block": range(200), "cell": [0] * 200, "leads": leads, "won": won})
        row = against_mean(rows.lazy(), ["leads"], "won", ["cell"]).to_dicts()[1]
        held.append(row["difference_low"] <= 0.4 <= row["difference_high"])
    assert np.mean(held) == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / 400) ** 0.5)
