"""Faults that were once in analysis/, and must not come back."""

from __future__ import annotations

import polars as pl
import pytest

from analysis import alien_strength, cards, matchups, pacing, threshold_length, win_rates
from analysis.blocks import TOO_FEW, estimate
from analysis.comparisons import against, against_mean
from analysis.records import settings
from analysis.threshold_length import _returns
from tests.analysis.kit import TABLES, Book, empty, only, pattern, random_book


# --- wrong figures ----------------------------------------------------------------------------------------
def two_cells() -> Book:
    """In each cell mash cards make no difference; but where they are common the alien seldom wins.

    Cell 0: 50 of 100 games have more than the median, the alien wins 20 %. Cell 1: 10 of 100, it wins 80 %.
    """
    book = Book()
    for block in range(100):
        book.game(block, 1 if block // 2 % 5 == 0 else 2, cell=0, mashes_used=block % 2)
        much = block < 10
        book.game(block, 1 if block % 5 else 2, cell=1, mashes_used=int(much), alien_card="World Enders")
    return book


def test_drivers_compare_within_cells() -> None:
    row = only(alien_strength.drivers(two_cells().tables()), what="mash cards")
    assert row["difference"] == pytest.approx(0, abs=1e-6)  # found: -0.286 (p = 7e-5)


def test_projects_of_cells_with_other_frequencies() -> None:
    """X wins 0.5 more than its absence in both cells: 0.5 against 0, and 1 against 0.5.

    1 of 10 has it in the first cell, 9 of 10 in the second; all cells in one pot would say 0.95 - 0.05 = 0.9.
    """
    book = Book()
    for block in range(400):
        for cell in range(2):
            has = block % 10 < (9 if cell else 1)
            wins = block // 10 % 2 < has + cell
            acts = [("claim", "X" if has else "Y", 2)]
            book.game(block, 2 if wins else 1, cell=cell, players=2, acts=acts)
    row = only(cards.projects(book.tables()), card="X")
    assert row["over_without"] == pytest.approx(0.5, abs=1e-6)  # found: 0.18


def test_never_won() -> None:
    """No win in 40 games, where 5 % were to be expected, happens every eighth time (0.95 ** 40 = 0.13)."""
    rows = pl.DataFrame({"block": range(40), "won": [0] * 40})
    (row,) = against(rows.lazy(), [], "won", pl.lit(0.05)).to_dicts()
    assert row["high"] > 0.05  # the rate's own interval knows
    assert row["difference_high"] > 0
    assert row["p"] > 0.05


def test_a_seat_that_always_wins() -> None:
    book = Book()
    for block in range(60):
        book.game(block, 2)
    assert win_rates.seat_tests(book.tables())["p"][0] < 0.001  # found: 1.0


def test_thirds_of_a_point() -> None:
    """All seats have the same strategy, so it wins its fair share by necessity; every third game has three tied."""
    book = Book()
    for block in range(300):
        book.game(block, 2, players=4, tied=[2, 3, 4] if block % 3 == 0 else [])
    row = only(win_rates.shares(book.tables(), "strategy"), strategy="bold")
    assert row["p"] > 0.05  # found: 4e-28


def test_differences_from_the_mean_of_the_cell() -> None:
    """Two strategies, 100 games each, 40 wins each: the difference from their mean is half that of the two.

    Its error is sqrt(0.24 / 99 + 0.24 / 99) / 2 = 0.0348155; t(99) = 1.984217.
    """
    won = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 20
    rows = pl.DataFrame({"block": range(200), "cell": 0, "who": [0, 1] * 100, "won": won})
    row = against_mean(rows.lazy(), ["who"], "won", ["cell"]).to_dicts()[0]
    assert row["difference"] == pytest.approx(0, abs=1e-9)
    half = (row["difference_high"] - row["difference_low"]) / 2
    assert half == pytest.approx(1.984217 * 0.0348155, rel=0.02)  # found: √2 times that


def test_multiplier_of_the_least_threshold() -> None:
    book = Book()
    for cell, threshold in enumerate((6, 1)):  # 3 × 2 - 8 would be -2
        book.game(0, 1, cell=cell, threshold=threshold)
    cells = pl.DataFrame({"cell": [0, 1], "changed_rules": ["", "threshold_extra=-8"]})
    assert settings(book.tables(cells=cells))["multiplier"].to_list() == [2.0, 2.0]


# --- wrong words ------------------------------------------------------------------------------------------
def test_turning_needs_an_effect() -> None:
    """From clearly 0.05 to about nothing (-0.001, give or take 0.01): it does less, it does not turn."""
    first = {"effect": -0.001, "low": -0.011, "high": 0.009}
    assert _returns(first, {"change": -0.051, "low": -0.065, "high": -0.037}) == "diminishing"


def test_p_belongs_to_over_others() -> None:
    (row,) = cards.events(pattern()).to_dicts()
    assert row["over_others"] is None
    assert row["p"] is None


def test_order_of_settings_with_texts() -> None:
    book = Book()
    for cell, length in enumerate(("short", "standard", "epic")):
        book.game(0, 1, cell=cell, length=length)
    found = settings(book.tables(words=False))["setting"].sort().cast(pl.String).to_list()
    assert found == ["short", "standard", "epic"]


# --- too few or none --------------------------------------------------------------------------------------
def test_an_empty_key() -> None:
    """`of_alien` takes any column of the games; this one is empty where the threshold was never reached."""
    table = win_rates.of_alien(pattern(), "threshold_round")
    assert table["n"].to_list() == [30, 30, 30, 30]


def test_timing_where_the_threshold_is_never_reached() -> None:
    book = Book()
    for block in range(40):
        book.game(block, 1 + block % 2, threshold_round=None, reason="limit")
    (row,) = threshold_length.timing(book.tables()).to_dicts()
    assert (row["reached"], row["at_limit"]) == (0.0, 1.0)


def test_timing_where_it_is_seldom_reached() -> None:
    book = Book()
    for block in range(100):
        book.game(block, 1, threshold_round=8 if block < 10 else None)
    (row,) = threshold_length.timing(book.tables()).to_dicts()
    assert row["threshold_round"] is None
    assert row["reached"] == 0.1


def test_drivers_of_few_games() -> None:
    table = alien_strength.drivers(pattern(7))
    assert set(table["note"]) == {TOO_FEW}
    assert table["with_more"].null_count() == table["with_less"].null_count() == len(table)


def test_types_of_drivers_of_few_games() -> None:
    table = alien_strength.drivers(pattern(7))
    assert {table.schema[name] for name in ("difference", "low", "high", "p")} == {pl.Float64}


def test_rounds_spent_of_few_blocks() -> None:
    book = Book()
    for number in range(40):
        book.game(number % 5, 1, seats={"safe": [1, 1, 1]})
    assert matchups.rounds_spent(book.tables())["safe"].null_count() == 2


@pytest.mark.parametrize("name", ["seat_tests", "survival", "head_to_head"])
def test_no_game_at_all(name: str) -> None:
    assert len(TABLES[name](empty())) == 0


@pytest.mark.parametrize("name", ["recommend", "drivers"])
def test_columns_of_no_game(name: str) -> None:
    assert TABLES[name](empty()).columns == TABLES[name](random_book(300).tables()).columns


# --- right, and easily broken by mending the above --------------------------------------------------------
def test_a_group_that_never_won_keeps_wilson() -> None:
    """0 of 30: Wilson's upper end is z² / (30 + z²)."""
    found = estimate(pl.DataFrame({"block": range(30), "won": [0] * 30}), [], "won")
    assert found.interval(0) == pytest.approx((0, 0.1135134), abs=1e-6)


def test_leaders_of_one_cell_against_all_of_their_role() -> None:
    """What is expected stays the mean of all seats of the role, leaders or not."""
    row = only(pacing.leaders(pattern()), third="last third", role="alien")
    assert (row["expected"], row["difference"]) == pytest.approx((0.25, 0.25))
