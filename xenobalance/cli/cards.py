"""`xenobalance cards`: look at the card set, take a copy of it to edit, check an edited one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sim.errors import UserError

if TYPE_CHECKING:
    from rich.table import Table

    from sim.games.eti.cards import CardSet, Effect

SECTIONS = ("projects", "events", "research", "aliens", "humans", "tracks")


@click.group()
def cards() -> None:
    """Show, export and check card sets."""


@cards.command()
@click.argument("section", type=click.Choice(SECTIONS), required=False)
@click.option("--cards", "file", metavar="FILE", help="A card file instead of the reference set.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, in the shape of a card file.")
def show(section: str | None, file: str | None, as_json: bool) -> None:
    """Show the card set, or one SECTION of it.

    Values with a star are the rulebook's; the others are assumed.
    """
    from sim.games.eti.cards import load_cards

    card_set = load_cards(file)
    if as_json:
        data = card_set.to_dict()
        click.echo(json.dumps({section: data[section]} if section else data, indent=2))
    else:
        _print_tables(card_set, section)


@cards.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def export(file: Path, force: bool) -> None:
    """Write the reference card set to FILE, to be edited."""
    from sim.games.eti.cards import REFERENCE_FILE

    content = REFERENCE_FILE.read_bytes()  # a copy, so that its comments stay
    try:
        with file.open("wb" if force else "xb") as target:
            target.write(content)
    except FileExistsError:
        raise UserError(f"{file}: exists already; valid: another name, or --force to overwrite it") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: cannot be written: {_reason(file, error)}") from None
    click.echo(f"{file}: written; edit it, then: xenobalance cards check {file}")


def _reason(file: Path, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"there is no folder {file.parent}"
    return getattr(error, "strerror", None) or str(error)


@cards.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(context: click.Context, file: str, as_json: bool) -> None:
    """Check a card FILE; exit code 2 if there is a problem."""
    from sim.games.eti.cards import CardFileError, load_cards

    try:
        card_set = load_cards(file)
    except CardFileError as error:
        if not as_json:
            raise
        click.echo(json.dumps({"file": file, "fine": False, "problems": error.lines}, indent=2))
        context.exit(2)
    totals = _totals(card_set)
    if as_json:
        facts = {"file": file, "fine": True, "problems": [], "totals": totals, "hash": card_set.hash()}
        click.echo(json.dumps(facts, indent=2))
    else:
        click.echo(f"{file}: fine: {_in_words(totals)}")


def _totals(card_set: "CardSet") -> dict[str, int]:
    return {
        "research": sum(kind.count for kind in card_set.research),
        "projects": len(card_set.projects),
        "events": len(card_set.events),
        "humans": len(card_set.humans),
        "aliens": len(card_set.aliens),
    }


def _in_words(totals: dict[str, int]) -> str:
    names = {"research": "research cards", "humans": "human cards", "aliens": "alien cards"}
    return ", ".join(f"{count} {names.get(section, section)}" for section, count in totals.items())


# --- tables ---------------------------------------------------------------------------------------


def _print_tables(card_set: "CardSet", section: str | None) -> None:
    from rich.text import Text

    from xenobalance.cli.tables import console

    out = console()
    if section is None:
        out.print(Text(f"{card_set.name}, version {card_set.version}: {_in_words(_totals(card_set))}"))
    for name in [section] if section else SECTIONS:
        out.print(_TABLES[name](card_set))
    out.print(Text("* from the rulebook; everything else is assumed"))


def _values(card: Any, keys: str) -> Iterator[Any]:
    """The cells of a card's row: the values of these keys, each marked with its origin."""
    from sim.games.eti.cards import source_of
    from xenobalance.cli.tables import sourced

    for key in keys.split():
        yield sourced(_plain(getattr(card, key)), source_of(card.source, key))


def _plain(value: object) -> str:
    """A value as a cell shows it."""
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join(one if isinstance(one, str) else effect_words(one) for one in value)


def effect_words(effect: "Effect") -> str:
    """An effect in short: 'points +50', 'upgrade +1 staffing', 'lay_out level 2'."""
    facts = effect.to_dict()
    words = [facts["do"]]
    if "amount" in facts:
        words.append(f"{facts['amount']:+d}")
    if "level" in facts:
        words.append(f"level {facts['level']}" if facts["level"] else "any level")
    if "ability" in facts:
        words.append(facts["ability"] or "any ability")
    if "of" in facts:
        words.append(f"each {facts['of']}")
    return " ".join(words)


def _simple_table(section: str, columns: str, keys: str) -> Any:
    """A maker of the table of a section whose columns are simply keys of its cards."""

    def make(card_set: "CardSet") -> "Table":
        from xenobalance.cli.tables import table

        result = table(section.capitalize(), columns.split())
        for card in getattr(card_set, section):
            result.add_row(*_values(card, keys))
        return result

    return make


def _event_table(card_set: "CardSet") -> "Table":
    from rich.text import Text

    from xenobalance.cli.tables import table

    result = table("Events", ["name", "who", "wanted", "played", "effects"])
    for event in card_set.events:
        name, who, good, effects = _values(event, "name who good effects")
        if event.ability:
            who.append(f" ({event.ability})")
        played = f"kept: {event.keep}" if event.keep else "at once"
        target = ", on another" if event.on == "other" else ""
        good.plain = good.plain.replace("True", "yes").replace("False", "no")
        result.add_row(name, who, good, Text(played + target, style=who.style), effects)
    return result


def _track_table(card_set: "CardSet") -> "Table":
    from rich.text import Text

    from sim.games.eti.cards import source_of
    from xenobalance.cli.tables import sourced, table

    result = table("Tracks", ["track", "spaces, leftmost first"])
    for name, spaces in card_set.tracks.items():
        sources = card_set.track_sources[name]
        values = [sourced(value, source_of(sources, str(k))) for k, value in enumerate(spaces, 1)]
        result.add_row(name, Text("  ").join(values))
    return result


_TABLES = {
    "projects": _simple_table(
        "projects",
        "name field >level >difficulty >defence >fame upgrades",
        "name field level difficulty defence fame upgrades",
    ),
    "events": _event_table,
    "research": _simple_table("research", "card >count", "card count"),
    "aliens": _simple_table("aliens", "name >ufos effects text", "name ufos effects text"),
    "humans": _simple_table("humans", "name effects text", "name effects text"),
    "tracks": _track_table,
}
