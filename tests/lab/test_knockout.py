"""Card knock-out: effects that can be worked out by hand, and cards whose effect is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from analysis.blocks import Estimates, estimate
from analysis.intervals import wilson
from analysis.lab import knockout
from analysis.lab.knockout_cards import Card, chosen_cards, playable
from analysis.lab.stages import base_words, load_result
from reports.lab.knockout import KINDS
from reports.lab.knockout import chapter as page
from sim.errors import UserError
from sim.games.eti.cards import dump_cards, load_cards
from sim.study import make_plan
from tests.runs.kit import fine, xeno

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
    won = [(winner == seat).astype(int) for seat in range(3)]
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
    """Points more than in the first arm, in sixtieths, and seats, of strategies that each keep a seat."""
    names = ["a", "b", "c", "d"][:players]
    points = {name: (winner == seat).astype(int) * 60 for seat, name in enumerate(names)}
    return {name: one - one[:, :1] for name, one in points.items()}, dict.fromkeys(
        names, np.ones(len(winner))
    )


def test_a_shift_of_shares_is_found_and_whose() -> None:
    luck = np.random.default_rng(5)
    base = luck.integers(0, 3, 600)
    helped = np.where(luck.random(600) < 0.2, 1, base)
    other = np.where(luck.random(600) < 0.2, luck.permutation(base), base)
    more, seats = table_of(np.column_stack([base, base, helped, other]), 3)
    whole, parts = knockout.shifts(more, seats, [1, 2, 3])
    assert whole.row(0) == (0.0, "", 1.0, 1.0)
    assert whole["shifted"][1] == "b" and whole["shift"][1] > 0.08
    assert whole["shift_p_holm"][1] < 1e-6
    assert whole["shift_p_holm"][2] > 0.05
    assert parts.height == 9
    extra = (helped == 1).astype(float) - (base == 1)
    row = parts.filter(pl.col("place") == 2, pl.col("strategy") == "b").row(0, named=True)
    assert row["difference"] == pytest.approx(extra.mean())
    assert row["high"] - row["low"] == pytest.approx(
        2 * stats.t.ppf(0.975, 599) * extra.std(ddof=1) / 600**0.5
    )


def test_the_shift_is_hotellings_test() -> None:
    """With a seat each: T² of the differences of all strategies but one."""
    luck = np.random.default_rng(6)
    base, other = luck.integers(0, 4, 300), luck.integers(0, 4, 300)
    whole, _ = knockout.shifts(*table_of(np.column_stack([base, other]), 4), [1])
    extra = np.column_stack([(other == k).astype(float) - (base == k) for k in range(3)])
    mean, spread = extra.mean(axis=0), np.cov(extra.T) / 300
    statistic = float(mean @ np.linalg.solve(spread, mean)) * (300 - 3) / (3 * 299)
    assert whole["shift_p"][0] == pytest.approx(float(stats.f.sf(statistic, 3, 297)), rel=1e-6)


def test_shares_by_chance_have_even_p_values() -> None:
    values = []
    for seed in range(300):
        luck = np.random.default_rng(seed)
        base, other = luck.integers(0, 3, 120), luck.integers(0, 3, 120)
        values.append(knockout.shifts(*table_of(np.column_stack([base, other]), 3), [1])[0]["shift_p"][0])
    assert float(stats.kstest(values, "uniform").pvalue) > 0.01


def test_strategies_that_draw_their_seats_have_shares_of_them() -> None:
    """In a pool a strategy may have several seats of a game, or none."""
    luck = np.random.default_rng(7)
    seats_a = luck.integers(0, 4, 400)
    wins_a = (luck.random(400) < seats_a / 3).astype(int)
    gains = ((wins_a == 0) & (seats_a > 0) & (luck.random(400) < 0.3)).astype(int)
    nothing = np.zeros(400, int)
    more = {"a": np.column_stack([nothing, 60 * gains]), "b": np.column_stack([nothing, -60 * gains])}
    whole, parts = knockout.shifts(more, {"a": seats_a, "b": 3 - seats_a}, [1])
    assert parts["difference"].to_list() == pytest.approx(
        [gains.sum() / seats_a.sum(), -gains.sum() / (3 - seats_a).sum()]
    )
    assert whole["shift_p"][0] < 0.001


def test_one_strategy_alone_cannot_shift() -> None:
    whole, _ = knockout.shifts({"a": np.zeros((100, 2), int)}, {"a": np.full(100, 3)}, [1])
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


# --- which cards -----------------------------------------------------------------------------------------
def cards_at(mode: str, by: float | None = None, **words: Any) -> dict[str, Card]:
    """The cards of a table of three with their changes."""
    base = base_words(players=3, length="short")
    chosen = chosen_cards(base, words.get("cards_of", ()), words.get("only", ()))
    return {card.name: card for card in playable(make_plan({**base, "games": 1}), chosen, mode, by)}


def test_all_cards_are_played_if_none_are_named() -> None:
    found = cards_at("blank")
    counts = [sum(card.section == section for card in found.values()) for section in KINDS]
    assert counts == [40, 25, 6, 4]
    assert found["Decoy Beacon"] == Card("Decoy Beacon", "events", ("blank Decoy Beacon",))
    assert not any(card.problem for card in found.values())


def test_a_factor_is_for_what_is_good_for_its_owner() -> None:
    found = cards_at("scale", 1.5, only=["planetary-shield", "bunker blueprints", "Sealed Directive"])
    assert list(found) == ["Planetary Shield", "Sealed Directive", "Bunker Blueprints"]  # as in the set
    assert found["Planetary Shield"].changes == (
        "Planetary Shield.defence*=1.5",
        "Planetary Shield.fame*=1.5",
    )
    assert found["Bunker Blueprints"].changes == ("Bunker Blueprints.amount*=1.5",)
    assert found["Sealed Directive"].problem == "Sealed Directive has no amount"


def test_what_cannot_be_removed_is_left_out_and_says_why() -> None:
    found = cards_at("remove", cards_of=["events", "aliens"])
    assert {card.section for card in found.values() if card.problem} == {"aliens"}
    assert found["World Enders"].problem == "an alien card cannot be removed"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"mode": "blnk"}, "did you mean 'blank'"),
        ({"by": 2}, "valid: with mode scale only"),
        ({"mode": "scale", "by": 1}, "other than 1"),
        ({"mode": "scale", "by": -1}, "from 0 to 100"),
        ({"mode": "scale", "by": float("nan")}, "from 0 to 100"),
        ({"only": ["world endrs"]}, "did you mean 'world-enders'"),
        ({"cards_of": ["event"]}, "did you mean 'events'"),
        ({"cards_of": ["events"], "only": ["World Enders"]}, "valid: one of them"),
        ({"mode": "remove", "cards_of": ["aliens"]}, "an alien card cannot be removed; and no other card"),
        ({"metrics": ["round"]}, "did you mean 'rounds'"),
        ({"metrics": []}, "0 metrics"),
        ({"confirm": -1}, "from 0 to 100"),
        ({"games": 0}, "games"),
    ],
)
def test_wrong_words(words: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    """Told in lines, before anything is played or written."""
    with pytest.raises(UserError) as error:
        knockout.knockout(base_words(players=3, length="short"), out=tmp_path / "out", **words)
    assert complaint in str(error.value)
    assert "; valid" in str(error.value)
    assert not (tmp_path / "out").exists()


# --- a real one ------------------------------------------------------------------------------------------
PLANTED, IDLE = "Bunker Blueprints", "Synthetic Polymers"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All events, one of them far too strong, and a project that is blank already; and the folder."""
    folder = tmp_path_factory.mktemp("knockout")
    cards = load_cards()
    strong = tuple(
        replace(event, effects=(replace(event.effects[0], amount=150),)) if event.name == PLANTED else event
        for event in cards.events
    )
    idle = tuple(
        replace(one, defence=0, fame=0, upgrades=()) if one.name == IDLE else one for one in cards.projects
    )
    (folder / "cards.toml").write_text(
        dump_cards(replace(cards, events=strong, projects=idle)), encoding="utf-8"
    )
    names = [*(event.name for event in cards.events), IDLE]
    told = fine(
        xeno(
            "knockout", *(word for name in names for word in ("--only", name)), "--players", 3, "--length", "short",
            "--cards", folder / "cards.toml", "--games", 1200, "--confirm", 1, "--json", "--out", folder / "out",
        )
    )  # fmt: skip
    return json.loads(told), folder / "out"


