"""What is no run, or no whole one; and what stands in the way of a report."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import xenobalance as xb
from sim.errors import UserError
from sim.records import SCHEMA
from tests.reports.kit import copy_of, interrupt, one_line, report, text_of, went_well, written
from tests.runs.kit import PATIENCE, edit, environment, leftovers, shards
from xenobalance.reporting import INSTALL

Capture = pytest.CaptureFixture[str]
#: a process in which a library is not installed
WITHOUT = """
import sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {library!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Gone())
from xenobalance.cli.main import main
main(["report", sys.argv[1]])
"""


@pytest.fixture
def run(mini: Path, tmp_path: Path) -> Path:
    """A run of 120 games in four chunks, to be changed."""
    return copy_of(mini, tmp_path / "run")


# --- no run ----------------------------------------------------------------------------------------------
def test_a_folder_that_is_no_run(tmp_path: Path, capsys: Capture) -> None:
    assert f"{tmp_path}: not a run" in one_line(report(capsys, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist(tmp_path: Path, capsys: Capture) -> None:
    assert "no such folder" in one_line(report(capsys, tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []


def test_a_file(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").write_text("hello")
    assert str(tmp_path / "file") in one_line(report(capsys, tmp_path / "file"))


@pytest.mark.parametrize("schema", [SCHEMA + 1, SCHEMA - 1, None, "x"])
def test_another_schema(run: Path, capsys: Capture, schema: object) -> None:
    edit(run / "manifest.json", schema=schema)
    assert f"schema {schema}" in one_line(report(capsys, run))


def test_a_manifest_that_is_none(run: Path, capsys: Capture) -> None:
    (run / "manifest.json").write_text("{")
    assert "manifest.json: not JSON" in one_line(report(capsys, run))


def test_an_edited_plan(run: Path, capsys: Capture) -> None:
    edit(run / "plan.json", games=5)
    assert "plan.json: changed since the run began" in one_line(report(capsys, run))


# --- not a whole one -------------------------------------------------------------------------------------
@pytest.mark.parametrize("without_journal", [False, True])
def test_no_finished_chunk(run: Path, capsys: Capture, without_journal: bool) -> None:
    interrupt(run, keep=0)
    if without_journal:
        (run / "receipts.jsonl").unlink()
    assert "no game is finished yet" in one_line(report(capsys, run))
    assert not (run / "report.html").exists()


def test_an_interrupted_run_says_so_everywhere(run: Path, capsys: Capture) -> None:
    interrupt(run, keep=3)
    words = "Partial: the run is not finished. 90 of 120 games are in this report"
    said = went_well(report(capsys, run, "--only", "win-rate"))
    assert words in said.out
    assert "90 simulated games" in said.out
    told = json.loads(went_well(report(capsys, run, "--only", "win-rate", "--json")).raw)
    assert told["warnings"][0].startswith(words)
    assert f'<p class="warning" role="note">{words}' in text_of(run)
    assert f"> **Careful:** {words}" in text_of(run, "report.md")
    assert "90 of 120 planned" in text_of(run, "report.md")
    assert words in repr(xb.report(run, ["win-rate"]))


def test_a_whole_run_is_not_partial(run: Path, capsys: Capture) -> None:
    assert "Partial" not in went_well(report(capsys, run, "--only", "win-rate")).out
    assert "Partial" not in text_of(run) + text_of(run, "report.md")


def test_a_missing_shard(run: Path, capsys: Capture) -> None:
    gone = shards(run)[1]
    gone.unlink()
    told = one_line(report(capsys, run))
    assert f"{gone}: missing" in told
    assert "--repair" in told


def damaged(run: Path, capsys: Capture) -> None:
    told = one_line(report(capsys, run, "--only", "win-rate"))
    assert str(run) in told


def test_a_cut_shard(run: Path, capsys: Capture) -> None:
    shards(run)[0].write_bytes(shards(run)[0].read_bytes()[:500])
    damaged(run, capsys)


def test_a_missing_card_file(run: Path, capsys: Capture) -> None:
    (run / "cards" / "0.toml").unlink()
    assert "0.toml" in one_line(report(capsys, run, "--only", "win-rate"))


# --- in the way ------------------------------------------------------------------------------------------
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_nobody_may_write(run: Path, capsys: Capture) -> None:
    run.chmod(0o555)
    try:
        assert "Permission denied" in one_line(report(capsys, run, "--only", "win-rate"))
    finally:
        run.chmod(0o755)


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_a_folder_in_place_of_the_page(run: Path, capsys: Capture, name: str) -> None:
    (run / name / "mine").mkdir(parents=True)
    told = one_line(report(capsys, run, "--only", "win-rate"))
    assert "is in the way of the report" in told
    assert (run / name / "mine").exists()
    assert leftovers(run) == []


def test_the_page_that_is_in_the_way_is_named(run: Path, capsys: Capture) -> None:
    (run / "report.html").mkdir()
    told = one_line(report(capsys, run, "--only", "win-rate"))
    assert f"{run / 'report.html'} is in the way" in told, (
        "the name of a file that is already gone tells nobody anything"
    )


def test_a_file_in_place_of_the_folder(run: Path, capsys: Capture) -> None:
    (run / "report").write_text("mine")
    assert str(run / "report") in one_line(report(capsys, run, "--only", "win-rate"))
    assert (run / "report").read_text() == "mine"
    assert not (run / "report.new").exists()


# --- not installed ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("library", ["matplotlib", "jinja2"])
def test_a_library_that_is_not_installed(mini: Path, library: str) -> None:
    code = WITHOUT.format(library=library)
    done = subprocess.run(
        [sys.executable, "-c", code, str(mini)],
        env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"xenobalance: a report needs {library}, which is not installed; valid: {INSTALL}\n"
    )


# --- words -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", ["0", "1", "nan", "-0.1", "1.5", "inf"])
def test_targets_that_are_none(mini: Path, capsys: Capture, target: str) -> None:
    assert "--target: " in one_line(report(capsys, mini, "--target", target))


def test_a_target_that_is_no_number(mini: Path, capsys: Capture) -> None:
    said = report(capsys, mini, "--target", "x")
    assert (said.code, said.raw) == (2, "")
    assert "'--target': 'x'" in said.err
    assert said.err.count("\n") == 2  # and where to look it up


@pytest.mark.parametrize("only", ["win-rat", "pacing,win-rat", "Win rates"])
def test_chapters_that_are_none(mini: Path, capsys: Capture, only: str) -> None:
    told = one_line(report(capsys, mini, "--only", only))
    assert "--only: no chapter" in told
    assert "alien-strength" in told
    assert "did you mean 'win-rate'?" in told


def test_wrong_words_are_told_before_anything_is_read(tmp_path: Path, capsys: Capture) -> None:
    assert "--only" in one_line(report(capsys, tmp_path / "none", "--only", "x"))


@pytest.mark.parametrize("out", [None, 5, ["a"]])
def test_what_is_no_path(out: object) -> None:
    with pytest.raises(UserError, match="valid: the path of a run folder"):
        xb.report(out)  # type: ignore[arg-type]


@pytest.mark.parametrize("target", ["0.5", None])
def test_what_is_no_target(mini: Path, target: object) -> None:
    with pytest.raises(UserError, match="--target"):
        xb.report(mini, target=target)  # type: ignore[arg-type]


def test_a_full_disk(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full at the third table: one line that says where, and the report of before is still there."""
    xb.report(run, ["pacing"])
    before, write, files = written(run), Path.write_bytes, []

    def full(path: Path, content: bytes) -> int:
        files.append(path)
        if len(files) > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(
        xb.UserError, match=f"{run}: No space left on device: the report could not be written"
    ):
        xb.report(run, ["win-rate"])
    monkeypatch.undo()
    assert written(run) == before
    assert not (run / "report.new").exists()
