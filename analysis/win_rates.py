"""Who wins how often: by role, seat, strategy, endgame card, players, length and alien.

A company that shares the highest fame shares the point (`points` of the records), except by seat: there the
president's decision in a tie is part of what a seat is worth, and the winner counts (`won`).
"""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.blocks import FEW, TOO_FEW, estimate
from analysis.comparisons import against, against_mean, with_holm
from analysis.records import HUMAN, Records, games, seats

_TEST_COLUMNS: dict[str, Any] = {
    "players": pl.UInt8, "chi_square": pl.Float64, "freedom": pl.Int64, "p": pl.Float64, "n": pl.Int64,
    "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip
A_SEAT = 10  # blocks: with fewer the test sees differences where there are none
FAIR = 1.0 / pl.col("players").cast(pl.Float64)


def by_role(records: Records) -> pl.DataFrame:
    """The alien against the humans, by number of players.

    Columns: players; `alien`, how often the alien wins, with low and high; `each_human`, what is left for each
    company on average; `fair` (1 / players) and `even` (50 %) to compare with; n, blocks, method, note.
    """
    found = estimate(games(records), ["players"], "alien_won").table("alien")
    others = pl.col("players").cast(pl.Float64) - 1
    return found.with_columns(each_human=(1 - pl.col("alien")) / others, fair=FAIR, even=pl.lit(0.5)).select(
        "players", "alien", "low", "high", "each_human", "fair", "even", "n", "blocks", "method", "note"
    )


def of_alien(records: Records, *by: str) -> pl.DataFrame:
    """How often the alien wins, by any columns of the games, or by `setting`; without any, in all games.

    Example
    -------
    >>> of_alien(run, "setting", "alien_card")  # doctest: +SKIP
    """
    return estimate(games(records), by, "alien_won").table()


def shares(records: Records, *by: str) -> pl.DataFrame:
    """How often a seat wins, by columns of the seats, against its fair share: 1 / players, averaged over its games.

    Columns: those of `by`; rate, low, high, n, blocks, method, note; `expected`, its fair share; `difference`, with
    difference_low and difference_high, by blocks; p, and p_holm: corrected for all rows of the table.
    """
    return against(seats(records), by, "points", FAIR)


def by_endgame(records: Records) -> pl.DataFrame:
    """How often a human wins with each endgame card, against the other humans of the same games.

    Each card has a role; for the aliens' cards see `of_alien`. Columns as in `shares`; `expected` is what the
    humans of its cells won on average.
    """
    humans = seats(records).filter(pl.col("role").cast(pl.String) == HUMAN)
    return against_mean(humans, ["endgame"], "points", ["cell"])


def by_distance(records: Records) -> pl.DataFrame:
    """How often each seat wins, by number of players and distance clockwise from the first president (who is 0).

    Columns as in `shares`.
    """
    return against(_with_distance(records), ["players", "distance"], "won", FAIR)


def seat_tests(records: Records) -> pl.DataFrame:
    """Does the distance from the first president matter at all? Chi-square by blocks, for each number of players."""
    found = estimate(_with_distance(records), ["players", "distance"], "won")
    groups = found.groups.with_row_index("place")
    rows = []
    for (players,), part in sorted(groups.group_by("players")):
        places = sorted(part["place"].to_list())
        few = int(found.blocks[places].min()) < max(FEW, A_SEAT * len(places))
        statistic, freedom, p = found.equal(places)
        rows.append(
            {
                "players": players,
                "chi_square": None if few else statistic,
                "freedom": freedom,
                "p": None if few else p,
                "n": int(found.n[places].max()),
                "blocks": int(found.blocks[places].min()),
                "method": "chi-square by blocks",
                "note": TOO_FEW if few else "",
            }
        )
    return with_holm(pl.DataFrame(rows, _TEST_COLUMNS))


def _with_distance(records: Records) -> pl.LazyFrame:
    players, seat, first = (pl.col(name).cast(pl.Int16) for name in ("players", "seat", "first_president"))
    return seats(records, "first_president").with_columns(
        distance=((seat - first + players) % players).cast(pl.UInt8)
    )
