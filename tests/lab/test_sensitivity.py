"""Sensitivity: designs, Morris's effects and Sobol's indices with known answers, what noise does to them, factors."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest

from analysis.lab.designs import base_points, trajectories
from analysis.lab.sensitivity import chosen, sensitivity
from analysis.lab.sensitivity_factors import Factor, around, choose
from analysis.lab.sensitivity_numbers import elementary_effects, screen, shares
from analysis.lab.stages import load_result
from analysis.lab.sums import Sums
from reports import style
from reports.lab.sensitivity import chapter
from sim.errors import UserError
from tests.runs.kit import SHORT, TRIO, fine, xeno
from xenobalance.cli.main import run

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


def test_any_number_that_changes_can_name():
    chosen = choose(KNOWN, ["Planetary Shield.defence*=0.5..2", "research.spy+=-1..3", "public_fame*=0.5..2"])
    assert [(one.name, one.operator, one.low, one.high, one.default, one.whole) for one in chosen] == [
        ("Planetary Shield.defence", "*=", 0.5, 2, 1, False), ("research.spy", "+=", -1, 3, 0, True),
        ("public_fame", "*=", 0.5, 2, 1, False),
    ]  # fmt: skip
    with pytest.raises(
        UserError, match=r"no factor 'Planetary Shield.defence'.*Planetary Shield.defence\*=0.5..1.5"
    ):
        choose(KNOWN, ["Planetary Shield.defence=20..60"])


# --- the experiment, with games that are made up ------------------------------------------------------------
BASE = {
    "game": "eti", "players": 3, "length": "short", "alien": "drawn", "strategies": list(TRIO), "line_up": "seats",
    "cards": "reference", "rules": {},
}  # fmt: skip
VARY = ["attack_cards=-2..2", "mash_limit=0..2", "public_fame", "vote_factor"]


class MadeUp:
    """A lab whose games are drawn from known chances; `vote_factor` and redrawn luck do nothing but shuffle luck."""

    seen: ClassVar[dict[str, dict[str, Any]]] = {}

    def __init__(self, kind, words, out, workers, watch):
        self.words, self.seen = words, {}
        MadeUp.seen = self.seen

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def stage(self, name, words, labels=()):
        self.seen[name] = dict(words)
        rows, cells = words["games"] // words["fold"], []
        for changes in words["changes"]:
            values = dict(text.split("=") for text in changes if "=" in text)
            attack, mash = float(values.get("attack_cards", 0)), float(values.get("mash_limit", 1))
            chance = 0.5 + 0.1 * attack + 0.1 * (mash - 1) + 0.04 * attack * (mash - 1)
            shuffled = [
                words["skip"],
                int(values.get("vote_factor", 2)),
                any("reroll" in text for text in changes),
            ]
            luck = np.random.default_rng(shuffled).random((rows, words["fold"]))
            cells.append((luck < chance).sum(axis=1))
        wins = np.concatenate(cells)
        frame = pl.DataFrame(
            {"cell": np.repeat(range(len(cells)), rows), "alien": wins, "rounds": 9 * words["fold"]}
        )
        frame = frame.with_columns(games=pl.lit(words["fold"]))
        return Sums(
            [frame.lazy()], [{"players": 3, "changes": c} for c in words["changes"]], ["arm"] * len(cells)
        )

    def finish(self, result):
        return replace(result, words=self.words, games=1)


@pytest.fixture
def made_up(monkeypatch):
    monkeypatch.setattr("analysis.lab.sensitivity.Lab", MadeUp)

    def make(**words):
        defaults = {"vary": VARY, "trajectories": 10, "points": 64, "games": 400, "metrics": "alien_win"}
        return sensitivity(words.pop("base", BASE), **(defaults | words))

    return make


def by_factor(result, table, metric="alien_win"):
    rows = result.tables[table].filter(pl.col("metric") == metric)
    return {row["factor"]: row for row in rows.to_dicts()}


def test_planted_effects_are_found_and_idle_numbers_are_not(made_up):
    found = made_up()
    screened = by_factor(found, "screen")
    # half of the trajectories see the interplay from either side of the middle
    assert screened["attack_cards"]["mu"] == pytest.approx(0.4, abs=0.08)
    assert screened["attack_cards"]["p_holm"] < 0.01 and screened["mash_limit"]["p_holm"] < 0.01
    assert screened["attack_cards"]["mu_low"] < 0.4 < screened["attack_cards"]["mu_high"]
    assert screened["public_fame"]["mu_star"] == 0 and screened["public_fame"]["p"] == 1
    for idle in ("vote_factor", "other luck"):
        assert screened[idle]["mu_star_low"] == 0 and screened[idle]["p"] > 0.05
        assert screened[idle]["noise"] > 0.01  # what it would have seemed to do
    assert found.facts["kept"] == ["attack_cards", "mash_limit"]
    share = by_factor(found, "shares")
    # variances over equally likely values: 0.02 of attack, 0.00667 of mash, 0.00213 of both together
    for name, first, total in (("attack_cards", 0.694, 0.768), ("mash_limit", 0.232, 0.306)):
        assert share[name]["first_low"] <= first <= share[name]["first_high"]
        assert share[name]["total_low"] <= total <= share[name]["total_high"]
        assert share[name]["total"] == pytest.approx(total, abs=0.1)
    assert (
        found.verdict[0].startswith("Of what 'alien wins' varies")
        and "attack_cards (−2 to 2)" in found.verdict[0]
    )


def test_the_tornado_is_paired_and_corrected(made_up):
    found = made_up(trajectories=0, points=0)
    alone = {(row["factor"], row["end"]): row for row in found.tables["alone"].to_dicts()}
    for end, truth in (("low", -0.2), ("high", 0.2)):
        row = alone["attack_cards", end]
        assert row["low"] <= truth <= row["high"] and row["p_holm"] < 0.001 and row["n"] == 3_200
        assert row["high"] - row["low"] < 0.06
    idle = alone["public_fame", "high"]
    assert idle["difference"] == 0 and idle["high"] - idle["low"] < 0.002 and idle["p"] == 1
    assert found.tables["screen"].is_empty() and found.tables["shares"].is_empty() and len(found.verdict) == 1
    assert "attack_cards at" in found.verdict[0]


def test_the_second_stage_meets_other_luck_and_equal_points_are_played_once(made_up):
    made_up()
    alone, screened, second = (MadeUp.seen[name] for name in ("alone", "screen", "shares"))
    assert alone["skip"] == screened["skip"] == 0 and second["skip"] == alone["games"] == 3_200
    assert len(second["changes"]) == len({tuple(one) for one in second["changes"]}) <= 15  # 5 values times 3
    assert alone["changes"][0] == [] and alone["changes"][1] == ["attack_cards=-2"]


def test_many_arms_go_into_several_stages(made_up, monkeypatch):
    whole = made_up()
    monkeypatch.setattr("analysis.lab.sensitivity.MOST_ARMS", 7)
    parts = made_up()
    assert {"screen", "screen-2", "screen-3"} < set(MadeUp.seen)
    assert all(len(words["changes"]) <= 9 for words in MadeUp.seen.values())
    for name in whole.tables:
        assert parts.tables[name].equals(whole.tables[name])


def test_without_screening_all_go_on_and_several_outcomes_share_the_places(made_up):
    found = made_up(trajectories=0, metrics=["alien_win", "rounds"])
    assert found.facts["kept"] == ["attack_cards", "mash_limit", "public_fame", "vote_factor"]
    assert by_factor(found, "shares", "rounds")["attack_cards"]["total"] is None
    assert any("'rounds' does not vary beyond noise" in line for line in found.verdict)


def test_the_same_seed_gives_the_same_result(made_up):
    one, again, other = made_up(), made_up(), made_up(seed=2)
    assert (
        all(one.tables[name].equals(again.tables[name]) for name in one.tables)
        and one.verdict == again.verdict
    )
    assert not one.tables["screen"].equals(other.tables["screen"])


@pytest.mark.parametrize("words", [{}, {"trajectories": 0}, {"points": 0}, {"metrics": "alien_win,rounds"}])
def test_every_chapter_can_be_drawn(made_up, words):
    found = chapter(made_up(**words))
    for figure in found.figures:
        assert style.rendered(figure.draw(), figure.id, "svg")
    ids = {part.id for part in found.parts}
    assert {finding.evidence for finding in found.findings} <= ids and len(ids) == len(found.parts)
    for table in found.tables:
        assert all(column.name in table.frame.columns for column in table.columns)
        assert all(isinstance(column.cell(row), str) for row in table.rows() for column in table.columns)


# --- what is varied by default ------------------------------------------------------------------------------
def test_every_option_and_all_aggregates_are_varied():
    known = {factor.name: factor for factor in chosen(BASE)}
    assert {"ports", "projects.difficulty", "research.threats", "tracks.eti", "multiplier_short"} <= set(
        known
    )
    assert "multiplier_standard" not in known and len(known) > 50  # of another length
    assert known["public_fame"].source == "rulebook" and known["badge_leaves_alien"].low == 0
    ruled = {factor.name: factor for factor in chosen({**BASE, "rules": {"public_fame": 50}})}
    assert (ruled["public_fame"].low, ruled["public_fame"].high, ruled["public_fame"].changes(50)) == (
        35,
        65,
        [],
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ({"vary": ["public_fane"]}, "did you mean 'public_fame'"),
        ({"vary": ["public_fame=0..999"]}, "goes beyond its limits; valid: whole numbers from 0 to 100"),
        ({"vary": ["Nobody's Card.defence*=0.5..2"]}, '--vary: change "Nobody\'s Card.defence*=0.5"'),
        ({"metrics": "alien_wins"}, "did you mean 'alien_win'"),
        ({"metrics": ""}, "metrics: none"),
        ({"points": 100}, "points is 100; valid: 0, or a power of 2, such as 64"),
        ({"points": 8}, "points is 8; valid: 0 for no second stage, or a whole number from 16"),
        ({"trajectories": 1}, "trajectories is 1; valid: 0 for no screening, or a whole number from 2"),
        ({"games": 10}, "games is 10; valid: a whole number from 30"),
        ({"keep": 0}, "keep is 0; valid: a whole number from 1"),
        ({"reach": 2}, "reach is 2; valid: above 0, up to 1"),
    ],
)
def test_what_cannot_be_is_told(made_up, words, complaint):
    with pytest.raises(UserError) as error:
        made_up(**words)
    assert complaint in error.value.lines[0]


# --- the command ----------------------------------------------------------------------------------------------
def test_a_strong_number_is_found_by_the_command(tmp_path):
    out = tmp_path / "found"
    words = (
        "sensitivity", *SHORT, "--line-up", "pool", "--vary", "attack_cards=-2..2,public_fame", "--trajectories", 5,
        "--points", 16, "--games", 100, "--out", out, "--json",
    )  # fmt: skip
    found = json.loads(fine(xeno(*words)))
    drivers = {(row["metric"], row["factor"]): row for row in found["tables"]["drivers"]}
    strong, idle = drivers["alien_win", "attack_cards"], drivers["alien_win", "public_fame"]
    assert strong["at_low"] < -0.2 < 0.1 < strong["at_high"] and strong["p_holm"] < 0.01
    assert idle["mu_star"] == idle["at_low"] == idle["at_high"] == 0 and idle["total"] is None
    assert found["facts"]["kept"] == ["attack_cards"] and (out / "report.html").exists()
    again = json.loads(fine(xeno(*words)))  # all is read
    assert again == found
    assert load_result(out).verdict == found["verdict"]


def test_the_command_refuses(tmp_path, capsys):
    words = ["sensitivity", *SHORT, "--vary", "prots", "--metrics", "alien_win", "--out", str(tmp_path / "x")]
    assert run(words) == 2
    assert "did you mean 'ports'" in capsys.readouterr().err and not (tmp_path / "x").exists()


def test_the_command_lists_what_it_would_vary(capsys):
    assert run(["sensitivity", *SHORT, "--list", "--vary", "attack_x*,ports=12..16"]) == 0
    shown = capsys.readouterr().out
    assert "attack_x3" in shown and "12 to 16" in shown and "0 to 200" in shown and "public_fame" not in shown
