"""Every table of Target Earth's analysis against figures worked out by hand."""

from __future__ import annotations

import polars as pl
import pytest

from analysis.intervals import wilson
from analysis.target_earth import course, decisive, personal, win_rates
from analysis.target_earth.records import ENDINGS, settings
from sim.errors import UserError
from sim.games.target_earth.records import WHY_WORDS
from tests.target_earth.made_up import game, records, seat

N = 40  # games of a cell: more than 30 blocks


# --- settings ----------------------------------------------------------------------------------------------
def test_settings_are_in_the_order_of_the_rules() -> None:
    cells = [game(0, True, cell, mode=mode) for cell, mode in enumerate(("hard", "easy", "normal"))]
    found = settings(records(cells))
    assert found["setting"].dtype.categories.to_list() == ["easy", "normal", "hard"]  # type: ignore[attr-defined]
    assert found["setting"].to_list() == ["hard", "easy", "normal"]


def test_settings_name_what_differs_and_nothing_else() -> None:
    games = [game(0, True, 0), game(0, True, 1, variant="advanced"), game(0, True, 2)]
    cells = [
        {"cell": 0, "strategies": "core, core", "cards": "reference", "changed_rules": ""},
        {"cell": 1, "strategies": "core, core", "cards": "reference", "changed_rules": ""},
        {"cell": 2, "strategies": "core, random", "cards": "reference", "changed_rules": "turns=6"},
    ]
    found = settings(records(games, cells=cells))["setting"].to_list()
    assert found == ["normal, base; core; as in the rulebook", "normal, advanced; core; as in the rulebook",
                     "normal, base; core, random; turns=6"]  # fmt: skip


# --- win rates ---------------------------------------------------------------------------------------------
def test_the_unit_is_the_game_and_not_the_seat() -> None:
    games = [game(k, k < 10, players=4, bases=4) for k in range(N)]
    seats = [seat(k, s, k < 10) for k in range(N) for s in (1, 2, 3, 4)]
    row = win_rates.of_alliance(records(games, seats)).to_dicts()[0]
    low, high = wilson(10, N)
    assert (row["rate"], row["n"], row["blocks"], row["method"]) == (0.25, N, N, "Wilson")
    assert (row["low"], row["high"]) == pytest.approx((low, high))


def test_by_players_and_mode() -> None:
    games = [game(k, k % 4 == 0, 0, players=2) for k in range(N)]
    games += [game(k, k % 2 == 0, 1, players=3, mode="easy") for k in range(N)]
    found = win_rates.of_alliance(records(games), "players", "mode")
    assert found.select("players", "mode", "rate").rows() == [(2, "normal", 0.25), (3, "easy", 0.5)]


def test_too_few_games_have_no_figure() -> None:
    row = win_rates.of_alliance(records([game(k, True) for k in range(29)])).to_dicts()[0]
    assert row["rate"] is None
    assert row["note"] == "too few games"


def test_every_ending_of_the_records_is_known() -> None:
    assert {why for _, why in ENDINGS} == set(WHY_WORDS)


def test_endings_add_up() -> None:
    ways = [(True, "points"), (True, "sudden"), (False, "sudden"), (False, "neither")]
    games = [game(k, ways[k % 4][0], why=ways[k % 4][1]) for k in range(N)]
    row = win_rates.endings(records(games)).to_dicts()[0]
    shares = {column: row[column] for column, _ in ENDINGS.values()}
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["won_last"] == shares["won_sudden"] == shares["lost_sudden"] == shares["lost_both"] == 0.25
    losses = win_rates.of_losses(records(games))
    known = dict(losses.select("ending", "rate").rows())
    assert known == {"lost_sudden": None, "lost_impossible": None, "lost_both": None, "lost_science": None,
                     "lost_points": None}  # fmt: skip  # 20 lost games are too few
    twice = games + [g | {"index": g["index"] + N, "block": g["block"] + N} for g in games]
    many = dict(win_rates.of_losses(records(twice)).select("ending", "rate").rows())
    assert many["lost_sudden"] == many["lost_both"] == 0.5
    assert many["lost_science"] == 0


def test_modes_are_compared_on_the_same_luck() -> None:
    games = [game(k, k < 20, 0, mode="easy") for k in range(N)] + [
        game(k, k < 16, 1, mode="hard") for k in range(N)
    ]
    row = win_rates.steps(records(games), "mode", ["players"]).to_dicts()[0]
    assert (row["players"], row["one"], row["other"], row["difference"]) == (
        2,
        "easy",
        "hard",
        pytest.approx(-0.1),
    )
    shared = row["high"] - row["low"]
    apart = [g | {"block": g["block"] + N * g["cell"]} for g in games]
    alone = win_rates.steps(records(apart), "mode", ["players"]).to_dicts()[0]
    assert shared < alone["high"] - alone["low"]


