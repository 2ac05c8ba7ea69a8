"""Runs of Target Earth that are divided, killed and taken up again: always the same bytes. Compiled, as for users."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from sim.folder import RunFolder
from tests.runs.kit import OVER_BEFORE, digest, fine, leftovers, receipts, shards, start, wait_for, xeno

GAME = ("--game", "target-earth", "--mode", "normal,random", "--variant", "base,advanced", "--players", "2,4")
SMALL = (
    *GAME,
    "--strategies",
    "core,random",
    "--line-up",
    "pool",
    "--games",
    "60",
    "--chunk",
    "20",
    "--acts",
)
LONG = (
    "--game",
    "target-earth",
    "--players",
    "4",
    "--strategies",
    "core",
    "--games",
    "40,000",
    "--chunk",
    "200",
)
CHUNKS = 200


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The shards of an undisturbed run with one thread."""
    out = tmp_path_factory.mktemp("whole") / "out"
    fine(xeno("run", out, *SMALL, "--jobs", 1, "--quiet"))
    assert {path.parent.name for path in shards(out)} == {"games", "seats", "acts"}
    return digest(out)


def finished(out: Path, expected: dict[str, str]) -> None:
    """Complete, verified, nothing left over, and the same bytes."""
    assert digest(out) == expected
    assert not leftovers(out)
    assert RunFolder(out).complete
    fine(xeno("runs", "verify", out, "--sample", 2))


@pytest.mark.parametrize(
    "how", [("--jobs", "2"), ("--backend", "processes", "--jobs", "2")], ids=["two threads", "processes"]
)
def test_wherever_it_is_played(tmp_path: Path, whole: dict[str, str], how: tuple[str, ...]) -> None:
    """One worker, two, or two processes: the same bytes of games, seats and acts."""
    out = tmp_path / "out"
    fine(xeno("run", out, *SMALL, *how, "--quiet"))
    finished(out, whole)


@OVER_BEFORE
def test_killed_and_taken_up_again(tmp_path: Path) -> None:
    """kill -9 twice on the way; in the end the same bytes as undisturbed."""
    undisturbed, out = tmp_path / "whole", tmp_path / "out"
    fine(xeno("run", undisturbed, *LONG, "--jobs", 1, "--quiet"))
    for target in (5, 40):
        with start("run", out, *LONG, "--jobs", 1, "--quiet") as process:
            wait_for(lambda target=target: receipts(out) >= target, process)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        assert receipts(out) < CHUNKS, "it was over before"
    fine(xeno("run", out, "--quiet"))
    finished(out, digest(undisturbed))
