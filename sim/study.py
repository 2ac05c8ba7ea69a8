"""The words of a study, checked and made ready: from a file, from the command line, or from a notebook.

All that is wrong is told at once, a line each, before anything is played or written.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from math import prod
from pathlib import Path
from typing import Any

from sim.errors import UserError, did_you_mean, shown
from sim.files import cards_copy, strategy_copy
from sim.line_ups import LINE_UPS
from sim.plan import GAME, KEEPS, RECORDS, REFERENCE, Plan, Ready, complain, game_module
from sim.records import SUMS
from sim.registry import DEFAULT_STRATEGIES, GAMES, OWN_WORDS

MOST_GAMES = 10**12
MOST_CELLS = 65_535
LARGEST_CHUNK = 1_000_000  # games: what a worker holds in memory

#: word -> what it says, in every game
SHARED_WORDS = {
    "game": "which game: " + ", ".join(GAMES),
    "players": "how many; by default as many as strategies, or 4",
    "strategies": "one for all seats, or one a seat; several line-ups: a list of lists",
    "line_up": "how strategies get their seats: " + ", ".join(LINE_UPS),
    "cards": f"card files, or '{REFERENCE}'",
    "rules": "rule options, each with a value or several",
    "variants": "strategies with other parameters: for each name 'of', and the parameters",
    "games": "games a cell",
    "seed": "the seed of all luck",
    "changes": "lists of changes, each tried on every combination: [[], ['public_fame=5', 'blank Decoy Beacon']]",
    "keep": "records: every game and seat; sums: numbers added up over blocks",
    "fold": "blocks that are added up to a row of the sums",
    "skip": "blocks of the seed to leave out",
    "acts": "true: keep every claim and event, too",
    "chunk": "games a shard",
}


def words_of(game: str) -> dict[str, str]:
    """The words of a game's studies: its own come after `players`."""
    first = {name: SHARED_WORDS[name] for name in ("game", "players")}
    return first | {name: word.text for name, word in OWN_WORDS[game].items()} | SHARED_WORDS


#: word -> what it says, in the game that is played when nothing is said
WORDS = words_of(GAME)
_DEFAULT: dict[str, Any] = {field.name: field.default for field in fields(Plan)}
_ARROW = "->"  # another strategy, in changes


def read_study(path: str | Path) -> dict[str, Any]:
    """The words of a study file (TOML), or of the `plan.json` of an earlier run."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{path}: no such study file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', None) or 'not a text file'}") from None
    try:
        words: Any = json.loads(text) if str(path).endswith(".json") else tomllib.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        kind = "JSON" if str(path).endswith(".json") else "TOML"
        raise UserError(f"{path}: not {kind}: {error}") from None
    if not isinstance(words, dict):
        raise UserError(f"{path}: valid: words and their values")
    if "known_strategies" not in words:
        return words
    try:
        return _from_plan(words, Path(path).parent)
    except (KeyError, TypeError, AttributeError):
        raise UserError(
            f"{path}: not a plan; valid: plan.json as a run wrote it, or a study in TOML"
        ) from None


def _from_plan(plan: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The words of a saved plan. Strategies and card files are the copies beside it, if they are there."""
    words = {key: value for key, value in plan.items() if key in words_of(plan["game"])}
    specs = {facts["spec"]: name for name, facts in plan["known_strategies"].items() if "hash" in facts}
    files = {
        name: str(cards_copy(folder, k)) for k, name in enumerate(plan["known_cards"]) if name != REFERENCE
    }
    if "changes" in words:
        words["changes"] = [[_from_copy(text, specs, files) for text in texts] for texts in words["changes"]]
    words["variants"] = {}
    for number, (name, facts) in enumerate(plan["known_strategies"].items()):
        file, colon, chosen = facts["spec"].partition(":")
        copy = strategy_copy(folder, number)
        spec = f"{copy}{colon}{chosen}" if "hash" in facts and copy.exists() else f"{file}{colon}{chosen}"
        words["variants"][name] = {"of": spec or name, **facts["params"]}
    copies = [(name, cards_copy(folder, number)) for number, name in enumerate(plan["cards"])]
    words["cards"] = [str(copy) if name != REFERENCE and copy.exists() else name for name, copy in copies]
    if None in words["players"]:
        del words["players"]
    return words


