"""How often the Alliance wins, and how: by players, mode, variant, options and strategy. One row a game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import polars as pl

from analysis.blocks import DIGITS, contrast_row, estimate, from_sums
from analysis.cards import over_rest
from analysis.comparisons import with_holm
from analysis.records import Records
from analysis.target_earth.records import ENDINGS, games
from sim.records import SEATS


def of_alliance(records: Records, *by: str) -> pl.DataFrame:
    """How often the Alliance wins, by any columns of the games or of `settings`; without any, in all games.

    Columns: those of `by`; rate, low, high, n (games), blocks, method, note.

    Example
    -------
    >>> of_alliance(run, "players", "mode")  # doctest: +SKIP
    """
    return estimate(games(records), by, "won").table()


def endings(records: Records, *by: str) -> pl.DataFrame:
    """How games end: the share of each way to win and to lose, by columns as in `of_alliance`.

    Columns: those of `by`; a share for each of `ENDINGS`, which add up to 1, each with _low and _high; n, …
    """
    table: pl.DataFrame | None = None
    for column, _ in ENDINGS.values():
        found = estimate(games(records), by, (pl.col("ending") == column).cast(pl.Float64)).table(column)
        found = found.rename({"low": f"{column}_low", "high": f"{column}_high"})
        keep = [column, f"{column}_low", f"{column}_high"]
        if table is None:
            table = found.select(*by, *keep, "n", "blocks", "note")
        else:
            table = pl.concat([table, found.select(keep)], how="horizontal")
    assert table is not None
    names = [column for column, _ in ENDINGS.values()]
    last = ["n", "blocks", "note"]
    rest = [f"{name}_{end}" for name in names for end in ("low", "high")]
    return table.select(*by, *names, *rest, *last)


def of_losses(records: Records, *by: str) -> pl.DataFrame:
    """Of the games that were lost: what lost them. Columns: those of `by`; ending, rate, low, high, n, blocks, …

    `n` counts lost games.
    """
    lost = games(records).filter(~pl.col("won"))
    tables = []
    for (won, _), (column, _) in ENDINGS.items():
        if not won:
            found = estimate(lost, by, (pl.col("ending") == column).cast(pl.Float64)).table()
            tables.append(
                found.select(*by, pl.lit(column).alias("ending"), pl.all().exclude([*by, "ending"]))
            )
    return pl.concat(tables)


def steps(records: Records, column: str, within: Sequence[str], from_first: bool = False) -> pl.DataFrame:
    """What the next value of a column does to the Alliance: modes, numbers of players, options.

    `from_first`: every value is compared with the first one, instead of with the one before it.

    Only cells that are alike in `within` are compared, on the same luck. Columns: those of `within`; `one`, `other`;
    difference (of the win rates, other less one), low, high, p, p_holm, blocks, method, note.
    """
    found = estimate(games(records), [*within, column], "won")
    places = found.groups.with_row_index("place")
    rows: list[dict[str, Any]] = []
    for key, part in places.group_by(list(within), maintain_order=True) if within else [((), places)]:
        listed = part.to_dicts()
        pairs = [(listed[0], one) for one in listed[1:]] if from_first else list(pairwise(listed))
        for first, second in pairs:
            contrast = contrast_row(found.difference(second["place"], first["place"]))
            ends = {"one": str(first[column]), "other": str(second[column])}
            rows.append(dict(zip(within, key, strict=True)) | ends | contrast)
    schema: dict[str, Any] = {
        "one": pl.String, "other": pl.String, "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64,
        "p": pl.Float64, "blocks": pl.Int64, "method": pl.String, "note": pl.String,
    }  # fmt: skip
    kinds = {name: found.groups.schema[name] for name in within}
    return with_holm(pl.DataFrame(rows, kinds | schema))


def with_strategy(records: Records) -> pl.DataFrame:
    """The Alliance with a strategy somewhere at the table, against tables of the same cells without it.

    Says something only where strategies differ from game to game (line-up 'pool'). Columns: strategy; rate, low,
    high, n (games with it), blocks, method, note; `over_without` with _low and _high; p, p_holm.
    """
    keys = ["cell", "index", "block"]
    at_table = records.scan(SEATS).select(*keys, card="strategy").unique()
    return associated(games(records), at_table).rename({"card": "strategy"})


def associated(rows: pl.LazyFrame, having: pl.LazyFrame) -> pl.DataFrame:
    """The Alliance in games with a thing, and against games of the same cells without it: association, not cause.

    `rows`: one row a game; `having`: one row a game and `card` that it has. Columns: card; rate, low, high, n (games
    with it), blocks, method, note; `over_without` with _low and _high; p, p_holm.
    """
    won = pl.col("won").cast(pl.Float64)
    sums = [
        won.sum().round(DIGITS).alias("w"),
        won.sum().round(DIGITS).alias("s"),
        pl.len().cast(pl.Float64).alias("n"),
    ]
    known = having.select("cell", "index", "card").join(
        rows.select("cell", "index", "block", "won"), on=["cell", "index"]
    )
    with_it = known.group_by("block", "cell", "card").agg(sums).collect(engine="streaming")
    everybody = rows.group_by("block", "cell").agg(sums).collect(engine="streaming")
    added = with_it.group_by("block", "card").agg(pl.col("w", "s", "n").sum().round(DIGITS))
    rates = from_sums(added, ["card"]).table()
    found = [contrast_row(one) for one in over_rest(with_it, everybody)]
    columns = {
        name: pl.Series([row[key] for row in found], dtype=pl.Float64)
        for name, key in (
            ("over_without", "difference"), ("over_without_low", "low"), ("over_without_high", "high"), ("p", "p"),
        )
    }  # fmt: skip
    return with_holm(rates.with_columns(**columns))
