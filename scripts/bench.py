"""Measure the speed of E.T.I.: compiled, uncompiled, against the floor, and the time to a first answer.

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
from numba import types
from rich.console import Console
from rich.table import Table

from sim.compile import entry
from sim.games.eti.play import make_setting, new_game, play
from sim.games.eti.research import draw_card
from sim.games.eti.state import GAME_ROW, GAME_TYPE, new_records
from sim.games.eti.streams import RESEARCH
from sim.games.eti.trace import trace_game

STRATEGIES = ["cautious", "gambler", "climber", "scooper"]
ROOT = Path(__file__).resolve().parent.parent
#: name of the figure -> (wanted, is more better?)
WANTED: dict[str, tuple[float, bool]] = {
    "games_per_second": (40_000, True),
    "times_the_floor": (50, False),
    "times_uncompiled": (500, True),
    "help_seconds": (0.3, False),
    "warm_first_game_seconds": (1.5, False),
    "cold_first_game_seconds": (20, False),
}


def setting() -> Any:
    """Four players, standard length, four different strategies."""
    return make_setting(STRATEGIES, players=4, length="standard")


def rounds_of(work: Callable[[], object], rounds: int) -> list[float]:
    """Seconds of several runs of the same work, after one to warm up."""
    work()
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return seconds


def cards_drawn() -> int:
    """Research cards drawn in a game, on average over 40 traces."""
    drawn = 0
    for index in range(40):
        for line in trace_game(setting(), 1, index):
            if line["do"] == "deal":
                drawn += len(line["cards"]) + len(line["lost"])
            elif line["do"] in ("attack_card", "mash"):
                drawn += 1
    return round(drawn / 40)


def floor_kernel() -> Any:
    """Draw so many random cards, write a row; no rules, no decisions."""

    def floor(games: Any, draws: int, rows: Any) -> None:
        game = games[0]
        for k in range(len(rows)):
            drawn = 0
            for _ in range(draws):
                kind = draw_card(game, RESEARCH)
                game.secret.deck[kind] += 1
                game.secret.deck_n += 1
                drawn += kind
            rows[k].decisions = drawn

    signature = types.void(
        types.Array(GAME_TYPE, 1, "C"), types.int64, types.Array(numba.from_dtype(GAME_ROW), 1, "C")
    )
    return entry(floor, signature, keep=False)


def floor_seconds(rounds: int, games: int) -> tuple[int, list[float]]:
    """Cards a game, and the seconds of each round for so many 'games'."""
    draws, kernel = cards_drawn(), floor_kernel()
    state, rows = new_game(setting()), new_records(GAME_ROW, games)
    play(setting(), 1, 0, 1, state)
    with np.errstate(over="ignore"):
        return draws, rounds_of(lambda: kernel(state, draws, rows), rounds)


def uncompiled_seconds(games: int) -> float:
    """Seconds a game of the same code without the compiler, in a process of its own."""
    program = (
        "import sys, time; sys.path.insert(0, 'scripts'); from bench import setting; "
        "from sim.games.eti.play import play; s = setting(); play(s, 1, 0, 1); b = time.perf_counter(); "
        f"play(s, 1, 0, {games}); print((time.perf_counter() - b) / {games})"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env=environment,
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return float(done.stdout)


def command_seconds(*arguments: str, cache: str | None = None, times: int = 1) -> float:
    """The best of several runs of the command line, from start to end."""
    command = [str(Path(sys.executable).with_name("xenobalance")), *arguments]
    environment = os.environ | ({"XENOBALANCE_CACHE": cache} if cache else {})
    best = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        best = min(best, time.perf_counter() - begin)
    return best


def first_games() -> tuple[float, float]:
    """Seconds to the end of a first game: cold, with an empty cache, and warm."""
    game = ("trace", "--players", "4", "--strategies", ",".join(STRATEGIES), "--seed", "7")
    with tempfile.TemporaryDirectory() as cache:
        cold = command_seconds(*game, cache=cache)
        return cold, command_seconds(*game, cache=cache, times=3)


def measure(rounds: int, games: int, say: Callable[[str], None]) -> dict[str, float]:
    """All figures of this run."""
    say("games …")
    seconds = rounds_of(lambda: play(setting(), 1, 0, games), rounds)
    best, median = min(seconds) / games, statistics.median(seconds) / games
    decisions = float(play(setting(), 1, 0, 2000)["decisions"].mean())
    say("floor …")
    draws, floor = floor_seconds(rounds, games)
    say("uncompiled …")
    plain = uncompiled_seconds(20)
    say("first games, --version, --help …")
    cold, warm = first_games()
    return {
        "games_per_second": 1 / best,
        "games_per_second_median": 1 / median,
        "microseconds_per_game": best * 1e6,
        "decisions_per_game": decisions,
        "decisions_per_second": decisions / best,
        "cards_per_game": draws,
        "floor_microseconds": min(floor) / games * 1e6,
        "times_the_floor": best / (min(floor) / games),
        "uncompiled_milliseconds": plain * 1e3,
        "times_uncompiled": plain / best,
        "version_seconds": command_seconds("--version", times=5),
        "help_seconds": command_seconds("--help", times=5),
        "warm_first_game_seconds": warm,
        "cold_first_game_seconds": cold,
    }


def show(title: str, figures: dict[str, float], wanted_figures: dict[str, tuple[float, bool]]) -> None:
    """The table for people."""
    table = Table(title=title)
    for heading in ("figure", "measured", "wanted", ""):
        table.add_column(heading, justify="left" if heading in ("figure", "") else "right")
    for name, value in figures.items():
        text = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
        wanted, more = wanted_figures.get(name, (None, True))
        if wanted is None:
            table.add_row(name.replace("_", " "), text)
            continue
        met = value >= wanted if more else value <= wanted
        sign = "at least" if more else "at most"
        table.add_row(name.replace("_", " "), text, f"{sign} {wanted:,g}", "met" if met else "NOT met")
    Console().print(table)


@click.command()
@click.option("--rounds", default=7, show_default=True, help="Rounds of which the best and median are told.")
@click.option("--games", default=20_000, show_default=True, help="Games a round.")
@click.option(
    "--json", "target", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here."
)
def main(rounds: int, games: int, target: Path | None) -> None:
    """How fast is it?"""
    figures = measure(rounds, games, lambda text: click.echo(text, err=True))
    show("E.T.I., 4 players, standard, one core: " + ", ".join(STRATEGIES), figures, WANTED)
    if target:
        about = {
            "python": platform.python_version(),
            "numba": numba.__version__,
            "machine": platform.machine(),
        }
        target.write_text(json.dumps({"about": about, "figures": figures}, indent=2) + "\n")
        click.echo(f"Written: {target}")


if __name__ == "__main__":
    main()
