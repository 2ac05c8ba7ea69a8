"""Sensitivity: designs, Morris's effects and Sobol's indices with known answers, what noise does to them, factors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.lab.designs import base_points, trajectories
from analysis.lab.sensitivity_factors import Factor, around, choose
from analysis.lab.sensitivity_numbers import elementary_effects, screen, shares
from sim.errors import UserError

FIRST, TOTAL = (0.3139, 0.4424, 0.0), (0.5576, 0.4424, 0.2437)  # of Ishigami's function
ROWS = 100


def ishigami(places):
    x = (2 * places - 1) * np.pi
    return np.sin(x[..., 0]) + 7 * np.sin(x[..., 1]) ** 2 + 0.1 * x[..., 2] ** 4 * np.sin(x[..., 0])


def noisy(points, seed, own, common=0.3):
    """Rows of games around each point's true value: luck that all points share, and luck of its own."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, common, (ROWS, *[1] * points.ndim))
    return points + shared + rng.normal(0, own, (ROWS, *points.shape))


# --- designs ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("factors", "count"), [(1, 3), (2, 1), (5, 8), (30, 10)])
def test_each_step_of_a_trajectory_moves_one_factor_by_two_thirds(factors, count):
    steps = np.diff(trajectories(factors, count, seed=4), axis=1)
    assert steps.shape == (count, factors, factors)
    moved = np.abs(steps) > 1e-9
    assert (moved.sum(axis=1) == 1).all() and (moved.sum(axis=2) == 1).all()
    assert np.allclose(np.abs(steps[moved]), 2 / 3)


def test_base_points_swap_one_factor_each():
    points = base_points(3, 16, seed=2)
    for factor in range(3):
        swapped = points[:, 1 + factor]
        assert (swapped[:, factor] == points[:, -1, factor]).all()
        others = [place for place in range(3) if place != factor]
        assert (swapped[:, others] == points[:, 0, others]).all()


def test_the_same_seed_gives_the_same_design_and_intervals():
    assert (trajectories(6, 5, 1) == trajectories(6, 5, 1)).all()
    assert (trajectories(6, 5, 1) != trajectories(6, 5, 2)).any()
    points = base_points(3, 16, 0)
    assert (points == base_points(3, 16, 0)).all() and (points != base_points(3, 16, 1)).any()
    response = noisy(ishigami(points), 1, own=1.0)
    assert (shares(response, seed=0).first_ends == shares(response, seed=0).first_ends).all()
    assert (shares(response, seed=0).first_ends != shares(response, seed=1).first_ends).any()


# --- Sobol -----------------------------------------------------------------------------------------------
def test_ishigami_is_found_within_the_intervals():
    found = shares(ishigami(base_points(3, 1024, seed=1))[None])
    for index, ends, truth in (
        (found.first, found.first_ends, FIRST),
        (found.total, found.total_ends, TOTAL),
    ):
        assert index == pytest.approx(truth, abs=0.03)
        assert (ends[:, 0] <= truth).all() and (truth <= ends[:, 1]).all()
        assert (ends[:, 1] - ends[:, 0] < 0.25).all()
    assert found.noise == 0 and found.variance == pytest.approx(13.845, rel=0.03)


def test_without_noise_indices_are_those_of_salib():
    from SALib.analyze import sobol

    response = ishigami(base_points(3, 128, seed=3))
    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}
    theirs = sobol.analyze(problem, response.ravel(), calc_second_order=False, num_resamples=400, seed=1)
    ours = shares(response[None])
    assert ours.first == pytest.approx(theirs["S1"], abs=1e-3)  # which takes another mean off
    assert ours.total == pytest.approx(theirs["ST"], abs=1e-6)
    half = (ours.total_ends[:, 1] - ours.total_ends[:, 0]) / 2
    assert half == pytest.approx(theirs["ST_conf"], rel=0.25)


def test_noise_is_taken_off_sobols_indices():
    """A third of the variance between points is noise: still the shares of the function, idle factors have none."""
    places = base_points(4, 128, seed=7)  # the fourth does nothing, but shuffles luck
    truth = ishigami(places)
    own = np.sqrt(truth.var() / 2 * ROWS)
    found = [shares(noisy(truth, seed, own), seed) for seed in range(8)]
    assert np.mean([one.noise for one in found]) == pytest.approx(1 / 3, abs=0.03)
    assert np.mean([one.total for one in found], axis=0) == pytest.approx([*TOTAL, 0], abs=0.06)
    alone = shares(truth[None]).first  # what these few points say without noise
    assert np.mean([one.first for one in found], axis=0) == pytest.approx(alone, abs=0.06)
    inside = [one.total_ends[:, 0] <= [*TOTAL, 0] for one in found]
    assert np.mean(inside) > 0.9
    raw = shares(noisy(truth, 0, own).mean(axis=0)[None])  # as if there were no noise
    assert raw.total[3] > 0.25 and raw.total_ends[3, 0] > 0.1


