"""`xenobalance metagame`: all strategies against each other."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.lab import lab_options, run_lab
from xenobalance.cli.run import NUMBER, apart, whole


@click.command()
@click.option(
    "--games",
    type=NUMBER,
    default=40_000,
    show_default=True,
    help="Of a matchup, at most; soon clear: an eighth.",
)
@click.option(
    "--also", multiple=True, help="Other numbers of players as well, e.g. 3,5: a metagame for each."
)
@click.option(
    "--rounds", type=int, default=6, show_default=True, help="Of playing the field and mending it, at most."
)
@lab_options
def metagame(games: int, also: tuple[str, ...], rounds: int, **options: Any) -> None:
    """Play all strategies against each other: which are played in the long run, and what beats what.

    Everybody tries his luck at tables of everybody else; then the mixture that comes out is played at full tables
    until nobody gains by leaving it. By default all built-in strategies but 'random' take part, with four players;
    --strategies takes any list of names and files.
    """
    from analysis.lab.metagame import everybody
    from analysis.lab.metagame import metagame as make
    from sim.errors import UserError

    if options["line_up"] not in ("seats", "pool"):
        raise UserError("--line-up: a metagame makes its own line-ups; valid: leave it out")
    options["line_up"] = "pool"
    options["strategies"] = options["strategies"] or ",".join(everybody())
    options["players"] = 4 if options["players"] is None else options["players"]
    run_lab(make, options, games=games, also=[whole(text) for text in apart(also)] or None, rounds=rounds)
