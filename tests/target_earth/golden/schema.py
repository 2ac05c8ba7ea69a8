"""The tables of the records with their columns and types, in order."""

from __future__ import annotations

from typing import Any

from sim.games.target_earth.records import COLUMNS
from sim.records import SCHEMA, empty_frame
from sim.study import make_plan


def small(**words: Any) -> Any:
    """A plan of a few short games of two bases."""
    plain = {"game": "target-earth", "players": 2, "strategies": ["core", "random"], "games": 6, "chunk": 2}
    return make_plan(plain | words)


def described() -> dict[str, Any]:
    """Every table with its columns and their types."""
    words = small().words
    frames = {table: empty_frame(columns, words) for table, columns in COLUMNS.items()}
    return {
        "schema": SCHEMA,
        **{
            table: {name: type(kind).__name__ for name, kind in frame.schema.items()}
            for table, frame in frames.items()
        },
    }
