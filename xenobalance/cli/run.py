"""`xenobalance run`: play a study into a folder of records."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from shlex import quote
from typing import Any

import click

from sim.registry import ABOUT, OWN_WORDS, part
from xenobalance.cli.games import GAME, GameCommand, game_help, game_here, players_help, value_of

INTERRUPTED = 130


class Grouped(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A whole number; 1_000_000 and 1,000,000 are fine."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return int(value.replace(",", ""))
        except ValueError:
            self.fail(f"{value!r} is not a whole number")


NUMBER = Grouped()


def plan_options(game: str) -> list[click.Parameter]:
    """The words of a study of a game, most of which take several values."""
    about = ABOUT[game]
    own = [
        click.Option(
            [f"--{name}"], multiple=True,
            help=f"{_upper(word.text)}; several with commas.  [default: {word.default}]",
        )
        for name, word in OWN_WORDS[game].items()
    ]  # fmt: skip
    return [
        click.Option(["--game"], help=f"{game_help()}  [default: {GAME}]"),
        click.Option(["--study"], help="A study file (TOML) with the same words; options given here win over it."),
        click.Option(["--players"], multiple=True, help=f"Several: 3,4. {players_help(game)}"),
        *own,
        click.Option(
            ["--strategies"], multiple=True, help="A line-up: one name, or one a seat; repeat for more line-ups."
        ),
        click.Option(["--line-up"], help="How they get their seats: seats, rotated or pool.  [default: seats]"),
        click.Option(["--cards"], multiple=True, help="A card file, or 'reference'; repeatable."),
        click.Option(
            ["--rule", "rules"], multiple=True, help=f"A rule option, e.g. {about.rule}, or several values: =5,10."
        ),
        click.Option(
            ["--change", "changes"], multiple=True,
            help="A variant: changes with commas, or 'base'; repeat for more, each tried in every cell.",
        ),
        click.Option(["--acts/--no-acts"], default=None, help=f"Keep every {about.acts} in a third table."),
    ]  # fmt: skip


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


class StudyCommand(GameCommand):
    """The game may stand in the study file."""

    def game_of(self, args: list[str]) -> str:
        named, study = value_of("--game", args), value_of("--study", args)
        if named or not study:
            return named or GAME
        from sim.study import read_study

        found = read_study(study).get("game", GAME)
        return found if isinstance(found, str) else GAME  # the study complains


@click.command(cls=StudyCommand, options=plan_options)
@click.argument("out")
@click.option("--games", type=NUMBER, help="Games a cell.  [default: 100,000]")
@click.option("--seed", type=NUMBER, help="The seed of all luck.  [default: 1]")
@click.option("--chunk", type=NUMBER, help="Games a shard.  [default: 30,000]")
@click.option("--jobs", type=int, default=0, help="Workers.  [default: one for each core]")
@click.option("--backend", default="threads", show_default=True, help="threads, processes or dask.")
@click.option("--scheduler", default="", help="Of a Dask cluster: tcp://HOST:8786.")
@click.option("--dry-run", is_flag=True, help="Show cells, games, expected time and size; play nothing.")
@click.option("--repair", is_flag=True, help="Play damaged shards again.")
@click.option("--quiet", is_flag=True, help="No progress.")
@click.option("--json", "as_json", is_flag=True, help="The result as JSON.")
def run(
    out: str, game: str | None, study: str | None, jobs: int, backend: str, scheduler: str, dry_run: bool,
    repair: bool, quiet: bool, as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """Play a study into the folder OUT: millions of games, every one recorded.

    Several values of players, strategies, cards, rules and the game's own words make a grid, a cell for each
    combination.
    The same command again, or just OUT, goes on where a run was stopped.
    """
    from sim.errors import UserError
    from sim.folder import RunFolder
    from sim.run import Interrupted
    from sim.run import run as play
    from sim.workers import Workers
    from xenobalance.cli.options import announce_compiling

    words = given_words(given | {"game": game}, game_here())
    workers = Workers(jobs, backend, scheduler)
    workers.check()
    ready = None
    if words or study or not RunFolder.exists(out):
        ready = read_plan(words, study)
    if dry_run:
        show_plan(ready or RunFolder(out).ready(), workers, as_json)
        return
    announce_compiling(quiet, ready.plan.game if ready else RunFolder(out).plan.game)
    watch = progress(quiet or as_json)
    try:
        folder = play(out, ready, workers, watch, repair)
    except (Interrupted, KeyboardInterrupt):
        watch.close()
        if not RunFolder.exists(out):
            raise UserError(f"{out}: stopped before anything was played") from None
        told(out, RunFolder(out), as_json)
        click.echo(f"Stopped; finished shards are kept. Go on with: xenobalance run {quote(out)}", err=True)
        sys.exit(INTERRUPTED)
    finally:
        watch.close()
    told(out, folder, as_json)


# --- the plan --------------------------------------------------------------------------------------------
def given_words(given: dict[str, Any], game: str = GAME) -> dict[str, Any]:
    """The options as the words of a study; what was not given is left out."""
    words: dict[str, Any] = {key: value for key, value in given.items() if value not in (None, ())}
    for key in OWN_WORDS[game]:
        if key in words:
            words[key] = apart(words[key])
    if "players" in words:
        words["players"] = [whole(text) for text in apart(words["players"])]
    if "strategies" in words:
        words["strategies"] = [apart([line_up]) for line_up in words["strategies"]]
    if "cards" in words:
        words["cards"] = list(words["cards"])
    if "rules" in words:
        words["rules"] = rules_of(words["rules"], game)
    if "changes" in words:
        split = part(game, "study").split_changes
        words["changes"] = [split(text) for text in words["changes"]]
    return words


def apart(texts: Any) -> list[str]:
    """'a,b' and 'c' as a, b and c."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


