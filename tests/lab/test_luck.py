"""Luck and skill: variance split by inputs where the answer is known, and a small real experiment."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import product
from math import pi
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest

from analysis.lab.luck import luck
from analysis.lab.luck_parts import INPUTS
from analysis.lab.luck_words import games_text, half_text
from analysis.lab.pickfreeze import Decomposition, Factorial, Sample, between, decompose
from analysis.lab.stages import base_words
from sim.errors import UserError
from sim.games.eti.changes import REROLLS
from tests.runs.kit import fine, xeno
from xenobalance.cli.main import run as front

Outcome = Callable[..., Any]


def played(f: Outcome, draws: Callable[[np.random.Generator], list[Any]], seed: int = 0) -> Decomposition:
    """The arms of an experiment: A, B, and for each input the mixed one."""
    r = np.random.default_rng(seed)
    old, new = draws(r), draws(r)
    mixed = {}
    for k in range(len(old)):
        inputs = [new[j] if j == k else old[j] for j in range(len(old))]
        mixed[f"x{k + 1}"] = f(*inputs)
    return decompose(f(*old), f(*new), mixed)


def dice(count: int, blocks: int, sides: int = 6) -> Callable[[np.random.Generator], list[Any]]:
    return lambda r: [r.integers(1, sides + 1, blocks).astype(float) for _ in range(count)]


def exact(f: Outcome, count: int, sides: int = 6) -> tuple[list[float], list[float]]:
    """First-order and total indices by trying all rolls."""
    rolls = np.array(list(product(range(1, sides + 1), repeat=count)), float)
    values = np.asarray(f(*rolls.T), float).reshape((sides,) * count)
    first = [values.mean(axis=tuple(j for j in range(count) if j != k)).var() for k in range(count)]
    others = [values.mean(axis=k).var() for k in range(count)]
    return [x / values.var() for x in first], [1 - x / values.var() for x in others]


def agrees(found: Decomposition, first: list[float], total: list[float]) -> None:
    """Every true index lies within its interval, stretched by half (many are looked at)."""
    for name, s, t in zip(found.inputs, first, total, strict=True):
        for share, truth in ((found.first(name), s), (found.total(name), t)):
            half = (share.high - share.low) * 0.75 + 1e-9
            assert abs(share.value - truth) < half, (name, share, truth)
            assert share.high - share.low < 0.06


# --- known answers -----------------------------------------------------------------------------------------
def ishigami(x: Any, y: Any, z: Any) -> Any:
    return np.sin(x) + 7 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)


def test_ishigami() -> None:
    """The textbook's example: the third input does nothing alone, but much with the first."""
    found = played(ishigami, lambda r: [r.uniform(-pi, pi, 40_000) for _ in range(3)])
    agrees(found, [0.3139, 0.4424, 0.0], [0.5576, 0.4424, 0.2437])
    pairs = {(row["one"], row["other"]): row for row in found.pairs(found.inputs).iter_rows(named=True)}
    assert pairs["x1", "x3"]["low"] < 0.2437 < pairs["x1", "x3"]["high"]
    assert pairs["x1", "x3"]["p_holm"] < 0.001
    assert pairs["x1", "x2"]["p_holm"] > 0.05


def test_a_sum_of_dice() -> None:
    """Nothing hangs on two dice together, and the indices add up to 1."""
    found = played(lambda x, y, z: x + 2 * y + 3 * z, dice(3, 20_000))
    agrees(found, [1 / 14, 4 / 14, 9 / 14], [1 / 14, 4 / 14, 9 / 14])
    rest = found.weighted({("first", name): 1.0 for name in found.inputs}, from_value=1.0)
    assert rest.low < 0 < rest.high
    assert found.variance == pytest.approx(14 * 35 / 12, rel=0.02)


@pytest.mark.parametrize(
    "won",
    [
        lambda x, y, z: x + y + z > 12,  # rare
        lambda x, y, z: x > y,  # z does nothing
        lambda x, y, z: (x > 3) != (y > 3),  # only together
        lambda x, y, z: x * y > 6 * z,
    ],
)
def test_who_wins(won: Outcome) -> None:
    """Outcomes of 0 and 1, as all wins are."""

    def f(*rolls: Any) -> Any:
        return won(*rolls).astype(float)

    agrees(played(f, dice(3, 30_000)), *exact(f, 3))


