"""Cards and winning: how often, by whom, and how often whoever had a card wins. Association, not cause.

A company that claims many projects wins more often and has more of every card; so each project is also compared with
other claims, and not only with companies that do not have it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import sparse

from analysis.blocks import (
    DIGITS,
    Contrast,
    contrast_of,
    contrast_row,
    from_sums,
    in_order,
    least_if_rare,
    numbered,
)
from analysis.comparisons import with_holm
from analysis.records import HUMAN, Records, has_acts, seats
from sim.errors import UserError
from sim.records import ACTS

CLAIM = "claim"
EVENTS = ("event", "keep", "play")
AT_ONCE = 50_000  # blocks: keeps the memory flat
_SUMS = [
    pl.col("points").sum().round(DIGITS).alias("w"),
    (pl.col("points") ** 2).sum().round(DIGITS).alias("s"),
    pl.len().cast(pl.Float64).alias("n"),
]
_COLUMNS = ["card", "a_game", "by", "by_share", "rate", "low", "high", "over_without", "over_without_low",
            "over_without_high", "over_others", "over_others_low", "over_others_high", "p", "n", "blocks", "method",
            "note"]  # fmt: skip


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
    sums = having.group_by("block", "card").agg(pl.col("w", "s", "n").sum().round(DIGITS))
    rates = from_sums(sums, ["card"]).table()
    without = [contrast_row(one) for one in over_rest(having, everybody)]
    others = [contrast_row(one) for one in over_rest(having, together)]
    columns = {f"over_{name}": pl.Series([row["difference"] for row in rows], dtype=pl.Float64)
               for name, rows in (("without", without), ("others", others))}  # fmt: skip
    columns |= {f"over_{name}_{end}": pl.Series([row[end] for row in rows], dtype=pl.Float64)
                for name, rows in (("without", without), ("others", others)) for end in ("low", "high")}  # fmt: skip
    columns["p"] = pl.Series([row["p"] for row in others], dtype=pl.Float64)
    games = int(records.scan("games").select(pl.len()).collect().item())
    table = rates.with_columns(a_game=pl.col("n") / max(games, 1), **columns)
    return with_holm(
        table.join(_mostly_by(taken), on="card", how="left", maintain_order="left").select(_COLUMNS)
    )


def over_rest(having: pl.DataFrame, whole: pl.DataFrame) -> list[Contrast]:
    """How much more those with a card have than the rest of a whole in the same cells, for each card.

    The same as `blocks.within_cells`, for all cards at once: the rest is the whole less those with the card, so that
    it need not be written out for each of them.
    """
    cards, of_card = numbered(having, ["card"])
    cells, cell_of_whole = numbered(whole, ["cell"])
    of_cell = numbered(pl.concat([whole.select("cell"), having.select("cell")]), ["cell"])[1][len(whole) :]
    both = pl.concat([whole["block"], having["block"]]).rank("dense").to_numpy().astype(np.int64) - 1
    block_of_whole, of_block = both[: len(whole)], both[len(whole) :]
    w, n, all_w, all_n = (frame[name].to_numpy() for frame in (having, whole) for name in ("w", "n"))
    of_block, of_cell, of_card, w, n = in_order((of_block, of_cell, of_card), w, n)
    block_of_whole, cell_of_whole, all_w, all_n = in_order((block_of_whole, cell_of_whole), all_w, all_n)
    shape = (len(cells), len(cards))
    place = of_cell * shape[1] + of_card
    w1, n1 = (np.bincount(place, x, shape[0] * shape[1]).reshape(shape) for x in (w, n))
    w0, n0 = (np.bincount(cell_of_whole, x, shape[0])[:, None] - y for x, y in ((all_w, w1), (all_n, n1)))
    says = (n1 > 0) & (n0 > 0)  # a cell without one of the sides says nothing
    size = np.maximum((n1 * says).sum(axis=0), 1e-9)
    f, g = (np.divide(x, y, out=np.zeros(shape), where=says) for x, y in ((w1, n1), (w0, n0)))
    value = (says * n1 * (f - g)).sum(axis=0) / size
    plus = says / size  # what a row with the card counts ...
    less = np.divide(says * n1, n0, out=np.zeros(shape), where=says) / size  # ... and one without it
    part = (plus + less)[of_cell, of_card] * w - (plus * (g + value) + less * g)[of_cell, of_card] * n
    count = int(both.max(initial=-1)) + 1
    mine = sparse.csr_matrix((part, (of_block, of_card)), (count, shape[1]))
    held = sparse.csr_matrix((n * says[of_cell, of_card], (of_block, of_card)), (count, shape[1]))
    places = (block_of_whole, cell_of_whole)
    all_w, all_n = (sparse.csr_matrix((x, places), (count, shape[0])) for x in (all_w, all_n))
    square, with_it, without = np.zeros(shape[1]), np.zeros(shape[1]), np.zeros(shape[1])
    for first in range(0, count, AT_ONCE):
        some = slice(first, first + AT_ONCE)
        influence = mine[some].toarray() - all_w[some] @ less + all_n[some] @ (less * g)
        square += (influence**2).sum(axis=0)
        has = held[some].toarray()
        with_it += (has > 0).sum(axis=0)
        without += (all_n[some] @ says.astype(float) - has > 1e-6).sum(axis=0)
    blocks = np.minimum(with_it, without).astype(int)
    variance = square * blocks / np.maximum(blocks - 1, 1)
    rest, wins = (says * n1 * g).sum(axis=0) / size, (says * w1).sum(axis=0)
    found = []
    for place, n_blocks in enumerate(blocks.tolist()):
        least = least_if_rare(float(rest[place]), float(wins[place]), n_blocks)
        found.append(contrast_of(float(value[place]), float(max(variance[place], least)) ** 0.5, n_blocks))
    return found


_over_rest = over_rest


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
