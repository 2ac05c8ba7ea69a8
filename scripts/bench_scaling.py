"""Measure what a cluster needs to know: the cost of a task, of a shard, and of reading many of them.

`docs/scaling.md` computes larger clusters from these figures.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
import polars as pl
from bench import STRATEGIES, show

import xenobalance as xb
from sim.folder import RunFolder, append_receipt
from sim.run import run
from sim.study import make_plan
from sim.workers import DASK, Workers, cluster_client, need_distributed


def seconds_of(work: Callable[[], object]) -> float:
    """How long it takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def run_seconds(folder: Path, games: int, chunk: int, workers: Workers) -> float:
    """A whole run into a new folder."""
    ready = make_plan({"strategies": STRATEGIES, "games": games, "chunk": chunk})
    return seconds_of(lambda: run(folder, ready, workers))


def question(folder: Path) -> pl.DataFrame:
    """A typical question to the records: points by strategy and role."""
    seats = xb.load(folder).scan("seats")
    return seats.group_by("strategy", "role").agg(pl.len(), pl.mean("points")).collect()


def measure(tasks: int, games: int, say: Callable[[str], None]) -> dict[str, float]:
    """All figures of this run."""
    distributed = need_distributed()
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place, cluster_client(distributed, Workers(2, DASK)) as client:
        address = client.scheduler.address
        cluster = Workers(2, DASK, address)
        say("warming up …")
        run_seconds(Path(place) / "warm", 4_000, 1_000, cluster)
        say(f"{tasks:,} tasks of 10 games …")
        tiny = run_seconds(Path(place) / "tiny", tasks * 10, 10, cluster)
        say(f"{tasks:,} games in tasks of 10,000 on the same cluster …")
        whole = run_seconds(Path(place) / "whole", tasks * 10, 10_000, cluster)
        figures["task_milliseconds"] = 1000 * (tiny - whole) / (tasks - tasks * 10 / 10_000)
        empty = [client.submit(pow, 2, k, pure=False) for k in range(8)]
        client.gather(empty)
        figures["scheduler_milliseconds"] = (
            1000
            * seconds_of(lambda: client.gather([client.submit(pow, 2, k, pure=False) for k in range(tasks)]))
            / tasks
        )
        receipts = list(RunFolder(Path(place) / "tiny").receipts().values())
        with (Path(place) / "journal").open("ab") as journal:
            figures["receipt_milliseconds"] = (
                1000 * seconds_of(lambda: [append_receipt(journal, one) for one in receipts]) / len(receipts)
            )
        say(f"{games:,} games on the cluster of 2 …")
        figures["cluster_games_per_second_per_core"] = (
            games / run_seconds(Path(place) / "run", games, 30_000, cluster) / 2
        )
        counts = RunFolder(Path(place) / "run").manifest["counts"]
        figures["bytes_per_game"] = counts["bytes"] / counts["games"]
        figures["bytes_per_chunk"] = counts["bytes"] / counts["chunks"]
        say("reading …")
        figures["read_seconds_per_million_games"] = (
            1e6 / games * seconds_of(lambda: question(Path(place) / "run"))
        )
        figures["read_milliseconds_per_tiny_shard"] = (
            1000 / tasks * seconds_of(lambda: question(Path(place) / "tiny"))
        )
    return figures


@click.command()
@click.option("--tasks", default=3_000, show_default=True, help="Tiny chunks.")
@click.option("--games", default=600_000, show_default=True, help="Games in chunks of ordinary size.")
@click.option(
    "--json", "target", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here."
)
def main(tasks: int, games: int, target: Path | None) -> None:
    """What does a cluster cost?"""
    figures = measure(tasks, games, lambda text: click.echo(text, err=True))
    show("A Dask cluster of two worker processes on this machine", figures, {})
    if target:
        target.write_text(json.dumps({"figures": figures}, indent=2) + "\n")


if __name__ == "__main__":
    main()
