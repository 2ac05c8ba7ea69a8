"""Threshold length: how long games last, and what one project more on the threshold does."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis import threshold_length
from analysis.comparisons import LEVEL, points
from analysis.records import Records
from reports import figures
from reports.columns import HOLM, METHOD, NOTE, PLAYERS, SETTING, N
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "threshold-length", "Threshold length"
MOST_CURVES = 6
EFFECTS = ("effect", "low", "high", "change", "change_low", "change_high")
QUESTION = "How long does a game last, and what does a later threshold change?"


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    lengths, survival = threshold_length.lengths(records), threshold_length.survival(records)
    timing = threshold_length.timing(records)
    outcomes, marginal = threshold_length.outcomes(records), threshold_length.marginal(records)
    waiting = threshold_length.waiting(records)
    outcomes, marginal = _in_percent(outcomes, "value", "low", "high"), _in_percent(marginal, *EFFECTS)
    parts = [
        *_lengths(lengths, survival),
        *_timing(timing),
        _waiting(waiting),
        *_outcomes(outcomes),
        *_marginal(marginal),
    ]
    findings = [*_of_lengths(lengths), *_of_timing(waiting), *_of_marginal(marginal)]
    text = [
        "Minutes are an estimate: rounds and decisions of the simulated games, times what we assume each takes at a "
        "table with quick and with slow players. The assumptions are listed with the method."
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


# --- how long --------------------------------------------------------------------------------------------
def _lengths(lengths: pl.DataFrame, survival: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(lengths, "rounds").is_empty():
        yield Figure(
            "survival",
            "How many games are still going on after each round",
            "The share of games that have not ended after so many rounds. A steep curve: one knows how long a game "
            "will take. A flat one: one does not. Where it crosses 50 %, half of the games are over."
            + ("" if survival["setting"].n_unique() <= MOST_CURVES else f" {MOST_CURVES} of the settings are drawn."),
            lambda: figures.curves(
                _some(survival).filter(pl.col("going_on") >= 0.0005), "round", "going_on", "setting",
                (figures.Scale("rounds"), figures.Scale("games going on", "percent")), "players", "players",
            ),
        )  # fmt: skip
    yield Table(
        "lengths",
        "How long games last",
        lengths,
        [
            PLAYERS, SETTING,
            Column("rounds", "rounds", "number1", "low", "high"),
            Column("rounds_10", "10 % over by round", "whole"),
            Column("rounds_50", "half over by", "whole"),
            Column("rounds_90", "90 % over by", "whole"),
            Column("decisions", "decisions", "whole"),
            Column("minutes_quick", "minutes, quick (estimate)", "whole"),
            Column("minutes_slow", "minutes, slow (estimate)", "whole"),
            N, METHOD, NOTE,
        ],
    )  # fmt: skip


def _some(survival: pl.DataFrame) -> pl.DataFrame:
    """At most so many settings as can be told apart: evenly chosen from the first to the last."""
    names = survival["setting"].unique(maintain_order=True).to_list()
    chosen = {names[round(k * (len(names) - 1) / (MOST_CURVES - 1))] for k in range(MOST_CURVES)}
    return survival if len(names) <= MOST_CURVES else survival.filter(pl.col("setting").is_in(sorted(chosen)))


def _of_lengths(lengths: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(lengths, "rounds").sort("rounds").to_dicts()
    if not known:
        return
    short, long = known[0], known[-1]
    if len(known) == 1:
        yield Finding(
            f"A game lasts {short['rounds']:.2f} rounds (95 %: {short['low']:.2f} to {short['high']:.2f}); eight of "
            f"ten end after {short['rounds_10']:.0f} to {short['rounds_90']:.0f}. At a table that is perhaps "
            f"{short['minutes_quick']:.0f} to {short['minutes_slow']:.0f} minutes (assumed pace).",
            "lengths", 0.2, short["n"], short["method"],
        )  # fmt: skip
        return
    ends = [
        f"{row['rounds']:.2f} rounds ({row['setting']}, {row['players']} players; 95 %: {row['low']:.2f} to "
        f"{row['high']:.2f}), perhaps {row['minutes_quick']:.0f} to {row['minutes_slow']:.0f} minutes"
        for row in (short, long)
    ]
    yield Finding(
        f"Games last from {ends[0]}, to {ends[1]} (minutes at an assumed pace).",
        "lengths", 0.2, short["n"] + long["n"], short["method"],
    )  # fmt: skip


def _timing(timing: pl.DataFrame) -> Iterator[Table]:
    yield Table(
        "timing",
        "When the threshold falls, and what the alien makes of it",
        timing,
        [
            PLAYERS, SETTING,
            Column("threshold", "threshold, projects", "whole"),
            Column("reached", "reached", "percent"),
            Column("threshold_round", "in round", "number1", "low", "high"),
            Column("waits", "rounds the alien lets pass", "number2"),
            Column("after", "rounds from reveal to invasion", "number2"),
            Column("at_once", "invasion at once", "percent"),
            Column("in_time", "time was up", "percent"),
            Column("no_project", "no project left", "percent"),
            Column("at_limit", "limit of rounds", "percent"),
            N, METHOD, NOTE,
        ],
    )  # fmt: skip


def _waiting(waiting: pl.DataFrame) -> Table:
    names = {
        "waits": "that the alien lets pass once it may reveal",
        "after": "from the reveal to the invasion",
    }
    return Table(
        "waiting",
        "How long the alien waits, over all games",
        waiting.with_columns(pl.col("what").replace_strict(names)),
        [Column("what", "what"), Column("rounds", "rounds", "number2", "low", "high"), N, METHOD, NOTE],
    )


def _of_timing(waiting: pl.DataFrame) -> Iterator[Finding]:
    known = {row["what"]: row for row in figures.drawable(waiting, "rounds").to_dicts()}
    if len(known) == 2:
        waits, after = (
            f"{row['rounds']:.2f} rounds (95 %: {row['low']:.2f} to {row['high']:.2f})"
            for row in (known["waits"], known["after"])
        )
        yield Finding(
            f"Once it may, the alien lets {waits} pass before it reveals, and {after} are played from then to the invasion.",
            "waiting", 0.06, known["waits"]["n"], known["waits"]["method"],
        )  # fmt: skip


# --- what the threshold does -----------------------------------------------------------------------------
def _outcomes(outcomes: pl.DataFrame) -> Iterator[Table | Figure]:
    known = figures.drawable(outcomes, "value").filter(pl.col("other") == pl.col("other").first())
    usual = known.filter(pl.col("extra").abs() == pl.col("extra").abs().min())
    if usual["multiplier"].n_unique() > 1:
        yield Figure(
            "outcomes",
            "What changes with the length",
            "Each against the multiplier: projects a player on the threshold (2 is a short game, 3 a standard and 4 an "
            "epic one), with 95 % intervals. A line that flattens: one more project does less and less.",
            lambda: _draw(usual, "multiplier", "multiplier: projects a player on the threshold"),
        )
    middle = sorted(known["multiplier"].unique().to_list())[known["multiplier"].n_unique() // 2 :][:1]
    alone = known.filter(pl.col("multiplier").is_in(middle))
    if alone["extra"].n_unique() > 1:
        yield Figure(
            "outcomes-alone",
            "What changes when the threshold moves alone",
            f"The same against projects added to or taken off the threshold, at multiplier {middle[0]:g}: attack cards "
            "and everything else stay as they are.",
            lambda: _draw(alone, "extra", "projects more on the threshold, for the whole table"),
        )
    columns = [
        Column("what", "outcome"), PLAYERS,
        Column("multiplier", "multiplier", "number1"),
        *([Column("extra", "extra", "signed1")] if outcomes["extra"].n_unique() > 1 else []),
        *([Column("other", "cells with")] if outcomes["other"].n_unique() > 1 else []),
        Column("threshold", "threshold", "whole"),
        Column("value", "value", "number2", "low", "high"),
        N, METHOD, NOTE,
    ]  # fmt: skip
    yield Table("outcomes", "Outcomes by threshold", outcomes, columns)


def _in_percent(frame: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """Win rates among other outcomes: in per cent, and so named."""
    is_rate = pl.col("outcome") == "alien_won"
    return frame.with_columns(
        *(pl.when(is_rate).then(pl.col(name) * 100).otherwise(pl.col(name)) for name in columns),
        what=pl.when(is_rate).then(pl.lit("the alien wins, %")).otherwise("what"),
    )


def _draw(rows: pl.DataFrame, x: str, label: str) -> object:
    """A panel for each outcome."""
    scaled = rows.with_columns(series=pl.col("players").cast(pl.String) + " players")
    scales = (figures.Scale(label), figures.Scale(""))
    return figures.lines(
        scaled, x, ("value", "low", "high"), "series", scales, "what", shared=False, across=2
    )


def _marginal(marginal: pl.DataFrame) -> Iterator[Table]:
    if marginal.is_empty():
        return
    yield Table(
        "marginal",
        "What one project more on the threshold does",
        marginal,
        [
            Column("what", "outcome"), PLAYERS,
            Column("by", "by"),
            *([Column("fixed", "at")] if any(marginal["fixed"].to_list()) else []),
            Column("step", "threshold"),
            Column("effect", "one project more", "signed2", "low", "high"),
            HOLM,
            Column("change", "than the step before", "signed2", "change_low", "change_high"),
            Column("returns", "returns"),
            METHOD, NOTE,
        ],
        "From each threshold of the run to the next, divided by the projects between them, in games that met the same "
        "luck. By multiplier: the attack cards change with it. By extra (--rule threshold_extra): the threshold moves "
        "alone.",
    )  # fmt: skip


def _of_marginal(marginal: pl.DataFrame) -> Iterator[Finding]:
    rows = marginal.filter((pl.col("outcome") == "alien_won") & pl.col("effect").is_not_null())
    rows = rows.with_columns(pl.col(*EFFECTS) / 100)
    clear = rows.filter(pl.col("p_holm") < LEVEL).sort(pl.col("effect").abs(), descending=True)
    if clear.is_empty():
        return
    row = clear.to_dicts()[0]
    low, high = sorted((abs(row["low"]), abs(row["high"])))
    at = f" ({row['fixed']})" if row["fixed"] else ""
    words = {"growing": "more than the projects before it", "diminishing": "less than the projects before it"}
    returns = f" That is {words[row['returns']]}." if row["returns"] in words else ""
    yield Finding(
        f"One more project on the threshold {'helps' if row['effect'] > 0 else 'hurts'} the alien: from {row['step']} "
        f"with {row['players']} players{at}, the largest estimate of all, by {points(row['effect'])} of its win rate a "
        f"project (95 %: {low * 100:.1f} to {high * 100:.1f}).{returns}",
        "marginal", abs(row["effect"]) * 4, row["blocks"],
        "difference by blocks (n is blocks), corrected for all rows (Holm)",
    )  # fmt: skip