def _from_copy(change: str, strategies: Mapping[str, str], cards: Mapping[str, str]) -> str:
    """A change that names a file, naming the copy in the folder instead."""
    old, arrow, new = change.partition(_ARROW)
    if arrow and new.strip() in strategies:
        return f"{old}{_ARROW}{strategies[new.strip()]}"
    word, _, file = change.partition("=")
    if word.strip() == "cards" and Path(cards.get(file.strip(), "")).is_file():
        return f"cards={cards[file.strip()]}"
    return change


def make_plan(words: Mapping[str, Any], where: str = "") -> Ready:
    """Check the words of a study as a whole, load what they name, and make it ready.

    Parameters
    ----------
    words
        See `WORDS`; what is left out has its default. Strategies and card sets may be objects.
    where
        The study file, for messages.

    Example
    -------
    >>> ready = make_plan({"players": [3, 4], "strategies": "cautious", "games": 10})  # doctest: +SKIP
    >>> len(ready.cells), ready.total  # doctest: +SKIP
    (2, 20)
    """
    reader = _Reader(words, f"{where}: " if where else "")
    complain(reader.unknown_words())
    values = reader.values()
    complain(reader.problems)
    strategies = {name: s for line_up in reader.line_ups for name, s in line_up.items()}
    plan = Plan(
        **values,
        strategies=tuple(tuple(line_up) for line_up in reader.names),
        known_strategies={name: reader.game.describe(s) for name, s in strategies.items()},
        known_cards={name: cards.hash() for name, cards in reader.cards.items()},
    )
    return Ready(plan, strategies, reader.cards)


