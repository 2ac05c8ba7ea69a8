"""Runs and reports for tests: made once for all workers, compiled, and copied by whoever changes them."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.runs.kit import edit, fine, xeno
from xenobalance.cli import main

SCRIPT = "<script>alert(1)</script>"
SIGNS = "a|b *c* _d_ `e` & \"f\" 'g'"

#: every chapter has something to say: lengths, numbers of players, one alien and drawn ones, names that bite
STUDY = f"""
players = [3, 4]
length = ["short", "standard"]
alien = ["raiding-party", "drawn"]
strategies = ["cautious", "gambler", "climber", '{SCRIPT}', {json.dumps(SIGNS)}]
line_up = "pool"
games = 600
chunk = 300
acts = true
seed = 5
[variants.'{SCRIPT}']
of = "scooper"
[variants.{json.dumps(SIGNS)}]
of = "cautious"
"""

TRIO = ("--strategies", "cautious,gambler,climber")
#: one cell of short games in four chunks, without acts
MINI = (*TRIO, "--players", "3", "--length", "short", "--games", "120", "--chunk", "30")


# --- made once -------------------------------------------------------------------------------------------
def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that the first worker makes and all others wait for. Nobody may change it."""
    base = factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = root / name, root / f"{name}.done"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder


def play(folder: Path, *words: object) -> None:
    """A compiled run."""
    fine(xeno("run", folder, *words, "--quiet"))


def make_big(folder: Path) -> None:
    """The big run, its report, and what `--json` said of it beside it."""
    study = folder.with_name("study.toml")
    study.write_text(STUDY, encoding="utf-8")
    play(folder, "--study", study)
    folder.with_name("big.json").write_text(fine(xeno("report", folder, "--json")), encoding="utf-8")


def copy_of(run: Path, to: Path) -> Path:
    """A copy to be changed."""
    return Path(shutil.copytree(run, to))


# --- the command line, in this process --------------------------------------------------------------------
class Said:
    """What a command said, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.raw, self.err = code, out, err
        self.out = " ".join(out.split())  # terminals wrap


def report(capsys: pytest.CaptureFixture[str], *words: object) -> Said:
    """`xenobalance report ...`, without a process of its own."""
    capsys.readouterr()
    code = main.run(["report", *map(str, words)])
    return Said(code, *capsys.readouterr())


def one_line(said: Said) -> str:
    """A refusal: exit code 2 and one line for people."""
    assert said.code == 2, (said.code, said.raw, said.err)
    assert said.raw == ""
    assert said.err.count("\n") == 1, said.err
    assert said.err.startswith("xenobalance: ")
    return said.err


def went_well(said: Said) -> Said:
    """No complaint, no warning."""
    assert said.code == 0, said.err
    assert said.err == ""
    return said


# --- reports -----------------------------------------------------------------------------------------------
def written(run: Path) -> dict[str, str]:
    """Hash of every file of a report, by name."""
    files = [run / "report.html", run / "report.md", *sorted((run / "report").rglob("*"))]
    return {
        file.relative_to(run).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file()
    }


def table(run: Path, name: str) -> pl.DataFrame:
    """A table of a report."""
    return pl.read_parquet(run / "report" / "tables" / f"{name}.parquet")


def names(run: Path, what: str, kind: str) -> set[str]:
    """Names of the tables or figures that were written as files of a kind."""
    return {file.stem for file in (run / "report" / what).glob(f"*.{kind}")}


def text_of(run: Path, name: str = "report.html") -> str:
    """The page or the text."""
    return (run / name).read_text(encoding="utf-8")


def ids(page: str) -> list[str]:
    """All ids on the page."""
    return re.findall(r'\sid="([^"]*)"', page)


# --- runs that something happened to ------------------------------------------------------------------------
def interrupt(run: Path, keep: int) -> dict[str, Any]:
    """As if the run had been killed after so many chunks; what it says about its plan."""
    journal = run / "receipts.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    for line in lines[keep:]:
        gone = json.loads(line)
        for name in gone["shards"]:
            (run / name / f"{gone['cell']:05d}-{gone['chunk']:06d}.parquet").unlink()
    journal.write_text("".join(lines[:keep]), encoding="utf-8")
    edit(run / "manifest.json", state="running")
    manifest: dict[str, Any] = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    return manifest
