"""`xenobalance compare`: variants on the same luck."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.games import GameCommand
from xenobalance.cli.lab import lab_table, run_lab
from xenobalance.cli.run import NUMBER


@click.command(cls=GameCommand, options=lab_table)
@click.option("--a", "a", default="base", show_default=True, help="What the others are compared with.")
@click.option(
    "--b", "others", multiple=True, required=True, help="Changes, e.g. 'public_fame=5, blank Decoy Beacon'."
)
@click.option(
    "--games",
    type=NUMBER,
    help="Of each variant.  [default: 20,000; 2,000,000 at most if it stops by itself]",
)
@click.option("--metric", help="For --until and --sprt: alien_win, rounds, turns, …  [default: who wins]")
@click.option(
    "--until", type=float, help="Play until the interval reaches no further: 0.005 is half a point."
)
@click.option("--sprt", help="Decide between two differences, e.g. 0,0.03.")
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Errors of the test: the first is true."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Errors of the test: the second is true."
)
def compare(
    a: str, others: tuple[str, ...], games: int | None, metric: str | None, until: float | None, sprt: str | None,
    alpha: float, beta: float, **options: Any,
) -> None:  # fmt: skip
    """Compare variants of rules, cards or strategies on the same luck, paired game by game.

    Changes are words such as public_fame=5, 'Planetary Shield.fame=40', 'projects.difficulty*=1.2', 'blank Decoy
    Beacon', 'cautious->gambler'; several with commas. docs/changes.md has them all. Repeat --b for more variants.
    """
    from analysis.lab.compare import compare as make

    bounds = None if sprt is None else [_number(part) for part in sprt.split(",")]
    run_lab(make, options, variants=[a, *others], games=games, metric=metric, until=until, sprt=bounds, alpha=alpha,
            beta=beta)  # fmt: skip


def _number(text: str) -> Any:
    """A number if it is one; else the text, which is complained of."""
    try:
        return float(text)
    except ValueError:
        return text
