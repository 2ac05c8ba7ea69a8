"""Sweep: a rule option or a card value over a range, or two of them as a grid.

All values are played with the same luck, so that differences between them are paired by block. A range is a change
with several values: `public_fame=0..20/5` (from..to/step), `public_fame=0,5,10`, `projects.difficulty*=0.8..1.2/0.1`.
What comes out is a curve: its slope, where it bends, and which values meet a target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.blocks import FEW, Estimates, contrast_row
from analysis.comparisons import with_holm
from analysis.lab import sweep_words
from analysis.lab.curves import interaction, reached, trend
from analysis.lab.ranges import Axis, parse_axes, parse_axis
from analysis.lab.stages import Lab, Result, plain, silent
from analysis.lab.sums import Metric, Sums, find_metric, metrics_of
from analysis.lab.targets import Plain, Target, parse_targets
from sim.errors import UserError
from sim.run import Watch
from sim.study import make_plan
from sim.workers import Workers

__all__ = ["Axis", "parse_axes", "parse_axis", "sweep"]

GAMES = 20_000  # of each value
MEETS = {"surely": "yes", "met": "yes, perhaps", "open": "no, perhaps", "missed": "no"}
_PARTS = [f"{part}{end}" for part in ("before", "after", "change") for end in ("", "_low", "_high")]
TREND_COLUMNS: dict[str, Any] = {
    "metric": pl.String, "what": pl.String, "kind": pl.String, "axis": pl.String, "step": pl.Float64,
    "slope": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "bend": pl.Float64,
    **dict.fromkeys(_PARTS, pl.Float64), "bend_p_holm": pl.Float64, "blocks": pl.Int64, "method": pl.String,
    "note": pl.String,
}  # fmt: skip
REACHED_COLUMNS: dict[str, Any] = {
    "metric": pl.String, "target": pl.String, "figure": pl.Float64, "at": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "open_low": pl.Boolean, "open_high": pl.Boolean, "blocks": pl.Int64,
}  # fmt: skip


# --- the experiment --------------------------------------------------------------------------------------
def sweep(
    base: Mapping[str, Any],
    ranges: Sequence[str],
    *,
    games: int = GAMES,
    seed: int = 1,
    metrics: Sequence[str] | None = None,
    targets: Sequence[str] = (),
    out: str | Path | None = None,
    workers: Workers | None = None,
    watch: Watch = silent,
) -> Result:
    """A rule option or card value over a range, or two as a grid, all on the same luck.

    Parameters
    ----------
    base
        The table, from `base_words`.
    ranges
        One range, or two that make a grid: 'attack_x3=10..60/10', 'projects.difficulty*=0.8..1.2/0.1',
        'alien=raiding-party,world-enders'.
    games
        Of each value.
    metrics
        What is looked at: alien_win, rounds, margin, seat:1, strategy:cautious, …
    targets
        What they should be: 'alien_win=0.5', 'rounds=14..18', as in `tune`.

    Example
    -------
    >>> sweep(base_words(players=4), ["attack_x3=10..60/10"]).tables["curve"]  # doctest: +SKIP
    """
    texts = [ranges] if isinstance(ranges, str) else list(ranges)
    axes = parse_axes(texts)
    grid = lay_out(base, axes, {"games": games, "seed": seed})
    wanted = grid.targets(targets)
    usual = metrics_of(base["game"]).usual
    metrics = [metrics] if isinstance(metrics, str) else list(usual if metrics is None else metrics)
    if not metrics:
        raise UserError(f"0 metrics; valid: one or more, such as {', '.join(usual)}")
    chosen = grid.metrics([*metrics, *(target.measure.name for target in wanted)])
    words = {"base": plain(base), "ranges": texts, "games": games, "seed": seed, "metrics": list(metrics),
             "targets": list(targets)}  # fmt: skip
    with Lab("sweep", words, out, workers, watch) as lab:
        asked = {**base, "changes": grid.arms, "games": games, "seed": seed}
        sums = lab.stage("values", asked, [", ".join(arm) or "base" for arm in grid.arms])
        return lab.finish(_result(grid, sums, chosen, wanted, words))


@dataclass(frozen=True)
class Grid:
    """What is played: `arms` are lists of changes, the first of which is none; `places` the arm of each value."""

    axes: Sequence[Axis]
    arms: Sequence[Sequence[str]]
    places: Any  # a dimension for each axis
    players: int
    strategies: Sequence[str]
    game: str

    def metrics(self, names: Sequence[str]) -> list[Metric]:
        """Metrics by name, each once."""
        return [find_metric(name, self.strategies, self.players, self.game) for name in dict.fromkeys(names)]

    def targets(self, texts: Sequence[str]) -> list[Target]:
        """Targets from their texts."""
        return parse_targets([texts] if isinstance(texts, str) else texts, self._measure) if texts else []

    def _measure(self, name: str) -> Plain:
        metric = find_metric(name, self.strategies, self.players, self.game)
        return Plain(metric.name, metric.is_rate, (0, 1) if metric.is_rate else (-inf, inf))

    def along(self, axis: int) -> list[list[int]]:
        """The arms of each value of an axis: in a grid, several."""
        return [np.atleast_1d(part).tolist() for part in np.moveaxis(self.places, axis, 0)]

    def keys(self) -> pl.DataFrame:
        """A row for each value or pair: x, y, their numbers, the arm's place, and what it is the same as."""
        first: dict[int, str] = {0: "as it is"}
        rows = []
        for spot in np.ndindex(self.places.shape):
            place = int(self.places[spot])
            row: dict[str, Any] = {"place": place, "same": first.get(place, "")}
            for name, axis, k in zip("xy", self.axes, spot, strict=False):
                row |= {name: axis.values[k], f"{name}_number": axis.numbers[k] if axis.numbers else None}
            rows.append(row)
            first.setdefault(
                place, f"the same as {', '.join(str(row[name]) for name in 'xy' if name in row)}"
            )
        schema = {"x": pl.String, "y": pl.String, "x_number": pl.Float64, "y_number": pl.Float64, "place": pl.Int64,
                  "same": pl.String}  # fmt: skip
        return pl.DataFrame(rows, schema)


