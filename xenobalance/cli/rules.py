"""`xenobalance rules`: the rule options that `--rule name=value` changes."""

import json
from typing import Any

import click

from sim.registry import part
from xenobalance.cli.games import game_option


@click.group()
def rules() -> None:
    """Show the rule options."""


@rules.command()
@game_option()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(game: str, as_json: bool) -> None:
    """List every rule option: default, range, rule and meaning.

    Defaults with a star are the rulebook's; the others are assumed. Change one with --rule name=value.
    """
    from dataclasses import asdict

    options = part(game, "options").OPTIONS
    if as_json:
        click.echo(json.dumps([asdict(option) for option in options], indent=2))
    else:
        _print_table(options)


def _print_table(options: Any) -> None:
    from xenobalance.cli.tables import console, sourced, table

    result = table("Rule options", ["name", ">value", ">range", "rule", "meaning", "source"])
    for option in options:
        span = f"{option.low}–{option.high}" if option.low >= 0 else f"{option.low} to {option.high}"
        value = sourced(option.value, option.source)
        result.add_row(option.name, value, span, option.rule, option.text, option.source)
    console().print(result)
