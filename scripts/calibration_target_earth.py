"""The tables of docs/calibration-target-earth.md: what the assumed card values of Target Earth amount to in play."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import click
import numpy as np

from analysis.intervals import wilson
from sim.games.target_earth.cards import MODES, SIZES, CardSet, cards_from_dict, load_cards
from sim.games.target_earth.play import make_setting, play
from sim.games.target_earth.records import WHY_WORDS
from sim.games.target_earth.strategy import Strategy, load_strategy
from sim.registry import STRATEGIES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "calibration-target-earth.md"
BEGIN, END = "<!-- figures: written by scripts/calibration_target_earth.py -->", "<!-- end of figures -->"
SEED = 20
CARDS = load_cards()
NAMES = tuple(STRATEGIES["target-earth"])
Table = list[str]


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """A Markdown table."""
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return [*lines, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows), ""]


def rate(wins: int, n: int) -> str:
    """A rate with its Wilson interval, in per cent."""
    low, high = wilson(wins, n)
    return f"{100 * wins / n:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def wins(strategy: str | Strategy, games: int, **setting: Any) -> Any:
    """Rows of games in which one strategy plays all bases."""
    return play(make_setting([strategy], **({"players": 4} | setting)), SEED, 0, games)


def won(rows: Any) -> str:
    """How often the Alliance won."""
    return rate(int(rows["won"].sum()), len(rows))


# --- the cards themselves --------------------------------------------------------------------------------
def countries() -> Table:
    """By class: what C, D and V come to, and how easily such a country is won or lost."""
    rows = []
    for credits in sorted({c["credits"] for c in CARDS.countries}):
        some = [c for c in CARDS.countries if c["credits"] == credits]
        needed = [c["diplomacy"] for c in some]
        chances = [statistics.mean(float(two_dice(d - bonus)) for d in needed) for bonus in (0, 1, 2, 3)]
        points = sorted({c["points"] for c in some})
        rows.append([credits, len(some), "/".join(map(str, points)), f"{statistics.mean(needed):.1f}",
                     *(f"{100 * chance:.0f}" for chance in chances)])  # fmt: skip
    columns = ["C", "countries", "V", "D, mean", "+0, %", "+1, %", "+2, %", "+3, %"]
    return ["The chance of a roll with a bonus of 0 to 3: for the Alliance by countries, for a UFO by size.", "",
            *table(columns, rows)]  # fmt: skip


def two_dice(needed: int) -> Fraction:
    """The chance that two dice come to so much."""
    return Fraction(sum(a + b >= needed for a, b in product(range(1, 7), repeat=2)), 36)


def fights(samples: int) -> Table:
    """The chance of fighters to shoot down a UFO if they never withdraw, and what it costs them."""
    luck = random.Random(SEED)
    rows: list[list[object]] = []
    for factor in CARDS.data["technologies"]["fighter"]["factors"]:
        for fighters in (2, 4):
            cells: list[object] = [factor, fighters]
            for ufo in CARDS.data["ufos"]:
                ends = [dogfight(luck, factor, fighters, ufo["attack"]) for _ in range(samples)]
                down = sum(left > 0 for left in ends)
                lost = statistics.mean(fighters - left for left in ends)
                cells.append(f"{100 * down / samples:.0f} ({lost:.1f})")
            rows.append(cells)
    head = f"Victories in per cent and, in brackets, fighters lost; {samples:,} fights a cell, to the last fighter."
    return [head, "", *table(["factor", "fighters", *SIZES], rows)]


def dogfight(luck: random.Random, factor: int, fighters: int, attack: int) -> int:
    """Fighters left; 0 if the UFO won."""
    while fighters > 0:
        aliens = sum(luck.random() < 1 / 3 for _ in range(attack))
        allies = sum(luck.random() < 1 / 3 for _ in range(factor * fighters))
        if allies > aliens:
            return fighters
        fighters -= 1
    return 0


# --- games -----------------------------------------------------------------------------------------------
def modes(games: int, strategies: Sequence[str | Strategy]) -> Table:
    """Alliance wins by strategy and mode."""
    rows = [[_name(one), *(won(wins(one, games, mode=mode)) for mode in MODES)] for one in strategies]
    return [f"Four bases, one strategy at all of them, {games:,} games a cell.", "",
            *table(["strategy", *MODES], rows)]  # fmt: skip


def players(games: int, strategies: Sequence[str | Strategy]) -> Table:
    """Alliance wins by strategy and number of bases, and with optional rules."""
    rows = []
    for one in strategies:
        cells = [won(wins(one, games, players=n)) for n in (2, 3, 4)]
        options = [{"alien_diplomacy": 1}, {"factions": 1}, {"factions": 1, "alien_diplomacy": 1}]
        cells += [won(wins(one, games, rules=rules)) for rules in options]
        cells.append(won(wins(one, games, rules=options[-1], mode="hard")))
        rows.append([_name(one), *cells])
    columns = ["2 bases", "3 bases", "4 bases", "alien diplomacy", "factions", "both", "both, hard"]
    return [f"Normal mode, {games:,} games a cell.", "", *table(["strategy", *columns], rows)]


def ends(games: int, strategies: Sequence[str | Strategy]) -> Table:
    """How games end, and what happened in them."""
    rows = []
    for one in strategies:
        some = wins(one, games)
        share = np.bincount(some["why"], minlength=len(WHY_WORDS)) / games
        sudden = some["why"] == WHY_WORDS.index("sudden")
        means = [f"{some[key].mean():.1f}" for key in ("shot_down", "beaten", "succeeded", "bases_destroyed")]
        rows.append([_name(one), *(f"{100 * x:.1f}" for x in share), f"{100 * (sudden & some['won']).mean():.1f}",
                     *means, f"{some['points'][:, 0].mean():.0f} : {some['points'][:, 1].mean():.0f}"])  # fmt: skip
    columns = [
        *WHY_WORDS,
        "sudden, won",
        "shot down",
        "beaten",
        "succeeded",
        "alien bases destroyed",
        "points",
    ]
    return [f"Four bases, normal mode, {games:,} games a row; shares in per cent, the rest means a game.", "",
            *table(["strategy", *columns], rows)]  # fmt: skip


# --- what the assumed values matter ----------------------------------------------------------------------


def variants() -> dict[str, CardSet]:
    """Card sets that differ in one group of assumed values."""
    found = {"as it is": CARDS}
    for by in (-1, 1):
        for what, section, keys in (
            ("UFOs in the air", "ufos", ("attack",)), ("alien units", "aliens", ("soldier", "tank")),
            ("D of all countries", "countries", ("diplomacy",)),
        ):  # fmt: skip
            data = CARDS.to_dict()
            for entry in data[section]:
                for key in keys:
                    entry[key] += by
            found[f"{what} {by:+d}"] = cards_from_dict(data)
    data = CARDS.to_dict()
    for card in data["aliens"]:
        card["garrison"][1] += 1
    found["one tank more at alien countries"] = cards_from_dict(data)
    data = CARDS.to_dict()
    data["radars"]["needed"] = [1, 1, 2, 2, 3, 3, 4, 4]
    found["radars 1, 1, 2, 2, 3, 3, 4, 4"] = cards_from_dict(data)
    return found


def weights(games: int, strategies: Sequence[str | Strategy]) -> Table:
    """How much each group of assumed values matters."""
    rows = [
        [name, *(won(wins(one, games, cards=cards)) for one in strategies)]
        for name, cards in variants().items()
    ]
    return [f"Four bases, normal mode, {games:,} games a cell. The strategies do not adapt.", "",
            *table(["card set", *map(_name, strategies)], rows)]  # fmt: skip


def _name(strategy: str | Strategy) -> str:
    return strategy if isinstance(strategy, str) else strategy.name


def tuned() -> Strategy:
    """The core with parameters found by a search for wins with four bases (see the page): what better play can do."""
    return load_strategy("core").changed("tuned core", **TUNED)


TUNED = {
    "labs": 7.163, "more_fighters": 0.092, "carriers": 0.0, "more_carriers": 0.034, "guard": 0.395, "science": 0.994,
    "troop_tech": 4.27, "tank_tech": 2.13, "reserve": 13.987, "income": 0.234, "raids": 2.69, "module": 1.076,
    "unit": 0.379, "least": 0.452, "bonus_need": 0.11,
}  # fmt: skip


@click.command()
@click.option("--games", default=10_000, show_default=True, help="Games a cell.")
@click.option("--print", "only_print", is_flag=True, help="Print the tables, leave the page alone.")
def main(games: int, only_print: bool) -> None:
    """Measure, and write the tables into docs/calibration-target-earth.md."""
    everybody: list[str | Strategy] = [*NAMES, tuned()]
    best = sorted(everybody[1:], key=lambda one: -int(wins(one, games // 2)["won"].sum()))[:3]
    parts = {
        "Countries": countries(),
        "Fights in the air": fights(4_000),
        "Modes": modes(games, everybody),
        "Bases and optional rules": players(games, best),
        "How games end": ends(games, everybody),
        "What the assumed values matter": weights(games, best),
    }
    text = "\n".join(line for title, lines in parts.items() for line in [f"### {title}", "", *lines])
    if only_print:
        click.echo(text)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")
    click.echo(f"Written: {PAGE.name}")


if __name__ == "__main__":
    main()
