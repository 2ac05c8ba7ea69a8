"""What a notebook calls: `import xenobalance as xb`, then `xb.simulate(...)`, `xb.trace(...)`, `xb.strategy(...)`.

A mistake in the input is a `UserError` with a line for each problem.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from sim.errors import UserError, did_you_mean, shown
from sim.folder import cell_facts
from sim.plan import GAME, game_module
from sim.registry import DEFAULT_STRATEGIES, OWN_WORDS, part
from sim.strategy import Strategy
from xenobalance.results import Run, load

AnyStrategy = str | Strategy | type | ModuleType


# --- strategies ------------------------------------------------------------------------------------------
def strategy(
    source: AnyStrategy,
    name: str | None = None,
    params: Mapping[str, float] | None = None,
    game: str = GAME,
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
    game
        Which game it plays.

    Example
    -------
    >>> bold = xb.strategy("cautious", name="bold", params={"push": 0.8})  # doctest: +SKIP
    >>> xb.simulate(strategies=[bold, "cautious", "cautious"])  # doctest: +SKIP
    """
    ready = _ready(source, name, game)
    return ready.changed(name, **_numbers(ready, params or {}))


def _ready(source: Any, name: str | None = None, game: str = GAME) -> Strategy:
    if isinstance(source, Strategy):
        return source
    if isinstance(source, str):
        file = Path(source.partition(":")[0])
        if file.is_file():
            return _from_file(source, file.stat().st_mtime_ns, game)
        known: Strategy = game_module(game).load_strategy(source)
        return known
    if inspect.isclass(source) or isinstance(source, ModuleType):
        game_module(game)  # complains of a game there is not
        made: Strategy = part(game, "strategy").make_strategy(source, name)
        return made
    raise UserError(
        f"{shown(source)} is no strategy; valid: a name, 'path/to/mine.py:Mine', or a class with decisions"
    )


@cache
def _from_file(spec: str, _changed: int, game: str) -> Strategy:
    """Loaded anew when the file has changed: it is edited while the notebook runs."""
    found: Strategy = game_module(game).load_strategy.__wrapped__(spec)
    return found


def _numbers(ready: Strategy, params: Mapping[str, float]) -> Mapping[str, float]:
    for key, value in params.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            raise UserError(f"strategy {ready.name}: params[{key!r}] is {shown(value)}; valid: a number")
    return params


def _setting(
    game: str,
    strategies: Any,
    players: int | None,
    rules: Mapping[str, object] | None,
    cards: Any,
    own: Mapping[str, Any],
) -> Any:
    """Check everything and make it ready; `own`: the game's own words."""
    module = game_module(game)
    strategies = DEFAULT_STRATEGIES[game] if strategies is None else strategies
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
    problems = [
        f"no word {shown(name)}{did_you_mean(name, OWN_WORDS[game])}; valid: {', '.join(OWN_WORDS[game])}"
        for name in own
        if name not in OWN_WORDS[game]
    ]
    if problems:
        raise UserError(problems)
    for name, value, kind in (
        *((name, value, str) for name, value in own.items()),
        ("rules", rules or {}, Mapping),
    ):
        if not isinstance(value, kind):
            raise UserError(f"{name}={shown(value)}; valid: {'a name' if kind is str else 'option: value'}")
    ready = [_ready(one, None, game) for one in given]
    return module.make_setting(ready, players, **own, cards=cards, rules=rules)


def _whole(name: str, value: object, low: int | None = None, high: int | None = None) -> None:
    """Whole numbers only; within a range, if there is one."""
    span = "" if low is None else f" from {low} to {high}"
    right = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not right or (low is not None and high is not None and not low <= int(value) <= high):  # type: ignore[call-overload]
        raise UserError(f"{name}={shown(value)}; valid: a whole number{span}")


# --- simulate --------------------------------------------------------------------------------------------
def simulate(
    game: str = GAME,
    *,
    strategies: Any = None,
    players: Any = None,
    games: int = 10_000,
    seed: int = 1,
    rules: Mapping[str, Any] | None = None,
    cards: Any = None,
    line_up: str = "seats",
    acts: bool = False,
    chunk: int | None = None,
    out: str | Path | None = None,
    jobs: int = 0,
    backend: str = "threads",
    scheduler: str = "",
    progress: bool = True,
    **own: Any,
) -> Run:
    """Play games and keep their records, in memory or in a folder.

    Parameters
    ----------
    game
        'eti' or 'target-earth'.
    strategies
        One for all seats, or one for each: names, files, classes, or what `xb.strategy` returns. A list of lists:
        several line-ups.
    players, cards, and the game's own words
        One value or a list. Every combination is a cell. Players: by default as many as there are strategies, or 4.
        Cards: a card file or card set. Own words of E.T.I.: `length`, `alien` (None draws it in secret); of Target
        Earth: `mode` and `variant`.
    rules
        Rule options that differ, each with a value or a list: {'public_fame': [5, 10]}.
    games, seed
        Games a cell, and the seed of all luck: the same call plays the same games.
    line_up
        'seats': as given; 'rotated': a block plays the same luck in every rotation; 'pool': drawn for each game.
    acts
        Keep every claim and event (card, country and UFO) as a third table.
    out
        A folder: nothing is lost when the notebook dies, the same call goes on where it stopped, and the number of
        games is limited by the disk only. None: in memory.
    jobs, backend, scheduler
        Workers (0: one for each core), 'threads', 'processes' or 'dask', and the address of a Dask cluster. The last
        two need a folder.
    progress
        Show how far it is when it takes longer.

    Example
    -------
    >>> run = xb.simulate("eti", players=4, games=100_000, strategies=["cautious", "gambler", "climber", "scooper"])
    ... # doctest: +SKIP
    >>> run.seats.group_by("strategy").agg(pl.mean("points"))  # doctest: +SKIP
    """
    from sim.run import Interrupted, play_in_memory, run
    from sim.study import make_plan
    from sim.workers import THREADS, Workers

    ready = make_plan(_words(locals()))
    if out is not None and not isinstance(out, str | Path):
        raise UserError(f"out={shown(out)}; valid: a folder")
    workers = Workers(jobs, backend, scheduler)
    workers.check()
    watch = _Progress(progress)
    try:
        if out is not None:
            run(out, ready, workers, watch)
            return load(out)
        if backend != THREADS:
            raise UserError(f"backend {backend} without out; valid: a folder to play into, or threads")
        frames = play_in_memory(ready, workers, watch)
    except Interrupted:
        raise KeyboardInterrupt(f"finished shards are kept in {out}; the same call goes on") from None
    finally:
        watch.close()
    cells = [cell_facts(ready, number) for number in range(len(ready.cells))]
    return Run(ready.plan, cells, {name: frame.lazy() for name, frame in frames.items()}, None, "complete")


