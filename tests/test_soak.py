"""Many compiled games before the referee: the game as it is shipped, not its plain Python twin. What a game's row
counts is counted again from its trace.

Without `--soak` 2,000 games of the book and 500 under random rules and cards; with it a hundred or forty
times as many. A failure names seed, index and setting; `python -m tests.compiled` plays that game again.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim.games.eti.play import LENGTHS
from tests import compiled

ROOT = Path(__file__).parent.parent
PARTS = 2  # tests that the games are split into, for as many cores
GAMES, SOAK_GAMES = 2_000, 200_000
ODD_GAMES, ODD_SOAK_GAMES = 500, 20_000  # under random rules, and with random cards


def run_compiled(*arguments: str, timeout: float) -> Any:
    """What `tests.compiled` prints, run without the plain-Python switch of these tests."""
    env = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-m", "tests.compiled", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-3000:]}"
    return json.loads(done.stdout)


def play_part(kind: str, part: int, parts: int, games: int) -> dict[str, Any]:
    """One part of so many games of a plan; none may break a rule."""
    count = games // parts
    arguments = [kind, "--start", str(part * count), "--count", str(count)]
    found = run_compiled(*arguments, timeout=300 + games / 20)
    assert found["games"] == count
    assert not found["violations"], json.dumps(found["violations"], indent=1)
    return dict(found)


def documented_lines() -> set[str]:
    """The kinds of line that docs/trace.md lists: the first column of its tables."""
    text = (ROOT / "docs" / "trace.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE))


@pytest.mark.parametrize("part", range(PARTS))
def test_games_of_the_book(part: int, soak: bool) -> None:
    """No game breaks a rule, and its row is right; every strategy, alien, length and number of players plays, and
    every kind of line that docs/trace.md knows occurs (one that never does
    would be a hole in what these games prove)."""
    found = play_part("soak", part, PARTS, SOAK_GAMES if soak else GAMES)
    assert set(found["seen"]["strategy"]) == set(compiled.NAMES)
    assert set(found["seen"]["alien"]) == {str(alien) for alien in compiled.ALIENS}
    assert set(found["seen"]["length"]) == set(LENGTHS)
    assert set(found["seen"]["players"]) == {"3", "4", "5", "6"}
    assert set(found["kinds"]) == documented_lines()


@pytest.mark.parametrize("kind", ["rules", "cards"])
def test_odd_games(kind: str, soak: bool) -> None:
    """Whatever the rule options or the cards: no crash, every game ends, no rule is broken, and the referee
    counts all research cards after every round."""
    games = ODD_SOAK_GAMES if soak else ODD_GAMES
    play_part(kind, 0, 2, games)


def test_compiled_strategies_have_names_of_their_own() -> None:
    """Compiled code is told apart by module, function and a running number of the process that compiled it. Where
    strategies share module and function, two of them that were compiled by different processes may get the same
    name: one is then called for the other, or calls itself for ever."""
    names = run_compiled("names", timeout=300)
    assert len(set(names.values())) == len(names), names


def test_compiled_is_plain() -> None:
    """Compiled and plain games are the same, byte by byte (rows) and line by line (traces)."""
    fast = run_compiled("rows", timeout=300)
    slow = json.loads(json.dumps(compiled.whole_games()))  # this process runs plain Python
    assert len(fast) == len(slow) == compiled.SAME_AS_PLAIN
    for number, (one, other) in enumerate(zip(fast, slow, strict=True)):
        assert one["row"] == other["row"], f"game {number}: the rows differ"
        for k, (line, twin) in enumerate(zip(one["trace"], other["trace"], strict=True), start=1):
            assert line == twin, f"game {number}, line {k}"
