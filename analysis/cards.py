"""Cards and winning: how often, by whom, and how often whoever had a card wins. Association, not cause.

A company that claims many projects wins more often and has more of every card; so each project is also compared with
other claims, and not only with companies that do not have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from analysis.blocks import DIGITS, contrast_row, from_sums, within_cells
from analysis.comparisons import with_holm
from analysis.records import HUMAN, Records, has_acts, seats
from sim.errors import UserError
from sim.records import ACTS

CLAIM = "claim"
EVENTS = ("event", "keep", "play")
_KEYS = ("block", "cell", "w", "n")
_SUMS = [
    pl.col("points").sum().round(DIGITS).alias("w"),
    (pl.col("points") ** 2).sum().round(DIGITS).alias("s"),
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
    within cells, with _low and _high; p and p_holm of `over_others`; n, blocks, …
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
    """Win rates of humans with a card, without it, and with other cards of the kind, all in the same cells."""
    _check(records)
    humans = (
        seats(records)
        .filter(pl.col("role").cast(pl.String) == HUMAN)
        .select("cell", "index", "block", "seat", "strategy", points=pl.col("points").cast(pl.Float64))
    )
    taken = (
        records.scan(ACTS)
        .filter(pl.col("act").cast(pl.String).is_in(list(acts)) & pl.col("seat").is_not_null())
        .select("cell", "index", "seat", "card")
        .unique()  # a card kept and later played is one card
        .join(humans, on=["cell", "index", "seat"])
    )
    having = taken.group_by("block", "cell", "card").agg(_SUMS).collect(engine="streaming")
    everybody = humans.group_by("block", "cell").agg(_SUMS).collect(engine="streaming")
    together = having.group_by("block", "cell").agg(pl.col("w", "n").sum().round(DIGITS))
    rows = [
        {"card": str(card), **_one_card(mine, everybody, together)}
        for (card,), mine in having.sort("card", "block", "cell").group_by("card", maintain_order=True)
    ]
    games = int(records.scan("games").select(pl.len()).collect().item())
    table = pl.DataFrame(rows, _COLUMNS).join(_mostly_by(taken), on="card", how="left", maintain_order="left")
    order = ["card", "a_game", "by", "by_share", *list(_COLUMNS)[1:]]
    return with_holm(table.with_columns(a_game=pl.col("n") / max(games, 1)).select(order))


def _one_card(mine: pl.DataFrame, everybody: pl.DataFrame, together: pl.DataFrame) -> dict[str, Any]:
    """One card against companies without it, and against other cards."""
    whole = mine.group_by("block").agg(pl.col("w", "s", "n").sum().round(DIGITS))
    row = from_sums(whole, []).table().to_dicts()[0]
    for name, others in (("without", everybody), ("others", together)):
        sums = pl.concat(
            [mine.select(*_KEYS, group=pl.lit(1)), _rest(others, mine).select(*_KEYS, group=pl.lit(0))]
        )
        contrast, _, _ = within_cells(sums, ["cell"])
        if contrast.blocks:
            over = contrast_row(contrast)
            row[f"over_{name}"] = over["difference"]
            row |= {f"over_{name}_{end}": over[end] for end in ("low", "high")}
            row["p"] = over["p"] if name == "others" else None
    return row


def _rest(whole: pl.DataFrame, mine: pl.DataFrame) -> pl.DataFrame:
    """What is left of the sums of all blocks without one card's."""
    joined = whole.join(mine, on=["block", "cell"], how="left", suffix="_mine")
    less = [(pl.col(name) - pl.col(f"{name}_mine").fill_null(0)).round(DIGITS) for name in ("w", "n")]
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
