"""What a notebook calls, and the page about writing a strategy, which must not rot."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import xenobalance as xb
from sim.games.eti.asking import QUESTIONS
from sim.games.eti.state import CARDS, SEAT, TABLE
from sim.games.eti.strategy_check import check_strategy
from sim.registry import STRATEGIES
from strategies.eti import toolbox

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "writing-a-strategy.md").read_text(encoding="utf-8")

CELL = '''
from strategies.eti.toolbox import mine

class Cell:
    """Written in a cell: no file has its source."""

    def reveal(table, seat):
        return 1 if table.completed[mine(seat)] > 1 else 0
'''


def cell() -> Any:
    """A class that was never in a file."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(CELL, names)
    return names["Cell"]


@pytest.fixture(scope="module")
def games() -> Any:
    return xb.simulate(strategies=["cautious", "gambler", cell()], length="short", games=6, seed=3)


# --- simulate ---------------------------------------------------------------------------------------------
def test_records(games: Any) -> None:
    assert len(games) == len(games.games) == 6
    assert games.games["index"].to_list() == list(range(6))
    rows = games.seats
    assert len(rows) == 18
    assert rows["seat"].to_list()[:3] == [1, 2, 3]
    assert rows["strategy"].to_list()[:3] == ["cautious", "gambler", "Cell"]
    assert rows.group_by("index").agg(pl.col("won").sum())["won"].to_list() == [1] * 6
    joined = rows.join(games.games.select("cell", "index", "alien_seat"), on=["cell", "index"])
    assert joined.filter((pl.col("role") == "alien") != (pl.col("seat") == pl.col("alien_seat"))).is_empty()
    assert games.cells["strategies"].to_list() == ["cautious, gambler, Cell"]
    with pytest.raises(xb.UserError, match="no table 'acts'; valid: games, seats; acts were not kept"):
        _ = games.acts


def test_pandas(games: Any) -> None:
    pandas = pytest.importorskip("pandas")
    table = games.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert table.shape == games.seats.shape
    assert table.won.sum() == 6
    assert list(table.strategy) == games.seats["strategy"].to_list()
    assert table[table.role == "alien"].margin.isna().all()
    assert table[table.role == "human"].margin.sum() == games.seats["margin"].sum()
    assert list(games.to_pandas("games").winner) == games.games["winner"].to_list()


