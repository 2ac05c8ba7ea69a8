"""What is estimated after stopping is not moved by it, intervals come as narrow as wished, and pairs save games."""

from __future__ import annotations

import doctest
import json
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import pytest

import analysis.sequential as module
from analysis.blocks import BIG, contrast_of, quantile
from analysis.sequential import (
    Sprt,
    Tally,
    blocks_needed,
    half_width,
    look_totals,
    next_total,
    saving,
)
from sim.errors import UserError
from tests.lab.simulated import LOOKS, POINTS, REPETITIONS, Ended, chances, ended, tally


# --- the estimate -----------------------------------------------------------------------------------------
def fresh(end: Ended, test: Sprt, differing: float, mean: float) -> tuple[Any, Any]:
    """Means of fresh blocks, of the size that goes with each end, and how far their intervals reach."""
    luck = np.random.default_rng(9)
    sizes = np.array([test.fresh_blocks(variance, 10**6) for variance in end.variance])
    seen = [tally(*map(int, luck.multinomial(size, chances(differing, mean)))) for size in sizes]
    return np.array([one.mean for one in seen]), np.array(
        [one.contrast.high - one.contrast.value for one in seen]
    )


@pytest.mark.parametrize("truth", [0.0, 0.03])
def test_stopping_moves_the_naive_estimate_but_not_that_of_fresh_blocks(truth: float) -> None:
    end = ended(POINTS, 0.2, truth, LOOKS["every 50"])
    naive, (means, halves) = end.mean, fresh(end, POINTS, 0.2, truth)
    moved = (naive.mean() - truth) * (1 if truth else -1)
    assert moved > 0.005, "a sixth of what was looked for"
    assert moved > 10 * naive.std() / sqrt(REPETITIONS)
    assert means.mean() == pytest.approx(truth, abs=3.5 * means.std() / sqrt(REPETITIONS))
    assert np.mean(abs(means - truth) <= halves) == pytest.approx(0.95, abs=3 * sqrt(0.0475 / REPETITIONS))


def test_fresh_blocks_are_right_whatever_was_decided() -> None:
    """Also among the tests that erred, where everything seen before is misleading."""
    end = ended(POINTS, 0.2, 0.015, LOOKS["every 50"])
    means, halves = fresh(end, POINTS, 0.2, 0.015)
    for decision in (1, -1):
        chosen = end.decision == decision
        assert abs(end.mean[chosen].mean() - 0.015) > 0.01
        spread = means[chosen].std() / sqrt(chosen.sum())
        assert means[chosen].mean() == pytest.approx(0.015, abs=3.5 * spread)
        assert np.mean(abs(means - 0.015)[chosen] <= halves[chosen]) > 0.95 - 3 * sqrt(0.0475 / chosen.sum())


def test_so_many_fresh_blocks_tell_the_hypotheses_apart() -> None:
    """The interval reaches half the gap, give or take what the variance was guessed wrong by."""
    end = ended(POINTS, 0.2, 0.03, LOOKS["every 50"])
    _, halves = fresh(end, POINTS, 0.2, 0.03)
    assert np.mean(halves) == pytest.approx(0.015, rel=0.03)
    assert POINTS.fresh_blocks(0.2, most=1000) == 1000
    assert POINTS.fresh_blocks(1e-9, most=1000) == POINTS.least


# --- intervals of a wished width --------------------------------------------------------------------------
def until(luck: Any, differing: float, mean: float, wished: float, first: int) -> tuple[Tally, int]:
    """Blocks until the interval is that narrow, and in how many looks."""
    seen, looks, total = tally(0, 0, 0), 0, first
    while seen.blocks < total:
        new = luck.multinomial(total - seen.blocks, chances(differing, mean))
        seen, looks = seen + tally(*map(int, new)), looks + 1
        total = next_total(seen.blocks, seen.variance, wished, 10**7)
    return seen, looks


@pytest.mark.parametrize(("differing", "mean"), [(0.3, 0.0), (0.1, 0.03), (0.02, 0.02)])
def test_intervals_of_a_wished_width_hold_the_truth(differing: float, mean: float) -> None:
    luck, repetitions = np.random.default_rng(6), 1500
    ends = [until(luck, differing, mean, 0.005, 1000) for _ in range(repetitions)]
    contrasts = [seen.contrast for seen, _ in ends]
    covered = np.mean([contrast.low <= mean <= contrast.high for contrast in contrasts])
    assert covered == pytest.approx(0.95, abs=0.02)
    assert max(contrast.high - contrast.value for contrast in contrasts) <= 0.005
    moved = np.mean([contrast.value for contrast in contrasts]) - mean
    assert abs(moved) < 0.0005, "a tenth of the half-width"
    assert max(looks for _, looks in ends) <= 6
    needed = blocks_needed(differing - mean**2, 0.005)
    assert np.mean([seen.blocks for seen, _ in ends]) < 1.2 * max(needed, 1000)


