"""How strong aliens are, in records worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import alien_strength
from analysis.records import Tables
from tests.analysis.kit import Book, only, pattern


@pytest.fixture(scope="module")
def records() -> Any:
    return pattern()


def wins(share_of_10: int, block: int) -> int:
    """Seat 1, the alien, in so many of ten blocks, or seat 2."""
    return 1 if block % 10 < share_of_10 else 2


def grid(shares: dict[tuple[int, str, int], int], blocks: int = 40, alien: str = "Raiding Party") -> Tables:
    """A cell for each (players, length, threshold), where the alien wins so many of ten games."""
    book = Book()
    for cell, ((players, length, threshold), share) in enumerate(shares.items()):
        for block in range(blocks):
            book.game(
                block, wins(share, block), cell=cell, players=players, length=length, threshold=threshold,
                alien_card=alien,
            )  # fmt: skip
    return book.tables()


def two_aliens(first: int, second: int, blocks: int, apart: int = 0) -> Tables:
    """Two aliens that win so many of ten games; the second in blocks of its own, if they are apart."""
    book = Book()
    for block in range(blocks):
        book.game(block, wins(first, block), cell=0)
        book.game(block + apart, wins(second, block), cell=1, alien_card="World Enders")
    return book.tables()


# --- the battle -------------------------------------------------------------------------------------------
def test_strength(records: Any) -> None:
    """Margins of companies: -25, -10, -5, 0, 5, 10, 15, 25, thirty of each."""
    (row,) = alien_strength.strength(records).to_dicts()
    assert (row["players"], row["setting"], row["alien_card"]) == (3, "short", "Raiding Party")
    assert (row["rate"], row["n"], row["blocks"], row["method"]) == (0.25, 120, 120, "Wilson")
    assert (row["survivors"], row["none_survived"]) == (1.25, 0.25)
    assert (row["attack"], row["defence"], row["margin"]) == (40.0, 41.875, 1.875)
    assert (row["margin_25"], row["margin_50"], row["margin_75"]) == (-10, 0, 10)


def test_strength_keeps_cells_apart() -> None:
    table = alien_strength.strength(two_aliens(3, 8, 40))
    assert table["alien_card"].to_list() == ["Raiding Party", "World Enders"]
    assert table["rate"].to_list() == pytest.approx([0.3, 0.8])


def test_margins(records: Any) -> None:
    table = alien_strength.margins(records)
    assert table["margin"].to_list() == [-25, -10, -5, 0, 5, 10, 15, 25]
    assert table["n"].to_list() == [30] * 8
    assert table["share"].to_list() == [0.125] * 8
    assert alien_strength.margins(records, "setting", "alien_card")["share"].to_list() == [0.125] * 8


def test_battles(records: Any) -> None:
    """Attack and defence rounded down to tens; the alien's own seat has neither."""
    table = alien_strength.battles(records)
    assert [tuple(row.values()) for row in table.drop("alien_card").to_dicts()] == [
        (30, 30, 30), (30, 40, 60), (30, 50, 30), (40, 40, 30), (50, 40, 60), (60, 30, 30),
    ]  # fmt: skip


def test_sources(records: Any) -> None:
    """Dealt cards without what tactics add: 16, 30, 5, 30, 25, 10, 10, 0; mash cards: 8, 10, 5 and five times 0.

    Attacks by block: 110, 80, 70, 60 on two companies: residuals 30, 0, -10, -20.
    """
    (row,) = alien_strength.sources(records).to_dicts()
    parts = {name: row[name] for name in alien_strength.SOURCES}
    assert parts == {"base": 20.0, "cards": 15.75, "mash": 2.875, "tactics": 2.0, "other": -0.625}
    assert sum(parts.values()) == row["attack"] == 40.0
    assert (row["low"], row["high"]) == pytest.approx((38.3020784, 41.6979216), abs=1e-6)
    assert (row["intel_used"], row["mashes_used"]) == (1.0, 0.5)
    assert (row["n"], row["blocks"]) == (240, 120)


def test_drivers_in_one_cell() -> None:
    """High base attacks in half of the games: the alien wins 3 of 4 with them, 1 of 4 without.

    Each group: 60 games in 60 blocks, variance 0.1875 / 59; t(59) = 2.000995.
    """
    book = Book()
    for block in range(120):
        much = block % 2
        quarter = block // 2 % 4
        book.game(block, 1 if quarter < (3 if much else 1) else 2, base_attack=10 + 10 * much)
    table = alien_strength.drivers(book.tables())
    assert table["what"].to_list() == ["base attack"]  # nothing else varies
    row = table.to_dicts()[0]
    assert (row["with_more"], row["with_less"], row["difference"]) == (0.75, 0.25, 0.5)
    assert (row["n"], row["blocks"]) == (120, 60)
    half = 2.000995 * (2 * 0.1875 / 59) ** 0.5
    assert (row["low"], row["high"]) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-5)


