"""The pages about runs must not rot."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sim.games.eti.records import COLUMNS
from sim.line_ups import LINE_UPS
from sim.records import SCHEMA, markdown_table
from sim.study import WORDS, make_plan

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "records.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("table", COLUMNS)
def test_every_column_is_described(table: str) -> None:
    assert markdown_table(COLUMNS[table]) in PAGE


def test_every_column_of_sums_is_described() -> None:
    """Those that there are many of (a seat each, a strategy each) are described once."""
    ready = make_plan({"keep": "sums", "strategies": ["cautious", "gambler", "climber"], "games": 1})
    told = {"won_1", "won_at_0", "NAME.human.points60", "NAME.human.seats", "NAME.alien.points60", "NAME.alien.seats"}
    assert all(f"`{name}`" in PAGE for name in told)
    for column in ready.columns("sums"):
        name = column.name.replace("cautious", "NAME")
        others = column.name.startswith("won_") or column.name.split(".")[0] in ("gambler", "climber")
        assert others or name in told or f"| `{name}` | {column.kind} | {column.text} |" in PAGE


def test_the_page_is_about_this_schema() -> None:
    assert f"Schema {SCHEMA}." in PAGE


def test_every_way_to_line_up_is_described() -> None:
    for way in LINE_UPS:
        assert f"| `{way}` |" in PAGE


def test_the_study_on_the_page_is_a_plan() -> None:
    """All but the card file, which the reader does not have."""
    words = tomllib.loads(PAGE.split("```toml\n")[1].split("```")[0])
    assert set(words) <= set(WORDS)
    words["cards"].remove("my-cards.toml")
    ready = make_plan(words)
    assert len(ready.cells) == 3 * 2 * 3 * 2 * 2
    assert "bold" in ready.strategies