def lay_out(base: Mapping[str, Any], axes: Sequence[Axis], words: Mapping[str, Any]) -> Grid:
    """Every combination of values as an arm; what comes out the same (rounded, or as it is anyway) is played once."""
    texts = [
        [axis.change(one) for axis, one in zip(axes, values, strict=True) if not axis.changes_nothing(one)]
        for values in product(*(axis.values for axis in axes))
    ]
    ready = make_plan({**base, **words, "changes": [[], *texts]})
    arms: list[list[str]] = [[]]
    settings, places = ready.settings[:1], []
    for text, setting in zip(texts, ready.settings[1:], strict=True):
        same = next((k for k, other in enumerate(settings) if other == setting), len(arms))
        if same == len(arms):
            arms.append(text)
            settings.append(setting)
        places.append(same)
    strategies = {one.name: None for setting in settings for one in setting.strategies}
    shape = [len(axis.values) for axis in axes]
    return Grid(axes, arms, np.reshape(places, shape), settings[0].players, list(strategies), base["game"])


# --- what came of it -------------------------------------------------------------------------------------
def _result(
    grid: Grid, sums: Sums, metrics: Sequence[Metric], targets: Sequence[Target], words: Mapping[str, Any]
) -> Result:
    found = {metric.name: sums.estimate(metric) for metric in metrics}
    tables = {
        "curve": pl.concat([_curve(grid, found[metric.name], metric, targets) for metric in metrics]),
        "trends": with_holm(pl.DataFrame(_trends(grid, found, metrics), TREND_COLUMNS)),
        "reached": pl.DataFrame(_reached(grid, found, targets), REACHED_COLUMNS),
    }
    facts = {
        "axes": [{"name": axis.name, "step": axis.step, "is_number": axis.numbers is not None} for axis in grid.axes],
        "metrics": [{"name": m.name, "text": m.text, "kind": m.kind} for m in metrics],
        "targets": [
            {"metric": t.measure.name, "text": t.text, "band": t.band,
             "low": None if t.low == -inf else t.low, "high": None if t.high == inf else t.high} for t in targets
        ],
        "games_each": sums.games, "rows": sums.rows, "arms": sums.arms,
        "base": {name: float(one.value[0]) for name, one in found.items()},
    }  # fmt: skip
    title = " × ".join(axis.name for axis in grid.axes)
    few = [f"Too few blocks to say anything: {sums.rows}. From {FEW} on there are figures."] * (
        sums.rows < FEW
    )
    verdict = [] if few else list(sweep_words.verdict(tables, facts))
    return Result("sweep", title, words, facts, tables, verdict, few)


