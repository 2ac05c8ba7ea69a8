"""Restricted play: what each rule is worth to those who use it, and what it does to the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from analysis.lab.restrict import SEATS_OF
from analysis.lab.stages import Result
from reports import figures
from reports.columns import HOLM, METHOD, NOTE
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import signed

ID, TITLE = "restrict", "What rules are worth"
QUESTION = (
    "What does a strategy lose if it may not use a rule, and what is the game like when nobody uses it?"
)
TEXT = (
    "The same games, on the same luck, played again by a strategy that may not use something: what it wins less is "
    "what that is worth to it. Where it wanted to use it, it did the nearest thing that was legal. It does not know "
    "of the ban and does not plan around it; a player who did would lose less. So a worth is rather too high than "
    "too low.",
    "A negative worth says that the strategy would do better to leave it: it uses the rule badly. That says "
    "something about the strategy, and little about the rule. And what no strategy here makes use of may be worth "
    "much to others.",
)
METHOD_TEXT = "difference by blocks, paired, corrected for all rows (Holm)"


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    rules, values, game = (result.tables[name] for name in ("rules", "values", "game"))
    several = len(result.facts["who"]) > 1
    parts: list[Table | Figure] = [
        *_worth_figure(rules),
        _rules(rules, several),
        *(_heat(values, rules) if several else ()),
        *_game_figure(game, rules),
        _values(values),
        _game(game),
        _words(rules),
    ]
    return Chapter(ID, TITLE, QUESTION, TEXT, parts, list(_findings(result)))


def _findings(result: Result) -> Iterator[Finding]:
    each = int(result.facts["games_each"])
    for number, line in enumerate(result.verdict):
        of_game = line.startswith(("If nobody", "No rule"))
        evidence = "restrict-game" if of_game else "restrict-values"
        yield Finding(line, evidence, 1.0 - number / 100, each, METHOD_TEXT)


# --- what it is worth ----------------------------------------------------------------------------------------
def _worth_figure(rules: pl.DataFrame) -> Iterator[Figure]:
    sides = [
        rules.select("ban", value=key, low=f"{key}_low", high=f"{key}_high", panel=pl.lit(panel))
        for key, panel in (("human", "as a human"), ("alien", "as the alien"))
    ]
    known = figures.drawable(pl.concat(sides), "value")
    if not known.is_empty():
        yield Figure(
            "restrict-worth",
            "What each rule is worth",
            "Percentage points of its wins that a strategy loses without it, on average over the strategies, with "
            "95 % intervals. To the left of the line: it would do better to leave it. Each panel has its own scale.",
            lambda: figures.dots(
                known, "ban", ("value", "low", "high"), figures.Scale("points of wins", "points"), reference=0,
                panel="panel", shared=False,
            ),
        )  # fmt: skip


def _rules(rules: pl.DataFrame, several: bool) -> Table:
    note = "On average over the strategies, each counted alike. " if several else ""
    return Table(
        "restrict-rules",
        "What each rule is worth, and what is different when nobody uses it",
        rules,
        [
            Column("ban", "without"), Column("worth", "worth, points", "points", "worth_low", "worth_high"),
            Column("human", "as a human", "points", "human_low", "human_high"),
            Column("alien", "as the alien", "points", "alien_low", "alien_high"), HOLM,
            Column("alien_win", "nobody: alien", "points", "alien_win_low", "alien_win_high"),
            Column("rounds", "nobody: rounds", "signed2", "rounds_low", "rounds_high"),
            METHOD, NOTE,
        ],
        f"{note}Worth: percentage points of wins lost without it; the p-value is that of all seats. 'Nobody': how "
        "much more the alien wins, in points, and how many rounds more there are when nobody uses it. What the words "
        "mean stands in the last table.",
    )  # fmt: skip


def _heat(values: pl.DataFrame, rules: pl.DataFrame) -> Iterator[Figure]:
    known = figures.drawable(values.filter(pl.col("seats") == SEATS_OF["strategy"]), "worth")
    if known.is_empty():
        return
    order = {ban: place for place, ban in enumerate(rules["ban"].to_list())}
    rank = pl.col("ban").replace_strict(order, return_dtype=pl.Int64)
    yield Figure(
        "restrict-strategies",
        "What each rule is worth to each strategy",
        "Percentage points of wins lost without it. Red: it is worth something; blue: the strategy would do better "
        "to leave it.",
        lambda: figures.heat(
            known.sort(rank, maintain_order=True), "ban", "strategy", "worth", _points, middle=0.0, widest=0.03,
        ),
    )  # fmt: skip


def _points(row: dict[str, Any]) -> str:
    return "few" if row["worth"] is None else signed(row["worth"] * 100, 1)


def _values(values: pl.DataFrame) -> Table:
    return Table(
        "restrict-values",
        "What each rule is worth to each strategy",
        values,
        [
            Column("strategy", "strategy"), Column("ban", "without"), Column("seats", "seats"),
            Column("with_it", "wins", "percent"), Column("without", "wins without", "percent"),
            Column("worth", "worth, points", "points", "low", "high"), HOLM, Column("n", "seats played", "whole"),
            METHOD, NOTE,
        ],
        "Wins are points a seat: equal fame shares the point.",
    )  # fmt: skip


# --- the game without it -------------------------------------------------------------------------------------
def _game_figure(game: pl.DataFrame, rules: pl.DataFrame) -> Iterator[Figure]:
    known = figures.drawable(game.filter(pl.col("metric") == "alien_win"), "difference")
    if not known.is_empty():
        yield Figure(
            "restrict-game",
            "How much more the alien wins when nobody uses it",
            "Percentage points, with 95 % intervals paired by block. To the right: the rule helps the humans; to the "
            "left: it helps the alien.",
            lambda: figures.dots(
                known.sort("difference", descending=True), "ban", ("difference", "low", "high"),
                figures.Scale("points, alien wins", "points"), reference=0,
            ),
        )  # fmt: skip


def _game(game: pl.DataFrame) -> Table:
    return Table(
        "restrict-game",
        "The game when nobody uses it",
        game.with_columns(
            base_text=_text("base"), other_text=_text("other"), difference_text=_text("difference", True),
            interval=_text("low", True) + pl.lit(" to ") + _text("high", True),
        ),
        [
            Column("ban", "nobody uses"), Column("what", "what"), Column("base_text", "as it is"),
            Column("other_text", "without"), Column("difference_text", "difference"),
            Column("interval", "95 % interval"), HOLM, Column("n", "n", "whole"), METHOD, NOTE,
        ],
        "Differences of shares are in percentage points. n counts games, or human seats.",
    )  # fmt: skip


def _text(column: str, is_change: bool = False) -> pl.Expr:
    """Shares as per cent (changes as points), numbers as numbers."""

    def told(row: dict[str, Any]) -> str:
        value = row[column]
        if value is None:
            return "–"
        if row["kind"] == "rate":
            return signed(value * 100, 1) if is_change else f"{value * 100:.1f} %"
        return signed(value, 2) if is_change else f"{value:.2f}".replace("-", "−")

    return pl.struct(column, "kind").map_elements(told, return_dtype=pl.String)


def _words(rules: pl.DataFrame) -> Table:
    return Table(
        "restrict-words",
        "What may not be done",
        rules.select("ban", "text"),
        [Column("ban", "without"), Column("text", "may not")],
    )
