"""Words and lines that the stories of all games share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 110


def count(number: int, thing: str, things: str = "") -> str:
    """'1 card', '3 cards'."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def listed(words: Iterable[object], none: str = "none") -> str:
    """'a, b and c'."""
    items = [str(word) for word in words]
    if len(items) < 2:
        return items[0] if items else none
    return f"{', '.join(items[:-1])} and {items[-1]}"


def seat_no(seat: int | str | None) -> str:
    """A seat as the object of a sentence: 'seat 3'."""
    return "nobody" if seat is None else f"seat {seat}"


def heading(text: str) -> str:
    """A line of its own, underlined, with room above it."""
    return f"\n{text}\n{'-' * len(text)}"


def wrapped(text: str) -> Iterator[str]:
    """Lines of a page's width; what runs over is set in below its beginning."""
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()))
        yield from textwrap.wrap(
            line.strip(),
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent + "    ",
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
