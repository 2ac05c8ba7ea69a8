"""`xb.report(OUT)` and `xenobalance report OUT`: the balance report of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import polars as pl

from sim.errors import UserError
from sim.folder import RunFolder
from sim.plan import GAME
from sim.records import SUMS
from xenobalance.results import records_of

if TYPE_CHECKING:
    from analysis.lab.stages import Result
    from reports.model import Report

COMMAND = "command.txt"  # of an experiment: what was typed
INSTALL = "pip install 'xenobalance[analysis]'"


@dataclass(frozen=True)
class Made:
    """A report that was written: where its page is, and what is in it."""

    page: Path
    report: Report

    @property
    def findings(self) -> list[str]:
        """The findings, weightiest first."""
        return [finding.text for finding in self.report.findings]

    def __repr__(self) -> str:
        lines = [*self.report.warnings, *(f"{n}. {text}" for n, text in enumerate(self.findings, 1))]
        return "\n".join([f"report: {self.page}", *lines])

    def _repr_html_(self) -> str:
        warnings = "".join(f"<p><b>{escape(text)}</b></p>" for text in self.report.warnings)
        items = "".join(f"<li>{escape(text)}</li>" for text in self.findings)
        link = f"<a href='{escape(self.page.as_posix(), quote=True)}' target='_blank'>{escape(str(self.page))}</a>"
        return f"{warnings}<ol>{items}</ol><p>The whole report: {link}</p>"


def lab_page(result: Result) -> Path:
    """Write the page of an experiment into its folder; where it is."""
    from reports.lab.page import lab_report
    from reports.write import check_free, write

    if result.folder is None:
        raise UserError("a page needs a folder; valid: the experiment with out=FOLDER")
    check_free(result.folder)
    made = lab_report(result, _lab_commands(result.folder))
    try:
        return write(made, result.folder)
    except OSError as error:
        raise UserError(_unwritten(error, result.folder)) from None


def _lab_commands(folder: Path) -> list[str]:
    """How to make an experiment and its page again; from the folder that holds it."""
    file = folder / COMMAND
    again = [file.read_text(encoding="utf-8").strip()] if file.exists() else []
    return [*again, f"xenobalance report {quote(folder.resolve().name)}"]


def _of_lab(out: str | Path) -> Made:
    """The page of an experiment, made anew from its result."""
    from analysis.lab.stages import load_result
    from reports.lab.page import lab_report

    result = load_result(out)
    page = lab_page(result)
    return Made(page, lab_report(result, _lab_commands(Path(out))))


def _game_at(out: str | Path) -> str:
    """The game of a run; where there is none that can be read, that is told later."""
    try:
        return RunFolder(out).plan.game
    except (UserError, OSError, TypeError):
        return GAME


def _unwritten(error: OSError, out: str | Path) -> str:
    return (
        f"{error.filename or out}: {error.strerror or error}: the report could not be written; valid: room, and "
        "leave to write there"
    )


def report(
    out: str | Path,
    only: Sequence[str] = (),
    target: float = 0.5,
    watch: Callable[[str], None] = lambda what: None,
    experiments: Sequence[str | Path] = (),
) -> Made:
    """Write the balance report of a run into its folder: `report.html`, `report.md`, tables and figures.

    Parameters
    ----------
    out
        The run folder.
    only
        Chapters; all if empty. E.T.I.: win-rate, alien-strength, threshold-length, pacing, strategies, cards. Target
        Earth: win-rate, course, strategies, personal, decisive.
    target
        The win rate that counts as balanced: of the alien; in Target Earth of the Alliance.
    watch
        Told what is being worked on.
    experiments
        Folders of finished experiments (compare, sweep, …), which get a chapter each.

    Example
    -------
    >>> xb.report("out/balance", target=0.45)  # doctest: +SKIP
    """
    try:
        from analysis.lab.stages import is_lab, load_result
        from reports.build import build, check_names, check_target
        from reports.write import check_free, write
    except ImportError as error:
        raise UserError(
            f"a report needs {error.name or error}, which is not installed; valid: {INSTALL}"
        ) from None
    only = [only] if isinstance(only, str) else list(only)
    check_names(only, _game_at(out))
    check_target(target)
    if not isinstance(out, str | Path):
        raise UserError(f"{out!r} is no folder; valid: the path of a run folder")
    if is_lab(out):
        return _of_lab(out)
    folder = RunFolder(out)
    if folder.plan.keep == SUMS:
        raise UserError(f"{out}: this run kept sums only; valid: a run with keep = 'records', for a report")
    folder.freeze()  # one state of the run for the whole page, also while it is being played
    check_free(folder.path)
    records = records_of(folder)
    try:
        made = build(folder, records, only, target, watch, [load_result(path) for path in experiments])
    except pl.exceptions.PolarsError as error:
        what = str(error).strip().splitlines()[0]
        raise UserError(
            f"{out}: the records cannot be read ({what}); valid: xenobalance run {quote(str(out))} --repair"
        ) from None
    try:
        return Made(write(made, folder.path, watch), made)
    except OSError as error:
        raise UserError(_unwritten(error, out)) from None
