"""Target Earth as a run sees it: cells made ready, chunks of games played into tables, strategies sent elsewhere.

Every game has a module like this one, with the same names in it; `sim.plan` and `sim.run` know no more.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from sim.games.target_earth.acts import ACT_COLUMNS
from sim.games.target_earth.cards import CardSet, cards_from_dict, dump_cards, load_cards
from sim.games.target_earth.changes import all_cards, apply_changes, change_targets, named_in, split_changes
from sim.games.target_earth.engine import kernel
from sim.games.target_earth.luck import STREAM_NAMES
from sim.games.target_earth.options import check_options
from sim.games.target_earth.play import MAX_SEED, BrokenStrategy, Pool, Setting, make_setting, play_batch
from sim.games.target_earth.records import COLUMNS, Chunk, words
from sim.games.target_earth.state import MAX_BASES
from sim.games.target_earth.strategy import Strategy, load_strategy
from sim.games.target_earth.sums import sum_columns, sums_frame
from sim.line_ups import ROTATED, line_ups, seats_of
from sim.records import ACTS, GAMES, SEATS, SUMS
from sim.sources import describe, hash_of_code, restore_with

__all__ = [
    "COLUMNS", "MAX_SEED", "STREAM_NAMES", "BrokenStrategy", "CardSet", "Setting", "Strategy", "all_cards",
    "apply_changes", "cards_text", "change_targets", "check_options", "code_hash", "describe", "load_cards",
    "load_strategy", "make_ready", "make_setting", "named_in", "play_chunk", "play_sums", "read_cards", "restore",
    "seated", "split_changes", "sum_columns", "with_bans", "words",
]  # fmt: skip

ACTS_A_GAME = 60  # room at first; a chunk that needs more is played again


def make_ready() -> None:
    """Compile the kernel, or load it: once, before any thread starts."""
    kernel()


@cache
def code_hash() -> str:
    """Hash of the sources on which the records of a game depend, whatever the versions of the libraries."""
    return hash_of_code("target_earth")


def read_cards(text: str, where: str) -> CardSet:
    """A card set from the text of a card file."""
    return cards_from_dict(tomllib.loads(text), where)


def cards_text(cards: CardSet) -> str:
    """A card set as the text of a card file."""
    return dump_cards(cards)


restore = restore_with(load_strategy)


def with_bans(spec: str, known: Mapping[str, Strategy]) -> Strategy | None:
    """A strategy that may not use everything: this game has no bans."""
    return None


# --- playing ---------------------------------------------------------------------------------------------
def play_chunk(
    setting: Setting, words: Any, cell: int, way: str, seed: int, first: int, count: int, with_acts: bool
) -> dict[str, pl.DataFrame]:
    """Games `first` to `first + count - 1` of a cell as tables; `way`: how strategies get their seats."""
    pool, seats, block = seated_games(setting, way, seed, first, count)
    acts = np.zeros((count * ACTS_A_GAME * with_acts, ACT_COLUMNS), np.int32)
    rows, n = play_batch(setting, pool, seats, block, seed, acts=acts)
    if n > len(acts):
        acts = np.zeros((n, ACT_COLUMNS), np.int32)
        rows, n = play_batch(setting, pool, seats, block, seed, acts=acts)
    chunk = Chunk(setting, words, pool, cell, seed, first, seats[:, : setting.bases], block)
    tables = {GAMES: chunk.games(rows), SEATS: chunk.seats(rows)}
    if with_acts:
        tables[ACTS] = chunk.acts(acts[:n])
    return tables


def play_sums(
    setting: Setting,
    words: Any,
    columns: Any,
    cell: int,
    way: str,
    seed: int,
    first: int,
    count: int,
    size: int,
) -> dict[str, pl.DataFrame]:
    """Games of a cell added up, `size` of them a row (whole blocks); `columns` are those of `sum_columns`."""
    pool, seats, block = seated_games(setting, way, seed, first, count)
    rows, _ = play_batch(setting, pool, seats, block, seed)
    known = np.array([words["strategy"].index(strategy.name) for strategy in pool.strategies])
    names = known[seats[:, : setting.bases]]
    games_a_block = setting.players if way == ROTATED else 1
    frame = sums_frame(columns, words, cell, rows, names, first // size, size)
    return {SUMS: frame.with_columns(blocks=pl.col("games") // games_a_block)}


def seated_games(setting: Setting, way: str, seed: int, first: int, count: int) -> tuple[Pool, Any, Any]:
    """The pool, who sits where in each game, and its block. Who plays alone sits at every base."""
    pool = Pool(setting.strategies)
    chosen, block = seats_of(
        way, len(setting.strategies), setting.players, seed, first, count, setting.rerolled
    )
    places = pool.seats(setting.strategies)[chosen]  # equal strategies stand in it once
    seats = np.zeros((count, MAX_BASES), np.int64)
    seats[:, : setting.bases] = places  # one player's column fills all
    return pool, seats, np.asarray(block, np.int64)


def seated(setting: Setting, way: str, seed: int, index: int) -> tuple[list[str], int]:
    """Who sits where in one game of a cell, seat 1 first, and the number its luck is drawn from."""
    places, block = line_ups(way, len(setting.strategies), setting.players, seed, index, 1)
    return [setting.strategies[place].name for place in places[0]], int(block[0])
