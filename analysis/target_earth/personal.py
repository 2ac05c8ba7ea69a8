"""The advanced game: who wins with the Alliance. Only here seats are counted, since each has a victory of its own.

Nobody wins if the Alliance loses, or if two seats have as many points.
"""

from __future__ import annotations

import polars as pl

from analysis.blocks import estimate
from analysis.comparisons import against
from analysis.records import Records
from analysis.target_earth.records import ADVANCED, games, seats

FAIR = 1.0 / pl.col("bases").cast(pl.Float64)
SOURCES = {
    "personal_battles": "fights won",
    "personal_faction": "faction",
    "personal_cards": "diplomacy and rebellion cards",
    "personal_objective": "secret objective",
    "personal_unused": "starred cards not used",
}


def _seats(records: Records) -> pl.LazyFrame:
    rows = seats(records).filter(ADVANCED).with_columns(pl.col("points").cast(pl.Float64))
    won = records.scan("games").select("cell", "index", alliance="won", alone="winner")
    return rows.join(won, on=["cell", "index"])


def outcomes(records: Records) -> pl.DataFrame:
    """Advanced games by players: how often the Alliance wins, and how often somebody wins alone.

    Columns: players; `alliance` with low and high; `alone`: somebody has the most personal points (of all games);
    `tied`: the Alliance won, and nobody is alone in front; n, blocks, method, note.
    """
    rows = games(records).filter(ADVANCED)
    table = estimate(rows, ["players"], "won").table("alliance")
    more = rows.group_by("players").agg(
        alone=pl.col("winner").is_not_null().mean(), tied=(pl.col("won") & pl.col("winner").is_null()).mean()
    )
    joined = table.join(more.collect(), on="players", how="left", maintain_order="left")
    shown = pl.when(pl.col("alliance").is_not_null()).then(pl.col("alone", "tied"))
    return joined.with_columns(shown).select(
        "players", "alliance", "low", "high", "alone", "tied", "n", "blocks", "method", "note"
    )


def shares(records: Records, *by: str) -> pl.DataFrame:
    """Of the advanced games that somebody wins: how often a seat does, by faction, objective, strategy or seat.

    Columns: those of `by`; rate, low, high, n (seats), blocks, method, note; `expected`: the fair share, 1 / bases;
    difference, with difference_low and difference_high; p, p_holm.
    """
    rows = _seats(records).filter(pl.col("alone").is_not_null())
    return against(rows, by, "points", FAIR)


def with_alliance(records: Records, *by: str) -> pl.DataFrame:
    """How often the Alliance wins with a faction, objective or strategy at the table: does it pay for all?

    Columns: those of `by`; rate, low, high, n (seats), blocks, method, note.
    """
    return estimate(_seats(records), by, "alliance").table()


def points(records: Records, *by: str) -> pl.DataFrame:
    """Personal points of a seat at the end of games that the Alliance won, and where they come from.

    Columns: those of `by`; `personal` with low and high; an average for each of `SOURCES`; n (seats), blocks, …
    """
    rows = _seats(records).filter(pl.col("alliance"))
    table = estimate(rows, by, "personal", is_rate=False).table("personal")
    means = rows.group_by(by).agg(pl.col(list(SOURCES)).mean()).collect()
    words = [pl.col(name).cast(pl.String) for name in by if isinstance(means.schema[name], pl.Enum)]
    joined = table.join(means.with_columns(words), on=list(by), how="left", maintain_order="left")
    return joined.with_columns(pl.when(pl.col("personal").is_not_null()).then(pl.col(list(SOURCES))))