def test_a_missing_library_is_one_line(games: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(xb.UserError, match="pandas is not installed"):
        games.to_pandas()


def test_rates(games: Any) -> None:
    rates = {rate["who"]: rate for rate in games.rates.to_dicts()}
    assert rates["the alien"]["n"] == 6
    assert sum(rates[name]["wins"] for name in ("cautious", "gambler", "Cell")) == 6
    assert rates["Cell"]["n"] == rates["Cell as human"]["n"] + rates["Cell as alien"]["n"]
    assert all(0 <= rate["low"] <= rate["high"] <= 1 for rate in rates.values())
    assert "gambler as human" in repr(games)
    assert games._repr_html_().count("<tr>") == 1 + len(rates)


def test_the_same_call_plays_the_same_games(games: Any) -> None:
    again = xb.simulate(strategies=["cautious", "gambler", cell()], length="short", games=6, seed=3, jobs=1)
    assert again.seats.equals(games.seats)
    assert again.games.equals(games.games)


def test_rules_and_text_for_strategies() -> None:
    result = xb.simulate(
        strategies="cautious, gambler,random",
        length="short",
        games=1,
        rules={"max_rounds": [5, 6]},
        acts=True,
    )
    assert result.games["invasion_round"].to_list() == [5, 6]
    assert set(result.acts["cell"]) == {0, 1}


def test_parameters() -> None:
    bold = xb.strategy("cautious", name="bold", params={"push": 0.5})
    assert (bold.name, bold.params[0].value) == ("bold", 0.5)
    assert xb.strategy("cautious").params[0].value == 1.35
    assert xb.strategy(cell(), "other").name == "other"


def test_an_edited_file_is_loaded_anew(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    for number, push in enumerate((1.5, 2.5)):
        file.write_text(f"class Mine:\n    params = {{'push': {push}}}\n", encoding="utf-8")
        os.utime(file, (number, number))
        assert xb.strategy(f"{file}:Mine").params[0].value == push


def test_a_strategy_may_be_called_core() -> None:
    mine = xb.strategy(cell(), "core")
    assert mine.decide.__qualname__ == "decide_own_core"
    assert len(xb.simulate(strategies=mine, players=3, length="short", games=1)) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"strategies": []}, r"strategies is \[\[\]\]; valid: one for all seats"),
        ({"strategies": "cautios"}, "did you mean 'cautious'"),
        ({"strategies": [3]}, "3 is no strategy; valid: "),
        ({"strategies": ["random"] * 2}, "2 players; valid: 3 to 6"),
        ({"games": 0}, "games is 0; valid: a whole number from 1 to"),
        ({"games": 1.5}, "games is 1.5; valid: a whole number"),
        ({"seed": -1}, "seed is -1; valid: a whole number from 0 to"),
        ({"seed": "x"}, "seed is 'x'; valid: a whole number"),
        ({"players": "4"}, "players is '4'; valid: whole numbers"),
        ({"length": "long"}, "no length 'long'; valid: short, standard, epic"),
        ({"length": 3}, "length is 3; valid: names"),
        ({"alien": 3}, "alien is 3; valid: names"),
        ({"rules": [1]}, r"rules is \[1\]; valid: a table of options"),
        ({"rules": {"ports": 99}}, "ports: 99 is too high"),
        ({"cards": "nowhere.toml"}, "nowhere.toml: cannot be read"),
    ],
)
def test_wrong_input_is_one_line(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(xb.UserError, match=message) as caught:
        xb.simulate(**({"games": 1, "length": "short"} | wrong))
    assert len(caught.value.lines) == 1


@pytest.mark.parametrize(
    ("params", "message"), [({"puhs": 1}, "did you mean 'push'"), ({"push": "x"}, "is 'x'; valid: a number")]
)
def test_wrong_parameters(params: dict[str, Any], message: str) -> None:
    with pytest.raises(xb.UserError, match=message):
        xb.strategy("cautious", params=params)


# --- trace ------------------------------------------------------------------------------------------------
def test_trace() -> None:
    game = xb.trace(cell(), players=3, length="short", seed=7)
    assert game.lines[0]["seed"] == 7
    assert game.lines[-1]["do"] == "end"
    assert str(game).startswith("E.T.I., a short game of 3: seed 7, game 0")
    assert game._repr_html_().startswith("<pre")
    assert len(list(game)) == len(game) > 50


# --- compiled ---------------------------------------------------------------------------------------------
def test_page_and_cell_play_compiled(tmp_path: Path) -> None:
    """The page's first strategy is checked and played, and a class without source is compiled and played."""
    file = tmp_path / "mine.py"
    file.write_text(first_block(), encoding="utf-8")
    report = check_strategy(f"{file}:Mine", games=4)
    assert report.fine, report.problems
    code = (
        f"import xenobalance as xb\nnames = {{'__name__': '__main__'}}\nexec({CELL!r}, names)\n"
        f"line_up = [{str(file) + ':Mine'!r}, names['Cell'], 'cautious']\n"
        "result = xb.simulate(strategies=line_up, length='short', games=40)\n"
        "print(len(result), *sorted(set(result.seats['strategy'])))\n"
        "class Bad:\n    def vote(table, seat, company):\n        return None\n"
        "try:\n    xb.strategy(Bad)\nexcept xb.UserError as error:\n    print(error)\n"
    )
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert done.returncode == 0, done.stderr
    played, complaint = done.stdout.splitlines()
    assert played == "40 Cell Mine cautious"
    assert complaint.startswith("strategy Bad does not compile: no implementation of float(none)")


def test_every_strategy_has_a_name_of_its_own_for_the_compiler() -> None:
    """Machine code is found by name: with equal names, one strategy from disk would play for another."""
    mine = type("cautious", (), {"__doc__": "Named like a built-in one."})
    ready = [xb.strategy(source) for source in (*STRATEGIES["eti"], mine)]
    names = {one.decide.__qualname__ for one in ready}
    assert len(names) == len(ready)


# --- the page ---------------------------------------------------------------------------------------------
def first_block() -> str:
    """The first Python block of the page."""
    return PAGE.split("```python\n")[1].split("```")[0]


def test_the_page_begins_with_a_short_strategy() -> None:
    assert len(first_block().splitlines()) <= 25
    assert PAGE.index("```python") < 600


def test_the_page_lists_every_decision() -> None:
    for question in QUESTIONS:
        option = f", {question.option}" if question.option else ""
        row = f"| `{question.name}(table, seat{option})` | {question.kind} |"
        assert row in PAGE, row


def test_the_page_lists_every_field() -> None:
    words = set(re.findall(r"\w+", PAGE))
    for record in (TABLE, SEAT, CARDS):
        missing = [name for name in record.names or () if name not in words]
        assert not missing


def test_the_page_lists_the_toolbox() -> None:
    words = set(re.findall(r"\w+", PAGE))
    functions = [name for name in toolbox.__all__ if name.islower()]
    assert not [name for name in functions if name not in words]
