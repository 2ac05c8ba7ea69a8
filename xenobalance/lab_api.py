"""The lab in a notebook: `xb.compare("base", "public_fame=5", players=4)` and so on.

Each takes the table (players, length, alien, strategies, line_up, cards, rules), the experiment's own words, and
`out`, a folder, if it is to be kept and gone on with. What comes back shows itself, and has `tables`, `verdict` and
`facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from analysis.lab.metrics import GAME
from analysis.lab.stages import Result, base_words
from sim.errors import UserError, did_you_mean
from sim.registry import OWN_WORDS
from sim.run import Interrupted
from sim.workers import Workers
from xenobalance.api import _Progress, _ready

TABLE = ("game", "players", "strategies", "line_up", "cards", "rules")  # and the game's own words


class Experiment:
    """What an experiment found."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.verdict, self.facts = list(result.verdict), dict(result.facts)
        self.tables, self.folder = dict(result.tables), result.folder

    @property
    def table(self) -> pl.DataFrame:
        """The main table."""
        return next(iter(self.tables.values()))

    @property
    def chapter(self) -> Any:
        """Its chapter in a report: tables, figures, findings."""
        from reports.lab.page import chapter_of

        return chapter_of(self.result)

    def figure(self, number: int = 0) -> Any:
        """One of its figures, drawn."""
        figures = self.chapter.figures
        if not 0 <= number < len(figures):
            raise UserError(
                f"figure {number}; valid: 0 to {len(figures) - 1}" if figures else "there is no figure"
            )
        return figures[number].draw()

    def report(self) -> Any:
        """Write its page; where it is. Needs a folder."""
        from xenobalance.reporting import lab_page

        return lab_page(self.result)

    def __repr__(self) -> str:
        head = f"{self.result.title}: {self.result.games:,} games"
        return "\n".join([head, *self.result.warnings, *self.verdict])

    def _repr_html_(self) -> str:
        from reports.html import cell, shown_columns

        lines = "".join(f"<li>{escape(line)}</li>" for line in self.verdict)
        parts = [f"<p><b>{escape(self.result.title)}</b>: {self.result.games:,} games</p><ul>{lines}</ul>"]
        for table in self.chapter.tables[:1]:
            columns = shown_columns(table)
            head = "".join(f"<th>{escape(column.heading)}</th>" for column in columns)
            rows = "".join(
                f"<tr>{''.join(cell(column, row) for column in columns)}</tr>" for row in table.rows()[:24]
            )
            parts.append(f"<table><tr>{head}</tr>{rows}</table>")
        return "".join(parts)


def _make(
    kind: str, table: Mapping[str, Any], own: Mapping[str, Any], jobs: int, progress: bool
) -> Experiment:
    function: Callable[..., Result] = getattr(import_module(f"analysis.lab.{kind}"), kind)
    given = {name: value for name, value in table.items() if value is not None}
    if "strategies" in given:
        given["strategies"] = _strategies(given["strategies"])
    base = base_words(**given)
    watch = _Progress(progress)
    try:
        return Experiment(function(base, **own, workers=Workers(jobs), watch=watch))
    except Interrupted:
        raise KeyboardInterrupt(
            f"what was played is kept in {own.get('out')}; the same call goes on"
        ) from None
    finally:
        watch.close()


def _strategies(given: Any) -> Any:
    """Classes and modules of a notebook as strategies."""
    if isinstance(given, str):
        given = [name.strip() for name in given.split(",") if name.strip()]
    listed = given if isinstance(given, list | tuple) else [given]
    return [one if isinstance(one, str) else _ready(one) for one in listed]


def _call(kind: str, given: dict[str, Any], **first: Any) -> Experiment:
    """Split what was given into the table and the experiment's own words."""
    jobs, progress = given.pop("jobs", 0), given.pop("progress", True)
    if not isinstance(given.get("out"), str | Path | None):
        raise UserError(f"out={given['out']!r}; valid: a folder")
    own_words = [*TABLE, *OWN_WORDS.get(given.get("game", GAME), ())]
    table = {name: given.pop(name) for name in own_words if name in given}
    own = {**first, **given}
    try:
        return _make(kind, table, own, jobs, progress)
    except TypeError as error:
        name = str(error).rpartition("unexpected keyword argument ")[2].strip("'")
        if "unexpected keyword" not in str(error) or name not in own:
            raise
        import inspect

        known = inspect.signature(getattr(import_module(f"analysis.lab.{kind}"), kind)).parameters
        valid = [
            *own_words,
            *(one for one in known if one not in ("base", "workers", "watch")),
            "jobs",
            "progress",
        ]
        raise UserError(
            f"{kind}: no word '{name}'{did_you_mean(name, valid)}; valid: {', '.join(valid)}"
        ) from None


def compare(*variants: Any, **words: Any) -> Experiment:
    """Variants of rules, cards or strategies on the same luck; the first is what the others are compared with.

    Example
    -------
    >>> xb.compare("base", "public_fame=5", players=4, games=50_000)  # doctest: +SKIP
    """
    return _call("compare", words, variants=list(variants))


def sweep(*ranges: Any, **words: Any) -> Experiment:
    """An option or card value over a range, or two as a grid.

    Example
    -------
    >>> xb.sweep("attack_x3=10..60/10", players=4)  # doctest: +SKIP
    """
    return _call("sweep", words, ranges=list(ranges))


def knockout(**words: Any) -> Experiment:
    """What each card does: the same games with the card blanked, removed or scaled."""
    return _call("knockout", words)


def sensitivity(**words: Any) -> Experiment:
    """Which rule numbers and card aggregates drive the alien's win rate and the length."""
    return _call("sensitivity", words)


def tune(**words: Any) -> Experiment:
    """The smallest change of the rules that meets a target.

    Example
    -------
    >>> xb.tune(targets=["alien_win=0.5"], players=4)  # doctest: +SKIP
    """
    return _call("tune", words)


def levels(*finding: str, **words: Any) -> Experiment:
    """Does a balance, and what changes do to it, hold for random, usual and trained play?

    Example
    -------
    >>> xb.levels("attack_x3=40", players=4)  # doctest: +SKIP
    """
    return _call("levels", words, finding=list(finding))


def train(strategy: Any, **words: Any) -> Experiment:
    """Train the parameters of a strategy.

    Example
    -------
    >>> xb.train("cautious", role="alien", players=4)  # doctest: +SKIP
    """
    return _call("train", words, strategy=strategy if isinstance(strategy, str) else _ready(strategy))


def metagame(**words: Any) -> Experiment:
    """All strategies against each other: matchups, equilibria, what can be exploited.

    By default every built-in strategy but 'random' takes part, with four players; `strategies` may be any list.
    """
    from analysis.lab.metagame import everybody

    return _call("metagame", {"strategies": everybody(), "players": 4} | words | {"line_up": "pool"})


def luck(**words: Any) -> Experiment:
    """How much of the result is luck, of which kind, and how much is strategy."""
    return _call("luck", words)


def restrict(**words: Any) -> Experiment:
    """What each rule is worth to a strategy: the same games without using it."""
    return _call("restrict", words)


def load_lab(path: Any) -> Experiment:
    """A finished experiment from its folder."""
    from analysis.lab.stages import load_result

    if not isinstance(path, str | Path):
        raise UserError(f"{path!r} is no folder; valid: the folder of an experiment")
    return Experiment(load_result(path))
