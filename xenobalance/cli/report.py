"""`xenobalance report`: the balance report of a run."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

MOST = 6  # findings in the terminal; the page has all


@click.command()
@click.argument("out")
@click.option(
    "--only", multiple=True, metavar="NAME",
    help="A chapter, like win-rate; several with commas. A wrong name shows those there are.",
)  # fmt: skip
@click.option(
    "--target",
    type=float,
    default=0.5,
    show_default=True,
    help="The win rate that counts as balanced: the alien's, or that of all players together.",
)
@click.option(
    "--with", "experiments", multiple=True, metavar="DIR", help="A finished experiment, as one more chapter."
)
@click.option("--open", "open_it", is_flag=True, help="Open the page in a browser.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="Findings as JSON.")
def report(
    out: str, only: tuple[str, ...], target: float, experiments: tuple[str, ...], open_it: bool, quiet: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Write the balance report of the run in OUT, or the page of the experiment in OUT anew.

    Into OUT go report.html (one page, no network needed), report.md, and a folder `report` with every table as CSV
    and Parquet and every figure as SVG and PNG. An unfinished run is reported as far as it is.
    """
    from xenobalance.reporting import report as make

    names = [name.strip() for text in only for name in text.split(",") if name.strip()]
    with Watching(quiet or as_json) as watch:
        made = make(out, names, target, watch, experiments)
    if as_json:
        click.echo(json.dumps(facts(made)))
    else:
        tell(made)
    if open_it:
        click.launch(str(made.page.resolve()))


def facts(made: Any) -> dict[str, Any]:
    """The report for programs."""
    findings = [
        {"text": one.text, "evidence": one.evidence, "n": one.n, "method": one.method}
        for one in made.report.findings
    ]
    tables = sorted(table.id for chapter in made.report.all_chapters for table in chapter.tables)
    return {
        "page": str(made.page),
        "warnings": list(made.report.warnings),
        "findings": findings,
        "tables": tables,
    }


def tell(made: Any) -> None:
    """The main findings and where the page is."""
    from rich.padding import Padding
    from rich.text import Text

    from xenobalance.cli.tables import console

    page = console()
    page.print(Text(made.report.subtitle, style="bold"))
    for warning in made.report.warnings:
        page.print(Text(warning, style="yellow"))
    page.print()
    for number, finding in enumerate(made.report.findings[:MOST], 1):
        page.print(Padding(Text(f"{number}. {finding.text}"), (0, 0, 0, 2)))
    more = len(made.report.findings) - MOST
    if more > 0:
        page.print(f"  … and {more} more")
    if not made.report.findings:
        page.print("  The data carries no finding.")
    page.print()
    click.echo(f"The report: {made.page}")  # not wrapped: somebody will copy it


class Watching:
    """What is being worked on, in place on a terminal, nothing elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet or not sys.stderr.isatty()

    def __enter__(self) -> Any:
        if self.quiet:
            return lambda what: None
        from rich.console import Console

        self.status = Console(stderr=True).status("reading the records")
        self.status.start()
        return lambda what: self.status.update(what)

    def __exit__(self, *error: object) -> None:
        if not self.quiet:
            self.status.stop()
