"""Training: what is trained gets better, on luck that nobody saw, and is fit to play; levels say what they are."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analysis.blocks import Contrast
from analysis.lab.climb import winner
from analysis.lab.levels_words import ALL, judged
from analysis.lab.stages import base_words
from analysis.lab.train import train
from analysis.lab.trained_file import check_writable, source
from analysis.lab.trainee import strangers, trainee
from sim.errors import UserError
from sim.games.eti.strategy import load_strategy
from sim.study import make_plan
from tests.runs.kit import PATIENCE, environment, fine, refused, without_notice, xeno

TRIO = ("cautious", "gambler", "climber")


# --- who is trained, and against whom ---------------------------------------------------------------------
def table(strategies: Any = TRIO, **words: Any) -> dict[str, Any]:
    return base_words(strategies=list(strategies), **({"length": "short"} | words))


def names(words: Mapping[str, Any]) -> list[str]:
    return [one if isinstance(one, str) else one.name for one in words["strategies"]]


def test_the_trained_one_has_the_seat_it_had() -> None:
    which = trainee(table(), "gambler", "alien")
    assert names(which.words) == ["cautious", "gambler-alien", "climber"]
    assert which.field == ("cautious", "climber")
    assert which.words["line_up"] == "rotated"
    assert which.games_a_block == 3


def test_others_of_its_name_stay_as_they_are() -> None:
    which = trainee(table(["cautious"], players=4), "cautious", "human")
    assert names(which.words) == ["cautious-human", "cautious", "cautious", "cautious"]


def test_who_is_not_at_the_table_gets_the_first_seat() -> None:
    assert names(trainee(table(), "hoarder", "alien").words) == ["hoarder-alien", "gambler", "climber"]
    pool = table(line_up="pool")
    assert names(trainee(pool, "hoarder", "alien").words) == ["hoarder-alien", *TRIO]
    assert names(trainee(pool, "climber", "alien").words) == ["cautious", "gambler", "climber-alien"]


def test_strangers_are_none_of_the_field() -> None:
    which = trainee(table(), "gambler", "alien")
    found = strangers(which)
    assert found is not None
    assert found[1] == ("sprinter", "specialist")
    assert names(found[0])[0] == "gambler-alien"
    make_plan({**found[0], "games": 3})


def test_parameters_with_ranges() -> None:
    which = trainee(table(), "cautious", "alien", ["push=0..2, wait", "level"])
    assert [one.name for one in which.axes] == ["push", "level", "wait"]
    assert (which.axes[0].low, which.axes[0].high) == (0, 2)
    assert which.axes[1].scale == 11.0  # the built-in strategies have values from -8 to 14


def test_every_parameter_may_change_and_shares_stay_shares() -> None:
    which = trainee(table(), "scooper", "alien")
    limits = {one.name: (one.low, one.high) for one in which.axes}
    assert list(limits) == [param.name for param in which.given.params]
    assert limits["generosity"] == limits["loyalty"] == (0.0, 1.0)
    assert limits["push"][0] < 0 < limits["push"][1]


def test_changes_name_only_what_is_different() -> None:
    which = trainee(table(), "cautious", "alien", ["push", "risk", "wait"])
    assert which.changes((1.35, 1.6, 4.0)) == []
    assert which.changes((1.0, 1.6, -0.5)) == ["cautious-alien.push=1.0", "cautious-alien.wait=-0.5"]
    assert which.values((1.0, 1.6, -0.5))["bail"] == 0.35


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"strategy": "cautius"}, "no strategy 'cautius' (did you mean 'cautious'?)"),
        ({"role": "humen"}, "no role 'humen' (did you mean 'human'?); valid: alien, human, both"),
        ({"vary": ["pusch"]}, "cautious has no parameter 'pusch' (did you mean 'push'?); valid: push, hurry"),
        ({"vary": ["push=2..3"]}, "leaves out 1.35, where it starts"),
        ({"vary": ["push=3..1"]}, "is an empty range"),
        ({"vary": ["push=1"]}, "is no range; valid: a parameter, or one with a range: push=0..2"),
        ({"vary": ["push=x..1"]}, "'x' is no number"),
        ({"strategy": "cautious~switching"}, "may not do everything"),
        ({"games": 89}, "games is 89; valid: a whole number from 90 to"),
        ({"generations": 0}, "generations is 0; valid: a whole number from 1"),
        ({"population": 2}, "population is 2; valid: at least 4, or 0"),
        ({"finding": ["public_fame=0"]}, "without levels"),
        ({"levels": True, "finding": ["cautious.push=1"]}, "level random: change 'cautious.push=1'"),
        ({"write": "/nowhere/at/all.py"}, "there is no folder"),
        ({"write": "trained.txt"}, "a strategy is a Python file"),
    ],
)
def test_wrong_words_are_told_before_anything_is_played(
    words: dict[str, Any], told: str, tmp_path: Path
) -> None:
    given = {"strategy": "cautious", "out": tmp_path / "out", "role": "alien"} | words
    with pytest.raises(UserError) as caught:
        train(table(), given.pop("strategy"), **given)
    assert len(caught.value.lines) == 1
    assert told in caught.value.lines[0]
    assert not (tmp_path / "out").exists()


def test_a_gain_that_may_be_luck_is_none() -> None:
    def gain(value: float, half: float) -> Contrast:
        return Contrast(value, value - half, value + half, 0.1, half / 2, 100)

    start = gain(0.0, 0.0)
    assert winner([start, gain(0.01, 0.02), gain(-0.1, 0.01)]) == 0
    assert winner([start, gain(0.03, 0.02), gain(0.05, 0.01)]) == 2


# --- the file --------------------------------------------------------------------------------------------------
def written(folder: Path, spec: str, role: str = "alien", **values: float) -> tuple[str, Any]:
    """A trained strategy in a file, and what that file says."""
    given = load_strategy(spec)
    all_values = {param.name: param.value for param in given.params} | values
    text = source(given, all_values, role, 'It wins 10 % more: """how\\now""".')
    assert text is not None
    file = text.write(folder)
    return file, load_strategy(file)


def test_a_built_in_strategy_as_a_file(tmp_path: Path) -> None:
    file, found = written(tmp_path, "scooper", push=0.5, greed=-3.25)
    assert file == str(tmp_path / "scooper_alien.py")
    params = {param.name: param.value for param in found.params}
    old = {param.name: param.value for param in load_strategy("scooper").params}
    assert params == old | {"push": 0.5, "greed": -3.25}
    assert [p.text for p in found.params] == [p.text for p in load_strategy("scooper").params]
    assert set(found.functions) == {"rate_project", "reveal"}
    assert "It wins 10 % more" in found.idea


MINE = '''"""A file."""

from strategies.eti.core import CORE_PARAMS
from strategies.eti.toolbox import mine

PATIENCE = len(CORE_PARAMS)


class Mine:
    """Waits."""

    params = {"security": 1.2, "patience": (3.0, "projects to wait for")}

    def reveal(table, seat):
        return 1 if table.completed[mine(seat)] >= seat.params[PATIENCE] else 0
'''


def test_a_class_of_a_file_as_a_class_that_inherits(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    file, found = written(tmp_path, f"{tmp_path}/mine.py:Mine", "human", patience=1.5, push=0.5)
    assert file == f"{tmp_path / 'mine_human.py'}:MineHuman"
    changed = {param.name: param.value for param in found.params if param.value != 0}
    assert (changed["security"], changed["patience"], changed["push"]) == (1.2, 1.5, 0.5)
    assert found.params[-1].text == "projects to wait for"
    assert set(found.functions) == {"reveal"}


def test_a_file_that_is_a_strategy_itself(tmp_path: Path) -> None:
    text = (
        MINE.partition("class Mine")[0]
        + '\nparams = {"patience": (3.0, "")}\n\n\ndef reveal(table, seat):\n    return 1\n'
    )
    (tmp_path / "whole.py").write_text(text, encoding="utf-8")
    file, found = written(tmp_path, f"{tmp_path}/whole.py", patience=0.25)
    assert file == str(tmp_path / "whole_alien.py")
    assert found.params[-1].value == 0.25
    assert "It wins 10 % more" in found.idea
    assert set(found.functions) == {"reveal"}


def test_only_trained_files_are_written_over(tmp_path: Path) -> None:
    file, _ = written(tmp_path, "cautious", push=0.5)
    assert written(tmp_path, "cautious", push=0.75)[0] == file  # again
    other = tmp_path / "precious.py"
    other.write_text("mine = 1\n", encoding="utf-8")
    with pytest.raises(UserError, match="exists already, and is no trained strategy"):
        check_writable(other)
    assert other.read_text(encoding="utf-8") == "mine = 1\n"


# --- levels in words -------------------------------------------------------------------------------------------
def level_rows(**rates: tuple[float, float]) -> pl.DataFrame:
    """A table of levels: rate and what a change adds, each within 1 point."""
    rows = [
        {"level": level, "alien_card": ALL, "rate": rate, "low": rate - 0.01, "high": rate + 0.01, "difference": more,
         "difference_low": more - 0.01 * (more != 0), "difference_high": more + 0.01 * (more != 0), "n": 1000}
        for level, (rate, more) in rates.items()
    ]  # fmt: skip
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("rates", "state", "holds", "head"),
    [
        ((0.5, 0.52, 0.49), "balanced", True, "At every level of play the alien is balanced (aim: 50 ± 5 %)"),
        ((0.7, 0.65, 0.6), "too strong", True, "At every level of play the alien is too strong"),
        ((0.5, 0.5, 0.6), "too strong", False, "depends on how well people play"),
        ((0.5, 0.5, 0.55), "undecided", False, "is not certain at every level of play"),
        ((0.3, 0.5, 0.4), "too weak", False, "depends on"),
    ],
)
def test_balance_must_hold_at_every_level(rates: Any, state: str, holds: bool, head: str) -> None:
    levels = dict(zip(("random", "heuristics", "trained"), ((rate, 0.0) for rate in rates), strict=True))
    told, facts = judged(level_rows(**levels), [], 0.5, 0.05)
    assert (facts["states"]["trained"], facts["holds"]) == (state, holds)
    assert head in told[0]


@pytest.mark.parametrize(
    ("effects", "holds", "head"),
    [
        ((0.03, 0.02, 0.05), True, "public_fame=5: the alien wins more often at every level"),
        ((0.03, 0.005, 0.05), False, "public_fame=5: not certain at every level"),
        ((0.03, 0.05, -0.05), False, "not the same at every level"),
        ((0.0, 0.0, 0.0), True, "the alien wins exactly as often at every level"),
    ],
)
def test_so_must_what_a_change_does(effects: Any, holds: bool, head: str) -> None:
    levels = dict(zip(("random", "heuristics", "trained"), ((0.5, one) for one in effects), strict=True))
    told, facts = judged(level_rows(**levels), ["public_fame=5"], 0.5, 0.05)
    assert facts["finding_holds"] is holds
    assert head in told[1]


# --- the whole, compiled -----------------------------------------------------------------------------------
SPOILT = '''"""Cautious with parameters that make it helpless: it submits much too late, and shows all it has."""

from strategies.eti.cautious import params as sound

params = {**sound, "push": 4.0, "margin": -3.0}
'''
SMALL = ("--players", 3, "--length", "short", "--strategies", "cautious,gambler,climber", "--quiet")


def test_training_repairs_spoilt_parameters(tmp_path: Path) -> None:
    (tmp_path / "spoilt.py").write_text(SPOILT, encoding="utf-8")
    ask = ("train", "spoilt.py", "--role", "human", "--vary", "push, margin", "--generations", 6, "--games", 450,
           "--check", 3000, *SMALL, "--out", "out", "--write", "sound.py")  # fmt: skip
    told = json.loads(fine(xeno(*ask, "--json", cwd=tmp_path)))
    worth = {(row["against"], row["role"]): row for row in told["tables"]["worth"]}
    assert worth["its field", "human"]["low"] > 0.02
    assert worth["strangers", "human"]["low"] > 0
    assert told["facts"]["improved"]
    assert told["facts"]["params"]["push"] < 3
    assert len(told["tables"]["learning"]) == told["facts"]["generations"] == 6
    assert "Before and after" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    for stage in ("human-search-0005", "human-search-0006", "human-check-field"):  # as if it had been killed
        shutil.rmtree(tmp_path / "out" / "stages" / stage)
    again = json.loads(fine(xeno(*ask, "--json", cwd=tmp_path)))
    same = ("facts", "tables", "verdict")
    assert {key: again[key] for key in same} == {key: told[key] for key in same}
    assert "no problem found" in fine(xeno("strategies", "check", "sound.py", "--games", 3, cwd=tmp_path))
    field = ("--players", 3, "--length", "short", "--strategies", "sound.py,gambler,climber", "--games", 300)
    fine(xeno("run", "played", *field, "--quiet", cwd=tmp_path))


def test_levels_in_small(tmp_path: Path) -> None:
    ask = ("train", "climber", "--role", "human", "--vary", "push, wait", "--generations", 1, "--games", 90,
           "--check", 720, "--levels", "--finding", "attack_x3=60", *SMALL)  # fmt: skip
    text = fine(xeno(*ask, "--json", cwd=tmp_path))
    told = json.loads(text)
    rows = told["tables"]["levels"]
    assert [row["level"] for row in rows] == ["random"] * 5 + ["heuristics"] * 5 + ["trained"] * 5
    assert {row["n"] for row in rows} == {180, 720}  # a trained table counts as many games as the others
    assert all(row["difference"] is not None for row in rows)
    assert set(told["facts"]["skill"]["effects"]) == {"random", "heuristics", "trained"}
    assert set(told["facts"]["params_of"]) == {"alien", "human"}
    assert {row["trained_for"] for row in told["tables"]["worth"]} == {"alien", "human"}


LEVELS = """
from analysis.lab.levels import levels
from analysis.lab.stages import base_words
from sim.workers import Workers

base = base_words(strategies=["gambler", "cautious", "climber"], length="short", alien="raiding-party")
found = levels(base, ["attack_x3=60"], generations=1, games=90, check=300, workers=Workers(2))
print(found.kind, list(found.tables["levels"]["alien_card"].unique()), found.facts["levels"]["trained"])
print(found.verdict[1])
"""


def test_levels_by_themselves() -> None:
    """With one alien card there is nothing to average; the first of the table is trained."""
    done = subprocess.run(
        [sys.executable, "-c", LEVELS],
        capture_output=True, text=True, env=environment(), timeout=PATIENCE, check=False,
    )  # fmt: skip
    first, second = without_notice(fine(done)).splitlines()
    assert first == "levels ['raiding-party'] gambler-alien against gambler-human"
    assert second.startswith("attack_x3=60: ")


def test_random_play_cannot_be_trained(tmp_path: Path) -> None:
    ask = ("train", "random", "--role", "human", "--games", 90, "--check", 90, *SMALL)
    assert "its 22 parameters changed nothing of how it does as a human in 4,680 games" in refused(
        xeno(*ask, cwd=tmp_path)
    )
