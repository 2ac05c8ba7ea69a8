"""The card set of E.T.I. as Python objects: load one from a card file, look things up, hash it.

A card set is read once at the start of a run (the engine turns it into arrays). Only the standard
library is used, so that `xenobalance cards check` answers in a blink. The format is described in
`docs/cards.md`; `card_words` holds its vocabulary, `card_check` its checks, `card_file` reading and writing.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sim.card_checks import slug
from sim.errors import UserError, did_you_mean, shown
from sim.games.eti.card_check import check_data
from sim.games.eti.card_file import CardFileError, read_card_file, write_toml
from sim.games.eti.card_words import (
    ABILITIES,
    ALIEN_ABILITIES,
    EFFECTS,
    FIELDS,
    LEVELS,
    MULTIPLIERS,
    THREATS,
)

__all__ = [
    "ABILITIES", "ALIEN_ABILITIES", "FIELDS", "LEVELS", "MULTIPLIERS", "REFERENCE_FILE", "THREATS",
    "Alien", "CardFileError", "CardSet", "Effect", "Event", "Human", "Project", "ResearchKind", "Source",
    "cards_from_dict", "check_cards", "dump_cards", "find_card", "load_cards", "slug", "source_of",
]  # fmt: skip

REFERENCE_FILE = Path(__file__).parent / "data" / "cards.toml"

Source = str | dict[str, str]  # "rulebook" or "assumed"; a table says so value by value


@dataclass(frozen=True)
class ResearchKind:
    """One kind of research card (R-COMP-4): a number such as '10', a multiplier or a threat."""

    card: str
    count: int
    source: Source


@dataclass(frozen=True)
class Project:
    """A project (R-COMP-5)."""

    name: str
    field: str
    level: int
    difficulty: int
    defence: int
    fame: int
    upgrades: tuple[str, ...]  # abilities; the same one may stand twice
    source: Source


@dataclass(frozen=True)
class Effect:
    """One thing a card does; which of the keys count is up to `do` (see `card_words.EFFECTS`)."""

    do: str
    amount: int = 0
    level: int = 0
    ability: str | None = None  # None: the company chooses
    of: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The keys that this effect knows, as in a card file."""
        return {"do": self.do} | {key: getattr(self, key) for key in EFFECTS[self.do]}


@dataclass(frozen=True)
class Event:
    """An event card: whom it concerns, whether one wants it, whether it is kept, and what it does."""

    name: str
    who: str
    ability: str | None  # doubles projects in a vote (R-EVT-4)
    good: bool
    keep: str | None  # None: at once; 'round' or 'invasion': from the hand
    on: str  # 'self', or 'other': the holder names a target
    effects: tuple[Effect, ...]
    text: str
    source: Source


@dataclass(frozen=True)
class Human:
    """A human endgame card."""

    name: str
    effects: tuple[Effect, ...]
    text: str
    source: Source


@dataclass(frozen=True)
class Alien:
    """An alien endgame card; more UFOs, stronger alien."""

    name: str
    ufos: int
    effects: tuple[Effect, ...]
    text: str
    source: Source


@dataclass(frozen=True)
class CardSet:
    """All that is printed on cards and boards, in the order of the card file."""

    name: str
    version: str
    totals: str  # 'reference': as many cards as in the published game; 'free': any number
    research: tuple[ResearchKind, ...]
    projects: tuple[Project, ...]
    events: tuple[Event, ...]
    humans: tuple[Human, ...]
    aliens: tuple[Alien, ...]
    tracks: dict[str, tuple[int, ...]]  # ability, human or alien, to its spaces, leftmost first
    track_sources: dict[str, Source]
    absent: tuple[str, ...] = ()  # names of cards that are not in the game (`changes`); never in a card file

    def to_dict(self) -> dict[str, Any]:
        """The card set in the shape of a card file, ready for JSON; None where a key has no value."""
        return {
            "set": {"name": self.name, "game": "eti", "version": self.version, "totals": self.totals},
            **{section: [_entry(card) for card in getattr(self, section)] for section in _ENTRIES},
            "tracks": {
                name: {"spaces": list(spaces), "source": self.track_sources[name]}
                for name, spaces in self.tracks.items()
            },
        }

    def hash(self) -> str:
        """SHA-256 of the content: two card sets with the same hash play the same games."""
        import hashlib  # here, because it takes as long to load as all the rest

        content = self.to_dict() | ({"absent": list(self.absent)} if self.absent else {})
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()


