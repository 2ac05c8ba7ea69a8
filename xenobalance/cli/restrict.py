"""`xenobalance restrict`: the same games without using something the rules offer."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.lab import lab_options, run_lab
from xenobalance.cli.run import NUMBER


@click.command()
@click.option(
    "--ban", "bans", help="What is not used, with commas; several at once: safe+swaps.  [default: each]"
)
@click.option(
    "--who", help="Strategies that do without, one at a time, with commas.  [default: all of the table]"
)
@click.option("--games", type=NUMBER, default=10_000, show_default=True, help="Games of each arm.")
@click.option("--list", "list_them", is_flag=True, help="List what can be banned, and play nothing.")
@lab_options
def restrict(bans: str | None, who: str | None, games: int, list_them: bool, **options: Any) -> None:
    """What is a rule worth to those who use it, and what does it do to the game?

    Each strategy plays the same games again without switching projects, without safe submissions, without scooping
    …: what it wins less is what that is worth to it. Then everybody plays without it.
    """
    if list_them:
        _list()
        return
    from analysis.lab.restrict import restrict as make

    run_lab(make, options, bans=bans, who=who, games=games)


def _list() -> None:
    """Every ban, in a line."""
    from sim.games.eti.restrain import BANS

    width = max(len(ban.name) for ban in BANS)
    for ban in BANS:
        only = "" if ban.role == "both" else f" ({ban.role} only)"
        click.echo(f"{ban.name:{width}}  may not {ban.text}{only}")
