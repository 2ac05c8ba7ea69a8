"""Targets: bands, what cannot be, how far off and how sure."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from analysis.lab.candidates import BASE, Archive
from analysis.lab.targets import Diversity, Measure, Plain, Seats, Target, parse_target, parse_targets
from sim.errors import UserError


def measure(name: str) -> Measure:
    """Measures by name, as the lab finds them."""
    if name == "seats":
        return Seats(("distance:0", "distance:1", "distance:2", "distance:3"))
    if name == "diversity":
        return Diversity(("strategy:a", "strategy:b", "strategy:c"))
    return Plain(name, True, (0.0, 1.0)) if name.endswith("win") else Plain(name, False, (0.0, inf))


# --- targets ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("alien_win=0.5", 0.48, 0.52),
        ("alien_win=50%", 0.48, 0.52),
        (" alien_win = 0.5 ~ 0.01 ", 0.49, 0.51),
        ("alien_win=0.5~0", 0.5, 0.5),
        ("alien_win=0.45..0.55", 0.45, 0.55),
        ("alien_win=0.45..0.55~1%", 0.44, 0.56),
        ("alien_win>=0.45", 0.45, inf),
        ("alien_win<=0.45~0.01", -inf, 0.46),
        ("rounds=16", 15.6, 16.4),
        ("rounds=14..18", 14, 18),
        ("rounds=16~2", 14, 18),
        ("seats=fair", -inf, 0.02),
        ("seats=fair~0.01", -inf, 0.01),
        ("seats=0.03", -inf, 0.03),
        ("diversity=0.9", 0.9, inf),
    ],
)
def test_a_target_is_a_band(text: str, low: float, high: float) -> None:
    target = parse_target(text, measure)
    assert (target.low, target.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("alien_win", "valid: metric=number"),
        ("alien_win=", "valid: metric=number"),
        ("=0.5", "valid: metric=number"),
        ("alien_win=half", "'half' is no number"),
        ("alien_win=fair", "only seats can be fair"),
        ("alien_win=0.6..0.4", "0.6 is more than 0.4"),
        ("alien_win=0.1..0.2..0.3", "valid: metric=number"),
        ("alien_win=1.5", "cannot be; valid for alien_win: from 0 to 1"),
        ("alien_win=1.01", "cannot be"),
        ("alien_win>=1.5~0.1", "cannot be"),
        ("rounds=-3", "cannot be; valid for rounds: at least 0"),
        ("diversity=0.2", "cannot be; valid for diversity: from 0.3333 to 1"),
        ("diversity<=0.2", "cannot be"),
        ("alien_win=0.5~-1", "tolerance below 0"),
        ("alien_win=0.5~", "'' is no number"),
        ("alien_win=0.5~much", "'much' is no number"),
    ],
)
def test_a_target_that_cannot_be_is_named(text: str, complaint: str) -> None:
    with pytest.raises(UserError) as error:
        parse_target(text, measure)
    assert complaint in str(error.value) and str(error.value).startswith("--target: ")
    assert len(error.value.lines) == 1


def test_targets_are_there_and_once_each() -> None:
    with pytest.raises(UserError, match="none given"):
        parse_targets([], measure)
    with pytest.raises(UserError, match="alien_win has two targets"):
        parse_targets(["alien_win=0.5", "rounds=16", "alien_win>=0.4"], measure)


def test_misses_count_points_and_hundredths() -> None:
    win, rounds = parse_targets(["alien_win=0.5", "rounds=14..18"], measure)
    assert (win.miss(0.5), win.miss(0.45), win.miss(0.55)) == pytest.approx((0, 3, 3))
    assert (rounds.miss(14), rounds.miss(18.16), rounds.miss(12.4)) == pytest.approx((0, 1, 10))


@pytest.mark.parametrize(
    ("value", "low", "high", "status"),
    [
        (0.50, 0.49, 0.51, "surely"),
        (0.51, 0.49, 0.53, "met"),
        (0.53, 0.51, 0.55, "open"),
        (0.53, 0.47, 0.59, "met"),  # the interval is wider than the band
        (0.60, 0.58, 0.62, "missed"),
    ],
)
def test_a_target_is_met_within_its_interval(value: float, low: float, high: float, status: str) -> None:
    assert parse_target("alien_win=0.5", measure).status(value, low, high) == status


def test_bands_in_words() -> None:
    texts = ["alien_win=0.5", "rounds=14..18", "seats=fair", "diversity=0.9", "rounds>=12", "alien_win=0.5~0"]
    bands = [parse_target(text, measure).band for text in texts]
    assert bands == ["48 % to 52 %", "14 to 18", "at most 2 points", "at least 90 %", "at least 12", "50 %"]


def test_seats_and_diversity_by_hand() -> None:
    away, slope = measure("seats").of([0.25, 0.31, 0.22, 0.22])
    assert away == pytest.approx(0.06) and slope.tolist() == [0, 1, 0, 0]
    assert measure("diversity").of([0.2, 0.2, 0.2])[0] == pytest.approx(1)
    assert measure("diversity").of([0.3, 0.3, 0.0])[0] == pytest.approx(2 / 3, abs=1e-6)
    even, slope = measure("diversity").of([0.5, 0.3, 0.1])
    steps = [measure("diversity").of(np.array([0.5, 0.3, 0.1]) + 1e-6 * np.eye(3)[k])[0] for k in range(3)]
    assert slope == pytest.approx((np.array(steps) - even) / 1e-6, abs=1e-4)


def test_seats_are_judged_by_all_of_them() -> None:
    """The upper end of 'how unfair' reckons with every seat, not only with the one that looks worst."""
    target: Target = parse_target("seats=fair", measure)
    archive, draw = Archive([target]), np.random.default_rng(1)
    wins = draw.multinomial(50, [0.25, 0.25, 0.25, 0.25], size=(64, 1))
    archive.add([BASE], 0, wins, np.full(wins.shape, 50))
    found = archive.read([BASE])
    low, high = found.interval(0, 0)
    assert low == 0 and 0.01 < high < 0.05
    assert found.measured[0].value[0] == pytest.approx(np.max(np.abs(wins.sum(axis=0) / 3200 - 0.25)))
