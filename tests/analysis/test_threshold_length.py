"""How long games last, in records worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from analysis import threshold_length
from analysis.records import Tables
from tests.analysis.kit import Book, only, pattern


@pytest.fixture(scope="module")
def records() -> Any:
    return pattern()


def steps(rounds: dict[int, int], noise: int = 1) -> Tables:
    """A cell for each threshold, with its mean number of rounds; one more and one less in turns."""
    book = Book()
    for cell, (threshold, mean) in enumerate(rounds.items()):
        for block in range(40):
            sway = noise * (1 if (block >> cell) % 2 else -1)
            book.game(block, 2, cell=cell, threshold=threshold, rounds=mean + sway)
    return book.tables()


def test_lengths(records: Any) -> None:
    """Rounds 6, 8, 8, 10: variance 2 / 119. Minutes: 1 + 3 + 8 × 2 + 80 × 0.5 and twice as slow."""
    pace = {"set_up": (1.0, 2.0), "invasion": (3.0, 6.0), "round": (2.0, 4.0), "decision": (0.5, 1.0)}
    (row,) = threshold_length.lengths(records, pace).to_dicts()
    assert (row["players"], row["setting"], row["rounds"], row["decisions"]) == (3, "short", 8.0, 80.0)
    assert (row["low"], row["high"]) == pytest.approx((7.7432984, 8.2567016), abs=1e-6)
    assert (row["rounds_10"], row["rounds_50"], row["rounds_90"]) == (6, 8, 10)
    assert (row["minutes_quick"], row["minutes_slow"]) == (60.0, 120.0)
    assert (row["n"], row["blocks"], row["method"]) == (120, 120, "mean by blocks")


def test_lengths_with_the_assumed_pace(records: Any) -> None:
    """8 + 5 + 8 × 0.5 + 80 × 0.04 minutes, and 12 + 10 + 8 × 1 + 80 × 0.1."""
    (row,) = threshold_length.lengths(records).to_dicts()
    assert (row["minutes_quick"], row["minutes_slow"]) == pytest.approx((20.2, 38.0))


def test_survival(records: Any) -> None:
    table = threshold_length.survival(records)
    assert table["round"].to_list() == list(range(11))
    assert table["going_on"].to_list() == [1.0] * 6 + [0.75, 0.75, 0.25, 0.25, 0.0]
    assert set(table["n"]) == {120}
    assert table.select("players", "setting").unique().rows() == [(3, "short")]


def test_timing(records: Any) -> None:
    """Reached in rounds 4, 5, 6 and never: 5 on average of 90 games. Waits 0, 1, 1; after 2, 2, 1, 1."""
    (row,) = threshold_length.timing(records).to_dicts()
    assert (row["threshold_round"], row["n"], row["blocks"]) == (5.0, 120, 120)
    assert (row["low"], row["high"]) == pytest.approx((4.8280300, 5.1719700), abs=1e-6)
    assert (row["threshold"], row["reached"], row["after"]) == (6, 0.75, 1.5)
    assert row["waits"] == pytest.approx(2 / 3)
    reasons = (row["at_once"], row["in_time"], row["no_project"], row["at_limit"])
    assert reasons == (0.25, 0.5, 0.0, 0.25)


def test_waiting(records: Any) -> None:
    """Waits 0, 1, 1 in the 90 games that reached the threshold; after 2, 2, 1, 1 in all 120."""
    waits, after = threshold_length.waiting(records).to_dicts()
    assert (waits["what"], waits["rounds"], waits["n"]) == ("waits", pytest.approx(2 / 3), 90)
    assert (after["what"], after["rounds"], after["n"]) == ("after", 1.5, 120)
    half = 1.986979 * (2 / 9 / 89) ** 0.5  # t(89)
    assert (waits["low"], waits["high"]) == pytest.approx((2 / 3 - half, 2 / 3 + half), abs=1e-6)
    half = 1.980100 * (1 / 4 / 119) ** 0.5  # t(119)
    assert (after["low"], after["high"]) == pytest.approx((1.5 - half, 1.5 + half), abs=1e-6)


def test_outcomes(records: Any) -> None:
    """Levels 6/4, 5/2, none held, 12/3: 8/3 on average of 90 games."""
    table = threshold_length.outcomes(records)
    assert dict(table.select("outcome", "value").rows()) == {
        "alien_won": 0.25, "rounds": 8.0, "scoops": 1.0, "level": pytest.approx(8 / 3), "lead_changes": 1.0,
        "survivors": 1.25,
    }  # fmt: skip
    assert dict(table.select("outcome", "n").rows())["level"] == 90
    row = only(table, outcome="alien_won")
    assert (row["players"], row["threshold"], row["a_player"], row["method"]) == (3, 6, 2.0, "Wilson")
    assert only(table, outcome="rounds")["method"] == "mean by blocks"


def test_marginal() -> None:
    """10, 16 and 22 rounds at 6, 9 and 15 projects: 2 rounds more a project, then 1: one less.

    Each cell sways by 1 around its mean, cell k with the k-th bit of the block, so that no two go together.
    Variances: 1 / 39 each. First effect: sqrt(2 / 39) / 3 = 0.0754851. Change (22 - 16) / 6 - (16 - 10) / 3 has the
    weights 1/3, -1/2, 1/6: sqrt(14 / 36 / 39) = 0.0998575. t(39) = 2.022691.
    """
    table = threshold_length.marginal(steps({6: 10, 9: 16, 15: 22}))
    first, second = table.filter(table["outcome"] == "rounds").to_dicts()
    assert (first["step"], second["step"]) == ("6 to 9", "9 to 15")
    assert (first["effect"], second["effect"], second["change"]) == pytest.approx((2, 1, -1))
    half = 2.022691 * 0.0754851
    assert (first["low"], first["high"]) == pytest.approx((2 - half, 2 + half), abs=1e-5)
    half = 2.022691 * 0.0998575
    assert (second["change_low"], second["change_high"]) == pytest.approx((-1 - half, -1 + half), abs=1e-5)
    assert (first["change"], first["returns"], second["returns"]) == (None, "", "diminishing")
    assert (first["players"], first["blocks"]) == (3, 40)


@pytest.mark.parametrize(
    ("rounds", "word"),
    [
        ({6: 10, 9: 16, 12: 22}, "steady"),
        ({6: 10, 9: 13, 12: 22}, "growing"),
        ({6: 10, 9: 22, 12: 16}, "turning"),
        ({6: 30, 9: 18, 12: 15}, "diminishing"),
        ({6: 30, 9: 27, 12: 18}, "growing"),
    ],
)
def test_returns(rounds: dict[int, int], word: str) -> None:
    table = threshold_length.marginal(steps(rounds))
    assert table.filter(table["outcome"] == "rounds")["returns"].to_list() == ["", word]


def test_marginal_keeps_numbers_of_players_apart() -> None:
    book = Book()
    for block in range(40):
        for cell, (players, threshold, rounds) in enumerate(
            ((3, 6, 10), (3, 9, 13), (4, 8, 10), (4, 12, 30))
        ):
            book.game(block, 2, cell=cell, players=players, threshold=threshold, rounds=rounds + block % 2)
    table = threshold_length.marginal(book.tables())
    rounds = table.filter(table["outcome"] == "rounds")
    assert rounds.select("players", "step", "effect").rows() == [(3, "6 to 9", 1.0), (4, "8 to 12", 5.0)]
