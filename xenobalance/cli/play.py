"""`xenobalance play`: many games, and who wins how often."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from typing import Any

import click

from xenobalance.cli.games import GameCommand
from xenobalance.cli.options import setting_from, table_options

CHUNK = 2_000
INTERRUPTED = 130  # the exit code of programs ended by Ctrl-C


@click.command(cls=GameCommand, options=table_options)
@click.option("--games", type=int, default=20_000, show_default=True, help="How many games.")
@click.option("--json", "as_json", is_flag=True, help="Rates as JSON.")
def play(game: str, seed: int, games: int, as_json: bool, **table: Any) -> None:
    """Play games and show who wins how often, with 95 % Wilson intervals."""
    from sim.errors import UserError
    from xenobalance.games import words_of

    if games < 1:
        raise UserError(f"{games} games; valid: 1 or more")
    setting, teller = setting_from(game, **table), words_of(game)
    begun = time.perf_counter()
    counts = count_wins(game, setting, seed, games, quiet=as_json)
    counts["seconds"] = time.perf_counter() - begun
    if counts["games"] < games:
        click.echo(f"Stopped after {counts['games']:,} of {games:,} games.", err=True)
    if counts["games"] == 0:
        sys.exit(INTERRUPTED)
    rows = [rate(*row) for row in teller.played(setting, counts)]
    if as_json:
        facts = {"games": counts["games"], "seed": seed, **teller.facts(counts), "rates": rows}
        click.echo(json.dumps(facts))
    else:
        show(teller, setting, counts, rows)
    if counts["games"] < games:
        sys.exit(INTERRUPTED)


def count_wins(game: str, setting: Any, seed: int, games: int, quiet: bool) -> dict[str, Any]:
    """Play in chunks, so that memory stays flat and progress shows; counts only. Ctrl-C ends it early."""
    from sim.registry import part
    from xenobalance.games import words_of

    module, teller = part(game, "play"), words_of(game)
    counts: dict[str, Any] = teller.nothing(setting)
    state = module.new_game(setting)
    bar = click.progressbar(length=games, label="playing", show_pos=True, hidden=quiet)
    with bar, suppress(KeyboardInterrupt):
        while counts["games"] < games:
            size = min(CHUNK, games - counts["games"])
            found = teller.counts_of(setting, module.play(setting, seed, counts["games"], size, state))
            counts = {key: counts[key] + found[key] for key in counts}  # all at once, whenever Ctrl-C comes
            bar.update(size)
    return counts


def rate(what: str, wins: int, n: int) -> dict[str, Any]:
    """A rate with n and its interval."""
    from analysis.intervals import wilson

    low, high = wilson(wins, n)
    return {"what": what, "rate": wins / n if n else None, "low": low, "high": high, "n": n}


def show(teller: Any, setting: Any, counts: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """The table for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"Win rates, {teller.title(setting)}, {counts['games']:,} games")
    for column, side in (
        ("who wins", "left"),
        ("rate", "right"),
        ("95 % interval", "right"),
        ("games", "right"),
    ):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    for row in rows:
        interval = f"{row['low']:.1%} to {row['high']:.1%}"
        table.add_row(
            row["what"], "-" if row["rate"] is None else f"{row['rate']:.1%}", interval, f"{row['n']:,}"
        )
    console = Console()
    console.print(table)
    games = counts["games"]
    assumed = "Most card values are assumed, not the published ones: see `xenobalance cards show`."
    console.print(
        f"{teller.closing(setting, counts)}; intervals: Wilson. {games / counts['seconds']:,.0f} games a second.\n"
        f"{assumed}",
        highlight=False,
    )
