"""What each game's results are called: who wins, how long it lasts, how its cards are laid out.

The commands and the notebook ask the module of the game that was played; all have the same names in them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def words_of(game: str) -> Any:
    """The module of a game."""
    return import_module(f"xenobalance.games.{game.replace('-', '_')}")
