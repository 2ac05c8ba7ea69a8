"""`xenobalance play`: many games, and who wins how often."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from typing import Any

import click

from xenobalance.cli.options import setting_from, table_options

CHUNK = 2_000
INTERRUPTED = 130  # the exit code of programs ended by Ctrl-C


@click.command()
@table_options
@click.option("--games", type=int, default=20_000, show_default=True, help="How many games.")
@click.option("--json", "as_json", is_flag=True, help="Rates as JSON.")
def play(seed: int, games: int, as_json: bool, **table: Any) -> None:
    """Play games and show win rates by role and seat, with 95 % Wilson intervals."""
    from sim.errors import UserError

    if games < 1:
        raise UserError(f"{games} games; valid: 1 or more")
    setting = setting_from("cautious,gambler,climber,scooper", **table)
    begun = time.perf_counter()
    counts = count_wins(setting, seed, games, quiet=as_json)
    counts["seconds"] = time.perf_counter() - begun
    if counts["games"] < games:
        click.echo(f"Stopped after {counts['games']:,} of {games:,} games.", err=True)
    if counts["games"] == 0:
        sys.exit(INTERRUPTED)
    rows = rates(setting, counts)
    if as_json:
        played = counts["games"]
        facts = {"games": played, "seed": seed, "rounds": counts["rounds"] / played, "rates": rows}
        click.echo(json.dumps(facts))
    else:
        show(setting, counts, rows)
    if counts["games"] < games:
        sys.exit(INTERRUPTED)


def count_wins(setting: Any, seed: int, games: int, quiet: bool) -> dict[str, Any]:
    """Play in chunks, so that memory stays flat and progress shows; counts only. Ctrl-C ends it early."""
    import numpy as np

    from sim.games.eti.play import new_game
    from sim.games.eti.play import play as play_chunk

    n = setting.players
    counts: dict[str, Any] = {"games": 0, "alien": 0, "rounds": 0, "survivors": 0}
    counts |= {"won": np.zeros((n, 2), int), "seats": np.zeros((n, 2), int)}
    state = new_game(setting)
    bar = click.progressbar(length=games, label="playing", show_pos=True, hidden=quiet)
    with bar, suppress(KeyboardInterrupt):
        while counts["games"] < games:
            size = min(CHUNK, games - counts["games"])
            found = counts_of(play_chunk(setting, seed, counts["games"], size, state), n)
            counts = {key: counts[key] + found[key] for key in counts}  # all at once, whenever Ctrl-C comes
            bar.update(size)
    return counts


def counts_of(rows: Any, players: int) -> dict[str, Any]:
    """What a chunk of games adds; `seats` and `won` by seat and role."""
    import numpy as np

    seats = rows["seat"][:, :players]
    is_alien, won = seats["role"] == 1, seats["won"] == 1
    return {
        "games": len(rows),
        "alien": int(rows["winner_role"].sum()),
        "rounds": int((rows["invasion_round"] - 1).sum()),
        "survivors": int(rows["survivors"].sum()),
        "seats": np.stack([(~is_alien).sum(axis=0), is_alien.sum(axis=0)], axis=1),
        "won": np.stack([(won & ~is_alien).sum(axis=0), (won & is_alien).sum(axis=0)], axis=1),
    }


def rates(setting: Any, counts: dict[str, Any]) -> list[dict[str, Any]]:
    """Each rate with n and its interval."""
    from analysis.intervals import wilson

    def rate(what: str, wins: int, n: int) -> dict[str, Any]:
        low, high = wilson(wins, n)
        return {"what": what, "rate": wins / n if n else None, "low": low, "high": high, "n": n}

    found = [rate("the alien", counts["alien"], counts["games"])]
    for p, strategy in enumerate(setting.strategies):
        won, n = counts["won"][p], counts["seats"][p]
        name = f"seat {p + 1} ({strategy.name})"
        found.append(rate(name, int(won.sum()), int(n.sum())))
        found.append(rate(f"{name} as human", int(won[0]), int(n[0])))
        found.append(rate(f"{name} as alien", int(won[1]), int(n[1])))
    return found


def show(setting: Any, counts: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    """The table for people."""
    from rich.console import Console
    from rich.table import Table

    table = Table(
        title=f"Win rates, {setting.players} players, {setting.length} game, {counts['games']:,} games"
    )
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
        f"{counts['rounds'] / games:.1f} rounds and {counts['survivors'] / games:.2f} surviving humans a game on "
        f"average; intervals: Wilson. {games / counts['seconds']:,.0f} games a second.\n{assumed}",
        highlight=False,
    )
