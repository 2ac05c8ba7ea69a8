"""Strategies and cards, in records worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import cards, matchups
from analysis.records import Tables
from sim.errors import UserError
from tests.analysis.kit import Book, only, pattern


@pytest.fixture(scope="module")
def records() -> Any:
    return pattern()


# --- strategies -------------------------------------------------------------------------------------------
def test_shares(records: Any) -> None:
    """Bold has seven seats of the pattern with 2.5 points, meek five with 1.5; as the alien 1 of 3 and 0 of 1."""
    table = matchups.shares(records)
    figures = {(r["strategy"], r["role"]): (r["rate"], r["n"], r["difference"]) for r in table.to_dicts()}
    assert figures == {
        ("bold", "both"): (pytest.approx(2.5 / 7), 210, pytest.approx(2.5 / 7 - 1 / 3, abs=1e-8)),
        ("meek", "both"): (pytest.approx(0.3), 150, pytest.approx(0.3 - 1 / 3, abs=1e-8)),
        ("bold", "human"): (0.375, 120, pytest.approx(0)),
        ("meek", "human"): (0.375, 120, pytest.approx(0)),
        ("bold", "alien"): (pytest.approx(1 / 3), 90, pytest.approx(1 / 12, abs=1e-8)),
        ("meek", "alien"): (0.0, 30, pytest.approx(-0.25)),
    }
    row = only(table, strategy="bold", role="both")
    assert (row["blocks"], row["method"]) == (120, "Wilson by blocks")
    assert only(table, strategy="bold", role="alien")["expected"] == pytest.approx(0.25)


def test_head_to_head(records: Any) -> None:
    """Bold in seat 2 against meek in seat 3: equal, above, below, above: 2.5 of 4. Residuals -1, 3, -5, 3 eighths."""
    table = matchups.head_to_head(records)
    assert len(table) == 2
    row = only(table, strategy="bold", against="meek")
    assert (row["rate"], row["n"], row["blocks"], row["method"]) == (0.625, 120, 120, "Wilson by blocks")
    assert (row["low"], row["high"]) == pytest.approx((0.5476332, 0.6964689), abs=1e-6)
    assert row["p"] == pytest.approx(0.0013222, abs=1e-6)
    assert only(table, strategy="meek", against="bold")["rate"] == 0.375


def test_head_to_head_pairs_within_games_only() -> None:
    """Two cells with the same index and block: each game has two humans, so one pair each way."""
    book = Book()
    for block in range(30):
        for cell in range(2):
            seats = {"strategy": ["bold", "bold", "meek"], "rank": [3, 1 + cell, 2 - cell]}
            book.game(block, 2 + cell, cell=cell, seats=seats)
    table = matchups.head_to_head(book.tables())
    assert table["rate"].to_list() == [0.5, 0.5]
    assert table["n"].to_list() == [60, 60]
    assert table["blocks"].to_list() == [30, 30]


def test_head_to_head_counts_every_pair() -> None:
    """Bold in two human seats, meek in one; ranks 1, 2, 3: two pairs a game, both won by bold in even blocks."""
    book = Book()
    for block in range(60):
        ranks = [4, 1, 2, 3] if block % 2 == 0 else [4, 1, 3, 2]
        book.game(block, 2, players=4, seats={"strategy": ["meek", "bold", "bold", "meek"], "rank": ranks})
    row = only(matchups.head_to_head(book.tables()), strategy="bold", against="meek")
    assert (row["rate"], row["n"], row["blocks"]) == (0.75, 120, 60)


def test_rounds_spent(records: Any) -> None:
    """Bold as a human sits in seat 2: of 32 rounds 2 idle, 4 safe submissions, 26 of research."""
    table = matchups.rounds_spent(records)
    row = only(table, strategy="bold", role="human")
    assert {name: row[name] for name in matchups.ROUNDS} == {
        "researched": 26 / 32, "safe": 4 / 32, "standard": 0.0, "switched": 0.0, "idle": 2 / 32,
    }  # fmt: skip
    assert (row["projects"], row["scoops_given"], row["survived"], row["fame"]) == (1.25, 0.25, 0.75, 6.0)
    assert (row["scoops_suffered"], row["n"]) == (0.0, 120)
    alien = only(table, strategy="bold", role="alien")  # 22 rounds, 4 idle, 3 safe
    assert (alien["idle"], alien["safe"], alien["n"]) == (4 / 22, 3 / 22, 90)
    assert (alien["survived"], alien["fame"]) == (None, None)


# --- cards ------------------------------------------------------------------------------------------------
def test_projects(records: Any) -> None:
    """X was claimed by humans with 0, 1 and 1 points, Y by two with 0 and 1; the alien's claim does not count.

    The others without X have 0, 0, 0, 1/2, 1/2 points; without Y 0, 0, 0, 1, 1/2, 1/2.
    """
    table = cards.projects(records)
    assert table["card"].to_list() == ["X", "Y"]
    x, y = table.to_dicts()
    assert (x["rate"], x["n"], x["blocks"], x["a_game"]) == (pytest.approx(2 / 3), 90, 90, 0.75)
    assert (y["rate"], y["n"], y["blocks"], y["a_game"]) == (0.5, 60, 60, 0.5)
    assert (x["by"], x["by_share"], y["by_share"]) == ("bold", pytest.approx(2 / 3), 0.5)
    assert (x["over_without"], y["over_without"]) == pytest.approx((2 / 3 - 1 / 5, 1 / 2 - 1 / 3))
    assert (x["over_others"], y["over_others"]) == pytest.approx((1 / 6, -1 / 6))
    # X less Y by block: (0 - 2/3)/90 - (0 - 1/2)/60; (1 - 2/3)/90 - (1 - 1/2)/60; (1 - 2/3)/90: with 90/89 and
    # 60/59 under roots, as far as groups vary for themselves
    assert x["over_others_low"] < 1 / 6 < x["over_others_high"]
    assert x["p"] == pytest.approx(y["p"])
    assert x["p_holm"] == pytest.approx(min(1, 2 * x["p"]))


def test_error_of_a_card(records: Any) -> None:
    """The rate of Y: 30 of 60, one in a block: Wilson; of the difference X less Y by hand.

    Residuals by block (thirty each): X -2/270, 1/270, 1/270, Y -1/120, 1/120, 0. With a = sqrt(90/89) and
    b = sqrt(60/59): 30 × ((-2a/270 + b/120)² + (a/270 - b/120)² + (a/270)²) = 0.0011169. t(59) = 2.000995.
    """
    x, y = cards.projects(records).to_dicts()
    assert (y["low"], y["high"], y["method"]) == (
        pytest.approx(0.3773502, abs=1e-6), pytest.approx(0.6226498, abs=1e-6), "Wilson",
    )  # fmt: skip
    a, b = (90 / 89) ** 0.5, (60 / 59) ** 0.5
    parts = (-2 * a / 270 + b / 120, a / 270 - b / 120, a / 270)
    half = 2.000995 * (30 * sum(part * part for part in parts)) ** 0.5
    assert x["over_others_high"] == pytest.approx(1 / 6 + half, abs=1e-4)  # the code takes b for a
    assert x["over_others_low"] == pytest.approx(1 / 6 - half, abs=1e-4)


def test_cards_are_compared_within_cells() -> None:
    """X is common where humans win 3 of 4, and rare where they win 1 of 4; it makes no difference in either."""
    book = Book()
    for block in range(400):
        for cell in range(2):
            has = block % 10 < (9 if cell else 1)
            wins = block // 10 % 4 < (3 if cell else 1)
            acts = [("claim", "X" if has else "Y", 2)]
            book.game(block, 2 if wins else 1, cell=cell, players=2, acts=acts)
    row = only(cards.projects(book.tables()), card="X")
    assert row["rate"] == pytest.approx(0.9 * 0.75 + 0.1 * 0.25)
    assert (row["over_without"], row["over_others"]) == pytest.approx((0, 0), abs=1e-9)


def test_events(records: Any) -> None:
    """E was kept and played by the same seat: once. Storm concerns several, and is left out."""
    (row,) = cards.events(records).to_dicts()
    assert (row["card"], row["rate"], row["n"], row["a_game"], row["by"]) == ("E", 0.5, 30, 0.25, "bold")
    # without: points 0, 0, 1, 0, 0, 1, 1/2 of seven
    assert row["over_without"] == pytest.approx(0.5 - 2.5 / 7)
    assert row["over_others"] is None


def test_counts(records: Any) -> None:
    rows = cards.counts(records).select("card", "act", "n", "a_game").rows()
    assert rows == [
        ("X", "claim", 120, 1.0), ("Y", "claim", 60, 0.5), ("Z", "reveal", 30, 0.25), ("E", "keep", 30, 0.25),
        ("E", "play", 30, 0.25), ("Storm", "event", 30, 0.25),
    ]  # fmt: skip


@pytest.mark.parametrize("table", [cards.projects, cards.events, cards.counts])
def test_without_acts(table: Any) -> None:
    book = Book()
    book.game(0, 1)
    frames = book.tables().frames
    with pytest.raises(UserError, match="claims and events were not kept"):
        table(Tables({name: frames[name] for name in ("games", "seats")}))
