"""Is the referee worth its name? Every deliberate breakage of the engine (tests/mutations.py) must be noticed.

Each is made in a copy of the engine, one text replaced, and played as plain Python in a process of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutations import MUTATIONS, Mutation, first_violation

ROOT = Path(__file__).parent.parent
ENGINE = Path("sim") / "games" / "eti"
MOST_GAMES = 24  # within which a breakage must show
SOUND_GAMES = 8  # without any, of every setting


def broken_copy(mutation: Mutation, folder: Path) -> None:
    """The sources with one text replaced; strategies and referee are those of the repository."""
    shutil.copytree(ROOT / "sim", folder / "sim", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("strategies", "tests"):
        (folder / name).symlink_to(ROOT / name)
    file = folder / ENGINE / mutation.file
    text = file.read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1, f"{mutation.file} holds it {text.count(mutation.old)} times"
    file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")


def test_there_are_enough() -> None:
    """At least fourteen breakages, each with a name of its own."""
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 14


@pytest.mark.parametrize("number", range(len(MUTATIONS)), ids=[mutation.name for mutation in MUTATIONS])
def test_breakage_is_noticed(number: int, tmp_path: Path) -> None:
    """The referee finds a violation in at least one of a few games of the broken engine."""
    broken_copy(MUTATIONS[number], tmp_path)
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "tests.mutations", str(number), str(MOST_GAMES)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip(), "the referee notices nothing"


@pytest.mark.parametrize("setting", sorted({str(sorted(m.setting.items())) for m in MUTATIONS}))
def test_sound_engine(setting: str) -> None:
    """Without a breakage it finds none, in any of the settings used above."""
    mutation = next(m for m in MUTATIONS if str(sorted(m.setting.items())) == setting)
    assert first_violation(mutation, SOUND_GAMES) == ""
