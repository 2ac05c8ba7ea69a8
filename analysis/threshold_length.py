"""How long does a game last, and what does the threshold do to it?

The threshold is the number of claimed projects from which on the alien may reveal: players × multiplier. A run with
several lengths, or with other multipliers (`--rule multiplier_standard=2,3,4,5`) or thresholds
(`--rule threshold_extra=-2,0,2`), shows what one project more or less does. A multiplier also sets the attack
cards; `threshold_extra` moves the threshold alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, TOO_FEW, Estimates, contrast_row, estimate
from analysis.comparisons import with_holm
from analysis.records import Records, games, seats

KEYS = ["players", "setting"]
QUANTILES = (10, 50, 90)
Pace = Mapping[str, tuple[float, float]]

#: outcome -> what it is, whether it is a rate, and its column among the rows of `_outcomes`
OUTCOMES = {
    "alien_won": ("the alien wins", True),
    "rounds": ("rounds", False),
    "scoops": ("scoops a game", False),
    "level": ("mean level of held projects", False),
    "lead_changes": ("changes of the lead", False),
    "survivors": ("surviving companies", False),
}


_GROUPS = ["players", "multiplier", "extra", "other"]
_STEP_COLUMNS: dict[str, Any] = {
    "by": pl.String, "outcome": pl.String, "what": pl.String, "players": pl.Int64, "fixed": pl.String,
    "step": pl.String, "effect": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64,
    "change": pl.Float64, "change_low": pl.Float64, "change_high": pl.Float64, "returns": pl.String,
    "blocks": pl.Int64, "method": pl.String, "note": pl.String,
}  # fmt: skip


@cache
def assumed_pace() -> Pace:
    """Minutes for set-up, a round, a decision and the invasion, quick and slow: assumed, see `data/minutes.toml`."""
    text = (Path(__file__).parent / "data" / "minutes.toml").read_text(encoding="utf-8")
    return {name: tuple(facts["minutes"]) for name, facts in tomllib.loads(text).items()}


def lengths(records: Records, pace: Pace | None = None) -> pl.DataFrame:
    """How long games last, by players and setting.

    Columns: players, setting; `rounds` with low and high; rounds_10, _50, _90: so many per cent of the games are
    over by then; `decisions` a game; `minutes_quick` and `minutes_slow`: estimated from rounds and decisions with
    `pace`, by default the assumed one; n, blocks, method, note.
    """
    table = estimate(games(records), KEYS, "rounds", is_rate=False).table("rounds")
    pace = pace or assumed_pace()
    minutes = {
        f"minutes_{word}": pace["set_up"][k]
        + pace["invasion"][k]
        + pl.col("rounds").mean() * pace["round"][k]
        + pl.col("decisions").mean() * pace["decision"][k]
        for k, word in enumerate(("quick", "slow"))
    }
    return _beside(
        table,
        games(records)
        .group_by(KEYS)
        .agg(
            *(pl.col("rounds").quantile(q / 100, "lower").alias(f"rounds_{q}") for q in QUANTILES),
            pl.col("decisions").mean(),
            **minutes,
        ),
    )


def survival(records: Records) -> pl.DataFrame:
    """The share of games still going on after each round, by players and setting."""
    counted = games(records).group_by(*KEYS, "rounds").agg(n=pl.len()).sort(*KEYS, "rounds").collect()
    parts = []
    for (players, setting), part in counted.group_by(KEYS, maintain_order=True):
        n = int(part["n"].sum())
        over = np.zeros(int(part["rounds"].to_numpy().max()) + 1)
        over[part["rounds"].to_numpy()] = part["n"].to_numpy()
        going = 1 - np.cumsum(over) / n
        parts.append(
            pl.DataFrame({"round": np.arange(len(over)), "going_on": going.round(12)}).with_columns(
                players=pl.lit(players), setting=pl.lit(str(setting)), n=pl.lit(n)
            )
        )
    empty = {
        "players": pl.UInt8,
        "setting": pl.String,
        "round": pl.Int64,
        "going_on": pl.Float64,
        "n": pl.Int64,
    }
    return pl.concat(parts).select(*empty) if parts else pl.DataFrame(schema=empty)


def timing(records: Records) -> pl.DataFrame:
    """When the threshold falls, how long the alien waits, and how soon the invasion comes.

    Columns: players, setting; `threshold` in projects; `threshold_round`, the mean round in which it was reached,
    with low and high; `reached`: share of games; `waits`: rounds that the alien lets pass before it reveals (0: at
    the start of the next round, its first chance); `after`: rounds played from the reveal to
    the invasion; shares of the reasons why the invasion came; n, blocks, method, note.
    """
    rows = games(records).with_columns(reached=pl.col("threshold_round").is_not_null())
    every = estimate(rows, KEYS, "reached").table("reached").drop("low", "high", "method")
    when = estimate(rows, KEYS, "threshold_round", is_rate=False).table("threshold_round")
    table = every.join(when.drop("n", "blocks", "note"), on=KEYS, how="left", maintain_order="left")
    reason = pl.col("reason").cast(pl.String)
    return _beside(
        table,
        rows.group_by(KEYS).agg(
            threshold=pl.col("threshold").first(),
            waits=(pl.col("reveal_round").cast(pl.Int32) - pl.col("threshold_round") - 1).mean(),
            after=(pl.col("invasion_round").cast(pl.Int32) - pl.col("reveal_round")).mean(),
            at_once=(reason == "at once").mean(),
            in_time=(reason == "time").mean(),
            no_project=(reason == "no project").mean(),
            at_limit=(reason == "limit").mean(),
        ),
    )


def waiting(records: Records) -> pl.DataFrame:
    """Over all games: rounds the alien lets pass once it may reveal, and rounds from its reveal to the invasion.

    Columns: `what` (waits, after), rounds, low, high, n, blocks, method, note.
    """
    reveal, invasion = (pl.col(name).cast(pl.Int32) for name in ("reveal_round", "invasion_round"))
    found = {"waits": reveal - pl.col("threshold_round") - 1, "after": invasion - reveal}
    tables = [
        estimate(games(records), [], value, is_rate=False)
        .table("rounds")
        .select(pl.lit(what).alias("what"), pl.all())
        for what, value in found.items()
    ]
    return pl.concat(tables)


def outcomes(records: Records) -> pl.DataFrame:
    """What changes with the threshold: a row for each outcome, number of players, multiplier and threshold_extra.

    Columns: outcome, what, players, multiplier, extra, other (what else differs between cells), threshold,
    `a_player` (projects a player), value, low, high, n, blocks, method, note.
    """
    rows = _outcomes(records)
    tables = []
    for name, (what, is_rate) in OUTCOMES.items():
        table = estimate(rows, _GROUPS, name, is_rate).table("value")
        tables.append(table.select(pl.lit(name).alias("outcome"), pl.lit(what).alias("what"), pl.all()))
    threshold = (pl.col("players") * pl.col("multiplier") + pl.col("extra")).round().cast(pl.Int64)
    return pl.concat(tables).with_columns(threshold=threshold, a_player=threshold / pl.col("players")).select(
        "outcome", "what", *_GROUPS, "threshold", "a_player", "value", "low", "high", "n", "blocks", "method", "note"
    )  # fmt: skip


def marginal(records: Records) -> pl.DataFrame:
    """What one project more on the threshold does, from each threshold to the next: less and less?

    Thresholds are compared that differ in one thing: in the multiplier (`by` is 'multiplier': attack cards change
    with it), or in threshold_extra ('extra': nothing else changes).
    Columns: by, outcome, what, players, fixed (what the compared cells have in common), `step` ('6 to 9'), `effect`
    of one project with low and high, p and p_holm; `change`: how much more (or less) it does than in the step before,
    with change_low and change_high, and in `returns` a word: `diminishing`, `growing`, `steady`, or `turning` when it
    goes the other way; blocks, method, note.
    """
    rows = _outcomes(records)
    table = []
    for name, (what, is_rate) in OUTCOMES.items():
        found = estimate(rows, _GROUPS, name, is_rate)
        groups = found.groups.with_row_index("place")
        for by, fixed in (("multiplier", "extra"), ("extra", "multiplier")):
            for part in groups.partition_by("players", fixed, "other", maintain_order=True):
                facts = {"by": by, "outcome": name, "what": what, "fixed": _fixed(groups, part, fixed)}
                table += [facts | row for row in _steps(found, part.sort(by).to_dicts())]
    return with_holm(pl.DataFrame(table, _STEP_COLUMNS))


def _fixed(groups: pl.DataFrame, part: pl.DataFrame, fixed: str) -> str:
    """What the cells of a part have in common, as far as it differs elsewhere."""
    parts = [f"{fixed} {part[fixed][0]:g}"] if groups[fixed].n_unique() > 1 else []
    return "; ".join([*parts, *([part["other"][0]] if part["other"][0] else [])])


def _steps(found: Estimates, cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """From each threshold to the next, with everything else the same."""
    before: Any = None
    for one, other in pairwise(cells):
        ends = [round(cell["players"] * cell["multiplier"] + cell["extra"]) for cell in (one, other)]
        if ends[0] == ends[1]:  # both at the least threshold there is
            continue
        step = np.zeros(len(found))
        step[other["place"]], step[one["place"]] = 1, -1
        step /= ends[1] - ends[0]
        first = contrast_row(found.contrast(step), "effect")
        second: dict[str, Any] = (
            {} if before is None else contrast_row(found.contrast(step - before), "change")
        )
        yield {
            **first,
            "players": one["players"],
            "step": f"{ends[0]} to {ends[1]}",
            "change": second.get("change"),
            "change_low": second.get("low"),
            "change_high": second.get("high"),
            "returns": _returns(first, second),
        }
        before = step


def _returns(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Whether the next project does less than the one before."""
    if not second:
        return ""
    effect = first["effect"]
    if effect is None or second["change"] is None:
        return TOO_FEW
    if second["low"] <= 0 <= second["high"]:
        return "steady"
    before = effect - second["change"]
    if effect * before < 0 and not first["low"] <= 0 <= first["high"]:
        return "turning"
    return "diminishing" if abs(effect) < abs(before) else "growing"


def _outcomes(records: Records) -> pl.LazyFrame:
    """Games with what may change with the threshold."""
    levels = [pl.col(f"level_{k}").cast(pl.Float64) * k for k in range(1, 6)]
    of_seats = (
        seats(records)
        .group_by("cell", "index")
        .agg(
            scoops=pl.col("scoops_given").sum(),
            levels=pl.sum_horizontal(levels).sum(),
            projects=pl.col("projects").cast(pl.Float64).sum(),
        )
        .with_columns(level=pl.when(pl.col("projects") > 0).then(pl.col("levels") / pl.col("projects")))
        .select("cell", "index", "scoops", "level")
    )
    return games(records).join(of_seats, on=["cell", "index"])


def _beside(table: pl.DataFrame, more: pl.LazyFrame) -> pl.DataFrame:
    """More figures beside estimates, where there are games enough for any."""
    figures = more.with_columns(pl.col("setting").cast(pl.String)).collect()
    names = [name for name in figures.columns if name not in KEYS]
    joined = table.join(figures, on=KEYS, how="left", maintain_order="left")
    return joined.with_columns(pl.when(pl.col("blocks") >= FEW).then(pl.col(names)))
