"""Win rates of the hand-made pattern: 120 games, the alien in seat 1 wins 30, and so on."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import win_rates
from analysis.records import Tables
from tests.analysis.kit import Book, only, pattern


@pytest.fixture(scope="module")
def records() -> Any:
    return pattern()


def rotated() -> Tables:
    """40 blocks of two games with the same luck: the alien wins both, one, none or one of them."""
    book = Book()
    for block in range(40):
        for twin in range(2):
            book.game(block, 1 if (block % 4 == 0 or (block % 2 == 1 and twin == 0)) else 2)
    return book.tables()


def test_by_role(records: Any) -> None:
    """Wilson for 30 of 120: (0.25 + z²/240 ± z·sqrt(0.1875/120 + z²/57600)) / (1 + z²/120)."""
    (row,) = win_rates.by_role(records).to_dicts()
    assert (row["players"], row["n"], row["blocks"], row["method"], row["note"]) == (
        3,
        120,
        120,
        "Wilson",
        "",
    )
    assert (row["alien"], row["each_human"], row["even"]) == (0.25, 0.375, 0.5)
    assert row["fair"] == pytest.approx(1 / 3)
    assert (row["low"], row["high"]) == pytest.approx((0.1810982, 0.3344114), abs=1e-7)


def test_of_alien(records: Any) -> None:
    (row,) = win_rates.of_alien(records).to_dicts()
    assert (row["rate"], row["n"]) == (0.25, 120)
    by_rounds = win_rates.of_alien(records, "setting", "rounds")
    assert by_rounds["rounds"].to_list() == [6, 8, 10]
    assert by_rounds["rate"].to_list() == [1.0, 0.0, 0.0]
    assert by_rounds["n"].to_list() == [30, 60, 30]
    assert set(by_rounds["setting"]) == {"short"}


def test_a_rate_by_blocks() -> None:
    """Sums of 2, 1, 0 and 1 wins in 40 blocks: 40 of 80.

    Residuals are 1, 0, -1, 0: variance 20 / 80² × 40/39 = 0.0032051, worth 0.25 / 0.0032051 = 78 rows, and Wilson
    with t(39) = 2.022691 instead of z.
    """
    (row,) = win_rates.of_alien(rotated()).to_dicts()
    assert (row["rate"], row["n"], row["blocks"], row["method"]) == (0.5, 80, 40, "Wilson by blocks")
    assert (row["low"], row["high"]) == pytest.approx((0.3883777, 0.6116223), abs=1e-7)


def test_shares_by_role(records: Any) -> None:
    """Alien: 30 of 120, fair 1/3. Humans: 90 points of 240 seats, per block 0, 1, 1, 1 of 2.

    Alien: Wilson's interval for 30 of 120 is 0.1810982 to 0.3344114 (z = 1.959964). Humans: standard error
    sqrt(0.1875 / 119) / 2 = 0.0198471, so as good as 595 independent seats; Wilson's with t(119) = 1.980100.
    """
    table = win_rates.shares(records, "role")
    alien, human = only(table, role="alien"), only(table, role="human")
    assert (alien["rate"], alien["n"], alien["blocks"]) == (0.25, 120, 120)
    assert (human["rate"], human["n"], human["blocks"]) == (0.375, 240, 120)
    assert (alien["method"], human["method"]) == ("Wilson", "Wilson by blocks")
    assert (alien["expected"], human["expected"]) == pytest.approx((1 / 3, 1 / 3))
    found = (alien["difference"], alien["difference_low"], alien["difference_high"])
    assert found == pytest.approx((-0.0833333, -0.1522351, 0.0010780), abs=1e-6)
    found = (human["difference"], human["difference_low"], human["difference_high"])
    assert found == pytest.approx((0.0416667, 0.0033060, 0.0816639), abs=1e-6)
    # score tests: t = 1.9365 and 2.1562; Holm doubles the smaller one
    assert (alien["p"], human["p"]) == pytest.approx((0.0551784, 0.0330944), abs=1e-6)
    assert (alien["p_holm"], human["p_holm"]) == pytest.approx((0.0661889, 0.0661889), abs=1e-6)


def test_shares_with_other_numbers_of_players() -> None:
    """Of a seat in games of 3 and of 5, 1/3 and 1/5 are fair: 40 × 3 and 40 × 5 seats have 80 / 320 on average."""
    book = Book()
    for block in range(40):
        book.game(block, 1 + block % 3, cell=0, players=3)
        book.game(block, 1 + block % 5, cell=1, players=5)
    row = only(win_rates.shares(book.tables(), "strategy"), strategy="bold")
    assert (row["rate"], row["n"], row["blocks"]) == (0.25, 320, 40)
    assert row["expected"] == pytest.approx(0.25)
    assert row["difference"] == 0
    by_players = win_rates.shares(book.tables(), "players", "role")
    assert by_players["expected"].to_list() == pytest.approx([1 / 3, 1 / 3, 1 / 5, 1 / 5])


def test_by_endgame(records: Any) -> None:
    """Famous had seats 2, 2, 3, 2 of the pattern: points 0, 1, 1, 1/2. Rich: 0, 0, 0, 1/2. Humans won 0.375."""
    table = win_rates.by_endgame(records)
    famous, rich = only(table, endgame="Famous"), only(table, endgame="Rich")
    assert len(table) == 2  # the aliens' cards are not among them
    assert (famous["rate"], rich["rate"]) == (0.625, 0.125)
    assert (famous["expected"], rich["expected"]) == pytest.approx((0.375, 0.375))
    assert (famous["difference"], rich["difference"]) == pytest.approx((0.25, -0.25))
    assert (famous["n"], famous["blocks"], famous["method"]) == (120, 120, "Wilson by blocks")


def test_by_endgame_against_its_own_cells() -> None:
    """A card in a cell where humans win 0.5 each, and another where they win nothing: expected is the cell's."""
    book = Book()
    for block in range(30):
        book.game(block, 2 + block % 2, cell=0, seats={"endgame": ["Raiding Party", "Famous", "Famous"]})
        book.game(block, 1, cell=1, seats={"endgame": ["Raiding Party", "Rich", "Rich"]})
    table = win_rates.by_endgame(book.tables())
    assert table["rate"].to_list() == [0.5, 0.0]
    assert table["expected"].to_list() == [0.5, 0.0]
    assert table["difference"].to_list() == [0.0, 0.0]


