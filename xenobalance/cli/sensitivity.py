"""`xenobalance sensitivity`: which numbers of rules and cards drive the outcome."""

from __future__ import annotations

from typing import Any

import click

from xenobalance.cli.games import GameCommand
from xenobalance.cli.lab import lab_table, run_lab, table_of
from xenobalance.cli.run import NUMBER


@click.command(cls=GameCommand, options=lab_table)
@click.option(
    "--vary", multiple=True, metavar="WHAT",
    help="public_fame, public_fame=0..20, 'attack_*', 'Planetary Shield.defence*=0.5..1.5'; repeatable, or with "
    "commas.  [default: every rule option, and all aggregates of the cards]",
)  # fmt: skip
@click.option("--metrics", help="Outcomes, separated by commas.  [default: who wins, and how long it takes]")
@click.option(
    "--trajectories", type=NUMBER, default=20, show_default=True, help="Of the screening (Morris); 0: none."
)
@click.option(
    "--points",
    type=NUMBER,
    default=256,
    show_default=True,
    help="Of the second stage (Sobol): a power of 2; 0: none.",
)
@click.option(
    "--games",
    type=NUMBER,
    default=500,
    show_default=True,
    help="Of each point; of the tornado's eight times as many.",
)
@click.option(
    "--keep", type=NUMBER, default=10, show_default=True, help="Numbers that go on to the second stage."
)
@click.option(
    "--reach",
    type=float,
    default=0.3,
    show_default=True,
    help="Usual ranges: so much of a value up and down.",
)
@click.option("--list", "list_it", is_flag=True, help="Only show what would be varied.")
def sensitivity(
    vary: tuple[str, ...], metrics: str | None, trajectories: int, points: int, games: int, keep: int, reach: float,
    list_it: bool, **options: Any,
) -> None:  # fmt: skip
    """Which numbers of the rules and cards drive who wins, and how long it takes.

    First each number alone at both ends of its range (tornado), then all at once (Morris), then the strongest of
    them (Sobol): how much of the variation hangs on each. Usual ranges are 30 % up and down, at least 1, within the
    limits.
    """
    if list_it:
        show_factors(table_of(options), vary, reach)
        return
    from analysis.lab.sensitivity import sensitivity as make

    run_lab(make, options, vary=list(vary), metrics=metrics, trajectories=trajectories, points=points, games=games,
            keep=keep, reach=reach)  # fmt: skip


def show_factors(base: dict[str, Any], vary: tuple[str, ...], reach: float) -> None:
    """The table of what would be varied."""
    from analysis.lab.sensitivity import chosen
    from analysis.lab.sensitivity_tables import span
    from xenobalance.cli.tables import console, table

    view = table("What can be varied", ["name", ">now", ">range", ">limits", "source"])
    for one in chosen(base, vary, reach):
        limits = f"{one.shown(one.least)} to {one.shown(one.most)}"
        view.add_row(one.name, one.shown(one.default), span(one), limits, one.source)
    console().print(view)
