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
QUESTION = "How long does a game last, and what does a later threshold change?"


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    lengths, survival = threshold_length.lengths(records), threshold_length.survival(records)
    timing = threshold_length.timing(records)
    outcomes, marginal = threshold_length.outcomes(records), threshold_length.marginal(records)
    waiting = threshold_length.waiting(records)
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
            "will take. A flat one: one does not. Where it crosses 50 %, half of the games are over.",
            lambda: figures.curves(
                survival.filter(pl.col("going_on") >= 0.0005), "round", "going_on", "setting",
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
        f"{row['rounds']:.1f} rounds ({row['setting']}, {row['players']} players; 95 %: {row['low']:.2f} to "
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
            Column("waits", "alien waits, rounds", "number2"),
            Column("after", "rounds from reveal to invasion", "number2"),
            Column("at_once", "invasion at once", "percent"),
            Column("in_time", "time was up", "percent"),
            Column("no_project", "no project left", "percent"),
            Column("at_limit", "limit of rounds", "percent"),
            N, METHOD, NOTE,
        ],
    )  # fmt: skip


def _waiting(waiting: pl.DataFrame) -> Table:
    names = {"waits": "from the threshold to the reveal", "after": "from the reveal to the invasion"}
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
            f"Once it may, the alien waits {waits} before it reveals, and {after} are played from then to the invasion.",
            "waiting", 0.06, known["waits"]["n"], known["waits"]["method"],
        )  # fmt: skip


# --- what the threshold does -----------------------------------------------------------------------------
def _outcomes(outcomes: pl.DataFrame) -> Iterator[Table | Figure]:
    known = figures.drawable(outcomes, "value")
    thresholds = known.group_by("players").agg(pl.col("a_player").n_unique())["a_player"].to_list()
    if max(thresholds, default=0) > 1:
        drawn = known.filter(pl.col("outcome").is_in(["alien_won", "scoops", "level", "lead_changes"]))
        scaled = drawn.with_columns(
            pl.when(pl.col("outcome") == "alien_won")
            .then(pl.col(name) * 100)
            .otherwise(pl.col(name))
            .alias(name)
            for name in ("value", "low", "high")
        ).with_columns(
            what=pl.when(pl.col("outcome") == "alien_won")
            .then(pl.lit("the alien wins, %"))
            .otherwise(pl.col("what")),
            series=pl.col("players").cast(pl.String) + " players",
        )
        yield Figure(
            "outcomes",
            "What changes with the threshold",
            "Each against the threshold in projects a player (2 is a short game, 3 a standard and 4 an epic one), "
            "with 95 % intervals. A line that flattens: one more project does less and less.",
            lambda: figures.lines(
                scaled, "a_player", ("value", "low", "high"), "series",
                (figures.Scale("threshold, projects a player"), figures.Scale("")), "what", shared=False, across=2,
            ),
        )  # fmt: skip
    yield Table(
        "outcomes",
        "Outcomes by threshold",
        outcomes,
        [
            Column("what", "outcome"), PLAYERS,
            Column("threshold", "threshold", "whole"),
            Column("a_player", "a player", "number2"),
            Column("value", "value", "number2", "low", "high"),
            N, METHOD, NOTE,
        ],
        "Shares (the alien wins) are given as numbers between 0 and 1.",
    )  # fmt: skip


def _marginal(marginal: pl.DataFrame) -> Iterator[Table]:
    if marginal.is_empty():
        return
    yield Table(
        "marginal",
        "What one project more on the threshold does",
        marginal,
        [
            Column("what", "outcome"), PLAYERS,
            Column("step", "threshold"),
            Column("effect", "one project more", "signed2", "low", "high"),
            HOLM,
            Column("change", "than the step before", "signed2", "change_low", "change_high"),
            Column("returns", "returns"),
            METHOD, NOTE,
        ],
        "From each threshold of the run to the next, divided by the projects between them, in games that met the same "
        "luck. With the length both threshold and attack cards change; a run with --rule threshold_extra moves the "
        "threshold alone.",
    )  # fmt: skip


def _of_marginal(marginal: pl.DataFrame) -> Iterator[Finding]:
    rows = marginal.filter((pl.col("outcome") == "alien_won") & pl.col("effect").is_not_null())
    clear = rows.filter(pl.col("p_holm") < LEVEL).sort(pl.col("effect").abs(), descending=True)
    if clear.is_empty():
        return
    row = clear.to_dicts()[0]
    low, high = sorted((abs(row["low"]), abs(row["high"])))
    words = {"growing": "more than the projects before it", "diminishing": "less than the projects before it"}
    returns = f" That is {words[row['returns']]}." if row["returns"] in words else ""
    yield Finding(
        f"One more project on the threshold {'helps' if row['effect'] > 0 else 'hurts'} the alien most from "
        f"{row['step']} with {row['players']} players: {points(row['effect'])} of its win rate a project (95 %: "
        f"{low * 100:.1f} to {high * 100:.1f}).{returns}",
        "marginal", abs(row["effect"]) * 4, row["blocks"],
        "difference by blocks (n is blocks), corrected for all rows (Holm)",
    )  # fmt: skip
