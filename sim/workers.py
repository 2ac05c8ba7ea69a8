"""Workers: where chunks are played, in threads, in processes, or on a Dask cluster.

A worker is handed a `Task` and sends back an `Outcome`. Tasks are plain data with all that another machine needs.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from sim.errors import UserError, did_you_mean
from sim.folder import MANIFEST, Receipt, write_shards
from sim.plan import REFERENCE, Plan, Ready, game_module
from sim.records import encode

THREADS, PROCESSES, DASK = "threads", "processes", "dask"
BACKENDS = (THREADS, PROCESSES, DASK)
AHEAD = 2  # chunks a worker has waiting, so that it never waits itself

#: plans that are ready in this process, by hash
READY: dict[str, Ready] = {}
#: run folders that were looked for from here, with the plan in them
SEEN: dict[tuple[str, str], bool] = {}


@dataclass(frozen=True)
class Sources:
    """A plan with all that another process or machine needs to make it ready."""

    plan: Plan
    code: str
    cards: Mapping[str, str]  # texts of card files; the game's own are there already
    strategies: Mapping[str, str]  # texts of users' strategies


@dataclass(frozen=True)
class Task:
    """A chunk to be played by a worker."""

    sources: Sources
    cell: int
    chunk: int
    folder: str


@dataclass(frozen=True)
class Outcome:
    """What a worker sends back: a receipt, or the shards if it does not see the folder, or what went wrong."""

    task: Task
    receipt: Receipt | None = None
    contents: Mapping[str, tuple[bytes, int]] = field(default_factory=dict)
    error: Exception | None = None
    interrupted: bool = False  # Ctrl-C reached the worker as well: the chunk is dropped


# --- in a worker -----------------------------------------------------------------------------------------
def work(task: Task) -> Outcome:
    """Play a chunk and write its shards. It never raises: what went wrong comes back with its task."""
    try:
        ready = ready_here(task.sources)
        first = task.chunk * ready.plan.chunk
        played = ready.play(task.cell, first, ready.size(task.cell, task.chunk))
        contents = {table: (encode(frame), len(frame)) for table, frame in played.items()}
        if sees(task):
            return Outcome(task, receipt=write_shards(Path(task.folder), task.cell, task.chunk, contents))
        return Outcome(task, contents=contents)
    except KeyboardInterrupt:  # polars listens to Ctrl-C by itself, in every process
        return Outcome(task, interrupted=True)
    except Exception as error:
        return Outcome(task, error=_sendable(error))


def _sendable(error: Exception) -> Exception:
    """Without what hangs on to it: tracebacks and causes do not travel."""
    error.__traceback__ = error.__cause__ = error.__context__ = None
    return error


def ready_here(sources: Sources) -> Ready:
    """The plan made ready in this process, once."""
    key = sources.plan.hash()
    if key not in READY:
        _leave_interrupts_to_the_parent()
        game = game_module(sources.plan.game)
        if game.code_hash() != sources.code:
            raise UserError(
                f"the worker on {socket.gethostname()} has another version of the rules ({game.code_hash()}, not "
                f"{sources.code}); valid: the same xenobalance on all machines"
            )
        game.make_ready()
        cards = {
            name: game.load_cards(None) if name == REFERENCE else game.read_cards(sources.cards[name], name)
            for name in sources.plan.known_cards
        }
        known = sources.plan.known_strategies.items()
        strategies = {
            name: game.restore(name, facts, sources.strategies.get(name, "")) for name, facts in known
        }
        READY[key] = Ready(sources.plan, strategies, cards)
    return READY[key]


def _leave_interrupts_to_the_parent() -> None:
    """Ctrl-C reaches all processes of a terminal; workers finish their chunk."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def sees(task: Task) -> bool:
    """Whether this machine has the run folder: the plan in it is ours."""
    key = (task.folder, task.sources.plan.hash())
    if key not in SEEN:
        try:
            SEEN[key] = key[1] in (Path(task.folder) / MANIFEST).read_text(encoding="utf-8")
        except OSError:
            return False
    return SEEN[key]


