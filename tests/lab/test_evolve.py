"""The search behind training: it finds known optima through noise, and says when there is nothing to find."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from analysis.lab.evolve import Axis, Gain, Point, Trial, axis, evolve, recommended, stalled


# --- the search, on functions whose best point is known ---------------------------------------------------
def noisy(function: Callable[[Point], float], noise: float, seed: int = 1) -> Trial:
    """A trial of a function to be made large: gains against the first point, with fresh noise each generation."""

    def trial(number: int, points: Sequence[Point]) -> list[Gain]:
        luck = np.random.default_rng([seed, number])
        gains = [function(point) - function(points[0]) for point in points]
        return [Gain(0.0, 0.0)] + [Gain(gain + luck.normal(0, noise), noise) for gain in gains[1:]]

    return trial


def sphere(point: Point) -> float:
    """Best at (3, -1, 0.5, 0, ...), where it is 0."""
    best = [3.0, -1.0, 0.5] + [0.0] * len(point)
    return -sum((x - b) ** 2 for x, b in zip(point, best, strict=False))


def valley(point: Point) -> float:
    """Rosenbrock's curved valley: best at (1, 1), where it is 0."""
    x, y = point
    return -((1 - x) ** 2 + 20 * (y - x * x) ** 2)


def axes(n: int, start: float = 1.0) -> list[Axis]:
    return [axis(f"x{k}", start) for k in range(n)]


@pytest.mark.parametrize("seed", range(5))
def test_finds_the_top_of_a_noisy_hill(seed: int) -> None:
    found = evolve(axes(6), noisy(sphere, 0.05, seed), generations=80, seed=seed)
    assert sphere(found.last_mean) > -0.2 > sphere(found.start)


@pytest.mark.parametrize("seed", range(5))
def test_follows_a_curved_valley(seed: int) -> None:
    found = evolve(axes(2, -1.0), noisy(valley, 0.001, seed), generations=150, seed=seed, patience=30)
    assert valley(found.last_mean) > -0.1 > valley(found.start)


def test_scales_need_not_be_alike() -> None:
    def hill(point: Point) -> float:
        return -((point[0] / 1000 - 2) ** 2) - (point[1] / 0.001 - 2) ** 2

    found = evolve([axis("large", 1000.0), axis("small", 0.001)], noisy(hill, 0.01), generations=60)
    assert found.last_mean == pytest.approx((2000, 0.002), rel=0.1)


def test_the_sign_may_change() -> None:
    found = evolve([axis("x", 1.0)], noisy(lambda p: -((p[0] + 2) ** 2), 0.01), generations=40)
    assert found.last_mean[0] == pytest.approx(-2, abs=0.2)


@pytest.mark.parametrize("seed", range(3))
def test_is_the_same_each_time(seed: int) -> None:
    one, other = (evolve(axes(4), noisy(sphere, 0.1), generations=15, seed=seed) for _ in range(2))
    assert one == other
    assert one != evolve(axes(4), noisy(sphere, 0.1), generations=15, seed=seed + 1)


def test_stays_within_bounds() -> None:
    box = [axis("x", 1.0, bounds=(0.5, 1.25)), axis("y", 0.0, usual=[-3, 3], bounds=(-1.0, 0.0))]
    found = evolve(box, noisy(sphere, 0.01), generations=30)
    points = [point for g in found.generations for point in (*g.points, g.mean)] + found.finalists()
    assert all(0.5 <= x <= 1.25 and -1 <= y <= 0 for x, y in points)
    assert found.last_mean == pytest.approx((1.25, -1.0), abs=0.1)  # as near to (3, -1) as it may go


def test_points_have_four_digits() -> None:
    found = evolve([axis("large", 1234.0), axis("small", 0.0123)], noisy(sphere, 1.0), generations=5)
    for g in found.generations:
        for large, small in g.points:
            assert round(large) == large
            assert round(small, 5) == small
            assert str(large) != "-0.0" != str(small)


