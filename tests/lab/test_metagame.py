"""Metagame: games whose solution is known, and a small experiment."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays

from analysis.blocks import Estimates
from analysis.lab import equilibrium as eq
from analysis.lab import field

RPS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])  # rock, paper, scissors
DILEMMA = np.array([[3.0, 0.0], [5.0, 1.0]])  # cooperate, defect
PENNIES = np.array([[1.0, -1.0], [-1.0, 1.0]])
COORDINATION = np.array([[2.0, 0.0], [0.0, 1.0]])
HAWKS = np.array([[-1.0, 2.0], [0.0, 1.0]])  # hawk, dove: half hawks
#: none of the first two beats the third everywhere, both together do
HIDDEN = np.array([[4.0, 0.0, 1.0], [0.0, 4.0, 1.0], [1.0, 1.0, 0.5]])

square = some.integers(2, 5).flatmap(
    lambda size: arrays(
        float, (size, size), elements=some.floats(-5, 5, allow_subnormal=False).map(lambda x: round(x, 3))
    )
)


def one_of(payoffs: np.ndarray) -> eq.Equilibrium:
    return eq.chosen(eq.symmetric_equilibria(payoffs), payoffs)


# --- Nash ------------------------------------------------------------------------------------------------
def test_rock_paper_scissors_is_played_in_thirds() -> None:
    (found,) = eq.symmetric_equilibria(RPS)
    assert found.shares == pytest.approx([1 / 3] * 3)
    assert found.payoff == pytest.approx(0) and found.stable and found.exact
    game = eq.zero_sum(RPS)
    assert game.rows == pytest.approx([1 / 3] * 3) and game.columns == pytest.approx([1 / 3] * 3)


def test_biased_rock_paper_scissors() -> None:
    """Rock's win over scissors counts double: whoever loses more to it is rarer. Worked out by hand: 1, 2, 1."""
    biased = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]])
    (found,) = eq.symmetric_equilibria(biased)
    assert found.shares == pytest.approx([0.25, 0.5, 0.25])
    assert eq.zero_sum(biased).rows == pytest.approx([0.25, 0.5, 0.25])
    assert eq.best_response_cycles(biased) == [(0, 1, 2)]


def test_coordination_has_three_equilibria_and_a_stated_choice() -> None:
    found = eq.symmetric_equilibria(COORDINATION)
    assert [one.shares.round(3).tolist() for one in found] == [[1, 0], [0, 1], [0.333, 0.667]]
    assert [one.stable for one in found] == [True, True, False]
    assert eq.chosen(found, COORDINATION).shares.tolist() == [1, 0]  # stable; better against all alike
    assert eq.best_response_cycles(COORDINATION) == [(0,), (1,)]
    assert eq.recurrent_sets(COORDINATION) == [(0,), (1,)]


def test_hawks_and_doves_live_together() -> None:
    (found,) = eq.symmetric_equilibria(HAWKS)
    assert found.shares == pytest.approx([0.5, 0.5]) and found.stable


def test_matching_pennies_for_two_sides() -> None:
    game = eq.zero_sum(PENNIES)
    assert game.rows == pytest.approx([0.5, 0.5]) and game.columns == pytest.approx([0.5, 0.5])
    assert game.value == pytest.approx(0)


def test_a_zero_sum_game_of_any_shape() -> None:
    """By hand: the first two columns hold each other; the third gives the row more than the second, always."""
    game = eq.zero_sum(np.array([[4.0, 1.0, 5.0], [2.0, 3.0, 4.0]]))
    assert game.rows == pytest.approx([0.25, 0.75]) and game.columns == pytest.approx([0.5, 0.5, 0])
    assert game.value == pytest.approx(2.5)


@settings(max_examples=60, deadline=None)
@given(square)
def test_what_is_found_cannot_be_exploited(payoffs: np.ndarray) -> None:
    for one in eq.symmetric_equilibria(payoffs):
        if one.exact:
            assert eq.exploitability(payoffs, one.shares) == pytest.approx(0, abs=1e-6)
        assert one.shares.sum() == pytest.approx(1)
    game = eq.zero_sum(payoffs)
    assert (game.rows @ payoffs).min() == pytest.approx(game.value, abs=1e-6)
    assert (payoffs @ game.columns).max() == pytest.approx(game.value, abs=1e-6)


def test_random_games_have_an_odd_number_of_equilibria() -> None:
    """Of games in which nothing is equal, known since Wilson 1971: one that is not found makes it even."""
    draws = np.random.default_rng(3).normal(size=(200, 5, 5))
    assert all(len(found) % 2 == 1 for found in eq.equilibria_of_draws(draws))


