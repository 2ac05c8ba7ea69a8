"""`xenobalance cards`: look at the card set, take a copy of it to edit, check an edited one."""

import json
from pathlib import Path
from typing import Any

import click

from sim.errors import UserError
from sim.registry import part
from xenobalance.cli.games import GAME, GameCommand, game_option
from xenobalance.games import words_of

SECTIONS = words_of(GAME).SECTIONS


@click.group()
def cards() -> None:
    """Show, export and check card sets."""


def _section(game: str) -> list[click.Parameter]:
    return [click.Argument(["section"], type=click.Choice(words_of(game).SECTIONS), required=False)]


@cards.command(cls=GameCommand, options=_section)
@game_option()
@click.option("--cards", "file", metavar="FILE", help="A card file instead of the reference set.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, in the shape of a card file.")
def show(game: str, section: str | None, file: str | None, as_json: bool) -> None:
    """Show the card set, or one SECTION of it.

    Values with a star are the rulebook's; the others are assumed.
    """
    card_set = part(game, "cards").load_cards(file)
    if as_json:
        data = card_set.to_dict()
        click.echo(json.dumps({section: data[section]} if section else data, indent=2))
    else:
        _print_tables(words_of(game), card_set, section)


@cards.command()
@click.argument("file", type=click.Path(path_type=Path))
@game_option()
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def export(file: Path, game: str, force: bool) -> None:
    """Write the reference card set to FILE, to be edited."""
    content = _reference(game).read_bytes()  # a copy, so that its comments stay
    try:
        with file.open("wb" if force else "xb") as target:
            target.write(content)
    except FileExistsError:
        raise UserError(f"{file}: exists already; valid: another name, or --force to overwrite it") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: cannot be written: {_reason(file, error)}") from None
    of = "" if game == GAME else f" --game {game}"
    click.echo(f"{file}: written; edit it, then: xenobalance cards check{of} {file}")


def _reference(game: str) -> Path:
    """The card file that comes with a game."""
    file = Path(part(game, "cards").__file__).parent / "data" / "cards.toml"
    return file


def _reason(file: Path, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"there is no folder {file.parent}"
    return getattr(error, "strerror", None) or str(error)


@cards.command()
@click.argument("file")
@game_option()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(context: click.Context, file: str, game: str, as_json: bool) -> None:
    """Check a card FILE; exit code 2 if there is a problem."""
    module, teller = part(game, "cards"), words_of(game)
    try:
        card_set = module.load_cards(file)
    except getattr(module, "CardFileError", UserError) as error:
        if not as_json:
            raise
        click.echo(json.dumps({"file": file, "fine": False, "problems": error.lines}, indent=2))
        context.exit(2)
    totals = teller.card_total(card_set)
    if as_json:
        facts = {"file": file, "fine": True, "problems": [], "totals": totals, "hash": card_set.hash()}
        click.echo(json.dumps(facts, indent=2))
    else:
        click.echo(f"{file}: fine: {_in_words(teller, totals)}")


def _in_words(teller: Any, totals: dict[str, int]) -> str:
    return ", ".join(
        f"{count} {teller.CARD_NAMES.get(section, section)}" for section, count in totals.items()
    )


def _print_tables(teller: Any, card_set: Any, section: str | None) -> None:
    from rich.text import Text

    from xenobalance.cli.tables import console

    out = console()
    if section is None:
        out.print(Text(f"{teller.card_heading(card_set)}: {_in_words(teller, teller.card_total(card_set))}"))
    for name in [section] if section else teller.SECTIONS:
        out.print(teller.card_table(card_set, name))
    out.print(Text(teller.CARD_NOTE))
