"""Whole games as rows and logs, hashed: run by tests compiled and plain, in processes of their own."""

from __future__ import annotations

import hashlib
import json
import sys

import numpy as np

from sim.games.target_earth.engine import kernel
from sim.games.target_earth.play import play, play_traced
from sim.games.target_earth.strategy import load_strategy
from tests.target_earth.kit import NAMES, any_setting

GAMES = 3  # of each setting


def digest(data: bytes) -> str:
    """Short enough to read."""
    return hashlib.sha256(data).hexdigest()[:12]


def main(settings: int) -> None:
    """Print a line of hashes for each setting."""
    for name in NAMES:  # compiled or loaded in a fixed order, before the first game
        load_strategy(name)
    kernel()
    for number in range(settings):
        setting = any_setting(number)
        rows = play(setting, 9, number, GAMES)
        _, log, _ = play_traced(setting, 9, number)
        print(json.dumps([number, digest(np.array(rows).tobytes()), len(log), digest(repr(log).encode())]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
