"""`xenobalance trace`: one game, move by move."""

from __future__ import annotations

import json
from typing import Any

import click

from sim.registry import part
from xenobalance.cli.games import GameCommand, needed
from xenobalance.cli.options import setting_from, table_options


@click.command(cls=GameCommand, options=table_options)
@click.option("--index", type=int, default=0, show_default=True, help="Which game of the seed.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines, as docs/trace.md describes them.")
def trace(game: str, seed: int, index: int, as_json: bool, **table: Any) -> None:
    """Tell one game, move by move, with every number."""
    tell = json_lines if as_json else needed(game, "story", "story in words", "--json").tell
    lines = part(game, "trace").trace_game(setting_from(game, **table), seed, index)
    for line in tell(lines):
        click.echo(line)


def json_lines(lines: Any) -> Any:
    """Each object on a line."""
    return map(json.dumps, lines)
