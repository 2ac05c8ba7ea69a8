"""Settings and their names, and effects in words."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.blocks import Contrast
from analysis.comparisons import more_often, points, signed, size_word, trend_weights
from analysis.records import Tables, games, has_acts, seats, settings
from sim.errors import UserError
from tests.analysis.kit import Book


def lengths(*words: str) -> Book:
    book = Book()
    for cell, length in enumerate(words):
        book.game(0, 1, cell=cell, length=length, players=3 + cell)
    return book


def test_settings_in_the_order_of_lengths() -> None:
    table = settings(lengths("epic", "short", "standard", "short").tables())
    assert table["cell"].to_list() == [0, 1, 2, 3]
    assert table["players"].to_list() == [3, 4, 5, 6]
    assert table["setting"].cast(pl.String).to_list() == ["epic", "short", "standard", "short"]
    assert table["setting"].unique().sort().cast(pl.String).to_list() == ["short", "standard", "epic"]


def test_what_differs_is_named() -> None:
    cells = pl.DataFrame(
        {"cell": [0, 1], "strategies": ["a", "a"], "changed_rules": ["", "public_fame=5"]},
        {"cell": pl.Int64, "strategies": pl.String, "changed_rules": pl.String},
    )
    table = settings(lengths("short", "epic").tables(cells=cells))
    assert table["setting"].cast(pl.String).to_list() == ["short; as in the rulebook", "epic; public_fame=5"]


def test_games_and_seats() -> None:
    records = lengths("short", "epic").tables()
    found = games(records).collect()
    assert found["alien_won"].to_list() == [True, True]
    rows = seats(records, "first_president", "alien_card").collect()
    assert len(rows) == 3 + 4
    assert sorted(rows["players"].to_list()) == [3] * 3 + [4] * 4
    assert set(rows["first_president"]) == {2}


def test_a_missing_table() -> None:
    frames = lengths("short").tables().frames
    records = Tables({"games": frames["games"]})
    assert not has_acts(records)
    assert has_acts(Tables(frames))
    with pytest.raises(UserError, match="no table 'seats'; valid: games"):
        records.scan("seats")


# --- words ------------------------------------------------------------------------------------------------
def test_points_and_signs() -> None:
    assert [points(x) for x in (0.021, -0.01, 0.0)] == ["2.1 points", "1.0 point", "0.0 points"]
    assert [signed(x) for x in (0.004, -0.012, -0.0001, 0.0)] == ["+0.4", "−1.2", "0.0", "0.0"]


def test_more_often() -> None:
    assert more_often(0.05, 0.03, 0.07) == "5.0 points more often (95 %: 3.0 to 7.0)"
    assert more_often(-0.05, -0.07, -0.03) == "5.0 points less often (95 %: 3.0 to 7.0)"
    assert more_often(-0.01, -0.03, 0.01) == "about as often (−1.0, 95 %: −3.0 to +1.0)"


@pytest.mark.parametrize(
    ("value", "word"),
    [(0.005, "negligible"), (-0.02, "small"), (0.05, "noticeable"), (-0.2, "large"), (0.1, "large")],
)
def test_sizes(value: float, word: str) -> None:
    assert size_word(Contrast(value, value, value, 0.0, 0.0, 100)) == word


def test_clear() -> None:
    assert Contrast(0.1, 0.05, 0.15, 0.0, 0.0, 30).clear
    assert Contrast(-0.1, -0.15, -0.05, 0.0, 0.0, 30).clear
    assert not Contrast(0.1, -0.05, 0.25, 0.0, 0.0, 30).clear
    assert not Contrast(0.1, 0.05, 0.15, 0.0, 0.0, 29).clear


def test_weights_of_a_trend() -> None:
    """At 2, 3, 5 with mean 10/3: -4/3, -1/3, 5/3 over 42/9."""
    assert trend_weights([2, 3, 5]) == pytest.approx([-12 / 42, -3 / 42, 15 / 42])
    assert trend_weights([4, 4]) == [0.0, 0.0]
