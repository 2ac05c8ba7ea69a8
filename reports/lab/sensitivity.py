"""Sensitivity: which numbers of rules and cards drive who wins, and how long it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.comparisons import LEVEL
from analysis.lab.sensitivity_tables import OTHER_LUCK
from analysis.lab.stages import Result
from reports import figures
from reports.columns import HOLM, METHOD, NOTE
from reports.lab import shapes_sensitivity as shapes
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import percent

ID, TITLE = "sensitivity", "Sensitivity"
QUESTION = "Which numbers of the rules and cards drive who wins, and how long it takes?"
MOST_BARS = 16
EFFECTS = ("difference", "mu", "mu_star", "sigma", "noise", "at_low", "at_high")
BAR = ("difference", "low", "high", "value")
TORNADO = ("difference", "low", "high", "p_holm", "value")
SHARE_BARS = (
    shapes.Bars("total: alone and together with others", "total", "total_low", "total_high"),
    shapes.Bars("alone", "first", "first_low", "first_high"),
)


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    facts = result.facts
    parts: list[Table | Figure] = []
    for metric in facts["metrics"]:
        parts += [_drivers(result, metric), *_of_metric(result, metric)]
    parts += [
        *_shares(result),
        *_screen(result),
        _alone(result.tables["alone"]),
        _factors(result.tables["factors"]),
    ]
    return Chapter(ID, TITLE, QUESTION, _text(facts), parts, list(_findings(result)))


def _text(facts: Mapping[str, Any]) -> list[str]:
    """How it was done, in short."""
    text = [
        f"{facts['factors']} numbers were varied, each over its range. One at a time: each at both ends, all others "
        f"as they are ({facts['games_alone']:,} games each)."
    ]
    if facts["trajectories"]:
        text.append(
            f"Screening: all at once, along {facts['trajectories']} of Morris's trajectories, {facts['games']:,} "
            "games a point. An effect is that of a number's whole range, averaged over many settings of all others. "
            "What the luck of the games adds to sizes and spreads is taken off; 'other luck' is a yardstick that "
            "changes nothing but the luck, and should lie at 0."
        )
    if facts["points"] and facts["kept"]:
        text.append(
            f"Shares: only {', '.join(facts['kept'])} varied, the others as they are, over {facts['points']:,} base "
            "points of a Sobol sequence, all values equally likely, on other luck than the screening. A share is of "
            "the variance, and hangs on the ranges: over a wider one a number has more."
        )
    return text


# --- figures ---------------------------------------------------------------------------------------------
def _of_metric(result: Result, metric: dict[str, Any]) -> Iterator[Figure]:
    name, unit = _slug(metric), _unit(metric)
    alone, screened, second = (
        _in_points(_rows(result, table, metric)) for table in ("alone", "screen", "shares")
    )
    bars = _tornado(alone)
    if not bars.is_empty():
        yield Figure(
            f"sensitivity-tornado-{name}",
            f"Tornado: {metric['what']}",
            "Each number alone at the low and at the high end of its range, all others as they are "
            f"({_value(metric, 'base')}), with 95 % intervals paired by block; the end's value stands at the bar. At "
            f"most {MOST_BARS} numbers, of those that make a clear difference.",
            lambda: shapes.pairs(
                bars, "factor", _tornado_bars(), figures.Scale(_change(metric))
            ),
        )  # fmt: skip
    if not screened.is_empty():
        yield Figure(
            f"sensitivity-plane-{name}",
            f"Screening: {metric['what']}",
            "Morris's plane. To the right: the number does much (μ*, with its 95 % interval). Up: what it does "
            "differs with its own value or with those of others (σ); above the dashed line it differs by more than "
            "its size. The cross is the yardstick: other luck, and nothing else. Both axes are stretched near 0.",
            lambda: shapes.plane(
                screened, OTHER_LUCK, (figures.Scale(f"mean size of the effect (μ*), {unit}"),
                           figures.Scale(f"how much it differs (σ), {unit}")),
            ),
        )  # fmt: skip
    known = figures.drawable(second, "total")
    if not known.is_empty():
        yield Figure(
            f"sensitivity-shares-{name}",
            f"Shares of the variance: {metric['what']}",
            "Sobol's indices with 95 % intervals. Alone: what fixing this number would take from the variance. "
            "Total: what would be left if all others were fixed. Where total is larger, the number works together "
            "with others.",
            lambda: shapes.pairs(known, "factor", SHARE_BARS, figures.Scale("share of the variance", "percent")),
        )  # fmt: skip


def _rows(result: Result, table: str, metric: dict[str, Any]) -> pl.DataFrame:
    return result.tables[table].filter(pl.col("metric") == metric["metric"])


def _in_points(frame: pl.DataFrame) -> pl.DataFrame:
    """Effects on shares in points; shares of the variance stay as they are."""
    scaled = {f"{name}{ending}" for name in EFFECTS for ending in ("", "_low", "_high")} | {"low", "high"}
    names = [name for name in frame.columns if name in scaled]
    return frame.with_columns(
        pl.when(pl.col("kind") == "rate").then(pl.col(name) * 100).otherwise(pl.col(name)).alias(name)
        for name in names
    )


def _tornado(alone: pl.DataFrame) -> pl.DataFrame:
    """A row for each factor with a clear difference at an end, the widest first."""
    known = figures.drawable(alone, "difference")
    ends = [
        known.filter(pl.col("end") == end).select(
            "factor", *(pl.col(name).alias(f"{name}_{end}") for name in TORNADO)
        )
        for end in ("low", "high")
    ]  # fmt: skip
    both = ends[0].join(ends[1], on="factor", maintain_order="left")
    swing = pl.max_horizontal(pl.col("difference_low").abs(), pl.col("difference_high").abs())
    clear = both.filter(pl.min_horizontal("p_holm_low", "p_holm_high") < LEVEL)
    return clear.sort(swing, descending=True, maintain_order=True).head(MOST_BARS)


def _tornado_bars() -> list[shapes.Bars]:
    return [
        shapes.Bars(f"at the {end} end of its range", *(f"{name}_{end}" for name in BAR))
        for end in ("low", "high")
    ]


# --- tables ----------------------------------------------------------------------------------------------
def _what(frame: pl.DataFrame) -> pl.DataFrame:
    """The outcome with its unit."""
    name = pl.col("what") + pl.when(pl.col("kind") == "rate").then(pl.lit(", points")).otherwise(pl.lit(""))
    return _in_points(frame).with_columns(what=name)


def _drivers(result: Result, metric: dict[str, Any]) -> Table:
    rows = _in_points(_rows(result, "drivers", metric))
    strong = rows.filter(
        pl.col("total").is_not_null() | (pl.min_horizontal("p_holm", "p_low", "p_high") < LEVEL)
    )
    return Table(
        f"sensitivity-drivers-{_slug(metric)}",
        f"What drives '{metric['what']}'",
        strong,
        [
            Column("factor", "number"), Column("range", "range"),
            Column("at_low", f"alone, low end, {_unit(metric)}", "signed1", "at_low_low", "at_low_high"),
            Column("at_high", "alone, high end", "signed1", "at_high_low", "at_high_high"),
            Column("total", "share of variance", "percent", "total_low", "total_high"),
        ],
        "Numbers whose effect is clear in one of the stages (corrected with Holm's method) or that went on to the "
        "last one, the strongest first. The table as it is: "
        f"{_value(metric, 'base')} (95 %: {_value(metric, 'base_low')} to {_value(metric, 'base_high')}); "
        f"n = {result.facts['games_alone']:,} games at each end, differences by blocks.",
    )  # fmt: skip


def _slug(metric: Mapping[str, Any]) -> str:
    return str(metric["metric"]).replace(":", "-").replace("_", "-")


def _unit(metric: Mapping[str, Any]) -> str:
    return "points" if metric["kind"] == "rate" else str(metric["what"])


def _change(metric: Mapping[str, Any]) -> str:
    return f"change of '{metric['what']}'{', points' if metric['kind'] == 'rate' else ''}"


def _value(metric: Mapping[str, Any], name: str) -> str:
    return percent(metric[name]) if metric["kind"] == "rate" else f"{metric[name]:.2f}"


def _shares(result: Result) -> Iterator[Table]:
    if result.tables["shares"].is_empty():
        return
    yield Table(
        "sensitivity-shares",
        "Shares of the variance",
        result.tables["shares"],
        [
            Column("what", "outcome"), Column("factor", "number"), Column("range", "range"),
            Column("first", "alone", "percent", "first_low", "first_high"),
            Column("total", "alone and together", "percent", "total_low", "total_high"),
            Column("n", "base points", "whole"), METHOD, NOTE,
        ],
        " ".join(_moments(metric) for metric in result.facts["metrics"] if "mean" in metric),
    )  # fmt: skip


def _moments(metric: dict[str, Any]) -> str:
    """How much an outcome varies, in words."""
    scale, unit = (100, " points") if metric["kind"] == "rate" else (1, "")
    return (
        f"'{metric['what']}' is {metric['mean'] * scale:.1f}{' %' if unit else ''} on average over all points, with "
        f"a standard deviation of {metric['spread'] * scale:.2f}{unit}; {metric['noise'] * 100:.1f} % of the "
        "variance that was found was the games' noise, and is taken off."
    )


def _screen(result: Result) -> Iterator[Table]:
    if result.tables["screen"].is_empty():
        return
    yield Table(
        "sensitivity-screen",
        "Screening of all numbers",
        _what(result.tables["screen"]).with_columns(kept=pl.when("kept").then(pl.lit("yes")).otherwise(pl.lit(""))),
        [
            Column("what", "outcome"), Column("factor", "number"), Column("range", "range"),
            Column("mu", "effect μ", "signed2", "mu_low", "mu_high"),
            Column("mu_star", "size μ*", "number2", "mu_star_low", "mu_star_high"),
            Column("sigma", "spread σ", "number2", "sigma_low", "sigma_high"),
            Column("noise", "size from noise alone", "number2"), HOLM, Column("kept", "goes on"),
            Column("n", "trajectories", "whole"), METHOD,
        ],
        "Effects of the whole range. The test compares the mean size of the effects with that of noise alone.",
    )  # fmt: skip


def _alone(alone: pl.DataFrame) -> Table:
    return Table(
        "sensitivity-alone",
        "One at a time",
        _what(alone),
        [
            Column("what", "outcome"), Column("factor", "number"), Column("value", "at"),
            Column("difference", "difference", "signed2", "low", "high"), HOLM, Column("n", "n", "whole"),
            METHOD, NOTE,
        ],
        "Against the table as it is, in games that met the same luck. p is corrected over all ends of an outcome.",
    )  # fmt: skip


def _factors(factors: pl.DataFrame) -> Table:
    return Table(
        "sensitivity-factors",
        "What was varied",
        factors,
        [
            Column("factor", "number"), Column("default", "as it is", "number2"), Column("range", "range"),
            Column("source", "source"),
        ],
        "× is a factor on all values of that kind (as they are: 1), + and − are added to them (as they are: 0).",
    )  # fmt: skip


# --- findings --------------------------------------------------------------------------------------------
def _findings(result: Result) -> Iterator[Finding]:
    """The verdict; the table or figure that carries each sentence."""
    for number, line in enumerate(result.verdict):
        evidence, method, n = _evidence(line, result)
        yield Finding(line, evidence, 1.0 - number / 100, n, method)


def _evidence(line: str, result: Result) -> tuple[str, str, int]:
    facts = result.facts
    if line.startswith("Alone"):
        return "sensitivity-alone", "difference by blocks, paired, corrected (Holm)", facts["games_alone"]
    if "trajectories" in line:
        return (
            "sensitivity-screen",
            "size against that of noise, corrected (Holm); n is trajectories",
            facts["trajectories"],
        )
    return "sensitivity-shares", "bootstrap over points and blocks; n is base points", facts["points"]
