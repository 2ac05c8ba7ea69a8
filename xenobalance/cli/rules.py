"""`xenobalance rules`: the numbers of the rulebook that a run may change."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from xenobalance.cli.cards import NOTE, console, marked, text_table


@click.group()
def rules() -> None:
    """Show the rule options, which --rule NAME=VALUE changes for a run."""


@rules.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON: a list of options.")
def show(as_json: bool) -> None:
    """Show every rule option with its default, its range and its rule; assumed values have a star."""
    from sim.games.eti.options import OPTIONS

    if as_json:
        click.echo(json.dumps([asdict(option) for option in OPTIONS], indent=2))
        return
    rows = (
        (
            option.name,
            marked(option.value, option.source, "value"),
            f"{option.low} to {option.high}",
            option.rule,
            option.text,
        )
        for option in OPTIONS
    )
    out = console()
    out.print(text_table("rule options", ("option", ">value", "range", "rule", "meaning"), rows))
    out.print(NOTE, markup=False)
