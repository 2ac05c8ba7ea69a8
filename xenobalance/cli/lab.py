"""What all commands of the lab have in common: the table, the folder, progress, Ctrl-C, and how results are shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from shlex import join
from typing import Any

import click

from sim.registry import OWN_WORDS, part
from xenobalance.cli.games import GAME, game_help, players_help
from xenobalance.cli.options import own_options
from xenobalance.cli.run import INTERRUPTED, NUMBER, Pace

MOST_ROWS = 20  # of a table in the terminal; the page has all
MOST_TABLES = 1
LONGEST_WORD = 24  # letters


def lab_table(game: str) -> list[click.Parameter]:
    """The table at which it is played, how many games, where to, and how to tell; for commands of every game."""
    named = click.Option(["--game"], default=GAME, show_default=True, help=game_help())
    return [named, *_lab_options(game)]


def lab_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for commands that only the first game has."""
    for one in reversed(_lab_options(GAME)):
        assert isinstance(one, click.Option)
        command = _added(one)(command)
    return command


def _added(one: click.Option) -> Callable[..., Any]:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        command.__dict__.setdefault("__click_params__", []).append(one)
        return command

    return decorate


def _lab_options(game: str) -> list[click.Parameter]:
    return [
        click.Option(["--players"], type=int, help=players_help(game)),
        *own_options(game),
        click.Option(["--strategies"], help="One name, or one for each seat, separated by commas."),
        click.Option(["--line-up"], default="seats", show_default=True, help="seats, rotated or pool."),
        click.Option(["--cards"], help="A card file; default: the reference set."),
        click.Option(["--rule", "rules"], multiple=True, help="A rule option for all variants; repeatable."),
        click.Option(["--seed"], type=NUMBER, default=1, show_default=True, help="The seed of all luck."),
        click.Option(["--out"], help="The folder of the experiment; default: out/KIND-…, by what is asked."),
        click.Option(["--jobs"], type=int, default=0, help="Workers.  [default: one for each core]"),
        click.Option(["--open", "open_it"], is_flag=True, help="Open the page in a browser."),
        click.Option(["--quiet"], is_flag=True, help="No progress."),
        click.Option(["--json", "as_json"], is_flag=True, help="The result as JSON."),
    ]


def run_lab(function: Callable[..., Any], options: dict[str, Any], **own: Any) -> None:
    """Make an experiment and show what came of it.

    Parameters
    ----------
    function
        Of `analysis.lab`: takes the table, its own words, seed, out, workers and watch.
    options
        What `lab_table` or `lab_options` gave.
    own
        The experiment's own words; those that are None are left out.
    """
    from sim.run import Interrupted
    from sim.workers import Workers
    from xenobalance.cli.options import announce_compiling

    kind = function.__name__
    own = {name: value for name, value in own.items() if value is not None}
    quiet, as_json = options["quiet"], options["as_json"]
    base = table_of(options)
    out = options["out"] or default_folder(kind, base, {**own, "seed": options["seed"]})
    announce_compiling(quiet, base["game"])
    watch = LabWatch(quiet or as_json)
    try:
        result = function(
            base, **own, seed=options["seed"], out=out, workers=Workers(options["jobs"]), watch=watch
        )
    except (Interrupted, KeyboardInterrupt):
        watch.close()
        again = join(["xenobalance", *sys.argv[1:]])
        click.echo(
            f"Stopped; what was played is kept in {out}. Go on with the same command: {again}", err=True
        )
        sys.exit(INTERRUPTED)
    finally:
        watch.close()
    page = write_page(result, command_of(sys.argv[1:], out))
    if as_json:
        click.echo(json.dumps(facts_of(result, page)))
    else:
        show(result, page)
    if options["open_it"]:
        click.launch(str(page.resolve()))


def table_of(options: dict[str, Any]) -> dict[str, Any]:
    """The words of the table."""
    from analysis.lab.stages import base_words

    game = options.get("game", GAME)
    parse_rule = part(game, "options").parse_rule
    return base_words(
        game,
        options["players"],
        strategies=options["strategies"],
        line_up=options["line_up"],
        cards=options["cards"],
        rules=dict(parse_rule(rule) for rule in options["rules"]),
        **{name: options[name] for name in OWN_WORDS[game]},
    )


def default_folder(kind: str, base: dict[str, Any], own: dict[str, Any]) -> str:
    """The same question has the same folder: the same command goes on."""
    from analysis.lab.stages import plain

    text = json.dumps(plain({"base": base, **own}), sort_keys=True)
    return str(Path("out") / f"{kind}-{sha256(text.encode()).hexdigest()[:8]}")


# --- what came of it ---------------------------------------------------------------------------------------
def command_of(arguments: list[str], out: str) -> str:
    """What was typed, with the folder's name instead of its path, and nothing that only concerns the terminal."""
    silent = {"--json", "--quiet", "--open"}
    apart = [part for one in arguments for part in (one.split("=", 1) if one.startswith("--out=") else [one])]
    kept = [one for one in apart if one not in silent]
    if "--out" not in kept:
        kept += ["--out", out]
    place = kept.index("--out") + 1
    kept[place : place + 1] = [Path(out).name]
    return join(["xenobalance", *kept])


def write_page(result: Any, command: str) -> Path:
    """The page of the experiment, in its folder; with the command that makes it again."""
    from sim.files import write_whole
    from xenobalance.reporting import COMMAND, lab_page

    write_whole(result.folder / COMMAND, f"{command}\n".encode())
    return lab_page(result)


def facts_of(result: Any, page: Path) -> dict[str, Any]:
    """The result for programs."""
    tables = {name: frame.to_dicts() for name, frame in result.tables.items()}
    return {
        "kind": result.kind, "title": result.title, "folder": str(result.folder), "page": str(page),
        "games": result.games,
        "verdict": list(result.verdict), "warnings": list(result.warnings), "facts": result.facts, "tables": tables,
    }  # fmt: skip