def test_by_distance(records: Any) -> None:
    """The first president sits in seat 2: seats 2, 3, 1 are 0, 1, 2 away. The president's decision counts."""
    table = win_rates.by_distance(records)
    assert table["distance"].to_list() == [0, 1, 2]
    assert table["rate"].to_list() == [0.5, 0.25, 0.25]
    assert table["expected"].to_list() == pytest.approx([1 / 3] * 3)
    assert table["difference"].to_list() == pytest.approx([1 / 6, -1 / 12, -1 / 12])


def test_by_distance_goes_around_the_table() -> None:
    """Five players, first presidents 5, 1 and 3: the winner is always the next one clockwise."""
    book = Book()
    for block in range(90):
        first = (5, 1, 3)[block % 3]
        book.game(block, first % 5 + 1, players=5, first_president=first)
    table = win_rates.by_distance(book.tables())
    assert table["distance"].to_list() == [0, 1, 2, 3, 4]
    assert table["rate"].to_list() == [0.0, 1.0, 0.0, 0.0, 0.0]
    assert table["n"].to_list() == [90] * 5


def test_seat_tests(records: Any) -> None:
    """Rates 1/2, 1/4, 1/4 of 120 games.

    The steps d1 - d0 = d2 - d0 = -1/4 have variances (3/4 - 1/16) / 119 and covariance (1/2 - 1/16) / 119; along
    (1, 1) that is 1.125 / 119, so the statistic is 119 × (2/16) / 1.125 = 119 / 9.
    """
    (row,) = win_rates.seat_tests(records).to_dicts()
    assert row["chi_square"] == pytest.approx(119 / 9)
    assert (row["players"], row["freedom"], row["n"], row["blocks"]) == (3, 2, 120, 120)
    assert row["p"] == pytest.approx(0.00167, abs=0.0005)  # exp(-119/18) = 0.0013, or 0.0020 by F
    assert row["p_holm"] == row["p"]


def test_seat_tests_by_number_of_players() -> None:
    """Nothing to see with three, all of it with four; Holm doubles the smaller p."""
    book = Book()
    for block in range(120):
        book.game(block, 1 + block % 3, cell=0, players=3)
        book.game(block, 2 if block % 2 else 1 + block // 2 % 4, cell=1, players=4)
    three, four = win_rates.seat_tests(book.tables()).to_dicts()
    assert (three["players"], four["players"]) == (3, 4)
    assert three["chi_square"] == pytest.approx(0, abs=1e-9)
    assert three["p"] == three["p_holm"] == pytest.approx(1)
    assert four["freedom"] == 3
    assert four["p"] < 1e-6
    assert four["p_holm"] == pytest.approx(2 * four["p"])
