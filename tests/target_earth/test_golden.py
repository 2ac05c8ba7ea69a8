"""Golden traces and the schema of the records: who changes one of them shall know, and mean it (`scripts/golden`)."""

from __future__ import annotations

import json

import pytest

from sim.games.target_earth.cards import load_cards
from sim.games.target_earth.records import COLUMNS
from sim.records import encode
from tests.target_earth.golden.make import FOLDER, GAMES, SCHEMA_FILE, golden_file, golden_text
from tests.target_earth.golden.schema import described, small
from tests.target_earth.referee import judge


@pytest.mark.parametrize("name", GAMES)
def test_golden(name: str) -> None:
    """The game is played today as it was then, to the last byte."""
    then = golden_file(name).read_text(encoding="utf-8").splitlines()
    now = golden_text(name).splitlines()
    for number, (old, new) in enumerate(zip(then, now, strict=False), start=1):
        assert old == new, f"{name}.jsonl: line {number} is another one; if that is meant: scripts/golden"
    assert len(then) == len(now)
    assert golden_file(name).read_bytes() == golden_text(name).encode()


@pytest.mark.parametrize("name", GAMES)
def test_golden_file(name: str) -> None:
    """What is written down is a game by the rules (with today's cards), and short enough to read."""
    lines = [json.loads(line) for line in golden_file(name).read_text(encoding="utf-8").splitlines()]
    assert len(lines) <= 150
    lines[0]["cards"] = load_cards().to_dict()
    assert judge(lines).violations == []


def test_no_file_is_left_over() -> None:
    """Every file belongs to a game."""
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == set(GAMES)


def test_the_schema() -> None:
    """Other columns, types or orders need a new SCHEMA number (sim/records.py) and then a new golden file."""
    golden, now = json.loads(SCHEMA_FILE.read_text(encoding="utf-8")), described()
    assert now == golden
    for table in COLUMNS:
        assert list(now[table]) == list(golden[table])


def test_real_tables_have_the_schema() -> None:
    """What a run writes has these columns, is full where it says so, and is the same bytes when played again."""
    ready = small(variant=["base", "advanced"], acts=True)
    tables, again = ready.play(0, 0, 3), ready.play(0, 0, 3)
    assert set(tables) == set(COLUMNS)
    for table, columns in COLUMNS.items():
        now = {name: type(kind).__name__ for name, kind in tables[table].schema.items()}
        assert now == described()[table]
        full = [column.name for column in columns if not column.null]
        assert tables[table].select(full).null_count().sum_horizontal().item() == 0, table
        assert encode(tables[table]) == encode(again[table])
