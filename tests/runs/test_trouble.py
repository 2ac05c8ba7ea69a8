"""What can get in the way of a run: folders of another time, full disks, strategies that break."""

from __future__ import annotations

import errno
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import sim.folder
from sim.errors import UserError
from sim.folder import RunFolder
from sim.records import SCHEMA
from sim.run import run
from sim.verify import verify
from sim.workers import Workers
from tests.runs.kit import breaking, digest, edit, fine, leftovers, refused, shards, small, small_run, xeno
from xenobalance.cli.main import run as command_line

PLAYS = ("--players", "3", "--length", "short", "--games", "3,000", "--chunk", "100", "--jobs", "1")
CRASH = "return 1 / (table.round_no - table.round_no)"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def made(out: Path) -> Path:
    """A small finished run."""
    return small_run(out).path


def complaint(path: Path, **more: Any) -> str:
    """Why a run does not go on here."""
    with pytest.raises(UserError) as caught:
        run(path, small(**more), Workers(1))
    assert len(caught.value.lines) == 1
    return str(caught.value)


# --- folders ---------------------------------------------------------------------------------------------
def test_a_folder_of_an_older_schema(made: Path) -> None:
    edit(made / "manifest.json", schema=0)
    told = f"{made}: records of schema 0, and this version reads {SCHEMA}; valid: play it again, into a new folder: "
    assert complaint(made) == f"{told}xenobalance run NEW --study {made / 'plan.json'}"
    with pytest.raises(UserError, match="schema 0"):
        RunFolder(made)


def test_the_advice_for_an_older_schema_works(made: Path, tmp_path: Path) -> None:
    edit(made / "manifest.json", schema=0)
    assert command_line(["run", str(tmp_path / "new"), "--study", str(made / "plan.json"), "--quiet"]) == 0
    assert digest(tmp_path / "new") == digest(made)


def test_a_folder_of_a_newer_schema(made: Path) -> None:
    edit(made / "manifest.json", schema=99)
    assert complaint(made).endswith(
        f"records of schema 99, and this version reads {SCHEMA}; valid: a newer xenobalance"
    )


def test_an_edited_plan_is_refused(made: Path) -> None:
    edit(made / "plan.json", games=7)
    assert f"{made / 'plan.json'}: changed since the run began; valid: " in complaint(made)


def test_a_plan_with_a_word_missing(made: Path) -> None:
    (made / "plan.json").write_text('{"schema": 1}', encoding="utf-8")
    assert f"{made / 'plan.json'}: not a plan; valid: " in complaint(made)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("manifest.json", "{", "not JSON: "),
        ("plan.json", "[]", "not a table; valid: "),
        ("plan.json", "{", "not JSON: "),
    ],
)
def test_files_that_are_no_tables(made: Path, name: str, text: str, told: str) -> None:
    (made / name).write_text(text, encoding="utf-8")
    assert f"{made / name}: {told}" in complaint(made)


def test_other_rules(made: Path) -> None:
    edit(made / "manifest.json", code="0" * 16)
    assert "begun with other rules" in complaint(made)
    assert not verify(RunFolder(made)).ok


def test_a_folder_that_is_no_run(out: Path) -> None:
    with pytest.raises(UserError, match=r"no such folder; valid: a folder written by 'xenobalance run'"):
        run(out)
    assert not out.exists()
    out.mkdir()
    with pytest.raises(UserError, match=r"not a run: it has no manifest.json; valid: "):
        run(out)
    assert not list(out.iterdir())


def test_a_folder_with_something_else_in_it(out: Path) -> None:
    out.mkdir()
    (out / "holiday.jpg").write_bytes(b"sun")
    assert "neither empty nor a run; valid: a new folder, or one of a run to go on with" in complaint(out)
    assert (out / "holiday.jpg").read_bytes() == b"sun"
    assert {path.name for path in out.iterdir()} <= {"holiday.jpg", ".lock"}


def test_an_empty_folder_is_fine(out: Path) -> None:
    out.mkdir()
    assert small_run(out).complete


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_must_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert "Permission denied" in refused(
            xeno("run", tmp_path / "out", *PLAYS, "--strategies", "cautious")
        )
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    message = refused(xeno("run", tmp_path / "file" / "out", *PLAYS, "--strategies", "cautious"))
    assert message.count("\n") == 1
    assert f"{tmp_path / 'file'}" in message


