"""Skill levels: does the balance hold for random, usual and trained play?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from analysis.lab.stages import Result
from reports import figures
from reports.columns import DIFFERENCE, HOLM, METHOD, NOTE
from reports.lab import shapes_train
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "levels", "Skill levels"
QUESTION = "Does the balance hold for good play as well as for weak play?"
ROLES = {"alien": "as the alien", "human": "as a human", "both": "all seats"}
PAIRED = "difference by blocks, paired; fresh luck"
MORE = Column(DIFFERENCE.name, DIFFERENCE.heading, DIFFERENCE.kind, "low", "high")
EFFECT = Column("difference", "difference, points", "points", "difference_low", "difference_high")


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    table, told = result.tables["levels"], result.verdict
    shown = [*parts(table, result.facts), worth(result.tables["worth"], "levels-worth")]
    level = result.facts["verdict"]
    n = int(result.tables["worth"]["n"].max() or 0)  # type: ignore[arg-type]
    more = [Finding(line, "levels-worth", 0.3, n, PAIRED) for line in told if line not in level]
    return Chapter(ID, TITLE, QUESTION, text(result.facts), shown, [*findings(table, level), *more])


def text(facts: Mapping[str, Any]) -> list[str]:
    """What the levels are."""
    levels = facts["levels"]
    listed = "; ".join(f"{level}: {who}" for level, who in levels.items())
    return [
        f"Who plays at each level: {listed}. At a trained table only those games count in which the strategy that "
        "was trained for it is dealt the alien. Trained play is as good as these parameters make it; better play may "
        "exist."
    ]


def parts(table: pl.DataFrame, facts: Mapping[str, Any]) -> Iterator[Table | Figure]:
    """The figure and the table."""
    band = (facts["target"] - facts["within"], facts["target"] + facts["within"])
    if not figures.drawable(table, "rate").is_empty():
        yield Figure(
            "levels",
            "The alien's win rate by skill",
            f"For each alien card and level of play, with 95 % intervals. Green: what is aimed at, "
            f"{band[0] * 100:g} to {band[1] * 100:g} %.",
            lambda: shapes_train.by_level(
                table, "alien_card", "level", figures.Scale("games the alien wins", "percent"), band
            ),
        )  # fmt: skip
    changed = table["difference"].is_not_null().any()
    effect = [Column("changed", "with the change", "percent"), EFFECT, HOLM] if changed else []
    yield Table(
        "levels",
        "How often the alien wins, by skill",
        table,
        [
            Column("level", "play"), Column("alien_card", "alien"),
            Column("rate", "alien wins", "percent", "low", "high"),
            *effect, Column("n", "games", "whole"), METHOD, NOTE,
        ],
        "All alien cards: the average of their win rates, each counted alike.",
    )  # fmt: skip


def worth(frame: pl.DataFrame, name: str) -> Table:
    """What training was worth."""
    told = frame.with_columns(role=pl.col("role").replace_strict(ROLES))
    who = {row["against"]: row["who"] for row in frame.to_dicts()}
    return Table(
        name,
        "What the training is worth",
        told,
        [
            *([Column("trained_for", "trained for")] if told["trained_for"].n_unique() > 1 else []),
            Column("against", "against"), Column("role", "seats"),
            Column("before", "untrained", "percent", "before_low", "before_high"),
            Column("after", "trained", "percent", "after_low", "after_high"),
            MORE, HOLM, Column("n", "seats", "whole"), METHOD, NOTE,
        ],
        "On luck that the search never saw; what counts are seats of that role. "
        + " ".join(f"{against.capitalize()}: {names}." for against, names in who.items()),
    )  # fmt: skip


def findings(table: pl.DataFrame, verdict: Sequence[str], weight: float = 0.5) -> Iterator[Finding]:
    """The verdicts."""
    for number, line in enumerate(verdict):
        n = int(table["n"].sum())
        yield Finding(
            line, "levels", weight - number / 100, n, "rates by blocks; differences paired by block"
        )