def test_a_planted_broken_card_is_the_first_and_confirmed(played: Any) -> None:
    first = played[0]["tables"]["cards"][0]
    assert (first["rank"], first["card"]) == (1, PLANTED)
    assert first["alien_win"] > 0.03 and first["alien_win_p_holm"] < 0.001
    (again,) = [row for row in played[0]["tables"]["fresh"] if row["card"] == PLANTED]
    assert again["alien_win_low"] > 0.02
    assert played[0]["verdict"][1].startswith(f"With {PLANTED} blank: alien wins +")
    assert "on fresh luck" in played[0]["verdict"][1]


def test_a_card_that_is_blank_already_has_exactly_no_effect(played: Any) -> None:
    row = next(row for row in played[0]["tables"]["cards"] if row["card"] == IDLE)
    assert [row[name] for name in ("alien_win", "rounds", "changed", "shift")] == [0, 0, 0, 0]
    assert row["note"] == "not one game came out differently"
    assert row["alien_win_p_holm"] == row["rounds_p_holm"] == row["shift_p_holm"] == 1
    assert row["alien_win_high"] > 0  # what did not happen in 1,200 games may happen in 12,000


def test_its_tables_and_its_page(played: Any) -> None:
    result = load_result(played[1])
    assert result.tables["cards"]["card"].n_unique() == result.tables["cards"].height == 26
    assert result.tables["strategies"].height == 26 * 3
    chapter = page(result)
    assert [table.id for table in chapter.tables] == [
        "knockout-cards", "knockout-fresh", "knockout-winners", "knockout-strategies",
    ]  # fmt: skip
    assert [figure.id for figure in chapter.figures] == ["knockout-alien-win", "knockout-rounds"]
    assert chapter.findings[0].n == 1200
    assert (played[1] / "report.html").is_file()