def test_two_coins() -> None:
    """Each coin alone tells nothing, and both together everything."""
    found = played(lambda x, y: (x + y) % 2, dice(2, 5_000, sides=2))
    (row,) = found.pairs(found.inputs).iter_rows(named=True)
    assert row["low"] < 1 < row["high"]
    assert found.changes("x1").value == pytest.approx(0.5, abs=0.03)
    more = found.more("x1")
    assert more.low < 1 < more.high + 0.01


def test_a_winner_of_several() -> None:
    """Outcomes with a column for each seat: their variances are added up."""

    def f(x: Any, y: Any) -> Any:
        winner = np.where(x > 2, 0, np.where(y > 3, 1, 2))
        return np.stack([winner == seat for seat in range(3)], axis=1).astype(float)

    found = played(f, dice(2, 30_000))
    parts = [exact(lambda x, y, seat=seat: f(x, y)[..., seat], 2) for seat in range(3)]
    sizes = np.array([4 / 6 * 2 / 6, 1 / 6 * 5 / 6, 1 / 6 * 5 / 6])
    first, total = (sizes @ np.array([part[k] for part in parts]) / sizes.sum() for k in range(2))
    agrees(found, list(first), list(total))


def test_intervals_cover() -> None:
    """95 % intervals, also of a win that is decided by little."""
    truth = exact(lambda x, y: (x + y > 9).astype(float), 2)
    hits = np.zeros(2)
    for seed in range(200):
        found = played(lambda x, y: (x + y > 9).astype(float), dice(2, 800), seed)
        for k, share in enumerate((found.first("x1"), found.total("x1"))):
            hits[k] += share.low <= truth[k][0] <= share.high
    assert (hits / 200 > 0.90).all(), hits


def test_what_changes_nothing_is_not_certain() -> None:
    """Forty games without a change do not prove that there is never one."""
    found = played(lambda x, y: (y > 3).astype(float), dice(2, 40))
    assert found.first("x1").value == found.total("x1").value == 0
    assert 0.03 < found.total("x1").high < 0.2
    assert found.first("x1").high == found.total("x1").high
    assert found.changes("x1").high == pytest.approx(0.0876, abs=0.001)


def test_few_blocks_give_no_figures() -> None:
    found = played(lambda x, y: x + y, dice(2, 20))
    assert found.table()["total"].null_count() == 2
    assert set(found.table()["note"]) == {"too few games"}
    assert found.pairs(found.inputs)["share"].null_count() == 1


def test_an_outcome_that_never_varies() -> None:
    found = played(lambda x, y: 0 * x, dice(2, 50))
    assert found.total("x1").value == found.first("x2").value == 0


# --- all mixes of a few groups -----------------------------------------------------------------------------
def mixes(
    f: Outcome, count: int, draws: Callable[[np.random.Generator], list[Any]], seed: int = 0
) -> Factorial:
    r = np.random.default_rng(seed)
    old, new = draws(r), draws(r)
    arms = [f(*(new[k] if mask >> k & 1 else old[k] for k in range(count))) for mask in range(1 << count)]
    return Factorial([f"x{k + 1}" for k in range(count)], arms)


def exact_parts(f: Outcome, count: int) -> dict[int, float]:
    """The share of each set of dice, by trying all rolls."""
    rolls = np.array(list(product(range(1, 7), repeat=count)), float)
    values = np.asarray(f(*rolls.T), float).reshape((6,) * count)
    closed = {
        mask: values.mean(axis=tuple(k for k in range(count) if not mask >> k & 1)).var() / values.var()
        for mask in range(1 << count)
    }
    return {
        mask: sum((-1) ** (mask ^ sub).bit_count() * closed[sub] for sub in closed if sub & mask == sub)
        for mask in closed
        if mask
    }


