"""The pages about Target Earth's traces and records must not rot."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sim.games.target_earth.records import COLUMNS
from sim.records import markdown_table
from tests.target_earth.referee.reader import KEYS

DOCS = Path(__file__).resolve().parents[2] / "docs"
TRACE = (DOCS / "trace-target-earth.md").read_text(encoding="utf-8")
RECORDS = (DOCS / "records-target-earth.md").read_text(encoding="utf-8")


def rows_of_trace() -> dict[str, set[str]]:
    """The keys of each kind of line, as the page has them."""
    found = {}
    for row in TRACE.splitlines():
        cells = row.split(" | ")
        if row.startswith("| `") and not row.startswith("| `do`") and len(cells) >= 3:
            for do in re.findall(r"`(\w+)`", cells[0]):
                found[do] = set(re.findall(r"`(\w+)`", cells[1])) | {"do"}
    return found


def test_the_trace_page_has_every_line_with_all_its_keys() -> None:
    """The referee refuses any other key, so what it knows is what the engine writes."""
    told = rows_of_trace()
    of_one_side = {"elite", "index"}  # of a loss: the one for the Alliance's units, the other for the aliens'
    assert told["loss"] == KEYS["loss"] | of_one_side
    assert told | {"loss": set(KEYS["loss"])} == {do: set(keys) for do, keys in KEYS.items()}


@pytest.mark.parametrize("table", COLUMNS)
def test_every_column_of_the_records_is_described(table: str) -> None:
    assert markdown_table(COLUMNS[table]) in RECORDS