# --- workers ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Workers:
    """How many, and of which kind."""

    jobs: int = 0  # 0: one for each core
    backend: str = THREADS
    scheduler: str = ""  # of a Dask cluster that is already there

    def check(self) -> None:
        """Tell at once what cannot be."""
        if self.backend not in BACKENDS:
            near = did_you_mean(self.backend, BACKENDS)
            raise UserError(f"no backend '{self.backend}'{near}; valid: {', '.join(BACKENDS)}")
        if isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs < 0:
            raise UserError(f"{self.jobs} jobs; valid: 1 or more, or 0 for one for each core")
        if self.scheduler and self.backend != DASK:
            raise UserError(f"--scheduler with --backend {self.backend}; valid: with --backend {DASK}")
        if self.backend == DASK:
            distributed = need_distributed()
            if self.scheduler:
                connect(distributed, self.scheduler).close()

    @property
    def count(self) -> int:
        """How many there are on this machine."""
        return self.jobs or cores()


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def need_distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise UserError("Dask is not installed; valid: pip install 'xenobalance[cluster]'") from None
    return distributed


def outcomes(tasks: Iterable[Task], workers: Workers) -> Iterator[Outcome]:
    """What the workers send back, in whatever order; `WorkerDied` when one was lost with its chunk."""
    if workers.backend == DASK:
        return _by_dask(iter(tasks), workers)
    if workers.backend == THREADS and workers.count == 1:
        return map(work, tasks)
    return _by_joblib(tasks, workers)


class WorkerDied(Exception):
    """A worker process is gone, and its chunk with it."""


def _by_joblib(tasks: Iterable[Task], workers: Workers) -> Iterator[Outcome]:
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    # a run that ends early (Ctrl-C, a broken strategy) drops chunks on purpose
    warnings.filterwarnings(
        "ignore", message=".*tasks which were still being processed", category=UserWarning
    )
    parallel = Parallel(
        n_jobs=workers.count,
        backend="threading" if workers.backend == THREADS else "loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=workers.count * AHEAD,
    )
    try:
        yield from parallel(delayed(work)(task) for task in tasks)
    except BrokenProcessPool as error:  # TerminatedWorkerError is one
        raise WorkerDied(str(error)) from error


def _by_dask(tasks: Iterator[Task], workers: Workers) -> Iterator[Outcome]:
    """Dask by itself: its own futures say which chunk's workers died, and how many chunks are out is ours to choose.

    A worker that is lost is no news: the scheduler gives its chunk to another one.
    """
    distributed = need_distributed()
    with cluster_client(distributed, workers) as client:
        ahead = AHEAD * max(1, sum(client.nthreads().values()))
        futures = distributed.as_completed()
        for task in islice(tasks, ahead):
            futures.add(client.submit(work, task, pure=False))
        for future in futures:
            if future.status != "finished":  # its workers died again and again
                raise WorkerDied(str(future.exception()))
            yield future.result()
            for task in islice(tasks, 1):
                futures.add(client.submit(work, task, pure=False))


def connect(distributed: Any, address: str) -> Any:
    """A client of the scheduler at this address."""
    try:
        return distributed.Client(address, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        raise UserError(f"no Dask scheduler at {address}: {error}; valid: tcp://HOST:8786") from None


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile ignore Ctrl-C, which a terminal sends to all: they finish their chunks."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def cluster_client(distributed: Any, workers: Workers) -> Iterator[Any]:
    """A client of the cluster that was named, or of one on this machine."""
    if workers.scheduler:
        with connect(distributed, workers.scheduler) as client:
            client.wait_for_workers(1)
            yield client
        return
    with deaf_to_interrupts():
        cluster = distributed.LocalCluster(
            n_workers=workers.count, threads_per_worker=1, processes=True, dashboard_address=None
        )
    with cluster, distributed.Client(cluster) as client:
        yield client
