"""Every table once from games that were played."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import xenobalance as xb
from analysis import alien_strength, cards, matchups, pacing, threshold_length, win_rates
from tests.analysis.kit import TABLES

GAMES = 48  # a cell: each strategy is in more than 30 blocks


@pytest.fixture(scope="module")
def run() -> Any:
    """Two lengths, played as plain Python."""
    return xb.simulate(
        strategies=["cautious", "gambler", "climber"],
        line_up="pool",
        players=3,
        length=["short", "standard"],
        alien="raiding-party",
        games=GAMES,
        seed=5,
        acts=True,
        jobs=1,
    )


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_table(name: str, run: Any) -> None:
    table = TABLES[name](run)
    assert len(table) > 0
    for column in ("rate", "low", "high", "share", "going_on", "p", "p_holm"):
        if column in table.columns and name not in ("lengths", "timing", "overview", "sources", "outcomes"):
            if column in ("low", "high") and "rate" not in table.columns:
                continue
            if table.schema[column] == pl.Null:  # see test_known_faults.py
                continue
            assert table[column].is_between(0, 1).all(ignore_nulls=True), column
    if {"low", "high", "rate"} <= set(table.columns):
        assert (table["low"] <= table["rate"]).all()
        assert (table["rate"] <= table["high"]).all()


def test_wins_add_up(run: Any) -> None:
    games = 2 * GAMES
    alien = int(run.games["winner_role"].cast(pl.String).eq("alien").sum())
    (row,) = win_rates.by_role(run).to_dicts()
    assert (row["n"], row["blocks"]) == (games, GAMES)
    assert row["alien"] * games == pytest.approx(alien)
    assert row["alien"] + 2 * row["each_human"] == pytest.approx(1)
    for table in (
        win_rates.shares(run, "strategy"),
        win_rates.shares(run, "seat"),
        win_rates.by_distance(run),
    ):
        assert (table["rate"] * table["n"]).sum() == pytest.approx(games, abs=1e-5)
        assert table["n"].sum() == 3 * games
    roles = {row["role"]: row for row in win_rates.shares(run, "role").to_dicts()}
    assert roles["alien"]["rate"] * games == pytest.approx(alien)
    assert roles["human"]["rate"] * 2 * games == pytest.approx(games - alien, abs=1e-5)
    strength = alien_strength.strength(run)
    assert (strength["rate"] * strength["n"]).sum() == pytest.approx(alien)


def test_shares_add_up(run: Any) -> None:
    assert alien_strength.margins(run)["share"].sum() == pytest.approx(1)
    assert alien_strength.battles(run)["n"].sum() == 2 * 2 * GAMES
    for (_role,), part in pacing.behind(run).group_by("role"):
        assert part["share"].sum() == pytest.approx(1)
    assert pacing.behind(run)["n"].sum() == 2 * GAMES
    timing = threshold_length.timing(run)
    reasons = timing.select(pl.sum_horizontal("at_once", "in_time", "no_project", "at_limit"))
    assert reasons.to_series().to_list() == pytest.approx([1, 1])
    spent = matchups.rounds_spent(run).filter(pl.col("idle").is_not_null())
    assert spent.select(pl.sum_horizontal(matchups.ROUNDS)).to_series().to_list() == pytest.approx(
        [1] * len(spent)
    )


def test_attacks_add_up(run: Any) -> None:
    table = alien_strength.sources(run)
    parts = table.select(pl.sum_horizontal(list(alien_strength.SOURCES))).to_series().to_list()
    assert parts == pytest.approx(table["attack"].to_list(), abs=1e-6)
    of_cells = run.seats.group_by("cell").agg(pl.col("attack").mean()).sort("cell")["attack"].to_list()
    assert table["attack"].to_list() == pytest.approx(of_cells)


def test_lengths_and_survival(run: Any) -> None:
    """The mean number of rounds is the area under the curve of games still going on."""
    lengths, survival = threshold_length.lengths(run), threshold_length.survival(run)
    for row in lengths.to_dicts():
        curve = survival.filter(pl.col("setting") == row["setting"])["going_on"]
        assert curve.sum() == pytest.approx(row["rounds"])
        assert curve[-1] == 0
        assert 0 < row["minutes_quick"] < row["minutes_slow"]


def test_head_to_head_mirrors(run: Any) -> None:
    table = matchups.head_to_head(run)
    both = table.join(
        table, left_on=["strategy", "against"], right_on=["against", "strategy"], suffix="_back"
    )
    assert len(both) == len(table) == 6
    known = both.filter(pl.col("note") == "")
    assert (known["rate"] + known["rate_back"]).to_list() == pytest.approx([1] * len(known))
    assert both["n"].to_list() == both["n_back"].to_list()


def test_cards_against_acts(run: Any) -> None:
    counts = cards.counts(run)
    assert counts["n"].sum() == len(run.acts)
    claims = counts.filter(pl.col("act") == "claim")["n"].sum()
    assert claims <= run.games["claimed"].sum()
    held = cards.projects(run)["n"].sum()
    assert 0 < held <= claims
