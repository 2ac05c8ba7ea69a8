"""E.T.I. as a run sees it: cells made ready, chunks of games played into tables, strategies sent to other processes.

Every game has a module like this one, with the same names in it; `sim.plan` and `sim.run` know no more.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl

from sim.games.eti import restrain
from sim.games.eti.acts import ACT_COLUMNS
from sim.games.eti.cards import CardSet, cards_from_dict, dump_cards, load_cards
from sim.games.eti.changes import all_cards, apply_changes, change_targets, named_in, split_changes
from sim.games.eti.engine import kernel
from sim.games.eti.luck import STREAM_NAMES, luck_of, seats_of
from sim.games.eti.options import check_options
from sim.games.eti.play import MAX_SEED, BrokenStrategy, Pool, Setting, make_setting, play_batch
from sim.games.eti.records import COLUMNS, Chunk, words
from sim.games.eti.restrain import with_bans
from sim.games.eti.state import MAX_PLAYERS
from sim.games.eti.strategy import Strategy, load_strategy
from sim.games.eti.sums import sum_columns, sums_frame
from sim.line_ups import ROTATED, line_ups
from sim.records import ACTS, GAMES, SEATS, SUMS
from sim.sources import describe, hash_of_code, restore_with

__all__ = [
    "COLUMNS",
    "MAX_SEED",
    "STREAM_NAMES",
    "BrokenStrategy",
    "CardSet",
    "Setting",
    "Strategy",
    "all_cards",
    "apply_changes",
    "cards_text",
    "change_targets",
    "check_options",
    "code_hash",
    "describe",
    "load_cards",
    "load_strategy",
    "make_ready",
    "make_setting",
    "named_in",
    "play_chunk",
    "play_sums",
    "read_cards",
    "restore",
    "restrain",
    "seated",
    "split_changes",
    "sum_columns",
    "with_bans",
    "words",
]  # fmt: skip

ACTS_A_GAME = 40  # room at first; a chunk that needs more is played again


def make_ready() -> None:
    """Compile the kernel, or load it: once, before any thread starts."""
    kernel()


@cache
def code_hash() -> str:
    """Hash of the sources on which the records of a game depend, whatever the versions of the libraries."""
    return hash_of_code("eti")


# --- card sets and strategies, there and back -----------------------------------------------------------
def read_cards(text: str, where: str) -> CardSet:
    """A card set from the text of a card file."""
    import tomllib

    return cards_from_dict(tomllib.loads(text), where)


def cards_text(cards: CardSet) -> str:
    """A card set as the text of a card file."""
    return dump_cards(cards)


restore = restore_with(load_strategy)


# --- playing ---------------------------------------------------------------------------------------------
def play_chunk(
    setting: Setting, words: Any, cell: int, way: str, seed: int, first: int, count: int, with_acts: bool
) -> dict[str, pl.DataFrame]:
    """Games `first` to `first + count - 1` of a cell as tables.

    Parameters
    ----------
    words
        The words of the whole plan (`words`).
    way
        How strategies get their seats, see `sim.line_ups`.
    with_acts
        Whether to keep every claim and event as well.
    """
    pool, seats, block = seated_games(setting, way, seed, first, count)
    luck = luck_of(block, setting.rerolled)
    acts = np.zeros((count * ACTS_A_GAME * with_acts, ACT_COLUMNS), np.int32)
    rows, n = play_batch(setting, pool, seats, luck, seed, acts=acts)
    if n > len(acts):
        acts = np.zeros((n, ACT_COLUMNS), np.int32)
        rows, n = play_batch(setting, pool, seats, luck, seed, acts=acts)
    chunk = Chunk(setting, words, pool, cell, seed, first, seats[:, : setting.players], block)
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
    rows, _ = play_batch(setting, pool, seats, luck_of(block, setting.rerolled), seed)
    known = np.array([words["strategy"].index(strategy.name) for strategy in pool.strategies])
    names = known[seats[:, : setting.players]]
    games_a_block = setting.players if way == ROTATED else 1
    frame = sums_frame(setting, columns, words, cell, rows, names, first // size, size)
    return {SUMS: frame.with_columns(blocks=pl.col("games") // games_a_block)}


def seated_games(setting: Setting, way: str, seed: int, first: int, count: int) -> tuple[Pool, Any, Any]:
    """The pool, who sits where in each game, and its block."""
    pool = Pool(setting.strategies)
    chosen, block = seats_of(
        way, len(setting.strategies), setting.players, seed, first, count, setting.rerolled
    )
    seats = np.zeros((count, MAX_PLAYERS), np.int64)
    seats[:, : setting.players] = pool.seats(setting.strategies)[chosen]  # equal strategies stand in it once
    return pool, seats, block


def seated(setting: Setting, way: str, seed: int, index: int) -> tuple[list[str], int]:
    """Who sits where in one game of a cell, seat 1 first, and the number its luck is drawn from."""
    places, block = line_ups(way, len(setting.strategies), setting.players, seed, index, 1)
    return [setting.strategies[place].name for place in places[0]], int(block[0])
