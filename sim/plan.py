"""The plan of a run: a grid of settings, each of which is a cell of so many games.

A plan is made of words: `players`, `strategies`, `cards`, `rules` and the game's own words (`sim.registry`) take one
value or several, and every combination is a cell; `games`, `seed`, `line_up`, `acts` and `chunk` hold for all. The
same words stand in a study file, on the command line and in `xb.simulate`. A plan is checked as a whole before
anything is played or written (`sim.study`), and saved as JSON; what it does not say has no influence on the records.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib import import_module
from itertools import product
from typing import Any

from sim.errors import UserError, did_you_mean, shown
from sim.line_ups import POOL, ROTATED, SEATS, whole_blocks
from sim.records import SCHEMA, SUMS
from sim.registry import DEFAULT_STRATEGIES as DEFAULTS
from sim.registry import GAMES, OWN_WORDS

REFERENCE = "reference"  # the word for the cards that come with the game
GAME = next(iter(GAMES))  # when nothing is said
DEFAULT_STRATEGIES = DEFAULTS[GAME]
CHUNK = 30_000  # games: a second or two of work; a multiple of 3, 4, 5 and 6, so that no block is divided
MOST_PROBLEMS = 12  # lines
RECORDS = "records"  # keep every game and seat ...
KEEPS = (RECORDS, SUMS)  # ... or numbers added up over blocks


@dataclass(frozen=True)
class Cell:
    """One combination of the grid. The game's own words are read like fields."""

    number: int
    players: int | None
    own: Mapping[str, str]
    strategies: tuple[str, ...]
    cards: str
    rules: dict[str, int]
    changes: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return _own_word(self, name)


def _own_word(thing: Any, name: str) -> Any:
    """One of the game's own words."""
    own = thing.__dict__.get("own", {})
    if name in own:
        return own[name]
    raise AttributeError(name)


@dataclass(frozen=True)
class Plan:
    """All that the records of a run depend on. Strategies and card sets are named, and known by their hashes."""

    game: str = GAME
    players: tuple[int | None, ...] = (None,)
    #: the game's own words, which are read like fields
    own: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    strategies: tuple[tuple[str, ...], ...] = (DEFAULT_STRATEGIES,)
    line_up: str = SEATS
    cards: tuple[str, ...] = (REFERENCE,)
    rules: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    games: int = 100_000
    seed: int = 1
    acts: bool = False
    chunk: int = CHUNK
    #: name -> what makes it what it is
    known_strategies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    known_cards: Mapping[str, str] = field(default_factory=dict)
    #: lists of changes (`sim/games/*/changes.py`), each of which is tried on every combination; (): none
    changes: tuple[tuple[str, ...], ...] = ((),)
    keep: str = RECORDS
    fold: int = 1  # blocks a row of the sums
    skip: int = 0  # blocks of the seed that are left out: another experiment has played them

    def __post_init__(self) -> None:
        words = OWN_WORDS[self.game]
        own = {name: self.own.get(name, (word.default,)) for name, word in words.items()}
        object.__setattr__(self, "own", own)

    def __getattr__(self, name: str) -> Any:
        return _own_word(self, name)

    def cells(self) -> Iterator[Cell]:
        """Every combination, in the order in which the words are listed."""
        options = [dict(zip(self.rules, chosen, strict=True)) for chosen in product(*self.rules.values())]
        grid = product(
            self.players, product(*self.own.values()), self.strategies, self.cards, options, self.changes
        )
        for number, (players, own, strategies, cards, rules, changes) in enumerate(grid):
            words = dict(zip(self.own, own, strict=True))
            yield Cell(number, players, words, strategies, cards, rules, changes)

    def to_dict(self) -> dict[str, Any]:
        """The plan in the shape of `plan.json`."""
        words: dict[str, Any] = {}
        for key, value in asdict(self).items():
            if key == "own":
                words |= value
            elif value != _LATER.get(key, self):
                words[key] = value
        return {"schema": SCHEMA, **json.loads(json.dumps(words))}

    def hash(self) -> str:
        """Two plans with the same hash have the same records."""
        return self._hash

    @cached_property
    def _hash(self) -> str:
        """Worked out once: every chunk asks for it, and the plan of an experiment may have thousands of cells."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


#: words that came later, with what plans without them say: there they are left out, so that old plans keep their hash
_LATER: dict[str, Any] = {"changes": ((),), "keep": RECORDS, "fold": 1, "skip": 0}


def plan_from_dict(data: Mapping[str, Any]) -> Plan:
    """The plan that `to_dict` wrote."""
    values = {key: value for key, value in data.items() if key != "schema"}
    for key in ("players", "cards"):
        values[key] = tuple(values[key])
    values["own"] = {key: tuple(values.pop(key)) for key in OWN_WORDS[values["game"]]}
    values["strategies"] = tuple(tuple(line_up) for line_up in values["strategies"])
    if "changes" in values:
        values["changes"] = tuple(tuple(texts) for texts in values["changes"])
    values["rules"] = {name: tuple(chosen) for name, chosen in values["rules"].items()}
    return Plan(**values)


def difference(there: Plan, here: Plan) -> str:
    """What tells two plans apart, in words; empty if nothing does."""
    old, new = ({**_LATER, **plan.to_dict()} for plan in (there, here))
    for group in ("known_strategies", "known_cards"):
        for name in old[group]:
            if name in new[group] and old[group][name] != new[group][name]:
                return f"{'strategy' if 'strat' in group else 'card file'} {name} has changed"
    found = [
        f"{key} was {_told(old[key])}, now {_told(new[key])}"
        for key in old
        if key not in ("known_strategies", "known_cards") and old[key] != new[key]
    ]
    return "; ".join(found)


def _told(value: Any) -> str:
    """A word's value as one would type it."""
    if isinstance(value, dict):
        return ", ".join(f"{key}={_told(one)}" for key, one in value.items()) or "as in the rulebook"
    if isinstance(value, list):
        apart = " and " if value and isinstance(value[0], list) else ","
        return apart.join(_told(one) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:,}" if isinstance(value, int) else "by strategies" if value is None else str(value)


