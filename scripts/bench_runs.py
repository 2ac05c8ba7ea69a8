"""Measure whole runs with records: what recording costs, what a second core brings, how large and how flat it is.

Bare kernel and runs take turns, so that a slow moment of the machine hits both.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
from bench import STRATEGIES, setting, show

from sim.folder import RunFolder
from sim.games.eti.play import play
from sim.run import run
from sim.study import make_plan
from sim.workers import Workers

#: name of the figure -> (wanted, is more better?)
WANTED: dict[str, tuple[float, bool]] = {
    "recording_costs_percent": (25, False),
    "two_cores_times_one": (1.8, True),
    "million_games_seconds": (20, False),
    "bytes_per_seat_row": (60, False),
    "memory_of_2_million_times_100_thousand": (1.15, False),
}


def seconds_of(work: Callable[[], object]) -> float:
    """How long it takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def run_seconds(folder: Path, games: int, jobs: int) -> float:
    """A whole run into a new folder: plan, games, tables, shards, receipts, manifest."""
    shutil.rmtree(folder, ignore_errors=True)
    ready = make_plan({"strategies": STRATEGIES, "games": games})
    return seconds_of(lambda: run(folder, ready, Workers(jobs)))


def peak_megabytes(folder: Path, games: int) -> float:
    """The most memory a run ever had, in a process of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    program = (
        "import resource, sys\nfrom sim.run import run\nfrom sim.study import make_plan\n"
        "from sim.workers import Workers\n"
        f"run(sys.argv[1], make_plan({{'strategies': {STRATEGIES!r}, 'games': {games}}}), Workers(2))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def measure(rounds: int, games: int, memory: bool, say: Callable[[str], None]) -> dict[str, float]:
    """All figures of this run."""
    play(setting(), 1, 0, 1000)
    bare, one, two = [], [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "run"
        for number in range(rounds):
            say(f"kernel, run on 1 core, run on 2 cores: {number + 1} of {rounds} …")
            bare.append(seconds_of(lambda: play(setting(), 1, 0, games)))
            one.append(run_seconds(folder, games, 1))
            two.append(run_seconds(folder, 2 * games, 2) / 2)
        say("a million games …")
        million = run_seconds(folder, 1_000_000, 2)
        counts = RunFolder(folder).manifest["counts"]
        seats = sum(file.stat().st_size for file in (folder / "seats").iterdir())
        figures = {
            "kernel_games_per_second": games / min(bare),
            "run_games_per_second_1_core": games / min(one),
            "run_games_per_second_2_cores": games / min(two),
            "recording_costs_percent": 100 * (min(one) / min(bare) - 1),
            "two_cores_times_one": min(one) / min(two),
            "million_games_seconds": million,
            "bytes_per_seat_row": seats / counts["seats"],
            "bytes_per_game": counts["bytes"] / counts["games"],
        }
        if memory:
            say("memory …")
            small, large = peak_megabytes(folder, 100_000), peak_megabytes(folder, 2_000_000)
            figures |= {
                "megabytes_100_thousand": small,
                "megabytes_2_million": large,
                "memory_of_2_million_times_100_thousand": large / small,
            }
    return figures


@click.command()
@click.option("--rounds", default=3, show_default=True, help="Rounds of which the best is told.")
@click.option("--games", default=120_000, show_default=True, help="Games a round and core.")
@click.option(
    "--memory/--no-memory", default=True, show_default=True, help="Also 100,000 against 2,000,000 games."
)
@click.option(
    "--json", "target", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here."
)
def main(rounds: int, games: int, memory: bool, target: Path | None) -> None:
    """How fast are whole runs?"""
    figures = measure(rounds, games, memory, lambda text: click.echo(text, err=True))
    show("Runs with records, 4 players, standard: " + ", ".join(STRATEGIES), figures, WANTED)
    if target:
        target.write_text(json.dumps({"figures": figures}, indent=2) + "\n")
        click.echo(f"Written: {target}")


if __name__ == "__main__":
    main()
