"""Is a run still what it was? Hashes, counts and schema of every shard, and a sample of games played again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from sim.errors import UserError
from sim.folder import Receipt, RunFolder, shard_path, tables
from sim.plan import Ready
from sim.records import GAMES, SEATS, SUMS, empty_frame

Watch = Callable[[str], None]


@dataclass(frozen=True)
class Verdict:
    """What was looked at, and what was found."""

    chunks: int
    games: int
    replayed: int
    missing: int  # chunks that are still to be played
    damaged: int  # chunks whose shards are not as they were written
    note: str  # why no game was played again, if that is no fault of the run
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(folder: RunFolder, sample: int = 50) -> Verdict:
    """Check every shard, and play some games again.

    Parameters
    ----------
    sample
        Games to be played again, spread evenly over the finished chunks; 0: none.
    """
    receipts = folder.receipts()
    problems = [problem for problem in map(folder.problem_with, receipts.values()) if problem]
    replayed, damaged, note = 0, len(problems), ""
    try:
        ready = folder.ready()
    except UserError as error:  # other rules, or a source that was changed
        told = [f"no game can be played again: {line}" for line in error.lines]
        if all(facts["spec"] for facts in folder.plan.known_strategies.values()):
            problems += told
        else:  # written in a notebook: it was never in the folder
            note = "; ".join(told)
    else:
        if not problems:
            problems += _wrong_tables(folder, ready, receipts)
        if not problems:
            for problem in replays(folder, ready, receipts, sample):
                replayed += 1
                problems += [problem] if problem else []
    planned = folder.manifest["planned"]
    if folder.complete:
        problems += _wrong_counts(folder, receipts)
    games = folder.counts(receipts)["games"]
    missing = planned["chunks"] - len(receipts)
    return Verdict(len(receipts), games, replayed, missing, damaged, note, tuple(problems))


def _wrong_counts(folder: RunFolder, receipts: dict[tuple[int, int], Receipt]) -> list[str]:
    """What the manifest says of the whole against the receipts."""
    found, told = folder.counts(receipts), folder.manifest.get("counts", {})
    problems = [
        f"manifest: {key}: {told.get(key)} instead of {value}"
        for key, value in found.items()
        if told.get(key) != value
    ]
    if found["games"] != folder.manifest["planned"]["games"]:
        problems.append(
            f"{found['games']:,} games instead of the {folder.manifest['planned']['games']:,} planned"
        )
    return problems


def _wrong_tables(folder: RunFolder, ready: Ready, receipts: dict[tuple[int, int], Receipt]) -> list[str]:
    """Shards whose columns or number of rows are not what they should be."""
    problems = []
    schemas = {
        table: empty_frame(ready.columns(table), ready.words).schema for table in tables(folder.plan)
    }
    for (cell, chunk), receipt in receipts.items():
        if cell >= len(ready.cells) or chunk * ready.plan.chunk >= ready.games[cell]:
            problems.append(f"receipt of cell {cell}, chunk {chunk}: the plan has no such chunk")
            continue
        games = ready.size(cell, chunk)
        rows = {
            GAMES: games,
            SEATS: games * ready.settings[cell].players,
            SUMS: -(-games // ready.games_a_row(cell)),
        }
        for table, shard in receipt.shards.items():
            path = shard_path(folder.path, table, cell, chunk)
            name = path.relative_to(folder.path).as_posix()
            try:
                schema = pl.read_parquet_schema(path)
            except (OSError, pl.exceptions.PolarsError):
                problems.append(f"{name}: not Parquet")
                continue
            if dict(schema) != dict(schemas[table]):
                problems.append(f"{name}: other columns than schema {folder.manifest['schema']} has")
            if shard.rows != rows.get(table, shard.rows):
                problems.append(f"{name}: {shard.rows:,} rows instead of {rows[table]:,}")
    return problems


def replays(
    folder: RunFolder, ready: Ready, receipts: dict[tuple[int, int], Receipt], sample: int
) -> Iterator[str]:
    """Play games again one by one and compare every column: for each what is different, or ''."""
    total = sum(ready.size(*key) for key in receipts)
    wanted = [k * total // sample for k in range(min(sample, total))] if sample else []
    keys, key, begin, size = iter(sorted(receipts)), (0, 0), 0, 0
    frames: dict[str, pl.DataFrame] = {}
    for number in wanted if total > sample else range(total if sample else 0):
        while number >= begin + size:
            begin += size
            key = next(keys)
            size, frames = ready.size(*key), {}
        if not frames:
            frames = {
                table: pl.read_parquet(shard_path(folder.path, table, *key)) for table in tables(folder.plan)
            }
        yield _replayed(ready, key[0], key[1] * ready.plan.chunk + number - begin, frames)


def _replayed(ready: Ready, cell: int, index: int, frames: dict[str, pl.DataFrame]) -> str:
    """One game played again."""
    if ready.plan.keep == SUMS:
        return _row_replayed(ready, cell, index, frames)
    for table, again in ready.play(cell, index, 1).items():
        there = frames[table].filter(pl.col("index") == index + ready.offset(cell))
        if not there.equals(again):
            return f"{table}: cell {cell}, index {index}: played again, the game is another one{_where(there, again)}"
    return ""


def _row_replayed(ready: Ready, cell: int, index: int, frames: dict[str, pl.DataFrame]) -> str:
    """The row of the sums that holds a game, played again."""
    size = ready.games_a_row(cell)
    first = index // size * size
    again = ready.play(cell, first, min(size, ready.games[cell] - first))[SUMS]
    there = frames[SUMS].filter(pl.col("row") == again["row"][0])
    if there.equals(again):
        return ""
    return f"{SUMS}: cell {cell}, row {again['row'][0]}: played again, it is another one{_where(there, again)}"


def _where(there: pl.DataFrame, again: pl.DataFrame) -> str:
    """The first column that is different."""
    if there.shape != again.shape:
        return f" ({len(there)} rows, {len(again)} now)"
    for name in there.columns:
        if not there[name].equals(again[name], null_equal=True):
            old: Any = there[name].to_list()
            return f" ({name}: {old}, now {again[name].to_list()})"
    return ""
