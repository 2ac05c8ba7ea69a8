"""Card knock-out: what each card does, found by playing the same games without it.

Every card is blanked (or removed, or scaled) in turn, and the same blocks of luck are played. What differs is the
card's doing, not that of whoever held it: cause, where a comparison of those who have a card is association. Effects
are paired by block, and corrected over all cards for each outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, Estimates, contrast_row, quantile
from analysis.comparisons import holm, with_holm
from analysis.intervals import wilson

SAME = "every game is the same"


def effects(found: Estimates, base: int, places: Sequence[int]) -> pl.DataFrame:
    """How much more the games with a change have than those as printed, a row for each of `places`.

    Columns: difference, low, high, p, p_holm (over all rows), blocks, method, note.
    """
    schema = dict.fromkeys(("difference", "low", "high", "p"), pl.Float64)
    rows = [contrast_row(found.difference(place, base)) for place in places]
    return with_holm(pl.DataFrame(rows, schema_overrides=schema))


def winner_changed(won: Any, base: int, places: Sequence[int]) -> pl.DataFrame:
    """The share of blocks in which another seat wins than in the games as printed.

    `won` is seats × rows × arms: the wins of each seat in each block (with `fold = 1` a row is a block).
    Columns: changed, changed_low, changed_high (Wilson), changed_n.
    """
    rows = won.shape[1]
    counts = [int((won[:, :, place] != won[:, :, base]).any(axis=0).sum()) for place in places]
    ends = [wilson(count, rows, quantile(rows)) for count in counts]
    few = rows < FEW
    return pl.DataFrame(
        {
            "changed": [None if few else count / rows for count in counts],
            "changed_low": [None if few else low for low, _ in ends],
            "changed_high": [None if few else high for _, high in ends],
            "changed_n": counts,
        },
        schema={
            "changed": pl.Float64,
            "changed_low": pl.Float64,
            "changed_high": pl.Float64,
            "changed_n": pl.Int64,
        },
    )


def shift_of(points: Mapping[str, Any], seats: Mapping[str, Any], base: int, place: int) -> Estimates:
    """How much more of the points of its seats each strategy has, and first of all a group that has no more.

    `points` and `seats` have rows × arms for each strategy. Luck deals strategies their seats in the same way in all
    arms, so that the base's seats stand for both.
    """
    more = [
        np.zeros(len(next(iter(points.values())))),
        *(one[:, place] - one[:, base] for one in points.values()),
    ]
    of_seats = [np.ones(len(more[0])), *(one[:, base] for one in seats.values())]
    total = np.array([of.sum() for of in of_seats], float)
    value = np.array([one.sum() for one in more], float) / np.maximum(total, 1)
    residual = np.column_stack(
        [
            (one - share * of) / max(all_of, 1)
            for one, share, of, all_of in zip(more, value, of_seats, total, strict=True)
        ]
    )
    blocks = np.array([np.count_nonzero(of) for of in of_seats])
    few = np.sqrt(blocks / np.maximum(blocks - 1, 1))
    covariance = residual.T @ residual * np.outer(few, few)
    names = pl.DataFrame({"strategy": ["", *points]})
    return Estimates(names, value, total, blocks, covariance, False, np.zeros(len(value), bool))


def shifts(
    points: Mapping[str, Any], seats: Mapping[str, Any], base: int, places: Sequence[int]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Whether the strategies' shares shift, in a test of all of them at once; and each strategy's difference.

    The first table has a row for each of `places`: shift (the largest difference), shifted (whose), shift_p (Wald's
    chi-square by blocks on the vector of differences), shift_p_holm. The second has place, strategy, difference, low,
    high, p, p_holm over all its rows, blocks, method, note.
    """
    whole, parts = [], []
    for place in places:
        found = shift_of(points, seats, base, place)
        rows = [contrast_row(found.difference(k, 0)) for k in range(1, len(found))]
        names = found.groups["strategy"].to_list()[1:]
        parts += [{"place": place, "strategy": name, **row} for name, row in zip(names, rows, strict=True)]
        few = len(names) < 2 or int(found.blocks.min()) < FEW
        most = max(range(1, len(found)), key=lambda k: abs(found.value[k]))
        whole.append(
            {
                "shift": None if few else float(found.value[most]),
                "shifted": "" if few or not found.value[most] else names[most - 1],
                # shares add up: all but one of them say it all
                "shift_p": None if few else found.equal(range(len(found) - 1))[2],
            }
        )
    schema = {"shift": pl.Float64, "shifted": pl.String, "shift_p": pl.Float64}
    table = pl.DataFrame(whole, schema)
    numbers = dict.fromkeys(("difference", "low", "high", "p"), pl.Float64)
    return (
        table.with_columns(pl.Series("shift_p_holm", holm(table["shift_p"].to_list()), pl.Float64)),
        with_holm(pl.DataFrame(parts, schema_overrides=numbers)),
    )


def ranked(table: pl.DataFrame, by: str) -> pl.DataFrame:
    """The strongest effect first, by its size; cards that were left out last. Adds `rank`, from 1."""
    order = table.sort(
        pl.col(by).abs(), pl.col("changed"), descending=True, nulls_last=True, maintain_order=True
    )
    return order.with_columns(
        rank=pl.when(pl.col(by).is_not_null()).then(pl.int_range(1, pl.len() + 1)).cast(pl.Int64)
    ).select("rank", pl.all().exclude("rank"))
