"""Strategies: who wins how often, against whom, and what each does with its rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from analysis import matchups
from analysis.comparisons import LEVEL, more_often
from analysis.records import Records
from reports import figures
from reports.columns import DIFFERENCE, HOLM, METHOD, NOTE, SEATS
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "strategies", "Strategies"
QUESTION = "Which way of playing wins, and against which?"
PANELS = {"both": "all seats", "human": "as a human", "alien": "as the alien"}


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    shares, spent = matchups.shares(records), matchups.rounds_spent(records)
    several = shares["strategy"].n_unique() > 1
    versus = matchups.head_to_head(records) if several else None
    parts = [*_shares(shares), *_versus(versus), *_spent(spent)]
    text = [
        "Strategies are not people: these figures say how the strategies of this run do against each other, not how "
        "your group would do."
    ]
    if not several:
        text.append("All seats were played by the same strategy: there is nobody to compare it with.")
    return Chapter(ID, TITLE, QUESTION, text, parts, list(_of_shares(shares)) if several else [])


def _shares(shares: pl.DataFrame) -> Iterator[Table | Figure]:
    if shares["strategy"].n_unique() > 1 and not figures.drawable(shares, "rate").is_empty():
        order = (
            shares.filter(pl.col("role") == "both")
            .sort("rate", descending=True, nulls_last=True)["strategy"]
            .to_list()
        )
        rank = pl.col("strategy").replace_strict(order, list(range(len(order))), return_dtype=pl.Int64)
        yield Figure(
            "strategy-shares",
            "Share of wins by strategy",
            "How often a seat wins that plays this way. Grey ticks: what was to be expected of those seats (1 / players "
            "in all; as human and as alien the average of the role). Each panel has a scale of its own.",
            lambda: figures.dots(
                shares.with_columns(panel=pl.col("role").replace_strict(PANELS)).sort(rank, maintain_order=True),
                "strategy", ("rate", "low", "high"), figures.Scale("wins", "percent"), panel="panel",
                expected="expected", shared=False,
            ),
        )  # fmt: skip
    yield Table(
        "strategy-shares",
        "How often each strategy wins",
        shares.with_columns(role=pl.col("role").replace_strict(PANELS)),
        [
            Column("strategy", "strategy"), Column("role", "seats"),
            Column("rate", "wins", "percent", "low", "high"),
            Column("expected", "expected", "percent"),
            DIFFERENCE, HOLM, Column("n", "n", "whole"), METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_shares(shares: pl.DataFrame) -> Iterator[Finding]:
    rows = shares.filter((pl.col("role") == "both") & pl.col("difference").is_not_null()).sort("difference")
    clear = rows.filter(pl.col("p_holm") < LEVEL).to_dicts()
    method = "difference by blocks, corrected for all strategies and roles (Holm)"
    if rows.is_empty():
        return
    if not clear:
        yield Finding("No strategy is shown to win more or less than its fair share.", "strategy-shares", 0.01,
                      int(rows["n"].sum()), method)  # fmt: skip
        return
    worst, best = clear[0], clear[-1]
    if best["difference"] > 0:
        words = more_often(best["difference"], best["difference_low"], best["difference_high"])
        rest = ""
        if worst["difference"] < 0:
            low = more_often(worst["difference"], worst["difference_low"], worst["difference_high"])
            rest = f"; {worst['strategy']} does worst, {low}"
        yield Finding(
            f"The strategy {best['strategy']} does best: it wins {words} than its fair share{rest}.",
            "strategy-shares", best["difference"], best["n"], method,
        )  # fmt: skip


def _versus(versus: pl.DataFrame | None) -> Iterator[Table | Figure]:
    if versus is None or versus.is_empty():
        return
    if not figures.drawable(versus, "rate").is_empty():
        order = (
            versus.group_by("strategy")
            .agg(pl.col("rate").mean())
            .sort("rate", "strategy", descending=True)["strategy"]
        )
        names = order.to_list()
        rank = [pl.col(k).replace_strict(names, list(range(len(names))), default=99, return_dtype=pl.Int64)
                for k in ("strategy", "against")]  # fmt: skip
        yield Figure(
            "head-to-head",
            "Head to head, as humans",
            "How often the strategy of the row ends above the one of the column when both are human in the same game, "
            "in per cent; an equal rank (both destroyed, say) counts half for each. Red: the row is better.",
            lambda: figures.heat(
                _with_diagonal(versus, names).sort(rank, maintain_order=True), "strategy", "against", "rate",
                _versus_text, widest=0.15, labels=("this strategy", "ends above this one, per cent"),
            ),
        )  # fmt: skip
    yield Table(
        "head-to-head",
        "Head to head, as humans",
        versus,
        [
            Column("strategy", "strategy"), Column("against", "against"),
            Column("rate", "ends above", "percent", "low", "high"),
            HOLM, Column("n", "pairs of seats", "whole"), METHOD, NOTE,
        ],
    )  # fmt: skip


def _with_diagonal(versus: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    same = pl.DataFrame({"strategy": names, "against": names, "rate": [None] * len(names)}, {
        "strategy": pl.String, "against": pl.String, "rate": pl.Float64})  # fmt: skip
    return pl.concat([versus.select("strategy", "against", "rate"), same])


def _versus_text(row: dict[str, Any]) -> str:
    if row["strategy"] == row["against"]:
        return ""
    return "few" if row["rate"] is None else f"{row['rate'] * 100:.0f}"


def _spent(spent: pl.DataFrame) -> Iterator[Table | Figure]:
    known = figures.drawable(spent, "researched")
    if not known.is_empty():
        yield Figure(
            "rounds-spent",
            "What each strategy spends its rounds on",
            "Shares of rounds, as a human and as the alien: research, safe and standard submissions, switching, idle.",
            lambda: figures.stacked(
                known.with_columns(role=pl.col("role").replace_strict(PANELS)).sort("role", maintain_order=True),
                "strategy",
                [("researched", "research"), ("safe", "safe submission"), ("standard", "standard submission"),
                 ("switched", "switching"), ("idle", "idle")],
                figures.Scale("rounds", "percent"), lambda value: f"{value * 100:.0f}", "role",
            ),
        )  # fmt: skip
    yield Table(
        "rounds-spent",
        "What each strategy does",
        spent,
        [
            Column("strategy", "strategy"), Column("role", "role"),
            *(Column(name, name, "percent") for name in matchups.ROUNDS),
            Column("projects", "projects held at the invasion", "number1"),
            Column("scoops_given", "scoops", "number2"),
            Column("scoops_suffered", "scooped", "number2"),
            Column("survived", "survives", "percent"),
            Column("fame", "fame", "number1"), SEATS,
        ],
    )  # fmt: skip
