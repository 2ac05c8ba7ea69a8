"""The cards of Target Earth as tables for the terminal, with where values come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

TITLES = {"ufos": "UFOs", "alliance": "Alliance cards", "aliens": "Alien cards", "random_mode": "Random mode",
          "objectives": "Secret objectives", "bags": "UFO bags"}  # fmt: skip
RULEBOOK = "rulebook"
_NEVER = ("source", "title")  # titles stand in the place of names


def table_of(data: Mapping[str, Any], section: str) -> Table:
    """The table of a section."""
    title = TITLES.get(section, section.capitalize())
    found = data[section]
    if section == "objectives":
        return _objectives(title, found)
    if section == "technologies":
        found = [{"name": name, **_apart(facts)} for name, facts in found.items()]
    elif section == "bags":
        found = [{"mode": name, **facts} for name, facts in found.items()]
    elif isinstance(found, Mapping):
        found = [found]
    return _entries(title, found)


def _apart(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The factors of a technology, a column each."""
    names = [f"level {k}" for k in range(1, len(facts["factors"]) + 1)]
    source = facts["source"]
    sources = [source] * len(names) if isinstance(source, str) else source
    return {
        **dict(zip(names, facts["factors"], strict=True)),
        "source": dict(zip(names, sources, strict=True)),
    }


def _entries(title: str, entries: list[dict[str, Any]]) -> Table:
    """A row an entry, a column a key."""
    from xenobalance.cli.tables import table

    keys = [key for key in dict.fromkeys(key for one in entries for key in one) if key not in _NEVER]
    numbers = [key for key in keys if all(_is_number(one.get(key, 0)) for one in entries)]
    result = table(title, [f"{'>' if key in numbers else ''}{key.replace('_', ' ')}" for key in keys])
    for one in entries:
        values = one | ({"name": one["title"]} if "title" in one else {})
        result.add_row(*(marked(plain(values.get(key, "")), source_of(one, key)) for key in keys))
    return result


def _objectives(title: str, entries: list[dict[str, Any]]) -> Table:
    """What each objective pays for, in words."""
    from xenobalance.cli.tables import table

    result = table(title, ["name", "title", "points"])
    for one in entries:
        cells = (one["name"], one.get("title", ""), objective_words(one))
        result.add_row(*(marked(cell, source_of(one, "")) for cell in cells))
    return result


def objective_words(one: Mapping[str, Any]) -> str:
    """'USA allied: 4; China alien: 2, neutral: 1; …'."""
    if "leader" in one:
        rivals = [
            f"{name} alien {alien}, neutral {neutral}" for name, (alien, neutral) in one["rivals"].items()
        ]
        return "; ".join([f"{one['leader']} allied {one['leader_points']}", *rivals])
    if "by_count" in one:
        return "; ".join(f"at most {most} allied countries: {points}" for most, points in one["by_count"])
    if "allied" in one:
        return f"{one['each']} for each allied: {', '.join(one['allied'])}"
    return plain({key: value for key, value in one.items() if key not in ("name", "title", "source")})


def plain(value: Any) -> str:
    """A value as a cell shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(plain(one) for one in value)
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {plain(one)}" for key, one in value.items())
    return str(value)


def source_of(entry: Mapping[str, Any], key: str) -> str:
    """Where a value comes from: an entry's source says it for all its values, or for each."""
    source = entry.get("source", "assumed")
    if isinstance(source, Mapping):
        source = source.get(key, "assumed")
    if isinstance(source, list):
        source = RULEBOOK if all(one == RULEBOOK for one in source) else "assumed"
    return str(source)


def marked(value: object, source: str) -> Any:
    """A value with its origin, as `card_note` explains."""
    from rich.text import Text

    from xenobalance.cli.tables import sourced

    return Text(f"{value}†") if source == "reviews" else sourced(value, source)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
