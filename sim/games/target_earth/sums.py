"""The `sums` table: whole numbers added up over blocks instead of every game and seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from sim.games.target_earth.play import Setting
from sim.games.target_earth.records import WHY_WORDS
from sim.games.target_earth.state import MAX_BASES, SCIENCE
from sim.records import Column, Words, make_frame

_FIXED = (
    Column("cell", "u16", "number of the cell in the plan, from 0"),
    Column(
        "row", "i64", "number of the row, from 0; rows of the same number had the same luck in every cell"
    ),
    Column("blocks", "i64", "blocks added up"),
    Column("games", "i64", "games added up"),
    Column("won", "i64", "games the Alliance won"),
    *(Column(f"ended_{why.replace(' ', '_')}", "i64", f"games that ended: {why}") for why in WHY_WORDS),
    Column("turns", "i64", "turns played"),
    Column("decisions", "i64", "questions asked of strategies"),
    Column("points_alliance", "i64", "points of the Alliance"),
    Column("points_aliens", "i64", "points of the aliens"),
    Column("science", "i64", "levels of alien science"),
    *(Column(f"won_{p + 1}", "i64", f"games that seat {p + 1} won") for p in range(MAX_BASES)),
)


def sum_columns(settings: Sequence[Setting], words: Words) -> tuple[Column, ...]:
    """The columns of a plan's table: what all have, and its strategies."""
    return (
        *_FIXED,
        *(
            Column(f"{name}.{what}", "i64", text)
            for name in words["strategy"]
            for what, text in (("points", "games its seats won"), ("seats", "its seats"))
        ),
    )


def sums_frame(
    columns: Sequence[Column], words: Words, cell: int, rows: Any, names: Any, first_row: int, size: int
) -> pl.DataFrame:
    """Games added up, `size` of them a row; `names`: the place of each seat's strategy among the words."""
    starts = np.arange(0, len(rows), size)
    data = {name: np.add.reduceat(values, starts) for name, values in _by_game(words, rows, names).items()}
    n = len(starts)
    data |= {
        "cell": np.full(n, cell),
        "row": np.arange(first_row, first_row + n),
        "games": np.diff([*starts, len(rows)]),
    }
    data["blocks"] = data["games"]  # unless games of a block are played together: see play_sums
    zero = np.zeros(n, np.int64)
    return make_frame(columns, {column.name: data.get(column.name, zero) for column in columns}, words)


def _by_game(words: Words, rows: Any, names: Any) -> dict[str, Any]:
    """What is added up, for each game."""
    won = rows["seat"]["won"][:, : names.shape[1]]
    found = {
        "won": rows["won"],
        "turns": rows["turns"],
        "decisions": rows["decisions"],
        "points_alliance": rows["points"][:, 0],
        "points_aliens": rows["points"][:, 1],
        "science": rows["level"][:, SCIENCE],
    }
    found |= {f"ended_{why.replace(' ', '_')}": rows["why"] == k for k, why in enumerate(WHY_WORDS)}
    found |= {f"won_{p + 1}": won[:, p] for p in range(names.shape[1])}
    for place, name in enumerate(words["strategy"]):
        mine = names == place
        if mine.any():
            found[f"{name}.points"] = (won * mine).sum(axis=1)
            found[f"{name}.seats"] = mine.sum(axis=1)
    return {name: values.astype(np.int64) for name, values in found.items()}
