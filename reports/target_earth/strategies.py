"""Strategies: which way of playing wins for the Alliance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from analysis.comparisons import LEVEL, more_often
from analysis.records import Records
from analysis.target_earth import win_rates
from analysis.target_earth.records import settings
from reports import figures
from reports.columns import HOLM, METHOD, NOTE, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.target_earth.columns import OVER_WITHOUT, WINS
from reports.words import with_interval

ID, TITLE = "strategies", "Strategies"
QUESTION = "Which way of playing wins for the Alliance?"


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    names = _names(records)
    by_line_up = win_rates.of_alliance(records, "line_up").with_columns(
        line_up=pl.col("line_up").replace_strict(names)
    )
    by_line_up = _together(records, names) if len(set(names.values())) < len(names) else by_line_up
    by_line_up = by_line_up.sort("rate", descending=True, nulls_last=True)
    at_table = win_rates.with_strategy(records).sort("over_without", descending=True, nulls_last=True)
    parts: list[Table | Figure] = [*_line_ups(by_line_up, target)]
    if figures.drawable(at_table, "over_without").height:
        parts += _at_table(at_table)
    findings = [*_of_line_ups(by_line_up), *_of_table(at_table)]
    text = [
        "A line-up is who sits at the bases. All of them win or lose together: a strategy is compared by games in "
        "which it has a seat with games of the same cells in which it has none.",
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


def _names(records: Records) -> dict[str, str]:
    """Line-ups, with one name where all are the same."""
    found = {}
    for line_up in settings(records)["line_up"].unique().to_list():
        seated = line_up.split(", ")
        found[line_up] = seated[0] if len(set(seated)) == 1 else line_up
    return found


def _together(records: Records, names: dict[str, str]) -> pl.DataFrame:
    """The same line-up with two, three and four players is one line-up."""
    from analysis.blocks import estimate
    from analysis.target_earth.records import games

    rows = games(records).with_columns(line_up=pl.col("line_up").replace_strict(names))
    return estimate(rows, ["line_up"], "won").table()


def _line_ups(by_line_up: pl.DataFrame, target: float) -> Iterator[Table | Figure]:
    if len(figures.drawable(by_line_up, "rate")) > 1:
        yield Figure(
            "line-ups", "The Alliance by line-up", "All modes and numbers of players of the study taken together.",
            lambda: figures.dots(
                by_line_up, "line_up", ("rate", "low", "high"), figures.Scale("Alliance wins", "percent"),
                reference=target,
            ),
        )  # fmt: skip
    yield Table(
        "line-ups", "The Alliance by line-up", by_line_up, [Column("line_up", "strategies"), WINS, N, METHOD, NOTE]
    )  # fmt: skip


def _of_line_ups(by_line_up: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(by_line_up, "rate").to_dicts()
    if len(known) > 1 and known[0]["low"] > known[-1]["high"]:
        best, worst = known[0], known[-1]
        yield Finding(
            f"The best line-up of this study ({best['line_up']}) wins "
            f"{with_interval(best['rate'], best['low'], best['high'])}, the worst ({worst['line_up']}) "
            f"{with_interval(worst['rate'], worst['low'], worst['high'])}.",
            "line-ups", best["rate"] - worst["rate"], best["n"] + worst["n"], best["method"],
        )  # fmt: skip


def _at_table(at_table: pl.DataFrame) -> Iterator[Table | Figure]:
    yield Figure(
        "with-strategy",
        "The Alliance with a strategy at the table",
        "How much more or less often the Alliance wins in games in which at least one seat plays so than in games of "
        "the same cells in which nobody does.",
        lambda: figures.dots(
            at_table, "strategy", ("over_without", "over_without_low", "over_without_high"),
            figures.Scale("points", "points"), reference=0,
        ),
    )  # fmt: skip
    yield Table(
        "with-strategy", "The Alliance with a strategy at the table", at_table,
        [Column("strategy", "strategy"), WINS, OVER_WITHOUT, HOLM, N, METHOD, NOTE],
    )  # fmt: skip


def _of_table(at_table: pl.DataFrame) -> Iterator[Finding]:
    clear = figures.drawable(at_table, "over_without").filter(pl.col("p_holm") < LEVEL).to_dicts()
    if clear:
        best, worst = clear[0], clear[-1]
        for row in [best] if best is worst else [best, worst]:
            yield Finding(
                f"With {row['strategy']} at the table the Alliance wins {_words(row)} than without.",
                "with-strategy", abs(row["over_without"]) / 2, row["n"], "difference by blocks, corrected (Holm)",
            )  # fmt: skip


def _words(row: dict[str, Any]) -> str:
    return more_often(row["over_without"], row["over_without_low"], row["over_without_high"])
