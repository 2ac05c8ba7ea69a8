"""The course of games, turn by turn: points, technologies, allied countries, and when it is decided.

Games that are over have no figures any more: an average after a turn is over the games that lasted as long, and
`running` says how many those are.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.blocks import estimate
from analysis.records import Records
from analysis.target_earth.records import games

TURNS = range(1, 10)
#: column of the records (with the turn's number) -> words
CURVES = {
    "alliance": "points of the Alliance",
    "aliens": "points of the aliens",
    "science": "level of alien science",
    "levels": "levels of fighters, troops and tanks",
    "allied": "allied countries",
}
LEADS = ((-99, -20), (-19, -10), (-9, -1), (0, 0), (1, 9), (10, 19), (20, 99))  # points ahead of the aliens


def turns(records: Records) -> list[int]:
    """The turns that games reach, as far as the records know them."""
    names = records.scan("games").collect_schema().names()
    known = [turn for turn in TURNS if f"alliance_{turn}" in names]
    last = records.scan("games").select(pl.col("turns").max()).collect().item() or 0
    return [turn for turn in known if turn <= last]


def curves(records: Records, *by: str) -> pl.DataFrame:
    """Averages after each turn, by columns of the games or settings, and by how the game ended.

    Columns: those of `by`; `what` (a key of `CURVES`); `result`: won or lost; turn; value, low, high; n (games still
    running then), blocks, method, note.
    """
    rows = games(records).with_columns(result=pl.when("won").then(pl.lit("won")).otherwise(pl.lit("lost")))
    tables = []
    for what in CURVES:
        for turn in turns(records):
            kept = rows.filter(pl.col(f"{what}_{turn}").is_not_null())
            found = estimate(kept, [*by, "result"], f"{what}_{turn}", is_rate=False).table("value")
            columns: list[Any] = [pl.lit(what).alias("what"), "result", pl.lit(turn).alias("turn")]
            tables.append(found.select(*by, *columns, pl.all().exclude(*by, "result")))
    return pl.concat(tables)


def by_turn(records: Records) -> pl.DataFrame:
    """After each turn: the share of games still running before it, and averages over those that lasted as long.

    Columns: turn; `running`, with low and high: the share of all games that played this turn; an average for each of
    `CURVES`; `won_then` and `lost_then`: the share of all games won and lost in this turn; n, blocks, note.
    """
    rows, tables = games(records), []
    for turn in turns(records):
        found = estimate(rows, [], (pl.col("turns") >= turn).cast(pl.Float64)).table("running")
        over = pl.col("turns") == turn
        more = rows.select(
            *(pl.col(f"{what}_{turn}").mean().alias(what) for what in CURVES),
            won_then=(over & pl.col("won")).mean(),
            lost_then=(over & ~pl.col("won")).mean(),
        ).collect()
        joined = pl.concat([found, more], how="horizontal")
        names = [*CURVES, "won_then", "lost_then"]
        shown = pl.when(pl.col("running").is_not_null()).then(pl.col(names))
        tables.append(joined.with_columns(shown).select(pl.lit(turn).alias("turn"), pl.all()))
    return pl.concat(tables)


def by_lead(records: Records) -> pl.DataFrame:
    """How often the Alliance wins by how many points it was ahead of the aliens after each turn.

    Only games that went on after that turn. Columns: turn; `lead`: in words, in order; `ahead`: its place; rate, low,
    high, n, blocks, method, note.
    """
    tables = []
    for turn in turns(records)[:-1]:
        rows = games(records).filter(pl.col("turns") > turn)
        lead = (pl.col(f"alliance_{turn}") - pl.col(f"aliens_{turn}")).cast(pl.Int32)
        place = sum(((lead > high).cast(pl.Int32) for _, high in LEADS[:-1]), pl.lit(0, pl.Int32))
        rows = rows.with_columns(ahead=place)
        found = estimate(rows, ["ahead"], "won").table()
        words = pl.col("ahead").replace_strict(dict(enumerate(lead_words())), return_dtype=pl.String)
        tables.append(found.select(pl.lit(turn).alias("turn"), words.alias("lead"), pl.all()))
    return pl.concat(tables)


def lead_words() -> list[str]:
    """'20 or more behind', '10 to 19 behind', … in the order of `LEADS`."""
    words = []
    for low, high in LEADS:
        if low == high == 0:
            words.append("even")
        elif high < 0:
            words.append(f"{-high} or more behind" if low < -90 else f"{-high} to {-low} behind")
        else:
            words.append(f"{low} or more ahead" if high > 90 else f"{low} to {high} ahead")
    return words