def test_a_factor_that_changes_no_game_has_no_share_at_all():
    places = base_points(2, 64, seed=1)
    response = np.random.default_rng(1).normal(0, 1, (ROWS, 1, 1)) + 3 * places[..., 0]
    found = shares(response)
    assert found.first == pytest.approx([1, 0], abs=0.05) and found.total[1] == 0
    assert found.total_ends[1] == pytest.approx([0, 0])


def test_nothing_varies():
    found = shares(np.full((1, 32, 4), 0.5))
    assert not found.known and np.isnan(found.total_ends).all() and found.mean == 0.5
    rows = np.random.default_rng(1).normal(size=(ROWS, 1, 1))
    assert not shares(np.broadcast_to(rows, (ROWS, 32, 4))).known


# --- Morris ----------------------------------------------------------------------------------------------
def test_a_linear_function_is_found_exactly():
    places = trajectories(4, 6, seed=1)
    found = screen((places @ [3.0, -2.0, 0.5, 0.0])[None], places)
    assert found.mu == pytest.approx([3, -2, 0.5, 0]) and found.mu_star == pytest.approx([3, 2, 0.5, 0])
    assert found.sigma == pytest.approx([0, 0, 0, 0], abs=1e-6)
    assert found.mu_ends[0] == pytest.approx([3, 3]) and found.mu_star_ends[3] == pytest.approx([0, 0])
    assert list(found.p) == [0, 0, 0, 1]


def test_without_noise_effects_are_those_of_salib():
    from SALib.analyze import morris

    places = trajectories(3, 12, seed=2)
    response = ishigami(places)
    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}
    theirs = morris.analyze(problem, places.reshape(-1, 3), response.ravel(), seed=1)
    ours = screen(response[None], places)
    for mine, name in ((ours.mu, "mu"), (ours.mu_star, "mu_star"), (ours.sigma, "sigma")):
        assert mine == pytest.approx(np.asarray(theirs[name]))


def test_whole_numbers_count_with_the_step_that_was_made():
    factors = [
        Factor("a", 0, 1, 0),
        Factor("b", 3, 5, 4),
        Factor("c", 0, 20, 10),
        Factor("d", 0.8, 1.2, 1, False),
    ]
    values, places = snapped(factors, trajectories(4, 8, seed=3))
    assert set(values[..., 0].ravel()) == {0, 1} and set(values[..., 1].ravel()) == {3, 4, 5}
    slopes = np.array([4.0, 1.0, 0.1, 10.0])
    found = screen((values @ slopes)[None], places)
    assert found.mu == pytest.approx(slopes * [1, 2, 20, 0.4])  # over the whole range of each
    assert found.sigma == pytest.approx(np.zeros(4), abs=1e-6)


def snapped(factors, cube):
    values = np.empty_like(cube)
    places = np.empty_like(cube)
    for number, factor in enumerate(factors):
        for spot in np.ndindex(cube.shape[:2]):
            values[(*spot, number)] = factor.at_level(cube[(*spot, number)])
            places[(*spot, number)] = factor.place(values[(*spot, number)])
    return values, places


def test_every_step_is_a_real_one_in_any_range_of_whole_numbers():
    for width in range(1, 30):
        factor = Factor("x", -3, -3 + width, 0)
        levels = [factor.at_level(place / 3) for place in range(4)]
        assert levels[0] < levels[2] and levels[1] < levels[3] and levels[0] == -3 and levels[3] == width - 3


def test_noise_does_not_make_an_idle_factor_look_important():
    """Yardstick: factors that do nothing but shuffle the luck."""
    places, idle = trajectories(5, 10, seed=5), slice(2, 5)
    truth = 0.5 + 0.2 * places[..., 0] + 0.1 * places[..., 1]
    found = [screen(noisy(truth, seed, own=0.3), places, seed) for seed in range(60)]
    sizes, p = np.array([one.mu_star for one in found]), np.array([one.p for one in found])
    lows = np.array([one.mu_star_ends[:, 0] for one in found])
    naive = np.array([one.noise for one in found])
    assert naive[:, idle].mean() > 0.04  # what a mean of sizes would show
    assert sizes[:, idle].mean() < 0.015 and (lows[:, idle] == 0).mean() > 0.93
    assert (p[:, idle] < 0.05).mean() < 0.1
    assert sizes[:, :2].mean(axis=0) == pytest.approx([0.2, 0.1], abs=0.02)  # in noise rather too small
    assert (p[:, 0] < 0.001).all()
    assert np.mean([one.sigma[:2] for one in found]) < 0.03
    ends, mu = np.array([one.mu_ends for one in found]), [0.2, 0.1, 0, 0, 0]
    assert np.mean((ends[..., 0] <= mu) & (ends[..., 1] >= mu)) > 0.9