def test_options_are_compared_with_the_first() -> None:
    games = [game(k, k < wins, cell) for cell, wins in enumerate((20, 10, 30)) for k in range(N)]
    cells = [{"cell": cell, "strategies": "core, core", "cards": "reference", "changed_rules": f"turns={5 + cell}"}
             for cell in range(3)]  # fmt: skip
    found = win_rates.steps(records(games, cells=cells), "options", ["players"], from_first=True)
    assert found.select("one", "other").rows() == [("turns=5", "turns=6"), ("turns=5", "turns=7")]
    assert found["difference"].to_list() == pytest.approx([-0.25, 0.25])


def test_with_and_without_are_compared_within_cells() -> None:
    """An easy cell in which the strategy is rare, and a hard one in which it is common: it changes little in both."""
    games, seats = [], []
    for cell, (wins, having) in enumerate(((32, 8), (8, 32))):
        for k in range(N):
            has = k % 5 == 0 if having == 8 else k % 5 != 0
            won = k < wins
            games.append(game(k, won, cell))
            seats += [
                seat(k, 1, won, cell, strategy="brave" if has else "shy"),
                seat(k, 2, won, cell, strategy="shy"),
            ]
    found = win_rates.with_strategy(records(games, seats))
    row = found.filter(pl.col("strategy") == "brave").to_dicts()[0]
    assert row["n"] == 40
    with_it = [
        [g["won"] for g in games if g["cell"] == c and (g["index"] % 5 == 0) == (c == 0)] for c in (0, 1)
    ]
    without = [
        [g["won"] for g in games if g["cell"] == c and (g["index"] % 5 == 0) != (c == 0)] for c in (0, 1)
    ]
    rates = [(sum(a) / len(a) - sum(b) / len(b), len(a)) for a, b in zip(with_it, without, strict=True)]
    expected = sum(d * n for d, n in rates) / sum(n for _, n in rates)
    assert row["over_without"] == pytest.approx(expected)
    assert abs(row["over_without"]) < 0.05 < abs(row["rate"] - 0.5)
    assert found.filter(pl.col("strategy") == "shy")["over_without"].to_list() == [
        None
    ]  # it is at every table


# --- the course of games -----------------------------------------------------------------------------------
def test_averages_are_over_games_that_were_still_running() -> None:
    long = [game(k, True, alliance_1=20, alliance_7=40) for k in range(N)]
    short = [game(k, False, turns=3, why="sudden", alliance_1=10) for k in range(N, 2 * N)]
    found = course.curves(records(long + short)).filter(pl.col("what") == "alliance")
    known = {(row["result"], row["turn"]): row for row in found.to_dicts()}
    assert known["won", 1]["value"] == 20
    assert known["lost", 1]["value"] == 10
    assert known["won", 7]["value"] == 40
    assert ("lost", 4) not in known
    assert known["lost", 3]["n"] == N


def test_turn_by_turn() -> None:
    games = [game(k, False, turns=7) for k in range(30)] + [
        game(k, True, why="sudden", turns=5) for k in range(30, N)
    ]
    found = {row["turn"]: row for row in course.by_turn(records(games)).to_dicts()}
    assert [found[turn]["running"] for turn in (1, 5, 6, 7)] == [1.0, 1.0, 0.75, 0.75]
    assert (found[5]["won_then"], found[5]["lost_then"], found[7]["lost_then"]) == (0.25, 0.0, 0.75)
    assert found[6]["alliance"] == 24


def test_by_lead() -> None:
    games = [game(k, True, alliance_2=40) for k in range(N)]  # 16 ahead
    games += [game(k, False, alliance_2=24) for k in range(N, 2 * N)]  # even
    games += [game(k, False, turns=2, why="sudden", alliance_2=90) for k in range(2 * N, 3 * N)]  # over
    found = course.by_lead(records(games)).filter(pl.col("turn") == 2)
    assert found.select("lead", "rate", "n").rows() == [("even", 0.0, N), ("10 to 19 ahead", 1.0, N)]


def test_leads_in_words() -> None:
    assert course.lead_words() == ["20 or more behind", "10 to 19 behind", "1 to 9 behind", "even", "1 to 9 ahead",
                                   "10 to 19 ahead", "20 or more ahead"]  # fmt: skip


