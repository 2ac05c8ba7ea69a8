"""`xenobalance strategies`: look at the strategies there are, begin one of your own, check it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.errors import UserError
from sim.registry import part
from xenobalance.cli.games import GAME, game_option, needed

if TYPE_CHECKING:
    from sim.games.eti.strategy_check import Report


@click.group()
def strategies() -> None:
    """List, show, begin and check strategies."""


# --- list ------------------------------------------------------------------------------------------------
@strategies.command("list")
@game_option()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_all(game: str, as_json: bool) -> None:
    """List the built-in strategies and how they play."""
    rows = [built_in(name, game) for name in _names(game)]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    from xenobalance.cli.tables import console, table

    roles = any(row["as_alien"] for row in rows)
    result = table("Strategies", ["name", "idea", *["as the alien it"] * roles])
    for row in rows:
        result.add_row(row["name"], row["idea"], *[row["as_alien"] or ""] * roles)
    out = console()
    out.print(result)
    out.print(
        "More on one: xenobalance strategies show NAME. One of your own: xenobalance strategies new FILE."
    )


def _names(game: str) -> list[str]:
    from sim.registry import STRATEGIES

    return list(STRATEGIES[game])


def built_in(name: str, game: str) -> dict[str, str | None]:
    """What a strategy's file says about itself, read without importing it."""
    import ast

    from sim.registry import STRATEGIES

    module = STRATEGIES[game][name]
    file = Path(__file__).resolve().parents[2].joinpath(*module.split(".")).with_suffix(".py")
    words = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return {"name": name, "idea": first_words(words), "as_alien": as_alien(words), "module": module}


def first_words(text: str) -> str:
    """The first paragraph, on one line."""
    return " ".join(text.partition("\n\n")[0].split())


def as_alien(text: str) -> str | None:
    """What a description says about the alien's role: the words after 'as the alien it'."""
    found = re.search(r"as the alien,? it (.+?)\.?$", " ".join(text.split()), re.IGNORECASE)
    return found[1].partition(". ")[0] if found else None


# --- show ------------------------------------------------------------------------------------------------
@strategies.command()
@click.argument("strategy")
@game_option()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(strategy: str, game: str, as_json: bool) -> None:
    """Show the idea, decisions and parameters of a STRATEGY.

    STRATEGY is a name or a file: path/to/mine.py:Mine.
    """
    from xenobalance.games import words_of

    facts = words_of(game).describe_strategy(strategy)
    if as_json:
        facts.pop("problems")
        click.echo(json.dumps(facts, indent=2))
        return
    from rich.text import Text

    from xenobalance.cli.tables import console, table

    out = console()
    out.print(Text(facts["name"], style="bold"))
    out.print(Text(facts["idea"]))
    out.print()
    own = [decision for decision in facts["decisions"] if decision["own"]]
    if own:
        result = table("Own decisions", ["decision", "asks", "how"])
        for decision in own:
            result.add_row(decision["name"], decision["asks"], Text(" ".join(decision["how"].split())))
        out.print(result)
    rest = [decision["name"] for decision in facts["decisions"] if not decision["own"]]
    out.print(Text(f"Inherited from core ({len(rest)}): {', '.join(rest) or 'none'}"))
    out.print(_param_table(facts["params"]))
    out.print(Text("* changed, or the strategy's own; the others are core's"))


def _param_table(params: list[dict[str, Any]]) -> Any:
    from rich.text import Text

    from xenobalance.cli.tables import table

    result = table("Parameters", ["name", ">value", ">core", "meaning"])
    for param in params:
        changed = param["value"] != param["default"]
        default = "-" if param["default"] is None else f"{param['default']:g}"
        value = Text(f"{param['value']:g}{'*' if changed else ''}", style="" if changed else "dim")
        result.add_row(param["name"], value, default, Text(param["text"]))
    return result


# --- check -----------------------------------------------------------------------------------------------
@strategies.command()
@click.argument("strategy")
@game_option()
@click.option("--games", type=int, default=16, show_default=True, help="Games to watch it in.")
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of their luck.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(context: click.Context, strategy: str, game: str, games: int, seed: int, as_json: bool) -> None:
    """Check that a STRATEGY plays by the rules.

    STRATEGY is a file, path/to/mine.py:Mine, or a name. It is watched in every role and with every number
    of players: illegal answers, answers that are no number, changes to the table, luck of its own, code that does
    not compile, endless loops. Exit code 2 if there is a problem.
    """
    report = needed(game, "strategy_check", "check of strategies").check_strategy(strategy, games, seed)
    if as_json:
        click.echo(json.dumps(report.to_dict(), indent=2))
        context.exit(0 if report.fine else 2)
    if report.asked:
        _print_asked(report)
    if not report.fine:
        raise UserError([str(problem) for problem in report.problems])
    click.echo(f"{strategy}: no problem found")


def _print_asked(report: Report) -> None:
    """How often each decision was asked."""
    from rich.text import Text

    from xenobalance.cli.tables import console, table

    wrong = {problem.decision for problem in report.problems}
    title = f"Decisions asked in {report.games} games, 3 to 6 players"
    result = table(title, ["decision", "whose", ">as human", ">as alien", ""])
    for name, count in report.asked.items():
        mark = "problem" if name in wrong else ""
        whose = Text("own") if count["own"] else Text("core", style="dim")
        result.add_row(name, whose, f"{count['human']:,}", f"{count['alien']:,}", mark)
    out = console()
    out.print(result)
    if report.never_asked:
        out.print(Text(f"Never asked: {', '.join(report.never_asked)}; try more --games or another --seed"))


# --- new -------------------------------------------------------------------------------------------------
@strategies.command()
@click.argument("file", type=click.Path(path_type=Path))
@game_option()
def new(file: Path, game: str) -> None:
    """Write a small strategy to FILE that runs at once."""
    if file.suffix != ".py":
        raise UserError(f"{file}: a strategy is a Python file; valid: a name that ends in .py")
    from xenobalance.games import words_of

    name, teller = class_name(file.stem), words_of(game)
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(teller.TEMPLATE.replace("NAME", name))
    except FileExistsError:
        raise UserError(f"{file}: exists already; valid: another name") from None
    except FileNotFoundError:
        raise UserError(f"{file}: cannot be written: there is no folder {file.parent}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    click.echo(f"{file}: written, with the strategy {name}. Edit it, then")
    of = "" if game == GAME else f" --game {game}"
    table = ",".join([f"{file}:{name}", *teller.TABLE_MATES])
    if part(game, "strategy_check"):
        click.echo(f"  check it:  xenobalance strategies check{of} {file}:{name}")
    click.echo(f"  play it:   xenobalance play{of} --strategies {table}")
    click.echo(f"  see it:    xenobalance trace{of} --strategies {table}")


def class_name(stem: str) -> str:
    """`my_first` gives MyFirst; a name Python would not take, Mine."""
    name = "".join(word[:1].upper() + word[1:] for word in re.split(r"[^0-9A-Za-z]+", stem))
    return name if name.isidentifier() else "Mine"
