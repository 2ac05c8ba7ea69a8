"""Games and seats of Target Earth made up by hand, for the tests of its analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from analysis.records import Tables

MODES = pl.Enum(["easy", "normal", "hard", "random"])
VARIANTS = pl.Enum(["base", "advanced"])
WHY = pl.Enum(["points", "no science", "fewer points", "neither", "sudden", "impossible"])
FACTIONS = pl.Enum(["officer", "air general", "army general", "diplomat"])
ACTS = pl.Enum(["card", "joined", "left", "fell", "freed", "shot down", "beaten", "succeeded", "raid"])
COUNTS = (
    "shot_down", "beaten", "succeeded", "interceptions", "battles_won", "bases_destroyed", "attempts_won",
    "cards_played", "modules_lost",
)  # fmt: skip
CURVES = {"alliance": 24, "aliens": 24, "science": 1, "levels": 3, "allied": 8}


def game(index: int, won: bool, cell: int = 0, why: str = "", turns: int = 7, **more: Any) -> dict[str, Any]:
    """A game: lost for want of points and won by them unless it is said otherwise."""
    row: dict[str, Any] = {
        "cell": cell, "index": index, "block": index, "players": 2, "bases": 2, "mode": "normal",
        "variant": "base", "won": won, "why": why or ("points" if won else "neither"), "turns": turns, "winner": None,
    }  # fmt: skip
    row |= dict.fromkeys(COUNTS, 0)
    for name, value in CURVES.items():
        row |= {f"{name}_{turn}": value if turn <= turns else None for turn in range(1, 8)}
    return row | more


def records(
    games: Sequence[Mapping[str, Any]],
    seats: Sequence[Mapping[str, Any]] = (),
    acts: Sequence[Mapping[str, Any]] | None = None,
    cells: Sequence[Mapping[str, Any]] = (),
) -> Tables:
    """Records of such games; seats and acts as in the columns of the records."""
    kinds: dict[str, Any] = {
        "mode": MODES,
        "variant": VARIANTS,
        "why": WHY,
        "players": pl.UInt8,
        "winner": pl.UInt8,
    }
    frames = {"games": pl.DataFrame(list(games), infer_schema_length=None).with_columns(
        pl.col(name).cast(kind) for name, kind in kinds.items()
    )}  # fmt: skip
    if seats:
        frames["seats"] = pl.DataFrame(list(seats)).with_columns(pl.col("faction").cast(FACTIONS))
    if acts is not None:
        frames["acts"] = pl.DataFrame(list(acts)).with_columns(pl.col("act").cast(ACTS))
    known = sorted({row["cell"] for row in games})
    listed = list(cells) or [
        {"cell": cell, "strategies": "core, core", "cards": "reference", "changed_rules": ""}
        for cell in known
    ]
    return Tables(frames, pl.DataFrame(listed))


def seat(index: int, seat: int, won: bool = False, cell: int = 0, **more: Any) -> dict[str, Any]:
    """A seat of such a game."""
    row: dict[str, Any] = {
        "cell": cell, "index": index, "block": index, "seat": seat, "strategy": "core", "faction": "officer",
        "won": won, "points": float(won), "personal": 0,
    }  # fmt: skip
    sources = ("battles", "faction", "cards", "objective", "unused")
    return row | {f"personal_{name}": 0 for name in sources} | more
