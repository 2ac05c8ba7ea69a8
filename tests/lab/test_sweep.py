"""Sweeps: ranges, curves whose shape is known, targets whose place is known; and one real sweep."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.blocks import Estimates, estimate
from analysis.lab import sweep
from sim.errors import UserError

BLOCKS = 400


def arms(
    curve: Any, noise: float = 0.1, shared: float = 1.0, seed: int = 1, blocks: int = BLOCKS
) -> Estimates:
    """Figures of arms that met the same luck: mean `curve`, luck they share and luck of their own."""
    luck = np.random.default_rng(seed)
    curve = np.asarray(curve, float)
    values = curve + shared * luck.normal(size=(blocks, 1)) + noise * luck.normal(size=(blocks, len(curve)))
    rows = pl.DataFrame(
        {"block": np.repeat(np.arange(blocks), len(curve)), "arm": np.tile(np.arange(len(curve)), blocks),
         "value": values.ravel()}
    )  # fmt: skip
    return estimate(rows, ["arm"], "value", is_rate=False)


def single(count: int) -> list[list[int]]:
    """Each value has one arm."""
    return [[k] for k in range(count)]


# --- ranges ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "target", "sign", "values"),
    [
        ("public_fame=0..20/5", "public_fame", "=", "0 5 10 15 20"),
        ("public_fame=3..5", "public_fame", "=", "3 4 5"),
        (" public_fame = 10, 0 ,5", "public_fame", "=", "0 5 10"),
        ("projects.difficulty*=0.8..1.2/0.1", "projects.difficulty", "*=", "0.8 0.9 1 1.1 1.2"),
        ("Planetary Shield.defence+=-20..20/10", "Planetary Shield.defence", "+=", "-20 -10 0 10 20"),
        ("Space-Time.fame-=1,2", "Space-Time.fame", "-=", "1 2"),
        ("projects:level-3.fame*=1.50,2.0", "projects:level-3.fame", "*=", "1.5 2"),
        ("alien=raiding-party, World Enders", "alien", "=", "raiding-party|World Enders"),
        ("length=short,standard,epic", "length", "=", "short standard epic"),
        ("x=100..300/100", "x", "=", "100 200 300"),
    ],
)
def test_ranges(text: str, target: str, sign: str, values: str) -> None:
    axis = sweep.parse_axis(text)
    expected = values.split("|" if "|" in values else " ")
    assert (axis.target, axis.sign, list(axis.values)) == (target, sign, expected)
    assert axis.change(axis.values[0]) == f"{target}{sign}{expected[0]}"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("public_fame", "is no range"),
        ("=1,2", "is no range"),
        ("public_fame=", "is no range"),
        ("public_fame=5", "a single value"),
        ("public_fame=20..0/5", "is empty"),
        ("public_fame=5..5", "is empty"),
        ("public_fame=0..20/0", "is empty"),
        ("public_fame=0..20/-5", "is empty"),
        ("public_fame=0..20/7", "come to 14 and not to 20"),
        ("public_fame=0..20/30", "come to 0 and not to 20"),
        ("public_fame=0.5..2.5", "no step given"),
        ("public_fame=a..b", "is no range"),
        ("public_fame=0..", "is no range"),
        ("public_fame=1,2,1", "1 stands there twice"),
        ("public_fame=1,1.0", "1 stands there twice"),
        ("public_fame=1,,2", "a value is missing"),
        ("public_fame=0..1000000", "1,000,001 values; valid: at most 101"),
        ("public_fame=0..999999999/0.000000001", "values; valid: at most 101"),
    ],
)
def test_what_is_no_range(text: str, complaint: str) -> None:
    with pytest.raises(UserError) as error:
        sweep.parse_axis(text)
    assert len(error.value.lines) == 1
    assert complaint in str(error.value)
    assert "; valid: " in str(error.value)


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ([], "0 ranges"),
        (["a=1,2", "b=1,2", "c=1,2"], "3 ranges"),
        (["a=1,2", "a=3,4"], "a is varied twice"),
        (["a=1..21", "b=1..20"], "21 × 20"),
    ],
)
def test_what_is_no_grid(texts: list[str], complaint: str) -> None:
    with pytest.raises(UserError, match=complaint):
        sweep.parse_axes(texts)


def test_names_and_neutral_values() -> None:
    times = sweep.parse_axis("projects.difficulty*=0.8..1.2/0.2")
    assert times.name == "projects.difficulty ×"
    assert times.step == pytest.approx(0.2)
    assert [times.changes_nothing(value) for value in times.values] == [False, True, False]
    words = sweep.parse_axis("alien=a,b")
    assert words.numbers is None
    assert not words.changes_nothing("a")


# --- targets ---------------------------------------------------------------------------------------------
def test_goals() -> None:
    assert sweep.parse_goal("alien_win=0.5") == sweep.Goal("alien_win", 0.5, 0.5)
    assert sweep.parse_goal(" rounds = 9 .. 11.5 ") == sweep.Goal("rounds", 9, 11.5)
    assert sweep.parse_goal("strategy:cautious=0.2..0.3").metric == "strategy:cautious"
    for wrong in (
        "alien_win",
        "=0.5",
        "alien_win=",
        "alien_win=half",
        "alien_win=1..2..3",
        "alien_win=0.6..0.4",
    ):
        with pytest.raises(UserError, match="--target"):
            sweep.parse_goal(wrong)


def test_meeting_a_goal() -> None:
    goal = sweep.Goal("alien_win", 0.45, 0.55)
    found = [
        sweep.meets(*ends, goal) for ends in ((0.46, 0.54), (0.44, 0.5), (0.3, 0.44), (0.56, 0.6), (0.4, 0.6))
    ]
    assert found == ["yes", "perhaps", "no", "no", "perhaps"]


# --- curves ----------------------------------------------------------------------------------------------
def test_the_slope_of_a_line_is_paired() -> None:
    """Luck that all values share drops out; the slope is that of least squares, block by block."""
    x = [0, 5, 10, 15, 20]
    found = arms([1 + 0.04 * at for at in x])
    line = sweep.trend(found, single(5), x)
    assert line.step == 5
    assert line.slope.value == pytest.approx(0.2, abs=0.01)
    assert line.slope.low < 0.2 < line.slope.high
    assert line.slope.error < 0.005  # 0.1 / sqrt(400) / sqrt(10)
    assert not line.bends


def test_uneven_values_count_by_their_distance() -> None:
    x = [0, 1, 2, 10]
    line = sweep.trend(arms([3 * at for at in x]), single(4), x)
    assert line.slope.value == pytest.approx(10, abs=0.05)  # the average step is 10 / 3


def test_where_a_curve_bends() -> None:
    x = list(range(0, 21, 2))
    curve = [0.1 * min(at, 12) for at in x]
    line = sweep.trend(arms(curve, noise=0.05), single(len(x)), x)
    assert line.bends and line.bend is not None
    assert line.bend.at == 12
    assert line.bend.before.value == pytest.approx(0.2, abs=0.01)
    assert line.bend.after.value == pytest.approx(0.0, abs=0.01)
    assert line.bend.change.value == pytest.approx(-0.2, abs=0.02)


def test_three_values_bend_at_the_middle_one_and_two_never() -> None:
    bend = sweep.trend(arms([0, 1, 0]), single(3), [0, 1, 2]).bend
    assert bend is not None
    assert (bend.at, bend.before.value, bend.after.value) == (
        1,
        pytest.approx(1, abs=0.05),
        pytest.approx(-1, abs=0.05),
    )
    assert sweep.trend(arms([0, 1]), single(2), [0, 1]).bend is None


def test_straight_lines_seldom_bend() -> None:
    """Holm: of 200 straight curves, about 5 % at most are called bent."""
    x = list(range(7))
    bent = sum(sweep.trend(arms(x, 1.0, 1.0, seed, 60), single(7), x).bends for seed in range(200))
    assert bent <= 18  # 10 expected at most; 18 is beyond the 99 % point


def test_identical_arms_have_no_slope_at_all() -> None:
    line = sweep.trend(arms([1, 1, 1], noise=0), single(3), [0, 1, 2])
    assert (line.slope.value, line.slope.low, line.slope.high, line.slope.p) == (0, 0, 0, 1)


def test_a_grid_has_a_slope_for_each_axis_and_an_interaction() -> None:
    x, y = [0, 1, 2], [0, 10]
    places = [[2 * i + j for j in range(2)] for i in range(3)]
    found = arms([0.5 * a + 0.03 * b + 0.02 * a * b for a in x for b in y], noise=0.02)
    assert sweep.trend(found, places, x).slope.value == pytest.approx(0.5 + 0.02 * 5, abs=0.01)
    columns = [[2 * i + j for i in range(3)] for j in range(2)]
    assert sweep.trend(found, columns, y).slope.value == pytest.approx(10 * (0.03 + 0.02), abs=0.01)
    both = sweep.interaction(found, places, x, y)
    assert both.value == pytest.approx(0.2, abs=0.01)  # a step of x more, for each step (10) of y
    assert both.low < 0.2 < both.high


# --- where a target is reached ---------------------------------------------------------------------------
def test_where_a_line_reaches_a_figure() -> None:
    x = [0, 5, 10, 15, 20]
    found = arms([at / 20 for at in x], noise=0.05, shared=0.02)
    (there,) = sweep.reached(found, range(5), x, 0.6)
    assert there.at == pytest.approx(12, abs=0.3)
    assert there.low < 12 < there.high
    assert there.high - there.low < 1
    assert not there.open_low and not there.open_high


def test_a_hill_reaches_it_twice_and_a_far_target_is_never_reached() -> None:
    x = [0, 1, 2, 3, 4]
    found = arms([0, 1, 2, 1, 0], noise=0.01, shared=0.01)
    left, right = sweep.reached(found, range(5), x, 0.5)
    assert (left.at, right.at) == (pytest.approx(0.5, abs=0.01), pytest.approx(3.5, abs=0.01))
    assert sweep.reached(found, range(5), x, 3) == []


def test_a_stretch_may_go_beyond_the_range() -> None:
    found = arms([0, 0.001, 0.002], noise=1, shared=0)
    (there,) = sweep.reached(found, range(3), [0, 1, 2], 0.001)
    assert there.open_low and there.open_high


def test_no_luck_at_all_still_has_its_place() -> None:
    found = arms([0, 1, 2], noise=0, shared=0)
    (there,) = sweep.reached(found, range(3), [0, 1, 2], 0.505)
    assert there.at == pytest.approx(0.505)


def test_how_often_the_set_covers() -> None:
    """The 95 % set holds the true place in about 95 % of the cases."""
    x = [0, 1, 2]
    hits = 0
    for seed in range(200):
        found = arms([0.0, 1.0, 2.0], noise=1.0, shared=1.0, seed=seed, blocks=100)
        hits += any(
            one.low - 0.011 <= 0.7 <= one.high + 0.011 for one in sweep.reached(found, range(3), x, 0.7)
        )
    assert 180 <= hits <= 199


# --- tables ----------------------------------------------------------------------------------------------
def test_the_table_of_a_curve() -> None:
    found = arms([0, 0.1, 0.2])
    keys = pl.DataFrame({"x": ["1", "2", "printed"], "place": [1, 2, 0]})
    table = sweep.curve_table(found, keys, 0)
    assert table["x"].to_list() == ["1", "2", "printed"]
    assert table["value"].to_list() == pytest.approx([float(found.value[k]) for k in (1, 2, 0)])
    paired = found.difference(2, 0)
    assert table.row(1, named=True)["difference"] == pytest.approx(paired.value)
    assert (table["difference_low"][1], table["difference_high"][1]) == pytest.approx(
        (paired.low, paired.high)
    )
    assert table["p"][2] is None and table["p_holm"][2] is None
    assert table["p_holm"][0] >= table["p"][0]


def test_few_blocks_give_no_figures() -> None:
    found = arms([0, 1], blocks=10)
    table = sweep.curve_table(found, pl.DataFrame({"place": [0, 1]}), 0)
    assert table["value"].to_list() == [None, None]
    assert table["difference"].to_list() == [None, None]
    assert set(table["note"]) == {"too few games"}
    assert not sweep.enough(found, [0, 1])
