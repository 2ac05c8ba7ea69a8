"""How games feel, in records worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import pacing
from tests.analysis.kit import Book, only, pattern


@pytest.fixture(scope="module")
def records() -> Any:
    return pattern()


def test_overview(records: Any) -> None:
    """Winners were 0, 1, 4, 0 behind; 4 scoops in 32 rounds; 6 idle rounds of 96; 80 forced decisions of 400.

    After two thirds seat 1 of the first game is 2 ahead, seat 2 of the third game 3; of the three alone in front
    then, the one of the first game still is.
    """
    (row,) = pacing.overview(records).to_dicts()
    assert (row["lead_changes"], row["n"], row["blocks"]) == (1.0, 120, 120)
    assert (row["low"], row["high"]) == pytest.approx((0.8716492, 1.1283508), abs=1e-6)
    assert (row["drama"], row["comeback"], row["runaway"]) == (1.25, 0.25, 0.5)
    assert row["overtaken"] == pytest.approx(2 / 3)
    assert (row["scoops"], row["idle"], row["forced"]) == (0.125, 0.0625, 0.2)


def test_habits(records: Any) -> None:
    """As in the overview; of 2880 rounds of seats and 12,000 decisions, in 120 blocks."""
    table = pacing.habits(records)
    assert {row["what"]: (row["rate"], row["n"], row["blocks"]) for row in table.to_dicts()} == {
        "comeback": (0.25, 120, 120),
        "runaway": (0.5, 120, 120),
        "overtaken": (pytest.approx(2 / 3), 90, 90),
        "idle": (0.0625, 2880, 120),
        "forced": (0.2, 12000, 120),
    }
    assert set(table["method"]) == {"Wilson", "Wilson by blocks"}
    # forced: 20 of 80, 100, 100, 120: residuals 4, 0, 0, -4, error sqrt(30 × 32 × 120/119) / 12000 = 0.0025928
    row = only(table, what="forced")
    assert (row["high"] - row["low"]) / 2 == pytest.approx(1.980100 * 0.0025928, rel=1e-3)


def test_leaders(records: Any) -> None:
    """Alone in front: seat 1 and 2 of games 1 and 3; then seats 1, 2, 2; then 1, 1, 2 of games 1, 2, 4.

    Humans win 0.375 at all, the alien 0.25.
    """
    table = pacing.leaders(records)
    figures = {(r["third"], r["role"]): (r["rate"], r["n"], r["difference"]) for r in table.to_dicts()}
    assert figures == {
        ("first third", "human"): (0.0, 30, pytest.approx(-0.375)),
        ("first third", "alien"): (1.0, 30, pytest.approx(0.75)),
        ("second third", "human"): (0.5, 60, pytest.approx(0.125)),
        ("second third", "alien"): (1.0, 30, pytest.approx(0.75)),
        ("last third", "human"): (0.5, 30, pytest.approx(0.125)),
        ("last third", "alien"): (0.5, 60, pytest.approx(0.25)),
    }
    assert set(table.filter(table["role"] == "alien")["expected"]) == {0.25}
    assert set(table.filter(table["role"] == "human")["expected"]) == {0.375}


def test_leaders_are_corrected_together(records: Any) -> None:
    """The humans of the second third: 0.125 more, with an error of 0.0651 if the 0.375 were known, or 0.0681."""
    row = only(pacing.leaders(records), third="second third", role="human")
    assert 0.058 < row["p"] < 0.073
    assert row["p_holm"] == pytest.approx(row["p"], abs=1e-12)  # the largest of all: times 1


def test_by_lead(records: Any) -> None:
    """Humans after the first third: -1 thrice without a win; 0: 1 and 1/2; 2: none; -3: 1; -2: 1/2."""
    table = pacing.by_lead(records)
    first = table.filter(table["third"] == "first third").select("lead", "rate", "n").rows()
    assert first == [(-3, 1.0, 30), (-2, 0.5, 30), (-1, 0.0, 90), (0, 0.75, 60), (2, 0.0, 30)]
    last = table.filter(table["third"] == "last third").select("lead", "rate", "n").rows()
    assert last == [(-4, 0.0, 30), (-3, 0.0, 30), (-2, 0.5, 30), (-1, 0.5, 60), (0, 0.5, 60), (1, 0.5, 30)]


def test_behind(records: Any) -> None:
    third = pytest.approx(1 / 3)
    assert sorted(pacing.behind(records).select("role", "behind", "n", "share").rows()) == [
        ("alien", 0, 30, 1.0), ("human", 0, 30, third), ("human", 1, 30, third), ("human", 4, 30, third),
    ]  # fmt: skip


def test_far_behind_counts_as_five() -> None:
    book = Book()
    for block, worst in enumerate((4, 5, 6, 9)):
        book.game(block, 2, seats={"behind": [0, worst, 0]})
    assert pacing.behind(book.tables()).select("behind", "n").rows() == [(4, 1), (5, 3)]
