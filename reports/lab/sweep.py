"""Sweep: an option or a card value over a range."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.lab.stages import Result
from reports import figures, words
from reports.columns import HOLM, METHOD, NOTE, N
from reports.lab.shapes_sweep import Marks, curve
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "sweep", "Sweep"
QUESTION = "What do other values do?"
MOST_WRITTEN = 12  # columns of a map with figures in its cells
LEAST = 0.02  # the colours of a map reach so far at least: of a rate, and as a share of any other number

Facts = Mapping[str, Any]


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    facts, known = result.facts, result.tables["curve"]
    parts: list[Table | Figure] = []
    for metric in facts["metrics"]:
        mine = known.filter(pl.col("metric") == metric["name"])
        parts += [*_figure(mine, metric, facts), _table(mine, metric, facts)]
    parts += [*_trends(result.tables["trends"]), *_reached(result)]
    text = [
        f"{facts['games_each']:,} games of each value, all with the same luck: differences from the table as it is "
        "are paired by block. Values are compared with the table as it is, not with each other; p-values are "
        "corrected for all values of a metric.",
        *result.verdict,
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, list(_findings(result)))


# --- figures -------------------------------------------------------------------------------------------------
def _figure(frame: pl.DataFrame, metric: Facts, facts: Facts) -> Iterator[Figure]:
    if figures.drawable(frame, "value").is_empty():
        return
    names = [axis["name"] for axis in facts["axes"]]
    caption = (
        "With 95 % intervals, each of its value alone. Differences between values are known better than that, since "
        "they met the same luck. The dashed line is the table as it is."
    )
    if len(names) == 2:
        draw, caption = _map(frame, metric, facts), _map_caption(metric, facts)
    elif facts["axes"][0]["is_number"]:
        draw = _curve(frame, metric, facts)
    else:
        draw = _dots(frame, metric, facts)
    title = f"{metric['text']}, by {' and '.join(names)}"
    yield Figure(f"sweep-{_id(metric)}-figure", title[:1].upper() + title[1:], caption, draw)


def _scale(metric: Facts) -> figures.Scale:
    return figures.Scale(metric["text"], "percent" if metric["kind"] == "rate" else "number")


def _curve(frame: pl.DataFrame, metric: Facts, facts: Facts) -> Any:
    printed = frame.filter(pl.col("same") == "as it is")["x_number"].to_list()
    marks = Marks(facts["base"][metric["name"]], printed[0] if printed else None, _band(metric, facts))
    scales = (figures.Scale(facts["axes"][0]["name"]), _scale(metric))
    return lambda: curve(frame, "x_number", scales, marks)


def _band(metric: Facts, facts: Facts) -> tuple[float, float] | None:
    """The target of a metric, if it has two ends."""
    target = next((one for one in facts["targets"] if one["metric"] == metric["name"]), None)
    return (
        None if target is None or None in (target["low"], target["high"]) else (target["low"], target["high"])
    )


def _dots(frame: pl.DataFrame, metric: Facts, facts: Facts) -> Any:
    base = facts["base"][metric["name"]]
    return lambda: figures.dots(frame, "x", ("value", "low", "high"), _scale(metric), reference=base)


def _map(frame: pl.DataFrame, metric: Facts, facts: Facts) -> Any:
    rows = frame.with_row_index("row").sort("y_number", "row", descending=[True, False], nulls_last=True)
    rows = rows.with_columns(pl.col("x", "y").str.replace("^-", "−"))
    band = _band(metric, facts)
    middle = sum(band) / 2 if band else facts["base"][metric["name"]]
    is_rate = metric["kind"] == "rate"
    few = rows["x"].n_unique() <= MOST_WRITTEN

    def text(row: dict[str, Any]) -> str:
        if row["value"] is None:
            return words.NOTHING
        half, scale = (row["high"] - row["low"]) / 2, 100 if is_rate else 1
        return f"{row['value'] * scale:.1f}{' %' * is_rate}\n±{half * scale:.1f}" if few else ""

    names = [axis["name"] for axis in facts["axes"]]
    widest = LEAST if is_rate else max(LEAST * abs(middle), 1e-6)
    return lambda: figures.heat(
        rows, "y", "x", "value", text, middle=middle, widest=widest, labels=(names[1], names[0])
    )


def _map_caption(metric: Facts, facts: Facts) -> str:
    band = _band(metric, facts)
    white = "the target" if band else "the table as it is"
    return f"White is {white}, red is more, blue is less; ± is half of the 95 % interval."


# --- tables --------------------------------------------------------------------------------------------------
def _table(frame: pl.DataFrame, metric: Facts, facts: Facts) -> Table:
    is_rate = metric["kind"] == "rate"
    aims = [one for one in facts["targets"] if one["metric"] == metric["name"]]
    heading = "difference, points" if is_rate else "difference"
    columns = [
        *(Column(name, axis["name"]) for name, axis in zip("xy", facts["axes"], strict=False)),
        Column("value", metric["text"], "percent" if is_rate else "number2", "low", "high"),
        Column("difference", heading, "points" if is_rate else "signed2", "difference_low", "difference_high"),
        HOLM,
        *([Column("meets", f"meets {aims[0]['band']}")] if aims else []),
        N, METHOD, NOTE,
    ]  # fmt: skip
    shown = frame.with_columns(
        pl.col("x", "y").str.replace("^-", "−"),
        note=pl.when(pl.col("note") == "").then("same").otherwise("note"),
    )
    names = " and ".join(axis["name"] for axis in facts["axes"])
    title = metric["text"][:1].upper() + metric["text"][1:]
    base = words.shown(facts["base"][metric["name"]], columns[len(facts["axes"])].kind)
    note = f"Differences are from the table as it is ({base}), with the same luck."
    if aims:
        note += " Met: 'yes' if all of the interval is in the band, 'yes, perhaps' if only the figure is."
    return Table(f"sweep-{_id(metric)}", f"{title}, by {names}", shown, columns, note)


def _id(metric: Facts) -> str:
    """As part of a file's name."""
    return "".join(letter if letter.isalnum() else "-" for letter in metric["name"])


