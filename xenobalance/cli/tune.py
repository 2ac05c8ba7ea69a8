"""`xenobalance tune`: the smallest set of changes that meets targets."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.games import GameCommand
from xenobalance.cli.lab import lab_table, run_lab
from xenobalance.cli.run import NUMBER


@click.command(cls=GameCommand, options=lab_table)
@click.option(
    "--target",
    "targets",
    multiple=True,
    required=True,
    help="What is wanted, e.g. alien_win=0.5, rounds=14..18, seats=fair, diversity=0.9; repeatable.",
)
@click.option(
    "--vary",
    multiple=True,
    help="What may be changed, e.g. public_fame=0..20/5 or attack_cards; repeatable.  "
    "[default: a dozen rules of the invasion and the threshold]",
)
@click.option(
    "--most-changes", type=int, default=2, show_default=True, help="How many things at once, at most."
)
@click.option(
    "--games", type=NUMBER, default=20_000, help="Of each candidate that stays to the end.  [default: 20,000]"
)
def tune(
    targets: tuple[str, ...], vary: tuple[str, ...], most_changes: int, games: int, **options: Any
) -> None:
    """Find the smallest set of changes that meets one or several targets.

    A target is a metric and a value: alien_win=0.5 (2 points to either side are near enough; alien_win=0.5~0.01 is
    stricter), rounds=14..18, rounds>=14, seats=fair (no seat more than 2 points from its share), diversity=0.9 (at
    least). What is found is checked on fresh luck, and written as tuned.toml: a study that `xenobalance run` takes.
    """
    from analysis.lab.tune import tune as make

    run_lab(make, options, targets=list(targets), vary=list(vary), most_changes=most_changes, games=games)
