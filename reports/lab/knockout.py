"""Card knock-out: what each card does to who wins, to the length and to the alien's chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from analysis.lab.stages import Result
from reports import figures
from reports.columns import HOLM, METHOD, NOTE
from reports.model import Chapter, Column, Figure, Finding, Table

ID, TITLE = "knockout", "Card knock-out"
QUESTION = "What does each card do to the game?"
MOST = 24  # cards in a figure
WIDE = 40  # rows of a table that says it by strategies
KINDS = {"projects": "project", "events": "event", "humans": "human endgame", "aliens": "alien endgame"}
METHODS = "difference by blocks, paired, corrected for all cards (Holm)"

Facts = Mapping[str, Any]


def chapter(result: Result) -> Chapter:
    """The chapter, from the result."""
    facts, cards = result.facts, result.tables["cards"]
    parts: list[Table | Figure] = [_cards(cards, facts)]
    for metric in facts["metrics"]:
        parts += _figure(cards, metric, facts)
    parts += [*_fresh(result), *_winners(cards, facts), *_strategies(result.tables["strategies"], facts)]
    return Chapter(ID, TITLE, QUESTION, [_text(facts), *result.verdict], parts, list(_findings(result)))


def _done(facts: Facts) -> str:
    """What was done to a card."""
    if facts["mode"] == "scale":
        return f"its amounts (a project's defence and fame) times {facts['by']:g}"
    return "it stays in the game and does nothing" if facts["mode"] == "blank" else "it is not in the game"


def _text(facts: Facts) -> str:
    return (
        f"Each card was changed by itself ({_done(facts)}), and {facts['games_each']:,} games were played with the "
        "same luck as without the change. So what is different is what the card does, in the hands of these "
        "strategies, and not what kind of company gets hold of it."
    )


# --- outcomes ------------------------------------------------------------------------------------------------
def _cards(cards: pl.DataFrame, facts: Facts) -> Table:
    columns = [Column("rank", "rank", "whole"), Column("card", "card")]
    for metric in facts["metrics"]:
        columns += [_difference(metric), Column(f"{metric['name']}_p_holm", "p, corrected", "p")]
    columns += [Column("changed", _changed(facts), "percent", "changed_low", "changed_high"), NOTE]
    note = (
        f"How much more (or less) with the card changed ({_done(facts)}) than as it is, with 95 % intervals paired "
        f"by block; n = {facts['games_each']:,} games a card. Ranked by {facts['metrics'][0]['text']}. p is "
        f"corrected for all cards, outcome by outcome (Holm). As it is: {_as_it_is(facts)}."
    )  # fmt: skip
    return Table("knockout-cards", "What each card does", cards, columns, note)


def _difference(metric: Facts) -> Column:
    name, is_rate = metric["name"], metric["kind"] == "rate"
    heading = f"{metric['text']}, points" if is_rate else metric["text"]
    return Column(name, heading, "points" if is_rate else "signed2", f"{name}_low", f"{name}_high")


def _as_it_is(facts: Facts) -> str:
    told = []
    for metric in facts["metrics"]:
        value = facts["base"][metric["name"]]
        told.append(
            f"{metric['text']} {f'{value * 100:.1f} %' if metric['kind'] == 'rate' else f'{value:.2f}'}"
        )
    return ", ".join(told)


def _changed(facts: Facts) -> str:
    return "another seat wins" if facts["games_a_block"] == 1 else "blocks in which other seats win"


def _kinds(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(kind=pl.col("section").replace_strict(KINDS, default=pl.col("section")))


def _figure(cards: pl.DataFrame, metric: Facts, facts: Facts) -> Iterator[Figure]:
    name, is_rate = metric["name"], metric["kind"] == "rate"
    known = figures.drawable(cards, name)
    if known.is_empty():
        return
    strongest = known.sort(pl.col(name).abs(), descending=True, maintain_order=True).head(MOST)
    some = strongest.sort(name, descending=True, maintain_order=True)
    which = f"The {MOST} strongest of {len(known)} cards. " if len(known) > MOST else ""
    unit = "points more" if is_rate else "more"
    scale = figures.Scale(f"{metric['text']}: {unit} than as it is", "points" if is_rate else "number")
    yield Figure(
        f"knockout-{_id(metric)}",
        f"{metric['text'][:1].upper()}{metric['text'][1:]}: what each card does",
        f"{which}How much more (right) or less (left) with the card changed: {_done(facts)}. 95 % intervals, paired "
        "by block, not corrected.",
        lambda: figures.dots(some, "card", (name, f"{name}_low", f"{name}_high"), scale, reference=0),
    )  # fmt: skip


def _id(metric: Facts) -> str:
    """As part of a file's name."""
    return "".join(letter if letter.isalnum() else "-" for letter in metric["name"])