def _trends(frame: pl.DataFrame) -> Iterator[Table]:
    if frame.is_empty():
        return
    shown = frame.with_columns(
        slope_text=_told("slope", "low", "high"),
        before_text=_told("before", "before_low", "before_high"),
        after_text=_told("after", "after_low", "after_high"),
        step_text=pl.col("step").map_elements(lambda step: f"{step:g}", return_dtype=pl.String),
        bend_text=pl.col("bend").map_elements(lambda at: f"{at:g}".replace("-", "−"), return_dtype=pl.String),
    )
    columns = [
        Column("what", "outcome"), Column("axis", "varied"), Column("step_text", "a step"),
        Column("slope_text", "what a step does"), HOLM, Column("bend_text", "bends most at"),
        Column("before_text", "a step before"), Column("after_text", "a step after"),
        Column("bend_p_holm", "p of the bend, corrected", "p"), METHOD, NOTE,
    ]  # fmt: skip
    yield Table(
        "sweep-trends", "What a step does, and where that changes", shown, columns,
        "The slope of the least-squares line, block by block; shares in percentage points. The bend is the best fit "
        "of two lines that meet at one of the values; its p is corrected for all values at which it might be. A row "
        "of two names: how much more a step of both does than the two by themselves.",
    )  # fmt: skip


def _told(*columns: str) -> pl.Expr:
    """A difference and its interval: of shares in points."""

    def text(row: dict[str, Any]) -> str:
        if row[columns[0]] is None:
            return words.NOTHING
        scale, digits = (100, 2) if row["kind"] == "rate" else (1, 3)
        value, low, high = (words.signed(row[name] * scale, digits) for name in columns)
        return f"{value} ({low} to {high})"

    return pl.struct("kind", *columns).map_elements(text, return_dtype=pl.String)


def _reached(result: Result) -> Iterator[Table]:
    frame = result.tables["reached"]
    if frame.is_empty():
        return
    kinds = {metric["name"]: metric["kind"] for metric in result.facts["metrics"]}

    def figure(row: dict[str, Any]) -> str:
        return words.shown(row["figure"], "percent" if kinds[row["metric"]] == "rate" else "number2")

    def ends(row: dict[str, Any]) -> str:
        more = " or beyond" if row["open_low"] or row["open_high"] else ""
        return f"{row['low']:.4g} to {row['high']:.4g}{more}".replace("-", "−")

    shown = frame.with_columns(
        figure_text=pl.struct("metric", "figure").map_elements(figure, return_dtype=pl.String),
        ends=pl.struct("low", "high", "open_low", "open_high").map_elements(ends, return_dtype=pl.String),
        at_text=pl.col("at").map_elements(lambda at: f"{at:.4g}".replace("-", "−"), return_dtype=pl.String),
    )
    name = result.facts["axes"][0]["name"]
    columns = [
        Column("target", "target"), Column("figure_text", "figure"), Column("at_text", f"reached at {name}"),
        Column("ends", "95 % set"), Column("blocks", "blocks", "whole"),
    ]  # fmt: skip
    yield Table(
        "sweep-reached", "Where the target is reached", shown, columns,
        "If the curve is straight between neighbouring values. No place: the curve only comes near. The set holds "
        "all places at which the difference from the figure is less than its interval (Fieller's, by blocks).",
    )  # fmt: skip


def _findings(result: Result) -> Iterator[Finding]:
    first = result.facts["metrics"][0]
    for number, line in enumerate(result.verdict):
        yield Finding(
            line, f"sweep-{_id(first)}", 1.0 - number / 100, int(result.facts["games_each"]),
            "difference by blocks, paired",
        )  # fmt: skip
