"""Golden traces: a few games written down once. Whoever changes one of them shall know, and mean it.

`scripts/golden` writes them anew; the difference then shows what a change of the engine did to the game.
"""

from __future__ import annotations

import json

import pytest

from sim.games.eti.cards import load_cards
from tests.golden.make import FOLDER, GAMES, golden_file, golden_text
from tests.referee import judge


@pytest.mark.parametrize("name", GAMES)
def test_golden(name: str) -> None:
    """The game is played today as it was then, to the last byte."""
    then = golden_file(name).read_text(encoding="utf-8").splitlines()
    now = golden_text(name).splitlines()
    for number, (old, new) in enumerate(zip(then, now, strict=False), start=1):
        assert old == new, f"{name}.jsonl: line {number} is another one; if that is meant: scripts/golden"
    assert len(then) == len(now)
    assert golden_file(name).read_bytes() == golden_text(name).encode()


@pytest.mark.parametrize("name", GAMES)
def test_golden_file(name: str) -> None:
    """What is written down is a game by the rules (with today's cards), and small."""
    assert golden_file(name).stat().st_size < 100_000
    lines = [json.loads(line) for line in golden_file(name).read_text(encoding="utf-8").splitlines()]
    lines[0]["cards"] = load_cards().to_dict()
    exact = "random" not in GAMES[name]
    assert judge(lines, best_swaps=exact, best_losses=exact).violations == []


def test_no_file_is_left_over() -> None:
    """Every file belongs to a game."""
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == set(GAMES)
