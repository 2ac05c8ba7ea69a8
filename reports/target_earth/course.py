"""The course of games: points and technologies by turn, and when a game is decided."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis.records import Records
from analysis.target_earth import course
from analysis.target_earth.course import CURVES
from reports import figures
from reports.columns import METHOD, NOTE, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.target_earth.columns import SETTING, WINS
from reports.words import percent, with_interval

ID, TITLE = "course", "The course of games"
QUESTION = "How do points and technologies grow, how long do games last, and when are they decided?"
TURN = Column("turn", "turn", "whole")
SIDES, LEVELS = ("alliance", "aliens"), ("science", "levels")


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    curves, by_turn, leads = (
        course.curves(records, "setting"),
        course.by_turn(records),
        course.by_lead(records),
    )
    parts: list[Table | Figure] = [*_curves(curves), *_turns(by_turn), *_leads(leads)]
    findings = [*_of_turns(by_turn), *_of_leads(leads)]
    text = [
        "Games that are over have no figures any more: an average after a turn is over the games that were still "
        "running. From turn 4 on, when games begin to end early, those are other games than at the start.",
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


def _curves(curves: pl.DataFrame) -> Iterator[Table | Figure]:
    known = figures.drawable(curves, "value")
    told = known.with_columns(
        series=pl.col("what").replace_strict(CURVES | {"levels": "fighters, troops and tanks"})
        + pl.lit(", games ") + pl.col("result")
    )  # fmt: skip
    for id_, title, what, label, caption in (
        ("points-by-turn", "Points by turn", SIDES, "points", "Points of both sides after each turn, in games that "
         "the Alliance won in the end and in games that it lost."),
        ("levels-by-turn", "Technologies by turn", LEVELS, "levels", "The level of alien science, and the levels of "
         "fighters, troops and tanks added up, after each turn."),
    ):  # fmt: skip
        part = told.filter(pl.col("what").is_in(what)).sort("series", "turn", maintain_order=True)
        if len(part):
            yield Figure(id_, title, caption, _drawer(part, label))
    yield Table(
        "curves",
        "Averages by turn",
        told.with_columns(words=pl.col("what").replace_strict(CURVES)),
        [
            SETTING, Column("words", "what"), Column("result", "games"), TURN,
            Column("value", "average", "number2", "low", "high"), N, METHOD, NOTE,
        ],
    )  # fmt: skip


def _drawer(part: pl.DataFrame, label: str):  # type: ignore[no-untyped-def]
    scales = (figures.Scale("after turn"), figures.Scale(label))
    panel = "setting" if part["setting"].n_unique() > 1 else None
    return lambda: figures.lines(
        part, "turn", ("value", "low", "high"), "series", scales, panel=panel, across=2 if panel else 0
    )  # fmt: skip


def _turns(by_turn: pl.DataFrame) -> Iterator[Table]:
    yield Table(
        "turns",
        "Games turn by turn",
        by_turn,
        [
            TURN, Column("running", "games that play it", "percent", "low", "high"),
            Column("won_then", "won in it", "percent"), Column("lost_then", "lost in it", "percent"),
            *(Column(what, words, "number1") for what, words in CURVES.items()),
            N, METHOD, NOTE,
        ],
        "Shares are of all games, averages of those that were still running.",
    )  # fmt: skip


def _of_turns(by_turn: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(by_turn, "running").to_dicts()
    if len(known) > 1:
        last = known[-1]
        yield Finding(
            f"{with_interval(last['running'], last['low'], last['high'])} of the games go to turn {last['turn']}, "
            f"the last one; {percent(sum(row['won_then'] for row in known[:-1]))} are won before it, "
            f"{percent(sum(row['lost_then'] for row in known[:-1]))} lost before it.",
            "turns", 0.2, last["n"], last["method"],
        )  # fmt: skip


def _leads(leads: pl.DataFrame) -> Iterator[Table | Figure]:
    known = figures.drawable(leads, "rate")
    if not known.is_empty():
        words = course.lead_words()
        yield Figure(
            "leads",
            "Is it decided early?",
            "How often the Alliance wins in the end, by how many points it was ahead of the aliens after a turn: "
            f"{', '.join(words)}. Games that went on after that turn. The steeper the line, the more is decided.",
            lambda: figures.lines(
                known.with_columns(series="after turn " + pl.col("turn").cast(pl.String), place=pl.col("ahead") - 3),
                "place", ("rate", "low", "high"), "series",
                (figures.Scale("behind (−3: 20 or more) … even (0) … ahead (3: 20 or more)"),
                 figures.Scale("Alliance wins", "percent")),
            ),
        )  # fmt: skip
    yield Table(
        "leads", "The Alliance by points ahead", leads,
        [TURN, Column("lead", "points ahead of the aliens"), WINS, N, METHOD, NOTE],
    )  # fmt: skip


def _of_leads(leads: pl.DataFrame) -> Iterator[Finding]:
    words = course.lead_words()
    known = {(row["turn"], row["lead"]): row for row in figures.drawable(leads, "rate").to_dicts()}
    for turn in (3, 2):
        behind, ahead = known.get((turn, words[1])), known.get((turn, words[5]))
        if behind and ahead and ahead["low"] > behind["high"]:
            yield Finding(
                f"After turn {turn} an Alliance that is 10 to 19 points ahead wins "
                f"{with_interval(ahead['rate'], ahead['low'], ahead['high'])}, one as far behind "
                f"{with_interval(behind['rate'], behind['low'], behind['high'])}.",
                "leads", (ahead["rate"] - behind["rate"]) / 4, ahead["n"] + behind["n"], ahead["method"],
            )  # fmt: skip
            return