def whole(text: str) -> int | str:
    """A whole number if it is one; else the text, which the study complains of."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else text


def rules_of(texts: Any, game: str = GAME) -> dict[str, list[Any]]:
    """name=value or name=value,value; the same name again adds values."""
    parse_rule = part(game, "options").parse_rule
    found: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        for value in values.split(","):
            key, number = parse_rule(f"{name}{equals}{value}")
            found.setdefault(key, []).append(number)
    return found


def read_plan(words: dict[str, Any], study: str | None) -> Any:
    """The plan of a study file and the command line, of which the latter wins."""
    from sim.study import make_plan, read_study

    return make_plan({**(read_study(study) if study else {}), **words}, study or "")


def show_plan(ready: Any, workers: Any, as_json: bool) -> None:
    """What would be played, how long it would take and how large it would be."""
    from sim.run import expected
    from xenobalance.cli.options import announce_compiling

    announce_compiling(game=ready.plan.game)
    seconds, size = expected(ready, workers)
    facts = {
        "cells": len(ready.cells),
        "games": ready.total,
        "chunks": ready.chunk_count,
        "expected_seconds": round(seconds, 1),
        "expected_bytes": int(size),
        "jobs": workers.count,
    }
    if as_json:
        click.echo(json.dumps({**facts, "plan": ready.plan.to_dict()}))
        return
    from xenobalance.cli.tables import console, table

    most = 40
    columns = [">cell", ">players", *ready.plan.own, "strategies", "cards", "rules", ">games"]
    view = table(f"{len(ready.cells):,} cells", columns)
    for cell, setting, games in list(zip(ready.cells, ready.settings, ready.games, strict=True))[:most]:
        rules = ", ".join(f"{name}={value}" for name, value in cell.rules.items())
        names = dict.fromkeys(strategy.name for strategy in setting.strategies)
        view.add_row(
            str(cell.number), str(setting.players), *cell.own.values(), ", ".join(names), cell.cards, rules,
            f"{games:,}",
        )  # fmt: skip
    page = console()
    page.print(view)
    if len(ready.cells) > most:
        page.print(f"… and {len(ready.cells) - most:,} cells more")
    page.print(
        f"{facts['games']:,} games in {facts['chunks']:,} chunks, line-up: {ready.plan.line_up}, seed "
        f"{ready.plan.seed}. Expected: about {span(seconds)} with {workers.count} workers here, about "
        f"{size_text(size)} on disk (from a few games played just now)."
    )


# --- watching --------------------------------------------------------------------------------------------
def progress(quiet: bool) -> Any:
    """How far it is: a bar on a terminal, a line now and then elsewhere."""
    if quiet:
        return Silent()
    return Bar() if sys.stderr.isatty() else Lines()


class Silent:
    """Nothing."""

    def __call__(self, done: int, total: int, text: str) -> None:
        pass

    def close(self) -> None:
        pass


class Bar:
    """A bar with rate, share and time left."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

        self.bar = Progress(
            TextColumn("playing"), BarColumn(), TaskProgressColumn(), MofNCompleteColumn(),
            TextColumn("games, {task.fields[rate]}"), console=Console(stderr=True), transient=True,
        )  # fmt: skip
        self.pace = Pace()
        self.task: Any = None

    def __call__(self, done: int, total: int, text: str) -> None:
        if self.task is None:
            self.bar.start()
            self.task = self.bar.add_task("", total=total, rate="")
        if text:
            self.bar.console.print(text)
        self.bar.update(self.task, completed=done, rate=self.pace.told(done, total))

    def close(self) -> None:
        self.bar.stop()


class Lines:
    """A line at the beginning, every ten seconds, and at the end."""

    EVERY = 10.0

    def __init__(self) -> None:
        self.pace = Pace()
        self.last = -self.EVERY

    def __call__(self, done: int, total: int, text: str) -> None:
        if text:
            click.echo(text, err=True)
        pace = self.pace.told(done, total)
        if self.pace.seconds - self.last >= self.EVERY or done == total:
            self.last = self.pace.seconds
            click.echo(f"{done:,} of {total:,} games ({done / total:.0%}){', ' * bool(pace)}{pace}", err=True)

    def close(self) -> None:
        pass


class Pace:
    """Games a second since the start, and the time that is left at this pace."""

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        from time import monotonic

        self.clock = clock or monotonic
        self.begun: float | None = None
        self.first = 0

    @property
    def seconds(self) -> float:
        return 0.0 if self.begun is None else self.clock() - self.begun

    def told(self, done: int, total: int) -> str:
        """'52,000 a second, 12 s left'; nothing before the first chunk."""
        if self.begun is None:
            self.begun, self.first = self.clock(), done
        played, seconds = done - self.first, self.seconds
        if not played or not seconds:
            return ""
        rate = played / seconds
        return f"{rate:,.0f} a second, {span((total - done) / rate)} left"


def span(seconds: float) -> str:
    """A time in words."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"


def size_text(size: float) -> str:
    """A size in words."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


# --- the end ---------------------------------------------------------------------------------------------
def told(out: str, folder: Any, as_json: bool) -> None:
    """What there is now."""
    found = folder.counts()
    planned = folder.manifest["planned"]
    if as_json:
        facts = {"folder": out, "state": folder.manifest["state"], "planned": planned, **found}
        click.echo(json.dumps(facts))
        return
    rows = ", ".join(
        f"{found[name]:,} {name}" for name in ("games", "seats", "acts", "sums") if name in found
    )
    click.echo(
        f"{out}: {rows} in {found['chunks']:,} of {planned['chunks']:,} chunks, {size_text(found['bytes'])}. "
        f"Look at it: xenobalance runs show {quote(out)}"
    )
