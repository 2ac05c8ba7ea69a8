"""A run in a notebook: loaded lazily, finished or not, and what it looks like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import xenobalance as xb
from analysis.intervals import wilson
from sim.folder import RunFolder
from tests.runs.kit import TRIO, edit, shards, small_run
from xenobalance.results import NOTE, alien_rates, records_of

CALL: dict[str, Any] = {"strategies": list(TRIO), "length": "short", "games": 6, "chunk": 2, "jobs": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of two cells with acts."""
    out = tmp_path_factory.mktemp("results") / "out"
    return small_run(out, rules={"max_rounds": [5, 30]}, acts=True, seed=8).path


def unfinished(folder: Path, chunks: int) -> Path:
    """A run of which so many chunks are left."""
    file = folder / "receipts.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:chunks]))
    edit(folder / "manifest.json", state="running")
    return folder


# --- loading ---------------------------------------------------------------------------------------------
def test_loaded_lazily(folder: Path) -> None:
    run = xb.load(folder)
    for table in ("games", "seats", "acts"):
        assert isinstance(run.scan(table), pl.LazyFrame)
    assert len(run) == 12
    assert run.state == "complete"
    assert run.folder == folder


def test_the_tables_are_those_of_the_plan(folder: Path) -> None:
    run, ready = xb.load(str(folder)), RunFolder(folder).ready()
    for table in ("games", "seats", "acts"):
        played = pl.concat(ready.play(cell, 0, 6)[table] for cell in (0, 1))
        assert getattr(run, table).equals(played), table


def test_cells(folder: Path) -> None:
    cells = xb.load(folder).cells
    assert cells["changed_rules"].to_list() == ["max_rounds=5", "max_rounds=30"]
    assert cells["strategies"].to_list() == ["cautious, gambler, climber"] * 2
    assert cells["games"].to_list() == [6, 6]


def test_an_unknown_table(folder: Path) -> None:
    with pytest.raises(
        xb.UserError, match=r"no table 'seat' \(did you mean 'seats'\?\); valid: games, seats, acts"
    ):
        xb.load(folder).scan("seat")


def test_rates_of_several_cells(folder: Path) -> None:
    """All cells together in `rates`, one by one in `alien_rates`."""
    run = xb.load(folder)
    rates = {row["who"]: row for row in run.rates.to_dicts()}
    assert rates["the alien"]["n"] == 12
    assert rates["cautious"]["n"] == 12
    assert sum(rates[name]["wins"] for name in TRIO) == 12
    assert rates["the alien"]["wins"] == (run.games["winner_role"].cast(pl.String) == "alien").sum()
    cells = alien_rates(run)
    assert [row["cell"] for row in cells] == [0, 1]
    assert sum(row["wins"] for row in cells) == rates["the alien"]["wins"]
    assert cells[0]["rounds"] < cells[1]["rounds"]
    assert (cells[1]["low"], cells[1]["high"]) == wilson(cells[1]["wins"], 6)
    assert "12 games, 2 cells, seed 8" in repr(run)


def test_an_unfinished_run(tmp_path: Path) -> None:
    """As far as it is, and it says so."""
    run = xb.load(unfinished(small_run(tmp_path / "out").path, 2))
    assert len(run) == 4
    assert run.games["index"].to_list() == [0, 1, 2, 3]
    assert ", UNFINISHED: " in repr(run)
    assert "UNFINISHED" in run._repr_html_()


def test_a_finished_run_is_not_called_unfinished(folder: Path) -> None:
    assert "UNFINISHED" not in repr(xb.load(folder))


def test_an_empty_run(tmp_path: Path) -> None:
    """Begun, and nothing finished: empty tables of the right columns."""
    done = small_run(tmp_path / "out")
    columns = xb.load(done.path).seats.schema
    run = xb.load(unfinished(done.path, 0))
    assert len(run) == 0
    assert run.seats.schema == columns
    assert "0 games" in repr(run)
    assert "UNFINISHED" in repr(run)
    assert "<table>" in run._repr_html_()


def test_a_missing_shard(tmp_path: Path) -> None:
    path = small_run(tmp_path / "out").path
    lost = shards(path)[1]
    lost.unlink()
    with pytest.raises(xb.UserError) as caught:
        xb.load(path)
    assert str(caught.value) == f"{lost}: missing; valid: xenobalance run {path} --repair"


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(xb.UserError, match="no such folder; valid: a folder written by"):
        xb.load(tmp_path / "nowhere")