# --- the advanced game -------------------------------------------------------------------------------------
def advanced(count: int = N) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Games of two: a quarter lost, a quarter tied, and of the rest the diplomat of seat 2 wins three in four."""
    games, seats = [], []
    for k in range(count):
        lost, tied = k % 4 == 0, k % 4 == 1
        winner = None if lost or tied else 1 if k % 8 == 2 and k % 16 == 2 else 2
        games.append(game(k, not lost, variant="advanced", winner=winner))
        seats.append(
            seat(k, 1, winner == 1, faction="officer", personal=4, personal_battles=3, personal_faction=1)
        )
        seats.append(seat(k, 2, winner == 2, faction="diplomat", personal=6, personal_battles=6))
    return games, seats


def test_who_wins_advanced_games() -> None:
    row = personal.outcomes(records(*advanced(80))).to_dicts()[0]
    assert (row["alliance"], row["alone"], row["tied"]) == (0.75, 0.5, 0.25)


def test_shares_are_of_the_games_that_somebody_wins() -> None:
    found = personal.shares(records(*advanced(160)), "faction")
    rates = {row["faction"]: row for row in found.to_dicts()}
    assert rates["officer"]["n"] == 80
    assert rates["officer"]["rate"] == pytest.approx(10 / 80)
    assert rates["diplomat"]["rate"] == pytest.approx(70 / 80)
    assert {row["expected"] for row in rates.values()} == {0.5}
    assert rates["diplomat"]["p_holm"] < 0.001


def test_where_personal_points_come_from() -> None:
    found = {row["faction"]: row for row in personal.points(records(*advanced(80)), "faction").to_dicts()}
    assert (found["officer"]["personal"], found["officer"]["personal_battles"], found["officer"]["n"]) == (
        4,
        3,
        60,
    )
    assert found["diplomat"]["personal_faction"] == 0


# --- what decides games ------------------------------------------------------------------------------------
def acts_of(index: int, *acts: tuple[str, str], cell: int = 0) -> list[dict[str, object]]:
    return [{"cell": cell, "index": index, "turn": 1, "act": act, "card": card} for act, card in acts]


def test_countries_count_once_a_game() -> None:
    games = [game(k, k % 2 == 0) for k in range(80)]
    acts = [
        line
        for k in range(80)
        if k < 40
        for line in acts_of(k, ("joined", "USA"), ("joined", "USA"), ("fell", "USA"))
    ]
    run = records(games, acts=acts)
    row = decisive.countries(run).to_dicts()[0]
    assert (row["card"], row["joined"], row["fell"], row["freed"]) == ("USA", 1.0, 0.5, 0.0)
    assert (row["n"], row["rate"], row["over_without"]) == (40, 0.5, pytest.approx(0))
    assert decisive.losses(run)["n"].to_list() == [40]


def test_ufos_by_size() -> None:
    games = [game(k, True) for k in range(N)]
    acts = [
        line
        for k in range(N)
        for line in acts_of(k, ("shot down", "small"), ("succeeded", "small"), ("raid", "large"))
    ]
    found = {row["card"]: row for row in decisive.ufos(records(games, acts=acts)).to_dicts()}
    assert (found["small"]["shot down"], found["small"]["stopped"], found["small"]["n"]) == (1.0, 0.5, 80)
    assert (found["large"]["raid"], found["large"]["stopped"]) == (1.0, 0.0)


def test_cards_and_fates() -> None:
    games = [game(k, k < 40) for k in range(80)]
    acts = [line for k in range(80) for line in acts_of(k, ("card", "ace") if k % 2 else ("beaten", "large"))]
    run = records(games, acts=acts)
    assert decisive.cards(run).select("card", "played", "n").rows() == [("ace", 0.5, 40)]
    fates = decisive.fates(run)
    assert fates.select("fate", "card", "n").rows() == [("beaten", "large", 40)]


def test_habits_are_a_turn_and_within_cells() -> None:
    games = [game(k, True, turns=5, why="sudden", shot_down=10) for k in range(N)]
    games += [game(k, False, turns=7, shot_down=7) for k in range(N, 2 * N)]
    row = {one["what"]: one for one in decisive.habits(records(games)).to_dicts()}["UFOs shot down, a turn"]
    assert (row["in_won"], row["in_lost"], row["difference"]) == (2.0, 1.0, 1.0)


def test_without_acts_there_is_one_line() -> None:
    with pytest.raises(UserError, match="valid: a run with --acts"):
        decisive.countries(records([game(0, True)]))
