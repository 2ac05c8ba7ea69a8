"""The records of Target Earth as analysis sees them: games and seats, each with its setting."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.records import RULES, Records
from sim.records import GAMES, SEATS

#: of the cells: what makes two of them different besides players, mode and variant
_VARIANTS = ("strategies", "cards", RULES, "changes")
ADVANCED = pl.col("variant").cast(pl.String) == "advanced"
#: how games end: (won, why) -> column and words, in the order in which they are shown
ENDINGS: dict[tuple[bool, str], tuple[str, str]] = {
    (True, "points"): ("won_last", "won: ahead after the last turn"),
    (True, "sudden"): ("won_sudden", "won: far ahead before it"),
    (False, "sudden"): ("lost_sudden", "lost: aliens far ahead"),
    (False, "impossible"): ("lost_impossible", "lost: alien science out of reach"),
    (False, "neither"): ("lost_both", "lost: not ahead, and no alien science"),
    (False, "no science"): ("lost_science", "lost: ahead, but no alien science"),
    (False, "fewer points"): ("lost_points", "lost: alien science, but not ahead"),
}


def settings(records: Records) -> pl.DataFrame:
    """One row a cell: what makes it different from the others.

    Columns: cell, players, mode, variant; `setting`, a word in order: mode, variant and whatever else differs;
    `line_up`, the strategies, one name where all are the same; `options`, changed rules, cards and changes.
    """
    words = pl.col("players", "mode", "variant").first()
    known = records.scan(GAMES).group_by("cell").agg(words).sort("cell").collect()
    facts = {row["cell"]: _shortened(row) for row in records.cells.to_dicts()}
    differing = [name for name in _VARIANTS if len({str(row.get(name, "")) for row in facts.values()}) > 1]
    both_variants = known["variant"].n_unique() > 1
    names, line_ups, options = [], [], []
    for row in known.to_dicts():
        cell = facts.get(row["cell"], {})
        told = {name: str(cell[name]) or "as in the rulebook" for name in differing}
        line_up = told.pop("strategies", "")
        first = [row["mode"], *([row["variant"]] if both_variants else [])]
        names.append("; ".join(filter(None, [", ".join(first), line_up, *told.values()])))
        line_ups.append(str(cell.get("strategies", "")))
        options.append("; ".join(told.values()))
    made = known.with_columns(
        setting=pl.Series(names, dtype=pl.String),
        line_up=pl.Series(line_ups, dtype=pl.String),
        options=pl.Series(options, dtype=pl.String),
    )
    in_order = made.sort("variant", "mode", "cell")["setting"].unique(maintain_order=True)
    return made.with_columns(pl.col("setting").cast(pl.Enum(in_order)))


def _shortened(cell: dict[str, Any]) -> dict[str, Any]:
    """A cell with one name where all seats have the same strategy, however many they are."""
    seated = str(cell.get("strategies", "")).split(", ")
    return cell | {"strategies": seated[0] if len(set(seated)) == 1 else ", ".join(seated)}


def games(records: Records) -> pl.LazyFrame:
    """One row a game, with what makes its cell different (`settings`), and `ending`: how it was won or lost."""
    names = settings(records).drop("players", "mode", "variant").lazy()
    return records.scan(GAMES).join(names, on="cell").with_columns(ending=_ending())


def _ending() -> pl.Expr:
    why = pl.col("why").cast(pl.String)
    found = pl.lit(None, pl.String)
    for (won, word), (column, _) in ENDINGS.items():
        found = pl.when((pl.col("won") == won) & (why == word)).then(pl.lit(column)).otherwise(found)
    return found


def seats(records: Records, *of_game: str) -> pl.LazyFrame:
    """One row a seat, with players, bases and setting of its cell, and columns of its game if named."""
    names = settings(records).select("cell", "setting").lazy()
    more = ("players", "bases", "variant", *of_game)
    of_games = records.scan(GAMES).select("cell", "index", *dict.fromkeys(more))
    return records.scan(SEATS).join(names, on="cell").join(of_games, on=["cell", "index"], suffix="_game")


def has_advanced(records: Records) -> bool:
    """Whether there are advanced games."""
    return bool(records.scan(GAMES).select(ADVANCED.any()).collect().item())