# --- which alien ------------------------------------------------------------------------------------------
def test_recommend() -> None:
    (row,) = alien_strength.recommend(two_aliens(2, 6, 40)).to_dicts()
    assert (row["players"], row["setting"], row["alien_card"], row["second"]) == (
        3, "short", "World Enders", "Raiding Party",
    )  # fmt: skip
    assert (row["rate"], row["second_rate"], row["distance"]) == pytest.approx((0.6, 0.2, 0.1))
    assert row["n"] == 40
    assert 0.9 < row["sure"] <= 1
    (row,) = alien_strength.recommend(two_aliens(2, 6, 40), target=0.3).to_dicts()
    assert row["alien_card"] == "Raiding Party"
    assert row["distance"] == pytest.approx(-0.1)


def test_recommend_is_not_sure_of_what_it_cannot_know() -> None:
    """Rates of 0.4 and 0.6, apart from each other: either may be nearer to 0.5."""
    (row,) = alien_strength.recommend(two_aliens(4, 6, 100, apart=1000)).to_dicts()
    assert row["sure"] == pytest.approx(0.5, abs=0.04)
    assert row["distance"] == pytest.approx(-0.1)


def test_recommend_sure_by_hand() -> None:
    """0.5 is nearer than 0.7 unless luck fooled us. Standard errors of 100 games: 0.0503 and 0.0461.

    With u, v the true distances: P(|N(0, 0.0503)| < |N(0.2, 0.0461)|) = P(u - v < 0.2 and u + v > -0.2), where both
    sums have the standard error 0.0682: about 1 - 2 × 0.0017 = 0.9967.
    """
    (row,) = alien_strength.recommend(two_aliens(5, 7, 100, apart=1000)).to_dicts()
    assert row["sure"] == pytest.approx(0.9967, abs=0.004)


def test_advice() -> None:
    """6, 4, 2 of ten wins at 2, 3, 4 projects a player: 0.2 less a step. With 4 players a tenth less: -0.1."""
    shares = {
        (3, "short", 6): 6, (3, "standard", 9): 4, (3, "epic", 12): 2,
        (4, "short", 8): 5, (4, "standard", 12): 3, (4, "epic", 16): 1,
    }  # fmt: skip
    table = alien_strength.advice(grid(shares, 100))
    length, players = only(table, what="length"), only(table, what="players")
    assert length["slope"] == pytest.approx(-0.2)
    assert players["slope"] == pytest.approx(-0.1)
    assert (length["steps"], players["steps"], length["n"], length["blocks"]) == (3, 2, 600, 100)
    assert (length["verdict"], players["verdict"]) == ("supported", "supported")


def test_advice_slopes_are_averaged_over_the_rest() -> None:
    """With 3 players +0.1 a step, with 4 players none: +0.05. Longer games are better for the alien: contradicted."""
    shares = {
        (3, "short", 6): 2, (3, "standard", 9): 3, (3, "epic", 12): 4,
        (4, "short", 8): 3, (4, "standard", 12): 3, (4, "epic", 16): 3,
    }  # fmt: skip
    table = alien_strength.advice(grid(shares, 400))
    length, players = only(table, what="length"), only(table, what="players")
    assert length["slope"] == pytest.approx(0.05)
    assert length["verdict"] == "contradicted"
    assert players["slope"] == pytest.approx(0, abs=1e-12)
    assert players["verdict"] == "neither"


def test_advice_compares_tables_of_the_same_size() -> None:
    """3 players at 2 and 3 projects each, 4 players at 3 and 4: +0.1 a step at both.

    All tables in one pot would say that longer games are worse for the alien: 0.6 and 0.7, then 0.2 and 0.3.
    """
    shares = {(3, "short", 6): 6, (3, "standard", 9): 7, (4, "standard", 12): 2, (4, "epic", 16): 3}
    row = only(alien_strength.advice(grid(shares, 400)), what="length")
    assert row["slope"] == pytest.approx(0.1)
    assert (row["verdict"], row["n"]) == ("contradicted", 1600)


def test_advice_of_two_aliens_and_uneven_steps() -> None:
    """Thresholds 6, 9, 15 of 3 players are 2, 3, 5 a player.

    Centred: -4/3, -1/3, 5/3, squares 42/9. Rates 0.2, 0.3, 0.5 lie on a line: 0.1 a step. The other alien has one
    setting only, and no slope.
    """
    book = Book()
    for cell, (threshold, share) in enumerate(((6, 2), (9, 3), (15, 5))):
        for block in range(100):
            book.game(block, wins(share, block), cell=cell, threshold=threshold)
    for block in range(100):
        book.game(block, 1, cell=3, alien_card="World Enders")
    table = alien_strength.advice(book.tables())
    assert table.select("what", "alien_card").rows() == [("length", "Raiding Party")]
    assert table["slope"][0] == pytest.approx(0.1)
