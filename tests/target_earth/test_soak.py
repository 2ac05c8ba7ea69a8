"""Many compiled games of all kinds: no crash, every game ends, nothing gets lost, every decision was legal, and the
referee finds no fault. With `--soak` a hundred times as many. See `python -m tests.target_earth.soak`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.target_earth.random_cards import random_cards
from tests.target_earth.soak import KINDS

ROOT = Path(__file__).resolve().parents[2]
GAMES, SOAK_GAMES = 1_000, 100_000  # of each kind


@pytest.mark.parametrize("kind", KINDS)
def test_games(kind: str, soak: bool) -> None:
    """Book, random options, random cards: countries, points, modules, units, cards and tiles add up in the end."""
    games = SOAK_GAMES if soak else GAMES
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    command = [sys.executable, "-m", "tests.target_earth.soak", kind, "--count", str(games)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=env, check=False, timeout=300 + games / 20
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found["failures"] == []
    kinds = {"2 bases", "3 bases", "4 bases", "easy", "normal", "hard", "random", "base", "advanced"}
    assert kinds <= found["seen"].keys()
    assert found["games"] == games and found["seen"]["lines judged"] > 0


def test_random_cards_are_random() -> None:
    """Few and many countries, empty decks' kinds and landings of nobody come up; the same number, the same set."""
    sets = [random_cards(Random(number)).to_dict() for number in range(60)]
    assert random_cards(Random(5)).to_dict() == sets[5]
    numbers = [len(cards["countries"]) for cards in sets]
    assert min(numbers) <= 3 and max(numbers) == 40
    assert any(one["count"] == 0 for cards in sets for one in cards["alliance"])
    assert any(one["small"] == [0, 0] for cards in sets for one in cards["aliens"])
    assert any(sum(one["terror"]) == 8 for cards in sets for one in cards["aliens"])
