"""Alien strength: how strong each alien is, why, and which one suits which game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from analysis import alien_strength, win_rates
from analysis.comparisons import points, signed
from analysis.records import Records
from reports import figures
from reports.columns import ALIEN, METHOD, NOTE, PLAYERS, SETTING, N
from reports.model import Chapter, Column, Figure, Finding, Table
from reports.words import counted, goal, listed, with_interval

ID, TITLE = "alien-strength", "Alien strength"
QUESTION = "Which alien fits which length and number of players?"
MOST_PANELS = 6
MOST_TOLD = 12  # combinations in one sentence
SHORT = 12  # letters of the name of a setting
NEAR = 0.05  # a win rate this near to the target is called balanced
STEP = 10  # of attack and defence, in the distributions


def chapter(records: Records, target: float) -> Chapter:
    """The chapter, from the records."""
    strength, cards = alien_strength.strength(records), win_rates.of_alien(records, "alien_card")
    advised = alien_strength.recommend(records, target)
    advice = alien_strength.advice(records)
    sources, drivers = alien_strength.sources(records), alien_strength.drivers(records)
    margins = alien_strength.margins(records, "alien_card")
    parts = [
        *_strength(strength, cards, target),
        *_recommendation(advised, target),
        *_advice(advice),
        *_battle(margins, int(strength["n"].sum())),
        *_sources(sources),
        *_drivers(drivers),
    ]
    findings = [
        *_of_aliens(strength, cards),
        *_of_recommendation(advised, target),
        *_of_advice(advice),
    ]
    return Chapter(ID, TITLE, QUESTION, (), parts, findings)


# --- how strong ------------------------------------------------------------------------------------------
def _strength(strength: pl.DataFrame, cards: pl.DataFrame, target: float) -> Iterator[Table | Figure]:
    if not figures.drawable(strength, "rate").is_empty():
        yield Figure(
            "aliens",
            "How often each alien wins, by length and number of players",
            f"Per cent of games won by the alien, with the 95 % interval below. White is the target of "
            f"{goal(target)}; red: the alien is too strong, blue: too weak.",
            lambda: _draw_heat(strength, target),
        )
        if strength["players"].n_unique() > 1 and strength["setting"].n_unique() <= MOST_PANELS:
            order = {
                name: place
                for place, name in enumerate(strength["setting"].unique(maintain_order=True).to_list())
            }
            yield Figure(
                "alien-trend",
                "How the win rate of each alien changes with the number of players",
                "Lines that fall to the right: the larger the table, the harder for that alien. Dashed: the target.",
                lambda: figures.lines(
                    strength.sort(pl.col("setting").replace_strict(order), "players", maintain_order=True),
                    "players", ("rate", "low", "high"), "alien_card",
                    (figures.Scale("players"), figures.Scale("alien wins", "percent")), "setting", reference=target,
                    across=0 if max(map(len, order)) <= SHORT else 2,
                ),
            )  # fmt: skip
    rate = Column("rate", "alien wins", "percent", "low", "high")
    yield Table("alien-by-card", "Each alien over all games", cards, [ALIEN, rate, N, METHOD, NOTE])
    yield Table(
        "aliens-by-game",
        "Each alien in each game",
        strength,
        [
            PLAYERS, SETTING, ALIEN,
            Column("rate", "alien wins", "percent", "low", "high"),
            Column("survivors", "survivors a game", "number2"),
            Column("attack", "attack", "number1"),
            Column("defence", "defence", "number1"),
            Column("margin", "margin", "signed1"),
            Column("margin_25", "margin, lower quartile", "signed1"),
            Column("margin_75", "margin, upper quartile", "signed1"),
            N, METHOD, NOTE,
        ],
        "Attack, defence and margin (defence − attack) are means over companies; with a margin of 0 or more a company "
        "survives.",
    )  # fmt: skip


def _draw_heat(strength: pl.DataFrame, target: float) -> object:
    """Settings side by side; below each other where they are many or have long names."""
    names = strength["setting"].unique().to_list()
    rows, columns = (
        ("alien_card", "setting")
        if len(names) <= 4 and max(map(len, names)) <= SHORT
        else ("setting", "alien_card")
    )
    return figures.heat(strength, rows, columns, "rate", _rate_text, "players", "players", middle=target)


def _rate_text(row: dict[str, Any]) -> str:
    if row["rate"] is None:
        return "too few"
    return f"{row['rate'] * 100:.1f}\n{row['low'] * 100:.1f}–{row['high'] * 100:.1f}"


def _of_aliens(strength: pl.DataFrame, aliens: pl.DataFrame) -> Iterator[Finding]:
    ranked = figures.drawable(aliens, "rate").sort("rate", "alien_card").to_dicts()
    if len(ranked) < 2 or ranked[0]["high"] >= ranked[-1]["low"]:
        return
    weak, strong = ranked[0], ranked[-1]
    everywhere = ", in every length and number of players" if _always(strength, strong, weak) else ""
    yield Finding(
        f"The strongest alien is {strong['alien_card']} with {with_interval(strong['rate'], strong['low'], strong['high'])} "
        f"of its games won, the weakest {weak['alien_card']} with "
        f"{with_interval(weak['rate'], weak['low'], weak['high'])}{everywhere}.",
        "alien-by-card", strong["rate"] - weak["rate"], strong["n"] + weak["n"], strong["method"],
    )  # fmt: skip


def _always(strength: pl.DataFrame, strong: dict[str, Any], weak: dict[str, Any]) -> bool:
    """Whether one alien is stronger than another in each game, by more than their intervals."""
    keys = ["players", "setting"]
    mine = strength.filter(pl.col("alien_card") == strong["alien_card"]).select(*keys, "low")
    theirs = strength.filter(pl.col("alien_card") == weak["alien_card"]).select(*keys, "high")
    both = mine.join(theirs, on=keys)
    return len(both) == len(mine) == len(theirs) and bool((both["low"] > both["high"]).fill_null(False).all())


# --- which one -------------------------------------------------------------------------------------------
def _recommendation(advised: pl.DataFrame, target: float) -> Iterator[Table]:
    yield Table(
        "recommendation",
        f"Which alien comes nearest to {goal(target)}",
        advised,
        [
            PLAYERS, SETTING,
            Column("alien_card", "take"),
            Column("rate", "it wins", "percent", "low", "high"),
            Column("distance", "from the target, points", "points"),
            Column("sure", "how sure", "percent"),
            Column("second", "next best"),
            Column("second_rate", "which wins", "percent"),
            N, METHOD, NOTE,
        ],
        "How sure: how likely this alien is to be the nearest indeed, given how well the win rates are known "
        f"({alien_strength.DRAWS:,} draws from their joint normal distribution).",
    )  # fmt: skip


def _of_recommendation(advised: pl.DataFrame, target: float) -> Iterator[Finding]:
    known = figures.drawable(advised, "rate")
    if known.is_empty() or known["second"].null_count() == len(known):
        return
    near = known.filter(pl.col("distance").abs() <= NEAR)
    sure = near.filter((pl.col("low") >= target - NEAR) & (pl.col("high") <= target + NEAR))
    games = counted(len(known), "combination of length and players", "combinations of length and players")
    if len(known) <= MOST_TOLD:
        yield Finding(
            f"Nearest to {goal(target)} come {_picks(known)}. In {len(near)} of {games} that is within {points(NEAR, 0)}, "
            f"in {len(sure)} with the whole 95 % interval.",
            "recommendation", 0.9, int(known["n"].sum()), "Wilson",
        )  # fmt: skip
    far = known.filter(pl.col("distance").abs() > NEAR).sort(pl.col("distance").abs(), descending=True)
    if len(far):
        row = far.to_dicts()[0]
        side = "too strong" if row["distance"] > 0 else "too weak"
        rest = [
            f"{r['setting']} with {r['players']} ({r['alien_card']} {signed(r['distance'])})"
            for r in far.to_dicts()[1:]
        ]
        others = f". More than that off are also {listed(rest)}" if rest else ""
        yield Finding(
            f"No alien comes within {points(NEAR, 0)} in {row['setting']} games with {row['players']} players: the "
            f"nearest, {row['alien_card']}, is {side} with {with_interval(row['rate'], row['low'], row['high'])}{others}.",
            "recommendation", abs(row["distance"]), row["n"], row["method"],
        )  # fmt: skip


def _picks(known: pl.DataFrame) -> str:
    """Which alien for which game: 'with 3 players Raiding Party (short 49 %, standard 55 %), …'."""
    told = []
    for (players,), rows in known.group_by("players", maintain_order=True):
        of_alien = []
        for (alien,), part in rows.group_by("alien_card", maintain_order=True):
            rates = ", ".join(f"{row['setting']} {row['rate'] * 100:.0f} %" for row in part.to_dicts())
            of_alien.append(f"{alien} ({rates})")
        told.append(f"with {players} players {listed(of_alien)}")
    return "; ".join(told)


# --- the rulebook's advice -------------------------------------------------------------------------------
def _advice(advice: pl.DataFrame) -> Iterator[Table]:
    if advice.is_empty():
        return
    yield Table(
        "advice",
        "The rulebook's advice: stronger aliens for longer games and more players",
        advice,
        [
            Column("what", "the more"), ALIEN,
            Column("slope", "win rate a step, points", "points", "low", "high"),
            Column("p_holm", "p, corrected", "p"),
            Column("verdict", "the advice is"),
            N, METHOD,
        ],
        "A step is one project a player more on the threshold, or one player more, with everything else equal. Where "
        "an alien wins less often with each step, a stronger one is needed to keep the balance, and the advice holds. "
        "Mixed: some single steps clearly go up and others down (95 % each, not corrected).",
    )  # fmt: skip


def _of_advice(advice: pl.DataFrame) -> Iterator[Finding]:
    for what, name in (("players", "more players"), ("length", "longer games")):
        rows = advice.filter((pl.col("what") == what) & pl.col("slope").is_not_null())
        if rows.is_empty():
            continue
        steep = rows.sort(pl.col("slope").abs(), descending=True).to_dicts()[0]
        words = {"supported": "holds", "contradicted": "does not hold", "mixed": "holds for some steps but not for others",
                 "neither": "is neither shown nor refuted"}  # fmt: skip
        told = []
        for verdict, said in words.items():
            names = rows.filter(pl.col("verdict") == verdict)["alien_card"].to_list()
            if names:
                told.append(f"{said} for {'all aliens' if len(names) == len(rows) > 1 else listed(names)}")
        verdict = ", ".join(told)
        step = "player" if what == "players" else "project a player"
        yield Finding(
            f"The rulebook's advice to take stronger aliens for {name} {verdict}. For instance, the win rate of "
            f"{steep['alien_card']} {'falls' if steep['slope'] < 0 else 'rises'} by {points(steep['slope'])} with each "
            f"{step} more (95 %: {_ends(steep)}).",
            "advice", 0.3 if what == "players" else 0.25, int(rows["n"].sum()),
            "slope by blocks, corrected for all aliens (Holm)",
        )  # fmt: skip


def _ends(row: dict[str, Any]) -> str:
    """The ends of an interval in points: without signs if both have the same, which the verb has told."""
    if row["low"] <= 0 <= row["high"]:
        return f"{signed(row['low'])} to {signed(row['high'])}"
    low, high = sorted((abs(row["low"]), abs(row["high"])))
    return f"{low * 100:.1f} to {high * 100:.1f}"


# --- the battle ------------------------------------------------------------------------------------------
def _battle(margins: pl.DataFrame, games: int) -> Iterator[Figure]:
    if games < 30:
        return
    shares = figures.smoothed(margins, "margin", "share", "alien_card", STEP)
    yield Figure(
        "margins",
        "Attack against defence",
        "How far companies' defence lay above (right) or below (left) the attack on them, in steps of 10. Whatever "
        "is right of the dashed line survived. The wider a curve, the less one knows beforehand.",
        lambda: figures.curves(
            shares, "margin", "share", "alien_card",
            (figures.Scale("defence − attack"), figures.Scale("companies", "percent")), mark=0, mark_name="survives",
        ),
    )  # fmt: skip


def _sources(sources: pl.DataFrame) -> Iterator[Table | Figure]:
    if not figures.drawable(sources, "base").is_empty():
        yield Figure(
            "sources",
            "What the attack on a company is made of",
            "Mean attack on a company by where it comes from: brutality and the alien's card (base), attack cards, "
            "mash cards, what tactics add to them, and events and endgame cards, which may take some away.",
            lambda: figures.stacked(
                sources, "alien_card",
                [("base", "base"), ("cards", "attack cards"), ("mash", "mash cards"), ("tactics", "tactics"),
                 ("other", "events, endgame cards")],
                figures.Scale("attack on a company"), lambda value: f"{value:.0f}", "setting",
            ),
        )  # fmt: skip
    yield Table(
        "attack-sources",
        "Where the strength comes from",
        sources,
        [
            SETTING, ALIEN,
            Column("attack", "attack", "number1", "low", "high"),
            Column("base", "base", "number1"),
            Column("cards", "attack cards", "number1"),
            Column("mash", "mash cards", "number1"),
            Column("tactics", "tactics", "number1"),
            Column("other", "events, endgame", "signed1"),
            Column("intel_used", "uses of intel a game", "number2"),
            Column("mashes_used", "mash cards a game", "number2"),
            Column("n", "companies", "whole"), METHOD, NOTE,
        ],
    )  # fmt: skip


def _drivers(drivers: pl.DataFrame) -> Iterator[Table]:
    if drivers.is_empty():
        return
    yield Table(
        "drivers",
        "What goes with an alien's victory (association, not cause)",
        drivers,
        [
            Column("what", "games with more"),
            Column("with_more", "alien wins", "percent"),
            Column("with_less", "with less", "percent"),
            Column("difference", "difference, points", "points", "low", "high"),
            Column("p_holm", "p, corrected", "p"),
            N, METHOD, NOTE,
        ],
        "More: above the median of games with the same setting and alien; only settings that have both are compared, each "
        "as often as it has more. What an alien does when it is about to lose "
        "(intel and mash cards, say) goes with losing, although it helps.",
    )  # fmt: skip
