"""Ways to play against each other: shares of wins, head to head, and what each spends its rounds on."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.blocks import FEW, from_sums
from analysis.comparisons import against_mean, with_holm
from analysis.records import HUMAN, Records, seats
from analysis.win_rates import shares as win_shares

#: what a round may be spent on
ROUNDS = ("researched", "safe", "standard", "switched", "idle")


def shares(records: Records) -> pl.DataFrame:
    """How often each strategy wins: in all, as a human, as the alien. Columns as in `win_rates.shares`, and role.

    In all, 1 / players is expected. By role it is what all seats of that role won.
    """
    whole = win_shares(records, "strategy").select(
        "strategy", pl.lit("both").alias("role"), pl.all().exclude("strategy")
    )
    parts = against_mean(seats(records), ["strategy", "role"], "points", ["cell", "role"])
    return with_holm(pl.concat([whole, parts]))


def head_to_head(records: Records) -> pl.DataFrame:
    """How often one strategy ends above another when both are human in the same game; an equal rank counts half.

    Columns: strategy, against, rate, low, high, n (pairs of seats), blocks, method, note; p against 50 %, p_holm.
    """
    humans = seats(records).filter(pl.col("role").cast(pl.String) == HUMAN)
    rows = humans.select("cell", "index", "block", "seat", "strategy", "rank")
    cells = records.cells["cell"].to_list() or rows.select("cell").unique().collect()["cell"].to_list()
    parts = [
        _pairs(rows.filter(pl.col("cell") == cell)) for cell in sorted(cells) or [0]
    ]  # one by one: memory stays flat
    keys = ["block", "strategy", "against"]
    sums = pl.concat(parts).group_by(keys).agg(pl.col("w", "s", "n").sum())
    found = from_sums(sums.filter(pl.col("strategy") != pl.col("against")), ["strategy", "against"])
    tests = [
        None
        if found.blocks[place] < FEW
        else found.contrast(np.arange(len(found)) == place, from_value=0.5).p
        for place in range(len(found))
    ]
    return with_holm(found.table().with_columns(pl.Series("p", tests, pl.Float64)))


def _pairs(rows: pl.LazyFrame) -> pl.DataFrame:
    """Pairs of seats of the same games, added up by block."""
    other = rows.select("cell", "index", pl.col("seat").alias("other_seat"), pl.col("strategy").alias("against"),
                        pl.col("rank").alias("other_rank"))  # fmt: skip
    mine, theirs = pl.col("rank").cast(pl.Int16), pl.col("other_rank").cast(pl.Int16)
    above = (mine < theirs) + (mine == theirs) * 0.5
    return (
        rows.join(other, on=["cell", "index"])
        .filter(pl.col("seat") != pl.col("other_seat"))
        .group_by("block", "strategy", "against")
        .agg(w=above.sum(), s=(above * above).sum(), n=pl.len().cast(pl.Float64))
        .collect(engine="streaming")
    )


def rounds_spent(records: Records) -> pl.DataFrame:
    """What each strategy does, by role: shares of its rounds, and what comes of them on average.

    Columns: strategy, role; shares of rounds `researched`, `safe`, `standard`, `switched`, `idle`; `projects` held,
    `scoops_given` and `scoops_suffered` a game; `survived` and `fame` for humans; n (seats), blocks.
    """
    total = pl.sum_horizontal(pl.col(name).cast(pl.Int64).sum() for name in ROUNDS)
    table = (
        seats(records)
        .group_by("strategy", "role")
        .agg(
            *(pl.col(name).cast(pl.Int64).sum().truediv(total).alias(name) for name in ROUNDS),
            pl.col("projects", "scoops_given", "scoops_suffered", "survived", "fame").mean(),
            n=pl.len(),
            blocks=pl.col("block").n_unique(),
        )
        .sort("strategy", "role")
        .collect()
    )
    figures = [name for name in table.columns if name not in ("strategy", "role", "n", "blocks")]
    return table.with_columns(
        pl.col("strategy", "role").cast(pl.String), pl.when(pl.col("blocks") >= FEW).then(pl.col(figures))
    )
