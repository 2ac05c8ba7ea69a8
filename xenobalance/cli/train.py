"""`xenobalance train`: better parameters for a strategy, and what they are worth."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.lab import lab_options, run_lab
from xenobalance.cli.run import NUMBER


@click.command()
@click.argument("strategy")
@click.option(
    "--role", default="alien", show_default=True, help="What it is trained for: alien, human or both."
)
@click.option(
    "--vary", multiple=True, help="Parameters that may change: 'push, risk=0..3'; repeatable.  [default: all]"
)
@click.option("--generations", type=NUMBER, default=80, show_default=True, help="At most so many.")
@click.option(
    "--population", type=NUMBER, default=0, help="Candidates of each.  [default: 4 + 3 ln(parameters)]"
)
@click.option("--games", type=NUMBER, default=4_000, show_default=True, help="Of each candidate.")
@click.option(
    "--check",
    type=NUMBER,
    default=100_000,
    show_default=True,
    help="Games of the untrained and the trained one.",
)
@click.option(
    "--patience", type=NUMBER, default=15, show_default=True, help="Generations without progress that end it."
)
@click.option("--levels", is_flag=True, help="Train both roles, and look at random, usual and trained play.")
@click.option(
    "--finding", multiple=True, help="With --levels: changes to try at each level, e.g. public_fame=5."
)
@click.option("--write", help="A file for the trained strategy; there is one in the folder anyway.")
@lab_options
def train(strategy: str, **options: Any) -> None:
    """Train the parameters of a STRATEGY for a role, and check what that is worth on fresh luck.

    STRATEGY is a name, or a file: path/to/mine.py:Mine. It has one seat of the line-up (--strategies), its own if it
    is in there, and learns against the others; seats rotate. The result is a Python file that --strategies takes.

    Does a balance hold for good play as well? With --levels the alien's win rate is shown for random play, for the
    line-up, and for trained play, for each alien card; with --finding public_fame=5 also what that change does.
    """
    from analysis.lab.train import train as make

    names = (
        "role",
        "vary",
        "generations",
        "population",
        "games",
        "check",
        "patience",
        "levels",
        "finding",
        "write",
    )
    own = {name: options.pop(name) for name in names}
    own |= {"vary": list(own["vary"]), "finding": list(own["finding"])}
    run_lab(make, options, strategy=strategy, **own)
