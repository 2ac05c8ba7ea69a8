"""`xenobalance sweep`: a rule option or a card value over a range."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.games import GameCommand
from xenobalance.cli.lab import lab_table, run_lab
from xenobalance.cli.run import NUMBER


@click.command(cls=GameCommand, options=lab_table)
@click.option(
    "--vary", "ranges", multiple=True, required=True,
    help="What, from..to/step: 'attack_x3=10..60/10'; or values: 'public_fame=0,10,20'. Twice for a grid.",
)  # fmt: skip
@click.option("--games", type=NUMBER, default=20_000, show_default=True, help="Of each value.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    help="alien_win, rounds, turns, …; repeatable.  [default: who wins, and how long it takes]",
)
@click.option(
    "--target", "targets", multiple=True, help="What should come out, e.g. alien_win=0.5; repeatable."
)
def sweep(
    ranges: tuple[str, ...], games: int, metrics: tuple[str, ...], targets: tuple[str, ...], **options: Any
) -> None:
    """A rule option or card value over a range, on the same luck: curves, slopes, bends, and what meets a target.

    Two --vary make a grid. A factor is written *=, a shift += or -=: 'projects.difficulty*=0.8..1.2/0.1',
    'tracks.staffing+=-1..1'. Words are listed: 'alien=raiding-party,world-enders'.
    """
    from analysis.lab.sweep import sweep as make

    run_lab(
        make, options, ranges=list(ranges), games=games, metrics=list(metrics) or None, targets=list(targets)
    )
