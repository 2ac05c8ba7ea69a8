"""Tables for the terminal, all of one look. Imports rich: only for use inside commands."""

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDEST = 100  # columns; also when the output goes into a file or a pipe


def console() -> Console:
    """A console that writes to where standard output goes now, no wider than `WIDEST`."""
    plain = Console(highlight=False)
    plain.width = min(plain.width, WIDEST) if plain.is_terminal else WIDEST
    return plain


def table(title: str, columns: Iterable[str]) -> Table:
    """An empty table; columns named `>…` hold numbers and are aligned to the right."""
    result = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE, pad_edge=False)
    for column in columns:
        result.add_column(column.lstrip(">"), justify="right" if column.startswith(">") else "left")
    return result


def sourced(value: object, source: str) -> Text:
    """A value with its origin: the rulebook's carry a star, assumed ones are dim."""
    return Text(f"{value}*") if source == "rulebook" else Text(str(value), style="dim")
