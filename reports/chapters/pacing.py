"""Pacing: leads, comebacks, runaway leaders, idle rounds."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis import pacing
from analysis.comparisons import LEVEL, more_often
from analysis.records import Records
from reports import figures
from reports.columns import DIFFERENCE, HOLM, METHOD, NOTE, PLAYERS, SEATS, SETTING, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import with_interval

ID, TITLE = "pacing", "Pacing"
MUCH = 0.10  # of rounds idle or decisions forced: worth a finding
QUESTION = "Does the lead change, does whoever is ahead win, and is anybody left with nothing to do?"


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    overview, leaders = pacing.overview(records), pacing.leaders(records)
    by_lead, behind = pacing.by_lead(records), pacing.behind(records)
    habits = pacing.habits(records)
    parts = [*_leads(by_lead, leaders), *_drama(behind, overview), _habits(habits)]
    findings = [*_of_leaders(leaders), *_of_drama(habits)]
    text = [
        "The lead is counted in claimed projects at the end of each round: what everybody at the table sees. Thirds "
        "are thirds of the rounds of each game."
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


def _leads(by_lead: pl.DataFrame, leaders: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(by_lead, "rate").is_empty():
        yield Figure(
            "leads",
            "How much a lead is worth",
            "How often a human wins that was so many projects ahead of (right) or behind (left) the best other seat, "
            f"after each third. The ends stand for {pacing.WIDEST} and more. A steep line: the lead decides. A flat "
            "one: anything can still happen.",
            lambda: figures.lines(
                by_lead, "lead", ("rate", "low", "high"), "third",
                (figures.Scale("projects ahead of the best other seat"), figures.Scale("wins", "percent")),
            ),
        )  # fmt: skip
    yield Table(
        "leaders",
        "Does whoever is alone in front win?",
        leaders,
        [
            Column("third", "after the"), Column("role", "role"),
            Column("rate", "leader wins", "percent", "low", "high"),
            Column("expected", "any seat of that role", "percent"),
            DIFFERENCE, HOLM, SEATS, METHOD, NOTE,
        ],
    )  # fmt: skip
    yield Table(
        "by-lead",
        "Win rate of humans by lead",
        by_lead,
        [
            Column("third", "after the"), Column("lead", "lead", "signed0"),
            Column("rate", "wins", "percent", "low", "high"), SEATS, METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_leaders(leaders: pl.DataFrame) -> Iterator[Finding]:
    known = leaders.filter((pl.col("role") == "human") & (pl.col("p_holm") < LEVEL))
    early = known.filter(pl.col("third") == pacing.THIRDS[0]).to_dicts()
    late = known.filter(pl.col("third") == pacing.THIRDS[1]).to_dicts()
    if early:
        row = early[0]
        after = (
            f"; after the second third {with_interval(*(late[0][k] for k in ('rate', 'low', 'high')))}"
            if late
            else ""
        )
        yield Finding(
            f"A human alone in front after the first third wins "
            f"{more_often(row['difference'], row['difference_low'], row['difference_high'])} than the average human (association, not cause): "
            f"{with_interval(row['rate'], row['low'], row['high'])} of such games"
            f"{after}.",
            "leaders", abs(row["difference"]), row["n"], "difference by blocks, corrected (Holm)",
        )  # fmt: skip


def _drama(behind: pl.DataFrame, overview: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(overview, "drama").is_empty():
        last = pacing.WIDEST + 1
        yield Figure(
            "drama",
            "How far behind winners were at worst",
            "The most projects the winner was ever behind the leader. 0: it was never behind. The more of a bar is "
            "2 and more, the more dramatic the games.",
            lambda: figures.stacked(
                _wide(behind, last), "role",
                [(str(k), f"{k}" if k < last else f"{k} or more") for k in range(last + 1)],
                figures.Scale("games, by projects the winner was behind at worst", "percent"),
                lambda share: f"{share * 100:.0f} %",
            ),
        )  # fmt: skip
    yield Table(
        "how-games-go",
        "How games go",
        overview,
        [
            PLAYERS, SETTING,
            Column("lead_changes", "changes of the lead", "number2", "low", "high"),
            Column("drama", "winner behind at worst", "number2"),
            Column("comeback", "winner was 2 behind", "percent"),
            Column("runaway", "somebody 2 ahead late", "percent"),
            Column("overtaken", "late leader overtaken", "percent"),
            Column("scoops", "scoops a round", "number2"),
            Column("idle", "idle rounds", "percent"),
            Column("forced", "forced decisions", "percent"),
            N, METHOD, NOTE,
        ],
        "Late: after two thirds of the rounds. Overtaken: of those alone in front then, not so at the end (caught up with, or passed). Forced: "
        "with one legal answer. Shares are of all games, late leaders, rounds or decisions.",
    )  # fmt: skip


def _habits(habits: pl.DataFrame) -> Table:
    names = {
        "comeback": "the winner was once 2 or more behind",
        "runaway": "somebody was 2 or more ahead late",
        "overtaken": "of those alone in front late: overtaken",
        "idle": "of all rounds of all seats: idle",
        "forced": "of all decisions: forced",
    }
    return Table(
        "habits",
        "The same over all games",
        habits.with_columns(pl.col("what").replace_strict(names)),
        [
            Column("what", "what"),
            Column("rate", "share", "percent", "low", "high"),
            Column("n", "n", "whole"),
            METHOD,
            NOTE,
        ],
        "n counts games, leaders, rounds of seats, and decisions.",
    )


def _wide(behind: pl.DataFrame, last: int) -> pl.DataFrame:
    wide = behind.with_columns(pl.col("behind").cast(pl.String)).pivot("behind", index="role", values="share")
    missing = [pl.lit(0.0).alias(str(k)) for k in range(last + 1) if str(k) not in wide.columns]
    name = pl.when(pl.col("role") == "alien").then(pl.lit("the alien wins")).otherwise(pl.lit("a human wins"))
    return wide.with_columns(missing).with_columns(role=name).fill_null(0.0)


def _of_drama(habits: pl.DataFrame) -> Iterator[Finding]:
    known = {row["what"]: row for row in figures.drawable(habits, "rate").to_dicts()}
    if {"comeback", "runaway", "overtaken"} <= set(known):
        told = {what: with_interval(row["rate"], row["low"], row["high"]) for what, row in known.items()}
        yield Finding(
            f"In {told['comeback']} of the games the winner was once 2 or more projects behind; in {told['runaway']} "
            f"somebody was 2 or more ahead late, and of those alone in front late {told['overtaken']} are not at the end.",
            "habits", 0.05, known["comeback"]["n"], known["comeback"]["method"],
        )  # fmt: skip
    for what, words in (("idle", "rounds are idle"), ("forced", "decisions are forced")):
        if what in known and known[what]["low"] > MUCH:
            row = known[what]
            yield Finding(
                f"{with_interval(row['rate'], row['low'], row['high'])} of all {words}: players have nothing to decide.",
                "habits", row["rate"], row["n"], row["method"],
            )  # fmt: skip
