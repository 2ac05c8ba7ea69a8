"""Luck and skill: what decides who wins."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis.lab.luck import BETWEEN
from analysis.lab.luck_words import MOST_PLAYED, games_text, share_text
from analysis.lab.pickfreeze import Share
from analysis.lab.stages import Result
from reports import figures
from reports.columns import METHOD, NOTE
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "luck", "Luck and skill"
QUESTION = "How much of who wins is decided by who plays how, by the roles, and by the cards?"
WINNER = "winner"
#: as they are read from left to right: what is known first comes first
ORDER = (
    "roles", "strategies", "strategies × roles", "cards", "roles × cards", "strategies × cards",
    "strategies × roles × cards",
)  # fmt: skip
NAMES = {
    "strategies × roles": "which strategy has which role",
    "strategies × roles × cards": "all three together",
    "roles × cards": "roles and cards together",
    "strategies × cards": "strategies and cards together",
}
LEGEND = {part: NAMES.get(part, f"{part} alone") for part in ORDER}
SHARE = Column("share", "share", "percent", "share_low", "share_high")
TEXT = (
    "The result of a game hangs on the strategies, on the roles (who is the alien, the endgame cards, who begins) "
    "and on the cards (research, projects, events, attack, and the strategies' own dice). Their shares are shares of "
    "the variance of the result. 'Alone' is what can be foretold from that alone. What several decide together can "
    "be foretold from none of them: the same strategy in the same role wins with one deal and loses with another.",
    "The share of the variance of one game is small even for a strategy that is clearly better: with a win rate of "
    "35 % where 25 % would be fair, nobody can foretell a single game. So the chapter also says how many games it "
    "takes until a player's average tells more of the strategy than of luck.",
    "What strategies decide hangs on the strategies that are at the table. Among those that play about equally well "
    "nearly everything is luck; with a beginner among them (try the strategy random) it is not.",
)


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    tables = result.tables
    parts: list[Table | Figure] = [
        *_parts_figure(tables["parts"]),
        _parts(tables["parts"]),
        *_inputs(tables["inputs"]),
        _groups(tables["groups"]),
        *_own(tables["own"]),
        _strategies(tables["strategies"]),
        _pairs(tables["pairs"]),
    ]
    return Chapter(ID, TITLE, QUESTION, TEXT, parts, list(_findings(result)))


def _findings(result: Result) -> Iterator[Finding]:
    blocks = int(result.facts["blocks"])
    for number, line in enumerate(result.verdict):
        about_own = "own strategy" in line or "average" in line or "No strategy" in line
        evidence = "luck-own" if about_own else "luck-inputs" if "With other luck" in line else "luck-parts"
        method = BETWEEN if about_own else "shares of variance by pick and freeze, by blocks"
        yield Finding(line, evidence, 1.0 - number / 100, blocks, method)


# --- the parts -----------------------------------------------------------------------------------------------
def _parts_figure(parts: pl.DataFrame) -> Iterator[Figure]:
    known = figures.drawable(parts, "share")
    if not known.is_empty():
        wide = known.pivot("part", index="what", values="share", maintain_order=True)
        present = [part for part in ORDER if part in wide.columns]
        yield Figure(
            "luck-parts",
            "What decides the result",
            "Shares of the variance of who wins, of whether the alien wins, of how well the humans' defences hold, "
            "and of the length. The parts of a bar add up to 100 %.",
            lambda: figures.stacked(
                wide, "what", [(part, LEGEND[part]) for part in present],
                figures.Scale("share of the variance", "percent"), lambda value: f"{value * 100:.0f}",
            ),
        )  # fmt: skip


def _parts(parts: pl.DataFrame) -> Table:
    """A row a part, a column an outcome: each with its interval."""
    outcomes = parts.select("outcome", "what").unique(maintain_order=True).to_dicts()
    order = [part for part in ORDER if part in parts["part"].to_list()]
    frame = pl.DataFrame({"part": [LEGEND[part] for part in order]})
    columns = [Column("part", "decided by")]
    for one in outcomes:
        name = one["outcome"]
        mine = {row["part"]: row for row in parts.filter(pl.col("outcome") == name).iter_rows(named=True)}
        for source, end in (("share", ""), ("share_low", "_low"), ("share_high", "_high")):
            values = [mine[part][source] for part in order]
            frame = frame.with_columns(pl.Series(name + end, values, pl.Float64))
        columns.append(Column(name, one["what"], "percent", f"{name}_low", f"{name}_high"))
    ends = parts.select(pl.col("n", "method", "note").first())
    frame = frame.with_columns(**{key: pl.lit(ends[key][0]) for key in ends.columns})
    return Table(
        "luck-parts",
        "What decides the result, as shares of its variance",
        frame,
        [*columns, Column("n", "games an arm", "whole"), METHOD, NOTE],
        "The figures of a column add up to 100 %, but for rounding and shares that come out below 0.",
    )


# --- single inputs -------------------------------------------------------------------------------------------
def _inputs(inputs: pl.DataFrame) -> Iterator[Table | Figure]:
    known = figures.drawable(inputs.filter(pl.col("outcome") == WINNER), "total")
    if not known.is_empty():
        yield Figure(
            "luck-inputs",
            "Single inputs: foretold from it alone, and changed by it",
            "Left: the share of who wins that can be foretold from this alone. Right: how often another player wins "
            "if only this is drawn anew; where that is large and the left one small, the game goes on from there in "
            "another way, but in none that could be foretold. The panels have scales of their own.",
            lambda: figures.dots(
                _two_panels(known), "input", ("value", "low", "high"), figures.Scale("share", "percent"),
                panel="panel", shared=False,
            ),
        )  # fmt: skip
    yield Table(
        "luck-inputs",
        "Single inputs",
        inputs,
        [
            Column("what", "result"), Column("input", "input"),
            Column("first", "alone", "percent", "first_low", "first_high"),
            Column("total", "alone and with others", "percent", "total_low", "total_high"),
            Column("changes", "result changes", "percent", "changes_low", "changes_high"),
            Column("n", "games an arm", "whole"), METHOD, NOTE,
        ],
        "'Result changes': in so many games the result is another when only this is drawn anew.",
    )  # fmt: skip


def _two_panels(known: pl.DataFrame) -> pl.DataFrame:
    def side(name: str, panel: str) -> pl.DataFrame:
        return known.select("input", value=name, low=f"{name}_low", high=f"{name}_high", panel=pl.lit(panel))

    return pl.concat([side("first", "decides alone"), side("changes", "another player wins")])


def _groups(groups: pl.DataFrame) -> Table:
    return Table(
        "luck-groups",
        "Strategies, roles, cards",
        groups,
        [
            Column("what", "result"), Column("group", "group"),
            Column("alone", "alone", "percent", "alone_low", "alone_high"),
            Column("total", "alone and with others", "percent", "total_low", "total_high"),
            SHARE, Column("n", "games an arm", "whole"), METHOD, NOTE,
        ],
        "'Share': its own part, and an even share of every part it has with others (Shapley's value); the shares of "
        "a result add up to 100 %.",
    )  # fmt: skip


def _pairs(pairs: pl.DataFrame) -> Table:
    frame = pairs.filter(pl.col("outcome") == WINNER)
    return Table(
        "luck-pairs",
        "Who wins: what hangs on two inputs at once",
        frame,
        [
            Column("one", "input"), Column("other", "and"), Column("share", "share", "percent", "low", "high"),
            Column("p_holm", "p, corrected", "p"), Column("n", "games an arm", "whole"), METHOD, NOTE,
        ],
        "The share of who wins that hangs on both at once, and perhaps on more besides. These shares overlap.",
    )  # fmt: skip


# --- strategies ----------------------------------------------------------------------------------------------
def _own(own: pl.DataFrame) -> Iterator[Table]:
    if own.is_empty():
        return
    shares = pl.struct("share", "share_low", "share_high").map_elements(_two_digits, return_dtype=pl.String)
    games = [
        pl.col(name).map_elements(_games, return_dtype=pl.String, skip_nulls=False).alias(f"{name}_text")
        for name in ("games", "games_low", "games_high")
    ]
    yield Table(
        "luck-own",
        "What the own strategy decides, and how many games it takes to see it",
        own.with_columns(shares.alias("text"), *games),
        [
            Column("seat", "whose win"), Column("text", "decided by the own strategy"),
            Column("games_text", "games until half is strategy"), Column("games_low_text", "at least"),
            Column("games_high_text", "at most"), Column("n", "games an arm", "whole"), METHOD, NOTE,
        ],
        "After so many games of one strategy against others from the same list, luck and strategy have an equal "
        "share in how its average differs from that of the others. 'At least' and 'at most': the ends of a 95 % "
        "interval.",
    )  # fmt: skip


def _two_digits(row: dict[str, float | None]) -> str:
    """Small shares."""
    value, low, high = row.values()
    return "–" if value is None or low is None or high is None else share_text(Share(value, low, high))


def _games(value: float | None) -> str:
    return "never" if value is None or value > MOST_PLAYED else games_text(value)


def _strategies(frame: pl.DataFrame) -> Table:
    return Table(
        "luck-strategies",
        "How often each strategy wins",
        frame,
        [
            Column("strategy", "strategy"),
            Column("strategy_wins", "wins", "percent", "strategy_low", "strategy_high"),
            Column("human_wins", "as a human", "percent", "human_low", "human_high"),
            Column("alien_wins", "as the alien", "percent", "alien_low", "alien_high"),
            Column("fair", "fair share", "percent"), Column("seats", "seats", "whole"), METHOD,
        ],
        "In the games as they are, nothing drawn anew. Equal fame shares the point.",
    )  # fmt: skip
