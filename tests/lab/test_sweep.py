"""Sweeps: ranges, curves whose shape is known, targets whose place is known; and one real sweep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.blocks import Estimates, estimate
from analysis.lab import curves, sweep
from analysis.lab.stages import base_words, load_result
from reports.lab.sweep import chapter as page
from sim.errors import UserError
from tests.runs.kit import fine, xeno

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


# --- curves ----------------------------------------------------------------------------------------------
def test_the_slope_of_a_line_is_paired() -> None:
    """Luck that all values share drops out; the slope is that of least squares, block by block."""
    x = [0, 5, 10, 15, 20]
    found = arms([1 + 0.04 * at for at in x])
    line = curves.trend(found, single(5), x)
    assert line.step == 5
    assert line.slope.value == pytest.approx(0.2, abs=0.01)
    assert line.slope.low < 0.2 < line.slope.high
    assert line.slope.error < 0.005  # 0.1 / sqrt(400) / sqrt(10)
    assert not line.bends


def test_uneven_values_count_by_their_distance() -> None:
    x = [0, 1, 2, 10]
    line = curves.trend(arms([3 * at for at in x]), single(4), x)
    assert line.slope.value == pytest.approx(10, abs=0.05)  # the average step is 10 / 3


def test_where_a_curve_bends() -> None:
    x = list(range(0, 21, 2))
    curve = [0.1 * min(at, 12) for at in x]
    line = curves.trend(arms(curve, noise=0.05), single(len(x)), x)
    assert line.bends and line.bend is not None
    assert line.bend.at == 12
    assert line.bend.before.value == pytest.approx(0.2, abs=0.01)
    assert line.bend.after.value == pytest.approx(0.0, abs=0.01)
    assert line.bend.change.value == pytest.approx(-0.2, abs=0.02)


def test_three_values_bend_at_the_middle_one_and_two_never() -> None:
    bend = curves.trend(arms([0, 1, 0]), single(3), [0, 1, 2]).bend
    assert bend is not None
    assert (bend.at, bend.before.value, bend.after.value) == (
        1,
        pytest.approx(1, abs=0.05),
        pytest.approx(-1, abs=0.05),
    )
    assert curves.trend(arms([0, 1]), single(2), [0, 1]).bend is None


def test_straight_lines_seldom_bend() -> None:
    """Holm: of 200 straight curves, about 5 % at most are called bent."""
    x = list(range(7))
    bent = sum(curves.trend(arms(x, 1.0, 1.0, seed, 60), single(7), x).bends for seed in range(200))
    assert bent <= 18  # 10 expected at most; 18 is beyond the 99 % point


def test_identical_arms_have_no_slope_at_all() -> None:
    line = curves.trend(arms([1, 1, 1], noise=0), single(3), [0, 1, 2])
    assert (line.slope.value, line.slope.low, line.slope.high, line.slope.p) == (0, 0, 0, 1)


def test_a_grid_has_a_slope_for_each_axis_and_an_interaction() -> None:
    x, y = [0, 1, 2], [0, 10]
    places = [[2 * i + j for j in range(2)] for i in range(3)]
    found = arms([0.5 * a + 0.03 * b + 0.02 * a * b for a in x for b in y], noise=0.02)
    assert curves.trend(found, places, x).slope.value == pytest.approx(0.5 + 0.02 * 5, abs=0.01)
    columns = [[2 * i + j for i in range(3)] for j in range(2)]
    assert curves.trend(found, columns, y).slope.value == pytest.approx(10 * (0.03 + 0.02), abs=0.01)
    both = curves.interaction(found, places, x, y)
    assert both.value == pytest.approx(0.2, abs=0.01)  # a step of x more, for each step (10) of y
    assert both.low < 0.2 < both.high


# --- where a target is reached ---------------------------------------------------------------------------
def test_where_a_line_reaches_a_figure() -> None:
    x = [0, 5, 10, 15, 20]
    found = arms([at / 20 for at in x], noise=0.05, shared=0.02)
    (there,) = curves.reached(found, range(5), x, 0.6)
    assert there.at == pytest.approx(12, abs=0.3)
    assert there.low < 12 < there.high
    assert there.high - there.low < 1
    assert not there.open_low and not there.open_high


def test_a_hill_reaches_it_twice_and_a_far_target_is_never_reached() -> None:
    x = [0, 1, 2, 3, 4]
    found = arms([0, 1, 2, 1, 0], noise=0.01, shared=0.01)
    left, right = curves.reached(found, range(5), x, 0.5)
    assert (left.at, right.at) == (pytest.approx(0.5, abs=0.01), pytest.approx(3.5, abs=0.01))
    assert curves.reached(found, range(5), x, 3) == []


def test_a_stretch_may_go_beyond_the_range() -> None:
    found = arms([0, 0.001, 0.002], noise=1, shared=0)
    (there,) = curves.reached(found, range(3), [0, 1, 2], 0.001)
    assert there.open_low and there.open_high


def test_no_luck_at_all_still_has_its_place() -> None:
    found = arms([0, 1, 2], noise=0, shared=0)
    (there,) = curves.reached(found, range(3), [0, 1, 2], 0.505)
    assert there.at == pytest.approx(0.505)


def test_how_often_the_set_covers() -> None:
    """The 95 % set holds the true place in about 95 % of the cases."""
    x = [0, 1, 2]
    hits = 0
    for seed in range(200):
        found = arms([0.0, 1.0, 2.0], noise=1.0, shared=1.0, seed=seed, blocks=100)
        hits += any(
            one.low - 0.011 <= 0.7 <= one.high + 0.011 for one in curves.reached(found, range(3), x, 0.7)
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


# --- what is played --------------------------------------------------------------------------------------
def grid(*ranges: str, **words: Any) -> sweep.Grid:
    """What a sweep would play at a table of three."""
    base = base_words(players=3, length="short", **words)
    return sweep.lay_out(base, sweep.parse_axes(ranges), {"games": 100, "seed": 1})


def test_the_table_as_it_is_is_played_once() -> None:
    found = grid("public_fame=0..20/10")
    assert found.arms == [[], ["public_fame=0"], ["public_fame=20"]]
    assert found.places.tolist() == [1, 0, 2]
    assert found.keys()["same"].to_list() == ["", "as it is", ""]
    assert grid("public_fame=0..20/10", rules={"public_fame": 20}).places.tolist() == [1, 2, 0]


def test_what_is_rounded_to_the_same_is_played_once() -> None:
    found = grid("Computer Languages.defence*=0.9..1.1/0.05")  # printed: 10
    assert found.keys()["same"].to_list() == ["", "the same as 0.9", "as it is", "", "the same as 1.05"]
    assert len(found.arms) == 3


def test_a_grid_leaves_out_what_changes_nothing() -> None:
    found = grid("public_fame=5,10", "projects.difficulty*=1,1.2")
    both = [["public_fame=5", "projects.difficulty*=1.2"], ["public_fame=10", "projects.difficulty*=1.2"]]
    assert found.arms == [[], ["public_fame=5"], *both]
    assert found.places.tolist() == [[1, 2], [0, 3]]
    assert found.along(0) == [[1, 2], [0, 3]]
    assert found.along(1) == [[1, 0], [2, 3]]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"ranges": ["public_fam=0,5"]}, "did you mean 'public_fame'"),
        ({"ranges": ["public_fame=90..110/10"]}, "110 is too high; valid: a whole number from 0 to 100"),
        ({"ranges": ["public_fame=0..1/0.5"]}, "not a whole number"),
        ({"ranges": ["Planetary Sheild.defence=0,5"]}, "did you mean 'planetary-shield'"),
        ({"ranges": ["alien=raiding-party,raiding"]}, "no alien 'raiding'"),
        ({"ranges": []}, "0 ranges; valid: one, or two"),
        ({"ranges": ["public_fame=0,5"], "metrics": ["alien_wins"]}, "did you mean 'alien_win'"),
        ({"ranges": ["public_fame=0,5"], "metrics": ["seat:4"]}, "no such seat"),
        ({"ranges": ["public_fame=0,5"], "metrics": []}, "0 metrics; valid"),
        ({"ranges": ["public_fame=0,5"], "targets": ["alien_win=2"]}, "--target"),
        ({"ranges": ["public_fame=0,5"], "targets": ["alien_win"]}, "--target"),
        ({"ranges": ["public_fame=0,5"], "games": 0}, "games"),
        ({"ranges": ["public_fame=0,5"], "seed": -1}, "seed"),
    ],
)
def test_wrong_words(words: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    """Told in lines, before anything is played or written."""
    with pytest.raises(UserError) as error:
        sweep.sweep(base_words(players=3, length="short"), out=tmp_path / "out", **words)
    assert complaint in str(error.value)
    assert "; valid" in str(error.value)
    assert not (tmp_path / "out").exists()


# --- real sweeps -----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Threes of attack cards hit harder and harder; and the folder."""
    folder = tmp_path_factory.mktemp("sweep") / "out"
    told = fine(
        xeno(
            "sweep", "--vary", "attack_x3=10..50/20", "--players", 3, "--length", "short", "--games", 3000,
            "--target", "alien_win=0.01", "--json", "--out", folder,
        )
    )  # fmt: skip
    return json.loads(told), folder