# --- ready to play ---------------------------------------------------------------------------------------
class Ready:
    """A plan with its strategies and card sets loaded: what chunks are played from."""

    def __init__(self, plan: Plan, strategies: Mapping[str, Any], cards: Mapping[str, Any]) -> None:
        self.plan, self.strategies, self.cards = plan, strategies, cards
        self.game = game_module(plan.game)
        self.cells = list(plan.cells())
        self.settings = self._settings()
        self.words = self.game.words(self.settings)
        self.games = [whole_blocks(plan.line_up, s.players, plan.games) for s in self.settings]
        self.sum_columns = self.game.sum_columns(self.settings, self.words) if plan.keep == SUMS else ()
        complain(self._divided_rows())

    def _settings(self) -> list[Any]:
        problems: dict[str, None] = {}  # a dict, not a set: the order is kept
        by_spec = {facts["spec"]: self.strategies[name] for name, facts in self.plan.known_strategies.items()}
        named = {**by_spec, **self.strategies}
        settings = []
        for cell in self.cells:
            try:
                setting = self.game.make_setting(
                    [self.strategies[name] for name in cell.strategies],
                    cell.players,
                    *cell.own.values(),
                    self.cards[cell.cards],
                    cell.rules,
                    drawn=self.plan.line_up == POOL,
                )
                settings.append(
                    self.game.apply_changes(setting, cell.changes, self.cards, named)
                    if cell.changes
                    else setting
                )
            except UserError as error:
                problems.update(dict.fromkeys(error.lines))
        complain(problems)
        self._check_different(settings)
        return settings

    def _check_different(self, settings: list[Any]) -> None:
        """Two names for one thing (an alien spelt in two ways) would be the same cell twice."""
        seen: dict[str, int] = {}
        for cell, setting in zip(self.cells, settings, strict=True):
            rules = [setting.rules[name] for name in cell.rules]
            variant = cell.number % len(self.plan.changes)  # the same changes twice are meant
            own = [getattr(setting, name) for name in cell.own]
            key = repr((setting.players, own, cell.strategies, cell.cards, rules, variant))
            if key in seen:
                raise UserError(
                    f"cells {seen[key]} and {cell.number} are the same; valid: each combination once"
                )
            seen[key] = cell.number

    @property
    def total(self) -> int:
        """Games of all cells."""
        return sum(self.games)

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Every chunk: its cell, and its number in the cell."""
        for cell, games in enumerate(self.games):
            for chunk in range(-(-games // self.plan.chunk)):
                yield cell, chunk

    @property
    def chunk_count(self) -> int:
        """Chunks of all cells."""
        return sum(-(-games // self.plan.chunk) for games in self.games)

    def size(self, cell: int, chunk: int) -> int:
        """Games of a chunk."""
        return min(self.plan.chunk, self.games[cell] - chunk * self.plan.chunk)

    def games_a_block(self, cell: int) -> int:
        """Games with the same luck."""
        return self.settings[cell].players if self.plan.line_up == ROTATED else 1

    def games_a_row(self, cell: int) -> int:
        """Games that are added up to a row of the sums."""
        return self.plan.fold * self.games_a_block(cell)

    def offset(self, cell: int) -> int:
        """Games of the seed that are left out."""
        return self.plan.skip * self.games_a_block(cell)

    def _divided_rows(self) -> list[str]:
        """A row of the sums must not begin in one chunk and end in another, nor in what is skipped."""
        if self.plan.keep != SUMS:
            return []
        sizes = {self.games_a_row(cell) for cell in range(len(self.cells))}
        wrong = [size for size in sorted(sizes) if self.plan.chunk % size]
        told = [
            f"chunk is {self.plan.chunk:,}; valid: a multiple of {size:,}, the games of a row"
            for size in wrong
        ]
        if self.plan.skip % self.plan.fold:
            told.append(f"skip is {self.plan.skip:,}; valid: a multiple of fold, {self.plan.fold:,}")
        return told

    def columns(self, table: str) -> Any:
        """The columns of a table."""
        return self.sum_columns if table == SUMS else self.game.COLUMNS[table]

    def play(self, cell: int, first: int, count: int) -> dict[str, Any]:
        """Games of a cell, as tables."""
        plan, setting, first = self.plan, self.settings[cell], first + self.offset(cell)
        tables: dict[str, Any]
        if plan.keep == SUMS:
            tables = self.game.play_sums(
                setting, self.words, self.sum_columns, cell, plan.line_up, plan.seed, first, count,
                self.games_a_row(cell),
            )  # fmt: skip
        else:
            tables = self.game.play_chunk(
                setting, self.words, cell, plan.line_up, plan.seed, first, count, plan.acts
            )
        return tables


def game_module(name: str) -> Any:
    """The module of a game that runs know."""
    if name not in GAMES:
        raise UserError(f"no game {shown(name)}{did_you_mean(name, GAMES)}; valid: {', '.join(GAMES)}")
    return import_module(f"{GAMES[name]}.study")


def complain(problems: Iterable[str]) -> None:
    """All problems at once, unless there are too many to read."""
    lines = list(problems)
    if len(lines) > MOST_PROBLEMS:
        lines = [*lines[:MOST_PROBLEMS], f"… and {len(lines) - MOST_PROBLEMS} problems more"]
    if lines:
        raise UserError(lines)
