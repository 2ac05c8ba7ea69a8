"""Measure the lab: how long its larger experiments take, from the start of Python to the written page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
from bench import show

#: name of the figure -> (wanted, is more better?)
WANTED: dict[str, tuple[float, bool]] = {
    "compare_200_thousand_pairs_seconds": (120, False),
    "knockout_71_cards_20_thousand_blocks_seconds": (120, False),
    "morris_30_options_seconds": (120, False),
}
PAIRS, BLOCKS, OPTIONS = 200_000, 20_000, 30


def seconds_and_games(*arguments: str) -> tuple[float, int]:
    """How long a command of the lab takes, with its page, and how many games it played."""
    command = [str(Path(sys.executable).with_name("xenobalance")), *arguments, "--json", "--players", "4"]
    with tempfile.TemporaryDirectory() as place:
        begin = time.perf_counter()
        done = subprocess.run(command, cwd=place, env=os.environ, check=True, capture_output=True, text=True)
        return time.perf_counter() - begin, int(json.loads(done.stdout)["games"])


def some_options() -> list[str]:
    """As many rule options as are asked for, those of the invasion and the round first."""
    from sim.games.eti.options import OPTIONS as RULES

    others = ("multiplier_short", "multiplier_epic")  # of other lengths: they change nothing here
    return [option.name for option in RULES if option.name not in others][:OPTIONS]


def measure(say: Callable[[str], None]) -> dict[str, float]:
    """All figures."""
    seconds_and_games("compare", "--b", "attack_x3=40", "--games", "100")  # compiled and warm
    figures = {}
    say(f"compare, {PAIRS:,} pairs …")
    taken, games = seconds_and_games("compare", "--b", "attack_x3=40", "--games", str(PAIRS))
    figures |= {"compare_200_thousand_pairs_seconds": taken, "compare_games_a_second": games / taken}
    say(f"knockout, 71 cards, {BLOCKS:,} blocks …")
    taken, games = seconds_and_games(
        "knockout", "--cards-of", "projects,events,humans", "--games", str(BLOCKS)
    )
    figures |= {"knockout_71_cards_20_thousand_blocks_seconds": taken, "knockout_games_a_second": games / taken}
    say(f"sensitivity, Morris, {OPTIONS} options …")
    vary = [part for name in some_options() for part in ("--vary", name)]
    taken, games = seconds_and_games("sensitivity", *vary, "--points", "0")
    figures |= {"morris_30_options_seconds": taken, "morris_games_a_second": games / taken}
    return figures


@click.command()
@click.option(
    "--json", "target", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here."
)
def main(target: Path | None) -> None:
    """How long do experiments take?"""
    figures = measure(lambda text: click.echo(text, err=True))
    show("The lab, 4 players, standard, two cores", figures, WANTED)
    if target:
        target.write_text(json.dumps({"figures": figures}, indent=2) + "\n")
        click.echo(f"Written: {target}")


if __name__ == "__main__":
    main()