def test_luck_that_all_points_share_cancels():
    places = trajectories(3, 5, seed=1)
    response = noisy(places @ [1.0, 0.0, 0.5], 1, own=0.0, common=50.0)
    assert np.allclose(elementary_effects(response, places)[:, :, 1], 0)
    found = screen(response, places)
    assert found.mu == pytest.approx([1, 0, 0.5]) and found.p[1] == 1 and found.mu_star_ends[1, 1] < 1e-9


# --- factors ---------------------------------------------------------------------------------------------
PORTS = Factor("ports", 0, 0, 14, least=1, most=20)
KNOWN = [
    around(factor)
    for factor in (
        PORTS,
        Factor("public_fame", 0, 0, 10, least=0, most=100),
        Factor("attack_x0", 0, 0, 10, least=0, most=200),
        Factor("attack_x2", 0, 0, 20, least=0, most=200),
        Factor("projects.difficulty", 0, 0, 1, False, "*=", 0.5, 1.5),
        Factor("tracks.staffing", 0, 0, 0, True, "+=", -2, 2),
    )
]


@pytest.mark.parametrize(
    ("default", "least", "most", "ends"),
    [(14, 1, 20, (10, 18)), (0, 0, 1, (0, 1)), (1, 0, 1, (0, 1)), (0, -4, 12, (-1, 1)), (2, 1, 6, (1, 3)),
     (18, 1, 20, (13, 20)), (-1, -2, 2, (-2, 0))],
)  # fmt: skip
def test_usual_ranges(default, least, most, ends):
    found = around(Factor("x", 0, 0, default, least=least, most=most))
    assert (found.low, found.high) == ends and isinstance(found.low, int)


def test_ranges_of_factors_that_are_no_whole_numbers():
    found = around(Factor("projects.fame", 0, 0, 1, False, "*=", 0.5, 1.5), reach=0.7)
    assert (found.low, found.high) == (0.5, 1.5)
    assert found.at_share(0.123456789) == 0.6235


def test_changes_in_words():
    assert KNOWN[0].changes(12) == ["ports=12"] and KNOWN[0].changes(14) == []
    assert KNOWN[4].changes(1.13) == ["projects.difficulty*=1.13"]
    assert KNOWN[5].changes(-1) == ["tracks.staffing-=1"] and KNOWN[5].changes(1) == ["tracks.staffing+=1"]
    luck = Factor("other luck", 0, 1, 0, texts=("reroll events", "reroll roles"))
    assert luck.changes(1) == ["reroll events", "reroll roles"] and luck.changes(0) == []
    assert KNOWN[5].shown(-1) == "−1" and KNOWN[4].shown(1.3) == "×1.3"


def test_all_values_are_equally_likely():
    factor = replace(PORTS, low=1, high=3)
    values = [factor.at_share(place) for place in np.linspace(0, 1, 300, endpoint=False)]
    assert [values.count(value) for value in (1, 2, 3)] == [100, 100, 100]


def test_choosing_factors():
    assert choose(KNOWN, []) == KNOWN
    chosen = choose(
        KNOWN, ["public_fame=0..20", "attack_*", "Projects.Difficulty = 0.9..1.2", "attack_x2=5..6"]
    )
    assert [(one.name, one.low, one.high) for one in chosen] == [
        ("public_fame", 0, 20), ("attack_x0", 7, 13), ("attack_x2", 5, 6), ("projects.difficulty", 0.9, 1.2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("public_fane", "did you mean 'public_fame'?"),
        ("public_fame=0..200", "goes beyond its limits; valid: whole numbers from 0 to 100"),
        ("public_fame=9..3", "the low end must be below the high end"),
        ("public_fame=5..5", "the low end must be below the high end"),
        ("public_fame=5", "is no range"),
        ("public_fame=0..2.5", "is not between whole numbers"),
        ("projects.difficulty=..", "is no range"),
        ("projects.difficulty=1.2.3..4", "is no range"),
    ],
)
def test_ranges_that_cannot_be(text, words):
    with pytest.raises(UserError) as error:
        choose(KNOWN, [text, "ports=1..99"])
    assert len(error.value.lines) == 2 and words in error.value.lines[0] and "--vary" in error.value.lines[0]
