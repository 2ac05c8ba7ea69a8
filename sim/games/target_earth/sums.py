"""The `sums` table: instead of every game and seat, whole numbers added up over blocks, for experiments of many arms.

Everything is counted in whole numbers (wins in sixtieths, as in other games): sums are exact, and the same in any
order. In a cooperative game the unit is the game; in the advanced game seats win as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from sim.games.target_earth.cards import FACTIONS, OBJECTIVES
from sim.games.target_earth.play import Setting
from sim.games.target_earth.records import WHY_WORDS
from sim.games.target_earth.state import (
    ALIENS,
    ALLIANCE,
    BY_POINTS,
    FIGHTERS,
    IMPOSSIBLE,
    MAX_BASES,
    SCIENCE,
    SUDDEN,
    TANKS,
    TROOPS,
)
from sim.records import Column, Words, make_frame

SIXTIETHS = 60
_WON = (BY_POINTS, SUDDEN)
_LOST = tuple(range(BY_POINTS + 1, IMPOSSIBLE + 1))
#: columns of the kernel's rows that are simply added up
_COUNTED = {
    "turns": "turns played",
    "decisions": "questions asked of strategies",
    "knowledge": "alien knowledge left",
    "allied": "allied countries at the end",
    "aliens": "alien countries at the end",
    "income": "income of the last turn",
    "modules_lost": "modules lost to raids",
    "ufos": "UFOs that came",
    "shot_down": "... shot down in interceptions",
    "beaten": "... beaten on the ground",
    "succeeded": "... that took a country a step or raided a base",
    "interceptions": "interceptions fought",
    "battles": "battles on the ground",
    "battles_won": "... won",
    "bases_destroyed": "alien bases destroyed",
    "attempts": "attempts at diplomacy and rebellion by the Alliance",
    "attempts_won": "... that succeeded",
    "cards_played": "Alliance cards played",
}


def _ending(word: str, why: int) -> str:
    return f"{word}_{WHY_WORDS[why].replace(' ', '_')}"


def faction_key(name: str) -> str:
    """'air general' as a part of a column's name."""
    return name.replace(" ", "_")


_FIXED = (
    Column("cell", "u16", "number of the cell in the plan, from 0"),
    Column("row", "i64", "number of the row, from 0; rows of the same number had the same luck in every cell"),
    Column("blocks", "i64", "blocks added up"),
    Column("games", "i64", "games added up"),
    Column("won", "i64", "games the Alliance won"),
    *(Column(_ending("won", why), "i64", f"games the Alliance won: {WHY_WORDS[why]}") for why in _WON),
    *(Column(_ending("lost", why), "i64", f"games the Alliance lost: {WHY_WORDS[why]}") for why in _LOST),
    *(Column(name, "i64", text) for name, text in _COUNTED.items()),
    Column("points_alliance", "i64", "points of the Alliance"),
    Column("points_aliens", "i64", "points of the aliens"),
    Column("science", "i64", "levels of alien science"),
    Column("levels", "i64", "levels of the other three technologies"),
    Column("bases", "i64", "bases that played"),
    Column("personal", "i64", "their personal points (advanced game)"),
    *(Column(f"won_{p + 1}", "i64", f"games that seat {p + 1} won") for p in range(MAX_BASES)),
    *(
        Column(f"{what}_{word}_{faction_key(name)}", "i64", f"{text} {name}")
        for word, names in (("as", FACTIONS), ("with", OBJECTIVES))
        for name in names
        for what, text in (("won", f"games won by the seat {word}"), ("seats", f"seats {word}"))
    ),
)  # fmt: skip


def sum_columns(settings: Sequence[Setting], words: Words) -> tuple[Column, ...]:
    """The columns of a plan's table: what all have, and its strategies."""
    return (
        *_FIXED,
        *(
            Column(f"{name}.{what}", "i64", text)
            for name in words["strategy"]
            for what, text in (("points60", "wins of its seats, in sixtieths"), ("seats", "its seats"))
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
    bases = names.shape[1]
    seats = rows["seat"][:, :bases]
    won, games_won = seats["won"] == 1, rows["won"] == 1
    found = {name: rows[name] for name in _COUNTED}
    found |= {
        "won": games_won,
        "points_alliance": rows["points"][:, ALLIANCE],
        "points_aliens": rows["points"][:, ALIENS],
        "science": rows["level"][:, SCIENCE],
        "levels": rows["level"][:, [FIGHTERS, TROOPS, TANKS]].astype(np.int64).sum(axis=1),
        "bases": np.full(len(rows), bases),
        "personal": seats["personal"].astype(np.int64).sum(axis=1),
    }
    found |= {_ending("won", why): games_won & (rows["why"] == why) for why in _WON}
    found |= {_ending("lost", why): ~games_won & (rows["why"] == why) for why in _LOST}
    found |= {f"won_{p + 1}": won[:, p] for p in range(bases)}
    for word, field, listed in (("as", "faction", FACTIONS), ("with", "objective", OBJECTIVES)):
        for k, name in enumerate(listed):
            mine = seats[field] == k
            found[f"won_{word}_{faction_key(name)}"] = (won & mine).sum(axis=1)
            found[f"seats_{word}_{faction_key(name)}"] = mine.sum(axis=1)
    for place, name in enumerate(words["strategy"]):
        mine = names == place
        if mine.any():
            found[f"{name}.points60"] = (won & mine).sum(axis=1) * SIXTIETHS
            found[f"{name}.seats"] = mine.sum(axis=1)
    return {name: values.astype(np.int64) for name, values in found.items()}
