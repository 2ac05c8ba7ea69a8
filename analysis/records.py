"""The records as analysis sees them: games and seats, each with its setting.

Everything here takes whatever has `scan("games")`, `scan("seats")`, `scan("acts")` and `cells`: the `Run` that
`xb.simulate` and `xb.load` give, or `Tables` made from frames of your own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import polars as pl

from sim.errors import UserError
from sim.records import ACTS, GAMES, SEATS

ALIEN, HUMAN = "alien", "human"
#: of the cells: what makes two of them different besides players, length and alien
_VARIANTS = ("strategies", "cards", "changed_rules")


class Records(Protocol):
    """What analysis needs of a run."""

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily."""

    @property
    def cells(self) -> pl.DataFrame:
        """What each cell is."""


@dataclass(frozen=True)
class Tables:
    """Records in frames of your own: `Tables({"games": ..., "seats": ...})`."""

    frames: Mapping[str, pl.DataFrame | pl.LazyFrame]
    cells: pl.DataFrame = field(default_factory=lambda: pl.DataFrame({"cell": []}, {"cell": pl.UInt16}))

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily."""
        if table not in self.frames:
            raise UserError(f"no table '{table}'; valid: {', '.join(self.frames)}")
        return self.frames[table].lazy()


def is_alien_win() -> pl.Expr:
    """Of a game: whether the alien won it."""
    return pl.col("winner_role").cast(pl.String) == ALIEN


def is_alien() -> pl.Expr:
    """Of a seat: whether the alien sits there."""
    return pl.col("role").cast(pl.String) == ALIEN


def settings(records: Records) -> pl.DataFrame:
    """One row a cell: cell, players, setting (a word in order: short, standard, epic, and what else differs)."""
    known = (
        records.scan(GAMES).group_by("cell").agg(pl.col("players", "length").first()).sort("cell").collect()
    )
    cells = records.cells
    differing = [name for name in _VARIANTS if name in cells.columns and cells[name].n_unique() > 1]
    facts = {row["cell"]: row for row in cells.to_dicts()}
    names = []
    for row in known.to_dicts():
        more = [str(facts[row["cell"]][name]) or "as in the rulebook" for name in differing]
        names.append("; ".join([row["length"], *more]))
    order = known.with_columns(pl.Series("setting", names, pl.String)).sort("length", "cell")["setting"]
    words = pl.Enum(order.unique(maintain_order=True))
    return known.select("cell", "players", pl.Series("setting", names, words))


def games(records: Records) -> pl.LazyFrame:
    """One row a game, with its setting, and whether the alien won."""
    names = settings(records).select("cell", "setting").lazy()
    return records.scan(GAMES).join(names, on="cell").with_columns(alien_won=is_alien_win())


def seats(records: Records, *of_game: str) -> pl.LazyFrame:
    """One row a seat, with players and setting of its cell, and columns of its game if named."""
    rows = records.scan(SEATS).join(settings(records).lazy(), on="cell")
    if of_game:
        rows = rows.join(records.scan(GAMES).select("cell", "index", *of_game), on=["cell", "index"])
    return rows


def has_acts(records: Records) -> bool:
    """Whether claims and events were kept."""
    try:
        records.scan(ACTS)
    except UserError:
        return False
    return True
