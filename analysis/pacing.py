"""How does a game feel: who leads, does the lead change, is it decided early, are players idle?

The lead is counted in claimed projects, at the end of rounds: what everybody at the table sees.
"""

from __future__ import annotations

import polars as pl

from analysis.blocks import FEW, Estimates, estimate, from_sums
from analysis.comparisons import against_mean, with_holm
from analysis.records import HUMAN, Records, games, seats

KEYS = ["players", "setting"]
THIRDS = ("first third", "second third", "last third")
RUNAWAY = 2  # projects ahead after two thirds of the rounds
FAR_BEHIND = 2  # projects behind at some time
WIDEST = 4  # leads of more projects are counted with these


def overview(records: Records) -> pl.DataFrame:
    """How games go, by players and setting.

    Columns: players, setting; `lead_changes` a game, with low and high; `drama`: how many projects the winner was
    behind at worst, on average; `comeback`: share of games whose winner was ever 2 or more behind; `runaway`: share
    with somebody 2 or more ahead after two thirds of the rounds; `overtaken`: share of those alone in
    front then who are not at the end; `scoops` a round; `idle`: share of rounds without a project to work on;
    `forced`: share of decisions with one legal answer; n, blocks, method, note.
    """
    table = estimate(games(records), KEYS, "lead_changes", is_rate=False).table("lead_changes")
    of_games = (
        games(records)
        .group_by(KEYS)
        .agg(
            forced=pl.col("forced").sum() / (pl.col("forced").sum() + pl.col("decisions").sum()),
            all_rounds=pl.col("rounds").sum(),
        )
    )
    won = pl.col("won")
    of_seats = (
        seats(records)
        .group_by(KEYS)
        .agg(
            drama=pl.col("behind").filter(won).mean(),
            comeback=(pl.col("behind").filter(won) >= FAR_BEHIND).mean(),
            ahead=(pl.col("lead_2") >= RUNAWAY).sum(),
            overtaken=(pl.col("lead_3").filter(pl.col("lead_2") > 0) <= 0).mean(),
            scoops=pl.col("scoops_given").sum(),
            idle=pl.col("idle").sum(),
            winners=won.sum(),
        )
    )
    more = of_games.join(of_seats, on=KEYS).with_columns(
        runaway=pl.col("ahead") / pl.col("winners"),
        idle=pl.col("idle") / (pl.col("all_rounds") * pl.col("players")),
        scoops=pl.col("scoops") / pl.col("all_rounds"),
    )
    order = ["drama", "comeback", "runaway", "overtaken", "scoops", "idle", "forced"]
    figures = more.select(*KEYS, *order).with_columns(pl.col("setting").cast(pl.String)).collect()
    joined = table.join(figures, on=KEYS, how="left", maintain_order="left")
    return joined.with_columns(pl.when(pl.col("blocks") >= FEW).then(pl.col(order)))


def habits(records: Records) -> pl.DataFrame:
    """The same shares over all games, with intervals by blocks: comeback, runaway, overtaken, idle and forced.

    Columns: `what`, rate, low, high, n (games, leaders, rounds of seats or decisions), blocks, method, note.
    """
    rows, all_games = seats(records), games(records)
    winners, late = rows.filter(pl.col("won")), pl.col("lead_2") > 0
    ahead = rows.group_by("cell", "index", "block").agg(ahead=pl.col("lead_2").max() >= RUNAWAY)
    rounds = all_games.select("cell", "index", pl.col("rounds").cast(pl.Float64) * pl.col("players"), "block")
    idle = rows.group_by("cell", "index").agg(part=pl.col("idle").cast(pl.Float64).sum())
    decided = pl.col("decisions", "forced").cast(pl.Float64)
    found = {
        "comeback": estimate(winners, [], pl.col("behind") >= FAR_BEHIND),
        "runaway": estimate(ahead, [], "ahead"),
        "overtaken": estimate(rows.filter(late), [], pl.col("lead_3") <= 0),
        "idle": _ratio(rounds.join(idle, on=["cell", "index"]), pl.col("part"), pl.col("rounds")),
        "forced": _ratio(
            all_games.with_columns(decided), pl.col("forced"), pl.col("forced") + pl.col("decisions")
        ),
    }
    tables = [one.table().select(pl.lit(what).alias("what"), pl.all()) for what, one in found.items()]
    return pl.concat(tables)


def _ratio(rows: pl.LazyFrame, part: pl.Expr, whole: pl.Expr) -> Estimates:
    """The share of a whole that is counted within games."""
    sums = rows.group_by("block").agg(w=part.sum(), n=whole.sum()).filter(pl.col("n") > 0).collect()
    return from_sums(sums.with_columns(s="w"), [])


def leaders(records: Records) -> pl.DataFrame:
    """Does whoever is alone in front win? By role and third of the rounds.

    Only seats that lead alone count. Columns: role, third, rate, low, high, n, blocks, method, note; `expected`: how
    often a seat of that role wins at all; `difference` from that with difference_low and difference_high; p, p_holm.
    """
    tables = []
    for third, name in enumerate(THIRDS, 1):
        rows = seats(records).with_columns(leads=pl.col(f"lead_{third}") > 0)
        table = against_mean(rows, ["role", "leads"], "points", ["cell", "role"]).filter(pl.col("leads"))
        tables.append(table.select(pl.lit(name).alias("third"), pl.all().exclude("leads")))
    return with_holm(pl.concat(tables))


def by_lead(records: Records) -> pl.DataFrame:
    """How often a human wins by how far it is ahead after each third, in claimed projects.

    Columns: third, `lead` (negative: behind the best other seat; 4 stands for 4 and more), rate, low, high, n, …
    """
    humans = seats(records).filter(pl.col("role").cast(pl.String) == HUMAN)
    tables = []
    for third, name in enumerate(THIRDS, 1):
        lead = pl.col(f"lead_{third}").clip(-WIDEST, WIDEST).cast(pl.Int8)
        table = estimate(humans.with_columns(lead=lead), ["lead"], "points").table()
        tables.append(table.select(pl.lit(name).alias("third"), pl.all()))
    return pl.concat(tables)


def behind(records: Records) -> pl.DataFrame:
    """How many projects the winner was behind at worst: share of games, by the winner's role."""
    winners = seats(records).filter(pl.col("won"))
    worst = pl.col("behind").clip(0, WIDEST + 1)
    counted = winners.with_columns(behind=worst).group_by("role", "behind").agg(n=pl.len()).collect()
    share = pl.col("n") / pl.col("n").sum().over("role")
    return counted.sort("role", "behind").with_columns(pl.col("role").cast(pl.String), share=share)