def _fresh(result: Result) -> Iterator[Table]:
    fresh, facts = result.tables["fresh"], result.facts
    if fresh.is_empty():
        return
    names = [metric["name"] for metric in facts["metrics"]]
    first = result.tables["cards"].select("card", *(pl.col(name).alias(f"{name}_first") for name in names))
    columns = [Column("card", "card")]
    for metric in facts["metrics"]:
        again = _difference(metric)
        columns += [
            Column(f"{metric['name']}_first", f"{again.heading}, at first", again.kind),
            Column(again.name, "on fresh luck", again.kind, again.low, again.high),
            Column(f"{metric['name']}_p_holm", "p, corrected", "p"),
        ]
    yield Table(
        "knockout-fresh", "The strongest, on fresh luck",
        fresh.join(first, on="card", how="left", maintain_order="left"), columns,
        "The strongest of many are strong by luck as well; on games that had no part in choosing them, they show "
        f"what they do. n = {facts['games_each']:,} games a card; p is corrected for these cards.",
    )  # fmt: skip


# --- who wins ------------------------------------------------------------------------------------------------
def _winners(cards: pl.DataFrame, facts: Facts) -> Iterator[Table]:
    known = cards.filter(pl.col("shift_p").is_not_null())
    if known.is_empty():
        return
    yield Table(
        "knockout-winners", "Who wins instead",
        _kinds(known.sort("shift_p_holm", pl.col("shift").abs(), descending=[False, True], maintain_order=True)),
        [
            Column("card", "card"), Column("kind", "kind"),
            Column("changed", _changed(facts), "percent", "changed_low", "changed_high"),
            Column("shift", "largest shift, points", "points"), Column("shifted", "of"),
            Column("shift_p_holm", "p, corrected", "p"), Column("n", "games", "whole"),
        ],
        "How often another seat wins (Wilson's interval), and whether that is more than coming and going: the "
        "largest change of a strategy's share of wins, and a test of all their changes at once (chi-square by "
        "blocks, corrected for all cards with Holm's method).",
    )  # fmt: skip


def _strategies(frame: pl.DataFrame, facts: Facts) -> Iterator[Table]:
    known = frame.filter(pl.col("difference").is_not_null())
    if known.is_empty() or known["strategy"].n_unique() < 2:
        return
    yield Table(
        "knockout-strategies", "Which strategies gain and lose",
        known.sort("p_holm", pl.col("difference").abs(), descending=[False, True], maintain_order=True).head(WIDE),
        [
            Column("card", "card"), Column("strategy", "strategy"),
            Column("difference", "share of wins, points", "points", "low", "high"),
            HOLM, Column("blocks", "blocks", "whole"), METHOD,
        ],
        f"The {WIDE} surest at most. p is corrected for all cards and strategies.",
    )  # fmt: skip


def _findings(result: Result) -> Iterator[Finding]:
    for number, line in enumerate(result.verdict):
        yield Finding(line, "knockout-cards", 1.0 - number / 100, int(result.facts["games_each"]), METHODS)
