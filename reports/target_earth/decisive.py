"""What decides games: countries, Alliance cards and UFOs. Association, not cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from analysis.comparisons import LEVEL, more_often
from analysis.records import Records, has_acts
from analysis.target_earth import decisive
from reports import figures
from reports.columns import HOLM, METHOD, NOTE, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.target_earth.columns import OVER_WITHOUT, WINS

ID, TITLE = "decisive", "What decides games"
QUESTION = "Which countries, cards and UFOs go with victory and defeat?"
_OVER = ("over_without", "over_without_low", "over_without_high")
_SCALE = figures.Scale("points", "points")


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    habits = decisive.habits(records)
    parts: list[Table | Figure] = [_habits(habits)]
    findings = list(_of_habits(habits))
    text = [
        "All of this is association, not cause: an Alliance that is ahead has more of everything that is good, and "
        "games that end early have less of everything. Each figure compares games of the same cells.",
    ]
    if has_acts(records):
        joined, fell = decisive.countries(records), decisive.losses(records)
        cards, ufos, fates = decisive.cards(records), decisive.ufos(records), decisive.fates(records)
        parts += [*_countries(joined, fell), *_cards(cards), *_ufos(ufos, fates)]
        findings += [*_of_countries(joined, fell), *_of_cards(cards), *_of_ufos(ufos)]
    else:
        text.append("Countries, cards and UFOs one by one need a run with `--acts`.")
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


# --- habits ------------------------------------------------------------------------------------------------
def _habits(habits: pl.DataFrame) -> Table:
    return Table(
        "won-and-lost",
        "Games that were won and games that were lost",
        habits,
        [
            Column("what", "what"), Column("in_won", "in won games", "number2"),
            Column("in_lost", "in lost games", "number2"),
            Column("difference", "difference", "signed2", "low", "high"), HOLM, Column("blocks", "blocks", "whole"),
            METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_habits(habits: pl.DataFrame) -> Iterator[Finding]:
    known = {row["what"]: row for row in figures.drawable(habits, "difference").to_dicts()}
    row = known.get("UFOs that succeeded, a turn")
    if row and row["p_holm"] < LEVEL:
        yield Finding(
            f"In games that are lost {row['in_lost']:.1f} UFOs a turn succeed, in games that are won "
            f"{row['in_won']:.1f} (association, not cause).",
            "won-and-lost", 0.15, row["blocks"], row["method"],
        )  # fmt: skip


# --- countries ---------------------------------------------------------------------------------------------
def _countries(joined: pl.DataFrame, fell: pl.DataFrame) -> Iterator[Table | Figure]:
    both = pl.concat(
        [
            joined.select("card", *_OVER, panel=pl.lit("when it joins")),
            fell.select("card", *_OVER, panel=pl.lit("when it falls")),
        ]
    )
    if not figures.drawable(both, "over_without").is_empty():
        order = joined.sort("over_without", descending=True, nulls_last=True)["card"].to_list()
        yield Figure(
            "countries",
            "Countries",
            "How much more or less often the Alliance wins in games in which a country joins it (left) or falls to "
            "the aliens (right) at least once than in games of the same cells in which it does not.",
            lambda: figures.dots(
                both.sort(pl.col("card").replace_strict({name: k for k, name in enumerate(order)}, default=99)),
                "card", _OVER, _SCALE, reference=0, panel="panel",
            ),
        )  # fmt: skip
    yield Table(
        "countries", "Countries that join the Alliance",
        joined.sort("over_without", descending=True, nulls_last=True),
        [
            Column("card", "country"), *(Column(what, f"{what}, a game", "number2") for what in decisive.CHANGES),
            WINS, OVER_WITHOUT, HOLM, N, METHOD, NOTE,
        ],
        "Games are those in which it joined.",
    )  # fmt: skip
    yield Table(
        "countries-lost", "Countries that fall to the aliens",
        fell.sort("over_without", nulls_last=True),
        [Column("card", "country"), WINS, OVER_WITHOUT, HOLM, N, METHOD, NOTE], "Games are those in which it fell.",
    )  # fmt: skip


def _of_countries(joined: pl.DataFrame, fell: pl.DataFrame) -> Iterator[Finding]:
    for frame, words, table, first in (
        (joined, "joins the Alliance", "countries", True), (fell, "falls to the aliens", "countries-lost", False),
    ):  # fmt: skip
        clear = figures.drawable(frame, "over_without").filter(pl.col("p_holm") < LEVEL)
        rows = clear.sort("over_without", descending=first).to_dicts()
        if rows:
            yield _finding(
                f"Of all countries {rows[0]['card']} goes furthest with the result: when it {words}",
                rows[0],
                table,
            )


# --- cards -------------------------------------------------------------------------------------------------
def _cards(cards: pl.DataFrame) -> Iterator[Table | Figure]:
    ordered = cards.sort("over_without", descending=True, nulls_last=True)
    if not figures.drawable(cards, "over_without").is_empty():
        yield Figure(
            "alliance-cards",
            "Alliance cards",
            "How much more or less often the Alliance wins in games in which a card is played at least once than in "
            "games of the same cells without it. Cards that nearly every game sees say little.",
            lambda: figures.dots(ordered, "card", _OVER, _SCALE, reference=0),
        )  # fmt: skip
    yield Table(
        "alliance-cards", "Alliance cards", ordered,
        [
            Column("card", "card"), Column("played", "played a game", "number2"), WINS, OVER_WITHOUT, HOLM, N, METHOD,
            NOTE,
        ],
    )  # fmt: skip


def _of_cards(cards: pl.DataFrame) -> Iterator[Finding]:
    clear = figures.drawable(cards, "over_without").filter(pl.col("p_holm") < LEVEL)
    rows = clear.sort("over_without", descending=True).to_dicts()
    if rows and rows[0]["over_without"] > 0:
        yield _finding(
            f"Of the Alliance cards {rows[0]['card']} goes with victory most: with it",
            rows[0],
            "alliance-cards",
        )


# --- UFOs --------------------------------------------------------------------------------------------------
def _ufos(ufos: pl.DataFrame, fates: pl.DataFrame) -> Iterator[Table | Figure]:
    if len(ufos):
        yield Figure(
            "ufos",
            "What becomes of UFOs",
            "How many UFOs of each size are shot down, beaten on the ground, take a country a step or raid a base, a "
            "game. UFOs that failed by the dice are not counted.",
            lambda: figures.stacked(
                ufos, "card", [(what, what) for what in decisive.FATES], figures.Scale("UFOs a game"),
                lambda value: f"{value:.1f}",
            ),
        )  # fmt: skip
    yield Table(
        "ufos", "What becomes of UFOs", ufos,
        [
            Column("card", "size"), *(Column(what, f"{what}, a game", "number2") for what in decisive.FATES),
            Column("stopped", "stopped", "percent"), Column("n", "UFOs", "whole"),
        ],
        "Stopped: shot down or beaten, of those that were not unlucky.",
    )  # fmt: skip
    yield Table(
        "ufo-fates", "UFOs and victory", fates,
        [Column("card", "size"), Column("fate", "at least one"), WINS, OVER_WITHOUT, HOLM, N, METHOD, NOTE],
        "Games are those in which it happened at least once.",
    )  # fmt: skip


def _of_ufos(ufos: pl.DataFrame) -> Iterator[Finding]:
    rows = ufos.sort("stopped").to_dicts()
    if len(rows) > 1:
        worst, best = rows[0], rows[-1]
        yield Finding(
            f"UFOs of size {worst['card']} are the hardest to stop: {worst['stopped'] * 100:.0f} % are shot down or "
            f"beaten, of size {best['card']} {best['stopped'] * 100:.0f} %.",
            "ufos", 0.1, worst["n"] + best["n"], "share of all",
        )  # fmt: skip


def _finding(text: str, row: dict[str, Any], table: str) -> Finding:
    often = more_often(*(row[name] for name in _OVER))
    return Finding(
        f"{text} the Alliance wins {often} than in other games (association, not cause).",
        table, abs(row["over_without"]) / 4, row["n"], "difference by blocks, corrected (Holm)",
    )  # fmt: skip
