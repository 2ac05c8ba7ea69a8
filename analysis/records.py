"""The records as analysis sees them: games and seats, each with its setting.

Everything here takes whatever has `scan("games")`, `scan("seats")`, `scan("acts")` and `cells`: the `Run` that
`xb.simulate` and `xb.load` give, or `Tables` made from frames of your own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import polars as pl

from sim.errors import UserError
from sim.records import ACTS, GAMES, SEATS

ALIEN, HUMAN = "alien", "human"
EXTRA, MULTIPLIER = "threshold_extra", "multiplier_"  # rules that make the threshold
#: of the cells: what makes two of them different besides players, length and alien
RULES = "changed_rules"
_VARIANTS = ("strategies", "cards", RULES, "changes")


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
    facts = {row["cell"]: _shortened(row) for row in records.cells.to_dicts()}
    differing = [name for name in _VARIANTS if len({str(row.get(name, "")) for row in facts.values()}) > 1]
    one_length = known["length"].n_unique() == 1
    names, extras, others, multipliers = [], [], [], _multipliers(known, facts)
    for row in known.to_dicts():
        cell = facts.get(row["cell"], {})
        more = [str(cell[name]) or "as in the rulebook" for name in differing]
        names.append("; ".join(more if more and one_length else [row["length"], *more]))
        rules = _rules(cell)
        extras.append(rules.pop(EXTRA, 0))
        kept = ", ".join(
            f"{rule}={value}" for rule, value in rules.items() if not rule.startswith(MULTIPLIER)
        )
        others.append(
            "; ".join(filter(None, (kept if name == RULES else str(cell[name]) for name in differing)))
        )
    in_order = ["length", "cell"] if isinstance(known["length"].dtype, pl.Enum) else ["cell"]
    words = known.with_columns(setting=pl.Series(names, dtype=pl.String)).sort(in_order)["setting"]
    return known.select(
        "cell",
        "players",
        pl.Series("setting", names, pl.Enum(words.unique(maintain_order=True))),
        pl.Series("multiplier", multipliers, pl.Float64),
        pl.Series("extra", extras, pl.Int32),
        pl.Series("other", others, pl.String),
    )


def _shortened(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell with one name where all seats have the same strategy, however many they are."""
    seated = str(cell.get("strategies", "")).split(", ")
    return cell | {"strategies": seated[0] if len(set(seated)) == 1 else ", ".join(seated)}


def _rules(cell: dict[str, Any]) -> dict[str, int]:
    """A cell's changed rules."""
    pairs = [text.partition("=") for text in str(cell.get(RULES, "")).split(", ") if text]
    return {name: int(value) for name, _, value in pairs}


def _multipliers(known: pl.DataFrame, facts: dict[int, dict[str, Any]]) -> list[float]:
    """Projects a player on the threshold of each cell, threshold_extra apart.

    The least threshold is 1: there the multiplier is taken from a cell of the same length that is above it.
    """
    found: list[float] = []
    usual: dict[str, float] = {}
    for row in known.sort("threshold", descending=True).to_dicts():
        rules = _rules(facts.get(row["cell"], {}))
        changed = rules.get(f"{MULTIPLIER}{row['length']}")
        worked_out = (row["threshold"] - rules.get(EXTRA, 0)) / row["players"]
        if changed is None and row["threshold"] > 1:
            usual.setdefault(row["length"], worked_out)
        value = usual.get(row["length"], worked_out) if changed is None else float(changed)
        found.append(value if row["threshold"] == 1 else worked_out)
    order = known.sort("threshold", descending=True)["cell"].to_list()
    by_cell = dict(zip(order, found, strict=True))
    return [by_cell[cell] for cell in known["cell"].to_list()]


def games(records: Records) -> pl.LazyFrame:
    """One row a game, with what makes its cell different (`settings`), and whether the alien won."""
    names = settings(records).drop("players").lazy()
    return records.scan(GAMES).join(names, on="cell").with_columns(alien_won=is_alien_win())


def seats(records: Records, *of_game: str) -> pl.LazyFrame:
    """One row a seat, with players and setting of its cell, and columns of its game if named."""
    names = settings(records).select("cell", "players", "setting").lazy()
    rows = records.scan(SEATS).join(names, on="cell").with_columns(points=_exact("points"))
    if of_game:
        rows = rows.join(records.scan(GAMES).select("cell", "index", *of_game), on=["cell", "index"])
    return rows


def _exact(points: str) -> pl.Expr:
    """A point, or a half or third of it: kept in 32 bits, where three thirds are more than one."""
    share = pl.col(points).cast(pl.Float64)
    return pl.when(share > 0).then(1 / (1 / share).round()).otherwise(share)


def has_acts(records: Records) -> bool:
    """Whether claims and events were kept."""
    try:
        records.scan(ACTS)
    except UserError:
        return False
    return True
