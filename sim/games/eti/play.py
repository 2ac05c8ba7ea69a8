"""Playing: a table of strategies, a card set and rule options made ready, games played, one game traced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim import playing
from sim.errors import UserError, did_you_mean, shown
from sim.games.eti.acts import ACT_COLUMNS
from sim.games.eti.asking import QUESTIONS
from sim.games.eti.cards import CardSet, find_card, load_cards
from sim.games.eti.engine import kernel
from sim.games.eti.luck import luck_of
from sim.games.eti.options import check_options
from sim.games.eti.pack import pack_cards, pack_rules
from sim.games.eti.state import (
    GAME,
    GAME_ROW,
    LOG_ROWS,
    MAX_PLAYERS,
    MAX_POOL,
    MIN_PLAYERS,
    NONE,
    new_records,
)
from sim.games.eti.strategy import Strategy, load_strategy
from sim.games.eti.streams import LUCKS
from sim.playing import MAX_SEED, BrokenStrategy, check_seed

__all__ = ["MAX_SEED", "BrokenStrategy"]

LENGTHS = ("short", "standard", "epic")
DRAWN = "drawn"  # the word for an alien that is drawn in secret


@dataclass(frozen=True)
class Setting:
    """Everything a game depends on but its line-up, seed and index."""

    players: int
    strategies: tuple[Strategy, ...]  # one a seat; or, when `drawn`, the pool that line-ups are drawn from
    length: str
    alien: str | None  # None: drawn at random, in secret
    cards: CardSet
    rules: Mapping[str, int]
    drawn: bool = False
    rerolled: tuple[str, ...] = ()  # kinds of luck that are another game's (`changes`)

    @property
    def multiplier(self) -> int:
        return self.rules[f"multiplier_{self.length}"]

    @property
    def alien_card(self) -> int:
        if self.alien is None:
            return NONE
        return self.cards.aliens.index(find_card(self.cards.aliens, self.alien, "alien"))


def make_setting(
    strategies: Sequence[str | Strategy],
    players: int | None = None,
    length: str = "standard",
    alien: str | None = None,
    cards: str | CardSet | None = None,
    rules: Mapping[str, object] | None = None,
    drawn: bool = False,
) -> Setting:
    """Check everything and make it ready; what is wrong is told in one `UserError`.

    Parameters
    ----------
    strategies
        A strategy a seat (names, files or Strategy objects); a single one plays all seats.
    players
        3 to 6; by default as many as there are strategies.
    length
        'short', 'standard' or 'epic'.
    alien
        Name of the alien card, chosen openly; None or 'drawn' draws it from the seed, in secret.
    cards, rules
        A card file or card set, and rule options that differ from the rulebook's.
    drawn
        Each seat's strategy is drawn from `strategies`, which may be any number up to `MAX_POOL`.
    """
    alien = None if alien == DRAWN else alien
    n = players if players is not None else (len(strategies) if len(strategies) > 1 and not drawn else 4)
    card_set = cards if isinstance(cards, CardSet) else load_cards(cards)
    values, problems = check_options(rules or {}, "--rule")
    problems += _wrong_table(n, len(strategies), length, drawn)
    ready: list[Strategy] = []
    for one in strategies:
        try:
            ready.append(one if isinstance(one, Strategy) else load_strategy(one))
        except UserError as error:
            problems += error.lines
    try:
        alien = None if alien is None else find_card(card_set.aliens, alien, "alien").name
    except UserError as error:
        problems += error.lines
    if problems:
        raise UserError(problems)
    if not drawn and len(ready) == 1:
        ready = ready * n
    return Setting(n, tuple(ready), length, alien, card_set, values, drawn)


def _wrong_table(players: int, strategies: int, length: str, drawn: bool) -> list[str]:
    """What is wrong with the number of players and strategies, and with the length."""
    problems = []
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        problems.append(f"{players} players; valid: {MIN_PLAYERS} to {MAX_PLAYERS}")
    elif drawn and not 1 <= strategies <= MAX_POOL:
        problems.append(f"a pool of {strategies} strategies; valid: 1 to {MAX_POOL}")
    elif not drawn and strategies not in (1, players):
        problems.append(f"{strategies} strategies for {players} players; valid: one, or one for each seat")
    if length not in LENGTHS:
        near = did_you_mean(length, LENGTHS)
        problems.append(f"no length {shown(length)}{near}; valid: {', '.join(LENGTHS)}")
    return problems


def new_game(setting: Setting) -> Any:
    """The state in which games of a setting are played, one after another."""
    games = new_records(GAME, 1)
    table = games[0]["table"]
    pack_rules(setting.rules, table["rules"])
    pack_cards(setting.cards, table["cards"])
    table["players"] = setting.players
    table["multiplier"] = setting.multiplier
    return games


def play(setting: Setting, seed: int, start: int, count: int, games: Any = None) -> Any:
    """Play `count` games with indices from `start` on, each seat with its strategy; an array of game rows."""
    check_seed(seed, start)
    pool = Pool(setting.strategies)
    line_ups = np.tile(pool.seats(setting.strategies), (count, 1))
    luck = luck_of(np.arange(start, start + count), setting.rerolled)
    return play_batch(setting, pool, line_ups, luck, seed, games)[0]


class Pool(playing.Pool):
    """The strategies of a batch of games at tables of up to six."""

    def __init__(self, strategies: Sequence[Strategy]) -> None:
        super().__init__(strategies, MAX_PLAYERS, MAX_POOL)


def play_batch(
    setting: Setting, pool: Pool, line_ups: Any, luck: Any, seed: int, games: Any = None, acts: Any = None
) -> tuple[Any, int]:
    """Play a game for each line-up (a row of places in the pool) and luck; the rows, and how many acts there were.

    Parameters
    ----------
    luck
        An index for each game, or a row of them: one for each stream and one for the first president.

    Raises
    ------
    BrokenStrategy
        When a strategy gives an illegal answer or raises: which, when, and to what.
    """
    games = new_game(setting) if games is None else games
    luck = np.tile(luck[:, None], (1, LUCKS)) if luck.ndim == 1 else luck
    rows = new_records(GAME_ROW, len(luck))
    acts = np.zeros((0, ACT_COLUMNS), np.int32) if acts is None else acts
    try:
        with np.errstate(over="ignore"):  # plain runs: the random source wraps around on purpose
            n = kernel()(
                games,
                pool.functions.handle,
                pool.params,
                line_ups,
                luck,
                seed,
                setting.alien_card,
                NONE,
                rows,
                acts,
            )
    except Exception as error:  # whatever a strategy may raise
        game = games[0]
        index = int(luck[int(game["number"]), 0])
        when = f"in round {int(game['table']['round_no'])}, seed {seed}, index {index}"
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