def test_a_known_direction(played: Any) -> None:
    """The harder the attack the more often the alien wins; the length of games has little to do with it."""
    tables = played[0]["tables"]
    rows = [row for row in tables["curve"] if row["metric"] == "alien_win"]
    assert [row["x"] for row in rows] == ["10", "30", "50"]
    assert rows[0]["value"] < rows[1]["value"] < rows[2]["value"]
    assert rows[1]["same"] == "as it is"
    assert all(row["n"] == 3000 for row in rows)
    slope = next(row for row in tables["trends"] if row["metric"] == "alien_win")
    assert slope["low"] > 0 and slope["p_holm"] < 0.01
    assert slope["slope"] == pytest.approx((rows[2]["value"] - rows[0]["value"]) / 2)


def test_out_of_reach_says_how_near(played: Any) -> None:
    (line,) = [line for line in played[0]["verdict"] if line.startswith("Target")]
    assert "out of reach here: attack_x3 10 comes nearest, with " in line
    assert {row["meets"] for row in played[0]["tables"]["curve"] if row["metric"] == "alien_win"} == {"no"}


def test_its_page(played: Any) -> None:
    """The page has a figure and a table for each metric; sentences have their intervals."""
    chapter = page(load_result(played[1]))
    assert [table.id for table in chapter.tables] == ["sweep-alien-win", "sweep-rounds", "sweep-trends"]
    assert [figure.id for figure in chapter.figures] == ["sweep-alien-win-figure", "sweep-rounds-figure"]
    assert all("95 %" in finding.text for finding in chapter.findings)
    for part in chapter.tables:
        assert part.rows() and all(
            column.cell(row) for column in part.columns for row in part.rows()[:1] if column.name != "note"
        )
    assert (played[1] / "report.html").is_file()
