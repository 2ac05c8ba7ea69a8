"""Columns and tables: how what was played becomes Parquet that anybody can open.

A game names its columns (`sim/games/<game>/records.py`); this module turns arrays into tables of exactly
these columns, and tables into bytes. The same arrays always become the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

#: grows when a column changes its name, type or meaning
SCHEMA = 1

GAMES, SEATS, ACTS = "games", "seats", "acts"
SUMS = "sums"  # instead of these: numbers added up over blocks

#: kinds of column. A 'word' is one of a fixed list of texts
_TYPES: dict[str, Any] = {
    "u8": pl.UInt8, "i8": pl.Int8, "u16": pl.UInt16, "i16": pl.Int16, "u32": pl.UInt32, "i32": pl.Int32,
    "i64": pl.Int64, "f32": pl.Float32, "bool": pl.Boolean,
}  # fmt: skip
WORD = "word"

COMPRESSION = 3  # zstd's own default: level 9 takes 1.7 times as long and saves 6 %

Words = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Column:
    """A column of a table. `null` says when it is empty; such columns carry -1 in the arrays."""

    name: str
    kind: str
    text: str
    null: str = ""


def make_frame(columns: Sequence[Column], data: Mapping[str, Any], words: Words) -> pl.DataFrame:
    """A table of these columns, in this order, with these types.

    Parameters
    ----------
    data
        An array for each column; for words, their places in the list.
    words
        The list of words of each column of that kind.
    """
    return pl.DataFrame([_series(column, data[column.name], words) for column in columns])


def _series(column: Column, values: Any, words: Words) -> pl.Series:
    values = np.asarray(values)
    empty = values < 0 if column.null else None
    if column.kind == WORD:
        texts = list(words[column.name])
        places = values if empty is None else np.where(empty, len(texts), values)
        choices = pl.Series(column.name, [*texts, None], pl.Enum(texts))
        return choices.gather(pl.Series(places.astype(np.uint32)))
    series = pl.Series(column.name, np.ascontiguousarray(values))
    if empty is not None:
        series = series.set(pl.Series(empty), None)
    return series.cast(_TYPES[column.kind])


def empty_frame(columns: Sequence[Column], words: Words) -> pl.DataFrame:
    """A table of these columns without any row."""
    return make_frame(columns, {column.name: np.zeros(0, np.int64) for column in columns}, words)


def encode(frame: pl.DataFrame) -> bytes:
    """The table as Parquet."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", compression_level=COMPRESSION, statistics=True)
    return buffer.getvalue()


def markdown_table(columns: Sequence[Column]) -> str:
    """The columns as they stand in docs/records.md."""
    lines = ["| column | type | meaning |", "|---|---|---|"]
    for column in columns:
        empty = f"; empty: {column.null}" if column.null else ""
        lines.append(f"| `{column.name}` | {column.kind} | {column.text}{empty} |")
    return "\n".join(lines)
