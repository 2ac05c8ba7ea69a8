"""Cards and winning: how often, by whom, and how often whoever had a card wins. Association, not cause.

A company that claims many projects wins more often and has more of every card; so each project is also compared with
other claims, and not only with companies that do not have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from analysis.blocks import contrast_row, from_sums
from analysis.comparisons import with_holm
from analysis.records import HUMAN, Records, has_acts, seats
from sim.errors import UserError
from sim.records import ACTS

CLAIM = "claim"
EVENTS = ("event", "keep", "play")
_HAS, _WITHOUT, _OTHERS = 0, 1, 2
_SUMS = [
    pl.col("points").sum().round(9).alias("points"),
    (pl.col("points") ** 2).sum().round(9).alias("s"),
    pl.col("over").sum().round(9).alias("over"),
    pl.len().cast(pl.Float64).alias("n"),
]
_NUMBERS = ("rate", "low", "high", "over_without", "over_without_low", "over_without_high", "over_others",
            "over_others_low", "over_others_high", "p")  # fmt: skip
_COLUMNS: dict[str, Any] = {
    "card": pl.String, **dict.fromkeys(_NUMBERS, pl.Float64),
    "n": pl.Int64, "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip


def projects(records: Records) -> pl.DataFrame:
    """Each project, as humans claimed it.

    Columns: card; `a_game`: claims a game; `by`: the strategy that has most of the claims, and `by_share`, its part
    of them; `rate`: how often a human that claimed it wins, with low and high; `over_without`: how much more than
    humans that did not; `over_others`: how much more than humans that claimed another project, a claim each; both
    against the average human of their cell, with _low and _high; p and p_holm of `over_others`; n, blocks, …
    """
    return _associated(records, [CLAIM])


def events(records: Records) -> pl.DataFrame:
    """Each event, as it came to a human: carried out on it, taken into its hand, or played by it.

    Events that concern several companies have no one to win or lose by them; `counts` has them. Columns as in
    `projects`.
    """
    return _associated(records, EVENTS)


def counts(records: Records) -> pl.DataFrame:
    """Every card: how often it was claimed, revealed with, carried out, kept or played, in all and a game."""
    _check(records)
    games = int(records.scan("games").select(pl.len()).collect().item())
    return (
        records.scan(ACTS)
        .group_by("card", "act")
        .agg(n=pl.len())
        .with_columns(a_game=pl.col("n") / max(games, 1))
        .sort("card", "act")
        .with_columns(pl.col("card", "act").cast(pl.String))
        .collect()
    )


def _check(records: Records) -> None:
    if not has_acts(records):
        raise UserError(
            "claims and events were not kept; valid: a run with --acts, or simulate(..., acts=True)"
        )


def _associated(records: Records, acts: Sequence[str]) -> pl.DataFrame:
    """Win rates of humans with a card, without it, and with other cards of the kind."""
    _check(records)
    points = pl.col("points").cast(pl.Float64)
    humans = (
        seats(records)
        .filter(pl.col("role").cast(pl.String) == HUMAN)
        .with_columns(points=points, over=points - points.mean().over("cell"))
        .select("cell", "index", "block", "seat", "strategy", "points", "over")
    )
    taken = (
        records.scan(ACTS)
        .filter(pl.col("act").cast(pl.String).is_in(list(acts)) & pl.col("seat").is_not_null())
        .select("cell", "index", "seat", "card")
        .unique()  # a card kept and later played is one card
        .join(humans, on=["cell", "index", "seat"])
    )
    having = taken.group_by("block", "card").agg(_SUMS).collect(engine="streaming")
    everybody = humans.group_by("block").agg(_SUMS).collect(engine="streaming")
    together = having.group_by("block").agg(pl.col("over", "n").sum().round(9))
    rows = [
        {"card": str(card), **_one_card(mine, everybody, together)}
        for (card,), mine in having.sort("card", "block").group_by("card", maintain_order=True)
    ]
    games = int(records.scan("games").select(pl.len()).collect().item())
    table = pl.DataFrame(rows, _COLUMNS).join(_mostly_by(taken), on="card", how="left", maintain_order="left")
    order = ["card", "a_game", "by", "by_share", *list(_COLUMNS)[1:]]
    return with_holm(table.with_columns(a_game=pl.col("n") / max(games, 1)).select(order))


def _one_card(mine: pl.DataFrame, everybody: pl.DataFrame, together: pl.DataFrame) -> dict[str, Any]:
    """One card against companies without it, and against other cards."""
    row = from_sums(mine.rename({"points": "w"}), []).table().to_dicts()[0]
    parts = [mine.select("block", "over", "n", group=pl.lit(_HAS))]
    for group, whole in ((_WITHOUT, everybody), (_OTHERS, together)):
        parts.append(_rest(whole, mine).select("block", "over", "n", group=pl.lit(group)))
    sums = pl.concat(parts).rename({"over": "w"}).with_columns(s=pl.lit(0.0))
    found = from_sums(sums, ["group"], is_rate=False)
    for group, name in ((_WITHOUT, "without"), (_OTHERS, "others")):
        if group in found.groups["group"]:
            over = contrast_row(found.difference(0, found.find(group=group)), f"over_{name}")
            row |= {f"over_{name}": over[f"over_{name}"], "p": over["p"]}
            row |= {f"over_{name}_{end}": over[end] for end in ("low", "high")}
    return row


def _rest(whole: pl.DataFrame, mine: pl.DataFrame) -> pl.DataFrame:
    """What is left of the sums of all blocks without one card's."""
    joined = whole.join(mine, on="block", how="left", suffix="_mine")
    less = [(pl.col(name) - pl.col(f"{name}_mine").fill_null(0)).round(9) for name in ("over", "n")]
    return joined.with_columns(less).filter(pl.col("n") > 0)


def _mostly_by(taken: pl.LazyFrame) -> pl.DataFrame:
    """Which strategy has a card most often, and its share of all that have it."""
    counted = taken.group_by("card", "strategy").agg(k=pl.len()).collect(engine="streaming")
    share = pl.col("k") / pl.col("k").sum().over("card")
    best = (
        counted.with_columns(share=share)
        .sort("card", "k", "strategy")
        .group_by("card", maintain_order=True)
        .last()
    )
    return best.select(
        pl.col("card").cast(pl.String), by=pl.col("strategy").cast(pl.String), by_share="share"
    )
