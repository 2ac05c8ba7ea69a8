"""A report on disk: the page, the text, every table as CSV and Parquet, every figure as SVG and PNG."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path

from reports import html, markdown, style
from reports.markdown import FOLDER
from reports.model import Report, Table
from sim.errors import UserError
from sim.files import write_whole

PAGE, TEXT = "report.html", "report.md"


def write(report: Report, out: Path, watch: Callable[[str], None] = lambda name: None) -> Path:
    """Write everything into a folder, and say where the page is. What an earlier report left is replaced.

    Parameters
    ----------
    watch
        Told of each figure before it is drawn.
    """
    folder = out / FOLDER
    aside = out / f"{FOLDER}.new"
    shutil.rmtree(aside, ignore_errors=True)
    try:
        (aside / "tables").mkdir(parents=True)
        (aside / "figures").mkdir()
        for chapter in report.all_chapters:
            for table in chapter.tables:
                _write_table(table, aside / "tables")
        drawings = _draw(report, aside / "figures", watch)
        page = html.page(report, drawings).encode()
        shutil.rmtree(folder, ignore_errors=True)
        aside.rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    write_whole(out / TEXT, markdown.page(report).encode())
    write_whole(out / PAGE, page)
    return out / PAGE


def check_free(out: Path) -> None:
    """Before any work: nothing of another kind stands where the report goes."""
    for name, is_wrong, what in (
        (PAGE, Path.is_dir, "a file"), (TEXT, Path.is_dir, "a file"), (FOLDER, Path.is_file, "a folder"),
    ):  # fmt: skip
        if is_wrong(out / name):
            raise UserError(f"{out / name} is in the way of the report; valid: {what}, or nothing there")


def _draw(report: Report, folder: Path, watch: Callable[[str], None]) -> dict[str, bytes]:
    drawings = {}
    for chapter in report.all_chapters:
        for figure in chapter.figures:
            watch(figure.title)
            drawn = figure.draw()
            for kind in ("svg", "png"):
                content = style.rendered(drawn, figure.id, kind)
                (folder / f"{figure.id}.{kind}").write_bytes(content)
                if kind == "svg":
                    drawings[figure.id] = content
    return drawings


def _write_table(table: Table, folder: Path) -> None:
    text = io.BytesIO()
    table.frame.write_csv(text)
    (folder / f"{table.id}.csv").write_bytes(text.getvalue())
    table.frame.write_parquet(folder / f"{table.id}.parquet", compression="zstd")
