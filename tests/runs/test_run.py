"""Runs that are divided, stopped, killed and taken up again: always the same bytes. Compiled, as users run them.

Without `--soak` the run is killed 4 times on its way, with it 20 times.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sim.folder import RunFolder
from sim.run import _settle, _sources
from sim.workers import READY, Task, work
from tests.runs.kit import (
    OVER_BEFORE,
    SHORT,
    digest,
    edit,
    environment,
    fine,
    flip,
    leftovers,
    receipts,
    refused,
    shards,
    small,
    small_run,
    start,
    wait_for,
    xeno,
)

PLAN = (*SHORT, "--games", "160,000", "--chunk", "800", "--seed", "5")  # some seconds of playing, 200 chunks
CHUNKS = 200
KILLS, SOAK_KILLS = 4, 20
SMALL = (*SHORT, "--games", "600", "--chunk", "60", "--line-up", "rotated", "--acts")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The shards of an undisturbed run with one thread."""
    out = tmp_path_factory.mktemp("whole") / "out"
    fine(xeno("run", out, *PLAN, "--jobs", 1, "--quiet"))
    assert len(shards(out)) == 2 * CHUNKS
    return digest(out)


@pytest.fixture(scope="module")
def small_whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The same for the small plan."""
    out = tmp_path_factory.mktemp("small") / "out"
    fine(xeno("run", out, *SMALL, "--jobs", 1))
    return digest(out)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def made(out: Path) -> Path:
    """A finished small run."""
    fine(xeno("run", out, *SMALL))
    return out


def finished(out: Path, expected: dict[str, str]) -> None:
    """Complete, verified, nothing left over, and the same bytes."""
    assert digest(out) == expected
    assert receipts(out) == len(shards(out)) / len({path.parent for path in shards(out)})
    assert not leftovers(out)
    assert RunFolder(out).complete
    fine(xeno("runs", "verify", out, "--sample", 3))


def children(process: subprocess.Popen[str]) -> list[int]:
    """Worker processes of a run: not the tracker of resources, which starts first."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            args = (status.parent / "cmdline").read_bytes()
            if parent == process.pid and b"popen_loky" in args and b"resource_tracker" not in args:
                found.append(int(status.parent.name))
    return sorted(found)


# --- the same bytes --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "how",
    [("--jobs", "2"), ("--backend", "processes", "--jobs", "2"), ("--backend", "dask", "--jobs", "2")],
    ids=["two threads", "processes", "dask"],
)
def test_wherever_it_is_played(out: Path, small_whole: dict[str, str], how: tuple[str, ...]) -> None:
    if "dask" in how:
        pytest.importorskip("distributed")
    fine(xeno("run", out, *SMALL, *how))
    finished(out, small_whole)


@OVER_BEFORE
def test_killed_again_and_again(out: Path, whole: dict[str, str], soak: bool) -> None:
    """kill -9 after a random number of receipts; each time a little further, and in the end the same bytes."""
    kills = SOAK_KILLS if soak else KILLS
    luck = random.Random(3)
    killed = 0
    while killed < kills:
        before = receipts(out)
        with start("run", out, *PLAN, "--jobs", 2, "--quiet") as process:
            target = before + luck.randrange(1, max(2, CHUNKS // (2 * kills)))
            wait_for(lambda target=target: receipts(out) >= target, process)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        assert receipts(out) < CHUNKS, "it was over before"
        killed += 1
    fine(xeno("run", out))
    finished(out, whole)


@OVER_BEFORE
def test_interrupted(out: Path, whole: dict[str, str]) -> None:
    """Ctrl-C: exit code 130, how to go on, and a folder that is right as far as it goes."""
    with start("run", out, *PLAN, "--jobs", 1) as process:
        wait_for(lambda: receipts(out) >= 3, process)
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=60)
    assert process.returncode != 0, "it was over before"
    assert process.returncode == 130
    assert f"Go on with: xenobalance run {out}" in complained
    assert "Traceback" not in complained
    done = receipts(out)
    assert 3 <= done < CHUNKS
    assert f" in {done} of {CHUNKS} chunks" in said
    assert f"{CHUNKS - done} chunks are still to be played" in fine(xeno("runs", "verify", out))
    assert "unfinished" in fine(xeno("runs", "show", out))
    fine(xeno("run", out))
    finished(out, whole)


@OVER_BEFORE
def test_a_worker_process_is_killed(out: Path, whole: dict[str, str]) -> None:
    """The run says so, and completes."""
    with start("run", out, *PLAN, "--backend", "processes", "--jobs", 2) as process:
        wait_for(lambda: len(children(process)) == 2, process)
        victim = children(process)[0]
        wait_for(lambda: receipts(out) >= 2, process)
        os.kill(victim, signal.SIGKILL)
        _, complained = process.communicate(timeout=100)
    assert process.returncode == 0, complained
    assert "A worker died; its chunks are played again." in complained
    finished(out, whole)


CLUSTER = """
import os, signal, sys, threading, time
from pathlib import Path
from distributed import LocalCluster
from xenobalance.cli.main import run

def kill(cluster, out):
    receipts = Path(out) / "receipts.jsonl"
    while not receipts.exists() or receipts.read_bytes().count(b"\\n") < 3:
        time.sleep(0.005)
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    print("killed", receipts.read_bytes().count(b"\\n"), flush=True)

if __name__ == "__main__":
    out, plan = sys.argv[1], sys.argv[2:]
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        threading.Thread(target=kill, args=(cluster, out), daemon=True).start()
        sys.exit(run(["run", out, *plan, "--backend", "dask", "--scheduler", cluster.scheduler_address]))
"""


@OVER_BEFORE
def test_a_worker_of_a_cluster_is_killed(out: Path, whole: dict[str, str], tmp_path: Path) -> None:
    """A Dask cluster of separate processes, one of which is killed in the middle."""
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, out, *PLAN], capture_output=True, text=True, env=environment(), timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    killed_at = int(done.stdout.split("killed ")[1].split()[0])
    assert killed_at < CHUNKS, "it was over before"
    finished(out, whole)