def test_many_strategies_that_are_no_good_cost_nothing() -> None:
    """Of 30 strategies nobody could try all supports; 27 of them are out of the question."""
    payoffs = np.full((30, 30), -5.0) - np.arange(30)[:, None]
    payoffs[:3, :3], payoffs[:3, 3:] = RPS, 0.0
    (found,) = eq.symmetric_equilibria(payoffs)
    assert found.shares[:3] == pytest.approx([1 / 3] * 3) and not found.shares[3:].any()


def test_without_a_support_long_play_is_near_enough() -> None:
    assert eq.fictitious_play(RPS) == pytest.approx([1 / 3] * 3, abs=0.02)


# --- what beats what -------------------------------------------------------------------------------------
def test_cooperation_is_dominated() -> None:
    (found,) = eq.dominated(DILEMMA)
    assert (found.strategy, found.by.tolist(), found.margin) == (0, [0, 1], 1)
    assert [one.shares.tolist() for one in eq.symmetric_equilibria(DILEMMA)] == [[0, 1]]


def test_a_mixture_can_dominate() -> None:
    (found,) = eq.dominated(HIDDEN)
    assert found.strategy == 2 and found.by == pytest.approx([0.5, 0.5, 0], abs=0.2)
    assert (found.by @ HIDDEN - HIDDEN[2]).min() == pytest.approx(
        found.margin
    ) and found.margin == pytest.approx(0.5)
    assert eq.dominated(RPS) == []


def test_who_is_dominated_once_others_are_gone() -> None:
    payoffs = np.array(
        [[2.0, 2.0, 0.0], [1.0, 1.0, 9.0], [0.0, 0.0, 8.0]]
    )  # third goes first, then the second
    assert [(one.strategy, one.round) for one in eq.eliminated(payoffs)] == [(2, 1), (1, 2)]


def test_best_answers_go_round_in_a_circle() -> None:
    assert eq.best_responses(RPS) == [1, 2, 0]
    assert eq.best_response_cycles(RPS) == [(0, 1, 2)]
    assert eq.recurrent_sets(RPS) == [(0, 1, 2)]
    assert eq.best_response_cycles(DILEMMA) == [(1,)]


def test_exploitability_of_a_field() -> None:
    assert eq.exploitability(RPS, np.array([1.0, 0, 0])) == pytest.approx(1)
    assert eq.exploitability(RPS, np.full(3, 1 / 3)) == pytest.approx(0)


# --- alpha-rank ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("alpha", [np.inf, 0.1, 10.0])
def test_alpha_rank_of_rock_paper_scissors_is_uniform(alpha: float) -> None:
    assert eq.alpha_rank(RPS, alpha) == pytest.approx([1 / 3] * 3)


def test_alpha_rank_finds_a_clear_winner() -> None:
    winner = np.array([[1.0, 1.2, 1.3], [0.9, 1.0, 1.1], [0.8, 0.9, 1.0]])
    assert eq.alpha_rank(winner) == pytest.approx([1, 0, 0], abs=1e-5)
    assert eq.alpha_rank(DILEMMA) == pytest.approx([0, 1], abs=1e-5)


def test_alpha_rank_by_the_textbook_formula() -> None:
    """Two strategies: shares in the ratio of the chances to take over, worked out here."""
    alpha, population = 0.5, 10
    gain, loss = 0.4, -0.3  # of the second among the first, and the other way round
    payoffs = np.array([[1.0, 1 + loss], [1 + gain, 1.0]])

    def chance(advantage: float) -> float:
        return float((1 - np.exp(-alpha * advantage)) / (1 - np.exp(-population * alpha * advantage)))

    there, back = chance(gain), chance(loss)
    found = eq.alpha_rank(payoffs, alpha, population)
    assert found == pytest.approx([back / (there + back), there / (there + back)])


def test_alpha_rank_without_selection_is_uniform() -> None:
    assert eq.alpha_rank(HIDDEN, 0.0) == pytest.approx([1 / 3] * 3)


def test_alpha_rank_of_two_sides() -> None:
    assert eq.alpha_rank_of_roles(PENNIES) == pytest.approx(np.full((2, 2), 0.25))
    better_row = np.array([[0.9, 0.8, 0.7], [0.5, 0.4, 0.3]])
    assert eq.alpha_rank_of_roles(better_row)[0] == pytest.approx([0, 0, 1], abs=1e-4)


def test_stationary_shares_solve_their_equation() -> None:
    rates = np.random.default_rng(1).random((4, 6, 6)) ** 8
    shares = eq.stationary(rates)
    flow = shares[..., :, None] * rates * (1 - np.eye(6))
    assert flow.sum(axis=-1) == pytest.approx(flow.sum(axis=-2))