_ENTRIES: dict[str, type] = {
    "research": ResearchKind, "projects": Project, "events": Event, "humans": Human, "aliens": Alien,
}  # fmt: skip

_DEFAULTS: dict[str, dict[str, Any]] = {  # what an entry may leave out
    "projects": {"upgrades": []},
    "events": {"ability": None, "good": True, "keep": None, "on": "self", "text": ""},
    "humans": {"text": ""},
    "aliens": {"text": ""},
}


def load_cards(path: str | Path | None = None) -> CardSet:
    """Read a card file; without a path, the reference set.

    Raises
    ------
    CardFileError
        With every problem of the file, one a line.

    Example
    -------
    >>> load_cards().projects[0].field
    'chemistry'
    """
    return _reference() if path is None else _build(read_card_file(path), str(path))


@cache
def _reference() -> CardSet:
    """Read once: a card set never changes."""
    return _build(read_card_file(REFERENCE_FILE), str(REFERENCE_FILE))


def check_cards(path: str | Path) -> list[str]:
    """What is wrong with a card file, one problem a line; an empty list if it is fine."""
    try:
        return check_data(read_card_file(path), str(path))
    except CardFileError as error:
        return error.lines


def cards_from_dict(data: Mapping[str, Any], where: str = "cards") -> CardSet:
    """Build a card set from the tables of a card file, or from `CardSet.to_dict()`, after checking them."""
    return _build(without_none(data), where)


def _build(data: Mapping[str, Any], where: str) -> CardSet:
    problems = check_data(data, where)
    if problems:
        raise CardFileError(problems)
    tracks = {name: data["tracks"][name] for name in ABILITIES + ALIEN_ABILITIES}
    return CardSet(
        name=data["set"]["name"],
        version=data["set"]["version"],
        totals=data["set"].get("totals", "reference"),
        **{section: tuple(_card(section, entry) for entry in data[section]) for section in _ENTRIES},
        tracks={name: tuple(track["spaces"]) for name, track in tracks.items()},
        track_sources={name: track["source"] for name, track in tracks.items()},
    )


def dump_cards(cards: CardSet) -> str:
    """The card set as a readable card file; loading it gives the same card set again."""
    return write_toml(without_none(cards.to_dict()))


def _card(section: str, entry: dict[str, Any]) -> Any:
    values = {**_DEFAULTS.get(section, {}), **entry}
    if "card" in values:
        values["card"] = str(values["card"])  # card = 10 is as good as card = "10"
    if "upgrades" in values:
        values["upgrades"] = tuple(values["upgrades"])
    if "effects" in values:
        values["effects"] = tuple(Effect(**effect) for effect in values["effects"])
    return _ENTRIES[section](**values)


def _entry(card: Any) -> dict[str, Any]:
    """A card as a table of plain values."""
    entry = dict(vars(card))
    if "upgrades" in entry:
        entry["upgrades"] = list(card.upgrades)
    if "effects" in entry:
        entry["effects"] = [effect.to_dict() for effect in card.effects]
    return entry


def without_none(value: Any) -> Any:
    """JSON has null for 'none'; TOML leaves the key out."""
    if isinstance(value, Mapping):
        return {key: without_none(item) for key, item in value.items() if item is not None}
    return [without_none(item) for item in value] if isinstance(value, list) else value


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Named = TypeVar("Named", bound=_Named)


def find_card(cards: Iterable[Named], name: str, what: str = "card") -> Named:
    """The card of that name; case, spaces and hyphens do not matter ('raiding-party': Raiding Party)."""
    by_slug = {slug(card.name): card for card in cards}
    if slug(name) in by_slug:
        return by_slug[slug(name)]
    near = did_you_mean(slug(name), by_slug)
    raise UserError(f"no {what} {shown(name)}{near}; valid: {', '.join(by_slug)}")


def source_of(source: Source, key: str) -> str:
    """Where one value of an entry comes from; what a table of sources leaves out is assumed."""
    return source if isinstance(source, str) else source.get(key, "assumed")
