"""Win rates: how often the Alliance wins, and how games end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from analysis.comparisons import LEVEL, more_often, points
from analysis.records import Records
from analysis.target_earth import win_rates
from analysis.target_earth.records import ENDINGS
from reports import figures
from reports.columns import HOLM, METHOD, NOTE, PLAYERS, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.target_earth.columns import SETTING, WINS
from reports.words import goal, listed, percent, with_interval

ID, TITLE = "win-rate", "Win rates"
QUESTION = "How often does the Alliance win, with how many players and in which mode, and what loses the other games?"
SHORT = {
    "won_last": "won at the end", "won_sudden": "won early", "lost_sudden": "lost early: aliens far ahead",
    "lost_impossible": "lost early: science out of reach", "lost_both": "lost: neither points nor science",
    "lost_science": "lost: ahead, but no science", "lost_points": "lost: science, but behind",
}  # fmt: skip
CAUSES = {
    "lost_sudden": "the aliens are far ahead before the last turn",
    "lost_impossible": "alien science has come out of reach before the last turn",
    "lost_both": "it has neither more points nor alien science at the end",
    "lost_science": "it is ahead, but without alien science",
    "lost_points": "it has alien science, but is not ahead",
}


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    overall = win_rates.of_alliance(records)
    by_game = win_rates.of_alliance(records, "players", "setting")
    endings = win_rates.endings(records, "players", "setting")
    losses = win_rates.of_losses(records)
    modes = win_rates.steps(records, "mode", ["players", "variant", "line_up", "options"])
    options = win_rates.steps(records, "options", ["players", "mode", "variant", "line_up"], from_first=True)
    parts: list[Table | Figure] = [*_rates(overall, by_game, target), *_endings(endings, losses)]
    parts += [*_modes(modes), *_options(options)]
    findings = [
        *_of_all(overall, by_game, target),
        *_of_losses(losses),
        *_of_modes(modes),
        *_of_options(options),
    ]
    text = [
        "All players win or lose together, so everything here counts games, not seats. Who plays alone has several "
        "bases; with the same strategy at every base that is the same as so many players.",
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


# --- rates -------------------------------------------------------------------------------------------------
def _rates(overall: pl.DataFrame, by_game: pl.DataFrame, target: float) -> Iterator[Table | Figure]:
    if not figures.drawable(by_game, "rate").is_empty():
        yield Figure(
            "alliance",
            "How often the Alliance wins",
            f"By number of players and mode, with 95 % intervals. The dashed line is the target of {goal(target)}.",
            lambda: _drawn(by_game, target),
        )
    columns = [WINS, N, METHOD, NOTE]
    yield Table("alliance-overall", "The Alliance in all games", overall, columns)
    yield Table("alliance-by-game", "The Alliance by players and mode", by_game, [PLAYERS, SETTING, *columns])


def _drawn(by_game: pl.DataFrame, target: float) -> Any:
    scale = figures.Scale("Alliance wins", "percent")
    if by_game["players"].n_unique() > 1:
        return figures.lines(
            by_game, "players", ("rate", "low", "high"), "setting", (figures.Scale("players"), scale),
            reference=target,
        )  # fmt: skip
    return figures.dots(by_game, "setting", ("rate", "low", "high"), scale, reference=target)


def _of_all(overall: pl.DataFrame, by_game: pl.DataFrame, target: float) -> Iterator[Finding]:
    for row in figures.drawable(overall, "rate").to_dicts():
        away = row["rate"] - target
        clear = row["low"] > target or row["high"] < target
        verdict = f"{points(away)} {'more' if away > 0 else 'less'} than the target of {goal(target)}"
        if not clear:
            verdict = f"as good as the target of {goal(target)}"
        yield Finding(
            f"The Alliance wins {with_interval(row['rate'], row['low'], row['high'])} of all games of this study, "
            f"its modes, strategies and table sizes taken together: {verdict}.",
            "alliance-overall", 1.0, row["n"], row["method"],
        )  # fmt: skip
    known = figures.drawable(by_game, "rate").sort("rate").to_dicts()
    if len(known) > 1:
        worst, best = known[0], known[-1]
        if best["low"] > worst["high"]:
            yield Finding(
                f"It depends on the table: {_told(best)} the Alliance wins "
                f"{with_interval(best['rate'], best['low'], best['high'])}, {_told(worst)} "
                f"{with_interval(worst['rate'], worst['low'], worst['high'])}.",
                "alliance-by-game", best["rate"] - worst["rate"], best["n"] + worst["n"], best["method"],
            )  # fmt: skip


def _told(row: dict[str, Any]) -> str:
    who = f"{row['players']} players" if row["players"] > 1 else "one player"
    return f"with {who} ({row['setting']})"


# --- endings -----------------------------------------------------------------------------------------------
def _endings(endings: pl.DataFrame, losses: pl.DataFrame) -> Iterator[Table | Figure]:
    known = figures.drawable(endings, "won_last")
    if not known.is_empty():
        yield Figure(
            "endings",
            "How games end",
            "Blue and orange are won, the others lost. Early: before the last turn, when one side is far ahead, or "
            "when the Alliance can no longer reach the alien science that it needs.",
            lambda: figures.stacked(
                known.with_columns(
                    panel=pl.col("players").cast(pl.String)
                    + pl.when(pl.col("players") == 1).then(pl.lit(" player")).otherwise(pl.lit(" players"))
                ),
                "setting", [(column, SHORT[column]) for column, _ in ENDINGS.values()],
                figures.Scale("games", "percent"), lambda share: f"{share * 100:.0f} %", panel="panel",
            ),
        )  # fmt: skip
    yield Table(
        "endings",
        "How games end",
        endings,
        [
            PLAYERS, SETTING,
            *(Column(one, SHORT[one], "percent") for one, _ in ENDINGS.values()),
            N, NOTE,
        ],
    )  # fmt: skip
    yield Table(
        "losses",
        "What loses games",
        losses.with_columns(cause=pl.col("ending").replace_strict({k: SHORT[k] for k in CAUSES})),
        [
            Column("cause", "ending"), Column("rate", "of lost games", "percent", "low", "high"),
            Column("n", "lost games", "whole"), METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_losses(losses: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(losses, "rate").sort("rate", descending=True).to_dicts()
    if len(known) > 1:
        first, second = known[0], known[1]
        most = "Most often" if first["low"] > second["high"] else "Among the most frequent reasons,"
        yield Finding(
            f"{most} the Alliance loses because {CAUSES[first['ending']]}: "
            f"{with_interval(first['rate'], first['low'], first['high'])} of the lost games; then because "
            f"{CAUSES[second['ending']]}: {percent(second['rate'])}.",
            "losses", 0.6 * first["rate"] + 0.1, first["n"], first["method"],
        )  # fmt: skip


# --- modes -------------------------------------------------------------------------------------------------
def _modes(modes: pl.DataFrame) -> Iterator[Table]:
    if len(modes):
        yield Table(
            "modes",
            "What another mode does",
            modes,
            [
                PLAYERS, Column("variant", "game"), Column("line_up", "strategies"), Column("options", "options"),
                Column("one", "from"), Column("other", "to"),
                Column("difference", "Alliance wins, points", "points", "low", "high"), HOLM, METHOD, NOTE,
            ],
            "The same luck in both, as far as the games go alike.",
        )  # fmt: skip


def _of_modes(modes: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(modes, "difference")
    if known.is_empty():
        return
    wrong = known.filter(
        (pl.col("difference") > 0) & (pl.col("p_holm") < LEVEL) & (pl.col("other") != "random")
    )
    if wrong.is_empty():
        clear = known.filter((pl.col("p_holm") < LEVEL) & (pl.col("other") != "random"))
        if len(clear):
            steps = known.filter(pl.col("other") != "random").group_by("one", "other", maintain_order=True).agg(
                pl.col("difference").mean()
            )  # fmt: skip
            told = [
                f"{points(row['difference'])} from {row['one']} to {row['other']}" for row in steps.to_dicts()
            ]
            yield Finding(
                f"Harder modes are harder: the Alliance wins less often by {listed(told)} on average; "
                f"{len(clear)} of {len(known)} steps are clear.",
                "modes", 0.3, int(known["blocks"].sum()),
                "difference by blocks, corrected (Holm)",
            )  # fmt: skip
        return
    row = wrong.to_dicts()[0]
    yield Finding(
        f"The modes are out of order: with {row['players']} players the Alliance wins {points(row['difference'])} "
        f"more often in {row['other']} mode than in {row['one']} mode.",
        "modes", 0.5, row["blocks"], "difference by blocks, corrected (Holm)",
    )  # fmt: skip


# --- options -----------------------------------------------------------------------------------------------
def _options(options: pl.DataFrame) -> Iterator[Table]:
    if len(options):
        yield Table(
            "options",
            "What options do",
            options,
            [
                PLAYERS, Column("mode", "mode"), Column("variant", "game"), Column("line_up", "strategies"),
                Column("one", "from"), Column("other", "to"),
                Column("difference", "Alliance wins, points", "points", "low", "high"), HOLM, METHOD, NOTE,
            ],
            "The same luck in both, as far as the games go alike.",
        )  # fmt: skip


def _of_options(options: pl.DataFrame) -> Iterator[Finding]:
    clear = figures.drawable(options, "difference").filter(pl.col("p_holm") < LEVEL)
    if len(clear):
        row = clear.sort(pl.col("difference").abs(), descending=True).to_dicts()[0]
        often = more_often(row["difference"], row["low"], row["high"])
        yield Finding(
            f"Of all options {row['other']} (instead of {row['one']}) does most: with {row['players']} players in "
            f"{row['mode']} mode the Alliance wins {often}.",
            "options", abs(row["difference"]), row["blocks"], "difference by blocks, corrected (Holm)",
        )  # fmt: skip
