"""Measure reports: time and memory of `xenobalance report` on a million games, with and without claims and events."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
from bench import STRATEGIES, show

from sim.run import run
from sim.study import make_plan
from sim.workers import Workers

#: name of the figure -> (wanted, is more better?)
WANTED: dict[str, tuple[float, bool]] = {
    "seconds": (30, False),
    "megabytes": (2000, False),
}

REPORT = """
import resource, sys, time
begin = time.perf_counter()
from xenobalance.reporting import report
report(sys.argv[1])
print(time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def measured(folder: Path) -> tuple[float, float]:
    """Seconds from the start of Python, and the most memory ever, of a report in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, str(folder)], check=True, capture_output=True, text=True
    )
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)


def measure(games: int, say: Callable[[str], None]) -> dict[str, float]:
    """All figures."""
    figures = {}
    for name, acts in (("", False), ("_with_acts", True)):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "run"
            say(f"playing {games:,} games{', with claims and events' if acts else ''} …")
            plan = make_plan({"strategies": STRATEGIES, "line_up": "pool", "games": games, "acts": acts})
            run(folder, plan, Workers(2))
            say("report …")
            figures[f"seconds{name}"], figures[f"megabytes{name}"] = measured(folder)
    return figures


@click.command()
@click.option("--games", default=1_000_000, show_default=True, help="Games of the run that is reported.")
@click.option(
    "--json", "target", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here."
)
def main(games: int, target: Path | None) -> None:
    """How fast are reports?"""
    figures = measure(games, lambda text: click.echo(text, err=True))
    show(f"Report of {games:,} games, 4 players, standard: {', '.join(STRATEGIES)}", figures, WANTED)
    if target:
        target.write_text(json.dumps({"figures": figures}, indent=2) + "\n")
        click.echo(f"Written: {target}")


if __name__ == "__main__":
    main()