class _Reader:
    """Reads word by word and collects what is wrong."""

    def __init__(self, words: Mapping[str, Any], at: str) -> None:
        self.words, self.at = words, at
        self.problems: list[str] = []
        self.cards: dict[str, Any] = {}
        self.line_ups: list[dict[str, Any]] = []  # name -> strategy
        self.names: list[list[str]] = []
        self.varied: dict[str, Any] = {}  # strategies with other parameters

    def unknown_words(self) -> list[str]:
        """Misspelt words."""
        game = self.words.get("game", GAME)
        known = words_of(game if isinstance(game, str) and game in GAMES else GAME)
        return [
            f"{self.at}no word {shown(key)}{did_you_mean(str(key), known)}; valid: {', '.join(known)}"
            for key in self.words
            if key not in known
        ]

    def values(self) -> dict[str, Any]:
        """All words but those for strategies and cards, which are loaded on the way."""
        name = self.words.get("game", GAME)
        if not isinstance(name, str):
            raise UserError(f"{self.at}game is {shown(name)}; valid: {', '.join(GAMES)}")
        self.game = game_module(name)
        found = {
            "game": name,
            "players": self.several("players", int, "whole numbers"),
            "own": self.own(name),
            "line_up": self.line_up(),
            "cards": self.load_cards(),
            "rules": self.rules(),
            "games": self.number("games", 1, MOST_GAMES),
            "seed": self.number("seed", 0, self.game.MAX_SEED),
            "chunk": self.number("chunk", 1, LARGEST_CHUNK),
            "acts": self.words.get("acts", False),
            "keep": self.keep(),
            "fold": self.number("fold", 1, LARGEST_CHUNK),
            "skip": self.number("skip", 0, MOST_GAMES),
        }
        if not isinstance(found["acts"], bool):
            self.wrong("acts", found["acts"], "true or false")
        if found["acts"] is True and found["keep"] == SUMS:
            self.wrong("acts", True, "with keep = 'records' only")
        self.load_strategies()
        found["changes"] = self.changes()
        sizes = [len(found[key]) for key in ("players", "cards")] + [
            len(chosen) for chosen in found["own"].values()
        ]
        cells = prod(sizes) * len(self.names) * prod(len(chosen) for chosen in found["rules"].values())
        cells *= len(found["changes"])
        if cells > MOST_CELLS:
            self.problems.append(f"{self.at}{cells:,} cells; valid: at most {MOST_CELLS:,}")
        return found

    def wrong(self, key: str, value: Any, valid: str) -> None:
        """Note a problem."""
        self.problems.append(f"{self.at}{key} is {shown(value)}; valid: {valid}")

    def number(self, key: str, low: int, high: int) -> int:
        """A whole number within limits."""
        value = self.words.get(key, _DEFAULT[key])
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.wrong(key, value, f"a whole number from {low:,} to {high:,}")
            return low
        return value

    def own(self, game: str) -> dict[str, tuple[str, ...]]:
        """The game's own words."""
        words = OWN_WORDS[game]
        return {
            key: self.several(key, str, "names") if key in self.words else (words[key].default,)
            for key in words
        }

    def several(self, key: str, kind: type, valid: str) -> tuple[Any, ...]:
        """One value or a list of values, each but once."""
        if key not in self.words:
            default: tuple[Any, ...] = _DEFAULT[key]
            return default
        given = self.words[key]
        values = list(given) if isinstance(given, list | tuple) else [given]
        for value in values:
            if not isinstance(value, kind) or isinstance(value, bool):
                self.wrong(key, value, valid)
        if not values:
            self.wrong(key, given, f"at least one: {WORDS[key]}")
        return self.once(key, values)

    def once(self, key: str, values: list[Any]) -> tuple[Any, ...]:
        """The same value twice would be the same cell twice."""
        for k, value in enumerate(values):
            if value in values[:k]:
                self.wrong(key, value, "each value once")
        return tuple(values)

    def line_up(self) -> str:
        """How strategies get their seats."""
        way = self.words.get("line_up", _DEFAULT["line_up"])
        if not isinstance(way, str) or way not in LINE_UPS:
            near = did_you_mean(way, LINE_UPS) if isinstance(way, str) else ""
            self.problems.append(f"{self.at}no line_up {shown(way)}{near}; valid: {', '.join(LINE_UPS)}")
        return str(way)

    def rules(self) -> dict[str, tuple[int, ...]]:
        """Rule options, each with a value or several."""
        given = self.words.get("rules", {})
        if not isinstance(given, Mapping):
            self.wrong("rules", given, "a table of options and their values")
            return {}
        found = {}
        for name, value in given.items():
            values = list(value) if isinstance(value, list | tuple) else [value]
            if not values:
                self.wrong(f"rules.{name}", value, "at least one value")
            for one in values:
                self.problems += self.game.check_options({name: one}, f"{self.at}rules")[1]
            found[str(name)] = self.once(f"rules.{name}", values)
        return found

    def keep(self) -> str:
        """What is kept of the games."""
        found = self.words.get("keep", RECORDS)
        if found not in KEEPS:
            self.wrong("keep", found, " or ".join(KEEPS))
        return str(found)

    def changes(self) -> tuple[tuple[str, ...], ...]:
        """Lists of changes; the card files and strategies they name are loaded as well."""
        given = self.words.get("changes", _DEFAULT["changes"])
        given = given if isinstance(given, list | tuple) else [0]
        listed = [[one] if isinstance(one, str) else one for one in given]
        if not listed or not all(map(_are_texts, listed)):
            self.wrong("changes", given, WORDS["changes"])
            return ((),)
        for texts in listed:
            try:
                self.load_named(*self.game.named_in(texts))
            except UserError as error:
                self.problems += [f"{self.at}{line}" for line in error.lines]
        return tuple(tuple(texts) for texts in listed)

    def load_named(self, files: list[str], strategies: list[str]) -> None:
        """What changes name."""
        for file in files:
            if file not in self.cards:
                self.cards[file] = self.card_set(file)[1]
        known = {s.name: s for line_up in self.line_ups for s in line_up.values()}
        for one in strategies:
            strategy = known.get(one) or self.varied.get(one) or self.game.with_bans(one, known)
            strategy = strategy or self.strategy(one)
            if known.get(strategy.name, strategy) != strategy:
                raise UserError(f"two strategies are called {strategy.name}; valid: a name for each")
            self.line_ups.append({strategy.name: strategy})

    # --- what is loaded ---
    def load_cards(self) -> tuple[str, ...]:
        """Card files, or card sets from a notebook, by name."""
        given = self.words.get("cards", [REFERENCE])
        if given in ([], ()):
            self.wrong("cards", given, f"at least one: {WORDS['cards']}")
        for one in given if isinstance(given, list | tuple) else [given]:
            try:
                name, cards = self.card_set(one)
            except UserError as error:
                self.problems += error.lines
                continue
            if name in self.cards:
                self.wrong("cards", name, "each card set once, under a name of its own")
            self.cards[name] = cards
        return tuple(self.cards)

    def card_set(self, given: Any) -> tuple[str, Any]:
        """A card set and what the plan calls it."""
        if given is None or given == REFERENCE:
            return REFERENCE, self.game.load_cards(None)
        if isinstance(given, str | Path):
            return str(given), self.game.load_cards(given)
        if not isinstance(given, self.game.CardSet):
            raise UserError(f"{self.at}cards is {shown(given)}; valid: {WORDS['cards']}")
        same = given.hash() == self.game.load_cards(None).hash()
        return (REFERENCE if same else given.name), given

    def load_strategies(self) -> None:
        """Every line-up, by the names of its strategies."""
        variants = self.varied = self.variants()
        known: dict[str, Any] = {}  # by name, over all line-ups
        for given in self.given_line_ups():
            line_up = []
            for one in given:
                try:
                    strategy = (
                        variants[one] if isinstance(one, str) and one in variants else self.strategy(one)
                    )
                except UserError as error:
                    self.problems += [f"{self.at}{line}" for line in error.lines]
                    continue
                if known.setdefault(strategy.name, strategy) != strategy:
                    self.problems.append(
                        f"{self.at}two strategies are called {strategy.name}; valid: a name for each"
                    )
                line_up.append(strategy)
            self.line_ups.append({strategy.name: strategy for strategy in line_up})
            self.names.append([strategy.name for strategy in line_up])
        self.once("strategies", self.names)

    def given_line_ups(self) -> list[list[Any]]:
        """One line-up: names with commas, or a list of names. Several: a list of such."""
        given = self.words.get("strategies", DEFAULT_STRATEGIES[self.words.get("game", GAME)])
        if not isinstance(given, list | tuple):
            given = [given]
        several = any(isinstance(one, list | tuple) or (isinstance(one, str) and "," in one) for one in given)
        line_ups = [_split(one) for one in given] if several else [list(given)]
        for line_up in line_ups:
            if not line_up:
                self.wrong("strategies", given, WORDS["strategies"])
        return line_ups

    def strategy(self, given: Any) -> Any:
        """A strategy by name or file, or one that is ready."""
        if isinstance(given, self.game.Strategy):
            return given
        if not isinstance(given, str):
            raise UserError(f"strategies: {shown(given)}; valid: {WORDS['strategies']}")
        return self.game.load_strategy(given.strip())

    def variants(self) -> dict[str, Any]:
        """Strategies with other parameters, by name."""
        given = self.words.get("variants", {})
        if not isinstance(given, Mapping):
            self.wrong("variants", given, WORDS["variants"])
            return {}
        found = {}
        for name, table in given.items():
            if not isinstance(table, Mapping) or not isinstance(table.get("of"), str):
                self.wrong(f"variants.{name}", table, "a table with 'of', a strategy, and parameters")
                continue
            params = {key: value for key, value in table.items() if key != "of"}
            try:
                found[name] = self.strategy(table["of"]).changed(name, **params)
            except UserError as error:
                self.problems += [f"{self.at}variants.{name}: {line}" for line in error.lines]
        return found


def _are_texts(given: Any) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(text, str) for text in given)


def _split(line_up: Any) -> list[Any]:
    """Names with commas between them, or a list already."""
    if isinstance(line_up, str):
        return [name.strip() for name in line_up.split(",") if name.strip()]
    return list(line_up) if isinstance(line_up, Iterable) else [line_up]
