"""The report as one page that needs nothing else: style, script and figures are inside it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from reports import style
from reports.model import Column, Figure, Report, Table

TEMPLATES = Path(__file__).parent / "templates"
MANY = 8  # rows from which on a table has a filter

#: colours of figures that follow light and dark on the page
THEME = {
    style.INK: "var(--ink)",
    style.MUTED: "var(--muted)",
    style.GRID: "var(--line)",
    style.PAPER: "var(--paper)",
}


def page(report: Report, drawings: dict[str, bytes]) -> str:
    """The page; `drawings` has each figure as SVG, by its id."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    env.tests["figure"] = lambda part: isinstance(part, Figure)
    return env.get_template("report.html").render(
        report=report,
        css=Markup(_asset("report.css")),
        script=Markup(_asset("report.js")),
        drawing=lambda figure: Markup(inline(drawings[figure.id].decode(), figure)),
        has_filter=lambda table: len(table.frame) >= MANY,
        cell=cell,
        columns=shown_columns,
        tidy=tidy,
    )


@cache
def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def cell(column: Column, row: dict[str, Any]) -> Markup:
    """A cell of a table, with what it is sorted by."""
    text, interval = tidy(column.cell(row)) if column.is_number else column.cell(row), column.interval(row)
    beside = Markup(' <span class="ci">{}</span>').format(interval) if interval else ""
    kind = Markup(' class="number"') if column.is_number else ""
    return Markup('<td{} data-sort="{}">{}{}</td>').format(kind, column.sort_key(row), text, beside)


def tidy(text: str) -> str:
    """A number keeps its unit on its line."""
    return re.sub(r"(?<=\d) %", "\u00a0%", text)


def shown_columns(table: Table) -> list[Column]:
    """The columns of the page: without notes where there are none."""
    return [one for one in table.columns if one.name != "note" or any(table.frame["note"].to_list())]


def inline(svg: str, figure: Figure) -> str:
    """A figure as part of the page: colours by theme, names of its own, a size that gives way."""
    svg = svg[svg.index("<svg") :]
    for colour, variable in THEME.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r'\bid="', f'id="{figure.id}--', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\g<1>{figure.id}--", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    return svg.replace("<svg ", '<svg role="img" aria-labelledby="figure-' + figure.id + '-title" ', 1)
