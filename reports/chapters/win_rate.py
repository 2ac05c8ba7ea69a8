"""Win rates: the alien against the humans, seats, endgame cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from analysis import win_rates
from analysis.comparisons import LEVEL, more_often, points
from analysis.records import Records
from reports import figures
from reports.columns import DIFFERENCE, HOLM, METHOD, NOTE, SEATS, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import goal, listed, percent, with_interval

ID, TITLE = "win-rate", "Win rates"
QUESTION = "Do the humans and the alien win about equally often, and does it matter where one sits?"


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    roles, whole = win_rates.by_role(records), win_rates.of_alien(records)
    seats, tests = win_rates.by_distance(records), win_rates.seat_tests(records)
    endgame = win_rates.by_endgame(records)
    rate = Column("rate", "alien wins", "percent", "low", "high")
    by_length = win_rates.of_alien(records, "setting")
    parts = [
        *_roles(roles),
        Table("alien-overall", "How often the alien wins, over all games", whole, [rate, N, METHOD, NOTE]),
        Table(
            "alien-by-length",
            "How often the alien wins, by length",
            by_length,
            [Column("setting", "length"), rate, N, METHOD, NOTE],
        ),
        *_seats(seats, tests),
        *_endgame(endgame),
    ]
    findings = [*_of_balance(whole, roles, target), *_of_seats(seats, tests), *_of_endgame(endgame)]
    text = [
        "A fair share can mean two things: every player wins equally often (1 / players), or the alien wins as often "
        "as all humans together (50 %). Both are shown."
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


# --- the alien and the humans ----------------------------------------------------------------------------
def _roles(roles: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(roles, "alien").is_empty():
        yield Figure(
            "roles",
            "The alien and each human, by number of players",
            "Dots: how often the alien wins, and what is left for each human on average. Grey ticks: the fair share "
            "if every player were to win equally often. Dashed: 50 %. The further a dot is from its tick, the "
            "more one would rather (or rather not) be dealt that role.",
            lambda: _draw_roles(roles),
        )
    yield Table(
        "by-role",
        "The alien against each human",
        roles,
        [
            Column("players", "players", "whole"),
            Column("alien", "alien wins", "percent", "low", "high"),
            Column("each_human", "each human wins", "percent"),
            Column("fair", "1 / players", "percent"),
            N, METHOD, NOTE,
        ],
    )  # fmt: skip


def _draw_roles(roles: pl.DataFrame) -> object:
    others = pl.col("players").cast(pl.Float64) - 1
    rows = []
    for role in ("the alien", "each human"):
        share = (
            (lambda name: pl.col(name)) if role == "the alien" else (lambda name: (1 - pl.col(name)) / others)
        )
        ends = ("low", "high") if role == "the alien" else ("high", "low")
        rows.append(
            roles.select(
                pl.lit(role).alias("role"),
                (pl.col("players").cast(pl.String) + " players").alias("label"),
                share("alien").alias("rate"), share(ends[0]).alias("low"), share(ends[1]).alias("high"), "fair",
            )
        )  # fmt: skip
    return figures.dots(
        pl.concat(rows), "label", ("rate", "low", "high"), figures.Scale("share of games won", "percent"),
        reference=0.5, panel="role", expected="fair", text=percent,
    )  # fmt: skip


def _of_balance(whole: pl.DataFrame, roles: pl.DataFrame, target: float) -> Iterator[Finding]:
    known = figures.drawable(whole, "rate").to_dicts()
    if not known:
        return
    row = known[0]
    away = row["rate"] - target
    clear = row["low"] > target or row["high"] < target
    verdict = f"{points(away)} {'more' if away > 0 else 'less'} than the target of {goal(target)}"
    if not clear:
        verdict = f"as good as the target of {goal(target)}"
    yield Finding(
        f"The alien wins {with_interval(row['rate'], row['low'], row['high'])} of all games of this study, its aliens, lengths and table sizes taken together: {verdict}.",
        "alien-overall", 1.0, row["n"], row["method"],
    )  # fmt: skip
    sizes = figures.drawable(roles, "alien").to_dicts()
    if len(sizes) > 1:
        first, last = sizes[0], sizes[-1]
        change = last["alien"] - first["alien"]
        if first["low"] > last["high"] or first["high"] < last["low"]:
            yield Finding(
                f"More players make it {'easier' if change > 0 else 'harder'} for the alien: with {first['players']} "
                f"it wins {with_interval(first['alien'], first['low'], first['high'])}, with {last['players']} players "
                f"{with_interval(last['alien'], last['low'], last['high'])}.",
                "by-role", abs(change), first["n"] + last["n"], first["method"],
            )  # fmt: skip


# --- seats -----------------------------------------------------------------------------------------------
def _seats(seats: pl.DataFrame, tests: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(seats, "difference").is_empty():
        yield Figure(
            "seats",
            "Seat advantage",
            "How much more or less often than its fair share a seat wins, by its distance clockwise from the first "
            "president (0 is the president). An interval that crosses the dashed line may well be nothing.",
            lambda: figures.dots(
                seats.with_columns(
                    label=pl.when(pl.col("distance") == 0).then(pl.lit("first president"))
                    .otherwise(pl.col("distance").cast(pl.String) + " to the left"),
                    panel=pl.col("players").cast(pl.String) + " players",
                ).sort("distance", "players", maintain_order=True),
                "label", ("difference", "difference_low", "difference_high"),
                figures.Scale("points", "points"), reference=0, panel="panel",
            ),
        )  # fmt: skip
    yield Table(
        "by-seat",
        "Win rate by distance from the first president",
        seats,
        [
            Column("players", "players", "whole"),
            Column("distance", "distance", "whole"),
            Column("rate", "wins", "percent", "low", "high"),
            Column("expected", "fair", "percent"),
            DIFFERENCE, HOLM, N, METHOD, NOTE,
        ],
    )  # fmt: skip
    yield Table(
        "seat-tests",
        "Does the seat matter at all?",
        tests,
        [
            Column("players", "players", "whole"),
            Column("chi_square", "chi-square", "number1"),
            Column("freedom", "degrees of freedom", "whole"),
            Column("p", "p", "p"), HOLM, N, METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_seats(seats: pl.DataFrame, tests: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(seats, "difference")
    if known.is_empty():
        return
    clear = known.filter(pl.col("p_holm") < LEVEL)
    n = int(known.group_by("players").agg(pl.col("n").max())["n"].sum())
    if clear.is_empty():
        widest = known.select(
            pl.max_horizontal(pl.col("difference_low").abs(), pl.col("difference_high").abs())
        ).to_series()
        yield Finding(
            f"No seat is clearly better than another: none is shown to differ from its fair share, and none differs "
            f"by more than {points(max(widest.to_list()))} (95 %).",
            "by-seat", 0.01, n, known["method"][0],
        )  # fmt: skip
        return
    row = clear.sort(pl.col("difference").abs(), descending=True).to_dicts()[0]
    who = (
        "The first president"
        if row["distance"] == 0
        else f"The seat {row['distance']} to the left of the first president"
    )
    sizes = listed([str(k) for k in clear["players"].unique().sort().to_list()])
    yield Finding(
        f"{who} wins {_words(row)} than its fair share with {row['players']} players, the largest difference of any seat; "
        f"single seats stand out with {sizes} players.",
        "by-seat", abs(row["difference"]), row["n"], "difference by blocks, corrected for all seats (Holm)",
    )  # fmt: skip


# --- endgame cards ---------------------------------------------------------------------------------------
def _endgame(endgame: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(endgame, "difference").is_empty():
        yield Figure(
            "endgame",
            "Endgame cards of the humans",
            "How much more or less often a human wins with each card than the average human of the same cells. "
            "Cards are dealt at random, so that this is what the card is worth in these strategies' hands.",
            lambda: figures.dots(
                endgame.sort("difference", descending=True), "endgame",
                ("difference", "difference_low", "difference_high"), figures.Scale("points", "points"), reference=0,
            ),
        )  # fmt: skip
    yield Table(
        "by-endgame",
        "Win rate of humans by endgame card",
        endgame.sort("difference", descending=True, nulls_last=True),
        [
            Column("endgame", "card"),
            Column("rate", "wins", "percent", "low", "high"),
            Column("expected", "average human", "percent"),
            DIFFERENCE, HOLM, SEATS, METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_endgame(endgame: pl.DataFrame) -> Iterator[Finding]:
    clear = figures.drawable(endgame, "difference").filter(pl.col("p_holm") < LEVEL).sort("difference")
    if len(clear) < 2:
        return
    worst, best = clear.to_dicts()[0], clear.to_dicts()[-1]
    if worst["difference"] < 0 < best["difference"]:
        yield Finding(
            f"Among the humans' endgame cards {best['endgame']} is worth most: with it a human wins "
            f"{_words(best)} than average, with {worst['endgame']} {_words(worst)}.",
            "by-endgame", best["difference"] - worst["difference"], best["n"] + worst["n"],
            "difference by blocks, corrected for all cards (Holm)",
        )  # fmt: skip


def _words(row: dict[str, Any]) -> str:
    return more_often(row["difference"], row["difference_low"], row["difference_high"])