# --- looks -----------------------------------------------------------------------------------------------
def test_names_are_escaped() -> None:
    wicked = xb.strategy("cautious", name="<script>alert(1)</script>")
    run = xb.simulate(**CALL | {"strategies": [wicked, "gambler", "climber"], "games": 1})
    shown = run._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt; as human" in shown
    assert "<script>alert(1)</script> as human" in repr(run)


def test_the_folder_is_escaped(tmp_path: Path) -> None:
    run = xb.load(small_run(tmp_path / "<b>", games=1).path)
    assert "<b>" not in run._repr_html_()


def test_the_page_says_that_values_are_assumed(folder: Path) -> None:
    assert NOTE in xb.load(folder)._repr_html_()


def test_many_rows_are_cut() -> None:
    names = [xb.strategy("random", name=f"r{k}") for k in range(9)]
    run = xb.simulate(**CALL | {"strategies": names, "line_up": "pool", "players": 3, "games": 2})
    assert len(run.rates) == 28
    assert run._repr_html_().count("<tr>") == 1 + 24
    assert "… and 4 rows more" in run._repr_html_()


# --- simulate into a folder ------------------------------------------------------------------------------
def test_the_same_call_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = xb.simulate(**CALL, out=out).seats
    unfinished(out, 1)
    kept = shards(out)[0]
    before = kept.stat().st_mtime_ns
    shards(out)[-1].unlink()
    again = xb.simulate(**CALL, out=out)
    assert again.seats.equals(first)
    assert again.state == "complete"
    assert kept.stat().st_mtime_ns == before


def test_in_memory_and_in_a_folder_are_the_same(tmp_path: Path) -> None:
    on_disk, in_memory = xb.simulate(**CALL, out=tmp_path / "out"), xb.simulate(**CALL)
    assert on_disk.seats.equals(in_memory.seats)
    assert on_disk.games.equals(in_memory.games)
    assert on_disk.plan == in_memory.plan
    assert on_disk.cells.equals(in_memory.cells)


def test_another_call_in_the_same_folder(tmp_path: Path) -> None:
    xb.simulate(**CALL, out=tmp_path)
    with pytest.raises(xb.UserError, match="holds a run of another plan: seed was 1, now 2"):
        xb.simulate(**CALL, seed=2, out=tmp_path)


@pytest.mark.parametrize("backend", ["processes", "dask"])
def test_other_workers_need_a_folder(backend: str) -> None:
    with pytest.raises(
        xb.UserError, match=f"backend {backend} without out; valid: a folder to play into, or threads"
    ):
        xb.simulate(**CALL, backend=backend)


def test_a_notebook_strategy_stays_in_its_process(tmp_path: Path) -> None:
    cell = type("Cell", (), {"__doc__": "Written in a cell.", "params": {"push": 1.5}})
    call = CALL | {"strategies": [cell, "cautious", "gambler"], "out": tmp_path / "out"}
    with pytest.raises(
        xb.UserError, match="strategy Cell was written in a notebook, and processes cannot have it"
    ):
        xb.simulate(**call, backend="processes")
    assert xb.simulate(**call).state == "complete"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"backend": "thread"},
            r"no backend 'thread' \(did you mean 'threads'\?\); valid: threads, processes, dask",
        ),
        ({"jobs": -1}, "-1 jobs; valid: 1 or more"),
        ({"scheduler": "tcp://x:1"}, "--scheduler with --backend threads; valid: with --backend dask"),
    ],
)
def test_wrong_workers(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(xb.UserError, match=message):
        xb.simulate(**CALL | wrong)


def test_a_frozen_folder_sees_one_state_of_a_run(tmp_path: Path) -> None:
    """As a report does while somebody plays on: here the other way round, with receipts that go away."""
    folder = small_run(tmp_path / "out")
    folder.freeze()
    before = folder.receipts()
    (folder.path / "receipts.jsonl").write_bytes(b"")
    assert folder.receipts() == before
    assert len(records_of(folder)) == 6
    assert not RunFolder(folder.path).receipts()
