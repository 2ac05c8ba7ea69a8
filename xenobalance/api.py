"""What a notebook calls: `import xenobalance as xb`, then `xb.play(...)`, `xb.trace(...)`, `xb.strategy(...)`.

A mistake in the input is a `UserError` with a line for each problem.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from analysis.intervals import wilson
from sim.errors import UserError, shown
from sim.games.eti.cards import CardSet
from sim.games.eti.play import Setting, make_setting, new_game
from sim.games.eti.play import play as play_chunk
from sim.games.eti.state import GAME_ROW, SEAT_ROW
from sim.games.eti.strategy import Strategy, load_strategy, make_strategy

CHUNK = 2_000  # games played at a time; in between a notebook can be interrupted
MOST_GAMES = 10_000_000
ROLES = ("human", "alien")
#: words for the numbers of some columns
WORDS = {"why": ("fame", "tie", "no survivor"), "reason": ("at once", "time", "no project", "limit")}

AnyStrategy = str | Strategy | type | ModuleType


# --- strategies ------------------------------------------------------------------------------------------
def strategy(
    source: AnyStrategy, name: str | None = None, params: Mapping[str, float] | None = None
) -> Strategy:
    """A strategy ready to play, from a name, a file, or a class written in a notebook cell.

    Parameters
    ----------
    source
        'cautious', 'path/to/mine.py:Mine', a class, a module, or a strategy made earlier.
    name
        What it is called in tables and traces.
    params
        Other values for some of its parameters; nothing is compiled anew for them.

    Example
    -------
    >>> bold = xb.strategy("cautious", name="bold", params={"push": 0.8})  # doctest: +SKIP
    >>> xb.play([bold, "cautious", "cautious"])  # doctest: +SKIP
    """
    ready = _ready(source, name)
    return ready.changed(name, **_numbers(ready, params or {}))


def _ready(source: Any, name: str | None = None) -> Strategy:
    if isinstance(source, Strategy):
        return source
    if isinstance(source, str):
        file = Path(source.partition(":")[0])
        return _from_file(source, file.stat().st_mtime_ns) if file.is_file() else load_strategy(source)
    if inspect.isclass(source) or isinstance(source, ModuleType):
        return make_strategy(source, name)
    raise UserError(
        f"{shown(source)} is no strategy; valid: a name, 'path/to/mine.py:Mine', or a class with decisions"
    )


@cache
def _from_file(spec: str, _changed: int) -> Strategy:
    """Loaded anew when the file has changed: it is edited while the notebook runs."""
    return load_strategy.__wrapped__(spec)


def _numbers(ready: Strategy, params: Mapping[str, float]) -> Mapping[str, float]:
    for key, value in params.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            raise UserError(f"strategy {ready.name}: params[{key!r}] is {shown(value)}; valid: a number")
    return params


def _setting(
    strategies: AnyStrategy | Sequence[AnyStrategy],
    players: int | None,
    length: str,
    alien: str | None,
    rules: Mapping[str, object] | None,
    cards: str | CardSet | None,
) -> Setting:
    """Check everything and make it ready."""
    if isinstance(strategies, str):
        given: list[Any] = [part.strip() for part in strategies.split(",") if part.strip()]
    elif isinstance(strategies, Sequence):
        given = list(strategies)
    else:
        given = [strategies]
    if not given:
        raise UserError("no strategies; valid: one, or one for each seat")
    if players is not None:
        _whole("players", players)
    for name, value, kind in (
        ("length", length, str),
        ("alien", alien or "", str),
        ("rules", rules or {}, Mapping),
    ):
        if not isinstance(value, kind):
            raise UserError(f"{name}={shown(value)}; valid: {'a name' if kind is str else 'option: value'}")
    return make_setting([_ready(one) for one in given], players, length, alien, cards, rules)


def _whole(name: str, value: object, low: int | None = None, high: int | None = None) -> None:
    """Whole numbers only; within a range, if there is one."""
    span = "" if low is None else f" from {low} to {high}"
    right = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not right or (low is not None and high is not None and not low <= int(value) <= high):  # type: ignore[call-overload]
        raise UserError(f"{name}={shown(value)}; valid: a whole number{span}")


# --- play ------------------------------------------------------------------------------------------------
def play(
    strategies: AnyStrategy | Sequence[AnyStrategy] = ("cautious", "gambler", "climber", "scooper"),
    players: int | None = None,
    length: str = "standard",
    alien: str | None = None,
    games: int = 1_000,
    seed: int = 1,
    rules: Mapping[str, object] | None = None,
    cards: str | CardSet | None = None,
) -> Games:
    """Play games and keep their results.

    Parameters
    ----------
    strategies
        One for all seats, or one for each: names, files, classes, or what `xb.strategy` returns.
    players
        3 to 6; by default as many as there are strategies, or 4.
    length
        'short', 'standard' or 'epic'.
    alien
        The alien card, chosen openly; None draws it in secret.
    games, seed
        How many, and the seed of all luck: the same call plays the same games.
    rules, cards
        Rule options that differ, e.g. {'public_fame': 5}, and a card file or card set.

    Example
    -------
    >>> result = xb.play(["cautious", "gambler", "climber"], games=5_000)  # doctest: +SKIP
    >>> result.to_pandas().groupby("strategy").won.mean()  # doctest: +SKIP
    """
    _whole("games", games, 1, MOST_GAMES)
    _whole("seed", seed)
    setting = _setting(strategies, players, length, alien, rules, cards)
    state = new_game(setting)
    chunks = [
        play_chunk(setting, int(seed), start, min(CHUNK, games - start), state)
        for start in range(0, games, CHUNK)
    ]
    return Games(setting, int(seed), np.concatenate(chunks))


@dataclass(frozen=True)
class Rate:
    """A win rate with its 95 % Wilson interval; `n` counts games, each seat by itself (0: the rate is nan)."""

    what: str
    wins: int
    n: int

    @property
    def rate(self) -> float:
        return self.wins / self.n if self.n else float("nan")

    @property
    def low(self) -> float:
        return wilson(self.wins, self.n)[0]

    @property
    def high(self) -> float:
        return wilson(self.wins, self.n)[1]

    def __str__(self) -> str:
        return f"{self.rate:6.1%} ({self.low:.1%} to {self.high:.1%}, n = {self.n:,})"


class Games:
    """The results of many games.

    `records` is a NumPy structured array, a game a row, with a sub-record `seat` for each seat; `seats` has a
    row for each game and seat, without nesting. `rates()` counts who won, `to_pandas()` and `to_polars()`
    give `seats` as a table.
    """

    def __init__(self, setting: Setting, seed: int, records: np.ndarray[Any, np.dtype[Any]]) -> None:
        self.setting, self.seed = setting, seed
        self.records = records

    def __len__(self) -> int:
        return len(self.records)

    @property
    def columns(self) -> dict[str, np.ndarray[Any, Any]]:
        """One row for each game and seat, by column; seats count from 1, names instead of numbers for cards."""
        n, games = self.setting.players, len(self)
        columns: dict[str, np.ndarray[Any, Any]] = {
            "game": np.repeat(self.records["index"], n),
            "seat": np.tile(np.arange(1, n + 1, dtype=np.int8), games),
            "strategy": np.tile(np.array([s.name for s in self.setting.strategies]), games),
        }
        seats = self.records["seat"][:, :n].reshape(-1)
        columns["role"] = np.array(ROLES)[seats["role"]]
        columns["won"] = seats["won"].astype(bool)
        columns["survived"] = seats["survived"].astype(bool)
        for name in SEAT_ROW.names or ():
            if name == "levels":
                columns |= {f"level_{k}": seats[name][:, k] for k in range(1, seats[name].shape[1])}
            elif name == "tokens":
                abilities = ("staffing", "creativity", "security", "analysis")
                columns |= {ability: seats[name][:, k] for k, ability in enumerate(abilities)}
            elif name == "lead":
                columns |= {f"lead_{k + 1}": seats[name][:, k] for k in range(seats[name].shape[1])}
            elif name not in columns:
                columns[name] = seats[name]
        aliens = np.array([card.name for card in self.setting.cards.aliens])
        for name in GAME_ROW.names or ():
            if name == "alien_card":
                columns[name] = np.repeat(aliens[self.records[name]], n)
            elif name in WORDS:
                columns[name] = np.repeat(np.array(WORDS[name])[self.records[name]], n)
            elif name in ("winner", "alien_seat", "first_president", "final_president"):
                columns[name] = np.repeat(self.records[name] + 1, n)
            elif name not in ("index", "seat", "winner_role"):
                columns[name] = np.repeat(self.records[name], n)
        return columns

    @property
    def seats(self) -> np.ndarray[Any, np.dtype[Any]]:
        """One row for each game and seat, as a NumPy structured array."""
        columns = self.columns
        rows = np.empty(len(columns["game"]), [(name, column.dtype) for name, column in columns.items()])
        for name, column in columns.items():
            rows[name] = column
        return rows

    def to_pandas(self) -> Any:
        """One row for each game and seat, as a pandas DataFrame."""
        return _table("pandas", self.columns)

    def to_polars(self) -> Any:
        """One row for each game and seat, as a polars DataFrame."""
        return _table("polars", self.columns)

    def rates(self) -> list[Rate]:
        """How often the alien won, and each strategy: in all, as human and as alien."""
        won_by_alien = int((self.records["winner_role"] == 1).sum())
        found = [Rate("the alien", won_by_alien, len(self))]
        columns = self.columns
        for name in dict.fromkeys(s.name for s in self.setting.strategies):
            mine = columns["strategy"] == name
            found.append(Rate(name, int(columns["won"][mine].sum()), int(mine.sum())))
            for role in ROLES:
                chosen = mine & (columns["role"] == role)
                found.append(Rate(f"{name} as {role}", int(columns["won"][chosen].sum()), int(chosen.sum())))
        return found

    def _title(self) -> str:
        rounds = float(self.records["invasion_round"].mean() - 1)
        return (
            f"{len(self):,} games, {self.setting.players} players, {self.setting.length}, seed {self.seed}: "
            f"{rounds:.1f} rounds on average"
        )

    def __repr__(self) -> str:
        width = max(len(rate.what) for rate in self.rates())
        return "\n".join([self._title(), *(f"  {rate.what:<{width}}  {rate}" for rate in self.rates())])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='text-align:left'>{escape(rate.what)}</td><td>{rate.rate:.1%}</td>"
            f"<td>{rate.low:.1%} to {rate.high:.1%}</td><td>{rate.n:,}</td></tr>"
            for rate in self.rates()
        )
        head = (
            "<tr><th style='text-align:left'>who wins</th><th>rate</th><th>95 % interval</th><th>n</th></tr>"
        )
        note = "Most card values are assumed, not the published ones."
        return f"<p>{escape(self._title())}</p><table>{head}{rows}</table><p>{note}</p>"


def _table(library: str, columns: Mapping[str, Any]) -> Any:
    """A DataFrame of a library that may be missing."""
    from importlib import import_module

    try:
        frame = import_module(library).DataFrame
    except ImportError:
        raise UserError(f"{library} is not installed; valid: pip install {library}, or .seats") from None
    return frame(dict(columns))


# --- trace -----------------------------------------------------------------------------------------------
def trace(
    strategies: AnyStrategy | Sequence[AnyStrategy] = ("cautious", "gambler", "climber", "scooper"),
    players: int | None = None,
    length: str = "standard",
    alien: str | None = None,
    seed: int = 1,
    index: int = 0,
    rules: Mapping[str, object] | None = None,
    cards: str | CardSet | None = None,
) -> Trace:
    """Play one game and tell it; `index` says which game of the seed. The rest is as in `play`.

    Example
    -------
    >>> game = xb.trace(["cautious", "gambler", "climber"], seed=7)  # doctest: +SKIP
    >>> print(game)  # doctest: +SKIP
    >>> [line for line in game.lines if line["do"] == "claim"]  # doctest: +SKIP
    """
    from sim.games.eti.trace import trace_game

    _whole("seed", seed)
    _whole("index", index)
    return Trace(
        trace_game(_setting(strategies, players, length, alien, rules, cards), int(seed), int(index))
    )


class Trace:
    """One game, move by move: `print` tells the story, `lines` are the objects of docs/trace.md."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.lines = lines

    @property
    def story(self) -> list[str]:
        """The game in words, line by line."""
        from sim.games.eti.story import tell

        return list(tell(self.lines))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        return "\n".join(self.story)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre style='max-height:40em;overflow:auto'>{escape(str(self))}</pre>"
