"""The advanced game: factions, secret objectives, and who wins with the Alliance."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from analysis.comparisons import LEVEL, more_often
from analysis.records import Records
from analysis.target_earth import personal
from analysis.target_earth.records import has_advanced
from reports import figures
from reports.columns import DIFFERENCE, HOLM, METHOD, NOTE, PLAYERS, SEATS, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import with_interval

ID, TITLE = "personal", "Personal victory"
QUESTION = (
    "In the advanced game one seat wins with the Alliance: is that fair between factions and objectives?"
)
KINDS = {"faction": "faction", "objective": "secret objective", "strategy": "strategy", "seat": "seat"}


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    if not has_advanced(records):
        return Chapter(
            ID, TITLE, QUESTION, ["There are no advanced games in this run (`--variant advanced`)."]
        )
    outcomes = personal.outcomes(records)
    shares = {by: personal.shares(records, by) for by in KINDS}
    points = {by: personal.points(records, by) for by in ("faction", "objective")}
    parts: list[Table | Figure] = [_outcomes(outcomes)]
    for by, frame in shares.items():
        parts += _shares(by, frame)
    for by, frame in points.items():
        parts += _points(by, frame)
    findings = [*_of_outcomes(outcomes)]
    for by, frame in shares.items():
        findings += _of_shares(by, frame)
    text = [
        "Only here seats are counted. A seat wins if the Alliance does and no other seat has as many personal "
        "points. Shares are of the games that somebody wins, against the fair share, 1 / bases: factions and "
        "objectives are drawn at random.",
    ]
    return Chapter(ID, TITLE, QUESTION, text, parts, findings)


def _outcomes(outcomes: pl.DataFrame) -> Table:
    return Table(
        "personal-outcomes",
        "Who wins advanced games",
        outcomes,
        [
            PLAYERS, Column("alliance", "Alliance wins", "percent", "low", "high"),
            Column("alone", "one seat with it", "percent"), Column("tied", "nobody alone in front", "percent"),
            N, METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_outcomes(outcomes: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(outcomes, "alliance").to_dicts()
    if known:
        low, high = min(row["alliance"] for row in known), max(row["alliance"] for row in known)
        tied = max(row["tied"] / max(row["alliance"], 1e-9) for row in known)
        more = f"; of those games at most {tied * 100:.1f} % have no single winner" if tied else ""
        yield Finding(
            f"In advanced games the Alliance wins {_span(low, high)}{more}.",
            "personal-outcomes", 0.1, sum(one["n"] for one in known), known[0]["method"],
        )  # fmt: skip


def _span(low: float, high: float) -> str:
    if round(low, 3) == round(high, 3):
        return f"{low * 100:.1f} %"
    return f"{low * 100:.1f} to {high * 100:.1f} %, by number of players"


def _shares(by: str, frame: pl.DataFrame) -> Iterator[Table | Figure]:
    if len(figures.drawable(frame, "difference")) > 1:
        yield Figure(
            f"shares-by-{by}",
            f"Wins by {KINDS[by]}",
            "How much more or less often than its fair share a seat wins, of the games that somebody wins.",
            lambda: figures.dots(
                frame.with_columns(pl.col(by).cast(pl.String)), by,
                ("difference", "difference_low", "difference_high"), figures.Scale("points", "points"), reference=0,
            ),
        )  # fmt: skip
    yield Table(
        f"shares-by-{by}",
        f"Wins by {KINDS[by]}",
        frame,
        [
            Column(by, KINDS[by]), Column("rate", "wins", "percent", "low", "high"),
            Column("expected", "fair", "percent"), DIFFERENCE, HOLM, SEATS, METHOD, NOTE,
        ],
    )  # fmt: skip


def _of_shares(by: str, frame: pl.DataFrame) -> Iterator[Finding]:
    known = figures.drawable(frame, "difference").sort("difference", descending=True)
    clear = known.filter(pl.col("p_holm") < LEVEL).to_dicts()
    if len(known) < 2:
        return
    n, method = int(known["n"].sum()), "score test by blocks, corrected (Holm)"
    if not clear:
        widest = max(abs(end) for name in ("low", "high") for end in known[f"difference_{name}"].to_list())
        yield Finding(
            f"No {KINDS[by]} is clearly better than another: none differs from its fair share by more than "
            f"{widest * 100:.1f} points (95 %).",
            f"shares-by-{by}", 0.01, n, method,
        )  # fmt: skip
        return
    for row in [clear[0]] if len(clear) == 1 else [clear[0], clear[-1]]:
        often = more_often(row["difference"], row["difference_low"], row["difference_high"])
        yield Finding(
            f"{KINDS[by].capitalize()} {row[by]} wins {often} than its fair share: "
            f"{with_interval(row['rate'], row['low'], row['high'])} of the games somebody wins.",
            f"shares-by-{by}", abs(row["difference"]), row["n"], method,
        )  # fmt: skip


def _points(by: str, frame: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(frame, "personal").is_empty():
        yield Figure(
            f"points-by-{by}",
            f"Personal points by {KINDS[by]}",
            "Where the personal points of a seat come from, on average, in games that the Alliance won.",
            lambda: figures.stacked(
                figures.drawable(frame, "personal"), by, list(personal.SOURCES.items()),
                figures.Scale("personal points"), lambda value: f"{value:.1f}",
            ),
        )  # fmt: skip
    yield Table(
        f"points-by-{by}",
        f"Personal points by {KINDS[by]}",
        frame,
        [
            Column(by, KINDS[by]), Column("personal", "points", "number2", "low", "high"),
            *(Column(name, words, "number2") for name, words in personal.SOURCES.items()), SEATS, METHOD, NOTE,
        ],
    )  # fmt: skip
