"""Playing a plan: chunks go out to workers, shards and receipts come back.

Threads by default (the kernel lets go of Python's lock), processes or a Dask cluster by choice. Where a chunk
is played, in which order, and how often a worker dies on the way makes no difference to a single byte.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Any

from sim.errors import UserError
from sim.folder import Receipt, RunFolder, append_receipt, check_free, write_shards
from sim.locking import locked
from sim.plan import GAME, REFERENCE, Ready
from sim.records import encode
from sim.registry import OWN_WORDS
from sim.workers import READY, THREADS, Outcome, Sources, Task, WorkerDied, Workers, outcomes

MOST_DEATHS = 5  # of workers in a row, without a finished chunk between

Watch = Callable[[int, int, str], None]  # games done, games in all, and a line to show, or ''


class Interrupted(Exception):
    """Ctrl-C: finished chunks are safe, the rest is still to be played."""


def _silent(done: int, total: int, text: str) -> None:
    """Nobody watches."""


def run(
    path: str | Path,
    ready: Ready | None = None,
    workers: Workers | None = None,
    watch: Watch = _silent,
    repair: bool = False,
) -> RunFolder:
    """Play a plan into a folder, or go on with what is there; when it returns, the run is complete.

    Parameters
    ----------
    ready
        The plan; None: the one in the folder.
    repair
        Play damaged shards again instead of refusing to go on.

    Raises
    ------
    Interrupted
        Ctrl-C. Finished chunks are kept.
    UserError
        Another plan, damaged shards, a full disk, a strategy that raises … Finished chunks are kept.
    """
    workers = workers or Workers()
    workers.check()
    if ready is not None:
        _check_sendable(ready, workers)
    if ready is None:
        RunFolder(path)  # complains, before anything is written, when there is no run
    elif not RunFolder.exists(path):
        check_free(Path(path))
    with locked(path):
        folder = _open(path, ready)
        ready = ready or folder.ready()
        receipts = _kept(folder, ready, watch, repair)
        if not (folder.complete and len(receipts) == folder.manifest["planned"]["chunks"]):
            _play_rest(folder, ready, workers, receipts, watch)
            folder.clean()  # a worker that was killed while it wrote
            folder.finish(receipts, _now())
    return folder


def _open(path: str | Path, ready: Ready | None) -> RunFolder:
    """The folder, new or as it was left."""
    if ready is None:
        return RunFolder(path)
    if not RunFolder.exists(path):
        return RunFolder.create(path, ready, _now())
    folder = RunFolder(path)
    folder.check_same(ready.plan)
    folder.check_sources(ready)
    return folder


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _kept(folder: RunFolder, ready: Ready, watch: Watch, repair: bool) -> dict[tuple[int, int], Receipt]:
    """Finished chunks whose shards are as they were written. Damaged ones are refused, or dropped to be replayed."""
    folder.clean()
    receipts = folder.receipts()
    problems = {key: folder.problem_with(receipt) for key, receipt in receipts.items()}
    damaged = {key: problem for key, problem in problems.items() if problem}
    if damaged and not repair:
        first = next(iter(damaged.values()))
        more = f" (and {len(damaged) - 1} more)" if len(damaged) > 1 else ""
        raise UserError(
            f"{folder.path}: damaged: {first}{more}; valid: --repair, which plays {'them' if more else 'it'} again"
        )
    if damaged:
        watch(0, ready.total, f"{len(damaged)} damaged chunks are played again")
        receipts = {key: receipt for key, receipt in receipts.items() if key not in damaged}
        folder.reopen()
        folder.rewrite_receipts(receipts)
    return receipts


def _play_rest(
    folder: RunFolder, ready: Ready, workers: Workers, receipts: dict[tuple[int, int], Receipt], watch: Watch
) -> None:
    """Play what has no receipt; `receipts` grows."""
    ready.game.make_ready()
    sources = _sources(ready)
    READY[sources.plan.hash()] = ready  # for threads: also strategies that cannot be sent anywhere
    _check_sendable(ready, workers)
    done = sum(ready.size(*key) for key in receipts)
    deaths = 0
    watch(done, ready.total, "")
    with _stoppable() as stop, folder.journal() as journal:
        while len(receipts) < folder.manifest["planned"]["chunks"]:
            todo = (key for key in ready.chunks() if key not in receipts)
            tasks = (Task(sources, *key, str(folder.path.resolve())) for key in _until(stop, todo))
            try:
                for outcome in outcomes(tasks, workers):
                    if outcome.interrupted:
                        stop.set()
                        continue
                    receipt = _settle(folder, ready, outcome, len(receipts))
                    append_receipt(journal, receipt)
                    receipts[receipt.cell, receipt.chunk] = receipt
                    deaths = 0
                    done += ready.size(receipt.cell, receipt.chunk)
                    watch(done, ready.total, "")
            except WorkerDied as error:
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise UserError(
                        f"{deaths} workers died one after another ({error}); {_kept_text(folder, receipts)}"
                    ) from None
                watch(done, ready.total, "A worker died; its chunks are played again.")
            if stop.is_set():
                raise Interrupted


def _until(stop: threading.Event, keys: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give out chunks until somebody says stop."""
    for key in keys:
        if stop.is_set():
            return
        yield key


def _sources(ready: Ready) -> Sources:
    """What workers elsewhere need."""
    cards = {name: ready.game.cards_text(cards) for name, cards in ready.cards.items() if name != REFERENCE}
    known = ready.plan.known_strategies.items()
    texts = {name: ready.strategies[name].text for name, facts in known if "hash" in facts}
    return Sources(ready.plan, ready.game.code_hash(), cards, texts)