def test_blocks_that_never_differ_are_not_narrow_at_once() -> None:
    """A half-width of 0.005 takes some 600 blocks even then."""
    assert next_total(400, tally(0, 400, 0).variance, 0.005, 10**6) > 400
    assert next_total(600, tally(0, 600, 0).variance, 0.005, 10**6) == 600


def test_so_many_blocks_are_just_enough() -> None:
    for variance, wished in ((0.25, 0.01), (0.2, 0.005), (3.0, 0.1)):
        needed = blocks_needed(variance, wished)
        assert half_width(variance, needed) <= wished * (1 + 1e-9)
        assert half_width(variance, needed - 2) > wished


@pytest.mark.parametrize("wished", [1e-9, 1e-200, 5e-324])
def test_a_width_that_nobody_reaches(wished: float) -> None:
    assert blocks_needed(0.2, wished) > 10**12
    assert next_total(10**5, 0.2, wished, 200_000) == 200_000
    assert blocks_needed(0.0, wished) == module.LEAST


def test_next_total_keeps_to_its_limits() -> None:
    assert next_total(0, float("inf"), 0.005, 10**6) >= module.LEAST
    assert next_total(0, float("inf"), 0.005, 100) == 100
    assert next_total(5000, 0.2, 0.005, 5000) == 5000  # as much as may be
    assert next_total(5000, 0.2, 0.005, 6000) == 6000
    assert next_total(300, 0.2, 0.0001, 10**9) == 3000  # one step at a time
    assert next_total(50, 1e-6, 0.005, 10**6) == 202  # never on fewer than the least


@pytest.mark.parametrize("wished", [0.0, -0.1, float("nan"), float("inf"), "x", None, True])
def test_a_width_of_nothing(wished: Any) -> None:
    with pytest.raises(UserError, match="half-width"):
        blocks_needed(0.2, wished)


def test_looks_grow_and_end_at_the_most() -> None:
    totals = look_totals(500, 60_000)
    assert (totals[0], totals[-1]) == (500, 60_000)
    assert all(1 < b / a <= 1.26 for a, b in pairwise(totals))
    assert look_totals(1000, 300) == [300]
    assert look_totals(1, 5, 1.0) == [1, 2, 3, 4, 5]


# --- what pairs save --------------------------------------------------------------------------------------
def test_pairs_save_as_many_games_as_strangers_would_need() -> None:
    """The saving is right if so many games with luck of their own have an interval just as wide."""
    luck = np.random.default_rng(7)
    shared = luck.random(20_000)
    arms = np.stack([shared < 0.5, np.where(luck.random(20_000) < 0.2, luck.random(20_000), shared) < 0.53])
    errors = [arm.std() / sqrt(20_000) for arm in arms]
    found = saving(40_000, (arms[1].astype(int) - arms[0]).std() / sqrt(20_000), *errors)
    assert found is not None
    alone = int(found.unpaired / 2)
    strangers = (luck.random(alone) < 0.53).astype(float) - (luck.random(alone) < 0.5)
    pairs = Tally.of(arms[1].astype(int) - arms[0]).contrast
    assert contrast_of(0.03, strangers.std() / sqrt(alone), alone).error == pytest.approx(
        pairs.error, rel=0.02
    )
    assert found.factor > 3
    assert found.correlation == pytest.approx(np.corrcoef(arms)[0, 1], abs=1e-6)


def test_the_same_luck_may_be_a_loss() -> None:
    found = saving(1000, 0.02, 0.01, 0.01)
    assert found is not None
    assert (found.unpaired, found.factor) == (500, pytest.approx(0.5))
    assert found.correlation == pytest.approx(-1.0)
    assert json.loads(json.dumps(found.to_dict()))["games"] == 1000


@pytest.mark.parametrize("errors", [(0.0, 0.01, 0.01), (0.0, 0.0, 0.0), (0.01, 0.0, 0.0)])
def test_nothing_to_say_of_arms_that_never_differ(errors: tuple[float, float, float]) -> None:
    assert saving(1000, *errors) is None


def test_one_arm_that_never_varies() -> None:
    found = saving(1000, 0.01, 0.01, 0.0)
    assert found is not None
    assert (found.unpaired, found.correlation) == (1000, 0.0)


def test_examples_run() -> None:
    result = doctest.testmod(module)
    assert result.attempted > 8
    assert result.failed == 0


def test_quantile_is_normal_where_blocks_are_many() -> None:
    assert quantile(BIG) == pytest.approx(1.959964, abs=1e-6)
