"""The sequential test errs as rarely as it says, and what is estimated after it is not moved by the stopping.

Blocks are simulated: a win more, a win less, or mostly no difference. Thousands of repetitions at once, as arrays.
"""

from __future__ import annotations

import json
from math import isfinite, log
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from analysis.sequential import (
    H0,
    H1,
    OPEN,
    Sprt,
    Tally,
    least_error,
)
from sim.errors import UserError
from tests.lab.simulated import LOOKS, POINTS, at_most, ended, tally

# --- error rates ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("looks", LOOKS)
@pytest.mark.parametrize("differing", [0.03, 0.1, 0.2, 0.3])
def test_errors_are_as_rare_as_promised(differing: float, looks: str) -> None:
    """No change is rejected and three points are found, with looks every so many blocks."""
    for truth, wrong in ((0.0, 1), (0.03, -1)):
        end = ended(POINTS, differing, truth, LOOKS[looks])
        assert end.share(0) == 0
        assert end.share(wrong) <= at_most(0.05)


@pytest.mark.parametrize(("alpha", "beta"), [(0.01, 0.2), (0.2, 0.01)])
def test_either_error_has_its_own_rate(alpha: float, beta: float) -> None:
    test = Sprt(0.0, 0.03, alpha, beta)
    for truth, wrong, rate in ((0.0, 1, alpha), (0.03, -1, beta)):
        share = ended(test, 0.2, truth, LOOKS["every 50"]).share(wrong)
        assert share <= at_most(rate)
        assert share > rate / 4, "it plays more than it must"


def test_hypotheses_may_be_turned_round() -> None:
    """Three points fewer, as well as more."""
    test = Sprt(0.0, -0.03)
    assert ended(test, 0.2, -0.03, LOOKS["growing"]).share(1) >= 1 - at_most(0.05)
    assert ended(test, 0.2, 0.03, LOOKS["growing"]).share(-1) > 0.999


def test_beyond_the_hypotheses_it_is_surer_still() -> None:
    assert ended(POINTS, 0.2, 0.06, LOOKS["growing"]).share(1) > 0.999
    assert ended(POINTS, 0.2, -0.03, LOOKS["growing"]).share(-1) > 0.999


def test_many_values_of_a_block() -> None:
    """Four games a block, differences of -4 to 4, most of them 0."""
    luck = np.random.default_rng(3)
    wrong = 0
    for _ in range(300):
        seen = Tally.of([], unit=4)
        for _ in range(100):
            seen += Tally.of(luck.binomial(4, 0.2, 200) - luck.binomial(4, 0.2, 200), unit=4)
            decision = Sprt(0.0, 0.02).look(seen).decision
            if decision != OPEN:
                break
        wrong += decision != H0
    assert wrong / 300 <= at_most(0.05, 300)


def test_it_plays_less_than_a_test_of_fixed_size() -> None:
    """A test of fixed size with 5 % either way needs 1083 · variance / 0.1²: half as many again."""
    fixed = (2 * stats.norm.ppf(0.95)) ** 2 * 0.2 / 0.03**2
    for truth in (0.0, 0.03):
        assert ended(POINTS, 0.2, truth, LOOKS["every 50"]).blocks.mean() < 0.65 * fixed


def test_how_long_it_is_likely_to_take() -> None:
    """Midway, where it takes the longest; with a look after nearly every block, as Wald has it."""
    blocks = ended(POINTS, 0.2, 0.015, list(range(200, 60_001, 12))).blocks.mean()
    assert blocks == pytest.approx(POINTS.likely_blocks(0.2), rel=0.2)


# --- the ratio itself -------------------------------------------------------------------------------------
def exact_llr(counts: tuple[int, int, int], d0: float, d1: float) -> float:
    """What chess testers print: the greatest likelihood of -1, 0, 1 with a given mean, found by search."""

    def best(mean: float) -> float:
        def minus(more: float) -> float:
            less = more - mean
            parts = zip(counts, (less, 1 - more - less, more), strict=True)
            return -sum(count * log(p) if count else 0.0 for count, p in parts)

        low, high = max(mean, 0.0) + 1e-9, (1 + mean) / 2 - 1e-9
        return -float(optimize.minimize_scalar(minus, bounds=(low, high), method="bounded").fun)

    return best(d1) - best(d0)


@pytest.mark.parametrize("counts", [(100, 1800, 100), (90, 1780, 130), (300, 1400, 300), (250, 1400, 350)])
def test_ratio_is_that_of_chess_testers(counts: tuple[int, int, int]) -> None:
    found = POINTS.look(tally(*counts)).llr
    assert found == pytest.approx(exact_llr(counts, 0.0, 0.03), rel=0.05, abs=0.05)


def test_ratio_by_hand() -> None:
    """100 blocks, 20 up, 10 down: variance (3000 - 100) / 9900 + 0.02."""
    variance = 2900 / 9900 + 0.02
    found = Sprt(0.0, 0.2).look(tally(10, 70, 20))
    assert found.llr == pytest.approx(50 * log((variance + 0.01) / (variance + 0.01)))
    found = Sprt(0.0, 0.1).look(tally(10, 70, 20))
    assert found.llr == pytest.approx(50 * log((variance + 0.01) / variance))


def test_bounds_are_walds() -> None:
    test = Sprt(0.0, 0.03, alpha=0.05, beta=0.1)
    assert (test.lower, test.upper) == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


def test_turned_round_the_ratio_changes_its_sign() -> None:
    seen = tally(200, 1500, 300)
    assert Sprt(0.03, 0.0).look(seen).llr == pytest.approx(-POINTS.look(seen).llr)
    assert Sprt(0.0, -0.03).look(tally(300, 1500, 200)).llr == pytest.approx(POINTS.look(seen).llr)


