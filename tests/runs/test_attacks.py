"""What a demanding user found: each of these once went wrong."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import xenobalance as xb
from sim.errors import UserError
from sim.folder import RunFolder
from sim.run import run, trace_command
from sim.study import make_plan, read_study
from sim.verify import verify
from sim.workers import Workers
from tests.runs.kit import (
    OVER_BEFORE,
    SHORT,
    breaking,
    digest,
    edit,
    fine,
    receipts,
    refused,
    small,
    small_run,
    start,
    wait_for,
    xeno,
)

CELL = "class Cell:\n    def reveal(table, seat):\n        return 1 if table.round_no >= LATE else 0\n"


def cell(late: int) -> Any:
    """A class from a notebook that uses a value of another cell."""
    names: dict[str, Any] = {"__name__": "__main__", "LATE": late}
    exec(CELL, names)
    return names["Cell"]


@OVER_BEFORE
@pytest.mark.parametrize("backend", ["threads", "processes", "dask"])
def test_ctrl_c_reaches_all_processes_of_a_terminal(tmp_path: Path, backend: str) -> None:
    """All of them get the signal; the run ends by itself, soon, with 130, and goes on to the end."""
    if backend == "dask":
        pytest.importorskip("distributed")
    out, plan = tmp_path / "out", (*SHORT, "--games", "400_000", "--chunk", "2_000", "--jobs", "2")
    process = start("run", out, *plan, "--backend", backend, start_new_session=True)
    wait_for(lambda: receipts(out) >= 2, process)
    os.killpg(process.pid, signal.SIGINT)
    begun = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0, "it was over before"
    assert process.returncode == 130, errors
    assert time.monotonic() - begun < 30
    assert "Go on with: xenobalance run" in errors
    assert "Traceback" not in errors
    assert "all as it was" in fine(xeno("runs", "verify", out))


def test_an_edited_copy_of_a_strategy_is_refused(tmp_path: Path) -> None:
    folder = small_run(tmp_path / "out", strategies=[breaking(tmp_path), "cautious", "gambler"], games=2)
    copy = folder.path / "strategies" / "0.py"
    copy.write_text(copy.read_text(encoding="utf-8") + "\nK = 1\n", encoding="utf-8")
    with pytest.raises(UserError, match="copy of strategy Breaks was edited; valid: as the run wrote it"):
        run(folder.path)
    assert not verify(folder, 1).ok


def test_values_of_other_cells_belong_to_a_strategy(tmp_path: Path) -> None:
    words: dict[str, Any] = {
        "players": 3,
        "length": "short",
        "games": 1,
        "out": tmp_path / "out",
        "progress": False,
    }
    xb.simulate(strategies=[cell(1), "cautious", "gambler"], **words)
    xb.simulate(strategies=[cell(1), "cautious", "gambler"], **words)
    with pytest.raises(UserError, match="strategy Cell has changed"):
        xb.simulate(strategies=[cell(30), "cautious", "gambler"], **words)


def test_a_notebook_run_is_not_damaged(tmp_path: Path) -> None:
    out = tmp_path / "out"
    xb.simulate(strategies=[cell(1), "cautious", "gambler"], length="short", games=1, out=out, progress=False)
    verdict = verify(RunFolder(out), 1)
    assert verdict.ok
    assert "written in a notebook" in verdict.note
    assert verdict.replayed == 0


def test_nothing_is_written_when_workers_cannot_have_a_strategy(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(UserError, match="written in a notebook, and processes cannot have it"):
        xb.simulate(strategies=[cell(1)], games=1, out=out, backend="processes", progress=False)
    assert not out.exists()


def test_nothing_is_written_without_a_scheduler(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    out = tmp_path / "out"
    with pytest.raises(UserError, match=r"no Dask scheduler at tcp://127.0.0.1:1"):
        run(out, small(), Workers(1, "dask", "tcp://127.0.0.1:1"))
    assert not out.exists()


def test_the_trace_command_of_a_variant_says_what_it_leaves_out() -> None:
    words = {
        "strategies": ["bold", "cautious", "gambler"],
        "variants": {"bold": {"of": "cautious", "push": 0.5}},
    }
    told = trace_command(make_plan(words), 0, 0)
    assert "--strategies cautious,cautious,gambler" in told
    assert "with the parameters that plan.json has for bold" in told
    assert "plan.json" not in trace_command(small(), 0, 0)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_parameters_are_numbers(value: float) -> None:
    with pytest.raises(UserError, match="valid: a number"):
        make_plan({"strategies": ["bold"], "variants": {"bold": {"of": "cautious", "push": value}}})


def test_a_manifest_with_holes(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"schema": 1}', encoding="utf-8")
    assert "manifest.json: no 'plan' in it; valid: as the run wrote it" in refused(
        xeno("runs", "show", tmp_path)
    )


def test_odd_numbers(tmp_path: Path) -> None:
    assert "players is '+-3'; valid: whole numbers" in refused(
        xeno("run", tmp_path / "o", "--players", "+-3")
    )
    for jobs in (None, 1.5, -1):
        with pytest.raises(UserError, match="jobs; valid: 1 or more"):
            xb.simulate(games=1, jobs=jobs)  # type: ignore[arg-type]
    for wrong in (lambda: xb.simulate(games=1, out=3), lambda: xb.load(3)):  # type: ignore[arg-type]
        with pytest.raises(UserError, match="valid: "):
            wrong()


def test_numbers_of_numpy() -> None:
    result = xb.simulate(
        strategies="cautious",
        players=np.int64(3),
        length="short",
        games=1,
        rules={"public_fame": np.int64(5)},
    )
    assert result.cells["changed_rules"].to_list() == ["public_fame=5"]


def test_show_tells_cells_apart(tmp_path: Path) -> None:
    cards, out = tmp_path / "mine.toml", tmp_path / "out"
    fine(xeno("cards", "export", cards))
    cards.write_text(
        cards.read_text(encoding="utf-8").replace('name = "', 'name = "My ', 1), encoding="utf-8"
    )
    fine(
        xeno(
            "run",
            out,
            *SHORT,
            "--cards",
            cards,
            "--cards",
            "reference",
            "--games",
            30,
            "--line-up",
            "rotated",
        )
    )
    cells = json.loads(fine(xeno("runs", "show", out, "--json")))["cells"]
    assert [one["cards"] for one in cells] == [str(cards), "reference"]
    text = fine(xeno("runs", "show", out))
    assert "cards" in text
    assert "the true intervals are wider" in text


def test_a_path_with_a_space_is_quoted(tmp_path: Path) -> None:
    out = tmp_path / "my run"
    assert f"runs show '{out}'" in fine(xeno("run", out, *SHORT, "--games", 30))
    edit(out / "manifest.json", state="running")
    (out / "receipts.jsonl").unlink()
    assert f"Go on with: xenobalance run '{out}'" in " ".join(fine(xeno("runs", "show", out)).split())


def test_a_plan_is_played_again_from_the_copies_in_its_folder(tmp_path: Path) -> None:
    """The strategy's own file may be edited or gone."""
    spec = breaking(tmp_path)
    first = small_run(tmp_path / "first", strategies=[spec, "cautious", "gambler"], games=2)
    Path(spec.partition(":")[0]).unlink()
    again = run(tmp_path / "again", make_plan(read_study(first.path / "plan.json")), Workers(1))
    assert digest(again.path) == digest(first.path)
