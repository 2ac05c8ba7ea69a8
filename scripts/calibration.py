"""The tables of docs/calibration.md: what the assumed card values of E.T.I. amount to in play."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from analysis.intervals import wilson
from sim.games.eti.cards import ABILITIES, FIELDS, load_cards
from sim.games.eti.play import Setting, make_setting, play
from sim.games.eti.score import score_queue
from sim.games.eti.state import ALIEN
from sim.games.eti.strategy import load_strategy
from sim.registry import STRATEGIES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "calibration.md"
BEGIN, END = "<!-- figures: written by scripts/calibration -->", "<!-- end of figures -->"
MIX = ["cautious", "gambler", "climber", "scooper"]
SEED = 20
CARDS = load_cards()


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A Markdown table."""
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return [*lines, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows), ""]


def rate(wins: int, n: int) -> str:
    """A rate with its Wilson interval, in per cent."""
    low, high = wilson(wins, n)
    return f"{100 * wins / n:.1f} ({100 * low:.1f}–{100 * high:.1f})"


# --- submissions -----------------------------------------------------------------------------------------
def submissions(queues: int) -> list[str]:
    """Safe against standard by the number of cards, for an untrained and a trained company."""
    deck = [kind.card for kind in CARDS.research for _ in range(kind.count)]
    luck = random.Random(SEED)
    rows = []
    for n in (2, 3, 4, 5, 6, 8, 10, 12, 14):
        drawn = [luck.sample(deck, n) for _ in range(queues)]
        cells: list[object] = [n, 10 * n]
        for swaps, immune in ((0, ()), (2, ("abduction", "spy"))):
            totals = [score_queue(queue, swaps, immune)["total"] for queue in drawn]
            mean, spread = statistics.mean(totals), statistics.stdev(totals)
            better = sum(total > 10 * n for total in totals)
            cells += [
                f"{mean:.0f} ± {1.96 * spread / queues**0.5:.0f}",
                f"{spread:.0f}",
                rate(better, queues),
            ]
        rows.append(cells)
    head = (
        f"{queues:,} random queues a row; no upgrades on the left, two swaps and two immunities on the right."
    )
    columns = ["standard, mean", "spread", "better than safe, %"]
    return [head, "", *table(["cards", "safe", *columns, *columns], rows)]


# --- projects --------------------------------------------------------------------------------------------
def projects() -> list[str]:
    """Means by level and sums by field, straight from the card file."""
    by_level = []
    for level in range(1, 6):
        some = [p for p in CARDS.projects if p.level == level]
        by_level.append([level, *(f"{statistics.mean(getattr(p, key) for p in some):.0f}" for key in VALUES),
                         f"{statistics.mean(len(p.upgrades) for p in some):.1f}"])  # fmt: skip
    by_field = []
    for name in FIELDS:
        some = [p for p in CARDS.projects if p.field == name]
        counts = {a: sum(p.upgrades.count(a) for p in some) for a in ABILITIES}
        tokens = ", ".join(f"{n} {a}" for a, n in counts.items() if n) or "none"
        by_field.append([name, *(sum(getattr(p, key) for p in some) for key in VALUES), tokens])
    return [
        *table(["level", *VALUES, "upgrades"], by_level),
        *table(["field (all five)", *VALUES, "upgrades"], by_field),
    ]


VALUES = ("difficulty", "defence", "fame")


# --- games -----------------------------------------------------------------------------------------------
def lengths(games: int) -> list[str]:
    """Rounds by length and number of players, with a mix of strategies and with each one alone."""
    rows = []
    for length in ("short", "standard", "epic"):
        for players in (3, 4, 6):
            names = [*MIX, "celebrity", "fortress"][:players]
            rows.append([length, players, "mixed", *round_cells(make_setting(names, length=length), games)])
    for name in STRATEGIES["eti"]:
        rows.append(["standard", 4, name, *round_cells(make_setting([name], players=4), games)])
    head = f"{games:,} games a row."
    columns = ["length", "players", "strategies", "rounds, mean", "5 % to 95 %", "alien wins, %"]
    return [head, "", *table(columns, rows)]


def round_cells(setting: Setting, games: int) -> list[object]:
    """Mean and range of the rounds, and how often the alien wins."""
    rows = play(setting, SEED, 0, games)
    rounds = rows["invasion_round"] - 1  # those played out
    low, high = np.percentile(rounds, [5, 95])
    wins = int((rows["winner_role"] == ALIEN).sum())
    return [f"{rounds.mean():.1f}", f"{low:.0f} to {high:.0f}", rate(wins, games)]


def abilities(games: int) -> list[str]:
    """Win rates of companies that differ in the ability they upgrade first, for several ways to play."""
    rows = []
    for name in ("cautious", "gambler", "climber", "sprinter", "fortress", "celebrity"):
        base = load_strategy(name)
        fans = [base.changed(ability, **{ability: 3.0}) for ability in ABILITIES]
        wins = {role: np.zeros(4, int) for role in ("human", "alien")}
        played = {role: np.zeros(4, int) for role in ("human", "alien")}
        for turn in range(4):  # every fan sits in every seat
            order = [(turn + seat) % 4 for seat in range(4)]
            records = play(make_setting([fans[k] for k in order]), SEED, turn * games, games)
            for seat, k in enumerate(order):
                is_alien = records["seat"]["role"][:, seat] == ALIEN
                won = records["winner"] == seat
                for role, mask in (("human", ~is_alien), ("alien", is_alien)):
                    wins[role][k] += int((won & mask).sum())
                    played[role][k] += int(mask.sum())
        for role in ("human", "alien"):
            rows.append(
                [name, role, *(rate(int(w), int(n)) for w, n in zip(wins[role], played[role], strict=True))]
            )
    head = f"Win rates in per cent over {4 * games:,} games a row; the wish for the ability is set to 3."
    return [head, "", *table(["way to play", "as", *ABILITIES], rows)]


def aliens(games: int) -> list[str]:
    """How often each alien wins, over lengths."""
    rows: list[list[object]] = []
    for card in CARDS.aliens:
        cells: list[object] = [card.name, card.ufos]
        for length in ("short", "standard", "epic"):
            records: Any = play(make_setting(MIX, length=length, alien=card.name), SEED, 0, games)
            cells.append(rate(int((records["winner_role"] == ALIEN).sum()), games))
        rows.append(cells)
    head = f"{games:,} games a cell, four players: {', '.join(MIX)}. Alien wins in per cent."
    return [head, "", *table(["alien", "UFOs", "short", "standard", "epic"], rows)]


@click.command()
@click.option("--games", default=20_000, show_default=True, help="Games a row.")
@click.option("--queues", default=4_000, show_default=True, help="Queues a row.")
@click.option("--print", "only_print", is_flag=True, help="Print the tables, leave the page alone.")
def main(games: int, queues: int, only_print: bool) -> None:
    """Measure, and write the tables into docs/calibration.md."""
    parts = {
        "Submissions": submissions(queues),
        "Projects": projects(),
        "Length of a game": lengths(games),
        "Abilities": abilities(games),
        "Aliens": aliens(games),
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
