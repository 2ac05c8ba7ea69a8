"""`xenobalance cards`: look at a card set, write an editable copy, check a card file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:  # loading these takes longer than `--help` may
    from collections.abc import Iterable, Iterator

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from sim.games.eti.cards import CardSet, Effect, Event, Source

SECTIONS = ("projects", "events", "research", "aliens", "humans", "tracks")
ASSUMED = "*"
NOTE = f"{ASSUMED} assumed: the rulebook does not print it"
ROMAN = ("", "I", "II", "III", "IV", "V")
PIPE_WIDTH = 100  # columns, where no terminal says how wide it is


@click.group()
def cards() -> None:
    """Show, export and check card sets."""


@cards.command()
@click.argument("section", required=False, type=click.Choice(SECTIONS))
@click.option("--cards", "path", metavar="FILE", help="A card file; the reference set if left out.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, in the shape of a card file.")
def show(section: str | None, path: str | None, as_json: bool) -> None:
    """Show a card set, or one SECTION of it; assumed values are marked with a star."""
    from sim.games.eti.cards import load_cards

    card_set = load_cards(path)
    if as_json:
        data = card_set.to_dict()
        click.echo(json.dumps(data[section] if section else data, indent=2))
        return
    out = console()
    out.print(f"{card_set.name}, version {card_set.version}: {count_cards(card_set)}", markup=False)
    for name in [section] if section else SECTIONS:
        out.print(section_table(card_set, name))
    out.print(NOTE, markup=False)


@cards.command()
@click.argument("file")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def export(file: str, force: bool) -> None:
    """Write the reference set to FILE, comments included, for you to edit."""
    from sim.errors import UserError
    from sim.games.eti.cards import REFERENCE_FILE, load_cards

    text = REFERENCE_FILE.read_text(encoding="utf-8")
    try:
        with Path(file).open("w" if force else "x", encoding="utf-8", newline="\n") as target:
            target.write(text)
    except FileExistsError:
        raise UserError(f"{file}: exists already; --force overwrites it") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{file}: cannot be written: {reason}") from None
    click.echo(f"{file}: written: {count_cards(load_cards())}")


@cards.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="As JSON: file, fine and problems.")
@click.pass_context
def check(ctx: click.Context, file: str, as_json: bool) -> None:
    """Check a card FILE and name every problem; exit code 2 if there is one."""
    from sim.errors import UserError
    from sim.games.eti.cards import check_cards, load_cards

    problems = check_cards(file)
    if as_json:
        click.echo(json.dumps({"file": file, "fine": not problems, "problems": problems}, indent=2))
        ctx.exit(2 if problems else 0)
    if problems:
        raise UserError(problems)
    click.echo(f"{file}: fine: {count_cards(load_cards(file))}")


def count_cards(card_set: CardSet) -> str:
    """'90 research cards, 40 projects, 25 events, 6 human cards, 4 alien cards'."""
    counts = {
        "research card": sum(kind.count for kind in card_set.research),
        "project": len(card_set.projects),
        "event": len(card_set.events),
        "human card": len(card_set.humans),
        "alien card": len(card_set.aliens),
    }
    return ", ".join(f"{n} {what}{'' if n == 1 else 's'}" for what, n in counts.items())


# --- tables ---------------------------------------------------------------------------------------


def console() -> Console:
    """Standard output; a pipe or a file is as wide as our tables need."""
    import os
    import sys

    from rich.console import Console

    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if known else PIPE_WIDTH, highlight=False)


def text_table(title: str, columns: Iterable[str], rows: Iterable[Iterable[str | Text]]) -> Table:
    """A table of texts; a column whose header starts with '>' is set flush right."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", pad_edge=False)
    for column in columns:
        right = column.startswith(">")
        table.add_column(column.lstrip(">"), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return table


def section_table(card_set: CardSet, section: str) -> Table:
    """One section of a card set."""
    columns, rows = {
        "projects": (
            ("project", "field", "level", ">difficulty", ">defence", ">fame", "upgrades"),
            _projects,
        ),
        "events": (("event", "for whom", "what it does"), _events),
        "research": (("card", ">count"), _research),
        "aliens": (("alien", "UFOs", "what it does"), _aliens),
        "humans": (("human", "what it does"), _humans),
        "tracks": (("track", "spaces, leftmost first"), _tracks),
    }[section]
    return text_table(section, columns, rows(card_set))


def marked(value: object, source: Source, key: str) -> str:
    """A value as text, with a star if it is assumed; an empty text stays empty."""
    from sim.games.eti.cards import source_of

    text = str(value)
    return text + ASSUMED if text and source_of(source, key) == "assumed" else text


def _projects(card_set: CardSet) -> Iterator[tuple[str, ...]]:
    for card in card_set.projects:
        values: dict[str, Any] = {
            "name": card.name, "field": card.field, "level": ROMAN[card.level], "difficulty": card.difficulty,
            "defence": card.defence, "fame": card.fame, "upgrades": ", ".join(card.upgrades) or "-",
        }  # fmt: skip
        yield tuple(marked(value, card.source, key) for key, value in values.items())


def _events(card_set: CardSet) -> Iterator[tuple[str | Text, ...]]:
    for card in card_set.events:
        whom = marked(_whom(card), card.source, "who")
        yield marked(card.name, card.source, "name"), whom, _deeds(card.effects, card.text, card.source)


def _whom(event: Event) -> str:
    parts = [f"{event.ability} vote" if event.ability else event.who]
    parts += ["unwanted"] if not event.good else []
    parts += [f"kept for {'a' if event.keep == 'round' else 'the'} {event.keep}"] if event.keep else []
    parts += ["on another"] if event.on == "other" else []
    return ", ".join(parts)


def _research(card_set: CardSet) -> Iterator[tuple[str, ...]]:
    for kind in card_set.research:
        yield marked(kind.card, kind.source, "card"), marked(kind.count, kind.source, "count")


def _aliens(card_set: CardSet) -> Iterator[tuple[str | Text, ...]]:
    for card in card_set.aliens:
        name, ufos = marked(card.name, card.source, "name"), marked(card.ufos, card.source, "ufos")
        yield name, ufos, _deeds(card.effects, card.text, card.source)


def _humans(card_set: CardSet) -> Iterator[tuple[str | Text, ...]]:
    for card in card_set.humans:
        yield marked(card.name, card.source, "name"), _deeds(card.effects, card.text, card.source)


def _tracks(card_set: CardSet) -> Iterator[tuple[str, ...]]:
    for name, spaces in card_set.tracks.items():
        values = "  ".join(f"{space:>2}" for space in spaces)
        yield name, marked(values, card_set.track_sources[name], "spaces")


def _deeds(effects: Iterable[Effect], text: str, source: Source) -> Text:
    """The effects as the card file has them, and below them the card's text."""
    from rich.text import Text

    deeds = marked("; ".join(_effect(effect) for effect in effects), source, "effects")
    return Text.assemble(deeds, ("\n" + text, "dim") if text else "")


def _effect(effect: Effect) -> str:
    values = {key: value for key, value in effect.to_dict().items() if key != "do" and value is not None}
    return " ".join([effect.do, *(f"{key}={value}" for key, value in values.items())])
