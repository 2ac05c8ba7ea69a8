"""Playing: bases, strategies, a card set and rule options made ready, games played, one game traced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import playing
from sim.errors import UserError, did_you_mean, shown
from sim.games.target_earth.acts import ACT_COLUMNS
from sim.games.target_earth.asking import QUESTIONS
from sim.games.target_earth.cards import MODES, CardSet, load_cards
from sim.games.target_earth.engine import kernel
from sim.games.target_earth.luck import rerolled_set
from sim.games.target_earth.options import check_options
from sim.games.target_earth.pack import pack_cards, pack_rules
from sim.games.target_earth.state import (
    GAME,
    GAME_ROW,
    LOG_ROWS,
    MAX_BASES,
    MAX_PLAYERS,
    MAX_POOL,
    MIN_PLAYERS,
    new_records,
)
from sim.games.target_earth.strategy import Strategy, load_strategy
from sim.playing import MAX_SEED, BrokenStrategy, check_seed

__all__ = ["MAX_SEED", "MODES", "BrokenStrategy", "Pool", "Setting", "make_setting", "play", "play_traced"]

VARIANTS = ("base", "advanced")


@dataclass(frozen=True)
class Setting:
    """Everything a game depends on but its line-up, seed and index."""

    players: int
    strategies: tuple[Strategy, ...]  # one a player; or, when `drawn`, the pool that line-ups are drawn from
    mode: str
    variant: str
    cards: CardSet
    rules: Mapping[str, int]
    drawn: bool = False
    rerolled: tuple[str, ...] = ()

    @property
    def bases(self) -> int:
        """R-TE-SET-3: who plays alone has several bases."""
        return self.players if self.players > 1 else self.rules["solo_bases"]

    def seated(self) -> tuple[Strategy, ...]:
        """A strategy for each base."""
        return self.strategies * self.bases if self.players == 1 else self.strategies


def make_setting(
    strategies: Sequence[str | Strategy],
    players: int | None = None,
    mode: str = "normal",
    variant: str = "base",
    cards: str | CardSet | None = None,
    rules: Mapping[str, object] | None = None,
    drawn: bool = False,
) -> Setting:
    """Check everything and make it ready; what is wrong is told in one `UserError`.

    Parameters
    ----------
    strategies
        A strategy a player (names, files or Strategy objects); a single one plays all bases.
    players
        1 to 4; by default as many as there are strategies, or 4.
    mode
        Which UFOs come: 'easy', 'normal', 'hard' or 'random'.
    variant
        'base', or 'advanced' for the game with personal points.
    cards, rules
        A card file or card set, and rule options that differ from the rulebook's.
    drawn
        Each seat's strategy is drawn from `strategies`, which may be any number up to `MAX_POOL`.
    """
    n = players if players is not None else (len(strategies) if len(strategies) > 1 and not drawn else 4)
    card_set = cards if isinstance(cards, CardSet) else load_cards(cards)
    values, problems = check_options(rules or {}, "--rule")
    problems += _wrong_table(n, len(strategies), variant, drawn)
    problems += _wrong_word("mode", mode, MODES) + _wrong_word("variant", variant, VARIANTS)
    ready: list[Strategy] = []
    for one in strategies:
        try:
            ready.append(one if isinstance(one, Strategy) else load_strategy(one))
        except UserError as error:
            problems += error.lines
    if problems:
        raise UserError(problems)
    if not drawn and len(ready) == 1:
        ready = ready * n
    return Setting(n, tuple(ready), mode, variant, card_set, values, drawn)


def _wrong_word(what: str, word: str, words: Sequence[str]) -> list[str]:
    if word in words:
        return []
    return [f"no {what} {shown(word)}{did_you_mean(word, words)}; valid: {', '.join(words)}"]


def _wrong_table(players: int, strategies: int, variant: str, drawn: bool) -> list[str]:
    """What is wrong with the number of players and strategies."""
    least = 2 if variant == "advanced" else MIN_PLAYERS
    if not least <= players <= MAX_PLAYERS:
        return [f"{players} players; valid: {least} to {MAX_PLAYERS}"]
    if drawn and not 1 <= strategies <= MAX_POOL:
        return [f"a pool of {strategies} strategies; valid: 1 to {MAX_POOL}"]
    if not drawn and strategies not in (1, players):
        return [f"{strategies} strategies for {players} players; valid: one, or one for each"]
    return []


class Pool(playing.Pool):
    """The strategies of a batch of games at tables of up to four bases."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        super().__init__(strategies, MAX_BASES, MAX_POOL)


def new_game(setting: Setting) -> Any:
    """The state in which games of a setting are played, one after another."""
    games = new_records(GAME, 1)
    table = games[0]["table"]
    mode = MODES.index(setting.mode)
    pack_rules(setting.rules, table["rules"])
    pack_cards(setting.cards, mode, table["cards"])
    table["players"], table["bases"] = setting.players, setting.bases
    games[0]["rerolled"] = rerolled_set(setting.rerolled)
    table["mode"], table["variant"] = mode, VARIANTS.index(setting.variant)
    return games


def play(setting: Setting, seed: int, start: int, count: int, games: Any = None) -> Any:
    """Play `count` games with indices from `start` on, each base with its strategy; an array of game rows."""
    check_seed(seed, start)
    pool = Pool(setting.strategies)
    line_ups = np.tile(pool.seats(setting.seated()), (count, 1))
    return play_batch(setting, pool, line_ups, np.arange(start, start + count), seed, games)[0]


def play_batch(
    setting: Setting, pool: Pool, line_ups: Any, luck: Any, seed: int, games: Any = None, acts: Any = None
) -> tuple[Any, int]:
    """Play a game for each line-up (a row of places in the pool) and luck; the rows, and how many acts there were.

    Raises
    ------
    BrokenStrategy
        When a strategy gives an illegal answer or raises: which, when, and to what.
    """
    games = new_game(setting) if games is None else games
    rows = new_records(GAME_ROW, len(luck))
    acts = np.zeros((0, ACT_COLUMNS), np.int32) if acts is None else acts
    try:
        with np.errstate(over="ignore"):  # plain runs: the random source wraps around on purpose
            n = kernel()(games, pool.functions.handle, pool.params, line_ups, luck, seed, rows, acts)
    except Exception as error:  # whatever a strategy may raise
        game = games[0]
        when = f"in turn {int(game['table']['turn'])}, seed {seed}, index {int(luck[int(game['number'])])}"
        raise playing.broken(pool, game, QUESTIONS, when, error) from error
    return rows, int(n)


def play_traced(setting: Setting, seed: int, index: int) -> tuple[Any, list[tuple[int, ...]], Any]:
    """Play one game and keep its log: the state at the end, the log's rows, the game's row.

    The log has room for one page; a longer game is simply played again for each further page.
    """
    games = new_game(setting)
    games[0]["tracing"] = 1
    log: list[tuple[int, ...]] = []
    while True:
        games[0]["log_from"] = len(log)
        rows = play(setting, seed, index, 1, games)
        written = min(int(games[0]["log_n"]) - len(log), LOG_ROWS)
        log += [tuple(int(x) for x in row) for row in games[0]["log"][:written]]
        if len(log) >= int(games[0]["log_n"]):
            return games[0], log, rows[0]
