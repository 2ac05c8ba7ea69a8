"""Compiled code plays exactly the games of plain Python; what is traced is what is played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.games.target_earth.play import play, play_traced
from sim.games.target_earth.state import GAME
from sim.games.target_earth.trace import trace_game
from tests.target_earth.kit import any_setting

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = 32


def hashes(plain: bool) -> list[str]:
    """The lines of tests/target_earth/compiled.py."""
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    env |= {"NUMBA_DISABLE_JIT": "1"} if plain else {}
    command = [sys.executable, "-m", "tests.target_earth.compiled", str(SETTINGS)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_compiled_is_plain() -> None:
    """Rows and logs of all kinds of tables."""
    compiled, plain = hashes(plain=False), hashes(plain=True)
    assert len(compiled) == SETTINGS
    assert compiled == plain


@pytest.mark.parametrize("number", range(8))
def test_a_game_depends_on_its_index_alone(number: int) -> None:
    """Alone, in a batch or traced: the same game."""
    setting = any_setting(number)
    batch = play(setting, 3, 10, 4)
    for k in range(4):
        assert np.array(play(setting, 3, 10 + k, 1)).tobytes() == np.array(batch[k : k + 1]).tobytes()
    assert np.array(play_traced(setting, 3, 12)[2]).tobytes() == np.array(batch[2]).tobytes()


@pytest.mark.parametrize("number", range(12))
def test_traces_say_what_rows_say(number: int) -> None:
    """The last lines of a trace are the game's row."""
    setting = any_setting(number)
    row, lines = play(setting, 4, number, 1)[0], trace_game(setting, 4, number)
    end = next(line for line in lines if line["do"] == "end")
    assert end["points"] == [int(n) for n in row["points"]]
    assert (end["winner"] == "alliance", end["turn"]) == (bool(row["won"]), int(row["turns"]))
    for verb, field in (("shot_down", "shot_down"), ("interception", "interceptions"), ("battle", "battles")):
        assert sum(line["do"] == verb for line in lines) == row[field]
    assert lines[-1] == {"do": "stop", "decisions": int(row["decisions"]), "forced": int(row["forced"])}


def field_names(dtype: Any) -> Iterator[str]:
    """The names of all fields, at every depth."""
    dtype = dtype.subdtype[0] if dtype.subdtype else dtype
    for name in dtype.names or ():
        yield name
        yield from field_names(dtype.fields[name][0])


def test_no_field_hides_behind_numpy() -> None:
    """In plain Python `record.size` is numpy's own size, whatever the field says."""
    assert not set(field_names(GAME)) & set(dir(np.record))