def _words(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments as words of a study."""
    names = (
        "game",
        "players",
        "games",
        "seed",
        "rules",
        "cards",
        "line_up",
        "acts",
        "chunk",
    )
    game_module(given["game"])  # complains of a game there is not
    words = {name: given[name] for name in names if given[name] is not None}
    words |= {name: value for name, value in given["own"].items() if value is not None}
    for name in ("games", "seed", "chunk", "players"):
        words |= {name: _plain(words[name])} if name in words else {}
    if isinstance(words.get("rules"), Mapping):
        words["rules"] = {name: _plain(value) for name, value in words["rules"].items()}
    strategies = given["strategies"]
    strategies = DEFAULT_STRATEGIES[given["game"]] if strategies is None else strategies
    if isinstance(strategies, str):
        strategies = [part.strip() for part in strategies.split(",") if part.strip()]
    elif not isinstance(strategies, Sequence):
        strategies = [strategies]
    nested = any(isinstance(one, list | tuple) for one in strategies)
    line_ups = (
        [one if isinstance(one, list | tuple) else [one] for one in strategies] if nested else [strategies]
    )
    words["strategies"] = [[_ready(one, None, given["game"]) for one in line_up] for line_up in line_ups]
    return words


def _plain(value: Any) -> Any:
    """NumPy's whole numbers and ranges as Python's numbers and lists."""
    if isinstance(value, np.integer):
        return int(value)
    return [_plain(one) for one in value] if isinstance(value, list | tuple | range | np.ndarray) else value


def _bare_notebook() -> bool:
    """A notebook without ipywidgets, where a bar would be a warning and nothing else."""
    from importlib.util import find_spec

    from rich.console import Console

    return Console().is_jupyter and find_spec("ipywidgets") is None


class _Progress:
    """A bar for what takes longer than a moment."""

    PATIENCE = 2.0  # seconds

    def __init__(self, wanted: bool) -> None:
        from time import monotonic

        self.wanted, self.clock, self.begun = wanted, monotonic, monotonic()
        self.bar: Any = None

    def __call__(self, done: int, total: int, text: str) -> None:
        if not self.wanted or (self.bar is None and self.clock() - self.begun < self.PATIENCE):
            return
        if self.bar is None:
            if _bare_notebook():
                self.wanted = False
                return
            from rich.progress import Progress

            self.bar = Progress(transient=True)
            self.task = self.bar.add_task("playing", total=total)
            self.bar.start()
        self.bar.update(self.task, completed=done)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


# --- trace -----------------------------------------------------------------------------------------------
def trace(
    strategies: AnyStrategy | Sequence[AnyStrategy] | None = None,
    players: int | None = None,
    *,
    game: str = GAME,
    seed: int = 1,
    index: int = 0,
    rules: Mapping[str, object] | None = None,
    cards: Any = None,
    **own: Any,
) -> Trace:
    """Play one game and tell it; `index` says which game of the seed. The rest is as in `simulate`.

    Example
    -------
    >>> game = xb.trace(["cautious", "gambler", "climber"], seed=7)  # doctest: +SKIP
    >>> print(game)  # doctest: +SKIP
    >>> [line for line in game.lines if line["do"] == "claim"]  # doctest: +SKIP
    """
    _whole("seed", seed)
    _whole("index", index)
    own = {name: value for name, value in own.items() if value is not None}
    setting = _setting(game, strategies, players, rules, cards, own)
    return Trace(part(game, "trace").trace_game(setting, int(seed), int(index)), game)


class Trace:
    """One game, move by move: `print` tells the story, `lines` are the objects of docs/trace.md."""

    def __init__(self, lines: list[dict[str, Any]], game: str = GAME) -> None:
        self.lines, self.game = lines, game

    @property
    def story(self) -> list[str]:
        """The game in words, line by line; as JSON where the game's words are not written yet."""
        words = part(self.game, "story")
        return list(words.tell(self.lines)) if words else [json.dumps(line) for line in self.lines]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        return "\n".join(self.story)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<pre style='max-height:40em;overflow:auto'>{escape(str(self))}</pre>"
