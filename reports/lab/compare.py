"""Compare: what a change of rules, cards or strategies does, on the same luck."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis.comparisons import LEVEL
from analysis.lab.metrics import GAME, Metrics, metrics_of
from analysis.lab.stages import Result
from reports import figures
from reports.columns import HOLM, METHOD, NOTE
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "compare", "Comparison"
QUESTION = "What does the change do?"
MOST_PANELS = 3


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    known = metrics_of(result.words["base"].get("game", GAME))
    effects = result.tables["effects"]
    strategies = result.tables.get("strategies", effects.clear())
    groups = [group for group in known.groups if group.name in result.tables]
    parts: list[Table | Figure] = [
        *_differences(effects, strategies, known),
        _effects(effects, "compare-effects", "What each variant does"),
        *(_effects(result.tables[one.name], f"compare-{one.name}", one.title) for one in groups),
        _pairing(result.tables["pairing"]),
    ]
    text = [
        "; ".join(f"{label}" for label in result.facts["labels"]) + ".",
        f"Every variant is compared with {result.facts['labels'][0]}, on the same luck: "
        f"{result.facts['games_each']:,} games of each.",
    ]
    if "sprt" in result.facts:
        text.append(
            "The figures below are from fresh blocks, played after the test had decided: the blocks that the test "
            "stopped on would exaggerate the difference."
        )
    return Chapter(ID, TITLE, QUESTION, text, parts, list(_findings(effects, strategies, result)))


def _differences(effects: pl.DataFrame, strategies: pl.DataFrame, game: Metrics) -> Iterator[Figure]:
    rates = pl.concat([effects, strategies]).filter(pl.col("kind") == "rate")
    known = figures.drawable(rates, "difference")
    several = known["variant"].n_unique()
    first = game.by_name[game.usual[0]]
    if several > MOST_PANELS:  # more do not fit beside each other: only what decides
        known, several = known.filter(pl.col("metric") == first.name), 0
    if not known.is_empty():
        yield Figure(
            "compare-differences",
            "What each variant changes",
            "Difference from the first variant in percentage points, with 95 % intervals paired by block. "
            + game.strategy_note * (not strategies.is_empty()),
            lambda: figures.dots(
                known, "what" if several else "variant", ("difference", "low", "high"),
                figures.Scale("points" if several else f"points, {first.text}", "points"), reference=0,
                panel="variant" if several > 1 else None,
            ),
        )  # fmt: skip


def _effects(frame: pl.DataFrame, name: str, title: str) -> Table:
    return Table(
        name,
        title,
        frame.with_columns(
            variant=pl.col("variant").str.split(":").list.first(),
            base_text=_text("base"), other_text=_text("other"), difference_text=_text("difference", True),
            interval=_text("low", True) + pl.lit(" to ") + _text("high", True),
        ),
        [
            Column("variant", "variant"), Column("what", "what"), Column("base_text", "base"),
            Column("other_text", "variant's"), Column("difference_text", "difference"),
            Column("interval", "95 % interval"), HOLM, Column("n", "n", "whole"), METHOD, NOTE,
        ],
        "Differences of shares are in percentage points. n counts games, or seats of a strategy.",
    )  # fmt: skip


def _text(column: str, signed: bool = False) -> pl.Expr:
    """Shares as per cent (differences as points), numbers as numbers."""

    def told(row: dict[str, object]) -> str:
        value = row[column]
        if not isinstance(value, float):
            return "–"
        sign = "+" if signed else ""
        text = (
            f"{value * 100:{sign}.1f}{'' if signed else ' %'}"
            if row["kind"] == "rate"
            else f"{value:{sign}.2f}"
        )
        return text.replace("-", "−")

    return pl.struct(column, "kind").map_elements(told, return_dtype=pl.String)


def _pairing(frame: pl.DataFrame) -> Table:
    return Table(
        "compare-pairing",
        "What playing the same luck saved",
        frame,
        [
            Column("variant", "variant"), Column("games", "games played", "whole"),
            Column("unpaired", "games needed without", "whole"), Column("factor", "times as many", "number1"),
            Column("correlation", "correlation of blocks", "number2"),
        ],
        "So many games would have been needed for an interval as narrow, had each variant had luck of its own.",
    )  # fmt: skip


def _findings(effects: pl.DataFrame, strategies: pl.DataFrame, result: Result) -> Iterator[Finding]:
    method = "difference by blocks, paired"
    each = int(result.facts["games_each"])
    for number, line in enumerate(result.verdict):
        yield Finding(line, "compare-effects", 1.0 - number / 100, each, method)
    clear = strategies.filter((pl.col("p_holm") < LEVEL) & pl.col("metric").str.starts_with("strategy:"))
    for (variant,), part in clear.group_by("variant", maintain_order=True):
        row = part.sort(pl.col("difference").abs(), descending=True).row(0, named=True)
        word = "gains" if row["difference"] > 0 else "loses"
        ends = sorted((abs(row["low"]), abs(row["high"])))
        yield Finding(
            f"{variant}: among the strategies {row['metric'].partition(':')[2]} {word} most: "
            f"{abs(row['difference']) * 100:.1f} points (95 %: {ends[0] * 100:.1f} to {ends[1] * 100:.1f}).",
            "compare-strategies", abs(row["difference"]), row["n"], f"{method}, corrected for all rows (Holm)",
        )  # fmt: skip
