"""The same records give the same bits: in any order of rows, from files, with words or texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from analysis.records import Tables
from tests.analysis.kit import TABLES, random_book


@pytest.fixture(scope="module")
def records() -> Any:
    return random_book(400).tables()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same in Parquet, each table in three files."""
    folder: Path = tmp_path_factory.mktemp("records")
    for name, whole in random_book(400).tables().frames.items():
        (folder / name).mkdir()
        rows: Any = whole
        third = len(rows) // 3
        for k, start in enumerate((0, third, 2 * third)):
            rows[start : start + third if k < 2 else None].write_parquet(folder / name / f"{k}.parquet")
    return Tables({name: pl.scan_parquet(folder / name / "*.parquet") for name in ("games", "seats", "acts")})


def shuffled(records: Any, seed: int) -> Tables:
    frames = {name: rows.sample(fraction=1, shuffle=True, seed=seed) for name, rows in records.frames.items()}
    return Tables(frames)


def same(one: pl.DataFrame, other: pl.DataFrame) -> None:
    """To the last bit, in the same order."""
    assert_frame_equal(one, other, check_exact=True)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_order_of_rows(name: str, records: Any) -> None:
    expected = TABLES[name](records)
    assert len(expected) > 0
    for seed in (1, 2, 3):
        same(TABLES[name](shuffled(records, seed)), expected)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_from_files(name: str, records: Any, files: Any) -> None:
    same(TABLES[name](files), TABLES[name](records))


@pytest.mark.parametrize("name", sorted(TABLES))
def test_texts_instead_of_words(name: str, records: Any) -> None:
    """Texts are in the order of the alphabet and words in that of their list: the rows are the same."""
    drop = ["sure"]  # the draws come in another order
    found = TABLES[name](random_book(400).tables(words=False)).drop(drop, strict=False)
    expected = TABLES[name](records).drop(drop, strict=False).with_columns(pl.col(pl.Enum).cast(pl.String))
    found = found.with_columns(pl.col(pl.Enum).cast(pl.String))
    keys = [n for n, kind in expected.schema.items() if kind == pl.String or kind.is_integer()]
    assert_frame_equal(found.sort(keys), expected.sort(keys), check_exact=False, rel_tol=1e-12)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_no_words_of_ours_come_out(name: str, records: Any) -> None:
    """Tables for people and pandas have texts, except in `settings`, whose order is what it is for."""
    kinds = [kind for kind in TABLES[name](records).schema.values() if isinstance(kind, pl.Enum)]
    assert (len(kinds) > 0) == (name == "settings")


def test_numbers_of_blocks_are_only_names(records: Any) -> None:
    """Blocks may be numbered in any way, as long as it is the same in all tables."""

    def renamed(rows: pl.DataFrame) -> pl.DataFrame:
        if "block" not in rows.columns:
            return rows
        return rows.with_columns(block=pl.col("block") * 1_000_003 - 7)

    others = Tables({name: renamed(rows) for name, rows in records.frames.items()})
    for table in TABLES.values():
        same(table(others), table(records))