def test_the_start_is_played_as_it_is() -> None:
    """However many digits it has: it is the strategy that is to be improved, not a neighbour of it."""
    seen = []

    def trial(number: int, points: Sequence[Point]) -> list[Gain]:
        seen.append(points[0])
        return noisy(sphere, 0.1)(number, points)

    found = evolve([axis("x", 1 / 3), axis("y", 0.0)], trial, generations=4)
    assert set(seen) == {(1 / 3, 0.0)} == {found.start}
    assert found.finalists()[0] == found.start


@pytest.mark.parametrize("seed", range(4))
def test_noise_alone_makes_nothing_worse(seed: int) -> None:
    """The start is the best point: the finalist that does best on fresh luck is it, or as good but for noise."""
    best_at_start = lambda point: -0.02 * sum((x - 1) ** 2 for x in point)  # noqa: E731
    found = evolve(axes(8), noisy(best_at_start, 0.05, seed), generations=20, seed=seed)
    finalists = found.finalists()
    assert finalists[0] == found.start
    chosen = np.argmax([gain.value for gain in noisy(best_at_start, 0.005, 99)(1, finalists)])
    assert best_at_start(finalists[chosen]) > -0.02


def test_the_learning_curve_is_not_flattered() -> None:
    """The gains of means are right on average, those of the best of each generation are too good."""
    flat = [
        evolve(axes(5), noisy(lambda point: 0.0, 0.1, seed), generations=12, seed=seed) for seed in range(20)
    ]
    means = [g.mean_gain.value for found in flat for g in found.generations[1:]]
    best = [g.gains[g.best].value for found in flat for g in found.generations]
    assert abs(np.mean(means)) < 4 * 0.1 / np.sqrt(len(means))
    assert np.mean(best) > 0.1


def test_stops_when_nothing_is_gained() -> None:
    found = evolve(axes(5), noisy(lambda point: 0.0, 0.1), generations=500)
    assert found.ended == "no progress"
    assert len(found.generations) < 60
    assert evolve(axes(5), noisy(sphere, 0.01), generations=3).ended == "all generations"


def test_says_when_no_point_makes_a_difference() -> None:
    found = evolve(axes(5), noisy(lambda point: 0.0, 0.0), generations=500)
    assert (found.ended, len(found.generations)) == ("nothing changed", 4)


def test_finds_the_edge_of_a_plateau() -> None:
    """Where nothing makes a difference it looks further."""

    def cliff(point: Point) -> float:
        return max(-5.0, min(0.0, 2 - point[0]))  # -5 from 7 on

    found = evolve(axes(2, 30.0), noisy(cliff, 0.0), generations=30)
    assert [g.step for g in found.generations[:2]] == [0.3, 0.6]
    assert all(gain.value == 0 for gain in found.generations[0].gains)
    assert cliff(found.last_mean) > -0.5


def test_stalled() -> None:
    rising = [Gain(0.01 * k, 0.005) for k in range(20)]
    assert not stalled(rising, 5)
    assert not stalled(rising[:9], 5)
    assert stalled([Gain(0.05, 0.01)] * 10, 5)
    assert stalled([Gain(0.05, 0.01)] * 5 + [Gain(0.054, 0.01)] * 5, 5)  # within one standard error
    assert not stalled([Gain(0.05, 0.01)] * 5 + [Gain(0.058, 0.01)] * 5, 5)


def test_axes() -> None:
    assert axis("x", 0.0).scale == 1.0
    assert axis("x", -6.0, [-6.0, 6.0]) == Axis("x", -6.0, 6.0, -36.0, 24.0)
    assert axis("x", 0.0, [-8.0, 14.0]).scale == 11.0
    assert axis("x", 2.0, [1.9, 2.1]).rounded(1.23456) == 1.235
    with pytest.raises(ValueError, match="axis x"):
        axis("x", 3.0, bounds=(0.0, 1.0))


def test_recommended_population() -> None:
    assert [recommended(n) for n in (1, 2, 10, 22)] == [4, 6, 10, 13]