def test_a_changed_shard_is_found_by_playing_it_again(made: Path) -> None:
    """A shard with a receipt to match, but of another game."""
    other = small_run(made.parent / "other", seed=2).path
    for file in shards(other):
        (made / file.relative_to(other)).write_bytes(file.read_bytes())
    (made / "receipts.jsonl").write_bytes((other / "receipts.jsonl").read_bytes())
    edit(made / "manifest.json", counts=RunFolder(other).manifest["counts"])
    verdict = verify(RunFolder(made))
    assert verdict.replayed == 6
    assert len(verdict.problems) == 6
    assert "played again, the game is another one (seed: [2], now [1])" in verdict.problems[0]
    assert verify(RunFolder(made), sample=0).ok


# --- a full disk -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("room", [0, 1, 2, 3])
def test_a_full_disk(out: Path, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for so many shards: finished chunks are kept, and the run goes on when there is more."""
    write, written = sim.folder.write_whole, []

    def write_while_there_is_room(path: Path, content: bytes) -> None:
        if path.suffix == ".parquet":
            if len(written) == room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            written.append(path)
        write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(sim.folder, "write_whole", write_while_there_is_room)
        told = complaint(out)
    assert "No space left on device; " in told
    assert f"{room // 2} finished chunks are kept" in told
    assert f"go on with: xenobalance run {out}" in told
    folder = RunFolder(out)
    assert len(folder.receipts()) == room // 2
    assert not folder.complete
    assert verify(folder).ok
    assert run(out, workers=Workers(1)).complete
    assert digest(out) == digest(small_run(out.parent / "undisturbed").path)
    assert not leftovers(out)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    sim.folder.write_whole(file, b"old")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        sim.folder.write_whole(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


# --- strategies that break -------------------------------------------------------------------------------
@pytest.mark.parametrize("line_up", ["seats", "rotated", "pool"])
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            {"crash": CRASH},
            r"raised ZeroDivisionError: .* when asked 'rate_project' of project \d+ in round \d+",
        ),
        ({"answer": "return 7"}, r"answered 7 to 'reveal' in round \d+, seed 1, index \d+; valid: "),
    ],
    ids=["raises", "illegal"],
)
def test_a_strategy_that_breaks(
    out: Path, tmp_path: Path, line_up: str, wrong: dict[str, str], told: str
) -> None:
    """The message names it and the game; the command in it shows the same fault; other shards are kept."""
    spec = breaking(tmp_path, **wrong)
    message = refused(
        xeno("run", out, *PLAYS, "--line-up", line_up, "--strategies", f"cautious,{spec},gambler")
    )
    fault, advice = [line for line in message.splitlines() if line.startswith("xenobalance: ")]
    assert fault.startswith("xenobalance: strategy Breaks (seat ")
    assert re.search(told, fault)
    assert re.search(r"seed 1, index \d+", fault)
    command = re.search(r"see the game: xenobalance (trace .*); other shards are kept in (.*)$", advice)
    assert command
    assert fault in refused(xeno(*shlex.split(command[1]))).splitlines()
    assert command[2] == str(out)
    assert not RunFolder(out).complete
    fine(xeno("runs", "verify", out, "--sample", 3))


def test_finished_shards_are_kept_when_a_strategy_breaks(out: Path, tmp_path: Path) -> None:
    """Rarely broken: some chunks are done before. The same command breaks again, and plays none of them twice."""
    spec = breaking(tmp_path, crash="return 1 / (table.players - 3) if table.round_no > 16 else 0.0")
    plan = (*PLAYS, "--chunk", "1", "--strategies", f"cautious,{spec},gambler")
    first = refused(xeno("run", out, *plan))
    kept = RunFolder(out).receipts()
    assert len(kept) > 0
    times = {path: path.stat().st_mtime_ns for path in shards(out)}
    assert refused(xeno("run", out, *plan, "--quiet")).splitlines()[-2:] == first.splitlines()[-2:]
    assert RunFolder(out).receipts() == kept
    assert {path: path.stat().st_mtime_ns for path in shards(out)} == times


def test_a_broken_strategy_in_processes(out: Path, tmp_path: Path) -> None:
    """The fault finds its way back from a worker process."""
    line_up = f"cautious,{breaking(tmp_path, crash=CRASH)},gambler"
    message = refused(xeno("run", out, *PLAYS, "--backend", "processes", "--strategies", line_up))
    assert "strategy Breaks (seat 2) raised ZeroDivisionError" in message
    assert "see the game: xenobalance trace" in message
