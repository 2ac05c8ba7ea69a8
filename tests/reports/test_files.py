"""The files of a report: the same bytes each time, every table and figure in both kinds, nothing stale."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import polars as pl
import pytest
from PIL import Image
from polars.testing import assert_frame_equal

import xenobalance as xb
from tests.reports.kit import copy_of, ids, interrupt, names, report, table, text_of, went_well, written
from tests.runs.kit import PATIENCE, command, environment

#: where another person's computer may differ
ELSEWHERE = {
    "LC_ALL": "C",
    "TZ": "Asia/Tokyo",
    "PYTHONHASHSEED": "7",
    "POLARS_MAX_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
RC = {
    "font.size": 20,
    "axes.facecolor": "yellow",
    "svg.hashsalt": "other",
    "savefig.dpi": 40,
    "lines.linewidth": 9,
}
RC_FILE = "font.size: 20\naxes.grid: False\nsvg.fonttype: none\nfigure.dpi: 50\nsavefig.bbox: tight\n"


# --- the same bytes --------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def elsewhere(big: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the run, with its receipts in another order, reported by a process of another kind."""
    folder = tmp_path_factory.mktemp("elsewhere")
    run = copy_of(big, folder / "run")
    (folder / "matplotlibrc").write_text(RC_FILE, encoding="utf-8")
    journal = run / "receipts.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[::-1]), encoding="utf-8")
    env = environment() | ELSEWHERE | {"MATPLOTLIBRC": str(folder / "matplotlibrc")}
    words = command("report", run, "--quiet")
    subprocess.run(words, env=env, check=True, capture_output=True, timeout=PATIENCE)
    return run


def test_another_computer_writes_the_same_bytes(big: Path, elsewhere: Path) -> None:
    here, there = written(big), written(elsewhere)
    assert len(here) > 60
    different = {name for name in here | there if here.get(name) != there.get(name)}
    assert different <= {"report.html", "report.md"}
    for name in different:  # the name of the folder stands in the commands at the end
        there_too = text_of(elsewhere, name).replace(f"{elsewhere.name}/plan.json", f"{big.name}/plan.json")
        assert there_too == text_of(big, name)


def test_once_more_is_the_same_in_a_notebook_with_other_settings(mini: Path, tmp_path: Path) -> None:
    run = copy_of(mini, tmp_path / "run")
    chapters = ["win-rate", "strategies"]
    xb.report(run, chapters)
    first = written(run)
    with matplotlib.rc_context(RC):
        before = dict(matplotlib.rcParams)
        xb.report(run, chapters)
        assert dict(matplotlib.rcParams) == before
    assert written(run) == first


# --- tables and figures ----------------------------------------------------------------------------------
def test_every_table_as_csv_and_parquet(big: Path) -> None:
    found = names(big, "tables", "parquet")
    assert len(found) > 20
    assert found == names(big, "tables", "csv")
    for name in found:
        frame = table(big, name)
        text = big / "report" / "tables" / f"{name}.csv"
        assert_frame_equal(pl.read_csv(text, schema_overrides=frame.schema), frame, check_exact=True)


def test_every_table_is_on_the_page_with_all_rows(big: Path) -> None:
    page = text_of(big)
    rows = {
        name: body.count("<tr>")
        for name, body in re.findall(r'<table id="([^"]*)-rows">.*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    }
    assert rows == {name: len(table(big, name)) for name in names(big, "tables", "parquet")}


def test_every_table_is_in_the_text_with_all_rows(big: Path) -> None:
    for name in names(big, "tables", "parquet"):
        part = text_of(big, "report.md").split(f'<a id="{name}"></a>')[1].split("<a id=")[0]
        lines = [
            line for line in part.split("\n## ")[0].split("\n### ")[0].splitlines() if line.startswith("|")
        ]
        assert len(lines) == len(table(big, name)) + 2, name
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1, name


def test_every_figure_as_svg_and_png(big: Path) -> None:
    found = names(big, "figures", "svg")
    assert len(found) > 10
    assert found == names(big, "figures", "png")
    for name in found:
        root = ElementTree.parse(big / "report" / "figures" / f"{name}.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        with Image.open(big / "report" / "figures" / f"{name}.png") as image:
            image.load()
            assert image.width > 300, name
            assert len(image.convert("L").getcolors() or range(9)) > 2, name  # not blank


def test_every_figure_is_in_the_text(big: Path) -> None:
    linked = re.findall(r"\]\((report/figures/[^)]*)\)", text_of(big, "report.md"))
    assert {Path(link).stem for link in linked} == names(big, "figures", "svg")
    assert all((big / link).exists() for link in linked)


def test_json_lists_the_tables(big: Path) -> None:
    told = json.loads(big.with_name("big.json").read_text(encoding="utf-8"))
    assert told["tables"] == sorted(names(big, "tables", "csv"))
    assert Path(told["page"]) == big / "report.html"


def test_links_of_the_text_lead_somewhere(big: Path) -> None:
    text = text_of(big, "report.md")
    links = set(re.findall(r"\]\(#([^)]*)\)", text))
    assert links
    assert links <= set(re.findall(r'<a id="([^"]*)"></a>', text))


def test_names_are_only_text_in_the_text(big: Path) -> None:
    text = text_of(big, "report.md")
    assert "<script" not in text
    assert "| &lt;script&gt;alert(1)&lt;/script&gt; |" in text
    assert "| a\\|b \\*c\\* \\_d\\_ \\`e\\` & \"f\" 'g' |" in text


# --- over an earlier report ------------------------------------------------------------------------------
def test_only_some_chapters_and_nothing_stale(
    big: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = copy_of(big, tmp_path / "run")
    told = json.loads(went_well(report(capsys, run, "--only", "pacing", "--only", "win-rate", "--json")).raw)
    sections = re.findall(r'<section id="([^"]*)" class="chapter">', text_of(run))
    assert sections == ["win-rate", "pacing", "method"]
    left = names(run, "tables", "parquet")
    assert left == names(run, "tables", "csv") == set(told["tables"])
    assert {"by-role", "how-games-go", "cells"} <= left
    assert left.isdisjoint({"alien-strength", "lengths", "strategy-shares", "projects"})
    assert names(run, "figures", "svg") == names(run, "figures", "png")
    assert {f"figure-{name}" for name in names(run, "figures", "svg")} <= set(ids(text_of(run)))
    for name in left:
        assert (run / "report" / "tables" / f"{name}.parquet").read_bytes() == (
            big / "report" / "tables" / f"{name}.parquet"
        ).read_bytes()


def test_nothing_is_left_lying_about(big: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = copy_of(big, tmp_path / "run")
    before = {path.name for path in run.iterdir()}
    (run / "report.new").mkdir()
    (run / "report.new" / "of a killed report").touch()
    (run / "report" / "tables" / "of an older version.csv").touch()
    went_well(report(capsys, run, "--only", "win-rate"))
    assert {path.name for path in run.iterdir()} == before
    assert not (run / "report" / "tables" / "of an older version.csv").exists()


def test_a_report_leaves_the_records_alone(
    mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = copy_of(mini, tmp_path / "run")
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    went_well(report(capsys, run, "--only", "win-rate"))
    assert {path: path.read_bytes() for path in before} == before


def test_a_report_that_fails_leaves_the_earlier_one(
    big: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = copy_of(big, tmp_path / "run")
    before = written(run)
    interrupt(run, keep=0)
    assert report(capsys, run).code == 2
    assert written(run) == before