def test_a_worker_that_does_not_see_the_folder_sends_the_bytes(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "out")
    ready = small()
    before = digest(folder.path)
    for cell, chunk in ready.chunks():
        READY.clear()
        outcome = work(Task(_sources(ready), cell, chunk, str(tmp_path / "elsewhere")))
        assert outcome.error is None
        assert outcome.receipt is None
        assert set(outcome.contents) == {"games", "seats"}
        for table in ("games", "seats"):
            (folder.path / table / f"{cell:05d}-{chunk:06d}.parquet").unlink()
        assert _settle(folder, ready, outcome, 0) == folder.receipts()[cell, chunk]
    assert digest(folder.path) == before
    assert not (tmp_path / "elsewhere").exists()


# --- whose folder is it ----------------------------------------------------------------------------------
@OVER_BEFORE
def test_two_processes_in_one_folder(out: Path) -> None:
    with start("run", out, *PLAN, "--jobs", 1, "--games", "2,000,000", "--quiet") as process:
        try:
            wait_for(lambda: receipts(out) >= 1, process)
            message = refused(xeno("run", out))
            assert "another process is playing into this folder; valid: wait for it" in message
            assert "being played" in fine(xeno("runs", "show", out))
        finally:
            process.kill()


def test_another_plan_is_refused_and_named(made: Path, small_whole: dict[str, str]) -> None:
    message = refused(xeno("run", made, *SMALL, "--seed", 2))
    assert (
        f"{made} holds a run of another plan: seed was 1, now 2; valid: the same plan, or another folder"
        in message
    )
    assert digest(made) == small_whole


def test_the_same_command_again_plays_nothing(made: Path) -> None:
    times = {path: path.stat().st_mtime_ns for path in shards(made)}
    fine(xeno("run", made, *SMALL))
    fine(xeno("run", made))
    assert {path: path.stat().st_mtime_ns for path in shards(made)} == times


# --- damage ----------------------------------------------------------------------------------------------
def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-10])


@pytest.mark.parametrize(
    ("damage", "told"),
    [(cut, "bytes instead of"), (flip, "not as it was written"), (Path.unlink, "missing")],
    ids=["truncated", "edited", "deleted"],
)
def test_damage_is_found_and_repaired(
    made: Path, small_whole: dict[str, str], damage: object, told: str
) -> None:
    name = "seats/00000-000004.parquet"
    assert callable(damage)
    damage(made / name)
    for done in (xeno("runs", "verify", made), xeno("run", made), xeno("run", made, *SMALL)):
        message = refused(done)
        assert f"{name}: " in message
        assert told in message
        assert "--repair" in message
    fine(xeno("run", made, "--repair"))
    finished(made, small_whole)


def test_a_torn_receipt_and_leftovers(made: Path, small_whole: dict[str, str]) -> None:
    """As a power cut may leave them: half a line at the end, and half-written files."""
    file = made / "receipts.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:6]) + lines[6][:40])
    edit(made / "manifest.json", state="running")
    for place in ("", "games", "seats"):
        (made / place / "00000-000006.parquet.17-ab.part").write_bytes(b"half")
    assert "4 chunks are still to be played" in fine(xeno("runs", "verify", made))
    fine(xeno("run", made))
    finished(made, small_whole)


def test_a_torn_receipt_does_not_spoil_the_next_one(made: Path, small_whole: dict[str, str]) -> None:
    """New receipts begin on a line of their own: they count when the run is killed before its end."""
    file = made / "receipts.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:9]) + lines[9][:40])
    folder = RunFolder(made)
    with folder.journal() as journal:
        journal.write(lines[9])
    assert len(folder.receipts()) == 10