def _curve(grid: Grid, found: Estimates, metric: Metric, targets: Sequence[Target]) -> pl.DataFrame:
    """A row for each value, and whether it meets the target."""
    facts = {"metric": metric.name, "what": metric.text, "kind": metric.kind}
    keys = grid.keys().select(*(pl.lit(value).alias(name) for name, value in facts.items()), pl.all())
    table = curve_table(found, keys, 0)
    goal = next((target for target in targets if target.measure.name == metric.name), None)
    meets = [
        None
        if goal is None or row["value"] is None
        else MEETS[goal.status(row["value"], row["low"], row["high"])]
        for row in table.iter_rows(named=True)
    ]
    return table.with_columns(pl.Series("meets", meets, pl.String))


def curve_table(found: Estimates, keys: pl.DataFrame, base: int) -> pl.DataFrame:
    """The figure of each arm in `keys` (a row an arm, with `place`), and how far it is from the base arm.

    Columns: those of `keys`; value, low, high, n, blocks, method, note; difference, difference_low, difference_high,
    paired by block; p, and p_holm, corrected for all arms.
    """
    places = keys["place"].to_list()
    figures = found.table("value").select("value", "low", "high", "n", "blocks", "method", "note")[places]
    rows = [contrast_row(found.difference(place, base)) for place in places]
    beside = pl.DataFrame(
        {
            "difference": [row["difference"] for row in rows],
            "difference_low": [row["low"] for row in rows],
            "difference_high": [row["high"] for row in rows],
            "p": [None if place == base else row["p"] for place, row in zip(places, rows, strict=True)],
        },
        schema=dict.fromkeys(("difference", "difference_low", "difference_high", "p"), pl.Float64),
    )
    return with_holm(pl.concat([keys.drop("place"), figures, beside], how="horizontal"))


def _trends(grid: Grid, found: Mapping[str, Estimates], metrics: Sequence[Metric]) -> list[dict[str, Any]]:
    """What a step of each axis does to each metric, where that bends, and whether one axis changes the other's."""
    rows = []
    for metric in metrics:
        mine = found[metric.name]
        facts = {"metric": metric.name, "what": metric.text, "kind": metric.kind}
        for number, axis in enumerate(grid.axes):
            if axis.numbers:
                rows.append(facts | {"axis": axis.name} | _trend_row(mine, grid.along(number), axis))
        if len(grid.axes) == 2 and all(axis.numbers for axis in grid.axes):
            x, y = (axis.numbers or [] for axis in grid.axes)
            both = contrast_row(interaction(mine, grid.places, x, y), "slope")
            rows.append(facts | {"axis": " × ".join(axis.name for axis in grid.axes)} | both)
    return rows


def _trend_row(found: Estimates, places: Sequence[Sequence[int]], axis: Axis) -> dict[str, Any]:
    line = trend(found, places, axis.numbers or [])
    row: dict[str, Any] = {"step": line.step, **contrast_row(line.slope, "slope")}
    if line.bend is None or row["slope"] is None:
        return row
    parts = (("before", line.bend.before), ("after", line.bend.after), ("change", line.bend.change))
    for name, part in parts:
        row |= {name: part.value, f"{name}_low": part.low, f"{name}_high": part.high}
    return row | {"bend": line.bend.at, "bend_p_holm": line.bend.p_holm}


def _reached(grid: Grid, found: Mapping[str, Estimates], targets: Sequence[Target]) -> list[dict[str, Any]]:
    """Where the curve of a single axis of numbers has what is aimed at."""
    numbers = grid.axes[0].numbers
    if len(grid.axes) != 1 or not numbers:
        return []
    return [
        {"metric": target.measure.name, "target": target.text, "figure": figure, **vars(stretch),
         "blocks": int(found[target.measure.name].blocks.min())}
        for target in targets
        for figure in aims(target)
        for stretch in reached(found[target.measure.name], grid.places.tolist(), numbers, figure)
        if found[target.measure.name].blocks.min() >= FEW
    ]  # fmt: skip


def aims(target: Target) -> list[float]:
    """The figures that a target names: one, or the ends of a range."""
    ends = [end for end in (target.low, target.high) if abs(end) < inf]
    return ends if ".." in target.text or len(ends) < 2 else [sum(ends) / 2]