@pytest.mark.parametrize(
    "won",
    [
        lambda x, y, z: x + y + z > 12,
        lambda x, y, z: (x > 3) != (y > 3),
        lambda x, y, z: x * y > 6 * z,
        lambda x, y, z: (x + y + z) % 2 == 0,
    ],
)
def test_parts_add_up(won: Outcome) -> None:
    """Every part agrees with the exact one; together they are 1, and so are the shares."""

    def f(*rolls: Any) -> Any:
        return won(*rolls).astype(float)

    found, truth = mixes(f, 3, dice(3, 20_000)), exact_parts(f, 3)
    for mask, value in truth.items():
        part = found.part(mask)
        assert abs(part.value - value) < 0.75 * (part.high - part.low) + 1e-9, mask
        assert part.high - part.low < 0.07
    assert sum(found.part(mask).value for mask in truth) == pytest.approx(1)
    assert sum(found.share(name).value for name in found.groups) == pytest.approx(1)
    even = sum(value / mask.bit_count() for mask, value in truth.items() if mask & 1)
    share = found.share("x1")
    assert abs(share.value - even) < 0.75 * (share.high - share.low)


def test_closed_indices_hold_their_parts() -> None:
    found = mixes(lambda x, y, z: x * y + z, 3, dice(3, 5_000))
    together = found.part(1).value + found.part(2).value + found.part(3).value
    assert found.closed(3).value == pytest.approx(together)
    assert found.name(5) == "x1 × x3"
    assert found.closed(7).value == 1


def test_intervals_of_parts_cover() -> None:
    truth = exact_parts(lambda x, y: (x + y > 9).astype(float), 2)
    hits = np.zeros(3)
    for seed in range(200):
        found = mixes(lambda x, y: (x + y > 9).astype(float), 2, dice(2, 800), seed)
        hits += [found.part(mask).low <= truth[mask] <= found.part(mask).high for mask in (1, 2, 3)]
    assert (hits / 200 > 0.90).all(), hits


# --- how far apart the options of one input are ------------------------------------------------------------
def two_samples(rates: tuple[float, ...], blocks: int, seed: int) -> tuple[Sample, Sample]:
    """Games of one seat whose strategy is drawn."""
    r = np.random.default_rng(seed)
    made = []
    for _ in range(2):
        option = r.integers(0, len(rates), blocks)
        tries = (option[:, None] == np.arange(len(rates))).astype(float)
        made.append(Sample(tries * (r.random(blocks) < np.array(rates)[option])[:, None], tries))
    return made[0], made[1]


@pytest.mark.parametrize("rates", [(0.2, 0.3), (0.25, 0.25, 0.25), (0.1, 0.2, 0.3, 0.4)])
def test_win_rates_that_differ(rates: tuple[float, ...]) -> None:
    """The variance of the rates over that of a game; unbiased, and covered as often as it says."""
    truth = float(np.var(rates) / (np.mean(rates) * (1 - np.mean(rates))))
    found = [between([two_samples(rates, 1500, seed)]) for seed in range(200)]
    values = np.array([one.value for one in found])
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(len(values))
    assert np.mean([one.low <= truth <= one.high for one in found]) > 0.9


# --- real games --------------------------------------------------------------------------------------------
SMALL = ("--players", "3", "--length", "short", "--quiet", "--json")


