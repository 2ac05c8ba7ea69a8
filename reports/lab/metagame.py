"""Metagame: which strategies are played in the long run, what beats what, and whether the mixture holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from analysis.lab.stages import Result
from reports import figures
from reports.columns import METHOD, NOTE, PLAYERS
from reports.lab.shapes_metagame import answers
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import counted

ID, TITLE = "metagame", "Metagame"
QUESTION = "If everybody may choose how to play, what is played in the end?"
VIEWS = {"both": "in all", "alien": "as the alien", "human": "as a human"}
SHARES = {"alpha": "alpha-rank", "nash": "Nash of the matchups", "field": "field that was played"}
OPEN = "open"

TEXT = (
    "Matchups: one seat plays a strategy, all others play another one. What that seat wins, times the "
    "number of players, is its payoff: 1 is the fair share.",
    "Alpha-rank says how much of the time everybody plays a strategy if now and then somebody tries another "
    "one, and what does better takes over. The Nash mixture is one that nobody gains by leaving; of "
    "several, the stable ones come first, then the most even, then the one that does best against all "
    "strategies alike. Matchups know nothing of tables where three strategies meet, so the mixture was then "
    "played at full tables, and mended where somebody gained.",
    "These strategies are not all there are: a field that none of them exploits may be exploited by another "
    "one.",
)


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    tables = result.tables
    parts: list[Table | Figure] = [
        _ranking(tables["ranking"]),
        *_rounds(tables["rounds"]),
        _roles(tables["roles"]),
    ]
    for players in result.facts["players"]:
        parts += _pictures(tables, players, len(result.facts["players"]) > 1)
    parts += [_best(tables["best"]), *_dominated(tables["dominated"]), _cycles(tables["cycles"])]
    parts += [_equilibria(tables["equilibria"]), _matchups(tables["matchups"]), _effort(tables["effort"])]
    return Chapter(ID, TITLE, QUESTION, TEXT, parts, [Finding(**one) for one in result.facts["findings"]])


# --- tables ----------------------------------------------------------------------------------------------
def _several(frame: pl.DataFrame, columns: Sequence[Column]) -> list[Column]:
    """The number of players in front, if there are several."""
    return [PLAYERS, *columns] if frame["players"].n_unique() > 1 else list(columns)


def _ranking(frame: pl.DataFrame) -> Table:
    columns = [
        Column("strategy", "strategy"),
        Column("alpha", "alpha-rank", "percent", "alpha_low", "alpha_high"),
        Column("nash", "Nash", "percent", "nash_low", "nash_high"),
        Column("field", "in the field", "percent"),
        Column("gain", "gain against it, points", "points", "gain_low", "gain_high"),
        Column("average", "against all alike", "number2", "average_low", "average_high"),
        Column("beaten_by", "dominated by"), Column("n", "n", "whole"), METHOD, NOTE,
    ]  # fmt: skip
    return Table(
        "metagame-ranking",
        "What is played in the long run",
        frame,
        _several(frame, columns),
        "Intervals of shares: the middle 95 % of what payoffs redrawn from their joint distribution give. "
        "Gains are in points of win rate, their intervals hold for all strategies and rounds together. "
        "Against all alike: payoff if everybody else plays one strategy, each as often; 1 is the fair "
        "share, n the seats it rests on.",
    )


def _rounds(frame: pl.DataFrame) -> Iterator[Table]:
    if frame.is_empty():
        return
    columns = [
        Column("round", "round", "whole"), Column("field", "field"), Column("best", "best answer"),
        Column("gain", "it gains, points", "points", "low", "high"), Column("outsider", "best of the others"),
        Column("outsider_gain", "it gains, points", "points", "outsider_low", "outsider_high"),
        Column("n", "games", "whole"), METHOD,
    ]  # fmt: skip
    yield Table(
        "metagame-rounds",
        "Can the field be exploited?",
        frame,
        _several(frame, columns),
        "Every seat but one draws its strategy from the field. Each round is played on fresh luck, so that "
        "it judges a field that was chosen without it; the last one counts. Intervals hold for all "
        "strategies and rounds together.",
    )


def _roles(frame: pl.DataFrame) -> Table:
    columns = [
        Column("strategy", "strategy"), Column("alien", "as the alien", "percent", "alien_low", "alien_high"),
        Column("human", "as the humans", "percent", "human_low", "human_high"),
        Column("alpha_alien", "alpha-rank, alien", "percent"),
        Column("alpha_human", "alpha-rank, humans", "percent"),
    ]  # fmt: skip
    return Table(
        "metagame-roles",
        "The alien against the humans as one side",
        frame,
        _several(frame, columns),
        "Shares in the Nash equilibrium of the game in which one side chooses the alien's strategy, and the "
        "other one strategy for all humans. Humans who each play for themselves may choose otherwise.",
    )


def _best(frame: pl.DataFrame) -> Table:
    columns = [
        Column("view", "seat"), Column("against", "against"), Column("best", "best answer"),
        Column("value", "payoff", "number2", "low", "high"), Column("sure", "sure", "percent"),
        Column("n", "n", "whole"), NOTE,
    ]  # fmt: skip
    return Table(
        "metagame-best",
        "Best answers",
        frame.with_columns(pl.col("view").replace_strict(VIEWS)),
        _several(frame, columns),
        "Payoff: in all 1 is the fair share; as the alien and as a human the share of games won. Sure: in "
        "how many of the redrawn payoffs the answer is the same.",
    )


def _dominated(frame: pl.DataFrame) -> Iterator[Table]:
    if frame.is_empty():
        return
    columns = [
        Column("strategy", "strategy"), Column("by", "dominated by"), Column("margin", "at least, points", "points"),
        Column("round", "round", "whole"), Column("sure", "sure", "percent"),
    ]  # fmt: skip
    yield Table(
        "metagame-dominated",
        "Dominated strategies",
        frame,
        _several(frame, columns),
        "Worse than another strategy, or a mixture, whatever one strategy the others play; by so many "
        "points of win rate at least. Round 2: once those of round 1 are gone. Sure: in how many of the "
        "redrawn payoffs it is so.",
    )


def _cycles(frame: pl.DataFrame) -> Table:
    columns = [
        Column("kind", "going over to"), Column("cycle", "ends at"), Column("length", "strategies", "whole"),
        Column("sure", "sure", "percent"),
    ]  # fmt: skip
    return Table(
        "metagame-cycles",
        "Where it ends, and cycles",
        frame,
        _several(frame, columns),
        "Best answers: from each strategy to the one that does best against it. Better answers: sets that "
        "no strategy that does better leads out of; alpha-rank is spread over them.",
    )


def _equilibria(frame: pl.DataFrame) -> Table:
    columns = [Column("field", "mixture"), Column("stable_text", "stable"), Column("chosen_text", "chosen")]
    words = [
        pl.when(name).then(pl.lit("yes")).otherwise(pl.lit("no")).alias(f"{name}_text")
        for name in ("stable", "chosen")
    ]
    return Table(
        "metagame-equilibria",
        "All symmetric equilibria of the matchups",
        frame.with_columns(words),
        _several(frame, columns),
        "Stable: no rare mutant gains ground, whatever it mixes.",
    )


def _matchups(frame: pl.DataFrame) -> Table:
    columns = [
        Column("view", "seat"), Column("strategy", "strategy"), Column("against", "against"),
        Column("value", "payoff", "number2", "low", "high"), Column("state", "than fair"), Column("n", "n", "whole"),
        METHOD, NOTE,
    ]  # fmt: skip
    return Table(
        "metagame-matchups",
        "All matchups",
        frame.with_columns(pl.col("view").replace_strict(VIEWS)),
        _several(frame, columns),
        "In all 1 is the fair share; as the alien and as a human the share of games won. 'than fair' is "
        "right for all pairs and looks together in 95 % of experiments; 'equal': by less than a point of "
        "win rate; 'open': more games would tell, but the ranking does not hang on it, or there were no "
        "more.",
    )


def _effort(frame: pl.DataFrame) -> Table:
    columns = [Column("look", "what"), Column("pairs", "pairs", "whole"), Column("games", "games", "whole")]
    return Table(
        "metagame-effort",
        "What was played",
        frame,
        _several(frame, columns),
        "From look to look only the pairs that the ranking hangs on are played again.",
    )


# --- figures ---------------------------------------------------------------------------------------------
def _pictures(tables: Any, players: int, several: bool) -> list[Figure]:
    """The figures of one number of players."""
    mine = {name: frame.filter(pl.col("players") == players) for name, frame in tables.items()}
    ending, of = (f"-{players}", f", {counted(players, 'player')}") if several else ("", "")
    found = [_shares(mine["ranking"], ending, of), *_gains(mine["ranking"], ending, of)]
    found.append(_answers(mine["best"], mine["ranking"], ending, of))
    return found + [_heat(mine, view, ending, of) for view in VIEWS]


def _shares(ranking: pl.DataFrame, ending: str, of: str) -> Figure:
    parts = [
        ranking.select(
            "strategy", panel=pl.lit(text), share=pl.col(name),
            low=pl.col(f"{name}_low" if name != "field" else name),
            high=pl.col(f"{name}_high" if name != "field" else name),
        )
        for name, text in SHARES.items()
    ]  # fmt: skip
    return Figure(
        f"metagame-shares{ending}",
        f"What is played in the long run{of}",
        "Shares with the middle 95 % of redrawn payoffs. The field that was played is the Nash mixture, "
        "mended at full tables.",
        lambda: figures.dots(
            pl.concat(parts),
            "strategy",
            ("share", "low", "high"),
            figures.Scale("share", "percent"),
            panel="panel",
        ),
    )


def _gains(ranking: pl.DataFrame, ending: str, of: str) -> Iterator[Figure]:
    known = figures.drawable(ranking, "gain").sort("gain", descending=True)
    if not known.is_empty():
        yield Figure(
            f"metagame-gains{ending}",
            f"What each strategy gains against the field{of}",
            "Points of win rate more than the fair share, for one who plays this way at tables drawn from "
            "the field. Intervals hold for all strategies and rounds together.",
            lambda: figures.dots(
                known, "strategy", ("gain", "gain_low", "gain_high"), figures.Scale("points of win rate", "points"),
                reference=0,
            ),
        )  # fmt: skip


def _answers(best: pl.DataFrame, ranking: pl.DataFrame, ending: str, of: str) -> Figure:
    mine = best.filter((pl.col("view") == "both") & pl.col("value").is_not_null())
    arrows = mine.select(start="against", end="best", text=_digits("value"))
    return Figure(
        f"metagame-answers{ending}",
        f"The best answer to each strategy{of}",
        "An arrow goes from each strategy to the one that does best among players of it; beside it what "
        "that gets (1 is the fair share). A ring: nothing does better. Dots are as large as the share in "
        "alpha-rank.",
        lambda: answers(ranking.select(name="strategy", share="alpha"), arrows),
    )


def _digits(column: str) -> pl.Expr:
    return pl.col(column).map_elements(lambda value: f"{value:.2f}", return_dtype=pl.String)


def _heat(mine: Any, view: str, ending: str, of: str) -> Figure:
    names = mine["ranking"]["strategy"].to_list()
    rank = [pl.col(name).replace_strict(names, list(range(len(names))), return_dtype=pl.Int64) for name in
            ("strategy", "against")]  # fmt: skip
    frame = mine["matchups"].filter(pl.col("view") == view)
    if view == "both":
        frame = pl.concat([frame, _diagonal(frame, names)])
    frame = frame.sort(rank, maintain_order=True)
    middle = 1.0 if view == "both" else float(frame["value"].mean() or 0.0)
    return Figure(
        f"metagame-{view}{ending}",
        f"Matchups {VIEWS[view]}{of}",
        _caption(view, middle),
        lambda: figures.heat(
            frame, "strategy", "against", "value", _cell, middle=middle,
            labels=("this strategy", "among players of this one"),
        ),
    )  # fmt: skip


def _caption(view: str, middle: float) -> str:
    if view == "both":
        return (
            "What one seat wins at a table where all others play the strategy of the column; 1.00 is the "
            "fair share. Red: the row moves in. ?: not clear which is better."
        )
    who = (
        "the alien, among humans of the column"
        if view == "alien"
        else "a human, at a table of the column, the alien too"
    )
    white = f"White is the average, {middle * 100:.0f} %; red is better for the row."
    return f"How often {who}, wins, in per cent. {white}"


def _diagonal(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Among its own kind everybody has the fair share."""
    row = {"players": frame["players"][0], "view": "both", "value": 1.0}
    return pl.DataFrame([{**row, "strategy": name, "against": name} for name in names], frame.schema)


def _cell(row: dict[str, Any]) -> str:
    if row["value"] is None:
        return "few"
    if row["view"] != "both":
        return f"{row['value'] * 100:.0f}"
    return f"{row['value']:.2f}{'?' if row['state'] == OPEN else ''}"
