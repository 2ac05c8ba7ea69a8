"""The `sums` table: instead of every game and seat, whole numbers added up over blocks, for experiments of many arms.

Everything is counted in whole numbers (points in sixtieths, which halves to sixths divide): sums are exact, and the
same in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from sim.games.eti.play import Setting
from sim.games.eti.records import ROLE_WORDS, points
from sim.games.eti.state import ALIEN
from sim.records import Column, Words, make_frame

SIXTIETHS = 60

_FIXED = (
    Column("cell", "u16", "number of the cell in the plan, from 0"),
    Column("row", "i64", "number of the row, from 0; rows of the same number had the same luck in every cell"),
    Column("blocks", "i64", "blocks added up"),
    Column("games", "i64", "games added up"),
    Column("alien", "i64", "games the alien won"),
    Column("rounds", "i64", "rounds played out"),
    Column("decisions", "i64", "questions asked of strategies"),
    Column("survivors", "i64", "companies that survived"),
    Column("none_survived", "i64", "games in which none survived"),
    Column("humans", "i64", "companies that fought the invasion"),
    Column("margin", "i64", "their defence - attack"),
    Column("claimed", "i64", "projects claimed"),
    Column("lead_changes", "i64", "how often another seat came to be alone in front"),
)  # fmt: skip


def sum_columns(settings: Sequence[Setting], words: Words) -> tuple[Column, ...]:
    """The columns of a plan's table: its seats, and its strategies in both roles."""
    seats = range(max(setting.players for setting in settings))
    return (
        *_FIXED,
        *(Column(f"won_{p + 1}", "i64", f"games that seat {p + 1} won") for p in seats),
        *(
            Column(f"won_at_{p}", "i64", f"games won by the seat {p} clockwise from the first president")
            for p in seats
        ),
        *(
            Column(f"{name}.{role}.{what}", "i64", text)
            for name in words["strategy"]
            for role in ROLE_WORDS
            for what, text in (("points60", "points of its seats, in sixtieths"), ("seats", "its seats"))
        ),
    )


def sums_frame(
    setting: Setting,
    columns: Sequence[Column],
    words: Words,
    cell: int,
    rows: Any,
    names: Any,
    first_row: int,
    size: int,
) -> pl.DataFrame:
    """Games added up, `size` of them a row.

    Parameters
    ----------
    rows
        The kernel's rows, one a game.
    names
        For each game and seat the place of its strategy among the words.
    """
    starts = np.arange(0, len(rows), size)
    data = {
        name: np.add.reduceat(values, starts)
        for name, values in _by_game(setting, words, rows, names).items()
    }
    n = len(starts)
    data |= {
        "cell": np.full(n, cell),
        "row": np.arange(first_row, first_row + n),
        "games": np.diff([*starts, len(rows)]),
    }
    data["blocks"] = data["games"]  # unless games of a block are played together: see play_chunk
    zero = np.zeros(n, np.int64)
    return make_frame(columns, {column.name: data.get(column.name, zero) for column in columns}, words)


def _by_game(setting: Setting, words: Words, rows: Any, names: Any) -> dict[str, Any]:
    """What is added up, for each game."""
    n = setting.players
    seats = rows["seat"][:, :n]
    is_alien = seats["role"] == ALIEN
    won = rows["winner"][:, None] == np.arange(n)
    distance = (np.arange(n) - rows["first_president"][:, None]) % n
    margin = np.where(is_alien, 0, seats["defence"].astype(np.int64) - seats["attack"])
    found = {
        "alien": rows["winner_role"] == ALIEN,
        "rounds": rows["invasion_round"] - 1,
        "decisions": rows["decisions"],
        "survivors": rows["survivors"],
        "none_survived": rows["survivors"] == 0,
        "humans": (~is_alien).sum(axis=1),
        "margin": margin.sum(axis=1),
        "claimed": rows["claimed"],
        "lead_changes": rows["lead_changes"],
    }
    found |= {f"won_{p + 1}": won[:, p] for p in range(n)}
    found |= {f"won_at_{d}": (won & (distance == d)).any(axis=1) for d in range(n)}
    shared = np.rint(points(seats, rows["tied"]) * SIXTIETHS).astype(np.int64)
    present = set(np.unique(names).tolist())
    for place, name in enumerate(words["strategy"]):
        if place not in present:
            continue
        for role, here in (("human", ~is_alien), ("alien", is_alien)):
            mine = here & (names == place)
            found[f"{name}.{role}.points60"] = (shared * mine).sum(axis=1)
            found[f"{name}.{role}.seats"] = mine.sum(axis=1)
    return {name: values.astype(np.int64) for name, values in found.items()}