def made(*args: object, out: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(fine(xeno("luck", *args, *SMALL, "--out", out)))
    return facts


@cache
def beginners() -> dict[str, Any]:
    """Two that know how to play, and one that plays at random."""
    out = Path(mkdtemp()) / "out"
    return made("--strategies", "cautious,gambler,random", "--games", "1200", out=out) | {"out": out}


def one(facts: dict[str, Any], table: str, **wanted: Any) -> dict[str, Any]:
    """The row of a table."""
    (row,) = (r for r in facts["tables"][table] if all(r[key] == value for key, value in wanted.items()))
    return dict(row)


def test_a_beginner_makes_strategies_matter() -> None:
    facts = beginners()
    value, low, high = facts["facts"]["skill"]
    assert 0.05 < low < value < high < 0.5
    own = one(facts, "own", seat="any seat")
    assert 0.03 < own["share_low"] < own["share_high"] < 0.3
    assert own["games_low"] < own["games"] < own["games_high"] < 100
    worst = min(facts["tables"]["strategies"], key=lambda row: row["strategy_wins"])
    assert worst["strategy"] == "random"
    assert any("games" in line and "as much of the strategy as of luck" in line for line in facts["verdict"])
    assert (facts["out"] / "report.html").is_file()


def test_the_parts_of_every_result_add_up() -> None:
    facts = beginners()
    for outcome in ("winner", "alien", "margin", "rounds"):
        parts = [row["share"] for row in facts["tables"]["parts"] if row["outcome"] == outcome]
        assert len(parts) == 7
        assert sum(parts) == pytest.approx(1, abs=0.03)  # parts below 0 count as 0
        shares = [row["share"] for row in facts["tables"]["groups"] if row["outcome"] == outcome]
        assert sum(shares) == pytest.approx(1)


def test_the_cards_of_the_invasion_do_not_change_when_it_comes() -> None:
    """They are dealt when the rounds are over: a share of exactly 0, and an interval that says how sure that is."""
    facts = beginners()
    row = one(facts, "inputs", outcome="rounds", input="attack cards")
    assert (row["first"], row["total"], row["changes"]) == (0, 0, 0)
    assert 0 < row["total_high"] < 0.1
    assert one(facts, "inputs", outcome="winner", input="attack cards")["changes_low"] > 0.05


def test_a_finished_experiment_is_only_read_again() -> None:
    facts = beginners()
    before = [path.stat().st_mtime_ns for path in sorted(facts["out"].glob("stages/*/sums/*"))]
    again = made("--strategies", "cautious,gambler,random", "--games", "1200", out=facts["out"])
    assert again == {key: value for key, value in facts.items() if key != "out"}
    assert [path.stat().st_mtime_ns for path in sorted(facts["out"].glob("stages/*/sums/*"))] == before


def test_an_alien_that_always_wins_leaves_nothing_but_the_roles(tmp_path: Path) -> None:
    """Attack cards of 200 each: who is the alien decides everything."""
    rules = [f"attack_{name}=200" for name in ("x0", "x2", "x3", "plain_open", "plain_immune", "tactic_open",
                                               "tactic_immune")]  # fmt: skip
    more = [word for rule in (*rules, "attack_cards=2") for word in ("--rule", rule)]
    facts = made("--strategies", "cautious,gambler,climber", "--games", "300", *more, out=tmp_path / "out")
    assert one(facts, "parts", outcome="winner", part="roles")["share_low"] > 0.9
    assert facts["facts"]["skill"][2] < 0.1


def test_everybody_in_his_seat(tmp_path: Path) -> None:
    """Then there is nothing but luck."""
    facts = made("--strategies", "cautious,gambler,climber", "--fixed", "--games", "60", out=tmp_path / "out")
    assert facts["facts"]["groups"] == ["roles", "cards"]
    assert facts["facts"]["skill"] is None
    assert facts["tables"]["own"] == []
    assert len(facts["tables"]["parts"]) == 4 * 3


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--line-up", "rotated"), "luck plays no rotations; valid: pool, or seats with 'fixed'"),
        (("--line-up", "pool", "--fixed"), "'fixed' keeps it; valid: one of them"),
        (("--games", "0"), "games is 0; valid: a whole number"),
        (("--strategies", "cautios"), "no strategy 'cautios' (did you mean 'cautious'?)"),
    ],
)
def test_wrong_words(
    args: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert front(["luck", *args, "--players", "3", "--quiet", "--out", str(tmp_path / "out")]) == 2
    assert told in capsys.readouterr().err


def test_few_games_of_one_strategy_in_a_notebook() -> None:
    """Plain Python here; all seats play the same, so no strategy is drawn."""
    found = luck(base_words(players=3, length="short", strategies="cautious"), games=2)
    assert found.warnings == ["Too few games to say anything: 2 of each arm. From 30 on there are figures."]
    assert found.verdict == []
    assert found.tables["parts"]["share"].null_count() == len(found.tables["parts"])
    with pytest.raises(UserError, match="games is 0"):
        luck(base_words(players=3), games=0)


def test_as_many_seats_as_the_line_up_has() -> None:
    """A line-up of three is a table of three, whose strategies are then drawn, each as often as the others."""
    found = luck(base_words(length="short", strategies=["cautious", "cautious", "random"]), games=1)
    assert found.words["base"]["players"] == 3
    assert found.words["base"]["strategies"] == ["cautious", "random"]
    assert found.games == (8 + 7) * 1


def test_every_kind_of_luck_is_split() -> None:
    assert {one.reroll for one in INPUTS} == {name for name in REROLLS if not name.startswith("line-up-")}


def test_words_of_games() -> None:
    assert [games_text(x) for x in (0.4, 7.2, 96, 521.7, 12_345)] == ["1", "7", "96", "520", "12,000"]
    assert "more than anybody plays" in half_text([500.0, 100.0, None])
    assert half_text([None, 90.0, None]).startswith("No strategy")
