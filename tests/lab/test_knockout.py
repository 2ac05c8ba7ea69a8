"""Card knock-out: effects that can be worked out by hand, and cards whose effect is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from analysis.blocks import Estimates, estimate
from analysis.intervals import wilson
from analysis.lab import knockout

ROWS = 200


def rates(columns: Any) -> Estimates:
    """Rows × arms of 0 and 1."""
    columns = np.asarray(columns)
    rows, count = columns.shape
    frame = pl.DataFrame(
        {
            "block": np.repeat(np.arange(rows), count),
            "arm": np.tile(np.arange(count), rows),
            "won": columns.ravel(),
        }
    )
    return estimate(frame, ["arm"], "won")


def games(seed: int = 1, flips: tuple[float, ...] = (0.0, 0.1, 0.3)) -> Any:
    """The base, and arms in which so many of the alien's defeats become wins."""
    luck = np.random.default_rng(seed)
    base = luck.random(ROWS) < 0.4
    return np.column_stack([base, *(base | (luck.random(ROWS) < flip) for flip in flips)]).astype(int)


# --- effects ---------------------------------------------------------------------------------------------
def test_effects_are_paired_and_exactly_zero_without_one() -> None:
    columns = games()
    table = knockout.effects(rates(columns), 0, [1, 2, 3])
    assert table.row(0, named=True) | {"blocks": 0} == {
        "difference": 0.0, "low": 0.0, "high": 0.0, "p": 1.0, "p_holm": 1.0,
        "blocks": 0, "method": "difference by blocks", "note": "",
    }  # fmt: skip
    for row, arm in ((1, 2), (2, 3)):
        more = columns[:, arm] - columns[:, 0]
        half = stats.t.ppf(0.975, ROWS - 1) * more.std(ddof=1) / ROWS**0.5
        assert table["difference"][row] == pytest.approx(more.mean())
        assert (table["low"][row], table["high"][row]) == pytest.approx(
            (more.mean() - half, more.mean() + half)
        )
    assert table["p_holm"][2] == pytest.approx(3 * table["p"][2])
    assert table["p_holm"][1] == pytest.approx(max(2 * table["p"][1], table["p_holm"][2]))


def test_luck_alone_is_seldom_a_finding() -> None:
    """Arms that differ by chance: at least one of 20 is called an effect in about 5 % of the tables."""
    false = 0
    for seed in range(100):
        luck = np.random.default_rng(seed)
        base = luck.random((ROWS, 1)) < 0.5
        other = np.where(luck.random((ROWS, 20)) < 0.3, luck.random((ROWS, 20)) < 0.5, base)
        table = knockout.effects(rates(np.hstack([base, other]).astype(int)), 0, range(1, 21))
        false += (table["p_holm"].min() or 0) < 0.05
    assert false <= 12  # 5 expected; 12 is beyond the 99.8 % point


# --- who wins --------------------------------------------------------------------------------------------
def test_winner_changed() -> None:
    winner = np.zeros((ROWS, 3), int)
    winner[:50, 1] = 1
    winner[:7, 2] = 2
    won = np.stack([winner == seat for seat in range(3)]).astype(int)
    table = knockout.winner_changed(won, 0, [0, 1, 2])
    assert table["changed"].to_list() == [0, 0.25, 0.035]
    assert table["changed_n"].to_list() == [0, 50, 7]
    z = float(stats.t.ppf(0.975, ROWS - 1))
    assert (table["changed_low"][1], table["changed_high"][1]) == pytest.approx(wilson(50, ROWS, z))
    assert table["changed_low"][0] == 0 and 0 < table["changed_high"][0] < 0.02


def test_few_blocks_have_no_share() -> None:
    won = np.ones((2, 10, 2), int)
    assert knockout.winner_changed(won, 0, [1])["changed"].to_list() == [None]