def test_nothing_before_the_least() -> None:
    seen = tally(0, 50, 149)
    assert POINTS.look(seen).llr > POINTS.upper
    assert POINTS.look(seen).decision == OPEN
    assert POINTS.look(seen + tally(0, 0, 1)).decision == H1


@pytest.mark.parametrize("blocks", [0, 1])
def test_hardly_any_blocks(blocks: int) -> None:
    found = Sprt(0.0, 0.03, least=0).look(tally(0, blocks, 0))
    assert (found.llr, found.decision) == (0.0, OPEN)


def test_blocks_that_never_differ_are_evidence_but_no_proof() -> None:
    """It takes so many without one that a change which makes a difference in `d1` of them would have shown."""
    for d1 in (0.03, 0.01, 0.005):
        test = Sprt(0.0, d1, least=2)
        decided = next(n for n in range(2, 1000) if test.look(tally(0, n, 0)).decision == H0)
        assert 0.02 < (1 - d1) ** decided < 0.05


def test_the_same_from_a_contrast() -> None:
    """Ratios of sums have a difference and its error instead of whole numbers."""
    seen = tally(200, 1500, 300)
    contrast = seen.contrast
    one = POINTS.judge(contrast.value, contrast.error**2 * contrast.blocks, contrast.blocks)
    assert one.llr == pytest.approx(POINTS.look(seen).llr)
    assert (one.decision, one.more) == (H1, 0)


@pytest.mark.parametrize(("d0", "d1", "decision"), [(0.0, 0.03, H0), (0.03, 0.0, H1), (-0.03, 0.03, OPEN)])
def test_arms_that_are_the_same(d0: float, d1: float, decision: str) -> None:
    """No variance at all, as of a variant with itself: a finite ratio."""
    found = Sprt(d0, d1).judge(0.0, 0.0, 1000)
    assert found.decision == decision
    assert isfinite(found.llr)


def test_a_look_is_json_and_a_line() -> None:
    found = POINTS.look(tally(200, 1500, 300))
    assert json.loads(json.dumps(found.to_dict()))["decision"] == "H1"
    assert str(found).endswith("2,000 blocks, more in B 300, same 1,500, more in A 200: H1")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ((0.03, 0.03), "0.03 and 0.03"),
        ((0.0, float("nan")), "nan"),
        ((0.0, float("inf")), "inf"),
        ((0.0, 0.03, 0.0), "alpha is 0.0; valid: above 0 and below 0.5"),
        ((0.0, 0.03, 0.05, 0.5), "beta is 0.5"),
        ((0.0, 0.03, float("nan")), "alpha is nan"),
        ((0.0, 0.03, "x"), "alpha is 'x'"),
        ((0.0, "x"), "0.0 and 'x' are no two hypotheses"),
        ((None, 0.03), "None and 0.03"),
        ((False, 0.03), "false and 0.03"),
    ],
)
def test_what_makes_no_test(words: Any, part: str) -> None:
    with pytest.raises(UserError, match=part.replace(".", r"\.")):
        Sprt(*words)


# --- the tally --------------------------------------------------------------------------------------------
def test_parts_add_up_to_the_whole() -> None:
    """In any pieces, to the last digit."""
    values = np.random.default_rng(4).integers(-5, 6, 1000)
    pieces = Tally.of(values[:1], 4) + Tally.of(values[1:637], 4) + Tally.of(values[637:], 4)
    assert pieces == Tally.of(values, 4)
    assert pieces.mean == pytest.approx(values.mean() / 4)
    assert pieces.variance == pytest.approx((values.var(ddof=1) + 2 / 1000) / 16)
    assert (pieces.more, pieces.same, pieces.less) == tuple(
        int((np.sign(values) == sign).sum()) for sign in (1, 0, -1)
    )


def test_large_numbers_stay_whole() -> None:
    """Points times 60 in millions of blocks: the digits of floating point would run out."""
    huge = Tally(10**9, 60 * 10**9 + 1, 3600 * 10**9 + 121, 10**9, 0, 0, unit=60, step=60)
    assert huge.variance == pytest.approx((121 - 120) / (10**9) / 3600 + 2 / 10**9, rel=1e-9)


def test_points_in_sixtieths_are_points() -> None:
    whole = np.random.default_rng(5).integers(-1, 2, 500)
    wins, points = Tally.of(whole), Tally.of(whole * 60, unit=60, step=60)
    assert POINTS.look(points).to_dict() == pytest.approx(POINTS.look(wins).to_dict())
    assert points.contrast.error == pytest.approx(wins.contrast.error)


def test_an_empty_tally() -> None:
    nothing = Tally.of([])
    assert (nothing.blocks, nothing.mean) == (0, 0.0)
    assert nothing + tally(1, 2, 3) == tally(1, 2, 3)


def test_what_cannot_be_added_up() -> None:
    with pytest.raises(ValueError, match="units"):
        Tally.of([1], 1) + Tally.of([1], 4)
    with pytest.raises(TypeError, match="whole"):
        Tally.of([0.5])


def test_a_tally_has_the_interval_of_students() -> None:
    seen, values = tally(100, 800, 200), np.repeat([-1, 0, 1], [100, 800, 200])
    expected = stats.ttest_1samp(values, 0.0).confidence_interval()
    assert (seen.contrast.low, seen.contrast.high) == pytest.approx(tuple(expected), abs=2e-4)


def test_no_difference_in_any_block_leaves_three_in_so_many() -> None:
    """The rule of three: 0 of 1000 means at most about 3 in 1000."""
    contrast = tally(0, 1000, 0).contrast
    assert (contrast.value, contrast.p) == (0.0, 1.0)
    assert contrast.high == pytest.approx(3 / 1000, rel=0.1)
    assert contrast.error == pytest.approx(least_error(1000))
