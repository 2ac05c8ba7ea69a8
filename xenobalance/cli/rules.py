"""`xenobalance rules`: the rule options that `--rule name=value` changes."""

import json

import click


@click.group()
def rules() -> None:
    """Show the rule options."""


@rules.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(as_json: bool) -> None:
    """List every rule option: default, range, rule and meaning.

    Defaults with a star are the rulebook's; the others are assumed. Change one with --rule name=value.
    """
    from dataclasses import asdict

    from sim.games.eti.options import OPTIONS

    if as_json:
        click.echo(json.dumps([asdict(option) for option in OPTIONS], indent=2))
    else:
        _print_table()


def _print_table() -> None:
    from sim.games.eti.options import OPTIONS
    from xenobalance.cli.tables import console, sourced, table

    result = table("Rule options", ["name", ">value", ">range", "rule", "meaning", "source"])
    for option in OPTIONS:
        span = f"{option.low}–{option.high}" if option.low >= 0 else f"{option.low} to {option.high}"
        value = sourced(option.value, option.source)
        result.add_row(option.name, value, span, option.rule, option.text, option.source)
    console().print(result)
