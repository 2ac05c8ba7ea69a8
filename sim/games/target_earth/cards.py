"""The card set of Target Earth: countries, UFOs, alien cards, Alliance cards, factions, objectives.

It stands in `data/cards.toml`; each entry says in `source` which values are the rulebook's and which assumed.
"""

from __future__ import annotations

import copy
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sim.errors import UserError

CARDS_FILE = Path(__file__).parent / "data" / "cards.toml"
SIZES = ("small", "medium", "large", "terror")
MODES = ("easy", "normal", "hard", "random")
CARDS = ("ace", "elite squad", "elite crew", "engineer", "bonus", "diplomacy", "rebellion", "scientist",
         "fortified base", "alien knowledge")  # fmt: skip
FACTIONS = ("officer", "air general", "army general", "diplomat")
OBJECTIVES = ("A", "B", "C", "D", "E", "F")
TECHNOLOGIES = ("fighters", "troops", "tanks", "science")
SECTIONS = ("set", "countries", "ufos", "bags", "aliens", "random_mode", "technologies", "radars", "alliance",
            "factions", "objectives")  # fmt: skip


@dataclass(frozen=True, eq=False)
class CardSet:
    """A card set: the tables of its file, checked."""

    name: str
    data: Mapping[str, Any]

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


def cards_from_dict(data: Mapping[str, Any], where: str) -> CardSet:
    """A card set from the tables of a card file."""
    problems = [f"{where}: no section {name}" for name in SECTIONS if name not in data]
    problems += [
        f"{where}: no section {name}; valid: {', '.join(SECTIONS)}" for name in data if name not in SECTIONS
    ]
    if problems:
        raise UserError(problems)
    return CardSet(str(data["set"].get("name", where)), copy.deepcopy(dict(data)))


@cache
def _reference() -> CardSet:
    return cards_from_dict(tomllib.loads(CARDS_FILE.read_text(encoding="utf-8")), CARDS_FILE.name)


def load_cards(path: str | Path | None = None) -> CardSet:
    """A card set from a file; without one, the set that comes with the game."""
    if path is None:
        return _reference()
    try:
        data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not TOML: {error}") from None
    return cards_from_dict(data, str(path))


def dump_cards(cards: CardSet) -> str:
    """A card set as the text of a card file."""
    parts = [_table(name, value) for name, value in cards.data.items()]
    return "\n\n".join(parts) + "\n"


def _table(name: str, value: Any) -> str:
    if isinstance(value, list):
        blocks = [
            [f"[[{name}]]", *(f"{key} = {_value(one)}" for key, one in entry.items())] for entry in value
        ]
        return "\n\n".join("\n".join(block) for block in blocks)
    if name == "set":
        return f"set = {_value(value)}"
    return "\n".join([f"[{name}]", *(f"{key} = {_value(one)}" for key, one in value.items())])


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)
