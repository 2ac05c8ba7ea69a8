"""What a report is made of, before it is a page: findings, chapters, tables, figures.

Chapters build this from analysis; `html`, `markdown` and `files` turn it into something to read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from reports import words


@dataclass(frozen=True)
class Finding:
    """A sentence that the data carries.

    `weight` orders them: about the share of games in which a designer would notice.
    """

    text: str
    evidence: str  # id of the table or figure that shows it
    weight: float
    n: int
    method: str


@dataclass(frozen=True)
class Column:
    """A column as people see it: the figure of one column of the frame, and its interval beside it."""

    name: str
    heading: str
    kind: str = "text"  # one of `words.KINDS`
    low: str = ""
    high: str = ""

    def cell(self, row: dict[str, Any]) -> str:
        """The text of a row's cell."""
        return words.shown(row[self.name], self.kind)

    def interval(self, row: dict[str, Any]) -> str:
        """The interval of a row's cell, or nothing."""
        if not self.low or row[self.low] is None:
            return ""
        return words.interval(row[self.low], row[self.high], self.kind)

    def sort_key(self, row: dict[str, Any]) -> str:
        """What the page sorts by."""
        value = row[self.name]
        return "" if value is None else str(value)

    @property
    def is_number(self) -> bool:
        """Whether it stands on the right."""
        return self.kind != "text"


@dataclass(frozen=True)
class Table:
    """A table: all columns go into files, the named ones onto the page."""

    id: str
    title: str
    frame: pl.DataFrame
    columns: Sequence[Column]
    note: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """The rows, as the page goes through them."""
        return self.frame.to_dicts()


@dataclass(frozen=True)
class Figure:
    """A figure: drawn when it is written, so that a model costs no drawing."""

    id: str
    title: str
    caption: str
    draw: Callable[[], Any]


@dataclass(frozen=True)
class Chapter:
    """One of the named reports."""

    id: str
    title: str
    question: str
    text: Sequence[str] = ()
    parts: Sequence[Table | Figure] = ()
    findings: Sequence[Finding] = ()

    @property
    def tables(self) -> list[Table]:
        return [part for part in self.parts if isinstance(part, Table)]

    @property
    def figures(self) -> list[Figure]:
        return [part for part in self.parts if isinstance(part, Figure)]


@dataclass(frozen=True)
class Report:
    """The whole page."""

    title: str
    subtitle: str
    warnings: Sequence[str]
    chapters: Sequence[Chapter]
    method: Chapter
    facts: Sequence[tuple[str, str]]
    commands: Sequence[str]
    findings: Sequence[Finding] = field(default=())

    @property
    def all_chapters(self) -> list[Chapter]:
        return [*self.chapters, self.method]