def show(result: Any, page: Path) -> None:
    """Verdict and main tables for people."""
    from rich.padding import Padding
    from rich.text import Text

    from reports.lab.page import chapter_of
    from xenobalance.cli.tables import console

    screen = console()
    screen.print(Text(f"{result.title}: {result.games:,} games", style="bold"))
    for warning in result.warnings:
        screen.print(Text(warning, style="yellow"))
    screen.print()
    for line in result.verdict:
        screen.print(Padding(Text(line), (0, 0, 0, 2)))
    screen.print()
    tables = chapter_of(result).tables
    for table in tables[:MOST_TABLES]:
        if not table.frame.is_empty():
            print_table(screen, table)
    more = f" with {len(tables) - MOST_TABLES} more tables" if len(tables) > MOST_TABLES else ""
    click.echo(f"The page{more}: {page}")


def print_table(screen: Any, table: Any) -> None:
    """A table of a chapter, as far as it fits; what is the same in all rows is left to the page."""
    rows = table.rows()
    columns = [one for one in table.columns if one.name not in ("method", "note") or _says(table, one.name)]
    columns = [one for one in columns if one.name != "method"]
    fit, wide = len(columns), screen.options.update(width=1_000, max_width=1_000)
    view = _view(table.title, columns, rows)
    while fit > 2 and screen.measure(view, options=wide).minimum > screen.width:
        fit -= 1
        view = _view(table.title, columns[:fit], rows)
    _widen(view, columns[:fit], rows, screen.width - screen.measure(view, options=wide).minimum)
    screen.print(view)
    told = [(len(rows) - MOST_ROWS, "rows"), (len(columns) - fit, "columns")]
    more = " and ".join(
        f"{number:,} {what[: len(what) - (number == 1)]}" for number, what in told if number > 0
    )
    if more:
        screen.print(f"… and {more} more: see the page")


def _view(title: str, columns: Sequence[Any], rows: list[dict[str, Any]]) -> Any:
    from xenobalance.cli.tables import table as empty

    view = empty(title, [f"{'>' * one.is_number}{one.heading}" for one in columns])
    for column, one in zip(view.columns, columns, strict=True):
        column.overflow, column.min_width = "fold", _least_width(one, rows[:MOST_ROWS])
    for row in rows[:MOST_ROWS]:
        view.add_row(*(_cell(one, row) for one in columns))
    return view


def _widen(view: Any, columns: Sequence[Any], rows: list[dict[str, Any]], spare: int) -> None:
    """What is left of the line goes to the columns that can use it, the first ones first."""
    for column, one in zip(view.columns, columns, strict=True):
        lines = [line for row in rows[:MOST_ROWS] for line in _cell(one, row).splitlines()]
        extra = max(0, min(spare, max(map(len, [one.heading, *lines])) - column.min_width))
        column.width, spare = column.min_width + extra, spare - extra


def _least_width(column: Any, rows: list[dict[str, Any]]) -> int:
    """No word is broken, unless it is a very long one, and an interval stays on its line."""
    texts = [_cell(column, row) for row in rows]
    whole = [part for text in texts for part in (text.splitlines() if column.is_number else text.split())]
    words = [*column.heading.split(), *whole]
    return min(LONGEST_WORD, max(map(len, words), default=1))


def _says(table: Any, name: str) -> bool:
    return name in table.frame.columns and any(table.frame[name].to_list())


def _cell(column: Any, row: dict[str, Any]) -> str:
    """A figure and its unit stay on one line; its interval has one of its own."""
    interval = column.interval(row)
    text = column.cell(row).replace(" %", "\u00a0%")
    return f"{text}\n({interval})" if interval else text


# --- watching ----------------------------------------------------------------------------------------------
class LabWatch:
    """How far the stage is: a bar on a terminal, a line now and then elsewhere."""

    EVERY = 10.0  # seconds

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.bar: Any = None
        self.task: Any = None
        self.stage, self.pace, self.last = "", Pace(), 0.0
        self.is_terminal = sys.stderr.isatty()

    def __call__(self, done: int, total: int, text: str) -> None:
        if self.quiet:
            return
        if text.startswith("stage "):
            self._begin(text.removeprefix("stage "), total)
        elif text:
            self._say(text)
        elif self.is_terminal:
            self._update(done, total)
        else:
            self._tell(done, total)

    def _begin(self, stage: str, total: int) -> None:
        self.stage, self.pace, self.last = stage, Pace(), 0.0
        self.pace.told(0, total)
        if self.is_terminal:
            self._update(0, total)

    def _say(self, text: str) -> None:
        if self.bar is not None:
            self.bar.console.print(text)
        else:
            click.echo(text, err=True)

    def _update(self, done: int, total: int) -> None:
        if self.bar is None:
            self.bar = self._new_bar()
            self.task = self.bar.add_task("", total=total, stage="", rate="")
        rate = self.pace.told(done, total)
        self.bar.update(self.task, completed=done, total=total, stage=self.stage, rate=rate)

    def _new_bar(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        bar = Progress(
            TextColumn("{task.fields[stage]}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("games, {task.fields[rate]}"), console=Console(stderr=True), transient=True,
        )  # fmt: skip
        bar.start()
        return bar

    def _tell(self, done: int, total: int) -> None:
        rate = self.pace.told(done, total)
        if self.pace.seconds - self.last >= self.EVERY:
            self.last = self.pace.seconds
            click.echo(
                f"{self.stage}: {done:,} of {total:,} games ({done / max(1, total):.0%}), {rate}", err=True
            )

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None
