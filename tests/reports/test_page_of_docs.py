"""docs/reports.md names what there is."""

from __future__ import annotations

import re
from pathlib import Path

from reports.build import CHAPTERS, NAMES
from tests.reports.kit import names

PAGE = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")


def test_every_table_of_a_report_is_named(big: Path) -> None:
    rows = PAGE.split("## Chapters")[1].split("## ")[0].splitlines()
    told = {
        name for row in rows for name in re.findall(r"`([a-z-]+)`", row.split("|")[2] if "|" in row else "")
    }
    assert told == names(big, "tables", "csv")


def test_every_chapter_is_named() -> None:
    for name in NAMES:
        assert f"`{name}`" in PAGE
    for module in CHAPTERS:
        assert f"| {module.TITLE} |" in PAGE
