"""Too few games give no figure, and no game at all gives an empty table."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from analysis import alien_strength, threshold_length
from analysis.blocks import FEW, TOO_FEW, contrast_row, estimate
from analysis.comparisons import holm
from analysis.win_rates import of_alien
from tests.analysis.kit import TABLES, Book, empty, pattern, random_book

#: no game at all is too much for these, see test_known_faults.py
FAIL_WHEN_EMPTY = {"seat_tests", "survival", "head_to_head"}
#: distributions and counts, which stand for themselves
COUNTED = {"margins", "margins of all", "battles", "survival", "behind", "rounds_spent", "counts", "settings"}
#: not estimates: what the setting is, what would be fair, how often there was anything to count
KNOWN = {"fair", "even", "expected", "a_player", "multiplier", "a_game", "by_share"}
#: see test_known_faults.py
SHOWN_THOUGH_FEW = {"with_more", "with_less"}


@pytest.mark.parametrize("name", sorted(set(TABLES) - COUNTED))
def test_few_games_have_no_figures(name: str) -> None:
    table = TABLES[name](pattern(7))  # 28 games
    assert set(table["note"]) <= {TOO_FEW}
    for column, kind in table.schema.items():
        if kind == pl.Float64 and column not in KNOWN | SHOWN_THOUGH_FEW:
            assert table[column].null_count() == len(table), column


def test_thirty_blocks_are_enough() -> None:
    book = Book()
    for block in range(FEW):
        book.game(block, 1 + block % 3)
        if block == FEW - 2:
            assert of_alien(book.tables()).select("rate", "blocks", "note").rows() == [(None, 29, TOO_FEW)]
    (row,) = of_alien(book.tables()).to_dicts()
    assert (row["n"], row["blocks"], row["note"]) == (30, 30, "")
    assert row["rate"] == pytest.approx(1 / 3)


def test_many_games_of_few_blocks_are_few() -> None:
    """100 games in 10 blocks are 10 throws of luck."""
    book = Book()
    for number in range(100):
        book.game(number % 10, 1 + number % 3)
    (row,) = of_alien(book.tables()).to_dicts()
    assert (row["rate"], row["low"], row["n"], row["blocks"], row["note"]) == (None, None, 100, 10, TOO_FEW)


def test_one_group_of_many_is_few() -> None:
    book = Book()
    for block in range(60):
        book.game(block, 1 + block % 3, rounds=5 if block < 40 else 6)
    table = of_alien(book.tables(), "rounds")
    assert table["note"].to_list() == ["", TOO_FEW]
    assert table["rate"].is_null().to_list() == [False, True]


def test_a_contrast_of_a_small_group_has_no_figure() -> None:
    rows = pl.DataFrame({"block": range(60), "who": [0] * 50 + [1] * 10, "v": [0, 1] * 30})
    row = contrast_row(estimate(rows, ["who"], "v").difference(1, 0))
    assert (row["difference"], row["low"], row["p"], row["blocks"], row["note"]) == (
        None,
        None,
        None,
        10,
        TOO_FEW,
    )


def test_few_blocks_in_slopes_and_steps() -> None:
    book = Book()
    for cell, threshold in enumerate((6, 9, 12)):
        for block in range(20):
            book.game(block, 1 + block % 2, cell=cell, threshold=threshold)
    advice = alien_strength.advice(book.tables())
    assert advice.select("slope", "p_holm", "verdict").rows() == [(None, None, TOO_FEW)]
    marginal = threshold_length.marginal(book.tables())
    assert set(marginal["note"]) == {TOO_FEW}
    assert set(marginal["returns"]) == {"", TOO_FEW}
    assert marginal["effect"].null_count() == len(marginal)


def test_empty_p_values_do_not_count() -> None:
    assert holm([None, 0.02, None, 0.5]) == [None, 0.04, None, 0.5]
    assert holm([]) == []


@pytest.mark.parametrize("name", sorted(set(TABLES) - FAIL_WHEN_EMPTY))
def test_no_game_at_all(name: str) -> None:
    assert len(TABLES[name](empty())) == 0


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_single_game(name: str) -> None:
    TABLES[name](random_book(1).tables())


@pytest.mark.parametrize("name", sorted(set(TABLES) - FAIL_WHEN_EMPTY - {"recommend", "drivers"}))
def test_an_empty_table_has_the_columns_of_a_full_one(name: str) -> None:
    full: Any = TABLES[name](random_book(300).tables())
    assert TABLES[name](empty()).columns == full.columns
