"""Runs for tests: compiled ones in processes of their own, small plain ones in this process."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.folder import RunFolder
from sim.plan import Ready
from sim.run import run
from sim.study import make_plan
from sim.workers import Workers

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0  # seconds, for what takes some seconds at most
TRIO = ("cautious", "gambler", "climber")
SHORT = ("--players", "3", "--length", "short", "--strategies", ",".join(TRIO))

#: a file strategy that breaks late in some games, by an exception in `{crash}` or by an illegal `{answer}`
BREAKS = '''"""Breaks late in some games."""

from strategies.eti.toolbox import mine


class Breaks:
    """Plays like the others until it does not."""

    def rate_project(table, seat, project):
        if table.round_no >= 8 and table.completed[mine(seat)] >= 2:
            {crash}
        return -table.cards.difficulty[project]

    def reveal(table, seat):
        {answer}
'''


#: for what disturbs a run in its middle: on a busy machine the test may come too late, and tries again
OVER_BEFORE = pytest.mark.flaky(reruns=4, only_rerun=["it was over before"])


# --- compiled, in processes of their own -----------------------------------------------------------------
def environment() -> dict[str, str]:
    """As a user has it: with the compiler."""
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    return env | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def command(*args: object) -> list[str]:
    """A command line of xenobalance."""
    return [sys.executable, "-m", "xenobalance.cli.main", *map(str, args)]


def xeno(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A finished command."""
    return subprocess.run(
        command(*args),
        capture_output=True,
        text=True,
        env=environment(),
        cwd=cwd,
        timeout=PATIENCE,
        check=False,
    )


def start(*args: object, **more: Any) -> subprocess.Popen[str]:
    """A command that is still going on; whoever starts it ends it."""
    return subprocess.Popen(
        command(*args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), **more
    )


def fine(done: subprocess.CompletedProcess[str]) -> str:
    """What a command that went well said on standard output."""
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """What a command complained of: exit code 2 and lines for people."""
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return without_notice(done.stderr)


def without_notice(text: str) -> str:
    """Whoever comes first compiles the rules, and says so."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("Compiling the rules"))


def wait_for(what: Callable[[], object], process: subprocess.Popen[str] | None = None) -> None:
    """Until something is true; a process that ends before is a failure."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "waited in vain"
        assert process is None or process.poll() is None, "it was over before"
        time.sleep(0.005)


# --- folders ---------------------------------------------------------------------------------------------
def shards(folder: Path) -> list[Path]:
    """All shards, in order."""
    return sorted(folder.glob("*/*.parquet"))


def digest(folder: Path) -> dict[str, str]:
    """Hash of every shard, by name."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in shards(folder)
    }


def receipts(folder: Path) -> int:
    """How many whole lines the list of receipts has."""
    file = folder / "receipts.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def leftovers(folder: Path) -> list[Path]:
    """Half-written files."""
    return list(folder.rglob("*.part"))


def edit(file: Path, **values: Any) -> None:
    """Change values of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | values), encoding="utf-8")


def flip(file: Path) -> None:
    """Change one byte in the middle."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))


# --- plain, in this process ------------------------------------------------------------------------------
def small(**words: Any) -> Ready:
    """A plan of a few short games of three."""
    return make_plan(
        {"players": 3, "length": "short", "strategies": list(TRIO), "games": 6, "chunk": 2} | words
    )


def small_run(folder: Path, **words: Any) -> RunFolder:
    """A small run, finished."""
    return run(folder, small(**words), Workers(1))


def breaking(folder: Path, crash: str = "pass", answer: str = "return 0") -> str:
    """A file with a strategy that breaks in some games; what `--strategies` takes."""
    file = folder / "breaks.py"
    file.write_text(BREAKS.format(crash=crash, answer=answer), encoding="utf-8")
    return f"{file}:Breaks"