# --- how sure --------------------------------------------------------------------------------------------
def test_redrawn_payoffs_vary_together_and_repeat() -> None:
    value, spread = np.array([1.0, 2.0, 0.0]), np.array([[0.04, 0.03, 0], [0.03, 0.04, 0], [0, 0, 0]])
    draws = eq.redrawn(value, spread, 20_000, 7)
    assert np.array_equal(draws, eq.redrawn(value, spread, 20_000, 7))
    assert draws.mean(axis=0) == pytest.approx(value, abs=0.01)
    assert np.cov(draws.T) == pytest.approx(spread, abs=0.002)


def test_intervals_of_shares_from_redrawn_payoffs() -> None:
    """Hawks and doves: a payoff with a known error gives the share of hawks a known one."""
    error = 0.02
    entries = eq.redrawn(HAWKS.ravel(), np.diag([0, error**2, 0, 0]), 1_000, 5).reshape(-1, 2, 2)
    shares = np.array(
        [
            eq.chosen(found, game).shares
            for found, game in zip(eq.equilibria_of_draws(entries), entries, strict=True)
        ]
    )
    low, high = eq.middle_of(shares)
    # the share of hawks is (h - 1) / h with h = payoff of a hawk among doves: slope 1 / h² = 1/4
    assert high[0] - low[0] == pytest.approx(2 * 1.96 * error / 4, rel=0.1)


# --- many players ----------------------------------------------------------------------------------------
def minority(players: int, support: list[int]) -> tuple[np.ndarray, list[field.Profile]]:
    """Of two kinds the rarer at a table shares what there is, and a third gets nothing: excess by company."""
    companies = field.others(support, players)
    excess = np.full((1, 3, len(companies)), -1.0)
    for k, company in enumerate(companies):
        for one in (0, 1):
            table = field.with_seat(one, company)
            count = table.count(one)
            if len(set(table)) == 1 or 2 * count == players:
                excess[0, one, k] = 0
            else:
                excess[0, one, k] = players / count - 1 if 2 * count < players else -1
    return excess, companies


def test_tables_and_how_often_a_mixture_makes_them() -> None:
    companies = field.others([0, 2], 4)
    assert companies == [(0, 0, 0), (0, 0, 2), (0, 2, 2), (2, 2, 2)]
    assert field.chances(companies, np.array([0.25, 0, 0.75])) == pytest.approx(
        [1 / 64, 9 / 64, 27 / 64, 27 / 64]
    )
    found = field.tables([0, 2], [0, 1, 2], 4)
    assert (0, 0, 0, 0) not in found and (0, 0, 0, 2) in found and (0, 1, 2, 2) in found and len(found) == 7


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_field_settles_where_nobody_gains(players: int) -> None:
    """A minority game is held by half and half, whatever the number of players."""
    excess, companies = minority(players, [0, 1])
    found = field.settle(excess, companies, np.array([0.8, 0.2, 0]))
    assert found[0] == pytest.approx([0.5, 0.5, 0], abs=0.01)
    assert field.against(excess, companies, found).max() == pytest.approx(0, abs=0.03)


def test_a_field_that_goes_round_in_circles_settles_by_its_average() -> None:
    companies = field.others([0, 1, 2], 2)
    assert companies == [(0,), (1,), (2,)]
    found = field.settle(RPS[None], companies, np.array([0.6, 0.3, 0.1]))
    assert eq.exploitability(RPS, found[0]) < 0.02


def test_gain_against_a_mixture_is_the_weighted_sum_of_tables() -> None:
    """Worked out by hand: two players a seat, a third strategy against half of each."""
    seats = [((0, 2), 2), ((1, 2), 2), ((0, 1), 0)]
    value, spread = np.array([0.3, -0.1, 0.2]), np.diag([0.01, 0.04, 0.01])
    groups = pl.DataFrame({"k": [0, 1, 2]})
    excess = Estimates(groups, value, np.full(3, 100.0), np.full(3, 100), spread, False, np.zeros(3, bool))
    found = field.Measured(seats, excess, 2, 3).gain(2, np.array([0.5, 0.5, 0]))
    assert found.value == pytest.approx(0.1) and found.error == pytest.approx((0.01 / 4 + 0.04 / 4) ** 0.5)


def test_what_is_rare_is_no_part_of_a_field() -> None:
    assert field.without_dust(np.array([0.49, 0.49, 0.02 - 1e-9, 1e-9])) == pytest.approx([0.5, 0.5, 0, 0])
