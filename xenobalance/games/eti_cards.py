"""The cards of E.T.I. as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from sim.games.eti.cards import CardSet, Effect


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


def effect_words(effect: Effect) -> str:
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

    def make(card_set: CardSet) -> Table:
        from xenobalance.cli.tables import table

        result = table(section.capitalize(), columns.split())
        for card in getattr(card_set, section):
            result.add_row(*_values(card, keys))
        return result

    return make


def _event_table(card_set: CardSet) -> Table:
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


def _track_table(card_set: CardSet) -> Table:
    from rich.text import Text

    from sim.games.eti.cards import source_of
    from xenobalance.cli.tables import sourced, table

    result = table("Tracks", ["track", "spaces, leftmost first"])
    for name, spaces in card_set.tracks.items():
        sources = card_set.track_sources[name]
        values = [sourced(value, source_of(sources, str(k))) for k, value in enumerate(spaces, 1)]
        result.add_row(name, Text("  ").join(values))
    return result


TABLES = {
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
