"""`xenobalance tune`: mistakes, and small experiments with the compiler."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from shutil import rmtree
from typing import Any

import polars as pl
import pytest

from analysis.lab.stages import base_words
from analysis.lab.tune import tune
from sim.errors import UserError
from sim.study import make_plan
from tests.runs.kit import fine, refused, xeno


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    """A small table."""
    return base_words(players=3, length="short")


# --- the command: what is wrong --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("targets", "more", "complaint"),
    [
        (
            ["alien_wins=0.5"],
            {},
            "no metric 'alien_wins' (did you mean 'alien_win'?); valid: alien_win, rounds",
        ),
        (["seat=fair"], {}, "(did you mean 'seats'?)"),
        (["strategy:cautius=0.3"], {}, "nobody plays 'cautius' (did you mean 'cautious'?)"),
        (["alien_win=1.5"], {}, "cannot be; valid for alien_win: from 0 to 1"),
        ([], {}, "none given"),
        (["alien_win=0.5"], {"most_changes": 9}, "most changes: 9; valid: a whole number from 1 to 4"),
        (["alien_win=0.5"], {"games": 0}, "games: 0; valid: a whole number from 1"),
        (["alien_win=0.5"], {"seed": -1}, "seed: -1; valid"),
        (["alien_win=0.5"], {"vary": "publc_fame"}, "(did you mean 'public_fame'?)"),
    ],
)
def test_mistakes_are_told_before_anything_is_played(
    tmp_path: Path, table: dict[str, Any], targets: list[str], more: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(UserError) as error:
        tune(table, targets, **{"games": 10, **more}, out=tmp_path / "out")
    assert complaint in str(error.value)
    assert not (tmp_path / "out").exists()


def test_a_target_needs_its_strategy(table: dict[str, Any]) -> None:
    for target in ("strategy:cautious=0.3", "diversity=0.9"):
        with pytest.raises(UserError, match="takes a strategy away that a target is about"):
            tune(table, target, vary="cautious->hoarder")


def test_diversity_needs_strategies() -> None:
    with pytest.raises(UserError, match="with two or more strategies at the table"):
        tune(base_words(players=3, strategies="cautious"), "diversity=0.9")


# --- the command, with the compiler ----------------------------------------------------------------------
SMALL = ("--players", "3", "--length", "short", "--quiet", "--json")


def tuned(out: Path, *args: object) -> dict[str, Any]:
    """The facts of an experiment."""
    facts: dict[str, Any] = json.loads(fine(xeno("tune", *args, *SMALL, "--out", out)))
    return facts


def chosen_row(facts: dict[str, Any]) -> dict[str, Any]:
    """The row of the candidate that was chosen, or came nearest."""
    found: dict[str, Any] = next(row for row in facts["tables"]["front"] if row["chosen"])
    return found


def test_two_targets_met_by_two_changes_and_replayed(tmp_path: Path) -> None:
    """The option file plays the very games of the report; and the same command does not play again."""
    args = ("--target", "alien_win<=0.3", "--target", "rounds<=8.5", "--vary", "attack_cards=-1,-2",
            "--vary", "threshold_extra=-2,-1", "--games", "1_000")  # fmt: skip
    facts = tuned(tmp_path / "out", *args)
    row = chosen_row(facts)
    assert facts["facts"]["chosen"] and facts["verdict"][0].startswith(("One change is", "2 changes are"))
    assert row["alien_win"] <= 0.35 and row["n"] == 1_024
    assert (tmp_path / "out" / "report.html").is_file()

    fine(xeno("run", tmp_path / "run", "--study", tmp_path / "out" / "tuned.toml", "--quiet"))
    games = pl.scan_parquet(tmp_path / "run" / "games" / "*.parquet").collect()
    assert len(games) == row["n"]
    assert (games["winner_role"] == "alien").mean() == pytest.approx(row["alien_win"], abs=1e-12)
    assert games["rounds"].mean() == pytest.approx(row["rounds"], abs=1e-12)

    begun = {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/stages/*/sums/*")}
    assert tuned(tmp_path / "out", *args) == facts
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("out/stages/*/sums/*")} == begun


def test_out_of_reach_is_an_answer_and_survives_a_kill(tmp_path: Path) -> None:
    """Says how near it came; and with half of its stages gone it comes to the same result."""
    args = ("--target", "alien_win=0.99", "--vary", "blank Decoy Beacon", "--vary", "research.spy+=1,2", "--games",
            "600", "--line-up", "rotated")  # fmt: skip
    facts = tuned(tmp_path / "out", *args)
    assert facts["verdict"][0].startswith(
        "Out of reach: no set of up to 2 changes among 3 values of 2 things"
    )
    assert facts["facts"]["chosen"] is None and "wanted at least 97 %: missed" in facts["verdict"][0]
    study = tomllib.loads((tmp_path / "out" / "tuned.toml").read_text(encoding="utf-8"))
    assert study.get("changes", [[]]) == [facts["facts"]["nearest"]] and "rules" not in study
    assert make_plan(study).total >= 600

    for name in ("final", "front-1", "sets-2-race-2"):
        rmtree(tmp_path / "out" / "stages" / name, ignore_errors=True)
    (tmp_path / "out" / "result.json").unlink()
    assert tuned(tmp_path / "out", *args) == facts


def test_the_terminal_says_it_in_words(tmp_path: Path) -> None:
    """Nothing to change; and mistakes are one line."""
    said = fine(
        xeno("tune", "--target", "alien_win=0.1..0.9", "--players", "3", "--length", "short", "--games", "600",
             "--out", tmp_path / "out", "--quiet")
    )  # fmt: skip
    assert "Nothing has to be changed: alien wins" in " ".join(said.split())
    line = refused(xeno("tune", "--target", "alien_win=1.5", "--out", tmp_path / "no"))
    assert line == "xenobalance: --target: 'alien_win=1.5' cannot be; valid for alien_win: from 0 to 1\n"
