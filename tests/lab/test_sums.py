"""The sums of a run say exactly what its records would say, however they are folded, divided and played."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.blocks import Estimates, contrast_of, estimate
from analysis.lab.sums import METRICS, Sums, find_metric
from sim.errors import UserError
from sim.folder import RunFolder
from sim.plan import Plan, difference, plan_from_dict
from sim.run import run
from sim.verify import verify
from sim.workers import Workers
from tests.lab.kit import play_all, ready, table
from tests.runs.kit import digest, edit, fine, flip, shards, xeno

POOL: dict[str, Any] = {
    "players": 4, "length": "short", "line_up": "pool", "games": 900, "seed": 3,
    "strategies": ["cautious", "gambler", "climber", "scooper", "random"],
    "changes": [
        [], ["public_fame=0", "blank Planetary Shield"], ["random->sprinter", "cautious.push=2"], ["length=standard"],
    ],
}  # fmt: skip
ROTATED: dict[str, Any] = {
    "players": 3, "length": "short", "line_up": "rotated", "games": 600, "seed": 5,
    "strategies": ["cautious", "gambler", "climber"], "changes": [[], ["alien=raiding party"]],
}  # fmt: skip
SEATS = ROTATED | {
    "line_up": "seats",
    "players": 5,
    "strategies": ["gambler"],
    "rules": {"public_fame": [0, 20]},
}
PLANS = {"pool": POOL, "rotated": ROTATED, "seats": SEATS}
#: fold, chunk
FOLDS = {"each": (1, 30_000), "seven": (7, 420), "all": (200, 600), "more than there are": (5_000, 30_000)}
KEEP = {"keep": "sums"}
ONE = (1,)
SAME = [[], [], ["public_fame=5"], ["public_fame=5"], ["public_fame+=0"]]
DIVIDED = POOL | KEEP | {"games": 700, "chunk": 70, "fold": 7}


@pytest.fixture(scope="module")
def outs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of every plan: with records, and folded in every way; one with blocks left out."""
    folder = tmp_path_factory.mktemp("sums")
    runs: list[Any] = []
    for name, plan in PLANS.items():
        runs.append((folder / name / "records", plan | {"chunk": 600, "acts": False}, ONE))
        for way, (fold, chunk) in FOLDS.items():
            whole = fold * plan["players"]
            words = plan | KEEP | {"fold": fold, "chunk": max(1, chunk // whole) * whole}
            runs.append((folder / name / way, words, ONE))
        (folder / name).mkdir()
        some = plan | {"games": plan["games"] - 35 * plan["players"], "fold": 7, "skip": 35}
        runs.append((folder / name / "skipped", some | KEEP | {"chunk": 420}, ONE))
        runs.append((folder / name / "skipped records", plan | {"games": 60, "skip": 35}, ONE))
    runs.append((folder / "itself", POOL | KEEP | {"changes": SAME, "games": 600}, ONE))
    runs += [(folder / "two", DIVIDED, (2,)), (folder / "one", DIVIDED, ONE)]
    play_all(runs)
    play_all([(folder / "processes", DIVIDED, (2, "processes"))])
    return folder


ADDED = ("rounds", "decisions", "survivors", "claimed", "lead_changes")


# --- column by column ----------------------------------------------------------------------------------------
def naive(games: pl.DataFrame, seats: pl.DataFrame, fold: int) -> pl.DataFrame:
    """The sums by polars, from the records: every column that a game's rows can tell."""
    row = pl.col("block") // fold
    players = int(games["players"].max())  # type: ignore[arg-type]
    role = pl.col("role").cast(pl.String)
    distance = (pl.col("winner").cast(pl.Int64) - pl.col("first_president")) % pl.col("players")
    by_game = games.with_columns(row=row).group_by("cell", "row").agg(
        blocks=pl.col("block").n_unique(),
        games=pl.len(),
        alien=(pl.col("winner_role").cast(pl.String) == "alien").sum(),
        **{name: pl.col(name).cast(pl.Int64).sum() for name in ADDED},
        none_survived=(pl.col("survivors") == 0).sum(),
        **{f"won_{p}": (pl.col("winner") == p).sum() for p in range(1, players + 1)},
        **{f"won_at_{d}": (distance == d).sum() for d in range(players)},
    )  # fmt: skip
    strategies = seats["strategy"].cast(pl.String).unique().to_list()
    mine = {
        f"{name}.{who}": (pl.col("strategy").cast(pl.String) == name) & (role == who)
        for name in strategies
        for who in ("human", "alien")
    }
    sixtieths = (pl.col("points").cast(pl.Float64) * 60).round().cast(pl.Int64)
    by_seat = seats.with_columns(row=row).group_by("cell", "row").agg(
        humans=(role == "human").sum(),
        margin=pl.col("margin").cast(pl.Int64).sum(),
        **{f"{key}.points60": sixtieths.filter(here).sum() for key, here in mine.items()},
        **{f"{key}.seats": here.sum() for key, here in mine.items()},
    )  # fmt: skip
    whole = by_game.join(by_seat, on=["cell", "row"]).sort("cell", "row")
    return whole.with_columns(pl.exclude("cell", "row").cast(pl.Int64))


@pytest.mark.parametrize("way", FOLDS)
@pytest.mark.parametrize("name", PLANS)
def test_sums_are_those_of_the_records(outs: Path, name: str, way: str) -> None:
    games, seats = (table(outs / name / "records", one) for one in ("games", "seats"))
    expected, found = naive(games, seats, FOLDS[way][0]), table(outs / name / way, "sums")
    assert set(found.columns) == set(expected.columns)
    assert len(found) == len(expected)
    for column in found.columns:
        assert found[column].to_list() == expected[column].to_list(), column
        assert found[column].dtype == (pl.UInt16 if column == "cell" else pl.Int64)


@pytest.mark.parametrize("name", PLANS)
def test_blocks_that_are_left_out_are_the_first_ones(outs: Path, name: str) -> None:
    """35 blocks are skipped: what follows is what would have been there, with the same numbers."""
    whole, rest = (table(outs / name / way, "sums") for way in ("seven", "skipped"))
    expected = whole.filter(pl.col("row") >= 5)
    assert rest.columns == expected.columns
    for cell in rest["cell"].unique():
        there, here = (frame.filter(pl.col("cell") == cell) for frame in (expected, rest))
        assert here["row"].to_list() == list(range(5, 5 + len(here)))
        last = len(here) - 1  # may be a part of a row
        assert here[:last].equals(there[:last])
    assert verify(RunFolder(outs / name / "skipped"), sample=0).ok


@pytest.mark.parametrize("name", PLANS)
def test_records_after_blocks_that_are_left_out(outs: Path, name: str) -> None:
    for kind in ("games", "seats"):
        whole, rest = (table(outs / name / way, kind) for way in ("records", "skipped records"))
        keys = [column for column in ("cell", "index", "seat") if column in whole.columns]
        expected = (
            rest.select(keys).join(whole, on=keys, how="left", maintain_order="left").select(whole.columns)
        )
        assert rest.equals(expected)
        assert rest["block"].min() == 35
        assert rest["index"].min() == 35 * (
            PLANS[name]["players"] if PLANS[name]["line_up"] == "rotated" else 1
        )


# --- what is made of them ------------------------------------------------------------------------------------
def value_of(metric: str) -> tuple[str, pl.Expr, bool]:
    """A metric from records: the table, an expression (empty rows do not count), and whether it is a rate."""
    kind, _, which = metric.partition(":")
    role, strategy = (pl.col(one).cast(pl.String) for one in ("role", "strategy"))
    seat = pl.col("winner").cast(pl.Int64)
    if kind in ("strategy", "human", "alien") and which:
        here = (strategy == which) & ((role == kind) if kind != "strategy" else True)
        return "seats", pl.when(here).then(pl.col("points")), True
    return {
        "alien_win": ("games", pl.col("winner_role").cast(pl.String) == "alien", True),
        "none_survived": ("games", pl.col("survivors") == 0, True),
        "margin": ("seats", pl.col("margin"), False),
        "seat": ("games", seat == int(which or 0), True),
        "distance": (
            "games",
            (seat - pl.col("first_president")) % pl.col("players") == int(which or 0),
            True,
        ),
    }.get(kind, ("games", pl.col(kind), False))


def estimates(outs: Path, name: str, way: str, metric: str) -> tuple[Estimates, Estimates, Sums]:
    """From the sums, and from the records."""
    sums = Sums.of(RunFolder(outs / name / way))
    source, value, is_rate = value_of(metric)
    rows = table(outs / name / "records", source).with_columns(block=pl.col("block") // FOLDS[way][0])
    return sums.estimate(metric), estimate(rows, ["cell"], value, is_rate), sums


NAMED = ["seat:1", "seat:3", "distance:0", "distance:2", "strategy:gambler", "human:gambler", "alien:gambler"]


@pytest.mark.parametrize("metric", [*METRICS, *NAMED])
@pytest.mark.parametrize("where", ["pool/each", "pool/seven", "rotated/each", "seats/all"])
def test_estimates_are_those_of_the_records(outs: Path, where: str, metric: str) -> None:
    """Value, n, blocks, covariance, intervals and differences, as far as points of the records have digits."""
    name, way = where.split("/")
    found, expected, sums = estimates(outs, name, way, metric)
    assert len(found) == len(expected) == sums.arms
    near = {"rel": 1e-7, "abs": 1e-12}
    for one in ("value", "n", "blocks"):
        assert list(getattr(found, one)) == pytest.approx(list(getattr(expected, one)), **near)
    assert found.covariance == pytest.approx(expected.covariance, rel=1e-6, abs=1e-15)
    assert found.is_rate == expected.is_rate
    if metric == "strategy:gambler" and name == "seats":
        return  # everybody is a gambler, and one of five wins: without any variation there is no interval to compare
    for arm in range(len(found)):
        assert found.method(arm) == expected.method(arm)
        assert found.interval(arm) == pytest.approx(expected.interval(arm), **near)
        if arm and sums.cells[arm]["changes"] == sums.cells[0]["changes"]:
            continue  # the same arm twice, as far as changes go
        one, other = found.difference(arm, 0), expected.difference(arm, 0)
        floor = 2**0.5 / min(found.n[arm], found.n[0]) if found.is_rate and arm else 0.0  # two more games
        expected_one = contrast_of(other.value, max(other.error, floor), other.blocks)
        assert vars(one) == pytest.approx(vars(expected_one), rel=1e-6, abs=1e-12)
    assert sums.means(metric) == pytest.approx(expected.value, **near)


def test_a_strategy_that_plays_in_some_arms_only(outs: Path) -> None:
    sums = Sums.of(RunFolder(outs / "pool" / "each"), ["base", "fame", "sprinter", "long"])
    assert set(sums.strategies) == {*POOL["strategies"], "sprinter"}
    found = sums.estimate("strategy:sprinter")
    assert list(found.blocks > 0) == [False, False, True, False]
    assert list(found.value > 0) == [False, False, True, False]
    assert np.isfinite(found.covariance).all()
    assert sums.estimate("strategy:random").blocks[2] == 0
    assert np.isnan(sums.means("strategy:sprinter")).tolist() == [True, True, False, True]


def test_sums_know_their_size_and_arms(outs: Path) -> None:
    sums = Sums.of(RunFolder(outs / "rotated" / "seven"), ["base", "raid"])
    assert (sums.arms, sums.rows, sums.games, sums.players) == (2, 29, 600, 3)
    assert sums.column("blocks").sum(axis=0).tolist() == [200, 200]
    assert sums.column("alien").shape == (29, 2)
    assert sums.column("alien").dtype == np.int64
    assert sums.estimate("alien_win").find(arm="raid") == 1


def test_more_blocks_are_added_row_by_row(outs: Path) -> None:
    """The first blocks and the others are what all of them are."""
    labels = ["base", "raid"]
    whole, rest = (Sums.of(RunFolder(outs / "rotated" / way), labels) for way in ("seven", "skipped"))
    both = rest + rest
    assert both.rows == 2 * rest.rows
    assert both.games == 2 * rest.games
    assert both.means("rounds") == pytest.approx(rest.means("rounds"))
    assert both.estimate("rounds").difference(1, 0).error < rest.estimate("rounds").difference(1, 0).error
    with pytest.raises(ValueError, match="arms"):
        whole + Sums.of(RunFolder(outs / "rotated" / "seven"), ["base", "other"])


def test_a_variant_against_itself_is_exactly_zero(outs: Path) -> None:
    """Arms 0 and 1 are the base, 2 and 3 the same change; 4 is a change of nothing, which is not known beforehand."""
    sums = Sums.of(RunFolder(outs / "itself"))
    for metric in [*METRICS, "strategy:gambler", "human:gambler", "seat:1", "distance:3"]:
        found = sums.estimate(metric)
        for one, other in ((1, 0), (3, 2)):
            contrast = found.difference(one, other)
            values = (contrast.value, contrast.low, contrast.high, contrast.error, contrast.p)
            if (
                metric != "none_survived" or contrast.error == 0
            ):  # what never happened is not certain for that
                assert values == (0, 0, 0, 0, 1), metric
        never = found.difference(4, 0)
        assert never.value == 0
        if found.is_rate:  # the rule of three: 3 in 600
            assert 0.001 < never.high == -never.low < 0.015


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("alien_wins", "no metric 'alien_wins' (did you mean 'alien_win'?); valid: alien_win, rounds"),
        ("", "no metric ''"),
        ("strategy:", "nobody plays ''"),
        ("strategy:gamblr", "nobody plays 'gamblr' (did you mean 'gambler'?); valid: "),
        ("human:xyz", "nobody plays 'xyz'"),
        ("seat:0", "no such seat; valid: 1 to 4"),
        ("seat:5", "no such seat; valid: 1 to 4"),
        ("seat:x", "no such seat; valid: 1 to 4"),
        ("distance:4", "no such seat; valid: 0 to 3"),
        ("distance:-1", "no such seat; valid: 0 to 3"),
        ("seat", "no metric 'seat'"),
        ("set:1", "no metric 'set:1' (did you mean 'seat'?)"),
        ("seat:²", "no such seat"),
    ],
)
def test_metrics_that_are_none(outs: Path, text: str, part: str) -> None:
    sums = Sums.of(RunFolder(outs / "pool" / "each"))
    for ask in (lambda: find_metric(text, POOL["strategies"], 4), lambda: sums.metric(text)):
        with pytest.raises(UserError) as caught:
            ask()
        assert len(caught.value.lines) == 1
        assert part in caught.value.lines[0]


# --- the same bytes --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", ["two", "processes"])
def test_wherever_it_is_played(outs: Path, way: str) -> None:
    first = digest(outs / "one")
    assert len(first) == 40
    assert digest(outs / way) == first


def test_sums_are_verified_and_repaired(outs: Path, tmp_path: Path) -> None:
    """Rows are played again, also after blocks that were left out; a damaged shard is found and played again."""
    out = tmp_path / "out"
    shutil.copytree(outs / "rotated" / "skipped", out)
    assert "20 games played again" in fine(xeno("runs", "verify", out, "--sample", 20))
    before = digest(out)
    flip(shards(out)[3])
    assert not verify(RunFolder(out), sample=0).ok
    with pytest.raises(UserError, match="damaged: "):
        run(out, workers=Workers(1))
    lines = (out / "receipts.jsonl").read_text(encoding="utf-8").splitlines(True)
    (out / "receipts.jsonl").write_text(
        "".join(lines[:-1]) + lines[-1][:20], encoding="utf-8"
    )  # killed there
    edit(out / "manifest.json", state="running")
    fine(xeno("run", out, "--repair", "--quiet"))
    assert digest(out) == before
    assert RunFolder(out).complete


# --- words of a plan that came later ---------------------------------------------------------------------------
#: as version 0.1.0 wrote it before there were changes and sums
OLD = {
    "schema": 1, "game": "eti", "players": [3], "length": ["short"], "alien": ["drawn"],
    "strategies": [["cautious", "gambler", "climber"]], "line_up": "seats", "cards": ["reference"], "rules": {},
    "games": 6, "seed": 1, "acts": False, "chunk": 2, "known_strategies": {}, "known_cards": {},
}  # fmt: skip


def test_old_plans_keep_their_hash() -> None:
    plan = plan_from_dict(OLD)
    assert plan.to_dict() == OLD
    assert plan.hash() == "5d232960bf7ef132"
    assert (plan.changes, plan.keep, plan.fold, plan.skip) == (((),), "records", 1, 0)


@pytest.mark.parametrize(
    ("word", "value", "told"),
    [
        ("changes", ((), ("public_fame=5",)), "changes was "),
        ("keep", "sums", "keep was records, now sums"),
        ("fold", 7, "fold was 1, now 7"),
        ("skip", 7, "skip was 0, now 7"),
    ],
)
def test_new_words_make_another_plan(word: str, value: Any, told: str) -> None:
    old = plan_from_dict(OLD)
    new = replace(old, **{word: value})
    assert new.hash() != old.hash()
    again = plan_from_dict(json.loads(json.dumps(new.to_dict())))
    assert again == new
    assert again.hash() == new.hash()
    assert told in difference(old, new)
    assert difference(new, again) == ""
    assert difference(new, old) != ""


def test_a_plan_of_all_words_comes_back(tmp_path: Path) -> None:
    made = ready([], ["public_fame=5", "gambler->sprinter"], keep="sums", fold=2, skip=4, games=12).plan
    assert plan_from_dict(json.loads(json.dumps(made.to_dict()))) == made
    assert isinstance(made, Plan)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ({"keep": "some"}, "keep is 'some'; valid: records or sums"),
        ({"keep": 3}, "keep is 3; valid: records or sums"),
        ({"fold": 0}, "fold is 0; valid: a whole number from 1"),
        ({"fold": 1.5}, "fold is 1.5; valid: a whole number"),
        ({"skip": -1}, "skip is -1; valid: a whole number from 0"),
        ({"skip": True}, "skip is true; valid: a whole number"),
        ({"keep": "sums", "acts": True}, "acts is true; valid: with keep = 'records' only"),
        ({"keep": "sums", "fold": 4, "chunk": 6}, "chunk is 6; valid: a multiple of 4, the games of a row"),
        ({"keep": "sums", "fold": 4, "chunk": 8, "skip": 6}, "skip is 6; valid: a multiple of fold, 4"),
        (
            {"keep": "sums", "line_up": "rotated", "fold": 4, "chunk": 8},
            "chunk is 8; valid: a multiple of 12",
        ),
    ],
)
def test_wrong_words(words: dict[str, Any], part: str) -> None:
    with pytest.raises(UserError) as caught:
        ready([], **words)
    assert len(caught.value.lines) == 1
    assert part in caught.value.lines[0]