def _check_sendable(ready: Ready, workers: Workers) -> None:
    """Strategies without a file stay in this process."""
    if workers.backend != THREADS:
        for name, facts in ready.plan.known_strategies.items():
            if not facts["spec"]:
                raise UserError(
                    f"strategy {name} was written in a notebook, and {workers.backend} cannot have it; "
                    "valid: threads, or the strategy in a file"
                )


def _settle(folder: RunFolder, ready: Ready, outcome: Outcome, finished: int) -> Receipt:
    """The receipt of a chunk; what went wrong in it ends the run."""
    task, error = outcome.task, outcome.error
    if error is None:
        try:
            if outcome.receipt is not None:
                return outcome.receipt
            return write_shards(folder.path, task.cell, task.chunk, outcome.contents)
        except OSError as trouble:
            error = trouble
    if isinstance(error, ready.game.BrokenStrategy):
        raise UserError([*error.lines, _how_to_trace(folder, ready, task, error.number)])
    if isinstance(error, OSError):
        where = error.filename or folder.path
        raise UserError(f"{where}: {error.strerror or error}; {finished:,} finished chunks are kept; when there is "
                        f"room, go on with: xenobalance run {quote(str(folder.path))}")  # fmt: skip
    raise error


def _how_to_trace(folder: RunFolder, ready: Ready, task: Task, number: int) -> str:
    """The command that tells the game in which a strategy broke."""
    first = task.chunk * ready.plan.chunk + number
    return f"see the game: {trace_command(ready, task.cell, first)}; other shards are kept in {folder.path}"


def trace_command(ready: Ready, cell: int, index: int) -> str:
    """The command that tells a game of a plan."""
    line_up, block = ready.game.seated(
        ready.settings[cell], ready.plan.line_up, ready.plan.seed, index + ready.offset(cell)
    )
    facts = ready.cells[cell]
    game = ready.plan.game
    words = ["xenobalance trace", *([f"--game {game}"] if game != GAME else []), f"--players {len(line_up)}"]
    for name, word in OWN_WORDS[game].items():
        if word.told or facts.own[name] != word.default:
            words.append(f"--{name} {quote(facts.own[name])}")
    specs = [ready.plan.known_strategies[name]["spec"] or name for name in line_up]
    words.append(f"--strategies {quote(','.join(specs))}")
    words += [f"--rule {name}={value}" for name, value in facts.rules.items()]
    words += [f"--change {quote(', '.join(facts.changes))}"] * bool(facts.changes)
    if facts.cards != REFERENCE:
        words.append(f"--cards {quote(facts.cards)}")
    variants = [name for name, spec in zip(line_up, specs, strict=True) if ready.strategies[name].varied]
    told = f" (but with the parameters that plan.json has for {', '.join(variants)})" if variants else ""
    return " ".join([*words, f"--seed {ready.plan.seed}", f"--index {block}"]) + told


def _kept_text(folder: RunFolder, receipts: Mapping[tuple[int, int], Receipt]) -> str:
    return (
        f"{len(receipts):,} finished chunks are kept; go on with: xenobalance run {quote(str(folder.path))}"
    )


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """Ctrl-C once: finish the chunks that are being played. Twice: drop them."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def on_interrupt(_signal: int, _frame: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def play_in_memory(ready: Ready, workers: Workers, watch: Watch = _silent) -> dict[str, Any]:
    """Play a plan and keep its tables in memory; for as many games as fit there."""
    import polars as pl
    from joblib import Parallel, delayed

    ready.game.make_ready()
    chunks = list(ready.chunks())
    plan = ready.plan

    def play(cell: int, chunk: int) -> dict[str, Any]:
        return ready.play(cell, chunk * plan.chunk, ready.size(cell, chunk))

    parallel = Parallel(n_jobs=workers.count, backend="threading", return_as="generator", batch_size=1)
    parts: dict[str, list[Any]] = {}
    done = 0
    for key, tables in zip(chunks, parallel(delayed(play)(*key) for key in chunks), strict=True):
        for name, frame in tables.items():
            parts.setdefault(name, []).append(frame)
        done += ready.size(*key)
        watch(done, ready.total, "")
    return {name: pl.concat(frames, rechunk=True) for name, frames in parts.items()}


def expected(ready: Ready, workers: Workers, sample: int = 1_200) -> tuple[float, float]:
    """Seconds and bytes that a plan will take, from some games of (up to 12 of) its cells played now.

    A shard has a head of its own: two samples of different size tell it from what each game adds.
    """
    ready.game.make_ready()
    cells = range(0, len(ready.cells), max(1, len(ready.cells) // 12))
    seconds = head = each = 0.0
    for cell in cells:
        begun = time.perf_counter()
        large = _bytes(ready.play(cell, 0, sample))
        seconds += (time.perf_counter() - begun) / sample / len(cells)
        small = _bytes(ready.play(cell, 0, sample // 4))
        slope = (large - small) / (sample - sample // 4)
        each += slope / len(cells)
        head += max(0.0, small - slope * (sample // 4)) / len(cells)
    chunks = ready.chunk_count
    return seconds * ready.total / workers.count, head * chunks + each * ready.total


def _bytes(tables: Mapping[str, Any]) -> int:
    return sum(len(encode(frame)) for frame in tables.values())
