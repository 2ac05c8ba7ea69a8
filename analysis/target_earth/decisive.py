"""What decides games: countries, Alliance cards, UFOs, and how games that are won differ from those that are lost.

All of it is association, not cause: whoever is ahead has more of everything that is good. One row a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from analysis.blocks import DIGITS, contrast_row, within_cells
from analysis.comparisons import with_holm
from analysis.records import Records, has_acts
from analysis.target_earth.records import games
from analysis.target_earth.win_rates import associated
from sim.errors import UserError
from sim.records import ACTS

#: counts of a game that are compared a turn, since games differ in length
A_TURN = {
    "shot_down": "UFOs shot down",
    "beaten": "UFOs beaten on the ground",
    "succeeded": "UFOs that succeeded",
    "interceptions": "interceptions",
    "battles_won": "battles won on the ground",
    "bases_destroyed": "alien bases destroyed",
    "attempts_won": "attempts at diplomacy that succeeded",
    "cards_played": "Alliance cards played",
    "modules_lost": "modules lost",
}
#: and as they are after an early turn, when nearly every game is still running
EARLY = 2
AFTER = {"alliance": "points", "aliens": "points of the aliens", "levels": "levels of fighters, troops and tanks",
         "science": "level of alien science", "allied": "allied countries"}  # fmt: skip
FATES = ("shot down", "beaten", "succeeded", "raid")
CHANGES = ("joined", "freed", "left", "fell")


def habits(records: Records) -> pl.DataFrame:
    """How games that were won differ from games that were lost, in the same cells.

    Columns: `what`; `in_won`, `in_lost`: a turn, or after turn 2; difference, low, high, p, p_holm, blocks, method,
    note.
    """
    rows: list[dict[str, Any]] = []
    turns = pl.col("turns").cast(pl.Float64)
    of_game = games(records)
    values = {f"{words}, a turn": pl.col(name).cast(pl.Float64) / turns for name, words in A_TURN.items()}
    values |= {
        f"{words} after turn {EARLY}": pl.col(f"{name}_{EARLY}").cast(pl.Float64) for name, words in AFTER.items()
    }  # fmt: skip
    for what, value in values.items():
        kept = of_game.filter(value.is_not_null())
        sums = (
            kept.group_by("block", "cell", group=pl.col("won").cast(pl.Int64))
            .agg(w=value.sum().round(DIGITS), n=pl.len().cast(pl.Float64))
            .collect(engine="streaming")
        )
        contrast, in_won, in_lost = within_cells(sums, ["cell"])
        found = contrast_row(contrast)
        shown = found["difference"] is not None
        rows.append(
            {"what": what, "in_won": in_won if shown else None, "in_lost": in_lost if shown else None} | found
        )
    schema: dict[str, Any] = {"what": pl.String, "in_won": pl.Float64, "in_lost": pl.Float64,
              "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "blocks": pl.Int64,
              "method": pl.String, "note": pl.String}  # fmt: skip
    return with_holm(pl.DataFrame(rows, schema))


def countries(records: Records) -> pl.DataFrame:
    """Each country: how often it changes sides, and the Alliance in games in which it came over to it.

    Columns: card; `joined`, `freed`, `left`, `fell`: times a game; and, for games in which it joined, against others
    of the same cells: rate, low, high, n (games), over_without, …, p_holm.
    """
    table = of_acts(records, ("joined",))
    return _beside(table, _times(records, CHANGES))


def losses(records: Records) -> pl.DataFrame:
    """Each country: the Alliance in games in which it fell to the aliens, against others of the same cells."""
    return of_acts(records, ("fell",))


def cards(records: Records) -> pl.DataFrame:
    """Each Alliance card: `played`, times a game, and the Alliance in games in which it was played at all."""
    times = _times(records, ("card",), "played")
    return _beside(of_acts(records, ("card",)), times)


def ufos(records: Records) -> pl.DataFrame:
    """UFOs by size: how often they were shot down, beaten on the ground, or succeeded, a game.

    Columns: card (size); `shot down`, `beaten`, `succeeded`, `raid`: times a game; `stopped`: the share of these that
    was shot down or beaten; n (UFOs).
    """
    times = _times(records, FATES)
    total = sum((pl.col(name) for name in FATES), pl.lit(0.0))
    count = int(records.scan("games").select(pl.len()).collect().item())
    sizes = times.filter(total > 0)
    return sizes.with_columns(
        stopped=(pl.col("shot down") + pl.col("beaten")) / total, n=(total * count).round().cast(pl.Int64)
    )


def fates(records: Records) -> pl.DataFrame:
    """Each size and fate of UFOs: the Alliance in games in which that happened at least once, and without.

    Columns: fate, card (size), rate, low, high, n (games), …, over_without with _low and _high, p, p_holm.
    """
    tables = [of_acts(records, (fate,)).select(pl.lit(fate).alias("fate"), pl.all()) for fate in FATES]
    return with_holm(pl.concat(tables))


def of_acts(records: Records, acts: Sequence[str]) -> pl.DataFrame:
    """The Alliance in games with an act, by country, card or size of UFO; see `win_rates.associated`."""
    check(records)
    rows = records.scan(ACTS).filter(pl.col("act").cast(pl.String).is_in(list(acts)))
    return associated(games(records), rows.select("cell", "index", "card").unique())


def check(records: Records) -> None:
    """Without acts there is nothing to say."""
    if not has_acts(records):
        raise UserError(
            "cards, countries and UFOs were not kept; valid: a run with --acts, or simulate(..., acts=True)"
        )


def _times(records: Records, acts: Sequence[str], name: str = "") -> pl.DataFrame:
    """How often each act happens a game, by country, card or size of UFO: a column an act, or one called `name`."""
    check(records)
    count = int(records.scan("games").select(pl.len()).collect().item())
    act = pl.col("act").cast(pl.String)
    times = [(act == one).sum().cast(pl.Float64).alias(name or one) / max(count, 1) for one in acts]
    rows = records.scan(ACTS).filter(act.is_in(list(acts)))
    found = rows.group_by("card").agg(times).sort("card").collect(engine="streaming")
    return found.with_columns(pl.col("card").cast(pl.String))


def _beside(table: pl.DataFrame, times: pl.DataFrame) -> pl.DataFrame:
    return table.join(times, on="card", how="full", coalesce=True, maintain_order="left_right")
