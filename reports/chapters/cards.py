"""Cards: how often, by whom, and how often whoever has one wins. Association, not cause."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis import cards
from analysis.comparisons import LEVEL, more_often
from analysis.records import Records, has_acts
from reports import figures
from reports.columns import HOLM, METHOD, NOTE, SEATS
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "cards", "Cards"
QUESTION = "Which cards do winners have?"
MOST = 24  # cards in a figure: the best and the worst


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    if not has_acts(records):
        text = [
            "This run did not keep claims and events. Play it with --acts, and projects and events are here. The "
            "endgame cards are among the win rates."
        ]
        return Chapter(ID, TITLE, QUESTION, text)
    projects, events = cards.projects(records), cards.events(records)
    parts = [
        *_kind(projects, "projects", "Projects", "claimed", "claims a game, by humans"),
        *_kind(events, "events", "Events", "had", "a game, by humans"),
        _counts(cards.counts(records)),
    ]
    findings = [*_of(projects, "projects", "project", "claimed"), *_of(events, "events", "event", "got")]
    text = [
        "This is association, not cause: whoever is winning anyway claims more of everything. A project is therefore "
        "compared with other claims, and an event with other events, within the same cell. Only taking a card out of "
        "the game shows what it does. Events that concern several companies at once are only counted, in the last table."
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


def _kind(frame: pl.DataFrame, name: str, title: str, verb: str, often: str) -> Iterator[Table | Figure]:
    known = figures.drawable(frame, "over_others").sort("over_others", descending=True)
    if not known.is_empty():
        half = MOST // 2
        some = known if len(known) <= MOST else pl.concat([known.head(half), known.tail(half)])
        which = "" if len(known) <= MOST else f" The {half} highest and the {half} lowest of {len(known)}."
        yield Figure(
            f"{name}-won",
            f"{title}: who has them wins how much more",
            f"How much more (or less) often a human wins that {verb} this card, against humans that {verb} other cards "
            f"of the kind.{which} Association, not cause.",
            lambda: figures.dots(
                some, "card", ("over_others", "over_others_low", "over_others_high"),
                figures.Scale("points", "points"), reference=0,
            ),
        )  # fmt: skip
    yield Table(
        name,
        title,
        frame.sort("over_others", descending=True, nulls_last=True),
        [
            Column("card", "card"),
            Column("a_game", often, "number2"),
            Column("by", "mostly by"),
            Column("by_share", "its share of them", "percent"),
            Column("rate", "wins with it", "percent", "low", "high"),
            Column("over_without", "than without, points", "points", "over_without_low", "over_without_high"),
            Column("over_others", "than with others, points", "points", "over_others_low", "over_others_high"),
            HOLM, SEATS, METHOD, NOTE,
        ],
        "By humans. All comparisons are within cells; p is for the comparison with other cards.",
    )  # fmt: skip


def _counts(counts: pl.DataFrame) -> Table:
    return Table(
        "card-counts",
        "How often each card came into play",
        counts,
        [
            Column("card", "card"),
            Column("act", "what"),
            Column("n", "times", "whole"),
            Column("a_game", "a game", "number2"),
        ],
    )


def _of(frame: pl.DataFrame, name: str, thing: str, verb: str) -> Iterator[Finding]:
    clear = figures.drawable(frame, "over_others").filter(pl.col("p_holm") < LEVEL).sort("over_others")
    if clear.is_empty():
        return
    row = clear.to_dicts()[-1]
    if row["over_others"] > 0:
        words = more_often(row["over_others"], row["over_others_low"], row["over_others_high"])
        yield Finding(
            f"{row['card']} is the {thing} that winners have: humans that {verb} it win {words} than humans with "
            f"other {thing}s (association, not cause).",
            name, row["over_others"] / 2, row["n"], "difference by blocks, corrected for all cards (Holm)",
        )  # fmt: skip
