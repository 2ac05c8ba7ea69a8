"""The card set of Target Earth: countries, UFOs, alien cards, Alliance cards, factions, objectives.

It stands in `data/cards.toml`; each entry says in `source` which values are the rulebook's and which assumed. The
format is described in `docs/cards-target-earth.md`; `card_check` holds the checks. Only the standard library is used,
so that `xenobalance cards check` answers in a blink.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sim.card_checks import slug
from sim.card_file import CardFileError, block, dotted, lines, read_card_file
from sim.errors import UserError, did_you_mean, shown
from sim.games.target_earth.card_check import (
    CARDS,
    FACTIONS,
    MODES,
    OBJECTIVES,
    SECTIONS,
    SIZES,
    check_data,
)

__all__ = [
    "CARDS", "CARDS_FILE", "FACTIONS", "MODES", "OBJECTIVES", "SECTIONS", "SIZES", "TECHNOLOGIES", "CardFileError",
    "CardSet", "cards_from_dict", "check_cards", "dump_cards", "find_card", "load_cards", "slug", "source_of",
]  # fmt: skip

CARDS_FILE = Path(__file__).parent / "data" / "cards.toml"
TECHNOLOGIES = ("fighters", "troops", "tanks", "science")


@dataclass(frozen=True, eq=False)
class CardSet:
    """A card set: the tables of its file, checked."""

    name: str
    data: Mapping[str, Any]
    blank: tuple[str, ...] = ()  # Alliance cards that cannot be played: `blank Ace`

    @property
    def countries(self) -> list[dict[str, Any]]:
        """The countries in the order of the file, which is the engine's."""
        return list(self.data["countries"])

    @property
    def country_names(self) -> list[str]:
        """Their names."""
        return [country["name"] for country in self.data["countries"]]

    def to_dict(self) -> dict[str, Any]:
        """The tables of the file, a copy."""
        return copy.deepcopy(dict(self.data))

    def hash(self) -> str:
        """Two sets with the same hash play alike."""
        text = json.dumps(self.data, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_cards(path: str | Path | None = None) -> CardSet:
    """A card set from a file; without one, the set that comes with the game.

    Raises
    ------
    CardFileError
        With every problem of the file, one a line.

    Example
    -------
    >>> load_cards().country_names[0]
    'USA'
    """
    return _reference() if path is None else cards_from_dict(read_card_file(path), str(path))


@cache
def _reference() -> CardSet:
    """Read once: a card set never changes."""
    return cards_from_dict(read_card_file(CARDS_FILE), CARDS_FILE.name)


def cards_from_dict(data: Mapping[str, Any], where: str = "cards") -> CardSet:
    """A card set from the tables of a card file, or from `CardSet.to_dict()`, after checking them."""
    problems = check_data(data, where)
    if problems:
        raise CardFileError(problems)
    return CardSet(str(data["set"]["name"]), copy.deepcopy(dict(data)))


def check_cards(path: str | Path) -> list[str]:
    """What is wrong with a card file, one problem a line; an empty list if it is fine."""
    try:
        return check_data(read_card_file(path), str(path))
    except CardFileError as error:
        return error.lines


def dump_cards(cards: CardSet) -> str:
    """A card set as the text of a card file; loading it gives the same set again."""
    data = cards.data
    parts = [dotted("set", data["set"])]
    parts += [lines(section, data[section]) for section in ("countries", "ufos", "alliance", "factions")]
    parts += [block(f"[bags.{mode}]", bag) for mode, bag in data["bags"].items()]
    parts += [block("[[aliens]]", card) for card in data["aliens"]]
    parts += [block(f"[{section}]", data[section]) for section in ("random_mode", "technologies", "radars")]
    parts += [block("[[objectives]]", objective) for objective in data["objectives"]]
    return "\n\n".join(parts) + "\n"


def find_card(cards: CardSet, section: str, name: str) -> dict[str, Any]:
    """The entry of that name in a section with names; case, spaces and hyphens do not matter ('south-korea')."""
    by_slug = {slug(str(entry["name"])): entry for entry in cards.data[section]}
    if slug(name) in by_slug:
        return dict(by_slug[slug(name)])
    near = did_you_mean(slug(name), by_slug)
    raise UserError(f"nothing called {shown(name)} in {section}{near}; valid: {', '.join(by_slug)}")


def source_of(entry: Mapping[str, Any], key: str) -> str:
    """Where one value of an entry comes from; what a table of sources leaves out is assumed."""
    source = entry["source"]
    return source if isinstance(source, str) else source.get(key, "assumed")
