"""`xenobalance trace`: one game, move by move."""

from __future__ import annotations

import json
from typing import Any

import click

from xenobalance.cli.options import setting_from, table_options


@click.command()
@table_options
@click.option("--index", type=int, default=0, show_default=True, help="Which game of the seed.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines, as docs/trace.md describes them.")
def trace(seed: int, index: int, as_json: bool, **table: Any) -> None:
    """Tell one game of E.T.I., round by round, with every number."""
    from sim.games.eti.story import tell
    from sim.games.eti.trace import trace_game

    lines = trace_game(setting_from("cautious,gambler,climber,scooper", **table), seed, index)
    for line in map(json.dumps, lines) if as_json else tell(lines):
        click.echo(line)