# --- shares of strategies --------------------------------------------------------------------------------
def table_of(winner: Any, players: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Points and seats of strategies that each keep a seat; rows × arms."""
    names = ["a", "b", "c", "d"][:players]
    points = {name: (winner == seat).astype(float) for seat, name in enumerate(names)}
    return points, {name: np.ones(winner.shape) for name in names}


def test_a_shift_of_shares_is_found_and_whose() -> None:
    luck = np.random.default_rng(5)
    base = luck.integers(0, 3, 600)
    helped = np.where(luck.random(600) < 0.2, 1, base)
    other = np.where(luck.random(600) < 0.2, luck.permutation(base), base)
    points, seats = table_of(np.column_stack([base, base, helped, other]), 3)
    whole, parts = knockout.shifts(points, seats, 0, [1, 2, 3])
    assert whole.row(0) == (0.0, "", 1.0, 1.0)
    assert whole["shifted"][1] == "b" and whole["shift"][1] > 0.08
    assert whole["shift_p_holm"][1] < 1e-6
    assert whole["shift_p_holm"][2] > 0.05
    assert parts.height == 9
    more = (helped == 1).astype(float) - (base == 1)
    row = parts.filter(pl.col("place") == 2, pl.col("strategy") == "b").row(0, named=True)
    assert row["difference"] == pytest.approx(more.mean())
    assert row["high"] - row["low"] == pytest.approx(
        2 * stats.t.ppf(0.975, 599) * more.std(ddof=1) / 600**0.5
    )


def test_the_shift_is_hotellings_test() -> None:
    """With a seat each: T² of the differences of all strategies but one."""
    luck = np.random.default_rng(6)
    base, other = luck.integers(0, 4, 300), luck.integers(0, 4, 300)
    points, seats = table_of(np.column_stack([base, other]), 4)
    whole, _ = knockout.shifts(points, seats, 0, [1])
    more = np.column_stack([(other == k).astype(float) - (base == k) for k in range(3)])
    mean, spread = more.mean(axis=0), np.cov(more.T) / 300
    statistic = float(mean @ np.linalg.solve(spread, mean)) * (300 - 3) / (3 * 299)
    assert whole["shift_p"][0] == pytest.approx(float(stats.f.sf(statistic, 3, 297)), rel=1e-6)


def test_shares_by_chance_have_even_p_values() -> None:
    values = []
    for seed in range(300):
        luck = np.random.default_rng(seed)
        base, other = luck.integers(0, 3, 120), luck.integers(0, 3, 120)
        points, seats = table_of(np.column_stack([base, other]), 3)
        values.append(knockout.shifts(points, seats, 0, [1])[0]["shift_p"][0])
    assert float(stats.kstest(values, "uniform").pvalue) > 0.01


def test_strategies_that_draw_their_seats_have_shares_of_them() -> None:
    """In a pool a strategy may have several seats of a game, or none."""
    luck = np.random.default_rng(7)
    seats_a = luck.integers(0, 4, 400)
    wins_a = (luck.random(400) < seats_a / 3).astype(float)
    more_a = np.where((wins_a == 0) & (seats_a > 0) & (luck.random(400) < 0.3), 1.0, wins_a)
    points = {"a": np.column_stack([wins_a, more_a]), "b": np.column_stack([1 - wins_a, 1 - more_a])}
    seats = {"a": np.column_stack([seats_a] * 2), "b": np.column_stack([3 - seats_a] * 2)}
    whole, parts = knockout.shifts(points, seats, 0, [1])
    assert parts["difference"].to_list() == pytest.approx(
        [(more_a - wins_a).sum() / seats_a.sum(), (wins_a - more_a).sum() / (3 - seats_a).sum()]
    )
    assert whole["shift_p"][0] < 0.001


def test_one_strategy_alone_cannot_shift() -> None:
    points, seats = {"a": np.ones((100, 2))}, {"a": np.full((100, 2), 3)}
    whole, _ = knockout.shifts(points, seats, 0, [1])
    assert whole.row(0) == (None, "", None, None)


# --- ranking ---------------------------------------------------------------------------------------------
def test_the_strongest_is_first_and_what_was_left_out_last() -> None:
    table = pl.DataFrame(
        {
            "card": ["A", "B", "C", "D"],
            "difference": [0.01, None, -0.3, 0.0],
            "changed": [0.1, None, 0.2, 0.0],
        }
    )
    found = knockout.ranked(table, "difference")
    assert found["card"].to_list() == ["C", "A", "D", "B"]
    assert found["rank"].to_list() == [1, 2, 3, None]
