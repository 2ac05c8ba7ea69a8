"""Measure the speed of Target Earth, in the form of bench.py: compiled, uncompiled, against the floor, first games.

Machines differ and are noisy. What counts is the ratio between figures taken in one run.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numba
import numpy as np
from bench import command_seconds, rounds_of, show
from numba import types

from sim.compile import entry
from sim.games.target_earth.countries import die
from sim.games.target_earth.play import make_setting, new_game, play
from sim.games.target_earth.state import AIR, GAME_ROW, GAME_TYPE, new_records
from sim.games.target_earth.trace import trace_game
from sim.registry import DEFAULT_STRATEGIES

STRATEGIES = list(DEFAULT_STRATEGIES["target-earth"])
ROOT = Path(__file__).resolve().parent.parent
#: name of the figure -> (wanted, is more better?)
WANTED: dict[str, tuple[float, bool]] = {
    "games_per_second": (20_000, True),
    "advanced_games_per_second": (20_000, True),
    "times_the_floor": (50, False),
    "times_uncompiled": (500, True),
    "warm_first_game_seconds": (1.5, False),
    "cold_first_game_seconds": (20, False),
}


def setting(variant: str = "base") -> Any:
    """Four players, normal mode, the strategies that play when nothing is said."""
    return make_setting(STRATEGIES, players=4, variant=variant)


def dice_in(value: Any) -> int:
    """Dice of a trace line's field: numbers, alone or within lists of seats and their dice."""
    if isinstance(value, list):
        return sum(dice_in(one[1] if isinstance(one, list) and len(one) == 2 else one) for one in value)
    return 1


def luck_of_a_game() -> int:
    """Dice rolled and cards and tiles drawn in a game, on average over 40 traces."""
    drawn = 0
    for index in range(40):
        for line in trace_game(setting(), 1, index):
            drawn += sum(dice_in(line[key]) for key in ("dice", "alien_dice", "allied_dice") if key in line)
            drawn += {"hand": 4, "ufo": 2, "draw": 1, "loss": 1}.get(line["do"], 0)
    return round(drawn / 40)


def floor_kernel() -> Any:
    """Roll so many dice, write a row; no rules, no decisions."""

    def floor(games: Any, draws: int, rows: Any) -> None:
        game = games[0]
        for k in range(len(rows)):
            total = 0
            for _ in range(draws):
                total += die(game, AIR)
            rows[k].decisions = total

    signature = types.void(
        types.Array(GAME_TYPE, 1, "C"), types.int64, types.Array(numba.from_dtype(GAME_ROW), 1, "C")
    )
    return entry(floor, signature, keep=False)


def floor_seconds(rounds: int, games: int) -> tuple[int, list[float]]:
    """Draws a game, and the seconds of each round for so many 'games'."""
    draws, kernel = luck_of_a_game(), floor_kernel()
    state, rows = new_game(setting()), new_records(GAME_ROW, games)
    play(setting(), 1, 0, 1, state)
    with np.errstate(over="ignore"):
        return draws, rounds_of(lambda: kernel(state, draws, rows), rounds)


def uncompiled_seconds(games: int) -> float:
    """Seconds a game of the same code without the compiler, in a process of its own."""
    program = (
        "import sys, time; sys.path.insert(0, 'scripts'); from bench_target_earth import setting; "
        "from sim.games.target_earth.play import play; s = setting(); play(s, 1, 0, 1); "
        f"b = time.perf_counter(); play(s, 1, 0, {games}); print((time.perf_counter() - b) / {games})"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)
    return float(done.stdout)


def first_games() -> tuple[float, float]:
    """Seconds to the end of a first game: cold, with an empty cache, and warm."""
    game = ("trace", "--game", "target-earth", "--players", "4", "--seed", "7", "--json")
    with tempfile.TemporaryDirectory() as cache:
        cold = command_seconds(*game, cache=cache)
        return cold, command_seconds(*game, cache=cache, times=3)


def measure(rounds: int, games: int, first: bool, say: Callable[[str], None]) -> dict[str, float]:
    """All figures of this run."""
    say("games …")
    base, advanced = setting(), setting("advanced")
    seconds = rounds_of(lambda: play(base, 1, 0, games), rounds)
    best, median = min(seconds) / games, statistics.median(seconds) / games
    decisions = float(play(base, 1, 0, 2000)["decisions"].mean())
    personal = min(rounds_of(lambda: play(advanced, 1, 0, games), rounds)) / games
    say("floor …")
    draws, floor = floor_seconds(rounds, games)
    say("uncompiled …")
    plain = uncompiled_seconds(5)
    figures = {
        "games_per_second": 1 / best,
        "games_per_second_median": 1 / median,
        "advanced_games_per_second": 1 / personal,
        "microseconds_per_game": best * 1e6,
        "decisions_per_game": decisions,
        "decisions_per_second": decisions / best,
        "draws_per_game": draws,
        "floor_microseconds": min(floor) / games * 1e6,
        "times_the_floor": best / (min(floor) / games),
        "uncompiled_milliseconds": plain * 1e3,
        "times_uncompiled": plain / best,
    }
    if first:
        say("first games …")
        cold, warm = first_games()
        figures |= {"warm_first_game_seconds": warm, "cold_first_game_seconds": cold}
    return figures


@click.command()
@click.option("--rounds", default=7, show_default=True, help="Rounds of which the best and median are told.")
@click.option("--games", default=10_000, show_default=True, help="Games a round.")
@click.option("--first/--no-first", default=True, help="Also the time to a first game, cold and warm.")
@click.option(
    "--json", "target", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here."
)
def main(rounds: int, games: int, first: bool, target: Path | None) -> None:
    """How fast is it?"""
    begin = time.perf_counter()
    figures = measure(rounds, games, first, lambda text: click.echo(text, err=True))
    show("Target Earth, 4 players, normal, one core: " + ", ".join(STRATEGIES), figures, WANTED)
    if target:
        about = {
            "python": platform.python_version(),
            "numba": numba.__version__,
            "machine": platform.machine(),
            "seconds": round(time.perf_counter() - begin, 1),
        }
        target.write_text(json.dumps({"about": about, "figures": figures}, indent=2) + "\n")
        click.echo(f"Written: {target}")


if __name__ == "__main__":
    main()
