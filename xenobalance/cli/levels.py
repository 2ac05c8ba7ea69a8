"""`xenobalance levels`: does a balance hold for random, usual and trained play?"""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.lab import lab_options, run_lab
from xenobalance.cli.run import NUMBER


@click.command()
@click.option("--finding", multiple=True, help="A change said to do something, e.g. attack_x3=40; repeatable.")
@click.option("--strategy", help="Who is trained, once for each role.  [default: the first of the table]")
@click.option("--target", type=float, default=0.5, show_default=True, help="The alien's win rate that is balanced.")
@click.option("--within", type=float, default=0.05, show_default=True, help="How far from it is near enough.")
@click.option("--generations", type=NUMBER, default=80, show_default=True, help="Of training, at most.")
@click.option("--games", type=NUMBER, default=4_000, show_default=True, help="Of each candidate in training.")
@click.option("--check", type=NUMBER, default=100_000, show_default=True, help="Games of each level.")
@lab_options
def levels(finding: tuple[str, ...], **options: Any) -> None:
    """Does a balance, and what changes do to it, hold for random, usual and trained play?

    Three tables: everybody at random, everybody as in --strategies, and everybody trained for the role. A balance
    that holds only for weak play is no balance.
    """
    from analysis.lab.levels import levels as make

    own = {name: options.pop(name) for name in ("strategy", "target", "within", "generations", "games", "check")}
    run_lab(make, options, finding=[text for one in finding for text in one.split(",")], **own)
