"""`xenobalance luck`: how much of the result is luck, and of which kind."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.lab import lab_options, run_lab
from xenobalance.cli.run import NUMBER

MIN_PLAYERS, MAX_PLAYERS = 3, 6


@click.command()
@click.option(
    "--games", type=NUMBER, default=20_000, show_default=True, help="Games of each of about 15 arms."
)
@click.option("--fixed", is_flag=True, help="Everybody keeps the seat and strategy: only luck is split.")
@lab_options
def luck(games: int, fixed: bool, **options: Any) -> None:
    """Split the result into strategies, roles and cards: what decides who wins?

    The same games are played again with some of their luck drawn anew: the roles, the first president, the research
    cards, projects, events, attack cards, the strategies' dice, or which strategy sits where. Each seat draws its
    strategy from those of --strategies (any number of them), unless --fixed.
    """
    from analysis.lab.luck import luck as make

    if options["line_up"] == "seats" and not fixed:
        options["line_up"] = "pool"  # so that any number of strategies will do
        options["players"] = options["players"] or _players(options["strategies"] or "")
    run_lab(make, options, games=games, fixed=fixed)


def _players(strategies: str) -> int | None:
    """As many as strategies, if that many can play."""
    names = [name for name in strategies.split(",") if name.strip()]
    return len(names) if MIN_PLAYERS <= len(names) <= MAX_PLAYERS else None
