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
EXTRA, MULTIPLIER = "threshold_extra", "multiplier_"  # rules that make the threshold
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
    """One row a cell: what makes it different from the others.

    Columns: cell, players; `setting`, a word in order: short, standard, epic, and what else differs; `multiplier`
    (projects a player on the threshold) and `extra` (projects for the whole table, the rule threshold_extra);
    `other`, whatever else differs: strategies, cards, other rules.
    """
    first = pl.col("players", "length", "threshold").first()
    known = records.scan(GAMES).group_by("cell").agg(first).sort("cell").collect()
    cells = records.cells
    differing = [name for name in _VARIANTS if name in cells.columns and cells[name].n_unique() > 1]
    facts = {row["cell"]: row for row in cells.to_dicts()}
    one_length = known["length"].n_unique() == 1
    rows = []
    for row in known.to_dicts():
        more = [str(facts[row["cell"]][name]) or "as in the rulebook" for name in differing]
        extra, rules = _threshold_rules(str(facts.get(row["cell"], {}).get("changed_rules", "")))
        other = [rules if name == "changed_rules" else str(facts[row["cell"]][name]) for name in differing]
        name = "; ".join(more) if more and one_length else "; ".join([row["length"], *more])
        multiplier = (row["threshold"] - extra) / row["players"]
        rows.append(
            (
                row["cell"],
                row["players"],
                row["length"],
                name,
                multiplier,
                extra,
                "; ".join(filter(None, other)),
            )
        )
    names = ("cell", "players", "length", "setting", "multiplier", "extra", "other")
    table = pl.DataFrame(rows, names, orient="row", infer_schema_length=None).with_columns(
        known["cell"], known["players"], known["length"], pl.col("multiplier").cast(pl.Float64),
        pl.col("extra").cast(pl.Int32), pl.col("setting", "other").cast(pl.String),
    )  # fmt: skip
    words = pl.Enum(table.sort("length", "cell")["setting"].unique(maintain_order=True))
    return table.with_columns(pl.col("setting").cast(words)).drop("length")


def _threshold_rules(rules: str) -> tuple[int, str]:
    """Of a cell's changed rules: the value of threshold_extra, and the rules that do not make the threshold."""
    pairs = [text.partition("=") for text in rules.split(", ") if text]
    extra = next((int(value) for name, _, value in pairs if name == EXTRA), 0)
    others = [
        f"{name}={value}" for name, _, value in pairs if name != EXTRA and not name.startswith(MULTIPLIER)
    ]
    return extra, ", ".join(others)


def games(records: Records) -> pl.LazyFrame:
    """One row a game, with what makes its cell different (`settings`), and whether the alien won."""
    names = settings(records).drop("players").lazy()
    return records.scan(GAMES).join(names, on="cell").with_columns(alien_won=is_alien_win())


def seats(records: Records, *of_game: str) -> pl.LazyFrame:
    """One row a seat, with players and setting of its cell, and columns of its game if named."""
    names = settings(records).select("cell", "players", "setting").lazy()
    rows = records.scan(SEATS).join(names, on="cell")
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
